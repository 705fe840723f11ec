"""Tavla's arrays against its rules, and what the networks are told and answer."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from mokali.games.tavla import network
from mokali.games.tavla.board import BAR, CHECKERS, START, Board, Dice, dice_of, finals
from mokali.games.tavla.plays import array_of, board_of, plays, turned
from tests.games.test_tavla import side

Rounds = Callable[[int, int], int]


def positions(rng: Random, count: int) -> list[Board]:
    """As they come up when anything is played, and as many bearings off."""
    found: list[Board] = []
    board: Board = (START, START)
    while len(found) < count:
        mine, theirs = rng.choice(sorted(finals(*board, dice_of(throw(rng)))))
        board = (theirs, mine) if mine[0] < CHECKERS else (START, START)
        found += [board, (_few(rng), _few(rng))]
    return found


def throw(rng: Random) -> Dice:
    return rng.randint(1, 6), rng.randint(1, 6)


def _few(rng: Random) -> tuple[int, ...]:
    places = [rng.choice((1, 2, 3, 4, 5, 6, 6, 7)) for _ in range(rng.randint(1, 4))]
    return CHECKERS - len(places), *(places.count(place) for place in range(1, BAR + 1))


def test_tv_7_to_tv_12_arrays_find_the_plays_that_the_rules_find(rounds: Rounds) -> None:
    rng = Random(7)
    boards = positions(rng, rounds(3000, 100_000))
    throws = [throw(rng) for _ in boards]
    found = plays(array_of(boards), np.array(throws))
    assert list(found.owners) == sorted(found.owners)
    ends: list[list[Board]] = [[] for _ in boards]
    for row, owner in zip(found.boards, found.owners, strict=True):
        ends[owner].append(board_of(row))
    for board, dice, got in zip(boards, throws, ends, strict=True):
        assert len(got) == len(set(got)), "none comes twice"
        assert set(got) == finals(*board, dice_of(dice)), (board, dice)


def told(mine: str, theirs: str) -> network.Floats:
    """What the networks are told of the mover's side."""
    return network.inputs(array_of([(side(mine), side(theirs))]))[0, : network.SIDE]


@pytest.mark.parametrize(
    ("mine", "theirs", "throws"),
    [
        ("24:2", "2 13:2", 11),  # one away: 11 of 36 hold a 1
        ("24:2", "7 13:2", 17),  # six away: 11 with a 6, 5-1 and 4-2 both ways, 3-3 and 2-2
        ("24:2", "7 2:2 3:2 4:2 5:2 6:2", 11),  # every way there but the straight one is shut
        ("24", "13", 3),  # twelve away: 6-6, 4-4, 3-3
        ("bar 8", "6 13:2", 17),  # six away from the bar; the other can't reach it
        ("bar 20", "6 13:2", 24),  # besides, one that enters with one die and has a 1 as the other
        ("bar:2 20", "6 13:2", 17),  # where two must enter, nobody asks whether the first could go on
        ("6:2", "6:2", 0),
    ],
)
def test_how_often_a_blot_can_be_hit(mine: str, theirs: str, throws: int) -> None:
    assert told(mine, theirs)[101] * 36 == pytest.approx(throws, abs=1e-4)


def test_the_longest_wall_is_told_by_its_length() -> None:
    assert told("8:2 7:2 6:2 5:2", "24:2")[104:].tolist() == [1, 1, 0, 0]
    assert told("8:2 6:2 5:2 3:2", "24:2")[104:].tolist() == [0, 0, 0, 0]


def test_contact_lasts_until_all_have_passed() -> None:
    boards = [(side("13:2 6:5"), side("13:2")), (side("12:2"), side("13:2")), (side("12:2"), side("12:2"))]
    assert network.contact(array_of(boards)).tolist() == [True, False, False]


def test_a_board_turned_twice_is_the_same() -> None:
    boards = array_of(positions(Random(3), 50))
    assert (turned(turned(boards)) == boards).all()
    assert (turned(boards)[:, 0] == boards[:, 1]).all()


def test_what_is_lost_is_lost() -> None:
    boards = array_of([(side("6:14"), side("")), (side("6:15"), side(""))])
    assert network.chances(boards, network.trained()).tolist() == [[0, 0, 0], [0, 0, 1]]


def test_worth_in_points_of_a_game() -> None:
    sure = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1], [0.5, 0.1, 0.3]], np.float32)
    assert network.worth(sure).tolist() == pytest.approx([1, 2, -1, -2, -0.2])


def test_the_networks_know_who_is_ahead() -> None:
    boards = [
        (side("1:2"), side("6:15")),
        (side("6:15"), side("1:2")),
        (side("24:2 13:5 8:3 6:5"), side("24:2 13:5 8:3 6:5")),
        (side("6:3 5:3 4:3 3:2 2:2 8:2"), side("bar:3 13:5 8:3 6:4")),
    ]
    win, mars, lose_mars = network.chances(array_of(boards), network.trained()).T
    assert win[0] > 0.97
    assert mars[0] > 0.9
    assert win[1] < 0.1
    assert 0.48 < win[2] < 0.58
    assert win[3] > 0.8
    assert lose_mars[3] < 0.1
