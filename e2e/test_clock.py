"""The move clock, bots that stand in, chairs given away, leaving and taking back, on phones (PT-4, PT-8, AB)."""

import re
import time
from typing import Any, Final

from msgspec.structs import replace
from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.gallery_clock import PISTI
from e2e.phones import Phone, seated, up_to_date
from e2e.staging import dealt, phone_of, phones
from e2e.test_bots import practice
from mokali.games import BY_KEY
from tests.web.prepared import PATIENT, Prepared
from tests.web.seat import fresh
from tests.web.server import Server

QUICK: Final[dict[str, Any]] = {"heartbeat_seconds": 0.3, "grace_seconds": 0.9, "bot_after_seconds": 2}
"""A house that notices at once who is gone."""
FOUR: Final[dict[str, Any]] = {
    "dealer": 3,
    "hands": [["9S", "KH", "2C", "JD"], ["9H", "KD", "3S", "4C"], ["9D", "KC", "3H", "4D"], ["9C", "KS", "3D", "4H"]],
    "pile": ["7D", "AH", "5S", "6C"],
    "turn": 0,
}

WHOLE: Final = "words => words.scrollWidth <= words.clientWidth"


def _table(house: Server, people: int, setup: dict[str, Any], **terms: Any) -> Prepared:
    names = [fresh() for _ in range(people + 1)]
    return dealt(house, BY_KEY["pisti"], setup, names, replace(PATIENT, bot_seconds=0.1, **terms))


def _time(phone: Phone) -> int:
    """The seconds on the clock in the bar."""
    timer = phone.page.locator("#clock [role=timer]")
    expect(timer).to_have_text(re.compile(r"^\d:\d\d$"))
    minutes, seconds = timer.inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def _agree(phone: Phone, what: str) -> None:
    phone.page.get_by_role("button", name="Ne yapalım?").tap()
    phone.page.locator("#sheet-ways").get_by_role("button", name=what).tap()


def test_ab_7_notice_last_warning_bot_and_back_by_one_tap(serve: House, new_phone: NewPhone) -> None:
    house = serve(**QUICK)
    slow, quick = phones(house, _table(house, 2, PISTI, seconds=5, absence="auto"), new_phone)
    panel = slow.page.locator("#absent .panel")
    for said in ("Süren doldu", "Son uyarı"):
        slow.page.locator("#table.mine").wait_for()
        assert 0 <= _time(slow) <= 5
        expect(quick.page.locator('.table.ticking .seat[data-seat="0"]')).to_be_visible()
        expect(slow.page.locator("#table.hurry #step bdi")).to_be_visible()
        assert slow.page.locator("#step bdi").evaluate(WHOLE), "hurrying cuts no words off"
        expect(panel).to_contain_text(said, timeout=15_000)
        quick.page.locator("#table.mine").wait_for()
        quick.play()
    expect(panel).to_contain_text("Yerine bot oynuyor", timeout=15_000)
    expect(quick.page.locator(".seat .ring .icon")).to_have_count(1)
    panel.get_by_role("button", name="Ben oynarım").tap()
    expect(panel).to_contain_text("Son uyarı")
    expect(quick.page.locator(".seat .ring .icon")).to_have_count(0)
    up_to_date(slow, quick)


def test_ab_9_what_is_left_survives_a_killed_house(serve: House, new_phone: NewPhone) -> None:
    house = serve(**QUICK)
    one, other = phones(house, _table(house, 2, PISTI, seconds=60, absence="auto"), new_phone)
    one.page.wait_for_timeout(2_000)
    before = _time(other)
    house.kill()
    time.sleep(3)
    house.start()
    for phone in (one, other):
        phone.reload()
    assert before - 4 <= _time(other) <= before
    assert abs(_time(one) - _time(other)) <= 1


def test_ab_4_a_bot_stands_in_and_the_chair_is_taken_back_in_mid_hand(serve: House, new_phone: NewPhone) -> None:
    house = serve(**QUICK)
    table = _table(house, 2, PISTI, absence="bot", bot_after_seconds=5)
    gone, stays = phones(house, table, new_phone)
    gone.play("9S")
    gone.pocket()
    expect(stays.page.locator("#absent")).to_contain_text(re.compile(r"bot oynar\s*\d sn"))
    stays.page.locator("#table.mine").wait_for()
    stays.play("3S")
    expect(stays.page.locator(".seat .ring .icon")).to_have_count(1, timeout=15_000)
    stays.page.locator("#table.mine").wait_for()
    gone.wake(f"{house.base}/masa/{table.table.code}")
    expect(stays.page.locator(".seat .ring .icon")).to_have_count(0)
    assert len(gone.hand) == 2, "the bot has played one of the three"
    stays.play("4C")
    gone.page.locator("#table.mine").wait_for()
    gone.play()
    up_to_date(gone, stays)


def test_ab_11_a_newcomer_takes_over_the_seat_of_who_left(serve: House, new_phone: NewPhone) -> None:
    house = serve(**QUICK)
    table = _table(house, 4, FOUR)
    first, leaver, *others = phones(house, table, new_phone)
    held = leaver.hand
    leaver.page.locator(".menu").tap()
    leaver.page.locator('#sheet-menu [data-ui="leave"]').tap()
    expect(leaver.page.locator("#sheet-leave")).to_contain_text("geri alamazsın")
    leaver.page.locator('#sheet-leave [data-do="leave"]').tap()
    leaver.page.wait_for_url(f"{house.base}/")
    newcomer = phone_of(house, table, table.tokens[-1], new_phone)
    for phone in (first, *others):
        expect(phone.page.locator("#absent")).to_contain_text("çıktı")
        _agree(phone, "Yerine biri otursun")
    newcomer.page.locator("#absent").get_by_role("button", name=re.compile("Yerine otur")).tap()
    expect(newcomer.table).to_have_attribute("data-seat", "1")
    assert newcomer.hand == held
    first.play("9S")
    newcomer.page.locator("#table.mine").wait_for()
    newcomer.play("9H")
    up_to_date(first, newcomer, *others)


def test_ab_11_bota_ver_and_ab_6_masayi_kapat(serve: House, new_phone: NewPhone) -> None:
    house = serve(**QUICK)
    table = _table(house, 4, FOUR)
    first, second, third, lost = phones(house, table, new_phone)
    lost.pocket()
    for phone in (first, second, third):
        _agree(phone, "Bota ver")
    expect(first.page.locator(".seat .ring .icon")).to_have_count(1)
    for phone, card in ((first, "9S"), (second, "9H"), (third, "9D")):
        phone.page.locator("#table.mine").wait_for()
        phone.play(card)
    first.page.locator("#table.mine").wait_for()
    third.pocket()
    _agree(first, "Masayı kapat")
    _agree(second, "Masayı kapat")
    expect(first.page.locator("#step")).to_have_text("Masa kapandı")


def test_ab_2_leaving_is_asked_once_and_says_what_it_costs(shared: Server, new_phone: NewPhone) -> None:
    name = fresh()
    leaver, winner = new_phone(shared, fresh()), new_phone(shared, name)
    seated(leaver, winner, clock="60", absence="forfeit")
    leaver.page.locator(".menu").tap()
    leaver.page.locator('#sheet-menu [data-ui="leave"]').tap()
    expect(leaver.page.locator("#sheet-leave")).to_contain_text("Çıkarsan oyun biter, sana kayıp yazılır.")
    leaver.page.locator('#sheet-leave [data-ui="close"]').last.tap()
    leaver.connected()
    leaver.page.locator(".menu").tap()
    leaver.page.locator('#sheet-menu [data-ui="leave"]').tap()
    leaver.page.locator('#sheet-leave [data-do="leave"]').tap()
    expect(winner.page.locator("#step")).to_have_text("Masa kapandı")
    winner.page.goto(f"{shared.base}/siralama?oyun=pisti")
    expect(winner.page.locator("tr", has_text=name)).to_contain_text("1")


def test_pt_4_taking_back_at_a_practice_table(serve: House, new_phone: NewPhone) -> None:
    house = serve(bot_seconds=10)
    phone = new_phone(house, fresh())
    practice(phone, "pisti", "Kolay")
    phone.page.locator("#table.mine").wait_for()
    held, played = phone.hand, phone.played
    lying = phone.page.locator("#pile [data-card]").last.get_attribute("data-card") or ""
    harmless = next(card for card in held if card[0] not in ("J", lying[0]))  # who takes sees what lay face down
    phone.play(harmless)
    phone.page.get_by_role("button", name="Hamleyi geri al").tap()
    expect(phone.page.locator("#hand [data-card]")).to_have_count(4)
    assert phone.hand == held
    assert phone.played > played + 1
    phone.play(harmless)
