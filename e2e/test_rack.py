"""The own rack: arranged by dragging, by taps and by keys; the same everywhere; never disturbed by anybody else."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from e2e.conftest import NewPhone
from e2e.okey import Rack, case, dealt
from e2e.phones import Phone
from e2e.staging import phone_of, phones
from tests.web.prepared import Prepared
from tests.web.server import Server

Way = Callable[[Rack, str, int], None]


def _table(shared: Server, who: str) -> Prepared:
    record = case("a-hand-with-everything")
    assert record.header.setup is not None
    return dealt(shared, record.header.setup, [f"{name} {who}" for name in ("Ayşe", "Burak", "Cem", "Deniz", "Efe")])


def _seated(shared: Server, new_phone: NewPhone, who: str) -> tuple[Prepared, list[Phone], Rack]:
    table = _table(shared, who)
    people = phones(shared, table, new_phone)
    return table, people, Rack(people[0])


def _dragged(rack: Rack, name: str, slot: int) -> None:
    rack.drag(name, rack.slot(slot))


def _tapped(rack: Rack, name: str, slot: int) -> None:
    rack.tile(name).tap()
    expect(rack.tile(name)).to_have_class(re.compile("lifted"))
    rack.slot(slot).tap()


def _typed(rack: Rack, name: str, slot: int) -> None:
    rack.tile(name).focus()
    row, column = map(int, (rack.tile(name).get_attribute("data-tall") or "").split("-"))
    rack.page.keyboard.press("Enter")
    expect(rack.tile(name)).to_have_class(re.compile("lifted"))
    for _ in range(abs(slot // 10 - row)):
        rack.page.keyboard.press("ArrowDown" if slot // 10 > row else "ArrowUp")
    for _ in range(abs(slot % 10 - column)):
        rack.page.keyboard.press("ArrowRight" if slot % 10 > column else "ArrowLeft")
    rack.page.keyboard.press("Enter")


WAYS: dict[str, Way] = {"drag": _dragged, "taps": _tapped, "keys": _typed}


@pytest.mark.parametrize("way", WAYS)
def test_tiles_are_moved_to_free_slots_and_make_groups(shared: Server, new_phone: NewPhone, way: str) -> None:
    table, people, rack = _seated(shared, new_phone, way)
    for name, slot in (("R10a", 25), ("R11a", 26), ("R12a", 27)):
        WAYS[way](rack, name, slot)
        rack.settled()
        assert rack.lying[name] == f"{slot // 10}-{slot % 10:02d}"
    assert ["R10a", "R11a", "R12a"] in rack.groups
    assert rack.worth >= 33, "whatever else lies side by side by chance"
    expect(rack.tile("R10a")).to_have_class(re.compile(r"\bmeld\b.*\bhead\b"))
    lying = rack.lying
    people[0].reload()
    assert rack.lying == lying
    other = Rack(phone_of(shared, table, table.tokens[0], new_phone))
    assert other.lying == lying
    assert other.groups == rack.groups


def test_a_tile_dropped_on_another_goes_beside_it(shared: Server, new_phone: NewPhone) -> None:
    _, _, rack = _seated(shared, new_phone, "arası")
    for name, slot in (("R10a", 24), ("R12a", 25)):
        _dragged(rack, name, slot)
    rack.tile("R11a").tap()
    box = rack.tile("R12a").bounding_box()
    assert box is not None
    rack.page.touchscreen.tap(box["x"] + 5, box["y"] + box["height"] / 2)  # its left half
    rack.settled()
    assert ["R10a", "R11a", "R12a"] in rack.groups


def test_turning_the_phone_keeps_groups_and_the_lifted_tile(shared: Server, new_phone: NewPhone) -> None:
    _, people, rack = _seated(shared, new_phone, "döner")
    for name, slot in (("R10a", 24), ("R11a", 25), ("R12a", 26), ("K8a", 28), ("K9a", 29)):
        _dragged(rack, name, slot)
    rack.settled()
    rack.tile("R10a").tap()
    upright, groups = rack.lying, rack.groups
    people[0].page.set_viewport_size({"width": 640, "height": 360})
    wide = rack.lying
    assert rack.groups == groups
    assert wide != upright
    expect(rack.tile("R10a")).to_have_class(re.compile("lifted"))
    assert [wide[name] for name in ("R10a", "R11a", "R12a")] == sorted(wide[name] for name in ("R10a", "R11a", "R12a"))
    people[0].page.set_viewport_size({"width": 360, "height": 640})
    assert rack.lying == upright


def test_sorting_is_asked_for_and_taken_back(shared: Server, new_phone: NewPhone) -> None:
    _, _, rack = _seated(shared, new_phone, "dizer")
    before, by_chance = rack.lying, rack.worth
    assert by_chance < 127
    rack.page.locator("#sort [data-sort=runs]").tap()
    expect(rack.page.locator("#open-melds .num")).to_have_text("127/101")
    rack.page.locator("#sort [data-sort=pairs]").tap()
    expect(rack.page.locator("#open-melds .num")).to_have_text("0/101")
    expect(rack.page.locator("#open-pairs .num")).not_to_have_text("0/5")
    rack.page.locator("#sort [data-sort=undo]").tap()
    expect(rack.page.locator("#sort [data-sort=undo]")).to_have_count(0)
    assert (rack.lying, rack.worth) == (before, by_chance)


def test_where_help_is_off_nothing_is_sorted_or_counted(shared: Server, new_phone: NewPhone) -> None:
    record = case("a-hand-with-everything")
    assert record.header.setup is not None
    names = [f"{name} yalın" for name in ("Ayşe", "Burak", "Cem", "Deniz", "Efe")]
    table = dealt(shared, record.header.setup, names, helps=False)
    ayse = phone_of(shared, table, table.tokens[0], new_phone)
    rack = Rack(ayse)
    expect(ayse.page.locator("#sort")).to_be_hidden()
    expect(ayse.page.locator("#open-melds")).to_have_text("Seri aç")
    for name, slot in (("R10a", 24), ("R11a", 25), ("R12a", 26)):
        _dragged(rack, name, slot)
    rack.settled()
    expect(ayse.page.locator("#rack .meld")).to_have_count(0)
    ayse.page.locator("#open-melds").tap()
    expect(ayse.page.locator("#sheet-open-melds .pick", has_text="kırmızı 11")).to_be_visible()
    expect(ayse.page.locator("#sheet-open-melds .pick .num")).to_have_count(0)


def test_a_double_tap_turns_the_okey_on_the_own_screen_only(shared: Server, new_phone: NewPhone) -> None:
    _, people, rack = _seated(shared, new_phone, "kapar")
    okey = rack.tile("B6a")
    expect(okey).to_have_accessible_name("okey")
    rack.finger.double_tap(okey)
    expect(okey).to_have_accessible_name("okey, kapalı")
    people[0].reload()
    expect(okey).to_have_accessible_name("okey, kapalı")
    rack.finger.double_tap(okey)
    expect(okey).to_have_accessible_name("okey")
    rack.finger.double_tap(rack.tile("R10a"))
    expect(rack.tile("R10a")).to_have_accessible_name("kırmızı 10")
    expect(rack.tile("R10a")).not_to_have_class(re.compile("lifted"))


def test_another_players_move_never_disturbs_a_drag(shared: Server, new_phone: NewPhone) -> None:
    _, people, rack = _seated(shared, new_phone, "sakin")
    burak = Rack(people[1])
    before = burak.lying["R4a"]
    burak.finger.carry(burak.tile("R4a"), burak.slot(29))
    expect(people[1].page.locator("body > .ghost")).to_be_attached()
    played = people[1].played
    rack.play({"do": "discard", "tile": "R3a"})  # meanwhile it becomes his turn
    people[1].moved_on(played)
    expect(people[1].page.locator("body > .ghost")).to_be_attached()
    assert burak.lying["R4a"] == before
    burak.finger.lift()
    burak.settled()
    assert burak.lying["R4a"] == "2-09"


def test_a_touch_that_is_taken_away_moves_nothing(shared: Server, new_phone: NewPhone) -> None:
    _, people, rack = _seated(shared, new_phone, "bozar")
    before = rack.lying
    rack.finger.carry(rack.tile("R10a"), rack.slot(29))
    rack.finger.cancel()
    expect(people[0].page.locator("body > .ghost")).to_have_count(0)
    rack.finger.carry(rack.tile("R10a"), people[0].page.locator("#title .title"))
    rack.finger.lift()
    assert rack.lying == before
    assert not [frame for frame in people[0].game_frames() if frame["do"] == "rack"]


def test_a_drawn_tile_lies_where_it_is_dragged_to(shared: Server, new_phone: NewPhone) -> None:
    _, people, rack = _seated(shared, new_phone, "çeker")
    burak = Rack(people[1])
    rack.play({"do": "discard", "tile": "R3a"})
    before, played = set(burak.lying), people[1].played
    expect(people[1].page.locator("#stock")).to_be_enabled()
    burak.finger.carry(people[1].page.locator("#stock"), burak.slot(28))
    burak.finger.lift()
    people[1].moved_on(played)
    burak.settled()
    (new,) = set(burak.lying) - before
    assert burak.lying[new] == "2-08"
    assert [frame["do"] for frame in people[1].game_frames()].count("draw") == 1


def test_while_the_line_is_cut_tiles_can_be_moved(shared: Server, new_phone: NewPhone) -> None:
    table, people, rack = _seated(shared, new_phone, "kopuk")
    people[0].context.set_offline(True)
    expect(people[0].page.locator("#banner")).to_be_visible()
    _dragged(rack, "R10a", 29)
    assert rack.lying["R10a"] == "2-09"
    people[0].context.set_offline(False)
    people[0].connected()
    rack.settled()
    other = Rack(phone_of(shared, table, table.tokens[0], new_phone))
    assert other.lying["R10a"] == "2-09"
