"""What a board is worth to the side that is to roll: its inputs, and two small networks, for contact and the race."""

from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from itertools import combinations
from pkgutil import get_data
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mokali.games.tavla.board import BAR, CHECKERS, HOME, OFF
from mokali.games.tavla.plays import PLACES, POINTS, Bits, Boards, facing, places
from mokali.games.tavla.rules import MARS, SINGLE

Floats: TypeAlias = NDArray[np.float32]
Layers: TypeAlias = tuple[Floats, ...]
"""Weights and biases of the hidden layer, then of the outputs."""
Net: TypeAlias = Mapping[str, Layers]
"""By kind: until the sides have passed each other, and after."""

Stakes: TypeAlias = tuple[float, float, float, float]
"""What a game won, won by a mars, lost and lost by a mars is worth."""
POINTS_OF_GAME: Final[Stakes] = (SINGLE, MARS, -SINGLE, -MARS)
KINDS: Final = ("contact", "race")
OUTPUTS: Final = ("win", "win_mars", "lose_mars")
"""The chances a network tells; a mars is also a game won or lost."""
_ONE, _TWO = np.uint32(1), np.uint32(2)
_ON_BAR: Final = np.uint32(1 << BAR)
_PIPS: Final = np.arange(PLACES, dtype=np.float32)
_COUNTS: Final = np.array(
    [(n == 1, n == 2, n >= 3, max(n - 3, 0) / 2) for n in range(CHECKERS + 1)],
    np.float32,
)
"""How a number of checkers on a point is told."""
_AHEAD: Final = 12
"""So far ahead a checker that wants to escape looks."""


def _escapes(blocked: int) -> float:
    """With which part of all throws a checker goes the whole of it; bit n blocks the point 12 - n ahead."""

    def free(way: int) -> bool:
        return not blocked >> (_AHEAD - way) & 1

    mixed = sum(free(one + other) and (free(one) or free(other)) for one, other in combinations(range(1, 7), 2))
    return (2 * mixed + sum(free(die) and free(2 * die) for die in range(1, 7))) / 36


_ESCAPES: Final = np.array([_escapes(blocked) for blocked in range(1 << _AHEAD)], np.float32)
_TOP: Final = np.array([max(bits.bit_length() - 1, 0) for bits in range(1 << 13)], np.int8)
_BITS: Final = np.array([bits.bit_count() for bits in range(1 << 13)], np.int8)

POINT_INPUTS: Final = 24 * 4
SIDE: Final = POINT_INPUTS + 12
INPUTS: Final = 2 * SIDE + 1


def inputs(boards: Boards) -> Floats:
    """What the networks are told of each board: the mover's side, the other's, and the race between them."""
    count = len(boards)
    made = np.empty((count, INPUTS), np.float32)
    both = made[:, :-1].reshape(count, 2, SIDE)
    both[:, :, :POINT_INPUTS] = _COUNTS[boards[:, :, 1:BAR]].reshape(count, 2, POINT_INPUTS)
    pips = boards[:, :, :PLACES].astype(np.float32) @ _PIPS
    others = (
        boards[:, :, BAR] / np.float32(2),
        boards[:, :, OFF] / np.float32(CHECKERS),
        pips / 167,
        *_outlook(boards),
    )
    for at, column in enumerate(others, POINT_INPUTS):
        both[:, :, at] = column
    made[:, -1] = (pips[:, 1] - pips[:, 0]) / 50
    return made


def _outlook(boards: Boards) -> Iterator[NDArray[Any]]:
    """Of each side: its last checker and how it escapes, its shots, its points in both homes, walls of 3 to 6."""
    mine = places(boards > 0) & ~_ONE
    points = places(boards > 1) & POINTS
    walls = (facing(boards > 1) & POINTS)[:, ::-1]  # the other side's points and blots in one's own numbering
    blots = (facing(boards == 1) & POINTS)[:, ::-1]
    rear = _top(mine)
    before = walls.astype(np.uint64) << np.uint64(_AHEAD) >> rear.astype(np.uint64)
    yield rear / np.float32(BAR)
    yield _ESCAPES[before & np.uint64((1 << _AHEAD) - 1)]
    yield _hits(mine, boards[:, :, BAR], walls, blots)
    yield _BITS[points & np.uint32(127)] / np.float32(HOME)
    yield _BITS[points >> np.uint32(18) & np.uint32(127)] / np.float32(HOME)
    run = points & points >> _ONE & points >> _TWO
    for length in range(3, 7):
        yield run > 0
        run = run & points >> np.uint32(length)


def contact(boards: Boards) -> NDArray[np.bool_]:
    """Whether the sides have still to pass each other."""
    rear = _top(places(boards > 0) & ~_ONE)
    return np.asarray(rear.sum(axis=1) > BAR)


def _top(sets: Bits) -> NDArray[np.int8]:
    """The highest place of each set; 0 of none."""
    high = sets >> np.uint32(13)
    return np.asarray(np.where(high > 0, _TOP[high] + np.int8(13), _TOP[sets & np.uint32(0x1FFF)]))


def _hits(mine: Bits, bar: NDArray[np.int8], walls: Bits, blots: Bits) -> Floats:
    """With which part of all throws a side on roll can hit a blot; a second checker on the bar holds nobody up."""
    free = ~walls
    first = np.where(bar > 0, _ON_BAR, mine)
    others = np.where(bar > 1, _ON_BAR, np.where(bar == 1, mine & ~_ON_BAR, mine))
    direct, pools = [], []
    for die in range(1, 7):
        to = first >> np.uint32(die)
        step = to & free & POINTS
        direct.append((to & blots) > 0)
        pools.append(np.where(step > 0, others | step, 0).astype(np.uint32))
    total = np.zeros(mine.shape, np.float32)
    for die, pool in enumerate(pools, 1):
        hit = direct[die - 1]
        for _ in range(3):
            to = pool >> np.uint32(die)
            hit = hit | ((to & blots) > 0)
            pool = pool | to & free & POINTS
        total += hit
    for one, other in combinations(range(6), 2):
        then = (pools[one] >> np.uint32(other + 1) | pools[other] >> np.uint32(one + 1)) & blots
        total += 2 * (direct[one] | direct[other] | (then > 0))
    return total / np.float32(36)


def hidden(told: Floats, layers: Layers) -> Floats:
    """What the hidden units answer."""
    units: Floats = np.maximum(told @ layers[0] + layers[1], 0)
    return units


def outputs(units: Floats, layers: Layers) -> Floats:
    """The chances, from the hidden units."""
    made: Floats = 1 / (1 + np.exp(-(units @ layers[2] + layers[3])))
    return made


def chances(boards: Boards, net: Net) -> Floats:
    """Of each board the mover's chances, before the throw. One whose other side has all off is lost."""
    told = inputs(boards)
    near = contact(boards)
    made = np.empty((len(boards), len(OUTPUTS)), np.float32)
    for kind, rows in (("contact", np.flatnonzero(near)), ("race", np.flatnonzero(~near))):
        made[rows] = outputs(hidden(told[rows], net[kind]), net[kind])
    lost = boards[:, 1, OFF] == CHECKERS
    made[lost] = 0
    made[lost, 2] = boards[lost, 0, OFF] == 0
    return made


def worth(told: Floats, stakes: Stakes = POINTS_OF_GAME) -> Floats:
    """What these chances are worth to the side that has them."""
    win, mars, lose, lose_mars = stakes
    won, won_mars, lost_mars = told[:, 0], told[:, 1], told[:, 2]
    return np.asarray(win * won + (mars - win) * won_mars + lose * (1 - won) + (lose_mars - lose) * lost_mars)


@cache
def trained() -> Net:
    """The networks that this project trained (tools/train_tavla.py)."""
    stored = np.load(BytesIO(get_data(__package__, "network.npz") or b""), allow_pickle=False)
    layers = [stored[name].astype(np.float32) for name in stored.files]
    return {kind: tuple(layers[at * 4 : at * 4 + 4]) for at, kind in enumerate(KINDS)}
