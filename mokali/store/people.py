"""Admit at most so many, find by token, move to another device. Tokens are kept as SHA-256 only (RL-1)."""

from collections.abc import Iterable
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from msgspec import Struct
from peewee import Expression

from mokali.people import names as rules
from mokali.store.database import checkpoint, transaction
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
        if seen_at <= now - door.linger and not _holds_seat(person):
            _room(door, now, but=person)
        PersonRow.update(seen_at=now).where(PersonRow.id == person).execute()


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


def close_account(person: int) -> None:
    """Delete name and token; results stay under nobody's name (RL-7)."""
    with transaction():
        PersonRow.update(name=None, key=None, token=None, seen_at=0).where(PersonRow.id == person).execute()
        TransferRow.delete().where(TransferRow.person == person).execute()
        ChairRow.delete().where(ChairRow.person == person).execute()
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
        table = None if row is None else _seat_table(row.id)
        if row is None or table is None:
            raise NoTransfer(name)
        TransferRow.create(code=_hash(secret), person=row.id, table=table, expires_at=until)
    return Person(row.id, row.name), table, secret


def pleas(table: int, now: int) -> list[Plea]:
    """What the people at this table are asked, the oldest first."""
    rows = TransferRow.select().where(
        TransferRow.table == table, ~TransferRow.granted, ~TransferRow.refused, TransferRow.expires_at > now
    )
    found = [(row.code, row.person) for row in rows.order_by(TransferRow.expires_at)]
    called = names(person for _, person in found)
    return [Plea(code, person, called[person]) for code, person in found if person in called]


def answer(plea: str, table: int, by: int, needed: frozenset[int], now: int, *, yes: bool) -> None:
    """One of the table's people answers; granted once all of ``needed`` agree. Raises NoTransfer."""
    with transaction():
        row = TransferRow.get_or_none(TransferRow.code == plea, TransferRow.table == table)
        if row is None or row.refused or row.expires_at <= now:
            raise NoTransfer(plea)
        agreed = {int(person) for person in row.agreed.split(",") if person} | ({by} if yes else set())
        row.agreed = ",".join(map(str, sorted(agreed)))
        row.refused = not yes
        row.granted = yes and bool(needed) and needed <= agreed
        row.save()


def plea_state(secret: str, now: int) -> tuple[str, Person | None]:
    """``waiting``, ``granted``, ``refused`` or ``expired``, and who it is about."""
    row = TransferRow.get_or_none(TransferRow.code == _hash(secret))
    if row is None:
        return "expired", None
    person = _named(row.person)
    if row.refused:
        return "refused", person
    if row.expires_at <= now:
        return "expired", person
    return ("granted" if row.granted else "waiting"), person


def claim(secret: str, now: int) -> tuple[Person, str]:
    """The granted identity for the asking device; the old token ends. Raises NoTransfer."""
    with transaction():
        row = _transfer(secret, now)
        if row.table is None or not row.granted:
            raise NoTransfer("not granted")
        return _handed_over(row)


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
    table = _seat_table(row.id)
    if table is None and (row.token is None or row.seen_at < now - NAME_KEPT_MS):
        PersonRow.update(key=None, token=None).where(PersonRow.id == row.id).execute()
        return
    raise NameTaken(row.id, table)


def _seat_table(person: int) -> int | None:
    row = ChairRow.select(ChairRow.table).where(ChairRow.holds == person).tuples().first()
    return None if row is None else int(row[0])


def _holds_seat(person: int) -> bool:
    return _seat_table(person) is not None


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


def _named(person: int) -> Person:
    row = PersonRow.get_by_id(person)
    if row.name is None:
        raise NoTransfer("closed account")
    return Person(row.id, row.name)


def _handed_over(row: TransferRow) -> tuple[Person, str]:
    person, token = _named(row.person), token_urlsafe(TOKEN_BYTES)
    PersonRow.update(token=_hash(token)).where(PersonRow.id == row.person).execute()
    TransferRow.delete().where(TransferRow.person == row.person).execute()
    return person, token
