"""Terms: what a table's people agreed on beside the rules of the game."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

Kind: TypeAlias = Literal["casual", "test", "practice"]
Absence: TypeAlias = Literal["wait", "bot", "auto", "forfeit"]
"""What it means when somebody is away: the table waits; a bot plays after a while, and the chair is taken back by
coming back; the clock runs on, and the house completes the turn; the match is lost after a while (AB-2)."""

MODES: Final[Mapping[str, Absence]] = {"casual": "wait", "stake": "bot", "timed": "auto"}
"""By the mode for which a preset was made: what absence usually means at its tables."""

STAND_IN: Final = "orta"
"""The level of bots that play for people."""


class Terms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is kept. Gains fields with defaults only. What can't go together is a ValueError."""

    kind: Kind = "casual"
    """What is played at a ``test`` table, or against bots at a ``practice`` table, is not recorded (AB-2)."""
    seconds: Annotated[int, Meta(ge=1, le=300)] | None = None
    """The move clock (PT-8); None for none."""
    absence: Absence = "wait"
    bot_after_seconds: int = 60
    """So long somebody is away before a bot plays, where ``absence`` says so (AB-4)."""
    forfeit_after_seconds: int = 180
    """So long before the match is lost, where it says that (PT-10)."""
    takeback: bool = False
    """Whether the own last action may be taken back (PT-4): only where nothing is recorded."""
    bot_seconds: float = 1.2
    """About how long a bot seems to think: people must be able to follow. 0: as fast as it can."""
    ruleset: str = ""
    """The preset that the table was opened with, whatever was changed of it."""
    lesson: str = ""
    """The fingerprint of the guided hand that this table follows ("Öğren"); empty for none."""
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

    def __post_init__(self) -> None:
        """Refuse what can't go together."""
        if self.absence == "auto" and self.seconds is None:
            raise ValueError("turns that are completed by the house want a clock")
        if self.takeback and self.kind == "casual":
            raise ValueError("what is recorded can't be taken back")
        if self.lesson and (self.kind != "practice" or self.takeback or self.seconds is not None):
            raise ValueError("a lesson is practice, without clock and without taking back")
