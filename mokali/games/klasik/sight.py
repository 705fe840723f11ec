"""What one seat may know of a match of Klasik Okey, and a world that looks like it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec import Struct

from mokali.engine.melds import Shown
from mokali.engine.protocol import Seat, View
from mokali.engine.tileplay import Source, Unseen
from mokali.engine.tiles import Face, Tile
from mokali.games.klasik.rules import KlasikRules
from mokali.games.klasik.score import Ended


class Legal(Struct, frozen=True):
    """What the seat to act may do now, so that no screen knows a rule."""

    stock: bool
    side: bool
    show: bool
    discard: bool
    """Also try to finish, with any tile (KL-10)."""
    finish: tuple[Tile, ...]
    """The tiles of the own rack with which the hand would be finished."""


class KlasikView(View, frozen=True, kw_only=True):
    """What one seat may know of a match. Public tiles are faces: which copy lies there is nobody's business (CM-9)."""

    rules: KlasikRules
    seats: int
    dealer: Seat | None
    """Who starts the hand (KL-3)."""
    indicator: Face | None
    okey: Face | None
    cost: int
    """What the indicator, once shown, costs each of the others (KL-16, KL-17)."""
    stock: int
    racks: tuple[int, ...]
    """Tiles per seat."""
    rack: tuple[Tile, ...]
    """The own tiles in canonical order; empty for a spectator."""
    bar: int | None
    """How many tiles in melds a finish wants, and how many pairs; None between hands, and for a spectator."""
    bar_pairs: int | None
    near: int | None
    """How many of these tiles melds can hold at best, and how many pairs the own rack makes; None as above."""
    near_pairs: int | None
    left: Face | None
    """The top of the left neighbour's pile, and of the own one; a spectator looks from seat 0."""
    thrown: Face | None
    legal: Legal | None
    """For the seat to act alone."""
    side: Face | None
    """The left neighbour's latest discard, for the seat that is to draw (KL-6)."""
    discards: tuple[Face | None, ...]
    """The top of each seat's pile."""
    melds: tuple[Shown, ...]
    """The finished hand with its split, once it is over; nothing is laid before (KL-7, KL-14)."""
    losses: tuple[int, ...]
    """Per seat what it has lost in this hand so far, as a positive number; it is off its total already (KL-16)."""
    drawn: Source | None
    new: str | None
    """The tile drawn in this turn: its id for who drew it; for the others a side tile's face, else None."""
    shower: Seat | None
    first_done: tuple[bool, ...]
    known: tuple[tuple[Face, ...], ...]
    """Per seat, what everybody knows to be in its rack."""
    seen: tuple[tuple[Face, ...], ...]
    """Whole piles, the oldest first: for bots and memory, not for the screen."""
    shown: tuple[tuple[Face, ...], ...] | None
    """All racks, once the hand is over (CM-14); without the tile that it was finished with."""
    ended: Ended | None
    history: tuple[tuple[int, ...], ...]
    """Scores per seat of each hand."""


def world(view: KlasikView, rng: Random) -> Mapping[str, Any]:
    """Racks, stock and piles that look like ``view``: what it can't know is dealt anew."""
    if view.indicator is None:
        return {}
    unseen = Unseen({*view.rack}, rng)
    indicator = unseen.copy(view.indicator)
    piles = tuple(tuple(map(unseen.copy, pile)) for pile in view.seen)
    over = view.shown is not None
    last = unseen.copy(view.ended.finish.tile) if over and view.ended and view.ended.finish else None
    faces = view.known if view.shown is None else view.shown
    sure = [view.rack if seat == view.seat else tuple(map(unseen.copy, faces[seat])) for seat in range(view.seats)]
    racks, stock = unseen.racks(sure, view.racks)
    return {
        "indicator": indicator,
        "racks": tuple(racks),
        "stock": tuple(stock),
        "piles": piles,
        "last": last,
        "new": _new(view, racks),
    }


def _new(view: KlasikView, racks: list[tuple[Tile, ...]]) -> Tile | None:
    """The tile drawn in this turn; what another seat has drawn from the stock nobody knows."""
    if view.new is None or view.turn is None:
        return None
    if view.seat == view.turn:
        return Tile(view.new)
    return next(tile for tile in racks[view.turn] if tile.face == view.new)
