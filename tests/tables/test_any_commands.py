"""Any commands in any order: what holds of a table whatever people, the clock and the house do."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import get_args

import msgspec
import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st
from msgspec import Struct

from mokali.engine import codec, fairness, record
from mokali.engine.cardplay import Play
from mokali.engine.cards import DECK
from mokali.engine.protocol import HOUSE, IllegalAction
from mokali.games.pisti.state import Deal, First
from mokali.tables import autopilot
from mokali.tables.clock import alarm, clock_until
from mokali.tables.decide import decide
from mokali.tables.frame import frame
from mokali.tables.table import (
    Act,
    Again,
    Ask,
    AutoAct,
    Back,
    Begin,
    Body,
    Change,
    Close,
    CloseVote,
    Command,
    Forfeit,
    Free,
    GiveChair,
    Gone,
    Leave,
    Luck,
    Ready,
    Refused,
    Rise,
    SealLuck,
    Sit,
    StandIn,
    Table,
    TookOver,
    Why,
    absent,
    connected,
    pausing,
    seat_of,
)
from mokali.tables.terms import Absence, Terms
from tests import seated
from tests.seated import NOW, PISTI, Room, waiting

PEOPLE = range(1, 6)
SALT = "a salt that nobody may see"
DECK_OF = Deal((*DECK[13:], *DECK[:13]))


class Op(Struct, frozen=True):
    """One thing that happens, so that Hypothesis can make the list shorter."""

    kind: str
    user: int
    n: int
    later: int


COMINGS = ("gone", "back", "gone", "back", "leave", "sit")
PLAY = ("move", "move", "move", "errand", "errand", "any", "stale", "auto", "seal")
GIVING = ("give bot", "give bot", "give newcomer", "give newcomer", "stand in", "forfeit", "idle")
KINDS = {
    "waiting": (
        *COMINGS,
        *PLAY,
        "sit",
        "rise",
        "ready",
        "unready",
        "free",
        "everybody",
        "everybody",
        "begin",
        "vacant",
    ),
    "playing": (*COMINGS, *PLAY, "vote", "vote", "unvote", *GIVING, "ready", "rise", "vacant"),
    "pausing": (*COMINGS, *PLAY, "vote", *GIVING, "ready", "ready", "unready", "everybody", "begin"),
    "finished": (*COMINGS, "again", "again", "again", "ready", "vote", "any", "errand", "free", "vacant"),
}
"""What happens at a table at that point of its life, often and seldom."""


def ops(stage: str, seats: int) -> st.SearchStrategy[list[Op]]:
    op = st.builds(
        Op,
        kind=st.sampled_from(KINDS[stage]),
        user=st.integers(1, seats + 1),
        n=st.integers(-1, 8) if stage != "finished" else st.integers(0, 2),
        later=st.sampled_from([0, 0, 1, 999, 30_000, 900_000, 3_600_000]),
    )
    return st.lists(op, max_size=60)


@cache
def prepared(stage: str, seats: int, absence: Absence) -> tuple[Table, int]:
    """A table at some point of its life, and when that was."""
    terms = Terms(pause_seconds=2, absence=absence, seconds=None if absence == "bot" else 30)
    if stage == "waiting":
        return waiting(seats, terms=terms), NOW
    make = {"playing": seated.playing, "pausing": seated.pausing, "finished": seated.finished}[stage]
    room = make(seats, terms=terms)
    return room.table, room.now


def commands(room: Room, op: Op, rng: Random) -> Sequence[Command]:
    """What this op is at this table."""
    table, user, n = room.table, op.user, op.n
    state = table.state
    turn = None if state is None else state.turn
    card = Play(DECK[n])
    match op.kind:
        case "sit":
            return (Ask(user, Sit(n)),)
        case "rise":
            return (Ask(user, Rise()),)
        case "ready" | "unready":
            return (Ask(user, Ready(op.kind == "ready")),)
        case "free":
            return (Ask(user, Free(n)),)
        case "vote" | "unvote":
            return (Ask(user, CloseVote(op.kind == "vote")),)
        case "give bot" | "give newcomer":
            return (Ask(user, GiveChair("bot" if op.kind == "give bot" else "newcomer")),)
        case "stand in":
            return (StandIn(n),)
        case "forfeit":
            return (Forfeit(n),)
        case "idle":
            late = None if state is None or turn is None or turn == HOUSE else state.idle(turn)
            return () if late is None or turn is None else (AutoAct(turn, late, table.played),)
        case "leave":
            return (Ask(user, Leave()),)
        case "again":
            return (Ask(user, Again(n)),)
        case "gone":
            return (Gone(user, room.now - n),)
        case "back":
            return (Back(user),)
        case "move":
            if state is None or turn is None or turn == HOUSE:
                return (Act(user, card, table.played),)
            moves = state.moves(turn)
            return (Act(table.chairs[turn].user or user, moves[n % len(moves)], table.played),)
        case "errand":
            errand = autopilot.errand(table, room.now, rng)
            return () if errand is None else (errand,)
        case "everybody":
            return tuple(Ask(chair.user or user, Ready()) for chair in table.chairs)
        case "any":
            return (Act(user, card, table.played),)
        case "stale":
            return (Act(user, card, table.played + n - 4), AutoAct(n, card, table.played + n - 4))
        case "auto":
            return (AutoAct(n, card, table.played), AutoAct(HOUSE, First(n % 4), table.played + 1))
        case "begin":
            return (Begin((First(0), DECK_OF), SALT),)
        case "seal":
            return (SealLuck((First(0), DECK_OF), SALT, table.played),)
    return (Close(Why.VACANT),) if n == 7 else ()


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("stage", KINDS)
@given(data=st.data(), absence=st.sampled_from(get_args(Absence)), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=100)
def test_whatever_happens(stage: str, seats: int, data: st.DataObject, absence: Absence, seed: int) -> None:
    table, now = prepared(stage, seats, absence)
    room, rng = Room(table, now), Random(seed)
    for op in data.draw(ops(stage, seats)):
        room.now += op.later
        for command in commands(room, op, rng):
            before, text = room.table, _bytes(room.table)
            try:
                change = decide(before, command, room.now)
            except (Refused, IllegalAction):
                event("refused")
            else:
                note(f"{room.now - now} {command}")
                event(type(command).__name__)
                _changed_rightly(before, change, room.now)
                room.changes.append(change)
                room.table = change.table
            assert _bytes(before) == text, "a table is a value"
            _holds(room.table)


def _changed_rightly(before: Table, change: Change, now: int) -> None:
    after = change.table
    assert after.revision == before.revision + 1
    assert after.played == before.played + len(change.entries), "it only grows, by what is logged"
    assert after.logged == before.logged + len(change.entries)
    assert (after.id, after.code, after.game, after.rules, after.terms) == (
        *(before.id, before.code, before.game),
        *(before.rules, before.terms),
    )
    assert len(after.chairs) == len(before.chairs)
    if before.ended is not None:
        assert after.ended == before.ended, "an end is an end"
        assert after.state == before.state
    if after.state is before.state and after.luck == before.luck and before.state is not None:
        assert after.since == before.since, "nothing but state and luck winds a clock"
    else:
        assert after.since in (now, before.since)
    if before.state is not None:
        taken = {event.seat for event in change.events if isinstance(event, TookOver)}
        for seat, (old, new) in enumerate(zip(before.chairs, after.chairs, strict=True)):
            assert old.user == new.user or (seat in taken and old.vacated), "only an open chair changes hands (AB-11)"
        state = before.state
        for entry in change.entries:
            if not isinstance(entry.action, fairness.NOTES):
                state, _ = state.play(entry.seat, entry.action)
        assert codec.encode(state) == codec.encode(after.state), "the log tells it"
    if change.opens is not None:
        seated_there = [chair.user for chair in change.opens.chairs if chair.user is not None]
        assert len(set(seated_there)) == len(seated_there) > 0
        assert change.opens.opener in seated_there
        assert all(chair.connected or chair.user is None for chair in change.opens.chairs)
        assert [change.opens.chairs[seat].user for seat in change.opens.ready] == seated_there


def _holds(table: Table) -> None:
    assert table.wake_at == alarm(table) or table.revision == 1
    people = [chair.user for chair in table.chairs if chair.user is not None]
    assert len(set(people)) == len(people), "one chair a person (SITE-7)"
    assert not set(connected(table)) & set(absent(table))
    for seats in (table.ready, table.agreed, table.to_bot, table.to_newcomer, table.again):
        assert tuple(sorted(set(seats))) == seats
        assert all(table.chairs[seat].user is not None for seat in seats)
    assert (table.vacant_since is None) == bool(connected(table)) or table.revision == 1
    for chair in table.chairs:
        assert not chair.left or chair.away_since is not None
        assert chair.user is not None or chair.away_since is None
        assert not chair.vacated or chair.missing, "only for the absent"
        assert chair.bot is None or table.terms.absence != "forfeit"
    for user in PEOPLE:
        seat = seat_of(table, user)
        assert seat is None or table.chairs[seat].user == user
    if table.ended is not None:
        assert table.wake_at is None
        assert not pausing(table)
    elif table.state is not None:
        until = clock_until(table)
        assert until is None or (connected(table) and table.chairs[table.state.turn or 0].bot is None)
        assert (table.stood_since is None) or until is None
        assert table.state.turn is not None, "a match that is over ends its table"
    if isinstance(table.luck, Luck):
        for user in (*PEOPLE, None):
            assert table.luck.salt not in repr(frame(table, user, {}))


def _bytes(table: Table) -> str:
    return codec.encode((msgspec.convert(table, Body, from_attributes=True), table.state, table.revision))


@given(seed=st.integers(0, 2**32 - 1), seats=st.sampled_from([2, 4]))
@settings(max_examples=15)
def test_with_people_who_come_and_go_a_match_ends_and_its_log_tells_it(seed: int, seats: int) -> None:
    rng = Random(seed)
    room = Room(waiting(seats, terms=Terms(pause_seconds=1)))
    room.begin(rng)
    while room.table.ended is None:
        state = room.table.state
        assert state is not None
        if state.turn == HOUSE:
            room.serve(rng)
            continue
        room.move(rng, later=rng.randrange(5_000))
        if rng.random() < 0.3:
            user = rng.randrange(seats) + 1
            chair = room.table.chairs[user - 1]
            room.do(Back(user) if chair.away_since is not None else Gone(user, room.now))
    assert room.table.ended.why == Why.FINISHED
    log = [(entry.seat, entry.action) for change in room.changes for entry in change.entries]
    assert fairness.broken(log, PISTI.lots) is None
    assert record.resume(PISTI, room.table.rules, seats, log) == room.table.state
