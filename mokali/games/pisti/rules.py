"""Pişti's house rules as data, and the presets."""

from typing import Final, Literal

from mokali.engine.protocol import Rules


class PistiRules(Rules, frozen=True, kw_only=True):
    """What a Pişti table can choose (RULES chapter 8), and the points that its seed states (PI-6, PI-9)."""

    target: Literal[51, 101, 151] = 101
    """Points that end the match (PI-10)."""


ACE_POINTS: Final = 1
JACK_POINTS: Final = 1
CLUB_TWO_POINTS: Final = 2
DIAMOND_TEN_POINTS: Final = 3
MOST_CARDS_POINTS: Final = 3
PISTI_POINTS: Final = 10
JACK_PISTI_POINTS: Final = 20

RULESETS: Final = {"klasik": PistiRules()}
