"""/healthz and /metrics, for the machine that the house runs on alone (RL-55); and the pulse that times the loop."""

import sys
import threading
from ipaddress import ip_address
from time import monotonic
from typing import Any, Final

import gevent
from flask import Flask, Response, abort, request

from mokali import figures, journal
from mokali.engine import codec
from mokali.live import door
from mokali.store import backup, database, people, tables
from mokali.store.database import NotKept
from mokali.web import identity
from mokali.web.house import house

LATE: Final = 1.0
"""Seconds that the loop may wake late before the house counts as ill."""
FORWARDING: Final = ("forwarded", "via", "x-forwarded-", "x-real-ip", "x-client-ip", "true-client-ip", "cf-")
"""How the headers begin that proxies and tunnels add."""
HOUR: Final = 3600.0
HOUR_MS: Final = 3_600_000
OLD: Final = 50.0
"""Hours: two nights without a backup, and a little."""


class Pulse:
    """Sleeps half a second and sees how late it wakes."""

    PERIOD: Final = 0.5

    def __init__(self) -> None:
        self.last = 0.0
        self._due = monotonic() + self.PERIOD

    def start(self) -> None:
        """Beat for as long as the worker lives."""
        gevent.spawn(self._run)

    @property
    def late(self) -> float:
        """Seconds: how late it was the last time, or is now."""
        return max(self.last, monotonic() - self._due)

    def _run(self) -> None:
        told = monotonic()
        while True:
            self._due = monotonic() + self.PERIOD
            gevent.sleep(self.PERIOD)
            self.last = monotonic() - self._due
            figures.loop_delay.note(self.last)
            if monotonic() - told > HOUR:  # a line an hour also turns the journal's page where nobody plays
                told = monotonic()
                journal.note("alive", ms=round(self.last * 1000, 2))


pulse: Final = Pulse()


def register(app: Flask) -> None:
    """The two addresses."""
    app.add_url_rule("/healthz", "healthz", healthz)
    app.add_url_rule("/metrics", "metrics", metrics)


def start() -> None:
    """In a worker: beat, and have what goes wrong outside of requests written down without its words (RL-54)."""
    pulse.start()
    hub: Any = gevent.get_hub()
    hub.print_exception = lambda context, kind, error, trace: journal.fault(error or kind(), action="greenlet")
    threading.excepthook = lambda given: journal.fault(given.exc_value or given.exc_type(), action="thread")
    sys.unraisablehook = lambda given: journal.fault(given.exc_value or given.exc_type(), action="cleanup")


def healthz() -> Response:
    """200 where a write reaches the disk, the loop is on time and two nights at most lack a backup, else 503.

    A house that has none yet gets as long for its first, from when its database was made.
    """
    _neighbours_only()
    now = backup.today()
    write, late, age = _writes(), pulse.late, backup.age(house().settings.backups, now)
    hours = None if age is None else round(age / HOUR_MS, 1)
    body = {"write": write, "loop_ms": round(late * 1000, 1), "backup_hours": hours}
    well = write and late < LATE and abs(now - database.born() if age is None else age) < OLD * HOUR_MS
    return Response(codec.encode(body), 200 if well else 503, mimetype="application/json")


def metrics() -> Response:
    """All figures, as Prometheus reads them."""
    _neighbours_only()
    now = (
        figures.Gauge("sockets", "Open sockets.", len(house().hub.all())),
        figures.Gauge("people", "People inside.", len(people.inside(identity.room(), door.now()))),
        figures.Gauge("tables", "Tables by status.", tables.by_status(), "status"),
    )
    return Response(figures.text(now), content_type="text/plain; version=0.0.4; charset=utf-8")


def _writes() -> bool:
    try:
        database.probe()
    except NotKept:
        return False
    return True


def _neighbours_only() -> None:
    """Whoever comes through a proxy or a tunnel, or from another machine, finds no such page."""
    forwarded = any(name.lower().startswith(FORWARDING) for name in request.headers.keys())  # noqa: SIM118 - pairs
    if forwarded or not _loopback(request.remote_addr or "") or not _loopback(_host()):
        abort(404)


def _host() -> str:
    """The name that was asked for: a tunnel brings another machine's."""
    name = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    return "127.0.0.1" if name == "localhost" else name.strip("[]")


def _loopback(address: str) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback
