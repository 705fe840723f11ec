"""The bench gives all its figures, from a load that plays by the rules. What they come to is nobody's business here."""

import json
import subprocess
import sys
from math import isnan
from pathlib import Path

from mokali.bench import integer
from mokali.bench.load import Window
from mokali.bench.visit import first_visit
from mokali.games import GAMES
from tests.web.server import ROOT, Server

QUICK = ("--rounds", "1", "--seconds", "0.5", "--tables", "1,2", "--json")
LOADS = [f"tables: {number}, {load}" for number in (1, 2) for load in ("closed loop", "paced")]
MOVING = {
    "server CPU per move",
    "moves",
    "p50",
    "p99",
    "wire, per seat and move",
    "unpacked, per seat and move",
    "server's share of a processor",
    "player's share of a processor",
}


def _window(*delays: float) -> Window:
    counts = {"message_wire": 1_200, "beat_wire": 5_000}
    return Window(seats=4, seconds=2.0, cpu=0.5, client_cpu=0.1, delays=list(delays), counts=counts)


def test_the_bench_gives_every_figure_without_an_error() -> None:
    command = [sys.executable, "-m", "mokali", "bench", *QUICK]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    assert report["errors"] == {}
    figures = {(found["group"], found["name"]): found["median"] for found in report["figures"]}
    groups = {group: {name for of, name in figures if of == group} for group, _ in figures}
    assert all(groups[load] == MOVING for load in LOADS)
    assert groups["engine"] == {game.key for game in GAMES}
    assert {"its table is read", "best points, okeys: 2: p99", "Klasik: exchange: worst"} < groups["solver"]
    assert {"legal plays", "whole games", "a double: p99"} < groups["plays"]
    if integer.there():
        assert "integer programming, okeys: 2: p99" in groups["best points, side by side"]
    else:
        assert integer.HOW in report["warnings"]
    assert groups["memory"] == {"a socket", "a table without its sockets", "all of it with 1 tables"}
    assert groups.keys() > {"inside", "first visit", "growth", "a reader asleep at one of 2 tables, paced"}
    assert {"opened: median", "a step: p99"} < groups["watching 101 Okey again, 600 actions"]
    assert {"conversion, wall", "memory of a child, peak"} < groups["a voice message of 29.5 s"]
    assert "p99 beside them against without" in groups["2 tables, paced, in a house that converts 10 at once"]
    assert "p99 beside them less without" in groups["2 tables, paced, in a house in which 8 bots think"]
    signed = {(group, name) for group, name in figures if group == "memory" or "less" in name}
    assert all(value > 0 for what, value in figures.items() if what not in signed), figures
    assert all(value is not None for value in figures.values()), "enough was seen for every figure"
    assert report["machine"]["cores"] > 0
    assert report["machine"]["libraries"]["gunicorn"]


def test_a_window_is_told_per_move_and_seat_without_its_beats() -> None:
    window = _window(*(n / 1000 for n in range(1, 102)))
    assert (window.percentile_ms(50), window.percentile_ms(99)) == (51, 100)
    assert window.per_second == 50.5
    assert round(window.cpu_ms, 6) == round(500 / 101, 6)
    assert round(window.bytes_per_move("message_wire"), 6) == round(1_200 / 101 / 4, 6)
    assert window.client_share == 0.05


def test_a_window_with_one_move_or_none_has_no_spread() -> None:
    assert (_window(0.25).percentile_ms(50), _window(0.25).percentile_ms(99)) == (250, 250)
    assert isnan(_window().percentile_ms(50))


def test_a_first_visit_follows_styles_and_modules(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        got = {file.address.rpartition("/")[2] or "/": file.kind for file in first_visit(server.base, "/", "")}
    finally:
        server.kill()
    assert got["/"] == "page"
    assert got["mokali-cards-pages.css"] == "styles"
    assert got["page.js"] == "scripts"
    assert got["share.js"] == "scripts", "named by page.js alone"
    assert "recorder.js" not in got, "loaded when it is needed"
