"""Tables in rows: nothing lost, nothing doubled, nobody at two tables (ARCHITECTURE, 9)."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import gevent
import pytest
from msgspec.structs import replace
from peewee import OperationalError

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, MalformedAction
from mokali.games import BY_KEY
from mokali.live.watch import Watch
from mokali.store import database, tables
from mokali.store.database import NotKept
from mokali.store.models import DATABASE
from mokali.tables import autopilot
from mokali.tables.clock import alarm
from mokali.tables.decide import decide
from mokali.tables.table import (
    Act,
    Again,
    Ask,
    Back,
    Change,
    Close,
    CloseVote,
    Free,
    Gone,
    Leave,
    No,
    Ready,
    Refused,
    Rise,
    Sit,
    Table,
    TakeBack,
    Why,
)
from mokali.tables.terms import Terms
from tests.kept import (
    KeptRoom,
    begun,
    do,
    opened,
    opening,
    past_the_store,
    played_out,
    rows,
    served,
    turn_of,
    write,
)
from tests.seated import NOW, PISTI

pytestmark = pytest.mark.usefixtures("db")


def log_rows(path: Path, table_id: int) -> list[tuple[int, int, str]]:
    return rows(path, 'SELECT n, seat, action FROM line WHERE "table" = ? ORDER BY n', table_id)


def a_move(table: Table) -> Change:
    assert table.state is not None
    assert table.state.turn is not None
    move = table.state.moves(table.state.turn)[0]
    return decide(table, Act(turn_of(table), move, table.played), NOW)


def as_after_a_restart(table_id: int) -> Table:
    tables.forget()
    return tables.load(table_id)


# --- round trip ---


class Checked(KeptRoom):
    """After every commit the rows say what the table is."""

    def do(self, command, later: int = 0) -> Change:  # type: ignore[no-untyped-def]
        change = super().do(command, later)
        assert tables.load(self.table.id) == self.table
        assert as_after_a_restart(self.table.id) == self.table
        return change


@pytest.mark.parametrize("seats", [2, 4])
def test_a_table_comes_back_as_it_was_in_every_phase(db: Path, seats: int) -> None:
    people = range(1, seats + 1)
    room, rng = Checked(opened(*people, terms=Terms(pause_seconds=1)), NOW), Random(3)
    assert as_after_a_restart(room.table.id) == room.table
    room.ask(1, Rise())
    room.ask(1, Sit(0))
    room.ask(2, Ready())
    room.ask(2, Ready(on=False))
    room.ask(2, Free(0))
    room.ask(1, Sit(0))
    room.begin(rng)
    room.do(Gone(2, room.now - 20_000))
    room.ask(1, CloseVote(agree=False))
    room.do(Back(2))
    room.ask(2, Leave())
    room.ask(2, Sit(1))
    for number, change in enumerate(room.play(rng)):
        if any(type(happened).__name__ == "HandEnded" for happened in change.events) and number < 300:
            for person in people:
                if room.table.ended is None:
                    room.ask(person, Ready())
    room.ask(2, Again(1))
    table = room.table
    assert table.ended is not None
    state = table.state
    assert state is not None
    entries = [entry for change in room.changes for entry in change.entries]
    assert [(entry.seat, entry.action) for entry in entries] == list(tables.log(table.id))
    kept = log_rows(db, table.id)
    assert [n for n, _, _ in kept] == list(range(table.logged))
    assert [(seat, text) for _, seat, text in kept] == [(entry.seat, codec.encode(entry.action)) for entry in entries]
    replayed = record.resume(table.game, table.rules, seats, tables.log(table.id))
    assert codec.encode(replayed) == rows(db, "SELECT state FROM game_table WHERE id = ?", table.id)[0][0], "RL-45"
    assert fairness.broken(tables.log(table.id), table.game.lots) is None


def test_the_lobbys_columns_say_what_the_body_says(db: Path) -> None:
    def columns() -> tuple[object, ...]:
        sql = "SELECT status, listed, opener, game, edition, revision, played, logged, wake_at FROM game_table"
        [row] = rows(db, sql)
        return row

    table = opened(5, 6, terms=Terms(listed=False))
    assert columns() == ("waiting", 0, 5, "pisti", PISTI.edition, 1, 0, 0, None)
    do(table.id, Ask(5, Ready()))
    table = do(table.id, Ask(6, Ready()), NOW + 4)
    assert columns() == ("waiting", 0, 5, "pisti", PISTI.edition, 3, 0, 0, NOW + 4)
    table = served(table.id, NOW + 4, Random(1))
    assert columns() == ("playing", 0, 5, "pisti", PISTI.edition, table.revision, 3, 3, None)
    table = do(table.id, Close(Why.VOTED))
    assert columns() == ("ended", 0, 5, "pisti", PISTI.edition, table.revision, 3, 3, None)


def test_a_running_match_replays_to_its_checkpoint(db: Path) -> None:
    """Also in mid-hand, while its seal is closed."""
    room = KeptRoom(begun(1, 2))
    for _ in range(30):
        room.move(Random(1))
        table = as_after_a_restart(room.table.id)
        assert table.state is not None
        replayed = record.resume(table.game, table.rules, 2, tables.log(table.id))
        assert codec.encode(replayed) == codec.encode(table.state)


def test_luck_stands_in_no_column_of_the_lobby_and_in_no_line_before_it_is_played(db: Path) -> None:
    room = KeptRoom(opened(1, 2))
    for person in (1, 2):
        room.ask(person, Ready())
    command = autopilot.errand(room.table, room.now, Random(1))
    assert command is not None
    room.do(command)
    assert room.table.luck is not None
    texts = [text for _, _, text in log_rows(db, room.table.id)]
    assert len(texts) == 1
    assert room.table.luck.sha256 in texts[0]
    assert room.table.luck.salt not in texts[0]


# --- compare and set ---


def test_the_second_change_of_one_revision_is_lost(db: Path) -> None:
    before = begun(1, 2)
    first, second = a_move(before), decide(before, Gone(1, NOW), NOW)
    after = tables.commit(before, first, NOW)
    kept = (log_rows(db, before.id), rows(db, "SELECT * FROM game_table"), rows(db, "SELECT * FROM chair"))
    assert tables.commit(before, second, NOW) is None
    assert tables.commit(before, first, NOW) is None
    assert (log_rows(db, before.id), rows(db, "SELECT * FROM game_table"), rows(db, "SELECT * FROM chair")) == kept
    assert tables.load(before.id) == after == as_after_a_restart(before.id)


def test_what_is_lost_opens_no_table_and_settles_nothing(db: Path) -> None:
    table = played_out(1, 2)
    before = do(table.id, Ask(1, Again()))
    change = decide(before, Ask(2, Again()), NOW)
    assert change.opens is not None
    do(before.id, Gone(1, NOW))
    count = rows(db, "SELECT count(*) FROM game_table")
    assert tables.commit(before, change, NOW) is None
    assert rows(db, "SELECT count(*) FROM game_table") == count
    assert tables.load(table.id).successor is None


def test_the_memory_may_be_newer_than_the_row_just_read(db: Path) -> None:
    """Compared with >=: with == a slow reader would hand out an older table."""
    table = begun(1, 2)
    write(db, "UPDATE game_table SET revision = revision - 1 WHERE id = ?", [table.id])
    assert tables.load(table.id) is table
    assert as_after_a_restart(table.id) == replace(table, revision=table.revision - 1)


def test_an_older_memory_is_not_used(db: Path) -> None:
    table = begun(1, 2)
    write(db, "UPDATE game_table SET revision = revision + 1, opener = 2 WHERE id = ?", [table.id])
    newer = tables.load(table.id)
    assert (newer.revision, newer.opener) == (table.revision + 1, 2)
    assert tables.remembered(table.id) is newer


def test_a_table_that_is_not_there(db: Path) -> None:
    with pytest.raises(tables.NoTable):
        tables.load(7)
    table = opened(1, 2)
    write(db, "DELETE FROM game_table")
    with pytest.raises(tables.NoTable):
        tables.load(table.id)


def test_only_so_many_tables_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "REMEMBERED", 2)
    some = [opened(person, None) for person in (1, 2, 3)]
    assert [tables.remembered(table.id) for table in some] == [None, *some[1:]]
    assert tables.load(some[0].id) == some[0]


# --- codes and the lobby ---


def test_rl_6_codes() -> None:
    assert len(tables.ALPHABET) == len(set(tables.ALPHABET)) == 31
    assert not set("0O1IL") & set(tables.ALPHABET)
    codes = {opened(person, None).code for person in range(1, 30)}
    assert len(codes) == 29
    assert all(len(code) == 6 and set(code) <= set(tables.ALPHABET) for code in codes)


def test_a_code_is_found_however_it_is_written(db: Path) -> None:
    table = opened(1, 2)
    write(db, "UPDATE game_table SET code = 'ABC2Y9'")
    for text in ("ABC2Y9", "abc2y9", " abc 2y9 ", "abc-2y9", "\tABC2Y9\n"):
        assert tables.find(text) == table.id
    for text in ("", "ABC2Y8", "ABC2Y9A", "%", "ABC2Y_"):
        with pytest.raises(tables.NoTable):
            tables.find(text)


def test_a_code_is_never_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = iter("AAAAAAAAAAAABBBBBB")
    monkeypatch.setattr(tables, "choice", lambda alphabet: next(letters))
    assert [opened(person, None).code for person in (1, 2)] == ["AAAAAA", "BBBBBB"]


def test_the_lobby_lists_open_tables_the_newest_first() -> None:
    one, two, hidden, over = (opened(1, None), begun(2, 3), opened(4, None, terms=Terms(listed=False)), opened(5, None))
    do(over.id, Close(Why.UNREADABLE))
    last = opened(6, None)
    assert [table.id for table in tables.listed()] == [last.id, two.id, one.id]
    assert hidden.id not in {table.id for table in tables.listed()}


def test_rl_13_so_many_tables_and_no_more() -> None:
    for person in (1, 2):
        tables.open_table(opening(person, None), NOW, max_open=2)
    with pytest.raises(tables.TooMany):
        tables.open_table(opening(3, None), NOW, max_open=2)
    do(1, Close(Why.UNREADABLE))
    tables.open_table(opening(3, None), NOW, max_open=2)


def test_rl_13_who_opened_how_many_since() -> None:
    for n in range(3):
        do(opened(1, None, now=NOW + n).id, Close(Why.UNREADABLE))
    opened(2, None)
    assert [tables.opened_since(1, NOW + n) for n in range(4)] == [3, 2, 1, 0]
    assert tables.opened_since(2, NOW) == 1


# --- one seat a person ---


def test_site_7_nobody_sits_at_two_tables(db: Path) -> None:
    one, two = opened(1, 2), opened(3, None)
    before = (rows(db, "SELECT * FROM game_table"), rows(db, "SELECT * FROM chair"))
    for command in (Ask(1, Sit(1)), Ask(2, Sit(1))):
        with pytest.raises(Refused) as refused:
            do(two.id, command)
        assert refused.value.reason == No.SEATED_ELSEWHERE
    with pytest.raises(Refused) as refused:
        opened(2, None)
    assert refused.value.reason == No.SEATED_ELSEWHERE
    assert (rows(db, "SELECT * FROM game_table"), rows(db, "SELECT * FROM chair")) == before
    assert tables.load(two.id) == two == as_after_a_restart(two.id)
    assert (tables.seat_held(1), tables.seat_held(3), tables.seat_held(9)) == (one.id, two.id, None)


def test_site_7_who_stands_up_or_leaves_may_sit_elsewhere() -> None:
    waits, runs, other = opened(1, 2), begun(3, 4), opened(5, None, None, None)
    do(waits.id, Ask(1, Rise()))
    do(other.id, Ask(1, Sit(1)))
    do(runs.id, Ask(3, Leave()))
    do(other.id, Ask(3, Sit(2)))
    assert tables.seat_held(3) == other.id
    with pytest.raises(Refused) as refused:
        do(runs.id, Ask(3, Sit(0)))
    assert refused.value.reason == No.SEATED_ELSEWHERE, "back only after standing up there"
    do(other.id, Ask(3, Rise()))
    do(runs.id, Ask(3, Sit(0)))
    assert tables.seat_held(3) == runs.id


def test_who_is_away_still_holds_his_seat() -> None:
    table = begun(1, 2)
    do(table.id, Gone(1, NOW))
    assert tables.seat_held(1) == table.id
    with pytest.raises(Refused):
        opened(1, None)


@pytest.mark.parametrize("why", [Why.VOTED, Why.LEFT])
def test_ab_6_a_closed_table_frees_its_places(why: Why) -> None:
    table = begun(1, 2)
    do(table.id, Close(why))
    assert (tables.seat_held(1), tables.seat_held(2)) == (None, None)
    assert opened(1, 2).id != table.id


def test_a_finished_match_frees_its_places_too() -> None:
    table = played_out(1, 2)
    assert tables.seat_held(1) is None
    do(table.id, Ask(1, Leave()))
    assert tables.seat_held(1) is None


# --- playing again ---


def rematch(table: Table, *people: int, pairing: int = 0) -> Table:
    """Everybody's tap; the next table."""
    for person in people:
        table = do(table.id, Ask(person, Again(pairing)))
    assert table.successor is not None
    return tables.load(tables.find(table.successor))


def test_a_rematch_moves_the_seats(db: Path) -> None:
    old = played_out(1, 2, 3, 4)
    new = rematch(old, 1, 2, 3, 4, pairing=1)
    assert [chair.user for chair in new.chairs] == [1, 3, 4, 2]
    assert (new.rules, new.terms, new.game) == (old.rules, old.terms, old.game)
    assert {tables.seat_held(person) for person in (1, 2, 3, 4)} == {new.id}
    assert as_after_a_restart(new.id) == new
    assert new.wake_at == NOW, "everybody is ready: the watch begins it at once"
    assert tables.ringing(NOW) == [new.id]
    new = served(new.id, NOW, Random(1))
    assert new.state is not None
    assert new.state.phase == "play"
    with pytest.raises(Refused):
        do(old.id, Ask(1, Again()))
    assert rows(db, "SELECT count(*) FROM game_table") == [(2,)]


def test_a_rematch_waits_for_nobody_who_has_sat_down_elsewhere() -> None:
    old = played_out(1, 2, 3, 4)
    elsewhere = opened(3, None)
    new = rematch(old, 1, 2, 3, 4)
    assert [chair.user for chair in new.chairs] == [1, 2, None, 4]
    assert new.ready == (0, 1, 3)
    assert tables.seat_held(3) == elsewhere.id
    assert tables.seat_held(1) == new.id
    do(new.id, Ask(9, Sit(2)))


def test_a_rematch_can_end_with_somebody_going_away() -> None:
    old = played_out(1, 2, 3, 4)
    for person in (1, 2, 3):
        do(old.id, Ask(person, Again()))
    table = do(old.id, Gone(4, NOW))
    assert table.successor is not None
    new = tables.load(tables.find(table.successor))
    assert [chair.user for chair in new.chairs] == [1, 2, 3, None]
    assert (tables.seat_held(4), tables.seat_held(1)) == (None, new.id)
    assert as_after_a_restart(old.id) == table


# --- editions ---


def older(path: Path, table: Table, checkpoint: str = '{"hand":1}') -> None:
    """As if an older edition had written it, whose states look otherwise."""
    sql = "UPDATE game_table SET edition = edition - 1, state = ? WHERE id = ?"
    write(path, sql, [checkpoint, table.id])
    tables.forget()


def test_rl_51_an_older_checkpoint_that_decodes_is_used(db: Path) -> None:
    table = begun(1, 2)
    write(db, "UPDATE game_table SET edition = edition - 1")
    write(db, "DELETE FROM line")
    assert as_after_a_restart(table.id) == table


def test_rl_51_an_older_checkpoint_that_does_not_is_replayed_from_the_log(db: Path) -> None:
    room = KeptRoom(begun(1, 2))
    for _ in range(60):
        room.move(Random(2)) if room.table.state and room.table.state.turn != HOUSE else room.serve(Random(2))
    older(db, room.table)
    assert tables.load(room.table.id) == room.table
    room.do(a_move_of(room))
    assert as_after_a_restart(room.table.id).state == room.table.state, "and played on"


def a_move_of(room: KeptRoom) -> Act:
    table = room.table
    assert table.state is not None
    assert table.state.turn is not None
    return Act(turn_of(table), table.state.moves(table.state.turn)[0], table.played)


@pytest.mark.parametrize(
    "spoil",
    [
        'UPDATE line SET action = \'{"do":"play","card":"ZZ"}\' WHERE n = 3',
        'UPDATE line SET action = \'{"do":"bid","tricks":5}\' WHERE n = 3',
        "UPDATE line SET seat = 1 - seat WHERE n = 3",
        "DELETE FROM line WHERE n = 1",
    ],
)
def test_rl_51_where_neither_can_be_read_it_is_unreadable(db: Path, spoil: str) -> None:
    table = begun(1, 2)
    assert tables.commit(table, a_move(table), NOW) is not None
    older(db, table)
    write(db, spoil)
    kept = log_rows(db, table.id)
    with pytest.raises(tables.Unreadable):
        tables.load(table.id)
    tables.close_unreadable(table.id)
    assert rows(db, "SELECT status, wake_at FROM game_table") == [("ended", None)]
    assert (tables.seat_held(1), tables.seat_held(2)) == (None, None)
    assert tables.out_of_touch(NOW + 10**9) == []
    assert tables.listed() == []
    assert log_rows(db, table.id) == kept, "the log stays"


def test_rl_51_one_unreadable_table_hides_no_other_in_the_lobby(db: Path) -> None:
    bad, good = begun(1, 2), opened(3, None)
    older(db, bad)
    write(db, "DELETE FROM line WHERE n = 1")
    with pytest.raises(tables.Unreadable):
        tables.load(bad.id)
    assert tables.listed() == [good]


def test_a_checkpoint_of_our_own_edition_that_does_not_decode_is_a_bug(db: Path) -> None:
    table = begun(1, 2)
    write(db, "UPDATE game_table SET state = '{}'")
    tables.forget()
    with pytest.raises(MalformedAction):
        tables.load(table.id)
    assert rows(db, "SELECT status FROM game_table") == [("playing",)]


NEWER = {
    "edition": "UPDATE game_table SET edition = edition + 1, revision = revision + 1, wake_at = 0 WHERE id = ?",
    "game": "UPDATE game_table SET game = 'kanasta', revision = revision + 1, wake_at = 0 WHERE id = ?",
}
"""How a newer release's table looks: a newer edition of a game, or a game that is not ours yet."""


@pytest.mark.parametrize("sql", NEWER.values(), ids=NEWER.keys())
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_rl_51_a_newer_table_is_left_alone(db: Path, sql: str, known: bool) -> None:
    """Also where this worker has it in memory as it was before the newer one wrote it."""
    newer, ours = begun(1, 2), begun(3, 4)
    write(db, sql, [newer.id])
    if not known:
        tables.forget()
    before = rows(db, "SELECT * FROM game_table WHERE id = ?", newer.id), rows(db, "SELECT * FROM chair")
    with pytest.raises(tables.Newer):
        tables.load(newer.id)
    assert tables.commit(newer, a_move(newer), NOW) is None, "what was decided before is not written"
    house = Watch(Random(1))
    for step in (house.sweep, house.give_back, house.look):
        step()
    assert tables.unreadable() == []
    assert tables.listed() == [ours]
    assert (rows(db, "SELECT * FROM game_table WHERE id = ?", newer.id), rows(db, "SELECT * FROM chair")) == before


def test_rl_51_an_older_table_that_has_not_begun_just_begins(db: Path) -> None:
    table = opened(1, 2)
    write(db, "UPDATE game_table SET edition = edition - 1")
    assert as_after_a_restart(table.id) == table


# --- RL-47: the disk says no ---


def changes_nothing(path: Path, before: Table, step: Callable[[], object]) -> None:
    kept = (log_rows(path, before.id), rows(path, "SELECT * FROM game_table"), rows(path, "SELECT * FROM chair"))
    with pytest.raises(NotKept):
        step()
    tables_now = (log_rows(path, before.id), rows(path, "SELECT * FROM game_table"), rows(path, "SELECT * FROM chair"))
    assert tables_now == kept
    assert tables.load(before.id) == before == as_after_a_restart(before.id)


def test_rl_47_while_another_process_writes_one_can_read(db: Path) -> None:
    table = begun(1, 2)
    with past_the_store(db) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE game_table SET opener = 2")
        assert as_after_a_restart(table.id) == table
        assert [listed.id for listed in tables.listed()] == [table.id]
        other.execute("ROLLBACK")


def test_rl_47_somebody_who_writes_too_long(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE_MS", 20)
    table = begun(1, 2)
    change = a_move(table)
    with past_the_store(db) as other:
        other.execute("BEGIN IMMEDIATE")
        changes_nothing(db, table, lambda: tables.commit(table, change, NOW))
        with pytest.raises(NotKept):
            opened(8, None)
        other.execute("ROLLBACK")
    assert tables.commit(table, change, NOW) is not None, "it recovers by itself"


def test_rl_47_a_writer_is_waited_for_without_stopping_the_loop(db: Path) -> None:
    table = begun(1, 2)
    with past_the_store(db) as other:
        other.execute("BEGIN IMMEDIATE")
        writer = gevent.spawn(tables.commit, table, a_move(table), NOW)
        for _ in range(3):
            gevent.sleep(0.006)  # others go on meanwhile
            assert not writer.ready()
        other.execute("COMMIT")
        after = writer.get(timeout=2)
    assert after is not None
    assert as_after_a_restart(table.id) == after


def test_rl_47_the_disk_is_full(db: Path) -> None:
    table = begun(1, 2)
    connection = DATABASE.connection()
    [used] = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {used}")
    big = replace(a_move(table), entries=a_move(table).entries * 400)
    changes_nothing(db, table, lambda: tables.commit(table, big, NOW))
    assert not connection.in_transaction
    connection.execute("PRAGMA max_page_count = 1000000")
    assert tables.commit(table, a_move(table), NOW) is not None, "it recovers by itself"


def test_rl_47_a_full_disk_leaves_no_table_in_memory(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(DATABASE.obj, "commit", full)
    with pytest.raises(NotKept):
        opened(1, 2)
    monkeypatch.undo()
    assert rows(db, "SELECT count(*) FROM game_table") == [(0,)]
    assert tables.remembered(1) is None
    with pytest.raises(tables.NoTable):
        tables.load(1)


def test_rl_47_the_file_is_read_only(db: Path) -> None:
    table = begun(1, 2)
    DATABASE.connection().execute("PRAGMA query_only = 1")
    changes_nothing(db, table, lambda: tables.commit(table, a_move(table), NOW))
    DATABASE.connection().execute("PRAGMA query_only = 0")
    assert tables.commit(table, a_move(table), NOW) is not None


def test_an_exception_inside_a_transaction_undoes_it_and_passes(db: Path) -> None:
    table = opened(1, 2)

    def failing() -> None:
        with database.transaction():
            tables.touch(table.id, [1], NOW + 5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failing()
    assert rows(db, "SELECT seen_at FROM chair WHERE person = 1") == [(NOW,)]
    with database.transaction():
        tables.touch(table.id, [1], NOW + 5)
    assert rows(db, "SELECT person, seen_at FROM chair ORDER BY person") == [(1, NOW + 5), (2, NOW)]


def test_rl_45_wal_full_and_one_kept_connection(db: Path) -> None:
    database.close()
    database.open_at(db)
    asked = DATABASE.connection().execute
    values = [asked(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "foreign_keys")]
    assert values == ["wal", 2, 1]
    assert db.with_name(db.name + "-wal").exists()


def test_what_was_committed_is_there_after_a_restart(db: Path) -> None:
    table = begun(1, 2)
    database.close()
    database.open_at(db)
    assert as_after_a_restart(table.id) == table
    assert sqlite3.connect(db).execute("PRAGMA integrity_check").fetchone() == ("ok",)


# --- alarms and presence ---


def test_alarms_ring_when_due_the_oldest_first() -> None:
    one, two, three = opened(1, 2), opened(3, 4), opened(5, None)
    for table, moment in ((two, NOW + 5), (one, NOW + 9)):
        for person in (chair.user for chair in table.chairs):
            assert person is not None
            do(table.id, Ask(person, Ready()), moment)
    assert alarm(tables.load(three.id)) is None
    assert tables.ringing(NOW + 4) == []
    assert tables.ringing(NOW + 5) == [two.id]
    assert tables.ringing(NOW + 9) == [two.id, one.id]
    do(two.id, Close(Why.UNREADABLE))
    assert tables.ringing(NOW + 9) == [one.id]


def test_who_was_last_in_touch_when(db: Path) -> None:
    table = begun(1, 2, now=NOW)
    assert tables.out_of_touch(NOW) == []
    assert sorted(tables.out_of_touch(NOW + 1)) == [(table.id, 1, NOW), (table.id, 2, NOW)]
    with database.transaction():
        tables.touch(table.id, [2], NOW + 7)
    assert tables.out_of_touch(NOW + 7) == [(table.id, 1, NOW)]
    do(table.id, Gone(1, NOW), NOW + 20)
    assert rows(db, "SELECT person, seen_at FROM chair ORDER BY person") == [(1, NOW), (2, NOW + 20)]
    assert tables.marked_away([table.id]) == {(table.id, 1)}
    assert tables.out_of_touch(NOW + 7) == [], "who is marked away is not found again"
    do(table.id, Back(1), NOW + 30)
    assert tables.marked_away([table.id]) == set()
    assert tables.out_of_touch(NOW + 30) == [], "both were seen when the chairs were written"


def test_revisions_of_some_tables() -> None:
    one, two = opened(1, 2), opened(3, 4)
    do(two.id, Ask(3, Ready()))
    assert tables.revisions([one.id, two.id, 99]) == {one.id: 1, two.id: 2}


def test_the_registry_is_the_one_that_decodes() -> None:
    assert opened(1, 2).game is BY_KEY["pisti"]
    assert as_after_a_restart(1).game is BY_KEY["pisti"]


def test_pt_4_a_line_that_was_taken_back_is_no_longer_in_the_log(db: Path) -> None:
    table = begun(1, 2, terms=Terms(kind="test", takeback=True, pause_seconds=0))
    assert table.state is not None
    user, before = turn_of(table), tables.log(table.id)
    do(table.id, Act(user, table.state.moves(user - 1)[0], table.played))
    played = tables.load(table.id).played
    after = do(table.id, TakeBack(user, tables.log(table.id), played))
    tables.forget()
    assert tables.log(table.id) == before
    assert tables.load(table.id) == after
    assert (after.state, after.logged, after.played) == (table.state, table.logged, played + 1)
    moved = do(table.id, Act(user, table.state.moves(user - 1)[-1], after.played))
    assert record.resume(PISTI, moved.rules, 2, tables.log(table.id)) == moved.state
