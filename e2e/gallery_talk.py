"""How talk looks: recorder, bubbles, sheets and refusals, at a table of each layout and at one that waits."""

from collections.abc import Iterator, Sequence
from secrets import token_hex
from typing import Any, Final

from playwright.sync_api import Page, Route, expect

from e2e import gallery_okey as okey
from e2e import gallery_tavla as tavla
from e2e import gallery_trick as trick
from e2e import staging
from e2e.gallery import WIDE, NewPhone, Scene
from e2e.staging import Stage, dealt, now
from mokali.games import BY_KEY
from mokali.store import talk
from mokali.store.talk import Pace
from tests.web.prepared import database_in
from tests.web.seat import Seat, open_table
from tests.web.server import Server
from tests.web.wire import Visitor

SETTINGS: Final[dict[str, Any]] = staging.SETTINGS | {"phrase_seconds": 0.1, "chat_seconds": 0.1}
EAR: Final[dict[str, Any]] = {"permissions": ["microphone"], "reduced_motion": "reduce"}
BROAD: Final = [WIDE + "W", "İ" * 16, "Muhammet Ali Can", WIDE + "A", "Efe"]
ANY: Final = Pace(0, 1_000)

STAYS: Final = "() => { const later = setTimeout; window.setTimeout = (f, ms) => ms >= 1000 ? 0 : later(f, ms) }"
"""What would go away by itself is there for as long as anybody looks."""
REFUSES: Final = "HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
"""A browser that plays nothing unasked."""
PLAYS: Final = "() => { HTMLMediaElement.prototype.play = () => new Promise(() => {}) }"
"""A message that never ends."""
DENIES: Final = """() => {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
}"""
PLAIN: Final = "() => { Object.defineProperty(window, 'isSecureContext', { value: false }) }"
"""A page without https."""
LATE: Final = "() => { const then = performance.now() + 21000; performance.now = () => then }"
"""Twenty seconds later, when time stands still."""
KEYBOARD: Final = "() => document.querySelector('.wire').style.setProperty('--keyboard', 'min(52vh, 300px)')"
"""A keyboard lies over the lower part of the page."""
MUTES: Final = """name => {
  localStorage.setItem('mokali.settings', JSON.stringify({ muted: [name] }))
}"""

CARDS: Final = [["9S", "KH"], ["9H", "KD"], ["9D", "KC"], ["9C", "KS"]]
PILE: Final = [f"{rank}{suit}" for suit in "SH" for rank in range(2, 8)]
Words = Sequence[tuple[int, str, str]]
"""Who, chat or phrase, and what."""
TALKED: Final[Words] = (
    (0, "chat", "Selam herkese, kolay gelsin"),
    (1, "phrase", "clap"),
    (3, "chat", "W" * 200),
    (2, "phrase", "gecmis"),
    (2, "chat", "Bu el de böyle geçti, ama daha dokuz el var; acele etme, ortağım ne yapacağını bilir"),
    (1, "phrase", "love"),
    (3, "chat", "İyi oynadın 😀 http://example.org/?a=1"),
)


def talks(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """All that talk looks like, at a table of four with the widest names, three of them looking on."""
    position = trick._contract(1, 7, "S", trick="6C 7C 5C")
    table = dealt(server, BY_KEY["batak"], position, BROAD, hands=12)
    stage = Stage(server, new_phone, table, **EAR)
    page = stage.look()
    page.evaluate(STAYS)
    page.locator("#talk").tap()
    yield Scene("soz-hazir", page, True)
    page.locator('#sheet-phrases [data-ui="chat"]').tap()
    yield Scene("soz-yazisma-bos", page, True, True)
    page.locator('#sheet-chat [data-ui="close"]').tap()
    yield from _recorded(page, stage)
    yield from _refused(stage)
    yield from _heard(stage)
    yield from _read(stage)


def everywhere(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Bubbles at everybody's seat, and the recorder, in the other layouts and at a table that waits."""
    yield from _waiting(server, new_phone)
    tables: tuple[tuple[str, int, trick.Setup, dict[str, Any]], ...] = (
        ("ucbessekiz", 3, trick.LEAD | {"trump": "none"}, {"hands": 12}),
        ("okey101", 4, okey.OPENED, {"hands": 5}),
        ("tavla", 2, tavla.RACE | {"dice": [2, 2, 2]}, {"target": 7}),
        ("pisti", 4, {"dealer": 3, "hands": CARDS, "pile": PILE}, {}),
    )
    for key, seats, setup, rules in tables:
        names = [f"{WIDE[:-1]}{key[0]}{number}" for number in range(seats + 1)]
        stage = Stage(server, new_phone, dealt(server, BY_KEY[key], setup, names, **rules), **EAR)
        page = stage.look()
        page.evaluate(STAYS)
        _said(stage, *((seat, ("sesim", "clap", "dusun")[seat % 3]) for seat in range(1, seats)))
        expect(page.locator(".bubble")).to_have_count(seats - 1)
        _record(page)
        yield Scene(f"soz-{key}", page, True, True)
        page = stage.look(-1)
        page.evaluate(STAYS)
        _said(stage, *((seat, ("sesim", "clap", "dusun")[seat % 3]) for seat in range(seats)))
        expect(page.locator(".bubble")).to_have_count(seats)
        yield Scene(f"soz-{key}-izleyen", page, True, True)
        stage.phone.away()


def _recorded(page: Page, stage: Stage) -> Iterator[Scene]:
    """What one says oneself, on its way and not."""
    _record(page)
    yield Scene("soz-kayit", page, True)
    page.evaluate(LATE)
    expect(page.locator("#recorder.last .left")).to_be_visible()
    yield Scene("soz-kayit-son", page, True, True)
    page.locator('[data-ui="unsay"]').tap()
    expect(page.locator("#recorder")).to_be_hidden()
    page = stage.look()
    page.route("**/ses", _busy)
    _record(page)
    page.wait_for_timeout(600)  # a shorter one is not sent
    page.locator("#mic").tap()
    expect(page.get_by_role("button", name="Tekrar gönder")).to_be_visible()
    yield Scene("soz-gonderilmedi", page, True)
    page.unroute("**/ses")


def _refused(stage: Stage) -> Iterator[Scene]:
    """Why there is no microphone."""
    for script, name in ((DENIES, "izin-yok"), (PLAIN, "http")):
        page = stage.look()
        page.evaluate(STAYS)
        page.evaluate(script)
        if script == PLAIN:
            page.evaluate("document.dispatchEvent(new Event('htmx:after:swap'))")
            expect(page.locator('#mic[aria-disabled="true"]')).to_be_visible()
        page.locator("#mic").tap(force=True)
        expect(page.locator('#refusal[data-code="microphone"] a')).to_have_text("Nasıl açılır?")
        yield Scene(f"soz-{name}", page, True, script == PLAIN)


def _heard(stage: Stage) -> Iterator[Scene]:
    """What others say: in a word, with a face, and aloud."""
    page = stage.look()
    page.evaluate(STAYS)
    _said(stage, (1, "sesim"), (2, "clap"), (3, "dusun"))
    expect(page.locator(".bubble")).to_have_count(3)
    yield Scene("soz-balon", page, True)
    _keep(stage, (), voices=(1, 2, 3))
    page.route("**/ses/*", lambda _: None)  # nor does it fail
    stage.phone.context.add_init_script(REFUSES)
    page = stage.look()
    expect(page.locator(".bubble button")).to_have_count(3)
    yield Scene("soz-dokun", page, True)
    page.evaluate(PLAYS)
    page.locator(".bubble button").first.tap()
    expect(page.locator(".bubble .sounding")).to_have_count(1)
    yield Scene("soz-calar", page, True, True)


def _read(stage: Stage) -> Iterator[Scene]:
    """What was written, and by whom."""
    page = stage.look()
    _keep(stage, [(seat, "chat", f"{n}") for n in range(5) for seat in (1, 2)])
    _keep(stage, TALKED, voices=(1, 2, 3, 1, 2))
    _said(stage, (1, "hadi"))
    expect(page.locator("#talk")).to_have_attribute("data-unread", "9+")
    yield Scene("soz-okunmamis", page, True, True)
    page.locator("#talk").tap()
    expect(page.locator("#sheet-chat")).to_be_visible()
    yield Scene("soz-yazisma", page, True)
    page.locator("#sheet-chat input").fill("Geliyorum, bir dakika")
    page.evaluate(KEYBOARD)
    yield Scene("soz-klavye", page, True, True)
    page.evaluate(MUTES, BROAD[1])
    watching = [_watcher(stage, name) for name in ("Efe", "Iıiİ Şğçöü Iıiİş", WIDE + "C")]
    page = stage.look()
    page.get_by_role("button", name="Menü").tap()
    page.locator('#sheet-menu [data-ui="people"]').tap()
    expect(page.locator('#sheet-people [aria-pressed="true"]')).to_have_count(1)
    expect(page.locator("#sheet-people .seat-card")).to_have_count(7)
    yield Scene("soz-masadakiler", page, True)
    for seat in watching:
        seat.wire.close()
    yield Scene("soz-ses", _shown(page, f"{stage.server.base}/ses"))
    page.evaluate("localStorage.clear()")


def _waiting(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A table that waits: bubbles at the chairs, the recorder, a message that waits for a tap, the sheet."""
    guests = [Visitor(server.base, f"{WIDE}{letter}") for letter in "XYZQ"]
    code = open_table(guests[0], 4, target=151)
    seats = [Seat(guest, code) for guest in guests]
    for chair, seat in enumerate(seats[1:], 1):
        seat.do("sit", chair=chair)
        seat.until(lambda some: some.number is not None)
    phone = new_phone(server, **EAR)
    phone.wear(guests[0].cookies["mokali"])
    phone.visit(f"{server.base}/masa/{code}")
    page = phone.page
    page.evaluate(STAYS)
    for seat, phrase in zip(seats[1:], ("sesim", "clap", "dusun"), strict=True):
        seat.do("say", phrase=phrase)
    expect(page.locator(".bubble")).to_have_count(3)
    _record(page)
    yield Scene("soz-bekleme", page)
    page.locator('[data-ui="unsay"]').tap()
    for seat in seats[1:]:
        seat.do("chat", text="W" * 200)
    expect(page.locator("#talk")).to_have_attribute("data-unread", "3")
    page.locator("#talk").tap()
    page.locator("#sheet-chat input").fill("Geliyorum")
    page.evaluate(KEYBOARD)
    yield Scene("soz-bekleme-klavye", page)
    for seat in seats:
        seat.wire.close()
    phone.away()


# --- how to get there ---


def _record(page: Page) -> None:
    page.locator("#mic").tap()
    expect(page.locator("#recorder:not(.unsent)")).to_be_visible()


def _busy(route: Route) -> None:
    text = "Şu anda çok sesli mesaj var: birkaç saniye sonra yeniden gönder."
    route.fulfill(status=503, json={"code": "busy", "text": text, "rule": "SITE-17"})


def _said(stage: Stage, *words: tuple[int, str]) -> None:
    """Phrases over bare sockets."""
    for who, phrase in words:
        seat = stage.seat(who)
        seat.do("say", phrase=phrase)
        seat.settle()
        seat.wire.close()


def _keep(stage: Stage, words: Words, voices: Sequence[int] = ()) -> None:
    """What was said a moment ago, nobody being told."""
    table = stage.table.table
    with database_in(stage.server.data):
        for who, kind, text in words:
            person = table.chairs[who].user
            assert person is not None
            talk.say(table.id, person, kind, text, ANY, now())  # type: ignore[arg-type]
        for who in voices:
            person = table.chairs[who].user
            assert person is not None
            talk.speak(table.id, person, token_hex(8), b"-", 7.0 * who, ANY, now(), 1_000_000)


def _watcher(stage: Stage, name: str) -> Seat:
    """Somebody else who looks on."""
    if name == "Efe":
        return stage.seat(-1)
    return Seat(Visitor(stage.server.base, name), stage.table.table.code)


def _shown(page: Page, address: str) -> Page:
    page.goto(address)
    return page
