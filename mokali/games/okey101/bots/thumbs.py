"""The rules of thumb for a discard of 101 Okey, a function each."""

from collections.abc import Callable, Mapping

from mokali.engine import melds as shapes
from mokali.engine import prospects, solver
from mokali.engine.protocol import Mind
from mokali.engine.tileplay import without
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101 import assist
from mokali.games.okey101.bots.seen import Seen, world
from mokali.games.okey101.bots.turn import goes_down


def _harmless(seen: Seen) -> list[Tile]:
    """The tiles among which to choose: none that costs, no okey; where there is nothing else, what costs least."""
    fines = seen.fines()
    if len(seen.view.rack) == 1:
        return list(seen.view.rack)
    plain = seen.okeyless()
    free = [tile for tile in plain if tile not in fines]
    return free or plain or list(seen.view.rack)


def any_loose(seen: Seen, mind: Mind) -> Tile:
    """Any tile that lies in none of the melds that are there."""
    harmless = _harmless(seen)
    kept = {tile for meld in _melds(seen) for tile in meld}
    return mind.rng.choice([tile for tile in harmless if tile not in kept] or harmless)


def _melds(seen: Seen) -> tuple[tuple[Tile, ...], ...]:
    melds = assist.opening(seen.view.rack, seen.okey, seen.view.rules.max_meld_tiles)
    return tuple(meld.tiles for meld in melds)


def by_eye(seen: Seen, mind: Mind) -> Tile:
    """Rule of thumb: keep melds, then what has most friends in the own rack; once open throw the highest number."""
    return min(_harmless(seen), key=_on_the_eye(seen))


def _on_the_eye(seen: Seen) -> Callable[[Tile], tuple[bool, float]]:
    if seen.opened:
        return lambda tile: (False, -seen.number(tile))
    if _for_pairs(seen):
        return lambda tile: (False, pairing(seen, tile, seen.by_eye))
    kept = {tile for meld in _melds(seen) for tile in meld}
    return lambda tile: (tile in kept, _friends(seen, tile, seen.by_eye))


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


def counted(seen: Seen) -> list[Tile]:
    """The discards as who counts all that was seen likes them, the best first."""
    if seen.opened:
        return sorted(_harmless(seen), key=lambda tile: _worth_open(seen, tile))
    if _for_pairs(seen):
        return sorted(_harmless(seen), key=lambda tile: pairing(seen, tile, seen.left))
    kept = {tile for meld in _melds(seen) for tile in meld}
    return sorted(_harmless(seen), key=lambda tile: (tile in kept, _worth_closed(seen, tile)))


def _friends(seen: Seen, tile: Tile, left: Mapping[Face, int]) -> float:
    """How many tiles a tile waits for together with others of the rack; an okey is nobody's but its holder's."""
    face = natural(tile, seen.okey)
    return 1000 if face is None else prospects.ties(face, faces(seen, tile), left)


def _worth_closed(seen: Seen, tile: Tile) -> float:
    """Before opening: keep what waits for many unseen tiles, high ones above all; among equals throw the one that is
    of least use to the next seat.
    """
    return _friends(seen, tile, seen.left) * (10 + seen.number(tile)) + _lure(seen, tile)


def _worth_open(seen: Seen, tile: Tile) -> float:
    """Once open: throw high numbers first, but keep what will soon make a meld."""
    ties = _friends(seen, tile, seen.left) if seen.opened == "melds" or tile.face == seen.okey else 0
    return ties - seen.number(tile) + _lure(seen, tile)


def pairing(seen: Seen, tile: Tile, left: Mapping[Face, int]) -> float:
    """Rule of thumb on the way to pairs: twins stay, and singles whose twin may still come; low ones go last."""
    face = natural(tile, seen.okey)
    if face is None:
        return 1000
    twins = face in faces(seen, tile)
    return 100 * twins + 10 * left[face] - shapes.number(face) / 13


def _for_pairs(seen: Seen) -> bool:
    """Rule of thumb: go for pairs with one less than it takes, while melds are far from the bar."""
    if seen.view.bar is None or seen.view.bar_pairs is None:
        return False
    pairs = assist.pairs(seen.view.rack, seen.okey)
    return len(pairs) >= seen.view.bar_pairs - 1 and solver.best_points(seen.view.rack, seen.okey) < seen.view.bar * 0.7


def _lure(seen: Seen, tile: Tile) -> float:
    """How welcome a tile may be to the next seat, as a fraction: all that is unseen may be in its rack."""
    face = natural(tile, seen.okey)
    return 0 if face is None else prospects.appeal(face, seen.left) / 100


def faces(seen: Seen, less: Tile) -> set[Face]:
    """The natural faces of the rack without one tile."""
    return {face for tile in seen.view.rack if tile != less and (face := natural(tile, seen.okey)) is not None}
