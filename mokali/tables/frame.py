"""What the table shows to a seat beside the game's view: who sits where, who is ready or absent, how it ended."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine.protocol import HOUSE, Game, Rules, Seat
from mokali.tables import lessons
from mokali.tables.chairs import PAIRINGS
from mokali.tables.clock import clock_left, clock_until, gone_at
from mokali.tables.table import Ended, Table, absent, connected, pausing, recorded, seat_of, watchers_speak

OLD_PLAYER = "Eski oyuncu"
"""The name of somebody who has closed the account (RL-7)."""


BOTS = ("Fındık", "Ceviz", "Badem", "Kestane")
"""What the bots are called, chair by chair; no person may be (RL-10)."""


class Place(Struct, frozen=True):
    """One chair as everybody sees it. Times are milliseconds; ``team`` is A or B where partners sit opposite (CM-4)."""

    seat: Seat
    name: str | None
    bot: str | None
    """The level of the bot that sits here; its mark stands wherever its name does (AB-10)."""
    team: str | None
    ready: bool
    agreed: bool
    again: bool
    opener: bool
    left: bool
    away_since: int | None
    gone_at: int | None
    """When this absence means a bot, or a lost match."""
    loses: bool
    """Which of the two."""
    missed: int
    """How often in a row the clock ran out here (AB-7)."""
    vacated: bool
    """Whether a newcomer may sit down here (AB-11)."""
    stand_in: bool
    """Whether the bot plays for a person who may take the chair back."""


class Frame(Struct, frozen=True):
    """The table around a view. ``me`` is the viewer's chair, None for a watcher."""

    code: str
    game: Game
    rules: Rules
    length: str
    recorded: bool
    """Whether the result will be written down."""
    guided: bool
    """Whether a lesson says here what to do."""
    lesson: bool
    """Whether one did from the beginning: its luck was written down beforehand."""
    practice: bool
    """Whether bots are played with, for practice alone: then the house gives hints."""
    helps: bool
    """Whether the house sorts and values racks here ("Dizme yardımı")."""
    absence: str
    """What it means here when somebody is away: ``terms.Absence``."""
    clock_seconds: int | None
    clock_until: int | None
    """When the clock of who is on turn runs out; None where none runs."""
    clock_left: int | None
    """What is left on a clock that stands, in milliseconds."""
    undoable: Seat | None
    """Who may take back the last action (PT-4)."""
    watchers_speak: bool
    """Whether who only looks on hears and sends voice messages here (SITE-18)."""
    me: Seat | None
    mine: Seat | None
    """The chair this person has left and may come back to."""
    is_opener: bool
    stage: str
    """``waiting``, ``playing`` or ``ended``."""
    places: tuple[Place, ...]
    names: tuple[str, ...]
    played: int
    revision: int
    phase: str
    turn: Seat | None
    pausing: bool
    pause_until: int | None
    connected: tuple[Seat, ...]
    absent: tuple[Seat, ...]
    ready: tuple[Seat, ...]
    agreed: tuple[Seat, ...]
    to_bot: tuple[Seat, ...]
    to_newcomer: tuple[Seat, ...]
    again: tuple[Seat, ...]
    pairing: int
    partners: bool
    pairs: str
    """Who would play together with ``pairing``, "Ayşe + Su, Ece + Can"; empty where nobody has a partner."""
    seal: str | None
    ended: Ended | None
    successor: str | None

    @property
    def speaks(self) -> bool:
        """Whether this person hears and sends voice messages here."""
        return self.me is not None or self.watchers_speak

    @property
    def advised(self) -> bool:
        """Whether this person may ask for a hint now."""
        mine = self.turn is not None and self.turn == self.me
        return self.practice and not self.guided and mine and self.game.why is not None


def frame(table: Table, user: int | None, names: Mapping[int, str]) -> Frame:
    """The table as ``user`` sees it; None is anybody at all."""
    return seen_by(_common(table, names), table, user)


def seen_by(shown: Frame, table: Table, user: int | None) -> Frame:
    """The frame of a table as another sees it: the same but for what is one's own."""
    mine = next((n for n, chair in enumerate(table.chairs) if user is not None and chair.user == user), None)
    return replace(shown, me=seat_of(table, user), mine=mine, is_opener=user == table.opener)


def _common(table: Table, names: Mapping[int, str]) -> Frame:
    state, partners = table.state, table.game.partners(table.rules, len(table.chairs))
    turn = None if state is None or state.turn == HOUSE or table.ended is not None else state.turn
    waits = pausing(table)
    return Frame(
        code=table.code,
        game=table.game,
        rules=table.rules,
        length=table.game.texts.length(table.rules, len(table.chairs)),
        recorded=recorded(table),
        guided=lessons.running(table),
        lesson=bool(table.terms.lesson),
        practice=table.terms.kind == "practice",
        helps=table.terms.assist,
        absence=table.terms.absence,
        clock_seconds=table.terms.seconds,
        clock_until=clock_until(table),
        clock_left=clock_left(table),
        undoable=table.undoable,
        watchers_speak=watchers_speak(table),
        me=None,
        mine=None,
        is_opener=False,
        stage="ended" if table.ended is not None else "waiting" if state is None else "playing",
        places=tuple(_place(table, seat, names, partners=partners) for seat in range(len(table.chairs))),
        names=tuple(_name(table, seat, names) or "" for seat in range(len(table.chairs))),
        played=table.played,
        revision=table.revision,
        phase="waiting" if state is None else state.phase,
        turn=turn,
        pausing=waits,
        pause_until=table.since + table.terms.pause_seconds * 1000 if waits and table.luck is not None else None,
        connected=connected(table),
        absent=absent(table),
        ready=table.ready,
        agreed=table.agreed,
        to_bot=table.to_bot,
        to_newcomer=table.to_newcomer,
        again=table.again,
        pairing=table.pairing,
        partners=partners,
        pairs=_pairs(table, names) if partners else "",
        seal=None if table.luck is None else table.luck.sha256,
        ended=table.ended,
        successor=table.successor,
    )


def _pairs(table: Table, names: Mapping[int, str]) -> str:
    called = [_name(table, seat, names) or "" for seat in PAIRINGS[table.pairing]]
    return f"{called[0]} + {called[2]}, {called[1]} + {called[3]}"


def _place(table: Table, seat: Seat, names: Mapping[int, str], *, partners: bool) -> Place:
    chair = table.chairs[seat]
    return Place(
        seat=seat,
        name=_name(table, seat, names),
        bot=chair.bot,
        team="AB"[seat % 2] if partners else None,
        ready=seat in table.ready or chair.bot is not None,
        agreed=seat in table.agreed,
        again=seat in table.again,
        opener=chair.user is not None and chair.user == table.opener,
        left=chair.left,
        away_since=chair.away_since,
        gone_at=gone_at(table, seat),
        loses=table.terms.absence == "forfeit",
        missed=chair.missed,
        vacated=chair.vacated,
        stand_in=chair.bot is not None and not chair.ceded,
    )


def _name(table: Table, seat: Seat, names: Mapping[int, str]) -> str | None:
    chair = table.chairs[seat]
    if chair.ceded:
        return BOTS[seat]
    return None if chair.user is None else names.get(chair.user, OLD_PLAYER)
