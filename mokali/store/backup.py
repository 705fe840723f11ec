"""Backups by VACUUM INTO: made, checked, kept for a week, put back (RL-48). Never a copy of the live file."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from mokali.store import database
from mokali.store.database import Unfit

HOUR: Final = 3_600_000
PART: Final = ".part"


class AtWork(Exception):
    """Another process is making this very backup."""


FAILURES: Final = (Unfit, OSError, sqlite3.Error)
"""What making one or putting one back may raise where disk or file are not well."""


def today() -> int:
    """Milliseconds since 1970 by the machine's clock as it stands now: nights and backups go by the calendar.

    The house's own clock never jumps, and so stays wrong for as long as a worker lives that began with it wrong.
    """
    return time.time_ns() // 1_000_000  # noqa: TID251 - backups are named by the calendar


def age(folder: Path, now: int) -> int | None:
    """Milliseconds since the newest backup in ``folder`` was made; None where there is none.

    One dated more than an hour ahead of ``now`` proves nothing, and does not count.
    """
    made = [file.stat().st_mtime_ns // 1_000_000 for file in kept(folder)]
    newest = max((moment for moment in made if moment <= now + HOUR), default=None)
    return None if newest is None else max(0, now - newest)


def kept(folder: Path) -> list[Path]:
    """The backups in ``folder``, the oldest first."""
    return sorted(folder.glob("mokali-????-??-??.sqlite3"))


def tonight(folder: Path, now: int, hour: int) -> Path:
    """The backup of the night that ``now`` belongs to: a night begins at ``hour`` o'clock here."""
    day = time.localtime((now - hour * HOUR) / 1000)
    return folder / f"mokali-{time.strftime('%Y-%m-%d', day)}.sqlite3"


def make(live: Path, into: Path, keep: int) -> None:
    """Write the database ``live`` into the file ``into``, check it, and keep ``keep`` in that folder: it and the newest.

    Those of later nights, which a wrong clock has made, count as the oldest.
    What stands under the final name is whole, checked, and readable by its owner only. Takes as long as the database is
    big, and stops nobody who plays; call it in a process of its own. Raises AtWork, Unfit, OSError, sqlite3.Error.
    """
    into.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = into.with_name(into.name + PART)
    with _claimed(part):
        _vacuum(live, part)
        database.check(part)
        _safe(part)
        os.replace(part, into)
        _safe(into.parent)
    unfinished = [left for left in into.parent.glob(f"mokali-*{PART}") if left.name < part.name]
    by_age = sorted(kept(into.parent), key=lambda file: (file.name <= into.name, file.name))
    for old in (*by_age[:-keep], *unfinished):
        old.unlink(missing_ok=True)


def restore(file: Path, live: Path, aside: Path) -> None:
    """Put the backup ``file`` in the place of ``live``, which goes into the new folder ``aside``.

    The backup is checked before anything is moved; the next start brings it up to date. Raises database.Running while
    the house runs, Unfit, OSError, sqlite3.Error.
    """
    with database.alone(live):
        fresh = live.with_name(live.name + ".restoring")
        for left in (fresh, *_beside(fresh)):
            left.unlink(missing_ok=True)
        fresh.touch(mode=0o600)
        try:
            _vacuum(file, fresh)
            database.check(fresh)
            _safe(fresh)
            _set_aside(live, aside)
            os.replace(fresh, live)
            _safe(live.parent)
        finally:
            fresh.unlink(missing_ok=True)


@contextmanager
def _claimed(part: Path) -> Iterator[None]:
    """An empty file of this name that nobody else writes; what a killed process left is taken over."""
    number = os.open(part, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not database.locked(number, fcntl.LOCK_EX) or not _still_there(part, number):
            raise AtWork(part.name)
        try:
            os.ftruncate(number, 0)
            yield
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    finally:
        os.close(number)


def _still_there(part: Path, number: int) -> bool:
    """Whether the open file has not been finished and renamed by another process since it was opened."""
    return part.exists() and os.path.samestat(part.stat(), os.fstat(number))


def _vacuum(source: Path, into: Path) -> None:
    """``into`` exists and is empty. Raises Unfit where ``source`` is no database."""
    if not source.is_file():
        raise Unfit(f"{source}: no such file")
    with closing(sqlite3.connect(source, timeout=60, isolation_level=None)) as connection:
        try:
            connection.execute("VACUUM INTO ?", (str(into),))
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            raise Unfit(f"{source}: {error}") from error


def _set_aside(live: Path, aside: Path) -> None:
    aside.mkdir(mode=0o700)
    if not live.exists():
        return
    with suppress(sqlite3.Error), closing(sqlite3.connect(live)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for file in (*_beside(live), live):
        with suppress(FileNotFoundError):
            os.replace(file, aside / file.name)


def _beside(file: Path) -> tuple[Path, Path]:
    """What SQLite keeps beside a database."""
    return file.with_name(file.name + "-wal"), file.with_name(file.name + "-shm")


def _safe(path: Path) -> None:
    """Down to the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
