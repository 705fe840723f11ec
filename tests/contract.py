"""What every game promises, each promise a check that raises AssertionError. Knows no game by name.

``test_every_game.py`` holds every registered game against these; ``test_planted_leaks.py`` holds games that break one.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest

from mokali.engine import codec
from mokali.engine.protocol import (
    HOUSE,
    Action,
    Common,
    Event,
    Game,
    HandEnded,
    IllegalAction,
    MalformedAction,
    Seat,
    State,
)
from mokali.tables.table import REQUESTS

WORLDS = 16
"""How many worlds are imagined where they must differ: that all are alike by chance never happens."""


def seats_of(state: State) -> range:
    """The seats of a match."""
    return range(len(state.view(None).totals))


def viewers_of(state: State) -> tuple[Seat | None, ...]:
    """Everybody who may look: each seat, and a spectator."""
    return (*seats_of(state), None)


def own(view: Any) -> tuple[str, ...]:
    """What only its owner sees in a view: his ``cards`` or his ``rack``."""
    return tuple(map(str, getattr(view, "cards", None) or getattr(view, "rack", None) or ()))


def exchanged(view: Any) -> set[str]:
    """What has gone through the viewer's own hands in ``swaps``, if the game has any."""
    own_swaps = [swap for swap in getattr(view, "swaps", ()) if view.seat in (swap.taker, swap.source)]
    return {str(piece) for swap in own_swaps for piece in (swap.given, swap.returned)}


# --- playing ---


def offered_moves_are_accepted(state: State) -> None:
    """CM-8: the seat to act is offered something, everything offered is accepted, and nobody else is offered any."""
    for seat in (*seats_of(state), HOUSE):
        moves = state.moves(seat)
        assert bool(moves) == (seat == state.turn != HOUSE), f"seat {seat} is offered {len(moves)} moves"
        for move in moves:
            try:
                after, _ = state.play(seat, move)
            except IllegalAction as refusal:
                raise AssertionError(f"{move} is offered and refused: {refusal.reason}") from refusal
            assert after != state, f"{move} changes nothing"


def refused(state: State, seat: Seat, action: Action, reason: str | None = None) -> None:
    """CM-1: it is refused, for this reason, and the encoded state is byte-identical."""
    before = codec.encode(state)
    answer = _answer(state, seat, action)
    assert answer is not None, f"{action} of {seat} is accepted"
    assert reason in (None, answer[0]), f"{action} of {seat} is {answer[0]}, not {reason}"
    assert codec.encode(state) == before, f"the refused {action} of {seat} left a trace"


def outsiders_are_refused(state: State) -> None:
    """CM-7: whatever the seat to act may do, no other seat, nobody without a seat and not the house may do it."""
    turn = state.turn
    if turn is None or turn == HOUSE:
        return
    for action in (*state.moves(turn), state.idle(turn)):
        for seat in (*seats_of(state), len(seats_of(state)), HOUSE):
            if seat != turn:
                refused(state, seat, action, Common.NOT_YOUR_TURN)


def nobody_plays_now(state: State, actions: Iterable[Action]) -> None:
    """CM-7: in ``hand_over`` and ``over`` no seat is on turn, whatever it tries."""
    for action in actions:
        for seat in seats_of(state):
            refused(state, seat, action, Common.NOT_YOUR_TURN)


def forged_luck_is_refused(state: State, lots: Sequence[Action]) -> None:
    """No seat shuffles or rolls, in turn or not, and the house only where luck is due."""
    for lot in lots:
        for seat in (*seats_of(state), len(seats_of(state))):
            refused(state, seat, lot, None if seat == state.turn else Common.NOT_YOUR_TURN)
        if state.turn != HOUSE:
            refused(state, HOUSE, lot, Common.NOT_YOUR_TURN)


def luck_cannot_be_spelt(game: Game, lots: Sequence[Action]) -> None:
    """What only the house plays is no message of a client."""
    for lot in lots:
        with pytest.raises(MalformedAction):
            codec.read_action(game.actions + REQUESTS, codec.encode(lot))


def idle_is_legal(state: State, rng: Random) -> None:
    """AB-8: what the clock plays is legal, and follows from that seat's view alone."""
    seat = state.turn
    if seat is None or seat == HOUSE:
        return
    idle = state.idle(seat)
    state.play(seat, idle)
    for world in worlds(state, seat, rng, 4):
        assert world.idle(seat) == idle, f"idle of seat {seat} depends on what it can't see"


# --- text ---


def values_survive_the_wire(game: Game, state: State, action: Action, events: Iterable[Event]) -> None:
    """``decode(encode(x)) == x``, byte for byte, for the state, every view, every action and event."""
    _survives(game.state, state)
    for viewer in viewers_of(state):
        _survives(game.view, state.view(viewer))
    for event in events:
        _survives(type(event), event)
    for seat in seats_of(state):
        for move in state.moves(seat):
            _survives(type(move), move)
            assert codec.read_action(game.actions + REQUESTS, codec.encode(move)) == move
    assert codec.read_action(game.actions + game.lots, codec.encode(action)) == action


def _survives(kind: type, value: object) -> None:
    text = codec.encode(value)
    again: object = codec.decode(kind, text)
    assert again == value, f"{kind.__name__} comes back as another"
    assert type(again) is type(value), f"a {type(value).__name__} comes back as {type(again).__name__}"
    assert codec.encode(again) == text, f"{kind.__name__} comes back with other bytes"


# --- secrets ---


def worlds(state: State, viewer: Seat | None, rng: Random, count: int) -> list[State]:
    """Matches that look like this one to ``viewer``, imagined from the bytes that a bot gets."""
    kind = type(state.view(viewer))
    view = codec.decode(kind, codec.encode(state.view(viewer)))
    return [type(state).imagine(view, rng) for _ in range(count)]


def imagined_worlds_look_the_same(state: State, rng: Random) -> None:
    """``imagine(view(k)).view(k) == view(k)``, with equal moves; so a view holds nothing that is drawn anew."""
    for viewer in viewers_of(state):
        view, moves = codec.encode(state.view(viewer)), () if viewer is None else state.moves(viewer)
        for world in worlds(state, viewer, rng, 2):
            assert codec.encode(world.view(viewer)) == view, f"an imagined world looks different to {viewer}"
            assert (world.turn, world.phase) == (state.turn, state.phase), "another turn in an imagined world"
            if viewer is not None:
                assert world.moves(viewer) == moves, f"other moves of {viewer} in an imagined world"
            _survives(type(state), world)


def imagined_worlds_differ(state: State, rng: Random) -> None:
    """While two things or more are hidden in other hands, imagined worlds are not all alike.

    Unless what was seen leaves one world only (voids do): then that is the real one.
    """
    for viewer in viewers_of(state):
        hidden = [piece for seat in seats_of(state) if seat != viewer for piece in own(state.view(seat))]
        if len(hidden) >= 2 and not _shown(state):
            first, *_ = worlds(state, viewer, rng, 1)
            others = (world for _ in range(WORLDS - 1) for world in worlds(state, viewer, rng, 1))
            assert any(world != first for world in others) or first == state, f"imagine shuffles nothing for {viewer}"


def views_name_nothing_of_others(state: State) -> None:
    """CM-9: what stands in the own part of a seat's view stands nowhere in anybody else's, while it is hidden.

    But for what the two exchanged: both know it.
    """
    if _shown(state):
        return
    texts = {viewer: codec.encode(state.view(viewer)) for viewer in viewers_of(state)}
    for seat in seats_of(state):
        for viewer, text in texts.items():
            if viewer != seat:
                allowed = exchanged(state.view(viewer))
                leaked = [piece for piece in own(state.view(seat)) if piece in text and piece not in allowed]
                assert not leaked, f"{viewer} is told {leaked} of seat {seat}"


def moves_are_public(state: State, seat: Seat, action: Action, rng: Random) -> int:
    """A move's events are the same in every imagined world where it is legal, and so is what a spectator sees then.

    Answers in how many it was.
    """
    compared = 0
    if seat == HOUSE:
        return compared
    after, events = state.play(seat, action)
    watched = codec.encode(after.view(None))
    for viewer in viewers_of(state):
        for world in worlds(state, viewer, rng, 2 if viewer == seat else 8):
            try:
                other, others = world.play(seat, action)
            except IllegalAction:
                continue
            compared += 1
            assert _public(others) == _public(events), f"the events of {action} tell {viewer} something hidden"
            if not _shown(after):
                assert codec.encode(other.view(None)) == watched, f"after {action} a spectator knows something hidden"
    return compared


def refusals_are_discreet(state: State, tried: Iterable[Action], rng: Random) -> None:
    """What a seat is refused, and with which facts, is the same in every world that looks the same to it."""
    actions = tuple(tried)
    for seat in seats_of(state):
        answers = [(action, _answer(state, seat, action)) for action in actions]
        for world in worlds(state, seat, rng, 4):
            for action, answer in answers:
                assert _answer(world, seat, action) == answer, f"the answer to {action} tells {seat} something hidden"


def _answer(state: State, seat: Seat, action: Action) -> tuple[object, object] | None:
    try:
        state.play(seat, action)
    except IllegalAction as refusal:
        return refusal.reason, refusal.facts
    return None


def _public(events: Sequence[Event]) -> list[str]:
    """The events as text; what a hand was worth may depend on what is shown only when it is over (CM-14)."""
    return [event.reason if type(event) is HandEnded else codec.encode(event) for event in events]


def _shown(state: State) -> bool:
    """Whether hands are open, because the hand is over (CM-14)."""
    return state.phase in ("hand_over", "over")


# --- the end ---


def views_tell_the_result(state: State) -> None:
    """Totals, winners and places agree with each other, and with every view."""
    seen = [state.view(viewer) for viewer in viewers_of(state)]
    for view in seen:
        assert view.over == (state.turn is None) == (state.phase == "over")
        assert view.phase == state.phase
        assert view.turn == (None if state.turn == HOUSE else state.turn)
        assert (view.totals, view.winners, view.scores) == (seen[0].totals, seen[0].winners, seen[0].scores)
    if state.turn is not None:
        assert state.result is None
        assert not any(view.winners for view in seen)
        return
    result, winners = state.result, seen[0].winners
    assert result is not None
    assert result.totals == seen[0].totals
    assert len(result.places) == len(result.totals)
    assert all(1 <= place <= len(result.places) for place in result.places)
    if winners:
        assert set(winners) == {seat for seat, place in enumerate(result.places) if place == 1}
