"""Tavla on phones: a match played by touch from a record's dice, what a wrong move says, and how a match goes on."""

import re
from typing import Any, Final

from playwright.sync_api import Locator, expect

from e2e.conftest import House, NewPhone
from e2e.fingers import Finger
from e2e.phones import Phone, up_to_date
from e2e.staging import case, dealt, phone_of, phones
from mokali.engine import codec
from mokali.engine.record import Record
from mokali.games import BY_KEY
from tests.web.prepared import Prepared
from tests.web.server import Server

GAME: Final = BY_KEY["tavla"]
SMALL: Final = {"width": 360, "height": 640}
LOW: Final = {"width": 640, "height": 360}


def _laid(server: Server, name: str, who: str) -> tuple[Record, Prepared]:
    """A table in a record's position, its dice lying sealed."""
    record = case(GAME, name)
    assert record.header.setup is not None
    lots = [
        codec.convert(GAME.lots[0], {key: value for key, value in line.step.items() if key != "seat"})
        for line in record.lines
        if line.step.get("seat") == "house"
    ]
    names = [f"{person} {who}" for person in ("Ayşe", "Burak", "Efe")]
    return record, dealt(server, GAME, record.header.setup, names, lots=lots, **record.header.options)


def _point(phone: Phone, place: object) -> Locator:
    return phone.page.locator(f'[data-point="{place}"]')


def _end(step: dict[str, Any]) -> str:
    start = 25 if step["from"] == "bar" else int(step["from"])
    return str(start - step["die"]) if start > step["die"] else "off"


def _does(phone: Phone, step: dict[str, Any]) -> None:
    """What a line of a record says, by touch."""
    before = phone.played
    match step["do"]:
        case "roll":
            phone.page.get_by_role("button", name="Zar at").tap()
        case "undo":
            phone.page.get_by_role("button", name="Geri al").tap()
        case "move" if "illegal" in step:
            phone.page.locator(f'button[data-die="{step["die"]}"]').first.tap()
            _point(phone, step["from"]).tap()
            phone.refused(step["illegal"])
            phone.page.locator(f'button[data-die="{step["die"]}"]').first.tap()  # chosen no more
            assert phone.played == before
            return
        case "move":
            _point(phone, step["from"]).tap()
            expect(_point(phone, step["from"])).to_have_class(re.compile("picked"))
            _point(phone, _end(step)).tap()
    phone.moved_on(before)


def _plays(record: Record, people: list[Phone], *others: Phone, again: tuple[int, ...] = ()) -> None:
    """The record's lines; before those of ``again`` every page is loaded anew."""
    steps = [line.step for line in record.lines if "do" in line.step and line.step["seat"] != "house"]
    for n, step in enumerate(steps):
        if n in again:
            for phone in people:
                phone.reload()
        _does(people[step["seat"]], step)
        if step["do"] == "roll":
            people[step["seat"]].page.locator('#table:not([data-turn=""])').wait_for()
        up_to_date(*people, *others)


def test_two_phones_and_a_watcher_play_a_match_from_its_dice(shared: Server, new_phone: NewPhone) -> None:
    record, table = _laid(shared, "a-match-won-by-mars", "mars")
    people = phones(shared, table, new_phone, size=SMALL)
    watcher = phone_of(shared, table, table.tokens[-1], new_phone)
    _plays(record, people, watcher, again=(4, 8))
    for phone in (*people, watcher):
        expect(phone.page.locator("#scores-title")).to_have_text("Ayşe mars kazandı!")
        expect(phone.page.locator("#reckoning tr.total td")).to_have_text(["3", "0"])
    said = "".join(watcher.received)
    assert "Gele" in said
    assert "MARS" in said
    reader = new_phone(shared, "Okur tavla")
    reader.page.goto(f"{shared.base}/siralama?oyun=tavla")
    expect(reader.page.locator("main")).to_contain_text("Ayşe mars")


def test_only_the_larger_die_may_be_played(shared: Server, new_phone: NewPhone) -> None:
    record, table = _laid(shared, "TV-C5-larger-die", "büyük")
    people = phones(shared, table, new_phone, size=LOW)
    _plays(record, people)
    expect(_point(people[0], 15)).to_have_attribute("aria-label", "15. nokta: 1 beyaz")
    expect(_point(people[1], 10)).to_have_attribute("aria-label", "10. nokta: 1 beyaz")


def test_a_checker_is_dragged_and_played_by_keys(shared: Server, new_phone: NewPhone) -> None:
    _, table = _laid(shared, "a-match-won-by-mars", "sürükle")
    ayse, burak = phones(shared, table, new_phone, size=SMALL)
    ayse.page.get_by_role("button", name="Zar at").tap()
    expect(ayse.page.locator("button.die")).to_have_count(2)
    before, finger = ayse.played, Finger(ayse)
    finger.carry(_point(ayse, 6).locator(".disc").last, _point(ayse, 4))
    finger.lift()
    ayse.moved_on(before)
    before = ayse.played
    _point(ayse, 5).focus()
    ayse.page.keyboard.press("Enter")
    expect(_point(ayse, 4)).to_have_class(re.compile("goal"))
    _point(ayse, 4).focus()
    ayse.page.keyboard.press("Enter")
    expect(_point(ayse, 4)).to_have_class(re.compile("coming"))  # the last die waits a second
    ayse.page.get_by_role("button", name="Geri al").tap()
    ayse.moved_on(before)  # to where it stood after the throw (TV-14)
    expect(ayse.page.locator(".coming")).to_have_count(0)
    expect(_point(ayse, 6)).to_have_attribute("data-own", "3")
    expect(ayse.page.locator("button.die")).to_have_count(2)
    assert "move" in [frame["do"] for frame in ayse.game_frames()]
    up_to_date(ayse, burak)


CLICKS: Final = """(done = 0) => setInterval(() => {
  const { turn, seat } = document.getElementById('table').dataset
  if (turn !== seat || Date.now() - done < 450) return
  const sends = document.querySelector('#roll:not(:disabled)') || document.querySelector('.goal:not(.coming)')
  if (sends) return done = Date.now(), sends.click()
  const all = document.querySelectorAll('.can')
  if (all.length) all[Math.floor(Math.random() * all.length)].click()
}, 20)"""
"""Throws, and plays anything that may be played, whenever the phone is on turn, but no faster than a double tap."""


def test_the_moves_of_a_double_may_follow_each_other_fast(shared: Server, new_phone: NewPhone) -> None:
    """The same move again is no double tap once the table has gone on."""
    table = dealt(shared, GAME, {"dice": [4, 4]}, ["Ece çift", "Can çift", "Su çift"])
    ece = phones(shared, table, new_phone)[0]
    expect(ece.page.locator("#double")).to_have_text("Dörtcihar")
    for left in (4, 3):
        before = ece.played
        _point(ece, 13).tap()
        _point(ece, 9).tap()
        ece.moved_on(before)
        expect(ece.page.locator("button.die")).to_have_count(left - 1)
    assert ece.page.locator("#point-9").get_attribute("data-own") == "2"


def test_a_die_that_could_not_be_played_is_named(shared: Server, new_phone: NewPhone) -> None:
    record, table = _laid(shared, "TV-C5-larger-die", "kalan")
    people = phones(shared, table, new_phone, size=SMALL)
    _plays(record, people)
    for phone in people:
        expect(phone.page.locator("#short")).to_have_text("3 oynanamadı")
    expect(people[0].page.locator("#title .title small").first).to_contain_text("Beyazsın")


def test_a_killed_house_costs_nobody_the_second_die(serve: House, new_phone: NewPhone) -> None:
    house = serve()
    record, table = _laid(house, "a-match-won-by-mars", "yarıda")
    people = phones(house, table, new_phone, size=SMALL)
    steps = [line.step for line in record.lines if line.step.get("seat") == 0]
    for step in steps[:2]:
        _does(people[0], step)
        expect(people[0].page.locator("button.die").first).to_be_visible()
    house.kill()
    house.start()
    for phone in people:
        phone.connected()
        phone.reload()
    expect(people[0].page.locator("button.die")).to_have_count(1)
    expect(people[1].page.locator("#point-bar .disc")).to_have_count(1)
    for step in steps[2:5]:  # taken back, and played again to the end of the turn
        _does(people[0], step)
    people[1].page.locator('#table[data-phase="roll"][data-turn="1"]').wait_for()
    up_to_date(*people)


RACE: Final[dict[str, Any]] = {
    "board": {
        "white": {"points": {"3": 2, "2": 2, "1": 1}, "off": 10},
        "black": {"points": {"6": 2, "2": 2, "1": 1}, "off": 10},
    },
    "match": {"target": 5, "score": [1, 1]},
}


def test_two_phones_end_a_game_and_its_winner_begins_the_next(shared: Server, new_phone: NewPhone) -> None:
    """Thrown by the house, clicked through: everything is borne off, and the winner is on turn (TV-4)."""
    table = dealt(shared, GAME, RACE, ["Ece yarış", "Can yarış", "Su yarış"], target=5)
    people = phones(shared, table, new_phone)
    for phone in people:
        phone.page.evaluate(CLICKS)
    for phone in people:
        phone.page.locator('#table[data-phase="hand_over"]').wait_for(timeout=60_000)
    up_to_date(*people)
    totals = [int(cell.inner_text()) for cell in people[0].page.locator("#reckoning tr.total td").all()]
    assert sum(totals) == 3
    winner = totals.index(2)
    expect(people[0].page.locator("#scores-title")).to_have_text(f"{('Ece', 'Can')[winner]} yarış oyunu aldı")
    for phone in people:
        phone.page.reload()  # without the clicks
        phone.connected()
        phone.ready()
    for phone in people:
        phone.page.locator(f'#table[data-phase="roll"][data-turn="{winner}"]').wait_for()
    up_to_date(*people)
