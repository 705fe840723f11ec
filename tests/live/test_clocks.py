"""Clocks stand while no worker runs, and never jump (RL-32, RL-33, PT-9, AB-9). Times are made up."""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import gevent
import pytest

from mokali.live import bus, door
from mokali.live.watch import BESIDE_MS, Watch
from mokali.store import database, mark, tables
from mokali.store.database import NotKept
from mokali.tables.clock import alarm
from mokali.tables.table import Ask, Close, Gone, No, Ready, Refused, Standstill, Table, Why
from mokali.tables.terms import Terms
from tests.kept import KeptRoom, begun, do, opened, past_the_store, rows
from tests.seated import NOW

PAUSE = 30_000


class Clock:
    """The house's clock, in the test's hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made_up = Clock()
    monkeypatch.setattr(door, "now", made_up)
    return made_up


def pausing(clock: Clock, *people: int, pause: int = PAUSE) -> Table:
    """A table whose first hand is over, the next one sealed; the pause began this moment."""
    room = KeptRoom(begun(*people, now=clock.now, terms=Terms(pause_seconds=pause // 1000)), clock.now)
    room.play_hand(Random(1))
    clock.now = room.now
    Watch(Random(1)).look()
    table = tables.load(room.table.id)
    assert alarm(table) == clock.now + pause
    return table


def left(table: Table, now: int) -> int:
    """Milliseconds until the alarm."""
    due = alarm(tables.load(table.id))
    assert due is not None
    return due - now


def runs(clock: Clock, milliseconds: int) -> Watch:
    """A worker is at work for so long."""
    watch = Watch(Random(1))
    until = clock.now + milliseconds
    while clock.now < until:
        clock.now += min(250, until - clock.now)
        watch.look()
        watch.note()
    return watch


def restarted(db: Path, clock: Clock, down: int) -> Watch:
    """The last worker has been killed; the next starts so many milliseconds later."""
    database.close()
    tables.forget()
    clock.now += down
    database.open_at(db)
    watch = Watch(Random(1))
    watch.sweep()
    watch.give_back()
    return watch


@pytest.mark.parametrize("seconds", [1, 30, 300])
@pytest.mark.parametrize("into", [0, 1, 400, 9_999, 29_400])
def test_rl_33_a_pause_goes_on_where_it_stood(db: Path, clock: Clock, seconds: int, into: int) -> None:
    table = pausing(clock, 1, 2)
    runs(clock, into)
    before = left(table, clock.now)
    watch = restarted(db, clock, seconds * 1000)
    assert before <= left(table, clock.now) <= before + 1_000
    played = tables.load(table.id).played
    watch.look()
    assert tables.load(table.id).played == played, "nothing was due meanwhile"
    clock.now += left(table, clock.now)
    watch.look()
    assert tables.load(table.id).played > played, "and at its end the next hand is dealt"


@pytest.mark.parametrize("seconds", [1, 30, 300, 7_200])
def test_rl_33_nobody_comes_is_waited_out_too(db: Path, clock: Clock, seconds: int) -> None:
    """The clocks of AB-12, of a table that waits and of one that plays."""
    playing, waiting = begun(1, 2, now=clock.now, terms=Terms()), opened(3, None, now=clock.now, terms=Terms())
    for table, person in ((playing, 1), (playing, 2), (waiting, 3)):
        do(table.id, Gone(person, clock.now), clock.now)
    runs(clock, 7_300)
    before = [left(table, clock.now) for table in (playing, waiting)]
    watch = restarted(db, clock, seconds * 1000)
    after = [left(table, clock.now) for table in (playing, waiting)]
    assert all(0 <= new - old <= 1_000 for old, new in zip(before, after, strict=True))
    watch.look()
    assert [tables.load(table.id).ended for table in (playing, waiting)] == [None, None]


def test_rl_33_a_second_stop_counts_from_the_first_start(db: Path, clock: Clock) -> None:
    table = pausing(clock, 1, 2)
    runs(clock, 5_000)
    before = left(table, clock.now)
    for _ in range(3):
        restarted(db, clock, 60_000)
    assert before <= left(table, clock.now) <= before + 1_000


def test_rl_33_a_clock_wound_right_before_the_stop_is_whole(db: Path, clock: Clock) -> None:
    """The mark is an hour old: no clock ran, so none was written."""
    old = pausing(clock, 1, 2)
    runs(clock, 2_000)
    do(old.id, Close(Why.LEFT), clock.now)
    clock.now += 3_600_000
    table = pausing(clock, 3, 4)
    clock.now += 200
    restarted(db, clock, 300_000)
    assert PAUSE - 200 <= left(table, clock.now) <= PAUSE


@pytest.mark.parametrize("hours", [-1, 1])
def test_rl_33_the_wall_clock_is_set_while_no_worker_runs(db: Path, clock: Clock, hours: int) -> None:
    table = pausing(clock, 1, 2)
    runs(clock, 5_000)
    before = left(table, clock.now)
    restarted(db, clock, 3_000 + hours * 3_600_000)
    assert before <= left(table, clock.now) <= before + 1_000


def test_rl_33_beside_another_worker_nothing_is_given_back(db: Path, clock: Clock) -> None:
    """A reload: the other worker has the file open, and its mark is young."""
    table = pausing(clock, 1, 2)
    runs(clock, 5_000)
    with held(db):
        before = tables.load(table.id)
        restarted(db, clock, 1_000)
        assert not database.came_first()
        assert tables.load(table.id) == before
        restarted(db, clock, BESIDE_MS)
        assert tables.load(table.id) != before, "the other one has not been at work for long"


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another worker has the database open."""
    with path.with_name(path.name + ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield


def test_rl_33_the_mark_is_written_while_a_clock_runs_and_only_then(db: Path, clock: Clock) -> None:
    begun(5, 6, now=clock.now, terms=Terms())
    runs(clock, 5_000)
    assert mark.last() is None, "nobody waits for a clock"
    table = pausing(clock, 1, 2)
    watch = runs(clock, 250)
    for _ in range(40):
        clock.now += 250
        watch.note()
        stood = mark.last()
        assert stood is not None
        assert 0 <= clock.now - stood < 1_000
    assert rows(db, "SELECT count(*) FROM mark") == [(1,)]
    do(table.id, Close(Why.LEFT), clock.now)
    stood = mark.last()
    runs(clock, 5_000)
    assert mark.last() == stood


def test_rl_33_what_cannot_be_written_yet_is_given_back_later(
    db: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables, the database held at the second: each is given its time once."""
    some = [pausing(clock, 1, 2, pause=20 * PAUSE), pausing(clock, 3, 4)]
    runs(clock, 3_000)
    before = [left(table, clock.now) for table in some]
    commit, tried = tables.commit, list[int]()

    def refusing(table: Table, *given: object) -> Table | None:
        tried.append(table.id)
        if len(tried) in (2, 3):
            raise NotKept("held")
        return commit(table, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "commit", refusing)
    monkeypatch.setattr(gevent, "sleep", lambda seconds: None)
    restarted(db, clock, 30_000)
    assert sorted(tried[:2]) == sorted(table.id for table in some)
    assert tried[1:] == [tried[1]] * 3
    after = [left(table, clock.now) for table in some]
    assert all(0 <= new - old <= 1_000 for old, new in zip(before, after, strict=True))


def test_rl_33_one_table_that_cannot_be_resumed_holds_up_no_other(db: Path, clock: Clock) -> None:
    bad, good = pausing(clock, 1, 2), pausing(clock, 3, 4)
    runs(clock, 3_000)
    before = left(good, clock.now)
    with past_the_store(db) as other:
        other.execute("UPDATE game_table SET state = '{}' WHERE id = ?", [bad.id])
    restarted(db, clock, 30_000)
    assert before <= left(good, clock.now) <= before + 1_000


def test_rl_33_who_is_told_that_a_clock_went_on(db: Path, clock: Clock) -> None:
    """Pages count down to the alarm: they must be drawn anew."""
    table = pausing(clock, 1, 2)
    runs(clock, 3_000)
    heard: list[int] = []
    bus.listen(lambda number, events: heard.append(number))
    restarted(db, clock, 30_000)
    assert heard == [table.id]


def test_rl_33_a_table_that_is_over_has_no_clock(db: Path, clock: Clock) -> None:
    table = pausing(clock, 1, 2)
    do(table.id, Close(Why.LEFT), clock.now)
    with pytest.raises(Refused) as refused:
        door.submit(table.id, Standstill(clock.now - 1))
    assert refused.value.reason == No.TABLE_CLOSED


# --- the clock that never jumps ---


@pytest.mark.parametrize("hours", [-1, 1])
def test_rl_32_the_wall_clock_is_set_in_mid_pause(db: Path, monkeypatch: pytest.MonkeyPatch, hours: int) -> None:
    """Nothing expires, nothing is won, and the pause is as long as it was."""
    ticks = [time.monotonic_ns()]
    monkeypatch.setattr(time, "monotonic_ns", lambda: ticks[0])
    room = KeptRoom(begun(1, 2, now=door.now(), terms=Terms()), door.now())
    room.play_hand(Random(1))
    ticks[0] += (room.now - door.now()) * 1_000_000
    watch = Watch(Random(1))
    watch.look()
    table = tables.load(room.table.id)
    left_before = left(table, door.now())
    wall = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: wall() + hours * 3_600_000_000_000)
    watch.look()
    watch.note()
    assert tables.load(table.id) == table
    assert left(table, door.now()) == left_before
    ticks[0] += left_before * 1_000_000
    watch.look()
    assert tables.load(table.id).played > table.played


# --- a move and the clock in the same instant ---


@pytest.mark.parametrize("first", ["people", "clock"])
def test_rl_33_the_last_ready_and_the_end_of_the_pause_in_the_same_instant(db: Path, clock: Clock, first: str) -> None:
    """Whichever comes first: the next hand is dealt once."""
    table = pausing(clock, 1, 2)
    door.submit(table.id, Ask(1, Ready()))
    clock.now += left(table, clock.now)

    def ready() -> object:
        try:
            return door.submit(table.id, Ask(2, Ready()))
        except Refused as refused:
            return refused.reason

    steps: list[Callable[[], object]] = [ready, Watch(Random(1)).look]
    doing = [gevent.spawn(step) for step in (steps if first == "people" else steps[::-1])]
    for greenlet in doing:
        greenlet.get(timeout=5)
    Watch(Random(2)).look()
    after = tables.load(table.id)
    assert after.state is not None
    assert after.state.phase == "play"
    assert after.state.view(None).hand == 2
    numbers = rows(db, 'SELECT n FROM line WHERE "table" = ? ORDER BY n', table.id)
    assert [number for (number,) in numbers] == list(range(after.logged))
