"""Runs, groups and pairs: what tiles are, and what can be added (RULES 3.4; SOLVER, question 6)."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mokali.engine import codec, melds
from mokali.engine.melds import End, Kind, Meld
from mokali.engine.tiles import ALL_TILES, Tile, natural, okey_of, tiles
from tests.golden import CASES

OKEY = "Y6"
ADDTILE = [
    codec.decode(dict, line) for line in (CASES / "solver" / "addtile.jsonl").read_text(encoding="utf-8").splitlines()
]


def shown(text: str, kind: Kind | None = None) -> str | None:
    """The meld of these tiles as everybody sees it, or None."""
    meld = melds.meld(tiles(text), OKEY, kind)
    return None if meld is None else " ".join(meld.shown)


def read(text: str, kind: Kind | None = None) -> Meld:
    meld = melds.meld(tiles(text), OKEY, kind)
    assert meld is not None
    return meld


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R4a R5a R6a", "R4 R5 R6"),
        ("R6a R5a R4a", "R4 R5 R6"),
        ("R1a R2a R3a", "R1 R2 R3"),
        ("K11a K12a K13a", "K11 K12 K13"),
        ("Y5a FJa Y7a", "Y5 FJ Y7"),
        ("R12a R13a R1a", None),
        ("R13a R1a R2a", None),
        ("R4a R5a Y7a", None),
        ("R4a R5a R7a", None),
        ("R4a R5a R5b", None),
        ("R4a R5a", None),
    ],
)
def test_ok_15_a_run_is_one_colour_in_a_row(text: str, expected: str | None) -> None:
    assert shown(text) == expected


def test_ok_15_all_thirteen_are_a_run_and_nothing_longer() -> None:
    row = " ".join(f"B{number}a" for number in range(1, 14))
    assert shown(row) == row.replace("a", "")
    assert shown(f"{row} B1b") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R7a Y7a B7a", "R7 Y7 B7"),
        ("K7a R7a Y7a B7a", "K7 R7 Y7 B7"),
        ("R6a FJa B6a", "R6 FJ B6"),
        ("R7a R7b Y7a", None),
        ("R7a Y7a B8a", None),
        ("R7a R7b Y6a", None),
        ("R7a Y7a B7a K7a Y6a", None),
    ],
)
def test_ok_16_a_group_is_one_number_in_different_colours(text: str, expected: str | None) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R7a R7b", "R7 R7"),
        ("B9a Y6a", "B9 *=B9"),
        ("FJa FJb", "FJ FJ"),
        ("Y6a FJa", "*=Y6 FJ"),
        ("Y6a Y6b", None),
        ("R7a Y7a", None),
        ("R7a R7b R8a", None),
        ("R7a", None),
    ],
)
def test_ok_17_a_pair_is_two_of_a_face_or_an_okey_with_one(text: str, expected: str | None) -> None:
    pair = melds.pair(tiles(text), OKEY)
    assert (None if pair is None else " ".join(pair.shown)) == expected


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        ("B12a B13a Y6a", "*=B11 B12 B13", 36),
        ("B11a B12a B13a Y6a", "*=B10 B11 B12 B13", 46),
        ("Y6a B1a B2a", "B1 B2 *=B3", 6),
        ("B6a B5a Y6a", "*=B4 B5 B6", 15),
        ("R4a Y6a R5a", "R4 R5 *=R6", 15),
        ("B12a Y6a B1a", None, 0),
        ("B13a Y6a Y6b B1a", None, 0),
    ],
)
def test_ok_19_the_order_fixes_what_an_okey_stands_for(text: str, expected: str | None, value: int) -> None:
    assert shown(text) == expected
    assert expected is None or read(text).value == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R7a Y7a Y6a", "R7 Y7 *=7"),
        ("R7a Y7a B7a Y6a", "R7 Y7 B7 *=K7"),
        ("R7a Y6a Y7a Y6b", "R7 *=7 Y7 *=7"),
    ],
)
def test_ok_20_an_okey_in_a_group_of_three_is_undecided(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_ok_21_one_tile_and_two_okeys_may_be_both() -> None:
    for text, run, group in (("R5a Y6a Y6b", 18, 15), ("Y6a Y6b R5a", 12, 15), ("R13a Y6a Y6b", 36, 39)):
        assert melds.ambiguous(tiles(text), OKEY)
        assert read(text, Kind.RUN).value == run
        assert read(text, Kind.GROUP).value == group
    assert not melds.ambiguous(tiles("R5a R6a Y6a"), OKEY)


def test_ok_18_a_meld_holds_a_natural_tile() -> None:
    assert melds.meld(tiles("Y6a Y6b"), OKEY) is None
    for kind in (Kind.RUN, Kind.GROUP):
        assert melds.meld(tiles("Y6a Y6b Y6a"), OKEY, kind) is None


def test_ok_22_pairs_have_no_value() -> None:
    pair = melds.pair(tiles("R7a R7b"), OKEY)
    assert pair is not None
    assert pair.value == 0


def test_ok_23_adding_moves_no_okey() -> None:
    meld = read("B10a B11a Y6a")
    for tile, end, stand in (("B9a", End.LOW, "B9"), ("B13a", End.HIGH, "B13")):
        assert melds.room(meld, stand) == {end: stand}
        meld = melds.added(meld, Tile(tile), end, stand)
        assert "*=B12" in meld.shown


def test_ok_24_a_cap_fills_a_run_and_not_a_group() -> None:
    five = read("R4a R5a R6a R7a R8a")
    assert melds.full(five, 5)
    assert melds.room(five, "R9", 5) == {}
    assert melds.room(five, "R9") == {End.HIGH: "R9"}
    assert melds.room(read("R7a Y7a B7a"), "K7", 5) == {End.HIGH: "K7"}


def test_ok_41_nothing_is_added_past_the_ends_or_to_a_pair() -> None:
    pair = melds.pair(tiles("R7a R7b"), OKEY)
    assert pair is not None
    assert melds.room(read("R11a R12a R13a"), "R1") == {}
    assert melds.room(pair, "R7") == melds.room(pair, None) == {}
    assert melds.room(read("R7a Y7a B7a K7a"), None) == {}


def test_ok_45_a_swap_decides_the_other_okey_of_four() -> None:
    group = read("R7a Y7a Y6a Y6b")
    place = melds.standing_for(group, "B7")
    assert place == 2
    assert melds.swapped(group, place, Tile("B7a"), "B7").shown == ("R7", "Y7", "B7", "*=K7")
    assert melds.standing_for(group, "R7") is None


@pytest.mark.parametrize("case", ADDTILE, ids=lambda case: case["id"])
def test_what_can_be_added_to_a_meld(case: dict[str, object]) -> None:
    okey, table, tile = okey_of(str(case["indicator"])), case["meld"], case["tile"]
    assert isinstance(table, list)
    meld = _laid(table, okey)
    face = None if tile == "OKEY" else okey if tile == "FJ" else str(tile)
    there = {stand.lstrip("*=") for stand in melds.room(meld, face).values()}
    if meld.kind == Kind.GROUP and there and face is None:
        there = {f"{colour}{number}" for number in there for colour in "RYBK"} - set(meld.stands)
    assert bool(there) == case["can_add"]
    assert sorted(there, key=lambda face: melds.number(face)) == case["as_faces"]


def _laid(faces: Sequence[str], okey: str) -> Meld:
    """A meld as the case writes it: ``J=R7`` is an okey laid as R7."""
    stands = tuple(face.replace("J=", "*=") for face in faces)
    kind = Kind.GROUP if len({melds.number(stand) for stand in stands}) == 1 else Kind.RUN
    jokers = [Tile(f"{okey}b"), Tile(f"{okey}a")]
    return Meld(kind, tuple(jokers.pop() if "*" in stand else Tile(f"{stand}a") for stand in stands), stands)


@given(some=st.lists(st.sampled_from(ALL_TILES), min_size=3, max_size=4, unique=True))
def test_a_meld_in_one_order_is_one_in_every_order(some: list[Tile]) -> None:
    """And what it shows is legal, whatever the order: numbers in a row, or one number in different colours."""
    first = melds.meld(some, OKEY, Kind.GROUP) or melds.meld(some, OKEY, Kind.RUN)
    for order in permutations(some):
        again = melds.meld(order, OKEY, Kind.GROUP) or melds.meld(order, OKEY, Kind.RUN)
        assert (first is None) == (again is None)
        if again is not None:
            assert sorted(again.tiles) == sorted(some)
            numbers = [melds.number(stand) for stand in again.stands]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) or len(set(numbers)) == 1
            for tile, stand in zip(again.tiles, again.stands, strict=True):
                assert natural(tile, OKEY) in (None, stand)
