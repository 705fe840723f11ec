"""Tables for tests, without a database: people sit down, the house deals, somebody plays. Knows no game by name."""

from collections.abc import Iterator
from random import Random

from mokali.engine.protocol import HOUSE, Game, Rules
from mokali.games import BY_KEY
from mokali.tables import autopilot
from mokali.tables.clock import alarm
from mokali.tables.decide import decide
from mokali.tables.table import Act, Ask, Chair, Change, Command, Ready, Request, Table
from mokali.tables.terms import Terms

NOW = 1_796_040_000_000
"""A made-up moment, in milliseconds."""
PISTI = BY_KEY["pisti"]


class Room:
    """A table that is played on: every change, in order. People are 1, 2, … in the chairs 0, 1, …"""

    def __init__(self, table: Table, now: int = NOW) -> None:
        self.table, self.now = table, now
        self.changes: list[Change] = []

    def do(self, command: Command, later: int = 0) -> Change:
        """Decide, ``later`` milliseconds after the last time. Raises Refused or IllegalAction."""
        self.now += later
        change = decide(self.table, command, self.now)
        self.changes.append(change)
        self.table = change.table
        return change

    def ask(self, user: int, request: Request, later: int = 0) -> Change:
        """Somebody asks something of the table."""
        return self.do(Ask(user, request), later)

    def serve(self, rng: Random) -> list[Change]:
        """Wait for the alarm and do everything that is due then, as the watch would."""
        done: list[Change] = []
        due = alarm(self.table)
        self.now = self.now if due is None else max(self.now, due)
        while (command := autopilot.errand(self.table, self.now, rng)) is not None:
            done.append(self.do(command))
        return done

    def begin(self, rng: Random) -> None:
        """Everybody gets ready, and the house deals."""
        for seat, chair in enumerate(self.table.chairs):
            if chair.user is not None and seat not in self.table.ready:
                self.ask(chair.user, Ready())
        self.serve(rng)

    def move(self, rng: Random, later: int = 0) -> Change:
        """The seat on turn plays some legal move."""
        state = self.table.state
        assert state is not None
        assert state.turn is not None
        assert state.turn >= 0
        user = self.table.chairs[state.turn].user
        assert user is not None
        return self.do(Act(user, rng.choice(state.moves(state.turn)), self.table.played), later)

    def play(self, rng: Random, later: int = 1_000) -> Iterator[Change]:
        """The match to its end: random moves, and the house whenever it is due."""
        while self.table.ended is None:
            if self.table.state is None or self.table.state.turn == HOUSE:
                yield from self.serve(rng)
            else:
                yield self.move(rng, later)

    def play_hand(self, rng: Random) -> None:
        """To the end of this hand."""
        for change in self.play(rng):
            if any(type(event).__name__ == "HandEnded" for event in change.events):
                return


def waiting(
    seats: int = 4,
    sitting: int | None = None,
    game: Game = PISTI,
    rules: Rules | None = None,
    terms: Terms | None = None,
) -> Table:
    """A table that has not begun: person 1, who opened it, in chair 0, person 2 in chair 1, and so on."""
    taken = seats if sitting is None else sitting
    return Table(
        id=7,
        code="ABC234",
        opener=1,
        game=game,
        rules=rules or next(iter(game.rulesets.values())),
        terms=terms or Terms(),
        chairs=tuple(Chair(seat + 1 if seat < taken else None) for seat in range(seats)),
        revision=1,
        since=NOW,
        vacant_since=None if taken else NOW,
    )


def playing(seats: int = 4, seed: int = 1, terms: Terms | None = None) -> Room:
    """A table at which the first hand has just been dealt."""
    room = Room(waiting(seats, terms=terms))
    room.begin(Random(seed))
    return room


def pausing(seats: int = 4, seed: int = 1, terms: Terms | None = None) -> Room:
    """A table whose first hand is over, the next one sealed."""
    room, rng = playing(seats, seed, terms), Random(seed)
    room.play_hand(rng)
    room.serve(rng)
    return room


def finished(seats: int = 4, seed: int = 1, terms: Terms | None = None) -> Room:
    """A table whose match is over."""
    room = playing(seats, seed, terms)
    for _ in room.play(Random(seed)):
        pass
    return room
