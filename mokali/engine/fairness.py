"""Sealed luck: publish a hash, open it after the hand, check a whole log. Games know nothing of it."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from mokali.engine.protocol import HOUSE, Action, Seat


class Seal(Action, frozen=True):
    """Published before the luck that follows (RL-36)."""

    sha256: str


class Reveal(Action, frozen=True):
    """What opens the seal: the salt, and the words of the luck that was not used."""

    salt: str
    rest: tuple[str | int, ...] = ()


NOTES: Final[tuple[type[Action], ...]] = (Seal, Reveal)
"""Lines of the house that stand in a log and change no match."""


def words(lots: Iterable[Action]) -> tuple[str, ...]:
    """The luck as plain words: the values of the house's lines, in order."""
    return tuple(word for lot in lots for value in _values(lot) for word in value)


def seal(luck: Sequence[str], salt: str) -> str:
    """The hash that is published: what ``sha256sum`` prints for the words and the salt, joined by spaces."""
    return sha256(" ".join((*luck, salt)).encode()).hexdigest()


def broken(log: Iterable[tuple[Seat, Action]], lots: tuple[type[Action], ...]) -> str | None:
    """What is wrong with the seals of a whole log, in one line; None where nothing is."""
    published: str | None = None
    used: list[str] = []
    for number, (seat, action) in enumerate(log):
        match action:
            case Seal():
                if published is not None:
                    return f"line {number}: a new seal before the last was opened"
                published, used = action.sha256, []
            case Reveal():
                if published is None:
                    return f"line {number}: nothing was sealed"
                if seal((*used, *map(str, action.rest)), action.salt) != published:
                    return f"line {number}: the seal does not open"
                published = None
            case _ if seat == HOUSE and isinstance(action, lots):
                if published is None:
                    return f"line {number}: luck without a seal"
                used.extend(words((action,)))
    return None if published is None else "the last seal was never opened"


class Sealed(Struct, frozen=True):
    """What a log tells of one seal: the luck that was played under it, and what opened it.

    ``sha256`` is None where nothing was sealed before the luck, ``opened`` where it was not opened; ``end`` is the
    number of the line after its last.
    """

    sha256: str | None
    lots: tuple[Action, ...]
    opened: Reveal | None
    end: int

    @property
    def words(self) -> tuple[str, ...]:
        """All that was sealed: what was played, then what was left over."""
        return (*words(self.lots), *(map(str, self.opened.rest) if self.opened is not None else ()))

    @property
    def text(self) -> str | None:
        """The text that is hashed; None while nobody knows the salt."""
        return None if self.opened is None else " ".join((*self.words, self.opened.salt))

    @property
    def found(self) -> str | None:
        """The hash of that text."""
        return None if self.opened is None else seal(self.words, self.opened.salt)

    @property
    def holds(self) -> bool:
        """Whether the seal is the one that was shown."""
        return self.sha256 is not None and self.found == self.sha256


def openings(log: Iterable[tuple[Seat, Action | None]], lots: tuple[type[Action], ...]) -> tuple[Sealed, ...]:
    """The seals of a log in order, each with its luck; a line that can't be read is None, and no luck.

    They all hold, save a last one that is still closed, exactly where nothing is ``broken``.
    """
    found: list[Sealed] = []
    sha256, used, number = None, list[Action](), 0
    for number, (seat, action) in enumerate(log, 1):
        if isinstance(action, Seal):
            if sha256 is not None or used:
                found.append(Sealed(sha256, tuple(used), None, number - 1))
            sha256, used = action.sha256, []
        elif isinstance(action, Reveal):
            found.append(Sealed(sha256, tuple(used), action, number))
            sha256, used = None, []
        elif seat == HOUSE and isinstance(action, lots):
            used.append(action)
    return (*found, Sealed(sha256, tuple(used), None, number)) if sha256 is not None or used else tuple(found)


def _values(lot: Action) -> Iterable[Iterable[str]]:
    for value in astuple(lot):
        yield map(str, value) if isinstance(value, tuple) else (str(value),)
