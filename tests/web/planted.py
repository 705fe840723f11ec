"""The house with faults built in on purpose; gunicorn serves ``tests.web.planted:faulty()``. Importing does nothing."""

import os
import resource
import signal
import socket
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import gevent
from simple_websocket import ConnectionClosed

from mokali.config import Settings
from mokali.engine import codec
from mokali.engine.protocol import Action, Event
from mokali.live import nights
from mokali.store import database, tables
from mokali.store.models import DATABASE
from mokali.tables.table import Change, Table
from mokali.web import hub, wire
from mokali.web import socket as handling
from mokali.web.app import create_app
from mokali.web.house import House
from mokali.web.rates import Bucket
from mokali.web.socket import Player
from mokali.web.wire import Outbox

MARK = '"planted"'
"""Whoever sends this meets a bug in the handler."""
UNDRAWABLE = "Çizilmez"
"""Whoever is called so meets one in the drawing."""
CUT_BEFORE, CUT_AFTER = "cut-before", "cut-after"
"""While a file of this name lies in the data, the next move loses its line."""
PRAGMA = "pragma"
"""What this file says is done, and the file is gone."""
WORDS, LENGTH = 200, 60_000
"""How much is said at once by the talkative house."""
DEADLY = "die"
"""While a file of this name lies in the data, the worker dies right after the next commit."""


def faulty() -> House:
    """Bugs in handler and drawing."""
    _do, draw = Player._do, Player.draw

    def do(self: Player, action: Action, raw: str) -> None:
        if MARK in raw:
            raise RuntimeError("planted in the handler")
        _do(self, action, raw)

    def drawn(self: Player, events: tuple[Event, ...]) -> Iterable[str]:
        if self.wire.person.name == UNDRAWABLE:
            raise RuntimeError("planted in the drawing")
        return draw(self, events)

    _put(Player, "_do", do)
    _put(Player, "draw", drawn)
    return _house()


def mortal() -> House:
    """The worker dies between commit and telling where it is told to."""
    settings = _settings()
    commit, deadly = tables.commit, Path(settings.data) / DEADLY

    def committed(before: Table, change: Change, now: int) -> Table | None:
        after = commit(before, change, now)
        if after is not None and deadly.exists():
            deadly.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return after

    _put(tables, "commit", committed)
    return _house()


def lossy() -> House:
    """Lines are cut where a file says so: before a move is made, or after its commit and before anybody is told."""
    data = Path(_settings().data)
    _do, commit = Player._do, tables.commit

    def do(self: Player, action: Action, raw: str) -> None:
        if _once(data / CUT_BEFORE):
            self.wire.socket.outbox.cut()
            raise ConnectionClosed
        _do(self, action, raw)

    def committed(before: Table, change: Change, now: int) -> Table | None:
        after = commit(before, change, now)
        if after is not None and _once(data / CUT_AFTER):
            for wire in house.hub.all():
                wire.socket.outbox.cut()
        return after

    _put(Player, "_do", do)
    _put(tables, "commit", committed)
    house = _house()
    return house


def bound() -> House:
    """What stands in a file is done to the database's connection, as an operator or a bad disk would.

    Nobody waits so long for a database that another holds as in other houses.
    """
    _put(database, "PATIENCE_MS", 3_000)
    house, file = _house(), Path(_settings().data) / PRAGMA

    def obey() -> None:
        while True:
            gevent.sleep(0.01)
            if file.exists():
                DATABASE.execute_sql(f"PRAGMA {file.read_text()}")
                file.unlink()

    gevent.spawn(obey)
    return house


def nightly() -> House:
    """Whether a backup is due is looked at all the time."""
    _put(nights, "PERIOD", 0.05)
    return _house()


def _once(file: Path) -> bool:
    if file.exists():
        file.unlink()
        return True
    return False


def hasty() -> House:
    """What takes the house seconds takes it a quarter of them: giving up a flood, looking for rings that were lost."""
    _put(wire, "FLOOD", wire.FLOOD / 4)
    _put(handling, "PATIENCE_MS", handling.PATIENCE_MS // 4)
    _put(hub, "POLL", hub.POLL / 4)
    return _house()


def narrow() -> House:
    """The system holds next to nothing for a reader, so that one asleep is felt at once."""
    begin = Outbox.__init__

    def begun(self: Outbox, sock: Any, most: int, stall: float, intake: Bucket) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        begin(self, sock, most, stall, intake)

    _put(Outbox, "__init__", begun)
    return _house()


def cramped() -> House:
    """While a file called "cramped" lies in the data, no file of this process may grow."""
    house = _house()
    sign = Path(house.settings.data) / "cramped"

    def look() -> None:
        while True:
            most = 0 if sign.exists() else resource.RLIM_INFINITY
            if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != most:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
            gevent.sleep(0.01)

    begin = House.start

    def begun(self: House) -> None:
        begin(self)
        gevent.spawn(look)

    _put(House, "start", begun)
    return house


def talkative() -> House:
    """Says very much at once to everybody who comes to a table."""
    run = Player.run

    def saying(self: Player) -> None:
        for n in range(WORDS):
            self.wire.tell(codec.encode({"word": n, "of": chr(97 + n % 26) * LENGTH}))
        run(self)

    _put(Player, "run", saying)
    return narrow()


def dying() -> House:
    """A greenlet and a thread that die once the house is open."""
    start = House.start

    def fail() -> None:
        raise RuntimeError("planted beside the requests")

    def started(self: House) -> None:
        start(self)
        gevent.spawn_later(0.05, fail)
        gevent.spawn_later(0.1, threading.Thread(target=fail).start)

    _put(House, "start", started)
    return _house()


def _put(place: object, name: str, value: object) -> None:
    setattr(place, name, value)


def _settings() -> Settings:
    return Settings.from_env(os.environ)


def _house() -> House:
    return create_app(_settings())
