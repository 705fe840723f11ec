"""Thoughts of bots in child processes: a view goes in, an action comes out, and nothing holds up the loop."""

import os
import signal
import time
from collections.abc import Iterator
from random import Random

import gevent
import pytest
from msgspec.structs import replace

from mokali.engine import codec
from mokali.engine.protocol import HOUSE, Game, Level, State
from mokali.games import GAMES
from mokali.live import thinkers
from mokali.live.thinkers import Advice, Answer, NoThought, Question, Thinkers

every_game = pytest.mark.parametrize("game", [game for game in GAMES if game.bots], ids=lambda game: game.key)


@pytest.fixture
def pool() -> Iterator[Thinkers]:
    """A pool that leaves nobody behind."""
    made = Thinkers()
    yield made
    made.close()


def begun(game: Game, rng: Random) -> State:
    """A match whose first seat is to act."""
    state = game.state.start(next(iter(game.rulesets.values())), game.seats[0])
    lots = list(state.draw_lots(rng))
    while state.turn == HOUSE:
        state, _ = state.play(HOUSE, lots.pop(0))
    return state


@every_game
def test_every_level_of_every_game_answers_with_a_legal_move(game: Game, pool: Thinkers) -> None:
    state = begun(game, Random(1))
    assert state.turn is not None
    view = state.view(state.turn)
    for level in game.bots:
        action = pool.think(game, level, view, 7)
        state.play(state.turn, action)
        if level == thinkers.ADVISER:  # and a hint is the same, with its reason
            advice = pool.advise(game, view, 7)
            assert advice == Advice(action, thinkers.reason(game, view, action, Random(7)))
            assert advice.why.endswith(".")


def test_ab_10_a_child_gets_a_view_and_no_more() -> None:
    assert Question.__struct_fields__ == ("game", "level", "view", "seed", "why")
    game = GAMES[0]
    state = begun(game, Random(1))
    assert state.turn is not None
    line = codec.encode(Question(game.key, next(iter(game.bots)), codec.encode(state.view(state.turn)), 1))
    [answer] = thinkers.answers([line])
    state.play(state.turn, codec.read_action(game.actions, codec.decode(Answer, answer).action))


def test_a_thought_is_not_in_the_loop(pool: Thinkers) -> None:
    game = GAMES[-1]
    state = begun(game, Random(1))
    assert state.turn is not None
    thought = gevent.spawn(pool.think, game, next(iter(game.bots)), state.view(state.turn), 1)
    turns = 0
    while not thought.ready():
        gevent.sleep(0.001)
        turns += 1
    assert turns > 20
    assert thought.get() is not None


def test_a_child_that_dies_or_dreams_costs_one_thought(pool: Thinkers, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[-1]
    state = begun(game, Random(1))
    assert state.turn is not None
    level, view = next(iter(game.bots)), state.view(state.turn)
    pool.think(game, level, view, 1)
    [child] = pool._idle
    os.kill(child._process.pid, signal.SIGSTOP)
    monkeypatch.setattr(thinkers, "GRACE", 0.2)
    quick = replace(game, bots={level: Level(game.bots[level].think, 0.1)})
    began = time.perf_counter()
    with pytest.raises(NoThought):
        pool.think(quick, level, view, 1)
    assert time.perf_counter() - began < 5
    assert pool._idle == []
    monkeypatch.undo()
    pool.think(game, level, view, 1)
    os.kill(pool._idle[0]._process.pid, signal.SIGKILL)
    gevent.sleep(0.05)
    with pytest.raises(NoThought):
        pool.think(game, level, view, 1)
    state.play(state.turn, pool.think(game, level, view, 1))
