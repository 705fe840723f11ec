"""How far a hand of 15 tiles is from 14 that are complete, in melds where a 1 may follow 13, or in seven pairs (KL-10).

Knows no game, turn or table. A hand of 14, before a draw, may be asked for its distance and exchange too.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final, Literal

from msgspec import Struct

from mokali.engine import solver
from mokali.engine.solver import Layout
from mokali.engine.tiles import NUMBERS, Colour, Face, Tile, natural, okey_of

COMPLETE: Final = 14
PAIRS: Final = 7


class Finishes(Struct, frozen=True):
    """The discards that finish, as faces in canonical order. A hand may have both; it counts as pairs then (KL-12)."""

    melds: tuple[Face, ...]
    pairs: tuple[Face, ...]


def finishes(hand: Sequence[Tile], okey: Face) -> Finishes:
    """Which of 15 tiles may be the fifteenth (KL-10, KL-11)."""
    melds = solver.spare(hand, okey, run_high_one=True)
    enough = len(solver.most_pairs(hand, okey, okey_okey_pair=True)) >= PAIRS
    pairs = [face for face in solver.faces(hand) if enough and _all_pairs(solver.without(hand, face), okey)]
    return Finishes(melds, tuple(pairs))


def finished(hand: Sequence[Tile], okey: Face) -> Literal["melds", "pairs"] | None:
    """How 14 tiles are complete: in seven pairs, else in melds (KL-10 to KL-12); None where they aren't."""
    if _all_pairs(hand, okey):
        return "pairs"
    return "melds" if len(hand) == COMPLETE and solver.covered(hand, okey, run_high_one=True) else None


def split(hand: Sequence[Tile], okey: Face) -> Layout | tuple[tuple[Tile, Tile], ...] | None:
    """How 14 tiles are complete, to be shown (KL-14): seven pairs, else melds (KL-12); None where they aren't."""
    if _all_pairs(hand, okey):
        return solver.most_pairs(hand, okey, okey_okey_pair=True)
    layout = solver.most_tiles(hand, okey, run_high_one=True)
    return layout if layout.tiles == len(hand) else None


def distance(hand: Sequence[Tile], okey: Face) -> int:
    """The fewest of 14 kept tiles that lie outside melds, over the best discard of 15. Seven pairs do not count."""
    most = solver.tiles_in_melds(hand, okey, run_high_one=True)
    if most > COMPLETE:  # all 15 lie: without one of them it may be fewer than 14
        kept = (solver.without(hand, face) for face in solver.faces(hand))
        most = max(solver.tiles_in_melds(rest, okey, run_high_one=True) for rest in kept)
    return COMPLETE - most


def exchange(hand: Sequence[Tile], indicator: Face) -> int:
    """The fewest tiles to swap for others until 14 are complete, in melds or in pairs; 0 finishes.

    Whatever is not in the hand can be had, where it exists: two of a face, one of the indicator's, two okeys.
    """
    return min(exchange_for_melds(hand, indicator), exchange_for_pairs(hand, okey_of(indicator)))


def exchange_for_pairs(hand: Sequence[Tile], okey: Face) -> int:
    """The same for seven pairs: each okey saves a tile, and there is always a single whose twin can be had."""
    return PAIRS - min(PAIRS, len(solver.most_pairs(hand, okey, okey_okey_pair=True)))


def _all_pairs(hand: Sequence[Tile], okey: Face) -> bool:
    return len(hand) == COMPLETE and len(solver.most_pairs(hand, okey, okey_okey_pair=True)) == PAIRS


def exchange_for_melds(hand: Sequence[Tile], indicator: Face) -> int:
    """The same for melds; some milliseconds, for hands far from complete tens of them."""
    okey = okey_of(indicator)
    naturals = [face for tile in hand if (face := natural(tile, okey)) is not None]
    held, exist = _Stock.of(naturals), _Stock(_ALL, _ALL & ~_BIT[indicator])
    return next(
        swaps
        for swaps in range(COMPLETE + 1)
        if _within(len(hand) - len(naturals) + swaps, COMPLETE, _melds(), held, exist, OKEYS)
    )


class _Stock(Struct, frozen=True):
    """Tiles by face, a bit for each: of which there is one or more, and of which there are two."""

    some: int
    twice: int

    @classmethod
    def of(cls, faces: Sequence[Face]) -> "_Stock":
        """So many of each."""
        some = twice = 0
        for face in faces:
            twice |= some & _BIT[face]
            some |= _BIT[face]
        return cls(some, twice)

    def missing(self, meld: int) -> int:
        """How many of the meld's faces are not there."""
        return (meld & ~self.some).bit_count()

    def without(self, meld: int) -> "_Stock":
        """What is left when those that are there are taken."""
        return _Stock(self.some & ~meld | self.twice & meld, self.twice & ~meld)


def _within(budget: int, places: int, melds: Sequence[int], held: _Stock, exist: _Stock, okeys: int) -> bool:
    """Whether melds can fill so many places with at most ``budget`` tiles that are not held.

    Every such place is an okey's or takes a tile that is to be had; where none exists any more, one of ``okeys``.
    """
    if not places:
        return True
    priced = [(held.missing(meld), meld.bit_count(), meld) for meld in melds]
    priced = [one for one in priced if one[0] <= budget]
    cheapest = [min((price for price, size, _ in priced if size == wanted), default=99) for wanted in (3, 4, 5)]
    least = [0]
    for filled in range(1, places + 1):
        least.append(
            min((least[filled - size] + cheapest[size - 3] for size in (3, 4, 5) if size <= filled), default=99)
        )
    for at, (price, size, meld) in enumerate(priced):
        lacking = exist.missing(meld)
        if size <= places and price + least[places - size] <= budget and lacking <= okeys:
            later = [other for _, _, other in priced[at:]]
            if _within(budget - price, places - size, later, held.without(meld), exist.without(meld), okeys - lacking):
                return True
    return False


OKEYS: Final = 2
_BIT: Final = {f"{colour}{number}": 1 << 13 * at + number - 1 for at, colour in enumerate(Colour) for number in NUMBERS}
_ALL: Final = (1 << 52) - 1


@cache
def _melds() -> tuple[int, ...]:
    """Every run of three to five and every group, as bits. Longer runs are made of these."""
    ring = [*NUMBERS, 1]
    runs = [
        sum(_BIT[f"{colour}{number}"] for number in ring[start : start + size])
        for colour in Colour
        for size in (3, 4, 5)
        for start in range(len(ring) - size + 1)
    ]
    groups = [
        sum(_BIT[f"{colour}{number}"] for colour in colours)
        for number in NUMBERS
        for size in (3, 4)
        for colours in combinations(Colour, size)
    ]
    return (*runs, *groups)
