"""Nothing costs a hand: reload, closed tabs, a lost network, a killed server, another phone, another tab."""

import re
from typing import Any

from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.phones import Phone, hurry, seated, whose_turn
from tests.web.planted import CUT_AFTER, CUT_BEFORE
from tests.web.server import Server

QUICK = {"heartbeat_seconds": 0.5, "grace_seconds": 1.5}
"""A house that notices sooner who is gone."""


def _remembers(phone: Phone) -> dict[str, Any]:
    return {name: phone.fact(name) for name in ("table", "seat", "phase", "turn", "played")} | {"hand": phone.hand}


def test_reload_in_mid_hand_in_the_pause_and_with_the_tab_closed(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Yenile"), new_phone(shared, "Ece Yenile")
    address = seated(ali, ece)
    for _ in range(3):
        whose_turn(ali, ece).play()
    ali.caught_up(ece.played)
    before = _remembers(ece)
    ece.reload()
    assert _remembers(ece) == before
    ece.pocket()
    whose_turn(ali).play() if ali.on_turn else None
    ece.wake(address)
    ece.caught_up(ali.played)
    assert (ece.fact("seat"), ece.fact("table")) == (before["seat"], before["table"])
    assert set(ece.hand) == set(before["hand"])
    hurry(ali, ece)
    for _ in range(2):
        expect(ali.page.locator("#sheet-scores")).to_be_visible()
        assert (ali.fact("seat"), ali.fact("phase")) == ("0", "hand_over")
        ali.reload()
    for phone in (ali, ece):
        phone.ready()
    for phone in (ali, ece):
        phone.page.locator('#table[data-phase="play"]').wait_for()
    hurry(ali, ece, to="over")
    before = _remembers(ali)
    ali.reload()
    assert _remembers(ali) == before
    expect(ali.page.locator("#scores-title")).to_contain_text("kazandı!")


def test_rl_28_offline_taps_send_nothing_and_online_goes_on(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Kopuk"), new_phone(shared, "Ece Kopuk")
    seated(ali, ece)
    mover = whose_turn(ali, ece)
    mover.context.set_offline(True)
    expect(mover.page.locator("#banner")).to_contain_text(re.compile("İnternet yok|Bağlantı koptu"))
    sent, before = len(mover.game_frames()), mover.played
    for _ in range(2):
        mover.card(mover.hand[0]).tap()
        mover.card(mover.hand[0]).tap()
    expect(mover.page.locator("#refusal")).to_contain_text("bir şey gönderilmedi")
    mover.context.set_offline(False)
    mover.connected()
    assert len(mover.game_frames()) == sent
    assert mover.played == before
    mover.play(mover.hand[-1])
    assert len([frame for frame in mover.game_frames() if frame["do"] == "play"]) == 1
    assert mover.played == before + 1


def test_rl_27_a_lost_answer_is_no_lost_move(serve: House, new_phone: NewPhone) -> None:
    """The line is cut before the move was made, and said so; then after it was kept, and nothing is said."""
    house = serve(app="tests.web.planted:lossy()")
    ali, ece = new_phone(house, "Ali"), new_phone(house, "Ece")
    seated(ali, ece)
    for where, done in ((CUT_BEFORE, False), (CUT_AFTER, True)):
        mover = whose_turn(ali, ece)
        before, card = mover.played, mover.hand[0]
        (house.data / where).touch()
        mover.card(card).tap()
        mover.card(card).tap(force=True)
        expect(mover.page.locator('body:not([data-wire="open"])')).to_be_attached()
        mover.connected()
        if done:
            mover.moved_on(before)
            expect(mover.card(card)).to_have_count(0)
            expect(mover.page.locator("#refusal")).not_to_contain_text("atılmadı")
        else:
            expect(mover.page.locator("#refusal")).to_contain_text("kartın gitmedi")
            expect(mover.card(card)).to_be_visible()
            assert mover.played == before
            mover.play(card)
    assert len([frame for phone in (ali, ece) for frame in phone.game_frames() if frame["do"] == "play"]) == 3


def test_rl_46_the_server_is_killed_in_mid_hand(serve: House, new_phone: NewPhone) -> None:
    server = serve(**QUICK)
    ali, ece = new_phone(server, "Ali"), new_phone(server, "Ece")
    seated(ali, ece)
    for _ in range(3):
        whose_turn(ali, ece).play()
    ali.caught_up(ece.played)
    before = _remembers(ali), _remembers(ece)
    server.kill()
    expect(ali.page.locator("#banner")).to_contain_text("Bağlantı koptu")
    server.start()
    for phone in (ali, ece):
        phone.connected()
    assert (_remembers(ali), _remembers(ece)) == before
    assert server.kept(ali.fact("table")).played == ali.played
    whose_turn(ali, ece).play()
    whose_turn(ali, ece).play()


def test_rl_50_a_restart_says_so_and_loses_nothing(serve: House, new_phone: NewPhone) -> None:
    server = serve(**QUICK)
    ali, ece = new_phone(server, "Ali"), new_phone(server, "Ece")
    seated(ali, ece)
    before = _remembers(ali)
    assert server.stop() < 4, "idle lines of browsers must not hold it up (RL-50)"
    expect(ali.page.locator("#banner")).to_contain_text("Mokali yenileniyor")
    server.start()
    ali.connected()
    ece.connected()
    assert _remembers(ali) == before
    whose_turn(ali, ece).play()


def test_the_ninth_person_and_a_seated_one_who_returns(serve: House, new_phone: NewPhone) -> None:
    server = serve(max_people=3, linger_seconds=1, **QUICK)
    ali, ece = new_phone(server, "Ali"), new_phone(server, "Ece")
    address = seated(ali, ece)
    hand = ali.hand
    ali.pocket()
    third = new_phone(server, "Üçüncü")
    third.lobby()
    expect(third.page.locator("#count")).to_contain_text("3/3")
    stranger = new_phone(server)
    stranger.page.goto(server.base)
    expect(stranger.page.locator("body")).to_contain_text("Oyun dolu (3/3)")
    ali.wake(address)
    assert ali.hand == hand


def test_rl_5_to_another_phone_by_link(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Taşın"), new_phone(shared, "Ece Taşın")
    address = seated(ali, ece)
    hand, seat = ali.hand, ali.fact("seat")
    old = ali.another_tab()
    old.goto(f"{shared.base}/profil")
    old.get_by_role("button", name=re.compile("Başka cihaza taşı")).first.tap()
    link = old.locator("[data-link]").first.get_attribute("data-link") or ""
    assert "/tasi/" in link
    new = new_phone(shared)
    for _ in range(10):
        assert new.context.request.get(link).ok
    new.page.goto(link)
    new.page.get_by_role("button", name=re.compile("Bu telefona taşı")).tap()
    new.connected()
    assert (new.page.url, new.fact("seat"), new.hand) == (address, seat, hand)
    expect(ali.page.get_by_label("Takma adın")).to_be_visible()
    third = new_phone(shared)
    third.page.goto(link)
    expect(third.page.locator("body")).to_contain_text("Bağlantı geçersiz")
    whose_turn(new, ece).play()


def _pleads(phone: Phone, name: str) -> None:
    phone.page.goto(phone.base)
    phone.page.get_by_label("Takma adın").fill(name)
    phone.page.get_by_role("button", name="Gir").click()
    phone.page.get_by_role("button", name="Onay iste").tap()
    expect(phone.page.get_by_role("heading", name="Onay bekleniyor")).to_be_visible()


def test_to_another_phone_by_the_tables_approval(serve: House, new_phone: NewPhone) -> None:
    server = serve(**QUICK)
    ali, ece, can, su = (new_phone(server, name) for name in ("Ali", "Ece", "Can", "Su"))
    address = seated(ali, ece, can, su)
    hand = ali.hand
    ali.pocket()
    expect(ece.page.locator("#absent")).to_contain_text("Ali")
    new = new_phone(server)
    _pleads(new, "ALİ")
    shown = new.context.request.get(f"{server.base}/onay").text()
    assert "Onay bekleniyor" in shown
    assert not any(f'"{card}"' in shown for card in hand)
    ece.page.locator('#plea [data-do="approve"]').first.tap()
    can.page.locator('#plea [data-do="approve"]').first.tap()
    expect(new.page.locator("#table")).to_have_count(0)
    su.page.locator('#plea [data-do="approve"]').first.tap()
    new.page.locator("#table").wait_for(timeout=15_000)
    assert (new.page.url, new.hand) == (address, hand)
    liar = new_phone(server)
    _pleads(liar, "Ece")
    su.page.locator('#plea [data-do="approve"]').last.tap()
    expect(liar.page.locator("body")).to_contain_text("Onaylanmadı", timeout=15_000)
    ali.page = ali.another_tab()
    ali.page.goto(server.base)
    expect(ali.page.get_by_label("Takma adın")).to_be_visible()


def test_rl_31_two_tabs_of_one_person(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Sekme"), new_phone(shared, "Ece Sekme")
    address = seated(ali, ece)
    first, mover = ali.page, whose_turn(ali, ece)
    if mover is ece:
        ece.play()
    second = ali.another_tab()
    second.goto(address)
    expect(second.locator('body[data-wire="open"]')).to_be_attached()
    expect(first.locator("#banner")).to_contain_text("başka sekmede açık")
    before, sent = ali.played, len(ali.game_frames())
    first.bring_to_front()
    ali.card(ali.hand[0]).tap()
    ali.card(ali.hand[0]).tap()
    assert len(ali.game_frames()) == sent
    second.bring_to_front()
    ali.page = second
    ali.play()
    assert ali.played == before + 1
    ali.page = first
    ali.caught_up(before + 1)
    first.bring_to_front()
    first.get_by_role("button", name="Buraya al").tap()
    expect(second.locator("#banner")).to_contain_text("başka sekmede açık")
