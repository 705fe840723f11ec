"""ring and listen: who changed a table tells whoever draws it. In this process; a ring may be lost, a row may not."""

from collections.abc import Callable
from typing import Final, TypeAlias

from mokali.engine.protocol import Event

LOBBY: Final = 0
"""The table whose bell rings when any table's card changes."""

Listener: TypeAlias = Callable[[int, tuple[Event, ...]], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Call ``listener(table, events)`` at every ring, in the ringer's greenlet: it must neither wait nor raise."""
    _listeners.append(listener)


def ring(table: int, events: tuple[Event, ...] = ()) -> None:
    """Table ``table`` has changed; only ever after the commit (RL-29)."""
    for listener in _listeners:
        listener(table, events)
