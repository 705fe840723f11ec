"""A position of Batak to start from, as in a record's header, and what is wrong with one."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from mokali.engine.cards import Card, Suit, canonical
from mokali.engine.protocol import BadSetup, Seat, Setup
from mokali.engine.tricks import Trick
from mokali.games.batak import calls
from mokali.games.batak.calls import PASS, Call
from mokali.games.batak.rules import LEAST_BID, SEATS, TRICKS, BatakRules

Count = Annotated[int, Meta(ge=0, le=TRICKS)]


class BatakSetup(Setup, frozen=True, kw_only=True):
    """A position; cards named nowhere were played in the tricks that are ``taken``."""

    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    hand: int = 1
    bids: tuple[Call, ...] | None = None
    """Without it nobody has called yet, or all but the declarer are out."""
    declarer: Seat | None = None
    bid: Annotated[int, Meta(ge=LEAST_BID, le=TRICKS)] | None = None
    trump: Suit | None = None
    trump_broken: bool | None = None
    """Without it, as the open trick says."""
    turn: Seat | None = None
    trick: Trick = ()
    taken: tuple[Count, ...] = (0,) * SEATS
    totals: tuple[int, ...] = (0,) * SEATS
    phase: Literal["bid", "trump", "play"] | None = None
    """Follows from the rest, and may only agree with it."""


def placed(setup: BatakSetup, rules: BatakRules) -> Mapping[str, Any]:
    """The fields of a match in this position. Raises BadSetup."""
    _check_shape(setup, rules)
    bids = _bids(setup)
    phase = "bid" if setup.declarer is None else "trump" if setup.trump is None else "play"
    if setup.phase not in (None, phase):
        raise BadSetup(f"this is a position of phase {phase}")
    if phase != "play" and (setup.trick or any(setup.taken)):
        raise BadSetup("cards are played when trump is chosen")
    turn = calls.asked(bids, setup.dealer) if setup.declarer is None else _player(setup)
    if setup.turn not in (None, turn):
        raise BadSetup(f"seat {turn} is to act")
    _check_cards(setup, turn)
    return {
        "hand": setup.hand,
        "dealer": setup.dealer,
        "mover": turn,
        "hands": tuple(canonical(frozenset(hand)) for hand in setup.hands),
        "bids": bids,
        "declarer": setup.declarer,
        "bid": setup.bid,
        "trump": setup.trump,
        "trump_broken": _broken(setup),
        "trick": setup.trick,
        "taken": setup.taken,
        "base": setup.totals,
    }


def _check_shape(setup: BatakSetup, rules: BatakRules) -> None:
    """Raises BadSetup where something is missing, or belongs to a seat that isn't there."""
    for name in ("hands", "bids", "taken", "totals"):
        value = getattr(setup, name)
        if value is not None and len(value) != SEATS:
            raise BadSetup(f"{name}: one for each of {SEATS} seats")
    players = (seat for seat, _ in setup.trick)
    if any(seat not in range(SEATS) for seat in (setup.dealer, setup.declarer or 0, setup.turn or 0, *players)):
        raise BadSetup(f"seats are 0 to {SEATS - 1}")
    if not 1 <= setup.hand <= rules.hands:
        raise BadSetup(f"hands are 1 to {rules.hands}")
    if (setup.declarer is None) != (setup.bid is None):
        raise BadSetup("a declarer has a bid")
    if setup.declarer is None and setup.trump is not None:
        raise BadSetup("the declarer chooses trump")


def _bids(setup: BatakSetup) -> tuple[Call, ...]:
    """What everybody called last. Raises BadSetup where no auction comes to this (BT-3 to BT-5, BT-I2)."""
    if setup.declarer is None:
        bids: tuple[Call, ...] = setup.bids or (None,) * SEATS
        if calls.won(bids) is not None or not _can_stand(bids, setup.dealer):
            raise BadSetup("no auction stands like this")
        return bids
    bids = setup.bids or tuple(setup.bid if seat == setup.declarer else PASS for seat in range(SEATS))
    alone = bids.count(PASS) == SEATS - 1
    told = (
        bids[setup.declarer] is not None or setup.declarer == setup.dealer if alone else _can_stand(bids, setup.dealer)
    )
    if calls.won(bids) != (setup.declarer, setup.bid) or not told:
        raise BadSetup("no auction ends like this")
    return bids


def _can_stand(bids: tuple[Call, ...], dealer: Seat) -> bool:
    """Whether seats were asked in turn: from the one to act, first who was never asked, then bids that rise."""
    first = calls.asked(bids, dealer)
    around = [bids[(first + turn) % SEATS] for turn in range(SEATS)]
    unasked = around.count(None)
    made = [bid for bid in around if isinstance(bid, int)]
    in_order = around[:unasked] == [None] * unasked and (not unasked or (first + unasked - 1) % SEATS == dealer)
    return in_order and made == sorted(set(made))


def _player(setup: BatakSetup) -> Seat:
    """Who is to choose trump, or to play. Raises BadSetup where the trick is none (BT-7)."""
    if not setup.trick:
        assert setup.declarer is not None
        said = setup.turn if any(setup.taken) else None  # who took the last trick can only be said
        return setup.declarer if said is None else said
    leader = setup.trick[0][0]
    players = [seat for seat, _ in setup.trick]
    if len(players) >= SEATS or players != [(leader + turn) % SEATS for turn in range(len(players))]:
        raise BadSetup("up to three seats have played on a trick, in turn")
    if not any(setup.taken) and leader != setup.declarer:
        raise BadSetup("the declarer leads the first trick")
    return (leader + len(players)) % SEATS


def _check_cards(setup: BatakSetup, turn: Seat) -> None:
    """Raises BadSetup where a card stands twice, or hands don't fit what was played (BT-I1)."""
    named = Counter(card for _, card in setup.trick)
    for hand in setup.hands:
        named.update(hand)
    twice = [card for card, count in named.items() if count > 1]
    if twice:
        raise BadSetup(f"{twice[0]} stands there twice")
    left = TRICKS - sum(setup.taken)
    if left < 1:
        raise BadSetup("the seat to act has a card")
    players = [seat for seat, _ in setup.trick]
    for seat, hand in enumerate(setup.hands):
        if len(hand) != left - (seat in players):
            raise BadSetup(f"seat {seat} holds {left - (seat in players)} cards")


def _broken(setup: BatakSetup) -> bool:
    """Whether trump is broken. Raises BadSetup where the cards say otherwise (BT-8)."""
    ruffed = any(card.suit == setup.trump != setup.trick[0][1].suit for _, card in setup.trick)
    if setup.trump_broken is None:
        return ruffed
    if (ruffed and not setup.trump_broken) or (setup.trump_broken and not ruffed and not any(setup.taken)):
        raise BadSetup("trump is broken by a trump on another suit")
    return setup.trump_broken
