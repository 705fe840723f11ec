"""A match on paper: read, write, replay, check the `expect` lines. Knows games only as declarations it is handed."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, cast

from msgspec import Struct

from mokali.engine import codec, fairness
from mokali.engine.protocol import (
    HOUSE,
    Action,
    BadSetup,
    Game,
    IllegalAction,
    MalformedAction,
    Rules,
    Seat,
    State,
    ends_hand,
)

Log = tuple[tuple[Seat, Action], ...]


class Unreadable(ValueError):
    """The text is no record; one line says why."""


class Header(Struct, frozen=True, omit_defaults=True):
    """The first line of a record."""

    record: int
    game: str
    seats: int
    ruleset: str | None = None
    options: dict[str, Any] = {}
    names: tuple[str, ...] = ()
    note: str = ""
    setup: dict[str, Any] | None = None
    setup_refused: bool = False


class Line(Struct, frozen=True):
    """A step as it stands in the file; ``number`` counts from 1."""

    number: int
    step: dict[str, Any]


class Record(Struct, frozen=True):
    """A header and its steps."""

    header: Header
    lines: tuple[Line, ...]


class Failure(Struct, frozen=True):
    """What did not hold, and where."""

    line: int
    text: str


class Played(Struct, frozen=True):
    """A record after its last step. ``state`` is None where the setup was refused."""

    state: State | None
    log: Log
    failures: tuple[Failure, ...]


def read(text: str) -> Record:
    """The record of a file's text. Raises Unreadable."""
    numbered = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not numbered:
        raise Unreadable("1: empty")
    try:
        number, line = numbered[0]
        header = codec.decode(Header, line)
        steps = []
        for number, line in numbered[1:]:
            steps.append(Line(number, codec.decode(dict[str, Any], line)))
    except MalformedAction as error:
        raise Unreadable(f"{number}: {error}") from error
    if header.record != 1:
        raise Unreadable(f"{numbered[0][0]}: record version {header.record}")
    return Record(header, tuple(steps))


def game_of(record: Record, games: Mapping[str, Game]) -> Game:
    """The game that a record names. Raises Unreadable."""
    game = games.get(record.header.game)
    if game is None:
        raise Unreadable(f"1: unknown game {record.header.game!r}")
    return game


def rules_of(header: Header, game: Game) -> Rules:
    """The preset with the header's options. Raises Unreadable."""
    preset = game.rulesets.get(header.ruleset or next(iter(game.rulesets)))
    if preset is None:
        raise Unreadable(f"1: unknown ruleset {header.ruleset!r}")
    try:
        return codec.convert(type(preset), {**codec.plain(preset), **header.options})
    except MalformedAction as error:
        raise Unreadable(f"1: options: {error}") from error


def action_of(line: Line, game: Game, seats: int) -> tuple[Seat, Action]:
    """Who does what in a line that is a step. Raises MalformedAction."""
    step = {key: value for key, value in line.step.items() if key not in ("seat", "illegal")}
    who = line.step.get("seat")
    if who == "house":
        return HOUSE, codec.read_action(game.lots + fairness.NOTES, codec.encode(step))
    if type(who) is not int or who not in range(seats):  # true is no seat
        raise MalformedAction(f"no seat {who!r}")
    return who, codec.read_action(game.actions + game.idles, codec.encode(step))


def replay(record: Record, game: Game, rng: Random) -> Played:
    """Play a record. Luck that it does not state comes from ``rng``. Raises Unreadable."""
    return _Replay(record, game, rng).run()


def summary(state: State) -> dict[str, Any]:
    """What an `expect` line is held against: the spectators' view, and what the seat to act may play."""
    spectator = cast(dict[str, Any], codec.plain(state.view(None)))
    if state.turn is not None and state.turn != HOUSE and "legal" in spectator:
        spectator["legal"] = codec.plain(state.view(state.turn))["legal"]
    return spectator


def start(game: Game, rules: Rules, seats: int, setup: Mapping[str, Any] | None = None) -> State:
    """A fresh match, or one in a position given as plain data; an empty one is none. Raises BadSetup."""
    if seats not in game.seats:
        raise BadSetup(f"{game.key} has no table for {seats}")
    try:
        return game.state.start(rules, seats, codec.convert(game.setup, setup) if setup else None)
    except MalformedAction as error:
        raise BadSetup(str(error)) from error


def resume(game: Game, rules: Rules, seats: int, log: Iterable[tuple[Seat, Action]]) -> State:
    """The match that a log tells. Raises IllegalAction where it can't be played."""
    state = start(game, rules, seats)
    for seat, action in log:
        if not isinstance(action, fairness.NOTES):
            state, _ = state.play(seat, action)
    return state


def dumps(game: Game, rules: Rules, seats: int, log: Sequence[tuple[Seat, Action]], names: tuple[str, ...] = ()) -> str:
    """A match as a record's text."""
    ruleset, options = _nearest(game, rules)
    header = Header(record=1, game=game.key, seats=seats, ruleset=ruleset, options=options, names=names)
    steps = [{"seat": "house" if seat == HOUSE else seat, **codec.plain(action)} for seat, action in log]
    return "".join(codec.encode(line) + "\n" for line in (header, *steps))


def _nearest(game: Game, rules: Rules) -> tuple[str, dict[str, Any]]:
    """The preset that differs least, and the differences."""

    def options(name: str) -> dict[str, Any]:
        preset = codec.plain(game.rulesets[name])
        return {key: value for key, value in codec.plain(rules).items() if value != preset[key]}

    name = min(game.rulesets, key=lambda name: len(options(name)))
    return name, options(name)


class _Replay:
    """One run through a record; it lives for the length of that run."""

    def __init__(self, record: Record, game: Game, rng: Random) -> None:
        self.record, self.game, self.rng = record, game, rng
        self.log: list[tuple[Seat, Action]] = []
        self.failures: list[Failure] = []
        self.luck: list[Action] = []

    def run(self) -> Played:
        header = self.record.header
        rules = rules_of(header, self.game)
        try:
            self.state = start(self.game, rules, header.seats, header.setup)
        except BadSetup as error:
            if not header.setup_refused:
                self._fail(1, "a position", f"refused: {error}")
            return Played(None, (), tuple(self.failures))
        if header.setup_refused:
            self._fail(1, "the setup refused", "a position")
        for line in self.record.lines:
            if not self._take(line):
                break
        return Played(self.state, tuple(self.log), tuple(self.failures))

    def _take(self, line: Line) -> bool:
        """Whether to read on."""
        if "expect" in line.step:
            for path, expected, actual in codec.compared(line.step["expect"], summary(self.state)):
                self._fail(line.number, f"{path} {_shown(expected)}", _shown(actual))
            return True
        if line.step.get("illegal"):
            self._refused(line, line.step["illegal"])
            return True
        return self._played(line)

    def _played(self, line: Line) -> bool:
        try:
            seat, action = self._action(line)
            if seat != HOUSE:
                self._draw_luck()
            if not isinstance(action, fairness.NOTES):
                self._play(seat, action)
                self.luck = [] if seat == HOUSE else self.luck  # what was drawn for this place is void
        except (MalformedAction, IllegalAction) as error:
            self._fail(line.number, "a legal action", _code(error))
            return False
        self.log.append((seat, action))
        return True

    def _refused(self, line: Line, code: object) -> None:
        before = codec.encode(self.state)
        try:
            seat, action = self._action(line)
            if not isinstance(action, fairness.NOTES):
                self.state.play(seat, action)
        except (MalformedAction, IllegalAction) as error:
            if code is not True and _code(error) != code:
                self._fail(line.number, str(code), _code(error))
        else:
            self._fail(line.number, "a refusal" if code is True else str(code), "accepted")
        if codec.encode(self.state) != before:
            self._fail(line.number, "an unchanged state", "a changed one")

    def _action(self, line: Line) -> tuple[Seat, Action]:
        return action_of(line, self.game, self.record.header.seats)

    def _draw_luck(self) -> None:
        while self.state.turn == HOUSE:
            self.luck = self.luck or list(self.state.draw_lots(self.rng))
            lot = self.luck.pop(0)
            self._play(HOUSE, lot)
            self.log.append((HOUSE, lot))

    def _play(self, seat: Seat, action: Action) -> None:
        self.state, events = self.state.play(seat, action)
        if ends_hand(events):
            self.luck = []

    def _fail(self, line: int, expected: str, actual: str) -> None:
        self.failures.append(Failure(line, f"expected {expected} got {actual}"))


def _code(error: MalformedAction | IllegalAction) -> str:
    return str(error.reason) if isinstance(error, IllegalAction) else "bad_request"


def _shown(value: object) -> str:
    return "nothing" if isinstance(value, type) else codec.encode(value)
