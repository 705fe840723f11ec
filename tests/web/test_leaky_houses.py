"""Deliberate leaks, each noticed by the very checks that the house itself passes, and named by them (RL-34)."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mokali.engine import record
from mokali.games import GAMES
from tests.hidden import things
from tests.web.leaks import PATIENT, opened, shortest
from tests.web.server import Server
from tests.web.worlds import Scenario, scenario, tell_apart

GAME = next(
    game for game in GAMES if any(things(record.start(game, shortest(game), game.seats[0]).draw_lots(Random(1))))
)
"""Any game that hides something."""

NAMED = {
    "rack": "is told .*data-rack=",
    "deck": r'is told .*"deck":\[',
    "legal": "is told .*data-legal=",
    "event": "is told .*data-id=",
    "error": "is told .*data-code=",
    "kayit": r'is told .*"seat":"house"',
    "salt": "is told a salt",
    "cookie": "is told the token",
}
"""House of ``planted_leaks`` to what the search says of it."""

FELT = {"style": 'class="h', "order": 'data-order="', "length": r"\((\d+), (?!\1\b)\d+\)"}
"""The same for what names nothing, and what the comparison says."""


def planted(name: str) -> str:
    return f"tests.web.planted_leaks:{name}()"


@pytest.mark.parametrize("leak", NAMED)
def test_rl_34_a_planted_leak_is_found(serve: Callable[..., Server], leak: str) -> None:
    house = serve(planted(leak), **PATIENT)
    with pytest.raises(AssertionError, match=f"(?s){NAMED[leak]}"):
        _a_little(house)
    house.no_fault()


def _a_little(house: Server) -> None:
    table = opened(house, GAME, GAME.seats[0], Random(1))
    table.begin()
    for ear in table.ears:
        table.move()
        table.tour(ear)


@pytest.mark.parametrize("leak", FELT)
def test_rl_34_a_planted_difference_is_felt(tmp_path: Path, leak: str) -> None:
    with pytest.raises(AssertionError, match=f"(?s)can tell two worlds apart by .*{FELT[leak]}"):
        tell_apart(tmp_path, planted(leak), _some)


def _some() -> list[Scenario]:
    """A handful of tables: not every pair of worlds differs in what a small leak tells."""
    seats = GAME.seats[-1]
    return [scenario(GAME, seats, viewer, seed) for seed, viewer in enumerate((0, seats - 1, None))]
