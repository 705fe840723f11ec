"""What a rack of Klasik Okey holds: what finishes it, how far it is from that, and help with arranging it."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from mokali.engine import complete, solver, sorting
from mokali.engine import melds as shapes
from mokali.engine.complete import Finishes
from mokali.engine.melds import Kind, Meld
from mokali.engine.protocol import Assist, Reading
from mokali.engine.solver import Layout
from mokali.engine.tileplay import without
from mokali.engine.tiles import Face, Tile
from mokali.games.klasik.rules import KlasikRules
from mokali.games.klasik.sight import KlasikView


@lru_cache(maxsize=4096)
def finishes(rack: tuple[Tile, ...], okey: Face) -> Finishes:
    """With which of 15 tiles the hand can be finished (KL-10, KL-11)."""
    return complete.finishes(rack, okey)


@lru_cache(maxsize=4096)
def near(rack: tuple[Tile, ...], okey: Face) -> int:
    """How many of 14 tiles melds can hold at best, whichever is thrown."""
    return complete.COMPLETE - complete.distance(rack, okey)


@lru_cache(maxsize=4096)
def pairs(rack: tuple[Tile, ...], okey: Face) -> tuple[tuple[Tile, Tile], ...]:
    """As many pairs as there can be (KL-11)."""
    return solver.most_pairs(rack, okey, okey_okey_pair=True)


@lru_cache(maxsize=4096)
def melds(rack: tuple[Tile, ...], okey: Face) -> tuple[Meld, ...]:
    """The melds that hold most tiles, long ones first; of 15 tiles that are complete without one those of the 14."""
    spare = finishes(rack, okey).melds if len(rack) > complete.COMPLETE else ()
    kept = solver.without(rack, okey if okey in spare else spare[0]) if spare else rack
    return tuple(
        sorted(_laid(solver.most_tiles(kept, okey, run_high_one=True), okey), key=lambda some: -len(some.tiles))
    )


@lru_cache(maxsize=256)
def split(hand: tuple[Tile, ...], okey: Face) -> tuple[Meld, ...]:
    """How 14 tiles are complete: seven pairs, else melds; none where they aren't (KL-12, KL-14)."""
    found = complete.split(hand, okey)
    if found is None:
        return ()
    if isinstance(found, Layout):
        return _laid(found, okey)
    return _real(shapes.pair(pair, okey, okey_okey=True) for pair in found)


def read(rules: KlasikRules, okey: Face | None, tiles: tuple[str, ...]) -> tuple[Reading, ...]:
    """What tiles of the rack are together, in this order, melds with their number of tiles (KL-8 to KL-11)."""
    return () if okey is None else _readings(tiles, okey)


def sort(view: KlasikView, how: str) -> tuple[tuple[Tile, ...], ...]:
    """The rack in groups: ``runs`` is the melds that hold most tiles, and the rest by colour; ``pairs`` as many pairs
    as there can be, and the rest by number. Okeys that are left come last.
    """
    if view.okey is None:
        return (view.rack,) if view.rack else ()
    if how == "pairs":
        paired = pairs(view.rack, view.okey)
        rest = sorting.by_number(sorting.left(view.rack, paired), view.okey)
        return (*paired, rest) if rest else paired
    lying = tuple(meld.tiles for meld in melds(view.rack, view.okey))
    return (*lying, *sorting.by_colour(sorting.left(view.rack, lying), view.okey))


def loose(rack: tuple[Tile, ...], okey: Face) -> tuple[Tile, ...]:
    """What the best melds leave over; all where they leave nothing."""
    return without(rack, (tile for meld in melds(rack, okey) for tile in meld.tiles)) or rack


ASSIST: Final = Assist(read, sort)


def _laid(layout: Layout, okey: Face) -> tuple[Meld, ...]:
    return _real(shapes.meld(laid.tiles, okey, Kind(laid.kind), high_one=True) for laid in layout.melds)


def _real(some: Iterable[Meld | None]) -> tuple[Meld, ...]:
    return tuple(meld for meld in some if meld is not None)


@lru_cache(maxsize=4096)
def _readings(tiles: tuple[str, ...], okey: Face) -> tuple[Reading, ...]:
    lying = tuple(map(Tile, tiles))
    pair = shapes.pair(lying, okey, okey_okey=True)
    if pair is not None:
        return (Reading(pair.kind, 0),)
    found = _real(shapes.meld(lying, okey, kind, high_one=True) for kind in (Kind.RUN, Kind.GROUP))
    return tuple(Reading(meld.kind, len(lying)) for meld in found)
