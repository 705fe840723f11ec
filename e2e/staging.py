"""Tables of any game, put into a position before anybody looks, and the phones of their people."""

import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from e2e.conftest import NewPhone
from e2e.phones import Phone
from mokali.engine import codec, record
from mokali.engine.protocol import Action, Game, Rules
from mokali.engine.record import Record
from mokali.tables.terms import Terms
from tests.web.prepared import NOTHING, PATIENT, Prepared, database_in, placed, put
from tests.web.seat import Seat
from tests.web.server import Server

SETTINGS: Final[dict[str, Any]] = {"grace_seconds": 600, "pause_seconds": 600}
"""A house for a gallery of laid tables: who has no phone there is there all the same."""
CASES: Final = Path(__file__).parent.parent / "tests" / "cases"


def dealt(
    server: Server,
    game: Game,
    setup: dict[str, Any],
    names: list[str],
    terms: Terms = PATIENT,
    lots: Sequence[Action] = (),
    **rules: Any,
) -> Prepared:
    """A table of this house in a position, its people in their chairs; the last of ``names`` watches.

    ``lots`` is the luck that lies sealed there.
    """
    preset = next(iter(game.rulesets.values()))
    chosen: Rules = codec.convert(type(preset), codec.plain(preset) | rules)
    with database_in(server.data):
        return placed(game, chosen, codec.convert(game.setup, setup), names, now(), terms, lots)


def laid_anew(
    server: Server,
    table: Prepared,
    setup: dict[str, Any],
    away: Collection[int] = (),
    chairs: Mapping[int, Mapping[str, Any]] = NOTHING,
    **more: object,
) -> None:
    """Put a table into another position, ``more`` being fields of the match; the seats ``away`` are lost.

    ``chairs`` are other fields of some chairs.
    """
    game, rules, seats = table.table.game, table.table.rules, len(table.table.chairs)
    with database_in(server.data):
        state = game.state.start(rules, seats, codec.convert(game.setup, setup))
        put(table, replace(state, **more), now(), away, chairs)


def now() -> int:
    """The time, as tables count it."""
    return int(time.time() * 1000)


def case(game: Game, name: str) -> Record:
    """A record of the game."""
    return record.read((CASES / game.key / f"{name}.jsonl").read_text(encoding="utf-8"))


def phones(server: Server, table: Prepared, new_phone: NewPhone, **options: Any) -> list[Phone]:
    """The phones of a table's people, each with the table on the screen; who watches is left out."""
    made = [phone_of(server, table, token, new_phone, **options) for token in table.tokens[:-1]]
    for phone in made:
        expect(phone.page.locator(".seat.away")).to_have_count(0)
    return made


def phone_of(server: Server, table: Prepared, token: str, new_phone: NewPhone, **options: Any) -> Phone:
    """A phone that is already somebody's."""
    phone = new_phone(server, **options)
    phone.wear(token)
    phone.visit(f"{server.base}/masa/{table.table.code}")
    return phone


class Stage:
    """A table laid anew for each scene, and one phone that is anybody's who sits there."""

    def __init__(self, server: Server, new_phone: NewPhone, table: Prepared, **options: Any) -> None:
        self.server, self.table = server, table
        self.people = table.visitors(server.base)
        self.path = f"/masa/{table.table.code}"
        self.phone = new_phone(server, **options)

    def put(
        self,
        setup: dict[str, Any],
        away: tuple[int, ...] = (),
        chairs: Mapping[int, Mapping[str, Any]] = NOTHING,
        **more: object,
    ) -> None:
        """Lay the table into another position."""
        laid_anew(self.server, self.table, setup, away, chairs, **more)

    def look(self, who: int = 0) -> Page:
        """The table as a seat sees it; -1 watches."""
        cookies = [{"name": "mokali", "value": self.table.tokens[who], "url": self.server.base}]
        self.phone.context.add_cookies(cookies)  # type: ignore[arg-type]
        before = len(self.phone.received)
        self.phone.visit(self.server.base + self.path)
        while len(self.phone.received) == before:  # the first picture is the whole table anew
            self.phone.page.wait_for_timeout(10)
        return self.phone.page

    def seat(self, who: int) -> Seat:
        """Somebody's bare socket; whoever asks closes it."""
        return Seat(self.people[who], self.table.table.code)

    def does(self, who: int, *steps: dict[str, Any]) -> None:
        """Let a seat act over a bare socket."""
        seat = self.seat(who)
        for step in steps:
            before = seat.played
            seat.do(**{"action" if name == "do" else name: value for name, value in step.items() if name != "seat"})
            seat.until(lambda some, before=before: some.played > before)  # type: ignore[misc]
        seat.wire.close()
