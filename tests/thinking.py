"""Bots at work: what a level thinks of a position, and what every bot promises. Knows no game by name."""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from mokali.engine import record
from mokali.engine.protocol import HOUSE, Action, Bot, Game, IllegalAction, Mind, Rules, State, ends_hand


def mind(state: State, rng: Random, seconds: float = 60) -> Mind:
    """What a bot gets that is on turn; it has always the same time left."""
    seat = state.turn
    assert seat is not None
    view = state.view(seat)
    return Mind(view, state.moves(seat), lambda: type(state).imagine(view, rng), rng, lambda: seconds)


def chosen(think: Bot, state: State, seed: int = 1, seconds: float = 60) -> Action:
    """What a bot does here."""
    return think(mind(state, Random(seed), seconds))


def plays_a_hand(
    game: Game, rules: Rules, seats: int, think: Bot, seed: int, at: Callable[[State], Any] | None = None
) -> State:
    """One hand in which every seat thinks like this, to its end; ``at`` sees every position. Raises IllegalAction."""
    state, rng = record.start(game, rules, seats), Random(seed)
    for lot in state.draw_lots(rng):
        state, _ = state.play(HOUSE, lot)
    while True:
        if at is not None:
            at(state)
        assert state.turn is not None
        action = think(mind(state, rng))
        try:
            state, events = state.play(state.turn, action)
        except IllegalAction as refused:
            raise AssertionError(f"{action} is {refused.reason}: {state.view(state.turn)}") from refused
        if ends_hand(events):
            return state


def sees_a_view_alone(think: Bot, state: State, rng: Random) -> None:
    """In two worlds that look like this position the bot does what it does here, with the same luck of its own."""
    assert state.turn is not None
    view, seed = state.view(state.turn), rng.randrange(2**32)
    here = chosen(think, state, seed)
    for _ in range(2):
        world = type(state).imagine(view, rng)
        assert chosen(think, world, seed) == here


def one_of(rules: Any, **changes: Any) -> Any:
    """These rules with some of their fields changed."""
    return replace(rules, **changes)
