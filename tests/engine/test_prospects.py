"""What okey tiles may yet become."""

from itertools import combinations

import pytest

from mokali.engine import melds, prospects
from mokali.engine.tiles import FACES, FALSE_OKEY, Face, Tile

PLAIN = [face for face in FACES if face != FALSE_OKEY]


@pytest.mark.parametrize("high_one", [False, True])
@pytest.mark.parametrize("face", ["R1", "R2", "Y7", "B12", "K13"])
def test_threes_are_the_melds_of_three_that_the_solver_knows(face: Face, high_one: bool) -> None:
    """No okey among these: the okey is a face that is not in them."""
    okey = next(other for other in PLAIN if other[0] != face[0] and other[1:] != face[1:])
    same = [other for other in PLAIN if other != face and (other[0] == face[0] or other[1:] == face[1:])]
    found = {
        frozenset(two)
        for two in combinations(same, 2)
        if melds.meld([Tile(f"{some}a") for some in (face, *two)], okey, high_one=high_one)
    }
    assert {frozenset(two) for two in prospects.threes(face, high_one)} == found


def test_copies_that_lie_open_do_not_come() -> None:
    left = prospects.unseen(["R3", "R3", "R4", "FJ"], "K9")
    assert (left["R3"], left["R4"], left["K9"], left["B1"]) == (0, 1, 1, 2)
    assert sum(left.values()) == 104 - 4


def test_okeys_are_not_counted_with_the_tiles_of_their_face() -> None:
    assert prospects.unseen(["K9", "K9"], "K9")["K9"] == 2


def test_ties_count_what_would_make_a_meld() -> None:
    left = prospects.unseen(["R5", "R7"], "K9")
    assert prospects.ties("R5", {"R7"}, left) == 2, "two R6"
    assert prospects.ties("R5", {"R6", "R7"}, left) == 4 + 2, "it lies there; and R4 below 5-6"
    assert prospects.ties("R5", {"Y5", "B5"}, left) == 4 + 2 + 2, "either with K5 too"
    assert prospects.ties("R5", {"Y9", "R13"}, left) == 0


def test_kl_8_a_one_may_wait_after_thirteen() -> None:
    left = prospects.unseen(["R13", "R1"], "K9")
    assert prospects.ties("R1", {"R13"}, left) == 0
    assert prospects.ties("R1", {"R13"}, left, high_one=True) == 2


def test_of_equals_the_first_is_cheapest() -> None:
    assert prospects.cheapest({"a": 2.0, "b": 1.0, "c": 1.0}) == "b"
