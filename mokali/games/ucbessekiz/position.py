"""A position to start from, as in a record's header, and what is wrong with one."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from mokali.engine.cards import DECK, Card, canonical
from mokali.engine.protocol import BadSetup, Seat, Setup
from mokali.engine.tricks import Trick
from mokali.games.ucbessekiz import exchange
from mokali.games.ucbessekiz.rules import ALL_BUT_TWO, DIP, SEATS, TARGETS, TRICKS, Strain, UcBesSekizRules, amnesty

Step: TypeAlias = Literal["exchange", "trump", "bury", "play"]
"""The phases of a running hand (UB-6)."""


class UcBesSekizSetup(Setup, frozen=True, kw_only=True):
    """A position; cards named nowhere count as played, as many as ``taken`` says, and then as buried."""

    roles: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    dip: tuple[Card, ...]
    hand: int = 1
    balance: tuple[int, ...] | None = None
    """Per seat the difference of the hand before."""
    trump: Strain | None = None
    buried: tuple[Card, ...] | None = None
    turn: Seat | None = None
    trick: Trick = ()
    taken: tuple[int, ...] | None = None
    totals: tuple[int, ...] | None = None
    phase: Step | None = None


def placed(setup: UcBesSekizSetup, rules: UcBesSekizRules) -> Mapping[str, Any]:
    """The fields of a match in this position. Raises BadSetup."""
    _check_shape(setup, rules)
    owed = () if amnesty(setup.hand) else exchange.owed(setup.balance or (), setup.roles)
    step = setup.phase or _step(setup, owed)
    _check_step(setup, step, owed)
    taken, buried = setup.taken or (0,) * SEATS, setup.buried or ()
    if step == "play" and setup.buried is None:
        buried = tuple(card for card in DECK if card not in _named(setup))[SEATS * sum(taken) :]
    if step == "play" and len(buried) != DIP:
        raise BadSetup(f"{DIP} cards are buried")
    return {
        "hand": setup.hand,
        "roles": setup.roles,
        "step": step,
        "mover": _mover(setup, step, owed),
        "hands": tuple(canonical(hand) for hand in setup.hands),
        "dip": setup.dip,
        "buried": canonical(frozenset(buried)),
        "owed": owed,
        "claims": owed if step == "exchange" else (),
        "trump": setup.trump,
        "trick": setup.trick,
        "taken": taken,
        "base": setup.totals or (0,) * SEATS,
    }


def _named(setup: UcBesSekizSetup) -> Counter[Card]:
    named = Counter([*setup.dip, *(setup.buried or ()), *(card for _, card in setup.trick)])
    for hand in setup.hands:
        named.update(hand)
    return named


def _step(setup: UcBesSekizSetup, owed: tuple[exchange.Claim, ...]) -> Step:
    if setup.trump is None:
        return "exchange" if owed else "trump"
    return "bury" if setup.dip else "play"


def _mover(setup: UcBesSekizSetup, step: Step, owed: tuple[exchange.Claim, ...]) -> Seat:
    """The seat to act; where a trick begins it may be any seat. Raises BadSetup."""
    due = setup.roles.index(TARGETS[0])
    if step == "exchange":
        due = owed[0].taker
    elif setup.trick:
        due = (setup.trick[-1][0] + 1) % SEATS
    elif any(setup.taken or ()) and setup.turn is not None:
        due = setup.turn
    if setup.turn not in (None, due):
        raise BadSetup(f"seat {due} is to act, not {setup.turn}")
    return due


def _check_shape(setup: UcBesSekizSetup, rules: UcBesSekizRules) -> None:
    """Raises BadSetup where something is missing, or there twice, or is no role or hand of this match."""
    for name in ("roles", "hands", "balance", "taken", "totals"):
        value = getattr(setup, name)
        if value is not None and len(value) != SEATS:
            raise BadSetup(f"{name}: one for each of {SEATS} seats")
    if setup.roles not in {TARGETS[turn:] + TARGETS[:turn] for turn in range(SEATS)}:
        raise BadSetup("roles are 8, 5 and 3 in turn order")
    if not 1 <= setup.hand <= rules.hands:
        raise BadSetup(f"hands are 1 to {rules.hands}")
    if any(seat not in range(SEATS) for seat in (setup.turn or 0, *(seat for seat, _ in setup.trick))):
        raise BadSetup(f"seats are 0 to {SEATS - 1}")
    if sum(setup.balance or ()) or sum(setup.totals or ()):
        raise BadSetup("differences sum to 0, and so do totals")
    twice = [card for card, count in _named(setup).items() if count > 1]
    if twice:
        raise BadSetup(f"{twice[0]} stands there twice")


def _check_step(setup: UcBesSekizSetup, step: Step, owed: tuple[exchange.Claim, ...]) -> None:
    """Raises BadSetup where the hand could not have come to this (UB-2, UB-8, UB-22)."""
    if step == "exchange" and not owed:
        raise BadSetup("nobody owes anybody a card")
    if (setup.trump is None) != (step in ("exchange", "trump")):
        raise BadSetup("trump is chosen after the exchange, and before anything else")
    taken, in_trick = setup.taken or (0,) * SEATS, [seat for seat, _ in setup.trick]
    if step != "play" and (any(taken) or in_trick):
        raise BadSetup("there are no tricks before the play")
    if len(setup.dip) != (0 if step == "play" else DIP):
        raise BadSetup(f"the kitty is {DIP} cards, and none in the play")
    if min(taken) < 0 or max(taken) >= ALL_BUT_TWO or sum(taken) >= TRICKS:
        raise BadSetup("the hand is over with these tricks")
    if len(in_trick) >= SEATS or in_trick != [(in_trick[0] + turn) % SEATS for turn in range(len(in_trick))]:
        raise BadSetup("a trick is one card of each seat, in turn order, and the last one is still to come")
    for seat, hand in enumerate(setup.hands):
        if len(hand) != TRICKS - sum(taken) - (seat in in_trick):
            raise BadSetup(f"seat {seat} holds {TRICKS - sum(taken) - (seat in in_trick)} cards")
