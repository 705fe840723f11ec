"""What a house outlasts: a disk that says no, lost lines, a second worker, other editions, nights."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mokali.engine import codec
from mokali.games import GAMES
from mokali.live import door
from mokali.store import backup, database, tables
from mokali.tables.terms import Terms
from mokali.web.house import House
from tests.kept import begun
from tests.seated import NOW
from tests.web import planted
from tests.web.crowd import Party, Place, look, parties, playing
from tests.web.seat import Seat, deal, on_turn, open_table, play_one
from tests.web.server import ROOT, Server
from tests.web.wire import PATIENCE, Visitor, Wire

SORRY = "Kayıt yapılamadı, birazdan yeniden dene"


def until(true: Callable[[], object], why: str) -> None:
    """Wait for it."""
    late = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < late, why
        time.sleep(0.005)


# --- the disk says no (RL-47) ---


@contextmanager
def writing(house: Server) -> Iterator[None]:
    """Another process holds the database and does not let go."""
    with closing(sqlite3.connect(house.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def full(house: Server) -> Iterator[None]:
    """No file of the worker's may grow any more: what a full disk is to a process."""
    [worker] = house.workers
    _, hard = resource.prlimit(worker, resource.RLIMIT_FSIZE)
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (8_192, hard))
    yield
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, hard))


@contextmanager
def read_only(house: Server) -> Iterator[None]:
    """The worker's connection may not write."""
    _pragma(house, "query_only = 1")
    yield
    _pragma(house, "query_only = 0")


def _pragma(house: Server, text: str) -> None:
    file = house.data / planted.PRAGMA
    file.with_suffix(".new").write_text(text)
    file.with_suffix(".new").rename(file)
    until(lambda: not file.exists(), text)


@pytest.mark.parametrize("harm", [writing, full, read_only], ids=lambda harm: harm.__name__)
def test_rl_47_what_cannot_be_kept_is_refused_and_disturbs_nobody_else(
    serve: Callable[..., Server], harm: Callable[[Server], Any]
) -> None:
    """The state is as it was, the others are answered meanwhile, nobody counts as gone, and it recovers by itself."""
    house = serve("tests.web.planted:bound()", heartbeat_seconds=0.3, grace_seconds=2, pause_seconds=1)
    seats = deal(house, "Ayşe", "Can")
    pausing = Party(house, GAMES[0], min(GAMES[0].seats), Random(47), lazy=True)
    while not (row := look(house, pausing.code)).pausing:
        pausing.step()
    mover = on_turn(seats)
    other = next(seat for seat in seats if seat is not mover)
    watcher = Seat(Visitor(house.base, "İzleyen"), mover.code)
    before = house.kept(mover.code)
    with ThreadPoolExecutor() as pool, harm(house):
        began, lobby = time.monotonic(), pool.submit(mover.visitor.get, "/")
        mover.do("play", card=mover.cards[0])
        for _ in range(3):
            for seat in (other, watcher):
                seat.settle()
        if harm is writing:
            for message in mover.wire.waiting():
                assert "not_kept" not in message, "the others have not waited with him"
        mover.until(lambda seat: seat.refusals)
        assert mover.refusals[-1][0] == "not_kept"
        assert SORRY in mover.refusals[-1][1]
        assert (lobby.result().status, "Kaydedilemedi" in lobby.result().text) == (503, True)
        time.sleep(max(0, began + 2.5 - time.monotonic()))  # beyond the pause and the grace period
        assert house.kept(mover.code) == before
        for seat in (mover, other, watcher):
            seat.settle()
    play_one([mover, other])
    watcher.until(lambda seat: seat.played == mover.played)
    until(lambda: look(house, pausing.code).played > row.played, "the watch goes on: the next hand is dealt")
    with house.rows() as on_disk:
        assert on_disk.execute("SELECT count(*) FROM chair WHERE away").fetchone() == (0,)
        assert on_disk.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    house.no_fault()


# --- lost lines (RL-27) ---


@pytest.mark.parametrize(("cut", "done"), [(planted.CUT_BEFORE, 0), (planted.CUT_AFTER, 1)])
def test_rl_27_a_lost_answer_is_no_lost_move(serve: Callable[..., Server], cut: str, done: int) -> None:
    """Cut before the commit: not done. Cut after it: done once, and every page that comes back shows it."""
    house = serve("tests.web.planted:lossy()")
    mover, other = (Place(seat.visitor, seat.code) for seat in deal(house, "Ayşe", "Can"))
    mover, other = sorted((mover, other), key=lambda seat: seat.number != seat.turn)
    before, card = mover.played, mover.cards[0]
    (house.data / cut).touch()
    mover.do("play", card=card)
    assert mover.wire.close_code() == 1006
    assert house.kept(mover.code).lines == before + done
    mover.come_back()
    assert mover.played == before + done
    assert (card in mover.cards) == (not done)
    if done:
        assert mover.refused("play", card=card, played=before) in ("stale", "not_your_turn"), "sent again all the same"
        other.come_back()
        assert other.played == before + 1
    else:
        mover.do("play", card=card)
        for seat in (mover, other):
            seat.until(lambda some: some.played == before + 1)
    kept = house.kept(mover.code)
    assert (kept.played, kept.lines) == (before + 1, before + 1)
    house.no_fault()


# --- two workers (RL-30, RL-50) ---


def test_rl_50_the_picture_of_a_move_through_the_other_worker_comes(serve: Callable[..., Server]) -> None:
    """A reload runs two side by side, and no ring gets from one to the other: each looks for itself."""
    one = serve("tests.web.planted:hasty()")
    first, second = deal(one, "Ayşe", "Can")
    two = serve("tests.web.planted:hasty()", data=one.data)
    elsewhere = Visitor(two.base)
    elsewhere.cookies = second.visitor.cookies
    second.wire.close()
    second = Seat(elsewhere, first.code)
    for _ in range(4):
        play_one([first, second])
        for seat in (first, second):
            page = seat.visitor.get(f"/masa/{seat.code}").text
            assert f'data-played="{seat.played}"' in page
            assert seat.cards
            assert all(f'data-card="{card}"' in page for card in seat.cards), "it is the newest"
    for house in (one, two):
        house.no_fault()


def test_rl_30_three_seats_at_once_through_two_workers(
    serve: Callable[..., Server], rounds: Callable[[int, int], int]
) -> None:
    """For every move the one on turn and two others send it at the same moment, to both workers: it is made once."""
    one = serve(pause_seconds=0)
    two = serve(data=one.data, pause_seconds=0)
    games = [game for game in GAMES if max(game.seats) >= 3]
    assert games
    for n, game in enumerate(games):
        party = Party(one, game, max(game.seats), Random(n))
        _all_at_once(party, [one, two], rounds(100, 1_000) // len(games), Random(n))
        party.holds()
    for house in (one, two):
        house.no_fault()


def _all_at_once(party: Party, houses: list[Server], moves: int, rng: Random) -> None:
    code, doors = "", list[list[Wire]]()
    while party.moves < moves:
        if code != party.code:
            code, doors = party.code, [_doors(party, house) for house in houses]
        row = look(houses[0], code)
        if row.state is None or row.state.turn is None or row.state.turn < 0:
            party.step()  # the next hand, or the next match
            continue
        turn, action = row.state.turn, rng.choice(row.state.moves(row.state.turn))
        text = json.dumps({**json.loads(codec.encode(action)), "played": row.played})
        senders = [turn, turn, *rng.sample([n for n in range(len(party.seats)) if n != turn], 2)]
        for n, seat in enumerate(rng.sample(senders, 4)):
            doors[n % 2][seat].send(text)
        until(lambda code=code, row=row: look(houses[0], code).played > row.played, "it is made")  # type: ignore[misc]
        party.told[code].append((row.played, turn, codec.encode(action)))
        assert not any(seat.lost() for seat in party.seats)
        for wire in [wire for wires in doors for wire in wires]:
            for _ in wire.waiting():
                pass


def _doors(party: Party, house: Server) -> list[Wire]:
    """Everybody's second line, to this worker."""
    found = []
    for seat in party.seats:
        visitor = Visitor(house.base)
        visitor.cookies = seat.visitor.cookies
        found.append(visitor.wire(seat.address))
    return found


# --- editions (RL-51) ---


def test_rl_51_a_newer_releases_table_is_politely_left_alone(serve: Callable[..., Server]) -> None:
    """Its page asks to try again, its sockets are closed so that they do, and nothing is written."""
    house = serve(heartbeat_seconds=0.2, grace_seconds=0.5)
    seats = deal(house, "Ayşe", "Can")
    code = seats[0].code
    newer = "UPDATE game_table SET edition = edition + 1, revision = revision + 1, wake_at = 1 WHERE code = ?"
    _write(house, newer, code)
    for seat in seats:
        assert seat.wire.close_code() == 1013, "also one that was open"
    before = _row(house, code)
    for again in (False, True):
        if again:
            house.kill()
            house.start()
        page = seats[0].visitor.get(f"/masa/{code}")
        assert (page.status, "Masa yeni sürümde açık" in page.text, "Birazdan yeniden dene" in page.text) == (
            503,
            True,
            True,
        )
        assert seats[0].visitor.get(f"/m/{code}").status == 503
        assert seats[0].visitor.get("/").status == 200
        assert seats[0].visitor.wire(seats[0].address).close_code() == 1013
    time.sleep(1)  # the grace period, and several looks of the watch
    assert _row(house, code) == before
    _write(house, "UPDATE game_table SET edition = edition - 1, wake_at = NULL WHERE code = ?", code)
    play_one([Seat(seat.visitor, code) for seat in seats])
    house.no_fault()


def test_rl_51_people_are_told_why_an_unreadable_table_was_closed(serve: Callable[..., Server]) -> None:
    """On its page; the socket sends there. They are free for another table, and the log stays."""
    house = serve()
    seats = deal(house, "Ayşe", "Can")
    code = seats[0].code
    house.stop()
    _write(house, "UPDATE game_table SET edition = edition - 1, state = '{}' WHERE code = ?", code)
    _write(house, 'DELETE FROM line WHERE n = 1 AND "table" = (SELECT id FROM game_table WHERE code = ?)', code)
    house.start()
    until(lambda: house.kept(code).status == "ended", "it is closed")
    for seat in seats:
        page = seat.visitor.get(f"/masa/{code}")
        assert (page.status, "Masa yeni sürümde açılamadığı için kapandı" in page.text) == (410, True)
        assert seat.visitor.wire(seat.address).close_code() == 4004
        assert seat.visitor.get("/").status == 200
    assert house.kept(code).lines == house.kept(code).logged - 1
    assert open_table(seats[0].visitor)
    house.no_fault()


def _row(house: Server, code: str) -> tuple[Any, ...]:
    with house.rows() as found:
        row = found.execute("SELECT * FROM game_table WHERE code = ?", (code,)).fetchone()
        return (*row, *found.execute('SELECT holds, away FROM chair WHERE "table" = ?', (row[0],)).fetchall())


def _write(house: Server, sql: str, code: str) -> None:
    with closing(sqlite3.connect(house.database, timeout=10, isolation_level=None)) as other:
        other.execute(sql, (code,))


# --- a long stop (RL-33) ---


def test_rl_33_after_a_long_stop_everybody_has_the_grace_period_to_come_back(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is back by then was never gone; who is not counts as away from then on."""
    now = [NOW]
    monkeypatch.setattr(door, "now", lambda: now[0])
    build()
    table = begun(1, 2, now=NOW, terms=Terms())
    now[0] += 300_000
    house = build(grace_seconds=20)
    hub = house.hub

    def away() -> list[bool]:
        return [not chair.connected for chair in tables.load(table.id).chairs]

    for _ in range(4):
        hub._note_presence(now[0])
        assert away() == [False, False]
        now[0] += 4_999
    with database.transaction():
        tables.touch(table.id, [1], now[0])  # as the wire of who is back does
    now[0] += 5
    hub._note_presence(now[0])
    assert away() == [False, True]
    assert tables.load(table.id).vacant_since is None


# --- nights (RL-48) ---


def test_rl_48_the_nightly_backup_is_made_beside_those_who_play(serve: Callable[..., Server]) -> None:
    """By the worker, in a child; after a reload not once more."""
    house = serve("tests.web.planted:nightly()")
    folder = house.data / "backups"
    some = parties(house, 48, sockets=6)
    with playing(some):
        until(lambda: backup.kept(folder), "a backup")
        [file] = backup.kept(folder)
        made = file.stat().st_ino
        house.reload()
        time.sleep(0.5)
    assert [found.stat().st_ino for found in backup.kept(folder)] == [made]
    database.check(file)
    for party in some:
        party.holds()
    house.no_fault()


def test_rl_48_a_backup_of_the_match_is_put_back_and_played_on(serve: Callable[..., Server]) -> None:
    """Made by an operator in mid-play; what was played since then is gone, all before is there."""
    house = serve()
    some = parties(house, 49, sockets=6)
    with playing(some):
        until(lambda: all(party.moves > 5 for party in some), "they play")
        file = Path(_mokali(house, "backup").stdout.strip())
        until(lambda: all(party.moves > 15 for party in some), "they play on")
        assert _mokali(house, "restore", str(file)).returncode == 1, "not while the house runs"
    before = {party.code: look(house, party.code, whole=True).lines for party in some}
    house.stop()
    put_back = _mokali(house, "restore", str(file))
    assert (put_back.returncode, put_back.stderr) == (0, "")
    for party in some:
        if party.code in list(party.told)[:1]:
            kept = look(house, party.code, whole=True)  # before the house seals anew what it had sealed since
            assert kept.lines == before[party.code][: kept.played]
    house.start()
    for party in some:
        code = next(iter(party.told))
        after = look(house, code, whole=True)
        seats = [Place(seat.visitor, code) for seat in party.seats]
        assert {seat.played for seat in seats} == {look(house, code).played}
        party.told = {code: [move for move in party.told[code] if move[0] < after.played]}
        party.code, party.seats, party.pending = code, seats, None
    counts = [party.moves for party in some]
    with playing(some):
        until(lambda: all(party.moves > count for party, count in zip(some, counts, strict=True)), "they play on")
    for party in some:
        party.holds()
    house.no_fault()


def _mokali(house: Server, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command line, as an operator of this house types it."""
    environ = os.environ | {"MOKALI_DATA": str(house.data)}
    return subprocess.run(
        [sys.executable, "-m", "mokali", *words], cwd=ROOT, env=environ, capture_output=True, text=True
    )
