"""Terms: what a table's people agreed on beside the rules of the game."""

from typing import Literal

from msgspec import Struct


class Terms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is kept. Gains fields with defaults only."""

    kind: Literal["casual", "test", "practice"] = "casual"
    """What is played at a ``test`` table, or against bots at a ``practice`` table, is not recorded (AB-2)."""
    bot_seconds: float = 1.2
    """About how long a bot seems to think: people must be able to follow. 0: as fast as it can."""
    ruleset: str = ""
    """The preset that the table was opened with, whatever was changed of it."""
    assist: bool = True
    """Whether the house sorts and values racks ("Dizme yardımı"): for all seats alike."""
    spectator_voice: bool = False
    """Whether watchers hear and send voice messages where the game's rules leave that to the table (SITE-18)."""
    listed: bool = True
    """In the lobby for everybody, or by link only."""
    pause_seconds: int = 30
    """How long a finished hand is shown before the house deals the next (CM-11)."""
    waiting_minutes: int = 15
    """A table that has not begun is closed when nobody of it was there for so long (AB-12)."""
    vacant_minutes: int = 60
    """The same for a running one (AB-12)."""
