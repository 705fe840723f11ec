"""Taking back one's own last action, where nothing is recorded (PT-4)."""

from random import Random

import pytest

from mokali.engine import record
from mokali.engine.protocol import HOUSE
from mokali.games import BY_KEY, GAMES
from mokali.tables.decide import decide
from mokali.tables.table import No, Refused, TakeBack
from mokali.tables.terms import Terms
from tests.seated import Room, waiting


def table(game: str, seed: int = 1, kind: str = "test") -> Room:
    seats = BY_KEY[game].seats[0]
    terms = Terms(kind="test", takeback=True) if kind == "test" else Terms()
    room = Room(waiting(seats, game=BY_KEY[game], terms=terms))
    room.begin(Random(seed))
    return room


def log(room: Room) -> record.Log:
    return tuple((entry.seat, entry.action) for change in room.changes for entry in change.entries)


@pytest.mark.parametrize("game", [game.key for game in GAMES])
def test_pt_4_what_was_taken_back_has_never_been_and_nothing_hidden_was_seen(game: str) -> None:
    room, rng, undone, kept = table(game), Random(4), 0, 0
    for _ in range(120):
        state = room.table.state
        assert state is not None
        if state.turn == HOUSE:
            room.serve(rng)
            continue
        if room.table.ended is not None or state.turn is None:
            break
        seat, before = state.turn, room.table
        change = room.move(rng)
        undo = TakeBack(seat + 1, log(room), room.table.played)
        if room.table.undoable != seat:
            kept += 1
            if room.table.ended is None:
                with pytest.raises(Refused) as no:
                    decide(room.table, undo, room.now)
                assert no.value.reason == No.NOT_UNDOABLE
            continue
        after = decide(room.table, undo, room.now)
        assert (after.table.state, after.cut) == (before.state, 1)
        assert after.table.played == room.table.played + 1, "it only grows"
        assert after.table.logged == before.logged == room.table.logged - len(change.entries)
        assert after.table.luck == before.luck
        undone += 1
        other = next(n for n in range(len(room.table.chairs)) if n != seat)
        with pytest.raises(Refused, match="not_undoable"):
            decide(room.table, TakeBack(other + 1, log(room), room.table.played), room.now)
    assert undone >= 10
    assert kept >= (1 if game in ("okey101", "klasik", "tavla", "pisti") else 0), "a draw, a roll or a deal is seen"


def test_pt_4_a_draw_from_the_stock_is_not_taken_back() -> None:
    room, rng = table("okey101"), Random(1)
    room.move(rng)
    for _ in range(6):
        assert room.table.state is not None
        seat = room.table.state.turn
        assert seat is not None
        draws = [move for move in room.table.state.moves(seat) if getattr(move, "source", None) == "stock"]
        before = len(room.table.state.view(seat).rack)
        room.move(rng)
        if draws and len(room.table.state.view(seat).rack) == before + 1 and room.table.state.turn == seat:
            assert room.table.undoable is None
            return
    pytest.fail("nobody drew")


def test_pt_4_not_where_it_counts() -> None:
    room = table("pisti", kind="casual")
    room.move(Random(1))
    assert room.table.undoable is None
