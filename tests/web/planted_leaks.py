"""Houses that tell secrets on purpose, and one whose clock stands still. Knows no game by name; importing does nothing.

Gunicorn serves ``tests.web.planted_leaks:rack()`` and the others. Those of the second half name nothing: only a second
world brings them to light.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any
from zlib import crc32

from flask import Response, request

from mokali.config import Settings
from mokali.engine import codec, record
from mokali.engine.cards import Card
from mokali.engine.protocol import HOUSE, Event, State
from mokali.live import door
from mokali.store import tables
from mokali.tables.table import Table, seat_of
from mokali.web.app import create_app
from mokali.web.filters import card_name
from mokali.web.house import House
from mokali.web.socket import Player
from tests.hidden import Thing, things
from tests.seated import NOW


def still() -> House:
    """No leak, but it is always the same moment."""
    _put(door, "now", lambda: NOW)
    return _house()


def rack() -> House:
    """The next seat's hand, in an attribute."""
    return _marked(lambda table, person: f'data-rack="{" ".join(map(str, _hidden(table, person)))}"')


def deck() -> House:
    """All that was shuffled, in the first message."""
    draw, told = Player.draw, list[Player]()

    def drawn(self: Player, events: tuple[Event, ...]) -> Iterable[str]:
        state = tables.load(self.wire.table_id).state
        if state is not None and self not in told:
            told.append(self)
            yield codec.encode({"deck": list(map(str, things(state)))})
        yield from draw(self, events)

    _put(Player, "draw", drawn)
    return _house()


def legal() -> House:
    """A move that the seat on turn may play, to everybody."""

    def moves(table: Table, person: int) -> str:
        state = _state(table)
        turn = state.turn
        return f"data-legal='{codec.encode([] if turn in (None, HOUSE) else state.moves(turn)[:1])}'"

    return _marked(moves)


def event() -> House:
    """Something unseen by its id, with the news of a move."""

    def told(text: str, table: Table, person: int) -> str:
        return text.replace('id="news"', f'id="news" data-id="{next(iter(_hidden(table, person)), "")}"')

    return _changed(told)


def error() -> House:
    """A face by its name, in a refusal."""
    refuse = Player._refuse

    def refused(self: Player, code: str, text: str, rule: str, facts: dict[str, object]) -> None:
        hidden = _hidden(tables.load(self.wire.table_id), self.wire.person.id)
        refuse(self, code, f"{text} {' '.join(_name(thing) for thing in hidden)}", rule, facts)

    _put(Player, "_refuse", refused)
    return _house()


def kayit() -> House:
    """The record of a running game, for whoever asks."""
    house = _house()

    def serve(code: str) -> str:
        table = tables.load(tables.find(code))
        return record.dumps(table.game, table.rules, len(table.chairs), tables.log(table.id))

    house.add_url_rule("/masa/<code>/kayit", "kayit", serve)
    return house


def salt() -> House:
    """What the seal is opened with, before its time."""
    return _marked(lambda table, person: f'data-salt="{"" if table.luck is None else table.luck.salt}"')


def cookie() -> House:
    """Whatever the visitor before has sent, in a header."""
    house, last = _house(), [""]

    def passed_on(response: Response) -> Response:
        response.headers["X-Last"], last[0] = last[0], request.headers.get("Cookie", "")
        return response

    house.after_request(passed_on)
    return house


# --- what only two worlds tell ---


def style() -> House:
    """A class by what the next seat holds."""

    def told(text: str, table: Table, person: int) -> str:
        return text.replace('class="', f'class="h{crc32(_own(table, person).encode()) % 9} ', 1)

    return _changed(told, frozen=True)


def order() -> House:
    """The seats in the order of their hands."""

    def ranked(table: Table, person: int) -> str:
        state = _state(table)
        seats = sorted(range(len(table.chairs)), key=lambda seat: sorted(map(str, things(state.view(seat)))))
        return f'data-order="{" ".join(map(str, seats))}"'

    return _marked(ranked, frozen=True)


def length() -> House:
    """So many blanks as what the next seat holds is worth."""

    def told(text: str, table: Table, person: int) -> str:
        return text + " " * (crc32(_own(table, person).encode()) % 9)

    return _changed(told, frozen=True)


# --- helpers ---


def _marked(attribute: Callable[[Table, int], str], *, frozen: bool = False) -> House:
    """A house that puts an attribute of a table and a viewer into the first section that it sends."""

    def told(text: str, table: Table, person: int) -> str:
        return text.replace("<section ", f"<section {attribute(table, person)} ", 1)

    return _changed(told, frozen=frozen)


def _changed(told: Callable[[str, Table, int], str], *, frozen: bool = False) -> House:
    """A house that changes what its sockets draw."""
    draw = Player.draw

    def drawn(self: Player, events: tuple[Event, ...]) -> Iterable[str]:
        for text in draw(self, events):
            table = tables.load(self.wire.table_id)
            yield text if table.state is None else told(text, table, self.wire.person.id)

    _put(Player, "draw", drawn)
    return still() if frozen else _house()


def _state(table: Table) -> State:
    assert table.state is not None
    return table.state


def _hidden(table: Table, person: int) -> list[Thing]:
    """What the next seat sees and this person does not."""
    if table.state is None:
        return []
    state, seat = table.state, seat_of(table, person)
    own = set(things(state.view(seat)))
    return [thing for thing in things(state.view(((seat or 0) + 1) % len(table.chairs))) if thing not in own]


def _own(table: Table, person: int) -> str:
    return codec.encode(sorted(map(str, _hidden(table, person))))


def _name(thing: Thing) -> str:
    return card_name(thing) if isinstance(thing, Card) else str(thing)


def _put(place: object, name: str, value: Any) -> None:
    setattr(place, name, value)


def _house() -> House:
    return create_app(Settings.from_env(os.environ))
