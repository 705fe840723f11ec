"""Tables in a database, for tests: opened, played on through the store, and looked at past it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from mokali.engine.protocol import HOUSE
from mokali.store import tables
from mokali.tables import autopilot
from mokali.tables.decide import decide
from mokali.tables.table import Ask, Chair, Change, Command, Opening, Ready, Table
from mokali.tables.terms import Terms
from tests.seated import NOW, PISTI, Room

QUICK = Terms(pause_seconds=0)


def opening(*people: int | None, terms: Terms = QUICK, target: int = 51) -> Opening:
    """A Pişti table with these people in its chairs; the first has opened it."""
    opener = next((person for person in people if person is not None), 1)
    rules = type(PISTI.rulesets["klasik"])(target=target)
    return Opening(opener, PISTI, rules, terms, tuple(Chair(person) for person in people))


def opened(*people: int | None, now: int = NOW, terms: Terms = QUICK) -> Table:
    """The same, in the database."""
    return tables.open_table(opening(*people, terms=terms), now)


def do(table_id: int, command: Command, now: int = NOW) -> Table:
    """Load, decide, commit, as the door does it; somebody quicker is a failure."""
    before = tables.load(table_id)
    after = tables.commit(before, decide(before, command, now), now)
    assert after is not None
    return after


def begun(*people: int, now: int = NOW, terms: Terms = QUICK, seed: int = 1) -> Table:
    """A table whose first hand has been dealt."""
    table = opened(*people, now=now, terms=terms)
    for person in people:
        do(table.id, Ask(person, Ready()), now)
    return served(table.id, now, Random(seed))


def served(table_id: int, now: int, rng: Random) -> Table:
    """Every errand that is due."""
    while (command := autopilot.errand(tables.load(table_id), now, rng)) is not None:
        do(table_id, command, now)
    return tables.load(table_id)


class KeptRoom(Room):
    """A room whose every change is committed."""

    def do(self, command: Command, later: int = 0) -> Change:
        self.now += later
        change = decide(self.table, command, self.now)
        after = tables.commit(self.table, change, self.now)
        assert after is not None
        self.changes.append(change)
        self.table = after
        return change


def played_out(*people: int, seed: int = 1, now: int = NOW) -> Table:
    """A finished match."""
    room = KeptRoom(opened(*people, now=now), now)
    room.begin(Random(seed))
    for _ in room.play(Random(seed)):
        pass
    assert room.table.ended is not None
    return room.table


def turn_of(table: Table) -> int:
    """The person on turn."""
    assert table.state is not None
    assert table.state.turn not in (None, HOUSE)
    person = table.chairs[table.state.turn or 0].user
    assert person is not None
    return person


@contextmanager
def past_the_store(path: Path) -> Iterator[sqlite3.Connection]:
    """Another connection to the file, as another process would have."""
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def rows(path: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """What stands in the file."""
    with past_the_store(path) as connection:
        return connection.execute(sql, values).fetchall()


def write(path: Path, sql: str, values: Sequence[Any] = ()) -> None:
    """Change the file behind the store's back."""
    with past_the_store(path) as connection:
        connection.execute(sql, values)


def all_bytes(path: Path) -> bytes:
    """The database and what lies beside it."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))
