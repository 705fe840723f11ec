"""3-5-8's house rules as data, the presets, its trumps, and the numbers that no table changes."""

from enum import StrEnum
from typing import Final, Literal

from mokali.engine.cards import Suit
from mokali.engine.protocol import Rules


class UcBesSekizRules(Rules, frozen=True, kw_only=True):
    """What a table of 3-5-8 can choose (RULES chapter 6)."""

    hands: Literal[3, 6, 9, 12] = 6
    """Hands of the match (UB-21)."""
    max_redeals: Literal[0, 1, 2, 3, None] = None
    """Passes per hand; None is without limit (UB-7)."""


class Strain(StrEnum):
    """What role 8 may choose: a suit, which reads and compares like that ``Suit``, or no trump (UB-14)."""

    SPADES = Suit.SPADES
    HEARTS = Suit.HEARTS
    DIAMONDS = Suit.DIAMONDS
    CLUBS = Suit.CLUBS
    NONE = "none"

    @property
    def suit(self) -> Suit | None:
        """The suit that is trump; None where none is."""
        return None if self is Strain.NONE else Suit(self.value)


TARGETS: Final = (8, 5, 3)
"""Tricks that each role must take, in turn order (UB-3)."""
NEXT_TARGET: Final = {3: 8, 8: 5, 5: 3}
"""Target to the same seat's target in the next hand (UB-5)."""
SEATS: Final = len(TARGETS)
TRICKS: Final = 16
"""Tricks of a hand, and cards of a seat (UB-2)."""
DIP: Final = 4
"""Cards of the kitty, and cards to bury (UB-2, UB-8)."""
ALL_BUT_TWO: Final = 14
"""Tricks that win the match at once (UB-22)."""

RULESETS: Final = {"klasik": UcBesSekizRules()}


def amnesty(hand: int) -> bool:
    """Whether what seats owe lapses before this hand: 1, 5 and 9 (UB-20).

    >>> [hand for hand in range(1, 13) if amnesty(hand)]
    [1, 5, 9]
    """
    return hand % 4 == 1
