"""What Tavla's legal plays cost, on positions at random, and how many games at random a second has room for."""

import time
from random import Random
from statistics import median, quantiles
from typing import Final

from mokali.bench import inside
from mokali.bench.melds import Cost
from mokali.games.tavla import GAME
from mokali.games.tavla.board import BAR, CHECKERS, HOME, OFF, Board, Side, dice_of, finals

POSITIONS: Final = 200
"""Positions a second that is asked for, of each kind of throw."""


def costs(seconds: float, rng: Random) -> tuple[dict[str, Cost], float]:
    """Milliseconds of processor for all plays of a throw, by kind of throw; and how many are found in a second."""
    found, plays, spent = dict[str, Cost](), 0, 0.0
    for name in ("two dice", "a double"):
        took = []
        for _ in range(round(POSITIONS * seconds)):
            mine, theirs = position(rng)
            one, other = rng.sample(range(1, 7), 2)
            dice = dice_of((one, one if name == "a double" else other))
            began = time.thread_time()
            plays += len(finals(mine, theirs, dice))
            took.append(1000 * (time.thread_time() - began))
        found[name] = Cost(median(took), quantiles(took, n=100, method="inclusive")[98], max(took))
        spent += sum(took) / 1000
    return found, plays / spent


def games_per_second(seconds: float, rng: Random) -> float:
    """Single games at random, for at least so long."""
    began, games = time.perf_counter(), 0
    while (took := time.perf_counter() - began) < seconds:
        inside.match(GAME, rng)
        games += 1
    return games / took


def position(rng: Random) -> Board:
    """Checkers strewn over the board: a third of the movers has some on the bar, a third all at home."""
    far = rng.choice((HOME, BAR - 1, BAR - 1))
    mine = _strewn(rng, list(range(1, far + 1)), rng.randint(1, 3) if far != HOME and rng.randrange(2) == 0 else 0)
    free = [point for point in range(1, BAR) if not mine[BAR - point]]
    return mine, _strewn(rng, free, rng.randint(0, 1))


def _strewn(rng: Random, points: list[int], bar: int) -> Side:
    """Few points or many, some checkers off."""
    side = [0] * (BAR + 1)
    side[BAR] = bar
    side[OFF] = rng.randint(0, CHECKERS - 1 - bar) if rng.randrange(2) == 0 else 0
    some = rng.sample(points, rng.randint(min(3, len(points)), min(8, len(points))))
    for _ in range(CHECKERS - sum(side)):
        side[rng.choice(some)] += 1
    return tuple(side)
