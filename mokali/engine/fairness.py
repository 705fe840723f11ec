"""Sealed luck: publish a hash, open it after the hand, check a whole log. Games know nothing of it."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

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


def _values(lot: Action) -> Iterable[Iterable[str]]:
    for value in astuple(lot):
        yield map(str, value) if isinstance(value, tuple) else (str(value),)
