"""The exchange before a hand: who owes whom how many cards, and one step of it (UB-17, UB-18)."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine.cards import Card
from mokali.engine.protocol import Seat


class Claim(Struct, frozen=True):
    """So many steps ``taker`` has from ``source``."""

    taker: Seat
    source: Seat
    cards: int


class Swap(Struct, frozen=True):
    """A step that was made: what the taker gave and what came back, the same card where the source had no higher one.

    Both are None for whoever may not know them.
    """

    taker: Seat
    source: Seat
    given: Card | None
    returned: Card | None


def owed(balance: Sequence[int], roles: Sequence[int]) -> tuple[Claim, ...]:
    """What seats with these differences of the hand before owe each other, in the order in which it is taken (UB-17).

    ``roles`` are the targets of the hand ahead.

    >>> owed((1, 2, -3), (5, 3, 8))
    (Claim(taker=0, source=2, cards=1), Claim(taker=1, source=2, cards=2))
    >>> owed((-2, 3, -1), (3, 8, 5))
    (Claim(taker=1, source=2, cards=1), Claim(taker=1, source=0, cards=2))
    """
    takers = sorted((seat for seat, plus in enumerate(balance) if plus > 0), key=lambda seat: -roles[seat])
    sources = [seat for seat, plus in enumerate(balance) if plus < 0]
    return tuple(
        Claim(taker, source, balance[taker] if len(sources) == 1 else -balance[source])
        for taker in takers
        for source in sorted(sources, key=lambda seat: (seat - taker) % len(balance))
    )


def stepped(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """What is left after a step of the first claim."""
    first, *others = claims
    return (*((replace(first, cards=first.cards - 1),) if first.cards > 1 else ()), *others)


def declined(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """What is left where the first taker wants no more (UB-19)."""
    return tuple(claim for claim in claims if claim.taker != claims[0].taker)


def returned(given: Card, hand: Sequence[Card]) -> Card:
    """What comes back from ``hand``: its highest card of that suit, if that is higher, else the same card (UB-18).

    >>> returned(Card("4C"), (Card("5C"), Card("9C"), Card("KC"), Card("AS"))) == Card("KC")
    True
    """
    higher = (card for card in hand if card.suit == given.suit and card.rank > given.rank)
    return max(higher, key=lambda card: card.rank, default=given)


def whereabouts(swaps: Sequence[Swap], viewer: Seat | None, seats: int) -> tuple[set[Card], ...]:
    """The cards that ``viewer`` knew in each other hand after these steps, from those that were its own.

    What it knew of two others is forgotten where they exchange: any of it may have gone over.
    """
    known: tuple[set[Card], ...] = tuple(set() for _ in range(seats))
    for swap in swaps:
        if swap.given is None or swap.returned is None or viewer not in (swap.taker, swap.source):
            known[swap.taker].clear()
            known[swap.source].clear()
        elif viewer == swap.source:
            known[swap.taker].discard(swap.given)
            known[swap.taker].add(swap.returned)
        elif swap.given != swap.returned:
            known[swap.source].discard(swap.returned)
            known[swap.source].add(swap.given)
    return known
