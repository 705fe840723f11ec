"""What it costs to watch a long match again: to rebuild and draw it, and every further step. In this process."""

import time
from random import Random
from statistics import median, quantiles
from typing import Final

from flask.testing import FlaskClient
from msgspec import Struct
from msgspec.structs import replace

from mokali.bench.inside import BASE, house_here
from mokali.bench.load import opened
from mokali.bench.melds import Cost
from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE, Action, ends_hand
from mokali.games import BY_KEY
from mokali.store import tables
from mokali.tables.table import Change, Ended, Entry, Why
from mokali.web.house import House
from mokali.web.replay import Shelf

GAME: Final = BY_KEY["okey101"]
ACTIONS: Final = 600
HANDS: Final = 11
OPENINGS: Final = 5
STEPS: Final = 60
"""A second that is asked for."""


class Costs(Struct, frozen=True):
    """Milliseconds of processor: whoever else computes here does not count."""

    actions: int
    opening: Cost
    step: Cost


def costs(seconds: float, rng: Random) -> Costs:
    """A match of 101 Okey of so many actions or a few more: opened anew some times, then stepped through."""
    with house_here() as house, house.app_context():
        code, last = _written(rng)
        client = house.test_client()
        for eyes in ("0", "hepsi"):  # templates are compiled once in a worker's life
            _asked(client, f"/tekrar/{code}?koltuk={eyes}")
        openings = [_opening(house, client, f"/tekrar/{code}") for _ in range(OPENINGS)]
        steps = []
        for _ in range(max(10, round(STEPS * seconds))):
            place, eyes = rng.randrange(last + 1), rng.choice(("0", "1", "2", "3", "hepsi"))
            steps.append(_asked(client, f"/tekrar/{code}?an={place}&koltuk={eyes}&parca=1"))
    return Costs(last, _cost(openings), _cost(steps))


def _opening(house: House, client: FlaskClient, path: str) -> float:
    """By a worker that knows nothing of it."""
    house.extensions["replay"] = Shelf()
    tables.forget()
    return _asked(client, path)


def _asked(client: FlaskClient, path: str) -> float:
    began = time.thread_time()
    answer = client.get(path, base_url=BASE)
    took = 1000 * (time.thread_time() - began)
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.status_code}")
    return took


def _cost(took: list[float]) -> Cost:
    return Cost(median(took), quantiles(took, n=100, method="inclusive")[98], max(took))


def _written(rng: Random) -> tuple[str, int]:
    """A match at random in the database, as if it had been left after so many actions; its code and its steps."""
    rules = codec.convert(type(GAME.rulesets["mokali"]), {"hands": HANDS})
    table, _ = opened(GAME, 0, rules)
    state, luck, entries = record.start(GAME, rules, len(table.chairs)), list[Action](), list[Entry]()
    while state.turn is not None and len(entries) < ACTIONS:
        if state.turn == HOUSE:
            luck = luck or list(state.draw_lots(rng))
        action = luck.pop(0) if state.turn == HOUSE else rng.choice(state.moves(state.turn))
        entries.append(Entry(state.turn, action))
        state, events = state.play(state.turn, action)
        luck = [] if ends_hand(events) else luck
    count = len(entries)
    after = replace(table, state=state, ended=Ended(Why.VOTED, 0), played=count, logged=count, revision=2)
    if count < ACTIONS or tables.commit(table, Change(after, tuple(entries)), 0) is None:
        raise RuntimeError("no match of that length")
    return table.code, count
