"""How tiles of a rack that lie in no meld are sorted for their owner. Knows no game."""

from collections.abc import Iterable, Sequence

from mokali.engine.melds import LONGEST, number
from mokali.engine.tiles import Colour, Face, Tile, natural


def left(rack: Sequence[Tile], groups: Iterable[Iterable[Tile]]) -> list[Tile]:
    """The tiles of a rack that are in none of the groups."""
    gone = {tile for group in groups for tile in group}
    return [tile for tile in rack if tile not in gone]


def by_colour(tiles: Iterable[Tile], okey: Face) -> tuple[tuple[Tile, ...], ...]:
    """One group a colour from low to high; a false okey stands where its face does, okeys by themselves."""
    ordered = by_number(tiles, okey)
    groups = [[tile for tile in ordered if (natural(tile, okey) or "")[:1] == colour] for colour in (*Colour, "")]
    return tuple(tuple(group) for group in groups if group)


def by_number(tiles: Iterable[Tile], okey: Face) -> tuple[Tile, ...]:
    """From low to high, okeys last."""
    return tuple(sorted(tiles, key=lambda tile: _place(tile, okey)))


def _place(tile: Tile, okey: Face) -> tuple[int, Tile]:
    face = natural(tile, okey)
    return (LONGEST + 1 if face is None else number(face)), tile
