"""Tables that lie in the database before a house opens on it, each in the midst of a match. Knows no game by name."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from mokali.engine import codec, fairness
from mokali.engine.protocol import HOUSE, Action, Game, Rules, Setup, State
from mokali.store import database, people, tables
from mokali.store.people import Door
from mokali.tables.clock import alarm, stands
from mokali.tables.table import Chair, Change, Entry, Luck, Opening, Table, pausing
from mokali.tables.terms import Terms
from tests.seated import NOW, Room, waiting
from tests.web.leaks import shortest
from tests.web.wire import Visitor

PATIENT = Terms(pause_seconds=3_600, waiting_minutes=100_000, vacant_minutes=100_000)
"""Nothing at such a table happens by itself."""
NOTHING: Final[Mapping[int, Mapping[str, Any]]] = {}
_ROOM = Door(1_000, 60_000)


class Prepared(NamedTuple):
    """A table as it was written, and the tokens of its people: in the order of their chairs, last who watches."""

    table: Table
    names: tuple[str, ...]
    tokens: tuple[str, ...]

    def visitors(self, base: str) -> list[Visitor]:
        """Its people with their devices, at a house of this address."""
        return [_device(base, name, token) for name, token in zip(self.names, self.tokens, strict=True)]


@contextmanager
def database_in(folder: Path) -> Iterator[None]:
    """The database of a house that is not open."""
    tables.forget()
    database.open_at(folder / "mokali.sqlite3")
    try:
        yield
    finally:
        database.close()
        tables.forget()


def written(game: Game, seats: int, seed: int, changes: int, now: int = NOW) -> Prepared:
    """A table after so many changes, or before the end of the match where negative; what it waits for began ``now``."""
    if changes < 0:
        changes += len(_played(waiting(seats, game=game, rules=shortest(game)), seed).changes)
    names = tuple(f"Oyuncu {seed}-{n}" for n in range(seats + 1))
    entered = [people.enter(name, _ROOM, now) for name in names]
    chairs = tuple(Chair(person.id) for person, _ in entered[:-1])
    opened = tables.open_table(Opening(entered[0][0].id, game, shortest(game), PATIENT, chairs), now)
    room = _played(opened, seed, changes)
    entries = tuple(Entry(entry.seat, entry.action) for change in room.changes for entry in change.entries)
    table = replace(room.table, since=now)
    kept = tables.commit(opened, Change(replace(table, wake_at=alarm(table)), entries), now)
    assert kept is not None
    return Prepared(kept, names, tuple(token for _, token in entered))


def placed(
    game: Game,
    rules: Rules,
    setup: Setup,
    names: Sequence[str],
    now: int = NOW,
    terms: Terms = PATIENT,
    lots: Sequence[Action] = (),
) -> Prepared:
    """A table in a set-up position, people in its chairs; who watches is the last of ``names``.

    ``lots`` is the luck that lies sealed there, as if the house had drawn it.
    """
    entered = [people.enter(name, _ROOM, now) for name in names]
    chairs = tuple(Chair(person.id) for person, _ in entered[:-1])
    opened = tables.open_table(Opening(entered[0][0].id, game, rules, terms, chairs), now)
    state, salt = game.state.start(rules, len(chairs), setup), "0" * 32
    sealed = fairness.seal(fairness.words(lots), salt)
    luck = Luck(tuple(map(codec.encode, lots)), salt, sealed) if lots else None
    table = replace(opened, state=state, luck=luck, played=1, logged=1, since=now, on_clock=state.turn, clock_since=now)
    seal = Entry(HOUSE, fairness.Seal(sealed))
    kept = tables.commit(opened, Change(replace(table, wake_at=alarm(table)), (seal,)), now)
    assert kept is not None
    return Prepared(kept, tuple(names), tuple(token for _, token in entered))


def put(
    lying: Prepared,
    state: State,
    now: int,
    away: Collection[int] = (),
    chairs: Mapping[int, Mapping[str, Any]] = NOTHING,
) -> None:
    """Lay a table into another position of the same rules, racks as they are dealt; the seats ``away`` are lost.

    ``chairs`` are other fields of some chairs. The clock of whoever is on turn is wound.
    """
    before = tables.load(lying.table.id)
    taken = tuple(
        replace(Chair(chair.user, away_since=now if seat in away else None, came=chair.came), **chairs.get(seat, {}))
        for seat, chair in enumerate(before.chairs)
    )
    counted = {"played": before.played + 1, "logged": before.logged + 1, "revision": before.revision + 1}
    table = replace(
        before, state=state, chairs=taken, luck=None, ready=(), since=now, dealt=counted["played"], **counted
    )
    table = replace(table, on_clock=state.turn, clock_since=now, stood_since=None)
    table = replace(table, stood_since=now if stands(table) else None)
    seal = Entry(HOUSE, fairness.Seal("0" * 64))
    assert tables.commit(before, Change(replace(table, wake_at=alarm(table)), (seal,)), now) is not None


def first_pause(game: Game, seats: int, seed: int) -> int | None:
    """After how many changes of that match luck lies sealed for a hand that has not begun; None where it never does."""
    changes = _played(waiting(seats, game=game, rules=shortest(game)), seed).changes
    return next((n for n, done in enumerate(changes, 1) if pausing(done.table) and done.table.luck is not None), None)


def length(game: Game, seats: int, seed: int, most: int) -> int:
    """How many changes that match has, counted up to ``most``."""
    return len(_played(waiting(seats, game=game, rules=shortest(game)), seed, most).changes)


def _played(table: Table, seed: int, changes: int | None = None) -> Room:
    """Random moves from the start, to the end or for so many changes; the same ones for the same seed."""
    rng, room = Random(seed), Room(table)
    room.begin(rng)
    for _ in room.play(rng, later=0):
        if changes is not None and len(room.changes) >= changes:
            break
    if (due := alarm(room.table)) is not None and due <= room.now:
        room.serve(rng)
    return room


def _device(base: str, name: str, token: str) -> Visitor:
    visitor = Visitor(base)
    visitor.name = name
    visitor.cookies["mokali"] = token
    visitor.tokens.add(token)
    return visitor
