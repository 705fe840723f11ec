"""People at tables: whole matches by legal moves over real sockets, with a stopwatch. Knows no game by name.

What may be played is read from the house's own database (it is ours, in a folder of its own), once a hand: from there
each table follows its moves itself, so that hundreds of sockets cost the player little.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import nan
from random import Random
from statistics import quantiles
from typing import Final

import gevent
from gevent.event import Event
from msgspec import Struct
from msgspec.structs import replace

from mokali.bench.server import PATIENCE, Server
from mokali.bench.wire import Heard, Line
from mokali.engine import codec
from mokali.engine.protocol import HOUSE, Action, Game, HandEnded, Rules, State
from mokali.engine.protocol import Seat as Number
from mokali.live import door
from mokali.live.watch import Watch
from mokali.store import database, people, tables
from mokali.store.people import Door
from mokali.tables.decide import decide
from mokali.tables.table import Act, Again, Chair, Change, Opening, Ready, Table, pausing
from mokali.tables.terms import Terms

NARROW: Final = 4_096
"""Bytes that the system holds for somebody who does not read."""
EVERYBODY: Final = Door(most=1_000_000, linger=60_000)
_PLAYED: Final = re.compile(rb' data-played="(\d+)"')
_REFUSED: Final = re.compile(rb' id="refusal"[^>]* data-code="(\w+)"')
_BEAT: Final = b'{"hb"'


def _at_random(state: State, rng: Random) -> Action:
    """Any legal move."""
    assert state.turn is not None
    return rng.choice(state.moves(state.turn))


class Play(Struct, frozen=True):
    """What is played at a table: ``start`` is a position in which every hand of it begins, None for whole matches."""

    game: Game
    start: Callable[[], State] | None = None
    choose: Callable[[State, Random], Action] = _at_random


class Guest(Struct, frozen=True):
    """A person with the cookie of a device."""

    id: int
    cookie: str


class Window(Struct, frozen=True, kw_only=True):
    """What happened in a stretch of time. Times are seconds; ``counts`` are messages and bytes of all lines."""

    seats: int
    seconds: float
    cpu: float
    client_cpu: float
    delays: list[float]
    counts: dict[str, int]

    @property
    def per_second(self) -> float:
        """Moves per second."""
        return len(self.delays) / self.seconds

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of the server's processor per move."""
        return 1000 * self.cpu / max(len(self.delays), 1)

    def percentile_ms(self, percent: int) -> float:
        """So many of a hundred moves took no longer; milliseconds."""
        return percentile_ms(self.delays, percent)

    def bytes_per_move(self, kind: str) -> float:
        """Bytes that a seat got per move: ``message_wire`` on the line, ``message_text`` unpacked."""
        return self.counts.get(kind, 0) / max(len(self.delays), 1) / self.seats

    @property
    def client_share(self) -> float:
        """How much of one processor the player himself took."""
        return self.client_cpu / self.seconds


def percentile_ms(delays: Sequence[float], percent: int) -> float:
    """So many of a hundred took no longer; milliseconds."""
    if len(delays) < 2:  # quantiles wants two
        return 1000 * delays[0] if delays else nan
    return 1000 * quantiles(delays, n=100, method="inclusive")[percent - 1]


class Tally:
    """What came over all lines. Heartbeats are counted apart."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        """One per acknowledged move: seconds from the sender's write until the last of the table's seats has it."""
        self.counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        """Refusals by their code, and sockets that were closed by the house."""

    def hear(self, heard: Heard) -> None:
        """Count one message."""
        kind = "beat" if heard.text.startswith(_BEAT) else "message"
        self.counts[f"{kind}s"] += 1
        self.counts[f"{kind}_wire"] += heard.wire
        self.counts[f"{kind}_text"] += len(heard.text)


def places(game: Game) -> int:
    """How many sit at a table: the largest number that the game allows, up to four."""
    return max(seats for seats in game.seats if seats <= 4)


def opened(game: Game, number: int, rules: Rules | None = None) -> tuple[Table, list[Guest]]:
    """A new table in the open database, everybody ready to start; ``number`` is in the people's names.

    Without ``rules`` it has the usual ones.
    """
    guests = []
    for seat in range(places(game)):
        person, token = people.enter(f"Oyuncu {number}.{seat}", EVERYBODY, door.now())
        guests.append(Guest(person.id, f"mokali={token}"))
    rules = rules or next(iter(game.rulesets.values()))
    chairs = tuple(Chair(guest.id) for guest in guests)
    ready = tuple(range(len(guests)))
    return tables.open_table(Opening(guests[0].id, game, rules, Terms(), chairs, ready), door.now()), guests


def _under_way(table: Table, watch: Watch, rng: Random) -> Table:
    """The table dealt and played to anywhere in its first hand: else all tables would be at the same point of it."""
    while table.state is None or table.state.turn == HOUSE:
        watch.look()
        table = tables.load(table.id)
    whole = [Change(table)]
    while (state := whole[-1].table.state) is not None and state.turn is not None and state.turn != HOUSE:
        user, before = table.chairs[state.turn].user or 0, whole[-1].table
        whole.append(decide(before, Act(user, rng.choice(state.moves(state.turn)), before.played), door.now()))
    played = whole[: rng.randrange(1, len(whole))]
    entries = tuple(entry for change in played for entry in change.entries)
    after = tables.commit(table, Change(played[-1].table, entries), door.now()) if entries else table
    assert after is not None, "nobody else is there"
    return after


def _placed(table: Table, start: State) -> Table:
    """The table in this position."""
    after = tables.commit(table, Change(replace(table, state=start, ready=(), since=door.now())), door.now())
    assert after is not None, "nobody else is there"
    return after


class Seat:
    """One person's open socket at a table; ``asleep``: it is never read."""

    def __init__(self, line: Line, tally: Tally, told: Callable[[], None], *, asleep: bool = False) -> None:
        self.line, self.tally, self.told = line, tally, told
        self.played = -1
        self._listener = None if asleep else gevent.spawn(self._listen)

    def say(self, action: Action, **more: object) -> None:
        """Send what a button sends."""
        self.line.send(codec.encode(codec.plain(action) | more).encode())

    def leave(self) -> None:
        """Hang up."""
        if self._listener is not None:
            self._listener.kill()
        self.line.close()

    def _listen(self) -> None:
        for heard in self.line.heard():
            self.tally.hear(heard)
            if found := _PLAYED.search(heard.text):
                self.played = int(found[1])
                self.told()
            elif found := _REFUSED.search(heard.text):
                self.tally.errors[found[1].decode()] += 1
        self.tally.errors["cut"] += 1


class Party:
    """The people of one table, who play match after match. ``pause``: seconds from one move to the next."""

    def __init__(
        self, server: Server, play: Play, table: Table, guests: Sequence[Guest], tally: Tally, rng: Random
    ) -> None:
        self.server, self.table, self.guests, self.tally, self.rng = server, table, guests, tally, rng
        self.choose = play.choose
        self.pause, self.next_at = 0.0, 0.0
        self.sleeper: Number | None = None
        self._held = 0
        self._state, self._played = table.state, -1
        self._seats: list[Seat] = []
        self._bell = Event()
        self._awaited, self._held_at = 0, 0.0
        self._asked = False
        self.moved = False

    def sit(self) -> None:
        """Open the sockets of the table."""
        self.rise()
        self._state, self._played, self._asked = None, -1, False
        self._seats = [self._seat(number) for number in range(len(self.guests))]

    def rise(self) -> None:
        """Close them."""
        for seat in self._seats:
            seat.leave()

    def run(self) -> None:
        """Play on and on; to be killed."""
        while True:
            seat, action = self._due()
            now = time.perf_counter()
            if self.next_at > now:
                gevent.sleep(self.next_at - now)
            self.next_at = max(self.next_at + self.pause, now) if self.pause else 0.0
            self._move(seat, action)

    def stuff(self) -> None:
        """Have the house write to who is asleep until the systems of both sides hold all they can."""
        assert self.sleeper is not None
        seat, still = self._seats[self.sleeper], 0
        while still < 5:
            self._stale(seat)
            gevent.sleep(0.02)
            before, self._held = self._held, seat.line.unread()
            still = still + 1 if self._held == before > 0 else 0

    def blocked(self) -> bool:
        """Whether the systems still hold all that for who is asleep, so that the house can't write to him."""
        return self.sleeper is not None and self._seats[self.sleeper].line.unread() >= self._held > 0

    def _stale(self, seat: Seat) -> None:
        """A move for a state that is long gone: the answer is the whole picture."""
        state = self._state
        if state is not None and state.turn is not None and state.turn != HOUSE:
            seat.say(state.moves(state.turn)[0], played=-1)

    def _seat(self, number: Number) -> Seat:
        base, cookie = self.server.base, self.guests[number].cookie
        target, asleep = f"/ws/masa/{self.table.code}?sayfa={door.now()}", number == self.sleeper
        line = Line(base, target, cookie, deflate=False, buffer=NARROW) if asleep else Line(base, target, cookie)
        return Seat(line, self.tally, self._told, asleep=asleep)

    def _move(self, seat: Number, action: Action) -> None:
        assert self._state is not None
        self._awaited, self._held_at, self._asked = self._played + 1, 0.0, False
        began = time.perf_counter()
        self._seats[seat].say(action, played=self._played)
        self._state, events = self._state.play(seat, action)
        plain = self._state.turn not in (None, HOUSE) and not any(isinstance(event, HandEnded) for event in events)
        self._played = self._played + 1 if plain else -1
        while not self._held_at:
            self._wait()
        self.tally.delays.append(self._held_at - began)
        self.moved = True

    def _due(self) -> tuple[Number, Action]:
        """The next move, once all hold the state before it; on the way there they say what is waited for."""
        while True:
            if self._agree() and self._known():
                seat = None if self._state is None else self._state.turn
                if self._state is not None and seat is not None and seat != HOUSE:
                    return seat, self.choose(self._state, self.rng)
                self._go_on()
            self._wait()

    def _known(self) -> bool:
        """Whether the state is known that all hold; where it wasn't, it is read."""
        shown = self._awake()[0].played
        if shown == self._played:
            return True
        self.table = tables.load(self.table.id)
        if self.table.played != shown:
            return False
        self._state, self._played = self.table.state, shown
        return True

    def _go_on(self) -> None:
        """Get ready, for the start or the next hand; after a match play again, at the table that follows."""
        self.table = tables.load(self.table.id)
        if self.table.successor is not None:
            self.table = tables.load(tables.find(self.table.successor))
            self.sit()
        elif not self._asked and (self.table.state is None or pausing(self.table) or self.table.ended):
            self._asked = True
            for number, seat in enumerate(self._seats):
                if number not in self.table.ready:  # at a table that follows another all are ready from the start
                    seat.say(Again() if self.table.ended else Ready())

    def _awake(self) -> list[Seat]:
        return [seat for number, seat in enumerate(self._seats) if number != self.sleeper]

    def _agree(self) -> bool:
        return len({seat.played for seat in self._awake()}) == 1

    def _told(self) -> None:
        if not self._held_at and all(seat.played >= self._awaited for seat in self._awake()):
            self._held_at = time.perf_counter()
        if self._agree():
            self._bell.set()

    def _wait(self) -> None:
        self._bell.wait()
        self._bell.clear()


class Load:
    """All the parties of one house, which does not run yet. Leaves the database open until ``stop``."""

    def __init__(self, server: Server, play: Play, number: int, rng: Random) -> None:
        self.server, self.tally = server, Tally()
        tables.forget()
        database.open_at(server.database)
        watch, new = Watch(rng), [opened(play.game, n) for n in range(number)]
        self.parties = []
        for table, guests in new:
            begun = _under_way(table, watch, rng) if play.start is None else _placed(table, play.start())
            self.parties.append(Party(server, play, begun, guests, self.tally, rng))
        self._players: list[gevent.Greenlet[[], None]] = []
        self._others: list[Seat] = []

    def start(self) -> None:
        """Everybody sits down and plays, as fast as the house lets them; comes back when every table has moved."""
        for party in self.parties:
            party.sit()
        self._players = [gevent.spawn(party.run) for party in self.parties]
        with gevent.Timeout(PATIENCE):
            while not all(party.moved for party in self.parties):
                gevent.sleep(0.02)

    def pace(self, pause: float) -> None:
        """From now on so many seconds from move to move, the tables one after another."""
        now = time.perf_counter()
        for number, party in enumerate(self.parties):
            party.pause, party.next_at = pause, now + pause * number / len(self.parties)

    def measure(self, seconds: float) -> Window:
        """Play for so long and tell what happened."""
        self.tally.delays, self.tally.counts = [], Counter()
        began, cpu, own = time.perf_counter(), self.server.cpu(), time.process_time()
        gevent.sleep(seconds)
        took = time.perf_counter() - began
        return Window(
            seats=len(self.parties[0].guests),
            seconds=took,
            cpu=self.server.cpu() - cpu,
            client_cpu=time.process_time() - own,
            delays=self.tally.delays,
            counts=dict(self.tally.counts),
        )

    def rest(self) -> None:
        """Nobody plays any more."""
        gevent.killall(self._players)

    def look(self, number: int) -> None:
        """The same people open so many sockets more, as from other tabs."""
        people = [(party, guest) for party in self.parties for guest in party.guests]
        for party, guest in people[:number]:
            line = Line(self.server.base, f"/ws/masa/{party.table.code}?sayfa=0", guest.cookie)
            self._others.append(Seat(line, self.tally, lambda: None))

    def errors(self) -> Counter[str]:
        """All that has gone wrong so far, by kind; nothing may."""
        broken = sum(player.exception is not None for player in self._players)
        return self.tally.errors + Counter(broken=broken, faults=self.server.faults)

    def stop(self) -> None:
        """Everybody goes."""
        self.rest()
        for party in self.parties:
            party.rise()
        for seat in self._others:
            seat.leave()
        database.close()
