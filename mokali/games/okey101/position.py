"""A position to start from, as in a record's header, and what is wrong with one."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from mokali.engine import melds as shapes
from mokali.engine.melds import OKEY, Kind, Meld
from mokali.engine.protocol import BadSetup, Seat, Setup
from mokali.engine.tileplay import Source, canonical, check_seats, check_source, unnamed
from mokali.engine.tiles import Face, Tile, okey_of
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Fine, Opening
from mokali.games.okey101.spread import Laid


class Placed(Struct, frozen=True, forbid_unknown_fields=True):
    """A meld of a position: physical tiles, okeys as ``Y6a=R6`` or ``Y6a=7``."""

    owner: Seat
    kind: Kind
    tiles: tuple[str, ...]


class OkeySetup(Setup, frozen=True, kw_only=True):
    """A position; tiles named nowhere go to the stock, after those named there, in canonical order."""

    dealer: Seat
    indicator: Tile
    racks: tuple[tuple[Tile, ...], ...]
    stock: tuple[Tile, ...] | None = None
    discards: tuple[tuple[Tile, ...], ...] | None = None
    """Per seat, the oldest first."""
    melds: tuple[Placed, ...] = ()
    opened: tuple[Opening | None, ...] | None = None
    opening: tuple[int | None, ...] | None = None
    turn: Seat | None = None
    phase: Literal["draw", "play"] | None = None
    drawn: Source | None = None
    side_tile: Tile | None = None
    penalties: tuple[int, ...] | None = None
    """Per seat; rewards are negative."""
    totals: tuple[int, ...] | None = None
    hand: int = 1
    first_turn_done: tuple[bool, ...] | None = None
    """Without it everybody's first turn is over."""


def placed(setup: OkeySetup, rules: OkeyRules, seats: int) -> Mapping[str, Any]:
    """The fields of a match in this position. Raises BadSetup."""
    _check_shape(setup, seats)
    okey = okey_of(setup.indicator.face)
    melds = tuple(_laid(some, okey, rules) for some in setup.melds)
    piles = setup.discards or ((),) * seats
    lying = (setup.stock or (), *setup.racks, *piles, *(laid.meld.tiles for laid in melds))
    others = unnamed([setup.indicator, *(tile for some in lying for tile in some)])
    turn = setup.dealer if setup.turn is None else setup.turn
    begun = setup.drawn is not None or (turn == setup.dealer and not any(piles) and setup.turn is None)
    penalties = setup.penalties or (0,) * seats
    fields: Mapping[str, Any] = {
        "hand": setup.hand,
        "dealer": setup.dealer,
        "mover": turn,
        "step": setup.phase or ("play" if begun else "draw"),
        "indicator": setup.indicator,
        "racks": tuple(map(canonical, setup.racks)),
        "stock": (*(setup.stock or ()), *others),
        "piles": piles,
        "melds": melds,
        "opened": setup.opened or (None,) * seats,
        "opening": setup.opening or (None,) * seats,
        "drawn": setup.drawn,
        "new": setup.side_tile,
        "first_done": (True,) * seats if setup.first_turn_done is None else setup.first_turn_done,
        "fines": tuple((Fine("before", points),) if points > 0 else () for points in penalties),
        "rewards": tuple(min(0, points) for points in penalties),
        "known": tuple((setup.side_tile.face,) if setup.side_tile and seat == turn else () for seat in range(seats)),
        "base": setup.totals or (0,) * seats,
    }
    _check(fields, rules)
    return fields


def _check_shape(setup: OkeySetup, seats: int) -> None:
    """Raises BadSetup where something is missing, or belongs to a seat that isn't there."""
    per_seat = ("racks", "discards", "opened", "opening", "penalties", "totals", "first_turn_done")
    named = (setup.dealer, setup.turn or 0, *(laid.owner for laid in setup.melds))
    check_seats(seats, {name: getattr(setup, name) for name in per_seat}, named)
    check_source(setup.indicator, setup.drawn, setup.side_tile)


def _laid(some: Placed, okey: Face, rules: OkeyRules) -> Laid:
    """A meld as it is written. Raises BadSetup."""
    words = [word.partition("=") for word in some.tiles]
    try:
        tiles = tuple(Tile(word) for word, _, _ in words)
    except ValueError as error:
        raise BadSetup(str(error)) from error
    meld = _read(tiles, okey, some.kind)
    stands = [f"{OKEY}{stand}" if equals else None for _, equals, stand in words]
    if meld is None or meld.tiles != tiles or (meld.kind == Kind.RUN and len(tiles) > rules.max_meld_tiles):
        raise BadSetup(f"{' '.join(some.tiles)} is no {some.kind}")
    if any(
        said != (stand if stand.startswith(OKEY) else None) for said, stand in zip(stands, meld.stands, strict=True)
    ):
        raise BadSetup(f"{' '.join(some.tiles)}: okeys there are {' '.join(meld.shown)}")
    return Laid(some.owner, meld)


def _read(tiles: tuple[Tile, ...], okey: Face, kind: Kind) -> Meld | None:
    return shapes.pair(tiles, okey) if kind == Kind.PAIR else shapes.meld(tiles, okey, kind)


def _check(fields: Mapping[str, Any], rules: OkeyRules) -> None:
    """Raises BadSetup where the hand could not have come to this (OK-8, OK-I4)."""
    turn, step, new = fields["mover"], fields["step"], fields["new"]
    for seat, rack in enumerate(fields["racks"]):
        extra = seat == turn and step == "play"
        if fields["opened"][seat] is None and len(rack) != rules.tiles + extra:
            raise BadSetup(f"seat {seat} has not opened and holds {rules.tiles + extra} tiles")
        if not 0 < len(rack) <= rules.tiles + extra:
            raise BadSetup(f"seat {seat} holds 1 to {rules.tiles + extra} tiles")
    if any(fields["opened"][laid.owner] is None for laid in fields["melds"]):
        raise BadSetup("melds belong to seats that have opened")
    if step == "draw" and (fields["drawn"] is not None or not fields["stock"]):
        raise BadSetup("who is to draw has not drawn, and finds a tile in the stock")
    if new is not None and new not in fields["racks"][turn]:
        raise BadSetup(f"{new} was drawn and is not held")
    if not 1 <= fields["hand"] <= rules.hands:
        raise BadSetup(f"hands are 1 to {rules.hands}")
