"""What a finished hand of 101 Okey was worth to each seat (RULES 3.11 and OK-70)."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mokali.engine.melds import number
from mokali.engine.protocol import Seat
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101.rules import OkeyRules, Waiver

Opening: TypeAlias = Literal["melds", "pairs"]
"""What a seat has opened with."""
Why: TypeAlias = Literal["okey", "playable", "undo", "put_back", "failed", "before"]
"""What a penalty is for: OK-48, OK-49, OK-47, OK-38, OK-51; ``before`` is what a set-up position begins with."""
Row: TypeAlias = Literal["finish", "unopened", "rack", "nobody"]
OKEY_VALUE: Final = 101
"""What an okey in the rack counts, unless it counts its face (OK-60)."""


class Finish(Struct, frozen=True):
    """Who finished, and how (OK-62)."""

    seat: Seat
    okey: bool
    pairs: bool
    from_hand: bool


class Fine(Struct, frozen=True):
    """What a seat has to pay whatever comes of the hand, and for what (RULES 3.9)."""

    why: Why
    points: int


class Factor(Struct, frozen=True):
    """What a row is multiplied by: for how the hand was finished, or for having opened with pairs oneself."""

    why: Literal["okey", "pairs", "from_hand", "own_pairs"]
    by: int


class Item(Struct, frozen=True):
    """Flat points of a seat: all its penalties of one kind, or its reward for the indicator."""

    why: Why | Literal["indicator"]
    points: int
    count: int
    waived: bool
    """It doesn't count, for the partner has finished (OK-70)."""


class Tally(Struct, frozen=True):
    """One seat's hand, item by item: ``before`` times its factors is ``base``, and with the flat items the total."""

    kind: Row
    """What ``before`` is: the finisher's reward, what the unopened pay, the rack's value, or 0 where nobody opened."""
    before: int
    factors: tuple[Factor, ...]
    base: int
    waived: bool
    """``base`` doesn't count, for the partner has finished (OK-70)."""
    items: tuple[Item, ...]
    total: int


class HandIn(Struct, frozen=True):
    """All that the scores of a hand follow from, per seat (OK-I5)."""

    okey: Face
    racks: tuple[tuple[Tile, ...], ...]
    opened: tuple[Opening | None, ...]
    fines: tuple[tuple[Fine, ...], ...]
    rewards: tuple[int, ...]
    finish: Finish | None
    """None where the stock ended the hand."""


def rack_value(rack: Sequence[Tile], okey: Face, rules: OkeyRules) -> int:
    """The sum of its numbers; an okey counts 101 or its face, a false okey the okey's face (OK-60)."""
    joker = number(okey) if rules.okey_in_rack == "face" else OKEY_VALUE
    return sum(joker if (face := natural(tile, okey)) is None else number(face) for tile in rack)


def factors(finish: Finish | None, rules: OkeyRules) -> tuple[Factor, ...]:
    """What losers' scores are multiplied by (OK-63); nothing where the stock ended the hand (OK-65)."""
    if finish is None:
        return ()
    all_three = (
        Factor("okey", rules.mult_okey if finish.okey else 1),
        Factor("pairs", rules.mult_pairs if finish.pairs else 1),
        Factor("from_hand", rules.mult_from_hand if finish.from_hand else 1),
    )
    return tuple(factor for factor in all_three if factor.by != 1)


def reward(finish: Finish, rules: OkeyRules) -> tuple[int, tuple[Factor, ...]]:
    """The finisher's own score, and what it is multiplied by; a table's needs no factors (OK-64, OK-75)."""
    kinds = ((), ("okey",), ("pairs",), ("from_hand",), ("okey", "from_hand"), ("okey", "pairs"))
    kind = tuple(name for name in ("okey", "pairs", "from_hand") if getattr(finish, name))
    if rules.reward_table is not None and kind in kinds:
        return rules.reward_table[kinds.index(kind)], ()
    return rules.finish_reward, factors(finish, rules)


def product(some: Iterable[Factor]) -> int:
    """What they come to together."""
    return prod(factor.by for factor in some)


def tallies(hand: HandIn, rules: OkeyRules) -> tuple[Tally, ...]:
    """What the hand was worth, per seat (OK-60 to OK-67, OK-70)."""
    return tuple(_tally(hand, rules, seat) for seat in range(len(hand.racks)))


def partners(rules: OkeyRules, seats: int) -> bool:
    """Whether opposite seats are partners: at a table of four only (OK-9, OK-69)."""
    return rules.partnered and seats == 4


def _tally(hand: HandIn, rules: OkeyRules, seat: Seat) -> Tally:
    finish = hand.finish
    waived = partners(rules, len(hand.racks)) and finish is not None and finish.seat == (seat + 2) % 4
    kind, before, by = _row(hand, rules, seat)
    base = before * product(by)
    items = tuple(_items(hand.fines[seat], hand.rewards[seat], rules.partner_waiver if waived else "base_only"))
    total = (0 if waived else base) + sum(item.points for item in items if not item.waived)
    return Tally(kind, before, by, base, waived, items, total)


def _row(hand: HandIn, rules: OkeyRules, seat: Seat) -> tuple[Row, int, tuple[Factor, ...]]:
    """The seat's score without flat items: what it is, the number, and its factors (OK-61 to OK-65)."""
    opened, finish = hand.opened[seat], hand.finish
    if finish is not None and finish.seat == seat:
        return "finish", *reward(finish, rules)
    if finish is None and not any(hand.opened) and rules.exhausted_nobody_opened == "zero":
        return "nobody", 0, ()
    if opened is None:
        return "unopened", rules.unopened_penalty, factors(finish, rules)
    doubled = opened == "pairs" and (finish is not None or rules.pairs_factor_on_exhaustion)
    own = (Factor("own_pairs", rules.pairs_rack_factor),) if doubled and rules.pairs_rack_factor != 1 else ()
    return "rack", rack_value(hand.racks[seat], hand.okey, rules), (*factors(finish, rules), *own)


def _items(fines: Sequence[Fine], reward: int, waiver: Waiver) -> Iterator[Item]:
    """The flat items by their kind; the waiver says what the finisher's partner is let off (OK-70)."""
    for why in dict.fromkeys(fine.why for fine in fines):
        same = [fine.points for fine in fines if fine.why == why]
        yield Item(why, sum(same), len(same), waiver != "base_only")
    if reward:
        yield Item("indicator", reward, 1, waiver == "literal_zero")
