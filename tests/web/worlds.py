"""Two worlds that differ in what one viewer can't know, each in a house of its own: he is sent the same (RL-34).

The house runs twice, on two databases that are alike to the row save the hidden part of each table: what ``imagine``
deals anew, the luck that lies sealed, and its salt. The same people do the same things. What one of them receives must
be equal, byte for byte, lengths and order included. So that chance and time make no difference, the second house opens
on the port of the first, the clock stands still in both (``planted_leaks.still``), no heart beats, and the seal, which
is public and would differ with the luck, is the same text in both rows. Not compared is ``_BY_CHANCE`` alone.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from mokali.engine import codec
from mokali.engine.protocol import HOUSE, Action, Event, Game, IllegalAction, State
from mokali.engine.protocol import Seat as Number
from mokali.store import tables
from mokali.tables.table import Change, Luck, Table
from tests import contract
from tests.web.prepared import Prepared, database_in, first_pause, length, written
from tests.web.seat import Seat
from tests.web.server import Server

STILL: Final[dict[str, object]] = {"heartbeat_seconds": 3_600, "code_misses_per_minute": 100_000}
STILL_HOUSE: Final = "tests.web.planted_leaks:still()"
LATEST: Final = 60
"""Before so many changes of a match the worlds part."""
LONGEST: Final = 6
"""Moves that are played on from where the worlds part."""
DRAWN: Final = 200
"""Worlds that are imagined to find one in which others can play the same."""
NONSENSE: Final = ("{", '{"do":"play"}', '{"do":"sit","chair":"x"}', "null")

_BY_CHANCE: Final = re.compile(
    r"^(?:date|sec-websocket-accept): .*$|(?<=; )Expires=[^;]*", re.MULTILINE | re.IGNORECASE
)
"""When it was, by the server's and the framework's own clocks; and the answer to the visitor's random key."""

Heard = list[tuple[str, str]]
"""Where from, and what."""
Move = tuple[Number, Action]


class Scenario(NamedTuple):
    """A table, the worlds that ``viewer`` can't tell apart, and the moves that are the same in both to him."""

    prepared: Prepared
    viewer: Number | None
    states: tuple[State, State]
    luck: tuple[Luck | None, Luck | None]
    path: tuple[Move, ...]
    illegal: tuple[tuple[Action, ...], ...]
    """What the viewer tries before each move, and after the last: refused in both worlds."""

    @property
    def differ(self) -> bool:
        """Whether anything is hidden at all."""
        return self.states[0] != self.states[1] or self.luck[0] != self.luck[1]


def scenario(game: Game, seats: int, viewer: Number | None, seed: int) -> Scenario:
    """A table in the open database at a random point of a match, and another world for this viewer.

    About one in four lies between two hands, the next one sealed. None lies in the last round of a match, where nothing
    may be hidden any more.
    """
    rng = Random(seed)
    pause = first_pause(game, seats, seed) if rng.random() < 0.25 else None
    latest = min(LATEST, length(game, seats, seed, LATEST + seats) - seats)
    prepared = written(game, seats, seed, pause or rng.randrange(2, max(3, latest)))
    state, luck = prepared.table.state, prepared.table.luck
    assert state is not None
    other, path = _branch(state, viewer, rng)
    illegal, worlds = [], (state, other)
    for step in (*path, None):
        illegal.append(tuple(_refused(worlds, viewer, rng)))
        if step is not None:
            worlds = (worlds[0].play(*step)[0], worlds[1].play(*step)[0])
    return Scenario(prepared, viewer, (state, other), (luck, _redrawn(state, luck, rng)), path, tuple(illegal))


def tell_apart(folder: Path, app: str, make: Callable[[], Sequence[Scenario]]) -> int:
    """Run both houses and compare what each viewer hears; the characters compared. Raises AssertionError."""
    one, other = folder / "one", folder / "other"
    one.mkdir(parents=True)
    with database_in(one):
        scenarios = make()
    shutil.copytree(one, other)
    with database_in(other):
        for some in scenarios:
            _write(some.prepared.table, some.states[1], some.luck[1])
    first = Server(one, app, **STILL)
    second = Server(other, app, **STILL)
    second.port, second.base = first.port, first.base
    heard = [_heard(house, scenarios) for house in (first, second)]
    for some, in_one, in_other in zip(scenarios, *heard, strict=True):
        _compare(some, in_one, in_other)
    return sum(len(text) for some in heard[0] for _, text in some)


# --- worlds ---


def _branch(state: State, viewer: Number | None, rng: Random) -> tuple[State, tuple[Move, ...]]:
    """The imagined world in which the longest part of a random future can be played, and looks the same."""
    future: list[Move] = []
    at = state
    while len(future) < LONGEST and at.turn not in (None, HOUSE):
        future.append((at.turn, rng.choice(at.moves(at.turn))))
        at, _ = at.play(*future[-1])
    best, longest = state, -1
    for other in contract.worlds(state, viewer, rng, DRAWN):
        same = _same(state, other, viewer, future)
        if (other != state, same) > (best != state, longest):
            best, longest = other, same
    return best, tuple(future[: max(longest, 0)])


def _same(one: State, other: State, viewer: Number | None, future: Iterable[Move]) -> int:
    """How many moves look the same to the viewer in both."""
    count = 0
    for move in future:
        with suppress(IllegalAction):
            (one, told), (other, said) = one.play(*move), other.play(*move)
            if one.turn != HOUSE and _view(one, viewer) == _view(other, viewer) and _text(told) == _text(said):
                count += 1
                continue
        break
    return count


def _view(state: State, viewer: Number | None) -> str:
    return codec.encode(state.view(viewer))


def _text(events: Sequence[Event]) -> list[str]:
    return list(map(codec.encode, events))


def _redrawn(state: State, luck: Luck | None, rng: Random) -> Luck | None:
    """Other luck under another salt, as much as lies there; the seal, which everybody may see, stays as it was."""
    if luck is None:
        return None
    drawn = tuple(map(codec.encode, state.draw_lots(rng)))
    lots = drawn[: len(luck.lots)] if len(luck.lots) <= len(drawn) else luck.lots
    return Luck(lots, f"{rng.getrandbits(128):032x}", luck.sha256)


def _refused(worlds: tuple[State, State], viewer: Number | None, rng: Random) -> list[Action]:
    """Actions that the viewer may try: somebody's moves in either world, of which some name what he can't know."""
    moves = [move for state in worlds for seat in contract.seats_of(state) for move in state.moves(seat)]
    tried = rng.sample(moves, min(4, len(moves)))
    if viewer is None:
        return tried
    return [action for action in tried if all(_is_refused(state, viewer, action) for state in worlds)]


def _is_refused(state: State, seat: Number, action: Action) -> bool:
    try:
        state.play(seat, action)
    except IllegalAction:
        return True
    return False


def _write(table: Table, state: State, luck: Luck | None) -> None:
    """Put another world into the row of this table: same revision, same counters, same times."""
    kept = tables.load(table.id)
    assert tables.commit(kept, Change(replace(kept, state=state, luck=luck)), kept.since) is not None


# --- houses ---


def _heard(house: Server, scenarios: Sequence[Scenario]) -> list[Heard]:
    """What the viewer of each scenario hears in this house."""
    house.start()
    try:
        heard = [_Viewer(house, some).play() for some in scenarios]
        house.no_fault()
        return heard
    finally:
        house.kill()


class _Viewer:
    """One viewer, the others at his table, and everything that he hears, in order."""

    def __init__(self, house: Server, some: Scenario) -> None:
        self.some, self.code = some, some.prepared.table.code
        people = some.prepared.visitors(house.base)
        place = -1 if some.viewer is None else some.viewer
        self.visitor = people[place]
        self.heard: Heard = []
        self.others = {n: Seat(person, self.code) for n, person in enumerate(people[:-1]) if person is not self.visitor}
        self.page = self._load()

    def play(self) -> Heard:
        """Look at everything, try what is refused, and let the same moves happen."""
        self.look()
        for n, (seat, action) in enumerate(self.some.path):
            self.provoke(n)
            self._move(seat, action)
            if n % 3 == 1:
                before, self.page = self.page, self._load()
                before.wire.close()
        self.provoke(len(self.some.path))
        self.look()
        return self.heard

    def look(self) -> None:
        """Every page that shows something of the table, or might."""
        game, code = self.some.prepared.table.game.key, self.code
        pages = [
            "/",
            f"/masa/{code}",
            f"/m/{code}",
            f"/kurallar/{game}?masa={code}",
            f"/siralama?oyun={game}",
            "/profil",
        ]
        for path in [*pages, *(f"/masa/{code}/{name}" for name in ("kayit", "replay", "proof"))]:
            self.visitor.get(path)
            self._take_page(path)
        lobby = self.visitor.wire("/ws/lobi")
        for _ in range(2):  # the beat, and the picture
            self._take("the lobby", lobby.receive())
        lobby.close()

    def provoke(self, n: int) -> None:
        """What is refused, no message at all, and a nudge."""
        for action in self.some.illegal[n]:
            self._send(self.page, action)
        for text in NONSENSE:
            self.page.wire.send(text)
        for request in ("nudge", "nudge", "close_vote", "take_back", *(() if self._pausing else ("ready",))):
            self.page.do(request)
        self._settle("what is refused")

    @property
    def _pausing(self) -> bool:
        return self.some.states[0].phase == "hand_over"

    def _move(self, seat: Number, action: Action) -> None:
        mover, before = self.others.get(seat, self.page), self.page.played
        mover.until(lambda page: page.played >= before)
        self._send(mover, action)
        while self.page.played == before:
            self._take(f"a move of seat {seat}", self.page.read())
        self._settle(f"what follows a move of seat {seat}")

    def _load(self) -> Seat:
        """Load the page and open its socket."""
        page = Seat(self.visitor, self.code)
        self._take_page("the page")
        self._take("the handshake", page.wire.beside[0])
        for message in page.wire.heard:
            self._take("the first picture", message)
            if not message.startswith("{"):
                break
        return page

    def _send(self, page: Seat, action: Action) -> None:
        words: dict[str, Any] = codec.plain(action)
        page.do(words.pop("do"), **words)

    def _settle(self, where: str) -> None:
        """Read up to the answer to a message that nobody but this asks, and that always has one."""
        if self.some.viewer is None:
            answers = self._answers("chair_taken", "table_closed")
            self.page.do("sit", chair=99)
        else:
            answers = self._answers("plea_over")
            self.page.do("approve", plea="", yes=True)
        before = answers()
        while answers() == before:
            self._take(where, self.page.read())

    def _answers(self, *codes: str) -> Callable[[], int]:
        return lambda: sum(code in codes for code, _ in self.page.refusals)

    def _take_page(self, where: str) -> None:
        self._take(where, "\n".join((self.visitor.beside[-1], self.visitor.heard[-1])))

    def _take(self, where: str, text: str) -> None:
        self.heard.append((where, _BY_CHANCE.sub("", text)))


def _compare(some: Scenario, one: Heard, other: Heard) -> None:
    """Raises AssertionError where two worlds sound different."""
    who = "a watcher" if some.viewer is None else f"seat {some.viewer}"
    for (where, text), (elsewhere, instead) in zip(one, other, strict=False):
        if (where, text) != (elsewhere, instead):
            at = next((n for n, (a, b) in enumerate(zip(text, instead, strict=False)) if a != b), 0)
            parts = f"…{text[max(0, at - 80) : at + 80]}… | …{instead[max(0, at - 80) : at + 80]}…"
            raise AssertionError(f"{who} can tell two worlds apart by {where} ({len(text)}, {len(instead)}): {parts}")
    assert len(one) == len(other), f"{who} hears {len(one)} things in one world, {len(other)} in the other"
