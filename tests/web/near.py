"""A table in this process, of any game, and people at it without a line between. Knows no game by name."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from mokali.engine.protocol import Game
from mokali.live import door
from mokali.store import people, tables
from mokali.store.models import DATABASE
from mokali.store.people import Door, Person
from mokali.tables import autopilot
from mokali.tables.table import Ask, Chair, Opening, Ready, Table
from mokali.tables.terms import Terms
from mokali.web.house import House
from mokali.web.hub import Wire
from mokali.web.socket import Player
from mokali.web.wire import Socket

QUICK = Terms(pause_seconds=0)
ROOMY = Door(most=500, linger=60_000)


def dealt(
    game: Game, rng: Random, seats: int | None = None, base: str = "Kişi", terms: Terms = QUICK
) -> tuple[Table, list[Person], list[str]]:
    """A table of this game whose first hand has just been dealt; its people, chair by chair, and their tokens."""
    wanted = seats or rng.choice(game.seats)
    entered = [people.enter(f"{base} {game.key[:3]}{n}", ROOMY, door.now()) for n in range(wanted)]
    persons, tokens = [person for person, _ in entered], [token for _, token in entered]
    rules = rng.choice(tuple(game.rulesets.values()))
    chairs = tuple(Chair(person.id) for person in persons)
    table = tables.open_table(Opening(persons[0].id, game, rules, terms, chairs), door.now())
    for person in persons:
        door.submit(table.id, Ask(person.id, Ready()))
    return served(table.id, rng), persons, tokens


def served(table_id: int, rng: Random) -> Table:
    """Everything that the house has to do there."""
    while (command := autopilot.errand(tables.load(table_id), door.now(), rng)) is not None:
        door.submit(table_id, command)
    return tables.load(table_id)


def on_turn(table: Table) -> int:
    """The person on turn."""
    assert table.state is not None
    assert table.state.turn is not None
    person = table.chairs[table.state.turn].user
    assert person is not None
    return person


def rows_of(table_id: int) -> list[Any]:
    """Every row that is about one table, and how many of other kinds there are."""
    own = (("game_table", "id"), ("line", '"table"'), ("chair", '"table"'))
    told = [f"SELECT * FROM {name} WHERE {key} = {table_id}" for name, key in own]
    told += [f"SELECT COUNT(*) FROM {name}" for name in ("game_table", "line", "chair", "result", "person", "transfer")]
    return [DATABASE.execute_sql(sql).fetchall() for sql in told]


def revision_in(picture: str) -> int:
    """The revision that a picture says it is of."""
    found = re.search(r'data-revision="(\d+)"', picture)
    assert found is not None
    return int(found[1])


class Ear:
    """Stands where a socket would be, and keeps what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.closed: int | None = None
        self.close_reason = 1000
        self.poked = 0
        self.outbox = self
        self.draw: Callable[[], None] = lambda: None
        self.written: Callable[[], None] = lambda: None

    def poke(self) -> None:
        """Something is to be drawn."""
        self.poked += 1

    def tell(self, text: str) -> bool:
        """One message."""
        self.heard.append(text)
        return True

    def finish(self) -> None:
        """Nothing is in line."""

    def hang_up(self, code: int) -> None:
        """The house closes."""
        self.closed = code


class Near(Player):
    """Somebody at a table of this process, joined and drawn when asked."""

    def __init__(self, house: House, table_id: int, person: Person, page: int = 1) -> None:
        self.ear = Ear()
        socket: Socket = self.ear  # type: ignore[assignment]
        super().__init__(
            house.hub, house.renderer, house.hints, Wire(socket, table_id, person, page), "http://mokali.test"
        )
        house.hub.join(self.wire)

    def pictures(self) -> list[str]:
        """Draw as the writer would; what comes of it."""
        before = len(self.ear.heard)
        self.ear.draw()
        return [text for text in self.ear.heard[before:] if text.startswith("<")]

    def refusals(self) -> int:
        """How often he was told no."""
        return sum('id="refusal"' in text for text in self.ear.heard)

    def says(self, action: str, **values: object) -> None:
        """One message, as a button makes it."""
        self.answer(json.dumps({"do": action, **values}))
