"""The move clock and what absence means: time-outs, bots that stand in, chairs given away, forfeits (PT-8, AB)."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from mokali.engine import codec
from mokali.engine.protocol import HOUSE
from mokali.games import BY_KEY, GAMES
from mokali.tables import autopilot
from mokali.tables.clock import alarm, clock_left, clock_until
from mokali.tables.decide import decide
from mokali.tables.frame import frame
from mokali.tables.table import (
    Act,
    Ask,
    AutoAct,
    Back,
    BotSat,
    CloseVote,
    Forfeit,
    GiveChair,
    Gone,
    Leave,
    No,
    Refused,
    Request,
    Sit,
    StandIn,
    Standstill,
    Table,
    TimedOut,
    TookOver,
    Why,
)
from mokali.tables.terms import Terms
from tests.seated import Room, waiting

SECOND = 1_000


def table(game: str = "pisti", seats: int = 4, seed: int = 1, **terms: Any) -> Room:
    """A table with these terms, the first hand dealt."""
    room = Room(waiting(seats, game=BY_KEY[game], terms=Terms(**terms)))
    room.begin(Random(seed))
    return room


def user_on_turn(room: Room) -> int:
    return turn(room.table) + 1


def turn(of: Table) -> int:
    assert of.state is not None
    assert of.state.turn is not None
    return of.state.turn


def refused(room: Room, user: int, request: Request) -> No:
    with pytest.raises(Refused) as no:
        decide(room.table, Ask(user, request), room.now)
    return no.value.reason


def served(room: Room, later: int = 0) -> list[type]:
    """Time passes, and the watch looks: what it did, without the house's own."""
    room.now += later
    done: list[type] = []
    for _ in range(20):
        command = autopilot.errand(room.table, room.now, Random(3))
        if command is None:
            return done
        room.do(command)
        if not (isinstance(command, AutoAct) and command.seat == HOUSE):
            done.append(type(command))
    raise AssertionError("the watch never rests")


def timed_out(room: Room) -> list[type]:
    """The clock of whoever is on turn runs out."""
    until = clock_until(room.table)
    assert until is not None
    return served(room, until - room.now)


# --- the clock ---


@pytest.mark.parametrize("game", [game.key for game in GAMES])
def test_pt_8_the_clock_is_that_of_who_is_on_turn_and_its_end_completes_the_turn(game: str) -> None:
    room = table(game, BY_KEY[game].seats[0], seconds=30)
    for _ in range(12):
        before, seat = room.table, turn(room.table)
        assert before.state is not None
        assert clock_until(before) == before.clock_since + 30 * SECOND == alarm(before)
        early = AutoAct(seat, before.state.idle(seat), before.played)
        with pytest.raises(Refused, match="stale"):
            decide(before, early, before.clock_since + 30 * SECOND - 1)
        assert set(timed_out(room)) == {AutoAct}
        assert room.table.chairs[seat].missed == before.chairs[seat].missed + 1
        if clock_until(room.table) is None:
            return  # the hand is over
        if before.game.whole_turns:
            assert turn(room.table) != seat, "the whole turn is completed"


@pytest.mark.parametrize("game", ["okey101", "klasik", "tavla"])
def test_pt_8_a_turn_of_several_steps_shares_one_clock(game: str) -> None:
    room = table(game, BY_KEY[game].seats[0], seconds=60, absence="auto")
    since, seat, steps, rng = room.table.clock_since, turn(room.table), 0, Random(5)
    for _ in range(300):
        assert room.table.state is not None
        if room.table.state.turn == HOUSE:
            room.serve(rng)
        else:
            room.move(rng, later=SECOND)
        if room.table.ended is not None or room.table.state.turn in (HOUSE, None):
            continue
        if turn(room.table) == seat and room.table.state.phase != "hand_over" and room.table.clock_since == since:
            steps += 1
        elif turn(room.table) != seat:
            assert room.table.clock_since > since
        since, seat = room.table.clock_since, turn(room.table)
    assert steps >= 10


def test_pt_8_in_card_games_each_decision_has_its_own() -> None:
    room = table("batak", 4, seconds=60, absence="auto")
    for _ in range(30):
        room.move(Random(2), later=2 * SECOND)
        if room.table.state is None or room.table.state.turn == HOUSE:
            break
        assert room.table.clock_since == room.now


def test_pt_8_no_clock_runs_between_hands() -> None:
    room = table(seconds=30, absence="auto")
    room.play_hand(Random(1))
    room.serve(Random(1))
    assert room.table.state is not None
    assert (room.table.state.phase, clock_until(room.table)) == ("hand_over", None)
    assert frame(room.table, 1, {}).clock_until is None


def test_pt_9_a_move_and_the_time_out_in_the_same_tick_count_once() -> None:
    room = table(seconds=30, absence="auto")
    seat, played = turn(room.table), room.table.played
    state = room.table.state
    assert state is not None
    room.now = clock_until(room.table) or 0
    move, late = Act(seat + 1, state.moves(seat)[0], played), AutoAct(seat, state.idle(seat), played)
    for first, second in ((move, late), (late, move)):
        after = decide(room.table, first, room.now).table
        with pytest.raises(Refused, match="stale"):
            decide(after, second, room.now)


def test_ab_7_notice_warning_bot_and_a_move_of_ones_own_starts_anew() -> None:
    room = table("pisti", 2, seconds=30, absence="auto")
    seat = turn(room.table)
    told = []

    def others() -> None:
        while turn(room.table) != seat:
            room.serve(Random(1)) if turn(room.table) == HOUSE else room.move(Random(1))

    for missed in (1, 2):
        assert timed_out(room) == [AutoAct]
        told += [event for change in room.changes[-1:] for event in change.events if isinstance(event, TimedOut)]
        assert room.table.chairs[seat].missed == missed
        others()
    assert len(told) == 2
    assert timed_out(room) == [StandIn]
    assert room.table.chairs[seat].bot == "orta"
    assert frame(room.table, seat + 1, {}).places[seat].stand_in
    assert clock_until(room.table) is None, "a bot has no clock"
    assert autopilot.thought(room.table, alarm(room.table) or 0) is not None
    room.move(Random(1))  # its person acts
    assert (room.table.chairs[seat].bot, room.table.chairs[seat].missed) == (None, 0)
    others()
    timed_out(room)
    assert room.table.chairs[seat].missed == 1, "AB-C5: a notice again, no bot"


def test_ab_7_who_takes_over_before_the_bot_has_moved_has_time_to_play() -> None:
    for game in ("pisti", "okey101"):
        room = table(game, BY_KEY[game].seats[0], seconds=30, absence="auto")
        seat = turn(room.table)
        for _ in range(2):
            timed_out(room)
            while turn(room.table) != seat:
                room.serve(Random(1)) if turn(room.table) == HOUSE else room.move(Random(1))
        assert timed_out(room) == [StandIn]
        room.ask(seat + 1, Sit(seat), later=SECOND // 2)
        assert served(room) == [], "neither the bot nor the clock is back at once"
        assert clock_until(room.table) == room.now + 30 * SECOND
        assert served(room, 30 * SECOND) == [StandIn]
        room.move(Random(1), later=SECOND // 2)
        assert served(room) == [], "a first step of the turn leaves time for the next"
        assert room.table.chairs[seat].missed == 0


def test_ab_7_where_the_table_waits_no_bot_ever_plays() -> None:
    room = table("pisti", 2, seconds=30)
    for _ in range(8):
        if turn(room.table) == HOUSE:
            room.serve(Random(1))
        if room.table.state is None or clock_until(room.table) is None:
            break
        assert timed_out(room) == [AutoAct]
    assert all(chair.bot is None for chair in room.table.chairs)


def test_ab_c3_two_absent_seats_in_a_row_are_played_for_and_the_third_plays_normally() -> None:
    room = table("pisti", 4, seconds=30, absence="auto")
    first = turn(room.table)
    for seat in (first, (first + 1) % 4):
        room.do(Gone(seat + 1, room.now))
    assert timed_out(room) == [AutoAct]
    assert timed_out(room) == [AutoAct]
    assert turn(room.table) == (first + 2) % 4
    room.move(Random(1))
    assert turn(room.table) == (first + 3) % 4


# --- clocks that stand ---


def test_ab_3_where_the_table_waits_the_clock_stands_for_the_absent() -> None:
    room = table("pisti", 2, seconds=60)
    seat = turn(room.table)
    room.do(Gone(seat + 1, room.now + 10 * SECOND), later=30 * SECOND)
    assert clock_until(room.table) is None
    assert clock_left(room.table) == 50 * SECOND
    assert served(room, 3_600 * SECOND) == []
    room.do(Back(seat + 1))
    assert clock_until(room.table) == room.now + 50 * SECOND


def test_ab_c6_gone_and_back_ten_times_costs_nothing() -> None:
    room = table("pisti", 2, seconds=60)
    seat = turn(room.table)
    for _ in range(10):
        room.do(Gone(seat + 1, room.now), later=SECOND)
        room.do(Back(seat + 1), later=100 * SECOND)
    assert clock_until(room.table) == room.now + 60 * SECOND
    assert room.table.chairs[seat].missed == 0


def test_ab_5_the_others_absence_leaves_the_own_clock_alone() -> None:
    room = table("pisti", 2, seconds=60)
    seat, until = turn(room.table), clock_until(room.table)
    room.do(Gone(2 - seat, room.now), later=5 * SECOND)
    assert clock_until(room.table) == until


@pytest.mark.parametrize("absence", ["auto", "bot", "forfeit"])
def test_with_nobody_there_nothing_moves(absence: str) -> None:
    room = table("pisti", 2, seconds=60, absence=absence, vacant_minutes=60)
    for user in (1, 2):
        room.do(Gone(user, room.now), later=5 * SECOND)
    assert served(room, 30 * 60 * SECOND) == []
    room.do(Back(user_on_turn(room)))
    assert clock_until(room.table) == room.now + 50 * SECOND
    assert served(room) == [], "the other's absence counts from now on"
    room.do(Gone(user_on_turn(room), room.now))
    assert served(room, 3_600 * SECOND)[0].__name__ == "Close"


def test_rl_33_all_of_it_goes_on_where_it_stood() -> None:
    room = table("pisti", 2, seconds=60, absence="bot")
    other = 1 - turn(room.table)
    room.do(Gone(other + 1, room.now), later=20 * SECOND)
    before = room.table
    room.do(Standstill(room.now), later=500 * SECOND)
    assert clock_until(room.table) == (clock_until(before) or 0) + 500 * SECOND
    there = frame(room.table, 1, {}).places[other]
    assert there.gone_at == before.chairs[other].away_since + (60 + 500) * SECOND  # type: ignore[operator]


# --- absence ---


def test_ab_4_a_bot_plays_after_a_minute_until_its_person_is_back_in_mid_turn() -> None:
    room = table("okey101", 4, absence="bot")
    room.move(Random(1))  # who starts need not draw
    seat = turn(room.table)
    room.do(Gone(seat + 1, room.now))
    assert frame(room.table, 1, {}).places[seat].gone_at == room.now + 60 * SECOND
    assert served(room, 60 * SECOND - 1) == []
    assert served(room, 1) == [StandIn]
    assert room.changes[-1].events == (BotSat(seat),)
    asked = autopilot.thought(room.table, alarm(room.table) or 0)
    assert asked is not None
    state = room.table.state
    assert state is not None
    room.do(AutoAct(seat, state.moves(seat)[0], asked.played))
    assert turn(room.table) == seat, "it has drawn"
    late = AutoAct(seat, state.moves(seat)[0], room.table.played)
    room.do(Back(seat + 1))
    assert room.table.chairs[seat].bot is None
    with pytest.raises(Refused, match="stale"):
        room.do(late)
    room.move(Random(1))


def test_ab_2_who_forfeits_ends_the_match_by_clock_absence_or_leaving() -> None:
    room = table("pisti", 2, seconds=30, absence="forfeit")
    seat = turn(room.table)
    for command, later in ((None, 30), (Gone(seat + 1, room.now), 180), (Ask(seat + 1, Leave()), 0)):
        one = Room(room.table if later == 30 else replace(room.table, terms=Terms(absence="forfeit")), room.now)
        if command is not None:
            one.do(command)
        assert served(one, later * SECOND) == ([] if later == 0 else [Forfeit])
        assert one.table.ended is not None
        assert (one.table.ended.why, one.table.ended.by) == (Why.FORFEITED, seat)
        assert one.table.ended.how == {30: "clock", 180: "away", 0: "left"}[later]


@pytest.mark.parametrize("absence", ["bot", "auto"])
def test_leaving_hands_the_chair_to_a_bot_for_good(absence: str) -> None:
    room = table("pisti", 2, seconds=30, absence=absence)
    room.ask(1, Leave())
    chair = room.table.chairs[0]
    assert (chair.left, chair.bot) == (True, "orta")
    assert refused(room, 1, Sit(0)) == No.CHAIR_GIVEN
    assert frame(room.table, 2, {1: "Ayşe"}).places[0].name == "Fındık"
    room.ask(2, Leave())
    assert room.table.ended is not None
    assert room.table.ended.why == Why.LEFT


def test_pt_4_leaving_a_test_table_closes_it() -> None:
    room = table("okey101", 2, kind="test")
    room.ask(1, Leave())
    assert room.table.ended is not None


# --- chairs given away ---


def test_ab_11_a_bot_by_agreement_and_the_person_takes_the_chair_back() -> None:
    room = table("batak", 4)
    room.do(Gone(3, room.now))
    room.ask(1, GiveChair("bot"))
    room.ask(2, GiveChair("bot"))
    assert room.table.chairs[2].bot is None
    room.ask(2, GiveChair("bot", agree=False))
    room.ask(4, GiveChair("bot"))
    assert room.table.chairs[2].bot is None
    room.ask(2, GiveChair("bot"))
    assert room.table.chairs[2].bot == "orta"
    assert not room.table.to_bot
    assert refused(room, 1, CloseVote()) == No.NOBODY_ABSENT
    room.do(Back(3))
    assert room.table.chairs[2].connected
    assert room.table.chairs[2].bot is None


def test_ab_11_who_has_left_does_not_take_it_back() -> None:
    room = table("batak", 4)
    room.ask(3, Leave())
    for user in (1, 2, 4):
        room.ask(user, GiveChair("bot"))
    assert refused(room, 3, Sit(2)) == No.CHAIR_GIVEN
    assert refused(room, 9, Sit(2)) == No.STARTED


def test_ab_11_a_newcomer_takes_over_exactly_that_seat() -> None:
    room = table("batak", 4)
    room.ask(3, Leave())
    assert refused(room, 9, Sit(2)) == No.STARTED
    for user in (1, 2, 4):
        room.ask(user, GiveChair("newcomer"))
    assert frame(room.table, 9, {}).places[2].vacated
    assert refused(room, 1, GiveChair("newcomer")) == No.STALE
    state = room.table.state
    assert refused(room, 1, Sit(2)) == No.STARTED
    change = room.ask(9, Sit(2))
    assert change.events == (TookOver(2),)
    assert (room.table.chairs[2].user, room.table.state) == (9, state)
    assert refused(room, 3, Sit(2)) == No.STARTED
    assert refused(room, 8, Sit(2)) == No.STARTED


def test_ab_11_an_open_chair_is_the_absent_persons_until_somebody_sits() -> None:
    room = table("batak", 4)
    room.do(Gone(3, room.now))
    for user in (1, 2, 4):
        room.ask(user, GiveChair("newcomer"))
    room.do(Back(3))
    assert not room.table.chairs[2].vacated
    assert refused(room, 9, Sit(2)) == No.STARTED


def test_ab_11_with_other_terms_nothing_is_voted_on() -> None:
    room = table("batak", 4, absence="bot")
    room.do(Gone(3, room.now))
    assert refused(room, 1, GiveChair("bot")) == No.NOBODY_ABSENT


def test_terms_that_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="clock"):
        Terms(absence="auto")
    with pytest.raises(ValueError, match="taken back"):
        Terms(takeback=True)
    older = codec.decode(Terms, '{"kind":"test"}')
    assert (older.seconds, older.absence) == (None, "wait")
