"""Batak's house rules as data, and the presets."""

from typing import Final, Literal

from mokali.engine.protocol import Rules


class BatakRules(Rules, frozen=True, kw_only=True):
    """What a Batak table can choose (RULES chapter 7)."""

    hands: Literal[4, 8, 12] = 4
    """Hands of the match (BT-15)."""


SEATS: Final = 4
TRICKS: Final = 13
"""Cards of a seat, tricks of a hand, and the highest bid (BT-1, BT-3)."""
LEAST_BID: Final = 5
"""The lowest bid, and what the dealer has to make where nobody bids (BT-3, BT-5)."""

RULESETS: Final = {"klasik": BatakRules()}
