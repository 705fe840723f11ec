"""The mark: one row that says when a worker was last at work, written while any clock runs (RL-33)."""

from typing import Final

from mokali.store.database import transaction
from mokali.store.models import MarkRow, TableRow

_THE_ROW: Final = 1


def last() -> int | None:
    """When the mark was written last, in milliseconds; None where it never was."""
    row = MarkRow.select(MarkRow.at).where(MarkRow.id == _THE_ROW).tuples().first()
    return None if row is None else int(row[0])


def write(now: int) -> None:
    """A worker is at work. Raises NotKept."""
    with transaction():
        MarkRow.replace(id=_THE_ROW, at=now).execute()


def clocks() -> list[int]:
    """The tables at which a clock runs: those that wait for an alarm."""
    return [row[0] for row in TableRow.select(TableRow.id).where(TableRow.wake_at.is_null(False)).tuples()]


def needed() -> bool:
    """Whether a clock runs anywhere."""
    return bool(TableRow.select().where(TableRow.wake_at.is_null(False)).exists())
