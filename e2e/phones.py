"""A phone with a browser: enters, sits, gets ready, plays by tapping. Waits for the table's counter, never for time."""

import json
import re
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Browser, Locator, Page, WebSocket, expect

from tests.web.seat import Seat, begin, open_table, play_one
from tests.web.wire import Visitor

SMALL: Final = {"width": 360, "height": 640}
EXPECTED: Final = re.compile(
    r"status of (4\d\d|503)|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|WebSocket connection to|htmx:ws:error"
)
"""What a browser writes down when a page says no, or the line is cut on purpose."""


class Phone:
    """One browser of its own, with touch, and everything that came over its sockets."""

    def __init__(self, browser: Browser, base: str, size: dict[str, int] | None = None, **options: Any) -> None:
        self.base = base
        self.complaints: list[str] = []
        self.sent: list[dict[str, Any]] = []
        self.received: list[str] = []
        self.context = browser.new_context(
            viewport=size or SMALL,  # type: ignore[arg-type]
            has_touch=True,
            is_mobile=True,
            device_scale_factor=2,
            locale="tr-TR",
            **{"service_workers": "block"} | options,  # a house is looked at as it answers
        )
        self.page = self._tab()

    # --- the phone ---

    def _tab(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self._heard(line.type, line.text))
        page.on("websocket", self._listen)
        return page

    def another_tab(self) -> Page:
        """A second tab of the same person."""
        return self._tab()

    def away(self) -> None:
        """Close everything."""
        self.context.close()

    def pocket(self) -> None:
        """Close the page, as a phone call would, and keep the cookies."""
        self.page.close()

    def wake(self, address: str) -> None:
        """Open the address again."""
        self.page = self._tab()
        self.visit(address)

    def visit(self, address: str) -> None:
        """Open a table, and wait until its socket stands."""
        self.page.goto(address)
        self.connected()

    def connected(self) -> None:
        """Wait until the socket stands; after an interruption the page tries again every five seconds at least."""
        expect(self.page.locator('body[data-wire="open"]')).to_be_attached(timeout=20_000)

    def reload(self) -> None:
        """Load the page anew."""
        self.page.reload()
        self.connected()

    def _heard(self, kind: str, text: str) -> None:
        if kind == "error" and not EXPECTED.search(text):
            self.complaints.append(text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: self.received.append(str(frame)))

    # --- the house ---

    def enter(self, name: str) -> None:
        """Type a nickname at the front door."""
        self.page.goto(self.base)
        self.page.get_by_label("Takma adın").fill(name)
        self.page.get_by_role("button", name="Gir").click()
        self.page.locator("#lobby").wait_for()

    def known_as(self, name: str) -> None:
        """Be somebody who has entered before: the cookie is there, no page yet."""
        self.wear(Visitor(self.base, name).cookies["mokali"])

    def wear(self, token: str) -> None:
        """Be whose token this is."""
        self.context.add_cookies([{"name": "mokali", "value": token, "url": self.base}])

    def lobby(self) -> None:
        """Go to the lobby."""
        self.page.goto(self.base)
        self.page.locator("#lobby").wait_for()

    def open_table(self, seats: int = 2, target: int = 101, listed: bool = True) -> str:
        """Open a Pişti table; its address."""
        self.page.goto(f"{self.base}/masa-ac?oyun=pisti")
        for field, value in (("seats", seats), ("target", target), ("listed", "true" if listed else "false")):
            self.page.locator(f'label:has(input[name="{field}"][value="{value}"])').tap()
        self.page.get_by_role("button", name="Masayı aç").tap()
        self.page.locator("#table[data-stage=waiting]").wait_for()
        self.connected()
        return self.page.url

    def sit(self, address: str, chair: int) -> None:
        """Open an invitation and take a chair."""
        self.visit(address)
        self.page.locator(f'button[data-do="sit"][data-seat="{chair}"]').tap()
        self.page.locator(f'#table[data-seat="{chair}"]').wait_for()

    def ready(self) -> None:
        """Tap "Hazırım", or "Devam"."""
        self.page.locator('[data-do="ready"][aria-pressed="false"], [data-do="ready"]:not([aria-pressed])').first.tap()

    @property
    def table(self) -> Locator:
        """The table's root."""
        return self.page.locator("#table")

    def fact(self, name: str) -> str:
        """One of the root's data attributes."""
        return self.table.get_attribute(f"data-{name}") or ""

    @property
    def played(self) -> int:
        """The table's counter, as this phone has it."""
        return int(self.fact("played"))

    @property
    def hand(self) -> list[str]:
        """The own cards, in order."""
        names: list[str] = self.page.locator("#hand [data-card]").evaluate_all(
            "all => all.map(card => card.dataset.card)"
        )
        return names

    @property
    def on_turn(self) -> bool:
        """Whether this phone is asked to play."""
        return self.fact("phase") == "play" and self.fact("turn") == self.fact("seat") != ""

    def card(self, name: str) -> Locator:
        """A card of the own hand."""
        return self.page.locator(f'#hand [data-card="{name}"]')

    def play(self, name: str | None = None) -> str:
        """Lift a card with one tap, play it with the next, and wait until the table has moved on."""
        before, name = self.played, name or self.hand[0]
        self.card(name).tap()
        expect(self.card(name)).to_have_class(re.compile("lifted"))
        self.card(name).tap(force=True)  # a motion never holds anybody up: not even the lifting's own
        self.moved_on(before)
        return name

    def moved_on(self, before: int) -> None:
        """Wait until the counter is past ``before``."""
        expect(self.page.locator(f'#table:not([data-played="{before}"])')).to_be_attached()

    def caught_up(self, played: int) -> None:
        """Wait until this phone has seen at least so much."""
        self.page.wait_for_function("n => Number(document.getElementById('table').dataset.played) >= n", arg=played)

    def visitor(self) -> Visitor:
        """The same person without a screen."""
        same = Visitor(self.base)
        same.cookies = {cookie["name"]: cookie["value"] for cookie in self.context.cookies(self.base)}
        return same

    def refused(self, code: str) -> None:
        """Wait for a refusal of this code."""
        expect(self.page.locator(f'#refusal[data-code="{code}"]')).to_be_visible()

    def game_frames(self) -> list[dict[str, Any]]:
        """What this phone has sent over its sockets."""
        return [frame for frame in self.sent if "do" in frame]


def seated(*phones: Phone, target: int = 101, **form: object) -> str:
    """The people of these phones at a table that has just been dealt, each looking at it; its address.

    They got there without their screens, which is quicker; ``gathered`` is the way by tapping.
    """
    people = [phone.visitor() for phone in phones]
    code = open_table(people[0], len(people), target=target, **form)
    seats = [Seat(person, code) for person in people]
    begin(seats)
    for phone, seat in zip(phones, seats, strict=True):
        phone.visit(f"{phone.base}/masa/{code}")
        seat.wire.close()
    _dealt(*phones)
    return phones[0].page.url


def gathered(*phones: Phone, target: int = 101, listed: bool = True) -> str:
    """The first phone opens a table, the others sit down and all get ready; the table's address once it is dealt."""
    address = phones[0].open_table(len(phones), target, listed)
    for chair, phone in enumerate(phones[1:], 1):
        phone.sit(address, chair)
    for phone in phones:
        phone.ready()
    _dealt(*phones)
    return address


def _dealt(*phones: Phone) -> None:
    for phone in phones:
        phone.page.locator('#table[data-phase="play"]').wait_for()
        expect(phone.page.locator("#hand [data-card]")).to_have_count(4)


def whose_turn(*phones: Phone) -> Phone:
    """The phone that is on turn, once all have seen the same."""
    together(*phones)
    return next(phone for phone in phones if phone.fact("turn") == phone.fact("seat"))


def together(*phones: Phone) -> None:
    """Wait until all have seen the newest."""
    newest = max(phone.played for phone in phones)
    for phone in phones:
        phone.caught_up(newest)


def play_hand(*phones: Phone) -> None:
    """Play by tapping until the hand is over."""
    while phones[0].fact("phase") == "play":
        whose_turn(*phones).play()
        together(*phones)


OWN_ATTRIBUTES: Final = ["aria-pressed", "data-htmx-powered", "disabled", "hidden", "style", "tabindex"]
OWN_CLASSES: Final = [
    *(
        ".able",
        ".asking",
        ".can",
        ".chosen",
        ".coming",
        ".fits",
        ".frees",
        ".fresh",
        ".goal",
        ".hits",
        ".lifted",
        ".new",
    ),
    *(".picked", ".sending"),
]
STALE: Final = """async (own) => {
  const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
  const plain = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return node.textContent.trim()
    const classes = Array.from(node.classList).filter(name => !own.includes('.' + name))
    const others = Array.from(node.attributes).filter(({ name }) => name !== 'class' && !own.includes(name))
    const counts = node.role === 'timer' || ['since', 'until', 'own'].some(name => name in node.dataset)
    const inside = counts ? [] : Array.from(node.childNodes, plain).filter(part => part !== '')
    return [node.localName, classes.sort(), others.map(({ name, value }) => name + '=' + value).sort(), inside]
  }
  const sections = Array.from(fresh.querySelectorAll('#table > section'))
  const pairs = sections.map(section => [section, document.getElementById(section.id)])
  const texts = pairs.map(([right, here]) => [JSON.stringify(plain(right)), here && JSON.stringify(plain(here))])
  return texts.filter(([right, here]) => right !== here)
}"""
"""The sections that are not as a page loaded anew would have them; without what the scripts add of their own."""


def up_to_date(*phones: Phone) -> None:
    """What these phones were sent bit by bit is what they would get now as a whole."""
    together(*phones)
    for phone in phones:
        stale = phone.page.evaluate(STALE, OWN_ATTRIBUTES + OWN_CLASSES)
        assert not stale, stale


AUTOPLAY: Final = """() => setInterval(() => {
  const table = document.getElementById('table').dataset
  const card = document.querySelector('#hand button[data-card]:not(.sending)')
  if (table.phase === 'play' && table.turn === table.seat && card) card.click()
}, 30)"""
"""Clicks the first card whenever the phone is on turn: once to lift it, once to play it."""


def play_match(*phones: Phone, after_each: Callable[[], object] = lambda: None) -> None:
    """Let the phones click through whole hands, with "Devam" between them, to the end of the match."""
    for phone in phones:
        phone.page.evaluate(AUTOPLAY)
    while True:
        phones[0].page.locator('#table:not([data-phase="play"])').wait_for(timeout=60_000)
        after_each()
        if phones[0].fact("phase") == "over":
            break
        for phone in phones:
            phone.page.locator('#table[data-phase="hand_over"]').wait_for()
            phone.ready()
        phones[0].page.locator('#table:not([data-phase="hand_over"])').wait_for()
    for phone in phones:
        phone.page.locator('#table[data-phase="over"]').wait_for()


def hurry(*phones: Phone, to: str = "hand_over") -> None:
    """Play to the end of the hand, or of the match (``over``), over bare sockets; then load the phones' pages anew."""
    seats = [Seat(phone.visitor(), phone.fact("table")) for phone in phones]
    while seats[0].facts["phase"] == "play":
        play_one(seats)
        if seats[0].facts["phase"] == "hand_over" and to == "over":
            for seat in seats:
                seat.do("ready")
            for seat in seats:
                seat.until(lambda some: some.facts["phase"] == "play")
    for seat in seats:
        seat.wire.close()
    for phone in phones:
        phone.reload()
