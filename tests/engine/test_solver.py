"""The meld solver against one that tries everything, and each way in which such solvers go wrong."""

import hashlib
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mokali.engine import complete, runs, solver
from mokali.engine.tiles import ALL_TILES, FACES, Face, Tile, tiles
from tests import slow_melds
from tests.hands import deal, faces, rich

Rounds = Callable[[int, int], int]
OKEY = "B6"
SUM = "0dbd3972293801567638c5a2a77b3a24d78c59089b614ba38230774fe3f3a14c"
HARD = [
    ("B11b B12b B13b B7a B7b B9a K10a K11b K12a K13a K9a R10a R11a R12a R13b R8a R9b Y11b Y12b Y13a Y7a Y7b", "B7"),
    ("B13a B13b B1a B2b B3b B4a B8b K13a K1a K2b K3a K4a K8b R3a R4b R8b Y1b Y2a Y3a Y3b Y4a Y8a", "B13"),
    ("B10b B11b B8a B9a K10a K11b K5b K7a K8a K9a R10b R11a R2a R2b R7b R8b R9a Y10a Y11a Y8a Y8b Y9b", "R2"),
    ("B10b B11a B12a B13b B4a FJb K10a K10b K11a K12b K13b K7b R10b R11a R12b R13b Y10a Y11b Y12a Y13b Y5b Y9b", "K10"),
    ("B12a B12b B1a B2a B2b B3a B4a B5a K1a K2b K3b K4b K5b R12a R2b R4a R5a Y1a Y2b Y3b Y4a Y5a", "B12"),
    ("R5a Y5a B5a K5a R6a Y6a B6a K6a R7a Y7a B7a K7a R8a Y8a B8a K8a R9a Y9a B9a K9a R1a R1b", "R1"),
]


def _opening(text: str) -> solver.Layout:
    return solver.best_opening(tiles(text), OKEY)


def _check(layout: solver.Layout, hand: list[Tile], okey: Face, longest: int, *, high_one: bool = False) -> None:
    lying = [tile for meld in layout.melds for tile in meld.tiles]
    assert len(set(lying)) == len(lying) == layout.tiles
    assert set(lying) <= set(hand)
    assert layout.okeys == faces(lying).count(okey)
    assert layout.points == sum(meld.value for meld in layout.melds)
    for meld in layout.melds:
        assert slow_melds.legal(faces(list(meld.tiles)), okey, high_one=high_one), meld
        assert len(meld.tiles) <= (longest if meld.kind == "run" else 4)


def test_ok_i10_openings_tiles_and_leavings_are_those_of_trying_everything(rounds: Rounds) -> None:
    rng = Random(1)
    for number in range(rounds(200, 6_000)):
        size, okeys = rng.choice((5, 8, 11, 14, 14, 17)), number % 3
        hand, okey, _ = rich(rng, size, okeys)
        longest = rng.choice((5, 13))
        best = solver.best_opening(hand, okey, longest)
        _check(best, hand, okey, longest)
        assert (best.points, -best.okeys, best.tiles) == slow_melds.best(hand, okey), (hand, okey)
        assert solver.best_points(hand, okey) == best.points
        totals = slow_melds.totals(hand, okey)
        most = solver.most_tiles(hand, okey, longest)
        _check(most, hand, okey, longest)
        assert most.tiles == solver.tiles_in_melds(hand, okey) == max(totals), (hand, okey)
        assert solver.from_hand(hand, okey) == (size - 1 in totals), (hand, okey)
        assert bool(solver.spare(hand, okey)) == (size - 1 in totals), (hand, okey)


def test_whole_hands_are_those_of_trying_everything(rounds: Rounds) -> None:
    rng = Random(2)
    for number in range(rounds(40, 1_000)):
        hand, okey, _ = (rich, deal)[number % 2](rng, rng.choice((21, 22)), number % 2)
        best = solver.best_opening(hand, okey)
        assert (best.points, -best.okeys, best.tiles) == slow_melds.best(hand, okey), (hand, okey)
        totals = slow_melds.totals(hand, okey)
        assert solver.tiles_in_melds(hand, okey) == max(totals), (hand, okey)
        assert solver.from_hand(hand, okey) == (len(hand) - 1 in totals), (hand, okey)


def test_ok_17_and_kl_11_pairs_are_those_of_trying_everything(rounds: Rounds) -> None:
    rng = Random(3)
    for number in range(rounds(500, 5_000)):
        hand, okey, _ = rich(rng, rng.randint(2, 15), number % 3)
        for okey_okey in (False, True):
            found = solver.most_pairs(hand, okey, okey_okey_pair=okey_okey)
            assert len(found) == slow_melds.pairs(hand, okey, okey_okey=okey_okey), (hand, okey)
            lying = [tile for pair in found for tile in pair]
            assert set(lying) <= set(hand)
            assert len(set(lying)) == len(lying)
            for one, other in found:
                okeys = faces([one, other]).count(okey)
                assert okeys == 1 or one.twin == other
                assert okeys < 2 or okey_okey


def test_kl_i2_finishes_and_distance_are_those_of_trying_everything(rounds: Rounds) -> None:
    rng = Random(4)
    for number in range(rounds(40, 1_000)):
        hand, okey, _ = rich(rng, 15, number % 3)
        melds, pairs, most = [], [], 0
        for face in sorted(set(faces(hand)), key=FACES.index):
            kept = solver.without(hand, face)
            totals = slow_melds.totals(kept, okey, high_one=True)
            melds += [face] * (14 in totals)
            pairs += [face] * (slow_melds.pairs(kept, okey, okey_okey=True) == 7)
            most = max(most, *totals)
        assert complete.finishes(hand, okey) == complete.Finishes(tuple(melds), tuple(pairs)), (hand, okey)
        assert complete.distance(hand, okey) == 14 - most, (hand, okey)
        _check(solver.most_tiles(hand, okey, run_high_one=True), hand, okey, 13, high_one=True)


def test_the_order_and_the_copies_of_a_hand_change_no_layout() -> None:
    rng = Random(5)
    for number in range(100):
        hand, okey, _ = rich(rng, 21, number % 3)
        twins = [tile.twin if hand.count(tile.twin) == 0 and rng.random() < 0.5 else tile for tile in hand]
        rng.shuffle(twins)
        one, other = (
            [(meld.kind, faces(list(meld.tiles))) for meld in solver.best_opening(of, okey).melds]
            for of in (hand, twins)
        )
        assert one == other


@pytest.mark.parametrize(("text", "okey"), HARD)
def test_the_longest_searches_agree_with_trying_everything(text: str, okey: Face) -> None:
    hand = list(tiles(text))
    best = solver.best_opening(hand, okey)
    assert (best.points, -best.okeys, best.tiles) == slow_melds.best(hand, okey)
    assert solver.tiles_in_melds(hand, okey) == max(slow_melds.totals(hand, okey))


# --- where such solvers go wrong ---


def test_false_okeys_are_not_wild() -> None:
    assert _opening("FJa R12a R13a").points == 0
    assert _opening("B5a FJa B7a") == _opening("B7a FJa B5a")
    assert _opening("B5a FJa B7a").points == 18
    assert solver.best_opening(tiles("R12a FJa R1a"), "R13").points == 0, "R13 does not wrap"


def test_12_13_1_is_a_run_in_klasik_alone() -> None:
    hand = tiles("R12a R13a R1a")
    assert solver.tiles_in_melds(hand, OKEY) == 0
    assert solver.tiles_in_melds(hand, OKEY, run_high_one=True) == 3
    assert solver.tiles_in_melds(tiles("R13a R1a R2a"), OKEY, run_high_one=True) == 0
    assert solver.tiles_in_melds(tiles("R12a R13a R1a R2a"), OKEY, run_high_one=True) == 3


def test_a_run_may_begin_with_an_okey() -> None:
    assert _opening("R12a R13a B6a").melds == (solver.Laid("run", tiles("B6a R12a R13a"), 36),)


def test_two_okeys_go_into_two_melds_or_into_one() -> None:
    assert _opening("B6a B6b R10a R11a Y10a Y11a").points == 66
    assert _opening("B6a B6b R10a R13a").melds == (solver.Laid("run", tiles("R10a B6a B6b R13a"), 46),)


def test_two_okeys_and_two_tiles_are_a_group_of_four() -> None:
    assert _opening("B6a B6b R9a Y9a").melds == (solver.Laid("group", tiles("R9a Y9a B6a B6b"), 36),)


def test_ok_17_two_okeys_are_no_pair() -> None:
    assert solver.most_pairs(tiles("B6a B6b"), OKEY) == ()
    assert len(solver.most_pairs(tiles("B6a B6b"), OKEY, okey_okey_pair=True)) == 1
    assert len(solver.most_pairs(tiles("B6a B6b R1a R1b"), OKEY)) == 2, "a natural pair is broken"
    assert len(solver.most_pairs(tiles("B6a R1a R1b"), OKEY)) == 1


def test_points_and_not_tiles_decide_an_opening() -> None:
    best = _opening("R11a R12a R13a Y13a B13a")
    assert (best.points, [meld.kind for meld in best.melds]) == (39, ["group"])


def test_an_okey_in_a_group_counts_the_number() -> None:
    assert _opening("R13a Y13a B6a").points == 39


def test_a_group_has_no_colour_twice() -> None:
    assert _opening("R7a R7b Y7a").points == 0
    assert solver.tiles_in_melds(tiles("R7a R7b Y7a Y7b K7a"), OKEY) == 3


def test_ok_21_one_tile_with_two_okeys() -> None:
    found = {number: _opening(f"R{number}a B6a B6b") for number in (5, 12, 13)}
    assert {number: (best.points, best.melds[0].kind) for number, best in found.items()} == {
        5: (18, "run"),
        12: (36, "run"),
        13: (39, "group"),
    }


def test_seven_triples_lie_but_not_all_tiles_but_one() -> None:
    hand = tiles(" ".join(f"{colour}{number}a" for number in range(1, 14, 2) for colour in "RYB"))
    assert solver.tiles_in_melds(hand, "K3") == 21
    assert not solver.from_hand(hand, "K3")
    assert solver.spare(hand, "K3") == ()


def test_an_okey_may_stand_for_a_third_copy() -> None:
    hand = tiles("B6a R9a R9b R10a R10b R11a R11b R12a R12b R13a R13b")
    assert (_opening(" ".join(hand)).points, solver.from_hand(hand, OKEY)) == (121, True)


def test_fewer_okeys_are_used_where_the_points_are_the_same() -> None:
    best = _opening("R13a Y13a B13a K13a B6a")
    assert (best.points, best.okeys) == (52, 0)


def test_a_cap_of_five_splits_what_is_shown() -> None:
    hand = tiles(" ".join(f"R{number}a" for number in range(1, 14)))
    whole, split = solver.best_opening(hand, OKEY), solver.best_opening(hand, OKEY, 5)
    assert (whole.points, len(whole.melds)) == (91, 1)
    assert (split.points, [len(meld.tiles) for meld in split.melds]) == (91, [5, 5, 3])


# --- how far from complete (Klasik) ---


def _complete(rng: Random) -> tuple[list[Tile], Face, Face]:
    """14 tiles in melds, some of them okeys."""
    while True:
        hand, okey, indicator = rich(rng, 16, rng.randrange(3))
        if (layout := solver.most_tiles(hand, okey, run_high_one=True)).tiles == 14:
            return [tile for meld in layout.melds for tile in meld.tiles], okey, indicator


def test_so_many_swaps_are_enough_as_were_made(rounds: Rounds) -> None:
    rng = Random(6)
    for number in range(rounds(30, 1_000)):
        whole, okey, indicator = _complete(rng)
        pool = [tile for tile in ALL_TILES if tile not in whole and tile != f"{indicator}a"]
        swapped = number % 5
        hand = whole[swapped:] + rng.sample(pool, swapped + 1)
        assert complete.exchange(hand, indicator) <= swapped, (hand, indicator)
        assert (complete.exchange(hand, indicator) == 0) == (complete.finishes(hand, okey) != complete.Finishes((), ()))


def test_one_swap_is_enough_where_there_is_one(rounds: Rounds) -> None:
    rng, seen = Random(7), set[int]()
    for number in range(rounds(4, 150)):
        whole, okey, indicator = _complete(rng)
        pool = [tile for tile in ALL_TILES if tile not in whole and tile != f"{indicator}a"]
        hand = whole[1 + number % 2 :] + rng.sample(pool, 2 + number % 2)
        drawn = [tile for tile in ALL_TILES if tile not in hand and tile != f"{indicator}a" and tile[-1] == "a"]
        drawn += [tile.twin for tile in drawn if tile.twin not in hand and tile.twin != f"{indicator}a"]
        best = min(complete.distance([*hand[:at], *hand[at + 1 :], tile], okey) for at in range(15) for tile in drawn)
        swaps = complete.exchange_for_melds(hand, indicator)
        assert (swaps <= 1) == (best == 0 or complete.distance(hand, okey) == 0), (hand, indicator)
        seen.add(min(swaps, 2))
    assert seen >= {1, 2}


def test_kl_c6_kl_c8_pairs_come_before_melds() -> None:
    okey = "K5"
    pairs = tiles("R1a R1b R2a R2b R3a R3b Y1a Y1b Y2a Y2b Y3a Y3b Y4a Y4b")
    assert complete.finishes([*pairs, Tile("B9a")], okey) == complete.Finishes(("B9",), ("B9",))
    found = complete.split(pairs, okey)
    assert isinstance(found, tuple)
    assert len(found) == 7
    okeys = tiles("R2a R2b Y3a Y3b B4a B4b K7a K7b R9a R9b Y11a Y11b K5a K5b K1a")
    assert "K1" in complete.finishes(okeys, okey).pairs, "two okeys are the seventh"


# --- the table ---


def test_the_table_of_runs_agrees_with_trying_everything(rounds: Rounds) -> None:
    rng = Random(8)
    for number in range(rounds(150, 3_000)):
        counts = {at: rng.choice((0, 1, 1, 2)) for at in range(1, 14)}
        if number % 2:
            counts = {at: min(count, 1) for at, count in counts.items()}
        okeys = number % 3 if sum(counts.values()) < 16 else 0
        hand = [f"R{at}{copy}" for at, count in counts.items() for copy in "ab"[:count]] + ["K13a", "K13b"][:okeys]
        points, minus, size = slow_melds.best(hand, "K13", groups=False)
        key = sum(count * 3 ** (13 - at) for at, count in counts.items())
        assert runs.points().best[okeys][key] // 256 == points, hand
        if minus == -okeys:
            assert runs.points().best[okeys][key] % 256 == size, hand
        assert runs.tiles().best[okeys][key] == max(slow_melds.totals(hand, "K13", groups=False)), hand


def test_the_table_is_the_one_that_its_script_made() -> None:
    plain = (Path(runs.__file__).parent / "runs.xz").read_bytes()
    assert hashlib.sha256(plain).hexdigest() == SUM
    assert len(lzma.decompress(plain)) == 9 * 3**13


@pytest.mark.soak
def test_the_script_makes_the_same_table_again(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "deploy" / "runs.py"
    subprocess.run([sys.executable, str(script), str(tmp_path / "runs.xz")], check=True, timeout=600)
    made, kept = ((path / "runs.xz").read_bytes() for path in (tmp_path, Path(runs.__file__).parent))
    assert lzma.decompress(made) == lzma.decompress(kept)
    assert hashlib.sha256(made).hexdigest() == SUM
