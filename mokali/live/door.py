"""submit: the one way to change a table; now: the one clock."""

import time
from typing import Final

from mokali.live import bus, ledger
from mokali.store import tables
from mokali.tables.decide import decide
from mokali.tables.table import Change, Command, No, Refused, Table

TRIES: Final = 5
"""How often a command is decided anew when others were quicker."""

_START: Final = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000  # noqa: TID251 - the one clock


def now() -> int:
    """Milliseconds since 1970 that never jump: the wall clock read once, monotonic from there (RL-32)."""
    return _START + time.monotonic_ns() // 1_000_000


def submit(table_id: int, command: Command) -> Table:
    """Load, decide, commit, ring; the table afterwards.

    Raises Refused or IllegalAction where the answer is no, NotKept where it could not be written, NoTable, Unreadable,
    Newer.
    """
    for _ in range(TRIES):
        table = tables.load(table_id)
        moment = now()
        change = decide(table, command, moment)
        began = time.perf_counter()
        after = tables.commit(table, change, moment)
        if after is not None:
            ledger.committed(table, command, change, time.perf_counter() - began)
            bus.ring(table_id, change.events)
            if _card_changed(table, change):
                bus.ring(bus.LOBBY)
            return after
    raise Refused(No.STALE)


def _card_changed(before: Table, change: Change) -> bool:
    """Whether the lobby shows something else now: chairs, stage, or the hand that is played."""
    after = change.table
    return (
        change.opens is not None
        or before.chairs != after.chairs
        or before.ended != after.ended
        or any(entry.seat < 0 for entry in change.entries)
    )
