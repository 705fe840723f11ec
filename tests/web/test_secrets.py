"""No byte tells anybody what he may not know (CM-9, RL-34, RL-37), at any game."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from mokali.engine.cards import DECK, Card
from mokali.engine.protocol import Game
from mokali.games import GAMES
from mokali.live import door
from mokali.web.house import House
from tests import contract
from tests.hidden import named, things
from tests.matches import Match
from tests.web.leaks import PATIENT, Watched, opened, shortest
from tests.web.prepared import Prepared, database_in, written
from tests.web.server import Server
from tests.web.worlds import STILL_HOUSE, Scenario, scenario, tell_apart

TABLES = [(game, seats) for game in GAMES for seats in game.seats]
every_table = pytest.mark.parametrize(
    ("game", "seats"), [pytest.param(game, n, id=f"{game.key}-{n}") for game, n in TABLES]
)
Rounds = Callable[[int, int], int]
Ends = dict[tuple[str, int], Prepared]


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Ends]]:
    """One house for all tables; in it, by game and number of seats, matches that are nearly over."""
    folder = tmp_path_factory.mktemp("house")
    with database_in(folder):
        ends = {
            (game.key, n): written(game, n, 100 + m, changes=-4, now=door.now()) for m, (game, n) in enumerate(TABLES)
        }
    house = Server(folder, "app:app", **PATIENT)
    house.start()
    try:
        yield house, ends
        house.no_fault()
    finally:
        house.kill()


@every_table
def test_rl_34_rl_36_rl_37_nobody_is_sent_what_he_may_not_know(
    patient: tuple[Server, Ends], rounds: Rounds, game: Game, seats: int
) -> None:
    """From the first page to a table that is closed in the midst of its second hand, or to the end of the match.

    At other than the usual number of seats a few moves will do, save before a release.
    """
    house, _ = patient
    for seed in range(rounds(1, 20)):
        table = opened(house, game, seats, Random(seed))
        table.begin()
        _everybody_is_shown_the_seal(table)
        table.play(rounds(1, 1_000), most=rounds(1_000 if seats == game.seats[0] else 12, 10_000))
        if table.state.phase == "hand_over":
            table.pause()
        if table.state.turn is not None:
            table.move()
            table.vote()
        table.after()
        assert table.searched > 500_000
    house.no_fault()


def _everybody_is_shown_the_seal(table: Watched) -> None:
    """Also who only watches (RL-36)."""
    assert len(table.present) == table.seats + 1
    for ear in table.present:
        assert any(table.seal in message for message in ear.at_table.wire.heard)
        assert table.seal in ear.visitor.get(f"/masa/{table.code}").text


@every_table
def test_rl_34_rl_37_nor_when_the_match_ends(patient: tuple[Server, Ends], game: Game, seats: int) -> None:
    house, ends = patient
    prepared = ends[game.key, seats]
    table = Watched(house, game, prepared.table.code, prepared.visitors(house.base), Random(1))
    table.arrive()
    table.play(1_000, tours=2)
    table.after()
    assert table.state.turn is None
    house.no_fault()


@every_table
def test_rl_34_the_search_knows_everything_that_a_seat_holds(game: Game, seats: int) -> None:
    for step in Match(game, shortest(game), seats, seed=1).steps(100):
        for seat in range(seats):
            view = step.after.view(seat)
            assert set(contract.own(view)) <= set(map(str, things(view))), "a kind of thing that tests.hidden lacks"


def test_rl_34_the_search_finds_a_card_however_it_is_spelt(app: House) -> None:
    page = app.jinja_env.from_string(
        """<a id="card-{{ card }}"></a> | {"card":"{{ card }}"} | Ayşe {{ card|card_name }} attı. | {{ card|inner }}
        | {% include "parts/mini.html" %}"""
    )
    for card in DECK:
        for spelling in page.render(card=card).split("|"):
            assert set(named(spelling, [Card])) == {card}, spelling
    assert named("card spade · 10 kart · XAS · 7SX · kupa on · maça", [Card]) == {}


@pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])
def test_rl_34_two_worlds_sound_the_same(tmp_path: Path, rounds: Rounds, game: Game) -> None:
    """Two seats and a watcher, before a release every seat, at tables of every size, each at some point of a match."""
    few = Random(34)
    viewers = [
        (seats, viewer)
        for seats in game.seats
        for viewer in (*few.sample(range(seats), min(seats, rounds(2, seats))), None)
    ]
    compared = moves = 0
    for batch in range(rounds(1, 100)):
        made: list[Scenario] = []

        def make(first: int = batch * len(viewers), made: list[Scenario] = made) -> list[Scenario]:
            made += [scenario(game, *place, seed) for seed, place in enumerate(viewers, first)]
            return made

        compared += tell_apart(tmp_path / str(batch), STILL_HOUSE, make)
        moves += sum(len(some.path) for some in made)
        for some, (seats, viewer) in zip(made, viewers, strict=True):
            assert some.differ, f"nothing is hidden from viewer {viewer} of {seats} seats: imagine gives the same world"
    heard = compared // len(viewers)
    assert heard > 150_000, f"each viewer hears {heard} characters: too few to tell two worlds apart"
    assert moves or not any(things(made[0].states))
