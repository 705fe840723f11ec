"""Racks in rows: of one deal, through restarts, and gone with the match."""

from pathlib import Path
from random import Random

import pytest

from mokali.engine.protocol import HOUSE, Seat
from mokali.games import BY_KEY
from mokali.store import racks, tables
from mokali.store.models import RackRow
from mokali.tables import rack
from mokali.tables.rack import Arrangement
from mokali.tables.table import Act, Again, Chair, Opening, Table
from mokali.tables.terms import Terms
from tests.kept import KeptRoom
from tests.seated import NOW

OKEY = BY_KEY["okey101"]
pytestmark = pytest.mark.usefixtures("db")


def dealt(hands: int = 1) -> KeptRoom:
    """A table of 101 Okey whose first hand has just been dealt."""
    rules = type(OKEY.rulesets["mokali"])(hands=hands)
    chairs = tuple(Chair(person) for person in (1, 2, 3, 4))
    room = KeptRoom(tables.open_table(Opening(1, OKEY, rules, Terms(pause_seconds=0), chairs), NOW))
    room.begin(Random(1))
    return room


def lies(table: Table, seat: Seat) -> Arrangement:
    """How a rack lies, as it is kept and held."""
    held = rack.held(table.state, seat)
    kept = racks.kept(table.id).get(seat)
    return rack.settle(rack.current(kept, table.code, table.dealt, held), held)


def written(table: Table, seat: Seat) -> tuple[str, ...]:
    """The owner turns the whole rack round; how it lies then."""
    held = rack.held(table.state, seat)
    slots = tuple(reversed(lies(table, seat).slots))
    racks.change(table, seat, held, lambda old: rack.moved(old, 10, slots, held[:1], 3, held))
    return slots


def test_a_deal_lies_the_same_until_somebody_touches_it() -> None:
    table = dealt().table
    assert table.dealt == table.played
    assert RackRow.select().count() == 4
    for seat in range(4):
        assert sorted(filter(None, lies(table, seat).slots)) == sorted(rack.held(table.state, seat))
        assert (
            lies(table, seat).slots == rack.current(None, table.code, table.dealt, rack.held(table.state, seat)).slots
        )


def test_what_was_written_last_lies_there_after_a_restart() -> None:
    table = dealt().table
    others = [lies(table, seat) for seat in (0, 2, 3)]
    slots = written(table, 1)
    before = tables.load(table.id)
    tables.forget()
    after = tables.load(table.id)
    assert (after.revision, after.played, after.logged) == (before.revision, before.played, before.logged)
    assert lies(after, 1).slots == slots
    assert (lies(after, 1).n, lies(after, 1).down) == (3, rack.held(table.state, 1)[:1])
    assert [lies(after, seat) for seat in (0, 2, 3)] == others


def test_moves_stir_nothing_but_what_is_moved() -> None:
    """Whatever is drawn, laid, taken back and thrown: every other tile stays where it lay."""
    room, rng = dealt(), Random(2)
    for seat in range(4):
        written(room.table, seat)
    before = [lies(room.table, seat).slots for seat in range(4)]
    for _ in room.play(rng):
        after = [lies(room.table, seat).slots for seat in range(4)]
        for then, now in zip(before, after, strict=True):
            stayed = (set(then) & set(now)) - {""}
            assert {tile: now.index(tile) for tile in stayed} == {tile: then.index(tile) for tile in stayed}
        before = after


def test_a_new_hand_lies_as_it_was_dealt() -> None:
    room, rng = dealt(hands=2), Random(3)
    slots, first = written(room.table, 0), room.table.dealt
    room.play_hand(rng)
    assert room.table.dealt == first
    room.serve(rng)
    table = room.table
    assert table.dealt > first
    assert any(entry.seat == HOUSE for entry in room.changes[-1].entries)
    held = rack.held(table.state, 0)
    assert lies(table, 0).slots == rack.current(None, table.code, table.dealt, held).slots != slots
    assert lies(table, 0).n == 3, "the page counts on"


def test_racks_go_with_the_match() -> None:
    room, rng = dealt(), Random(1)
    for _ in room.play(rng):
        pass
    assert RackRow.select().count() == 4, "they are looked at until everybody has gone"
    for person in (1, 2, 3, 4):
        room.ask(person, Again())
    assert room.table.successor is not None
    assert RackRow.select().count() == 0


def test_a_row_of_another_release_is_none(db: Path) -> None:
    table = dealt().table
    fresh = lies(table, 0)
    written(table, 0)
    RackRow.update(body='{"groups":[]}').execute()
    assert lies(table, 0) == fresh
    mover = table.state.turn if table.state is not None else None
    assert mover is not None
    assert table.state is not None
    person = table.chairs[mover].user
    assert person is not None
    KeptRoom(table).do(Act(person, table.state.moves(mover)[0], table.played))


def test_a_game_without_racks_keeps_none() -> None:
    pisti = BY_KEY["pisti"]
    opening = Opening(1, pisti, next(iter(pisti.rulesets.values())), Terms(pause_seconds=0), (Chair(1), Chair(2)))
    room = KeptRoom(tables.open_table(opening, NOW))
    room.begin(Random(1))
    room.move(Random(1))
    assert RackRow.select().count() == 0
