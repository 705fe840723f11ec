"""Tavla's bots: a beginner of good will, a player by rules of thumb, and one that asks the networks (docs/bots.md)."""

from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

import numpy as np

from mokali.engine.protocol import Action, Mind
from mokali.games.tavla import network
from mokali.games.tavla.board import (
    BAR,
    CHECKERS,
    HOME,
    OFF,
    Board,
    Dice,
    Side,
    finals,
    moved,
    pips,
    steps,
    without,
)
from mokali.games.tavla.network import Floats, Stakes
from mokali.games.tavla.plays import array_of, plays, turned
from mokali.games.tavla.position import side_of
from mokali.games.tavla.rules import MARS, SINGLE
from mokali.games.tavla.state import Move, TavlaView

Choice: TypeAlias = Callable[[Mind, list[Board]], Board]
"""From the boards that a turn can end with, not turned round, the one to play for."""

CLOSE: Final = 0.2
"""So much worse than the best at a first look, in points of a game, and a play is not looked at again."""
SECOND_LOOKS: Final = 6
ENOUGH: Final = 0.1
"""Seconds that a second look may take."""
THROWS: Final = np.array([(one, other) for one in range(1, 7) for other in range(1, one + 1)])
ODDS: Final = (np.where(THROWS[:, 0] == THROWS[:, 1], 1, 2) / 36).astype(np.float32)
FAR_HOME: Final = 19
"""Where the other side's home begins."""
MARS_RATE: Final = 0.25
"""So many games between equals end with a mars."""


# --- what all levels share ---


def _turn(mind: Mind, choice: Choice) -> Action:
    """Roll when due; else the first step towards the chosen board. Takes nothing back."""
    moves = [move for move in mind.moves if isinstance(move, Move)]
    if len(moves) < 2:
        return moves[0] if moves else mind.moves[0]
    mine, theirs, dice = _seen(mind.view)
    return _towards(mine, theirs, dice, choice(mind, sorted(finals(mine, theirs, dice))))


def _seen(view: object) -> tuple[Side, Side, Dice]:
    """The viewer's checkers, the other's, and the dice left."""
    assert isinstance(view, TavlaView)
    white, black = side_of(view.board.white), side_of(view.board.black)
    return (white, black, view.dice) if view.seat == 0 else (black, white, view.dice)


def _towards(mine: Side, theirs: Side, dice: Dice, goal: Board) -> Move:
    """A step of a play that ends with this board."""
    for start, die in steps(mine, theirs, dice):
        me, you, _ = moved(mine, theirs, start, die)
        if goal in finals(me, you, without(dice, die)):
            return Move("bar" if start == BAR else start, die)
    raise AssertionError("no play ends there")


# --- kolay ---


def kolay(mind: Mind) -> Action:
    """A beginner of good will."""
    return _turn(mind, _beginner)


def _beginner(mind: Mind, ends: list[Board]) -> Board:
    """Hits gladly, likes points, leaves few checkers alone and goes home, but sees no danger and no plan."""
    return max(ends, key=lambda end: tidy(*end) + 2 * mind.rng.random())


def tidy(mine: Side, theirs: Side) -> float:
    """How a board looks to a beginner: blots are bad wherever they stand, points good, checkers far back bad."""
    points = sum(count > 1 for count in mine[1:BAR])
    return 2 * theirs[BAR] + mine[OFF] - mine[1:BAR].count(1) + points / 2 - sum(mine[FAR_HOME:]) / 2


# --- orta ---


def orta(mind: Mind) -> Action:
    """A player who knows the rules of thumb, and looks at the board after its own play alone."""
    return _turn(mind, _player)


def _player(mind: Mind, ends: list[Board]) -> Board:
    """The best by all rules of thumb together; of equals the first."""
    return max(ends, key=lambda end: sum(rule(*end) for rule in (RACE if passed(*end) else CONTACT)))


def passed(mine: Side, theirs: Side) -> bool:
    """Whether no checker can be hit any more."""
    return rear(mine) + rear(theirs) < BAR


def rear(side: Side) -> int:
    """Where the last checker stands."""
    return max((place for place in range(BAR, 0, -1) if side[place]), default=OFF)


def ahead(mine: Side, theirs: Side) -> float:
    """Whoever has fewer pips to go is better off; a hit sends the other's checker all the way back."""
    return (pips(theirs) - pips(mine)) / 8


def safe(mine: Side, theirs: Side) -> float:
    """A blot costs what it would lose, as often as it is hit; more where it will not come in again."""
    strong = sum(count > 1 for count in theirs[1 : HOME + 1])
    return (
        -sum((BAR - blot + 4 * strong) * hit_chance(mine, theirs, blot) for blot in range(1, BAR) if mine[blot] == 1)
        / 8
    )


def hit_chance(mine: Side, theirs: Side, blot: int) -> float:
    """With which part of all throws the other side hits this point; from the bar with a checker there alone."""
    froms = [0] if theirs[BAR] else [BAR - place for place in range(1, BAR) if theirs[place]]
    hits = {
        throw
        for start in froms
        for throw, stops in _SHOTS.get(blot - start, ())
        if all(mine[start + stop] < 2 for stop in stops)
    }
    return sum(1 if one == other else 2 for one, other in hits) / 36


def _shots() -> dict[int, list[tuple[Dice, Dice]]]:
    """By distance the throws that go so far, with where they stop on the way."""
    found: dict[int, list[tuple[Dice, Dice]]] = {}
    for one in range(1, 7):
        for count in range(1, 5):
            found.setdefault(one * count, []).append(((one, one), tuple(one * stop for stop in range(1, count))))
        for other in range(1, one):
            for away, stops in ((one, ()), (other, ()), (one + other, (one,)), (one + other, (other,))):
                found.setdefault(away, []).append(((one, other), stops))
    return found


_SHOTS: Final = _shots()


def strong_points(mine: Side, theirs: Side) -> float:
    """The five and the four points first, then the bar point; and a hold in the other's home."""
    return sum(worth for point, worth in _WORTH.items() if mine[point] > 1)


_WORTH: Final = {5: 2.4, 4: 2.0, 7: 1.6, 6: 1.6, 3: 1.2, 8: 0.8, 2: 0.5, 9: 0.5, 20: 2.0, 21: 1.6, 18: 1.0, 22: 0.8}


def wall(mine: Side, theirs: Side) -> float:
    """Points in a row before the other's last checkers, the more the better."""
    return 0.12 * longest_wall(mine, rear(theirs)) ** 2


def pinned(mine: Side, theirs: Side) -> float:
    """The other's points in a row before the own last checkers are as bad."""
    return -0.08 * mine[rear(mine)] * longest_wall(theirs, rear(mine)) ** 2


def longest_wall(side: Side, behind: int) -> int:
    """So many points in a row does this side hold that the other's checker on its point ``behind`` has yet to pass."""
    longest = run = 0
    for point in range(BAR - behind + 1, BAR):
        run = run + 1 if side[point] > 1 else 0
        longest = max(longest, run)
    return longest


def spread(mine: Side, theirs: Side) -> float:
    """More than three on a point are idle; all the more near the end of the way."""
    return -0.35 * sum(count - 3 for count in mine[4:BAR] if count > 3) - 0.7 * sum(mine[1:3])


def in_the_fight(mine: Side, theirs: Side) -> float:
    """A checker of the other on the bar may lose its whole throw to a strong home."""
    strong = sum(count > 1 for count in mine[1 : HOME + 1])
    return 0.3 * strong * theirs[BAR]


def all_in(mine: Side, theirs: Side) -> float:
    """In the race: first every checker home, with nothing wasted."""
    return -sum(mine[HOME + 1 :]) - sum(place * count for place, count in enumerate(mine) if place > HOME) / 10


def take_off(mine: Side, theirs: Side) -> float:
    """Then off as many as can be, and no gap left on the high points."""
    return 2 * mine[OFF] - 0.1 * sum(mine[point] == 0 for point in range(4, HOME + 1)) - pips(mine) / 20


CONTACT: Final = (ahead, safe, strong_points, wall, pinned, spread, in_the_fight)
RACE: Final = (all_in, take_off)


# --- zor ---


def zor(mind: Mind) -> Action:
    """The best that the networks find in time, for the match and not for this game alone."""
    return _turn(mind, _expert)


def _expert(mind: Mind, ends: list[Board]) -> Board:
    """The best by the networks: at a first look of all, at a second of those that are close."""
    for end in ends:
        if end[0][OFF] == CHECKERS:
            return end
    stakes = stakes_of(mind.view)
    values = first_look(ends, stakes)
    order: list[int] = np.argsort(-values, kind="stable")[:SECOND_LOOKS].tolist()
    close = [ends[at] for at in order if values[at] >= values[order[0]] - CLOSE * (stakes[0] - stakes[2]) / 2]
    if len(close) < 2 or mind.left() < ENOUGH:
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


# --- why ---


def why(mind: Mind, action: Action) -> str:
    """One sentence in Turkish on what this move does for whoever plays it; it tells no more than the board shows."""
    if not isinstance(action, Move):
        return "Sıra sende: zarlarını at."
    mine, theirs, dice = _seen(mind.view)
    start = BAR if action.start == "bar" else action.start
    if steps(mine, theirs, dice) == ((start, action.die),):
        return "Bu zarla oynanabilecek tek hamle bu."
    me, _, hit = moved(mine, theirs, start, action.die)
    end = max(start - action.die, OFF)
    race = passed(mine, theirs)
    danger = 0.0 if race or start == BAR or mine[start] != 1 else hit_chance(mine, theirs, start)
    if end == OFF:
        return "Pul toplarsın: önce bütün pullarını toplayan kazanır."
    if hit:
        return f"Rakibin açık pulunu kırarsın: o pul {end} hane geri düşer."
    if me[end] == 2:
        return f"{end} kapısını alırsın: rakip oraya oynayamaz."
    if start == BAR:
        return "Bardaki pulun oyuna girer."
    if danger and me[end] > 2:
        return "Açıktaki pulunu güvene alırsın."
    if not race and start >= FAR_HOME > end:
        return "Arkadaki pulunu rakibin evinden çıkarırsın."
    if race and start > HOME >= end:
        return "Pulunu evine sokarsın: toplamak için bütün pulların evde olmalı."
    return "Pulunu evine yaklaştırırsın."
