"""No byte tells anybody what he may not know (CM-9, RL-34, RL-37), at any game."""

from collections.abc import Callable
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
from tests.web.prepared import database_in, written
from tests.web.server import Server
from tests.web.worlds import STILL_HOUSE, Scenario, scenario, tell_apart

every_table = pytest.mark.parametrize(
    ("game", "seats"), [pytest.param(game, n, id=f"{game.key}-{n}") for game in GAMES for n in game.seats]
)
Rounds = Callable[[int, int], int]
Serve = Callable[..., Server]


@every_table
def test_rl_34_rl_37_nobody_is_sent_what_he_may_not_know(serve: Serve, rounds: Rounds, game: Game, seats: int) -> None:
    """From the first page to a table that is closed in the midst of its second hand, or to the end of the match."""
    house = serve(**PATIENT)
    for seed in range(rounds(1, 20)):
        table = opened(house, game, seats, Random(seed))
        table.begin()
        table.play(rounds(1, 1_000))
        if table.state.turn is not None:
            table.pause()
            table.move()
            table.vote()
        table.after()
        assert table.searched > 500_000
    house.no_fault()


@every_table
def test_rl_36_everybody_is_shown_the_seal_and_watchers_too(serve: Serve, game: Game, seats: int) -> None:
    table = opened(serve(**PATIENT), game, seats, Random(1))
    table.begin()
    assert len(table.present) == seats + 1
    for ear in table.present:
        assert any(table.seal in message for message in ear.at_table.wire.heard)
        assert table.seal in ear.visitor.get(f"/masa/{table.code}").text


@every_table
def test_rl_34_rl_37_nor_when_the_match_ends(serve: Serve, tmp_path: Path, game: Game, seats: int) -> None:
    with database_in(tmp_path):
        prepared = written(game, seats, seed=seats, changes=-4, now=door.now())
    house = serve(data=tmp_path, **PATIENT)
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
    """Every seat and a watcher, at tables of every size, each at some point of a match."""
    viewers = [(seats, viewer) for seats in game.seats for viewer in (*range(seats), None)]
    compared = moves = 0
    for batch in range(rounds(1, 100)):
        made: list[Scenario] = []

        def make(first: int = batch * len(viewers), made: list[Scenario] = made) -> list[Scenario]:
            made += [scenario(game, *place, seed) for seed, place in enumerate(viewers, first)]
            return made

        compared += tell_apart(tmp_path / str(batch), STILL_HOUSE, make)
        moves += sum(len(some.path) for some in made)
        assert all(some.differ for some in made)
    assert compared > 1_000_000
    assert moves or not any(things(made[0].states))
