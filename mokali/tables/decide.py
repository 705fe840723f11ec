"""decide(table, command, now) -> Change: the one place where a table changes. Knows no clock, database or network."""

from random import Random
from typing import Final, assert_never

from msgspec.structs import replace

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Action, Seat, State, ends_hand
from mokali.tables import chairs, lessons
from mokali.tables.clock import deserted, forfeits, ran_out, settled, wants_bot
from mokali.tables.table import (
    Act,
    Ask,
    AutoAct,
    Back,
    Begin,
    Change,
    Close,
    Command,
    Ended,
    Entry,
    Forfeit,
    Gone,
    How,
    Luck,
    No,
    Refused,
    SealLuck,
    StandIn,
    Standstill,
    Table,
    TakeBack,
    TakenBack,
    TimedOut,
    Why,
    all_ready,
    bot_at,
)

WORLDS: Final = 4
"""So often a move is tried where it is not known whether it turned something up."""


def decide(table: Table, command: Command, now: int) -> Change:
    """What ``command`` makes of ``table``. Raises Refused or IllegalAction, and then nothing has changed."""
    if table.ended is not None and not isinstance(command, Ask | Gone | Back):
        raise Refused(No.STALE if isinstance(command, AutoAct | SealLuck | StandIn | Forfeit) else No.TABLE_CLOSED)
    match command:
        case Act(user, action, played):
            seat = chairs.seat(table, user)
            _fresh(table, played)
            change = _acted(chairs.awake(table, seat), seat, action, now)
        case TakeBack(user, log, played):
            _fresh(table, played)
            change = _taken_back(table, chairs.seat(table, user), log, now)
        case AutoAct(seat, action, played):
            _fresh(table, played)
            change = _played_for(table, seat, action, now)
        case Ask(user, request):
            change = chairs.asked(table, user, request, now)
        case Begin(lots, salt):
            change = _begun(table, lots, salt, now)
        case SealLuck(lots, salt, played):
            _fresh(table, played)
            change = _sealed(table, lots, salt, now)
        case Gone(user, since):
            change = chairs.gone(table, user, since)
        case Back(user):
            change = chairs.back(table, user)
        case StandIn(seat):
            if wants_bot(table, now) != seat:
                raise Refused(No.STALE)
            change = chairs.stood_in(table, seat)
        case Forfeit(seat):
            if forfeits(table, now) != seat:
                raise Refused(No.STALE)
            how: How = "clock" if ran_out(table, now) == seat else "away"
            change = Change(replace(table, ended=Ended(Why.FORFEITED, now, seat, how)))
        case Close(why):
            if why == Why.VACANT and not deserted(table, now):  # somebody came back in the meantime
                raise Refused(No.STALE)
            change = Change(replace(table, ended=Ended(why, now)))
        case Standstill(since):
            change = _stood(table, since, now)
        case _:
            assert_never(command)
    return replace(change, table=settled(table, change.table, now))


# --- playing ---


def _acted(table: Table, seat: Seat, action: Action, now: int) -> Change:
    if table.state is None:
        raise Refused(No.NOT_STARTED)
    state, events = table.state.play(seat, action)
    step = lessons.followed(table, seat, action)
    entries = [Entry(seat, action)]
    luck = table.luck
    if luck is not None and seat == HOUSE:
        luck = replace(luck, lots=luck.lots[1:])
    ended = ends_hand(events)
    if luck is not None and (ended or (state.turn == HOUSE and not luck.lots)):
        entries.append(Entry(HOUSE, fairness.Reveal(luck.salt, _rest(table, luck))))
        luck = None
    after = replace(table, state=state, luck=luck, step=step, since=now, ready=() if ended else table.ready)
    after = _wound(table, after, seat, now, ended=ended)
    after = replace(after, undoable=_undoable(table, state, seat, action) if len(entries) == 1 else None)
    if state.turn is None:
        after = replace(after, ended=Ended(Why.FINISHED, now))
    after = _logged(after, entries)
    if seat == HOUSE:
        after = replace(after, dealt=after.played)
    return Change(after, tuple(entries), events)


def _played_for(table: Table, seat: Seat, action: Action, now: int) -> Change:
    """The house's own, a bot's, or what the clock plays: a turn that it completes counts once, however many steps."""
    if seat == HOUSE or bot_at(table, seat) is not None:
        return _acted(table, seat, action, now)
    if ran_out(table, now) != seat:
        raise Refused(No.STALE)
    if table.late:
        return _acted(table, seat, action, now)
    chair = table.chairs[seat]
    late = chairs.with_chair(replace(table, late=True), seat, replace(chair, missed=chair.missed + 1))
    change = _acted(late, seat, action, now)
    return replace(change, events=(TimedOut(seat), *change.events))


def _wound(before: Table, after: Table, actor: Seat, now: int, *, ended: bool) -> Table:
    """The move clock of whoever is on turn now: wound anew with each decision, or only with the turn (PT-8)."""
    turn = None if after.state is None else after.state.turn
    if turn is None or turn == HOUSE:
        return replace(after, on_clock=None, late=False) if ended else after
    same = before.on_clock == turn and not ended
    if same and (before.game.whole_turns or actor not in (turn, HOUSE)):
        return after
    return replace(after, on_clock=turn, clock_since=now, late=False)


def _undoable(before: Table, state: State, seat: Seat, action: Action) -> Seat | None:
    """Who may take back what was just done: its seat, unless anything random was turned up with it (PT-4)."""
    if not before.terms.takeback or seat == HOUSE or bot_at(before, seat) is not None:
        return None
    return None if _turned_up(before, state, seat, action) else seat


def _turned_up(before: Table, state: State, seat: Seat, action: Action) -> bool:
    """Whether that seat has seen something that it could not know: then it differs from world to world."""
    assert before.state is not None
    seen, after, rng = before.state.view(seat), state.view(seat), Random(before.played)
    worlds = (type(state).imagine(seen, rng) for _ in range(WORLDS))
    return state.turn == HOUSE or any(world.play(seat, action)[0].view(seat) != after for world in worlds)


def _taken_back(table: Table, seat: Seat, log: record.Log, now: int) -> Change:
    """The match before the last line of its log."""
    if table.undoable != seat or len(log) != table.logged:
        raise Refused(No.NOT_UNDOABLE)
    state = record.resume(table.game, table.rules, len(table.chairs), log[:-1])
    after = replace(table, state=state, since=now, undoable=None, played=table.played + 1, logged=table.logged - 1)
    return Change(_wound(table, after, seat, now, ended=False), events=(TakenBack(seat),), cut=1)


def _begun(table: Table, lots: tuple[Action, ...], salt: str, now: int) -> Change:
    if table.state is not None or not all_ready(table):
        raise Refused(No.STALE)
    state = record.start(table.game, table.rules, len(table.chairs), lessons.setup(table))
    taken, terms = table.chairs, table.terms
    if table.game.first_come:  # SITE-9
        taken = tuple(sorted(taken, key=lambda chair: chair.came))
    if any(chair.bot for chair in taken):
        terms = replace(terms, kind="practice", takeback=not terms.lesson)
    after = replace(table, state=state, chairs=taken, ready=(), terms=terms)
    return _put_by(_wound(table, after, HOUSE, now, ended=False), lots, salt, now)


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


# --- small steps ---


def _stood(table: Table, since: int, now: int) -> Change:
    """Every clock as it stood then; one that was wound later, right before the end, begins anew."""

    def moved(clock: int) -> int:
        return clock + now - max(clock, since)

    def maybe(clock: int | None) -> int | None:
        return None if clock is None else moved(clock)

    return Change(
        replace(
            table,
            chairs=tuple(replace(chair, away_since=maybe(chair.away_since)) for chair in table.chairs),
            since=moved(table.since),
            clock_since=moved(table.clock_since),
            stood_since=maybe(table.stood_since),
            vacant_since=maybe(table.vacant_since),
            company_since=moved(table.company_since),
        )
    )


def _fresh(table: Table, played: int) -> None:
    if played != table.played:
        raise Refused(No.STALE)
