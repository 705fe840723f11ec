"""What is said at tables: lines, phrases and voice messages in rows, gone when the match is (SITE-20)."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from peewee import fn

from mokali.store.database import run, transaction
from mokali.store.models import TableRow, TalkRow

Kind: TypeAlias = Literal["chat", "phrase", "voice"]

MINUTE_MS: Final = 60_000
KEPT_MS: Final = 10 * MINUTE_MS
"""So long a voice message is kept, and whatever is said at a table whose match is over (RL-44)."""
SHOWN: Final = 80
"""What was said last, at most so much, is shown at a table."""


class Pace(Struct, frozen=True):
    """How often one person may: ``gap`` milliseconds apart, ``most`` in any minute (SITE-14, SITE-17)."""

    gap: int
    most: int


class Said(Struct, frozen=True):
    """Something that was said. ``text`` is the line, the phrase's key or the voice message's random name."""

    id: int
    person: int
    kind: Kind
    text: str
    seconds: float
    """How long a voice message is; 0 of everything else."""
    at: int


class Hurry(ValueError):
    """Not yet: ``too_soon`` after the last, or ``too_many`` in a minute; ``wait`` milliseconds."""

    def __init__(self, code: str, wait: int) -> None:
        super().__init__(code)
        self.code, self.wait = code, wait


def check(person: int, kind: Kind, pace: Pace, now: int) -> None:
    """Raises Hurry where this person has to wait. What was refused never counts (SITE-17)."""
    sql = "SELECT said_at FROM talk WHERE person = ? AND kind = ? AND said_at > ? ORDER BY said_at DESC"
    lately = [at for (at,) in run(sql, person, kind, now - MINUTE_MS).fetchall()]
    if lately and now - lately[0] < pace.gap:
        raise Hurry("too_soon", lately[0] + pace.gap - now)
    if len(lately) >= pace.most:
        raise Hurry("too_many", lately[pace.most - 1] + MINUTE_MS - now)


def say(table: int, person: int, kind: Kind, text: str, pace: Pace, now: int) -> None:
    """Keep a line or a phrase. Raises Hurry, NotKept."""
    with transaction():
        check(person, kind, pace, now)
        TalkRow.insert(table=table, person=person, kind=kind, text=text, seconds=0, said_at=now).execute()


def speak(table: int, person: int, name: str, audio: bytes, seconds: float, pace: Pace, now: int, room: int) -> None:
    """Keep a voice message that arrived at ``now``; the oldest make room where all are more than ``room`` bytes.

    Raises Hurry, NotKept.
    """
    with transaction():
        check(person, "voice", pace, now)
        _make_room(room - len(audio))
        row = {"table": table, "person": person, "kind": "voice", "text": name, "seconds": seconds, "said_at": now}
        TalkRow.insert(**row, audio=audio).execute()


def said(table: int) -> tuple[Said, ...]:
    """What was said last at a table, in order."""
    sql = 'SELECT id, person, kind, text, seconds, said_at FROM talk WHERE "table" = ? ORDER BY id DESC LIMIT ?'
    return tuple(Said(*row) for row in reversed(run(sql, table, SHOWN).fetchall()))


def newest(tables: set[int]) -> dict[int, int]:
    """The last thing said at each of these tables, by number; tables where nothing was are missing."""
    rows = TalkRow.select(TalkRow.table, fn.MAX(TalkRow.id)).where(TalkRow.table.in_(list(tables)))
    return dict(rows.group_by(TalkRow.table).tuples())


def voice(table: int, name: str) -> bytes | None:
    """The sound of a message of this table; None where there is none, or no more."""
    row = TalkRow.select(TalkRow.audio).where(TalkRow.table == table, TalkRow.kind == "voice", TalkRow.text == name)
    found = row.tuples().first()
    return None if found is None else bytes(found[0])


def clear(table: int) -> None:
    """The match is over. To be called inside the transaction that ends it."""
    TalkRow.delete().where(TalkRow.table == table).execute()


def forget(person: int) -> None:
    """Somebody closes the account (RL-7). To be called inside a transaction."""
    TalkRow.delete().where(TalkRow.person == person).execute()


def sweep(now: int) -> set[int]:
    """Delete what is too old; the tables where something was (RL-44). Raises NotKept."""
    over = TableRow.select(TableRow.id).where(TableRow.status == "ended")
    old = (TalkRow.said_at <= now - KEPT_MS) & ((TalkRow.kind == "voice") | TalkRow.table.in_(over))
    found = {table for (table,) in TalkRow.select(TalkRow.table).where(old).distinct().tuples()}
    if found:
        with transaction():
            TalkRow.delete().where(old).execute()
    return found


def _make_room(most: int) -> None:
    sql = "SELECT id, length(audio) FROM talk WHERE kind = 'voice' ORDER BY id DESC"
    kept, old = 0, []
    for number, size in run(sql).fetchall():
        kept += size
        if kept > most:
            old.append(number)
    if old:
        TalkRow.delete().where(TalkRow.id.in_(old)).execute()
