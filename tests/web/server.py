"""The bench's house, with what tests ask of it."""

import json
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from mokali import journal
from mokali.bench import server
from mokali.bench.server import GENEROUS, PATIENCE, ROOT

__all__ = ["GENEROUS", "PATIENCE", "ROOT", "Kept", "Server"]


class Kept(NamedTuple):
    """What the database holds of a table: its game, byte for byte, and how much was ever logged."""

    status: str
    state: str | None
    played: int
    logged: int
    lines: int


class Server(server.Server):
    """One house, and a look into its log and its rows."""

    def reload(self) -> None:
        """Send HUP, and come back once a new worker has taken the old one's place."""
        old = set(self.workers)
        os.kill(self.pid, signal.SIGHUP)
        until = time.monotonic() + PATIENCE
        while not (now := set(self.workers)) or now & old:
            if time.monotonic() > until:
                raise RuntimeError(f"the house does not reload:\n{self.log}")
            time.sleep(0.02)

    @property
    def journal(self) -> list[dict[str, Any]]:
        """What it has written down, line by line."""
        lines = (self.data / "log" / journal.FILE).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def no_fault(self) -> None:
        """Nothing has gone wrong inside."""
        assert not self.faults, self.log[-6000:]

    def kept(self, code: str) -> Kept:
        """A table as it lies on disk."""
        with self.rows() as rows:
            found = rows.execute(
                "SELECT id, status, state, played, logged FROM game_table WHERE code = ?", (code,)
            ).fetchone()
            lines = rows.execute('SELECT COUNT(*) FROM line WHERE "table" = ?', (found[0],)).fetchone()
        _, status, state, played, logged = found
        return Kept(status, state, played, logged, lines[0])

    @contextmanager
    def rows(self) -> Iterator[sqlite3.Connection]:
        """The database, to read only."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            yield connection
