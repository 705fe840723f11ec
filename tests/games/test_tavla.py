"""Tavla by the paragraphs of its chapter (RULES, 5). Examples with whole positions are records in tests/cases/tavla."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mokali.bench.plays import position
from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Action, BadSetup, Common, Event, HandEnded, IllegalAction, MalformedAction
from mokali.games.tavla import GAME, board
from mokali.games.tavla.board import BAR, CHECKERS, OFF, START, Side, dice_of, finals, steps
from mokali.games.tavla.position import Checkers, Position, Standing, TavlaSetup, shown
from mokali.games.tavla.rules import TavlaRules
from mokali.games.tavla.state import (
    ROLLS,
    Deal,
    Dice,
    DiceThrown,
    DieThrown,
    GameWon,
    MarsMade,
    Move,
    Moved,
    No,
    NoMove,
    Roll,
    Started,
    StartTied,
    Step,
    TakenBack,
    Tavla,
    Throws,
    Turn,
    Undo,
    Won,
)
from mokali.games.tavla.texts import TEXTS
from tests import every_play
from tests.matches import Match, matches
from tests.seated import Room, waiting

FRESH = "24:2 13:5 8:3 6:5"
AFAR = "13:15"
SINGLE = TavlaRules(target=1)
Rounds = Callable[[int, int], int]


def side(text: str) -> Side:
    """``"24 13:5 bar:2"``: one checker where no number says otherwise; those that are missing are off."""
    places = [0] * (BAR + 1)
    for word in text.split():
        place, _, count = word.partition(":")
        places[BAR if place == "bar" else int(place)] = int(count or 1)
    places[OFF] = CHECKERS - sum(places)
    return tuple(places)


def at(white: str = FRESH, black: str = FRESH, dice: tuple[int, ...] = (), target: Any = 1, **more: Any) -> Tavla:
    """A position with white on turn; with dice, they have just been thrown."""
    here = Position(shown(side(white)), shown(side(black)))
    standing = Standing(target=target, score=more.pop("score", (0, 0)))
    return Tavla.start(TavlaRules(), 2, TavlaSetup(board=here, dice=dice, match=standing, **more))


def put(state: Tavla, *played: tuple[Any, int]) -> tuple[Tavla, tuple[Event, ...]]:
    """The state after these steps of the seat on turn, and the last one's events."""
    events: tuple[Event, ...] = ()
    for start, die in played:
        assert state.turn is not None
        state, events = state.play(state.turn, Move(start, die))
    return state, events


def thrown(state: Tavla, *dice: int) -> tuple[Tavla, tuple[Event, ...]]:
    """The seat on turn rolls, and the house throws this."""
    assert state.turn is not None
    state, _ = state.play(state.turn, Roll())
    return state.play(HOUSE, Dice(dice))


def refusal(state: Tavla, action: Action, seat: int = 0) -> object:
    before = codec.encode(state)
    with pytest.raises(IllegalAction) as refused:
        state.play(seat, action)
    assert codec.encode(state) == before
    return refused.value.reason


def white(text: str, *dice: int, black: str = FRESH) -> set[str]:
    """White's side, as text, after each legal play of this throw."""
    return {board.text([mine]) for mine, _ in finals(side(text), side(black), dice_of(dice))}


def legal(state: Tavla) -> set[tuple[Any, int]]:
    return {(step.start, step.die) for step in state.view(state.turn).legal}


# --- notation and start ---


def test_tv_1_each_side_counts_its_own_points_downwards() -> None:
    state, events = put(at(dice=(6, 5), turn=1), (24, 6), (18, 5))
    assert events == (Moved(1, 18, 13, 5, hit=False),)
    assert state.view(None).board.black == shown(side("24 13:6 8:3 6:5"))


def test_tv_2_the_layout() -> None:
    view = Tavla.start(SINGLE, 2).view(None)
    fresh = Checkers({"24": 2, "13": 5, "8": 3, "6": 5}, 0, 0)
    assert view.board == Position(fresh, fresh)
    assert view.pips == (167, 167)
    assert (fresh.at(13), fresh.at(12)) == (5, 0)


def test_tv_3_tv_c1_tv_b6_equal_throws_are_thrown_again_and_the_higher_starts_with_two_new_dice() -> None:
    state = Tavla.start(SINGLE, 2)
    assert (state.phase, state.turn, state.view(None).hand) == ("start", 0, 1)
    state, events = thrown(state, 4)
    assert events == (DieThrown(0, 4),)
    assert (state.turn, state.start_dice) == (1, (4,))
    state, events = thrown(state, 4)
    assert events == (DieThrown(1, 4), StartTied())
    assert (state.phase, state.turn, state.start_dice) == ("start", 0, (4, 4))
    state, _ = thrown(state, 5)
    assert (state.turn, state.start_dice) == (1, (5,))
    state, events = thrown(state, 2)
    assert events == (DieThrown(1, 2), Started(0))
    assert (state.phase, state.turn, state.dice) == ("roll", 0, ())
    assert state.view(1).start_dice == (5, 2), "shown until the first throw"
    state, events = thrown(state, 3, 3)
    assert events == (DiceThrown(0, (3, 3)),)
    assert (state.dice, state.start_dice) == ((3, 3, 3, 3), ())


def test_tv_3_black_starts_with_the_higher_die() -> None:
    state, _ = thrown(Tavla.start(SINGLE, 2), 1)
    state, events = thrown(state, 6)
    assert events[-1] == Started(1)
    assert (state.phase, state.turn) == ("roll", 1)


@pytest.mark.parametrize("winner", [0, 1])
def test_tv_4_the_winner_of_the_last_game_starts_the_next(winner: int) -> None:
    sides = ("1", AFAR) if winner == 0 else (AFAR, "1")
    state = at(*sides, dice=(6, 5), target=5, turn=winner)
    state, _ = put(state, (1, 6))
    assert (state.phase, state.turn, state.view(None).hand) == ("hand_over", HOUSE, 1)
    state, events = state.play(HOUSE, Deal())
    assert events == ()
    assert (state.phase, state.turn, state.view(None).hand) == ("roll", winner, 2)
    assert state.sides == (START, START)
    assert (state.view(None).last, state.dice, state.thrown) == (None, (), ())


def test_tv_5_what_does_not_belong_to_the_phase_is_refused() -> None:
    start = Tavla.start(SINGLE, 2)
    assert refusal(start, Move(24, 1)) == Common.WRONG_PHASE
    assert refusal(start, Undo()) == Common.WRONG_PHASE
    assert refusal(start, Roll(), 1) == Common.NOT_YOUR_TURN
    rolling, _ = start.play(0, Roll())
    assert (rolling.phase, rolling.turn, rolling.view(0).turn, rolling.view(0).mover) == ("start", HOUSE, None, 0)
    assert refusal(rolling, Roll()) == Common.NOT_YOUR_TURN
    for lot in (Roll(), Deal(), Dice((1, 2))):
        assert refusal(rolling, lot, HOUSE) == Common.WRONG_PHASE, "one die is due"
    moving = at(dice=(5, 3))
    assert refusal(moving, Roll()) == Common.WRONG_PHASE
    waits, _ = at().play(0, Roll())
    assert waits.phase == "roll"
    for lot in (Dice((1,)), Deal()):
        assert refusal(waits, lot, HOUSE) == Common.WRONG_PHASE, "two dice are due"


@pytest.mark.parametrize("dice", ["[]", "[0,1]", "[7]", "[1,2,3]", '["x"]', "3"])
def test_tv_6_what_is_no_throw_is_malformed(dice: str) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.lots, f'{{"do":"dice","dice":{dice}}}')


@pytest.mark.parametrize(
    "fields",
    ['"from":0,"die":1', '"from":25,"die":1', '"from":"off","die":1', '"from":8,"die":7', '"from":8', '"die":1'],
)
def test_tv_19_what_is_no_move_is_malformed(fields: str) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.actions, f'{{"do":"move",{fields}}}')


def test_a_move_is_read_from_a_form_too() -> None:
    assert codec.read_action(GAME.actions, '{"do":"move","from":"13","die":"5"}') == Move(13, 5)
    assert codec.read_action(GAME.actions, '{"do":"move","from":"bar","die":"5"}') == Move("bar", 5)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=100)
def test_tv_6_the_luck_of_the_first_game_is_drawn_in_the_order_in_which_it_is_thrown(seed: int) -> None:
    lots = Tavla.start(SINGLE, 2).draw_lots(Random(seed))
    start, pairs = lots[:-ROLLS], lots[-ROLLS:]
    assert all(isinstance(lot, Dice) and len(lot.dice) == 2 for lot in pairs)
    faces = [lot.dice[0] for lot in start if isinstance(lot, Dice) and len(lot.dice) == 1]
    assert len(faces) == len(start)
    assert len(faces) % 2 == 0
    ties = [one == other for one, other in zip(faces[::2], faces[1::2], strict=True)]
    assert ties == [True] * (len(ties) - 1) + [False]


def test_tv_6_luck_is_drawn_for_what_is_still_to_come() -> None:
    state, _ = thrown(Tavla.start(SINGLE, 2), 4)
    state, _ = state.play(1, Roll())
    for seed in range(40):
        lots = state.draw_lots(Random(seed))
        first = lots[0]
        assert isinstance(first, Dice)
        assert len(lots) - ROLLS == 1 or first == Dice((4,)), "black's die, and more only after a tie"
    over, _ = put(at("1", AFAR, dice=(6, 5), target=3), (1, 6))
    lots = over.draw_lots(Random(1))
    assert (lots[0], len(lots)) == (Deal(), 1 + ROLLS)
    assert len(at().draw_lots(Random(1))) == ROLLS


def test_tv_6_every_face_is_thrown() -> None:
    lots = at().draw_lots(Random(1))
    faces = Counter(face for lot in lots if isinstance(lot, Dice) for face in lot.dice)
    assert set(faces) == set(range(1, 7))


# --- moving ---


def test_tv_7_tv_b4_a_double_is_four_steps_of_one_turn() -> None:
    state = at(dice=(1, 1))
    assert state.dice == (1, 1, 1, 1)
    state, _ = put(state, (8, 1), (8, 1), (6, 1))
    assert (state.turn, state.dice, len(state.steps)) == (0, (1,), 3)
    undone, _ = state.play(0, Undo())
    assert undone == at(dice=(1, 1)), "to the roll, not to half of it"
    state, _ = put(state, (6, 1))
    assert (state.turn, state.phase) == (1, "roll")
    assert state.sides[0] == side("24:2 13:5 8 7:2 6:3 5:2")


def test_tv_7_a_die_is_played_once() -> None:
    state, _ = put(at(dice=(5, 3)), (13, 5))
    assert refusal(state, Move(13, 5)) == No.NO_DIE
    assert legal(state) >= {(13, 3), (24, 3)}


def test_tv_8_two_enemies_close_a_point_and_a_single_one_is_hit() -> None:
    state = at("8 1:14", "19:2 20 13:12", dice=(3, 2))
    assert refusal(state, Move(8, 2)) == No.BLOCKED
    (hits,) = (step for step in state.view(0).legal if step.die == 3)
    assert hits == Step(8, 3, 5, hit=True)
    state, events = put(state, (8, 3))
    assert events == (Moved(0, 8, 5, 3, hit=True),)
    assert state.sides[1] == side("19:2 13:12 bar")


def test_tv_9_a_checker_on_the_bar_enters_first() -> None:
    state = at("bar 13:5 8:3 6:6", dice=(4, 2))
    assert refusal(state, Move(13, 4)) == No.BAR_FIRST
    assert legal(state) == {("bar", 4), ("bar", 2)}
    state, events = put(state, ("bar", 4))
    assert events == (Moved(0, "bar", 21, 4, hit=False),)
    assert refusal(state, Move("bar", 2)) == No.NO_CHECKER
    assert state.sides[0][21] == 1


def test_tv_10_bearing_off() -> None:
    state = at("7 6 4:2 1:11", AFAR, dice=(4, 1))
    assert refusal(state, Move(4, 4)) == No.NOT_ALL_HOME
    state, _ = put(state, (7, 1))
    assert (4, 4) in legal(state)
    assert (6, 4) in legal(state), "a die may also be moved inside home"
    state, events = put(state, (4, 4))
    assert events == (Moved(0, 4, "off", 4, hit=False),)
    assert state.sides[0] == side("6:2 4 1:11")


def test_tv_10_a_larger_die_takes_one_from_the_rearmost_point() -> None:
    state = at("4:2 3:2", AFAR, dice=(6, 5))
    assert legal(state) == {(4, 6), (4, 5)}
    assert refusal(state, Move(3, 5)) == No.FARTHER_CHECKER


def test_tv_11_a_partial_play_is_legal_where_a_whole_one_begins_with_it() -> None:
    state = at("20 3:2 2:6 1:6", "8:15", dice=(5, 3))
    assert refusal(state, Move(20, 3)) == No.BLOCKED
    assert legal(state) == {(20, 5)}


def test_tv_12_tv_c13_the_last_checker_wins_at_once() -> None:
    state = at("4", "23 1:14", dice=(6, 2))
    assert legal(state) == {(4, 6), (4, 2)}
    over, events = put(state, (4, 6))
    assert (over.phase, events[-1]) == ("over", HandEnded((2, 0), "mars"))
    long, events = put(state, (4, 2), (2, 6))
    assert (long.phase, events[0]) == ("over", Moved(0, 2, "off", 6, hit=False))
    assert long.sides[1][BAR] == 1


def test_tv_13_tv_c3_gele_is_told_and_shown() -> None:
    state, events = thrown(at("bar 24 13:5 8:3 6:5", "13:5 8:3 6:4 4:3"), 6, 4)
    assert events == (DiceThrown(0, (6, 4)), NoMove(0))
    assert (state.phase, state.turn, state.dice) == ("roll", 1, ())
    for viewer in (0, 1, None):
        assert state.view(viewer).passed == Turn(0, (6, 4), ())
    assert refusal(state, Undo()) == Common.NOT_YOUR_TURN
    state, _ = thrown(state, 2, 1)
    assert state.view(0).passed == Turn(0, (6, 4), ()), "while the other plays"
    state, _ = put(state, (8, 2), (6, 1))
    assert state.view(0).passed is None
    assert state.view(0).last == Turn(1, (2, 1), (Step(8, 2, 6, hit=False), Step(6, 1, 5, hit=False)))


def test_tv_13_tv_b7_nothing_is_played_by_itself() -> None:
    state = at("20 3:2 2:6 1:6", AFAR, dice=(5, 3))
    assert len(state.view(0).legal) == 1
    assert (state.turn, state.phase) == (0, "move"), "the only move is the seat's own"
    for seat in (1, 2, HOUSE):
        assert refusal(state, Move(20, 5), seat) == Common.NOT_YOUR_TURN
    assert state.view(1).legal == state.view(None).legal == ()


def test_tv_14_tv_i4_undo_restores_the_state_after_the_roll_byte_by_byte() -> None:
    rolled, _ = thrown(at("24:2 13:5 8:3 6:5", "24 20 13:5 8:3 6:5"), 5, 1)
    after, _ = put(rolled, (6, 1))
    assert after.sides[1][BAR] == 1
    assert (rolled.view(0).may_undo, after.view(0).may_undo, after.view(1).may_undo) == (False, True, False)
    undone, events = after.play(0, Undo())
    assert events == (TakenBack(0),)
    assert codec.encode(undone) == codec.encode(rolled)
    assert refusal(undone, Undo()) == No.NOTHING_TO_UNDO


@given(match=matches(GAME), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=8)
def test_tv_i4_every_undo_leads_back_to_the_roll(match: Match, seed: int) -> None:
    with match:
        rolled = b""
        for step in match.steps():
            text = codec.encode(step.after).encode()
            if isinstance(step.action, Dice):
                rolled = text
            elif isinstance(step.action, Undo):
                assert text == rolled
        assert any(isinstance(action, Undo) for _, action in match.log)


@pytest.mark.parametrize(("dice", "left"), [((4,), (4,)), ((4, 4), (4,) * 4), ((4, 4, 4), (4,) * 3), ((4, 2), (4, 2))])
def test_tv_14_undo_in_a_set_up_position_gives_back_its_dice(dice: tuple[int, ...], left: tuple[int, ...]) -> None:
    state = at(dice=dice)
    assert state.dice == left
    if len(left) > 1:
        state, _ = put(state, (24, 4))
        state, _ = state.play(0, Undo())
        assert state == at(dice=dice)


def test_tv_14_a_view_tells_which_step_is_the_last() -> None:
    """So that a screen can wait before it sends it: also where the other die can't be played (TV-C5)."""
    alone = {"white": {"points": {"20": 1, "3": 2, "2": 6, "1": 6}}, "black": {"points": {"13": 15}}}
    setup = codec.convert(TavlaSetup, {"board": alone, "dice": [5, 3]})
    state = Tavla.start(TavlaRules(), 2, setup)
    assert state.view(0).closing
    assert not state.view(1).closing
    fresh = Tavla.start(TavlaRules(), 2, codec.convert(TavlaSetup, {"dice": [5, 3]}))
    assert not fresh.view(0).closing
    assert fresh.play(0, Move(13, 5))[0].view(0).closing


def test_tv_15_hitting_and_moving_on_at_home_is_allowed() -> None:
    state, _ = put(at("6:2 5:13", "22 1:14", dice=(3, 1)), (6, 3))
    assert state.sides[1][BAR] == 1
    assert (3, 1) in legal(state)


# --- the result ---


@pytest.mark.parametrize(
    ("black", "points"), [("13:14", 1), ("13:15", 2), ("24:15", 2), ("bar 13:14", 2), ("bar 6:13", 1)]
)
def test_tv_16_tv_c12_a_game_is_one_point_or_two_never_three(black: str, points: int) -> None:
    state = at("3:2 2:2", black, dice=(3, 3), target=3)
    state, _ = put(state, (3, 3), (3, 3), (2, 3))
    assert state.phase == "move"
    state, events = put(state, (2, 3))
    mars = points == 2
    told = (*((MarsMade(0),) if mars else ()), GameWon(0, points), HandEnded((points, 0), "mars" if mars else "single"))
    assert events[1:] == told
    view = state.view(1)
    assert (view.scores, view.totals, view.history) == ((points, 0), (points, 0), (Won(0, points),))
    assert view.history[0].mars == mars
    assert view.reason == ("mars" if mars else "single")


def test_tv_17_tv_c14_passing_the_target_wins_the_match() -> None:
    state, _ = put(at("1", AFAR, dice=(2, 1), target=3, score=(2, 0)), (1, 2))
    assert (state.phase, state.turn) == ("over", None)
    assert state.view(None).totals == (4, 0)
    assert state.view(None).winners == (0,)
    assert state.result is not None
    assert state.result.places == (1, 2)


def test_tv_17_short_of_the_target_the_match_goes_on() -> None:
    state, _ = put(at(AFAR, "1", dice=(2, 1), target=5, score=(4, 2), turn=1), (1, 2))
    assert (state.phase, state.view(None).totals, state.view(None).winners) == ("hand_over", (4, 4), ())
    assert state.result is None
    state, _ = put(at("1", "13:14", dice=(2, 1), target=1), (1, 1))
    assert state.view(None).winners == (0,)


def test_tv_17_the_table_says_how_long_it_plays() -> None:
    assert [TEXTS.length(TavlaRules(target=target), 2) for target in (1, 3, 5, 7)] == [
        "Tek oyun",
        "3 oyun",
        "5 oyun",
        "7 oyun",
    ]


def test_tv_18_a_spectator_sees_board_dice_and_score() -> None:
    state = at(dice=(5, 3), target=3, score=(1, 2))
    seen, own = state.view(None), state.view(0)
    assert replace(own, seat=None, legal=()) == seen
    assert (seen.dice, seen.totals, seen.target) == ((5, 3), (1, 2), 3)


@pytest.mark.parametrize(
    ("code", "state", "move"),
    [
        (No.NO_DIE, at("bar 13:14", dice=(6, 5), black="1:15"), Move(12, 4)),
        (No.BAR_FIRST, at("bar 13:14", dice=(6, 5), black="1:15"), Move(12, 6)),
        (No.NO_CHECKER, at(dice=(6, 5)), Move(12, 6)),
        (No.NO_CHECKER, at(dice=(6, 5)), Move("bar", 6)),
        (No.BLOCKED, at(dice=(6, 5)), Move(24, 5)),
        (No.NOT_ALL_HOME, at("7 4 3:13", AFAR, dice=(6, 5)), Move(3, 5)),
        (No.FARTHER_CHECKER, at("4 3:13", AFAR, dice=(6, 5)), Move(3, 5)),
        (No.NOT_MAXIMAL, at("20 3:2 2:6 1:6", AFAR, dice=(5, 3)), Move(20, 3)),
        (No.NOTHING_TO_UNDO, at(dice=(6, 5)), Undo()),
    ],
)
def test_tv_19_each_code_and_their_order(code: No, state: Tavla, move: Action) -> None:
    assert refusal(state, move) == code


# --- invariants ---


@given(match=matches(GAME))
@settings(max_examples=8)
def test_tv_i1_tv_i3_fifteen_a_side_never_two_on_a_point_and_pips_fall_by_the_dice(match: Match) -> None:
    with match:
        for step in match.steps():
            before, after = step.before, step.after
            assert isinstance(before, Tavla)
            assert isinstance(after, Tavla)
            one, other = after.sides
            assert sum(one) == sum(other) == CHECKERS
            assert min(*one, *other) == 0
            assert not any(one[point] and other[BAR - point] for point in range(1, BAR))
            if isinstance(step.action, Move):
                fell = board.pips(before.sides[step.seat]) - board.pips(after.sides[step.seat])
                larger = step.action.start != "bar" and step.action.start < step.action.die
                assert fell == (step.action.start if larger else step.action.die)


TV_I6 = (
    "11:42 22:75 33:73 44:52 55:4 66:11 21:15 31:16 32:17 41:14 42:18 43:17 51:8 52:8 53:9 54:9 61:10 62:14 63:14 "
    "64:14 65:7"
)


@pytest.mark.parametrize("row", TV_I6.split())
def test_tv_i6_distinct_boards_from_the_layout(row: str) -> None:
    throw, _, count = row.partition(":")
    assert len(finals(START, START, dice_of((int(throw[0]), int(throw[1]))))) == int(count)


def compared(seed: int) -> int:
    """One position and throw at random, held against trying everything; how many dice can be played."""
    rng = Random(seed)
    mine, theirs = position(rng)
    one, other = rng.randint(1, 6), rng.randint(1, 6)
    dice = dice_of((one, one if rng.random() < 0.5 else other))
    every = every_play.plays(mine, theirs, dice)
    assert finals(mine, theirs, dice) == set(every.values())
    assert finals(mine, theirs, dice) == finals(mine, theirs, dice[::-1]), "TV-I5"
    chosen = rng.choice(sorted(every))
    for done in range(len(chosen) + 1):
        goes_on = {play[done] for play in every if play[:done] == chosen[:done] and len(play) > done}
        now, they, left = mine, theirs, dice
        for start, die in chosen[:done]:
            now, they, _ = board.moved(now, they, start, die)
            left = board.without(left, die)
        if now[OFF] < CHECKERS:
            assert set(steps(now, they, left)) == goes_on
    return len(chosen)


def test_tv_i2_tv_i5_all_plays_are_those_that_trying_everything_finds(rounds: Rounds) -> None:
    lengths: Counter[int] = Counter()
    for seed in range(rounds(500, 20_000)):
        try:
            lengths[compared(seed)] += 1
        except AssertionError as error:
            raise AssertionError(f"seed {seed}") from error
    assert min(lengths[length] for length in range(5)) > 2, "nothing, and one die to four, were there"


# --- typical bugs ---


def test_tv_b1_one_first_step_does_not_lose_the_second_die() -> None:
    state, _ = put(at("20 3:2 2:6 1:6", "8:15", dice=(5, 3)), (20, 5))
    assert (state.turn, state.dice, legal(state)) == (0, (3,), {(15, 3)})


def test_tv_b2_tv_c8_a_step_that_blocks_the_second_die_is_refused() -> None:
    state = at("20 10 3 2:6 1:6", "20:5 13:5 10:5", dice=(5, 3))
    assert legal(state) == {(10, 3)}
    assert refusal(state, Move(20, 3)) == No.NOT_MAXIMAL


def test_tv_b3_tv_c5_tv_c6_one_die_alone_is_the_larger_where_it_fits() -> None:
    assert legal(at("20 3:2 2:6 1:6", AFAR, dice=(5, 3))) == {(20, 5)}
    assert legal(at("20 3:2 2:6 1:6", "13:8 10:7", dice=(3, 5))) == {(20, 3)}


def test_tv_b5_a_larger_die_is_for_the_rearmost_checker() -> None:
    state = at("6 3:2", AFAR, dice=(5, 4))
    assert refusal(state, Move(3, 5)) == No.FARTHER_CHECKER
    assert (3, 5) in legal(put(at("5 3:2", AFAR, dice=(5, 2)), (5, 2))[0])


def test_tv_b8_a_turn_survives_a_reload_in_its_midst() -> None:
    state, _ = put(at(dice=(6, 5)), (24, 6))
    again = codec.decode(Tavla, codec.encode(state))
    assert again == state
    assert (again.view(0).dice, again.view(0).thrown, again.view(0).steps) == ((5,), (6, 5), state.steps)


# --- examples ---


def test_tv_c2_one_enters_the_other_stays() -> None:
    state = at("bar:2 13:5 8:3 6:5", dice=(6, 2))
    assert legal(state) == {("bar", 2)}
    state, _ = put(state, ("bar", 2))
    assert (state.turn, state.phase, state.sides[0][BAR]) == (1, "roll", 1)


def test_tv_c4_the_one_enters_then_any_three() -> None:
    text, black = "bar 13:5 8:3 6:6", "13:5 8:3 6:5 3:2"
    assert len(white(text, 3, 1, black=black)) == 4
    state, _ = put(at(text, black, dice=(3, 1)), ("bar", 1))
    assert legal(state) == {(24, 3), (13, 3), (8, 3), (6, 3)}


def test_tv_c7_five_first() -> None:
    assert white("20 3:2 2:6 1:6", 5, 3, black="8:15") == {"12:1,3:2,2:6,1:6|0|0"}


def test_tv_c9_two_of_four_fours() -> None:
    assert white("24 3:7 2:7", 4, 4, black=AFAR) == {"16:1,3:7,2:7|0|0"}
    state, _ = put(at("24 3:7 2:7", AFAR, dice=(4, 4)), (24, 4), (20, 4))
    assert (state.turn, state.phase) == (1, "roll")
    assert state.view(0).last == Turn(0, (4, 4), (Step(24, 4, 20, hit=False), Step(20, 4, 16, hit=False)))


def test_tv_c10_two_ways_to_one_left() -> None:
    assert white("5 2", 4, 2, black=AFAR) == {"1:1|0|14", "2:1|0|14"}


def test_tv_c11_the_farther_checker_first() -> None:
    assert white("6 3:2", 5, 4, black=AFAR) == {"3:1,1:1|0|13", "3:1,2:1|0|13"}


def test_tv_c15_undo_then_another_play_then_too_late() -> None:
    rolled, _ = thrown(at(), 3, 1)
    state, _ = put(rolled, (8, 3))
    state, _ = state.play(0, Undo())
    assert state == rolled
    state, _ = put(state, (6, 1), (8, 3))
    assert refusal(state, Undo()) == Common.NOT_YOUR_TURN


# --- what is shown ---


def test_the_view_counts_throws_faces_and_doubles_of_the_whole_match() -> None:
    state, _ = thrown(at(), 3, 3)
    state, _ = put(state, (8, 3), (8, 3), (6, 3), (6, 3))
    state, _ = thrown(state, 6, 5)
    state, _ = put(state, (24, 6), (18, 5))
    assert state.view(0).throws == (Throws(1, (0, 0, 2, 0, 0, 0), 1), Throws(1, (0, 0, 0, 0, 1, 1), 0))
    start, _ = thrown(Tavla.start(SINGLE, 2), 4)
    assert start.view(0).throws[0].count == 0, "the throw for the start is none of two dice"


def test_pips_count_the_bar_and_not_what_is_off() -> None:
    assert at("bar 6 1", AFAR).view(None).pips == (32, 195)


@pytest.mark.parametrize(
    ("viewer", "state", "cue"),
    [
        (0, Tavla.start(SINGLE, 2), "start"),
        (0, thrown(thrown(Tavla.start(SINGLE, 2), 4)[0], 4)[0], "tied"),
        (0, at().play(0, Roll())[0], "rolling"),
        (0, at(), "roll"),
        (1, thrown(at("bar 24 13:5 8:3 6:5", "13:5 8:3 6:4 4:3"), 6, 4)[0], "gele"),
        (0, at(dice=(5, 3)), "move"),
        (1, at("bar 13:14", dice=(5, 3)), "bar"),
        (0, put(at("1", AFAR, dice=(5, 3), target=3), (1, 3))[0], "hand_over"),
        (0, put(at("1", AFAR, dice=(5, 3)), (1, 3))[0], "over"),
    ],
)
def test_the_step_line_says_what_there_is_to_do(viewer: int, state: Tavla, cue: str) -> None:
    assert TEXTS.cue(state.view(viewer)) == cue
    assert cue in TEXTS.prompts


def test_every_prompt_has_its_cue() -> None:
    assert set(TEXTS.prompts) == {"start", "tied", "rolling", "roll", "gele", "move", "bar", "hand_over", "over"}


# --- the clock ---


def test_ab_8_the_clock_rolls_and_plays_the_highest_checker_with_the_larger_die() -> None:
    assert at().idle(0) == Roll()
    assert at(dice=(3, 1)).idle(0) == Move(24, 3)
    assert at("bar 24 13:13", dice=(1, 3)).idle(0) == Move("bar", 3)
    assert put(at(dice=(6, 5)), (24, 6))[0].idle(0) == Move(18, 5), "never an undo"


# --- at a table ---


def test_tv_6_luck_is_sealed_before_the_first_roll_and_again_when_it_is_used_up() -> None:
    room, rng = Room(waiting(2, game=GAME)), Random(4)
    room.begin(rng)
    assert room.table.state is not None
    assert room.table.state.turn == 0
    assert room.table.luck is not None
    for _ in room.play(rng):
        pass
    log = [(entry.seat, entry.action) for change in room.changes for entry in change.entries]
    seals = [n for n, (_, action) in enumerate(log) if isinstance(action, fairness.Seal)]
    thrown_before = sum(isinstance(action, Dice) for _, action in log[: seals[1]])
    assert seals[0] == 0
    assert thrown_before >= ROLLS + 2, "the second was needed"
    assert isinstance(log[seals[1] - 1][1], fairness.Reveal)
    assert fairness.broken(log, GAME.lots) is None


def test_tv_4_every_game_of_a_match_has_luck_of_its_own() -> None:
    room, rng = Room(waiting(2, game=GAME, rules=TavlaRules(target=3))), Random(1)
    room.begin(rng)
    for _ in room.play(rng):
        pass
    log = [(entry.seat, entry.action) for change in room.changes for entry in change.entries]
    deals = [n for n, (_, action) in enumerate(log) if isinstance(action, Deal)]
    assert deals
    assert all(isinstance(log[n - 1][1], fairness.Seal) for n in deals)
    assert fairness.broken(log, GAME.lots) is None


# --- records that leave luck out ---


def test_a_record_draws_the_luck_of_every_game_that_it_does_not_state() -> None:
    match = Match(GAME, TavlaRules(target=3), 2, seed=1)
    while match.state.turn is not None:
        match.step(None if match.state.turn == HOUSE else match.state.idle(match.state.turn))
    assert any(isinstance(action, Deal) for _, action in match.log)
    lines = [line for line in match.text().splitlines() if '"house"' not in line]
    played = record.replay(record.read("\n".join(lines)), GAME, Random(1))
    assert played.failures == ()
    assert played.state == match.state


def test_luck_that_a_record_states_voids_what_was_drawn() -> None:
    rng = Random(1)
    start, _ = Tavla.start(SINGLE, 2).play(0, Roll())
    state, _ = start.play(HOUSE, start.draw_lots(rng)[0])
    state, _ = state.play(1, Roll())
    assert state.start_dice != (6,)
    state, _ = state.play(HOUSE, Dice((6,)))
    state, _ = state.play(1, Roll())
    state, _ = state.play(HOUSE, state.draw_lots(rng)[0])
    actions = [(0, Roll()), (1, Roll()), (HOUSE, Dice((6,))), (1, Roll()), (1, state.idle(1))]
    played = record.replay(record.read(record.dumps(GAME, SINGLE, 2, actions)), GAME, Random(1))
    assert played.failures == ()


# --- positions ---

BAD: dict[str, dict[str, Any]] = {
    "a side has 15 checkers, not 14": {"board": {"white": {"points": {"6": 14}}, "black": {"points": {"6": 15}}}},
    "no point '25'": {"board": {"white": {"points": {"25": 15}}, "black": {"points": {"6": 15}}}},
    "both sides are on white's point 19": {"board": {"white": {"points": {"19": 15}}, "black": {"points": {"6": 15}}}},
    "a side has borne off all its checkers": {
        "board": {"white": {"points": {}, "off": 15}, "black": {"points": {"6": 15}}}
    },
    "nothing can be played with these dice": {
        "board": {"white": {"points": {"13": 14}, "bar": 1}, "black": {"points": {"6": 8, "4": 7}}},
        "dice": [6, 4],
    },
    "three or four dice are those of a double": {"dice": [1, 2, 3]},
    "there are dice to play in phase move, and only there": {"dice": [1, 2], "phase": "roll"},
    "there are dice to play in phase move, and only there ": {"phase": "move"},
    "seat 0 throws first for the start": {"phase": "start", "turn": 1},
    "the match is over": {"match": {"target": 3, "score": [0, 3]}},
}


@pytest.mark.parametrize(("line", "setup"), BAD.items(), ids=BAD)
def test_tv_i1_a_setup_that_breaks_an_invariant_is_refused(line: str, setup: dict[str, Any]) -> None:
    with pytest.raises(BadSetup) as refused:
        record.start(GAME, SINGLE, 2, setup)
    assert str(refused.value) == line.strip()


@pytest.mark.parametrize(
    "setup",
    [
        {"turn": 2},
        {"dice": [7]},
        {"dice": [1, 1, 1, 1, 1]},
        {"match": {"target": 2}},
        {"match": {"score": [-1, 0]}},
        {"board": {"white": {"points": {"6": 15}}}},
        {"phase": "hand_over"},
        {"cube": 2},
    ],
    ids=str,
)
def test_a_setup_that_is_none_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        record.start(GAME, SINGLE, 2, setup)


def test_a_setup_may_leave_everything_out_or_begin_with_the_throw_for_the_start() -> None:
    state = record.start(GAME, TavlaRules(target=5), 2, {"turn": 1})
    assert (state.phase, state.turn, state.view(None).totals) == ("roll", 1, (0, 0))
    assert state.view(None).target == 5, "where the setup names none, the table's own"
    state = record.start(GAME, SINGLE, 2, {"phase": "start", "match": {"target": 7, "score": [6, 2]}})
    assert (state.phase, state.turn, state.view(None).totals, state.view(None).target) == ("start", 0, (6, 2), 7)
