"""101 Okey's house rules as data, and the seven presets (RULES 3.13)."""

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from mokali.engine.protocol import Rules

Penalty: TypeAlias = Literal[0, 101]
Factor: TypeAlias = Literal[1, 2, 3]
Hands: TypeAlias = Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
MelderPairs: TypeAlias = Literal["never", "own", "area"]
FromHand: TypeAlias = Literal["same_turn", "single_move", "same_turn_nobody_opened"]
Waiver: TypeAlias = Literal["positive_only", "literal_zero", "base_only"]
Rewards: TypeAlias = tuple[int, int, int, int, int, int]
"""The finisher's score: plain, okey, pairs, from hand, from hand + okey, okey + pairs (OK-75)."""


class OkeyRules(Rules, frozen=True, kw_only=True, cache_hash=True):
    """What a table of 101 Okey can choose. The defaults are the preset ``mokali``.

    Raises ValueError where a choice is not offered: this many hands, or partners.
    """

    fixed: ClassVar[frozenset[str]] = frozenset(
        {"hands_choices", "hands_default", "partnered_allowed", "reward_table", "mode", "turn_seconds"}
    )
    seats: ClassVar[int] = 4
    tiles: ClassVar[int] = 21
    dealer_extra: ClassVar[int] = 1
    okey_okey_pair: ClassVar[bool] = False
    run_high_one: ClassVar[bool] = False

    hands: Hands = 5
    """Hands of the match (OK-68)."""
    partnered: bool = False
    """Two against two; at a table of four only (OK-69)."""
    hands_choices: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    hands_default: Annotated[int, Meta(ge=1, le=11)] = 5
    partnered_allowed: bool = True
    max_meld_tiles: Literal[5, 13] = 13
    threshold: Annotated[int, Meta(ge=34, le=101)] = 101
    min_pairs: Literal[4, 5, 6] = 5
    rising_threshold: bool = False
    from_hand_waives_threshold: bool = False
    new_melds_same_turn: bool = True
    layoff_in_opening_turn: bool = True
    melds_opener_pairs: MelderPairs = "never"
    pairs_opener_more_pairs: bool = True
    pairs_opener_layoff: bool = True
    layoff_tiles_max: Literal[0, 1, 2, 3] = 0
    side_must_use: bool = True
    side_precheck_opened: bool = False
    put_back_penalty: Penalty = 0
    swap_from_run: bool = True
    swap_from_group4: bool = True
    swap_two_okey_group: bool = True
    swap_from_pair: bool = False
    undo_free_tiles: Literal[1, 2] | None = None
    penalty_undo: Penalty = 0
    penalty_okey_discard: Penalty = 101
    penalty_playable_discard: Penalty = 101
    swap_makes_playable: bool = True
    okey_is_playable: bool = False
    penalty_failed_opening: Penalty = 0
    indicator_reward: Literal[-101, 0] = -101
    all_pairs_cancels: bool = False
    okey_in_rack: Literal[101, "face"] = 101
    unopened_penalty: Annotated[int, Meta(ge=0, le=404)] = 202
    finish_reward: Annotated[int, Meta(ge=-404, le=0)] = -101
    mult_okey: Factor = 2
    mult_pairs: Factor = 2
    mult_from_hand: Factor = 2
    from_hand_condition: FromHand = "same_turn"
    reward_table: Rewards | None = None
    pairs_rack_factor: Factor = 1
    pairs_factor_on_exhaustion: bool = False
    exhausted_nobody_opened: Literal["zero", "pay"] = "zero"
    partner_waiver: Waiver = "positive_only"
    mode: Literal["casual", "stake", "timed"] = "casual"
    turn_seconds: Annotated[int, Meta(ge=0, le=300)] = 0

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if self.hands not in self.hands_choices:
            raise ValueError(f"hands: one of {', '.join(map(str, self.hands_choices))}")
        if self.partnered and not self.partnered_allowed:
            raise ValueError("partnered: not in this ruleset")


_FREE: Final = OkeyRules(  # nothing costs and nothing is rewarded
    penalty_okey_discard=0,
    penalty_playable_discard=0,
    indicator_reward=0,
)
_MEY: Final = replace(
    _FREE,
    hands=1,
    hands_choices=(1,),
    hands_default=1,
    partnered_allowed=False,
    max_meld_tiles=5,
    from_hand_waives_threshold=True,
    melds_opener_pairs="own",
    layoff_tiles_max=2,
    swap_two_okey_group=False,
    swap_from_pair=True,
    mult_pairs=1,
    from_hand_condition="single_move",
    pairs_rack_factor=2,
    pairs_factor_on_exhaustion=True,
    exhausted_nobody_opened="pay",
    mode="stake",
    turn_seconds=60,
)
_STANDART: Final = replace(
    _FREE,
    hands_choices=(3, 5, 7, 9, 11),
    pairs_opener_more_pairs=False,
    undo_free_tiles=1,
    penalty_undo=101,
    penalty_playable_discard=101,
    okey_is_playable=True,
    penalty_failed_opening=101,
    all_pairs_cancels=True,
    from_hand_condition="same_turn_nobody_opened",
    reward_table=(-101, -202, -202, -404, -808, -404),
    pairs_rack_factor=2,
    exhausted_nobody_opened="pay",
)
_OKEYLO: Final = replace(_FREE, melds_opener_pairs="area", side_precheck_opened=True, mode="timed", turn_seconds=60)

RULESETS: Final = {
    "mokali": OkeyRules(),
    "mey": _MEY,
    "mey_katlamali": replace(_MEY, rising_threshold=True, from_hand_waives_threshold=False),
    "standart": _STANDART,
    "okeylo_101": _OKEYLO,
    "okeylo_51": replace(_OKEYLO, threshold=51, min_pairs=4),
    "okeylo_34": replace(_OKEYLO, threshold=34),
}
