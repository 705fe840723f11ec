"""The one way to change a table: nothing lost, nothing done twice, committed before it is told."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import gevent
import pytest

from mokali.engine import codec, fairness, record
from mokali.engine.cardplay import CardPlayed, Play
from mokali.engine.protocol import Event, HandEnded, IllegalAction
from mokali.live import bus, door
from mokali.store import database, tables
from mokali.store.database import NotKept
from mokali.tables.table import Act, Again, Ask, AutoAct, Close, Command, Gone, No, Ready, Refused, Sit, Table, Why
from tests.kept import begun, do, opened, past_the_store, played_out, rows, served, turn_of
from tests.processes import race

pytestmark = pytest.mark.usefixtures("db")

RUNS = Random(1)


def act(table: Table, n: int = 0) -> Act:
    """The n-th thing that the person on turn can do."""
    assert table.state is not None
    assert table.state.turn is not None
    moves = table.state.moves(table.state.turn)
    return Act(turn_of(table), moves[n % len(moves)], table.played)


def answer(command: Command, table_id: int = 1) -> str:
    """``ok``, or why not."""
    try:
        door.submit(table_id, command)
    except Refused as refused:
        return str(refused.reason)
    except IllegalAction as illegal:
        return str(illegal.reason)
    return "ok"


class Heard:
    """Every ring, and the revision that stood in the file at that moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rings: list[tuple[int, tuple[Event, ...]]] = []
        self.revisions: list[int] = []
        bus.listen(self)

    def __call__(self, table: int, events: tuple[Event, ...]) -> None:
        self.rings.append((table, events))
        [(revision,)] = rows(self.path, "SELECT revision FROM game_table WHERE id = 1")
        self.revisions.append(revision)


# --- the walk ---


def test_a_command_is_decided_committed_and_rung(db: Path) -> None:
    table, heard = begun(1, 2), Heard(db)
    command = act(table)
    after = door.submit(table.id, command)
    assert (after.revision, after.played) == (table.revision + 1, table.played + 1)
    tables.forget()
    assert tables.load(table.id) == after
    assert [number for number, _ in heard.rings] == [table.id], "a card on the pile is nothing to the lobby"
    assert isinstance(command.action, Play)
    assert heard.rings[0][1][0] == CardPlayed(turn_of(table) - 1, command.action.card)
    assert heard.revisions == [after.revision], "committed first, told afterwards (RL-29)"


def test_the_time_is_the_houses_own() -> None:
    table = begun(1, 2)
    before = door.now()
    after = door.submit(table.id, act(table))
    assert before <= after.since <= door.now()


def test_the_lobby_hears_what_its_cards_show(db: Path) -> None:
    table, heard = opened(1, None), Heard(db)

    def rung(command: Command) -> list[int]:
        heard.rings.clear()
        door.submit(table.id, command)
        return [number for number, _ in heard.rings]

    both = [table.id, bus.LOBBY]
    assert rung(Ask(2, Sit(1))) == both
    assert rung(Ask(1, Ready())) == [table.id]
    assert rung(Ask(2, Ready())) == [table.id]
    served(table.id, door.now(), RUNS)
    assert rung(act(tables.load(table.id))) == [table.id]
    assert rung(Gone(1, door.now())) == both
    assert rung(Close(Why.UNREADABLE)) == both


def test_what_is_refused_rings_nowhere_and_changes_nothing(db: Path) -> None:
    table, heard = begun(1, 2), Heard(db)
    kept = rows(db, "SELECT * FROM game_table"), rows(db, "SELECT * FROM line")
    for command in (Act(9, act(table).action, table.played), Act(1, act(table).action, 0), Ask(9, Sit(0))):
        with pytest.raises(Refused):
            door.submit(table.id, command)
    with pytest.raises(IllegalAction):
        door.submit(table.id, Act(3 - turn_of(table), act(table).action, table.played))
    with pytest.raises(tables.NoTable):
        door.submit(99, Ask(1, Ready()))
    assert heard.rings == []
    assert (rows(db, "SELECT * FROM game_table"), rows(db, "SELECT * FROM line")) == kept


def test_what_cannot_be_kept_is_not_told(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE_MS", 15)
    table, heard = begun(1, 2), Heard(db)
    with past_the_store(db) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(NotKept):
            door.submit(table.id, act(table))
    assert heard.rings == []
    assert tables.load(table.id) == table
    assert answer(act(table)) == "ok", "and then it can be done"


def test_a_rematch_tells_table_and_lobby(db: Path) -> None:
    table = played_out(1, 2)
    door.submit(table.id, Ask(1, Again()))
    heard = Heard(db)
    after = door.submit(table.id, Ask(2, Again()))
    assert after.successor is not None
    assert [number for number, _ in heard.rings] == [table.id, bus.LOBBY]
    assert tables.load(tables.find(after.successor)).ready == (0, 1)


# --- races in one process ---


@pytest.fixture
def slow_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has read a table lets all the others read it before he goes on."""
    load = tables.load

    def slow(table_id: int) -> Table:
        table = load(table_id)
        gevent.sleep(0)
        return table

    monkeypatch.setattr(tables, "load", slow)


def at_once(steps: list[Callable[[], str]]) -> list[str]:
    return [greenlet.get(timeout=5) for greenlet in [gevent.spawn(step) for step in steps]]


@pytest.mark.usefixtures("slow_load")
@pytest.mark.parametrize("different", [False, True], ids=["the same card", "different cards"])
def test_rl_26_eight_at_once_for_one_turn(db: Path, different: bool) -> None:
    table = begun(1, 2)
    commands = [act(table, n if different else 0) for n in range(8)]
    told = at_once([lambda command=command: answer(command) for command in commands])  # type: ignore[misc]
    assert sorted(told) == ["ok", *["stale"] * 7]
    assert rows(db, "SELECT count(*) FROM line WHERE seat >= 0") == [(1,)]
    assert tables.load(table.id).played == table.played + 1


@pytest.mark.parametrize("held", [False, True], ids=["free", "the file is held"])
def test_rl_26_eight_at_once_without_help(db: Path, held: bool) -> None:
    table = begun(1, 2)
    with past_the_store(db) as other:
        if held:
            other.execute("BEGIN IMMEDIATE")
            gevent.spawn_later(0.01, other.execute, "COMMIT")
        told = at_once([lambda: answer(act(table))] * 8)
        gevent.sleep(0.011)
    assert sorted(told) == ["ok", *["stale"] * 7]
    assert tables.load(table.id).played == table.played + 1


@pytest.mark.usefixtures("slow_load")
def test_those_who_do_not_exclude_each_other_all_get_through(db: Path) -> None:
    """Four get ready at once: the slower decide anew."""
    table = opened(1, 2, 3, 4)
    told = at_once([lambda user=user: answer(Ask(user, Ready())) for user in (1, 2, 3, 4)])  # type: ignore[misc]
    assert told == ["ok"] * 4
    assert tables.load(table.id).ready == (0, 1, 2, 3)
    assert tables.load(table.id).revision == 5


@pytest.mark.usefixtures("slow_load")
def test_site_7_two_want_one_chair_and_one_wants_two_tables(db: Path) -> None:
    one, two = opened(1, None), opened(2, None)
    told = at_once([lambda user=user: answer(Ask(user, Sit(1)), one.id) for user in (7, 8)])  # type: ignore[misc]
    assert sorted(told) == [No.CHAIR_TAKEN, "ok"]
    told = at_once([lambda table=table: answer(Ask(9, Sit(1)), table) for table in (two.id, opened(3, None).id)])  # type: ignore[misc]
    assert sorted(told) == ["ok", No.SEATED_ELSEWHERE]
    assert rows(db, "SELECT count(*) FROM chair WHERE holds = 9") == [(1,)]


@pytest.mark.usefixtures("slow_load")
def test_pt_9_a_move_and_the_clock_in_the_same_instant(db: Path) -> None:
    """Whichever comes first counts, the other is stale."""
    table = begun(1, 2)
    command = act(table)
    clock = AutoAct(turn_of(table) - 1, command.action, table.played)
    assert sorted(at_once([lambda: answer(command), lambda: answer(clock)])) == ["ok", "stale"]


def test_after_so_many_tries_it_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(1, 2)
    tried: list[object] = []
    monkeypatch.setattr(tables, "commit", lambda *given: tried.append(given))
    with pytest.raises(Refused) as refused:
        door.submit(table.id, act(table))
    assert refused.value.reason == No.STALE
    assert len(tried) == door.TRIES


# --- races between processes ---

BOTH_PLAY = """
from random import Random
from mokali.live.watch import Watch
from mokali.store.models import DATABASE
from mokali.tables.table import Act, Refused

DATABASE.execute_sql("PRAGMA synchronous = 0")
number, me = map(int, sys.argv[2].split())
rng = Random(me)
watch, ok, stale = Watch(rng), 0, 0
while (table := tables.load(number)).ended is None:
    turn = None if table.state is None else table.state.turn
    if turn is None or turn < 0:
        watch.look()
        continue
    try:
        door.submit(number, Act(table.chairs[turn].user, rng.choice(table.state.moves(turn)), table.played))
        ok += 1
    except Refused as refused:
        assert refused.reason in ("stale", "table_closed"), refused.reason
        stale += 1
print(ok, stale)
"""


def test_rl_30_two_processes_play_one_match(db: Path) -> None:
    """Both are at every turn: none lost, none doubled, and the match is one match."""
    for n in range(1, 6):
        table = opened(1, 2, now=door.now())
        for user in (1, 2):
            do(table.id, Ask(user, Ready()), door.now())
        told = [
            [int(word) for word in line.split()] for [line] in race(BOTH_PLAY, db, [f"{table.id} 1", f"{table.id} 2"])
        ]
        tables.forget()
        table = tables.load(table.id)
        assert table.ended is not None
        assert table.ended.why == Why.FINISHED
        log = tables.log(table.id)
        assert sum(ok for ok, _ in told) == sum(seat >= 0 for seat, _ in log)
        numbers = rows(db, 'SELECT n FROM line WHERE "table" = ? ORDER BY n', table.id)
        assert [number for (number,) in numbers] == list(range(table.logged))
        replayed = record.resume(table.game, table.rules, 2, log)
        assert codec.encode(replayed) == codec.encode(table.state)
        assert fairness.broken(log, table.game.lots) is None
        assert rows(db, "SELECT count(*) FROM result") == [(2 * n,)]
        if any(stale for _, stale in told):
            break  # they met, as they nearly always do
    else:
        pytest.fail("they never met")
    assert rows(db, "PRAGMA integrity_check") == [("ok",)]


DIES = """
import os
from mokali.tables.table import Act
table = tables.load(1)
turn = table.state.turn
if sys.argv[2] == "after":
    door.bus.ring = lambda *given: os._exit(0)
elif sys.argv[2] == "before":
    tables._append = lambda *given: os._exit(0)
else:
    database.DATABASE.obj.commit = lambda: os._exit(0)
door.submit(1, Act(table.chairs[turn].user, table.state.moves(turn)[0], table.played))
print("never")
"""


@pytest.mark.parametrize("moment", ["before", "within", "after"])
def test_rl_29_a_process_that_dies_around_the_commit(db: Path, moment: str) -> None:
    """Before it nothing was done; after it everything was, though nobody was told."""
    table = begun(1, 2, now=door.now())
    assert race(DIES, db, [moment]) == [[]]
    tables.forget()
    after = tables.load(table.id)
    lines = rows(db, "SELECT count(*) FROM line WHERE seat >= 0")
    if moment == "after":
        assert (after.played, lines) == (table.played + 1, [(1,)])
        assert answer(act(table)) == "stale", "the browser that asks again does nothing twice"
    else:
        assert (after, lines) == (table, [(0,)])
        assert answer(act(table)) == "ok"


# --- the clock ---


def test_rl_32_now_never_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    before = door.now()
    assert abs(before - time.time_ns() // 1_000_000) < 60_000, "the wall clock, read once"
    for hours in (-1, 1):
        monkeypatch.setattr(time, "time_ns", lambda hours=hours: hours * 3_600_000_000_000)
        assert 0 <= door.now() - before < 60_000
    ticks = iter((5_000_000, 6_000_000))
    monkeypatch.setattr(time, "monotonic_ns", lambda: next(ticks))
    assert -(door.now() - door.now()) == 1, "milliseconds"


# --- the bell ---


def test_every_listener_hears_every_ring(db: Path) -> None:
    heard: list[tuple[str, int, tuple[Event, ...]]] = []
    bus.listen(lambda table, events: heard.append(("one", table, events)))
    bus.listen(lambda table, events: heard.append(("two", table, events)))
    ended = (HandEnded((0, 0), "played_out"),)
    bus.ring(7, ended)
    bus.ring(bus.LOBBY)
    assert heard == [("one", 7, ended), ("two", 7, ended), ("one", 0, ()), ("two", 0, ())]
