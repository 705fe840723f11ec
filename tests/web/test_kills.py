"""Killed, stopped and reloaded in mid-play: nothing lost, nothing doubled, everybody back (RL-46, RL-50)."""

import time
from collections.abc import Callable
from random import Random

from mokali.games import GAMES
from tests.web.crowd import Party, look, parties, playing, raise_errors, restarted
from tests.web.server import ROOT, Server
from tests.web.wire import PATIENCE


def test_rl_33_rl_46_killed_at_random_moments(serve: Callable[..., Server], rounds: Callable[[int, int], int]) -> None:
    """Every registered game under load; SIGKILL for all processes of the house, then the same again.

    At first it lies still for three seconds: the real clocks once; made-up ones in ``tests/live/test_clocks.py``.
    """
    house = serve(pause_seconds=86_400)
    lazy = Party(house, GAMES[0], min(GAMES[0].seats), Random(46), lazy=True)
    some, rng, took = [*parties(house, 46, sockets=10), lazy], Random(46), list[float]()
    with playing(some):
        _until(lambda: _clock(house, lazy.code) is not None, some)
        for n in range(rounds(5, 1_000)):
            time.sleep(rng.uniform(0.05, 0.6))
            restarted(some, lambda down=0 if n else 3: took.append(_killed(house, some, lazy.code, down)))  # type: ignore[misc]
        _until(lambda: all(party.moves > 5 for party in some), some)
    for party in some:
        party.holds()
    house.no_fault()
    took.sort()
    print(f"serving again after {took[len(took) // 2]:.2f} s, at most {took[-1]:.2f}")  # to read, not to assert


def _killed(house: Server, some: list[Party], pausing: str, down: float = 0) -> float:
    """Kill, look at what is left, start; the seconds until it answered."""
    house.kill()
    time.sleep(down)
    for party in some:
        party.holds()
    with house.rows() as rows:
        assert rows.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        [(marked,)] = rows.execute("SELECT at FROM mark").fetchall() or [(0,)]
    clock = _clock(house, pausing)
    assert clock is not None
    began, wall = time.monotonic(), _wall()
    house.start()
    took = time.monotonic() - began
    _until(lambda: _clock(house, pausing) != clock, some)
    stood = max(marked, clock)
    after = _clock(house, pausing)
    assert after is not None
    assert wall - stood - 2 <= after - clock <= _wall() - stood + 2, "the clock stood from the mark until the start"
    return took


def _clock(house: Server, code: str) -> int | None:
    """When the pause of this table began; None where it is not in one."""
    row = look(house, code)
    return int(row.body["since"]) if row.pausing else None


def _wall() -> int:
    return time.time_ns() // 1_000_000


def _until(true: Callable[[], bool], some: list[Party]) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        raise_errors(some)
        assert time.monotonic() < until
        time.sleep(0.01)


def test_rl_50_stopped_and_reloaded_under_load(serve: Callable[..., Server], rounds: Callable[[int, int], int]) -> None:
    """TERM and HUP by turns: everybody is told 1012, and is back; no acknowledged move is lost, none done twice."""
    house = serve()
    some, rng = parties(house, 50, sockets=rounds(24, 100)), Random(50)
    sockets = sum(len(party.seats) for party in some)
    with playing(some):
        for n in range(rounds(2, 20)):
            time.sleep(rng.uniform(0.2, 0.6))
            told = sum(party.codes.count(1012) for party in some)
            restarted(some, house.reload if n % 2 else lambda: _stopped(house, some))
            codes = [code for party in some for code in party.codes]
            assert codes.count(1012) - told >= sockets, "every socket was told"
            assert set(codes) <= {1012, 1006}, "1006: a line that was accepted in the last moment"
        _until(lambda: all(party.moves > 5 for party in some), some)
    for party in some:
        party.holds()
    # of a line accepted in the last moment gunicorn itself logs that it could not serve it; nothing else may be there
    assert not [word for word in (f"{ROOT}/mokali/", "Assertion", "SIGABRT") if word in house.log], house.log[-6000:]


def _stopped(house: Server, some: list[Party]) -> None:
    house.stop()
    for party in some:
        party.holds()
    house.start()
