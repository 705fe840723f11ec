"""Tavla's bots: a beginner of good will, a player by rules of thumb, and one that asks the networks (docs/bots.md)."""

from collections.abc import Callable
from typing import Final, TypeAlias

from mokali.engine.protocol import Action, Mind
from mokali.games.tavla.board import (
    BAR,
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
from mokali.games.tavla.position import side_of
from mokali.games.tavla.state import Move, TavlaView

Choice: TypeAlias = Callable[[Mind, list[Board]], Board]
"""From the boards that a turn can end with, not turned round, the one to play for."""

FAR_HOME: Final = 19
"""Where the other side's home begins."""


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
    return max(ends, key=lambda end: tidy(*end) + mind.rng.randrange(2_000) / 1_000)


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
    from mokali.games.tavla import expert  # it brings numpy with it, which nothing else of the house needs

    return _turn(mind, lambda mind, ends: expert.best(ends, expert.stakes_of(mind.view), mind.left))


# --- why ---


def why(mind: Mind, action: Action) -> str:
    """One sentence in Turkish on what this move does for whoever plays it; it tells no more than the board shows."""
    if not isinstance(action, Move):
        return "Pullar atılan zarlara göre oynanır."
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
