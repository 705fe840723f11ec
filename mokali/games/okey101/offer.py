"""Openings and melds that a rack holds, found quickly: enough to offer some, not always the best.

The seam for the exact solver: ``melds`` and ``pairs`` are what ``moves`` asks, and nothing else is.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias

from mokali.engine import melds as shapes
from mokali.engine.melds import MIN_TILES, Meld, number
from mokali.engine.tiles import Colour, Face, Tile, natural

_Left: TypeAlias = dict[Face, Tile]
"""One tile of every face that is left."""
_Search: TypeAlias = Callable[[_Left, int], tuple[Tile, ...]]


@lru_cache(maxsize=4096)
def melds(rack: tuple[Tile, ...], okey: Face, most: int) -> tuple[Meld, ...]:
    """Disjoint melds of the rack worth many points; ``most`` caps runs."""
    runs_first, groups_first = (_found(rack, okey, most, order) for order in ((_run, _group), (_group, _run)))
    return max(runs_first, groups_first, key=lambda found: sum(meld.value for meld in found))


def pairs(rack: Sequence[Tile], okey: Face) -> tuple[tuple[Tile, ...], ...]:
    """As many disjoint pairs as the rack holds; an okey takes the highest single (OK-17)."""
    plain = sorted((tile for tile in rack if tile.face != okey), key=lambda tile: natural(tile, okey) or "")
    found, singles = [], []
    for _, some in groupby(plain, key=lambda tile: natural(tile, okey)):
        same = list(some)
        while len(same) >= 2:
            found.append((same.pop(), same.pop()))
        singles += same
    singles.sort(key=lambda tile: number(natural(tile, okey) or okey))
    for joker in (tile for tile in rack if tile.face == okey):
        if singles:
            found.append((singles.pop(), joker))
    return tuple(found)


def _found(rack: Sequence[Tile], okey: Face, most: int, order: Sequence[_Search]) -> tuple[Meld, ...]:
    left = {face: tile for tile in rack if (face := natural(tile, okey)) is not None}
    spare = [tile for tile in rack if natural(tile, okey) is not None and tile not in left.values()]
    jokers = [tile for tile in rack if tile.face == okey]
    found: list[Meld] = []
    for search in order:
        while tiles := search(left, most):
            found.append(_meld(tiles, okey))
            for tile in tiles:
                face = natural(tile, okey)
                assert face is not None
                left.pop(face)
                twin = next((other for other in spare if natural(other, okey) == face), None)
                if twin is not None:
                    spare.remove(twin)
                    left[face] = twin
    while jokers and (tiles := _with_joker(left, okey)):
        found.append(_meld((*tiles, jokers.pop()), okey))
        for tile in tiles:
            left.pop(natural(tile, okey) or okey)
    return tuple(found)


def _meld(tiles: Sequence[Tile], okey: Face) -> Meld:
    meld = shapes.meld(tiles, okey)
    assert meld is not None
    return meld


def _run(left: _Left, most: int) -> tuple[Tile, ...]:
    """The run worth most among these tiles, or nothing."""
    best: tuple[int, tuple[Tile, ...]] = (0, ())
    for colour in Colour:
        row: list[tuple[int, Tile]] = []
        for place in range(13, -1, -1):
            tile = left.get(f"{colour}{place}")
            if tile is not None and len(row) < most:
                row.insert(0, (place, tile))
                continue
            if len(row) >= MIN_TILES:
                best = max(best, (sum(place for place, _ in row), tuple(tile for _, tile in row)))
            row = [] if tile is None else [(place, tile)]
    return best[1]


def _group(left: _Left, most: int) -> tuple[Tile, ...]:
    """The highest group among these tiles, or nothing."""
    for place in range(13, 0, -1):
        same = tuple(left[face] for colour in Colour if (face := f"{colour}{place}") in left)
        if len(same) >= MIN_TILES:
            return same
    return ()


def _with_joker(left: _Left, okey: Face) -> tuple[Tile, ...]:
    """The two tiles that make the dearest meld with an okey, or nothing."""
    best: tuple[int, tuple[Tile, ...]] = (0, ())
    for face, tile in left.items():
        colour, place = face[0], number(face)
        others = [f"{other}{place}" for other in Colour if other > colour]
        for other in (*others, f"{colour}{place + 1}", f"{colour}{place + 2}"):
            if other in left:
                worth = 3 * place if other in others else sum(_span(place, number(other)))
                best = max(best, (worth, (tile, left[other])))
    return best[1]


def _span(low: int, high: int) -> range:
    """The numbers of a run of three with an okey between or behind these two."""
    start = min(low, 14 - MIN_TILES)
    return range(start, start + MIN_TILES)
