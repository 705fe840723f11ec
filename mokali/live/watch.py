"""The loop that answers alarms: the house deals, pauses end, abandoned tables close. A client like any other."""

import logging
from collections.abc import Callable
from contextlib import suppress
from random import Random, SystemRandom
from typing import Final

import gevent
from gevent.event import Event as Bell

from mokali import journal
from mokali.engine.protocol import Event, IllegalAction
from mokali.live import bus, door
from mokali.live.thinkers import NoThought, Thinkers
from mokali.store import chance, database, mark, tables
from mokali.store.database import NotKept
from mokali.tables import autopilot
from mokali.tables.autopilot import Thought
from mokali.tables.table import AutoAct, Refused, Standstill, Table

PERIOD: Final = 0.25
"""Seconds between two looks when nothing rings."""
ERRANDS: Final = 8
"""At most so many errands for one table in a row: a seal and its lots."""
MARK_MS: Final = 750
"""So old the mark gets at least; a look later it is written anew, so that it is never older than a second (RL-33)."""
BESIDE_MS: Final = 2_000
"""A mark younger than that is another worker's, at work beside us."""

CLAIM_MS: Final = 20_000
"""So long a bot's thought may take; then whoever sees the alarm asks anew."""
TALLY_S: Final = 0.5
"""Seconds between two matches whose chance is counted."""
FAULT_MS: Final = 60_000
"""So long a table's next faults are not written down."""


class Watch:
    """One worker's watch. ``start`` it once; a ring wakes it."""

    def __init__(self, rng: Random | None = None, thinkers: Thinkers | None = None) -> None:
        self.rng = rng or SystemRandom()
        self.bell = Bell()
        self.thinkers = thinkers or Thinkers()
        self.marked = 0
        self.told: dict[int, int] = {}
        """When a table's fault was written down last."""

    def start(self) -> None:
        """Close what can't be read any more; look now, at every ring, and four times a second."""
        bus.listen(self._heard)
        gevent.spawn(self._run)
        gevent.spawn(self._count)

    def sweep(self) -> None:
        """Close what this edition can't read: no alarm need ever ring there, and its people would be bound for good."""
        for table_id in tables.unreadable():
            self._close(table_id)

    def give_back(self) -> None:
        """Let the clocks go on where they stood when the last worker ended; before the first look (RL-33)."""
        stood = mark.last() or 0  # never written: the clocks begin anew
        if not database.came_first() and abs(door.now() - stood) <= BESIDE_MS:
            return
        for table_id in mark.clocks():
            while not self._resumed(table_id, stood):
                gevent.sleep(PERIOD)
        self.note()

    def note(self) -> None:
        """Write the mark while a clock runs, once a second."""
        now = door.now()
        if now - self.marked >= MARK_MS and mark.needed():
            mark.write(now)
            self.marked = now

    def look(self) -> None:
        """Do what is due."""
        for table_id in tables.ringing(door.now()):
            try:
                self._serve(table_id)
            except tables.Unreadable:
                self._close(table_id)
            except tables.Newer:
                continue  # a newer worker's
            except NotKept:
                journal.note("not_kept", logging.WARNING, action="watch", table=table_id)
                return  # nor would the next one be
            except Exception as error:
                self._fault(error, table_id)

    def tally(self) -> None:
        """Count what chance has given in finished matches, one after another; alarms don't wait for it."""
        while chance.count():
            gevent.sleep(TALLY_S)

    def _serve(self, table_id: int) -> None:
        for _ in range(ERRANDS):
            table = tables.load(table_id)
            command = autopilot.errand(table, door.now(), self.rng)
            if command is None:
                self._ask(table)
                return
            try:
                door.submit(table_id, command)
            except Refused:
                return  # somebody was quicker

    def _ask(self, table: Table) -> None:
        """Have a bot think where one is on turn, unless somebody else does already."""
        now = door.now()
        asked = autopilot.thought(table, now)
        if asked is not None and tables.claim(table.id, now, now + CLAIM_MS):
            gevent.spawn(self._think, table, asked)

    def _think(self, table: Table, asked: Thought) -> None:
        """What a bot found is played like anybody's move; where it found nothing, what the clock would play."""
        assert table.state is not None
        try:
            action = self.thinkers.think(
                table.game, asked.level, table.state.view(asked.seat), self.rng.getrandbits(63)
            )
        except NoThought:
            action = table.state.idle(asked.seat)
        try:
            door.submit(table.id, AutoAct(asked.seat, action, asked.played))
        except Refused:
            pass  # its person is back, or the table is over
        except IllegalAction as error:
            self._fault(error, table.id)
            with suppress(Refused):
                door.submit(table.id, AutoAct(asked.seat, table.state.idle(asked.seat), asked.played))
        except Exception as error:
            self._fault(error, table.id)

    def _fault(self, error: Exception, table_id: int) -> None:
        """A table that fails is tried at every look, and told once a minute."""
        now = door.now()
        if now - self.told.get(table_id, -FAULT_MS) >= FAULT_MS:
            self.told[table_id] = now
            journal.fault(error, action="watch", table=table_id)

    def _resumed(self, table_id: int, stood: int) -> bool:
        """Whether this table's clocks are done with: exactly once each."""
        try:
            door.submit(table_id, Standstill(stood))
        except NotKept:
            journal.note("not_kept", logging.WARNING, action="watch", table=table_id)
            return False
        except (Refused, tables.NoTable, tables.Unreadable, tables.Newer):
            pass
        except Exception as error:
            journal.fault(error, action="watch", table=table_id)
        return True

    def _close(self, table_id: int) -> None:
        tables.close_unreadable(table_id)
        bus.ring(table_id)
        bus.ring(bus.LOBBY)

    def _run(self) -> None:
        _safely(self.sweep)
        _safely(self.give_back)
        while True:
            self.bell.wait(PERIOD)
            self.bell.clear()
            _safely(self.look)
            _safely(self.note)

    def _count(self) -> None:
        while True:
            gevent.sleep(TALLY_S)
            _safely(self.tally)

    def _heard(self, table: int, events: tuple[Event, ...]) -> None:
        known = tables.remembered(table)
        if known is not None and known.wake_at is not None and known.wake_at <= door.now():
            self.bell.set()


def _safely(step: Callable[[], None]) -> None:
    """One failed look is logged, and the next comes all the same."""
    try:
        step()
    except NotKept:
        journal.note("not_kept", logging.WARNING, action="watch")
    except Exception as error:
        journal.fault(error, action="watch")
