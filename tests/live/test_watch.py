"""The watch: the house deals, pauses end, abandoned tables close; nothing that fails stops the rest."""

import logging
from pathlib import Path
from random import Random

import gevent
import pytest

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Event
from mokali.live import bus, door, watch
from mokali.live.watch import Watch
from mokali.store import database, tables
from mokali.store.database import NotKept
from mokali.tables.clock import alarm
from mokali.tables.table import Act, Again, Ask, Gone, Ready, Table, Why
from mokali.tables.terms import Terms
from tests.kept import begun, do, opened, past_the_store, rows, turn_of, write

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def rings() -> list[int]:
    heard: list[int] = []

    def hear(table: int, events: tuple[Event, ...]) -> None:
        heard.append(table)

    bus.listen(hear)
    return heard


def ready(*people: int, terms: Terms | None = None) -> Table:
    """A table at which everybody is ready now."""
    table = opened(*people, now=door.now(), terms=terms or Terms(pause_seconds=0))
    for person in people:
        table = do(table.id, Ask(person, Ready()), door.now())
    return table


def play(table: Table, rng: Random) -> Table:
    assert table.state is not None
    assert table.state.turn is not None
    return door.submit(table.id, Act(turn_of(table), rng.choice(table.state.moves(table.state.turn)), table.played))


@pytest.mark.parametrize("people", [(1, 2), (1, 2, 3, 4)])
def test_a_whole_match_through_the_door(db: Path, people: tuple[int, ...]) -> None:
    """With a real database; the house plays its part whenever somebody looks."""
    table, rng = ready(*people), Random(7)
    house = Watch(Random(7))
    for _ in range(2_000):
        house.look()
        table = tables.load(table.id)
        if table.ended is not None:
            break
        assert table.state is not None
        assert table.state.turn != HOUSE
        table = play(table, rng)
    assert table.ended is not None
    assert table.ended.why == Why.FINISHED
    log = tables.log(table.id)
    assert fairness.broken(log, table.game.lots) is None
    replayed = record.resume(table.game, table.rules, len(people), log)
    assert codec.encode(replayed) == rows(db, "SELECT state FROM game_table")[0][0]
    assert rows(db, "SELECT count(*) FROM result") == [(len(people),)]
    assert tables.ringing(door.now() + 10**9) == []
    for person in people:
        door.submit(table.id, Ask(person, Again()))
    house.look()
    successor = tables.load(table.id).successor
    assert successor is not None
    state = tables.load(tables.find(successor)).state
    assert state is not None
    assert state.phase == "play", "and the next one begins by itself"


def test_the_seal_is_committed_before_the_deal(db: Path) -> None:
    """Between the two anybody may look: three commits, one errand each."""
    seen: list[tuple[int, str]] = []

    def look(table: int, events: tuple[Event, ...]) -> None:
        if table != bus.LOBBY:
            seen.append((table, rows(db, "SELECT action FROM line ORDER BY n DESC")[0][0].partition(",")[0]))

    table = ready(1, 2)
    bus.listen(look)
    Watch(Random(1)).look()
    assert seen == [(table.id, '{"do":"seal"'), (table.id, '{"do":"first"'), (table.id, '{"do":"deal"')]


def test_cm_11_a_pause_is_waited_for() -> None:
    table, rng, house = ready(1, 2, terms=Terms(pause_seconds=30)), Random(1), Watch(Random(1))
    house.look()
    table = tables.load(table.id)
    while table.state is not None and table.state.phase == "play":
        table = play(table, rng)
    for _ in range(3):
        house.look()
    table = tables.load(table.id)
    assert table.luck is not None, "sealed at once"
    assert alarm(table) == table.since + 30_000
    assert table.state is not None
    assert table.state.turn == HOUSE, "but not dealt"
    for person in (1, 2):
        door.submit(table.id, Ask(person, Ready()))
    house.look()
    state = tables.load(table.id).state
    assert state is not None
    assert state.phase == "play"


def test_nothing_due_nothing_done(rings: list[int]) -> None:
    begun(1, 2, now=door.now())
    opened(3, None, now=door.now())
    Watch(Random(1)).look()
    assert rings == []


def test_ab_12_an_abandoned_table_is_closed(rings: list[int]) -> None:
    table = begun(1, 2, now=door.now(), terms=Terms(vacant_minutes=0))
    for person in (1, 2):
        do(table.id, Gone(person, door.now()), door.now())
    Watch(Random(1)).look()
    table = tables.load(table.id)
    assert table.ended is not None
    assert table.ended.why == Why.VACANT
    assert rings == [table.id, bus.LOBBY]
    assert tables.seat_held(1) is None


def test_rl_51_an_unreadable_table_is_closed_and_its_people_are_told(db: Path, rings: list[int]) -> None:
    bad, good = ready(1, 2), ready(3, 4)
    write(db, "UPDATE game_table SET edition = 0, state = '{}', wake_at = 0 WHERE id = ?", [bad.id])
    write(db, "INSERT INTO line VALUES (?, 0, -1, '{}')", [bad.id])
    tables.forget()
    Watch(Random(1)).look()
    assert rows(db, "SELECT status, wake_at FROM game_table WHERE id = ?", bad.id) == [("ended", None)]
    assert rings[:2] == [bad.id, bus.LOBBY]
    assert tables.load(good.id).state is not None, "the other table is served"
    assert rows(db, 'SELECT count(*) FROM line WHERE "table" = ?', bad.id) == [(1,)], "the log stays"
    rings.clear()
    Watch(Random(1)).look()
    assert rings == []


def test_rl_51_at_the_start_an_unreadable_table_without_an_alarm_is_found(db: Path, rings: list[int]) -> None:
    bad, good = ready(1, 2), ready(3, 4)
    write(db, "UPDATE game_table SET edition = 0, state = '{}', wake_at = NULL WHERE id = ?", [bad.id])
    write(db, "INSERT INTO line VALUES (?, 0, -1, '{}')", [bad.id])
    tables.forget()
    Watch(Random(1)).look()
    assert rings == [] or bad.id not in rings, "no alarm rings there"
    Watch(Random(1)).sweep()
    assert rows(db, "SELECT status FROM game_table WHERE id = ?", bad.id) == [("ended",)]
    assert rows(db, "SELECT status FROM game_table WHERE id = ?", good.id) != [("ended",)]
    assert tables.seat_held(1) is None, "its people are free"


def test_a_table_that_raises_is_logged_and_left_alone(db: Path, caplog: pytest.LogCaptureFixture) -> None:
    bad, good = ready(1, 2), ready(3, 4)
    write(db, "UPDATE game_table SET state = '{}', wake_at = 0 WHERE id = ?", [bad.id])
    tables.forget()
    before = rows(db, "SELECT * FROM game_table WHERE id = ?", bad.id)
    with caplog.at_level(logging.ERROR):
        Watch(Random(1)).look()
    assert rows(db, "SELECT * FROM game_table WHERE id = ?", bad.id) == before
    [fault] = [record.msg for record in caplog.records]
    assert isinstance(fault, dict)
    assert (fault["event"], fault["table"], fault["kind"]) == ("fault", bad.id, "MalformedAction")
    assert any(frame.endswith(":_decoded") for frame in fault["frames"]), fault
    assert tables.load(good.id).state is not None


def test_a_table_that_raises_every_time_is_logged_once_a_minute(
    db: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried four times a second; another's fault is logged all the same."""
    bad, other = ready(1, 2), ready(3, 4)
    write(db, "UPDATE game_table SET state = '{}', wake_at = 0 WHERE id = ?", [bad.id])
    tables.forget()
    house, now = Watch(Random(1)), door.now()

    def told(later: int) -> list[int]:
        monkeypatch.setattr(door, "now", lambda: now + later)
        caplog.clear()
        house.look()
        return [record.msg["table"] for record in caplog.records if isinstance(record.msg, dict)]

    assert (told(0), told(250), told(59_999)) == ([bad.id], [], [])
    write(db, "UPDATE game_table SET state = '{}', wake_at = 0 WHERE id = ?", [other.id])
    tables.forget()
    assert told(59_999) == [other.id]
    assert (told(60_000), told(60_001)) == ([bad.id], [])


def test_rl_54_the_log_names_no_card(db: Path, caplog: pytest.LogCaptureFixture) -> None:
    table = begun(1, 2, now=door.now())
    write(db, "UPDATE game_table SET wake_at = 0, state = replace(state, 'hands', 'handz')")
    tables.forget()
    with caplog.at_level(logging.DEBUG):
        Watch(Random(1)).look()
    assert caplog.records
    assert table.state is not None
    assert not [card for card in table.state.view(0).cards if f'"{card}"' in caplog.text]


def test_rl_47_what_cannot_be_kept_is_tried_again(
    db: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "PATIENCE_MS", 10)
    table, house = ready(1, 2), Watch(Random(1))
    with past_the_store(db) as other:
        other.execute("BEGIN IMMEDIATE")
        house.look()
        assert tables.load(table.id) == table
        assert [record.msg["event"] for record in caplog.records if isinstance(record.msg, dict)] == ["not_kept"]
    house.look()
    assert tables.load(table.id).state is not None


def test_two_watches_do_an_errand_once(
    db: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Any number of workers may watch: the quickest commits, the others are stale."""
    load = tables.load

    def slow(table_id: int) -> Table:
        table = load(table_id)
        gevent.sleep(0)
        return table

    table = ready(1, 2)
    monkeypatch.setattr(tables, "load", slow)
    looking = [gevent.spawn(Watch(Random(n)).look) for n in range(4)]
    for greenlet in looking:
        greenlet.get(timeout=5)
    Watch(Random(9)).look()
    kinds = [codec.kind_of(action) for _, action in tables.log(table.id)]
    assert kinds == ["seal", "first", "deal"]
    assert rows(db, "SELECT count(*) FROM line") == [(3,)]
    assert caplog.records == [], "to be slower is nothing to write about"


def test_a_ring_wakes_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits a quarter of a second for his cards."""
    monkeypatch.setattr(watch, "PERIOD", 60)
    spawned: list[gevent.Greenlet] = []  # type: ignore[type-arg]
    spawn = gevent.spawn
    monkeypatch.setattr(gevent, "spawn", lambda step: spawned.append(spawn(step)))
    Watch(Random(1)).start()
    running, counting = spawned
    try:
        gevent.sleep(0)
        table = opened(1, 2, now=door.now(), terms=Terms())
        door.submit(table.id, Ask(1, Ready()))
        gevent.sleep(0)
        assert tables.load(table.id).state is None
        door.submit(table.id, Ask(2, Ready()))
        for _ in range(20):
            gevent.sleep(0.001)
        state = tables.load(table.id).state
        assert state is not None
        assert state.phase == "play"
        assert not running.ready()
    finally:
        running.kill()
        counting.kill()


def test_the_watch_survives_everything(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(watch, "PERIOD", 0.001)
    raised: list[Exception] = []

    def ringing(now: int) -> list[int]:
        raised.append(NotKept("full") if len(raised) % 2 else RuntimeError("a bug"))
        raise raised[-1]

    monkeypatch.setattr(tables, "ringing", ringing)
    running = gevent.spawn(Watch(Random(1))._run)
    try:
        for _ in range(500):
            gevent.sleep(0.001)
            if len(raised) >= 4:
                break
        assert len(raised) >= 4
        assert not running.ready()
        told = [record.msg["event"] for record in caplog.records if isinstance(record.msg, dict)]
        assert {"fault", "not_kept"} <= set(told)
        assert "a bug" not in caplog.text
    finally:
        running.kill()
