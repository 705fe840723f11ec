"""Values to JSON and back: the only parser of client input and of checkpoints. Knows no game."""

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, TypeVar, cast

import msgspec

from mokali.engine.protocol import Action, Event, MalformedAction

T = TypeVar("T")

_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: object) -> str:
    """The one text of a value: equal values give equal bytes in every process."""
    return _encoder.encode(value).decode()


def decode(kind: type[T], text: str | bytes) -> T:
    """A value of this kind. Raises MalformedAction."""
    return _read(lambda: msgspec.json.decode(text, type=kind))


def read_action(kinds: tuple[type[Action], ...], text: str | bytes) -> Action:
    """The action in a message or a log line. Raises MalformedAction."""
    return cast(Action, _read(lambda: _decoder(kinds).decode(text)))


def convert(kind: type[T], plain: object, *, strict: bool = True) -> T:
    """A value of this kind from plain data; forms, which know text only, are not ``strict``. Raises MalformedAction."""
    return _read(lambda: msgspec.convert(plain, kind, strict=strict))


def plain(value: object) -> Any:
    """A value as dicts, lists, numbers and text."""
    return msgspec.to_builtins(value)


def kind_of(value: Action | Event) -> str:
    """The word that an action or event travels under: ``play``, ``card_played``."""
    return cast(str, value.__struct_config__.tag)


def seen(text: str | bytes) -> int:
    """The table's counter as a message's sender had seen it (CM-6); -1 where it says none. Raises MalformedAction."""
    return decode(_Seen, text).played


class _Seen(msgspec.Struct):
    played: int = -1


@cache
def _decoder(kinds: tuple[type[Action], ...]) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(reduce(or_, cast("tuple[Any, ...]", kinds)), strict=False)


def _read(reading: Callable[[], T]) -> T:
    try:
        return reading()
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError, UnicodeError, OverflowError) as error:
        raise MalformedAction(str(error)) from error  # deep nesting and broken text too


def compared(expected: object, actual: object, path: str = "") -> list[tuple[str, object, object]]:
    """Where ``actual`` is not as expected: (path, expected, actual). Objects by the keys expected, lists whole."""
    if not (isinstance(expected, Mapping) and isinstance(actual, Mapping)):
        return [] if _same(expected, actual) else [(path, expected, actual)]
    return [
        difference
        for key, value in expected.items()
        for difference in compared(value, actual.get(key, _Missing), f"{path}.{key}" if path else str(key))
    ]


class _Missing:
    """What stands for a key that isn't there."""


def _same(one: object, other: object) -> bool:
    return other is not _Missing and encode(one) == encode(other)  # as text, True is not 1
