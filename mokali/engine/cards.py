"""The 52-card deck. Knows no game: ranks have no worth here."""

from enum import StrEnum
from typing import Final


class Suit(StrEnum):
    """The four suits in canonical order."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


RANKS: Final = "23456789TJQKA"
"""Rank letters, rising."""


class Card(StrEnum):
    """A card is its own text: rank and suit, ``TD`` is the ten of diamonds."""

    _ignore_ = ["_rank", "_suit"]  # noqa: RUF012 - the enum's own way to say it
    for _suit in Suit:
        for _rank in RANKS:
            vars()[_rank + _suit] = _rank + _suit

    suit: Suit
    """Its suit."""
    letter: str
    """Its rank's letter."""
    rank: int
    """2..14, the ace highest."""

    def __init__(self, text: str) -> None:
        """Reads the text once: games ask for suits and ranks all the time."""
        self.letter, self.suit = text[0], Suit(text[1])
        self.rank = RANKS.index(self.letter) + 2


DECK: Final[tuple[Card, ...]] = tuple(Card)
"""All 52 in canonical order: S, H, D, C; 2..A each."""


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text.

    >>> cards("AS TD")[1].rank
    10
    """
    return tuple(Card(word) for word in text.split())


def canonical(some: "tuple[Card, ...] | frozenset[Card] | set[Card]") -> tuple[Card, ...]:
    """These cards in canonical order."""
    return tuple(sorted(some, key=_PLACE.__getitem__))


_PLACE: Final = {card: place for place, card in enumerate(DECK)}
