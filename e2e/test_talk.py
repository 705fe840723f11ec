"""Phones that talk: voice messages, phrases, lines, who hears them, and who does not (SITE-14 … SITE-20)."""

import re
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserType, Route, expect

from e2e.conftest import NewPhone
from e2e.fingers import Finger
from e2e.phones import Phone, seated
from e2e.staging import case, dealt
from e2e.talkers import (
    SPOKEN,
    Onlooker,
    addresses,
    bubbles,
    has,
    heard_nothing,
    hearing,
    hears,
    idle,
    later,
    mic,
    name,
    recording,
    send,
    speak,
    spoken,
    talker,
    tapped,
    told,
    tone,
)
from mokali.games import BY_KEY
from mokali.store.database import run, transaction
from tests.web.prepared import database_in
from tests.web.seat import fresh
from tests.web.server import Server

NAME = "mokali.lan"
SWAP = """() => document.addEventListener('htmx:ws:after:message:outgoing', () => {
  document.getElementById('step').dispatchEvent(new CustomEvent('htmx:after:settle', { bubbles: true }))
})"""
"""Another picture comes before each answer, as when somebody plays in the same moment."""
SHY = "--autoplay-policy=document-user-activation-required"


class _Place(NamedTuple):
    """Where phones go."""

    base: str


@pytest.fixture(scope="module")
def browser(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """As on a phone: nothing plays before the first tap. A name that is no local address leads here too."""
    if browser_type.name != "chromium":
        pytest.skip("only Chromium has a microphone that is none")
    args = [*browser_type_launch_args["args"], SHY, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    started = browser_type.launch(**{**browser_type_launch_args, "args": args})
    yield started
    started.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One where nobody speaks too often."""
    server = Server(tmp_path_factory.mktemp("talk"), voice_seconds=0.1, voices_per_minute=1000)
    server.start()
    yield server
    server.kill()
    server.no_fault()


def _pair(new_phone: NewPhone, server: Server, **form: Any) -> tuple[Phone, Phone]:
    """Two at a table; the second one's browser plays unasked."""
    ayse, can = talker(new_phone, server, fresh()), talker(new_phone, server, fresh())
    seated(ayse, can, **form)
    tapped(can)
    return ayse, can


def _says(phone: Phone, phrase: str) -> None:
    phone.page.locator("#talk").tap()
    if phone.page.locator("#sheet-phrases").is_hidden():
        phone.page.locator("#sheet-chat [data-ui=phrases]").tap()
    phone.page.locator("#sheet-phrases").get_by_role("button", name=phrase, exact=True).tap()


# --- who hears (SITE-18) ---


def test_site_18_the_table_hears_and_nobody_else(house: Server, new_phone: NewPhone) -> None:
    phones = [talker(new_phone, house, fresh()) for _ in range(4)]
    address = seated(*phones)
    watcher = talker(new_phone, house, fresh())
    watcher.visit(address)
    tapped(*phones[1:], watcher)
    speak(phones[0])
    mic(phones[0]).tap()
    told(phones[0], "Sesli mesaj gönderildi.")
    for phone in phones[1:]:
        [message] = has(phone, 1)
        hears(phone, message)
    _says(phones[0], "Selam")
    expect(bubbles(watcher)).to_have_text(re.compile("Selam"))
    for deaf in (phones[0], watcher):
        heard_nothing(deaf)
        assert addresses(deaf) == []
    expect(mic(watcher)).to_have_count(0)
    for text in (*watcher.received, watcher.page.content()):
        assert "/ses" not in text
        assert name(message) not in text


def test_tv_18_at_a_tavla_table_watchers_hear_and_answer(house: Server, new_phone: NewPhone) -> None:
    game, record = BY_KEY["tavla"], case(BY_KEY["tavla"], "TV-1-own-numbering")
    assert record.header.setup is not None
    table = dealt(house, game, record.header.setup, [fresh() for _ in range(3)], **record.header.options)
    ayse, can, watcher = (talker(new_phone, house) for _ in range(3))
    for phone, token in zip((ayse, can, watcher), table.tokens, strict=True):
        phone.wear(token)
        phone.visit(f"{house.base}/masa/{table.table.code}")
    tapped(ayse, can, watcher)
    send(ayse)
    hears(watcher, *has(watcher, 1))
    hears(can, *has(can, 1))
    speak(watcher)
    mic(watcher).tap()
    hears(ayse, *has(ayse, 1))
    hears(can, *has(can, 2))
    assert len(addresses(watcher)) == 1


def test_site_18_watchers_hear_and_answer_where_the_table_wants_it(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house, spectator_voice="true")
    send(ayse)
    send(ayse)
    later(house, 20)
    send(ayse)
    watcher = talker(new_phone, house, fresh())
    watcher.visit(ayse.page.url)
    tapped(watcher)
    old, older, newest = has(watcher, 3)
    hears(watcher, newest)  # and not what was said long ago (SITE-19)
    speak(watcher)
    mic(watcher).tap()
    hears(can, old, older, newest, has(can, 4)[-1])
    has(ayse, 1)


def test_site_18_who_has_left_or_sits_elsewhere_is_given_nothing(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    send(ayse)
    [message] = has(can, 1)
    there = can.base + message
    assert can.context.request.get(there).status == 200
    stranger, elsewhere = new_phone(house), new_phone(house, fresh())
    elsewhere.open_table()
    for phone in (stranger, elsewhere):
        assert phone.context.request.get(there).status == 404
    can.page.locator("[data-ui=menu]").first.tap()
    can.page.locator("#sheet-menu [data-ui=leave]").tap()
    can.page.locator("#sheet-leave [data-do=leave]").tap()
    can.page.locator("#lobby").wait_for()
    assert can.context.request.get(there).status == 404
    can.visit(ayse.page.url)  # as one who looks on
    assert can.context.request.get(there).status == 404
    expect(mic(can)).to_have_count(0)


# --- the microphone under a finger and a key (SITE-16) ---


def test_site_16_holding_and_letting_go_sends(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    finger = Finger(ayse)
    tapped(ayse)
    assert ayse.page.evaluate("() => window.ear.asked") == 0  # before the first touch of the microphone
    finger.press(mic(ayse))
    recording(ayse)
    shown = ayse.page.locator("#recorder .left")
    expect(shown).to_have_text("29")  # a second is gone
    finger.lift()
    told(ayse, "Sesli mesaj gönderildi.")
    idle(ayse)
    hears(can, *has(can, 1))
    finger.press(mic(ayse))
    recording(ayse)
    expect(shown).to_have_text("29")
    finger.slide(ayse.page.get_by_role("button", name="Vazgeç"))
    finger.lift()
    told(ayse, "Sesli mesaj gönderilmedi.")
    idle(ayse)
    send(ayse)  # what was cancelled has not gone out before this
    has(can, 2)


def test_site_16_a_cross_and_escape_cancel_and_keys_are_enough(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    speak(ayse)
    ayse.page.get_by_role("button", name="Vazgeç").tap()
    idle(ayse)
    expect(ayse.page.locator("#live p", has_text="gönderilmedi")).to_have_count(1)
    speak(ayse)
    ayse.page.keyboard.press("Escape")
    idle(ayse)
    expect(ayse.page.locator("#live p", has_text="gönderilmedi")).to_have_count(2)
    mic(ayse).focus()
    ayse.page.keyboard.press("Enter")
    recording(ayse)
    ayse.page.wait_for_function(
        "() => parseFloat(document.querySelector('.level i').style.transform.slice(7)) > 0"
    )  # the device beeps
    expect(ayse.page.locator("#recorder .left")).to_have_text("29")
    expect(mic(ayse)).to_be_focused()
    ayse.page.keyboard.press("Enter")
    told(ayse, "Sesli mesaj gönderildi.")
    hears(can, *has(can, 1))
    mic(ayse).focus()
    ayse.page.keyboard.press("Space")
    recording(ayse)
    ayse.page.keyboard.press("Escape")
    idle(ayse)


def test_site_16_less_than_half_a_second_is_nothing(house: Server, new_phone: NewPhone) -> None:
    ayse, can = talker(new_phone, house, fresh()), talker(new_phone, house, fresh())
    ayse.page.clock.install()
    seated(ayse, can)
    ayse.page.clock.pause_at(ayse.page.evaluate("Date.now() / 1000 + 1"))  # for the page, time stands
    mic(ayse).tap()
    recording(ayse)
    mic(ayse).tap()
    ayse.refused("too_short")
    expect(ayse.page.locator("#refusal")).to_have_text(re.compile("Çok kısa oldu, gönderilmedi."))
    idle(ayse)
    ayse.page.clock.resume()
    send(ayse)
    has(can, 1)


def test_site_17_after_half_a_minute_it_stops_and_sends(house: Server, new_phone: NewPhone) -> None:
    ayse, can = talker(new_phone, house, fresh()), talker(new_phone, house, fresh())
    ayse.page.clock.install()
    seated(ayse, can)
    tapped(can)
    speak(ayse)
    ayse.page.clock.fast_forward(27_500)  # only the page's clock: what is recorded is a second long
    expect(ayse.page.locator("#recorder.last .left")).to_have_text(re.compile("^[12]$"))
    told(ayse, "Sesli mesaj gönderildi.")
    idle(ayse)
    hears(can, *has(can, 1))


# --- how much and how often (SITE-17) ---


def test_site_17_two_messages_within_two_seconds(shared: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, shared)
    speak(ayse)
    send(ayse)
    mic(ayse).tap()
    ayse.refused("too_soon")
    text = ayse.page.locator("#refusal").inner_text()
    wait = re.search(r"en az 2 saniye: ([0-9,]+) saniye sonra gönder", text)
    assert wait, text
    rule = ayse.page.locator("#refusal").get_by_role("link", name="Kural")
    expect(rule).to_have_attribute("href", re.compile("#SITE-17$"))
    again = ayse.page.get_by_role("button", name="Tekrar gönder")
    expect(again).to_be_visible()
    ayse.page.wait_for_timeout(float(wait[1].replace(",", ".")) * 1000)  # what was promised
    again.tap()
    told(ayse, "Sesli mesaj gönderildi.")
    idle(ayse)
    hears(can, *has(can, 2))


def test_site_17_the_eleventh_message_in_a_minute(shared: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, shared)
    spoken(shared, ayse, 10)
    speak(ayse)
    mic(ayse).tap()
    ayse.refused("too_many")
    expect(ayse.page.locator("#refusal")).to_have_text(re.compile(r"en çok 10 sesli mesaj olur: \d+ saniye sonra"))
    again = ayse.page.get_by_role("button", name="Tekrar gönder")
    again.tap()
    ayse.refused("too_many")
    later(shared, 60)
    again.tap()
    told(ayse, "Sesli mesaj gönderildi.")
    idle(ayse)
    has(can, 11)


def test_site_16_what_did_not_arrive_waits_and_what_is_too_long_does_not(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    ayse.page.route("**/ses", lambda route: route.continue_(post_data=tone(31)))
    speak(ayse)
    mic(ayse).tap()
    ayse.refused("too_long")
    idle(ayse)
    ayse.page.unroute("**/ses")
    speak(ayse)
    ayse.context.set_offline(True)
    mic(ayse).tap()
    ayse.refused("offline")
    again = ayse.page.get_by_role("button", name="Tekrar gönder")
    expect(again).to_be_visible()
    again.tap()
    expect(again).to_be_visible()
    ayse.context.set_offline(False)
    ayse.connected()
    again.tap()
    told(ayse, "Sesli mesaj gönderildi.")
    idle(ayse)
    hears(can, *has(can, 1))
    speak(ayse)
    ayse.context.set_offline(True)
    mic(ayse).tap()
    expect(again).to_be_visible()
    ayse.page.get_by_role("button", name="Vazgeç").tap()
    idle(ayse)


# --- hearing (SITE-19) ---


def _switch_sound(phone: Phone) -> None:
    phone.page.locator("[data-ui=menu]").first.tap()
    phone.page.locator("#sheet-menu [data-ui=settings]").tap()
    phone.page.locator("#sheet-settings label:has([data-setting=sound])").tap()
    phone.page.locator("#sheet-settings [data-ui=close]").tap()


def test_site_19_where_the_browser_plays_nothing_a_button_waits(house: Server, new_phone: NewPhone) -> None:
    ayse, can = talker(new_phone, house, fresh()), talker(new_phone, house, fresh())
    seated(ayse, can)
    address = can.page.url
    can.pocket()
    can.page = can.another_tab()
    can.page.goto(address)
    eye = Onlooker(can)
    bubble, waiting = (
        "document.querySelectorAll('.bubble [data-ui=hear]').length",
        "document.querySelectorAll('#messages li').length",
    )
    eye.until("document.body.dataset.wire === 'open'")
    assert eye.sees("navigator.userActivation.hasBeenActive") is False
    send(ayse)
    eye.until("document.getElementById('toast').textContent === 'Sesi aç: ekrana dokun'")
    send(ayse)
    eye.until(f"{waiting} === 2 && {bubble} === 1")  # the oldest of each person
    assert eye.sees("window.ear.steps.length || 'hearing' in document.body.dataset") is False
    can.page.reload()  # what waits stays: this page's place in the history knows it
    eye.until(f"document.body.dataset.wire === 'open' && {waiting} === 2 && {bubble} === 1")
    assert eye.sees("navigator.userActivation.hasBeenActive") is False
    eye.tap(".bubble [data-ui=hear]")
    hears(can, *has(can, 2))
    expect(bubbles(can)).to_have_count(0)
    can.reload()  # and what was heard is heard
    send(ayse)
    hears(can, has(can, 3)[-1])


def test_site_19_with_sound_switched_off_a_tap_plays(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house, spectator_voice="true")
    watcher = new_phone(house, fresh())
    watcher.visit(ayse.page.url)
    _switch_sound(can)
    send(ayse)
    [first] = has(can, 1)
    expect(bubbles(can)).to_have_count(1)
    heard_nothing(can)
    bubbles(can).get_by_role("button").tap()
    hears(can, first)
    for phone in (ayse, watcher):
        send(phone, 2.0)
    second, third = has(can, 3)[1:]
    expect(bubbles(can)).to_have_count(2)
    _switch_sound(can)
    hearing(can)
    bubbles(can).get_by_role("button", name=re.compile("Dinle")).tap()  # the other one: the first waits meanwhile
    can.page.wait_for_function("() => window.ear.steps.length === 7")
    order = ("playing", second), ("playing", third), ("ended", third), ("playing", second), ("ended", second)
    assert can.page.evaluate("window.ear.steps.slice(2)") == [f"{step} {name(one)}" for step, one in order]
    expect(bubbles(can)).to_have_count(0)


def test_site_19_one_after_the_other_and_after_the_own_words(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    for _ in range(3):
        send(ayse)
    hears(can, *has(can, 3))
    send(ayse, 3.0)
    message = has(can, 4)[-1]
    hearing(can)
    speak(can)
    expect(can.page.locator("body[data-hearing]")).to_have_count(0)
    can.page.get_by_role("button", name="Vazgeç").tap()
    hearing(can)
    can.page.wait_for_function("n => window.ear.steps.includes('ended ' + n)", arg=name(message))


def test_site_19_what_can_not_be_had_is_asked_for_again(house: Server, new_phone: NewPhone) -> None:
    """A watcher's page may ask before its socket has joined, and anybody's line may be gone for a moment."""
    ayse, can = _pair(new_phone, house)
    failures = iter([404, None])

    def fail_at_first(route: Route) -> None:
        status = next(failures, 200)
        if status == 200:
            route.continue_()
        elif status is None:
            route.abort("internetdisconnected")
        else:
            route.fulfill(status=status)

    can.page.route("**/ses/*", fail_at_first)
    send(ayse)
    hears(can, *has(can, 1))


def test_site_19_what_was_heard_is_known_one_by_one(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    _switch_sound(can)
    for _ in range(2):
        send(ayse)
    first, second = has(can, 2)
    can.page.locator("#talk").tap()
    can.page.locator("#sheet-phrases [data-ui=chat]").tap()
    can.page.locator("#messages button").last.tap()
    hears(can, second)
    can.reload()
    expect(bubbles(can)).to_have_count(1)
    bubbles(can).get_by_role("button").tap()
    can.page.wait_for_function("n => window.ear.steps.includes('ended ' + n)", arg=name(first))
    expect(bubbles(can)).to_have_count(0)


def test_site_19_the_switch_silences_what_is_playing_and_what_is_deleted_shows_no_more(
    house: Server, new_phone: NewPhone
) -> None:
    ayse, can = _pair(new_phone, house)
    send(ayse, 5.0)
    has(can, 1)
    hearing(can)
    _switch_sound(can)
    expect(can.page.locator("body[data-hearing]")).to_have_count(0)
    expect(bubbles(can).get_by_role("button", name=re.compile("Dinle"))).to_be_visible()
    with database_in(house.data), transaction():
        run("DELETE FROM talk")
    _says(ayse, "Selam")
    expect(bubbles(can).get_by_role("button", name=re.compile("Dinle"))).to_have_count(0)


def test_site_7_the_tab_that_looks_on_neither_plays_nor_records(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    second = can.another_tab()
    second.goto(can.page.url)
    second.locator("#step").tap()
    expect(can.page.locator("#banner")).to_contain_text("başka sekmede")
    send(ayse)
    second.wait_for_function("() => window.ear.steps.some(step => step.startsWith('ended'))")
    heard_nothing(can)
    mic(can).tap()
    expect(can.page.locator("#refusal")).to_contain_text("başka sekmede")
    assert can.page.evaluate("window.ear.asked") == 0


# --- the game goes on ---


def test_site_16_another_finger_ends_nothing(house: Server, new_phone: NewPhone) -> None:
    ayse, _ = _pair(new_phone, house)
    finger = Finger(ayse)
    finger.press(mic(ayse))
    recording(ayse)
    ayse.page.wait_for_timeout(SPOKEN)
    ayse.page.evaluate("""() => document.getElementById('step').dispatchEvent(
      new PointerEvent('pointerup', { pointerId: 77, bubbles: true, clientX: 9, clientY: 9 }))""")
    recording(ayse)
    finger.lift()
    told(ayse, "Sesli mesaj gönderildi.")


def test_site_16_who_stands_up_records_no_more(house: Server, new_phone: NewPhone) -> None:
    ayse, can = talker(new_phone, house, fresh()), talker(new_phone, house, fresh())
    address = ayse.open_table()
    can.sit(address, 1)
    speak(can)
    can.page.get_by_role("button", name="Kalk").tap()
    expect(can.page.locator("#refusal")).to_contain_text("koltuğundan kalktın")
    expect(can.page.locator("#recorder")).to_be_hidden()


def test_site_19_cards_are_played_while_people_talk(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    mover, other = (ayse, can) if ayse.on_turn else (can, ayse)
    tapped(ayse, can)
    speak(mover)
    mover.play()
    recording(mover)
    mic(mover).tap()
    told(mover, "Sesli mesaj gönderildi.")
    has(other, 1)
    send(mover, 3.0)
    hearing(other)
    other.play()
    hearing(other)
    other.page.wait_for_function("() => window.ear.steps.filter(step => step.startsWith('ended')).length === 2")


def test_site_16_a_reload_and_a_hidden_page_cancel(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    speak(ayse)
    ayse.reload()
    idle(ayse)
    speak(ayse)
    ayse.page.evaluate("""() => {
      Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
      delete document.hidden
    }""")
    told(ayse, "Sesli mesaj gönderilmedi.")
    idle(ayse)
    send(ayse)
    has(can, 1)


# --- phrases, lines, silence (SITE-14) ---


def test_site_14_phrases_and_faces(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    watcher = new_phone(house, fresh())
    watcher.visit(ayse.page.url)
    began = time.monotonic()
    _says(ayse, "Kolay gelsin")
    expect(ayse.page.locator("#sheet-phrases")).to_be_hidden()
    for phone in (can, watcher):
        expect(bubbles(phone)).to_have_text(re.compile("Kolay gelsin"))
    box, seat = bubbles(can).bounding_box(), can.page.locator('.seat[data-seat="0"]').bounding_box()
    assert box is not None
    assert seat is not None
    assert abs(box["y"] - seat["y"] - seat["height"]) < 20
    _says(ayse, "gülüyor")
    ayse.refused("too_soon")
    expect(ayse.page.locator("#refusal")).to_have_text(re.compile("en az 2 saniye"))
    expect(bubbles(can)).to_have_count(0)
    assert time.monotonic() - began > 3.5
    _says(ayse, "gülüyor")
    expect(bubbles(can).get_by_role("img", name="gülüyor")).to_be_visible()
    told(can, "gülüyor")
    _says(watcher, "Maşallah")
    expect(bubbles(ayse).filter(has_text="Maşallah")).to_be_visible()
    ayse.page.locator("#talk").tap()
    ayse.page.locator("#sheet-phrases [data-ui=chat]").tap()
    expect(ayse.page.locator("#lines .words")).to_have_count(3)
    expect(ayse.page.locator("#lines").get_by_role("img", name="gülüyor")).to_be_visible()


def _writes(phone: Phone, text: str) -> None:
    if phone.page.locator("#sheet-chat").is_hidden():
        phone.page.locator("#talk").tap()
        if phone.page.locator("#sheet-chat").is_hidden():
            phone.page.locator("#sheet-phrases [data-ui=chat]").tap()
    phone.page.get_by_label("Mesaj yaz").fill(text)
    phone.page.keyboard.press("Enter")


def test_site_14_lines(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    watcher = new_phone(house, fresh())
    watcher.visit(ayse.page.url)
    field, lines = ayse.page.get_by_label("Mesaj yaz"), can.page.locator("#lines .words")
    _writes(ayse, "<b>koz</b> https://example.org \u202eters")
    expect(field).to_have_value("")
    expect(lines).to_have_text(["<b>koz</b> https://example.org ters"])
    expect(can.page.locator("#lines a, #lines .words b")).to_have_count(0)
    button = can.page.get_by_role("button", name="Mesajlar, 1 yeni")
    expect(button).to_be_visible()
    ayse.page.evaluate(SWAP)
    _writes(ayse, "biraz hızlı")
    ayse.refused("too_soon")
    expect(field).to_have_value("biraz hızlı")
    expect(ayse.page.locator("#sheet-chat")).to_be_visible()
    _writes(watcher, "ben de buradayım")
    expect(lines).to_have_count(2)
    expect(can.page.get_by_role("button", name="Mesajlar, 2 yeni")).to_be_visible()
    can.reload()
    can.page.get_by_role("button", name="Mesajlar, 2 yeni").tap()
    expect(can.page.locator("#sheet-chat")).to_be_visible()
    expect(can.page.locator("#talk[data-unread]")).to_have_count(0)
    expect(ayse.page.locator("#lines .words")).to_have_count(2)
    field.fill("")
    field.press_sequentially("u" * 201)
    expect(field).to_have_value("u" * 200)
    later(house, 1)
    field.press("Enter")
    expect(lines.last).to_have_text("u" * 200)
    field.evaluate("field => field.removeAttribute('maxlength')")
    field.fill("u" * 201)
    field.press("Enter")
    ayse.refused("too_long")
    expect(field).to_have_value("u" * 201)


def test_site_14_whoever_is_silenced_is_silent_here_alone(house: Server, new_phone: NewPhone) -> None:
    ayse, can = _pair(new_phone, house)
    watcher = new_phone(house, fresh())
    watcher.visit(ayse.page.url)
    _writes(ayse, "duyuyor musun")
    expect(can.page.locator("#lines .words")).to_have_count(1)
    ayse.page.locator("#sheet-chat [data-ui=close]").tap()
    _says(ayse, "Selam")
    send(ayse, 3.0)
    hearing(can)
    expect(bubbles(can)).to_have_count(2)

    def silence() -> None:
        can.page.locator("[data-ui=menu]").first.tap()
        can.page.locator("#sheet-menu [data-ui=people]").tap()
        expect(can.page.locator('#sheet-people .seat-card[data-seat="1"] [data-ui=mute]')).to_be_hidden()  # oneself
        can.page.locator('#sheet-people .seat-card[data-seat="0"] [data-ui=mute]').tap()
        can.page.locator("#sheet-people [data-ui=close]").tap()

    silence()
    expect(can.page.locator("body[data-hearing]")).to_have_count(0)
    expect(bubbles(can)).to_have_count(0)
    played = can.page.evaluate("window.ear.steps.length")
    for _ in range(2):
        later(house, 3)
        send(ayse)
        _says(ayse, "Pardon")
        expect(bubbles(watcher)).to_have_text(re.compile("Pardon"))
        expect(can.page.locator("#lines .words").last).to_have_text("Pardon")
        expect(bubbles(can)).to_have_count(0)
        can.page.locator("#talk").tap()
        can.page.locator("#sheet-phrases [data-ui=chat]").tap()
        expect(can.page.locator("#lines li:visible, #messages li:visible")).to_have_count(0)
        can.page.locator("#sheet-chat [data-ui=close]").tap()
        assert can.page.evaluate("window.ear.steps.length") == played
        can.reload()
        tapped(can)
        played = 0
    silence()
    can.page.locator("#talk").tap()
    can.page.locator("#sheet-phrases [data-ui=chat]").tap()
    expect(can.page.locator("#lines li:visible")).to_have_count(4)
    expect(can.page.locator("#messages li:visible")).to_have_count(3)


def test_site_14_people_talk_while_they_wait(house: Server, new_phone: NewPhone) -> None:
    ayse, can = talker(new_phone, house, fresh()), talker(new_phone, house, fresh())
    can.sit(ayse.open_table(), 1)
    speak(ayse)
    mic(ayse).tap()
    hears(can, *has(can, 1))
    _says(can, "Geldim")
    expect(bubbles(ayse)).to_have_text(re.compile("Geldim"))
    _writes(ayse, "Hazır mısın")
    expect(can.page.locator("#lines .words").last).to_have_text("Hazır mısın")
    expect(can.page.get_by_role("button", name="Mesajlar, 1 yeni")).to_be_visible()


# --- where there is no microphone ---


def test_site_19_four_reasons_why_not(house: Server, new_phone: NewPhone) -> None:
    denied, phone = talker(new_phone, house, fresh(), microphone=False), talker(new_phone, house, fresh())
    said = set()
    denied.open_table()
    assert denied.page.evaluate("window.ear.asked") == 0
    mic(denied).tap()
    denied.refused("microphone")
    said.add(denied.page.locator("#refusal").inner_text())
    expect(denied.page.locator("#refusal").get_by_role("link", name="Nasıl açılır?")).to_have_attribute("href", "/ses")
    phone.open_table()
    for error in ("NotFoundError", "NotReadableError"):
        phone.page.evaluate(
            "name => { navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', name) } }", error
        )
        mic(phone).tap()
        phone.refused("microphone")
        said.add(phone.page.locator("#refusal").inner_text())
        idle(phone)
    phone.page.evaluate("delete window.MediaRecorder")
    mic(phone).tap()
    expect(phone.page.locator("#refusal")).to_contain_text("Ses kaydı başlamadı")
    plain = new_phone(_Place(f"http://{NAME}:{house.port}"))
    plain.enter(fresh())
    plain.open_table()
    expect(mic(plain)).to_have_attribute("aria-disabled", "true")
    mic(plain).tap(force=True)
    plain.refused("microphone")
    said.add(plain.page.locator("#refusal").inner_text())
    assert len(said) == 4
    plain.page.get_by_role("link", name="Nasıl açılır?").tap()
    expect(plain.page).to_have_url(f"http://{NAME}:{house.port}/ses")
    expect(plain.page.get_by_role("heading", name="Adres güvenli değilse")).to_be_visible()
