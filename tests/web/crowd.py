"""Tables under load over real sockets, whatever happens to the house: a thread each. Knows no game by name.

A party plays what ``state.moves`` offers and remembers each move whose sender has seen the counter go up; when its
sockets die, it comes back and goes on. ``holds`` compares what it was told with what lies on disk.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final, NamedTuple

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Action, Game, Rules, State
from mokali.games import BY_KEY, GAMES
from tests.contract import own
from tests.web.seat import Seat, fresh
from tests.web.server import Server
from tests.web.wire import PATIENCE, Closed, Rejected, Visitor

_OWN: Final = re.compile(r'<section[^>]* id="(?:hand|rack)".*?</section>', re.DOTALL)
_LOST: Final = (Closed, ConnectionError, Rejected)

Move = tuple[int, int, str]
"""The counter it was made at, the seat, the encoded action."""


class Row(NamedTuple):
    """A table as it lies on disk."""

    id: int
    game: Game
    rules: Rules
    state: State | None
    text: str | None
    body: dict[str, Any]
    played: int
    lines: tuple[tuple[int, int, str], ...]

    @property
    def pausing(self) -> bool:
        """Whether a hand is over and the luck of the next one sealed."""
        state = self.state
        over = state is not None and state.phase == "hand_over" and state.view(None).hand > 0
        return over and self.body["luck"] is not None


def look(server: Server, code: str, *, whole: bool = False) -> Row:
    """The row of a table, ``whole`` with its log: one moment, whoever writes meanwhile."""
    with server.rows() as rows:
        rows.execute("BEGIN")
        number, key, rules, state, body, played = rows.execute(
            "SELECT id, game, rules, state, body, played FROM game_table WHERE code = ?", (code,)
        ).fetchone()
        sql = 'SELECT n, seat, action FROM line WHERE "table" = ? ORDER BY n'
        lines = tuple(rows.execute(sql, (number,)).fetchall()) if whole else ()
    game = BY_KEY[key]
    kind = type(next(iter(game.rulesets.values())))
    decoded = None if state is None else codec.decode(game.state, state)
    return Row(number, game, codec.decode(kind, rules), decoded, state, json.loads(body), played, lines)


class Place(Seat):
    """A seat that remembers its hand as it was drawn, and can come back as a browser does."""

    hand = ""

    def come_back(self) -> None:
        """The same page opens its socket again. Raises what a lost line raises."""
        self.wire.cut()
        self.visitor.wires.clear()
        self.visitor.heard.clear()
        self.wire = self.visitor.wire(self.address)
        self.picture()

    def lost(self) -> bool:
        """Whether the line is gone, once all that came over it has been read."""
        try:
            while True:
                self.read(0)
        except TimeoutError:
            return False
        except Closed:
            return True

    def send(self, action: Action, played: int) -> None:
        """What the button of this action sends."""
        self._open()
        self.wire.send(json.dumps({**json.loads(codec.encode(action)), "played": played}))

    def do(self, action: str, **values: object) -> None:
        self._open()
        super().do(action, **values)

    def _open(self) -> None:
        if self.wire.closed is not None:
            raise Closed(self.wire.closed)

    def _note(self, html: str) -> None:
        super()._note(html)
        for hand in _OWN.findall(html):
            self.hand = hand


class Party:
    """One table and everybody at it. ``lazy``: nobody says "Devam", so that the pause's clock runs."""

    def __init__(self, server: Server, game: Game, seats: int, rng: Random, *, lazy: bool = False) -> None:
        self.server, self.game, self.rng, self.lazy = server, game, rng, lazy
        self.told: dict[str, list[Move]] = {}
        """By table: the moves that were acknowledged."""
        self.pending: Move | None = None
        self.codes: list[int] = []
        """How sockets were closed."""
        self.back = threading.Event()
        self.error: BaseException | None = None
        people = [Visitor(server.base, fresh()) for _ in range(seats)]
        answer = people[0].post("/masa-ac", {"game": game.key, "seats": seats})
        assert answer.status == 303, answer
        self._sit(people, answer.headers["location"].rpartition("/")[2])
        for chair, seat in enumerate(self.seats[1:], 1):  # one after the other: SITE-9
            seat.do("sit", chair=chair)
            seat.until(lambda some, chair=chair: some.number == chair)  # type: ignore[misc]
        for seat in self.seats:
            seat.do("ready")

    @property
    def moves(self) -> int:
        """How many moves have been acknowledged."""
        return sum(map(len, self.told.values()))

    def play(self, until: threading.Event) -> None:
        """Go on until then, through every loss of the line."""
        try:
            while not until.is_set():
                try:
                    self.step()
                    self.back.set()
                except _LOST:
                    self.return_(until)
        except BaseException as error:
            self.error = error
            self.back.set()

    def return_(self, until: threading.Event) -> None:
        """Everybody whose line is lost tries again, until the house is there."""
        late = time.monotonic() + PATIENCE
        for seat in self.seats:
            while not until.is_set():
                try:
                    if seat.lost():
                        self.codes.append(seat.wire.closed or 0)
                        seat.come_back()
                    break
                except _LOST as error:
                    if time.monotonic() > late:
                        raise TimeoutError(f"{self.code}: no way back") from error
                    time.sleep(0.02)

    def step(self) -> None:
        """One move, or one wait."""
        row = look(self.server, self.code)
        for seat in self.seats:
            seat.until(lambda some: some.played >= row.played)
        self._settle()
        if row.body.get("ended"):
            self._again(row)
        elif row.state is None or row.state.turn == HOUSE:
            self._wait(row)
        else:
            shows(row, self.seats)
            self._move(row.state, row.played)

    def holds(self) -> None:
        """Every acknowledged move is on disk where it belongs, none twice, and the log gives the checkpoint (RL-45)."""
        pending, kept = self.pending, {code: list(told) for code, told in self.told.items()}  # the thread goes on
        for code, told in kept.items():
            row = look(self.server, code, whole=True)
            assert [n for n, _, _ in row.lines] == list(range(row.played)), code
            by_people = [line for line in row.lines if line[1] >= 0]
            assert [move for move in told if row.lines[move[0]] != move] == [], code
            more = [line for line in by_people if line not in told]
            assert len(by_people) == len(told) + len(more), "none twice"
            assert more in ([], [pending]), code
            if row.state is not None:
                kinds = row.game.actions + row.game.lots + row.game.idles + fairness.NOTES
                log = tuple((seat, codec.read_action(kinds, action)) for _, seat, action in row.lines)
                seats = len(row.body["chairs"])
                assert codec.encode(record.resume(row.game, row.rules, seats, log)) == row.text, code
                if row.body["luck"] is None:  # else its seal is not opened yet (RL-37)
                    assert fairness.broken(log, row.game.lots) is None

    def _sit(self, people: Iterable[Visitor], code: str) -> None:
        seats = [Place(person, code) for person in people]  # all of them or, where the line is lost, none
        self.code, self.seats = code, seats
        self.told.setdefault(code, [])

    def _move(self, state: State, played: int) -> None:
        turn = state.turn
        assert turn is not None
        seat, action = self.seats[turn], self.rng.choice(state.moves(turn))
        self.pending = (played, turn, codec.encode(action))
        seat.send(action, played)
        seat.until(lambda some: some.played > played)
        self.told[self.code].append(self.pending)
        self.pending = None

    def _settle(self) -> None:
        """What was sent before the line was lost: it was done, or it was not."""
        if self.pending is not None:
            if self.pending in look(self.server, self.code, whole=True).lines:
                self.told[self.code].append(self.pending)
            self.pending = None

    def _wait(self, row: Row) -> None:
        for n, seat in enumerate(self.seats):
            try:
                if row.pausing and not self.lazy and n not in row.body["ready"]:
                    seat.do("ready")
                seat.read(0.005)
            except TimeoutError:
                pass

    def _again(self, row: Row) -> None:
        if row.body.get("successor"):
            before = self.seats
            self._sit([seat.visitor for seat in before], row.body["successor"])
            for seat in before:
                seat.wire.close()
            return
        for n, seat in enumerate(self.seats):
            if n not in row.body["again"]:
                seat.do("again", pairing=0)
        self._wait(row)


def shows(row: Row, seats: Iterable[Place]) -> None:
    """Each page whose picture is as new as the row has exactly the pieces in hand that its view names."""
    assert row.state is not None
    some = list(seats)
    hands = [set(own(row.state.view(n))) for n in range(len(some))]
    pieces = set().union(*hands)
    for seat, hand in zip(some, hands, strict=True):
        if seat.played == row.played:
            drawn = {piece for piece in pieces if re.search(rf"\b{re.escape(piece)}\b", seat.hand)}
            assert drawn == hand, (seat.code, seat.number)


def parties(server: Server, seed: int, sockets: int) -> list[Party]:
    """Tables of every registered game, with the fewest and the most seats, and at least so many sockets."""
    rng = Random(seed)
    kinds = [(game, seats) for game in GAMES for seats in sorted({min(game.seats), max(game.seats)})]
    some = [Party(server, game, seats, Random(rng.random())) for game, seats in kinds]
    while sum(len(party.seats) for party in some) < sockets:
        game, seats = rng.choice(kinds)
        some.append(Party(server, game, seats, Random(rng.random())))
    return some


@contextmanager
def playing(some: list[Party]) -> Iterator[None]:
    """All of them play, each in a thread of its own; what went wrong there is raised here."""
    over = threading.Event()
    threads = [threading.Thread(target=party.play, args=(over,), daemon=True) for party in some]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(2 * PATIENCE)
    raise_errors(some)


def raise_errors(some: Iterable[Party]) -> None:
    """Raise what went wrong in a thread."""
    for party in some:
        if party.error is not None:
            raise party.error


def restarted(some: list[Party], restart: Callable[[], object]) -> None:
    """Restart the house in mid-play, and wait until everybody plays again."""
    for party in some:
        party.back.clear()
    restart()
    for party in some:
        party.back.clear()  # what was still on its way when the line was cut does not count
    for party in some:
        assert party.back.wait(2 * PATIENCE), f"{party.code}: nobody came back"
    raise_errors(some)
