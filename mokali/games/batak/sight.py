"""What a seat may know of a Batak match, and hands that it may believe in."""

from random import Random
from typing import Final

from msgspec import Struct

from mokali.engine.cards import DECK, Card, Suit, canonical
from mokali.engine.protocol import Seat, View
from mokali.engine.tricks import Trick
from mokali.games.batak.calls import Call
from mokali.games.batak.rules import SEATS, BatakRules


class Contract(Struct, frozen=True):
    """What a finished hand was played for: who had to take how many tricks, and how many that seat took."""

    declarer: Seat
    bid: int
    trump: Suit
    taken: int


class BatakView(View, frozen=True, kw_only=True):
    """What one seat may know of a Batak match. All that belongs to a hand stays until the next deal."""

    rules: BatakRules
    seats: int
    dealer: Seat | None
    cards: tuple[Card, ...]
    """The own hand in canonical order; empty for a spectator."""
    legal: tuple[Card, ...]
    """The own cards that may be played now."""
    calls: tuple[int, ...]
    """The bids that the viewer may make now."""
    held: tuple[int, ...]
    """Cards in hand per seat."""
    bids: tuple[Call, ...]
    """Each seat's last call."""
    declarer: Seat | None
    bid: int | None
    trump: Suit | None
    trump_broken: bool
    trick: Trick
    """The open trick."""
    tricks: tuple[Trick, ...]
    """The finished tricks of this hand, the oldest first; those before a set-up position are not known."""
    won: tuple[Seat, ...]
    """Their winners."""
    taken: tuple[int, ...]
    """Tricks per seat."""
    contracts: tuple[Contract, ...]
    """Of each finished hand, as ``history``."""
    history: tuple[tuple[int, ...], ...]
    """Scores of each finished hand, the oldest first."""


def dealt_anew(view: BatakView, rng: Random) -> tuple[tuple[Card, ...], ...]:
    """Everybody's hand in a world that looks like ``view``: what it can't know is dealt at random.

    No seat gets a suit that it has shown to be void in, unless a few tries find no such deal.
    """
    known = {*view.cards, *(card for trick in (*view.tricks, view.trick) for _, card in trick)}
    unknown = [card for card in DECK if card not in known]
    room = [seat for seat in range(SEATS) if seat != view.seat for _ in range(view.held[seat])]
    voids = _shown_voids(view)
    for _ in range(_TRIES):
        rng.shuffle(unknown)
        rng.shuffle(room)
        taken = _spread(unknown, room, voids)
        if taken is not None:
            break
    else:
        taken = list(zip(room, unknown, strict=False))
    return tuple(
        view.cards if seat == view.seat else canonical({card for taker, card in taken if taker == seat})
        for seat in range(SEATS)
    )


_TRIES: Final = 8


def _spread(cards: list[Card], room: list[Seat], voids: set[tuple[Seat, Suit]]) -> list[tuple[Seat, Card]] | None:
    """Who takes which card, those that fewest can take first; None where this order leads nowhere.

    What is left over was played before a set-up position.
    """
    takers = {suit: [seat for seat in room if (seat, suit) not in voids] for suit in Suit}
    free, taken, over = list(room), list[tuple[Seat, Card]](), len(cards) - len(room)
    for card in sorted(cards, key=lambda card: len(takers[card.suit])):
        seat = next((seat for seat in free if (seat, card.suit) not in voids), None)
        if seat is not None:
            free.remove(seat)
            taken.append((seat, card))
        elif over:
            over -= 1
        else:
            return None
    return taken


def _shown_voids(view: BatakView) -> set[tuple[Seat, Suit]]:
    """Which seat has shown to hold nothing of which suit: it neither followed nor, where it had to, trumped (BT-10)."""
    voids = set()
    for (_, led), *others in filter(None, (*view.tricks, view.trick)):
        for seat, card in others:
            if card.suit != led.suit:
                voids.add((seat, led.suit))
                if view.trump is not None and card.suit != view.trump:
                    voids.add((seat, view.trump))
    return voids
