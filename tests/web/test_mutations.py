"""Messages spoilt at random, straight into the handler: nothing changes, nothing breaks, everybody plays on (RL-20)."""

import logging
from collections.abc import Callable
from random import Random

import pytest

from mokali import figures
from mokali.engine import codec
from mokali.engine.protocol import Game
from mokali.games import GAMES
from mokali.live import door
from mokali.store.models import DATABASE
from mokali.tables.table import Act
from mokali.web.house import House
from tests.mutations import corpus, mutated
from tests.web.near import Near, dealt, on_turn, rows_of, served
from tests.web.seat import fresh

EVERY = 2_500
"""So many messages at one moment of a match, then it is played on."""


@pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])
def test_rl_20_mutated_messages_change_nothing(
    app: House, game: Game, rounds: Callable[[int, int], int], caplog: pytest.LogCaptureFixture
) -> None:
    DATABASE.execute_sql("PRAGMA synchronous = 0")
    rng = Random(20)
    messages = rounds(100_000, 1_000_000) // len(GAMES)
    dropped = figures.dropped.by.get(("bad_request",), 0)
    told = 0
    table, persons, _ = dealt(game, rng, base=fresh())
    with caplog.at_level(logging.ERROR), app.app_context():
        for _ in range(messages // EVERY):
            if table.state is None or table.state.turn is None:
                table, persons, _ = dealt(game, rng, base=fresh())
            told += _spoil(app, table.id, persons, rng)
            for _ in range(rng.randrange(1, 9)):
                if table.state is None or table.state.turn is None:
                    break
                move = rng.choice(table.state.moves(table.state.turn))
                door.submit(table.id, Act(on_turn(table), move, table.played))
                table = served(table.id, rng)
    assert not caplog.records
    assert told > messages // 20, "many are messages all the same, and are refused"
    assert figures.dropped.by["bad_request",] - dropped > messages // 4, "and many are none"


def _spoil(app: House, table_id: int, persons: list, rng: Random) -> int:  # type: ignore[type-arg]
    """Whoever is not on turn, and somebody who watches, send what they like; how often they were told no."""
    table = app.hub.scene(table_id).table
    assert table.state is not None
    others = [person for person in persons if person.id != on_turn(table)]
    watcher = type(persons[0])(10_000, "İzleyen")
    near = [Near(app, table_id, person) for person in (*others, watcher)]
    real = corpus(table.state, table.played)
    before, state = rows_of(table_id), codec.encode(table.state)
    try:
        for _ in range(EVERY):
            rng.choice(near).answer(mutated(rng.choice(real), rng))
        assert rows_of(table_id) == before
        assert codec.encode(app.hub.scene(table_id).table.state) == state
        for player in near:
            assert player.ear.closed is None, "the socket lives"
            heard = player.refusals()
            player.says("rise")
            assert player.refusals() == heard + 1, "and is answered"
        return sum(player.refusals() for player in near)
    finally:
        for player in near:
            app.hub.leave(player.wire)
