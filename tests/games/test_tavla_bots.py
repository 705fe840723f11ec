"""Tavla's bots: they play by the rules, by what they see, and as good players do."""

from random import Random

import pytest

from mokali.engine.protocol import HOUSE, Action, Mind, ends_hand
from mokali.games.tavla import GAME
from mokali.games.tavla.board import BAR
from mokali.games.tavla.bots import hit_chance, longest_wall, why
from mokali.games.tavla.expert import match_chance, stakes_of
from mokali.games.tavla.rules import TavlaRules
from mokali.games.tavla.state import Move, Roll, Tavla
from tests.games.test_tavla import FRESH, Rounds, at, side

LEVELS = ("kolay", "orta", "zor")


def mind(state: Tavla, seed: int = 1, seconds: float = 1.0) -> Mind:
    assert state.turn is not None
    view, rng = state.view(state.turn), Random(seed)
    return Mind(view, state.moves(state.turn), lambda: Tavla.imagine(view, rng), rng, lambda: seconds)


def chosen(level: str, state: Tavla, seed: int = 1) -> Action:
    return GAME.bots[level].think(mind(state, seed))


def whole(level: str, state: Tavla) -> set[tuple[int, int]]:
    """All steps of the turn that this level plays."""
    seat, played = state.turn, set[tuple[int, int]]()
    while state.turn == seat:
        assert seat is not None
        action = chosen(level, state)
        assert isinstance(action, Move)
        start = BAR if action.start == "bar" else action.start
        played.add((start, max(start - action.die, 0)))
        state, _ = state.play(seat, action)
    return played


def match(levels: tuple[str, str], seed: int) -> Tavla:
    state, luck, lots = Tavla.start(TavlaRules(target=3), 2), Random(seed), list[Action]()
    while state.turn is not None:
        if state.turn == HOUSE:
            lots = lots or list(state.draw_lots(luck))
            action = lots.pop(0)
        else:
            action = chosen(levels[state.turn], state)
        state, events = state.play(state.turn, action)
        lots = [] if ends_hand(events) else lots
    return state


@pytest.mark.parametrize("levels", [("kolay", "orta"), ("orta", "zor")])
def test_every_move_is_legal(levels: tuple[str, str], rounds: Rounds) -> None:
    for seed in range(rounds(6 if "zor" not in levels else 1, 10_000 if "zor" not in levels else 500)):
        assert match(levels, seed).result is not None


@pytest.mark.parametrize("level", LEVELS)
def test_what_looks_the_same_is_played_the_same(level: str) -> None:
    state, luck = Tavla.start(TavlaRules(target=3), 2), Random(5)
    for step in range(150):
        if state.turn == HOUSE:
            state, _ = state.play(HOUSE, state.draw_lots(luck)[0])
            continue
        assert state.turn is not None
        if step % 5 == 0:
            worlds = [Tavla.imagine(state.view(state.turn), Random(seed)) for seed in (1, 2)]
            assert len({repr(chosen(level, world)) for world in (*worlds, state)}) == 1
        state, _ = state.play(state.turn, luck.choice(state.moves(state.turn)))


@pytest.mark.parametrize("level", LEVELS)
def test_they_roll_when_they_must(level: str) -> None:
    assert chosen(level, at()) == Roll()


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_taken_back(level: str) -> None:
    state, _ = at(dice=(6, 5)).play(0, Move(24, 6))
    assert isinstance(chosen(level, state), Move)


@pytest.mark.parametrize("level", LEVELS)
def test_who_can_end_the_game_does(level: str) -> None:
    state = at("3 1", "23 6:5", dice=(3, 1))
    while state.turn == 0:
        state, _ = state.play(0, chosen(level, state))
    assert state.history[-1].seat == 0


# --- orta, and zor as well: what good players do ---


@pytest.mark.parametrize("level", ["orta", "zor"])
@pytest.mark.parametrize(
    ("dice", "played"),
    [
        ((3, 1), {(8, 5), (6, 5)}),
        ((4, 2), {(8, 4), (6, 4)}),
        ((6, 1), {(13, 7), (8, 7)}),
    ],
)
def test_the_openings_everybody_knows(level: str, dice: tuple[int, int], played: set[tuple[int, int]]) -> None:
    assert whole(level, at(dice=dice)) == played


@pytest.mark.parametrize("level", ["orta", "zor"])
def test_a_blot_in_ones_home_is_hit(level: str) -> None:
    state = at("24:2 13:5 8:3 6:5", "20:1 24:1 13:5 8:3 6:5", dice=(3, 1))
    assert (6, 5) in whole(level, state)


@pytest.mark.parametrize("level", ["orta", "zor"])
def test_in_the_race_checkers_come_off_when_they_can(level: str) -> None:
    assert whole(level, at("6:2 5:2 4:2 3:2 2:1", "6:5 5:4", dice=(6, 5))) == {(6, 0), (5, 0)}


@pytest.mark.parametrize(
    ("mine", "theirs", "blot", "throws"),
    [
        ("2 13:2", "24:2", 2, 11),
        ("7 13:2", "24:2", 7, 17),
        ("7 2:2 3:2 4:2 5:2 6:2", "24:2", 7, 11),
        ("20 6:2", "24:2", 20, 0),
    ],
)
def test_hit_chance_counts_throws(mine: str, theirs: str, blot: int, throws: int) -> None:
    assert hit_chance(side(mine), side(theirs), blot) * 36 == pytest.approx(throws)


def test_a_wall_counts_where_a_checker_is_behind_it() -> None:
    assert longest_wall(side("8:2 7:2 6:2 5:2"), 24) == 4
    assert longest_wall(side("8:2 7:2 6:2 5:2"), 18) == 1
    assert longest_wall(side(FRESH), 24) == 1


# --- zor: the match, and the time ---


def test_what_a_game_is_worth_depends_on_the_score() -> None:
    assert stakes_of(at(dice=(3, 1)).view(0)) == (1, 1, -1, -1), "the last game: a mars is but a win"
    win, mars, lose, lose_mars = stakes_of(at(target=5, dice=(3, 1)).view(0))
    assert (lose, lose_mars) == pytest.approx((-win, -mars))
    assert 0 < win < mars < 1
    win, mars, lose, lose_mars = stakes_of(at(target=3, score=(1, 2), dice=(3, 1)).view(0))
    assert (mars, lose, lose_mars) == (1, -1, -1)
    assert win == pytest.approx(0)


def test_chances_in_a_match() -> None:
    assert match_chance(3, 3) == pytest.approx(0.5)
    assert match_chance(1, 2) + match_chance(2, 1) == pytest.approx(1)
    assert match_chance(1, 7) > match_chance(1, 3) > match_chance(1, 2) > 0.6


def test_without_time_the_first_look_counts() -> None:
    state = at(dice=(4, 3))
    hurried = GAME.bots["zor"].think(mind(state, seconds=0))
    assert hurried in state.moves(0)


# --- why ---


@pytest.mark.parametrize(
    ("white", "black", "dice", "action", "said"),
    [
        (FRESH, FRESH, (), Roll(), "Pullar atılan zarlara göre oynanır."),
        ("6:2 5:2", "6:5", (6, 5), Move(6, 6), "Pul toplarsın: önce bütün pullarını toplayan kazanır."),
        (FRESH, "20 24 13:5 8:3 6:5", (3, 1), Move(6, 1), "Rakibin açık pulunu kırarsın: o pul 5 hane geri düşer."),
        ("24:2 13:5 8:3 6:4 5", FRESH, (3, 1), Move(8, 3), "5 kapısını alırsın: rakip oraya oynayamaz."),
        ("bar 24 13:5 8:3 6:5", FRESH, (4, 3), Move("bar", 4), "Bardaki pulun oyuna girer."),
        ("24:2 13:4 10 8:3 6:5", FRESH, (4, 2), Move(10, 2), "Açıktaki pulunu güvene alırsın."),
        (FRESH, FRESH, (6, 4), Move(24, 6), "Arkadaki pulunu rakibin evinden çıkarırsın."),
        ("9 6:5", "6:5", (4, 1), Move(9, 4), "Pulunu evine sokarsın: toplamak için bütün pulların evde olmalı."),
        ("24", FRESH, (5, 4), Move(24, 4), "Bu zarla oynanabilecek tek hamle bu."),
        (FRESH, FRESH, (4, 3), Move(13, 3), "Pulunu evine yaklaştırırsın."),
    ],
)
def test_why_says_what_a_move_does(white: str, black: str, dice: tuple[int, ...], action: Action, said: str) -> None:
    assert why(mind(at(white, black, dice=dice)), action) == said
