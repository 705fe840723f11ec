"""What both okey games play alike: the deal, drawing, discarding, showing the indicator; racks. Knows no game."""

from collections.abc import Container, Iterable, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct, field

from mokali.engine.protocol import Action, BadSetup, Common, Event, IllegalAction, Seat
from mokali.engine.tiles import ALL_TILES, FALSE_OKEY, Face, Tile

Source: TypeAlias = Literal["stock", "side"]
Name: TypeAlias = Annotated[str, Meta(pattern=r"^([RYBK]([1-9]|1[0-3])|FJ)[ab]?$")]
"""A tile in an action: ``R7a``, or its face ``R7`` where either copy may be meant (OK-2)."""

T = TypeVar("T")
_PLACE: Final = {tile: place for place, tile in enumerate(ALL_TILES)}


# --- actions ---


class First(Action, frozen=True):
    """The house draws the first dealer (CM-13)."""

    seat_drawn: Annotated[int, Meta(ge=0, le=3)]


class Deal(Action, frozen=True):
    """The house deals a hand: the indicator is the deck's first tile that is no false okey (OK-7)."""

    deck: tuple[Tile, ...]

    def __post_init__(self) -> None:
        """Raises ValueError where it is no whole deck."""
        if len(self.deck) != len(ALL_TILES) or set(self.deck) != set(ALL_TILES):
            raise ValueError("a deck is all 106 tiles")


class Draw(Action, frozen=True):
    """Take the stock's next tile, or the left neighbour's latest discard."""

    source: Source = field(name="from")


class Show(Action, frozen=True):
    """Show the twin of the indicator (OK-50, KL-16)."""


class Discard(Action, frozen=True):
    """Put a tile on the own pile; the turn is over."""

    tile: Name


# --- events ---


class StockDrawn(Event, frozen=True):
    """A seat took the stock's next tile."""

    seat: Seat
    stock: int


class SideTaken(Event, frozen=True):
    """A seat took the left neighbour's latest discard."""

    seat: Seat
    tile: Face


class IndicatorShown(Event, frozen=True):
    """A seat showed the twin of the indicator."""

    seat: Seat
    tile: Face
    points: int


class Discarded(Event, frozen=True):
    """A seat put a tile on its pile."""

    seat: Seat
    tile: Face


# --- the deal ---


class Dealt(Struct, frozen=True):
    """What lies where after a deal."""

    indicator: Tile
    racks: tuple[tuple[Tile, ...], ...]
    stock: tuple[Tile, ...]


def draw_lots(rng: Random, seats: int, dealer: Seat | None) -> tuple[Action, ...]:
    """The first dealer where there is none yet, and the deck (CM-13, OK-7)."""
    deck = list(ALL_TILES)
    rng.shuffle(deck)
    deal = Deal(tuple(deck))
    return (deal,) if dealer is not None else (First(rng.randrange(seats)), deal)


def dealt(deck: Sequence[Tile], dealer: Seat, seats: int, tiles: int, extra: int) -> Dealt:
    """One block a seat from the right of the dealer, who gets the last and ``extra`` tiles more (OK-7, OK-8, KL-2)."""
    indicator = next(tile for tile in deck if tile.face != FALSE_OKEY)
    left = [tile for tile in deck if tile != indicator]
    racks: list[tuple[Tile, ...]] = [()] * seats
    for turn in range(1, seats + 1):
        size = tiles + (extra if turn == seats else 0)
        racks[(dealer + turn) % seats] = canonical(left[:size])
        del left[:size]
    return Dealt(indicator, tuple(racks), tuple(left))


# --- racks and piles ---


def held(rack: Sequence[Tile], lists: Sequence[Sequence[Name]]) -> list[tuple[Tile, ...]]:
    """The tiles that are named, copies chosen from the rack. Raises IllegalAction (`not_held`)."""
    left = list(rack)
    for name in (name for names in lists for name in names if _is_copy(name)):
        if name not in left:
            raise IllegalAction(Common.NOT_HELD, tile=name)
        left.remove(Tile(name))
    return [tuple(Tile(name) if _is_copy(name) else _taken(left, name) for name in names) for names in lists]


def canonical(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """These tiles in canonical order."""
    return tuple(sorted(tiles, key=_PLACE.__getitem__))


def highest(tiles: Iterable[Tile], okey: Face) -> Tile:
    """The tile with the highest number, a false okey's being the okey's; of equals the first in canonical order."""
    return max(tiles, key=lambda tile: (int((okey if tile.face == FALSE_OKEY else tile.face)[1:]), -_PLACE[tile]))


def without(tiles: Sequence[Tile], some: Iterable[Tile]) -> tuple[Tile, ...]:
    """These tiles less some of them."""
    gone = set(some)
    return tuple(tile for tile in tiles if tile not in gone)


def forget(known: Sequence[Face], faces: Iterable[Face]) -> tuple[Face, ...]:
    """What is known of a rack once tiles of these faces have left it."""
    left = list(known)
    for face in faces:
        if face in left:
            left.remove(face)
    return tuple(left)


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The same with another value in this place."""
    return (*values[:place], value, *values[place + 1 :])


def piled(piles: tuple[tuple[Tile, ...], ...], seat: Seat, tile: Tile | None) -> tuple[tuple[Tile, ...], ...]:
    """The piles with a tile on this seat's, or, for None, without its top."""
    pile = piles[seat]
    return put(piles, seat, pile[:-1] if tile is None else (*pile, tile))


def top(pile: Sequence[Tile]) -> Face | None:
    """What lies on top of a pile."""
    return pile[-1].face if pile else None


# --- showing the indicator ---


class NoTwin(StrEnum):
    """Why a seat has nothing to show: a fact of a refusal, and words in ``texts``."""

    TWIN_NOT_HELD = "twin_not_held"
    TWIN_FROM_SIDE = "twin_from_side"


def no_twin(indicator: Tile, rack: Container[Tile], from_side: Tile | None) -> NoTwin | None:
    """Why the seat can't show the indicator's twin; None where it can. ``from_side`` is the side tile of this turn."""
    if indicator.twin not in rack:
        return NoTwin.TWIN_NOT_HELD
    return NoTwin.TWIN_FROM_SIDE if from_side == indicator.twin else None


# --- set-up and imagined positions ---


def unnamed(named: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles that a position names nowhere, in canonical order. Raises BadSetup where one stands there twice."""
    seen = set[Tile]()
    for tile in named:
        if tile in seen:
            raise BadSetup(f"{tile} stands there twice")
        seen.add(tile)
    return tuple(tile for tile in ALL_TILES if tile not in seen)


def check_seats(seats: int, per_seat: Mapping[str, Sequence[object] | None], named: Iterable[Seat]) -> None:
    """Raises BadSetup where a list is not one for each seat, or a seat isn't there."""
    for name, values in per_seat.items():
        if values is not None and len(values) != seats:
            raise BadSetup(f"{name}: one for each of {seats} seats")
    if any(seat not in range(seats) for seat in named):
        raise BadSetup(f"seats are 0 to {seats - 1}")


def check_source(indicator: Tile, drawn: Source | None, side_tile: Tile | None) -> None:
    """Raises BadSetup where the indicator is a false okey, or the side tile and where it comes from disagree."""
    if indicator.face == FALSE_OKEY:
        raise BadSetup("a false okey is no indicator")
    if (drawn == "side") != (side_tile is not None):
        raise BadSetup("side_tile is what was drawn from the side")


class Unseen:
    """Copies that a viewer has not seen, in a random order: one imagined world deals them to faces and racks."""

    def __init__(self, seen: Container[str | None], rng: Random) -> None:
        self._order = [tile for tile in ALL_TILES if tile not in seen]
        rng.shuffle(self._order)
        self._free: dict[Face, list[Tile]] = {}
        for tile in self._order:
            self._free.setdefault(tile.face, []).append(tile)

    def copy(self, face: Face) -> Tile:
        """A copy of this face that lies nowhere else."""
        return self._free[face].pop()

    def rest(self) -> list[Tile]:
        """All that lies nowhere yet, shuffled."""
        left = {tile for tiles in self._free.values() for tile in tiles}
        return [tile for tile in self._order if tile in left]

    def racks(self, sure: Sequence[Sequence[Tile]], sizes: Sequence[int]) -> tuple[list[tuple[Tile, ...]], list[Tile]]:
        """Racks of these sizes that hold what is sure, and what is left over: the stock."""
        rest, racks = self.rest(), []
        for held, size in zip(sure, sizes, strict=True):
            more = size - len(held)
            racks.append(canonical((*held, *rest[:more])))
            del rest[:more]
        return racks, rest


def _is_copy(name: Name) -> bool:
    """Whether a copy is named, not a face."""
    return name[-1] in "ab"


def _taken(left: list[Tile], face: Name) -> Tile:
    """The first copy of this face, which is left no longer. Raises IllegalAction (`not_held`)."""
    tile = next((tile for tile in left if tile.face == face), None)
    if tile is None:
        raise IllegalAction(Common.NOT_HELD, tile=face)
    left.remove(tile)
    return tile
