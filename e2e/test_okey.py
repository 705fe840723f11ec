"""101 Okey on phones: a hand with everything in it, played by touch from a record; and what a wrong drop says."""

import re

import pytest
from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.okey import Rack, case, dealt
from e2e.phones import Phone, together, up_to_date
from e2e.staging import phones
from tests.web.server import Server

SIZES = {"portrait": {"width": 360, "height": 640}, "landscape": {"width": 640, "height": 360}}


@pytest.mark.parametrize("size", SIZES)
def test_four_phones_play_a_hand_with_everything(shared: Server, new_phone: NewPhone, size: str) -> None:
    record = case("a-hand-with-everything")
    assert record.header.setup is not None
    names = [f"{name} {size[:4]}" for name in ("Ayşe", "Burak", "Cem", "Deniz", "Efe")]
    table = dealt(shared, record.header.setup, names)
    people = phones(shared, table, new_phone, size=SIZES[size])
    racks = [Rack(phone) for phone in people]
    for line in record.lines[:-1]:
        racks[line.step["seat"]].play(line.step)
        up_to_date(*people)
    together(*people)
    sheet = people[0].page.locator("#sheet-scores")
    expect(sheet.locator("#scores-title")).to_contain_text("Ayşe")
    expect(sheet.locator("tr.total td")).to_have_text(["−202", "202", "144", "202"])
    expect(sheet.locator("tr", has_text="Gösterge").locator("td").first).to_have_text("−101")
    assert [frame["do"] for phone in people for frame in phone.game_frames()].count("discard") == 5
    up_to_date(*people)


def _two_turns_in(shared: Server, new_phone: NewPhone, who: str) -> tuple[list[Phone], list[Rack]]:
    """Ayşe has opened, and Burak has drawn from the stock."""
    record = case("a-hand-with-everything")
    assert record.header.setup is not None
    table = dealt(shared, record.header.setup, [f"{name} {who}" for name in ("Ayşe", "Burak", "Cem", "Deniz", "Efe")])
    people = phones(shared, table, new_phone)
    racks = [Rack(phone) for phone in people]
    for line in record.lines[:3]:
        racks[0].play(line.step)
    together(*people)
    racks[1].play({"do": "draw", "from": "stock"})
    together(*people)
    return people, racks


def test_a_wrong_drop_says_why_and_puts_everything_back(shared: Server, new_phone: NewPhone) -> None:
    people, racks = _two_turns_in(shared, new_phone, "yanlış")
    burak, before = racks[1], racks[1].lying
    burak.drag("R4a", burak.meld(0))
    people[1].refused("not_opened")
    refusal = people[1].page.locator("#refusal")
    expect(refusal).to_contain_text("önce elini aç")
    expect(refusal.get_by_role("link", name="Kural")).to_have_attribute("href", re.compile("#OK-40$"))
    assert burak.lying == before
    refusal.get_by_role("link", name="Kural").tap()
    expect(people[1].page.locator("#sheet-rules #OK-40")).to_be_visible()
    people[1].page.keyboard.press("Escape")
    racks[0].drag("B10b", racks[0].page.locator("#throw"))
    people[0].refused("not_your_turn")
    expect(people[0].page.locator("#refusal")).to_contain_text("Burak")
    up_to_date(*people)


def test_a_discard_that_costs_is_asked_for_once(shared: Server, new_phone: NewPhone) -> None:
    people, racks = _two_turns_in(shared, new_phone, "ceza")
    burak, page, before = racks[1], people[1].page, people[1].played
    burak.drag("K11b", page.locator("#throw"))
    drop = page.locator("#drop")
    expect(drop).to_have_text("Yine de at +101")
    expect(page.locator("#refusal")).to_contain_text("işleniyor: atarsan 101 ceza")
    assert people[1].played == before
    burak.tile("R4a").tap()  # with another tile in the hand the question is forgotten: it changes places with it
    expect(drop).not_to_have_class(re.compile("asking"))
    burak.drag("K11b", page.locator("#throw"))
    drop.tap()  # as the second half of a fast double tap: nobody can have read the question
    expect(drop).to_have_text("Yine de at +101")
    assert people[1].played == before
    page.wait_for_timeout(500)
    drop.tap()
    people[1].moved_on(before)
    together(*people)
    expect(people[0].page.locator("#fine-1")).to_contain_text("+101")
    expect(people[0].page.locator("#toast")).to_contain_text(re.compile("101"))


def test_the_question_can_be_switched_off(shared: Server, new_phone: NewPhone) -> None:
    people, racks = _two_turns_in(shared, new_phone, "sormaz")
    page, before = people[1].page, people[1].played
    page.get_by_role("button", name="Menü").tap()
    page.locator('[data-ui="settings"]').tap()
    page.locator('[data-setting="askcostly"]').tap()
    page.locator("#sheet-settings [data-ui=close]").tap()
    racks[1].drag("K11b", page.locator("#throw"))
    people[1].moved_on(before)


def test_two_fast_taps_open_once(shared: Server, new_phone: NewPhone) -> None:
    record = case("a-hand-with-everything")
    assert record.header.setup is not None
    table = dealt(shared, record.header.setup, [f"{name} çift" for name in ("Ayşe", "Burak", "Cem", "Deniz", "Efe")])
    ayse = phones(shared, table, new_phone)[0]
    rack, before = Rack(ayse), ayse.played
    rack.sort()
    rack.page.locator("#open-melds").tap()
    expect(rack.page.locator("#sheet-open-melds .sum")).to_have_text("127/101: açabilirsin")
    rack.page.locator("#sheet-open-melds [data-do=open]").dblclick()
    ayse.moved_on(before)
    expect(rack.page.locator("#sheet-open-melds")).to_be_hidden()
    assert [frame["do"] for frame in ayse.game_frames()].count("open") == 1
    expect(rack.page.locator(".laid")).to_have_count(5)


def test_below_the_bar_the_sheet_says_what_is_missing(shared: Server, new_phone: NewPhone) -> None:
    record = case("a-hand-with-everything")
    assert record.header.setup is not None
    table = dealt(shared, record.header.setup, [f"{name} eksik" for name in ("Ayşe", "Burak", "Cem", "Deniz", "Efe")])
    ayse = phones(shared, table, new_phone)[0]
    rack = Rack(ayse)
    rack.sort()
    rack.page.locator("#open-melds").tap()
    sheet = rack.page.locator("#sheet-open-melds")
    sheet.locator("label", has_text="kırmızı 13").tap()
    expect(sheet.locator(".sum")).to_have_text("81/101: 20 puan eksik")
    sheet.locator("[data-do=open]").tap()
    ayse.refused("below_bar")
    expect(rack.page.locator("#refusal")).to_contain_text("20 sayı daha ekle")
    expect(rack.page.locator(".laid")).to_have_count(0)


CLICKS = """() => {
  localStorage.setItem('mokali.settings', JSON.stringify({ askcostly: false }))
  dispatchEvent(new Event('storage'))
  const on = (place) => document.querySelector(place + ':not(:disabled)')
  setInterval(() => {
    const { phase, turn, seat } = document.getElementById('table').dataset
    if (turn !== seat) return
    if (phase === 'draw') on('#stock[data-do="draw"]')?.click()
    if (phase !== 'play' || document.querySelector('.sending')) return
    if (!document.querySelector('.lifted')) document.querySelector('#rack .tile').click()
    else on('#drop')?.click()
  }, 20)
}"""
"""Draws from the stock and throws the first tile, whenever the phone is on turn."""


def test_two_phones_click_through_a_match_that_is_not_recorded(shared: Server, new_phone: NewPhone) -> None:
    ece, can = new_phone(shared, "Ece maç"), new_phone(shared, "Can maç")
    ece.page.goto(f"{shared.base}/masa-ac?oyun=okey101")
    for field, value in (("seats", "2"), ("hands", "2")):
        ece.page.locator(f'label:has(input[name="{field}"][value="{value}"])').tap()
    ece.page.get_by_role("button", name="Masayı aç").tap()
    ece.page.locator("#table[data-stage=waiting]").wait_for()
    ece.connected()
    can.sit(ece.page.url, 1)
    for phone in (ece, can):
        phone.ready()
    for phone in (ece, can):
        phone.page.locator('#table[data-stage="playing"] .tile').first.wait_for()
        phone.page.evaluate(CLICKS)
    ece.page.locator('#table[data-phase="hand_over"]').wait_for(timeout=120_000)
    expect(ece.page.locator("#scores-title")).to_have_text("Destede taş kalmadı.")
    expect(ece.page.locator("#reckoning tr.sum td").first).to_have_text(re.compile(r"\d"))
    first = Rack(ece).lying
    for phone in (ece, can):
        phone.page.locator('#table[data-phase="hand_over"]').wait_for()
        phone.ready()
    ece.page.locator('#table:not([data-phase="hand_over"])').wait_for()
    assert Rack(ece).lying != first
    for phone in (ece, can):
        phone.page.locator('#table[data-phase="over"]').wait_for(timeout=120_000)
    expect(ece.page.locator("#pause")).to_contain_text("Yeniden oyna")
    up_to_date(ece, can)
    ece.page.goto(f"{shared.base}/siralama")
    expect(ece.page.locator("main")).not_to_contain_text("Ece maç")


def test_a_hand_outlives_reloads_and_a_killed_house(serve: House, new_phone: NewPhone) -> None:
    house = serve()
    record = case("a-hand-with-everything")
    assert record.header.setup is not None
    table = dealt(house, record.header.setup, [f"{name} yarıda" for name in ("Ayşe", "Burak", "Cem", "Deniz", "Efe")])
    people = phones(house, table, new_phone)
    racks = [Rack(phone) for phone in people]
    lines = [line.step for line in record.lines[:-1]]
    for step in lines[:8]:  # Cem has drawn and is about to open
        racks[step["seat"]].play(step)
    racks[2].drag("Y13a", racks[2].slot(29))
    racks[2].settled()
    together(*people)
    before = [rack.lying for rack in racks]
    for phone in people:
        phone.reload()
    assert [rack.lying for rack in racks] == before
    house.kill()
    house.start()
    for phone in people:
        phone.connected()
        phone.reload()
    assert [rack.lying for rack in racks] == before
    for step in lines[8:]:
        racks[step["seat"]].play(step)
    together(*people)
    expect(people[0].page.locator("#reckoning tr.total td")).to_have_text(["−202", "202", "144", "202"])
    up_to_date(*people)
