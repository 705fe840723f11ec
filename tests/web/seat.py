"""Somebody at a table, over the socket alone: reads what fragments say, sends what buttons would."""

import json
import re
import time
from collections.abc import Callable
from itertools import count
from typing import Any, Final

from tests.web.server import Server
from tests.web.wire import PATIENCE, Visitor, Wire

_FACT: Final = re.compile(r'data-(stage|phase|turn|seat|played|revision|goto)="([^"]*)"')
_STATE: Final = re.compile(r'<(?:main|section)[^>]* id="(?:table|state|me)"[^>]*>')
_HAND: Final = re.compile(r'<section[^>]* id="hand".*?</section>', re.DOTALL)
_CARD: Final = re.compile(r'data-do="play" data-card="(\w\w)"')
_REFUSAL: Final = re.compile(r'id="refusal"[^>]* data-code="(\w+)"[^>]*>(.*?)</section>', re.DOTALL)
_SOCKET: Final = re.compile(r'hx-ws:connect="([^"]+)"')


class Seat:
    """A person's page of a table and its socket. ``facts`` are those of the newest picture."""

    def __init__(self, visitor: Visitor, code: str, *, deflate: bool = True, buffer: int | None = None) -> None:
        self.visitor, self.code = visitor, code
        page = visitor.get(f"/masa/{code}")
        assert page.status == 200, page
        self.address = socket_of(page.text)
        self.facts: dict[str, str] = {}
        self.cards: tuple[str, ...] = ()
        self.said: list[dict[str, Any]] = []
        self.refusals: list[tuple[str, str]] = []
        self.newest = ""
        """The fragments that came last."""
        self._note(page.text)
        self.wire: Wire = visitor.wire(self.address, deflate=deflate, buffer=buffer)
        self.picture()

    @property
    def number(self) -> int | None:
        """The chair, None for a watcher."""
        return int(self.facts["seat"]) if self.facts["seat"] else None

    @property
    def turn(self) -> int | None:
        """The chair on turn."""
        return int(self.facts["turn"]) if self.facts.get("turn") else None

    @property
    def played(self) -> int:
        """The table's counter as this person has seen it."""
        return int(self.facts["played"])

    def read(self, timeout: float = PATIENCE) -> str:
        """Take in the next message."""
        message = self.wire.receive(timeout)
        if message.startswith("{"):
            self.said.append(json.loads(message))
        else:
            self._note(message)
        return message

    def picture(self) -> str:
        """Read until fragments come."""
        while (message := self.read()).startswith("{"):
            pass
        return message

    def until(self, told: Callable[["Seat"], object]) -> None:
        """Read until that holds. Raises TimeoutError."""
        until = time.monotonic() + PATIENCE
        while not told(self):
            self.read(until - time.monotonic())

    def do(self, action: str, **values: object) -> None:
        """Send what a button sends, with the counter as it was last seen."""
        self.wire.send(json.dumps({"do": action, "played": self.played, **values}))

    def refused(self, action: str, **values: object) -> str:
        """Send it, and read on to the refusal; its code."""
        before = len(self.refusals)
        self.do(action, **values)
        self.until(lambda seat: len(seat.refusals) > before)
        return self.refusals[-1][0]

    def sees(self, words: str) -> None:
        """Read until these words stand in a picture."""
        self.until(lambda seat: words in seat.newest)

    def settle(self) -> None:
        """Read what lies ready: the answer to a message that always has one closes the line."""
        assert self.refused("free", chair=99)

    def _note(self, html: str) -> None:
        self.newest = html
        for tag in _STATE.findall(html):
            self.facts.update(_FACT.findall(tag))
        for hand in _HAND.findall(html):
            self.cards = tuple(_CARD.findall(hand))
        self.refusals.extend(_REFUSAL.findall(html))


_numbers = count(1)


def fresh() -> str:
    """A name that nobody has had yet, in this run."""
    return f"Oyuncu {next(_numbers)}"


def socket_of(page: str) -> str:
    """The address of a page's socket."""
    found = _SOCKET.search(page)
    assert found is not None
    return found[1].replace("&amp;", "&")


def open_table(opener: Visitor, seats: int = 2, **form: object) -> str:
    """Open a Pişti table; its code."""
    answer = opener.post("/masa-ac", {"game": "pisti", "seats": seats, "ruleset": "klasik", "target": 101, **form})
    assert answer.status == 303, answer
    return answer.headers["location"].rpartition("/")[2]


def deal(server: Server, *names: str, **form: object) -> list[Seat]:
    """These people at a table whose first hand has just been dealt, in the order of their chairs."""
    people = [Visitor(server.base, name) for name in names]
    code = open_table(people[0], len(people), **form)
    seats = [Seat(person, code) for person in people]
    begin(seats)
    return seats


def begin(seats: list[Seat]) -> None:
    """The opener sits in the first chair, the others take theirs; all get ready, and the first hand is dealt."""
    for chair, seat in enumerate(seats[1:], 1):
        seat.do("sit", chair=chair)
    for seat in seats:
        seat.until(lambda some: some.number is not None)
        seat.do("ready")
    for seat in seats:
        seat.until(lambda some: some.facts["phase"] == "play")


def on_turn(seats: list[Seat]) -> Seat:
    """Whose turn it is."""
    return next(seat for seat in seats if seat.number == seat.turn)


def play_one(seats: list[Seat]) -> None:
    """The seat on turn plays its first card, and everybody sees it."""
    mover = on_turn(seats)
    before = mover.played
    mover.do("play", card=mover.cards[0])
    for seat in seats:
        seat.until(lambda some: some.played > before)
