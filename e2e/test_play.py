"""Whole hands and matches: four phones and a watcher, two phones to the end, rematch, leaderboard."""

import re

from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.phones import Phone, gathered, hurry, play_hand, play_match, seated, up_to_date, whose_turn
from tests.web.server import Server


def _rows(phone: Phone) -> dict[str, list[int]]:
    """The numbers of the score sheet by the words before them."""
    rows = phone.page.locator("#sheet-scores tr:has(td)").all()
    return {
        row.locator("th").inner_text().split("\n")[0].strip(): [
            int(cell.inner_text().replace("−", "-")) for cell in row.locator("td").all()
        ]
        for row in rows
    }


def _adds_up(phone: Phone) -> None:
    rows = _rows(phone)
    items = ("Aslar", "Valeler", "Sinek 2", "Karo 10", "En çok kart", "Piştiler")
    assert [sum(rows[item][side] for item in items) for side in (0, 1)] == rows["Bu el"]
    assert sum(rows["Kart sayısı"]) == 52


def test_four_phones_and_a_watcher_play_a_whole_hand(shared: Server, new_phone: NewPhone) -> None:
    phones = [new_phone(shared, name) for name in ("Ayşegül", "Muhammet", "Can", "Ecenaz")]
    address = seated(*phones)
    watcher = new_phone(shared, "İzleyen")
    watcher.visit(address)
    expect(phones[0].page.locator("#watchers")).to_contain_text("1")
    hands = [card for phone in phones for card in phone.hand]
    shown = {watcher.page.locator("#pile [data-card]").get_attribute("data-card")}
    played = []
    for _ in range(3):
        played.append(whose_turn(*phones).play())
        up_to_date(*phones, watcher)
    secret = set(hands) - set(played) - shown
    heard = watcher.page.content() + "".join(watcher.received)
    assert [card for card in secret if f'"{card}"' in heard] == []
    assert watcher.hand == []
    play_hand(*phones)
    up_to_date(*phones, watcher)
    for phone in (*phones, watcher):
        expect(phone.page.locator("#sheet-scores")).to_be_visible()
    _adds_up(phones[0])
    assert _rows(phones[0]) == _rows(watcher)


def test_a_match_to_its_end_and_again(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared), new_phone(shared)
    ali.enter("Ali Kaya")
    ece.enter("Ece Su")
    address = gathered(ali, ece, target=51)
    play_match(ali, ece, after_each=lambda: _adds_up(ali))
    totals = _rows(ali)["Toplam hedef 51"] if "Toplam hedef 51" in _rows(ali) else _rows(ali)["Toplam"]
    winner = ("Ali Kaya", "Ece Su")[totals.index(max(totals))]
    expect(ali.page.locator("#scores-title")).to_have_text(re.compile(f"{winner}.*kazandı!"))
    expect(ali.page.locator("#pause")).to_contain_text(re.compile("Bu akşam:.*Ali Kaya.*Ece Su"))
    ali.page.get_by_role("button", name=re.compile("Yeniden oyna")).tap()
    ece.page.get_by_role("button", name=re.compile("Yeniden oyna")).tap()
    for phone in (ali, ece):
        phone.page.locator('#table[data-phase="play"][data-stage="playing"]').wait_for()
    assert ali.page.url == ece.page.url != address
    assert len(ali.hand) == len(ece.hand) == 4
    reader = new_phone(shared, "Okur")
    reader.page.goto(f"{shared.base}/siralama?oyun=pisti")
    expect(reader.page.locator("main")).to_contain_text(winner)


def test_partners_change_in_a_rematch(serve: House, new_phone: NewPhone) -> None:
    server = serve()
    phones = [new_phone(server, name) for name in ("Ada", "Berk", "Cem", "Defne")]
    seated(*phones, target=51)
    hurry(*phones, to="over")
    phones[0].page.get_by_role("button", name="Eşleri değiştir").tap()
    expect(phones[1].page.locator('[data-do="again"]').first).to_contain_text("1/4")
    for phone in phones[1:]:
        phone.page.get_by_role("button", name=re.compile("Yeniden oyna")).tap()
    for phone in phones:
        phone.page.locator('#table[data-phase="play"][data-stage="playing"]').wait_for()
    assert [phone.fact("seat") for phone in phones] == ["0", "3", "1", "2"]
