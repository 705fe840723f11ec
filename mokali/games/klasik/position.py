"""A position to start from, as in a record's header, and what is wrong with one."""

from collections.abc import Mapping
from typing import Any, Literal

from mokali.engine.protocol import BadSetup, Seat, Setup
from mokali.engine.tileplay import Source, canonical, check_seats, check_source, unnamed
from mokali.engine.tiles import Tile
from mokali.games.klasik.rules import EXTRA, TILES, KlasikRules


class KlasikSetup(Setup, frozen=True, kw_only=True):
    """A position; tiles named nowhere go to the stock, after those named there, in canonical order."""

    dealer: Seat
    """Who started the hand."""
    indicator: Tile
    racks: tuple[tuple[Tile, ...], ...]
    stock: tuple[Tile, ...] | None = None
    discards: tuple[tuple[Tile, ...], ...] | None = None
    """Per seat, the oldest first."""
    turn: Seat | None = None
    phase: Literal["draw", "play"] | None = None
    drawn: Source | None = None
    side_tile: Tile | None = None
    totals: tuple[int, ...] | None = None
    """Points left, without what a show has cost in this hand."""
    hand: int = 1
    first_turn_done: tuple[bool, ...] | None = None
    """Without it everybody's first turn is over."""


def placed(setup: KlasikSetup, rules: KlasikRules, seats: int) -> Mapping[str, Any]:
    """The fields of a match in this position. Raises BadSetup."""
    per_seat = ("racks", "discards", "totals", "first_turn_done")
    check_seats(seats, {name: getattr(setup, name) for name in per_seat}, (setup.dealer, setup.turn or 0))
    check_source(setup.indicator, setup.drawn, setup.side_tile)
    piles = setup.discards or ((),) * seats
    lying = (setup.stock or (), *setup.racks, *piles)
    others = unnamed([setup.indicator, *(tile for some in lying for tile in some)])
    turn = setup.dealer if setup.turn is None else setup.turn
    begun = setup.drawn is not None or (turn == setup.dealer and not any(piles) and setup.turn is None)
    fields: Mapping[str, Any] = {
        "hand": setup.hand,
        "dealer": setup.dealer,
        "mover": turn,
        "step": setup.phase or ("play" if begun else "draw"),
        "indicator": setup.indicator,
        "racks": tuple(map(canonical, setup.racks)),
        "stock": (*(setup.stock or ()), *others),
        "piles": piles,
        "drawn": setup.drawn,
        "new": setup.side_tile,
        "first_done": (True,) * seats if setup.first_turn_done is None else setup.first_turn_done,
        "known": tuple((setup.side_tile.face,) if setup.side_tile and seat == turn else () for seat in range(seats)),
        "base": setup.totals or (rules.start_points,) * seats,
    }
    _check(fields)
    return fields


def _check(fields: Mapping[str, Any]) -> None:
    """Raises BadSetup where the hand could not have come to this (KL-2, KL-I1, KL-I4)."""
    turn, step, new = fields["mover"], fields["step"], fields["new"]
    for seat, rack in enumerate(fields["racks"]):
        size = TILES + (EXTRA if seat == turn and step == "play" else 0)
        if len(rack) != size:
            raise BadSetup(f"seat {seat} holds {size} tiles")
    if step == "draw" and (fields["drawn"] is not None or not fields["stock"]):
        raise BadSetup("who is to draw has not drawn, and finds a tile in the stock")
    if new is not None and new not in fields["racks"][turn]:
        raise BadSetup(f"{new} was drawn and is not held")
    if fields["hand"] < 1:
        raise BadSetup("hands are counted from 1")
