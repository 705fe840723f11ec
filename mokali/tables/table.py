"""Table, Chair, Luck, the commands and what comes of them, and small questions to a table. Decides nothing."""

from enum import StrEnum
from typing import Final, Literal, TypeAlias, cast

from msgspec import Struct

from mokali.engine import record
from mokali.engine.protocol import Action, Event, Game, Rules, Seat, State
from mokali.tables.terms import Terms


class Chair(Struct, frozen=True, omit_defaults=True):
    """Who sits there: a person, or a bot of some level; nobody where both are None.

    Where both are given, the bot plays for the person: for good where ``left``, else until the person is back (AB-4).
    ``away_since``: without connection since then; ``left``: on purpose. Times are milliseconds.
    """

    user: int | None = None
    bot: str | None = None
    away_since: int | None = None
    left: bool = False
    came: int = 0
    """Who sat down later has a higher number, where that counts (``Game.first_come``)."""
    missed: int = 0
    """How often in a row the clock ran out here (AB-7)."""
    vacated: bool = False
    """Whether whoever comes along may sit down here in the absent person's place (AB-11)."""

    @property
    def connected(self) -> bool:
        """Whether a person sits there and is in touch."""
        return self.user is not None and self.away_since is None

    @property
    def missing(self) -> bool:
        """Whether a person of this chair is not there, nor a bot instead."""
        return self.user is not None and self.away_since is not None and self.bot is None

    @property
    def ceded(self) -> bool:
        """Whether it is the bot's for good: nobody's else, or that of somebody who left it."""
        return self.bot is not None and (self.user is None or self.left)

    @property
    def free(self) -> bool:
        """Whether neither person nor bot sits there."""
        return self.user is None and self.bot is None


class Luck(Struct, frozen=True):
    """Sealed and not yet played: encoded house actions. In no view, frame or export."""

    lots: tuple[str, ...]
    salt: str
    sha256: str


class Why(StrEnum):
    """How a table came to its end."""

    FINISHED = "finished"
    VOTED = "voted"
    LEFT = "left"
    FORFEITED = "forfeited"
    VACANT = "vacant"
    UNREADABLE = "unreadable"


How: TypeAlias = Literal["clock", "away", "left"]
"""How a match is forfeited."""


class Ended(Struct, frozen=True):
    """When and how; ``by`` is who forfeited the match, and ``how``."""

    why: Why
    at: int
    by: Seat | None = None
    how: How | None = None


class Body(Struct, frozen=True, kw_only=True):
    """The part of a table that is kept as one text."""

    terms: Terms
    chairs: tuple[Chair, ...]
    luck: Luck | None = None
    ready: tuple[Seat, ...] = ()
    """Who said "Hazırım" before the start, or "Devam" in the pause."""
    agreed: tuple[Seat, ...] = ()
    """Who wants to close the table while somebody is absent (AB-6)."""
    to_bot: tuple[Seat, ...] = ()
    """Who wants a bot to play for the absent (AB-11)."""
    to_newcomer: tuple[Seat, ...] = ()
    """Who wants to let a newcomer sit down in their place (AB-11)."""
    again: tuple[Seat, ...] = ()
    """Who wants to play again, with the partners of ``pairing``."""
    pairing: int = 0
    ended: Ended | None = None
    successor: str | None = None
    """The code of the table at which they play again."""
    since: int = 0
    """When this step, pause or wait began; moves only with state or luck, so that nothing else winds a clock."""
    on_clock: Seat | None = None
    """Whose move clock was wound last, ``clock_since`` when (PT-8)."""
    clock_since: int = 0
    stood_since: int | None = None
    """Since when that clock stands, where it does: its time is given back."""
    late: bool = False
    """Whether it has run out, and the house completes this turn (AB-8)."""
    vacant_since: int | None = None
    """Since when nobody who sits here is in touch."""
    company_since: int = 0
    """When somebody was there again after nobody was: nobody's absence counts from before."""
    undoable: Seat | None = None
    """Who has acted last and may take that back (PT-4)."""
    step: int = 0
    """Where its lesson is, if it follows one."""
    dealt: int = 0
    """``played`` when the house last dealt: racks lie anew from then on."""


class Table(Body, frozen=True, kw_only=True):
    """One table, whole. ``played`` counts every line ever logged, ``revision`` changes of any kind; both only grow."""

    id: int
    code: str
    opener: int
    game: Game
    rules: Rules
    state: State | None = None
    played: int = 0
    logged: int = 0
    revision: int = 0
    wake_at: int | None = None
    """The one alarm."""


# --- what people ask of a table ---


class Sit(Action, frozen=True):
    """Take a chair, change it, or come back to the one that was left."""

    chair: int


class Rise(Action, frozen=True):
    """Stand up before the start."""


class Ready(Action, frozen=True):
    """Say "Hazırım" before the start, "Devam" in the pause; ``on`` is false where it is taken back."""

    on: bool = True


class Free(Action, frozen=True):
    """The opener frees the chair of somebody who does not get ready; anybody that of somebody who is not there."""

    chair: int


class CallBot(Action, frozen=True, tag="bot"):
    """The opener gives a free chair to a bot of this level."""

    chair: int
    level: str


class CloseVote(Action, frozen=True):
    """Close the table while somebody is absent (AB-6)."""

    agree: bool = True


class GiveChair(Action, frozen=True):
    """Give the chairs of the absent to bots, or let newcomers sit down there (AB-11)."""

    to: Literal["bot", "newcomer"]
    agree: bool = True


class Leave(Action, frozen=True):
    """Leave on purpose ("Çık")."""


class Again(Action, frozen=True):
    """Play again with these partners: 0 as they sat, 1 and 2 the two other pairings of four."""

    pairing: int = 0


class Read(Action, frozen=True):
    """Say "Devam" to what a lesson told at this step."""

    step: int


Request: TypeAlias = Sit | Rise | Ready | Free | CallBot | CloseVote | GiveChair | Leave | Again | Read
REQUESTS: Final[tuple[type[Action], ...]] = (Sit, Rise, Ready, Free, CallBot, CloseVote, GiveChair, Leave, Again, Read)
"""The table's own actions, beside those of its game."""


# --- commands ---


class Act(Struct, frozen=True):
    """A person plays; the seat is looked up inside ``decide``, so it can't be stale."""

    user: int
    action: Action
    played: int


class Ask(Struct, frozen=True):
    """A person asks something of the table."""

    user: int
    request: Request


class TakeBack(Struct, frozen=True):
    """A person takes back the last action, which was his own; ``log`` is the table's, whole (PT-4)."""

    user: int
    log: record.Log
    played: int


class Begin(Struct, frozen=True):
    """Everybody is ready: start, and seal the first luck."""

    lots: tuple[Action, ...]
    salt: str


class SealLuck(Struct, frozen=True):
    """The house's turn, and no luck lies sealed."""

    lots: tuple[Action, ...]
    salt: str
    played: int


class AutoAct(Struct, frozen=True):
    """The house plays its next lot, a bot from its chair, or the clock for whom it ran out (AB-8)."""

    seat: Seat
    action: Action
    played: int


class Gone(Struct, frozen=True):
    """A seated person has been out of touch since then."""

    user: int
    since: int


class Back(Struct, frozen=True):
    """A seated person is in touch again."""

    user: int


class StandIn(Struct, frozen=True):
    """A bot is to play for somebody who is away or does not move, until that person is back (AB-4, AB-7)."""

    seat: Seat


class Forfeit(Struct, frozen=True):
    """Somebody is away or has not moved for too long, where that loses the match (AB-2)."""

    seat: Seat


class Close(Struct, frozen=True):
    """End the table without result."""

    why: Why


class Standstill(Struct, frozen=True):
    """No worker ran from then until now: the clocks stood (RL-33)."""

    since: int


Command: TypeAlias = (
    Act | Ask | TakeBack | Begin | SealLuck | AutoAct | Gone | Back | StandIn | Forfeit | Close | Standstill
)


# --- what comes of it ---


class Entry(Struct, frozen=True):
    """A line of the log."""

    seat: Seat
    action: Action


class Opening(Struct, frozen=True):
    """A table to be opened in the same breath."""

    opener: int
    game: Game
    rules: Rules
    terms: Terms
    chairs: tuple[Chair, ...]
    ready: tuple[Seat, ...] = ()


class Change(Struct, frozen=True):
    """The table afterwards, the lines for its log, what everybody saw, and the table that is opened with it.

    ``cut``: so many lines are taken off the log's end.
    """

    table: Table
    entries: tuple[Entry, ...] = ()
    events: tuple[Event, ...] = ()
    opens: Opening | None = None
    cut: int = 0


class WentAway(Event, frozen=True):
    """A seated person lost the connection."""

    seat: Seat


class CameBack(Event, frozen=True):
    """And has it again."""

    seat: Seat


class LeftTable(Event, frozen=True):
    """A seated person left on purpose."""

    seat: Seat


class BotSat(Event, frozen=True):
    """A bot plays for this seat from now on."""

    seat: Seat


class TookOver(Event, frozen=True):
    """Somebody else sits in this seat now."""

    seat: Seat


class TimedOut(Event, frozen=True):
    """The clock ran out; the house completes the turn."""

    seat: Seat


class TakenBack(Event, frozen=True):
    """This seat has taken back its last action."""

    seat: Seat


class No(StrEnum):
    """Why a table refuses."""

    STALE = "stale"
    NOT_SEATED = "not_seated"
    CHAIR_TAKEN = "chair_taken"
    SEATED_ELSEWHERE = "seated_elsewhere"
    STARTED = "started"
    NOT_STARTED = "not_started"
    NO_PAUSE = "no_pause"
    NOT_OPENER = "not_opener"
    IS_READY = "is_ready"
    NOBODY_ABSENT = "nobody_absent"
    TABLE_CLOSED = "table_closed"
    NOT_FINISHED = "not_finished"
    NO_BOT = "no_bot"
    CHAIR_GIVEN = "chair_given"
    NOT_UNDOABLE = "not_undoable"
    LESSON = "lesson"


class Refused(ValueError):
    """The table says no: ``reason`` is a code, ``facts`` are things that person may know."""

    def __init__(self, reason: No, **facts: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


def seat_of(table: Table, user: int | None) -> Seat | None:
    """The chair that is this person's: also while away, not after leaving."""
    if user is None:
        return None
    return next((n for n, chair in enumerate(table.chairs) if chair.user == user and not chair.left), None)


def sitting(table: Table) -> set[int]:
    """The people whose chair is theirs; whoever else looks on is a watcher (SITE-12)."""
    return {chair.user for chair in table.chairs if chair.user is not None and not chair.left}


def watchers_speak(table: Table) -> bool:
    """Whether who only looks on hears and sends voice messages here (SITE-18)."""
    return table.game.watchers_speak or table.terms.spectator_voice


def connected(table: Table) -> tuple[Seat, ...]:
    """The chairs whose people are in touch."""
    return tuple(n for n, chair in enumerate(table.chairs) if chair.connected)


def absent(table: Table) -> tuple[Seat, ...]:
    """The chairs whose people are not, away or gone on purpose, and for whom nobody plays."""
    return tuple(n for n, chair in enumerate(table.chairs) if chair.missing)


def recorded(table: Table) -> bool:
    """Whether the result will be written down: not at test tables, and not against bots (AB-2)."""
    return table.terms.kind == "casual" and not any(chair.bot and chair.user is None for chair in table.chairs)


def bot_at(table: Table, seat: Seat | None) -> str | None:
    """The level of the bot that plays this seat, None where a person or the house does."""
    return None if seat is None or seat not in range(len(table.chairs)) else table.chairs[seat].bot


def pausing(table: Table) -> bool:
    """Whether a finished hand is on the table and another will follow (CM-11)."""
    return table.ended is None and table.state is not None and table.state.phase == "hand_over" and _hands(table) > 0


def all_ready(table: Table) -> bool:
    """Every chair is taken, by a bot or by somebody who is there and has said so."""
    return all(chair.bot or (chair.connected and n in table.ready) for n, chair in enumerate(table.chairs))


def all_go_on(table: Table) -> bool:
    """Whether everybody who is there has said "Devam" (CM-11)."""
    here = connected(table)
    return bool(here) and set(here) <= set(table.ready)


def _hands(table: Table) -> int:
    return 0 if table.state is None else cast(int, table.state.view(None).hand)
