"""A table, decided: no database, no clock, a made-up now (ARCHITECTURE, 7)."""

from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from mokali.engine import fairness
from mokali.engine.cardplay import Play
from mokali.engine.cards import Card
from mokali.engine.protocol import HOUSE, Action, Common, HandEnded, IllegalAction
from mokali.games import BY_KEY
from mokali.games.pisti.state import Deal, First
from mokali.tables import autopilot
from mokali.tables.chairs import PAIRINGS
from mokali.tables.clock import alarm
from mokali.tables.decide import decide
from mokali.tables.table import (
    Act,
    Again,
    Ask,
    AutoAct,
    Back,
    Begin,
    CameBack,
    Chair,
    Change,
    Close,
    CloseVote,
    Command,
    Ended,
    Entry,
    Free,
    Gone,
    Leave,
    LeftTable,
    No,
    Ready,
    Refused,
    Request,
    Rise,
    SealLuck,
    Sit,
    Table,
    WentAway,
    Why,
)
from mokali.tables.terms import Terms
from tests.coin import COIN, Coin
from tests.seated import NOW, Room, finished, pausing, playing, waiting

MINUTE = 60_000
RNG = Random(5)


def no(table: Table, command: Command, now: int = NOW) -> No:
    """Why it is refused; the table is a value and can't have changed."""
    with pytest.raises(Refused) as refused:
        decide(table, command, now)
    return refused.value.reason


def said(table: Table, user: int, request: Request) -> No:
    return no(table, Ask(user, request))


def users(table: Table) -> list[int | None]:
    return [chair.user for chair in table.chairs]


def a_move(room: Room) -> Play:
    state = room.table.state
    assert state is not None
    assert state.turn is not None
    move = state.moves(state.turn)[0]
    assert isinstance(move, Play)
    return move


def mover(room: Room) -> int:
    """The person on turn: people are one more than their seats."""
    assert room.table.state is not None
    assert room.table.state.turn is not None
    return room.table.state.turn + 1


# --- sitting ---


def test_site_9_somebody_takes_a_free_chair() -> None:
    room = Room(waiting(4, sitting=1))
    room.ask(9, Sit(2))
    assert users(room.table) == [1, None, 9, None]


@pytest.mark.parametrize("chair", [0, 4, -1, 10**30])
def test_site_9_a_chair_that_is_taken_or_none_is_refused(chair: int) -> None:
    assert said(waiting(4, sitting=1), 9, Sit(chair)) == No.CHAIR_TAKEN


def test_site_7_changing_chairs_leaves_the_old_one() -> None:
    room = Room(waiting(4, sitting=2))
    room.ask(2, Ready())
    room.ask(2, Sit(3))
    assert users(room.table) == [1, None, None, 2]
    assert room.table.ready == (), "another partner: ready anew"
    room.ask(1, Sit(1))
    assert (users(room.table), room.table.opener) == ([None, 1, None, 2], 1)
    assert said(room.table, 1, Sit(1)) == No.CHAIR_TAKEN, "one's own chair is no other"


def test_site_9_chairs_are_fixed_after_the_start() -> None:
    room = playing(2)
    assert said(room.table, 9, Sit(0)) == No.STARTED
    assert said(room.table, 1, Sit(1)) == No.STARTED


def test_standing_up_frees_the_chair_and_hands_the_table_on() -> None:
    room = Room(waiting(4, sitting=3))
    room.ask(1, Ready())
    room.ask(1, Rise())
    assert (users(room.table), room.table.ready, room.table.opener) == ([None, 2, 3, None], (), 2)
    room.ask(3, Leave())
    assert (users(room.table), room.table.opener) == ([None, 2, None, None], 2)
    assert said(room.table, 1, Rise()) == No.NOT_SEATED


def test_a_table_that_everybody_left_belongs_to_the_next_who_sits_down() -> None:
    room = Room(waiting(4, sitting=1))
    room.ask(1, Rise())
    room.ask(9, Sit(2))
    room.ask(8, Sit(1))
    assert room.table.opener == 9
    room.ask(9, Free(1))


def test_rising_is_for_before_the_start() -> None:
    """A tap on "Kalk" that arrives after the deal is no "Çık"."""
    room = playing(2)
    assert said(room.table, 1, Rise()) == No.STARTED


# --- getting ready ---


def test_site_9_it_starts_when_all_chairs_are_taken_and_ready() -> None:
    room = Room(waiting(2, sitting=1))
    room.ask(1, Ready())
    assert alarm(room.table) is None
    room.ask(2, Sit(1))
    assert alarm(room.table) is None
    room.ask(2, Ready(), later=500)
    assert alarm(room.table) == room.table.since == NOW + 500
    assert isinstance(autopilot.errand(room.table, room.now, RNG), Begin)


def _arrived(*asked: tuple[int, Request]) -> tuple[int | None, ...]:
    """Who has which seat of a game that counts who sat down first, after all this and the start."""
    room = Room(waiting(3, 1, game=BY_KEY["ucbessekiz"]))
    for user, request in asked:
        room.ask(user, request)
    room.begin(Random(1))
    assert room.table.state is not None
    return tuple(chair.user for chair in room.table.chairs)


def test_site_9_seats_are_numbered_in_the_order_of_arrival_where_that_counts() -> None:
    assert _arrived((2, Sit(2)), (3, Sit(1))) == (1, 2, 3)
    assert _arrived((2, Sit(2)), (1, Sit(1)), (3, Sit(0))) == (1, 2, 3), "who changes the chair has not come later"
    assert _arrived((2, Sit(2)), (1, Rise()), (3, Sit(1)), (1, Sit(0))) == (2, 3, 1), "who stood up has"


def test_site_9_elsewhere_everybody_plays_where_he_sits() -> None:
    room = Room(waiting(4, 1))
    for user, chair in ((2, 3), (3, 1), (4, 2)):
        room.ask(user, Sit(chair))
    room.begin(Random(1))
    assert [chair.user for chair in room.table.chairs] == [1, 3, 4, 2]


def test_ready_can_be_taken_back() -> None:
    room = Room(waiting(2))
    room.ask(1, Ready())
    room.ask(2, Ready())
    room.ask(1, Ready(on=False))
    assert (room.table.ready, alarm(room.table)) == ((1,), None)
    room.ask(1, Ready(on=False))
    assert room.table.ready == (1,), "twice is once"
    assert autopilot.errand(room.table, room.now + 10**9, RNG) is None
    begin = Begin((First(0), Deal(shuffled())), "salt")
    assert no(room.table, begin) == No.STALE, "an alarm that was set before"


def test_who_is_out_of_touch_is_not_ready() -> None:
    room = Room(waiting(2))
    room.ask(1, Ready())
    room.ask(2, Ready())
    room.do(Gone(2, room.now))
    assert (room.table.ready, alarm(room.table)) == ((0,), None)
    room.do(Back(2))
    assert alarm(room.table) is None, "and is asked again"


def test_only_who_sits_there_gets_ready() -> None:
    assert said(waiting(2), 9, Ready()) == No.NOT_SEATED
    assert said(playing(2).table, 1, Ready()) == No.NO_PAUSE


# --- freeing chairs ---


def test_site_9_the_opener_frees_a_chair() -> None:
    room = Room(waiting(4))
    room.ask(1, Free(2), later=7)
    assert (users(room.table), room.table.since) == ([1, 2, None, 4], NOW + 7)
    assert room.table.ready == ()


def test_site_9_anybody_frees_the_chair_of_somebody_who_is_not_there() -> None:
    room = Room(waiting(4))
    room.do(Gone(1, NOW))
    room.ask(2, Free(0))
    assert (users(room.table), room.table.opener) == ([None, 2, 3, 4], 2), "and the table is handed on"
    assert said(room.table, 3, Free(3)) == No.NOT_OPENER


def test_site_9_nobody_else_frees_one_and_a_ready_one_stays() -> None:
    room = Room(waiting(4))
    room.ask(3, Ready())
    assert said(room.table, 2, Free(1)) == No.NOT_OPENER
    assert said(room.table, 9, Free(1)) == No.NOT_SEATED
    assert said(room.table, 1, Free(2)) == No.IS_READY
    assert said(room.table, 1, Free(0)) == No.STALE, "to stand up there is another button"
    for chair in (4, -1, 10**30):
        assert said(room.table, 1, Free(chair)) == No.STALE
    room.ask(4, Rise())
    assert said(room.table, 1, Free(3)) == No.STALE, "it is free already"
    assert said(playing(4).table, 1, Free(2)) == No.STARTED
    assert said(finished(4).table, 1, Free(2)) == No.STARTED


# --- beginning ---


def shuffled(seed: int = 1) -> tuple[Card, ...]:
    deal = waiting(2).game.state.start(waiting(2).rules, 2).draw_lots(Random(seed))[1]
    assert isinstance(deal, Deal)
    return deal.deck


def test_rl_36_the_luck_is_sealed_before_it_is_played() -> None:
    room = Room(waiting(2))
    room.ask(1, Ready())
    room.ask(2, Ready())
    lots = (First(1), Deal(shuffled()))
    assert no(waiting(2), Begin(lots, "salt")) == No.STALE, "nobody was ready"
    change = room.do(Begin(lots, "salt"))
    sha256 = fairness.seal(fairness.words(lots), "salt")
    assert change.entries == (Entry(HOUSE, fairness.Seal(sha256)),)
    assert room.table.luck is not None
    assert (room.table.luck.sha256, room.table.luck.salt) == (sha256, "salt")
    assert room.table.state is not None
    assert room.table.state.turn == HOUSE
    assert (room.table.played, room.table.logged, room.table.ready) == (1, 1, ())
    assert no(room.table, Begin(lots, "salt")) == No.STALE
    assert no(room.table, SealLuck(lots, "salt", 1)) == No.STALE, "sealed luck is not sealed again"


def test_the_house_deals_until_a_seat_is_on_turn() -> None:
    room = Room(waiting(2))
    room.ask(1, Ready())
    room.ask(2, Ready())
    done = room.serve(RNG)
    entries = [entry for change in done for entry in change.entries]
    assert [type(entry.action) for entry in entries] == [fairness.Seal, First, Deal]
    assert {entry.seat for entry in entries} == {HOUSE}
    assert room.table.luck is not None
    assert room.table.luck.lots == (), "all played; the salt waits for the end of the hand"
    assert room.table.state is not None
    assert room.table.state.phase == "play"
    assert alarm(room.table) is None
    assert autopilot.errand(room.table, room.now + 10**9, RNG) is None


def test_nothing_is_played_before_the_start() -> None:
    table = waiting(2)
    assert no(table, Act(1, Play(Card("7S")), 0)) == No.NOT_STARTED
    assert no(table, AutoAct(HOUSE, First(0), 0)) == No.NOT_STARTED
    assert no(table, SealLuck((First(0),), "salt", 0)) == No.STALE
    assert said(table, 1, CloseVote()) == No.NOT_STARTED
    assert said(table, 1, Again()) == No.NOT_FINISHED


# --- playing ---


def test_a_move_is_one_line_and_one_revision() -> None:
    room = playing(2)
    before, move, seat = room.table, a_move(room), mover(room) - 1
    change = room.do(Act(seat + 1, move, before.played), later=4_000)
    assert change.entries == (Entry(seat, move),)
    assert (room.table.played, room.table.logged) == (before.played + 1, before.logged + 1)
    assert room.table.revision == before.revision + 1
    assert room.table.since == before.since + 4_000


@pytest.mark.parametrize("off", [-1, 1, -1000, 10**20])
def test_cm_6_another_count_than_the_tables_is_stale(off: int) -> None:
    room = playing(2)
    assert no(room.table, Act(mover(room), a_move(room), room.table.played + off)) == No.STALE
    assert no(room.table, AutoAct(0, a_move(room), room.table.played + off)) == No.STALE


def test_rl_26_five_identical_moves_are_one() -> None:
    room = playing(2)
    act = Act(mover(room), a_move(room), room.table.played)
    room.do(act)
    for _ in range(4):
        assert no(room.table, act) == No.STALE


def test_rl_26_every_action_of_a_match_twice_late_and_by_the_wrong_seat() -> None:
    room, rng = playing(2), Random(2)
    acts: list[Act] = []
    while room.table.ended is None:
        assert room.table.state is not None
        if room.table.state.turn == HOUSE:
            room.serve(rng)
            continue
        user, table = mover(room), room.table
        act = Act(user, a_move(room), table.played)
        with pytest.raises(IllegalAction) as refused:
            decide(table, replace(act, user=3 - user), room.now)
        assert refused.value.reason == Common.NOT_YOUR_TURN
        assert no(table, replace(act, user=9)) == No.NOT_SEATED
        room.do(act, later=10)
        acts.append(act)
        if room.table.ended is None:
            assert no(room.table, act) == No.STALE, "twice"
            assert no(room.table, acts[len(acts) // 2]) == No.STALE, "late"
    assert no(room.table, acts[-1]) == No.TABLE_CLOSED
    assert len(acts) > 48


def test_site_12_a_watcher_can_do_nothing() -> None:
    requests = (Ready(), Rise(), Leave(), Free(0), CloseVote(), Again())
    for room in (Room(waiting(2)), playing(2), pausing(2), finished(2)):
        for request in requests:
            assert said(room.table, 9, request) == No.NOT_SEATED
    room = playing(2)
    assert no(room.table, Act(9, a_move(room), room.table.played)) == No.NOT_SEATED
    assert no(room.table, Gone(9, NOW)) == No.NOT_SEATED
    assert no(room.table, Back(9)) == No.NOT_SEATED


def test_cm_7_not_your_turn_after_stale() -> None:
    room = playing(2)
    other = 3 - mover(room)
    assert no(room.table, Act(other, a_move(room), room.table.played - 1)) == No.STALE
    with pytest.raises(IllegalAction) as refused:
        decide(room.table, Act(other, a_move(room), room.table.played), NOW)
    assert refused.value.reason == Common.NOT_YOUR_TURN


def test_a_person_cannot_deal() -> None:
    room = pausing(2)
    deal = Deal(shuffled(9))
    for user in (1, 2):
        with pytest.raises(IllegalAction):
            decide(room.table, Act(user, deal, room.table.played), NOW)
    room = playing(2)
    with pytest.raises(IllegalAction):
        decide(room.table, Act(mover(room), deal, room.table.played), NOW)


def test_ab_5_who_is_away_or_back_is_still_that_seat() -> None:
    room = playing(2)
    user = mover(room)
    room.do(Gone(user, room.now))
    room.do(Act(user, a_move(room), room.table.played))
    assert room.table.chairs[user - 1].away_since is not None, "a late message counts, and brings nobody back"


# --- the end of a hand, and the pause ---


def test_the_seal_is_opened_in_the_change_that_ends_the_hand() -> None:
    room = playing(2)
    assert room.table.luck is not None
    salt = room.table.luck.salt
    room.play_hand(RNG)
    change = room.changes[-1]
    assert isinstance(change.events[-1], HandEnded)
    play, reveal = change.entries
    assert isinstance(play.action, Play)
    assert reveal == Entry(HOUSE, fairness.Reveal(salt))
    assert room.table.luck is None
    assert room.table.logged == room.table.played


def test_the_next_seal_stands_before_the_pause() -> None:
    room = playing(2)
    room.play_hand(RNG)
    assert alarm(room.table) == room.table.since, "the house seals at once"
    [change] = room.serve(RNG)
    assert [type(entry.action) for entry in change.entries] == [fairness.Seal]
    assert room.table.luck is not None
    assert alarm(room.table) == room.table.since + 30_000


def test_cm_11_the_house_deals_after_30_seconds() -> None:
    room = pausing(4)
    assert room.table.state is not None
    assert room.table.state.phase == "hand_over"
    due = room.table.since + 30_000
    assert autopilot.errand(room.table, due - 1, RNG) is None
    errand = autopilot.errand(room.table, due, RNG)
    assert isinstance(errand, AutoAct)
    assert isinstance(errand.action, Deal)
    assert errand.played == room.table.played
    room.serve(RNG)
    assert room.table.state.phase == "play"


def test_cm_11_or_when_every_connected_person_goes_on() -> None:
    room = pausing(4)
    room.do(Gone(3, room.now))
    room.ask(4, Leave())
    room.ask(1, Ready())
    assert alarm(room.table) == room.table.since + 30_000
    room.ask(2, Ready(), later=100)
    assert alarm(room.table) == room.table.since, "those who are not there are not waited for"
    room.serve(RNG)
    assert room.table.state is not None
    assert room.table.state.phase == "play"


def test_cm_11_the_last_who_did_not_want_to_go_on_goes_away() -> None:
    room = pausing(2)
    room.ask(1, Ready())
    room.do(Gone(2, room.now))
    assert alarm(room.table) == room.table.since


def test_cm_11_with_nobody_there_the_pause_is_whole() -> None:
    room = pausing(2)
    for user in (1, 2):
        room.do(Gone(user, room.now))
    assert alarm(room.table) == room.table.since + 30_000


def test_going_on_can_be_taken_back_and_is_forgotten_after_the_deal() -> None:
    room = pausing(2)
    room.ask(1, Ready())
    room.ask(1, Ready(on=False))
    room.ask(2, Ready())
    assert alarm(room.table) == room.table.since + 30_000
    room.ask(1, Ready())
    room.serve(RNG)
    room.play_hand(RNG)
    assert room.table.ready == ()


def test_cm_11_nothing_of_the_pause_is_in_the_log() -> None:
    room = pausing(2)
    logged = room.table.logged
    for request in (Ready(), Ready(on=False), Ready()):
        assert room.ask(1, request).entries == ()
    assert room.table.logged == room.table.played == logged


def test_the_pause_is_as_long_as_the_terms_say() -> None:
    room = playing(2, terms=Terms(pause_seconds=3))
    room.play_hand(RNG)
    room.serve(RNG)
    assert alarm(room.table) == room.table.since + 3_000


def test_the_alarm_is_computed_from_since_and_nothing_winds_a_clock() -> None:
    """Sitting down, getting ready, going, coming back, voting: `since` moves with state or luck only."""
    room = pausing(4)
    since, due = room.table.since, alarm(room.table)
    harmless: list[Command] = [
        Ask(1, Ready()),
        Ask(1, Ready(on=False)),
        Gone(2, NOW + 5),
        Ask(1, CloseVote()),
        Ask(1, CloseVote(agree=False)),
        Back(2),
        Ask(3, Leave()),
        Ask(3, Sit(2)),
    ]
    for command in harmless:
        room.do(command, later=1_111)
        assert (room.table.since, alarm(room.table), room.table.wake_at) == (since, due, due)
    room = Room(waiting(4, sitting=2))
    for request in (Sit(2), Rise(), Sit(3), Ready()):
        room.ask(9, request, later=1_111)
        assert room.table.since == NOW


# --- the end ---


def test_a_match_ends_with_its_last_hand() -> None:
    room = finished(4)
    assert room.table.ended == Ended(Why.FINISHED, room.now)
    assert room.table.luck is None
    assert alarm(room.table) is None
    assert room.table.wake_at is None
    assert autopilot.errand(room.table, room.now + 10**9, RNG) is None
    log = [(entry.seat, entry.action) for change in room.changes for entry in change.entries]
    assert fairness.broken(log, room.table.game.lots) is None
    assert isinstance(log[-1][1], fairness.Reveal)
    assert len(log) == room.table.logged == room.table.played


def test_nothing_is_done_at_a_closed_table() -> None:
    for why in (Why.VOTED, Why.LEFT, Why.UNREADABLE):
        room = playing(2)
        command = AutoAct(0, a_move(room), room.table.played)
        act = Act(mover(room), a_move(room), room.table.played)
        room.do(Close(why))
        assert room.table.ended == Ended(why, room.now)
        assert no(room.table, command) == No.STALE
        assert no(room.table, SealLuck((), "", room.table.played)) == No.STALE
        for late in (act, Begin((), ""), Close(Why.UNREADABLE), Ask(9, Sit(0)), Ask(1, Ready()), Ask(1, CloseVote())):
            assert no(room.table, late) == No.TABLE_CLOSED
        assert said(room.table, 1, Again()) == No.NOT_FINISHED, "a match without result is not played again"


@pytest.mark.parametrize(("preset", "rest", "seals"), [("short", ("tails",), 2), ("even", (), 2), ("long", (), 4)])
def test_luck_left_over_is_told_and_more_than_was_sealed_is_sealed_first(
    preset: str, rest: tuple[str, ...], seals: int
) -> None:
    room = Room(waiting(2, game=COIN, rules=COIN.rulesets[preset]))
    room.begin(RNG)
    for _ in room.play(RNG):
        pass
    assert room.table.ended is not None
    log = [(entry.seat, entry.action) for change in room.changes for entry in change.entries]
    assert fairness.broken(log, COIN.lots) is None
    reveals = [action for _, action in log if isinstance(action, fairness.Reveal)]
    assert len(reveals) == sum(isinstance(action, fairness.Seal) for _, action in log) == seals
    if preset != "long":
        assert {reveal.rest for reveal in reveals} == {rest}
        return
    assert [reveal.rest for reveal in reveals] == [(), ("tails",)] * 2
    kinds = [type(action).__name__ for _, action in log]
    assert kinds[:8] == ["Seal", "Coin", "Toss", "Coin", "Toss", "Reveal", "Seal", "Coin"]


def test_a_new_seal_in_mid_hand_waits_for_nobody() -> None:
    room = Room(waiting(2, game=COIN, rules=COIN.rulesets["long"]))
    room.begin(RNG)
    room.move(RNG)
    assert room.table.luck is not None
    room.serve(RNG)
    room.move(RNG)
    assert room.table.luck is None, "two throws were sealed, a third is needed"
    assert alarm(room.table) == room.table.since
    kinds = [type(entry.action) for change in room.serve(RNG) for entry in change.entries]
    assert kinds == [fairness.Seal, Coin, fairness.Reveal, fairness.Seal]


# --- going away and coming back ---


def test_gone_and_back() -> None:
    room = playing(2)
    change = room.do(Gone(2, NOW + 50))
    assert change.events == (WentAway(1),)
    assert room.table.chairs[1] == Chair(2, away_since=NOW + 50)
    assert no(room.table, Gone(2, NOW + 60)) == No.STALE
    change = room.do(Back(2))
    assert change.events == (CameBack(1),)
    assert room.table.chairs[1] == Chair(2)
    assert no(room.table, Back(2)) == No.STALE


def test_ab_c6_ten_times_away_and_back_changes_nothing() -> None:
    room = playing(2)
    before = room.table
    for _ in range(10):
        room.do(Gone(1, room.now), later=500)
        room.do(Back(1), later=500)
    assert replace(room.table, revision=before.revision) == before


def test_leaving_keeps_the_chair() -> None:
    room = playing(4)
    change = room.ask(2, Leave(), later=9)
    assert change.events == (LeftTable(1),)
    assert room.table.chairs[1] == Chair(2, away_since=room.now, left=True)
    assert room.table.ended is None
    assert said(room.table, 2, Leave()) == No.NOT_SEATED, "left is left"
    assert no(room.table, Act(2, a_move(room), room.table.played)) == No.NOT_SEATED
    assert said(room.table, 9, Sit(1)) == No.STARTED, "and nobody else's"
    assert said(room.table, 2, Sit(0)) == No.STARTED
    change = room.ask(2, Sit(1))
    assert change.events == (CameBack(1),)
    assert room.table.chairs[1] == Chair(2)


def test_when_everybody_has_left_the_table_is_closed() -> None:
    room = playing(4)
    for user in (1, 2, 3):
        room.ask(user, Leave())
        assert room.table.ended is None
    room.ask(4, Leave(), later=3)
    assert room.table.ended == Ended(Why.LEFT, room.now)


def test_who_is_only_away_keeps_the_table_open() -> None:
    room = playing(2)
    room.do(Gone(1, room.now))
    room.ask(2, Leave())
    assert room.table.ended is None


# --- AB-6 ---


def test_ab_c4_the_others_close_the_table_when_all_agree() -> None:
    room = playing(4)
    assert said(room.table, 1, CloseVote()) == No.NOBODY_ABSENT
    room.do(Gone(4, room.now))
    room.ask(1, CloseVote())
    room.ask(2, CloseVote())
    room.ask(3, CloseVote(agree=False))
    assert room.table.ended is None
    assert room.table.agreed == (0, 1)
    room.ask(3, CloseVote(), later=5)
    assert room.table.ended == Ended(Why.VOTED, room.now)


def test_ab_6_one_alone_is_enough_where_he_is_the_only_one_there() -> None:
    room = playing(2)
    room.ask(2, Leave())
    room.ask(1, CloseVote())
    assert room.table.ended is not None
    assert room.table.ended.why == Why.VOTED


def test_ab_6_a_vote_can_be_taken_back() -> None:
    room = playing(4)
    room.do(Gone(4, room.now))
    room.ask(1, CloseVote())
    room.ask(1, CloseVote(agree=False))
    room.ask(2, CloseVote())
    room.ask(3, CloseVote())
    assert room.table.ended is None
    assert room.table.agreed == (1, 2)


@pytest.mark.parametrize("away", [Gone(3, NOW), Ask(3, Leave())], ids=["goes away", "leaves"])
def test_ab_6_the_one_who_did_not_agree_is_gone_too(away: Command) -> None:
    room = playing(4)
    room.do(Gone(4, room.now))
    room.ask(1, CloseVote())
    room.ask(2, CloseVote())
    room.do(away)
    assert room.table.ended is not None
    assert room.table.ended.why == Why.VOTED


def test_ab_6_nobody_agrees_for_those_who_are_not_there() -> None:
    room = playing(2)
    room.do(Gone(1, room.now))
    room.do(Gone(2, room.now))
    room.ask(1, CloseVote())
    assert room.table.ended is None, "at least one who is connected"


@pytest.mark.parametrize(
    ("away", "back"), [(Gone(4, NOW), Back(4)), (Ask(4, Leave()), Ask(4, Sit(3)))], ids=["came back", "sat down again"]
)
def test_ab_6_old_votes_are_forgotten_once_nobody_is_absent(away: Command, back: Command) -> None:
    room = playing(4)
    room.do(away)
    room.ask(1, CloseVote())
    room.ask(2, CloseVote())
    room.do(back)
    assert room.table.agreed == ()
    room.do(Gone(3, room.now))
    room.do(Gone(4, room.now))
    assert room.table.ended is None, "they agreed to another absence"


def test_ab_6_votes_stay_while_another_is_still_absent() -> None:
    room = playing(4)
    room.do(Gone(3, room.now))
    room.do(Gone(4, room.now))
    room.ask(1, CloseVote())
    room.do(Back(4))
    assert room.table.agreed == (0,)


@pytest.mark.parametrize(
    ("away", "back"), [(Gone(1, NOW), Back(1)), (Ask(1, Leave()), Ask(1, Sit(0)))], ids=["gone", "left"]
)
def test_ab_6_who_was_away_himself_is_asked_anew(away: Command, back: Command) -> None:
    room = playing(4)
    room.do(Gone(3, room.now))
    room.do(Gone(4, room.now))
    room.ask(1, CloseVote())
    room.do(away)
    room.do(back)
    assert room.table.agreed == ()
    room.ask(2, CloseVote())
    assert room.table.ended is None


# --- AB-12 ---


def test_ab_12_a_waiting_table_is_kept_for_15_minutes() -> None:
    room = Room(waiting(2, sitting=1))
    room.do(Gone(1, room.now - 20_000), later=100)
    assert room.table.vacant_since == room.now
    due = room.now + 15 * MINUTE
    assert alarm(room.table) == room.table.wake_at == due
    assert autopilot.errand(room.table, due - 1, RNG) is None
    assert autopilot.errand(room.table, due, RNG) == Close(Why.VACANT)
    back = room.do(Back(1)).table
    assert back.vacant_since is None
    assert alarm(back) is None


def test_ab_12_who_comes_back_at_the_last_moment_keeps_the_table() -> None:
    """The watch has decided to close it, and is overtaken: its command finds somebody there."""
    room = playing(2)
    for user in (1, 2):
        room.do(Gone(user, room.now))
    close = autopilot.errand(room.table, room.now + 60 * MINUTE, RNG)
    assert close == Close(Why.VACANT)
    assert no(room.table, close, room.now + 60 * MINUTE - 1) == No.STALE
    room.do(Back(1), later=60 * MINUTE)
    assert no(room.table, close, room.now) == No.STALE
    room.do(Gone(1, room.now))
    assert no(room.table, close, room.now) == No.STALE, "another hour"


def test_ab_12_a_running_table_for_60() -> None:
    room = playing(2)
    room.do(Gone(1, room.now))
    assert alarm(room.table) is None, "somebody is there"
    room.do(Gone(2, room.now), later=MINUTE)
    assert alarm(room.table) == room.now + 60 * MINUTE
    room.now += 60 * MINUTE
    room.serve(RNG)
    assert room.table.ended == Ended(Why.VACANT, room.now)


def test_ab_12_also_where_the_last_ones_left_or_stood_up() -> None:
    room = Room(waiting(2, sitting=1))
    room.ask(1, Rise())
    assert alarm(room.table) == room.now + 15 * MINUTE
    room.ask(9, Sit(1))
    assert alarm(room.table) is None
    room = playing(2)
    room.do(Gone(1, room.now))
    room.ask(2, Leave())
    assert alarm(room.table) == room.now + 60 * MINUTE


def test_ab_12_while_nobody_is_there_the_house_goes_on_dealing_and_the_hour_does_not_move() -> None:
    room = pausing(2)
    for user in (1, 2):
        room.do(Gone(user, room.now))
    due = room.now + 60 * MINUTE
    room.serve(RNG)
    assert room.table.state is not None
    assert room.table.state.phase == "play"
    assert alarm(room.table) == due


def test_the_times_are_the_terms() -> None:
    terms = Terms(waiting_minutes=1, vacant_minutes=2)
    room = Room(waiting(2, terms=terms))
    for user in (1, 2):
        room.do(Gone(user, room.now))
    assert alarm(room.table) == room.now + MINUTE
    room = playing(2, terms=terms)
    for user in (1, 2):
        room.do(Gone(user, room.now))
    assert alarm(room.table) == room.now + 2 * MINUTE


# --- playing again ---


def again(room: Room, *users: int, pairing: int = 0) -> Change:
    change = Change(room.table)
    for user in users:
        change = room.ask(user, Again(pairing))
    return change


def test_one_tap_each_and_the_next_table_stands() -> None:
    room = finished(2)
    assert again(room, 1).opens is None
    assert room.table.again == (0,)
    opens = again(room, 2).opens
    assert opens is not None
    assert [chair.user for chair in opens.chairs] == [1, 2]
    assert opens.ready == (0, 1), "nobody is asked twice"
    assert (opens.opener, opens.game, opens.rules, opens.terms) == (
        1,
        room.table.game,
        room.table.rules,
        room.table.terms,
    )
    assert room.table.ended is not None


def test_a_second_tap_changes_nothing() -> None:
    room = finished(4)
    again(room, 1, 1, 1)
    assert room.table.again == (0,)
    assert again(room, 2, 3).opens is None
    assert again(room, 4).opens is not None


def test_once_there_is_a_successor_nobody_opens_another() -> None:
    room = finished(2)
    again(room, 1, 2)
    room.table = replace(room.table, successor="XYZ789")
    assert said(room.table, 1, Again()) == No.STALE


@pytest.mark.parametrize(("pairing", "partners"), [(0, {(1, 3), (2, 4)}), (1, {(1, 4), (2, 3)}), (2, {(1, 2), (3, 4)})])
def test_cm_4_the_pairings_of_four(pairing: int, partners: set[tuple[int, int]]) -> None:
    opens = again(finished(4), 1, 2, 3, 4, pairing=pairing).opens
    assert opens is not None
    people = [chair.user or 0 for chair in opens.chairs]
    assert people[0] == 1
    assert {tuple(sorted((people[0], people[2]))), tuple(sorted((people[1], people[3])))} == partners


def test_cm_4_all_three_partnerships_are_there() -> None:
    mates = {frozenset(map(frozenset, ((order[0], order[2]), (order[1], order[3])))) for order in PAIRINGS}
    every = {frozenset((frozenset((0, mate)), frozenset({1, 2, 3} - {mate}))) for mate in (1, 2, 3)}
    assert mates == every
    assert len(list(combinations(range(4), 2))) / 2 == len(every)
    assert all(sorted(order) == [0, 1, 2, 3] for order in PAIRINGS)


def test_another_pairing_is_asked_anew() -> None:
    room = finished(4)
    again(room, 1, 2, pairing=0)
    again(room, 3, pairing=2)
    assert (room.table.pairing, room.table.again) == (2, (2,))
    assert again(room, 4, pairing=2).opens is None
    assert again(room, 1, 2, pairing=2).opens is not None


@pytest.mark.parametrize("pairing", [-1, 3, 10**30])
def test_a_pairing_that_is_none_is_one_of_the_three(pairing: int) -> None:
    room = finished(4)
    again(room, 1, pairing=pairing)
    assert room.table.pairing in range(3)
    room = finished(2)
    again(room, 1, pairing=pairing)
    assert room.table.pairing == 0, "two have no partners"


@pytest.mark.parametrize("away", [Ask(2, Leave()), Gone(2, NOW)], ids=["left", "gone"])
def test_without_those_who_are_not_there_any_more(away: Command) -> None:
    room = finished(4)
    room.do(away)
    opens = again(room, 1, 3, 4).opens
    assert opens is not None
    assert [chair.user for chair in opens.chairs] == [1, None, 3, 4]
    assert opens.ready == (0, 2, 3)


@pytest.mark.parametrize("away", [Ask(2, Leave()), Gone(2, NOW)], ids=["leaves", "goes away"])
def test_the_last_one_who_did_not_want_to_goes(away: Command) -> None:
    room = finished(4)
    again(room, 1, 3, 4)
    opens = room.do(away).opens
    assert opens is not None
    assert [chair.user for chair in opens.chairs] == [1, None, 3, 4]


def test_the_opener_who_is_not_there_opens_nothing() -> None:
    room = finished(4)
    room.ask(1, Leave())
    opens = again(room, 4, 2, 3).opens
    assert opens is not None
    assert opens.opener in {chair.user for chair in opens.chairs}


def test_who_wanted_to_and_left_is_not_seated() -> None:
    room = finished(4)
    again(room, 1, 2)
    room.ask(2, Leave())
    assert room.table.again == (0,)
    opens = again(room, 3, 4).opens
    assert opens is not None
    assert [chair.user for chair in opens.chairs] == [1, None, 3, 4]


def test_somebody_out_of_touch_cannot_open_a_table_for_nobody() -> None:
    """A tap that arrives before the connection is noticed again."""
    room = finished(2)
    room.do(Gone(2, room.now))
    room.do(Gone(1, room.now))
    change = again(room, 1)
    assert change.opens is None or change.opens.chairs[0].user == 1
    room = finished(2)
    room.do(Gone(1, room.now))
    again(room, 1)
    change = room.do(Gone(2, room.now))
    assert change.opens is None or change.opens.chairs[0].user == 1


def test_only_after_the_end() -> None:
    for room in (Room(waiting(2)), playing(2), pausing(2)):
        assert said(room.table, 1, Again()) == No.NOT_FINISHED


# --- double commands ---


def test_what_is_asked_twice_is_done_once_or_refused() -> None:
    def twice(room: Room, command: Command) -> Action | No | None:
        room.do(command)
        before = room.table
        try:
            room.do(command)
        except Refused as refused:
            return refused.reason
        assert replace(room.table, revision=before.revision) == before
        return None

    assert twice(Room(waiting(4, sitting=1)), Ask(9, Sit(2))) == No.CHAIR_TAKEN
    assert twice(Room(waiting(2)), Ask(1, Ready())) is None
    assert twice(Room(waiting(2)), Ask(2, Rise())) == No.NOT_SEATED
    assert twice(Room(waiting(2)), Ask(1, Free(1))) == No.STALE
    assert twice(playing(2), Ask(1, Leave())) == No.NOT_SEATED
    assert twice(pausing(2), Ask(1, Ready())) is None
    assert twice(finished(4), Ask(1, Again())) is None
    room = playing(4)
    room.do(Gone(4, NOW))
    assert twice(room, Ask(1, CloseVote())) is None
    assert twice(playing(2), Close(Why.UNREADABLE)) == No.TABLE_CLOSED
