"""Double taps on forms, Tab and Enter alone, what is said aloud, links in refusals, and silence on the wire."""

import os
import re
import signal
import time
from collections.abc import Callable

import segno
from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.fingers import Finger, middle
from e2e.phones import Phone, seated, whose_turn
from tests.web.server import Server


def _mover(server: Server, new_phone: NewPhone, *names: str) -> tuple[Phone, Phone]:
    """Two at a table: whose turn it is, and the other."""
    phones = [new_phone(server, name) for name in names]
    seated(*phones)
    mover = whose_turn(*phones)
    return mover, next(phone for phone in phones if phone is not mover)


def test_fast_taps_from_the_door_to_the_first_card_are_one_action_each(serve: House, new_phone: NewPhone) -> None:
    server = serve()
    ali, ece = new_phone(server), new_phone(server, "Ece")
    ali.page.goto(server.base)
    ali.page.get_by_label("Takma adın").fill("Ali")
    ali.page.get_by_role("button", name="Gir").dblclick()
    ali.page.locator("#lobby").wait_for()
    ali.page.goto(f"{server.base}/masa-ac?oyun=pisti")
    ali.page.get_by_role("button", name="Masayı aç").dblclick()
    ali.page.locator("#table").wait_for()
    ali.connected()
    ece.sit(ali.page.url, 1)
    for phone in (ali, ece):
        phone.page.locator('[data-do="ready"]').dblclick()
    for phone in (ali, ece):
        phone.page.locator('#table[data-phase="play"]').wait_for()
    mover = whose_turn(ali, ece)
    before = mover.played
    mover.page.evaluate(
        "card => [1, 2, 3, 4, 5].forEach(() => card.click())", mover.card(mover.hand[0]).element_handle()
    )
    mover.moved_on(before)
    whose_turn(ali, ece)
    assert len([frame for frame in mover.game_frames() if frame["do"] == "play"]) == 1
    assert server.kept(ali.fact("table")).played == before + 1


def test_a_double_tap_is_never_on_and_off(shared: Server, new_phone: NewPhone) -> None:
    """The answer to the first tap puts "Hazır değilim" under the finger; whoever means that taps once more later."""
    phone = new_phone(shared, "Ali Çifte")
    phone.open_table()
    ready, finger, now = phone.page.locator('[data-do="ready"]'), Finger(phone), time.time()
    spot = middle(ready)
    finger.tap(spot, now)
    expect(ready).to_have_text("Hazır değilim")
    finger.tap(spot, now + 0.3)
    finger.tap(spot, now + 0.6)
    expect(ready).to_have_text("Hazır değilim")
    assert [frame["on"] for frame in phone.game_frames()] == [True]
    finger.tap(spot, now + 1.2)
    expect(ready).to_have_text("Hazırım")
    assert [frame["on"] for frame in phone.game_frames()] == [True, False]


# --- keys ---


def test_tab_and_enter_alone_lead_to_a_played_card(shared: Server, new_phone: NewPhone) -> None:
    mover, _ = _mover(shared, new_phone, "Ali Klavye", "Ece Klavye")
    before, keys = mover.played, mover.page.keyboard
    for _ in range(30):
        keys.press("Tab")
        if mover.page.evaluate("document.activeElement.matches('#hand [data-card]')"):
            break
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(mover.page.locator("#hand .lifted")).to_have_count(1)
    keys.press("Escape")
    expect(mover.page.locator("#hand .lifted")).to_have_count(0)
    keys.press("Enter")
    keys.press("Enter")
    mover.moved_on(before)
    assert mover.page.evaluate("document.activeElement !== document.body"), "focus never falls to the ground"


def test_a_sheet_holds_the_focus_and_gives_it_back(shared: Server, new_phone: NewPhone) -> None:
    mover, _ = _mover(shared, new_phone, "Ali Odak", "Ece Odak")
    page = mover.page
    for opener in ("menu", "scores"):
        page.locator(f'[data-ui="{opener}"]:visible').first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#sheet-{opener}")).to_be_visible()
        for key in ("Tab",) * 9 + ("Shift+Tab",) * 9:
            page.keyboard.press(key)
            assert page.evaluate("name => document.activeElement.closest(`#sheet-${name}`) !== null", opener)
        page.keyboard.press("Escape")
        expect(page.locator(f"#sheet-{opener}")).to_be_hidden()
        assert page.evaluate("document.activeElement.dataset.ui") == opener


def test_what_happens_is_said_aloud_in_order(shared: Server, new_phone: NewPhone) -> None:
    mover, other = _mover(shared, new_phone, "Ali Sesli", "Ece Sesli")
    first, second = mover, other
    said = []
    for phone in (first, second):
        name = phone.page.locator(f'#hand [data-card="{phone.hand[0]}"]').get_attribute("aria-label")
        said.append(f"{'Ali Sesli' if phone.fact('seat') == '0' else 'Ece Sesli'} {name} attı.")
        phone.play(phone.hand[0])
        whose_turn(first, second)
    expect(mover.page.locator("#live")).to_contain_text(re.compile(".*".join(map(re.escape, said)), re.DOTALL))


# --- rules ---


def test_a_refusals_link_opens_the_rule_and_nobody_leaves_the_table(shared: Server, new_phone: NewPhone) -> None:
    _, waiting = _mover(shared, new_phone, "Ali Ret", "Ece Ret")
    waiting.page.evaluate("document.querySelector('#hand [data-card]').dispatchEvent(new CustomEvent('play'))")
    waiting.refused("not_your_turn")
    link = waiting.page.locator("#refusal a")
    address = link.get_attribute("href") or ""
    assert address.endswith(f"?masa={waiting.fact('table')}#PI-4")
    link.tap()
    expect(waiting.page.locator("#sheet-rules")).to_be_visible()
    expect(waiting.page.locator("#sheet-rules #PI-4")).to_be_in_viewport()
    table = waiting.page.url
    tab = waiting.another_tab()
    tab.goto(shared.base + address)
    expect(tab.locator("#PI-4")).to_be_in_viewport()
    tab.get_by_role("link", name="Oyuna dön").last.tap()
    tab.wait_for_url(table)


def test_the_picture_says_the_same_as_the_link(shared: Server, new_phone: NewPhone) -> None:
    phone = new_phone(shared, "Karekod")
    phone.open_table()
    link = phone.page.locator("[data-ui=share]").get_attribute("data-link")
    assert link == f"{shared.base}/m/{phone.fact('table')}"
    drawn = phone.page.locator("#invite svg.qr path").get_attribute("d")
    wanted = segno.make(link, error="m", micro=False).svg_inline(border=0, omitsize=True)
    assert drawn
    assert f'd="{drawn}"' in wanted


def test_rl_15_a_foreign_script_does_not_run(shared: Server, new_phone: NewPhone) -> None:
    phone = new_phone(shared, "Betik")
    phone.lobby()
    phone.page.evaluate("""() => {
      document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.foreign = 1'}))
      document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.foreign = 2">')
    }""")
    phone.page.wait_for_function("() => document.body.lastElementChild.complete")
    assert phone.page.evaluate("window.foreign") is None
    assert any("Content Security Policy" in complaint for complaint in phone.complaints)
    phone.complaints.clear()


# --- a line that dies without a word (RL-23) ---


def _workers(server: Server) -> Callable[[int], None]:
    """Sends a signal to the processes of a house of our own."""
    master = server.pid
    with open(f"/proc/{master}/task/{master}/children") as children:
        pids = [int(pid) for pid in children.read().split()]

    def tell(what: int) -> None:
        for pid in pids:
            os.kill(pid, what)

    return tell


def test_rl_23_a_silent_loss_is_noticed_and_made_good(serve: House, new_phone: NewPhone) -> None:
    server = serve()
    ali, ece = new_phone(server, "Ali"), new_phone(server, "Ece")
    for phone in (ali, ece):
        phone.page.clock.install()
    seated(ali, ece)
    mover = whose_turn(ali, ece)
    before, hand, tell = mover.played, mover.hand, _workers(server)
    tell(signal.SIGSTOP)
    try:
        mover.page.clock.fast_forward(13_000)
        expect(mover.page.locator("#banner")).to_contain_text("Bağlantı koptu")
        mover.card(hand[0]).tap()
        mover.card(hand[0]).tap()
        expect(mover.page.locator("#refusal")).to_contain_text("bir şey gönderilmedi")
    finally:
        tell(signal.SIGCONT)
    mover.connected()
    assert (mover.played, mover.hand) == (before, hand)
    assert [frame for frame in mover.game_frames() if frame["do"] == "play"] == []
    mover.play(hand[-1])
    assert mover.played == before + 1
