"""What chance gives on average is reckoned right: beside plain counting, and beside many deals (CM-13)."""

from collections import defaultdict
from itertools import combinations
from math import sqrt
from random import Random

import pytest

from mokali.engine import chance, record
from mokali.engine.protocol import Game, Stroke
from mokali.games import GAMES
from tests.web.leaks import shortest

TABLES = [pytest.param(game, seats, id=f"{game.key}-{seats}") for game in GAMES for seats in game.seats]


def spread(values: list[int]) -> tuple[float, float]:
    """Mean and variance."""
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values)


def test_what_is_among_others_is_counted_out() -> None:
    taken = [sum(place < 3 for place in some) for some in combinations(range(8), 4)]
    assert chance.among(8, 3, 4) == pytest.approx(spread(taken))


def test_pairs_are_counted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "TILES", 9)
    monkeypatch.setattr(chance, "WHOLE_PAIRS", 4)
    tiles = [*"aabbccdd", "e"]
    found = [5 - len({tiles[place] for place in some}) for some in combinations(range(9), 5)]
    assert chance.pairs(5) == pytest.approx(spread(found))


def strokes(game: Game, seats: int, deals: int) -> dict[tuple[str, int], list[Stroke]]:
    """What is counted in so many first hands, or throws of a game that lasts as long."""
    found: defaultdict[tuple[str, int], list[Stroke]] = defaultdict(list)
    rng = Random(8)
    fresh = record.start(game, shortest(game), seats)
    for _ in range(deals):
        state = fresh
        for lot in fresh.draw_lots(rng)[:4]:
            while (turn := state.turn) is not None and turn >= 0:  # Tavla: somebody rolls
                state, _ = state.play(turn, state.moves(turn)[0])
            state, _ = state.play(-1, lot)
            for stroke in game.strokes(lot, state):
                found[stroke.what, stroke.seat].append(stroke)
    return found


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_many_deals_give_what_is_expected(game: Game, seats: int) -> None:
    """Each kind at each seat: the mean within 4 standard deviations, the spread within a fifth."""
    found = strokes(game, seats, 1_500)
    assert {seat for _, seat in found} == set(range(seats))
    for (what, seat), some in found.items():
        mean, variance = sum(one.mean for one in some), sum(one.variance for one in some)
        assert abs(sum(one.count for one in some) - mean) < 4 * sqrt(variance), (what, seat)
        around = sum((one.count - one.mean) ** 2 for one in some)
        assert 0.75 < around / variance < 1.25, (what, seat)
