"""Rule sets of 101 Okey at real tables, opened through the form: what rises, what costs, what four pairs open."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from e2e.conftest import NewPhone
from e2e.okey import Rack
from e2e.phones import Phone
from e2e.staging import laid_anew
from mokali.engine.tiles import ALL_TILES
from mokali.store import tables
from tests.web.prepared import Prepared, database_in
from tests.web.seat import Seat
from tests.web.server import Server
from tests.web.wire import Visitor

APART = 500
"""Milliseconds between two taps that are meant as two."""


@contextmanager
def opened(server: Server, phone: Phone, preset: str, guests: list[str]) -> Iterator[Prepared]:
    """A table with this preset's name on it, opened on the phone; the guests stay connected meanwhile."""
    page = phone.page
    page.goto(f"{server.base}/masa-ac?oyun=okey101")
    page.get_by_role("link", name=preset, exact=True).tap()
    expect(page.locator("#said")).to_contain_text(f"{preset} · ")
    page.get_by_role("button", name="Masayı aç").tap()
    page.locator("#table[data-stage=waiting]").wait_for()
    phone.connected()
    expect(page.locator("#facts")).to_contain_text(preset)
    code = page.url.rpartition("/")[2]
    seats = [Seat(Visitor(server.base, name), code) for name in guests]
    for chair, seat in enumerate(seats, 1):
        seat.do("sit", chair=chair)
        seat.until(lambda some: some.number is not None)
        seat.do("ready")
    phone.ready()
    page.locator('#table[data-stage="playing"]').wait_for()
    with database_in(server.data):
        table = tables.load(tables.find(code))
    yield Prepared(table, (), ())
    for seat in seats:
        seat.wire.close()


def put(server: Server, phone: Phone, table: Prepared, rack: str, melds: list[Any], **more: Any) -> Rack:
    """The phone's seat is on turn and holds this; the others hold what is named nowhere. The okeys are Y6."""
    opens = more.pop("opened", [None] * 4)
    named = {
        *rack.split(),
        "Y5a",
        "Y5b",
        "Y6a",
        "Y6b",
        *(tile.partition("=")[0] for meld in melds for tile in meld["tiles"]),
    }
    named |= {tile for pile in more.get("discards", ()) for tile in pile}
    free = iter([tile for tile in ALL_TILES if str(tile) not in named])
    others = [[str(next(free)) for _ in range(8 if opens[seat] else 21)] for seat in (1, 2, 3)]
    setup = {"dealer": 3, "indicator": "Y5a", "turn": 0, "phase": "play", "drawn": "stock"}
    laid_anew(server, table, setup | {"racks": [rack.split(), *others], "melds": melds, "opened": opens} | more)
    phone.reload()
    return Rack(phone)


def run(owner: int, tiles: str) -> dict[str, Any]:
    return {"owner": owner, "kind": "run", "tiles": tiles.split()}


def sheet_of(page: Page, kind: str) -> Any:
    page.locator(f"#open-{kind}").tap()
    sheet = page.locator(f"#sheet-open-{kind}")
    expect(sheet).to_be_visible()
    return sheet


LOOSE = "R1a Y3a B2a R5a B4a K1a Y8a R7a B7a K3a"
"""Ten tiles that are nothing together."""


def test_mey_katlamali_a_rising_opening_is_refused_below_and_accepted_above(
    shared: Server, new_phone: NewPhone
) -> None:
    phone = new_phone(shared, "Ayşe katlar")
    with opened(shared, phone, "Mey katlamalı", ["Burak katlar", "Cem katlar", "Deniz katlar"]) as table:
        melds = [run(1, "Y9a Y10a Y11a Y12a Y13a"), run(1, "B9b B10b B11b B12b B13b")]
        held = f"K9a K10a K11a K12a K13a R10a R11a R12a R13a B10a B11a B12a {LOOSE}"
        raised = {"opened": [None, "melds", None, None], "opening": [None, 110, None, None]}
        rack = put(shared, phone, table, held, melds, **raised)
        rack.sort()
        page = phone.page
        expect(page.locator("#open-melds .num")).to_have_text("134/111")
        sheet = sheet_of(page, "melds")
        sheet.locator("label", has_text="mavi 10").tap()
        expect(sheet.locator(".sum")).to_have_text("101/111: 10 puan eksik")
        sheet.locator("[data-do=open]").tap()
        phone.refused("below_bar")
        expect(page.locator("#refusal")).to_contain_text("Açmak için 111 gerekir")
        expect(page.locator(".laid")).to_have_count(2)
        sheet.locator("label", has_text="mavi 10").tap()
        expect(sheet.locator(".sum")).to_have_text("134/111: açabilirsin")
        before = phone.played
        sheet.locator("[data-do=open]").tap()
        phone.moved_on(before)
        expect(page.locator(".laid")).to_have_count(5)
        expect(page.locator("#open-melds")).to_have_text("Per aç")
        melds += [run(0, "K9a K10a K11a"), {"owner": 2, "kind": "pair", "tiles": ["B3a", "Y6a=B3"]}]
        rack = put(shared, phone, table, "B3b K1a R5a", melds, opened=["melds", "melds", "pairs", None])
        before = phone.played
        rack.tile("B3b").tap()
        expect(rack.meld(3)).to_have_class("laid pair fits frees")
        rack.meld(3).tap()
        phone.moved_on(before)
        expect(rack.tile("Y6a")).to_be_visible()


def test_standart_a_failed_opening_and_a_second_take_back_are_asked_for_with_their_price(
    shared: Server, new_phone: NewPhone
) -> None:
    phone = new_phone(shared, "Ayşe öder")
    with opened(shared, phone, "Standart", ["Burak öder", "Cem öder", "Deniz öder"]) as table:
        page = phone.page
        rack = put(shared, phone, table, f"K9a K10a K11a K12a K13a R10a R11a R12a {LOOSE} Y11a B13b B9b K6a", [])
        rack.sort()
        sheet, before = sheet_of(page, "melds"), phone.played
        expect(sheet.locator(".sum")).to_have_text(re.compile(r"/101: \d+ puan eksik"))
        button = sheet.locator("[data-do=open]")
        button.dblclick()  # two fast taps are one, and pay nothing
        expect(button).to_have_text("Yine de aç +101")
        expect(sheet.locator(".sum")).to_contain_text("yere inmez: 101 ceza yazılır")
        assert phone.played == before
        page.wait_for_timeout(APART)
        button.tap()
        phone.moved_on(before)
        expect(page.locator("#title .fine")).to_contain_text("+101")
        expect(page.locator(".laid")).to_have_count(0)
        melds = [run(0, "K9a K10a K11a K12a K13a"), run(0, "R10a R11a R12a"), run(0, "B4a B5a B6a")]
        opening = {"opened": ["melds", None, None, None], "opening": [103, None, None, None]}
        rack = put(shared, phone, table, "R13a B7a Y1a Y3a", melds, **opening)
        rack.play({"do": "lay", "tiles": ["R13a"], "meld": 1})
        rack.play({"do": "lay", "tiles": ["B7a"], "meld": 2})
        back = page.locator('#stock[data-do="undo"]')
        expect(back).to_have_text(re.compile(r"Geri al\d+ taş"))
        rack.play({"do": "undo"})
        expect(back).to_have_text("Geri al+101")
        before = phone.played
        back.tap()
        expect(back).to_have_text("Geri al? +101")
        expect(page.locator("#refusal")).to_contain_text("İşlediğini geri alırsan 101 ceza yazılır")
        assert phone.played == before
        page.wait_for_timeout(APART)
        back.tap()
        phone.moved_on(before)
        expect(page.locator("#title .fine")).to_contain_text("+101")
        expect(rack.tile("R13a")).to_be_visible()


def test_okeylo_51_four_pairs_open(shared: Server, new_phone: NewPhone) -> None:
    phone = new_phone(shared, "Ayşe çift açar")
    with opened(shared, phone, "OkeyLo 51", ["Burak çift açar", "Cem çift açar", "Deniz çift açar"]) as table:
        page = phone.page
        held = "K9a K9b R11a R11b B2a B2b Y13a Y13b R1a Y3a B5a R7a B8a K1a Y1a R4a B10a K3a K12a Y8a R9a B12a"
        put(shared, phone, table, held, [])
        page.locator("#sort [data-sort=runs]").tap()
        page.locator("#sort [data-sort=pairs]").tap()
        expect(page.locator("#open-pairs .num")).to_have_text("4/4")
        sheet, before = sheet_of(page, "pairs"), phone.played
        expect(sheet.locator(".sum")).to_have_text("4/4: açabilirsin")
        sheet.locator("[data-do=open]").tap()
        phone.moved_on(before)
        expect(page.locator(".laid.pair")).to_have_count(4)
        closed = page.locator("#open-melds")
        expect(closed).to_have_attribute("aria-disabled", "true")
        closed.dispatch_event("click")
        expect(page.locator("#refusal")).to_contain_text("Çiftten açtın, bu elde seri ya da küt açamazsın")
        expect(page.locator("#sheet-open-melds")).to_be_hidden()
        melds = [run(1, "R1a R2a R3a"), {"owner": 2, "kind": "pair", "tiles": ["B3a", "B3b"]}]
        drawing = {"phase": "draw", "drawn": None, "discards": [[], [], [], ["K9a"]]}
        both = ["melds", "melds", "pairs", None]
        rack = put(shared, phone, table, "K10a K10b R7a B5a", melds, opened=both, **drawing)
        expect(page.locator("#side")).to_have_attribute("aria-disabled", "true")
        page.locator("#side").dispatch_event("click")
        phone.refused("side_unusable")
        rack.play({"do": "draw", "from": "stock"})
        expect(page.locator("#open-pairs")).not_to_have_attribute("aria-disabled", "true")
        page.locator("#sort [data-sort=runs]").tap()
        page.locator("#sort [data-sort=pairs]").tap()
        sheet, before = sheet_of(page, "pairs"), phone.played
        sheet.locator("[data-do=open]").tap()
        phone.moved_on(before)
        expect(page.locator("#melds-2 .laid.pair")).to_have_count(2)  # in the area of who opened with pairs
        melds = [
            run(1, "R1a R2a R3a"),
            {"owner": 2, "kind": "pair", "tiles": ["B3a", "B3b"]},
            {"owner": 3, "kind": "pair", "tiles": ["B9a", "B9b"]},
        ]
        rack = put(shared, phone, table, "K10a K10b R7a B5a", melds, opened=["melds", "melds", "pairs", "pairs"])
        page.locator("#sort [data-sort=runs]").tap()
        page.locator("#sort [data-sort=pairs]").tap()
        rack.tile("K10a").tap()
        area, before = page.locator("#melds-3 .laid.pair"), phone.played
        expect(area).to_have_class(re.compile("fits"))
        area.tap()
        phone.moved_on(before)
        expect(area).to_have_count(2)  # OK-29: in the area that was tapped
