"""Tables in rows: open, load, commit by compare-and-set, log, alarms, and who sits at which one."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from secrets import choice
from typing import Final

import msgspec
from msgspec.structs import replace
from peewee import IntegrityError, fn

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Game, IllegalAction, MalformedAction, Rules, Seat, State
from mokali.games import BY_KEY
from mokali.store import chance, racks, standings, talk
from mokali.store.database import run, transaction
from mokali.store.models import ChairRow, LineRow, TableRow
from mokali.tables.clock import alarm
from mokali.tables.table import Body, Change, Entry, No, Opening, Refused, Table

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters of a table's code: no 0 O 1 I L (RL-6)."""
CODE_LENGTH: Final = 6
REMEMBERED: Final = 256
"""Tables that a worker keeps decoded; to lose them costs time only."""

_known: dict[int, Table] = {}


class NoTable(LookupError):
    """There is no such table."""


class Unreadable(ValueError):
    """An older table that this edition can neither decode nor replay; the watch closes it (RL-51)."""


class Newer(ValueError):
    """A newer release's table: left alone, neither closed nor written (RL-51)."""


class TooMany(ValueError):
    """The house has no room for another table, or this person has opened too many (RL-13)."""


def open_table(opening: Opening, now: int, max_open: int | None = None) -> Table:
    """A new table, its opener in the first chair. Raises TooMany, Refused(SEATED_ELSEWHERE)."""
    with transaction():
        if max_open is not None and _open_tables() >= max_open:
            raise TooMany
        table = _insert(opening, now)
    return _remember(table)


def opened_since(person: int, since: int) -> int:
    """How many tables a person has opened since then."""
    return int(TableRow.select().where(TableRow.opener == person, TableRow.opened_at >= since).count())


def find(code: str) -> int:
    """The id of the table with this code, however it is written. Raises NoTable."""
    plain = "".join(code.upper().replace("İ", "I").split()).replace("-", "")
    row = TableRow.select(TableRow.id).where(TableRow.code == plain).tuples().first()
    if row is None:
        raise NoTable(code)
    return int(row[0])


def load(table_id: int) -> Table:
    """The table as it is now. Raises NoTable, Unreadable, Newer."""
    known = _known.get(table_id)
    if known is not None:
        row = run("SELECT revision FROM game_table WHERE id = ?", table_id).fetchone()
        if row is not None and known.revision >= row[0]:  # never ==: the memory may be newer than a slow reader's row
            return known
    row = TableRow.get_or_none(TableRow.id == table_id)
    if row is None:
        raise NoTable(table_id)
    return _remember(_decoded(row))


def remembered(table_id: int) -> Table | None:
    """What this worker last saw of a table, without asking the database."""
    return _known.get(table_id)


def commit(before: Table, change: Change, now: int) -> Table | None:
    """Write checkpoint, log, chairs and results in one transaction; None where another was quicker.

    The database alone decides that, by the revision that ``before`` was read with (RL-30).
    Raises Refused(SEATED_ELSEWHERE) where somebody holds a seat at another table, NotKept where nothing was written.
    """
    try:
        with transaction():
            after = change.table
            opened = None
            if change.opens is not None:
                opened = _insert(_free_only(change.opens, but=before.id), now, leaving=before.id)
                racks.clear(before.id)
                talk.clear(before.id)
                after = replace(after, successor=opened.code)
            _update(before, after)
            _cut(after, change.cut)
            _append(before, change.entries)
            if after.game.assist is not None:
                racks.follow(after, _drawing(before, change))
            _sync_chairs(before, after, now)
            if before.ended is None and after.ended is not None:
                standings.settle(after, now)
                chance.owe()
                talk.clear(after.id)
    except _Lost:
        _known.pop(before.id, None)
        return None
    if opened is not None:
        _remember(opened)
    return _remember(after)


def log(table_id: int) -> record.Log:
    """Every line of a table's log, in order."""
    return _lines(table_id, load(table_id).game)


def ringing(now: int) -> list[int]:
    """The tables whose alarm is due."""
    rows = TableRow.select(TableRow.id).where(TableRow.wake_at.is_null(False), TableRow.wake_at <= now)
    return [row[0] for row in rows.order_by(TableRow.wake_at).tuples()]


def claim(table_id: int, now: int, until: int) -> bool:
    """Take a due alarm upon oneself: it rings again at ``until``, unless something changes. False: another has it."""
    with transaction():
        row = (TableRow.id == table_id) & (TableRow.wake_at <= now)
        return bool(TableRow.update(wake_at=until).where(row).execute())


def unreadable() -> list[int]:
    """The open tables that this edition can't read any more (RL-51)."""
    found = []
    for row in TableRow.select(TableRow.id).where(TableRow.status != "ended").tuples():
        try:
            with suppress(MalformedAction, Newer):  # a bug is no reason to close: whoever opens it says so
                load(row[0])
        except Unreadable:
            found.append(row[0])
    return found


def close_unreadable(table_id: int) -> None:
    """End a table that can't be read any more; its log stays."""
    with transaction():
        TableRow.update(status="ended", wake_at=None, revision=TableRow.revision + 1).where(
            TableRow.id == table_id
        ).execute()
        ChairRow.update(holds=None, away=True).where(ChairRow.table == table_id).execute()
        racks.clear(table_id)
        talk.clear(table_id)


def listed() -> list[Table]:
    """The open tables that the lobby shows, the newest first; without those that can't be read (RL-51)."""
    rows = TableRow.select(TableRow.id).where(TableRow.status != "ended", TableRow.listed).order_by(-TableRow.id)
    found = []
    for row in rows.tuples():
        with suppress(Unreadable, Newer):
            found.append(load(row[0]))
    return found


def seat_held(person: int) -> int | None:
    """The table at which a person holds a seat; None where nothing binds him."""
    row = ChairRow.select(ChairRow.table).where(ChairRow.holds == person).tuples().first()
    return None if row is None else int(row[0])


def sat_at(person: int) -> list[int]:
    """Every table at which a person has a chair, finished or not."""
    return [row[0] for row in ChairRow.select(ChairRow.table).where(ChairRow.person == person).tuples()]


def touch(table_id: int, present: Iterable[int], now: int) -> None:
    """These people are in touch at a table. To be called inside a transaction."""
    for person in present:
        run('UPDATE chair SET seen_at = ? WHERE "table" = ? AND person = ?', now, table_id, person)


def revisions(some: Iterable[int]) -> dict[int, int]:
    """The revisions of these tables as they stand in the rows."""
    return dict(TableRow.select(TableRow.id, TableRow.revision).where(TableRow.id.in_(list(some))).tuples())


def by_status() -> dict[str, int]:
    """How many tables are waiting, playing and ended."""
    return dict(TableRow.select(TableRow.status, fn.COUNT(TableRow.id)).group_by(TableRow.status).tuples())


def out_of_touch(before: int) -> list[tuple[int, int, int]]:
    """(table, person, last seen) of all who were last in touch before then and are not yet marked away."""
    rows = ChairRow.select(ChairRow.table, ChairRow.person, ChairRow.seen_at)
    return list(rows.where(~ChairRow.away, ChairRow.seen_at < before).tuples())


def marked_away(some: Iterable[int]) -> set[tuple[int, int]]:
    """(table, person) of the chairs at these tables that are marked away."""
    rows = ChairRow.select(ChairRow.table, ChairRow.person).where(ChairRow.table.in_(list(some)), ChairRow.away)
    return set(rows.tuples())


# --- rows ---


class _Lost(Exception):
    """Another command was committed first."""


def _open_tables() -> int:
    return int(TableRow.select().where(TableRow.status != "ended").count())


def _insert(opening: Opening, now: int, leaving: int | None = None) -> Table:
    """The row and chairs of a new table; whoever comes from ``leaving`` is set free there."""
    empty = not any(chair.user is not None for chair in opening.chairs)
    table = Table(
        id=0,
        code=_new_code(),
        opener=opening.opener,
        game=opening.game,
        rules=opening.rules,
        terms=opening.terms,
        chairs=opening.chairs,
        ready=opening.ready,
        revision=1,
        since=now,
        vacant_since=now if empty else None,
    )
    table = replace(table, wake_at=alarm(table))
    table_id = TableRow.insert(
        opened_at=now, rules=codec.encode(table.rules), **_listing(table), **_contents(table)
    ).execute()
    table = replace(table, id=table_id)
    if leaving is not None:
        ChairRow.update(holds=None).where(ChairRow.table == leaving).execute()
    _write_chairs(table, now)
    return table


def _new_code() -> str:
    while True:
        code = "".join(choice(ALPHABET) for _ in range(CODE_LENGTH))
        if not TableRow.select().where(TableRow.code == code).exists():
            return code


def _listing(table: Table) -> dict[str, object]:
    """What is looked for in columns: written only where it changes, since indexes hang on it."""
    status = "ended" if table.ended is not None else "waiting" if table.state is None else "playing"
    return {
        "code": table.code,
        "status": status,
        "listed": table.terms.listed,
        "opener": table.opener,
        "game": table.game.key,
        "wake_at": table.wake_at,
    }


def _contents(table: Table) -> dict[str, object]:
    """What changes with a move."""
    return {
        "edition": table.game.edition,
        "revision": table.revision,
        "played": table.played,
        "logged": table.logged,
        "body": codec.encode(msgspec.convert(table, Body, from_attributes=True)),
        "state": None if table.state is None else codec.encode(table.state),
    }


def _update(before: Table, after: Table) -> None:
    was = _listing(before)
    columns = {name: value for name, value in _listing(after).items() if value != was[name]} | _contents(after)
    chosen = ", ".join(f"{name} = ?" for name in columns)
    sql = f"UPDATE game_table SET {chosen} WHERE id = ? AND revision = ?"
    if run(sql, *columns.values(), before.id, before.revision).rowcount != 1:
        raise _Lost


def _cut(after: Table, lines: int) -> None:
    """Take off the last lines of the log (PT-4)."""
    if lines:
        run('DELETE FROM line WHERE "table" = ? AND n >= ?', after.id, after.logged)


def _append(before: Table, entries: Sequence[Entry]) -> None:
    for n, entry in enumerate(entries, before.logged):
        sql = 'INSERT INTO line ("table", n, seat, action) VALUES (?, ?, ?, ?)'
        run(sql, before.id, n, entry.seat, codec.encode(entry.action))


def _drawing(before: Table, change: Change) -> Iterable[Seat]:
    """The seats that may hold other tiles now: all after a deal, else who has acted or taken that back."""
    if change.table.dealt != before.dealt or change.cut:
        return range(len(before.chairs))
    return {entry.seat for entry in change.entries} - {HOUSE}


def _sync_chairs(before: Table, after: Table, now: int) -> None:
    if before.chairs != after.chairs or (before.ended is None) != (after.ended is None):
        seen = {row.person: row.seen_at for row in ChairRow.select().where(ChairRow.table == before.id)}
        ChairRow.delete().where(ChairRow.table == before.id).execute()
        _write_chairs(after, now, seen)


def _write_chairs(table: Table, now: int, seen: dict[int, int] | None = None) -> None:
    """One row a person; ``seen`` keeps what was known of those who are still away. Raises Refused(SEATED_ELSEWHERE)."""
    for chair in table.chairs:
        if chair.user is None:
            continue
        seen_at = now if chair.connected else (seen or {}).get(chair.user, now)
        try:
            ChairRow.insert(
                table=table.id,
                person=chair.user,
                holds=None if chair.left or table.ended is not None else chair.user,
                seen_at=seen_at,
                away=not chair.connected,
            ).execute()
        except IntegrityError as error:
            raise Refused(No.SEATED_ELSEWHERE) from error


def _free_only(opening: Opening, but: int) -> Opening:
    """The opening without those who have sat down at another table since."""
    people = [chair.user for chair in opening.chairs if chair.user is not None]
    busy = {
        row[0]
        for row in ChairRow.select(ChairRow.holds).where(ChairRow.holds.in_(people), ChairRow.table != but).tuples()
    }
    chairs = tuple(chair if chair.user not in busy else type(chair)() for chair in opening.chairs)
    return replace(opening, chairs=chairs, ready=tuple(n for n in opening.ready if chairs[n].user is not None))


# --- decoding ---


def _decoded(row: TableRow) -> Table:
    game = BY_KEY.get(row.game)
    if game is None or row.edition > game.edition:
        raise Newer(row.code)
    rules = codec.decode(type(next(iter(game.rulesets.values()))), row.rules)
    body = codec.decode(Body, row.body)
    return Table(
        **{name: getattr(body, name) for name in Body.__struct_fields__},
        id=row.id,
        code=row.code,
        opener=row.opener,
        game=game,
        rules=rules,
        state=None if row.state is None else _state(row, game, rules, len(body.chairs)),
        played=row.played,
        logged=row.logged,
        revision=row.revision,
        wake_at=row.wake_at,
    )


def _state(row: TableRow, game: Game, rules: Rules, seats: int) -> State:
    """The checkpoint; where an older edition's doesn't decode, the log is replayed (RL-51). Raises Unreadable."""
    try:
        return codec.decode(game.state, row.state)
    except MalformedAction:
        if row.edition >= game.edition:
            raise  # a checkpoint of our own edition that doesn't decode is a bug
    try:
        log = _lines(row.id, game)
        if len(log) != row.logged:
            raise Unreadable(f"{row.code}: {len(log)} lines of {row.logged}")
        return record.resume(game, rules, seats, log)
    except (MalformedAction, IllegalAction) as error:
        raise Unreadable(row.code) from error


def _lines(table_id: int, game: Game) -> record.Log:
    kinds = game.actions + game.lots + game.idles + fairness.NOTES
    lines = LineRow.select(LineRow.seat, LineRow.action).where(LineRow.table == table_id).order_by(LineRow.n)
    return tuple((seat, codec.read_action(kinds, action)) for seat, action in lines.tuples())


def _remember(table: Table) -> Table:
    if len(_known) >= REMEMBERED and table.id not in _known:
        _known.pop(next(iter(_known)))
    _known[table.id] = table
    return table


def forget() -> None:
    """Drop everything remembered, as a restart would."""
    _known.clear()
