"""Klasik Okey's house rules as data, the preset, and numbers that no table changes."""

from typing import Final, Literal

from mokali.engine.protocol import Rules


class KlasikRules(Rules, frozen=True, kw_only=True, cache_hash=True):
    """What a table of Klasik Okey can choose (RULES chapter 4)."""

    start_points: Literal[10, 15, 20, 25, 30] = 20
    """What everybody begins with (KL-15)."""
    coloured: bool = False
    """Whether losses double where the indicator is red or black (KL-17)."""


TILES: Final = 14
EXTRA: Final = 1
"""What the starter gets more (KL-2)."""
FINISH: Final = 2
"""What a plain finish costs each of the others (KL-15)."""
SHOWN: Final = 1
"""What the indicator, once shown, costs each of the others (KL-16)."""
RULESETS: Final = {"klasik": KlasikRules()}
