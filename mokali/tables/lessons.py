"""Guided hands ("Öğren"): a record with comments, played at an ordinary practice table. Knows no game by name.

A lesson is ``lesson.jsonl`` in a game's package: the person sits in seat 0, bots and the house play what stands there.
A ``note`` on a move of seat 0 says what to do now; on an `expect` line it is read until "Devam". ``rule`` is its rule.
The last line is the farewell.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pkgutil import get_data
from re import compile
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE, Action, Game, Rules, Seat, State
from mokali.engine.record import Record
from mokali.tables.table import Change, No, Refused, Table

PUPIL: Final[Seat] = 0
"""Where the person sits."""
FILE: Final = "lesson.jsonl"


class Step(Struct, frozen=True):
    """One line of a lesson. ``action`` is None where there is only something to read."""

    seat: Seat
    action: Action | None
    note: str
    rule: str


class Lesson(Struct, frozen=True):
    """A whole lesson. ``mark`` is the fingerprint of its text: a table is guided by the very text it began with."""

    mark: str
    seats: int
    rules: Rules
    setup: Mapping[str, Any] | None
    steps: tuple[Step, ...]


def has(game: Game) -> bool:
    """Whether there is a lesson of this game."""
    return _text(_package(game)) is not None


def of(game: Game) -> Lesson:
    """The lesson of a game that has one; read once."""
    if game.key not in _read:
        text = _text(_package(game))
        assert text is not None
        _read[game.key] = _lesson(game, record.read(text), sha256(text.encode()).hexdigest()[:16])
    return _read[game.key]


def running(table: Table) -> bool:
    """Whether the table still follows its lesson; after that it is a practice table like any other."""
    if not table.terms.lesson or not has(table.game):
        return False
    lesson = of(table.game)
    return table.terms.lesson == lesson.mark and table.step < len(lesson.steps) - 1


def current(table: Table) -> Step | None:
    """What is to be read, or done by somebody, now; None where the lesson is over."""
    return of(table.game).steps[table.step] if running(table) else None


def reading(table: Table) -> bool:
    """Whether the table waits until its person has read something."""
    step = current(table)
    return step is not None and step.action is None


def wanted(table: Table) -> Step | None:
    """The next thing that somebody does; None where nobody does anything any more."""
    if not running(table):
        return None
    return next((step for step in of(table.game).steps[table.step :] if step.action is not None), None)


def setup(table: Table) -> Mapping[str, Any] | None:
    """The position in which this table begins."""
    return of(table.game).setup if running(table) else None


def luck(table: Table, state: State) -> tuple[Action, ...] | None:
    """All the luck that the lesson has ahead; None where it is drawn as ever: the lesson is over, or has none left."""
    ahead = of(table.game).steps[table.step :] if running(table) else ()
    lots = tuple(step.action for step in ahead if step.seat == HOUSE and step.action is not None)
    return lots if lots or (running(table) and state.turn != HOUSE) else None


def followed(table: Table, seat: Seat, action: Action) -> int:
    """Where the lesson is after this legal action. Raises Refused(LESSON): it wants another one."""
    if not running(table):
        return table.step
    steps = of(table.game).steps
    at = next((n for n in range(table.step, len(steps)) if steps[n].action is not None), None)
    if at is None:  # nothing but the farewell: it is over
        return len(steps) - 1
    if steps[at].seat != seat or _alike(steps[at].action) != _alike(action):
        raise Refused(No.LESSON)
    return at + 1


def read(table: Table, step: int, now: int) -> Change:
    """The person has read what stands at this step ("Devam"). Raises Refused(STALE)."""
    if not reading(table) or table.step != step:
        raise Refused(No.STALE)
    return Change(replace(table, step=table.step + 1, since=now))


def told(table: Table) -> Step | None:
    """The comment that stands now: this step's, or the last one while others play; None where there is no lesson."""
    if not table.terms.lesson or not has(table.game) or table.terms.lesson != of(table.game).mark:
        return None
    noted = [step for step in of(table.game).steps[: table.step + 1] if step.note]
    return noted[-1] if noted else None


def _alike(action: Action | None) -> Any:
    """An action up to what looks the same: copies of a tile, and the order in which several are named."""
    return None if action is None else (type(action), _plain(codec.plain(action)))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() <= {"kind", "tiles"}:  # a call that says how it is meant
            return _plain(value["tiles"])
        return tuple(sorted((key, _plain(one)) for key, one in value.items() if one is not None))
    if isinstance(value, list | tuple):
        return tuple(sorted(map(_plain, value), key=repr))
    return value[:-1] if isinstance(value, str) and _COPY.fullmatch(value) else value


def _lesson(game: Game, text: Record, mark: str) -> Lesson:
    header = text.header
    steps = tuple(_step(game, line.step) for line in text.lines)
    return Lesson(mark, header.seats, record.rules_of(header, game), header.setup, steps)


def _step(game: Game, line: dict[str, Any]) -> Step:
    note, rule = line.get("note", ""), line.get("rule", "")
    if "expect" in line:
        return Step(PUPIL, None, note, rule)
    seat = HOUSE if line["seat"] == "house" else line["seat"]
    action = {key: value for key, value in line.items() if key not in ("seat", "note", "rule")}
    return Step(seat, codec.read_action(game.actions + game.lots, codec.encode(action)), note, rule)


def _package(game: Game) -> str:
    return game.state.__module__.rpartition(".")[0]


@cache
def _text(package: str) -> str | None:
    try:
        found = get_data(package, FILE)
    except OSError:
        return None
    return None if found is None else found.decode()


_COPY: Final = compile(r"([RYBK]\d+|FJ)[ab]")
"""A tile with its copy's letter."""
_read: Final[dict[str, Lesson]] = {}
