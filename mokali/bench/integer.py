"""The most points of a hand by integer programming, as public solvers find them. Needs scipy, the extra ``bench``.

One whole variable for each way to lay a meld, at most as many tiles of a face as there are, most points. It shares
nothing with the solver but the tiles' names.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from math import inf
from typing import Final, TypeAlias

from mokali.engine.tiles import FALSE_OKEY, Colour, Face, Tile

HOW: Final = "integer programming is left out: .venv/bin/python -m pip install -c constraints.txt -e '.[bench]'"

Way: TypeAlias = tuple[tuple[Face, ...], int, int]
"""Natural faces of a meld, its okeys, its points."""


def there() -> bool:
    """Whether the library is installed."""
    return find_spec("scipy") is not None


def best_points(hand: Sequence[Tile], okey: Face) -> int:
    """The points of the best opening. Raises ImportError where the library is not there."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    held = Counter(okey if tile.face == FALSE_OKEY else tile.face for tile in hand if tile.face != okey)
    okeys = sum(tile.face == okey for tile in hand)
    ways = list(_ways(held, okeys))
    if not ways:
        return 0
    used = [[int(face in naturals) for naturals, _, _ in ways] for face in held]
    wild = [wild for _, wild, _ in ways]
    found = milp(
        [-points for _, _, points in ways],
        integrality=[1] * len(ways),
        bounds=Bounds(0, 2),
        constraints=LinearConstraint([*used, wild], -inf, [*held.values(), okeys]),
    )
    if not found.success:
        raise RuntimeError(found.message)
    return -round(float(found.fun))


def _ways(held: Counter[Face], okeys: int) -> Iterator[Way]:
    for places, points in _shapes():
        held_places = [place for place in places if held[place]]
        missing = len(places) - len(held_places)
        for wild in range(missing, min(okeys, len(places) - 1) + 1):
            for naturals in combinations(held_places, len(places) - wild):
                yield naturals, wild, points


@cache
def _shapes() -> list[tuple[tuple[Face, ...], int]]:
    """Every run of three to five (longer ones split into those) and every group, with its points."""
    runs = [
        (tuple(f"{colour}{number}" for number in range(first, first + size)), sum(range(first, first + size)))
        for colour in Colour
        for size in (3, 4, 5)
        for first in range(1, 15 - size)
    ]
    groups = [
        (tuple(f"{colour}{number}" for colour in colours), number * size)
        for number in range(1, 14)
        for size in (3, 4)
        for colours in combinations(Colour, size)
    ]
    return runs + groups
