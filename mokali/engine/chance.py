"""What a deal or a throw gives each seat, beside what chance gives on average. Knows no game; every figure is exact."""

from collections.abc import Sequence
from math import comb
from typing import Any, Final

from mokali.engine import cardplay, tileplay
from mokali.engine.cards import DECK
from mokali.engine.protocol import Action, Seat, Stroke
from mokali.engine.tiles import ALL_TILES, Tile, okey_of

COPIES: Final = 2
"""Of every tile."""
TILES: Final = len(ALL_TILES) - 1
"""What is dealt from: all but the indicator."""
WHOLE_PAIRS: Final = TILES // COPIES
"""Faces of which both copies may be dealt."""


def among(places: int, marked: int, taken: int) -> tuple[float, float]:
    """Mean and variance of how many marked things are taken where all of ``places`` are alike (hypergeometric).

    >>> among(52, 4, 13)[0]
    1.0
    """
    share = marked / places
    return taken * share, taken * share * (1 - share) * (places - taken) / (places - 1)


def tried(times: int, chance: float) -> tuple[float, float]:
    """Mean and variance of how often something happens (binomial)."""
    return times * chance, times * chance * (1 - chance)


def pairs(taken: int) -> tuple[float, float]:
    """Mean and variance of the whole pairs in a rack of so many tiles."""
    mean = WHOLE_PAIRS * comb(taken, 2) / comb(TILES, 2)
    square = mean + WHOLE_PAIRS * (WHOLE_PAIRS - 1) * comb(taken, 4) / comb(TILES, 4)
    return mean, square - mean**2


def of_tiles(lot: Action, after: Any) -> Sequence[Stroke]:
    """Okeys, the indicator's twin and pairs in every rack of a deal of okey tiles (OK-7)."""
    if not isinstance(lot, tileplay.Deal):
        return ()
    return [stroke for seat, rack in enumerate(after.racks) for stroke in _rack(seat, rack, after.indicator)]


def aces(lot: Action, after: Any) -> Sequence[Stroke]:
    """Aces in every hand of a deal of cards."""
    if not isinstance(lot, cardplay.Deal):
        return ()
    return [
        Stroke("aces", seat, sum(card.letter == "A" for card in hand), *among(len(DECK), 4, len(hand)))
        for seat, hand in enumerate(after.hands)
    ]


def _rack(seat: Seat, rack: Sequence[Tile], indicator: Tile) -> list[Stroke]:
    size, faces = len(rack), [tile.face for tile in rack]
    return [
        Stroke("okeys", seat, faces.count(okey_of(indicator.face)), *among(TILES, COPIES, size)),
        Stroke("twins", seat, rack.count(indicator.twin), *among(TILES, 1, size)),
        Stroke("pairs", seat, len(faces) - len(set(faces)), *pairs(size)),
    ]
