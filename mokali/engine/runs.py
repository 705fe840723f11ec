"""The best runs of one colour, whatever there is of it. Knows no hands and no groups.

They stand in a table of all 3^13 colours beside this file; ``deploy/runs.py`` made it and says what is in it. It is
read at the first question: about 40 ms, and 15 MB for a process.
"""

import lzma
import sys
from array import array
from collections.abc import Iterator
from functools import cache
from pkgutil import get_data
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

Key: TypeAlias = int
"""How many there are of a colour's numbers, 0 to 2 each, as digits in base 3: the 1s first, the 13s last."""
POWER: Final = tuple(3 ** (13 - number) for number in range(14))
"""What a tile adds to its colour's key, by its number."""
ENTRIES: Final = 3**13


_GAPS: Final = tuple(sum(not three // power % 3 for power in (1, 3, 9)) for three in range(27))
"""How many of three numbers in a row there are none of, by their part of a key."""


class Best(Protocol):
    """What the best runs of a colour are worth."""

    def __getitem__(self, key: Key, /) -> int:
        """By the colour's key."""


class Goal(Struct, frozen=True, eq=False):
    """What is wanted most. Values are whole numbers that add up over runs and groups."""

    best: tuple[Best, Best, Best]
    """With at most 0, 1, 2 okeys."""
    weight: int
    """A tile is worth its number × ``weight`` + 1."""
    unit: int
    """What is less than this only decides between equals."""
    top: int = 13
    """The highest place of a run: 14 is a 1 again (KL-8)."""


@cache
def points() -> Goal:
    """Most points, then most tiles."""
    return Goal(table()[0], 256, 256)


@cache
def tiles() -> Goal:
    """Most tiles."""
    return Goal(table()[1], 0, 1)


def tiles_high_one() -> Goal:
    """Most tiles, where a 1 may follow 13 (KL-8). Remembers what it is asked: one for every hand."""
    return Goal((_HighOne(0), _HighOne(1), _HighOne(2)), 0, 1, 14)


class Run(Struct, frozen=True):
    """Places in a row, and the numbers of the okeys among them."""

    numbers: tuple[int, ...]
    okeys: tuple[int, ...]


def runs(goal: Goal, key: Key, okeys: int, longest: int) -> Iterator[Run]:
    """Best runs of a colour with at most so many okeys: from low to high, the longest first.

    ``longest`` is at least 5: any longer run splits into threes to fives.
    """
    for start in range(1, 13):  # runs can be taken in any order: where none begins now, none does later
        while goal.best[okeys][key] and (found := _from(start, goal, key, okeys, longest)) is not None:
            run, key, okeys = found
            yield run


def _from(start: int, goal: Goal, key: Key, okeys: int, longest: int) -> tuple[Run, Key, int] | None:
    """The longest run from here that leaves a best rest. A natural tile is never left for an okey to stand for."""
    if start < 12 and _GAPS[key // POWER[start + 2] % 27] > okeys:  # not even three places
        return None
    wanted, numbers, wild, found = goal.best[okeys][key], list[int](), list[int](), None
    last = min(start + longest - 1, goal.top, start + 12)  # 1 to 13 and a 1 are two runs (KL-8)
    for place in range(start, last + 1):
        number = place if place <= 13 else 1
        if key // POWER[number] % 3:
            key -= POWER[number]
        elif okeys:
            okeys -= 1
            wild.append(number)
        else:
            break
        numbers.append(number)
        wanted -= number * goal.weight + 1
        if place >= start + 2 and goal.best[okeys][key] == wanted:
            found = Run(tuple(numbers), tuple(wild)), key, okeys
    return found


class _HighOne(dict[Key, int]):
    """Most tiles by key with at most ``okeys`` okeys, where a 1 may also lie above 13; an okey there gains nothing."""

    def __init__(self, okeys: int) -> None:
        self._okeys = okeys

    def __missing__(self, key: Key) -> int:
        low = table()[1]
        ones, others = divmod(key, POWER[1])
        most = low[self._okeys][key]
        if ones:
            most = max(most, low[self._okeys][others * 3 + ones])  # 2 to 14 are as good as 1 to 13
        if ones == 2:
            most = max(most, self._one_of_each(others))
        self[key] = most
        return most

    def _one_of_each(self, others: Key) -> int:
        """One 1 begins a run of three to five, the other lies above 13."""
        low, wild, most = table()[1], 0, 0
        for number in range(2, 6):
            if others // POWER[number] % 3:
                others -= POWER[number]
            elif (wild := wild + 1) > self._okeys:
                break
            if number >= 3:
                most = max(most, number + low[self._okeys - wild][others * 3 + 1])
        return most


@cache
def table() -> tuple[tuple[Best, Best, Best], tuple[Best, Best, Best]]:
    """By most points, points × 256 + tiles; and by most tiles."""
    plain = lzma.decompress(get_data(__package__, "runs.xz") or b"")
    words = [array("H", plain[start : start + 2 * ENTRIES]) for start in range(0, 6 * ENTRIES, 2 * ENTRIES)]
    if sys.byteorder == "big":
        for word in words:
            word.byteswap()
    none, one, two = (plain[start : start + ENTRIES] for start in range(6 * ENTRIES, 9 * ENTRIES, ENTRIES))
    return (words[0], words[1], words[2]), (none, one, two)
