"""What is measured, in what order, and what the figures are made of."""

import sys
import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import linear_regression, mean
from tempfile import TemporaryDirectory
from typing import Any, Final

import gevent

from mokali.bench import GROUPS, inside, integer, late, melds, minds, plays, reels, report, talk, visit, voice
from mokali.bench.load import Load, Play, Window, percentile_ms, places
from mokali.bench.server import GENEROUS, Server
from mokali.engine import codec
from mokali.engine.protocol import Game
from mokali.games import BY_KEY, GAMES

PAUSE: Final = 0.5
"""Seconds from one move of a table to its next in the paced load."""
WARM_UP: Final = 2.0
"""Seconds; a quick look takes two fifths of its own."""
MANY: Final = 25
"""Tables beside the reader asleep."""
TABS: Final = 950
"""Sockets in all when other tabs are opened: the worker takes 1,000."""
SATURATED: Final = 0.7
"""Share of one processor from which on the player himself may have been the bottleneck."""
REACHED: Final = 0.95
TURNS: Final = 3
"""Windows with something under way beside, and as many without."""
ROOMY: Final[dict[str, Any]] = GENEROUS | {
    "max_people": 10_000,
    "max_tables": 10_000,
    "grace_seconds": 86_400,
    "stall_seconds": 120,
}
"""Nobody is turned away or counts as absent, and who does not read is not given up while it is measured."""


class Bench:
    """One run: the values of all its rounds, by (group, figure, unit)."""

    def __init__(self, game: Game, numbers: Sequence[int], seconds: float) -> None:
        self.game, self.numbers, self.seconds = game, sorted(numbers), seconds
        self.rng = Random(1)
        self.values: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.warnings: dict[str, None] = {}
        self.spent = 0.0
        """Seconds that the workers of all houses have computed."""

    def engine(self) -> None:
        """The rules alone, of every game."""
        for game in GAMES:
            self._note("engine", game.key, "actions/s", inside.actions_per_second(game, self.seconds, self.rng))

    def solver(self) -> None:
        """The meld solver: processor time of its questions, and of reading its table."""
        self._note("solver", "its table is read", "ms", melds.loading())
        self._costs("solver", melds.costs(self.seconds, self.rng))
        for name, worst in melds.hardest().items():
            self._note("solver", f"{name}, the hardest hands: worst", "ms", worst)
        if not integer.there():
            self._warn(integer.HOW)
            return
        costs, apart = melds.side_by_side(self.seconds, self.rng)
        self._costs("best points, side by side", costs)
        self.errors += Counter({"solvers disagree": apart})

    def plays(self) -> None:
        """Tavla's legal plays, and whole games at random."""
        costs, per_second = plays.costs(self.seconds, self.rng)
        self._costs("plays", costs)
        self._note("plays", "legal plays", "plays/s", per_second)
        self._note("plays", "whole games", "games/s", plays.games_per_second(self.seconds, self.rng))

    def _costs(self, group: str, costs: Mapping[str, melds.Cost]) -> None:
        for name, took in costs.items():
            self._note(group, f"{name}: median", "ms", took.median)
            self._note(group, f"{name}: p99", "ms", took.p99)
            self._note(group, f"{name}: worst", "ms", took.worst)

    def tables(self) -> None:
        """Tables of real sockets, and what they hold in memory."""
        cpu, held, tabs = dict[int, float](), dict[int, float](), dict[int, float]()
        for number in self.numbers:
            with self._house(number) as load:
                closed = self._window(load, 0.0)
                paced = self._window(load, PAUSE)
                self._tell(f"tables: {number}, closed loop", closed)
                self._tell(f"tables: {number}, paced", paced, offered=number / PAUSE)
                cpu[number] = closed.cpu_ms
                load.rest()
                held[number] = self._resident(load)
                more = min(TABS // 2, number * places(self.game), TABS - number * places(self.game))
                load.look(more)
                tabs[more] = self._resident(load) - held[number]
        if len(self.numbers) > 1:
            few, many = self.numbers[0], self.numbers[-1]
            self._note("growth", f"CPU per move, {many} tables against {few}", "×", cpu[many] / cpu[few])
            socket = _slope(tabs)
            self._note("memory", "a socket", "KB", socket)
            self._note("memory", "a table without its sockets", "KB", _slope(held) - places(self.game) * socket)
            self._note("memory", f"all of it with {few} tables", "KB", held[few])

    def late(self) -> None:
        """Tables of 101 Okey that are full of tiles, and stay so."""
        number = min(MANY, self.numbers[-1])
        with self._house(number, play=Play(late.GAME, late.position, late.choose)) as load:
            self._tell(f"101 Okey, twelve melds, at {number} tables, closed loop", self._window(load, 0.0))
            paced = self._window(load, PAUSE)
            self._tell(f"101 Okey, twelve melds, at {number} tables, paced", paced, offered=number / PAUSE)

    def asleep(self) -> None:
        """The others' delays beside somebody who does not read, against the same without."""
        number = min(MANY, self.numbers[-1])
        p99 = []
        for sleeper in (None, 0):
            with self._house(number, sleeper) as load:
                window = self._window(load, PAUSE)
                p99.append(window.percentile_ms(99))
                if sleeper is not None and not load.parties[0].blocked():
                    self.errors["awake"] += 1
        group = f"a reader asleep at one of {number} tables, paced"
        self._note(group, "p99 of the others", "ms", p99[1])
        self._note(group, "p99 without him", "ms", p99[0])
        self._note(group, "p99 of the others against without him", "×", p99[1] / p99[0])

    def voice(self) -> None:
        """Conversions of voice messages, and the moves of others beside ten of them."""
        data = voice.recording(voice.LONG, self.rng)
        start, whole = voice.cost(data, self.seconds)
        held = voice.memory(data)
        group = f"a voice message of {voice.LONG:g} s"
        for name, cost in (("conversion", whole), ("the first one's start", start)):
            self._note(group, f"{name}, wall", "ms", 1000 * cost.wall)
            self._note(group, f"{name}, CPU", "ms", 1000 * cost.cpu)
        self._note(group, "memory of a child, peak", "KB", held.peak)
        self._note(group, "memory of a starter, two stand by", "KB", held.standing)
        self._note(group, "as recorded", "bytes", len(data))
        self._note(group, "as kept", "bytes", whole.size)
        self._moves_beside(data)

    def _moves_beside(self, data: bytes) -> None:
        number = min(MANY, self.numbers[-1])
        with self._house(number, app=talk.APP) as load:
            file = load.server.data / talk.FILE
            self._beside(
                f"{number} tables, paced, in a house that converts {talk.AT_ONCE} at once",
                load,
                lambda spoken: file.write_bytes(data) if spoken else file.unlink(missing_ok=True),
            )
            if not load.server.told("mokali_conversions_total"):
                self.errors["silent"] += 1

    def bots(self) -> None:
        """The moves of people at their tables beside bots that think all the time."""
        number = min(MANY, self.numbers[-1])
        with self._house(number, app=minds.APP) as load:
            folder = load.server.data
            (folder / minds.ASKED).write_text(minds.questions(self.rng), encoding="utf-8")
            file = folder / minds.THINKING
            self._beside(
                f"{number} tables, paced, in a house in which {minds.BOTS} bots think",
                load,
                lambda think: file.touch() if think else file.unlink(missing_ok=True),
            )
            if not load.server.cpu_beside():
                self.errors["thoughtless"] += 1

    def _beside(self, group: str, load: Load, switch: Callable[[bool], object]) -> None:
        """Moves without and with something else under way, which ``switch`` turns on and off.

        In short windows that take turns, so that whoever else is at work disturbs both alike.
        """
        delays: dict[bool, list[float]] = {False: [], True: []}
        shares = []
        for beside in (False, True) * TURNS:
            switch(beside)
            spent, began = load.server.cpu_beside(), time.perf_counter()
            window = self._window(load, PAUSE)
            delays[beside] += window.delays
            self._keeps_up(group, window, len(load.parties) / PAUSE)
            if beside:
                shares.append((load.server.cpu_beside() - spent) / (time.perf_counter() - began))
        for percent in (50, 99):
            without, with_it = (percentile_ms(delays[beside], percent) for beside in (False, True))
            self._note(group, f"p{percent} without", "ms", without)
            self._note(group, f"p{percent} beside them", "ms", with_it)
            self._note(group, f"p{percent} beside them against without", "×", with_it / without)
            self._note(group, f"p{percent} beside them less without", "ms", with_it - without)
        self._note(group, "their share of a processor", "×", mean(shares))

    def visit(self) -> None:
        """What a browser loads that comes for the first time, to a table in play."""
        with self._house(1) as load:
            party = load.parties[0]
            got = visit.first_visit(load.server.base, f"/masa/{party.table.code}", party.guests[0].cookie)
        for kind in (*visit.KINDS.values(), "other"):
            files = [file for file in got if file.kind == kind]
            self._note("first visit", f"{kind}, sent", "bytes", sum(file.sent for file in files))
            self._note("first visit", f"{kind}, unpacked", "bytes", sum(file.unpacked for file in files))
        self._note("first visit", "all, sent", "bytes", sum(file.sent for file in got))
        self._note("first visit", "files", "", len(got))

    def inside(self) -> None:
        """Drawing and commit, without any network."""
        costs = inside.costs(self.game, self.seconds, self.rng)
        self._note("inside", "drawing of a seat, CPU", "µs", 1e6 * costs.drawing)
        self._note("inside", "commit, CPU", "µs", 1e6 * costs.commit_cpu)
        self._note("inside", "commit, wall", "µs", 1e6 * costs.commit)

    def replay(self) -> None:
        """A long match watched again, without any network."""
        found = reels.costs(self.seconds, self.rng)
        group = f"watching 101 Okey again, {found.actions} actions"
        self._costs(group, {"opened": found.opening, "a step": found.step})

    @contextmanager
    def _house(
        self, number: int, sleeper: int | None = None, play: Play | None = None, app: str = "app:app"
    ) -> Iterator[Load]:
        """A fresh house whose tables all play; at the first of them somebody may be asleep."""
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a killed worker may just be writing
            server = Server(Path(folder), app, **ROOMY)
            load = Load(server, play or Play(self.game), number, self.rng)
            load.parties[0].sleeper = sleeper
            try:
                server.start()
                load.start()
                load.pace(PAUSE)
                if sleeper is not None:
                    load.parties[0].stuff()
                yield load
                self.errors.update(load.errors())
            finally:
                load.stop()
                if server.running:
                    self.spent += server.cpu() + server.cpu_beside()
                    server.kill()

    def _window(self, load: Load, pause: float) -> Window:
        load.pace(pause)
        gevent.sleep(min(WARM_UP, 0.4 * self.seconds))
        window = load.measure(self.seconds)
        if window.client_share > SATURATED:
            self._warn(f"the player took more than {SATURATED:.0%} of a processor: its own delays are in the figures")
        return window

    def _resident(self, load: Load) -> float:
        gevent.sleep(min(1.0, 0.2 * self.seconds))
        return load.server.memory() / 1024

    def _tell(self, group: str, window: Window, offered: float = 0.0) -> None:
        self._note(group, "server CPU per move", "ms", window.cpu_ms)
        self._note(group, "moves", "moves/s", window.per_second)
        self._note(group, "p50", "ms", window.percentile_ms(50))
        self._note(group, "p99", "ms", window.percentile_ms(99))
        self._note(group, "wire, per seat and move", "bytes", window.bytes_per_move("message_wire"))
        self._note(group, "unpacked, per seat and move", "bytes", window.bytes_per_move("message_text"))
        self._note(group, "server's share of a processor", "×", window.cpu / window.seconds)
        self._note(group, "player's share of a processor", "×", window.client_share)
        if offered:
            self._keeps_up(group, window, offered)

    def _keeps_up(self, group: str, window: Window, offered: float) -> None:
        if window.per_second < REACHED * offered and self.seconds >= 1:
            self._warn(f"{group}: {offered:.0f} moves/s were more than the house could take here")

    def _note(self, group: str, name: str, unit: str, value: float) -> None:
        self.values[group, name, unit].append(value)

    def _warn(self, text: str) -> None:
        self.warnings[text] = None


def run(given: Namespace) -> int:
    """Measure in rounds that take turns, print; 1 where anything went wrong."""
    bench = Bench(BY_KEY[given.game or GAMES[0].key], given.tables, given.seconds)
    watcher = report.Watcher()
    for number in range(given.rounds):
        for name in given.only or GROUPS:
            print(f"round {number + 1} of {given.rounds}: {name}", file=sys.stderr, flush=True)
            getattr(bench, name)()
    found = report.Report(
        game=bench.game.key,
        rounds=given.rounds,
        seconds=given.seconds,
        errors=dict(bench.errors),
        warnings=list(bench.warnings),
        machine=watcher.machine(bench.spent),
        figures=[report.figure(*what, values) for what, values in bench.values.items()],
    )
    print(codec.encode(found) if given.json else report.table(found))
    return 1 if bench.errors else 0


def _slope(points: dict[int, float]) -> float:
    """How much a further one adds; not a number where there is only one point."""
    return linear_regression(list(points), list(points.values())).slope if len(points) > 1 else float("nan")
