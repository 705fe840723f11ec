"""How the house is, told to its own machine and to nobody else (RL-55), and red while nothing can be kept (RL-47)."""

import os
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import gevent
import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from mokali import figures
from mokali.live import door
from mokali.store import database
from mokali.store.models import DATABASE
from mokali.web import health
from mokali.web.house import House
from tests.kept import past_the_store
from tests.web.seat import Seat, deal, on_turn, play_one
from tests.web.server import Server
from tests.web.wire import PATIENCE, Visitor

ADDRESSES = ("/healthz", "/metrics")
HERE = "http://127.0.0.1:8000"


@pytest.fixture
def client(app: House, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """The machine itself asks; the loop is on time."""
    monkeypatch.setattr(health, "pulse", health.Pulse())
    return app.test_client()


# --- who is answered ---

STRANGERS: dict[str, tuple[str, dict[str, str], str]] = {
    "another machine": (HERE, {}, "192.168.1.7"),
    "another machine, by six": (HERE, {}, "fe80::7"),
    "no address": (HERE, {}, ""),
    "a tunnel without headers": ("https://okey.example.org", {}, "127.0.0.1"),
    **{
        name: (HERE, {name: value}, "127.0.0.1")
        for name, value in {
            "X-Forwarded-For": "127.0.0.1",
            "X-Forwarded-Proto": "http",
            "X-Forwarded-Host": "127.0.0.1",
            "Forwarded": "for=127.0.0.1",
            "Via": "1.1 Caddy",
            "X-Real-IP": "127.0.0.1",
            "CF-Connecting-IP": "127.0.0.1",
            "x-forwarded-for": "",
        }.items()
    },
}


@pytest.mark.parametrize("proxies", [0, 1])
@pytest.mark.parametrize(("base", "headers", "peer"), STRANGERS.values(), ids=STRANGERS.keys())
def test_rl_55_everybody_else_finds_no_such_page(
    build: Callable[..., House], proxies: int, base: str, headers: dict[str, str], peer: str
) -> None:
    client = build(proxies=proxies).test_client()
    asked = {"base_url": base, "headers": headers, "environ_overrides": {"REMOTE_ADDR": peer}}
    none = client.get("/nirgends", **asked)
    for address in ADDRESSES:
        answer = client.get(address, **asked)
        assert (answer.status_code, answer.data) == (404, none.data)
        assert dict(answer.headers) == dict(none.headers)


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("base", [HERE, "http://localhost:8000", "http://[::1]:8000", "http://localhost"])
def test_rl_55_the_machine_itself_is_answered(client: FlaskClient, peer: str, base: str) -> None:
    for address in ADDRESSES:
        assert client.get(address, base_url=base, environ_overrides={"REMOTE_ADDR": peer}).status_code == 200


# --- health ---


def _health(client: FlaskClient) -> tuple[int, dict[str, Any]]:
    answer = client.get("/healthz", base_url=HERE)
    assert answer.mimetype == "application/json"
    return answer.status_code, answer.get_json()


def test_rl_55_a_house_that_is_well(client: FlaskClient) -> None:
    status, told = _health(client)
    assert status == 200
    assert told["write"] is True
    assert 0 <= told["loop_ms"] < 1_000 * health.LATE
    assert told["backup_hours"] is None, "none is due yet in a new house"


@pytest.mark.parametrize(("hours", "code"), [(-2_000, 503), (1, 200), (49, 200), (51, 503)])
def test_rl_55_a_house_that_never_made_a_backup_is_not_well(client: FlaskClient, hours: int, code: int) -> None:
    """It gets as long for its first one as for every other, however often it is started anew."""
    born = datetime.now() - timedelta(hours=hours)
    database.run("UPDATE schema_migration SET applied = ?", str(born))
    status, told = _health(client)
    assert (status, told["backup_hours"]) == (code, None)


def test_rl_55_health_is_red_after_two_nights_without_a_backup(client: FlaskClient, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for hours, code in ((30, 200), (51, 503)):
        file = folder / "mokali-2026-11-28.sqlite3"
        file.touch()
        os.utime(file, (time.time() - hours * 3600,) * 2)
        answer = client.get("/healthz", base_url=HERE)
        assert (answer.status_code, answer.get_json()["backup_hours"]) == (code, hours)


def test_rl_55_a_backup_is_as_old_as_the_calendar_says(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as the house's own clock, which stays wrong where it began wrong."""
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "mokali-2026-11-28.sqlite3").touch()
    monkeypatch.setattr(door, "now", lambda: 0)
    assert _health(client)[1]["backup_hours"] == 0


def test_rl_55_the_check_leaves_nothing_behind(client: FlaskClient, tmp_path: Path) -> None:
    for _ in range(3):
        _health(client)
    with closing(sqlite3.connect(tmp_path / "mokali.sqlite3")) as file:
        assert file.execute("SELECT count(*) FROM line").fetchone() == (0,)
        before = file.execute("PRAGMA page_count").fetchone()
        _health(client)
        assert file.execute("PRAGMA page_count").fetchone() == before


def test_rl_55_the_check_is_a_write_to_the_disk(client: FlaskClient, tmp_path: Path) -> None:
    def written() -> int:
        return (tmp_path / "mokali.sqlite3-wal").stat().st_size

    _health(client)
    before = written()
    _health(client)
    assert written() > before


def test_rl_47_health_is_red_while_the_database_is_locked(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_MS", 20)
    with past_the_store(tmp_path / "mokali.sqlite3") as other:
        other.execute("BEGIN IMMEDIATE")
        status, told = _health(client)
        assert (status, told["write"]) == (503, False)
        other.execute("ROLLBACK")
    assert _health(client)[0] == 200, "it recovers by itself"


def test_rl_47_health_is_red_while_the_disk_is_full(client: FlaskClient) -> None:
    connection = DATABASE.connection()
    [used] = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {used}")
    assert _health(client)[0] == 503
    connection.execute("PRAGMA max_page_count = 1000000")
    assert _health(client)[0] == 200


def test_rl_47_a_house_whose_file_may_not_grow_refuses_and_recovers(serve: Callable[..., Server]) -> None:
    """The system itself says no, as a full disk would: moves are refused, health is red; with room all goes on."""
    house = serve("tests.web.planted:cramped()")
    seats = deal(house, "Ayşe", "Can")
    mover = on_turn(seats)
    before = house.kept(mover.code)
    (house.data / "cramped").touch()
    until = time.monotonic() + PATIENCE
    while Visitor(house.base).get("/healthz").status != 503:
        assert time.monotonic() < until
    assert mover.refused("play", card=mover.cards[0]) == "not_kept"
    assert "Kayıt yapılamadı" in mover.refusals[-1][1]
    assert house.kept(mover.code) == before
    (house.data / "cramped").unlink()
    until = time.monotonic() + PATIENCE
    while Visitor(house.base).get("/healthz").status != 200:
        assert time.monotonic() < until
    play_one(seats)
    house.no_fault()


def test_rl_55_health_is_red_while_the_loop_stands(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = time.monotonic()
    pulse = health.pulse
    monkeypatch.setattr(health, "monotonic", lambda: moment + pulse.PERIOD + 5)
    status, told = _health(client)
    assert (status, told["write"]) == (503, True)
    assert told["loop_ms"] > 4_000
    monkeypatch.setattr(health, "monotonic", lambda: moment)
    assert _health(client)[0] == 200


def test_rl_55_the_pulse_notices_who_held_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.Pulse, "PERIOD", 0.01)
    pulse = health.Pulse()
    before = sum(figures.loop_delay.counts)
    early = sum(figures.loop_delay.counts[: figures.BOUNDS.index(0.05)])
    beating = gevent.spawn(pulse._run)
    try:
        gevent.sleep(0.001)
        time.sleep(0.1)  # the loop stands
        gevent.sleep(0.005)
        assert sum(figures.loop_delay.counts) == before + 1
        assert sum(figures.loop_delay.counts[: figures.BOUNDS.index(0.05)]) == early, "it was late, and is told so"
    finally:
        beating.kill()


# --- figures ---

Sample = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def _metrics(house: Server) -> Sample:
    """Every sample by name and labels."""
    text = Visitor(house.base).get("/metrics").text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _until(house: Server, told: Callable[[Sample], object]) -> Sample:
    """Ask until that holds."""
    until = time.monotonic() + PATIENCE
    while not told(sample := _metrics(house)):
        assert time.monotonic() < until, sample
        time.sleep(0.02)
    return sample


def _settled(house: Server, seats: list[Seat]) -> Sample:
    for seat in seats:
        seat.settle()
    return _metrics(house)


def test_rl_55_the_figures_of_a_table(serve: Callable[..., Server]) -> None:
    """What is done is counted once, per game and code, and every move is timed to the last writer."""
    house = serve()
    game = "pisti"  # what tests.web.seat opens a table of
    seats = deal(house, "Ayşe", "Can")
    watcher = Seat(Visitor(house.base, "Ece"), seats[0].code)
    everybody = [*seats, watcher]
    one = _settled(house, everybody)
    for _ in range(5):
        play_one(seats)
        watcher.until(lambda some: some.played == seats[0].played)
    seats[0].wire.send("Unsinn")
    seats[0].wire.send_bytes(b"x")
    two = _settled(house, everybody)

    def more(name: str, **labels: str) -> float:
        key = (f"mokali_{name}", tuple(sorted(labels.items())))
        return two[key] - one.get(key, 0)

    assert two["mokali_sockets", ()] == two["mokali_people", ()] == 3
    assert two["mokali_tables", (("status", "playing"),)] == 1
    assert more("actions_total", game=game, action="play") == 5
    assert more("refusals_total", game=game, code="started") + more("refusals_total", game=game, code="not_seated") == 3
    assert more("dropped_total", kind="bad_request") == more("dropped_total", kind="binary") == 1
    for name in ("commit", "move_to_commit", "commit_to_last_writer"):
        assert more(f"{name}_seconds_count") == 5, name
    assert more("render_seconds_count") >= 15
    assert two["mokali_reconnects_total", ()] == 0
    assert abs(two["process_start_time_seconds", ()] - time.time()) < 600


def test_rl_55_reconnects_and_readers_that_were_given_up_are_counted(serve: Callable[..., Server]) -> None:
    house = serve("tests.web.planted:narrow()", stall_seconds=0.3, max_outbox=20_000)
    seats = deal(house, "Ayşe", "Can")
    old = re.sub(r"sayfa=\d+", "sayfa=1700000000000", seats[0].address)
    seats[0].visitor.wire(old).receive()
    sleeper = Seat(Visitor(house.base, "Ece"), seats[0].code, deflate=False, buffer=4096)
    for _ in range(400):  # each is answered, and no answer is read
        sleeper.wire.send('{"do":"ready","on":true}')
    told = _until(house, _cuts)  # not a byte is read before that
    assert sleeper.wire.close_code() == 1006
    for seat in seats:
        seat.settle()
    cuts = _cuts(told)
    assert sum(cuts.values()) == 1
    assert set(cuts) <= {"full", "stalled"}
    assert told["mokali_reconnects_total", ()] == 1


def _cuts(told: Sample) -> dict[str, float]:
    return {labels[0][1]: value for (name, labels), value in told.items() if name == "mokali_outbox_closes_total"}


def test_rl_55_the_loop_is_timed(house: Server) -> None:
    before = _metrics(house)["mokali_loop_delay_seconds_count", ()]
    _until(house, lambda told: told["mokali_loop_delay_seconds_count", ()] > before)


def test_rl_55_a_spread_counts_up_to_each_bound() -> None:
    spread = figures.Spread("test", "A test.")
    for seconds in (0.0, 0.0005, 0.0006, 3.0, 99.0):
        spread.note(seconds)
    told = {sample.labels.get("le"): sample.value for sample in spread.told().samples}
    assert (told["0.0005"], told["0.001"], told["2.0"], told["5.0"], told["10.0"], told["+Inf"]) == (2, 3, 3, 4, 4, 5)


def test_rl_55_a_telling_ends_with_the_last_wire() -> None:
    before = sum(figures.commit_to_last_writer.counts)
    telling = figures.Telling(3)
    for _ in range(2):
        telling.arrived()
    assert sum(figures.commit_to_last_writer.counts) == before
    telling.arrived()
    assert sum(figures.commit_to_last_writer.counts) == before + 1
