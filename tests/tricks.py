"""The rules of following read card by card, as the book says them (BT-9 to BT-11, UB-10 to UB-15). Shares no code."""

from collections.abc import Sequence
from typing import Any

from mokali.engine.cards import Card, Suit


def refusal_of(card: Card, hand: Sequence[Card], table: Sequence[Card], trump: Suit | None) -> str | None:
    """Why this card of ``hand`` may not follow the cards on the ``table``; None where it may."""
    if not table:
        return None
    led = table[0].suit
    if any(held.suit == led for held in hand):
        if card.suit != led:
            return "must_follow"
        ruffed = led != trump and any(lying.suit == trump for lying in table)
        higher = [held for held in hand if held.suit == led and _tops(held, table)]
        return "must_beat" if higher and card not in higher and not ruffed else None
    if any(held.suit == trump for held in hand):
        if card.suit != trump:
            return "must_trump"
        higher = [held for held in hand if held.suit == trump and _tops(held, table)]
        return "must_overtrump" if higher and card not in higher else None
    return None


def winner_of(trick: Sequence[tuple[int, Any]], trump: Suit | None) -> int:
    """The seat whose card is beaten by no other."""
    led = trick[0][1].suit
    trumps = [(card.rank, seat) for seat, card in trick if card.suit == trump]
    followed = [(card.rank, seat) for seat, card in trick if card.suit == led]
    return max(trumps or followed)[1]


def _tops(card: Card, table: Sequence[Card]) -> bool:
    """Whether it is higher than every card of its suit that lies there."""
    return all(card.rank > lying.rank for lying in table if lying.suit == card.suit)
