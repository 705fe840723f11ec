"""The app as its pages know it: settings, hub, renderer, links, and how often who may knock."""

from ipaddress import IPv4Address, IPv6Network, ip_address
from pathlib import Path
from typing import Final, cast

import gevent
from flask import Flask, abort, current_app, request
from greenlet import greenlet

from mokali import journal
from mokali.config import Settings
from mokali.live import door
from mokali.live.nights import Nights
from mokali.live.thinkers import Thinkers
from mokali.live.voices import Voices
from mokali.live.watch import Watch
from mokali.web.hints import Hints
from mokali.web.hub import Hub
from mokali.web.links import Links
from mokali.web.rates import Rate
from mokali.web.render import Renderer

MINUTE: Final = 60_000
HOUR: Final = 60 * MINUTE


class Closing(Exception):
    """The server goes down while somebody is still sending."""


class House(Flask):
    """The Flask app, with what lives beside it in a worker."""

    settings: Settings
    hub: Hub
    renderer: Renderer
    links: Links
    hints: Hints
    rates: dict[str, Rate]
    voices: Voices
    speaking: set[int]
    """Whose voice messages are being converted."""
    uploads: set[greenlet]
    """Who is still sending one."""

    def equip(self, settings: Settings) -> None:
        """Give it what its pages and sockets work with."""
        self.settings = settings
        self.links = Links(self)
        self.renderer = Renderer(self.jinja_env, self.links)
        self.hub = Hub(self, settings)
        self.hints = Hints(Thinkers())
        self.voices, self.speaking, self.uploads = Voices(), set(), set()
        self.rates = {
            "entry": Rate(settings.entries_per_minute, MINUTE),
            "post": Rate(settings.posts_per_minute, MINUTE),
            "handshake": Rate(settings.handshakes_per_minute, MINUTE),
            "code": Rate(settings.code_misses_per_minute, MINUTE),
            "plea": Rate(settings.pleas_per_hour, HOUR),
        }

    def start(self) -> None:
        """Start what runs by itself: once per worker, after the fork."""
        journal.open_at(Path(self.settings.data) / "log", self.settings.log_days)
        journal.note("start")
        self.hub.start()
        Watch(thinkers=self.hints.thinkers).start()
        Nights(self.settings).start()

    def hang_up(self) -> None:
        """The server goes down: close every socket, and wait for no upload (RL-50)."""
        self.hub.close_all()
        gevent.killall(list(self.uploads), exception=Closing, block=False)


def house() -> House:
    """The app of this request or message."""
    return cast(House, current_app)


def address() -> str:
    """Where the request comes from, by IPv6 the /64 that one line has to itself; for rates only, never kept."""
    try:
        found = ip_address(request.remote_addr or "")
    except ValueError:
        return "?"
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((int(found), 64), strict=False))


def knock(kind: str, who: str | None = None) -> None:
    """Count one try of this address, or of ``who`` (RL-18). Ends the request with 429 where there were too many."""
    if not house().rates[kind].allows(who or address(), door.now()):
        abort(429)
