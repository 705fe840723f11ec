"""What speaks for a side tile and for a discard of 101 Okey: rules of thumb at sight, and others for who counts."""

from collections.abc import Callable, Mapping
from typing import Final

from mokali.engine import melds as shapes
from mokali.engine import prospects, solver
from mokali.engine.melds import LONGEST
from mokali.engine.protocol import Mind
from mokali.engine.tileplay import without
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101 import assist
from mokali.games.okey101.bots.seen import Seen, world
from mokali.games.okey101.bots.turn import goes_down

PAIRS_NEAR: Final = 2
"""With no more pairs lacking than this, twins are worth keeping, ..."""
TWIN: Final = 30
"""... as much as a friendship for which three 10s may still come."""
FAR: Final = 0.7
"""Melds are far from the bar below this part of it."""


def harmless(seen: Seen) -> list[Tile]:
    """The tiles among which to choose: none that costs, no okey; where there is nothing else, what costs least."""
    fines = seen.fines()
    if len(seen.view.rack) == 1:
        return list(seen.view.rack)
    plain = seen.okeyless()
    free = [tile for tile in plain if tile not in fines]
    return free or plain or list(seen.view.rack)


def any_loose(seen: Seen, mind: Mind) -> Tile:
    """Any tile that lies in none of the melds that are there."""
    free = harmless(seen)
    kept = {tile for meld in _melds(seen) for tile in meld}
    return mind.rng.choice([tile for tile in free if tile not in kept] or free)


def _melds(seen: Seen) -> tuple[tuple[Tile, ...], ...]:
    melds = assist.opening(seen.view.rack, seen.okey, seen.view.rules.max_meld_tiles)
    return tuple(meld.tiles for meld in melds)


def by_eye(seen: Seen, mind: Mind) -> Tile:
    """Rule of thumb: keep melds, then what has most friends in the own rack; once open throw the highest number."""
    if seen.opened:
        return max(harmless(seen), key=seen.number)
    kept = {tile for meld in _melds(seen) for tile in meld}
    return min(harmless(seen), key=lambda tile: (tile in kept, _friends(seen, tile, seen.by_eye)))


def takes_at_sight(mind: Mind) -> bool:
    """Rule of thumb: take from the side what goes down at once, as the rack is arranged."""
    seen, side = Seen.of(mind), world(mind).side
    assert side is not None
    return goes_down(mind) and (seen.opened is not None or _opens_at_sight(seen, side))


def _opens_at_sight(seen: Seen, side: Tile) -> bool:
    """Whether a tile opens because it lengthens a meld of the rack, or makes one of loose tiles, or a pair."""
    rack, okey, most = seen.view.rack, seen.okey, seen.view.rules.max_meld_tiles
    melds = assist.opening(rack, okey, most)
    loose = without(rack, [tile for meld in melds for tile in meld.tiles])
    longer = seen.number(side) * any(natural(side, okey) in shapes.wanted(meld, most) for meld in melds)
    value = sum(meld.value for meld in melds) + max(longer, solver.best_points((*loose, side), okey))
    return value >= (seen.view.bar or 0) or len(assist.pairs((*rack, side), okey)) >= (seen.view.bar_pairs or 0)


def counting(seen: Seen) -> Callable[[Tile], tuple[bool, float]]:
    """What who counts all that was seen would keep a tile for; the least is thrown."""
    if seen.opened:
        return lambda tile: (False, _worth_open(seen, tile))
    if _for_pairs(seen):
        return lambda tile: (False, _pairing(seen, tile))
    kept = {tile for meld in _melds(seen) for tile in meld}
    return lambda tile: (tile in kept, _worth_closed(seen, tile))


def _worth_closed(seen: Seen, tile: Tile) -> float:
    """Before opening: keep what waits for many unseen tiles, high ones above all, and twins where pairs may do."""
    twins = _pairs_lacking(seen) <= PAIRS_NEAR and natural(tile, seen.okey) in faces(seen, tile)
    return _friends(seen, tile, seen.left) * seen.number(tile) + TWIN * twins


def _worth_open(seen: Seen, tile: Tile) -> float:
    """Once open: throw high numbers first, but keep what will soon make a meld."""
    ties = _friends(seen, tile, seen.left) if seen.opened == "melds" else 0
    return ties - seen.number(tile)


def _pairing(seen: Seen, tile: Tile) -> float:
    """On the way to pairs: twins stay, and singles whose twin may still come; low ones go last."""
    face = natural(tile, seen.okey)
    if face is None:
        return 1000
    return 100 * (face in faces(seen, tile)) + 10 * seen.left[face] - shapes.number(face) / LONGEST


def _for_pairs(seen: Seen) -> bool:
    """Go for pairs with one less than it takes, while melds are far from the bar."""
    points = solver.best_points(seen.view.rack, seen.okey)
    return _pairs_lacking(seen) <= 1 and points < (seen.view.bar or 0) * FAR


def _pairs_lacking(seen: Seen) -> int:
    return (seen.view.bar_pairs or 0) - len(assist.pairs(seen.view.rack, seen.okey))


def _friends(seen: Seen, tile: Tile, left: Mapping[Face, int]) -> float:
    """How many tiles a tile waits for together with others of the rack; an okey goes with everything."""
    face = natural(tile, seen.okey)
    return 1000 if face is None else prospects.ties(face, faces(seen, tile), left)


def faces(seen: Seen, less: Tile) -> set[Face]:
    """The natural faces of the rack without one tile."""
    return {face for tile in seen.view.rack if tile != less and (face := natural(tile, seen.okey)) is not None}
