"""Melds by trying everything: slow, simple, and nothing shared with the solver but the tiles' names.

The lowest natural tile left either stays out or lies in one of all melds of which it is the lowest natural. Two sweeps
of that: the best by (points, fewest okeys, most tiles), and every number of tiles that can lie.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

COLOURS = "RYBK"

Place = tuple[int, int]
"""Number and colour of a natural tile; also the order in which they are tried."""
Left = tuple[Place, ...]
Best = tuple[int, int, int]
"""Points, minus okeys, tiles."""


def counted(hand: Iterable[str], okey: str) -> tuple[Left, int]:
    """The natural places of a hand in order, and its okeys."""
    faces = [tile.rstrip("ab") for tile in hand]
    naturals = [okey if face == "FJ" else face for face in faces if face != okey]
    return tuple(sorted((int(face[1:]), COLOURS.index(face[0])) for face in naturals)), faces.count(okey)


def best(hand: Iterable[str], okey: str, *, groups: bool = True) -> Best:
    """Points, minus okeys and tiles of the best opening, of runs alone where there are to be no groups."""
    left, okeys = counted(hand, okey)
    return _best(left, okeys, groups)


def totals(hand: Iterable[str], okey: str, *, high_one: bool = False, groups: bool = True) -> set[int]:
    """Every number of tiles that melds can use exactly."""
    left, okeys = counted(hand, okey)
    found = _totals(left, okeys, high_one, groups)
    return {size for size in range(29) if found >> size & 1}


def pairs(hand: Iterable[str], okey: str, *, okey_okey: bool = False) -> int:
    """The most pairs."""
    left, okeys = counted(hand, okey)
    return _pairs(left, okeys, okey_okey)


def legal(faces: list[str], okey: str, *, high_one: bool = False) -> bool:
    """Whether tiles are a run in this order, or a group in any."""
    left, _ = counted(faces, okey)
    if not left or len(faces) < 3:
        return False
    numbers, colours = [number for number, _ in left], [colour for _, colour in left]
    if len(faces) <= 4 and len(set(numbers)) == 1 and len(set(colours)) == len(colours):
        return True
    if len(set(colours)) > 1:
        return False
    for start in range(1, (14 if high_one else 13) - len(faces) + 2):
        row = [(start + at - 1) % 13 + 1 for at in range(len(faces))]
        wanted = [f"{COLOURS[colours[0]]}{number}" for number in row]
        fits = (
            face == okey or (okey if face == "FJ" else face) == one for face, one in zip(faces, wanted, strict=True)
        )
        if len(set(row)) == len(row) and all(fits):
            return True
    return False


@cache
def _pairs(left: Left, okeys: int, okey_okey: bool) -> int:
    if not left:
        return 1 if okeys == 2 and okey_okey else 0
    found = [_pairs(left[1:], okeys, okey_okey)]
    if len(left) > 1 and left[0] == left[1]:
        found.append(1 + _pairs(left[2:], okeys, okey_okey))
    if okeys:
        found.append(1 + _pairs(left[1:], okeys - 1, okey_okey))
    return max(found)


def _best(left: Left, okeys: int, groups: bool) -> Best:
    known: dict[tuple[Left, int], Best] = {}

    def of(left: Left, okeys: int) -> Best:
        if not left:
            return 0, 0, 0
        if (left, okeys) not in known:
            found = [of(left[1:], okeys)]
            for naturals, wild, points in _melds(left, okeys, False, groups):
                more = of(_without(left, naturals), okeys - wild)
                found.append((more[0] + points, more[1] - wild, more[2] + len(naturals) + wild))
            known[left, okeys] = max(found)
        return known[left, okeys]

    return of(left, okeys)


def _totals(left: Left, okeys: int, high_one: bool, groups: bool) -> int:
    known: dict[tuple[Left, int], int] = {}

    def of(left: Left, okeys: int) -> int:
        if not left:
            return 1
        if (left, okeys) not in known:
            found = of(left[1:], okeys)
            for naturals, wild, _ in _melds(left, okeys, high_one, groups):
                found |= of(_without(left, naturals), okeys - wild) << len(naturals) + wild
            known[left, okeys] = found
        return known[left, okeys]

    return of(left, okeys)


def _without(left: Left, naturals: Iterable[Place]) -> Left:
    rest = list(left)
    for place in naturals:
        rest.remove(place)
    return tuple(rest)


def _melds(left: Left, okeys: int, high_one: bool, groups: bool) -> Iterator[tuple[tuple[Place, ...], int, int]]:
    """All melds whose lowest natural is the first tile: naturals, okeys, points. Runs of up to five are enough."""
    held, (number, colour) = Counter(left), left[0]
    others = sorted({other for at, other in held if at == number and other != colour})
    for size in (3, 4) if groups else ():
        for more in range(size):
            for chosen in combinations(others, more):
                if (wild := size - 1 - more) <= okeys:
                    yield ((number, colour), *((number, other) for other in chosen)), wild, size * number
    for row in _rows(number, high_one):
        rest = [at for at in row if at != number]
        can = [at for at in rest if at > number and held[at, colour]]
        for more in range(len(can) + 1):
            for lying in combinations(can, more):
                if (wild := len(rest) - more) <= okeys:
                    yield ((number, colour), *((at, colour) for at in lying)), wild, sum(row)


def _rows(number: int, high_one: bool) -> Iterator[tuple[int, ...]]:
    """Rows of three to five numbers with this one among them."""
    ring = [*range(1, 14), 1] if high_one else [*range(1, 14)]
    for size in (3, 4, 5):
        for start in range(len(ring) - size + 1):
            if number in ring[start : start + size]:
                yield tuple(ring[start : start + size])
