"""Open the database, bring it up to date, and run transactions. SQLite with one kept connection (RL-45)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import gevent
from peewee import OperationalError, SqliteDatabase
from playhouse.migrations import Runner

from mokali.store.models import DATABASE, LineRow

MIGRATIONS: Final = Path(__file__).parents[2] / "migrations"

PATIENCE_MS: Final = 5_000
"""How long a transaction waits for another process that is writing."""
STEP_MS: Final = 5


class NotKept(Exception):
    """The database could not be written, and nothing was (RL-47)."""


def open_at(path: Path) -> None:
    """Open the file, creating it and its folder, and bring its tables up to date.

    One connection stays open: closing the last one of a WAL file makes a checkpoint. ``busy_timeout`` is 0, since
    SQLite's own wait would stop the whole loop; ``transaction`` waits instead. What is deleted is overwritten (RL-7).
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # rows hold decks in the clear
    path.touch(mode=0o600)
    pragmas = {"busy_timeout": 0, "journal_mode": "wal", "synchronous": "full", "foreign_keys": 1, "secure_delete": 1}
    DATABASE.initialize(SqliteDatabase(str(path), pragmas=pragmas, thread_safe=False, timeout=0))
    _patiently(DATABASE.connect)
    _patiently(lambda: Runner(DATABASE.obj, str(MIGRATIONS)).up())


def close() -> None:
    """Close the file."""
    DATABASE.close()


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


def probe() -> None:
    """Write something to the disk as a move would, and leave nothing of it. Raises NotKept."""
    with transaction():  # a line of no table, larger than a page
        LineRow.insert(table=0, n=0, seat=0, action="-" * 8192).execute()
        LineRow.delete().where(LineRow.table == 0).execute()


def run(sql: str, *values: object) -> Any:
    """The cursor of one short statement. For those of every move: peewee takes longer to write one than to run it."""
    return DATABASE.execute_sql(sql.replace("?", DATABASE.param), values)


def checkpoint() -> None:
    """Empty the write-ahead file into the main one, so that what was deleted stands in neither (RL-7)."""
    DATABASE.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


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
