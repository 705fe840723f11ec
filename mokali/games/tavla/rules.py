"""Tavla's house rules as data, and the presets."""

from typing import Final, Literal

from mokali.engine.protocol import Rules


class TavlaRules(Rules, frozen=True, kw_only=True):
    """What a Tavla table can choose (RULES chapter 5)."""

    target: Literal[1, 3, 5, 7] = 1
    """Points that win the match (TV-17)."""


SINGLE: Final = 1
MARS: Final = 2
"""Points of a game, the second where the loser has borne off none (TV-16)."""

RULESETS: Final = {"klasik": TavlaRules()}
