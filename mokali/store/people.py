"""Admit at most so many, find by token, move to another device. Tokens are kept as SHA-256 only (RL-1)."""

from collections.abc import Iterable
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from msgspec import Struct
from peewee import Expression

from mokali.people import names as rules
from mokali.store import tables, talk
from mokali.store.database import checkpoint, run, transaction
from mokali.store.models import ChairRow, PersonRow, TransferRow

TOKEN_BYTES: Final = 32
NAME_KEPT_MS: Final = 60 * 24 * 3_600_000
"""So long a name stays with who has not been seen; then it may be taken anew."""

_names: dict[int, str] = {}
"""Names seen lately; what is stale here shows an old name until the next restart, and harms nobody."""


class Person(Struct, frozen=True):
    """Somebody who is in, or may be."""

    id: int
    name: str


class Door(Struct, frozen=True):
    """How many fit in at once, and how long somebody counts after the last sign of life, in milliseconds (SITE-3)."""

    most: int
    linger: int


class Full(ValueError):
    """The house is full (SITE-2)."""


class NameTaken(ValueError):
    """Somebody has this name; ``table`` is where that person sits in an unfinished game, if anywhere."""

    def __init__(self, person: int, table: int | None) -> None:
        super().__init__("name_taken")
        self.person = person
        self.table = table


class NoTransfer(LookupError):
    """The code to another device is unknown, used or too old."""


class Plea(Struct, frozen=True):
    """Somebody on another device says to be this person (SITE-21)."""

    id: str
    person: int
    name: str
    agreed: tuple[int, ...]


def by_token(token: str) -> Person | None:
    """Whose device this is."""
    row = PersonRow.get_or_none(PersonRow.token == _hash(token))
    return None if row is None else Person(row.id, row.name)


def enter(name: str, door: Door, now: int) -> tuple[Person, str]:
    """A new person with this name, and the token of the device. Check and entry are one step (RL-12).

    Raises BadName, NameTaken, Full.
    """
    clean = rules.clean(name)
    token = token_urlsafe(TOKEN_BYTES)
    with transaction():
        _still_free(clean, now)
        _room(door, now)
        row = PersonRow.create(name=clean, key=rules.key(clean), token=_hash(token), seen_at=now, entered_at=now)
    return Person(row.id, clean), token


def admit(person: int, door: Door, now: int) -> None:
    """Let somebody known in, and count the sign of life. Raises Full; never for who holds a seat (SITE-4)."""
    with transaction():
        seen_at = PersonRow.select(PersonRow.seen_at).where(PersonRow.id == person).scalar() or 0
        if seen_at <= now - door.linger and tables.seat_held(person) is None:
            _room(door, now, but=person)
        PersonRow.update(seen_at=now).where(PersonRow.id == person).execute()


def check_room(door: Door, now: int) -> None:
    """Raises Full where no newcomer fits in now; ``enter`` alone decides."""
    _room(door, now)


def touch(people: Iterable[int], now: int) -> None:
    """These people are in touch. To be called inside a transaction."""
    PersonRow.update(seen_at=now).where(PersonRow.id.in_(list(people))).execute()


def inside(door: Door, now: int) -> list[Person]:
    """Everybody who counts (SITE-3): in touch lately, or holding a seat in an unfinished game; by name unsorted."""
    rows = PersonRow.select(PersonRow.id, PersonRow.name).where(_counts(door, now), PersonRow.name.is_null(False))
    return [Person(*row) for row in rows.tuples()]


def names(people: Iterable[int]) -> dict[int, str]:
    """Names by person; who has closed the account is missing."""
    wanted = set(people)
    unknown = wanted - _names.keys()
    if unknown:
        rows = PersonRow.select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(unknown))
        _names.update({row[0]: row[1] for row in rows.tuples() if row[1] is not None})
    return {person: _names[person] for person in wanted if person in _names}


def rename(person: int, name: str, now: int) -> tuple[Person, str]:
    """The person under a new name, with a new token (RL-3). Raises BadName, NameTaken."""
    clean = rules.clean(name)
    token = token_urlsafe(TOKEN_BYTES)
    with transaction():
        _still_free(clean, now, but=person)
        PersonRow.update(name=clean, key=rules.key(clean), token=_hash(token)).where(PersonRow.id == person).execute()
    _names.pop(person, None)
    return Person(person, clean), token


def sign_out(person: int) -> None:
    """End the device's token. Who holds a seat can come back by the table's approval; else the name may be taken."""
    with transaction():
        PersonRow.update(token=None).where(PersonRow.id == person).execute()
        TransferRow.delete().where(TransferRow.person == person).execute()


def close_account(person: int) -> None:
    """Delete name and token; results stay under nobody's name (RL-7)."""
    with transaction():
        PersonRow.update(name=None, key=None, token=None, seen_at=0).where(PersonRow.id == person).execute()
        TransferRow.delete().where(TransferRow.person == person).execute()
        ChairRow.delete().where(ChairRow.person == person).execute()
        talk.forget(person)
    _names.pop(person, None)
    checkpoint()


# --- to another device ---


def link(person: int, until: int) -> str:
    """A code that hands the identity to the device that uses it: once, and before ``until`` (RL-5)."""
    code = token_urlsafe(TOKEN_BYTES)
    with transaction():
        TransferRow.delete().where(TransferRow.person == person, TransferRow.table.is_null()).execute()
        TransferRow.create(code=_hash(code), person=person, expires_at=until)
    return code


def linked(code: str, now: int) -> Person:
    """Whose link this is; it stays good. Raises NoTransfer."""
    return _named(_link(code, now).person)


def use_link(code: str, now: int) -> tuple[Person, str]:
    """The person, and the token of the new device; the old one's ends. Raises NoTransfer."""
    with transaction():
        return _handed_over(_link(code, now))


def plead(name: str, until: int) -> tuple[Person, int, str]:
    """Ask the table of the seated person of this name: the person, the table, and what the asking device keeps.

    Raises NoTransfer where nobody of that name sits in an unfinished game.
    """
    secret = token_urlsafe(TOKEN_BYTES)
    with transaction():
        row = PersonRow.get_or_none(PersonRow.key == rules.key(name))
        table = None if row is None else tables.seat_held(row.id)
        if row is None or table is None:
            raise NoTransfer(name)
        TransferRow.create(code=_hash(secret), person=row.id, table=table, expires_at=until)
    return Person(row.id, row.name), table, secret


def pleas(table: int, now: int) -> list[Plea]:
    """What the people at this table are asked, the oldest first."""
    if run('SELECT 1 FROM transfer WHERE "table" = ?', table).fetchone() is None:
        return []  # as it is at nearly every move
    rows = TransferRow.select().where(TransferRow.table == table, ~TransferRow.refused, TransferRow.expires_at > now)
    found = list(rows.order_by(TransferRow.expires_at))
    called = names(row.person for row in found)
    return [Plea(r.code, r.person, called[r.person], _agreed(r)) for r in found if r.person in called]


def answer(plea: str, table: int, by: int, now: int, *, yes: bool) -> None:
    """One of the table's people answers; one "no" ends it. Raises NoTransfer."""
    with transaction():
        row = TransferRow.get_or_none(TransferRow.code == plea, TransferRow.table == table)
        if row is None or row.refused or row.expires_at <= now:
            raise NoTransfer(plea)
        row.agreed = ",".join(map(str, sorted({*_agreed(row), by} if yes else _agreed(row))))
        row.refused = not yes
        row.save()


def plea_state(secret: str, now: int) -> tuple[str, Person | None, int | None]:
    """``waiting``, ``refused`` or ``expired``, who it is about, and the table that is asked."""
    row = TransferRow.get_or_none(TransferRow.code == _hash(secret))
    if row is None or row.table is None:
        return "expired", None, None
    state = "refused" if row.refused else "expired" if row.expires_at <= now else "waiting"
    return state, _named(row.person), row.table


def claim(secret: str, needed: frozenset[int], now: int) -> tuple[Person, str] | None:
    """The identity for the asking device once all of ``needed`` agree, at least one; the old token ends. None before.

    Raises NoTransfer.
    """
    with transaction():
        row = _transfer(secret, now)
        if row.table is None:
            raise NoTransfer("no plea")
        return _handed_over(row) if needed and needed <= {*_agreed(row)} else None


# --- helpers ---


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _counts(door: Door, now: int) -> Expression:
    seated = ChairRow.select(ChairRow.holds).where(ChairRow.holds.is_null(False))
    return (PersonRow.seen_at > now - door.linger) | PersonRow.id.in_(seated)


def _room(door: Door, now: int, but: int = 0) -> None:
    counted = PersonRow.select().where(_counts(door, now), PersonRow.name.is_null(False), PersonRow.id != but).count()
    if counted >= door.most:
        raise Full


def _still_free(name: str, now: int, but: int = 0) -> None:
    """Raises NameTaken, unless its holder sits nowhere and has signed out or not been seen for long."""
    row = PersonRow.get_or_none(PersonRow.key == rules.key(name), PersonRow.id != but)
    if row is None:
        return
    table = tables.seat_held(row.id)
    if table is None and (row.token is None or row.seen_at < now - NAME_KEPT_MS):
        PersonRow.update(key=None, token=None).where(PersonRow.id == row.id).execute()
        return
    raise NameTaken(row.id, table)


def _transfer(code: str, now: int) -> TransferRow:
    row: TransferRow | None = TransferRow.get_or_none(TransferRow.code == _hash(code))
    if row is None or row.expires_at <= now or row.refused:
        raise NoTransfer("unknown, used or too old")
    return row


def _link(code: str, now: int) -> TransferRow:
    """What a plea was asked with is no link: it opens nothing before the table has agreed (SITE-21)."""
    row = _transfer(code, now)
    if row.table is not None:
        raise NoTransfer("a plea")
    return row


def _agreed(row: TransferRow) -> tuple[int, ...]:
    return tuple(int(person) for person in row.agreed.split(",") if person)


def _named(person: int) -> Person:
    row = PersonRow.get_by_id(person)
    if row.name is None or row.key is None:
        raise NoTransfer("closed account, or the name is another's by now")
    return Person(row.id, row.name)


def _handed_over(row: TransferRow) -> tuple[Person, str]:
    person, token = _named(row.person), token_urlsafe(TOKEN_BYTES)
    PersonRow.update(token=_hash(token)).where(PersonRow.id == row.person).execute()
    TransferRow.delete().where(TransferRow.person == row.person).execute()
    return person, token
