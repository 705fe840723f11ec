"""The house around a hand: waiting tables, watching, nudging, leaving, closing, rules, settings, the account."""

import re

from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.phones import seated, whose_turn
from tests.web.server import Server

QUICK = {"heartbeat_seconds": 0.5, "grace_seconds": 1.5}


def test_a_new_table_appears_in_another_lobby_and_unlisted_ones_do_not(serve: House, new_phone: NewPhone) -> None:
    server = serve()
    opener, other = new_phone(server, "Ayşe"), new_phone(server, "Başka")
    other.lobby()
    expect(other.page.locator("#tables")).to_contain_text("Açık masa yok")
    opener.open_table(4, 151)
    expect(other.page.locator("#tables")).to_contain_text("Eşli, 151 sayı")
    expect(other.page.locator("#people")).to_contain_text("Ayşe")
    hidden = new_phone(server, "Gizli")
    hidden.open_table(2, 51, listed=False)
    opener.page.goto(server.base)
    expect(other.page.locator("#tables li.place")).to_have_count(1)


def test_link_code_and_picture_lead_to_the_same_table(shared: Server, new_phone: NewPhone) -> None:
    opener = new_phone(shared, "Davet Eden")
    address = opener.open_table()
    link = opener.page.locator("[data-ui=share]").get_attribute("data-link") or ""
    code = opener.fact("table")
    assert link == f"{shared.base}/m/{code}"
    assert opener.page.locator("#invite svg.qr path").count() == 1
    typist = new_phone(shared, "Kod Yazan")
    typist.lobby()
    typist.page.get_by_text("Kodla katıl").tap()
    typist.page.locator('input[name="code"]').fill(f" {code[:3].lower()} {code[3:].lower()} ")
    typist.page.locator('input[name="code"]').press("Enter")
    typist.page.wait_for_url(address)
    guest = new_phone(shared)
    guest.page.goto(link)
    guest.page.get_by_label("Takma adın").fill("Davetli")
    guest.page.get_by_role("button", name="Gir").tap()
    guest.page.wait_for_url(address)


def test_sitting_and_getting_ready_are_two_taps_and_the_opener_frees_a_chair(
    shared: Server, new_phone: NewPhone
) -> None:
    opener, slow, third = (new_phone(shared, name) for name in ("Açan", "Ağırkanlı", "Bekleyen"))
    address = opener.open_table()
    slow.sit(address, 1)
    opener.ready()
    assert opener.fact("phase") == slow.fact("phase") == "waiting"
    third.visit(address)
    expect(third.page.locator('[data-do="sit"]')).to_have_count(0)
    expect(slow.page.locator('[data-do="free"]')).to_have_count(0)
    opener.page.locator('[data-do="free"]').tap()
    expect(slow.page.locator('#table[data-seat=""]')).to_be_attached()
    third.page.locator('[data-do="sit"][data-seat="1"]').tap()
    third.page.locator('#table[data-seat="1"]').wait_for()
    third.ready()
    for phone in (opener, third):
        phone.page.locator('#table[data-phase="play"]').wait_for()


def test_a_watcher_sees_no_hand_and_can_do_nothing(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali İzlenen"), new_phone(shared, "Ece İzlenen")
    address = seated(ali, ece)
    watcher = new_phone(shared, "Seyirci")
    watcher.lobby()
    watcher.page.get_by_role("link", name=re.compile("İzle: Pişti, Ali İzlenen")).tap()
    watcher.page.wait_for_url(address)
    watcher.connected()
    expect(ali.page.locator("#watchers")).to_contain_text("1")
    assert watcher.page.locator("#table [data-do]:not([data-do=chat])").count() == 0
    before = shared.kept(ali.fact("table"))
    card = ali.hand[0]
    watcher.page.evaluate(
        "card => document.querySelector('.wire')._htmx.ws.connection.socket"
        ".send(JSON.stringify({do: 'play', card, played: Number(document.getElementById('table').dataset.played)}))",
        card,
    )
    watcher.refused("not_seated")
    assert shared.kept(ali.fact("table")) == before
    watcher.away()
    expect(ali.page.locator("#watchers")).not_to_contain_text("1")


def test_nudging_whoever_is_on_turn(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Dürten"), new_phone(shared, "Ece Dürten")
    seated(ali, ece)
    sleeper = whose_turn(ali, ece)
    waiting = ece if sleeper is ali else ali
    waiting.page.locator('[data-do="nudge"]').tap()
    expect(sleeper.page.locator("#toast")).to_contain_text("seni dürttü")
    waiting.page.wait_for_timeout(450)  # the page itself swallows a double tap
    waiting.page.locator('[data-do="nudge"]').tap()
    waiting.refused("too_soon")
    expect(waiting.page.locator("#refusal")).to_contain_text("yarım dakika")


def test_leaving_is_asked_once_and_the_other_closes_the_table(serve: House, new_phone: NewPhone) -> None:
    server = serve(**QUICK)
    ali, ece = new_phone(server, "Ali"), new_phone(server, "Ece")
    address = seated(ali, ece)
    ali.page.locator('[data-ui="menu"]').tap()
    ali.page.get_by_role("button", name="Çık").first.tap()
    expect(ali.page.locator("#sheet-leave")).to_be_visible()
    ali.page.locator('#sheet-leave [data-do="leave"]').tap()
    ali.page.wait_for_url(server.base + "/")
    expect(ece.page.locator("#absent")).to_contain_text("Ali")
    ali.visit(address)
    ali.page.get_by_role("button", name="Koltuğuna dön").tap()
    ali.page.locator('#table[data-seat="0"]').wait_for()
    expect(ece.page.locator("#absent")).not_to_contain_text("Ali")
    ali.pocket()
    expect(ece.page.locator("#absent")).to_contain_text("kopuk")
    ece.page.get_by_role("button", name="Ne yapalım?").tap()
    ece.page.get_by_role("button", name=re.compile("Masayı kapat")).tap()
    expect(ece.page.locator("#scores-title")).to_contain_text("Sonuç yazılmadı")
    ece.open_table()
    ali.page = ali.another_tab()
    ali.open_table()


def test_an_abandoned_table_closes_by_itself(serve: House, new_phone: NewPhone) -> None:
    server = serve(waiting_minutes=0, **QUICK)
    ali, ece = new_phone(server, "Ali"), new_phone(server, "Ece")
    ece.lobby()
    ali.open_table()
    ali.pocket()
    expect(ece.page.locator("#tables")).to_contain_text("Açık masa yok", timeout=10_000)


def test_rules_from_a_refusal_and_back(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Kural"), new_phone(shared, "Ece Kural")
    address = seated(ali, ece, target=151)
    waiting = ece if whose_turn(ali, ece) is ali else ali
    waiting.page.locator('[data-ui="menu"]').tap()
    waiting.page.get_by_role("button", name="Kurallar").tap()
    expect(waiting.page.locator("#sheet-rules")).to_contain_text("151")
    waiting.page.keyboard.press("Escape")
    expect(waiting.page.locator("#sheet-rules")).to_be_hidden()
    reader = new_phone(shared, "Okuyan")
    reader.page.goto(f"{shared.base}/kurallar/pisti?masa={waiting.fact('table')}#PI-10")
    expect(reader.page.locator("#PI-10")).to_contain_text("151")
    reader.page.get_by_role("link", name="Oyuna dön").first.tap()
    reader.page.wait_for_url(address)


def test_rl_17_settings_stay_on_the_device(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Ayar"), new_phone(shared, "Ece Ayar")
    ali.page.goto(f"{shared.base}/ayarlar")
    ali.page.locator('label:has([data-setting="theme"][value="light"])').tap()
    ali.page.locator('label:has([data-setting="onetap"])').tap()
    ali.page.locator('label:has([data-setting="large"])').tap()
    ali.page.reload()
    expect(ali.page.locator("html")).to_have_class(re.compile("light"))
    expect(ali.page.locator("html")).to_have_class(re.compile("large"))
    seated(ali, ece)
    if whose_turn(ali, ece) is not ali:
        ece.play()
        ali.caught_up(ece.played)
    before = ali.played
    ali.card(ali.hand[0]).tap()
    ali.moved_on(before)
    stored = ali.page.evaluate("() => [Object.keys(localStorage), Object.keys(sessionStorage)]")
    assert stored == [["mokali.settings"], []]


def test_the_keyboard_alone_plays_a_card(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Tuş"), new_phone(shared, "Ece Tuş")
    seated(ali, ece)
    mover = whose_turn(ali, ece)
    mover.card(mover.hand[0]).focus()
    mover.page.keyboard.press("ArrowRight")
    before, chosen = mover.played, mover.hand[1]
    mover.page.keyboard.press("Enter")
    mover.page.keyboard.press("Enter")
    mover.moved_on(before)
    assert chosen not in mover.hand
    assert mover.page.evaluate("() => document.activeElement !== document.body")


def test_the_account(serve: House, new_phone: NewPhone) -> None:
    server = serve()
    ali, ece = new_phone(server, "Ali"), new_phone(server, "Ece")
    ali.page.goto(f"{server.base}/profil")
    ali.page.get_by_label("Takma adın").fill("ECE")
    ali.page.get_by_role("button", name="Kaydet").tap()
    expect(ali.page.get_by_role("alert")).to_contain_text("Bu ad kullanılıyor")
    ali.page.get_by_label("Takma adın").fill("Ali Can")
    ali.page.get_by_role("button", name="Kaydet").tap()
    expect(ali.page.locator(".who-card")).to_contain_text("Ali Can")
    ali.page.locator("summary", has_text="Hesabı kapat").tap()
    ali.page.get_by_label("Onaylamak için adını yaz").fill("Ali")
    ali.page.get_by_role("button", name="Hesabı kapat").tap()
    expect(ali.page.get_by_role("alert")).to_contain_text("aynen yaz")
    ali.page.locator("summary", has_text="Hesabı kapat").tap()
    ali.page.get_by_label("Onaylamak için adını yaz").fill("Ali Can")
    ali.page.get_by_role("button", name="Hesabı kapat").tap()
    expect(ali.page.locator("body")).to_contain_text("Hesabın kapandı")
    ali.page.goto(server.base)
    expect(ali.page.get_by_label("Takma adın")).to_be_visible()
    ece.page.goto(f"{server.base}/profil")
    ece.page.get_by_text("Bu cihazdan çık").tap()
    ece.page.get_by_role("button", name="Çık").tap()
    expect(ece.page.get_by_label("Takma adın")).to_be_visible()
