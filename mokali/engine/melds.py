"""Runs, groups and pairs: what tiles are, what okeys in them stand for, what can be added. Knows no house rules."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from mokali.engine.tiles import NUMBERS, Colour, Face, Tile, natural

MIN_TILES: Final = 3
"""Tiles of the shortest run or group (OK-15, OK-16)."""
LONGEST: Final = 13
"""Tiles of the longest run."""
MOST_OKEYS: Final = 2
OKEY: Final = "*="
"""What an okey in a meld is written with."""

Stand: TypeAlias = str
"""The face that a tile in a meld counts as, the okey's for a false okey; an okey's begins with ``*=``, and of one whose
colour is undecided it is the number alone: ``R5``, ``*=R6``, ``*=7`` (OK-5, OK-20)."""


class Kind(StrEnum):
    """The three shapes: seri, küt, çift."""

    RUN = "run"
    GROUP = "group"
    PAIR = "pair"


class End(StrEnum):
    """Where a tile is added to a run; in a group always at the high end."""

    LOW = "low"
    HIGH = "high"


class Meld(Struct, frozen=True, cache_hash=True):
    """Tiles that lie together: a run from low to high, groups and pairs as they were called."""

    kind: Kind
    tiles: tuple[Tile, ...]
    stands: tuple[Stand, ...]
    """Per tile."""

    @property
    def shown(self) -> tuple[str, ...]:
        """What everybody sees: faces, okeys as ``*=R6`` (RECORDS)."""
        pairs = zip(self.tiles, self.stands, strict=True)
        return tuple(stand if stand.startswith(OKEY) else tile.face for tile, stand in pairs)

    @property
    def value(self) -> int:
        """The sum of the numbers its places stand for; a pair has none (OK-22)."""
        return 0 if self.kind == Kind.PAIR else sum(map(number, self.stands))


class Shown(Struct, frozen=True):
    """A meld on the table as everybody sees it, and in whose area it lies: faces, okeys as ``*=R6``."""

    owner: int
    kind: Kind
    tiles: tuple[str, ...]


def number(stand: Stand) -> int:
    """The number that a place in a meld stands for.

    >>> number("K13"), number("*=K13"), number("*=7")
    (13, 13, 7)
    """
    return int(stand.lstrip("*=RYBK"))


def ambiguous(tiles: Sequence[Tile], okey: Face) -> bool:
    """Whether these may be a run as well as a group, so that the call must say which (OK-21)."""
    return len(tiles) == MIN_TILES and _okeys(tiles, okey) == MOST_OKEYS


def meld(tiles: Sequence[Tile], okey: Face, kind: Kind | None = None, *, high_one: bool = False) -> Meld | None:
    """The run or group that these tiles are, in the order of the call (OK-15 to OK-21); None if they are none.

    ``kind`` says which where both are possible; elsewhere what they are not is None too. With ``high_one`` a 1 may
    follow 13 as a run's last tile, if it can't begin one (KL-8).

    >>> from mokali.engine.tiles import tiles
    >>> meld(tiles("B12a B13a Y6a"), "Y6").shown
    ('*=B11', 'B12', 'B13')
    """
    if kind == Kind.PAIR or not MIN_TILES <= len(tiles) <= LONGEST or _okeys(tiles, okey) > MOST_OKEYS:
        return None
    group = _group(tiles, okey) if kind != Kind.RUN else None
    if group or kind == Kind.GROUP:
        return group
    return _run(tiles, okey, LONGEST) or (_run(tiles, okey, LONGEST + 1) if high_one else None)


def near(one: Face | None, other: Face | None) -> bool:
    """Whether these may lie in one meld of three; None is an okey, which may with any.

    >>> near("R5", "R7"), near("R5", "B5"), near("R5", "R8"), near("R5", None)
    (True, True, False, True)
    """
    if one is None or other is None:
        return True
    apart = abs(number(one) - number(other))
    return apart < MIN_TILES if one[0] == other[0] else apart == 0


def pair(tiles: Sequence[Tile], okey: Face, *, okey_okey: bool = False) -> Meld | None:
    """The pair that these tiles are (OK-17), or None; with ``okey_okey`` two okeys are one too (KL-11)."""
    faces = [natural(tile, okey) for tile in tiles]
    known = {face for face in faces if face is not None} or ({okey} if okey_okey else set())
    if len(tiles) != 2 or len(known) != 1:
        return None
    (counts,) = known
    return Meld(Kind.PAIR, tuple(tiles), tuple(face or OKEY + counts for face in faces))


def room(some: Meld, face: Face | None, most: int = LONGEST) -> Mapping[End, Stand]:
    """Where a tile of this face, None for an okey, can be added, and what it stands for there (OK-41, OK-42).

    ``most`` caps runs (OK-24). Empty where nothing fits; always for a pair (OK-40).
    """
    if full(some, most):
        return {}
    if some.kind == Kind.GROUP:
        stand = _fourth(some, face)
        return {} if stand is None else {End.HIGH: stand}
    colour = next(stand for stand in some.stands if not stand.startswith(OKEY))[0]
    ends = {End.LOW: number(some.stands[0]) - 1, End.HIGH: number(some.stands[-1]) + 1}
    free = {end: f"{colour}{place}" for end, place in ends.items() if place in NUMBERS}
    if face is None:
        return {end: OKEY + stand for end, stand in free.items()}
    return {end: stand for end, stand in free.items() if stand == face}


@lru_cache(maxsize=4096)
def wanted(some: Meld, most: int = LONGEST) -> Mapping[Face, End]:
    """Every face of which a natural tile can be added, and where."""
    if full(some, most):
        return {}
    if some.kind == Kind.GROUP:
        place = number(some.stands[0])
        return {face: End.HIGH for colour in Colour if (face := f"{colour}{place}") not in some.stands}
    return {stand.lstrip("*="): end for end, stand in room(some, None, most).items()}


def full(some: Meld, most: int = LONGEST) -> bool:
    """Whether nothing at all can be added: a run from 1 to 13 or at the cap, a group of four, a pair."""
    return len(some.tiles) >= (most if some.kind == Kind.RUN else len(Colour) if some.kind == Kind.GROUP else 0)


def added(some: Meld, tile: Tile, end: End, stand: Stand) -> Meld:
    """The meld with a tile at this end, as ``room`` told."""
    if end == End.LOW:
        return Meld(some.kind, (tile, *some.tiles), (stand, *some.stands))
    return _settled(some.kind, (*some.tiles, tile), (*some.stands, stand))


def standing_for(some: Meld, face: Face) -> int | None:
    """The place of the first okey that stands for this face, or may yet do so; None where there is none."""
    if OKEY + face in some.stands:
        return some.stands.index(OKEY + face)
    undecided = OKEY + face[1:]
    return some.stands.index(undecided) if undecided in some.stands and face not in some.stands else None


def swapped(some: Meld, place: int, tile: Tile, face: Face) -> Meld:
    """The meld with a natural tile in an okey's place; a second okey of a group of four is decided by it (OK-45)."""
    tiles = (*some.tiles[:place], tile, *some.tiles[place + 1 :])
    return _settled(some.kind, tiles, (*some.stands[:place], face, *some.stands[place + 1 :]))


def _okeys(tiles: Sequence[Tile], okey: Face) -> int:
    return sum(tile.face == okey for tile in tiles)


def _run(tiles: Sequence[Tile], okey: Face, last: int) -> Meld | None:
    """OK-19: read as it stands, else backwards, else unordered; places go to ``last``, where 14 is a 1 (KL-8)."""
    for read in (tuple(tiles), tuple(reversed(tiles))):
        known = [(place, face) for place, tile in enumerate(read) if (face := natural(tile, okey)) is not None]
        if len({_place(face, last) - place for place, face in known}) == 1:
            place, face = known[0]
            return _from(_place(face, last) - place, read, okey, last)
    known_places = [_place(face, last) for tile in tiles if (face := natural(tile, okey)) is not None]
    return _from(min(known_places), tuple(tiles), okey, last) if known_places else None


def _place(face: Face, last: int) -> int:
    """Where a tile of this face lies in a run; a 1 above 13 where places go beyond it."""
    return last if last > LONGEST and number(face) == 1 else number(face)


def _from(start: int, tiles: tuple[Tile, ...], okey: Face, last: int) -> Meld | None:
    """The run of these tiles whose first place is ``start``, moved into what there is of places."""
    start = max(1, min(start, last + 1 - len(tiles)))
    lying = {_place(face, last): tile for tile in tiles if (face := natural(tile, okey)) is not None}
    okeys = [tile for tile in tiles if tile.face == okey]
    colours = {face[0] for tile in tiles if (face := natural(tile, okey)) is not None}
    places = range(start, start + len(tiles))
    if len(colours) != 1 or len(lying) + len(okeys) != len(tiles) or not lying.keys() <= set(places):
        return None
    (colour,) = colours
    stands = tuple(f"{'' if place in lying else OKEY}{colour}{place if place <= LONGEST else 1}" for place in places)
    return Meld(Kind.RUN, tuple(lying[place] if place in lying else okeys.pop(0) for place in places), stands)


def _group(tiles: Sequence[Tile], okey: Face) -> Meld | None:
    faces = [natural(tile, okey) for tile in tiles]
    known = [face for face in faces if face is not None]
    numbers = {number(face) for face in known}
    if len(tiles) > len(Colour) or len(numbers) != 1 or len(set(known)) != len(known):
        return None
    (shared,) = numbers
    return _settled(Kind.GROUP, tuple(tiles), tuple(face or f"{OKEY}{shared}" for face in faces))


def _fourth(some: Meld, face: Face | None) -> Stand | None:
    """What a tile stands for that is added to a group of three; None where it doesn't fit."""
    if face is None:
        return f"{OKEY}{number(some.stands[0])}"
    fits = number(face) == number(some.stands[0]) and face not in some.stands
    return face if fits else None


def _settled(kind: Kind, tiles: tuple[Tile, ...], stands: tuple[Stand, ...]) -> Meld:
    """The single undecided okey of a group of four stands for the missing colour (OK-20)."""
    open_to = [place for place, stand in enumerate(stands) if stand.lstrip("*=").isdecimal()]
    if kind == Kind.GROUP and len(stands) == len(Colour) and len(open_to) == 1:
        there = {stand.lstrip("*=")[0] for stand in stands}
        missing = next(colour for colour in Colour if colour not in there)
        (place,) = open_to
        decided = f"{OKEY}{missing}{number(stands[place])}"
        stands = (*stands[:place], decided, *stands[place + 1 :])
    return Meld(kind, tiles, stands)
