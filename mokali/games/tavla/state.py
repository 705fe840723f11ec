"""Tavla's actions, events and view, and the State that speaks them (RULES chapter 5)."""

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from mokali.engine.chance import tried
from mokali.engine.protocol import (
    HOUSE,
    Action,
    Common,
    Event,
    HandEnded,
    IllegalAction,
    Result,
    Seat,
    State,
    Stroke,
    View,
)
from mokali.games.tavla import board
from mokali.games.tavla.board import BAR, CHECKERS, HOME, OFF, START, Side
from mokali.games.tavla.position import SEATS, Die, Position, TavlaSetup, placed, shown, side_of
from mokali.games.tavla.rules import MARS, SINGLE, TavlaRules

ROLLS: Final = 64
"""So many throws lie sealed ahead; a longer game has as many more sealed when they are used up."""

Place: TypeAlias = Annotated[int, Meta(ge=1, le=24)] | Literal["bar"]
Goal: TypeAlias = Annotated[int, Meta(ge=1, le=24)] | Literal["off"]


class No(StrEnum):
    """Why the rules refuse, in the order of TV-19."""

    NO_DIE = "no_die"
    BAR_FIRST = "bar_first"
    NO_CHECKER = "no_checker"
    BLOCKED = "blocked"
    NOT_ALL_HOME = "not_all_home"
    FARTHER_CHECKER = "farther_checker"
    NOT_MAXIMAL = "not_maximal"
    NOTHING_TO_UNDO = "nothing_to_undo"


class Roll(Action, frozen=True):
    """Throw: one die for the start, then two."""


class Move(Action, frozen=True):
    """Play one die with one checker (TV-7)."""

    start: Place = field(name="from")
    die: Die


class Undo(Action, frozen=True):
    """Take back all that was played since the roll (TV-14)."""


class Dice(Action, frozen=True):
    """The house's answer to a roll."""

    dice: Annotated[tuple[Die, ...], Meta(min_length=1, max_length=2)]


class Deal(Action, frozen=True):
    """The house sets up the next game of a match (TV-4)."""


class DieThrown(Event, frozen=True):
    """A seat threw for the start (TV-3)."""

    seat: Seat
    die: int


class StartTied(Event, frozen=True):
    """Both threw the same: both throw again (TV-3)."""


class Started(Event, frozen=True):
    """A seat threw more, and starts (TV-3)."""

    seat: Seat


class DiceThrown(Event, frozen=True):
    """A seat threw its two dice."""

    seat: Seat
    dice: tuple[int, int]


class Moved(Event, frozen=True):
    """A checker went on, in its owner's numbering; ``hit``: an enemy went to the bar."""

    seat: Seat
    start: Place
    end: Goal
    die: int
    hit: bool


class NoMove(Event, frozen=True):
    """Gele: nothing can be played, and the turn has passed (TV-13)."""

    seat: Seat


class TakenBack(Event, frozen=True):
    """A seat begins its turn anew, with the same dice."""

    seat: Seat


class MarsMade(Event, frozen=True):
    """The loser has borne off none (TV-16)."""

    seat: Seat


class GameWon(Event, frozen=True):
    """A seat has borne off all its checkers."""

    seat: Seat
    points: int


class Step(Struct, frozen=True):
    """One die played with one checker, in the mover's numbering."""

    start: Place
    die: int
    end: Goal
    hit: bool


class Turn(Struct, frozen=True):
    """A turn that has passed: what was thrown, and what was played of it."""

    seat: Seat
    dice: tuple[int, ...]
    steps: tuple[Step, ...]

    @property
    def left(self) -> tuple[int, ...]:
        """The dice that could not be played (TV-13)."""
        dice = board.dice_of(self.dice)
        for step in self.steps:
            dice = board.without(dice, step.die)
        return dice


def doubles(lot: Action, after: "Tavla") -> Sequence[Stroke]:
    """Whether a throw of two dice is a double, beside what chance would give."""
    if not isinstance(lot, Dice) or len(lot.dice) == 1:
        return ()
    seat = after.mover if after.dice else after.last.seat if after.last is not None else None  # passed on: no move
    return () if seat is None else [Stroke("doubles", seat, int(len(set(lot.dice)) == 1), *tried(1, 1 / 6))]


class Won(Struct, frozen=True):
    """A finished game."""

    seat: Seat
    points: int

    @property
    def mars(self) -> bool:
        """Whether it was a gammon."""
        return self.points == MARS

    @property
    def scores(self) -> tuple[int, int]:
        """Points per seat."""
        return (self.points, 0) if self.seat == 0 else (0, self.points)


class Throws(Struct, frozen=True):
    """A seat's throws of two dice in this match: how many, how often each face, how many doubles."""

    count: int = 0
    faces: tuple[int, ...] = (0,) * 6
    doubles: int = 0

    def plus(self, dice: tuple[int, int]) -> "Throws":
        """With one more throw."""
        faces = tuple(had + dice.count(face) for face, had in enumerate(self.faces, 1))
        return Throws(self.count + 1, faces, self.doubles + (dice[0] == dice[1]))


class TavlaView(View, frozen=True, kw_only=True):
    """What one seat may know of a Tavla match: all but the dice to come."""

    rules: TavlaRules
    mover: Seat | None
    """Whose turn it is, also while the house throws; None between games."""
    board: Position
    dice: tuple[int, ...]
    """Left to play, as thrown; a double four times."""
    thrown: tuple[int, ...]
    """The throw of this turn."""
    legal: tuple[Step, ...]
    """What the viewer may play now."""
    closing: bool
    """Whether any of them is the last of the turn, so that nothing can be taken back after it."""
    may_undo: bool
    steps: tuple[Step, ...]
    """What was played of this throw."""
    last: Turn | None
    """The turn before, in this game."""
    start_dice: tuple[int, ...]
    """The throws for the start, seat 0's first: until the first throw of two (TV-3)."""
    pips: tuple[int, int]
    target: int
    history: tuple[Won, ...]
    throws: tuple[Throws, Throws]

    @property
    def passed(self) -> Turn | None:
        """The turn before, where nothing of it could be played: "gele" (TV-13)."""
        return self.last if self.last is not None and not self.last.steps else None


class Tavla(State, frozen=True, kw_only=True):
    """One whole Tavla match."""

    rules: TavlaRules
    sides: tuple[Side, Side]
    mover: Seat | None
    """Whose turn it is; None between games."""
    rolling: bool
    """Whether the house owes dice."""
    starting: bool
    """Whether it is still thrown for the start (TV-3)."""
    start_dice: tuple[int, ...]
    thrown: tuple[int, ...]
    dice: tuple[int, ...]
    steps: tuple[Step, ...]
    last: Turn | None
    base: tuple[int, int]
    """Points per seat that a set-up position began with."""
    history: tuple[Won, ...]
    throws: tuple[Throws, Throws]

    @classmethod
    def start(cls, rules: TavlaRules, seats: int, setup: TavlaSetup | None = None) -> Self:
        """A match before its first throw, or in the position of ``setup``. Raises BadSetup."""
        fresh = cls(
            rules=rules,
            sides=(START, START),
            mover=0,
            rolling=False,
            starting=True,
            start_dice=(),
            thrown=(),
            dice=(),
            steps=(),
            last=None,
            base=(0, 0),
            history=(),
            throws=(Throws(), Throws()),
        )
        if setup is None:
            return fresh
        target = rules.target if setup.match is None else setup.match.target
        return replace(fresh, rules=replace(rules, target=target), **placed(setup))

    @property
    def phase(self) -> str:
        """``start``, ``roll``, ``move``, ``hand_over`` or ``over`` (TV-5)."""
        if self.mover is None:
            return "over" if max(self._totals) >= self.rules.target else "hand_over"
        return "start" if self.starting else "move" if self.dice else "roll"

    @property
    def turn(self) -> Seat | None:
        """The seat to act, HOUSE while it throws and between games, None at the end."""
        if self.mover is None:
            return None if self.phase == "over" else HOUSE
        return HOUSE if self.rolling else self.mover

    @property
    def result(self) -> Result | None:
        """First place for the winner (TV-17)."""
        if self.turn is not None:
            return None
        return Result(self._totals, tuple(1 if seat in self._winners else 2 for seat in range(SEATS)))

    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        """Single dice until one seat starts (TV-3), or the next game; then 64 throws of two (TV-6)."""
        lots: list[Action] = [Deal()] if self.phase == "hand_over" else []
        if self.starting:
            lots += map(Dice, _start_dice(self.start_dice, rng))
        lots += (Dice((rng.randint(1, 6), rng.randint(1, 6))) for _ in range(ROLLS))
        return tuple(lots)

    def moves(self, seat: Seat) -> Sequence[Action]:
        """All legal actions."""
        if seat != self.turn or seat == HOUSE:
            return ()
        if self.phase != "move":
            return (Roll(),)
        return (*map(_move, self._playable), *((Undo(),) if self.steps else ()))

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The match after ``action``. Raises IllegalAction, in the order of CM-7 and TV-19."""
        if seat != self.turn:
            raise IllegalAction(Common.NOT_YOUR_TURN, turn=self.mover)
        return self._play(seat, action)

    def view(self, seat: Seat | None) -> TavlaView:
        """What ``seat`` may know; None is a spectator."""
        acts = seat is not None and seat == self.turn
        return TavlaView(
            seat=seat,
            turn=None if self.turn == HOUSE else self.turn,
            phase=self.phase,
            hand=len(self.history) + (self.mover is not None),
            scores=self.history[-1].scores if self.history else None,
            totals=self._totals,
            over=self.phase == "over",
            winners=self._winners,
            reason=_reason(self.history[-1]) if self.history else None,
            rules=self.rules,
            mover=self.mover,
            board=Position(*map(shown, self.sides)),
            dice=self.dice,
            thrown=self.thrown,
            legal=tuple(self._step(*step) for step in self._playable) if acts else (),
            closing=acts and bool(self.dice) and self._closing,
            may_undo=acts and bool(self.steps),
            steps=self.steps,
            last=self.last,
            start_dice=self.start_dice,
            pips=(board.pips(self.sides[0]), board.pips(self.sides[1])),
            target=self.rules.target,
            history=self.history,
            throws=self.throws,
        )

    @classmethod
    def imagine(cls, view: TavlaView, rng: Random) -> Self:
        """The match that the view shows: nothing of it is hidden."""
        won = [sum(game.scores[seat] for game in view.history) for seat in range(SEATS)]
        return cls(
            rules=view.rules,
            sides=(side_of(view.board.white), side_of(view.board.black)),
            mover=view.mover,
            rolling=view.mover is not None and view.turn is None,
            starting=view.phase == "start",
            start_dice=view.start_dice,
            thrown=view.thrown,
            dice=view.dice,
            steps=view.steps,
            last=view.last,
            base=(view.totals[0] - won[0], view.totals[1] - won[1]),
            history=view.history,
            throws=view.throws,
        )

    def idle(self, seat: Seat) -> Action:
        """Roll; else from the farthest place, the larger die first (AB-8)."""
        return self.moves(seat)[0]

    # --- the rules ---

    def _play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        phase = self.phase
        match action:
            case Deal() if phase == "hand_over":
                return self._next_game(), ()
            case Dice((die,)) if seat == HOUSE and phase == "start":
                return self._thrown_for_start(die)
            case Dice((one, other)) if seat == HOUSE and phase == "roll":
                return self._thrown((one, other))
            case Roll() if seat != HOUSE and phase in ("start", "roll"):
                return replace(self, rolling=True), ()
            case Move(start, die) if phase == "move":
                return self._moved(BAR if start == "bar" else start, die)
            case Undo() if phase == "move":
                return self._taken_back()
        raise IllegalAction(Common.WRONG_PHASE, phase=phase)

    def _next_game(self) -> Self:
        return replace(self, sides=(START, START), mover=self.history[-1].seat, last=None)

    def _thrown_for_start(self, die: int) -> tuple[Self, tuple[Event, ...]]:
        dice = (*self.start_dice[: len(self.start_dice) % 2], die)  # after a tie both throw again
        event = DieThrown(len(dice) - 1, die)
        after = replace(self, rolling=False, start_dice=dice)
        if len(dice) == 1:
            return replace(after, mover=1), (event,)
        if dice[0] == dice[1]:
            return replace(after, mover=0), (event, StartTied())
        first = int(dice[1] > dice[0])
        return replace(after, mover=first, starting=False), (event, Started(first))

    def _thrown(self, dice: tuple[int, int]) -> tuple[Self, tuple[Event, ...]]:
        assert self.mover is not None
        ours = self.throws[self.mover].plus(dice)
        after = replace(
            self,
            rolling=False,
            start_dice=(),
            thrown=dice,
            dice=board.dice_of(dice),
            throws=(ours, self.throws[1]) if self.mover == 0 else (self.throws[0], ours),
        )
        event = DiceThrown(self.mover, dice)
        return (after, (event,)) if after._playable else (after._passed(), (event, NoMove(self.mover)))

    def _moved(self, start: int, die: int) -> tuple[Self, tuple[Event, ...]]:
        assert self.mover is not None
        self._check(start, die)
        mine, theirs, hit = board.moved(*self._board, start, die)
        step = _step(start, die, hit)
        after = replace(
            self,
            sides=(mine, theirs) if self.mover == 0 else (theirs, mine),
            dice=board.without(self.dice, die),
            steps=(*self.steps, step),
        )
        event = Moved(self.mover, step.start, step.end, die, hit)
        if mine[OFF] == CHECKERS:  # whatever dice are left (TV-12)
            after, events = after._won(self.mover)
            return after, (event, *events)
        return after if after._playable else after._passed(), (event,)

    def _check(self, start: int, die: int) -> None:
        """Raises IllegalAction unless this step begins or continues a legal play (TV-8 to TV-11)."""
        mine, theirs = self._board
        if die not in self.dice:
            raise IllegalAction(No.NO_DIE, die=die)
        if mine[BAR] and start != BAR:
            raise IllegalAction(No.BAR_FIRST)
        if not mine[start]:
            raise IllegalAction(No.NO_CHECKER)
        if start > die and board.closed(theirs, start - die):
            raise IllegalAction(No.BLOCKED, point=start - die)
        if start <= die and not board.all_home(mine):
            raise IllegalAction(No.NOT_ALL_HOME)
        if start < die and any(mine[start + 1 : HOME + 1]):
            raise IllegalAction(No.FARTHER_CHECKER)
        if (start, die) not in self._playable:
            raise IllegalAction(No.NOT_MAXIMAL)

    def _passed(self) -> Self:
        """The other seat is to roll."""
        assert self.mover is not None
        last = Turn(self.mover, self.thrown, self.steps)
        return replace(self, mover=1 - self.mover, thrown=(), dice=(), steps=(), last=last)

    def _won(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        game = Won(seat, SINGLE if self.sides[1 - seat][OFF] else MARS)
        after = replace(self._passed(), mover=None, history=(*self.history, game))
        mars = (MarsMade(seat),) if game.mars else ()
        return after, (*mars, GameWon(seat, game.points), HandEnded(game.scores, _reason(game)))

    def _taken_back(self) -> tuple[Self, tuple[Event, ...]]:
        assert self.mover is not None
        if not self.steps:
            raise IllegalAction(No.NOTHING_TO_UNDO)
        mine, theirs = self._board
        for step in reversed(self.steps):
            start = BAR if step.start == "bar" else step.start
            mine, theirs = board.unmoved(mine, theirs, start, step.die, step.hit)
        sides = (mine, theirs) if self.mover == 0 else (theirs, mine)
        count = len(self.steps) + len(self.dice)
        dice = self.thrown if len(set(self.thrown)) > 1 else self.thrown[:1] * count
        return replace(self, sides=sides, dice=dice, steps=()), (TakenBack(self.mover),)

    # --- small questions ---

    @property
    def _board(self) -> board.Board:
        """The mover's side, and the other's."""
        assert self.mover is not None
        return self.sides[self.mover], self.sides[1 - self.mover]

    @property
    def _playable(self) -> tuple[tuple[int, int], ...]:
        return board.steps(*self._board, self.dice) if self.dice else ()

    @property
    def _closing(self) -> bool:
        return len(self.dice) == 1 or board.length(*self._board, self.dice) == 1

    def _step(self, start: int, die: int) -> Step:
        theirs = self._board[1]
        return _step(start, die, start > die and theirs[BAR - start + die] == 1)

    @property
    def _totals(self) -> tuple[int, int]:
        white, black = self.base
        for game in self.history:
            white, black = white + game.scores[0], black + game.scores[1]
        return white, black

    @property
    def _winners(self) -> tuple[Seat, ...]:
        if self.mover is not None:
            return ()
        return tuple(seat for seat, points in enumerate(self._totals) if points >= self.rules.target)


def _start_dice(thrown: tuple[int, ...], rng: Random) -> list[tuple[int]]:
    """The throws for the start that are still to come: until both are there and unequal (TV-3)."""
    dice = list(thrown[: len(thrown) % 2])
    known = len(dice)
    while len(dice) % 2 or not dice or dice[-1] == dice[-2]:
        dice.append(rng.randint(1, 6))
    return [(die,) for die in dice[known:]]


def _step(start: int, die: int, hit: bool) -> Step:
    return Step("bar" if start == BAR else start, die, start - die if start > die else "off", hit)


def _move(step: tuple[int, int]) -> Move:
    start, die = step
    return Move("bar" if start == BAR else start, die)


def _reason(game: Won) -> str:
    return "mars" if game.mars else "single"
