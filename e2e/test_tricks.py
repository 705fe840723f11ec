"""İhaleli Batak and 3-5-8 on phones: whole hands by touch from records, what the table says and what it keeps."""

import re
from typing import Any, Final

from playwright.sync_api import expect

from e2e.conftest import NewPhone
from e2e.phones import Phone, together, up_to_date
from e2e.staging import case, dealt, phones
from mokali.engine.record import Record
from mokali.games import BY_KEY
from tests.web.server import Server

BATAK: Final = BY_KEY["batak"]
UCBESSEKIZ: Final = BY_KEY["ucbessekiz"]
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


def _plays(record: Record, people: list[Phone], *, until: int | None = None, reload_at: tuple[int, ...] = ()) -> None:
    """The record's lines one after the other; at some of them everybody's page is loaded anew first."""
    steps = [line.step for line in record.lines if "do" in line.step]
    for n, step in enumerate(steps[:until]):
        if n in reload_at:
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
    _plays(record, people, reload_at=(3, 7, 10, 30))
    sheet = people[0].page.locator("#sheet-scores")
    expect(sheet.locator("#scores-title")).to_have_text(re.compile("Cem ihale 8 dedi, 8 aldı"))
    expect(sheet.locator("tr", has_text="Aldığı el").locator("td")).to_have_text(["1", "2", "8", "2"])
    expect(sheet.locator("tr", has_text="Bu el").locator("td")).to_have_text(["+1", "+2", "+8", "+2"])
    expect(sheet.locator("tr.total td")).to_have_text(["13", "11", "4", "22"])
    up_to_date(*people)


def test_three_phones_play_a_hand_of_3_5_8(shared: Server, new_phone: NewPhone) -> None:
    record, people = _seated(shared, new_phone, "ucbessekiz", "a-hand-without-trump", "koz", size=SMALL)
    _plays(record, people, reload_at=(1, 3, 4, 6, 20))
    sheet = people[0].page.locator("#sheet-scores")
    expect(sheet.locator("tr", has_text="Bu el").locator("td")).to_have_text(["+4", "−3", "−1"])
    expect(sheet.locator("tr.next td")).to_have_text(["5çi", "3çü", "8ci"])
    expect(sheet.locator(".ahead-of")).to_contain_text(re.compile("Ayşe koz, Burak koz'dan 3 kart çeker"))
    up_to_date(*people)
