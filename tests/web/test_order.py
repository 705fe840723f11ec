"""Registered first, read afterwards, and never an older picture over a newer (RL-25). Of any game."""

from random import Random

import pytest

from mokali import figures
from mokali.engine.protocol import Game
from mokali.games import GAMES
from mokali.live import bus, door
from mokali.store import tables
from mokali.store.models import DATABASE
from mokali.tables.table import Act
from mokali.web import socket
from mokali.web.house import House
from mokali.web.render import Scene, Screen
from tests.web.near import Near, dealt, on_turn, revision_in, served
from tests.web.seat import fresh

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


def _move(table_id: int, rng: Random) -> int:
    """The seat on turn plays, once the house has done its part; the revision afterwards."""
    table = served(table_id, rng)
    assert table.state is not None
    assert table.state.turn is not None
    move = rng.choice(table.state.moves(table.state.turn))
    return door.submit(table_id, Act(on_turn(table), move, table.played)).revision


@pytest.fixture(autouse=True)
def _listening(app: House) -> None:
    """The hub hears the bells; the disk is not waited for."""
    bus.listen(app.hub._rung)
    DATABASE.execute_sql("PRAGMA synchronous = 0")


@every_game
def test_rl_25_a_move_between_registering_and_reading_is_drawn(
    app: House, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``attend`` joins, and only then says its first word: whatever is committed from then on rings there."""
    rng = Random(25)
    table, persons, _ = dealt(game, rng, base=fresh())
    player = Near(app, table.id, persons[0])
    app.hub.leave(player.wire)
    player.ear.poked = 0
    moved: list[int] = []

    def beat(wire: object) -> None:
        assert player.wire in app.hub.wires[table.id], "registered before anything is read"
        assert player.screen.revision == -1, "nothing has been read yet"
        moved.append(_move(table.id, rng))

    def run() -> None:
        [picture] = player.pictures()
        assert revision_in(picture) == moved[0]

    monkeypatch.setattr(app.hub, "beat", beat)
    with app.app_context():
        socket.attend(app.hub, player.wire, run)
    assert player.ear.closed is None
    assert len(moved) == 1


@every_game
def test_rl_25_a_move_while_the_table_is_drawn_is_drawn_next(
    app: House, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(26)
    table, persons, _ = dealt(game, rng, base=fresh())
    player = Near(app, table.id, persons[0])
    moved: list[int] = []
    update = Screen.update

    def slow(screen: Screen, scene: Scene) -> str:
        if not moved:
            moved.append(_move(table.id, rng))
        return update(screen, scene)

    monkeypatch.setattr(Screen, "update", slow)
    with app.app_context():
        player.ear.poked = 0
        [first] = player.pictures()
        assert revision_in(first) == table.revision < moved[0]
        assert player.ear.poked, "the bell rang while it was drawn"
        [second] = player.pictures()
    assert revision_in(second) == moved[0]


@every_game
def test_rl_25_of_pictures_in_any_order_none_older_is_drawn_over_a_newer(app: House, game: Game) -> None:
    rng = Random(27)
    table, persons, _ = dealt(game, rng, base=fresh())
    scenes = [Scene(table, ())]
    while len(scenes) < 12 and tables.load(table.id).ended is None:
        _move(table.id, rng)
        scenes.append(Scene(tables.load(table.id), ()))
    assert len(scenes) > 4
    for _ in range(20):
        shuffled = rng.sample(scenes, len(scenes))
        for person in (persons[0].id, None):
            screen = Screen(app.renderer, person, "http://mokali.test")
            newest = -1
            with app.app_context():
                for scene in shuffled:
                    picture = screen.update(scene)
                    assert bool(picture) == (scene.table.revision > newest)
                    newest = max(newest, scene.table.revision)
                    assert not picture or revision_in(picture) == newest
            assert screen.revision == scenes[-1].table.revision


@every_game
def test_rl_25_a_ring_that_was_lost_is_made_good(app: House, game: Game) -> None:
    """Another worker committed, and nobody rang here: the next look finds it."""
    rng = Random(28)
    table, persons, _ = dealt(game, rng, base=fresh())
    player = Near(app, table.id, persons[0])
    with app.app_context():
        player.pictures()
        bus._listeners.clear()
        newest = _move(table.id, rng)
        player.ear.poked = 0
        app.hub._catch_up()
        assert player.ear.poked
        [picture] = player.pictures()
    assert revision_in(picture) == newest


@every_game
def test_rl_55_a_change_counts_as_told_once_its_own_picture_is_out(app: House, game: Game) -> None:
    """Not with the picture before it; and whoever is gone holds up no figure."""
    rng = Random(29)
    table, persons, _ = dealt(game, rng, base=fresh())
    one, two = Near(app, table.id, persons[0]), Near(app, table.id, persons[1])
    before = sum(figures.commit_to_last_writer.counts)

    def told() -> int:
        """Up to which revision."""
        return table.revision + sum(figures.commit_to_last_writer.counts) - before

    with app.app_context():
        first = _move(table.id, rng)
        one.pictures()
        second = _move(table.id, rng)
        one.ear.written()
        two.pictures()
        two.ear.written()
        assert told() == first, "the second is not drawn for the first person yet"
        one.pictures()
        assert told() == first, "nor written"
        one.ear.written()
        assert told() == second
        third = _move(table.id, rng)
        one.pictures()
        one.ear.written()
        app.hub.leave(two.wire)
        assert told() == third
