"""Klasik Okey on phones: turns by taps, drags and keys, every way to finish, and the score sheet's sums."""

import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect

from e2e.conftest import NewPhone
from e2e.gallery_klasik import FINISH, LAST, TURN
from e2e.klasik import case, dealt, lifted
from e2e.okey import Rack
from e2e.phones import Phone, together, up_to_date
from e2e.staging import phone_of, phones
from tests.web.prepared import Prepared
from tests.web.seat import Seat
from tests.web.server import Server

PEOPLE: Final = ("Aylin", "Bora", "Ceren", "Doruk", "Emre")


def _names(suffix: str, seats: int = 4) -> list[str]:
    """Who sits there, and last who watches."""
    return [f"{name} {suffix}" for name in (*PEOPLE[:seats], PEOPLE[-1])]


def _seat(server: Server, table: Prepared, who: int) -> Seat:
    return Seat(table.visitors(server.base)[who], table.table.code)


def _plays(people: Sequence[Phone], who: int, does: Callable[[], object]) -> None:
    """Do something that counts as a move, and wait until all have seen it."""
    before = people[who].played
    does()
    people[who].moved_on(before)
    together(*people)


def _figures(row: Locator) -> list[int]:
    """The numbers of a row of the score sheet, an empty field being nothing."""
    return [int(text.replace("−", "-").lstrip("×") or 0) for text in row.locator("td").all_text_contents()]


def _sums(phone: Phone, before: list[int]) -> None:
    """Each column of the score sheet adds up to what its foot says."""
    table = phone.page.locator("#reckoning")
    rows = {row.locator("th").inner_text(): _figures(row) for row in table.locator("tbody tr").all()}
    for seat, points in enumerate(before):
        by = prod(rows[name][seat] or 1 for name in ("Okeyle", "Çiftten", "Renkli") if name in rows)
        shown = rows["Gösterge"][seat] if "Gösterge" in rows else 0
        finish = rows["Bitiş"][seat] if "Bitiş" in rows else 0
        assert rows["Bu el"][seat] == finish * by + shown
        assert rows["Kalan"][seat] == points + rows["Bu el"][seat]


def _groups(phone: Phone) -> list[list[str]]:
    """The finished hand as the score sheet parts it, the last tile at the end."""
    parts = phone.page.locator("#sheet-scores .left").first.locator(".group")
    found: list[list[str]] = parts.evaluate_all(
        "all => all.map(group => Array.from(group.querySelectorAll('.mini'), tile => tile.dataset.tile))"
    )
    return found


def _reloaded(*people: Phone) -> None:
    """A page loaded anew is the same table and the same rack."""
    facts = ("phase", "turn", "played", "seat")
    for phone in people:
        before = Rack(phone).lying, [phone.fact(name) for name in facts]
        phone.reload()
        assert (Rack(phone).lying, [phone.fact(name) for name in facts]) == before


def test_four_phones_play_by_taps_drags_and_keys(shared: Server, new_phone: NewPhone) -> None:
    """Shows the indicator, takes from stock and side, throws in three ways, and finishes by a drag onto the stock."""
    table = dealt(shared, case("KL-16-show", stock=["R2a", "R2b", "B1a"]), _names("tur"))
    people = phones(shared, table, new_phone, reduced_motion="reduce")  # a finger finds no tile that flies
    aylin, bora, ceren, doruk = (Rack(phone) for phone in people)
    lifted(people[0], "R1a")
    _plays(people, 0, aylin.page.locator("#drop").tap)
    expect(ceren.page.locator("#shown")).to_be_disabled()
    _plays(people, 1, bora.page.locator('#shown[data-do="show"]').tap)
    for seat, points in ((0, "19 puan"), (1, "20 puan"), (3, "19 puan")):
        expect(ceren.page.locator(f"#has-{seat}")).to_have_text(points)
    expect(ceren.page.locator("#fine-0")).to_contain_text("−1")
    expect(ceren.page.locator("#title .sides")).to_contain_text("19/20")
    expect(ceren.page.locator("#toast")).to_contain_text("GÖSTERGE −1")
    _reloaded(people[1])
    _plays(people, 1, bora.page.locator("#stock").tap)
    _plays(people, 1, lambda: bora.drag("R2a", bora.page.locator("#throw")))
    expect(doruk.page.locator("#corner-across .mini")).to_have_attribute("data-tile", "R2")
    _plays(people, 2, ceren.page.locator("#side").tap)
    ceren.tile("R2a").focus()
    _plays(people, 2, lambda: ceren.page.keyboard.press("Delete"))
    doruk.tile("B6b").focus()
    _plays(people, 3, lambda: doruk.page.keyboard.press("d"))
    _plays(people, 3, lambda: doruk.drag("R2b", doruk.page.locator("#drop")))
    _reloaded(*people)
    _plays(people, 0, aylin.page.locator("#side").tap)
    lifted(people[0], "R2b")
    _plays(people, 0, aylin.page.locator("#throw").tap)
    _plays(people, 1, bora.page.locator("#stock").tap)
    expect(bora.page.locator("#stock")).to_contain_text("Bitir")
    _plays(people, 1, lambda: bora.drag("K4b", bora.page.locator("#stock")))
    for phone in people:
        expect(phone.page.locator("#scores-title")).to_have_text("Bora tur bitti")
    _sums(people[2], [20, 20, 20, 20])
    expect(people[2].page.locator("#reckoning tr.total td")).to_have_text(["17", "20", "17", "17"])
    *melds, last = _groups(people[2])
    assert (sorted(map(len, melds)), last) == ([3, 3, 3, 5], ["K4"])
    _reloaded(people[0])
    up_to_date(*people)


ENDS: Final[dict[str, dict[str, Any]]] = {
    "KL-13-okey-finish": {"title": "okeyle bitti", "rows": ["El 1", "Bitiş", "Okeyle", "Bu el", "Kalan"]},
    "KL-17-okey-and-pairs": {
        "title": "çiftten okeyle bitti",
        "rows": ["El 1", "Bitiş", "Okeyle", "Çiftten", "Renkli", "Bu el", "Kalan"],
    },
}


@pytest.mark.parametrize("name", ENDS)
def test_the_button_finishes_and_the_sheet_says_what_it_costs(shared: Server, new_phone: NewPhone, name: str) -> None:
    coloured = "Renkli" in ENDS[name]["rows"]
    table = dealt(shared, case(name), _names(name[-5:]), coloured=coloured, start_points=30)
    phone = phone_of(shared, table, table.tokens[0], new_phone)
    lifted(phone, "K5a")
    expect(phone.page.locator("#finish")).to_have_class(re.compile("primary"))
    phone.page.locator("#finish").tap()
    expect(phone.page.locator("#scores-title")).to_have_text(f"Aylin {name[-5:]} {ENDS[name]['title']}")
    assert phone.page.locator("#reckoning tr th:first-child").all_inner_texts() == ENDS[name]["rows"]
    _sums(phone, [30] * 4)
    groups = _groups(phone)
    assert groups[-1] == ["K5"]
    assert sum(map(len, groups)) == 15
    if "pairs" in name:
        assert [len(group) for group in groups] == [2] * 7 + [1]


def test_a_wrong_finish_says_why_and_changes_nothing(shared: Server, new_phone: NewPhone) -> None:
    table = dealt(shared, LAST, _names("yanlış"))
    phone = phone_of(shared, table, table.tokens[0], new_phone)
    rack, page = Rack(phone), phone.page
    before = rack.lying, phone.played
    page.locator("#finish").tap()
    expect(page.locator("#refusal")).to_contain_text("Önce bitireceğin taşa")
    lifted(phone, "K9a")
    page.locator("#finish").tap()
    phone.refused("no_finish")
    expect(page.locator("#refusal")).to_contain_text("1 taş perlere girmiyor")
    expect(page.locator("#refusal").get_by_role("link", name="Kural")).to_have_attribute("href", re.compile("#KL-10$"))
    rack.drag("Y4a", page.locator("#stock"))
    expect(page.locator("#refusal")).to_contain_text("Bu taşla bitmez")
    assert (rack.lying, phone.played) == before
    rack.drag("R13a", page.locator("#stock"))
    expect(page.locator("#scores-title")).to_have_text("Aylin yanlış bitti")


def test_the_stock_runs_out_and_the_next_hand_is_dealt(shared: Server, new_phone: NewPhone) -> None:
    table = dealt(shared, case("KL-18-the-stock-ends"), _names("deste"))
    ceren = phone_of(shared, table, table.tokens[2], new_phone)
    ceren.page.locator("#stock").tap()
    lifted(ceren, "R1a")
    ceren.page.locator("#drop").tap()
    expect(ceren.page.locator("#scores-title")).to_have_text("Destede taş kalmadı.")
    expect(ceren.page.locator("#reckoning tr.total td")).to_have_text(["7", "8", "9", "10"])
    _sums(ceren, [7, 8, 9, 10])
    _reloaded(ceren)
    for who in (0, 1, 3):
        other = _seat(shared, table, who)
        other.do("ready")
        other.settle()
        other.wire.close()
    ceren.ready()
    expect(ceren.page.locator('#table[data-phase="play"]')).to_be_attached()
    expect(ceren.page.locator("#title .title b")).to_contain_text("El 5")
    expect(ceren.page.locator("#rack .tile")).to_have_count(14)


def test_a_match_ends_with_two_winners_who_stand_in_the_ranking(shared: Server, new_phone: NewPhone) -> None:
    table = dealt(shared, case("KL-19-co-winners"), _names("son"))
    phone = phone_of(shared, table, table.tokens[0], new_phone)
    phone.page.locator("#tile-R13a").focus()
    phone.page.keyboard.press("Enter")
    phone.page.keyboard.press("b")
    expect(phone.page.locator('#table[data-phase="over"]')).to_be_attached()
    expect(phone.page.locator("#scores-title")).to_have_text("Aylin son ile Bora son kazandı!")
    expect(phone.page.locator("#reckoning tr.total td")).to_have_text(["5", "5", "0", "−1"])
    _reloaded(phone)
    phone.page.goto(f"{shared.base}/siralama?oyun=klasik")
    for name in ("Aylin son", "Ceren son"):
        expect(phone.page.locator("main")).to_contain_text(name)


KEYS: Final = LAST | {
    "racks": [[{"B1a": "R12a"}.get(tile, tile) for tile in LAST["racks"][0]], *LAST["racks"][1:]],
    "stock": ["R2a", "R2b", "R3a", "B1a"],
}


def test_a_hand_by_keys_alone(shared: Server, new_phone: NewPhone) -> None:
    """Throws, draws, walks to the last tile and finishes; the others play meanwhile."""
    table = dealt(shared, KEYS, _names("tuş"))
    phone = phone_of(shared, table, table.tokens[0], new_phone)
    page, keys, before = phone.page, phone.page.keyboard, phone.played
    _walk(phone, "R12a")
    keys.press("Delete")
    phone.moved_on(before)
    for who, tile in ((1, "R2a"), (2, "R2b"), (3, "R3a")):
        other = _seat(shared, table, who)
        for step in ({"action": "draw", "from": "stock"}, {"action": "discard", "tile": tile}):
            played = other.played
            other.do(**step)
            other.until(lambda some, played=played: some.played > played)  # type: ignore[misc]
        other.wire.close()
    expect(page.locator("#step")).to_contain_text("Desteden çek ya da yandan al")
    before = phone.played
    keys.press("d")
    phone.moved_on(before)
    expect(page.locator("#tile-B1a")).to_be_visible()
    keys.press("s")
    expect(page.locator("#sort [data-sort=undo]")).to_be_visible()
    _walk(phone, "R13a")
    keys.press("Enter")
    keys.press("b")
    expect(page.locator("#scores-title")).to_have_text("Aylin tuş bitti")


def _walk(phone: Phone, name: str) -> None:
    """Go with Tab to the rack, and with arrows to a tile."""
    for _ in range(40):
        if phone.page.evaluate("document.activeElement.closest('#rack, #holder') !== null"):
            break
        phone.page.keyboard.press("Tab")
    row, column = map(int, (phone.page.locator(f"#tile-{name}").get_attribute("data-tall") or "").split("-"))
    here = phone.page.evaluate(
        "(({dataset}) => dataset.tall ? dataset.tall.split('-').map(Number)"
        " : [Math.floor(dataset.slot / 10), dataset.slot % 10])(document.activeElement)"
    )
    for _ in range(abs(row - here[0])):
        phone.page.keyboard.press("ArrowDown" if row > here[0] else "ArrowUp")
    for _ in range(abs(column - here[1])):
        phone.page.keyboard.press("ArrowRight" if column > here[1] else "ArrowLeft")
    expect(phone.page.locator(f"#tile-{name}")).to_be_focused()


@pytest.mark.parametrize("seats", [2, 3])
def test_fewer_people_have_fewer_corners(shared: Server, new_phone: NewPhone, seats: int) -> None:
    setup = TURN | {"racks": TURN["racks"][:seats], "discards": TURN["discards"][:seats]}
    table = dealt(shared, setup, _names(f"{seats} kişi", seats))
    people = phones(shared, table, new_phone)
    last = people[0].page.locator(f"#thrown-{seats - 1} .mini")
    expect(people[0].page.locator("#side .mini")).to_have_attribute("data-tile", str(last.get_attribute("data-tile")))
    assert [people[0].page.locator(f"#corner-{place}").count() for place in ("across", "right")] == [0, seats - 2]
    _plays(people, 0, people[0].page.locator("#side").tap)
    lifted(people[0], "R13a")
    _plays(people, 0, people[0].page.locator("#drop").tap)
    expect(people[1].page.locator("#side .mini")).to_have_attribute("data-tile", "R13")
    if seats == 3:
        expect(people[2].page.locator("#corner-right .mini")).to_have_attribute("data-tile", "R13")
    up_to_date(*people)


def test_a_watcher_sees_every_corner_and_can_do_nothing(shared: Server, new_phone: NewPhone) -> None:
    table = dealt(shared, LAST | {"discards": [["K5a"], ["FJa"], ["R2a"], ["R3a"]], "drawn": "stock"}, _names("izler"))
    phone = phone_of(shared, table, table.tokens[-1], new_phone)
    corners = phone.page.locator("#board .corner")
    thrown = {"Ceren": "kırmızı 2", "Bora": "sahte okey (siyah 5)", "Doruk": "kırmızı 3", "Aylin": "okey"}
    expect(corners).to_contain_text([f"{who} izler {tile} attı" for who, tile in thrown.items()])
    for corner in corners.all():
        expect(corner).to_be_visible()
    expect(phone.page.locator("#rack")).to_be_hidden()
    expect(phone.page.locator("#board button:enabled, #actions button")).to_have_count(0)
    aylin = _seat(shared, table, 0)
    aylin.do("finish", tile=FINISH["tile"])
    expect(phone.page.locator("#scores-title")).to_have_text("Aylin izler bitti")
    aylin.wire.close()
    up_to_date(phone)


MOTIONS: Final = """() => {
  window.moved = []
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...how) {
    const { x, y, width, height } = this.getBoundingClientRect()
    const by = /translate\\((.*)px, (.*)px\\)/.exec(how[0][0].transform)
    if (by) window.moved.push([this.closest('[id]').id, x + width / 2 + Number(by[1]), y + height / 2 + Number(by[2])])
    return animate.apply(this, how)
  }
}"""
"""What has travelled, and from where."""


def test_tiles_travel_from_where_they_were(shared: Server, new_phone: NewPhone) -> None:
    setup = TURN | {"discards": [["K7b"], ["R12b"], ["B8b"], ["K3a", "Y11b"]]}
    table = dealt(shared, setup, _names("uçar"))
    people = phones(shared, table, new_phone)
    for phone in people:
        phone.page.evaluate(MOTIONS)
    aylin, bora = people[:2]
    _travels(aylin, "#side", "#side")
    lifted(aylin, "R13a")
    _travels(aylin, "#drop", "#tile-R13a", lands="throw")
    together(*people)
    assert [name for name, *_ in people[2].page.evaluate("moved")] == ["thrown-0"], "what was taken has not been thrown"
    _travels(bora, "#stock", "#stock")


def _travels(phone: Phone, button: str, start: str, lands: str = "tile-") -> None:
    """A tap lets a tile travel from some place."""
    before, box = phone.played, phone.page.locator(start).bounding_box()
    assert box is not None
    phone.page.evaluate("moved.length = 0")
    phone.page.locator(button).tap()
    phone.moved_on(before)
    ((name, x, y),) = phone.page.evaluate("moved")
    assert name.startswith(lands)
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]
