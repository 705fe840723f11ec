"""When a table needs the watch: the move clock, whose absence counts for what, pauses and bots. Knows no real clock."""

from typing import Final

from msgspec.structs import replace

from mokali.engine.protocol import HOUSE, Seat
from mokali.tables import lessons
from mokali.tables.table import Table, all_go_on, all_ready, bot_at, connected, pausing

WARNINGS: Final = 2
"""So often in a row the house completes a turn; then a bot plays, where the terms say so (AB-7)."""


def alarm(table: Table) -> int | None:
    """When the table next needs the watch, from what lies in it and never from now; None where only people can act."""
    if table.ended is not None:
        return None
    vacant = None if table.vacant_since is None else table.vacant_since + patience(table)
    due = [vacant, house_due(table), bot_due(table), clock_until(table)]
    if connected(table):
        due += [gone_at(table, seat) for seat in range(len(table.chairs))]
    return min((moment for moment in due if moment is not None), default=None)


def house_due(table: Table) -> int | None:
    """When the house is to begin, to seal or to play its next lot; None where others are on turn."""
    if table.state is None:
        return table.since if all_ready(table) else None
    if table.state.turn != HOUSE or lessons.reading(table):
        return None
    skip = table.luck is None or not pausing(table) or all_go_on(table)
    return table.since if skip else table.since + table.terms.pause_seconds * 1000


def bot_due(table: Table) -> int | None:
    """When the bot on turn is to think; None where none is, nobody is there, or a lesson is being read."""
    turn = None if table.state is None else table.state.turn
    if bot_at(table, turn) is None or not connected(table) or lessons.reading(table):
        return None
    return table.since + _pace(table)


def clock_until(table: Table) -> int | None:
    """When the clock of the seat on turn runs out; None where none runs, or it stands."""
    if not _wound(table) or stands(table):
        return None
    return table.clock_since + _clock(table)


def clock_left(table: Table) -> int | None:
    """What is left on a clock that stands, in milliseconds; None where it runs or there is none."""
    if table.stood_since is None or not _wound(table):
        return None
    return max(0, table.clock_since + _clock(table) - max(table.stood_since, table.clock_since))


def stands(table: Table) -> bool:
    """Whether the clock stands: nobody is there, or the table waits for whoever is on turn (AB-3)."""
    turn = None if table.state is None else table.state.turn
    if not connected(table):
        return True
    return turn is not None and turn != HOUSE and table.terms.absence == "wait" and not table.chairs[turn].connected


def ran_out(table: Table, now: int) -> Seat | None:
    """The seat whose clock has run out."""
    until = clock_until(table)
    return table.on_clock if until is not None and now >= until else None


def gone_at(table: Table, seat: Seat) -> int | None:
    """When an absence has lasted long enough for a bot, or to lose; None where it doesn't count (AB-4)."""
    chair, terms = table.chairs[seat], table.terms
    if table.state is None or table.ended is not None or chair.away_since is None or not chair.missing:
        return None
    patience = {"bot": terms.bot_after_seconds, "forfeit": terms.forfeit_after_seconds}.get(terms.absence)
    if patience is None:
        return None
    return max(chair.away_since, table.company_since) + patience * 1000


def wants_bot(table: Table, now: int) -> Seat | None:
    """The seat for which a bot is to play from now on: away for too long, or late once too often (AB-4, AB-7)."""
    late = ran_out(table, now)
    lasting = table.terms.absence in ("bot", "auto")
    if lasting and late is not None and not table.late and table.chairs[late].missed >= WARNINGS:
        return late
    return _gone(table, now) if table.terms.absence == "bot" else None


def forfeits(table: Table, now: int) -> Seat | None:
    """The seat that has lost the match by its clock or its absence."""
    if table.terms.absence != "forfeit":
        return None
    late = ran_out(table, now)
    return late if late is not None else _gone(table, now)


def settled(before: Table, after: Table, now: int) -> Table:
    """``after`` with what follows from it: whether anybody is there, whether the clock stands, the alarm."""
    vacant = None if connected(after) else after.vacant_since if after.vacant_since is not None else now
    company = now if before.vacant_since is not None and vacant is None else after.company_since
    after = replace(after, vacant_since=vacant, company_since=company, revision=before.revision + 1)
    after = _standing(_taken_over(before, after, now), now)
    return replace(after, wake_at=alarm(after))


def _taken_over(before: Table, after: Table, now: int) -> Table:
    """``after``, the clock wound anew where a bot was on turn and now its person is: it may have run out long ago."""
    turn = None if after.state is None else after.state.turn
    if turn is None or turn != after.on_clock or bot_at(before, turn) is None or bot_at(after, turn) is not None:
        return after
    return replace(after, clock_since=now, stood_since=None, late=False)


def _standing(table: Table, now: int) -> Table:
    """The clock stopped, or going again with what was left on it."""
    if _wound(table) and stands(table):
        assert table.on_clock is not None
        away = table.chairs[table.on_clock].away_since
        stood = now if table.stood_since is None else table.stood_since
        if table.stood_since is None and away is not None and table.terms.absence == "wait":
            stood = away
        return replace(table, stood_since=stood)
    if table.stood_since is None:
        return table
    gap = now - max(table.stood_since, table.clock_since)
    return replace(table, clock_since=table.clock_since + gap, stood_since=None)


def deserted(table: Table, now: int) -> bool:
    """Whether nobody has been there for so long that it is closed (AB-12)."""
    return table.vacant_since is not None and now >= table.vacant_since + patience(table)


def patience(table: Table) -> int:
    """How long it is kept with nobody there, in milliseconds (AB-12)."""
    minutes = table.terms.waiting_minutes if table.state is None else table.terms.vacant_minutes
    return minutes * 60_000


def _wound(table: Table) -> bool:
    """Whether there is a clock for the seat on turn."""
    state = table.state
    if state is None or table.ended is not None or table.terms.seconds is None or pausing(table):
        return False
    return state.turn is not None and state.turn == table.on_clock and bot_at(table, state.turn) is None


def _clock(table: Table) -> int:
    return (table.terms.seconds or 0) * 1000


def _gone(table: Table, now: int) -> Seat | None:
    if not connected(table):
        return None
    due = [(moment, seat) for seat in range(len(table.chairs)) if (moment := gone_at(table, seat)) is not None]
    moment, seat = min(due, default=(now + 1, None))
    return seat if moment <= now else None


def _pace(table: Table) -> int:
    """How long a bot seems to think about this move, in milliseconds, drawn without a look at its hand (RL-34)."""
    return int(table.terms.bot_seconds * (600 + table.played * 7_919 % 800))
