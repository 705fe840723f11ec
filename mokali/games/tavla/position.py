"""A board as records and screens have it, a position to start from, and what is wrong with one."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from mokali.engine.protocol import BadSetup, Seat, Setup
from mokali.games.tavla import board
from mokali.games.tavla.board import BAR, CHECKERS, OFF, START, Side

SEATS: Final = 2
Count = Annotated[int, Meta(ge=0, le=CHECKERS)]
Die = Annotated[int, Meta(ge=1, le=6)]


class Checkers(Struct, frozen=True, forbid_unknown_fields=True):
    """One side's checkers in its own numbering (TV-1)."""

    points: dict[str, Count]
    """Point, 24 to 1, to how many stand there; empty ones are left out."""
    bar: Count = 0
    off: Count = 0

    def at(self, point: int) -> int:
        """How many stand on this point."""
        return self.points.get(str(point), 0)


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """Both sides: seat 0 is white."""

    white: Checkers
    black: Checkers


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a match has come."""

    target: Literal[1, 3, 5, 7] = 1
    score: tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]] = (0, 0)


def shown(side: Side) -> Checkers:
    """A side as everybody sees it."""
    points = {str(point): side[point] for point in range(24, 0, -1) if side[point]}
    return Checkers(points, side[BAR], side[OFF])


def side_of(checkers: Checkers) -> Side:
    """A side as the rules count with it. Raises BadSetup where it has not 15 checkers (TV-I1)."""
    places = [0] * (BAR + 1)
    places[OFF], places[BAR] = checkers.off, checkers.bar
    for point, count in checkers.points.items():
        if point not in _POINTS:
            raise BadSetup(f"no point {point!r}")
        places[int(point)] = count
    if sum(places) != CHECKERS:
        raise BadSetup(f"a side has {CHECKERS} checkers, not {sum(places)}")
    return tuple(places)


_POINTS: Final = frozenset(map(str, range(1, 25)))


class TavlaSetup(Setup, frozen=True, kw_only=True):
    """A position. ``dice`` are those left to play; two of a kind are a double that was just thrown."""

    board: Position = Position(shown(START), shown(START))
    turn: Annotated[Seat, Meta(ge=0, lt=SEATS)] = 0
    dice: Annotated[tuple[Die, ...], Meta(max_length=4)] = ()
    match: Standing | None = None
    """Without it nobody has a point, and the table's own target holds."""
    phase: Literal["start", "roll", "move"] | None = None
    """Follows from the dice; only the throw for the start has to be told."""


def placed(setup: TavlaSetup) -> Mapping[str, Any]:
    """The fields of a match in this position. Raises BadSetup."""
    sides = (side_of(setup.board.white), side_of(setup.board.black))
    check_board(sides)
    phase = setup.phase or ("move" if setup.dice else "roll")
    if (phase == "move") != bool(setup.dice):
        raise BadSetup("there are dice to play in phase move, and only there")
    dice = _dice(setup, sides)
    if phase == "start" and setup.turn != 0:
        raise BadSetup("seat 0 throws first for the start")
    standing = setup.match or Standing()
    if setup.match is not None and max(standing.score) >= standing.target:
        raise BadSetup("the match is over")
    return {
        "sides": sides,
        "mover": setup.turn,
        "starting": phase == "start",
        "thrown": setup.dice[:2],
        "dice": dice,
        "base": standing.score,
    }


def check_board(sides: tuple[Side, Side]) -> None:
    """Raises BadSetup where both are on one point, or one has no checker left to play (TV-I1)."""
    white, black = sides
    if both := [point for point in range(1, BAR) if white[point] and black[BAR - point]]:
        raise BadSetup(f"both sides are on white's point {both[0]}")
    if CHECKERS in (white[OFF], black[OFF]):
        raise BadSetup("a side has borne off all its checkers")


def _dice(setup: TavlaSetup, sides: tuple[Side, Side]) -> tuple[int, ...]:
    """The dice left to play. Raises BadSetup where no throw leaves these, or nothing can be played with them."""
    if len(setup.dice) > 2 and len(set(setup.dice)) > 1:
        raise BadSetup("three or four dice are those of a double")
    dice = board.dice_of(setup.dice)
    if dice and not board.steps(sides[setup.turn], sides[1 - setup.turn], dice):
        raise BadSetup("nothing can be played with these dice")
    return dice
