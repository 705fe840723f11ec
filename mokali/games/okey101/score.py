"""What a finished hand of 101 Okey was worth to each seat (RULES 3.11 and OK-70)."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mokali.engine.melds import number
from mokali.engine.protocol import Seat
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101.rules import OkeyRules

Opening: TypeAlias = Literal["melds", "pairs"]
"""What a seat has opened with."""
OKEY_VALUE: Final = 101
"""What an okey in the rack counts, unless it counts its face (OK-60)."""


class Finish(Struct, frozen=True):
    """Who finished, and how (OK-62)."""

    seat: Seat
    okey: bool
    pairs: bool
    from_hand: bool


class Tally(Struct, frozen=True):
    """One seat's hand: the rack's value, what it came to, the flat items, and the score."""

    rack: int
    base: int
    """Before the flat items: the finish, the rack times its factors, or the unopened seat's penalty."""
    fines: int
    rewards: int
    waived: bool
    """The partner finished, and the seat pays nothing (OK-70)."""
    total: int


class HandIn(Struct, frozen=True):
    """All that the scores of a hand follow from, per seat (OK-I5)."""

    okey: Face
    racks: tuple[tuple[Tile, ...], ...]
    opened: tuple[Opening | None, ...]
    fines: tuple[int, ...]
    rewards: tuple[int, ...]
    finish: Finish | None
    """None where the stock ended the hand."""


def rack_value(rack: Sequence[Tile], okey: Face, rules: OkeyRules) -> int:
    """The sum of its numbers; an okey counts 101 or its face, a false okey the okey's face (OK-60)."""
    joker = number(okey) if rules.okey_in_rack == "face" else OKEY_VALUE
    return sum(joker if (face := natural(tile, okey)) is None else number(face) for tile in rack)


def factor(finish: Finish | None, rules: OkeyRules) -> int:
    """What losers' scores are multiplied by (OK-63); 1 where the stock ended the hand (OK-65)."""
    if finish is None:
        return 1
    flags = (finish.okey, rules.mult_okey), (finish.pairs, rules.mult_pairs), (finish.from_hand, rules.mult_from_hand)
    product = 1
    for flag, by in flags:
        product *= by if flag else 1
    return product


def reward(finish: Finish, rules: OkeyRules) -> int:
    """The finisher's own score (OK-64, OK-75)."""
    kinds = ((), ("okey",), ("pairs",), ("from_hand",), ("okey", "from_hand"), ("okey", "pairs"))
    kind = tuple(name for name in ("okey", "pairs", "from_hand") if getattr(finish, name))
    if rules.reward_table is not None and kind in kinds:
        return rules.reward_table[kinds.index(kind)]
    return rules.finish_reward * factor(finish, rules)


def tallies(hand: HandIn, rules: OkeyRules) -> tuple[Tally, ...]:
    """What the hand was worth, per seat (OK-60 to OK-67, OK-70)."""
    return tuple(_tally(hand, rules, seat) for seat in range(len(hand.racks)))


def teams(rules: OkeyRules, seats: int) -> bool:
    """Whether opposite seats are partners: at a table of four only (OK-9, OK-69)."""
    return rules.partnered and seats == 4


def _tally(hand: HandIn, rules: OkeyRules, seat: Seat) -> Tally:
    rack = rack_value(hand.racks[seat], hand.okey, rules)
    base, fines, rewards = _base(hand, rules, seat, rack), hand.fines[seat], hand.rewards[seat]
    finish = hand.finish
    waived = teams(rules, len(hand.racks)) and finish is not None and finish.seat == (seat + 2) % 4
    total = base + fines + rewards
    if waived:
        total = {"positive_only": min(0, rewards), "literal_zero": 0, "base_only": fines + rewards}[
            rules.partner_waiver
        ]
    return Tally(rack, base, fines, rewards, waived, total)


def _base(hand: HandIn, rules: OkeyRules, seat: Seat, rack: int) -> int:
    opened, finish = hand.opened[seat], hand.finish
    if finish is not None and finish.seat == seat:
        return reward(finish, rules)
    if finish is None and not any(hand.opened):
        return rules.unopened_penalty if rules.exhausted_nobody_opened == "pay" else 0
    if opened is None:
        return rules.unopened_penalty * factor(finish, rules)
    doubled = opened == "pairs" and (finish is not None or rules.pairs_factor_on_exhaustion)
    return rack * factor(finish, rules) * (rules.pairs_rack_factor if doubled else 1)
