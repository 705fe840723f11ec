"""Wires by table: a ring pokes them, a beat keeps them, presence is written down. Decides nothing about a game."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

import gevent
from flask import Flask

from mokali import figures, journal, turkish
from mokali.config import Settings
from mokali.engine import codec
from mokali.engine.protocol import Event, Seat
from mokali.live import bus, door
from mokali.store import database, people, tables, talk
from mokali.store.database import NotKept, transaction
from mokali.store.people import Person
from mokali.tables.rack import Arrangement
from mokali.tables.table import Back, Gone, Refused, sitting
from mokali.web import wire as codes
from mokali.web.render import Scene
from mokali.web.wire import Socket

SWEEP: Final = 20.0
"""Seconds between two looks for what was said too long ago (RL-44)."""
POLL: Final = 2.0
"""Seconds between two looks for revisions whose ring was lost."""


class Wire:
    """One person's open socket at one table, or in the lobby. ``draw`` gives what to send when it was poked."""

    def __init__(self, socket: Socket, table_id: int, person: Person, page: int) -> None:
        self.socket, self.table_id, self.person, self.page = socket, table_id, person, page
        self.draw: Callable[[tuple[Event, ...]], Iterable[str]] = lambda events: ()
        self.revision: Callable[[], int] = lambda: 0
        self.acting = True
        self._events: list[Event] = []
        self._untold: list[figures.Telling] = []
        self._drawn: list[figures.Telling] = []
        socket.outbox.draw, socket.outbox.written = self._draw, self.written

    def poke(self, events: tuple[Event, ...] = (), telling: figures.Telling | None = None) -> None:
        """The table has changed."""
        self._events.extend(events)
        if telling is not None:
            self._untold.append(telling)
        self.socket.outbox.poke()

    def tell(self, text: str) -> None:
        """Send one message now."""
        self.socket.tell(text)

    def written(self) -> None:
        """What was drawn has gone out."""
        drawn, self._drawn = self._drawn, []
        for telling in drawn:
            telling.arrived()

    def gone(self) -> None:
        """Nothing more goes out here."""
        self._drawn, self._untold = self._drawn + self._untold, []
        self.written()

    def _draw(self) -> None:
        events, self._events = tuple(self._events), []
        self._drawn, self._untold = self._drawn + self._untold, []
        try:
            for text in self.draw(events):
                self.tell(text)
        except (tables.NoTable, tables.Unreadable):
            self.socket.hang_up(codes.NO_TABLE)
        except tables.Newer:
            self.socket.hang_up(codes.TRY_AGAIN)
        except Exception as error:
            journal.fault(error, action="draw", table=self.table_id)
            self.socket.hang_up(codes.BROKEN)


class Hub:
    """All the wires of this worker."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.wires: defaultdict[int, set[Wire]] = defaultdict(set)
        self.closing = False
        self._scenes: dict[int, Scene] = {}
        self._stale: set[int] = set()
        self._nudges: dict[int, int] = {}
        self._started = door.now()

    def start(self) -> None:
        """Listen, beat, and look for lost rings."""
        bus.listen(self._rung)
        gevent.spawn(self._every, self.settings.heartbeat_seconds, self._beat)
        gevent.spawn(self._every, self.settings.ping_seconds, self._ping)
        gevent.spawn(self._every, POLL, self._catch_up)
        gevent.spawn(self._every, SWEEP, self._sweep)

    def all(self) -> list[Wire]:
        """Every wire there is."""
        return [wire for wires in self.wires.values() for wire in wires]

    def join(self, wire: Wire) -> None:
        """Register, before the table is first read (RL-25)."""
        self.wires[wire.table_id].add(wire)
        self._changed(wire)

    def leave(self, wire: Wire) -> None:
        """The socket is gone."""
        self.wires[wire.table_id].discard(wire)
        wire.gone()
        if not self.wires[wire.table_id]:
            del self.wires[wire.table_id]
            self._scenes.pop(wire.table_id, None)
            self._nudges.pop(wire.table_id, None)
        self._changed(wire)

    def scene(self, table_id: int) -> Scene:
        """A table for those who draw it: kept while somebody has it on the glass, until it rings. Raises NoTable."""
        before = self._scenes.get(table_id)
        if before is not None and table_id not in self._stale:
            return before
        table = tables.load(table_id)
        names = [person.name for person in self.watchers(table_id, sitting(table))]
        watchers = tuple(sorted(names, key=turkish.sort_key))
        scene = Scene(table, watchers, before.canvases if before is not None else None)
        if table_id in self.wires:
            self._scenes[table_id] = scene
            self._stale.discard(table_id)
        return scene

    def watchers(self, table_id: int, seated: set[int]) -> set[Person]:
        """Who watches a table without a chair there (SITE-12)."""
        return {wire.person for wire in self.wires.get(table_id, ()) if wire.person.id not in seated}

    def present(self, table_id: int, person: int) -> bool:
        """Whether this person has the table on the glass."""
        return any(wire.person.id == person for wire in self.wires.get(table_id, ()))

    def expel(self, person: int) -> None:
        """Close every socket of somebody whose token has ended (RL-3)."""
        for wire in self.all():
            if wire.person.id == person:
                wire.socket.hang_up(codes.UNKNOWN_PERSON)

    def close_all(self) -> None:
        """The server goes down: everybody comes back in a moment (RL-50)."""
        self.closing = True
        for wire in self.all():
            wire.socket.hang_up(codes.RESTARTING)

    def nudge(self, table_id: int, sleeper: int, by: Person) -> bool:
        """Wake whoever is on turn; whether it was not too soon after the last time."""
        now = door.now()
        if now < self._nudges.get(table_id, 0) + int(self.settings.nudge_seconds * 1000):
            return False
        self._nudges[table_id] = now
        for wire in self.wires.get(table_id, ()):
            if wire.person.id == sleeper:
                wire.tell(codec.encode({"nudge": by.name}))
        return True

    def rearranged(self, table_id: int, seat: Seat, arrangement: Arrangement, owner: int) -> None:
        """The tiles of a rack lie otherwise: nobody sees that but its owner, on every device of his."""
        scene = self._scenes.get(table_id)
        if scene is not None and scene.table.dealt == arrangement.dealt:
            scene.racks[seat] = arrangement
        for wire in self.wires.get(table_id, ()):
            if wire.person.id == owner:
                wire.poke()

    # --- rings ---

    def _rung(self, table: int, events: tuple[Event, ...]) -> None:
        telling = figures.Telling(len(self.wires[table])) if table != bus.LOBBY and table in self.wires else None
        self._heard(table, events, telling)

    def _heard(self, table: int, events: tuple[Event, ...] = (), telling: figures.Telling | None = None) -> None:
        if table in self._scenes:
            self._stale.add(table)
        for wire in self.wires.get(table, ()):
            wire.poke(events, telling)

    def _changed(self, moved: Wire) -> None:
        """Somebody came or went: the newest page of a person acts (RL-31), watchers are counted, the lobby too."""
        own = [wire for wire in self.wires.get(moved.table_id, ()) if wire.person.id == moved.person.id]
        newest = max((wire.page for wire in own), default=0)
        for wire in own:
            acting = wire.page == newest
            if acting != wire.acting:
                wire.acting = acting
                wire.tell(codec.encode({"acting": acting}))
        self._heard(moved.table_id)
        if moved.table_id != bus.LOBBY:
            self._heard(bus.LOBBY)

    # --- the beat ---

    def _every(self, seconds: float, step: Callable[[], None]) -> None:
        while not self.closing:
            gevent.sleep(seconds)
            try:
                with self.app.app_context():
                    step()
            except NotKept:
                journal.note("not_kept", logging.WARNING, action="beat")
            except Exception as error:
                journal.fault(error, action="beat")

    def beat(self, wire: Wire) -> None:
        """A sign of life, with the time: clients reconnect when it stays out (RL-23)."""
        wire.tell(codec.encode({"hb": 1, "now": door.now(), "revision": wire.revision()}))

    def _beat(self) -> None:
        for wire in self.all():
            self.beat(wire)
        self._note_presence(door.now())
        database.make_good()

    def _ping(self) -> None:
        for wire in self.all():
            wire.socket.ping()

    def _note_presence(self, now: int) -> None:
        """Write down who is in touch; who has not been for the grace period is gone, who is back is back (AB-3)."""
        wires = self.all()
        if wires:
            with transaction():
                people.touch({wire.person.id for wire in wires}, now)
                for table_id, here in self.wires.items():
                    tables.touch(table_id, {wire.person.id for wire in here}, now)
        grace = int(self.settings.grace_seconds * 1000)
        if now - self._started < grace:
            return  # after a restart everybody gets the time to come back
        for table_id, person, seen in tables.out_of_touch(now - grace):
            _quietly(table_id, Gone(person, max(seen, self._started)))
        self.welcome(wires)

    def welcome(self, wires: Iterable[Wire]) -> None:
        """Whoever is marked away and has a wire is not away."""
        here = {(wire.table_id, wire.person.id) for wire in wires}
        for table_id, person in here & tables.marked_away({table_id for table_id, _ in here}):
            _quietly(table_id, Back(person))

    def _catch_up(self) -> None:
        known = {table_id for table_id in self.wires if table_id != bus.LOBBY}
        spoken = talk.newest(known)
        for table_id, revision in tables.revisions(known).items():
            scene = self._scenes.get(table_id)
            silent = scene is not None and scene.newest < spoken.get(table_id, 0)
            if silent or any(wire.revision() < revision for wire in self.wires.get(table_id, ())):
                self._heard(table_id)

    def _sweep(self) -> None:
        for table_id in talk.sweep(door.now()):
            self._heard(table_id)


def _quietly(table_id: int, command: Gone | Back) -> None:
    """Presence is a hint: where it is out of date, nothing is lost."""
    with suppress(Refused, tables.NoTable, tables.Unreadable, tables.Newer):
        door.submit(table_id, command)
