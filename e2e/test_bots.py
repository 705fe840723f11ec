"""A person against bots: called to free chairs, or an alarm's length away from a practice table."""

import re

import pytest
from playwright.sync_api import expect

from e2e.conftest import NewPhone
from e2e.phones import Phone, up_to_date
from e2e.turns import play_a_hand
from mokali.games import GAMES
from tests.web.seat import fresh
from tests.web.server import Server


def practice(phone: Phone, game: str, level: str) -> None:
    """Two taps: the game's form, and against whom."""
    phone.page.goto(f"{phone.base}/masa-ac?oyun={game}")
    phone.page.get_by_role("button", name=re.compile(f"{level} botlarla alıştırma")).tap()
    phone.page.locator('#table[data-stage="playing"]').wait_for()
    phone.connected()


@pytest.mark.parametrize("key", [game.key for game in GAMES])
def test_ab_10_a_hand_against_bots(shared: Server, new_phone: NewPhone, key: str) -> None:
    phone = new_phone(shared, fresh(), reduced_motion="reduce")
    page = phone.page
    page.clock.install()  # it runs as ever, until it jumps
    page.add_init_script("localStorage.setItem('mokali.settings', JSON.stringify({ askcostly: false }))")
    practice(phone, key, "Kolay")
    expect(page.locator(".seat .ring .icon")).to_have_count(int(phone.fact("seats")) - 1)
    assert play_a_hand(phone, key)
    expect(page.locator("#sheet-scores.shown")).to_be_visible()
    up_to_date(phone)


def test_ab_10_bots_in_free_chairs(shared: Server, new_phone: NewPhone) -> None:
    phone, friend = new_phone(shared, fresh()), new_phone(shared, fresh())
    friend.sit(phone.open_table(seats=4), 2)
    bots = phone.page.locator("#bots")
    expect(friend.page.locator("#bots")).to_be_hidden()
    bots.get_by_role("button", name="Kolay").tap()
    expect(phone.page.locator(".chair[data-seat='1']")).to_contain_text("bot, kolay")
    bots.get_by_role("button", name="Zor").tap()
    expect(bots).to_be_hidden()
    phone.page.get_by_role("button", name="Botu çıkar: Kestane").tap()
    bots.get_by_role("button", name="Orta").tap()
    expect(friend.page.locator(".chair[data-seat='3']")).to_contain_text("bot, orta")
    for one in (phone, friend):
        one.ready()
    for one in (phone, friend):
        one.page.locator('#table[data-phase="play"]').wait_for()
    one = phone if phone.page.locator("#table.mine").count() else friend
    one.page.locator("#table.mine").wait_for()
