"""Who sits in which chair: sitting down, getting up, leaving, being away and back, votes, bots, and playing again."""

from typing import Final, assert_never, cast

from msgspec.structs import replace

from mokali.engine.protocol import Event, Seat
from mokali.tables import lessons
from mokali.tables.table import (
    Again,
    BotSat,
    CallBot,
    CameBack,
    Chair,
    Change,
    CloseVote,
    Ended,
    Free,
    GiveChair,
    Leave,
    LeftTable,
    No,
    Opening,
    Read,
    Ready,
    Refused,
    Request,
    Rise,
    Sit,
    Table,
    TookOver,
    WentAway,
    Why,
    absent,
    all_ready,
    connected,
    pausing,
    seat_of,
)
from mokali.tables.terms import STAND_IN


def seat(table: Table, user: int) -> Seat:
    """The chair of this person. Raises Refused(NOT_SEATED)."""
    found = seat_of(table, user)
    if found is None:
        raise Refused(No.NOT_SEATED)
    return found


def awake(table: Table, seat: Seat) -> Table:
    """The table once this seat's person has done something: no bot plays for him, and no time-out counts (AB-7)."""
    chair = table.chairs[seat]
    if chair.bot is None and not chair.missed:
        return table
    return with_chair(table, seat, replace(chair, bot=None, missed=0))


def stood_in(table: Table, seat: Seat) -> Change:
    """A bot plays for whoever sits there, until that person is back (AB-4, AB-7)."""
    return Change(_given(table, seat), events=(BotSat(seat),))


def with_chair(table: Table, seat: Seat, chair: Chair) -> Table:
    """``chair`` at this place, and nothing else."""
    return replace(table, chairs=(*table.chairs[:seat], chair, *table.chairs[seat + 1 :]))


def asked(table: Table, user: int, request: Request, now: int) -> Change:
    """What comes of a person's request. Raises Refused."""
    match request:
        case Sit(chair):
            return _sat(table, user, chair, now)
        case Rise():
            return _rose(table, seat(table, user))
        case Leave():
            return _left(table, seat(table, user), now)
        case Ready(on):
            return _readied(table, seat(table, user), on=on, now=now)
        case Free(chair):
            return _freed(table, seat(table, user), chair, now)
        case CallBot(chair, level):
            return _called(table, seat(table, user), chair, level, now)
        case CloseVote(agree):
            return _voted(table, seat(table, user), agree=agree, now=now)
        case GiveChair(to, agree):
            return _offered(table, seat(table, user), to, agree=agree, now=now)
        case Again(pairing):
            return _again(table, seat(table, user), pairing)
        case Read(step):
            seat(table, user)
            return lessons.read(table, step, now)
        case _:
            assert_never(request)


def _sat(table: Table, user: int, chair: Seat, now: int) -> Change:
    if table.ended is not None:
        raise Refused(No.TABLE_CLOSED)
    if chair not in range(len(table.chairs)):
        raise Refused(No.CHAIR_TAKEN)
    if table.state is not None:
        return _sat_in_play(table, user, chair)
    if not table.chairs[chair].free:
        raise Refused(No.CHAIR_TAKEN)
    before = seat_of(table, user)
    stood = table if before is None else _seated(table, before, Chair())
    came = 1 + max(taken.came for taken in table.chairs)
    if before is not None:
        came = table.chairs[before].came  # who only changes the chair has not come later
    return Change(_handed_on(_seated(stood, chair, Chair(user, came=came))))


def _sat_in_play(table: Table, user: int, chair: Seat) -> Change:
    """Back in the own chair, or in that of somebody absent where the others allow it (AB-11)."""
    there = table.chairs[chair]
    if there.user == user and there.ceded:
        raise Refused(No.CHAIR_GIVEN)
    if there.user == user:
        if there.connected and there.bot is None:
            raise Refused(No.STALE)
        return _returned(table, chair)
    if not there.vacated or any(other.user == user for other in table.chairs):
        raise Refused(No.STARTED)
    after = _seated(table, chair, Chair(user, came=there.came))
    return Change(_votes_over(after), events=(TookOver(chair),))


def _rose(table: Table, seat: Seat) -> Change:
    if table.state is not None:
        raise Refused(No.STARTED)
    return Change(_handed_on(_seated(table, seat, Chair())))


def _left(table: Table, seat: Seat, now: int) -> Change:
    if table.state is None:
        return _rose(table, seat)
    after = _seated(table, seat, replace(table.chairs[seat], left=True, away_since=now, bot=None))
    events: tuple[Event, ...] = (LeftTable(seat),)
    if table.ended is None and table.terms.kind == "test":
        return Change(replace(after, ended=Ended(Why.LEFT, now)), events=events)
    if table.ended is None and table.terms.absence == "forfeit":
        return Change(replace(after, ended=Ended(Why.FORFEITED, now, seat, "left")), events=events)
    if table.ended is None and table.terms.absence in ("bot", "auto"):
        after, events = _given(after, seat), (*events, BotSat(seat))
    return _without(after, now, events)


def _readied(table: Table, seat: Seat, *, on: bool, now: int) -> Change:
    if table.ended is not None:
        raise Refused(No.TABLE_CLOSED)
    if table.state is not None and not pausing(table):
        raise Refused(No.NO_PAUSE)
    after = replace(table, ready=_with(table.ready, seat, on=on))
    if table.state is None and all_ready(after):
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


def _offered(table: Table, seat: Seat, to: str, *, agree: bool, now: int) -> Change:
    if table.ended is not None:
        raise Refused(No.TABLE_CLOSED)
    if table.state is None:
        raise Refused(No.NOT_STARTED)
    if table.terms.absence != "wait" or not absent(table):
        raise Refused(No.NOBODY_ABSENT)
    if to == "newcomer" and all(table.chairs[lost].vacated for lost in absent(table)):
        raise Refused(No.STALE)
    if to == "bot":
        return _without(replace(table, to_bot=_with(table.to_bot, seat, on=agree)), now)
    return _without(replace(table, to_newcomer=_with(table.to_newcomer, seat, on=agree)), now)


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
    chairs = tuple(_next_chair(table.chairs[seat]) for seat in order)
    opener = table.opener if table.opener in {chair.user for chair in chairs} else cast(int, table.chairs[here[0]].user)
    ready = tuple(n for n, chair in enumerate(chairs) if chair.user is not None)
    return Change(table, (), events, Opening(opener, table.game, table.rules, table.terms, chairs, ready))


# --- presence ---


def _next_chair(chair: Chair) -> Chair:
    """What becomes of a chair in a rematch: who is there stays, and so do the house's bots."""
    if chair.connected:
        return Chair(chair.user, came=chair.came)
    return chair if chair.user is None else Chair()


def gone(table: Table, user: int, since: int) -> Change:
    """A seated person has been out of touch since then. Raises Refused."""
    lost = seat(table, user)
    if table.chairs[lost].away_since is not None:
        raise Refused(No.STALE)
    after = _seated(table, lost, replace(table.chairs[lost], away_since=since))
    return _without(after, since, (WentAway(lost),))


def back(table: Table, user: int) -> Change:
    """A seated person is in touch again. Raises Refused."""
    found = seat(table, user)
    if table.chairs[found].away_since is None:
        raise Refused(No.STALE)
    return _returned(table, found)


def _returned(table: Table, seat: Seat) -> Change:
    """Somebody is there again and plays for himself: what was agreed while he was not is forgotten (AB-6, AB-11)."""
    chair = replace(table.chairs[seat], away_since=None, left=False, bot=None, vacated=False)
    return Change(_votes_over(_seated(table, seat, chair)), events=(CameBack(seat),))


def _votes_over(table: Table) -> Table:
    """Once nobody is absent there is nothing to agree on."""
    return table if absent(table) else replace(table, agreed=(), to_bot=(), to_newcomer=())


def _given(table: Table, seat: Seat) -> Table:
    """A bot plays for this seat's person."""
    return _votes_over(with_chair(table, seat, replace(table.chairs[seat], bot=STAND_IN, vacated=False)))


def _without(table: Table, now: int, events: tuple[Event, ...] = ()) -> Change:
    """What follows when fewer people are in touch, or one more wants something done about it (AB-6, AB-11)."""
    if table.ended is not None:
        return _rematched(table, events)
    if table.state is None:
        return Change(table, events=events)
    if all(chair.left or chair.user is None for chair in table.chairs):
        return Change(replace(table, ended=Ended(Why.LEFT, now)), events=events)
    here, lost = set(connected(table)), absent(table)
    if here and here <= set(table.agreed):
        return Change(replace(table, ended=Ended(Why.VOTED, now)), events=events)
    if here and lost and here <= set(table.to_bot):
        for seat in lost:
            table, events = _given(table, seat), (*events, BotSat(seat))
    elif here and here <= set(table.to_newcomer):
        chairs = (replace(chair, vacated=chair.vacated or chair.missing) for chair in table.chairs)
        table = replace(table, chairs=tuple(chairs), to_newcomer=())
    return Change(table, events=events)


def _seated(table: Table, seat: Seat, chair: Chair) -> Table:
    """``chair`` at this place; whoever was ready or agreed there is not any more."""
    return replace(
        with_chair(table, seat, chair),
        ready=_with(table.ready, seat, on=False),
        agreed=_with(table.agreed, seat, on=False),
        to_bot=_with(table.to_bot, seat, on=False),
        to_newcomer=_with(table.to_newcomer, seat, on=False),
        again=table.again if chair.connected else _with(table.again, seat, on=False),
    )


def _handed_on(table: Table) -> Table:
    """A waiting table whose opener stood up belongs to whoever sits there."""
    seated = [chair.user for chair in table.chairs if chair.user is not None]
    return table if not seated or table.opener in seated else replace(table, opener=seated[0])


def _with(seats: tuple[Seat, ...], seat: Seat, *, on: bool) -> tuple[Seat, ...]:
    return tuple(sorted({*seats, seat} if on else {*seats} - {seat}))
