"""What a table shows beside the game's view: the same to everybody but for what is one's own, and never the luck."""

from random import Random

import pytest
from msgspec.structs import replace

from mokali.engine import codec
from mokali.tables.frame import OLD_PLAYER, Frame, frame
from mokali.tables.table import Again, Chair, Close, CloseVote, Gone, Leave, Ready, Rise, Table, Why
from tests.seated import NOW, Room, finished, pausing, playing, waiting

NAMES = {1: "Ayşe", 2: "İnci", 3: "Işık", 4: "Ümit", 9: "Eda"}


def seen(table: Table, user: int | None = None) -> Frame:
    return frame(table, user, NAMES)


def test_a_waiting_table() -> None:
    room = Room(waiting(4, sitting=2))
    room.ask(2, Ready())
    shown = seen(room.table, 1)
    assert (shown.stage, shown.phase, shown.turn, shown.pausing) == ("waiting", "waiting", None, False)
    assert (shown.me, shown.mine, shown.is_opener) == (0, 0, True)
    assert [place.name for place in shown.places] == ["Ayşe", "İnci", None, None]
    assert shown.names == ("Ayşe", "İnci", "", "")
    assert [place.ready for place in shown.places] == [False, True, False, False]
    assert [place.opener for place in shown.places] == [True, False, False, False]
    assert [place.team for place in shown.places] == ["A", "B", "A", "B"]
    assert (shown.seal, shown.pause_until, shown.connected, shown.absent) == (None, None, (0, 1), ())
    assert [place.team for place in seen(waiting(2)).places] == [None, None], "two have no partners"
    assert (shown.partners, seen(waiting(2)).partners) == (True, False)


def test_a_watcher_has_no_seat() -> None:
    for user in (None, 9):
        shown = seen(playing(4).table, user)
        assert (shown.me, shown.mine, shown.is_opener) == (None, None, False)


def test_a_running_table() -> None:
    room = playing(4)
    assert room.table.state is not None
    assert room.table.luck is not None
    shown = seen(room.table, 3)
    assert (shown.stage, shown.phase, shown.turn) == ("playing", "play", room.table.state.turn)
    assert (shown.me, shown.played, shown.revision) == (2, room.table.played, room.table.revision)
    assert shown.seal == room.table.luck.sha256, "also while the hand is played"
    assert shown.pause_until is None
    assert shown.length == "Eşli, 101 sayı"


def test_the_pause_says_until_when() -> None:
    room = pausing(4)
    room.ask(2, Ready())
    shown = seen(room.table)
    assert (shown.stage, shown.phase, shown.turn, shown.pausing) == ("playing", "hand_over", None, True)
    assert shown.pause_until == room.table.since + 30_000 == room.table.wake_at
    assert shown.ready == (1,)
    before = playing(4)
    assert not seen(before.table).pausing


def test_who_is_away_and_who_has_left() -> None:
    room = playing(4)
    room.do(Gone(2, NOW + 5))
    room.ask(3, Leave())
    room.ask(1, CloseVote())
    shown = seen(room.table, 3)
    assert (shown.me, shown.mine) == (None, 2), "the chair one may come back to is not one's seat"
    assert (shown.absent, shown.connected, shown.agreed) == ((1, 2), (0, 3), (0,))
    assert [place.away_since for place in shown.places] == [None, NOW + 5, room.now, None]
    assert [place.left for place in shown.places] == [False, False, True, False]
    assert [place.agreed for place in shown.places] == [True, False, False, False]
    assert seen(room.table, 2).me == 1


def test_the_end() -> None:
    room = finished(4)
    room.ask(2, Again(1))
    shown = seen(replace(room.table, successor="XYZ789"), 1)
    assert (shown.stage, shown.phase, shown.ended) == ("ended", "over", room.table.ended)
    assert (shown.again, shown.pairing, shown.successor) == ((1,), 1, "XYZ789")
    room = playing(2)
    room.do(Close(Why.UNREADABLE))
    assert seen(room.table).stage == "ended"
    assert not seen(room.table).pausing
    room = Room(waiting(2))
    room.do(Close(Why.UNREADABLE))
    assert seen(room.table).stage == "ended"


def test_rl_7_who_has_closed_the_account_has_no_name() -> None:
    table = replace(waiting(2), chairs=(Chair(1), Chair(77)))
    assert seen(table).names == ("Ayşe", OLD_PLAYER)
    room = Room(waiting(2))
    room.ask(2, Rise())
    assert seen(room.table).places[1].name is None, "an empty chair is nobody's"


@pytest.mark.parametrize("seed", range(3))
def test_luck_is_in_no_frame_and_in_no_view(seed: int) -> None:
    """From the seal to the end of the hand: neither the salt nor the cards to come."""
    room = Room(waiting(4))
    rng = Random(seed)
    for user in (1, 2, 3, 4):
        room.ask(user, Ready())
    checked = 0
    for _ in room.play(rng):
        table = room.table
        if table.luck is None or table.state is None:
            continue
        frames = [repr(seen(table, user)) for user in (None, 1, 2, 3, 4, 9)]
        views = [codec.encode(table.state.view(seat)) for seat in (None, 0, 1, 2, 3)]
        for text in (*frames, *views):
            assert table.luck.salt not in text
            assert not [lot for lot in table.luck.lots if lot in text]
            assert "deck" not in text
        checked += 1
    assert checked > 100


def test_the_salt_leaves_with_the_record_only() -> None:
    """RL-37: opened in the log, it is still in no picture."""
    room = playing(2)
    assert room.table.luck is not None
    salt = room.table.luck.salt
    room.play_hand(Random(1))
    assert salt in codec.encode([entry.action for entry in room.changes[-1].entries])
    assert salt not in repr(seen(room.table, 1))
    assert salt not in codec.encode(room.changes[-1].events)


def test_frames_differ_by_person_only_where_they_should() -> None:
    room = playing(4)
    room.ask(3, Leave())
    own = {"me": None, "mine": None, "is_opener": False}
    frames = {repr(replace(seen(room.table, user), **own)) for user in (None, 1, 2, 3, 4, 9)}
    assert len(frames) == 1
