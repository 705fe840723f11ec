"""Racks: what is held lies there once, whatever was written; groups stay together, however the phone is turned."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from mokali.engine import codec
from mokali.engine.protocol import Assist, Reading
from mokali.engine.tiles import ALL_TILES
from mokali.tables import rack
from mokali.tables.rack import SLOTS, TALL, WIDE, Arrangement, Cols, Rack

TILES = tuple(map(str, ALL_TILES[:40]))
HELD = st.lists(st.sampled_from(TILES), unique=True, max_size=SLOTS).map(tuple)
TEXTS = st.one_of(st.just(""), st.sampled_from(TILES), st.text(max_size=4))
NONSENSE = st.lists(TEXTS, min_size=SLOTS, max_size=SLOTS).map(tuple)
COLS: "st.SearchStrategy[Cols]" = st.sampled_from((10, 15))
WRITTEN = st.builds(
    Arrangement,
    dealt=st.just(1),
    cols=COLS,
    slots=NONSENSE,
    down=st.lists(TEXTS, max_size=SLOTS).map(tuple),
    odd=st.lists(TEXTS, max_size=SLOTS).map(tuple),
)


class Held(Struct, frozen=True):
    """All that a view is asked for."""

    rack: tuple[str, ...]
    rules: None = None
    okey: None = None


def _read(rules: object, okey: object, tiles: tuple[str, ...]) -> tuple[Reading, ...]:
    """Two of a length are a pair, three are a run of 6 and a group of 9."""
    return {2: (Reading("pair", 0),), 3: (Reading("run", 6), Reading("group", 9))}.get(len(tiles), ())


ASSIST = Assist(_read, lambda view, order: (view.rack,))


def lying(text: str, cols: Cols = 10, **more: object) -> Arrangement:
    """Rows of a rack with "/" between them; "." is a gap, what is missing at a row's end too."""
    rows = [[tile.replace(".", "") for tile in row.split()] for row in text.split("/")]
    slots = tuple(tile for row in rows for tile in row + [""] * (cols - len(row)))
    return Arrangement(1, cols, slots + ("",) * (SLOTS - len(slots)), **more)  # type: ignore[arg-type]


def drawn(arrangement: Arrangement, cols: Cols = 10) -> str:
    """The same, back."""
    slots = arrangement.slots
    rows = [slots[n : n + cols] for n in range(0, SLOTS, cols)]
    return " / ".join(" ".join(tile or "." for tile in row).rstrip(" .") for row in rows).rstrip(" /")


def see(arrangement: Arrangement, held: tuple[str, ...], *, helps: bool = True) -> Rack:
    """As the owner sees it."""
    return rack.shown(arrangement, Held(held), ASSIST, helps=helps)


def groups_by(shown: Rack, cols: int) -> list[list[str]]:
    """The groups in the order in which they lie in this orientation."""
    found: list[list[str]] = []
    for placed in sorted(shown.placed, key=lambda placed: placed.tall if cols == TALL else placed.wide):
        if placed.head:
            found.append([])
        found[-1].append(placed.tile)
    return found


# --- settling ---


@given(WRITTEN, HELD)
def test_whatever_was_written_exactly_what_is_held_lies_there(written: Arrangement, held: tuple[str, ...]) -> None:
    settled = rack.settle(written, held)
    assert sorted(filter(None, settled.slots)) == sorted(held)
    assert len(settled.slots) == SLOTS
    assert set(settled.down) <= set(held)
    assert rack.settle(settled, held) == settled


@given(WRITTEN, HELD, COLS, NONSENSE)
def test_whatever_is_written_next_too(
    written: Arrangement, held: tuple[str, ...], cols: Cols, slots: tuple[str, ...]
) -> None:
    for after in (
        rack.moved(written, cols, slots, slots, 7, held),
        rack.sorted_by("runs", written, (held[:5], held[5:]), cols, held),
        rack.sorted_by("pairs", written, (), cols, held),  # even where the sorter forgets tiles
        rack.unsorted(rack.sorted_by("runs", written, (held,), cols, held), held),
        rack.followed(written, held),
    ):
        shown = see(after, held)
        assert [placed.tile for placed in shown.placed] == list(held)
        assert codec.decode(Arrangement, codec.encode(after)) == after


@given(WRITTEN, HELD)
def test_both_orientations_have_the_same_groups_in_the_same_order(written: Arrangement, held: tuple[str, ...]) -> None:
    shown = see(written, held)
    groups = [list(group.tiles) for group in shown.groups]
    assert groups_by(shown, TALL) == groups_by(shown, WIDE) == groups
    assert {placed.tile for placed in shown.placed if placed.head} == {tiles[0] for tiles in groups}
    assert {placed.tile for placed in shown.placed if placed.tail} == {tiles[-1] for tiles in groups}
    for places in ([placed.tall for placed in shown.placed], [placed.wide for placed in shown.placed]):
        assert len(set(places)) == len(places)
        assert set(places) <= set(range(SLOTS))


@given(WRITTEN, HELD)
def test_in_its_own_orientation_every_tile_lies_in_its_slot(written: Arrangement, held: tuple[str, ...]) -> None:
    settled = rack.settle(written, held)
    for placed in see(written, held).placed:
        assert settled.slots[placed.tall if written.cols == TALL else placed.wide] == placed.tile


@given(WRITTEN, HELD, st.integers(0, 29), COLS)
def test_writing_back_what_was_seen_changes_no_group(
    written: Arrangement, held: tuple[str, ...], n: int, cols: Cols
) -> None:
    before = see(written, held)
    slots = [""] * SLOTS
    for placed in before.placed:
        slots[placed.tall if cols == TALL else placed.wide] = placed.tile
    after = see(rack.moved(written, cols, tuple(slots), (), n, held), held)
    assert after.groups == before.groups


@given(HELD, HELD)
def test_what_goes_and_comes_back_lies_where_it_lay(held: tuple[str, ...], laid: tuple[str, ...]) -> None:
    """The rack of who takes back what he has laid (OK-46)."""
    before = rack.followed(rack.current(None, "ABC234", 4, held), held)
    fewer = tuple(tile for tile in held if tile not in laid)
    assert rack.settle(rack.followed(before, fewer), held) == rack.settle(before, held)


@pytest.mark.parametrize(
    ("rows", "held", "after"),
    [
        ("R1a R2a R3a", "R1a R2a R3a K9b", "R1a R2a R3a . K9b"),
        ("R1a R2a R3a", "K9b R1a R2a R3a", "R1a R2a R3a . K9b"),
        ("R1a R2a . R3a", "R1a R2a", "R1a R2a"),
        ("", "R1a R2a", "R1a . R2a"),
        ("/ . . . . . . . . R1a", "R1a R2a", " / . . . . . . . . R1a / R2a"),
        ("/ . . . . . . . . . R1a", "R1a R2a", " / . . . . . . . . . R1a / R2a"),
        ("R1a / / . . . . . . . . R2a R3a", "R1a R2a R3a B1a", "R1a /  / . . . . . . . B1a R2a R3a"),
        ("R1a R1a R2a R1a", "R1a R2a", "R1a . R2a"),
    ],
)
def test_new_tiles_go_behind_the_last_one(rows: str, held: str, after: str) -> None:
    assert drawn(rack.settle(lying(rows), tuple(held.split()))) == after


def test_a_full_rack_takes_the_thirtieth_tile() -> None:
    slots = (*TILES[:12], "", *TILES[12:29])
    assert rack.settle(Arrangement(1, 10, slots), TILES[:30]).slots[12] == TILES[29]


# --- dealing ---


@given(HELD, st.text(max_size=6), st.integers(0, 9_999))
def test_a_deal_lies_as_it_was_dealt(held: tuple[str, ...], code: str, dealt: int) -> None:
    fresh = rack.current(None, code, dealt, held)
    assert fresh == rack.current(None, code, dealt, tuple(reversed(held))), "the same for the same tiles"
    assert rack.settle(fresh, held).slots == fresh.slots
    assert fresh.slots[: len(held)] == tuple(filter(None, fresh.slots)), "side by side"


def test_every_deal_lies_otherwise_and_never_in_order() -> None:
    held = tuple(Random(1).sample(TILES, 21))
    deals = {rack.current(None, "ABC234", dealt, held).slots for dealt in range(50)}
    assert len(deals) == 50
    assert tuple(sorted(held)) not in {tuple(filter(None, slots)) for slots in deals}


def test_what_was_kept_of_another_deal_is_none_but_its_counter_goes_on() -> None:
    old = lying("R1a R2a", n=7, down=("R1a",))
    assert rack.current(old, "ABC234", 1, ("R1a", "R2a")) is old
    fresh = rack.current(old, "ABC234", 2, ("R1a", "R2a"))
    assert (fresh.dealt, fresh.n, fresh.down) == (2, 7, ())


# --- flowing ---


@pytest.mark.parametrize(
    ("tall", "wide"),
    [
        ("a b c . d e f . g", "a b c . d e f . g"),
        ("a b c / d e f / g", "a b c . d e f . g"),
        ("a . . . . b", "a . b"),
        ("a b c d e f g h i j / k l m n o p q", "a b c d e f g h i j / k l m n o p q"),
        ("a b c d e f g h i / k l m n o p q / r s t u v", "a b c d e f g h i / k l m n o p q . r s t u v"),
        ("a b c d e f g h i / k l m n . o p q . r / s t u v", "a b c d e f g h i . k l m n / o p q . r . s t u v"),
    ],
)
def test_the_phone_is_laid_down(tall: str, wide: str) -> None:
    upright = lying(tall)
    held = tuple(filter(None, upright.slots))
    placed = see(upright, held).placed
    assert [slot.wide for slot in placed] == [lying(wide, 15).slots.index(slot.tile) for slot in placed]


def test_the_phone_is_set_up() -> None:
    """Groups may have no gap between them in rows of ten, and a row of fifteen goes on in the next."""
    for wide, heads in (
        ("a b c d e f g . h i j k l m n / o p q r . s t u v w x", {0, 10, 20, 24}),
        ("a b c d e f g h i j k l m n o / p q r", {0, 16}),
    ):
        held = tuple(filter(None, lying(wide, 15).slots))
        shown = see(lying(wide, 15), held)
        assert {placed.tall for placed in shown.placed if placed.head} == heads
        assert {placed.tile for placed in shown.placed if placed.tail} == {group.tiles[-1] for group in shown.groups}


def test_turning_changes_nothing_that_is_kept() -> None:
    upright = lying("a b c . d e / f")
    held = tuple("abcdef")
    before = codec.encode(upright)
    see(upright, held)
    assert codec.encode(upright) == before
    assert rack.settle(upright, held) == upright


# --- borders ---


def test_pairs_that_find_no_gap_stay_pairs_while_another_tile_moves() -> None:
    held = (*(f"{colour}{number}{copy}" for number in range(1, 6) for colour in "RB" for copy in "ab"), "K1a", "K2a")
    pairs = tuple(held[n : n + 2] for n in range(0, 20, 2))
    made = rack.sorted_by("pairs", rack.current(None, "ABC234", 1, held), (*pairs, held[20:]), 10, held)
    assert see(made, held).pairs == 11, "two that are left make one for this test's reader"
    slots = list(made.slots)
    slots[slots.index("K2a")], slots[29] = "", "K2a"
    after = rack.moved(made, 10, tuple(slots), (), 1, held)
    assert see(after, held).pairs == 10
    assert rack.groups(after)[:10] == pairs


def test_a_tile_that_is_dropped_beside_another_joins_it() -> None:
    held = tuple("abcdefghij")
    made = rack.sorted_by("pairs", lying("a b c d e f g h i j"), tuple((tile,) for tile in held), 10, held)
    assert len(rack.groups(made)) == 10
    tight = Arrangement(1, 10, lying("a b c d e f g h i j").slots, odd=tuple("bcdefghij"))
    assert len(rack.groups(tight)) == 10
    after = rack.moved(tight, 10, lying("b c d e f g h i j a").slots, (), 1, held)
    assert rack.groups(after)[-1] == ("j", "a"), "a was moved; the others stay apart"
    assert len(rack.groups(after)) == 9


# --- reading ---


def test_groups_are_read_and_counted() -> None:
    held = tuple("abcdefgh")
    shown = see(lying("a b c . d e . f / g h", down=("g",)), held)
    assert (shown.points, shown.pairs) == (9, 2), "the better reading counts"
    assert [placed.mark for placed in shown.placed] == ["meld"] * 3 + ["pair"] * 2 + [""] + ["pair"] * 2
    assert [placed.tile for placed in shown.placed if placed.down] == ["g"]
    assert [len(group.readings) for group in shown.groups] == [2, 1, 0, 1]
    assert see(lying("a b c . d e . f / g h", down=("g",)), held) is shown


def test_without_help_nothing_is_read() -> None:
    def unasked(rules: object, okey: object, tiles: tuple[str, ...]) -> tuple[Reading, ...]:
        raise AssertionError

    shown = rack.shown(lying("a b c"), Held(tuple("abc")), Assist(unasked, lambda view, order: ()), helps=False)
    assert (shown.points, shown.pairs, shown.helps) == (0, 0, False)
    assert shown.groups[0].readings == ()
    assert [placed.mark for placed in shown.placed] == ["", "", ""]


# --- sorting ---


def test_sorting_twice_leads_back_to_what_one_had_made_oneself() -> None:
    held = tuple("abcdef")
    own = lying("f e . d", 15, down=("d",), n=3, odd=())
    once = rack.sorted_by("runs", own, (("a", "b", "c"), ("d", "e", "f")), 10, held)
    assert drawn(once) == "a b c . d e f"
    assert (once.order, once.n, once.down, once.cols) == ("runs", 3, ("d",), 10)
    twice = rack.sorted_by("pairs", once, (("a", "f"), ("b", "c", "d", "e")), 10, held)
    assert see(twice, held).undo
    back = rack.unsorted(twice, held)
    assert drawn(back, 15) == "f e . d . a . b . c"
    assert (back.order, back.before, back.cols) == ("", None, 15)
    assert rack.unsorted(back, held) is back


def test_a_move_of_ones_own_ends_the_way_back() -> None:
    held = tuple("abc")
    made = rack.sorted_by("runs", lying("c b a"), (held,), 10, held)
    shown = see(rack.moved(made, 10, lying("a b . c").slots, (), 4, held), held)
    assert (shown.order, shown.undo, shown.n) == ("", False, 4)


def test_a_drawn_tile_leaves_the_way_back_open() -> None:
    made = rack.sorted_by("runs", lying("c b a"), (("a", "b", "c"),), 10, tuple("abc"))
    assert drawn(rack.unsorted(rack.followed(made, tuple("abcd")), tuple("abcd"))) == "c b a . d"
