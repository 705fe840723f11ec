"""Backups by VACUUM INTO: made, checked, kept for a week, put back (RL-48). Never a copy of the live file."""

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
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
    """Write the database ``live`` into the file ``into``, check it, and keep ``keep`` in that folder, it among them.

    The newest are kept; those of later nights, which a wrong clock has made, count as the oldest.
    What stands under the final name is whole, checked, and readable by its owner only. Takes as long as the database is
    big, and stops nobody who plays; call it in a process of its own. Raises AtWork, Unfit, OSError, sqlite3.Error.
    """
    _wanted(live)
    into.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = into.with_name(into.name + PART)
    with _claimed(part):
        _vacuum(live, part)
        _without_talk(part)
        database.check(part)
        _safe(part)
        os.replace(part, into)
        _safe(into.parent)
    unfinished = [left for left in into.parent.glob(f"mokali-*{PART}") if left.name < part.name]
    by_age = sorted(kept(into.parent), key=lambda file: (file.name <= into.name, file.name))
    for old in (*by_age[:-keep], *unfinished):
        old.unlink(missing_ok=True)


def restore(file: Path, live: Path, aside: Path) -> Path | None:
    """Put the backup ``file`` in the place of ``live``; the new folder where that lies now, None where nothing was.

    The folder is ``aside``, with a number where that is there already. The backup is checked before anything is
    touched, and whenever this is killed, the whole old one stands there or the whole new one; the next start brings it
    up to date. Raises database.Running while the house runs, Unfit, OSError, sqlite3.Error.
    """
    _wanted(file)
    live.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with database.alone(live):
        fresh = live.with_name(live.name + ".restoring")
        for left in (fresh, *_beside(fresh)):
            left.unlink(missing_ok=True)
        fresh.touch(mode=0o600)
        try:
            _vacuum(file, fresh)
            database.check(fresh, called=file)
            _safe(fresh)
            old = _copied(live, aside)
            for left in _beside(live):  # they would be taken for the new one's
                left.unlink(missing_ok=True)
            os.replace(fresh, live)
            _safe(live.parent)
            return old
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


def _wanted(source: Path) -> None:
    """Before anything is made for it. Raises Unfit where it is not there."""
    if not source.is_file():
        raise Unfit(f"{source}: no such file")


def _vacuum(source: Path, into: Path) -> None:
    """``into`` exists and is empty. Raises Unfit where ``source`` is no database."""
    with closing(sqlite3.connect(source, timeout=60, isolation_level=None)) as connection:
        try:
            connection.execute("VACUUM INTO ?", (str(into),))
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            raise Unfit(f"{source}: {error}") from error


def _without_talk(part: Path) -> None:
    """What was said at tables stays out of backups (RL-44)."""
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'talk'").fetchone():
            connection.execute("DELETE FROM talk")
            connection.execute("VACUUM")


def _copied(live: Path, aside: Path) -> Path | None:
    """The new folder with a copy of ``live``, down to the disk; None where there is nothing to copy."""
    if live.exists():
        _emptied(live)
    there = [file for file in (live, *_beside(live)) if file.exists()]
    if not there:
        return None
    aside = _new_folder(aside)
    try:
        for file in there:
            shutil.copy2(file, aside)
            _safe(aside / file.name)
    except OSError:
        shutil.rmtree(aside)
        raise
    _safe(aside)
    return aside


def _emptied(live: Path) -> None:
    """Bring the write-ahead file into the main one, which is then whole without it. A broken one stays as it is."""
    with closing(sqlite3.connect(live, timeout=database.PATIENCE_MS / 1000)) as connection:
        try:
            [(busy, *_)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            return
    if busy:
        raise Unfit(f"{live}: another program has it open")


def _new_folder(wished: Path) -> Path:
    """This one, or where it is there already, the first with a number that is not."""
    folder = wished
    for number in count(2):
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            break
        folder = wished.with_name(f"{wished.name}-{number}")
    return folder


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
