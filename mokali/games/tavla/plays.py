"""All legal plays of many boards at once, in arrays, for speed (TV-7 to TV-12); ``board`` says the same."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mokali.games.tavla.board import BAR, CHECKERS, HOME, OFF, Board

Boards: TypeAlias = NDArray[np.int8]
"""Boards by side, who is to move first, by place in the side's own numbering; a side is padded to 32 bytes."""
Bits: TypeAlias = NDArray[np.uint32]
"""A set of places per board: bit n is place n."""
Ints: TypeAlias = NDArray[np.intp]

WIDTH: Final = 32
PLACES: Final = BAR + 1
POINTS: Final = np.uint32((1 << BAR) - 2)
"""1 to 24."""
_ON_BAR: Final = np.uint32(1 << BAR)
_ALL: Final = np.uint32(0xFFFFFFFF)
_HIGHEST: Final = np.array([0] + [1 << bits.bit_length() - 1 for bits in range(1, 1 << HOME + 1)], np.uint32)
"""The highest bit alone of a set of places at home."""
_MIX: Final = np.array([int(sha256(bytes([n])).hexdigest()[:16], 16) | 1 for n in range(2 * WIDTH // 8)], np.uint64)
"""Odd numbers without a pattern, to tell boards apart by."""


class Plays(NamedTuple):
    """The distinct boards after a whole play, not turned round, and of which of the given boards; in their order."""

    boards: Boards
    owners: Ints

    def least(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of each given board the least of its plays' values."""
        found: NDArray[np.float32] = np.minimum.reduceat(values, np.flatnonzero(np.diff(self.owners, prepend=-1)))
        return found


def array_of(boards: Sequence[Board]) -> Boards:
    """The same boards as an array."""
    made = np.zeros((len(boards), 2, WIDTH), np.int8)
    made[:, :, :PLACES] = boards
    return made


def board_of(row: Boards) -> Board:
    """One board of an array."""
    mine, theirs = row[:, :PLACES].tolist()
    return tuple(mine), tuple(theirs)


def turned(boards: Boards) -> Boards:
    """The same boards as the other side sees them."""
    return np.ascontiguousarray(boards[:, ::-1])


def places(flags: NDArray[np.bool_]) -> Bits:
    """The sets of places whose flag is up."""
    return np.packbits(flags[..., :PLACES], axis=-1, bitorder="little").view(np.uint32)[..., 0]


def facing(flags: NDArray[np.bool_]) -> Bits:
    """The same sets of places in the other side's numbering."""
    return np.packbits(flags[..., BAR::-1], axis=-1, bitorder="little").view(np.uint32)[..., 0]


def plays(boards: Boards, throws: Ints) -> Plays:
    """All plays of these boards, each with its throw of two dice; a board stays where nothing can be played."""
    owners = np.arange(len(boards))
    high, low = throws.max(axis=1), throws.min(axis=1)
    mixed = np.flatnonzero(high != low)
    now = Plays(np.concatenate([boards, boards[mixed]]), np.concatenate([owners, mixed]))
    dice = np.stack([np.concatenate([high, low[mixed]]), np.concatenate([low, high[mixed]])])  # first, second
    larger_first = np.arange(len(now.owners)) < len(boards)
    caps = np.full(len(now.owners), BAR)
    levels, orders = [Plays(boards, owners)], [np.ones(len(boards), np.bool_)]
    for level in range(4):
        if level == 2:
            stay = high[now.owners] == low[now.owners]
            now, dice, larger_first, caps = (
                Plays(*(part[stay] for part in now)),
                dice[:, stay],
                larger_first[stay],
                caps[stay],
            )
        after, of, starts = _stepped(now.boards, dice[level % 2], caps)
        now, dice, larger_first = Plays(after, now.owners[of]), dice[:, of], larger_first[of]
        caps = np.where(high[now.owners] == low[now.owners], starts, BAR)
        levels.append(now)
        orders.append(larger_first)
    return _longest(levels, orders, len(boards))


def _stepped(boards: Boards, dice: Ints, caps: Ints) -> tuple[Boards, Ints, Ints]:
    """The boards after one step of this die from no place above the cap, of which they are, and from where it went.

    A board with all checkers off goes on as it is.
    """
    legal = _legal(boards, dice) & ((np.uint32(2) << caps.astype(np.uint32)) - np.uint32(1))
    done = boards[:, 0, OFF] == CHECKERS
    flags = np.unpackbits(legal.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")
    of, starts = np.nonzero(flags)
    after = boards[of]
    rows = np.arange(len(of))
    ends = np.maximum(starts - dice[of], OFF)
    after[rows, 0, starts] -= 1
    after[rows, 0, ends] += 1
    hits = np.flatnonzero((ends > OFF) & (after[rows, 1, BAR - ends] == 1))
    after[hits, 1, BAR - ends[hits]] = 0
    after[hits, 1, BAR] += 1
    over = np.flatnonzero(done)
    if len(over):
        after, of = np.concatenate([after, boards[over]]), np.concatenate([of, over])
        starts = np.concatenate([starts, np.full(len(over), BAR)])
    return after, of, starts


def _legal(boards: Boards, dice: Ints) -> Bits:
    """From where one checker can go by this die (TV-8 to TV-10)."""
    die = dice.astype(np.uint32)
    mine = places(boards[:, 0] > 0) & ~np.uint32(1)
    free = ~facing(boards[:, 1] > 1) & POINTS
    enters = np.where(mine & _ON_BAR, _ON_BAR, _ALL)
    exact = np.uint32(1) << die
    at_home = mine < 1 << HOME + 1
    farthest = _HIGHEST[np.where(at_home, mine, 0)]
    bears_off: Bits = np.where(at_home, np.where(farthest < exact, farthest, mine & exact), 0).astype(np.uint32)
    legal: Bits = mine & enters & free << die | bears_off
    return legal


def _longest(levels: Sequence[Plays], orders: Sequence[NDArray[np.bool_]], count: int) -> Plays:
    """Of each board the longest plays, each result once; of single dice the larger (TV-11)."""
    deepest = np.zeros(count, np.intp)
    for level, (_, owners) in enumerate(levels):
        deepest[owners] = level
    larger = np.zeros(count, np.bool_)
    larger[levels[1].owners[orders[1]]] = True
    keeps = [deepest[owners] == level for level, (_, owners) in enumerate(levels)]
    keeps[1] &= orders[1] | ~larger[levels[1].owners]
    boards = np.concatenate([boards[keep] for (boards, _), keep in zip(levels, keeps, strict=True)])
    owners = np.concatenate([owners[keep] for (_, owners), keep in zip(levels, keeps, strict=True)])
    mixed = (boards.reshape(-1, 2 * WIDTH).view(np.uint64) * _MIX).sum(axis=1)
    _, first = np.unique(owners.astype(np.uint64) << np.uint64(44) | mixed >> np.uint64(20), return_index=True)
    return Plays(boards[first], owners[first])
