"""What a rack of 101 Okey holds: the solver's openings, and help with arranging it. Changes nothing."""

from functools import lru_cache
from typing import Final

from mokali.engine import melds as shapes
from mokali.engine import solver, sorting
from mokali.engine.melds import Kind, Meld
from mokali.engine.protocol import Assist, Reading
from mokali.engine.solver import Layout
from mokali.engine.tiles import Face, Tile
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.sight import OkeyView


@lru_cache(maxsize=4096)
def opening(rack: tuple[Tile, ...], okey: Face, most: int) -> tuple[Meld, ...]:
    """The best opening's melds, the dearest first; ``most`` caps how long a run is laid (OK-24)."""
    return tuple(sorted(_melds(solver.best_opening(rack, okey, most), okey), key=lambda meld: -meld.value))


@lru_cache(maxsize=4096)
def laying(rack: tuple[Tile, ...], okey: Face, most: int) -> tuple[Meld, ...]:
    """The melds that hold most tiles."""
    return _melds(solver.most_tiles(rack, okey, most), okey)


@lru_cache(maxsize=4096)
def pairs(rack: tuple[Tile, ...], okey: Face) -> tuple[tuple[Tile, Tile], ...]:
    """As many pairs as there can be (OK-17)."""
    return solver.most_pairs(rack, okey)


def read(rules: OkeyRules, okey: Face | None, tiles: tuple[str, ...]) -> tuple[Reading, ...]:
    """What tiles of the rack are together, in this order: nothing, one thing, or run and group (OK-15 to OK-21).

    A run above ``max_meld_tiles`` is nothing: it can't be laid like this (OK-24).
    """
    return () if okey is None else _readings(tiles, okey, rules.max_meld_tiles)


def sort(view: OkeyView, how: str) -> tuple[tuple[Tile, ...], ...]:
    """The rack in groups: ``runs`` is the best opening, dearest first, and the rest by colour; ``pairs`` as many pairs
    as there can be, and the rest by number. Okeys that are left come last.
    """
    if view.okey is None:
        return (view.rack,) if view.rack else ()
    okey = view.okey
    if how == "pairs":
        paired = pairs(view.rack, okey)
        rest = sorting.by_number(sorting.left(view.rack, paired), okey)
        return (*paired, rest) if rest else paired
    laid = tuple(meld.tiles for meld in opening(view.rack, okey, view.rules.max_meld_tiles))
    return (*laid, *sorting.by_colour(sorting.left(view.rack, laid), okey))


ASSIST: Final = Assist(read, sort)


def _melds(layout: Layout, okey: Face) -> tuple[Meld, ...]:
    melds = [shapes.meld(laid.tiles, okey, Kind(laid.kind)) for laid in layout.melds]
    return tuple(meld for meld in melds if meld is not None)


@lru_cache(maxsize=4096)
def _readings(tiles: tuple[str, ...], okey: Face, most: int) -> tuple[Reading, ...]:
    lying = tuple(map(Tile, tiles))
    found: list[Meld | None] = [shapes.pair(lying, okey), *(shapes.meld(lying, okey, kind) for kind in _MELDS)]
    return tuple(
        Reading(meld.kind, meld.value)
        for meld in found
        if meld is not None and (meld.kind != Kind.RUN or len(lying) <= most)
    )


_MELDS: Final = (Kind.RUN, Kind.GROUP)
