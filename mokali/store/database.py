"""Open the database, bring it up to date, and run transactions. SQLite with one kept connection (RL-45)."""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import gevent
from peewee import DatabaseError, OperationalError, SqliteDatabase
from playhouse.migrations import Runner

from mokali.store.models import DATABASE, MODELS, LineRow

MIGRATIONS: Final = Path(__file__).parents[2] / "migrations"

PATIENCE_MS: Final = 5_000
"""How long a transaction waits for another process that is writing."""
STEP_MS: Final = 5


_held: int | None = None
"""The open lock file that says to others: a house runs on this database."""
_first = False


class NotKept(Exception):
    """The database could not be written, and nothing was (RL-47)."""


class Running(Exception):
    """A house runs on this database."""


class Unfit(ValueError):
    """A file that is no whole database of this house, or one of a newer release."""


def open_at(path: Path) -> None:
    """Open the file, creating it and its folder, and bring its tables up to date.

    One connection stays open: closing the last one of a WAL file makes a checkpoint. ``busy_timeout`` is 0, since
    SQLite's own wait would stop the whole loop; ``transaction`` waits instead. What is deleted is overwritten (RL-7).
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # rows hold decks in the clear
    path.touch(mode=0o600)
    _hold(path)
    pragmas = {"busy_timeout": 0, "journal_mode": "wal", "synchronous": "full", "foreign_keys": 1, "secure_delete": 1}
    DATABASE.initialize(SqliteDatabase(str(path), pragmas=pragmas, thread_safe=False, timeout=0))
    _patiently(DATABASE.connect)
    _patiently(_bring_up)


def close() -> None:
    """Close the file."""
    DATABASE.close()
    _let_go()


def came_first() -> bool:
    """Whether no other process had this database open when this one opened it: a start, and not a reload (RL-33)."""
    return _first


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep every house away from this database. Raises Running where one runs."""
    number = _lock_file(path)
    try:
        if not locked(number, fcntl.LOCK_EX):
            raise Running(path)
        yield
    finally:
        os.close(number)


def locked(number: int, kind: int) -> bool:
    """Whether this open file could be locked at once; the lock ends with the process, however that ends."""
    try:
        fcntl.flock(number, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def check(path: Path, called: Path | None = None) -> None:
    """Raises Unfit unless the file is whole, of this release or an older one, and readable by our models (RL-48).

    ``called`` is what the message calls it, if not by its name.
    """
    called = called or path
    other = SqliteDatabase(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        with other.connection_context():
            found = other.execute_sql("PRAGMA integrity_check").fetchall()
            if found != [("ok",)]:
                raise Unfit(f"{called}: {found[0][0]}")
            steps = {step.name: step for step in Runner(other, str(MIGRATIONS)).status()}
            if not any(step.applied for step in steps.values()) or not all(step.path for step in steps.values()):
                raise Unfit(f"{called}: not a database of this release or an older one")
            if all(step.applied for step in steps.values()):
                with other.bind_ctx(MODELS):
                    for model in MODELS:
                        model.select().first()
    except (DatabaseError, sqlite3.DatabaseError) as error:  # peewee wraps what executes, not what fetches
        raise Unfit(f"{called}: {error}") from error


@contextmanager
def transaction() -> Iterator[None]:
    """All or nothing. Nothing inside may yield to another greenlet. Raises NotKept."""
    _patiently(lambda: DATABASE.begin("IMMEDIATE"))
    try:
        yield
        DATABASE.commit()
    except OperationalError as error:
        _undo()
        raise NotKept(str(error)) from error
    except BaseException:
        _undo()
        raise


def born() -> int:
    """When this database was made, in milliseconds, by the calendar; one put back is as old as the one copied."""
    [made] = run("SELECT min(applied) FROM schema_migration").fetchone()
    return int(datetime.fromisoformat(made).timestamp() * 1000)


def probe() -> None:
    """Write something to the disk as a move would, and leave nothing of it. Raises NotKept."""
    with transaction():  # a line of no table, larger than a page
        LineRow.insert(table=0, n=0, seat=0, action="-" * 8192).execute()
        LineRow.delete().where(LineRow.table == 0).execute()


def run(sql: str, *values: object) -> Any:
    """The cursor of one short statement. For those of every move: peewee takes longer to write one than to run it."""
    return DATABASE.execute_sql(sql.replace("?", DATABASE.param), values)


class _Owed:
    """Whether the write-ahead file is still to be emptied: at a start it may hold what was deleted before."""

    checkpoint = True


def checkpoint() -> None:
    """Empty the write-ahead file into the main one, so that what was deleted stands in neither (RL-7).

    While somebody else reads, it can't be done: ``make_good`` tries again.
    """
    _Owed.checkpoint = bool(run("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])


def make_good() -> None:
    """Do what somebody was in the way of. To be called now and then."""
    if _Owed.checkpoint:
        checkpoint()


def _bring_up() -> None:
    """Every migration, in one transaction (RL-49): of two workers that start at once one waits for the other."""
    with DATABASE.obj.atomic("IMMEDIATE"):
        Runner(DATABASE.obj, str(MIGRATIONS)).up()


def _hold(path: Path) -> None:
    global _held, _first
    _let_go()
    _held = _lock_file(path)
    _first = locked(_held, fcntl.LOCK_EX)
    for _ in range(PATIENCE_MS // STEP_MS):
        if locked(_held, fcntl.LOCK_SH):
            return
        gevent.sleep(STEP_MS / 1000)
    raise NotKept("a backup is being put back")


def _let_go() -> None:
    global _held
    if _held is not None:
        os.close(_held)
        _held = None


def _lock_file(path: Path) -> int:
    """Beside the database: to close that file itself would drop SQLite's own locks."""
    return os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)


def _undo() -> None:
    if DATABASE.connection().in_transaction:
        DATABASE.rollback()


def _patiently(step: Callable[[], object]) -> None:
    """Call ``step``; while another process holds the file, wait for it in small steps. Raises NotKept."""
    for _ in range(PATIENCE_MS // STEP_MS):
        try:
            step()
        except OperationalError as error:
            if "locked" not in str(error) and "busy" not in str(error):
                raise NotKept(str(error)) from error
            gevent.sleep(STEP_MS / 1000)
        else:
            return
    raise NotKept("locked")
