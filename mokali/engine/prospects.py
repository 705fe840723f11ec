"""What okey tiles may yet become: which are unseen, and how many melds wait for one. Knows no game, table or turn.

A tile is here its natural face, a false okey the okey's (OK-4); okeys, which go with everything, are left aside.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Final, TypeVar

from mokali.engine.melds import LONGEST, MIN_TILES, number
from mokali.engine.tiles import FACES, FALSE_OKEY, Colour, Face

T = TypeVar("T")
COPIES: Final = 2


def unseen(visible: Iterable[Face], okey: Face) -> Mapping[Face, int]:
    """How many copies of each face may still come, when these lie open or in the own rack.

    >>> left = unseen(["R7", "R7", "B1", "FJ"], "Y6")
    >>> left["R7"], left["B1"], left["Y6"], left["K2"]
    (0, 1, 1, 2)
    """
    gone = Counter(okey if face == FALSE_OKEY else face for face in visible if face != okey)
    return {face: COPIES - gone[face] for face in FACES if face != FALSE_OKEY}


def ties(face: Face, held: Container[Face], left: Mapping[Face, int], *, high_one: bool = False) -> int:
    """How well a tile hangs together with others in hand: the tiles that would bring it into a meld of three.

    Counted once for each meld; a meld that is held whole counts as much as four such tiles.

    >>> left = unseen(["R5", "R6", "B9"], "Y6")
    >>> ties("R5", {"R6"}, left), ties("B9", {"R5", "R6"}, left)
    (4, 0)
    """
    return sum(_tie(one, other, held, left) for one, other in threes(face, high_one))


def appeal(face: Face, left: Mapping[Face, int], *, high_one: bool = False) -> int:
    """In how many ways two unseen tiles would make a meld with this one: what it may be worth to somebody else.

    >>> appeal("R1", unseen(["R2", "R2"], "Y6"))
    12
    """
    return sum(left[one] * left[other] for one, other in threes(face, high_one))


@cache
def threes(face: Face, high_one: bool = False) -> tuple[tuple[Face, Face], ...]:
    """The two other faces of every meld of three that this one may be in; with ``high_one`` 12-13-1 is one (KL-8)."""
    return (*_runs(face, LONGEST + high_one), *combinations([f"{c}{face[1:]}" for c in Colour if c != face[0]], 2))


def cheapest(costs: Mapping[T, float]) -> T:
    """What costs least; of equals the first."""
    return min(costs, key=lambda one: costs[one])


def _runs(face: Face, last: int) -> Iterator[tuple[Face, Face]]:
    places = {number(face), number(face) + LONGEST} & set(range(1, last + 1))
    for start in range(1, last - MIN_TILES + 2):
        run = range(start, start + MIN_TILES)
        if places & set(run):
            one, other = (f"{face[0]}{(at - 1) % LONGEST + 1}" for at in run if at not in places)
            yield one, other


def _tie(one: Face, other: Face, held: Container[Face], left: Mapping[Face, int]) -> int:
    if one in held:
        return 2 * COPIES if other in held else left[other]
    return left[one] if other in held else 0
