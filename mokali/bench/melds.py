"""What the meld solver costs, on hands dealt at random and on the hardest found. No network, no table."""

import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median, quantiles
from typing import Final, TypeAlias

from msgspec import Struct

from mokali.bench import integer
from mokali.engine import complete, runs, solver
from mokali.engine.tiles import ALL_TILES, FACES, FALSE_OKEY, Face, Tile, okey_of, tiles

HANDS: Final = 200
"""Hands a second that is asked for, of each number of okeys; so a thousand in the bench's usual five."""
FEW: Final = 10
"""The same for Klasik, where a question may take milliseconds."""
HARDEST: Final = (
    ("B11b B12b B13b B7a B7b B9a K10a K11b K12a K13a K9a R10a R11a R12a R13b R8a R9b Y11b Y12b Y13a Y7a Y7b", "B7"),
    ("B10b B11a B11b B12b B13a B6a B9b FJa K10a K11b K12b K13b K8a K8b K9a R11a R12a R13b Y11a Y12a Y13b Y9a", "B11"),
    ("B10b B11a B12a B13b B4a FJb K10a K10b K11a K12b K13b K7b R10b R11a R12b R13b Y10a Y11b Y12a Y13b Y5b Y9b", "K10"),
    ("B13a B13b B1a B2b B3b B4a B8b K13a K1a K2b K3a K4a K8b R3a R4b R8b Y1b Y2a Y3a Y3b Y4a Y8a", "B13"),
    ("B2b B4a B5a B6b K1b K2b K3a K4b K5b K6b R13a R13b R1a R1b R4b R5b R6a Y1b Y2b Y3a Y5a Y6b", "R13"),
)
"""Numbers in all four colours with two okeys and a few strangers: climbed to from thousands of hands."""

Hand: TypeAlias = tuple[Sequence[Tile], Face]
ASKED: Final[dict[str, Callable[[Sequence[Tile], Face], object]]] = {
    "best points": solver.best_points,
    "best opening with its melds": solver.best_opening,
    "most tiles": solver.tiles_in_melds,
    "from hand": solver.from_hand,
    "most pairs": solver.most_pairs,
}


FEWEST: Final = 20
"""The same for integer programming."""


class Cost(Struct, frozen=True):
    """Milliseconds of processor for one question."""

    median: float
    p99: float
    worst: float


def costs(seconds: float, rng: Random) -> dict[str, Cost]:
    """By question and okeys, on 21 and 22 tiles in turn; Klasik's on 15."""
    solver.warm()
    found = {}
    for okeys in range(3):
        hands = [_dealt(rng, 21 + number % 2, okeys) for number in range(round(HANDS * seconds))]
        for name, ask in ASKED.items():
            found[f"{name}, okeys: {okeys}"] = _cost(ask, hands)
    few = [_dealt(rng, complete.COMPLETE + 1, number % 3) for number in range(round(FEW * seconds))]
    found["Klasik: finishes"] = _cost(complete.finishes, few)
    found["Klasik: distance"] = _cost(complete.distance, few)
    found["Klasik: exchange"] = _cost(lambda hand, okey: complete.exchange(hand, _indicator(okey)), few)
    return found


def hardest() -> dict[str, float]:
    """Milliseconds of processor by question."""
    hands = [(tiles(text), okey) for text, okey in HARDEST]
    return {name: _cost(ask, hands).worst for name, ask in ASKED.items()}


def side_by_side(seconds: float, rng: Random) -> tuple[dict[str, Cost], int]:
    """The most points by the solver and by integer programming, on the same hands; and on how many they disagree."""
    ways = {"the solver": solver.best_points, "integer programming": integer.best_points}
    found, apart = {}, 0
    for okeys in range(3):
        hands = [_dealt(rng, 21 + number % 2, okeys) for number in range(round(FEWEST * seconds))]
        for name, ask in ways.items():
            ask(*hands[0])  # what is loaded at the first question is not counted
            found[f"{name}, okeys: {okeys}"] = _cost(ask, hands)
        apart += sum(len({ask(hand, okey) for ask in ways.values()}) > 1 for hand, okey in hands)
    return found, apart


def loading() -> float:
    """Milliseconds of processor to read the table, as the first question must."""
    runs.table.cache_clear()
    began = time.thread_time()
    solver.warm()
    return 1000 * (time.thread_time() - began)


def _cost(ask: Callable[[Sequence[Tile], Face], object], hands: Sequence[Hand]) -> Cost:
    took = []
    for hand, okey in hands:
        began = time.thread_time()
        ask(hand, okey)
        took.append(1000 * (time.thread_time() - began))
    return Cost(median(took), quantiles(took, n=100, method="inclusive")[98], max(took))


def _dealt(rng: Random, size: int, okeys: int) -> Hand:
    indicator = rng.choice([face for face in FACES if face != FALSE_OKEY])
    okey = okey_of(indicator)
    wild = [tile for tile in ALL_TILES if tile.face == okey]
    rest = [tile for tile in ALL_TILES if tile.face != okey and tile != f"{indicator}a"]
    return (*rng.sample(wild, okeys), *rng.sample(rest, size - okeys)), okey


def _indicator(okey: Face) -> Face:
    return next(face for face in FACES if face != FALSE_OKEY and okey_of(face) == okey)
