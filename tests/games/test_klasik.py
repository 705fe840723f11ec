"""Klasik Okey by the paragraphs of its chapter (RULES, 4). Whole positions are records in tests/cases/klasik."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mokali.engine import codec
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
    SideTaken,
    StockDrawn,
)
from mokali.engine.tiles import ALL_TILES, FALSE_OKEY, Tile, tiles
from mokali.games import klasik
from mokali.games.klasik import assist
from mokali.games.klasik.position import KlasikSetup
from mokali.games.klasik.rules import KlasikRules
from mokali.games.klasik.score import Factor, Item, Tally
from mokali.games.klasik.state import Finish, Finished, Klasik, No
from mokali.web import filters
from tests.hands import deal, rich
from tests.matches import Match, matches

GAME = klasik.GAME
PLAIN, COLOURED = KlasikRules(), KlasikRules(coloured=True)
READY = "Y4a Y5a Y6a B7a B8a B9a K9a K10a K11a K12a K13a"
"""Eleven tiles in melds."""
PAIRS = "R2a R2b Y3a Y3b B4a B4b K7a K7b R9a R9b Y11a Y11b"
"""Six pairs."""
MELDS = f"{READY} R1a R2a R3a"
JUNK = "R2b R5b R8b R11b Y2b Y5b Y8b Y11b B3b B6b B9b K3b K6b K9b"
"""Fourteen tiles that are nothing together."""


def at(
    *racks: str,
    turn: int = 0,
    step: str = "play",
    rules: KlasikRules = PLAIN,
    indicator: str = "K4a",
    piles: Mapping[int, str] | None = None,
    stock: str | None = None,
    **more: Any,
) -> Klasik:
    """A position of four seats; racks that are not named are filled up, never with okeys or the indicator's twin.

    ``stock`` is its whole content; the rest of the tiles then lies in the pile of the seat to act.
    """
    heaps = [tiles((piles or {}).get(seat, "")) for seat in range(4)]
    named = [list(tiles(rack)) for rack in (*racks, *("",) * (4 - len(racks)))]
    taken = {Tile(indicator), *tiles(stock or "")}.union(*named, *heaps)
    okey, twin = f"{indicator[0]}{int(indicator[1:-1]) % 13 + 1}", Tile(indicator).twin
    free = [tile for tile in ALL_TILES if tile not in taken and tile.face not in (okey, FALSE_OKEY) and tile != twin]
    for seat, rack in enumerate(named):
        while len(rack) < 14 + (seat == turn and step == "play"):
            rack.append(free.pop())
    if stock is not None:
        rest = [tile for tile in ALL_TILES if tile not in taken and not any(tile in rack for rack in named)]
        heaps[turn] = (*rest, *heaps[turn])
    setup = KlasikSetup(
        dealer=more.pop("dealer", (turn - 1) % 4),
        indicator=Tile(indicator),
        racks=tuple(map(tuple, named)),
        turn=turn,
        phase=step,  # type: ignore[arg-type]
        discards=tuple(heaps),
        stock=None if stock is None else tiles(stock),
        **more,
    )
    return Klasik.start(rules, 4, setup)


def do(state: Klasik, *actions: Action) -> tuple[Klasik, tuple[Event, ...]]:
    """The state after these actions, each by the seat on turn, and the last one's events."""
    events: tuple[Event, ...] = ()
    for action in actions:
        assert state.turn is not None
        state, events = state.play(state.turn, action)
    return state, events


def refusal(state: Klasik, action: Action, seat: int | None = None) -> IllegalAction:
    before = codec.encode(state)
    with pytest.raises(IllegalAction) as refused:
        state.play(state.mover if seat is None else seat, action)  # type: ignore[arg-type]
    assert codec.encode(state) == before
    return refused.value


def dealt(seats: int = 4, starter: int = 0, first: str = "") -> Klasik:
    """A match whose first hand has just been dealt; ``first`` are the deck's first tiles."""
    state, _ = Klasik.start(PLAIN, seats).play(HOUSE, First(starter))
    return state.play(HOUSE, deck(first))[0]


def deck(first: str = "") -> Deal:
    top = tiles(first)
    return Deal((*top, *(tile for tile in ALL_TILES if tile not in top)))


def split(state: Klasik) -> list[str]:
    return [" ".join(meld.tiles) for meld in state.view(None).melds]


# --- the deal and the turn ---


@pytest.mark.parametrize(("seats", "stock"), [(4, 48), (3, 62), (2, 76)])
def test_kl_2_fourteen_each_and_the_starter_fifteen(seats: int, stock: int) -> None:
    state = dealt(seats, starter=1, first="FJa Y5a")
    view = state.view(None)
    assert (view.indicator, view.okey) == ("Y5", "Y6"), "a false okey is no indicator"
    assert view.racks == tuple(15 if seat == 1 else 14 for seat in range(seats))
    assert (view.stock, view.hand, view.turn, view.phase) == (stock, 1, 1, "play")
    assert view.totals == (20,) * seats


def test_kl_3_the_next_seat_starts_whatever_the_hand_was_worth() -> None:
    state = at(JUNK, turn=3, step="draw", stock="R1b", dealer=2, hand=4)
    state, events = do(state, Draw("stock"), Discard("R1b"))
    assert events[-1] == HandEnded((0, 0, 0, 0), "stock")
    state, _ = state.play(HOUSE, deck())
    assert (state.view(None).dealer, state.turn, state.view(None).hand) == (3, 3, 5)


def test_kl_4_what_each_phase_allows() -> None:
    state = at(MELDS + " R13a")
    assert refusal(state, Draw("stock")).reason == Common.WRONG_PHASE
    assert refusal(state, Discard("R13a"), 1).reason == Common.NOT_YOUR_TURN
    assert refusal(state, Discard("Y13")).reason == Common.NOT_HELD
    state, _ = do(state, Discard("R13"))
    for action in (Discard("Y1"), Finish("Y1")):
        assert refusal(state, action).reason == Common.WRONG_PHASE
    assert refusal(at(turn=1, step="draw"), Draw("side")).facts == {"phase": "no_side"}
    over, _ = do(at(MELDS + " R13a"), Finish("R13a"))
    assert over.phase == "hand_over"
    assert all(refusal(over, Draw("stock"), seat).reason == Common.NOT_YOUR_TURN for seat in range(4))


def test_kl_5_the_starter_does_not_draw() -> None:
    state = dealt(starter=2)
    assert not state.view(2).legal.stock  # type: ignore[union-attr]
    assert do(state, Discard(state.racks[2][0]))[0].view(3).legal.stock  # type: ignore[union-attr]


def test_kl_6_a_side_tile_is_free_to_go_again() -> None:
    state, events = do(at(piles={0: "R1b R7b"}, turn=1, step="draw"), Draw("side"))
    assert events == (SideTaken(1, "R7"),)
    view = state.view(0)
    assert (view.new, view.drawn, view.known[1], view.discards[0]) == ("R7", "side", ("R7",), "R1")
    state, events = do(state, Discard("R7b"))
    assert events == (Discarded(1, "R7"),)
    assert state.view(0).known[1] == ()


def test_kl_7_nobody_can_lay_or_open() -> None:
    for text in ('{"do":"open","melds":[["R1","R2","R3"]],"kind":"melds"}', '{"do":"undo"}', '{"do":"return"}'):
        with pytest.raises(MalformedAction):
            codec.read_action(GAME.actions, text)


# --- finishing: the examples of the chapter, with K5a and K5b as okeys ---


@pytest.mark.parametrize(
    ("rack", "last", "scores"),
    [
        pytest.param("R12a R13a R1a Y4a Y5a Y6a B7a B8a B9a K10a K11a K12a K13a K1a", "Y9a", -2, id="KL-C1"),
        pytest.param("R13a R1a R2a Y4a Y5a Y6a B7a B8a B9a K10a K11a K12a K13a K1a", "Y9a", None, id="KL-C2"),
        pytest.param("R1a R2a R3a R4a R5a R6a R7a R8a R9a R10a R11a R12a R13a R1b", "Y9a", -2, id="KL-C3"),
        pytest.param(f"R12a R13a K5a {READY}", "R2a", -2, id="KL-C4"),
        pytest.param(f"R12a R13a K5a {READY}", "K5b", -4, id="KL-C4 with the other okey"),
        pytest.param(f"B10a R10a B10b {READY}", "R2a", None, id="KL-C5"),
        pytest.param(f"{PAIRS} K5a K5b", "K1a", -4, id="KL-C6"),
        pytest.param(f"{PAIRS} FJa FJb", "K5a", -8, id="KL-C7"),
        pytest.param("R1a R1b R2a R2b R3a R3b Y1a Y1b Y2a Y2b Y3a Y3b Y4a Y4b", "B9a", -4, id="KL-C8"),
        pytest.param("K3a FJa K5a R1a R2a R3a Y4a Y5a Y6a Y7a B9a B10a B11a B12a", "FJb", -2, id="KL-C9"),
        pytest.param(f"R12a FJa R1a {READY}", "R2a", None, id="KL-C10"),
        pytest.param(f"R12a R13a R1a R2a {READY[:-5]}", "Y9a", None, id="KL-B1 12-13-1-2"),
        pytest.param("R1a R2a R3a R3b R4a R5a Y3a B3a Y7a Y8a Y9a K1a K2a K3a", "B13a", -2, id="KL-B2"),
        pytest.param(f"R1a R2a FJa {READY}", "Y13a", None, id="KL-B3"),
    ],
)
def test_kl_10_and_kl_15_a_finish(rack: str, last: str, scores: int | None) -> None:
    state = at(f"{rack} {last}")
    assert len(rack.split()) == 14
    if scores is None:
        assert refusal(state, Finish(last)).reason == No.NO_FINISH
        return
    after, events = do(state, Finish(last))
    assert events[-1] == HandEnded((0, scores, scores, scores), "finish")
    assert after.totals == (20, 20 + scores, 20 + scores, 20 + scores)
    shown = [face for meld in after.view(None).melds for face in meld.tiles]
    assert len(shown) == 14, "KL-14: the whole hand lies there"


def test_kl_10_a_wrong_finish_costs_nothing_and_is_explained() -> None:
    refused = refusal(at(f"{JUNK} R1b"), Finish("R1b"))
    assert (refused.facts["away"], refused.facts["pairs"]) == (14, 0)
    refused = refusal(at(f"{PAIRS} K1a K2a K13b"), Finish("K13b"))
    assert refused.facts == {"away": 14, "pairs": 6}


def test_kl_11_and_kl_b4_two_okeys_are_a_pair() -> None:
    assert assist.read(PLAIN, "K5", ("K5a", "K5b")) == (Reading("pair", 0),)
    assert assist.read(PLAIN, "K5", ("K5a", "R2a")) == (Reading("pair", 0),)
    assert assist.read(PLAIN, "K5", ("FJa", "FJb")) == (Reading("pair", 0),)
    assert assist.read(PLAIN, "K5", ("FJa", "R2a")) == ()
    state, _ = do(at(f"{PAIRS} K5a K5b K1a"), Finish("K1a"))
    assert split(state)[-1] == "*=K5 *=K5"


def test_kl_12_both_is_pairs() -> None:
    state, events = do(at("R1a R1b R2a R2b R3a R3b Y1a Y1b Y2a Y2b Y3a Y3b Y4a Y4b B9a"), Finish("B9"))
    assert events[0] == Finished(0, okey=False, pairs=True)
    assert {meld.kind for meld in state.view(None).melds} == {Kind.PAIR}


def test_kl_13_a_false_okey_is_no_okey() -> None:
    for last, okey in (("K5a", True), ("FJa", False), ("R13a", False)):
        assert do(at(f"{MELDS} {last}"), Finish(last))[1][0] == Finished(0, okey=okey, pairs=False)


def test_kl_14_everybody_sees_the_finished_hand_and_its_last_tile() -> None:
    before = at(f"R12a R13a K5a {READY} K5b")
    assert before.view(None).melds == ()
    state, _ = do(before, Finish("K5b"))
    views = [state.view(seat) for seat in (0, 2, None)]
    for view in views:
        assert sorted(" ".join(meld.tiles) for meld in view.melds) == sorted(
            ["*=R11 R12 R13", "Y4 Y5 Y6", "B7 B8 B9", "K9 K10 K11 K12 K13"]
        )
        assert view.ended is not None
        assert view.ended.finish is not None
        assert view.ended.finish.tile == "K5"
        assert view.shown is not None
        assert len(view.shown[0]) == 14
        assert view.discards[0] is None, "it lies on the stock"
    state, _ = state.play(HOUSE, deck())
    assert (state.view(None).melds, state.view(None).shown) == ((), None)


# --- losses ---


@pytest.mark.parametrize(("coloured", "cost"), [(False, 1), (True, 2)])
def test_kl_c11_and_kl_b7_the_shown_indicator_costs_the_others(coloured: bool, cost: int) -> None:
    rules = KlasikRules(coloured=coloured)
    first = (False,) * 4
    state = at(f"{JUNK[:-4]} K4b", turn=0, step="draw", rules=rules, first_turn_done=first, piles={3: "R1b"})
    state, _ = do(state, Draw("stock"))
    assert Show() in state.moves(0)
    state, events = do(state, Show())
    assert events == (IndicatorShown(0, "K4", cost),)
    assert state.totals == (20, 20 - cost, 20 - cost, 20 - cost)
    assert state.view(1).losses == (0, cost, cost, cost)
    assert state.view(1).known[0] == ("K4",)
    assert refusal(state, Show()).reason == No.ALREADY_SHOWN


def test_kl_c12_and_kl_b5_not_from_the_side_and_not_later() -> None:
    state = at(JUNK, step="draw", first_turn_done=(False,) * 4, piles={3: "K4b"})
    state, _ = do(state, Draw("side"))
    assert refusal(state, Show()).facts["because"] == NoTwin.TWIN_FROM_SIDE
    late = at(f"{JUNK} K4b")
    assert refusal(late, Show()).reason == No.TOO_LATE
    without = at(f"{JUNK} K1b", first_turn_done=(False,) * 4)
    assert refusal(without, Show()).facts == {"because": NoTwin.TWIN_NOT_HELD, "tile": "K4"}


def test_kl_c13_the_dearest_finish_ends_the_game_at_once() -> None:
    rules = KlasikRules(start_points=10, coloured=True)
    state, _ = do(at(f"{PAIRS} FJa FJb K5a", rules=rules), Finish("K5a"))
    view = state.view(None)
    assert (view.totals, view.over, view.winners, view.turn) == ((10, -6, -6, -6), True, (0,), None)
    assert state.result is not None
    assert state.result.places == (1, 2, 2, 2)


def test_kl_c14_and_kl_b6_a_show_ends_no_game_in_mid_hand() -> None:
    state = at(f"{JUNK} K4b", first_turn_done=(False,) * 4, totals=(20, 1, 20, 20), stock="R1b", piles={3: "R3b"})
    state, _ = do(state, Show())
    assert (state.totals, state.phase) == ((20, 0, 19, 19), "play")
    state, _ = do(state, Discard("R2b"), Draw("stock"))
    assert state.phase == "play"
    state, events = do(state, Discard("R1b"))
    assert events[-1] == HandEnded((0, -1, -1, -1), "stock")
    assert (state.totals, state.phase, state.winners) == ((20, 0, 19, 19), "over", (0,))


@pytest.mark.parametrize(("indicator", "times"), [("R4a", 2), ("K4a", 2), ("Y4a", 1), ("B4a", 1)])
def test_kl_17_red_and_black_double(indicator: str, times: int) -> None:
    rack = "R12a R13a R1a Y5a Y6a Y7a B7a B8a B9a K9a K10a K11a K12a K13a Y9a"
    _, events = do(at(rack, rules=COLOURED, indicator=indicator), Finish("Y9a"))
    assert events[-1] == HandEnded((0, -2 * times, -2 * times, -2 * times), "finish")


def test_kl_15_what_each_seat_lost_stands_item_by_item() -> None:
    ended, _ = do(at(f"{PAIRS} FJa FJb K5a", rules=COLOURED), Finish("K5a"))
    assert ended.ended is not None
    by = (Factor("okey", 2), Factor("pairs", 2), Factor("coloured", 2))
    assert ended.ended.tallies[0] == Tally("finish", 0, (), 0, (), 0)
    assert ended.ended.tallies[1] == Tally("lost", -2, by, -16, (), -16)
    state = at(f"{JUNK} K4b", rules=COLOURED, first_turn_done=(False,) * 4, stock="R1b")
    state, _ = do(state, Show(), Discard("R2b"), Draw("stock"), Discard("R1b"))
    assert state.ended is not None
    assert state.ended.tallies[1] == Tally("stock", 0, (), 0, (Item("indicator", -2),), -2)


def test_kl_18_the_last_tile_may_still_finish() -> None:
    state = at(MELDS, step="draw", stock="R13a", piles={3: "R5b"})
    finished, _ = do(state, Draw("stock"), Finish("R13a"))
    assert finished.view(None).reason == "finish"
    ended, _ = do(state, Draw("stock"), Discard("R13a"))
    assert ended.view(None).reason == "stock"
    side, _ = do(at(MELDS, step="draw", stock="R13a", piles={3: "R5b"}), Draw("side"), Discard("R5b"))
    assert (side.turn, side.phase) == (1, "draw"), "who took from the side left the last tile"


def test_kl_19_most_points_win_and_ties_share() -> None:
    state, _ = do(at(MELDS + " R13a", totals=(3, 1, 5, 5)), Finish("R13a"))
    assert (state.totals, state.winners) == ((3, -1, 3, 3), (0, 2, 3))
    assert state.result is not None
    assert state.result.places == (1, 4, 1, 1)


# --- AB-8 ---


def test_ab_8_the_clock_discards_what_it_drew_or_the_highest() -> None:
    state = at(JUNK, step="draw", piles={3: "R5a"}, stock="K5a R1b")
    assert state.idle(0) == Draw("stock")
    state, _ = do(state, state.idle(0))
    assert state.idle(0) == Discard(Tile("K5a")), "also an okey, if that is what it drew"
    side, _ = do(at(JUNK, step="draw", piles={3: "R5a"}), Draw("side"))
    assert side.idle(0) == Discard(Tile("R11b"))
    false = at(f"{PAIRS} FJa K5a K5b", indicator="K4a")
    assert false.idle(0) == Discard(Tile("Y11a"))
    thirteen = at(f"{PAIRS[:-4]} K13a K13b FJa B1a", indicator="K12a")
    assert thirteen.idle(0) == Discard(Tile("FJa")), "it counts 13, the okeys don't"


# --- what is asked for a rack ---


@pytest.mark.parametrize(
    ("group", "readings"),
    [
        ("R11a R12a R13a R1a", [("run", 4)]),
        ("R1a R13a R12a", [("run", 3)]),
        ("R12a R13a K5a", [("run", 3)]),
        ("R13a K5a R1a", [("run", 3)]),
        ("R13a R1a R2a", []),
        ("R1a R2a R3a R4a R5a R6a R7a R8a R9a R10a R11a R12a R13a", [("run", 13)]),
        ("R2a R3a R4a R5a R6a R7a R8a R9a R10a R11a R12a R13a R1a", [("run", 13)]),
        ("R9a Y9a K9a B9a", [("group", 4)]),
        ("K3a K4b FJa", [("run", 3)]),
        ("R9a K5a K5b", [("run", 3), ("group", 3)]),
        ("R9a R9b", [("pair", 0)]),
    ],
)
def test_kl_8_and_kl_9_groups_of_the_rack_are_read(group: str, readings: list[tuple[str, int]]) -> None:
    assert assist.read(PLAIN, "K5", tuple(group.split())) == tuple(Reading(*one) for one in readings)


def test_a_rack_is_sorted_so_that_what_finishes_lies_apart() -> None:
    view = at(f"R12a R13a R1a {READY} K5a").view(0)
    groups = assist.sort(view, "runs")
    assert groups[-1] == ("K5a",)
    assert sorted(map(len, groups)) == [1, 3, 3, 3, 5]
    assert view.legal is not None
    assert "K5a" in view.legal.finish
    assert (view.near, view.bar, view.near_pairs, view.bar_pairs) == (14, 14, 1, 7)
    paired = assist.sort(at(f"{PAIRS} K5a K5b B13a").view(0), "pairs")
    assert [len(group) for group in paired] == [2] * 7 + [1]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_sorting_keeps_every_tile_and_every_meld_is_read_as_one(seed: int) -> None:
    rng = Random(seed)
    hand, okey, indicator = rich(rng, 15, rng.randint(0, 2))
    state = at(" ".join(hand), indicator=f"{indicator}a")
    view = state.view(0)
    for how in ("runs", "pairs"):
        groups = assist.sort(view, how)
        assert Counter(tile for group in groups for tile in group) == Counter(view.rack)
    read = [len(group) for group in assist.sort(view, "runs") if assist.read(PLAIN, okey, group)]
    assert view.near is not None
    assert sum(read) >= view.near


# --- KL-I2: a split by trying everything, from the rule alone ---

RING = [*range(1, 14), 1]
FACES = [f"{colour}{number}" for colour in "RYBK" for number in range(1, 14)]
EVERY_MELD = [
    *(
        tuple(f"{colour}{number}" for number in RING[start : start + size])
        for colour in "RYBK"
        for size in (3, 4, 5)
        for start in range(15 - size)
    ),
    *(
        tuple(f"{colour}{number}" for colour in "RYBK" if colour != missing)
        for number in range(1, 14)
        for missing in ("R", "Y", "B", "K", None)
    ),
]
CONTAINING = {face: [meld for meld in EVERY_MELD if face in meld] for face in FACES}


@cache
def splits(left: tuple[str, ...]) -> bool:
    """Whether tiles without okeys are all in melds."""
    return not left or any(splits(rest) for meld in CONTAINING[left[0]] for rest in taken(left, meld))


def taken(left: tuple[str, ...], meld: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    rest = list(left)
    if all(face in rest for face in meld):
        for face in meld:
            rest.remove(face)
        yield tuple(rest)


def complete(hand: list[Tile], okey: str) -> bool:
    """KL-10: every reading of the okeys is tried."""
    plain = sorted(okey if tile.face == "FJ" else tile.face for tile in hand if tile.face != okey)
    hands = [tuple(plain)]
    for _ in range(14 - len(plain)):
        hands = [tuple(sorted((*some, face))) for some in hands for face in FACES]
    if any(map(splits, set(hands))):
        return True
    odd = sum(count % 2 for count in Counter(plain).values())
    return odd <= 14 - len(plain)


@pytest.mark.parametrize("okeys", [0, 1, 2])
def test_kl_i2_a_finish_is_one_by_trying_everything(okeys: int) -> None:
    rng, met = Random(okeys), Counter[bool]()
    while sum(met.values()) < (40, 25, 8)[okeys] or not met[True]:
        hand, okey, indicator = rich(rng, 15, okeys) if rng.random() < 0.8 else deal(rng, 15, okeys)
        state = at(" ".join(hand), indicator=f"{indicator}a")
        last = rng.choice([tile for tile in hand if tile.face != okey])
        expected = complete([tile for tile in hand if tile != last], okey)
        met[expected] += 1
        if expected:
            assert do(state, Finish(last))[0].view(None).reason == "finish", (hand, okey)
            assert len(split(do(state, Finish(last))[0])) >= 3
        else:
            assert refusal(state, Finish(last)).reason == No.NO_FINISH, (hand, okey)
        legal = state.view(0).legal
        assert legal is not None
        assert (last in legal.finish) == expected
    splits.cache_clear()


# --- invariants ---


@given(matches(GAME))
@settings(max_examples=8)
def test_kl_i1_and_kl_i3_nothing_is_lost_but_points(match: Match) -> None:
    with match:
        points = [match.rules.start_points] * match.seats  # type: ignore[attr-defined]
        for step in match.steps():
            state = step.after
            assert isinstance(state, Klasik)
            if state.indicator is None:
                continue
            lying = [state.indicator, *state.stock, *filter(None, (state.last,))]
            lying += [tile for some in (*state.racks, *state.piles) for tile in some]
            assert sorted(lying) == sorted(ALL_TILES)
            sizes = {seat: 14 + (seat == state.mover and state.step == "play") for seat in range(match.seats)}
            assert {seat: len(rack) for seat, rack in enumerate(state.racks)} == sizes
            _recount(step.events, state, points)
            assert tuple(points) == state.totals
        assert min(points) <= 0, "it ends when somebody has none left (KL-19)"


def _recount(events: tuple[Event, ...], state: Klasik, points: list[int]) -> None:
    """KL-15 to KL-17, from what everybody saw."""
    assert state.indicator is not None
    times = 2 if state.rules.coloured and state.indicator[0] in "RK" else 1
    for event in events:
        cost = 0
        if isinstance(event, IndicatorShown):
            cost = times
        elif isinstance(event, Finished):
            cost = 2 * times * (2 if event.okey else 1) * (2 if event.pairs else 1)
        if isinstance(event, IndicatorShown | Finished):
            for seat in range(len(points)):
                points[seat] -= 0 if seat == event.seat else cost


def test_kl_i5_what_is_drawn_from_the_stock_is_told_to_nobody() -> None:
    state, events = do(at(JUNK, step="draw", piles={3: "R1b"}), Draw("stock"))
    assert events == (StockDrawn(0, len(state.stock)),)
    assert [state.view(seat).new for seat in (1, None)] == [None, None]
    assert state.view(0).new in state.racks[0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"indicator": Tile("FJa")}, "a false okey is no indicator"),
        ({"racks": ((),) * 3}, "racks: one for each of 4 seats"),
        ({"turn": 4}, "seats are 0 to 3"),
        ({"drawn": "side"}, "side_tile is what was drawn from the side"),
        ({"racks": (tiles(MELDS),) * 4}, "stands there twice"),
        ({"phase": "draw"}, "seat 0 holds 14 tiles"),
        ({"drawn": "side", "side_tile": Tile("Y13b")}, "Y13b was drawn and is not held"),
        ({"hand": 0}, "hands are counted from 1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(change: dict[str, Any], why: str) -> None:
    state = at(MELDS + " R13a")
    known: dict[str, Any] = {"dealer": 0, "turn": 0, "phase": "play", "indicator": state.indicator}
    with pytest.raises(BadSetup, match=why):
        Klasik.start(PLAIN, 4, KlasikSetup(**known | {"racks": state.racks} | change))


# --- words ---


def test_lengths_keep_results_apart() -> None:
    said = {GAME.texts.length(rules, seats) for rules in (PLAIN, COLOURED) for seats in GAME.seats}
    assert said == {
        "20 puan",
        "20 puan, renkli",
        "2 kişi, 20 puan",
        "2 kişi, 20 puan, renkli",
        "3 kişi, 20 puan",
        "3 kişi, 20 puan, renkli",
    }


def test_the_rule_page_is_told_every_loss() -> None:
    endings = GAME.texts.figures(PLAIN)["endings"]
    assert [(ending.points, ending.coloured) for ending in endings] == [(2, 4), (4, 8), (4, 8), (8, 16)]
    shown = GAME.texts.figures(PLAIN)["shown"]
    assert (shown.points, shown.coloured) == (1, 2)


def test_every_cause_has_words() -> None:
    assert list(GAME.texts.words["because"]) == list(NoTwin)
    facts = {"away": 3, "pairs": 5}
    said = filters.sentence(GAME.texts.refusals[No.NO_FINISH][0], facts, (), GAME.texts.words)
    assert said.startswith("Bu taşla bitmez, 3 taş perlere girmiyor, çiftlerin de 5:")


def test_kl_8_a_meld_knows_that_one_may_follow_thirteen() -> None:
    some = shapes.meld(tiles("R13a R1a R12a"), "K5", high_one=True)
    assert some is not None
    assert some.shown == ("R12", "R13", "R1")
    assert shapes.meld(tiles("R13a R1a R12a"), "K5") is None, "101 knows no such run"
    assert shapes.meld(tiles("R12a R13a R1a R2a"), "K5", high_one=True) is None
