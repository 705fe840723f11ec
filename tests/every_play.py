"""Legal plays of Tavla by trying everything, as TV-11 and TV-12 say them. Shares nothing with the rules but sides.

A side is its checkers, one place each; the mover's places are his own, and so are the places of the enemies he meets.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

Men: TypeAlias = tuple[int, ...]
"""Places of checkers not yet off, the farthest first; 25 is the bar."""
Step: TypeAlias = tuple[int, int]
Play: TypeAlias = tuple[Step, ...]
Board: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def plays(mine: tuple[int, ...], theirs: tuple[int, ...], dice: tuple[int, ...]) -> dict[Play, Board]:
    """Every legal play, as its steps in order, and the board after it."""
    men = tuple(place for place in range(25, 0, -1) for _ in range(mine[place]))
    foes = tuple(25 - place for place in range(25, 0, -1) for _ in range(theirs[place]))  # on the bar: 0
    complete = [play for order in {dice, dice[::-1]} for play in _sequences(men, foes, order)]
    most = max(len(steps) for steps, _, _ in complete)
    legal = [play for play in complete if len(play[0]) == most]
    if most == 1 and len(set(dice)) > 1:
        legal = [play for play in legal if play[0][0][1] == max(dice)] or legal
    legal += [play for play in complete if not play[1]]  # who has borne off all has played enough (TV-12)
    return {steps: (_side(left, mine), _foe(met, theirs)) for steps, left, met in legal}


@lru_cache(maxsize=20_000)
def _sequences(men: Men, foes: Men, dice: tuple[int, ...]) -> tuple[tuple[Play, Men, Men], ...]:
    """All that these dice allow in this order, each as long as it can be: its steps, and the men then."""
    if not dice or not men:
        return (((), men, foes),)
    found = []
    for start in sorted(set(men)):
        for left, met in _one(men, foes, start, dice[0]):
            found += [(((start, dice[0]), *steps), a, b) for steps, a, b in _sequences(left, met, dice[1:])]
    return tuple(found) or (((), men, foes),)


def _one(men: Men, foes: Men, start: int, die: int) -> Iterator[tuple[Men, Men]]:
    """The board after a man goes from here, where he may."""
    if 25 in men and start != 25:
        return
    rest = list(men)
    rest.remove(start)
    end = start - die
    if end <= 0:
        if max(men) > 6 or (end < 0 and max(men) > start):
            return
        yield tuple(rest), foes
    elif Counter(foes)[end] < 2:
        yield tuple(sorted([*rest, end], reverse=True)), tuple(sorted(0 if foe == end else foe for foe in foes))


def _side(men: Men, before: tuple[int, ...]) -> tuple[int, ...]:
    counts = Counter(men)
    return (sum(before) - len(men), *(counts[place] for place in range(1, 26)))


def _foe(foes: Men, before: tuple[int, ...]) -> tuple[int, ...]:
    return _side(tuple(25 - foe for foe in foes), before)
