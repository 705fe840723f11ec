"""101 Okey by the paragraphs of its chapter (RULES, 3). Whole positions are records in tests/cases/okey101."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mokali.engine import codec, record, solver
from mokali.engine import melds as shapes
from mokali.engine.melds import Kind
from mokali.engine.protocol import (
    HOUSE,
    Action,
    BadSetup,
    Common,
    Event,
    HandEnded,
    IllegalAction,
    MalformedAction,
    Reading,
)
from mokali.engine.tileplay import (
    Deal,
    Discard,
    Discarded,
    Draw,
    First,
    IndicatorShown,
    NoTwin,
    Show,
    StockDrawn,
    canonical,
)
from mokali.engine.tiles import ALL_TILES, FALSE_OKEY, Tile, natural, tiles
from mokali.games import okey101
from mokali.games.okey101 import assist, spread
from mokali.games.okey101.calls import As, Open, names
from mokali.games.okey101.hand import Idle, Return
from mokali.games.okey101.laying import Lay, Opened, OpeningFailed, Penalised, Swap, Undo
from mokali.games.okey101.position import OkeySetup, Placed
from mokali.games.okey101.rules import RULESETS, OkeyRules
from mokali.games.okey101.score import (
    Factor,
    Fine,
    Finish,
    HandIn,
    Item,
    Opening,
    Tally,
    factors,
    product,
    rack_value,
    reward,
    tallies,
)
from mokali.games.okey101.sight import OkeyView
from mokali.games.okey101.spread import Because, No
from mokali.games.okey101.state import Okey101
from mokali.web import filters
from tests.hands import deal, rich
from tests.matches import Match, house_rules, matches

GAME = okey101.GAME
MOKALI, MEY, STANDART, OKEYLO = (RULESETS[key] for key in ("mokali", "mey", "standart", "okeylo_101"))
INDICATOR = Tile("Y5a")
"""The okeys are Y6a and Y6b."""
OPENING = "K9a K10a K11a K12a K13a R10a R11a R12a R13a"
"""101 points: a run of 55 and one of 46."""
CALL = Open((("K9", "K10", "K11", "K12", "K13"), ("R10", "R11", "R12", "R13")), "melds")
TABLE = ("0 run K9a K10a K11a K12a K13a", "0 run R10a R11a R12a R13a")
"""What seat 0 lies with once it has opened so."""


def at(
    rack: str,
    *table: str,
    seat: int = 0,
    step: str = "play",
    rules: OkeyRules = MOKALI,
    seats: int = 4,
    opened: Mapping[int, str] | None = None,
    others: Mapping[int, str] | None = None,
    piles: Mapping[int, str] | None = None,
    stock: str | None = None,
    **more: Any,
) -> Okey101:
    """A position with ``seat`` to act. Who has opened holds what is named; the others' racks are filled up.

    ``stock`` is its whole content; the rest of the tiles then lies in seat 0's pile.
    """
    opened = {0: "melds"} if opened is None and table else opened or {}
    named = {seat: tiles(rack), **{other: tiles(text) for other, text in (others or {}).items()}}
    heaps = [tiles((piles or {}).get(other, "")) for other in range(seats)]
    melds = tuple(_placed(text) for text in table)
    lying = [Tile(word.partition("=")[0]) for meld in melds for word in meld.tiles]
    taken = {INDICATOR, *lying, *tiles(stock or "")}.union(*named.values(), *heaps)
    free = [tile for tile in ALL_TILES if tile not in taken and tile.face not in ("Y5", "Y6", FALSE_OKEY)]
    racks = []
    for other in range(seats):
        held = list(named.get(other, ()))
        wanted = 21 + (other == seat and step == "play")
        while (other not in opened and len(held) < wanted) or not held:
            held.append(free.pop())
        racks.append(tuple(held))
    if stock is not None:
        rest = [tile for tile in ALL_TILES if tile not in taken and not any(tile in some for some in racks)]
        heaps[(seat + 1) % seats] = (*rest, *heaps[(seat + 1) % seats])
    setup = OkeySetup(
        dealer=more.pop("dealer", (seat - 1) % seats),
        indicator=INDICATOR,
        racks=tuple(racks),
        turn=seat,
        phase=step,  # type: ignore[arg-type]
        melds=melds,
        discards=tuple(heaps),
        stock=None if stock is None else tiles(stock),
        opened=tuple(opened.get(other) for other in range(seats)),  # type: ignore[misc]
        **more,
    )
    return Okey101.start(rules, seats, setup)


def _placed(text: str) -> Placed:
    owner, kind, *words = text.split()
    return Placed(int(owner), Kind(kind), tuple(words))


def do(state: Okey101, *actions: Action) -> tuple[Okey101, tuple[Event, ...]]:
    """The state after these actions, each by the seat on turn, and the last one's events."""
    events: tuple[Event, ...] = ()
    for action in actions:
        assert state.turn is not None
        state, events = state.play(state.turn, action)
    return state, events


def refusal(state: Okey101, action: Action, seat: int | None = None) -> str:
    before = codec.encode(state)
    with pytest.raises(IllegalAction) as refused:
        state.play(state.mover if seat is None else seat, action)  # type: ignore[arg-type]
    assert codec.encode(state) == before
    return str(refused.value.reason)


def dealt(seats: int = 4, dealer: int = 0, first: str = "", rules: OkeyRules = MOKALI) -> Okey101:
    """A match whose first hand has just been dealt; ``first`` are the deck's first tiles."""
    top = tiles(first)
    deal = Deal((*top, *(tile for tile in ALL_TILES if tile not in top)))
    state, _ = Okey101.start(rules, seats).play(HOUSE, First(dealer))
    return state.play(HOUSE, deal)[0]


def pairs(text: str, kind: str = "pairs", area: int | None = None) -> Open:
    words = text.split()
    return Open(tuple(zip(words[::2], words[1::2], strict=True)), kind, area)  # type: ignore[arg-type]


def faces(state: Okey101, index: int = -1) -> str:
    return " ".join(state.view(None).melds[index].tiles)


# --- the pieces and the deal ---


def test_ok_1_and_ok_7_and_ok_8_a_deal_has_all_106_tiles() -> None:
    state = dealt(dealer=1, first="FJa Y5a")
    assert state.indicator == Tile("Y5a")
    assert state.view(None).racks == (21, 22, 21, 21)
    assert len(state.stock) == 20
    assert state.racks[2][0] == Tile("R1a"), "the block right of the dealer is dealt first"
    assert Tile("FJa") in state.racks[2], "the rest keeps its order"
    everything = [state.indicator, *state.stock, *(tile for rack in state.racks for tile in rack)]
    assert sorted(everything) == sorted(ALL_TILES)


def test_ok_2_a_face_names_either_copy_and_a_view_no_copy() -> None:
    state, _ = do(at("R7b K1a"), Discard("R7"))
    assert state.piles[0][-1] == Tile("R7b")
    assert state.view(1).discards[0] == "R7"
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.actions, '{"do":"discard","tile":"R14a"}')


def test_ok_3_the_okey_follows_the_indicator() -> None:
    assert dealt(first="Y5a").okey == "Y6"
    assert dealt(first="R13a").okey == "R1"


def test_ok_4_a_false_okey_is_a_plain_tile() -> None:
    state, _ = do(at(f"{OPENING} Y5b FJa Y7a"), CALL, Open((("Y5", "FJ", "Y7"),), "melds"))
    assert faces(state) == "Y5 FJ Y7"
    assert refusal(at(f"{OPENING} FJa R1a R2b"), replace(CALL, melds=(*CALL.melds, ("R1", "R2", "FJ")))) == No.BAD_MELD
    state, events = do(at("FJa K1a"), Discard("FJ"))
    assert events == (Discarded(0, "FJ"),)


def test_ok_5_an_okey_for_its_own_face_is_taken_by_a_false_okey_only() -> None:
    state = at("Y6b FJa K1a", *TABLE, "0 run Y5b Y6a=Y6 Y7a")
    assert refusal(state, Swap("Y6b", 2)) == No.NO_FIT
    state, _ = do(state, Swap("FJ", 2))
    assert faces(state) == "Y5 FJ Y7"


def test_ok_6_the_indicator_never_enters_play() -> None:
    assert refusal(at("Y5b K1a"), Discard("Y5a")) == Common.NOT_HELD


def test_ok_9_two_or_three_play_alone() -> None:
    for seats, stock in ((2, 62), (3, 41), (4, 20)):
        state = dealt(seats, rules=replace(MOKALI, partnered=True))
        assert len(state.stock) == stock
        assert state.partnered == (seats == 4)


def test_ok_10_the_dealer_moves_right_each_hand_that_counts() -> None:
    match = Match(GAME, replace(MOKALI, hands=3), 4, 5)
    dealers = [step.after.view(None).dealer for step in match.steps() if isinstance(step.action, Deal)]
    assert [(dealer - dealers[0]) % 4 for dealer in dealers] == [0, 1, 2]


# --- turns ---


def test_ok_11_draw_then_play_then_the_next_seat() -> None:
    state = at("R1a", step="draw", piles={3: "K1a"})
    assert refusal(state, Discard("R1")) == refusal(state, CALL) == refusal(state, Undo()) == Common.WRONG_PHASE
    state, _ = do(state, Draw("stock"))
    assert (state.phase, state.turn) == ("play", 0)
    state, _ = do(state, Discard("R1"))
    assert (state.phase, state.turn) == ("draw", 1)


def test_ok_12_the_dealer_does_not_draw_and_may_open() -> None:
    state = at(OPENING, dealer=0)
    assert refusal(state, Draw("stock")) == Common.WRONG_PHASE
    assert do(state, CALL)[1] == (Opened(0, 101),)


def test_ok_12_the_dealer_may_show_and_finish_in_the_first_turn() -> None:
    rack = f"{OPENING} R1a R2a R3a R4a R5a R6a R7a R8a R9a B1a B2a B3a Y5b"
    state = at(rack, dealer=0, opened={}, first_turn_done=(False,) * 4)
    long = tuple(f"R{number}" for number in range(1, 14))
    state, events = do(state, Show(), Open((CALL.melds[0], long, ("B1", "B2", "B3")), "melds"), Discard("Y5"))
    assert events[-1] == HandEnded((-303, 404, 404, 404), "finish")


def test_ok_13_one_draw_a_turn() -> None:
    state, events = do(at("R1a", step="draw"), Draw("stock"))
    assert events == (StockDrawn(0, len(state.stock)),)
    assert refusal(state, Draw("stock")) == Common.WRONG_PHASE


def test_ok_14_the_turn_runs_to_the_right_of_three_as_well() -> None:
    state = at("R1a", seat=2, seats=3)
    assert do(state, Discard("R1"))[0].turn == 0


# --- opening ---


def test_ok_19_a_twelve_a_thirteen_and_an_okey_count_36() -> None:
    state, events = do(
        at("B12a B13a Y6a K9a K10a K11a K12a K13a R4a B4a Y4a"),
        Open((("B12", "B13", "Y6"), ("K9", "K10", "K11", "K12", "K13"), ("R4", "B4", "Y4")), "melds"),
    )
    assert events == (Opened(0, 36 + 55 + 12),)
    assert faces(state, 0) == "*=B11 B12 B13"


@pytest.mark.parametrize(
    ("run", "lies"),
    [
        ("B1 B2 B3", True),
        ("B11 B12 B13", True),
        ("B3 B2 B1", True),
        ("B12 B13 B1", False),
        ("B13 B1 B2", False),
        ("B1 B2", False),
        ("B1 B2 R3", False),
        ("B1 B2 B11", False),
        ("B12 Y6 B1", False),
        ("B13 Y6 B2", False),
    ],
)
def test_ok_15_a_run_is_one_colour_in_a_row_and_nothing_wraps(run: str, lies: bool) -> None:
    state = at("B1a B2a B3a B11a B12a B13a R3a Y6a K1a", *TABLE)
    call = Open((tuple(run.split()),), "melds")
    if lies:
        assert state.racks[0] != do(state, call)[0].racks[0]
    else:
        assert refusal(state, call) == No.BAD_MELD


def test_ok_22_a_meld_counts_its_numbers_and_a_one_is_one() -> None:
    for more, value in (("B1 B2 B3", 6), ("R1 Y1 K1", 3), ("B12 B13 Y6", 36), ("R4 Y4 Y6", 12), ("Y4 FJ Y5", 15)):
        held = " ".join(f"{face}b" if face == "Y5" else f"{face}a" for face in more.split())
        _state, events = do(at(f"{OPENING} {held}"), replace(CALL, melds=(*CALL.melds, tuple(more.split()))))
        assert events == (Opened(0, 101 + value),)


def test_ok_16_and_ok_17_what_is_no_group_or_pair_is_refused() -> None:
    state = at("R7a R7b Y7a Y6a Y6b")
    assert refusal(state, Open((("R7", "R7", "Y7"),), "melds")) == No.BAD_MELD
    assert refusal(state, pairs("Y6 Y6")) == No.BAD_PAIR


def test_ok_18_and_ok_21_two_okeys_and_a_tile_must_say_what_they_are() -> None:
    state = at(f"{OPENING} R5a Y6a Y6b")
    assert refusal(state, replace(CALL, melds=(*CALL.melds, ("R5", "Y6", "Y6")))) == No.AS_NEEDED
    for kind, value in (("run", 18), ("group", 15)):
        call = replace(CALL, melds=(*CALL.melds, As(kind, ("R5", "Y6", "Y6"))))  # type: ignore[arg-type]
        assert do(state, call)[1] == (Opened(0, 101 + value),)


def test_ok_20_the_fourth_tile_decides_an_okey() -> None:
    state = at("B7a K7a K1a", *TABLE, "0 group R7a Y7a Y6a=7")
    assert refusal(state, Swap("B7", 2)) == No.NOT_TAKEABLE
    state, _ = do(state, Lay(("B7",), 2))
    assert faces(state) == "R7 Y7 *=K7 B7"
    assert faces(do(state, Swap("K7", 2))[0]) == "R7 Y7 K7 B7"


def test_ok_23_laying_off_moves_no_okey() -> None:
    state, _ = do(at("B9a B13a K1a", *TABLE, "0 run B10a B11a Y6a=B12"), Lay(("B9", "B13"), 2))
    assert faces(state) == "B9 B10 B11 *=B12 B13"


def test_ok_24_a_run_of_thirteen_is_full() -> None:
    row = " ".join(f"B{number}a" for number in range(1, 14))
    assert refusal(at("Y6a K1a", *TABLE, f"0 run {row}"), Lay(("Y6",), 2, shapes.End.HIGH)) == No.MELD_FULL
    six = Open((("R1", "R2", "R3", "R4", "R5", "R6"),), "melds")
    assert refusal(at("R1a R2a R3a R4a R5a R6a", rules=MEY), six) == No.MELD_FULL


def test_ok_25_an_opening_lies_whole_or_not_at_all() -> None:
    state = at(f"{OPENING} B1a B2a")
    assert refusal(state, replace(CALL, melds=(*CALL.melds, ("B1", "B2", "B3")))) == Common.NOT_HELD
    assert refusal(state, replace(CALL, melds=(*CALL.melds, ("B1", "B2", "R10a")))) == Common.NOT_HELD
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.actions, '{"do":"open","kind":"melds","melds":[]}')


def test_ok_26_exactly_the_threshold_is_enough() -> None:
    assert do(at(OPENING), CALL)[0].opening[0] == 101
    assert refusal(at(OPENING), replace(CALL, melds=(CALL.melds[0], ("R11", "R12", "R13")))) == No.BELOW_BAR


def test_ok_26_five_pairs_open_and_more_are_allowed() -> None:
    six = "R1a R1b R2a R2b R3a R3b R4a R4b R5a R5b R7a R7b"
    assert refusal(at(six), pairs("R1 R1 R2 R2 R3 R3 R4 R4")) == No.TOO_FEW_PAIRS
    state, _ = do(at(six), pairs("R1 R1 R2 R2 R3 R3 R4 R4 R5 R5 R7 R7"))
    assert (state.opened[0], state.opening[0]) == ("pairs", 6)


def test_ok_27_a_rising_threshold_must_be_exceeded() -> None:
    rising = replace(MOKALI, rising_threshold=True)
    more = replace(CALL, melds=(*CALL.melds, ("B1", "B2", "B3")))
    for highest, bar in ((101, 102), (106, 107), (107, 108)):
        opening = (None, highest, None, None)
        state = at(f"{OPENING} B1a B2a B3a", "1 run B5a B6a B7a", rules=rising, opened={1: "melds"}, opening=opening)
        assert state.bar(0, "melds") == bar
        assert refusal(state, CALL) == No.BELOW_BAR
        if bar <= 107:
            assert do(state, more)[0].opening[0] == 107
        else:
            assert refusal(state, more) == No.BELOW_BAR


def test_ok_27_an_undone_opening_leaves_the_ladder() -> None:
    rising = replace(MOKALI, rising_threshold=True)
    state, _ = do(at(OPENING, rules=rising), CALL)
    assert state.bar(1, "melds") == 102
    assert do(state, Undo())[0].bar(1, "melds") == 101


def test_ok_27_a_partners_opening_does_not_count() -> None:
    rules = replace(MOKALI, rising_threshold=True, partnered=True)
    state = at(OPENING, "2 run B5a B6a B7a", rules=rules, opened={2: "melds"}, opening=(None, None, 120, None))
    assert state.bar(0, "melds") == 101


def test_ok_28_an_open_seat_lays_more_at_once() -> None:
    state, _ = do(at(f"{OPENING} B1a B2a B3a"), CALL)
    more = Open((("B1", "B2", "B3"),), "melds")
    assert faces(do(state, more)[0]) == "B1 B2 B3"
    late = replace(MOKALI, new_melds_same_turn=False)
    assert refusal(do(at(f"{OPENING} B1a B2a B3a", rules=late), CALL)[0], more) == No.KIND_CLOSED


def test_ok_29_a_melds_opener_lays_no_pairs() -> None:
    table = (*TABLE, "1 pair B1a B1b")
    both = {0: "melds", 1: "pairs"}
    assert refusal(at("R2a R2b K1a K1b", *table, opened=both), pairs("R2 R2")) == No.KIND_CLOSED
    own, _ = do(at("R2a R2b K1a K1b", *table, opened=both, rules=MEY), pairs("R2 R2"))
    area, _ = do(at("R2a R2b K1a K1b", *table, opened=both, rules=OKEYLO), pairs("R2 R2"))
    assert (own.melds[-1].owner, area.melds[-1].owner) == (0, 1)
    assert area.opened[0] == "melds"


def test_ok_30_a_pairs_opener_lays_pairs_but_no_melds() -> None:
    state = at("R1a R2a R3a K2a K2b", "0 pair B1a B1b", opened={0: "pairs"})
    assert refusal(state, Open((("R1", "R2", "R3"),), "melds")) == No.KIND_CLOSED
    assert faces(do(state, pairs("K2 K2"))[0]) == "K2 K2"
    table = ("0 pair B1a B1b", "1 run R4a R5a R6a")
    assert do(at("R3a K2a", *table, opened={0: "pairs", 1: "melds"}), Lay(("R3",), 1))[0].racks[0] == tiles("K2a")


def test_ok_31_one_tile_stays() -> None:
    assert refusal(at("B1a B2a B3a", *TABLE), Open((("B1", "B2", "B3"),), "melds")) == No.KEEP_ONE
    assert refusal(at("K8a R9a", *TABLE), Lay(("K8", "R9"), 0)) == No.NO_FIT
    assert refusal(at("K8a K7a", *TABLE), Lay(("K7", "K8"), 0)) == No.KEEP_ONE


def test_ok_32_opening_opens_only_the_seat() -> None:
    state = at("K8a", *TABLE, seat=2, rules=replace(MOKALI, partnered=True))
    assert refusal(state, Lay(("K8",), 0)) == No.NOT_OPENED


# --- the side tile ---


def test_ok_34_only_the_left_neighbours_latest_discard_is_taken() -> None:
    state = at("R1a", step="draw", piles={3: "K1a K2a", 1: "B9a"})
    state, _ = do(state, Draw("side"))
    assert Tile("K2a") in state.racks[0]
    assert refusal(at("R1a", step="draw"), Draw("side")) == No.SIDE_CLOSED


def test_ok_35_a_side_tile_must_be_inside_the_opening() -> None:
    state, _ = do(at(f"{OPENING} B1a", step="draw", piles={3: "R9a"}), Draw("side"))
    assert refusal(state, CALL) == refusal(state, Discard("B1")) == No.SIDE_UNUSED
    longer = replace(CALL, melds=(CALL.melds[0], ("R9", *CALL.melds[1])))  # type: ignore[misc]
    state, _ = do(state, longer, Discard("B1"))
    assert state.turn == 1


def test_ok_35_an_open_seat_may_lay_it_off_or_swap_it() -> None:
    table = (*TABLE, "0 run B5a Y6a=B6 B7a")
    for side, action in (("B8a", Lay(("B8",), 2)), ("B6a", Swap("B6", 2))):
        state, _ = do(at("K1a K2a", *table, step="draw", piles={3: side}), Draw("side"))
        assert refusal(state, Discard("K1")) == No.SIDE_UNUSED
        assert do(state, action, Discard("K1"))[0].turn == 1


def test_ok_36_the_twin_will_do() -> None:
    rack = "K9a K10a K11a K12a K13a R10a R11a R12a R13a B1a"
    state, _ = do(at(rack, step="draw", piles={3: "R10b"}), Draw("side"), CALL, Discard("R10b"))
    assert state.turn == 1


def test_ok_37_undo_brings_the_duty_back() -> None:
    state, _ = do(at("K1a", *TABLE, step="draw", piles={3: "K8a"}), Draw("side"), Lay(("K8",), 0), Undo())
    assert state.duty
    assert refusal(state, Discard("K1")) == No.SIDE_UNUSED


def test_ok_38_put_back_rolls_back_and_closes_the_side() -> None:
    start = at("K8a K1a B2a", *TABLE, step="draw", piles={3: "B9a"})
    state, _ = do(start, Draw("side"), Lay(("K8",), 0), Return())
    assert codec.encode(replace(state, closed=False)) == codec.encode(start)
    assert refusal(state, Draw("side")) == No.SIDE_CLOSED
    assert refusal(do(state, Draw("stock"))[0], Return()) == No.NO_SIDE_TILE
    opened, _ = do(at(f"{OPENING} B1a", step="draw", piles={3: "K13b"}), Draw("side"), CALL)
    assert refusal(opened, Return()) == No.MELD_ON_TABLE


def test_ok_39_an_open_seat_takes_only_what_it_can_use() -> None:
    for rack, legal in (("R10b K3a", False), ("R10b R11b K3a", True), ("R10b R11b", False)):
        state = at(rack, "0 run B1a B2a B3a", step="draw", piles={3: "R9a"}, rules=OKEYLO)
        assert state.view(0).legal.side == legal  # type: ignore[union-attr]
        if not legal:
            assert refusal(state, Draw("side")) == No.SIDE_UNUSABLE
    assert at("K3a", *TABLE, step="draw", piles={3: "R9a"}, rules=OKEYLO).view(0).legal.side  # type: ignore[union-attr]


# --- laying off and taking okeys ---


def test_ok_40_anybodys_melds_in_the_turn_of_opening_and_never_pairs() -> None:
    table = ("1 run B5a B6a B7a", "2 pair R1a R1b")
    state = at(f"{OPENING} B8a", *table, opened={1: "melds", 2: "pairs"})
    assert refusal(state, Lay(("B8",), 0)) == No.NOT_OPENED
    state, _ = do(state, CALL, Lay(("B8",), 0))
    assert faces(state, 0) == "B5 B6 B7 B8"
    assert refusal(state, Lay((str(state.racks[0][0]),), 1)) == refusal(state, Lay((str(state.racks[0][0]),), -1))
    assert refusal(state, Lay((str(state.racks[0][0]),), 1)) == No.BAD_TARGET


def test_ok_41_a_group_of_four_takes_nothing() -> None:
    state = at("K7a R7b Y6a", *TABLE, "0 group R7a Y7a B7a")
    assert refusal(state, Lay(("R7",), 2)) == No.NO_FIT
    state, _ = do(state, Lay(("K7",), 2))
    assert refusal(state, Lay(("Y6",), 2)) == No.MELD_FULL


def test_ok_42_an_okey_needs_an_end_where_both_are_free() -> None:
    state = at("Y6a K1a", *TABLE, "0 run B5a B6a B7a")
    assert refusal(state, Lay(("Y6",), 2)) == No.END_NEEDED
    assert faces(do(state, Lay(("Y6",), 2, shapes.End.LOW))[0]) == "*=B4 B5 B6 B7"
    assert faces(do(state, Lay(("Y6",), 0))[0], 0) == "*=K8 K9 K10 K11 K12 K13"


def test_ok_43_several_tiles_find_their_order() -> None:
    state, _ = do(at("B9a B8a B4a K1a", *TABLE, "0 run B5a B6a B7a"), Lay(("B9", "B4", "B8"), 2))
    assert faces(state) == "B4 B5 B6 B7 B8 B9"
    capped = at("B9a B8a B4a K1a", *TABLE, "0 run B5a B6a B7a", rules=MEY)
    assert refusal(capped, Lay(("B9", "B4", "B8"), 2)) == No.TOO_MANY


def test_ok_44_a_pairs_opener_takes_an_okey_too() -> None:
    table = ("0 pair B1a B1b", "1 run K10a Y6a=K11 K12a")
    state, _ = do(at("K11a K1a", *table, opened={0: "pairs", 1: "melds"}), Swap("K11", 1))
    assert Tile("Y6a") in state.racks[0]
    assert faces(state, 1) == "K10 K11 K12"


def test_ok_45_from_a_group_of_three_or_a_pair_never() -> None:
    table = (*TABLE, "0 group R7a Y7a Y6a=7", "1 pair B9a Y6b=B9")
    state = at("B7a B9b K1a", *table, opened={0: "melds", 1: "pairs"})
    assert refusal(state, Swap("B7", 2)) == refusal(state, Swap("B9", 3)) == No.NOT_TAKEABLE
    assert refusal(state, Swap("K1", 2)) == No.NO_FIT
    two = at("B7a K7a K1a", *TABLE, "0 group R7a Y7a Y6a=7 Y6b=7")
    assert faces(do(two, Swap("B7", 2))[0]) == "R7 Y7 B7 *=K7"
    assert faces(do(two, Swap("B7", 2), Swap("K7", 2))[0]) == "R7 Y7 B7 K7"


# --- taking back ---


def test_ok_46_undo_takes_back_one_move_after_the_other() -> None:
    start = at(f"{OPENING} B8a", "1 run B5a Y6a=B6 B7a", opened={1: "melds"})
    state, _ = do(start, CALL, Lay(("B8",), 0), Undo(), Undo())
    assert codec.encode(state) == codec.encode(start)
    assert refusal(state, Undo()) == No.NOTHING_TO_UNDO


def test_ok_47_taking_back_is_free() -> None:
    state = at("K8a R9a K1a", *TABLE)
    back = (Lay(("K8",), 0), Lay(("R9",), 1), Undo(), Undo())
    assert do(state, *back)[0].view(None).penalties == (0, 0, 0, 0)
    assert do(replace(state, rules=STANDART), *back)[0].view(None).penalties == (101, 0, 0, 0)


# --- penalties and rewards ---


def test_ok_48_a_discarded_okey_costs() -> None:
    state, events = do(at("Y6a K1a"), Discard("Y6"))
    assert events == (Discarded(0, "Y6"), Penalised(0, 101, "okey"))
    assert state.view(None).penalties == (101, 0, 0, 0)


@pytest.mark.parametrize(
    ("tile", "cost"),
    [("B3a", 101), ("B7a", 101), ("B9a", 101), ("K11b", 101), ("K9b", 101), ("R2b", 0), ("B8a", 0), ("FJa", 0)],
)
def test_ok_49_a_playable_discard_costs(tile: str, cost: int) -> None:
    table = ("1 run B4a B5a B6a", "1 group R9a Y9a K9a", "1 run K10a Y6a=K11 K12a", "2 pair R2a Y6b=R2")
    state = at(tile, *table, opened={1: "melds", 2: "pairs"}, others={1: "Y1a", 2: "Y1b"})
    assert (Tile(tile) in {each.tile for each in state.view(0).legal.costs}) == bool(cost)  # type: ignore[union-attr]
    assert do(state, Discard(tile))[0].view(None).penalties == (cost, 0, 0, 0)
    free = replace(state, rules=OKEYLO)
    assert do(free, Discard(tile))[0].view(None).penalties == (0, 0, 0, 0)


def test_ok_49_the_own_melds_count_and_full_ones_do_not() -> None:
    state = at("K8a R7b Y1a", *TABLE, "0 group R7a Y7a B7a K7a")
    assert state.costs(tiles("K8a R7b Y1a")) == (Fine("playable", 101), None, None)


def test_ok_49_pairs_never_count() -> None:
    rules = replace(MOKALI, swap_from_pair=True)
    state = at("R2b K1a", *TABLE, "1 pair R2a Y6b=R2", opened={0: "melds", 1: "pairs"}, rules=rules)
    assert do(state, Swap("R2", 2))[0].racks[0] == tiles("Y6b K1a")
    assert state.costs(tiles("R2b")) == (None,)


def test_ok_50_the_twin_is_shown_once_in_the_own_first_turn() -> None:
    state = at("Y5b K1a", first_turn_done=(False,) * 4)
    assert refusal(at("K1a", first_turn_done=(False,) * 4), Show()) == No.NO_INDICATOR
    assert refusal(at("Y5b K1a"), Show()) == No.TOO_LATE
    state, events = do(state, Show())
    assert events == (IndicatorShown(0, "Y5", -101),)
    assert refusal(state, Show()) == No.ALREADY_SHOWN
    assert state.view(3).known[0] == ("Y5",)
    assert refusal(replace(state, rules=MEY), Show()) == No.NOT_IN_RULES


def test_ok_50_a_tile_from_the_side_does_not_qualify() -> None:
    state = at("K1a", step="draw", piles={3: "Y5b"}, first_turn_done=(False,) * 4)
    assert refusal(do(state, Draw("side"))[0], Show()) == No.NO_INDICATOR


def test_ok_51_a_failed_opening_costs_where_the_rules_say_so() -> None:
    short = Open((("K9", "K10", "K11"),), "melds")
    assert refusal(at(OPENING), short) == No.BELOW_BAR
    state, events = do(at(OPENING, rules=STANDART), short)
    assert events == (OpeningFailed(0, 30, 101, 101),)
    assert (state.melds, state.turn) == ((), 0)


def test_ok_38_and_ok_47_to_ok_51_penalties_keep_their_reason() -> None:
    table = (*TABLE, "0 run B5a B6a B7a")
    state = at("B8a B9a Y6a K1a", *table, rules=STANDART, penalties=(101, -101, 0, 0))
    assert state.fines == ((Fine("before", 101),), (), (), ())
    state, events = do(state, Lay(("B8", "B9"), 2), Undo())
    assert events[-1] == Penalised(0, 101, "undo")
    state, events = do(state, Discard("B8"))
    assert events[-1] == Penalised(0, 101, "playable")
    assert [fine.why for fine in state.view(2).fines[0]] == ["before", "undo", "playable"]
    assert state.view(2).penalties == (303, -101, 0, 0)
    failed, _ = do(at(OPENING, rules=STANDART), Open((("K9", "K10", "K11"),), "melds"))
    assert failed.fines[0] == (Fine("failed", 101),)
    costly = replace(MOKALI, put_back_penalty=101)
    back, events = do(at("K1a", *TABLE, step="draw", piles={3: "B9a"}, rules=costly), Draw("side"), Return())
    assert back.fines[0] == (Fine("put_back", 101),)
    assert events[-1] == Penalised(0, 101, "put_back")


def test_ok_53_what_costs_is_said_before() -> None:
    legal = at("Y6a K8a B1a", *TABLE).view(0).legal
    assert legal is not None
    assert [cost.tile for cost in legal.costs] == list(tiles("Y6a K8a"))
    assert [cost.fine for cost in legal.costs] == [Fine("okey", 101), Fine("playable", 101)]


def test_ok_52_every_offence_counts_again() -> None:
    state, _ = do(at("Y6a K1a", penalties=(101, 0, 0, 0)), Discard("Y6"))
    assert state.view(None).penalties[0] == 202


# --- the end of a hand ---


def test_ok_54_and_ok_64_who_discards_the_last_tile_finishes() -> None:
    state, events = do(at("B1a", *TABLE, others={1: "R5a K3a"}, opened={0: "melds", 1: "melds"}), Discard("B1"))
    assert events[-1] == HandEnded((-101, 8, 202, 202), "finish")
    assert state.phase == "hand_over"


def test_ok_55_the_last_tile_of_the_stock_ends_the_hand() -> None:
    state = at("R1a", step="draw", stock="K1a", piles={})
    state, events = do(state, Draw("stock"), Discard("K1"))
    assert events[-1] == HandEnded((0, 0, 0, 0), "stock")


def test_ok_56_the_last_discard_may_cost() -> None:
    _state, events = do(at("Y6a K2a", step="draw", stock="K1a"), Draw("stock"), Discard("Y6"))
    assert events[-1] == HandEnded((101, 0, 0, 0), "stock")


def test_ok_57_and_ok_58_four_pairs_openers_play_on() -> None:
    table = tuple(f"{seat} pair {colour}1a {colour}1b" for seat, colour in enumerate("RYBK"))
    opened = dict.fromkeys(range(4), "pairs")
    state = at("R3a R4a", *table, opened=opened, penalties=(0, 101, 0, 0))
    assert do(state, Discard("R3"))[0].turn == 1
    state, events = do(replace(state, rules=STANDART), Discard("R3"))
    assert events[-1] == HandEnded((0, 0, 0, 0), "cancelled")
    assert (state.hand, state.view(None).penalties, state.history) == (1, (0, 0, 0, 0), ())


def test_ok_59_reasons_have_words() -> None:
    assert set(GAME.texts.reasons) == {"finish", "stock", "cancelled"}


def test_ok_60_what_a_rack_counts() -> None:
    rack = tiles("R5a K10a Y6a FJa")
    assert rack_value(rack, "Y6", MOKALI) == 5 + 10 + 101 + 6
    assert rack_value(rack, "Y6", replace(MOKALI, okey_in_rack="face")) == 5 + 10 + 6 + 6


def test_ok_61_an_unopened_seat_pays_202_whatever_it_holds() -> None:
    for low in ("R1a R1b Y1a Y1b K1a", "Y6a Y6b R9a"):
        _state, events = do(at("B1a", *TABLE, others={1: low}), Discard("B1"))
        assert events[-1] == HandEnded((-101, 202, 202, 202), "finish")


def test_ok_33_from_hand_the_bar_is_waived_where_the_rules_say_so() -> None:
    low = "R1a R2a R3a Y1a Y2a Y3a B1a B2a B3a K1a K2a K3a R4a Y4a B4a R7a Y7a B7a R9a Y9a B9a K11a"
    call = Open(tuple(tuple(low.split()[place : place + 3]) for place in range(0, 21, 3)), "melds")
    assert refusal(at(low), call) == No.BELOW_BAR
    state, _ = do(at(low, rules=MEY), call)
    assert refusal(state, Lay(("K11",), 0)) == refusal(state, Swap("K11", 0)) == No.WAIVED
    assert do(state, Discard("K11"))[1][-1] == HandEnded((-202, 404, 404, 404), "finish")


FINISHES = {
    "normal": Finish(0, False, False, False),
    "okey": Finish(0, True, False, False),
    "pairs": Finish(0, False, True, False),
    "okey + pairs": Finish(0, True, True, False),
    "from hand": Finish(0, False, False, True),
    "from hand + okey": Finish(0, True, False, True),
    "all three": Finish(0, True, True, True),
}
"""How a hand can be finished (OK-62)."""
WORKED = [
    ("normal", "mokali", (-101, 116, 19, 202)),
    ("normal", "mey", (-101, 116, 38, 202)),
    ("normal", "standart", (-101, 116, 38, 202)),
    ("okey", "okeylo_51", (-202, 232, 38, 404)),
    ("okey", "mey_katlamali", (-202, 232, 76, 404)),
    ("okey", "standart", (-202, 232, 76, 404)),
    ("pairs", "mokali", (-202, 232, 38, 404)),
    ("pairs", "mey", (-101, 116, 38, 202)),
    ("pairs", "standart", (-202, 232, 76, 404)),
    ("okey + pairs", "mokali", (-404, 464, 76, 808)),
    ("okey + pairs", "mey", (-202, 232, 76, 404)),
    ("okey + pairs", "standart", (-404, 464, 152, 808)),
    ("from hand", "okeylo_101", (-202, 232, 38, 404)),
    ("from hand", "mey", (-202, 232, 76, 404)),
    ("from hand + okey", "mokali", (-404, 464, 76, 808)),
    ("from hand + okey", "mey", (-404, 464, 152, 808)),
    ("all three", "mokali", (-808, 928, 152, 1616)),
]


@pytest.mark.parametrize(("how", "ruleset", "scores"), WORKED, ids=lambda value: str(value))
def test_ok_61_to_ok_65_the_worked_examples(how: str, ruleset: str, scores: Sequence[int]) -> None:
    """One position under every ruleset (RULES, 3.16)."""
    racks = ((), tiles("R5a K10a Y6a"), tiles("B13a FJa"), tiles("R1a"))
    hand = HandIn("Y6", racks, ("melds", "melds", "pairs", None), ((),) * 4, (0,) * 4, FINISHES[how])
    assert tuple(tally.total for tally in tallies(hand, RULESETS[ruleset])) == scores


def test_ok_75_the_reward_table() -> None:
    rewards = {how: reward(finish, STANDART) for how, finish in FINISHES.items() if how != "all three"}
    assert [points for points, _ in rewards.values()] == [-101, -202, -202, -404, -404, -808]
    assert not any(by for _, by in rewards.values())
    assert [product(factors(FINISHES[how], STANDART)) for how in rewards] == [1, 2, 2, 4, 2, 4]


@pytest.mark.parametrize(
    ("ruleset", "scores"),
    [("mokali", (12, 116, 19, 202)), ("mey", (12, 116, 38, 202)), ("standart", (12, 116, 19, 202))],
)
def test_ok_65_an_empty_stock_multiplies_nothing(ruleset: str, scores: Sequence[int]) -> None:
    racks = (tiles("R12a"), tiles("R5a K10a Y6a"), tiles("B13a FJa"), tiles("R1a"))
    hand = HandIn("Y6", racks, ("melds", "melds", "pairs", None), ((),) * 4, (0,) * 4, None)
    assert tuple(tally.total for tally in tallies(hand, RULESETS[ruleset])) == scores
    nobody = replace(hand, opened=(None,) * 4)
    pays = 0 if ruleset == "mokali" else 202
    assert tuple(tally.total for tally in tallies(nobody, RULESETS[ruleset])) == (pays,) * 4


def test_ok_62_from_hand_is_the_turn_of_opening() -> None:
    state = at(f"{OPENING} R1a R2a R3a R4a R5a R6a R7a R8a R9a B1a B2a B3a B4a", opened={})
    long = tuple(f"R{number}" for number in range(1, 14))
    call = Open((CALL.melds[0], long, ("B1", "B2", "B3")), "melds")
    state, events = do(state, call, Discard("B4"))
    assert events[-1] == HandEnded((-202, 404, 404, 404), "finish")
    _later, events = do(at("B4a", *TABLE), Discard("B4"))
    assert events[-1] == HandEnded((-101, 202, 202, 202), "finish")


def test_ok_62_some_rules_want_a_single_move_or_nobody_else_open() -> None:
    long = tuple(f"B{number}" for number in range(1, 13))
    rack = f"{OPENING} {' '.join(f'{face}a' for face in long)} Y1a"
    whole, table = replace(CALL, melds=(*CALL.melds, long)), ("1 run Y9a Y10a Y11a",)
    more = Open((long,), "melds")
    for condition, others, calls, doubled in (
        ("single_move", {}, (whole,), True),
        ("single_move", {}, (CALL, more), False),
        ("same_turn_nobody_opened", {}, (CALL, more), True),
        ("same_turn_nobody_opened", {1: "melds"}, (whole,), False),
    ):
        rules = replace(MOKALI, from_hand_condition=condition)
        state = at(rack, *(table if others else ()), rules=rules, opened=others)
        state, events = do(state, *calls, Discard("Y1"))
        assert state.view(None).scores is not None
        assert state.history[-1][0] == (-202 if doubled else -101), (condition, others, calls)
        assert events[-1] == HandEnded(state.history[-1], "finish")


def test_ok_63_an_okey_doubles() -> None:
    _state, events = do(at("Y6a", *TABLE), Discard("Y6"))
    assert events[-1] == HandEnded((-202, 404, 404, 404), "finish")


def test_ok_66_the_rule_page_lists_the_endings_that_can_be() -> None:
    def listed(rules: OkeyRules) -> dict[str, tuple[int | None, ...]]:
        endings = GAME.texts.figures(rules)["endings"]
        return {line.name: (line.finisher, line.unopened, line.melds, line.pairs) for line in endings}

    rare = {"Elden, çiftten", "Elden, çiftten, okeyle"}
    assert listed(MOKALI)["Düz"] == (-101, 202, 35, 35)
    assert listed(MOKALI)["Elden, çiftten, okeyle"] == (-808, 1616, 280, 280)
    assert listed(MEY)["Elden"] == (-202, 404, 70, 140)
    assert listed(STANDART)["Elden, okeyle"] == (-808, 808, None, None)
    assert listed(STANDART)["Deste biterse"] == (None, 202, 35, 35)
    assert set(listed(MOKALI)) - set(listed(MEY)) == set(listed(MOKALI)) - set(listed(STANDART)) == rare
    without = set(listed(replace(MOKALI, pairs_opener_layoff=False)))
    assert without == {"Düz", "Okeyle", "Elden", "Elden, okeyle", "Deste biterse"}


def test_ok_66_a_pairs_opener_finishes_with_an_odd_lay_off() -> None:
    table = ("0 pair B1a B1b", "1 run R4a R5a R6a")
    state = at("R7a Y6a", *table, opened={0: "pairs", 1: "melds"}, others={1: "K1a"})
    state, events = do(state, Lay(("R7",), 1), Discard("Y6"))
    assert events[-1] == HandEnded((-404, 4, 808, 808), "finish")


def test_ok_67_flat_items_are_added_and_not_multiplied() -> None:
    _state, events = do(at("Y6a", *TABLE, penalties=(101, 101, -101, 0)), Discard("Y6"))
    assert events[-1] == HandEnded((-101, 505, 303, 404), "finish")


# --- the match ---


def test_ok_68_the_lowest_total_wins_and_ties_share() -> None:
    state, _ = do(at("B1a", *TABLE, rules=replace(MOKALI, hands=1), totals=(303, 0, 0, 300)), Discard("B1"))
    assert state.phase == "over"
    assert state.view(None).totals == (202, 202, 202, 502)
    assert state.view(None).winners == (0, 1, 2)
    assert state.result is not None
    assert state.result.places == (1, 1, 1, 2)


def test_ok_69_and_ok_71_teams_add_up() -> None:
    rules = replace(MOKALI, hands=1, partnered=True)
    state, _ = do(at("B1a", *TABLE, rules=rules), Discard("B1"))
    assert state.view(None).scores == (-101, 202, 0, 202)
    assert state.view(None).winners == (0, 2)
    tied, _ = do(at("B1a", *TABLE, rules=rules, totals=(505, 0, 0, 0)), Discard("B1"))
    assert tied.view(None).winners == ()
    assert tied.result is not None
    assert tied.result.places == (1, 1, 1, 1)


@pytest.mark.parametrize(("waiver", "score"), [("positive_only", -101), ("literal_zero", 0), ("base_only", 0)])
def test_ok_70_the_finishers_partner_is_waived(waiver: Any, score: int) -> None:
    rules = replace(MOKALI, partnered=True, partner_waiver=waiver)
    state = at("B1a", *TABLE, rules=rules)
    state = replace(state, fines=((), (), (Fine("okey", 101),), ()), rewards=(0, 0, -101, 0))
    assert do(state, Discard("B1"))[0].view(None).scores == (-101, 202, score, 202)


def test_ok_77_the_duty_comes_first_and_a_finish_costs_nothing() -> None:
    state, _ = do(at("K8b", *TABLE, "1 run B4a B5a B6a", opened={0: "melds", 1: "melds"}), Discard("K8"))
    assert state.view(None).penalties == (0, 0, 0, 0)


# --- the house plays (AB-8) ---


def test_ab_8_an_unmet_side_tile_goes_back_free_of_charge() -> None:
    rules = replace(STANDART, put_back_penalty=101)
    start = at("K7a K8a B2a", *TABLE, step="draw", piles={3: "B9a"}, rules=rules)
    state, _ = do(start, Draw("side"), Lay(("K8", "K7"), 0), Idle())
    assert state.turn == 1
    assert state.piles[3] == tiles("B9a")
    assert state.view(None).penalties == (0, 0, 0, 0)
    assert Tile("K8a") in state.racks[0]


def test_ab_8_only_playable_tiles_and_an_okey_cost_nothing() -> None:
    state = at("K8b R9b Y6a", *TABLE)
    state, events = do(state, Idle())
    assert events == (Discarded(0, "R9"),)
    assert state.view(None).penalties == (0, 0, 0, 0)


def test_ab_8_nobody_can_send_it() -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.actions, codec.encode(Idle()))


def test_ab_8_a_record_holds_what_the_house_played() -> None:
    match = Match(GAME, replace(MOKALI, hands=1), 4, 8)
    for _ in match.steps(12):
        pass
    while match.state.turn is not None:
        match.log.append((match.state.turn, match.state.idle(match.state.turn)))
        match.state, _ = match.state.play(*match.log[-1])
    played = record.replay(record.read(match.text()), GAME, Random(0))
    assert played.failures == ()
    assert played.state == match.state


# --- positions ---


@pytest.mark.parametrize(
    "change",
    [
        {"indicator": "FJa"},
        {"dealer": 4},
        {"racks": [["R1a"], ["R2a"]]},
        {"melds": [{"owner": 0, "kind": "run", "tiles": ["B1a", "B2a", "B4a"]}]},
        {"melds": [{"owner": 0, "kind": "run", "tiles": ["B1a", "Y6a=B3", "B4a"]}]},
        {"drawn": "side"},
        {"hand": 9},
    ],
    ids=str,
)
def test_a_position_that_can_not_be_is_refused(change: dict[str, Any]) -> None:
    free = [tile for tile in ALL_TILES if tile.face not in ("Y5", "Y6", "B1", "B2", "B3", "B4", FALSE_OKEY)]
    racks = [[str(tile) for tile in free[21 * seat : 21 * seat + 21]] for seat in range(4)]
    good = {"dealer": 3, "indicator": "Y5a", "turn": 0, "phase": "draw", "racks": racks}
    record.start(GAME, MOKALI, 4, good)
    with pytest.raises(BadSetup):
        record.start(GAME, MOKALI, 4, {**good, **change})


# --- invariants ---

seeds = st.integers(0, 2**32 - 1)


def _pieces(state: Okey101) -> list[Tile]:
    lying = [tile for laid in state.melds for tile in laid.meld.tiles]
    some = [tile for heap in (*state.racks, *state.piles) for tile in heap]
    return [*lying, *some, *state.stock, *([state.indicator] if state.indicator else [])]


@given(data=st.data())
@settings(max_examples=15)
def test_ok_i1_every_tile_is_exactly_once_somewhere(data: st.DataObject) -> None:
    with data.draw(matches(GAME)) as match:
        for step in match.steps():
            assert isinstance(step.after, Okey101)
            if step.after.indicator is not None:
                assert Counter(_pieces(step.after)) == Counter(ALL_TILES)


@given(data=st.data())
@settings(max_examples=15)
def test_ok_i2_melds_stay_legal_and_okeys_keep_their_meaning(data: st.DataObject) -> None:
    with data.draw(matches(GAME)) as match:
        for step in match.steps():
            state = step.after
            assert isinstance(state, Okey101)
            for laid in state.melds:
                meld = laid.meld
                again = (
                    shapes.pair(meld.tiles, state.okey)
                    if meld.kind == Kind.PAIR
                    else shapes.meld(meld.tiles, state.okey, meld.kind)
                )
                assert again == meld


@given(data=st.data())
@settings(max_examples=15)
def test_ok_i3_every_offered_action_is_accepted_and_there_is_one(data: st.DataObject) -> None:
    with data.draw(matches(GAME)) as match:
        for step in match.steps():
            seat = step.after.turn
            if seat is not None and seat != HOUSE:
                moves = step.after.moves(seat)
                assert moves
                step.after.play(seat, match.rng.choice(moves))
                step.after.play(seat, step.after.idle(seat))


@given(data=st.data())
@settings(max_examples=15)
def test_ok_i4_a_rack_is_21_less_what_lies_on_the_table(data: st.DataObject) -> None:
    with data.draw(matches(GAME)) as match:
        net = [0] * match.seats
        for step in match.steps():
            state, seat = step.after, step.seat
            assert isinstance(step.before, Okey101)
            assert isinstance(state, Okey101)
            if isinstance(step.action, Deal):
                net = [0] * match.seats
            elif seat != HOUSE and not isinstance(step.action, Discard):
                drawn = isinstance(step.action, Draw) - isinstance(step.action, Return)
                lying = len([tile for laid in state.melds for tile in laid.meld.tiles])
                before = len([tile for laid in step.before.melds for tile in laid.meld.tiles])
                net[seat] += lying - before
                assert len(state.racks[seat]) - len(step.before.racks[seat]) == drawn - (lying - before)
            elif isinstance(step.action, Discard):
                assert len(state.racks[seat]) == 21 - net[seat] >= 0


def adds_up(tally: Tally) -> bool:
    """Whether the items of a row, with no rule known, come to its base and its total."""
    base = tally.before
    for factor in tally.factors:
        base *= factor.by
    counted = [0 if tally.waived else tally.base, *(item.points for item in tally.items if not item.waived)]
    return base == tally.base and sum(counted) == tally.total


@pytest.mark.parametrize("ruleset", RULESETS)
def test_ok_i5_scores_follow_from_racks_flags_and_flat_items(ruleset: str) -> None:
    """Rules that are won easily, so that hands end in every way."""
    for seed in range(4):
        rules = replace(RULESETS[ruleset], threshold=34, min_pairs=4)
        kinds = set()
        for step in Match(GAME, rules, 4, seed).steps():
            state = step.after
            assert isinstance(state, Okey101)
            if state.mover is None and state.ended is not None and state.ended.tallies:
                hand = HandIn(state.okey, state.racks, state.opened, state.fines, state.rewards, state.ended.finish)
                assert tallies(hand, state.rules) == state.ended.tallies
                assert tuple(tally.total for tally in state.ended.tallies) == state.ended.scores == state.history[-1]
                assert all(map(adds_up, state.ended.tallies))
                flat = tuple(sum(item.points for item in tally.items) for tally in state.ended.tallies)
                assert flat == state.view(None).penalties
                kinds |= {tally.kind for tally in state.ended.tallies}
        assert kinds & {"rack", "unopened", "nobody"}


@given(
    rules=house_rules(GAME),
    finish=st.sampled_from((*FINISHES.values(), None)),
    opened=st.lists(st.sampled_from(("melds", "pairs", None)), min_size=3, max_size=3),
    fines=st.lists(st.sampled_from([Fine("okey", 101), Fine("playable", 101), Fine("failed", 101)]), max_size=4),
    reward=st.sampled_from((0, -101)),
)
def test_ok_i5_the_items_of_every_score_add_up(
    rules: OkeyRules, finish: Finish | None, opened: Any, fines: list[Fine], reward: int
) -> None:
    racks = tuple(map(tiles, ("K3a", "R5a K10a Y6a", "B13a FJa", "R1a")))
    own: Opening = "melds" if finish is None or not finish.pairs else "pairs"
    hand = HandIn("Y6", racks, (own, *opened), (tuple(fines),) * 4, (reward,) * 4, finish)
    for tally in tallies(hand, rules):
        assert adds_up(tally)
        assert sum(item.points for item in tally.items) == sum(fine.points for fine in fines) + reward
        assert sum(item.count for item in tally.items) == len(fines) + (reward != 0)
        assert all(factor.by > 1 for factor in tally.factors)


def test_ok_63_to_ok_70_a_score_sheet_needs_no_rules() -> None:
    racks = ((), tiles("R5a K10a Y6a"), tiles("B13a FJa"), tiles("R1a"))
    fines = ((), (Fine("okey", 101), Fine("okey", 101), Fine("playable", 101)), (Fine("undo", 101),), ())
    hand = HandIn("Y6", racks, ("melds", "melds", "pairs", None), fines, (0, 0, -101, 0), FINISHES["from hand + okey"])
    okey, from_hand = Factor("okey", 2), Factor("from_hand", 2)
    assert tallies(hand, replace(MOKALI, partnered=True, pairs_rack_factor=2)) == (
        Tally("finish", -101, (okey, from_hand), -404, False, (), -404),
        Tally(
            "rack",
            116,
            (okey, from_hand),
            464,
            False,
            (Item("okey", 202, 2, False), Item("playable", 101, 1, False)),
            767,
        ),
        Tally(
            "rack",
            19,
            (okey, from_hand, Factor("own_pairs", 2)),
            152,
            True,
            (Item("undo", 101, 1, True), Item("indicator", -101, 1, False)),
            -101,
        ),
        Tally("unopened", 202, (okey, from_hand), 808, False, (), 808),
    )


@given(data=st.data())
@settings(max_examples=15)
def test_ok_i6_undo_restores_the_encoded_state(data: st.DataObject) -> None:
    with data.draw(matches(GAME)) as match:
        for step in match.steps():
            if isinstance(step.action, Open | Lay | Swap) and len(step.after.steps) > len(step.before.steps):  # type: ignore[attr-defined]
                back, _ = step.after.play(step.seat, Undo())
                assert isinstance(back, Okey101)
                assert isinstance(step.before, Okey101)
                same = replace(back, fines=step.before.fines, undone=step.before.undone)
                assert codec.encode(same) == codec.encode(step.before)


@given(data=st.data())
@settings(max_examples=10)
def test_ok_i7_the_stock_never_grows(data: st.DataObject) -> None:
    with data.draw(matches(GAME)) as match:
        for step in match.steps():
            if step.seat != HOUSE:
                assert step.after.view(None).stock <= step.before.view(None).stock


@given(seed=seeds)
@settings(max_examples=6)
def test_playable_faces_are_those_that_fit_or_free_an_okey(seed: int) -> None:
    """The short way that offers and costs go gives what laying and swapping tile by tile does."""
    match = Match(GAME, RULESETS["okeylo_34"], 4, seed)
    rng = Random(seed)
    for step in match.steps():
        state = step.after
        assert isinstance(state, Okey101)
        if not state.melds or rng.random() > 0.1:
            continue
        wanted, freeing = spread.wanted(state.melds, state.rules), spread.freeing(state.melds, state.rules)
        rooms = [tuple(shapes.room(laid.meld, None, state.rules.max_meld_tiles)) for laid in state.melds]
        assert dict(spread.roomy(state.melds, state.rules)) == {n: ends for n, ends in enumerate(rooms) if ends}
        for tile in ALL_TILES:
            face = natural(tile, state.okey)
            if face is not None:
                room = any(shapes.room(laid.meld, face, state.rules.max_meld_tiles) for laid in state.melds)
                assert (face in wanted) == spread.fits(state.melds, face, state.rules) == room
                assert (face in freeing) == any(spread.takes(laid.meld, face, state.rules) for laid in state.melds)


# --- the presets ---

PINNED = """
hands_choices | 1-11 | 1 | 1 | 3,5,7,9,11 | 1-11
hands_default | 5 | 1 | 1 | 5 | 5
partnered_allowed | true | false | false | true | true
max_meld_tiles | 13 | 5 | 5 | 13 | 13
threshold | 101 | 101 | 101 | 101 | 101 / 51 / 34
min_pairs | 5 | 5 | 5 | 5 | 5 / 4 / 5
rising_threshold | false | false | true | false | false
from_hand_waives_threshold | false | true | false | false | false
new_melds_same_turn | true | true | true | true | true
layoff_in_opening_turn | true | true | true | true | true
melds_opener_pairs | never | own | own | never | area
pairs_opener_more_pairs | true | true | true | false | true
pairs_opener_layoff | true | true | true | true | true
layoff_tiles_max | 0 | 2 | 2 | 0 | 0
side_must_use | true | true | true | true | true
side_precheck_opened | false | false | false | false | true
put_back_penalty | 0 | 0 | 0 | 0 | 0
swap_from_run | true | true | true | true | true
swap_from_group4 | true | true | true | true | true
swap_two_okey_group | true | false | false | true | true
swap_from_pair | false | true | true | false | false
undo_free_tiles | none | none | none | 1 | none
penalty_undo | 0 | 0 | 0 | 101 | 0
penalty_okey_discard | 101 | 0 | 0 | 0 | 0
penalty_playable_discard | 101 | 0 | 0 | 101 | 0
swap_makes_playable | true | true | true | true | true
okey_is_playable | false | false | false | true | false
penalty_failed_opening | 0 | 0 | 0 | 101 | 0
indicator_reward | -101 | 0 | 0 | 0 | 0
all_pairs_cancels | false | false | false | true | false
okey_in_rack | 101 | 101 | 101 | 101 | 101
unopened_penalty | 202 | 202 | 202 | 202 | 202
finish_reward | -101 | -101 | -101 | -101 | -101
mult_okey | 2 | 2 | 2 | 2 | 2
mult_pairs | 2 | 1 | 1 | 2 | 2
mult_from_hand | 2 | 2 | 2 | 2 | 2
from_hand_condition | same_turn | single_move | single_move | same_turn_nobody_opened | same_turn
reward_table | none | none | none | -101,-202,-202,-404,-808,-404 | none
pairs_rack_factor | 1 | 2 | 2 | 2 | 1
pairs_factor_on_exhaustion | false | true | true | false | false
exhausted_nobody_opened | zero | pay | pay | pay | zero
partner_waiver | positive_only | positive_only | positive_only | positive_only | positive_only
mode | casual | stake | stake | casual | timed
turn_seconds | 0 | 60 | 60 | 0 | 60
"""
"""Table 3.13 of the rule book; constants are below."""


def _cell(text: str) -> object:
    words = {"true": True, "false": False, "none": None, "1-11": tuple(range(1, 12))}
    if text in words:
        return words[text]
    if "," in text:
        return tuple(map(int, text.split(",")))
    return int(text) if text.lstrip("-").isdigit() else text


def test_every_cell_of_the_presets() -> None:
    fields = set()
    for row in PINNED.strip().splitlines():
        field, *cells = (cell.strip() for cell in row.split("|"))
        okeylo = [cell.strip() for cell in cells.pop().split("/")]
        values = [_cell(cell) for cell in (*cells, *(okeylo * (3 // len(okeylo))))]
        if field == "hands_choices":
            values = [value if isinstance(value, tuple) else (value,) for value in values]
        assert [getattr(rules, field) for rules in RULESETS.values()] == values, field
        fields.add(field)
    assert fields | {"hands", "partnered"} == set(OkeyRules.__struct_fields__)
    assert all(rules.hands == rules.hands_default and not rules.partnered for rules in RULESETS.values())
    constants = ("seats", "tiles", "dealer_extra", "okey_okey_pair", "run_high_one")
    assert [getattr(OkeyRules, name) for name in constants] == [4, 21, 1, False, False]


@pytest.mark.parametrize(
    "change",
    [
        {"threshold": 33},
        {"threshold": 102},
        {"min_pairs": 3},
        {"min_pairs": 7},
        {"layoff_tiles_max": 4},
        {"mult_okey": 4},
        {"pairs_rack_factor": 0},
        {"undo_free_tiles": 3},
        {"penalty_undo": 50},
        {"max_meld_tiles": 6},
        {"hands": 12},
        {"tiles": 20},
    ],
    ids=str,
)
def test_what_a_table_may_choose_is_bounded(change: dict[str, Any]) -> None:
    with pytest.raises(MalformedAction):
        codec.convert(OkeyRules, {**codec.plain(MOKALI), **change})


def test_what_is_no_table_option_is_not_offered() -> None:
    fixed = {"hands_choices", "hands_default", "partnered_allowed", "reward_table", "mode", "turn_seconds"}
    assert OkeyRules.fixed == fixed
    assert fixed.isdisjoint(GAME.texts.rules)


def test_hands_and_partners_are_those_the_ruleset_offers() -> None:
    for rules, change in ((STANDART, {"hands": 4}), (MEY, {"partnered": True})):
        with pytest.raises(MalformedAction):
            codec.convert(OkeyRules, {**codec.plain(rules), **change})


# --- help with the rack ---


def readings_of(view: OkeyView, tiles: tuple[str, ...]) -> tuple[Reading, ...]:
    """What these are on the table of this view."""
    return assist.read(view.rules, view.okey, tiles)


def assisted(rack: str, rules: OkeyRules = MOKALI) -> OkeyView:
    """What seat 0 sees that holds these tiles, and others to fill up."""
    return at(rack, rules=rules).view(0)


def read(text: str, rules: OkeyRules = MOKALI) -> list[tuple[str, int]]:
    readings = readings_of(assisted(text, rules), tuple(text.split()))
    return [(reading.kind, reading.value) for reading in readings]


def test_ok_15_to_ok_22_groups_of_the_rack_are_read_in_their_order() -> None:
    assert read("B12a B13a Y6a") == [("run", 36)]
    assert read("Y6a B1a B2a") == [("run", 6)]
    assert read("R7a Y7a Y6a") == [("group", 21)]
    assert read("Y7a FJa Y5b") == [("run", 18)]
    assert read("R5a Y6a Y6b") == [("run", 18), ("group", 15)]
    assert read("Y6a Y6b R5a") == [("run", 12), ("group", 15)]
    assert read("FJa FJb") == read("FJa Y6a") == read("K3a K3b") == [("pair", 0)]
    for nothing in ("R7a", "Y6a Y6b", "B12a B13a B1a", "R7a R7b Y7a", "R7a R8a"):
        assert read(nothing) == []
    six = "R1a R2a R3a R4a R5a R6a"
    assert (read(six), read(six, MEY)) == ([("run", 21)], [])


@given(seed=st.integers(0, 2**32 - 1), rules=st.sampled_from((MOKALI, MEY)))
def test_sorting_keeps_every_tile_and_lays_what_the_solver_found(seed: int, rules: OkeyRules) -> None:
    rng = Random(seed)
    hand, okey, _ = rng.choice((deal, rich))(rng, rng.randint(3, 22), rng.randint(0, 2))
    view = replace(at("R1a").view(0), rack=tuple(hand), okey=okey, rules=rules)
    best = solver.best_opening(hand, okey, rules.max_meld_tiles)
    by_runs, by_pairs = assist.sort(view, "runs"), assist.sort(view, "pairs")
    for groups in (by_runs, by_pairs):
        assert sorted(tile for group in groups for tile in group) == sorted(hand)
        assert all(groups)
    laid, rest = by_runs[: len(best.melds)], by_runs[len(best.melds) :]
    values = [max(reading.value for reading in readings_of(view, group)) for group in laid]
    assert values == sorted((meld.value for meld in best.melds), reverse=True)
    assert all(reading.kind == "pair" for group in rest for reading in readings_of(view, group))
    pairs = solver.most_pairs(hand, okey)
    assert by_pairs[: len(pairs)] == pairs
    assert len(by_pairs) <= len(pairs) + 1


# --- what is offered ---


def offered(state: Okey101, kind: str = "melds") -> list[Open]:
    """The calls among the moves of the seat to act."""
    assert state.mover is not None
    return [move for move in state.moves(state.mover) if isinstance(move, Open) and move.kind == kind]


def holding(seed: int, rules: OkeyRules = MOKALI, **more: Any) -> Okey101:
    """Seat 0, not open, to act with 22 tiles rich in melds."""
    rng = Random(seed)
    hand, _okey, indicator = rich(rng, 22, rng.randint(0, 2))
    rack = canonical(hand)
    return replace(at("R1a", rules=rules), indicator=Tile(f"{indicator}a"), racks=(rack, (), (), ()), **more)


@given(seed=st.integers(0, 2**32 - 1), rules=st.sampled_from((MOKALI, MEY, STANDART)))
def test_ok_i10_the_best_openings_are_offered_where_they_are_enough(seed: int, rules: OkeyRules) -> None:
    state = holding(seed, rules)
    best, pairs = solver.best_opening(state.racks[0], state.okey), solver.most_pairs(state.racks[0], state.okey)
    calls = offered(state)
    whole = best.tiles == 22  # then one must stay
    assert len(calls) == (best.points >= 101) or whole
    for call in calls:
        after, (opened,) = do(state, call)
        assert isinstance(opened, Opened)
        assert 101 <= opened.value < best.points if whole else opened.value == best.points
        assert after.view(None).penalties == (0, 0, 0, 0)
    assert [len(call.melds) for call in offered(state, "pairs")] == ([min(len(pairs), 10)] if len(pairs) >= 5 else [])


@given(seed=st.integers(0, 2**32 - 1))
def test_ok_35_no_opening_is_offered_that_leaves_the_side_tile(seed: int) -> None:
    state = holding(seed)
    for tile in state.racks[0]:
        duty = replace(state, drawn="side", new=tile)
        kept = [
            call for call in offered(state) if tile.face in {name[:-1] for some in call.melds for name in names(some)}
        ]
        assert offered(duty) == kept


def test_ok_21_what_may_be_a_run_or_a_group_is_offered_as_one() -> None:
    state = at("R5a Y6a Y6b K1a", *TABLE)
    (call,) = offered(state)
    assert isinstance(call.melds[0], As)
    assert do(state, call)[0].racks[0] in (tiles("R5a"), tiles("K1a"))


def test_ok_31_all_tiles_but_one_are_offered() -> None:
    assert offered(at("B1a B2a B3a B4a", *TABLE)) == [Open((("B2a", "B3a", "B4a"),), "melds")]
    assert offered(at("B1a B2a B3a", *TABLE)) == []


# --- words ---


def said(state: Okey101, action: Action) -> str:
    """What a seat reads whose action is refused."""
    with pytest.raises(IllegalAction) as refused:
        state.play(state.mover, action)  # type: ignore[arg-type]
    sentence = GAME.texts.refusals[refused.value.reason][0]
    return filters.sentence(sentence, refused.value.facts, ("Ayşe", "Umut", "Ece", "Can"), GAME.texts.words, "Y6")


def test_every_cause_of_a_refusal_has_words() -> None:
    assert list(GAME.texts.words["because"]) == [*Because, *NoTwin]


def test_ok_a_refusal_says_what_happened_and_what_to_do() -> None:
    short = Open((("K9", "K10", "K11"), ("R10", "R11", "R12")), "melds")
    assert said(at(OPENING), short) == "Açmak için 101 gerekir, seçtiklerin 63 ediyor: 38 sayı daha ekle."
    for call, why in (
        ("B12 B13 B1", "Mavi 12-13-1 per değil: 1 yalnızca başta, 2'den önce durur."),
        ("B12 Y6 B1", "Mavi 12, okey, mavi 1 per değil: 1 yalnızca başta, 2'den önce durur."),
        ("B5 B6 B9", "Mavi 5-6-9 per değil: seride sayılar art arda gelir."),
        ("B5 B5 B6", "Mavi 5-5-6 per değil: seride aynı sayı iki kez olmaz."),
        ("R7 R7 B7", "Kırmızı 7-7, mavi 7 per değil: kütte aynı renk iki kez olmaz."),
        (
            "R7 B7 Y7 K7 Y6",
            "Kırmızı 7, mavi 7, sarı 7, siyah 7, okey per değil: küt en çok dört, seri en çok on üç taştır.",
        ),
        ("R7 B8 FJ", "Kırmızı 7, mavi 8, sahte okey per değil: seri tek renk, küt tek sayı ister."),
        ("R7 B7", "Kırmızı 7, mavi 7 per değil: en az üç taş gerekir."),
    ):
        held = at("B1a B5a B5b B6a B7a B8a B9a B12a B13a R7a R7b Y7a K7a Y6a FJa")
        assert said(held, Open((tuple(call.split()),), "melds")) == why
    two = at("Y6a Y6b R1a R1b R2a")
    assert said(two, pairs("Y6 Y6")) == "Okey, okey çift değil: iki okey çift olmaz."
    assert said(two, pairs("R1 R2")) == "Kırmızı 1-2 çift değil: çift aynı taştan ikisi ya da okeyle bir taştır."
    assert said(two, Discard("R13a")) == "Elinde kırmızı 13 yok: ıstakandaki taşlardan seç."
    assert said(two, Draw("stock")) == "Bu şu anda yapılamaz: bu sıra çekilmez, aç, işle ya da bir taş at."
    side, _ = do(at(f"{OPENING} B1a", step="draw", piles={3: "R9a"}), Draw("side"))
    assert said(side, CALL) == "Yandan aldığın kırmızı 9 açtığın perlerde olmalı: onunla aç ya da geri bırak."
    assert said(at("R9a Y6a", *TABLE), Lay(("R9", "Y6"), 0)) == "Bu pere kırmızı 9 uymuyor: başka bir per seç."
    assert said(at("Y6a Y9a K1a", *TABLE), Swap("Y6", 0)).startswith("Okey verilip okey alınmaz")


def test_what_happened_is_said_with_its_reason() -> None:
    def told(*events: Event) -> list[str]:
        return filters.told(events, GAME.texts.events, ("Ayşe", "Umut", "Ece", "Can"), GAME.texts.words, "Y6")

    assert told(*do(at("Y6a K1a"), Discard("Y6"))[1]) == ["Ayşe okey attı.", "Ayşe okey attı: 101 ceza."]
    assert told(Discarded(1, "FJ"), Penalised(1, 101, "playable")) == [
        "Umut sahte okey attı.",
        "Umut işlek taş attı: 101 ceza.",
    ]
    assert told(IndicatorShown(0, "Y5", -101)) == ["Ayşe göstergeyi gösterdi: −101."]
    assert told(*do(at("Y6a", *TABLE), Discard("Y6"))[1])[1] == "Ayşe okeyle bitti."
    toasts = filters.told((Penalised(1, 101, "playable"),), GAME.texts.toasts, ("Ayşe", "Umut"), GAME.texts.words)
    assert toasts == ["İŞLEK TAŞ ATTI +101"]


def test_the_step_line_knows_what_there_is_to_do() -> None:
    def cue(state: Okey101) -> str:
        return GAME.texts.prompts[GAME.texts.cue(state.view(state.mover))][0]

    assert cue(dealt()) == "Çekmeden bir taş at ya da elini aç"
    draw = at(f"{OPENING} B1a", step="draw", piles={3: "R9a"})
    assert cue(draw) == "Desteden çek ya da yandan al"
    assert cue(at("B1a", step="draw")) == cue(do(draw, Draw("side"), Return())[0]) == "Desteden bir taş çek"
    assert cue(do(draw, Draw("side"))[0]) == "Aldığın taşı kullan ya da geri bırak"
    assert cue(do(draw, Draw("stock"))[0]) == "Elini aç ya da bir taş at"
    assert cue(do(draw, Draw("stock"), CALL)[0]) == "İşle ya da bir taş at"
    assert cue(at("B1a", *TABLE)) == "Son taşını at, eli bitir"
    low = "R1a R2a R3a Y1a Y2a Y3a B1a B2a B3a K1a K2a K3a R4a Y4a B4a R7a Y7a B7a R9a Y9a B9a K11a"
    call = Open(tuple(tuple(low.split()[place : place + 3]) for place in range(0, 21, 3)), "melds")
    assert cue(do(at(low, rules=MEY), call)[0]) == "Taşı at ya da geri al"
