"""Which board zor plays for: a first look by the networks, and a second after every answer (docs/bots.md)."""

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from mokali.games.tavla import network
from mokali.games.tavla.board import CHECKERS, OFF, Board
from mokali.games.tavla.network import Floats, Stakes
from mokali.games.tavla.plays import array_of, plays, turned
from mokali.games.tavla.rules import MARS, SINGLE
from mokali.games.tavla.state import TavlaView

CLOSE: Final = 0.15
"""So much worse than the best at a first look, in points of a game, and a play is not looked at again."""
SECOND_LOOKS: Final = 5
ENOUGH: Final = 0.1
"""Seconds that a second look may take."""
THROWS: Final = np.array([(one, other) for one in range(1, 7) for other in range(1, one + 1)])
ODDS: Final = (np.where(THROWS[:, 0] == THROWS[:, 1], 1, 2) / 36).astype(np.float32)
MARS_RATE: Final = 0.25
"""So many games between equals end with a mars."""


def best(ends: list[Board], stakes: Stakes, left: Callable[[], float]) -> Board:
    """The best of the boards that a turn can end with: at a first look of all, at a second of those that are close."""
    for end in ends:
        if end[0][OFF] == CHECKERS:
            return end
    values = first_look(ends, stakes)
    order: list[int] = np.argsort(-values, kind="stable")[:SECOND_LOOKS].tolist()
    close = [ends[at] for at in order if values[at] >= values[order[0]] - CLOSE * (stakes[0] - stakes[2]) / 2]
    if len(close) < 2 or left() < ENOUGH:
        return close[0]
    return close[int(np.argmax(second_look(close, stakes)))]


def first_look(ends: list[Board], stakes: Stakes) -> Floats:
    """What these boards are worth to who has just played."""
    values: Floats = -network.worth(network.chances(turned(array_of(ends)), network.trained()), _other(stakes))
    return values


def second_look(ends: list[Board], stakes: Stakes) -> Floats:
    """The same after all throws of the other side, each played the best way."""
    count = len(THROWS)
    after = plays(turned(array_of(ends)).repeat(count, axis=0), np.tile(THROWS, (len(ends), 1)))
    values = network.worth(network.chances(turned(after.boards), network.trained()), stakes)
    expected: Floats = after.least(values).reshape(len(ends), count) @ ODDS
    return expected


def _other(stakes: Stakes) -> Stakes:
    """The same as the other side has it."""
    win, mars, lose, lose_mars = stakes
    return -lose, -lose_mars, -win, -mars


def stakes_of(view: object) -> Stakes:
    """What the ends of this game are worth in the match: from -1, lost, to 1, won."""
    assert isinstance(view, TavlaView)
    assert view.seat is not None
    mine, theirs = (view.target - view.totals[seat] for seat in (view.seat, 1 - view.seat))
    ends = ((mine - SINGLE, theirs), (mine - MARS, theirs), (mine, theirs - SINGLE), (mine, theirs - MARS))
    win, mars, lose, lose_mars = (2 * match_chance(*end) - 1 for end in ends)
    return win, mars, lose, lose_mars


@cache
def match_chance(mine: int, theirs: int) -> float:
    """The chance to win a match among equals, where so many points are wanting."""
    if mine <= 0 or theirs <= 0:
        return float(mine <= 0)
    single, mars = (1 - MARS_RATE) / 2, MARS_RATE / 2
    won = single * match_chance(mine - SINGLE, theirs) + mars * match_chance(mine - MARS, theirs)
    lost = single * match_chance(mine, theirs - SINGLE) + mars * match_chance(mine, theirs - MARS)
    return won + lost
