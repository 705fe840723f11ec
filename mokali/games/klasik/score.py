"""What a hand of Klasik Okey costs each seat (KL-15 to KL-17)."""

from math import prod
from typing import Final, Literal

from msgspec import Struct

from mokali.engine.protocol import Seat
from mokali.engine.tiles import Colour, Face
from mokali.games.klasik.rules import FINISH, SHOWN, KlasikRules

DOUBLED: Final = (Colour.RED, Colour.BLACK)
"""The indicator's colours that double every loss of a coloured hand (KL-17)."""


class Finish(Struct, frozen=True):
    """Who finished, and how; ``tile`` is the fifteenth, which lies on the stock (KL-10 to KL-13)."""

    seat: Seat
    okey: bool
    pairs: bool
    tile: Face


class Factor(Struct, frozen=True):
    """What a loss is multiplied by: for how the hand was finished, or for the indicator's colour."""

    why: Literal["okey", "pairs", "coloured"]
    by: int


class Item(Struct, frozen=True):
    """A loss that stands whatever comes of the hand: for the indicator that another seat has shown."""

    why: Literal["indicator"]
    points: int


class Tally(Struct, frozen=True):
    """One seat's hand, item by item: ``before`` times its factors is ``base``, and with the items the total."""

    kind: Literal["finish", "lost", "stock"]
    """It finished, another seat did, or the stock ended the hand."""
    before: int
    factors: tuple[Factor, ...]
    base: int
    items: tuple[Item, ...]
    total: int


class Ended(Struct, frozen=True):
    """How the last hand ended."""

    reason: str
    scores: tuple[int, ...]
    finish: Finish | None
    tallies: tuple[Tally, ...]


def colour_factor(indicator: Face, rules: KlasikRules) -> int:
    """What every loss of the hand is multiplied by (KL-17)."""
    return 2 if rules.coloured and indicator[0] in DOUBLED else 1


def shown_cost(indicator: Face, rules: KlasikRules) -> int:
    """What the shown indicator costs each of the others (KL-16)."""
    return SHOWN * colour_factor(indicator, rules)


def factors(finish: Finish, indicator: Face, rules: KlasikRules) -> tuple[Factor, ...]:
    """What the others' loss is multiplied by (KL-15, KL-17)."""
    all_three = (
        Factor("okey", 2 if finish.okey else 1),
        Factor("pairs", 2 if finish.pairs else 1),
        Factor("coloured", colour_factor(indicator, rules)),
    )
    return tuple(factor for factor in all_three if factor.by != 1)


def losses(shower: Seat | None, indicator: Face, rules: KlasikRules, seats: int) -> tuple[int, ...]:
    """What each seat has lost before the hand is over (KL-16)."""
    cost = shown_cost(indicator, rules)
    return tuple(0 if shower in (None, seat) else cost for seat in range(seats))


def tallies(finish: Finish | None, lost: tuple[int, ...], indicator: Face, rules: KlasikRules) -> tuple[Tally, ...]:
    """What the hand is worth, per seat; ``lost`` is what ``losses`` says."""
    return tuple(_tally(seat, finish, cost, indicator, rules) for seat, cost in enumerate(lost))


def _tally(seat: Seat, finish: Finish | None, cost: int, indicator: Face, rules: KlasikRules) -> Tally:
    items = (Item("indicator", -cost),) if cost else ()
    if finish is None:
        return Tally("stock", 0, (), 0, items, -cost)
    if finish.seat == seat:
        return Tally("finish", 0, (), 0, items, -cost)
    by = factors(finish, indicator, rules)
    base = -FINISH * prod(factor.by for factor in by)
    return Tally("lost", -FINISH, by, base, items, base - cost)
