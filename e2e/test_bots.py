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


@pytest.mark.parametrize("game", ["pisti", "batak"])
def test_ab_10_a_hint_stays_until_the_next_move_or_until_it_is_put_away(
    shared: Server, new_phone: NewPhone, game: str
) -> None:
    phone = new_phone(shared, fresh())
    practice(phone, game, "Kolay")
    page = phone.page
    ask, hint, marks = page.locator("#ask"), page.locator("#hint"), page.locator(".hinted")
    ask.tap()
    expect(hint.locator("b")).not_to_be_empty()
    expect(marks).not_to_have_count(0)
    hint.get_by_role("button", name="İpucunu kapat").tap()
    expect(hint).to_be_hidden()
    expect(marks).to_have_count(0)
    page.wait_for_timeout(450)  # two taps in a moment are one
    ask.tap()
    expect(hint).to_be_visible()
    expect(marks).not_to_have_count(0)
    card = marks.get_attribute("data-card")
    marks.tap(position={"x": 12, "y": 12})
    if card:  # lifted: the hint gives its place to the button that plays
        expect(ask).to_be_hidden()
        page.locator("#play").tap()
    expect(hint).to_be_hidden()
    expect(marks).to_have_count(0)


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
    phone.page.wait_for_function("() => ['0', '2'].includes(document.getElementById('table').dataset.turn)")
    one = phone if phone.fact("turn") == "0" else friend
    one.page.locator("#table.mine").wait_for()
