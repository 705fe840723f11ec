"""Table, Chair, Luck, the commands, and decide(table, command, now) -> Change. Knows no clock, database or network."""

from enum import StrEnum
from typing import Final, TypeAlias, assert_never, cast

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Action, Event, Game, Rules, Seat, State, ends_hand
from mokali.tables.terms import Terms


class Chair(Struct, frozen=True, omit_defaults=True):
    """Who sits there: a person, or a bot of some level; nobody where both are None.

    ``away_since``: without connection since then; ``left``: on purpose. Times are milliseconds.
    """

    user: int | None = None
    bot: str | None = None
    away_since: int | None = None
    left: bool = False
    came: int = 0
    """Who sat down later has a higher number, where that counts (``Game.first_come``)."""

    @property
    def connected(self) -> bool:
        """Whether a person sits there and is in touch."""
        return self.user is not None and self.away_since is None

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
    VACANT = "vacant"
    UNREADABLE = "unreadable"


class Ended(Struct, frozen=True):
    """When and how."""

    why: Why
    at: int


class Body(Struct, frozen=True, kw_only=True):
    """The part of a table that is kept as one text."""

    terms: Terms
    chairs: tuple[Chair, ...]
    luck: Luck | None = None
    ready: tuple[Seat, ...] = ()
    """Who said "Hazırım" before the start, or "Devam" in the pause."""
    agreed: tuple[Seat, ...] = ()
    """Who wants to close the table while somebody is absent (AB-6)."""
    again: tuple[Seat, ...] = ()
    """Who wants to play again, with the partners of ``pairing``."""
    pairing: int = 0
    ended: Ended | None = None
    successor: str | None = None
    """The code of the table at which they play again."""
    since: int = 0
    """When this turn, pause or wait began; moves only with state or luck, so that nothing else winds a clock."""
    vacant_since: int | None = None
    """Since when nobody who sits here is in touch."""
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


class Leave(Action, frozen=True):
    """Leave on purpose ("Çık")."""


class Again(Action, frozen=True):
    """Play again with these partners: 0 as they sat, 1 and 2 the two other pairings of four."""

    pairing: int = 0


Request: TypeAlias = Sit | Rise | Ready | Free | CallBot | CloseVote | Leave | Again
REQUESTS: Final[tuple[type[Action], ...]] = (Sit, Rise, Ready, Free, CallBot, CloseVote, Leave, Again)
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
    """The house plays its next lot, or a bot from its chair."""

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


class Close(Struct, frozen=True):
    """End the table without result."""

    why: Why


class Standstill(Struct, frozen=True):
    """No worker ran from then until now: the clocks stood (RL-33)."""

    since: int


Command: TypeAlias = Act | Ask | Begin | SealLuck | AutoAct | Gone | Back | Close | Standstill


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
    """The table afterwards, the lines for its log, what everybody saw, and the table that is opened with it."""

    table: Table
    entries: tuple[Entry, ...] = ()
    events: tuple[Event, ...] = ()
    opens: Opening | None = None


class WentAway(Event, frozen=True):
    """A seated person lost the connection."""

    seat: Seat


class CameBack(Event, frozen=True):
    """And has it again."""

    seat: Seat


class LeftTable(Event, frozen=True):
    """A seated person left on purpose."""

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
    """The chairs whose people are not: away, or gone on purpose."""
    return tuple(n for n, chair in enumerate(table.chairs) if chair.user is not None and not chair.connected)


def recorded(table: Table) -> bool:
    """Whether the result will be written down: not at test tables, and not against bots (AB-2)."""
    return table.terms.kind == "casual" and not any(chair.bot for chair in table.chairs)


def bot_at(table: Table, seat: Seat | None) -> str | None:
    """The level of the bot that plays this seat, None where a person or the house does."""
    return None if seat is None or seat not in range(len(table.chairs)) else table.chairs[seat].bot


def pausing(table: Table) -> bool:
    """Whether a finished hand is on the table and another will follow (CM-11)."""
    return table.ended is None and table.state is not None and table.state.phase == "hand_over" and _hands(table) > 0


def alarm(table: Table) -> int | None:
    """When the table next needs the watch, from ``since`` and never from now; None where only people can act."""
    if table.ended is not None:
        return None
    due = []
    if table.vacant_since is not None:
        due.append(table.vacant_since + patience(table))
    if table.state is None:
        if _all_ready(table):
            due.append(table.since)
    elif table.state.turn == HOUSE:
        skip = table.luck is None or not pausing(table) or _all_go_on(table)
        due.append(table.since if skip else table.since + table.terms.pause_seconds * 1000)
    elif bot_at(table, table.state.turn) is not None:
        due.append(table.since + _pace(table))
    return min(due, default=None)


def decide(table: Table, command: Command, now: int) -> Change:
    """What ``command`` makes of ``table``. Raises Refused or IllegalAction, and then nothing has changed."""
    if table.ended is not None and not isinstance(command, Ask | Gone | Back):
        raise Refused(No.STALE if isinstance(command, AutoAct | SealLuck) else No.TABLE_CLOSED)
    match command:
        case Act(user, action, played):
            seat = _seat(table, user)
            _fresh(table, played)
            change = _acted(table, seat, action, now)
        case AutoAct(seat, action, played):
            _fresh(table, played)
            if seat != HOUSE and bot_at(table, seat) is None:
                raise Refused(No.STALE)
            change = _acted(table, seat, action, now)
        case Ask(user, request):
            change = _asked(table, user, request, now)
        case Begin(lots, salt):
            change = _begun(table, lots, salt, now)
        case SealLuck(lots, salt, played):
            _fresh(table, played)
            change = _sealed(table, lots, salt, now)
        case Gone(user, since):
            change = _gone(table, user, since)
        case Back(user):
            change = _back(table, user)
        case Close(why):
            if why == Why.VACANT and not deserted(table, now):  # somebody came back in the meantime
                raise Refused(No.STALE)
            change = Change(replace(table, ended=Ended(why, now)))
        case Standstill(since):
            change = _stood(table, since, now)
        case _:
            assert_never(command)
    return replace(change, table=_settled(table, change.table, now))


# --- playing ---


def _acted(table: Table, seat: Seat, action: Action, now: int) -> Change:
    if table.state is None:
        raise Refused(No.NOT_STARTED)
    state, events = table.state.play(seat, action)
    entries = [Entry(seat, action)]
    luck = table.luck
    if luck is not None and seat == HOUSE:
        luck = replace(luck, lots=luck.lots[1:])
    ended = ends_hand(events)
    if luck is not None and (ended or (state.turn == HOUSE and not luck.lots)):
        entries.append(Entry(HOUSE, fairness.Reveal(luck.salt, _rest(table, luck))))
        luck = None
    after = replace(table, state=state, luck=luck, since=now, ready=() if ended else table.ready)
    if state.turn is None:
        after = replace(after, ended=Ended(Why.FINISHED, now))
    after = _logged(after, entries)
    if seat == HOUSE:
        after = replace(after, dealt=after.played)
    return Change(after, tuple(entries), events)


def _begun(table: Table, lots: tuple[Action, ...], salt: str, now: int) -> Change:
    if table.state is not None or not _all_ready(table):
        raise Refused(No.STALE)
    state = record.start(table.game, table.rules, len(table.chairs))
    chairs = table.chairs
    if table.game.first_come:  # SITE-9
        chairs = tuple(sorted(chairs, key=lambda chair: chair.came))
    terms = replace(table.terms, kind="practice") if any(chair.bot for chair in chairs) else table.terms
    return _put_by(replace(table, state=state, chairs=chairs, ready=(), terms=terms), lots, salt, now)


def _sealed(table: Table, lots: tuple[Action, ...], salt: str, now: int) -> Change:
    if table.state is None or table.state.turn != HOUSE or table.luck is not None:
        raise Refused(No.STALE)
    return _put_by(table, lots, salt, now)


def _put_by(table: Table, lots: tuple[Action, ...], salt: str, now: int) -> Change:
    """Luck for the hand ahead, sealed; before a match also where a seat acts first (TV-3)."""
    sha256 = fairness.seal(fairness.words(lots), salt)
    luck = Luck(tuple(map(codec.encode, lots)), salt, sha256)
    entries = (Entry(HOUSE, fairness.Seal(sha256)),)
    return Change(_logged(replace(table, luck=luck, since=now), entries), entries)


def _rest(table: Table, luck: Luck) -> tuple[str, ...]:
    return fairness.words(codec.read_action(table.game.lots, lot) for lot in luck.lots)


def _logged(table: Table, entries: "list[Entry] | tuple[Entry, ...]") -> Table:
    return replace(table, played=table.played + len(entries), logged=table.logged + len(entries))


# --- asking ---


def _asked(table: Table, user: int, request: Request, now: int) -> Change:
    match request:
        case Sit(chair):
            return _sat(table, user, chair)
        case Rise():
            return _rose(table, _seat(table, user))
        case Leave():
            return _left(table, _seat(table, user), now)
        case Ready(on):
            return _readied(table, _seat(table, user), on=on, now=now)
        case Free(chair):
            return _freed(table, _seat(table, user), chair, now)
        case CallBot(chair, level):
            return _called(table, _seat(table, user), chair, level, now)
        case CloseVote(agree):
            return _voted(table, _seat(table, user), agree=agree, now=now)
        case Again(pairing):
            return _again(table, _seat(table, user), pairing)
        case _:
            assert_never(request)


def _sat(table: Table, user: int, chair: Seat) -> Change:
    if table.ended is not None:
        raise Refused(No.TABLE_CLOSED)
    if chair not in range(len(table.chairs)):
        raise Refused(No.CHAIR_TAKEN)
    if table.chairs[chair].user == user and table.chairs[chair].left:
        return _returned(_seated(table, chair, replace(table.chairs[chair], away_since=None, left=False)), chair)
    if table.state is not None:
        raise Refused(No.STARTED)
    if not table.chairs[chair].free:
        raise Refused(No.CHAIR_TAKEN)
    before = seat_of(table, user)
    stood = table if before is None else _seated(table, before, Chair())
    came = 1 + max(taken.came for taken in table.chairs)
    if before is not None:
        came = table.chairs[before].came  # who only changes the chair has not come later
    return Change(_handed_on(_seated(stood, chair, Chair(user, came=came))))


def _rose(table: Table, seat: Seat) -> Change:
    if table.state is not None:
        raise Refused(No.STARTED)
    return Change(_handed_on(_seated(table, seat, Chair())))


def _left(table: Table, seat: Seat, now: int) -> Change:
    if table.state is None:
        return _rose(table, seat)
    chair = replace(table.chairs[seat], left=True, away_since=now)
    return _without(_seated(table, seat, chair), now, (LeftTable(seat),))


def _readied(table: Table, seat: Seat, *, on: bool, now: int) -> Change:
    if table.ended is not None:
        raise Refused(No.TABLE_CLOSED)
    if table.state is not None and not pausing(table):
        raise Refused(No.NO_PAUSE)
    after = replace(table, ready=_with(table.ready, seat, on=on))
    if table.state is None and _all_ready(after):
        after = replace(after, since=now)  # the start is due from now on
    return Change(after)


def _freed(table: Table, seat: Seat, chair: Seat, now: int) -> Change:
    if table.state is not None or table.ended is not None:
        raise Refused(No.STARTED)
    there = chair in range(len(table.chairs)) and not table.chairs[chair].free
    if table.chairs[seat].user != table.opener and not (there and chair in absent(table)):
        raise Refused(No.NOT_OPENER)  # who has lost the connection may be freed by anybody
    if chair in table.ready:
        raise Refused(No.IS_READY)
    if chair == seat or not there:
        raise Refused(No.STALE)
    return Change(_handed_on(replace(_seated(table, chair, Chair()), since=now)))


def _called(table: Table, seat: Seat, chair: Seat, level: str, now: int) -> Change:
    if table.state is not None or table.ended is not None:
        raise Refused(No.STARTED)
    if table.chairs[seat].user != table.opener:
        raise Refused(No.NOT_OPENER)
    if level not in table.game.bots:
        raise Refused(No.NO_BOT)
    if chair not in range(len(table.chairs)) or not table.chairs[chair].free:
        raise Refused(No.CHAIR_TAKEN)
    came = 1 + max(taken.came for taken in table.chairs)
    return Change(replace(_seated(table, chair, Chair(bot=level, came=came)), since=now))


def _voted(table: Table, seat: Seat, *, agree: bool, now: int) -> Change:
    if table.ended is not None:
        raise Refused(No.TABLE_CLOSED)
    if table.state is None:
        raise Refused(No.NOT_STARTED)
    if not absent(table):
        raise Refused(No.NOBODY_ABSENT)
    return _without(replace(table, agreed=_with(table.agreed, seat, on=agree)), now)


def _again(table: Table, seat: Seat, pairing: int) -> Change:
    if table.ended is None or table.ended.why != Why.FINISHED:
        raise Refused(No.NOT_FINISHED)
    if table.successor is not None:
        raise Refused(No.STALE)
    partners = table.game.partners(table.rules, len(table.chairs))
    pairing = pairing % len(PAIRINGS) if partners else 0
    others = table.again if pairing == table.pairing else ()
    return _rematched(replace(table, pairing=pairing, again=_with(others, seat, on=True)))


PAIRINGS: Final = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Who takes the chairs 0 to 3 in a rematch of pairs: the three ways in which four people can be partners."""


def _rematched(table: Table, events: tuple[Event, ...] = ()) -> Change:
    """The next table, once everybody still there wants it."""
    here = connected(table)
    if table.ended is None or table.successor is not None or not here or not set(here) <= set(table.again):
        return Change(table, events=events)
    order = PAIRINGS[table.pairing] if table.pairing else range(len(table.chairs))
    stay = [seat in here or table.chairs[seat].bot is not None for seat in range(len(table.chairs))]
    chairs = tuple(table.chairs[seat] if stay[seat] else Chair() for seat in order)
    opener = table.opener if table.opener in {chair.user for chair in chairs} else cast(int, table.chairs[here[0]].user)
    ready = tuple(n for n, chair in enumerate(chairs) if chair.user is not None)
    return Change(table, (), events, Opening(opener, table.game, table.rules, table.terms, chairs, ready))


# --- presence ---


def _gone(table: Table, user: int, since: int) -> Change:
    seat = _seat(table, user)
    if table.chairs[seat].away_since is not None:
        raise Refused(No.STALE)
    after = _seated(table, seat, replace(table.chairs[seat], away_since=since))
    return _without(after, since, (WentAway(seat),))


def _back(table: Table, user: int) -> Change:
    seat = _seat(table, user)
    if table.chairs[seat].away_since is None:
        raise Refused(No.STALE)
    return _returned(_seated(table, seat, replace(table.chairs[seat], away_since=None)), seat)


def _returned(table: Table, seat: Seat) -> Change:
    """Somebody is there again; what was agreed while he was not is forgotten once nobody is absent (AB-6)."""
    return Change(table if absent(table) else replace(table, agreed=()), events=(CameBack(seat),))


def _without(table: Table, now: int, events: tuple[Event, ...] = ()) -> Change:
    """What follows when fewer people are in touch, or one more wants to close (AB-6)."""
    if table.ended is not None:
        return _rematched(table, events)
    here = connected(table)
    if table.state is not None and all(chair.left or chair.bot for chair in table.chairs):
        return Change(replace(table, ended=Ended(Why.LEFT, now)), events=events)
    if table.state is not None and here and set(here) <= set(table.agreed):
        return Change(replace(table, ended=Ended(Why.VOTED, now)), events=events)
    return Change(table, events=events)


def _seated(table: Table, seat: Seat, chair: Chair) -> Table:
    """``chair`` at this place; whoever was ready or agreed there is not any more."""
    return replace(
        table,
        chairs=(*table.chairs[:seat], chair, *table.chairs[seat + 1 :]),
        ready=_with(table.ready, seat, on=False),
        agreed=_with(table.agreed, seat, on=False),
        again=table.again if chair.connected else _with(table.again, seat, on=False),
    )


def _handed_on(table: Table) -> Table:
    """A waiting table whose opener stood up belongs to whoever sits there."""
    seated = [chair.user for chair in table.chairs if chair.user is not None]
    return table if not seated or table.opener in seated else replace(table, opener=seated[0])


def _stood(table: Table, since: int, now: int) -> Change:
    """Every clock as it stood then; one that was wound later, right before the end, begins anew."""

    def moved(clock: int) -> int:
        return clock + now - max(clock, since)

    vacant = None if table.vacant_since is None else moved(table.vacant_since)
    return Change(replace(table, since=moved(table.since), vacant_since=vacant))


# --- small questions ---


def _seat(table: Table, user: int) -> Seat:
    seat = seat_of(table, user)
    if seat is None:
        raise Refused(No.NOT_SEATED)
    return seat


def _fresh(table: Table, played: int) -> None:
    if played != table.played:
        raise Refused(No.STALE)


def _hands(table: Table) -> int:
    return 0 if table.state is None else cast(int, table.state.view(None).hand)


def _all_ready(table: Table) -> bool:
    """Every chair is taken, by a bot or by somebody who is there and has said so."""
    return all(chair.bot or (chair.connected and n in table.ready) for n, chair in enumerate(table.chairs))


def _pace(table: Table) -> int:
    """How long a bot seems to think about this move, in milliseconds, drawn without a look at its hand (RL-34)."""
    return int(table.terms.bot_seconds * (600 + table.played * 7_919 % 800))


def _all_go_on(table: Table) -> bool:
    here = connected(table)
    return bool(here) and set(here) <= set(table.ready)


def _with(seats: tuple[Seat, ...], seat: Seat, *, on: bool) -> tuple[Seat, ...]:
    return tuple(sorted({*seats, seat} if on else {*seats} - {seat}))


def deserted(table: Table, now: int) -> bool:
    """Whether nobody has been there for so long that it is closed (AB-12)."""
    return table.vacant_since is not None and now >= table.vacant_since + patience(table)


def patience(table: Table) -> int:
    """How long it is kept with nobody there, in milliseconds (AB-12)."""
    minutes = table.terms.waiting_minutes if table.state is None else table.terms.vacant_minutes
    return minutes * 60_000


def _settled(before: Table, after: Table, now: int) -> Table:
    vacant = None if connected(after) else after.vacant_since if after.vacant_since is not None else now
    after = replace(after, vacant_since=vacant, revision=before.revision + 1)
    return replace(after, wake_at=alarm(after))
