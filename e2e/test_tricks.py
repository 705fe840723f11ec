"""İhaleli Batak and 3-5-8 on phones: whole hands by touch from records, what the table says and what it keeps."""

import re
from typing import Any, Final

from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.fingers import Finger
from e2e.phones import Phone, together, up_to_date
from e2e.staging import case, dealt, phones
from mokali.engine.cards import Card
from mokali.engine.record import Record
from mokali.games import BY_KEY
from tests.hidden import named
from tests.web.server import Server

SMALL: Final = {"width": 360, "height": 640}
LOW: Final = {"width": 640, "height": 360}
EDGE: Final[Any] = {"x": 12, "y": 12}
"""Where a card is seen in a fan."""
PEOPLE: Final = ("Ayşe", "Burak", "Cem", "Deniz")


def _seated(
    server: Server, new_phone: NewPhone, key: str, name: str, who: str, **options: Any
) -> tuple[Record, list[Phone]]:
    """The phones of a record's people, before its first line."""
    game = BY_KEY[key]
    record = case(game, name)
    assert record.header.setup is not None
    seats = record.header.seats or game.seats[0]
    names = [f"{person} {who}" for person in (*PEOPLE[:seats], "Efe")]
    table = dealt(server, game, record.header.setup, names, **record.header.options)
    return record, phones(server, table, new_phone, **options)


def _does(phone: Phone, step: dict[str, Any]) -> None:
    """What a line of a record says, by touch; a forbidden card is tapped once, and answered with its rule."""
    page, before = phone.page, phone.played
    match step["do"]:
        case "play" if "illegal" in step:
            expect(phone.card(step["card"])).to_have_attribute("aria-disabled", "true")
            phone.card(step["card"]).tap(position=EDGE, force=True)
            phone.refused(step["illegal"])
            assert phone.played == before
            return
        case "play":
            _tap_twice(phone, step["card"])
        case "give":
            phone.card(step["card"]).tap(position=EDGE)
            page.get_by_role("button", name="Ver", exact=True).tap()
        case "decline":
            page.get_by_role("button", name="Değişimi bitir").first.tap()
            page.locator('#sheet-decline [data-do="decline"]').tap()
        case "bury":
            for card in step["cards"]:
                phone.card(card).tap(position=EDGE)
            page.get_by_role("button", name="Göm").tap()
        case "bid":
            page.locator(f'[data-do="bid"][data-tricks="{step["tricks"]}"]').tap()
        case "trump":
            page.locator(f'[data-do="trump"][data-suit="{step["suit"]}"]').tap()
        case "pass":
            page.locator('[data-do="pass"]').tap()
    phone.moved_on(before)


def _tap_twice(phone: Phone, card: str) -> None:
    phone.card(card).tap(position=EDGE)
    expect(phone.card(card)).to_have_class(re.compile("lifted"))
    phone.card(card).tap(position=EDGE, force=True)


def _plays(
    record: Record, people: list[Phone], first: int, last: int | None = None, again: tuple[int, ...] = ()
) -> None:
    """The record's steps from ``first`` up to ``last``; before those of ``again`` every page is loaded anew."""
    steps = [line.step for line in record.lines if "do" in line.step]
    for n, step in list(enumerate(steps))[first:last]:
        if n in again:
            for phone in people:
                held = phone.hand
                phone.reload()
                assert phone.hand == held
            up_to_date(*people)
        _does(people[step["seat"]], step)
        together(*people)
        if n % 8 == 0:
            up_to_date(*people)


def test_four_phones_play_a_hand_of_batak(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "batak", "a-hand-with-an-auction", "ihale", size=SMALL)
    _plays(record, people, 0, 15, again=(3, 7, 12))
    lies = people[0].page.locator("#trick.done")
    expect(lies.locator(".ahead")).to_contain_text("Deniz ihale aldı")
    assert [card.get_attribute("data-card") for card in lies.locator("[data-card]").all()] == ["QS", "AS", "2S", "4S"]
    expect(lies.locator(".ahead .card")).to_have_css("opacity", "0")
    people[1].page.get_by_role("button", name="Son el").tap()
    expect(people[1].page.locator("#sheet-last .ahead")).to_contain_text("Deniz ihale")
    people[1].page.keyboard.press("Escape")
    _plays(record, people, 15, again=(30,))
    sheet = people[0].page.locator("#sheet-scores")
    expect(sheet.locator("#scores-title")).to_have_text(re.compile("Cem ihale 8 dedi, 8 aldı"))
    expect(sheet.locator("tr", has_text="Aldığı el").locator("td")).to_have_text(["1", "2", "8", "2"])
    expect(sheet.locator("tr", has_text="Bu el").locator("td")).to_have_text(["+1", "+2", "+8", "+2"])
    expect(sheet.locator("tr.total td")).to_have_text(["13", "11", "4", "22"])
    up_to_date(*people)


def test_three_phones_play_a_hand_of_3_5_8(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "ucbessekiz", "a-hand-without-trump", "koz", size=SMALL)
    own = set(people[0].hand)
    _plays(record, people, 0, 3, again=(1, 2))
    expect(people[1].page.locator(".swap")).to_contain_text("Cem koz")
    expect(people[2].page.locator(".swap")).to_contain_text("Burak koz")
    expect(people[0].page.locator(".swap")).to_have_count(0)
    told = named("".join([*people[0].received, people[0].page.content()]), [Card])
    assert set(map(str, told)) == own, "the third seat has been told of no card but its own"
    _plays(record, people, 3, again=(3, 4, 6, 20))
    sheet = people[0].page.locator("#sheet-scores")
    expect(sheet.locator("tr", has_text="Bu el").locator("td")).to_have_text(["+4", "−3", "−1"])
    expect(sheet.locator("tr.next td")).to_have_text(["5çi", "3çü", "8ci"])
    expect(sheet.locator(".ahead-of")).to_contain_text(re.compile("Ayşe koz, Burak koz'dan 3 kart çeker"))
    up_to_date(*people)


def test_a_card_is_played_by_drag_and_by_keys(shared: Server, new_phone: NewPhone) -> None:
    """Held crosswise: one row, and a forbidden card answers to every way of playing it."""
    record, people = _seated(shared, new_phone, "batak", "a-hand-with-an-auction", "elle", size=LOW)
    _plays(record, people, 0, 8)
    cem, deniz = people[2:]
    before = cem.played
    cem.card("2H").focus()
    cem.page.keyboard.press("Enter")
    cem.refused("trump_closed")
    expect(cem.page.locator("#refusal a")).to_have_attribute("href", re.compile("#BT-8$"))
    cem.card("QS").focus()
    cem.page.keyboard.press("Enter")
    expect(cem.card("QS")).to_have_class(re.compile("lifted"))
    assert cem.played == before
    cem.page.keyboard.press("Enter")
    cem.moved_on(before)
    together(*people)
    finger, before = Finger(deniz), deniz.played
    for card in ("3S", "AS"):
        finger.drag(card, up=80)
        finger.lift()
        if card == "3S":
            deniz.refused("must_beat")
            assert deniz.played == before
    deniz.moved_on(before)
    up_to_date(*people)


def test_four_cards_are_buried_no_more_and_no_less(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "ucbessekiz", "a-hand-without-trump", "göm", size=SMALL)
    _plays(record, people, 0, 4)
    ayse, before = people[0], people[0].played
    bury = ayse.page.locator("#play")
    cards = ayse.hand
    for n, card in enumerate(cards[:4]):
        expect(bury).to_have_text(f"Göm {n}/4")
        expect(bury).to_be_disabled()
        ayse.card(card).tap(position=EDGE)
    ayse.card(cards[4]).tap(position=EDGE)
    expect(ayse.page.locator("#refusal")).to_contain_text("4 kart seçtin")
    ayse.card(cards[0]).tap(position=EDGE)
    expect(bury).to_be_disabled()
    ayse.card(cards[4]).tap(position=EDGE)
    expect(ayse.page.locator("#hand .lifted")).to_have_count(4)
    bury.dblclick()
    ayse.moved_on(before)
    assert [frame["do"] for frame in ayse.game_frames()].count("bury") == 1
    assert set(cards[1:5]).isdisjoint(ayse.hand)
    assert len(ayse.hand) == 16
    expect(ayse.page.locator("#hand .fresh")).to_have_count(4)
    for phone in people[1:]:
        assert set(cards[1:5]).isdisjoint(map(str, named("".join(phone.received), [Card])))


def test_a_killed_house_costs_nobody_the_exchange_nor_the_trick(serve: House, new_phone: NewPhone) -> None:
    """After the first card that was exchanged, and with a card on the table: the same hands, and the hand goes on."""
    house = serve()
    record, people = _seated(house, new_phone, "ucbessekiz", "a-hand-without-trump", "yarıda", size=SMALL)
    for first, last in ((0, 1), (1, 6)):
        _plays(record, people, first, last)
        before = [phone.hand for phone in people]
        house.kill()
        house.start()
        for phone in people:
            phone.connected()
            phone.reload()
        assert [phone.hand for phone in people] == before
        up_to_date(*people)
    expect(people[1].page.locator("#trick [data-card]")).to_have_count(1)
    _plays(record, people, 6, 12)


def test_a_card_that_comes_back_holds_nobody_up(shared: Server, new_phone: NewPhone) -> None:
    """The second card that Burak gives is the highest: the same comes back, and the next one can be given at once."""
    record, people = _seated(shared, new_phone, "ucbessekiz", "a-hand-without-trump", "geri", size=SMALL)
    _plays(record, people, 0, 2)
    burak = people[1]
    expect(burak.page.locator(".swap")).to_contain_text("geri döndü")
    expect(burak.page.locator("#hand .sending")).to_have_count(0)
    burak.card(burak.hand[0]).tap(position=EDGE)
    expect(burak.page.locator("#play")).to_be_enabled()
    expect(people[2].page.locator("#play")).to_be_disabled()
    before = burak.played
    burak.page.get_by_role("button", name="Değişimi bitir").first.tap()
    burak.page.locator('#sheet-decline [data-do="decline"]').tap()
    burak.moved_on(before)
    expect(burak.page.locator("#sheet-decline")).to_be_hidden()
    expect(burak.page.locator("body[data-sheet]")).to_have_count(0)


def test_only_who_buries_is_asked_for_four_cards(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "ucbessekiz", "a-hand-without-trump", "bakar", size=SMALL)
    _plays(record, people, 0, 4)
    expect(people[0].page.locator("#play")).to_have_text("Göm 0/4")
    expect(people[0].page.locator("#exchange")).to_contain_text("Dört kart göm")
    burak = people[1]
    expect(burak.page.locator("#play")).to_have_text("Oyna")
    for card in burak.hand[:2]:
        burak.card(card).tap(position=EDGE)
    expect(burak.page.locator("#hand .lifted")).to_have_count(1)


def test_fourteen_tricks_are_explained(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "ucbessekiz", "UB-C13-fourteen", "ondört", size=SMALL)
    _plays(record, people, 0, -2)
    sheet = people[0].page.locator("#sheet-scores")
    expect(sheet).to_contain_text("Bir elde 14 el alan oyunu kazanır.")
    expect(sheet.locator("tr.total td.best")).to_have_count(1)
    winner = sheet.locator("#scores-title .cut").inner_text()
    place = [head.inner_text() for head in sheet.locator("thead th .cut").all()].index(winner)
    expect(sheet.locator("tr.total td").nth(place)).to_have_class("best")


def test_the_hand_lies_in_one_row_where_one_wishes(shared: Server, new_phone: NewPhone) -> None:
    _, people = _seated(shared, new_phone, "batak", "a-hand-with-an-auction", "sıra", size=SMALL)
    page = people[0].page
    heights = (
        "new Set(Array.from(document.querySelectorAll('#hand .card'), card => card.getBoundingClientRect().top)).size"
    )
    assert page.evaluate(heights) == 2
    page.get_by_role("button", name="Menü").tap()
    page.locator('[data-ui="settings"]').tap()
    page.locator('[data-setting="onerow"]').tap()
    page.locator("#sheet-settings [data-ui=close]").tap()
    assert page.evaluate(heights) == 1
    people[0].reload()
    assert page.evaluate(heights) == 1


def test_three_phones_end_a_match_and_play_again(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "ucbessekiz", "UB-C15-two-winners", "son", size=SMALL)
    _plays(record, people, 0)
    page = people[0].page
    expect(page.locator("#scores-title")).to_have_text("Ayşe son ile Burak son kazandı!")
    for phone in people:
        phone.page.get_by_role("button", name=re.compile("Yeniden oyna")).tap()
    for phone in people:
        phone.page.locator('#table[data-phase="trump"][data-stage="playing"]').wait_for()
        assert len(phone.hand) == 16
    page.goto(f"{shared.base}/siralama?oyun=ucbessekiz")
    expect(page.locator("main")).to_contain_text(re.compile("Ayşe son"))


def test_four_phones_share_a_win_at_batak(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "batak", "BT-C15-co-winners", "bir", size=LOW)
    _plays(record, people, 0)
    expect(people[3].page.locator("#scores-title")).to_contain_text(re.compile("bir ile .* bir kazandı!"))
    up_to_date(*people)
