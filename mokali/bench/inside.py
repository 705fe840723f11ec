"""What a move costs without any network, in this process: the rules, the drawing, the commit."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from mokali.bench.load import opened
from mokali.config import Settings
from mokali.engine import record
from mokali.engine.protocol import HOUSE, Action, Game, ends_hand
from mokali.live import door
from mokali.live.watch import Watch
from mokali.store import database, tables
from mokali.tables.decide import decide
from mokali.tables.table import Act, Ask, Ready, Table, pausing
from mokali.web.app import create_app
from mokali.web.house import House
from mokali.web.render import Screen

BASE: Final = "http://127.0.0.1"


class Costs(Struct, frozen=True):
    """Mean seconds of one of each."""

    drawing: float
    """Of one seat, its part of what is drawn once for all of the table included; processor."""
    commit: float
    """As a clock on the wall has it, waiting for the disk included."""
    commit_cpu: float


def actions_per_second(game: Game, seconds: float, rng: Random) -> float:
    """Whole matches at random, the house's luck included, for at least so long."""
    began, actions = time.perf_counter(), 0
    while (took := time.perf_counter() - began) < seconds:
        actions += match(game, rng)
    return actions / took


def match(game: Game, rng: Random) -> int:
    """A whole match at random; in how many actions."""
    state, luck = record.start(game, next(iter(game.rulesets.values())), max(game.seats)), list[Action]()
    actions = 0
    while state.turn is not None:
        if state.turn == HOUSE:
            luck = luck or list(state.draw_lots(rng))
            action = luck.pop(0)
        else:
            action = rng.choice(state.moves(state.turn))
        state, events = state.play(state.turn, action)
        luck = [] if ends_hand(events) else luck
        actions += 1
    return actions


def costs(game: Game, seconds: float, rng: Random) -> Costs:
    """Matches at random in a house in this process, on a real file, for so long."""
    with house_here() as house, house.app_context():
        matches = _Matches(house, game, rng)
        until = time.perf_counter() + seconds
        while time.perf_counter() < until or not matches.moves:
            matches.step()
    moves, drawn = matches.moves, matches.moves * len(matches.screens)
    return Costs(matches.drawing / drawn, matches.commit / moves, matches.commit_cpu / moves)


@contextmanager
def house_here() -> Iterator[House]:
    """A house in this process on a file of its own; nothing in it runs by itself."""
    with TemporaryDirectory() as folder:
        tables.forget()
        house = create_app(Settings(data=str(Path(folder))))
        try:
            yield house
        finally:
            database.close()


class _Matches:
    """One match after another at tables of their own, move by move."""

    def __init__(self, house: House, game: Game, rng: Random) -> None:
        self.house, self.game, self.rng = house, game, rng
        self.watch = Watch(rng)
        self.drawing = self.commit = self.commit_cpu = 0.0
        self.moves = self.matches = 0
        self.screens: list[Screen] = []
        self._open()

    def step(self) -> None:
        """One move, or what has to happen before the next."""
        table = tables.load(self.table_id)
        if table.ended is not None:
            self._open()
        elif table.state is not None and table.state.turn != HOUSE:
            self._move(table, self.rng.choice(table.state.moves(table.state.turn or 0)))
        else:
            if pausing(table) and not table.ready:
                for guest in self.guests:
                    door.submit(table.id, Ask(guest.id, Ready()))
            self.watch.look()

    def _move(self, table: Table, action: Action) -> None:
        assert table.state is not None
        user = self.guests[table.state.turn or 0].id
        change = decide(table, Act(user, action, table.played), door.now())
        wall, cpu = time.perf_counter(), time.thread_time()
        tables.commit(table, change, door.now())
        self.commit += time.perf_counter() - wall
        drawing = time.thread_time()
        self.commit_cpu += drawing - cpu
        scene = self.house.hub.scene(table.id)
        for screen in self.screens:
            screen.update(scene)
        self.drawing += time.thread_time() - drawing
        self.moves += 1

    def _open(self) -> None:
        table, self.guests = opened(self.game, self.matches)
        self.table_id, self.matches = table.id, self.matches + 1
        self.screens = [Screen(self.house.renderer, guest.id, BASE) for guest in self.guests]
