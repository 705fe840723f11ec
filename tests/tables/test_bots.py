"""Bots in chairs: called and sent away by the opener, always ready, on turn by an alarm, recorded nowhere (AB-10)."""

from random import Random

import pytest
from msgspec.structs import replace

from mokali.engine.protocol import HOUSE, Level
from mokali.games import BY_KEY
from mokali.tables import autopilot
from mokali.tables.autopilot import Thought
from mokali.tables.clock import alarm
from mokali.tables.decide import decide
from mokali.tables.frame import BOTS, frame
from mokali.tables.table import (
    Again,
    Ask,
    AutoAct,
    CallBot,
    Chair,
    CloseVote,
    Free,
    Gone,
    Leave,
    No,
    Ready,
    Refused,
    Sit,
    Table,
    Why,
    recorded,
)
from mokali.tables.terms import Terms
from tests.seated import NOW, PISTI, Room

ANY = Level(lambda mind: mind.rng.choice(mind.moves))
GAME = replace(PISTI, bots={"kolay": ANY, "zor": ANY})


def waiting(seats: int = 4, bot_seconds: float = 1.0) -> Room:
    """One person at a table of so many chairs."""
    chairs = (Chair(1), *(Chair(),) * (seats - 1))
    terms = Terms(pause_seconds=0, bot_seconds=bot_seconds)
    rules = type(PISTI.rulesets["klasik"])(target=51)
    return Room(Table(id=1, code="ABC234", opener=1, game=GAME, rules=rules, terms=terms, chairs=chairs, since=NOW))


def against_bots(seats: int = 4) -> Room:
    """One person whose match against bots has just been dealt."""
    room = waiting(seats)
    for chair in range(1, seats):
        room.ask(1, CallBot(chair, "kolay"))
    room.begin(Random(1))
    return room


def refused(room: Room, user: int, request: object) -> No:
    with pytest.raises(Refused) as no:
        decide(room.table, Ask(user, request), room.now)  # type: ignore[arg-type]
    return no.value.reason


def test_ab_10_the_opener_calls_bots_and_sends_them_away() -> None:
    room = waiting()
    room.ask(2, Sit(1))
    room.ask(1, CallBot(2, "zor"))
    assert room.table.chairs[2].bot == "zor"
    assert refused(room, 2, CallBot(3, "zor")) == No.NOT_OPENER
    assert refused(room, 1, CallBot(1, "zor")) == No.CHAIR_TAKEN
    assert refused(room, 1, CallBot(2, "zor")) == No.CHAIR_TAKEN
    assert refused(room, 1, CallBot(9, "zor")) == No.CHAIR_TAKEN
    assert refused(room, 1, CallBot(3, "hile")) == No.NO_BOT
    assert refused(room, 3, Sit(2)) == No.CHAIR_TAKEN
    assert refused(room, 2, Free(2)) == No.NOT_OPENER
    room.ask(1, Free(2))
    assert room.table.chairs[2] == Chair()


def test_ab_10_bots_are_ready_and_marked_wherever_they_are_named() -> None:
    room = waiting(2)
    room.ask(1, CallBot(1, "kolay"))
    place = frame(room.table, 1, {1: "Ayşe"}).places[1]
    assert (place.name, place.bot, place.ready) == (BOTS[1], "kolay", True)
    assert alarm(room.table) is None, "the person has not said so yet"
    room.ask(1, Ready())
    assert alarm(room.table) == room.now
    assert len(set(BOTS)) == 4


def test_ab_2_against_bots_nothing_is_recorded() -> None:
    room = waiting(2)
    assert recorded(room.table)
    room.ask(1, CallBot(1, "kolay"))
    assert not recorded(room.table)
    room.begin(Random(1))
    assert room.table.terms.kind == "practice"


def test_a_bot_thinks_by_an_alarm_and_plays_as_the_house_says() -> None:
    room = against_bots(2)
    while room.table.state is not None and room.table.state.turn != 1:
        room.move(Random(2))
    due = alarm(room.table)
    assert due is not None
    assert room.now < due <= room.now + 1_500
    assert autopilot.thought(room.table, due - 1) is None
    assert autopilot.errand(room.table, due, Random(1)) is None
    asked = autopilot.thought(room.table, due)
    assert asked == Thought(1, "kolay", room.table.played)
    state = room.table.state
    assert state is not None
    action = state.moves(1)[0]
    change = decide(room.table, AutoAct(1, action, room.table.played), due)
    assert change.table.played == room.table.played + 1
    with pytest.raises(Refused):
        decide(change.table, AutoAct(1, action, room.table.played), due)


def test_nobody_plays_for_a_person() -> None:
    room = against_bots(2)
    while room.table.state is not None and room.table.state.turn != 0:
        state = room.table.state
        turn = state.turn
        assert turn is not None
        room.do(AutoAct(turn, state.moves(turn)[0], room.table.played))
    assert room.table.state is not None
    with pytest.raises(Refused) as no:
        decide(room.table, AutoAct(0, room.table.state.moves(0)[0], room.table.played), room.now)
    assert no.value.reason == No.STALE
    assert alarm(room.table) is None


def test_rl_34_how_long_a_bot_seems_to_think_tells_nothing_of_its_hand() -> None:
    """By the count of moves alone: two worlds that look alike wait alike."""
    room = against_bots(2)
    table = room.table
    assert table.state is not None
    other = replace(table, state=type(table.state).imagine(table.state.view(0), Random(7)))
    assert alarm(other) == alarm(table)


def test_bots_wait_for_nobody_and_agree_with_everybody() -> None:
    room = against_bots()
    assert room.table.state is not None
    assert room.table.state.turn != HOUSE
    room.do(Gone(1, room.now))
    assert room.table.vacant_since is not None, "bots are no company"
    left = against_bots()
    left.ask(1, Leave())
    assert left.table.ended is not None
    assert left.table.ended.why == Why.LEFT
    two = waiting()
    two.ask(2, Sit(1))
    for chair in (2, 3):
        two.ask(1, CallBot(chair, "kolay"))
    two.begin(Random(1))
    two.do(Gone(2, two.now))
    two.ask(1, CloseVote())
    assert two.table.ended is not None
    assert two.table.ended.why == Why.VOTED


def test_bots_come_along_to_the_next_match() -> None:
    room, rng = against_bots(2), Random(3)
    while room.table.ended is None:
        state = room.table.state
        assert state is not None
        turn = state.turn
        if turn == HOUSE:
            room.serve(rng)
        elif turn == 1:
            room.do(AutoAct(1, rng.choice(state.moves(1)), room.table.played))
        else:
            room.move(rng)
    change = room.ask(1, Again())
    assert change.opens is not None
    assert [(chair.user, chair.bot) for chair in change.opens.chairs] == [(1, None), (None, "kolay")]
    assert BY_KEY["pisti"].key == room.table.game.key
