"""What is measured, in what order, and how it is shown."""

from argparse import Namespace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import gevent

from mokali.bench.load import Load, Window
from mokali.bench.server import GENEROUS, Server
from mokali.engine.protocol import Game
from mokali.games import BY_KEY, GAMES

PAUSE: Final = 0.5
"""Seconds from one move of a table to its next in the paced load."""
WARM_UP: Final = 2.0
ROOMY: Final[dict[str, Any]] = GENEROUS | {"max_people": 10_000, "max_tables": 10_000, "grace_seconds": 86_400}
"""Nobody is turned away, and nobody counts as absent."""


def run(given: Namespace) -> int:
    """Measure, print."""
    game = BY_KEY[given.game or GAMES[0].key]
    for number in map(int, given.tables.split(",")):
        for name, window in _tables(game, number, given.seconds).items():
            print(number, name, _line(window), flush=True)
    return 0


def _tables(game: Game, number: int, seconds: float) -> dict[str, Window]:
    """The two kinds of load, one after the other, in a fresh house."""
    found = {}
    with TemporaryDirectory() as folder:
        server = Server(Path(folder), **ROOMY)
        load = Load(server, game, number, Random(1))
        server.start()
        try:
            load.start()
            for name, pause in (("closed", 0.0), ("paced", PAUSE)):
                load.pace(pause)
                gevent.sleep(min(WARM_UP, seconds))
                found[name] = load.measure(seconds)
        finally:
            load.stop()
            server.kill()
    return found


def _line(window: Window) -> str:
    wire, text = window.bytes_per_move("message_wire"), window.bytes_per_move("message_text")
    return (
        f"{window.per_second:8.1f} moves/s {window.cpu_ms:8.3f} ms CPU {window.percentile_ms(50):8.2f} ms p50 "
        f"{window.percentile_ms(99):8.2f} ms p99 {wire:6.0f} B wire {text:6.0f} B text "
        f"client {window.client_share:.0%} errors {window.errors}"
    )
