"""The 24 points and all legal plays of a throw (TV-7 to TV-12). Tuples of numbers; knows no match."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

Side: TypeAlias = tuple[int, ...]
"""One side's checkers in its own numbering (TV-1): how many are off, on each of 1 to 24, on the bar."""
Dice: TypeAlias = tuple[int, ...]
Board: TypeAlias = tuple[Side, Side]
"""Who is to move, and the other."""

OFF: Final = 0
BAR: Final = 25
HOME: Final = 6
"""The farthest point of the home board."""
CHECKERS: Final = 15
START: Final[Side] = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(place, 0) for place in range(BAR + 1))
"""TV-2."""


def dice_of(throw: Dice) -> Dice:
    """What a throw gives to play: a double four times (TV-7).

    >>> dice_of((5, 3)), dice_of((2, 2))
    ((5, 3), (2, 2, 2, 2))
    """
    return throw * 2 if len(throw) == 2 and throw[0] == throw[1] else throw


def without(dice: Dice, die: int) -> Dice:
    """The dice left when one is played."""
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def pips(side: Side) -> int:
    """How far all checkers of a side still have to go."""
    return sum(place * count for place, count in enumerate(side))


def closed(theirs: Side, point: int) -> bool:
    """Whether the other side holds this point, given in one's own numbering (TV-8)."""
    return theirs[BAR - point] > 1


def all_home(mine: Side) -> bool:
    """Whether bearing off is open (TV-10)."""
    return not any(mine[HOME + 1 :])


def moved(mine: Side, theirs: Side, start: int, die: int) -> tuple[Side, Side, bool]:
    """The board after one step, and whether it hit. Asks nothing about rules."""
    me, you = list(mine), list(theirs)
    hit = _do(me, you, start, die)
    return tuple(me), tuple(you), hit


def unmoved(mine: Side, theirs: Side, start: int, die: int, hit: bool) -> Board:
    """The board before that step."""
    me, you = list(mine), list(theirs)
    _undo(me, you, start, die, hit)
    return tuple(me), tuple(you)


def length(mine: Side, theirs: Side, dice: Dice) -> int:
    """How many of these dice a longest play uses."""
    return _longest(list(mine), list(theirs), dice, BAR)


@lru_cache(maxsize=256)
def steps(mine: Side, theirs: Side, dice: Dice) -> tuple[tuple[int, int], ...]:
    """Every (place, die) that begins a legal play of these dice, or continues one (TV-11, TV-12).

    The farthest place first, and there the larger die.
    """
    me, you = list(mine), list(theirs)
    lengths = {}
    for die in set(dice):
        rest = without(dice, die)
        for start in _starts(me, you, die):
            hit = _do(me, you, start, die)
            lengths[start, die] = 1 + _longest(me, you, rest, BAR)
            _undo(me, you, start, die, hit)
    most = max(lengths.values(), default=0)
    if most == 1 and len(set(dice)) == 2:  # one die alone: the larger
        larger = {step: 1 for step in lengths if step[1] == max(dice)}
        lengths = larger or lengths
    return tuple(sorted((step for step, length in lengths.items() if length == most), reverse=True))


def finals(mine: Side, theirs: Side, dice: Dice) -> frozenset[Board]:
    """The distinct boards after a whole legal play of these dice; the same board where nothing can be played."""
    me, you = list(mine), list(theirs)
    most = _longest(me, you, dice, BAR)
    found: set[Board] = set()
    if len(set(dice)) < 2:
        _gather(me, you, dice[:most], BAR, found)
    elif most > 1:
        _gather(me, you, dice, BAR, found)
        _gather(me, you, dice[::-1], BAR, found)
    else:
        for die in sorted(dice, reverse=True):
            if not found:
                _gather(me, you, (die,), BAR, found)
    return frozenset(found or {(mine, theirs)})


def _starts(me: list[int], you: list[int], die: int) -> list[int]:
    """From where one checker can go by this die, the farthest place first."""
    if me[BAR]:
        return [BAR] if you[die] < 2 else []
    starts = [place for place in range(24, die, -1) if me[place] and you[BAR - place + die] < 2]
    if not any(me[HOME + 1 :]):
        if me[die]:
            starts.append(die)
        elif not any(me[die + 1 :]):
            starts += [place for place in range(die - 1, 0, -1) if me[place]][:1]
    return starts


def _do(me: list[int], you: list[int], start: int, die: int) -> bool:
    """Whether it hit."""
    end = start - die
    me[start] -= 1
    me[end if end > 0 else OFF] += 1
    if end <= 0 or you[BAR - end] != 1:
        return False
    you[BAR - end] = 0
    you[BAR] += 1
    return True


def _undo(me: list[int], you: list[int], start: int, die: int, hit: bool) -> None:
    end = start - die
    me[start] += 1
    me[end if end > 0 else OFF] -= 1
    if hit:
        you[BAR - end] = 1
        you[BAR] -= 1


def _longest(me: list[int], you: list[int], dice: Dice, highest: int) -> int:
    """How many of these dice a play can use at most; with the last checker off, all (TV-12).

    Equal dice are played from the farthest place on: in that order every play of them is possible, and comes but once.
    """
    if not dice or me[OFF] == CHECKERS:
        return len(dice)
    most, double = 0, len(set(dice)) == 1
    for die in dice[:1] if double else dice:
        rest = without(dice, die)
        for start in _starts(me, you, die):
            if start > highest:
                continue
            hit = _do(me, you, start, die)
            most = max(most, 1 + _longest(me, you, rest, start if double else BAR))
            _undo(me, you, start, die, hit)
            if most == len(dice):
                return most
    return most


def _gather(me: list[int], you: list[int], dice: Dice, highest: int, found: set[Board]) -> None:
    """Collect the boards after all these dice, played in this order; with the last checker off, before (TV-12)."""
    if not dice or me[OFF] == CHECKERS:
        found.add((tuple(me), tuple(you)))
        return
    die, rest = dice[0], dice[1:]
    double = bool(rest) and rest[0] == die
    for start in _starts(me, you, die):
        if start <= highest:
            hit = _do(me, you, start, die)
            _gather(me, you, rest, start if double else BAR, found)
            _undo(me, you, start, die, hit)


def text(sides: Iterable[Side]) -> str:
    """A board on one line: points from the farthest, then bar and off, of each side.

    >>> text([START, START])
    '24:2,13:5,8:3,6:5|0|0 / 24:2,13:5,8:3,6:5|0|0'
    """
    return " / ".join(f"{_points(side)}|{side[BAR]}|{side[OFF]}" for side in sides)


def _points(side: Side) -> str:
    return ",".join(f"{point}:{side[point]}" for point in range(24, 0, -1) if side[point])
