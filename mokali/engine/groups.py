"""Which groups of a hand leave the best runs: an exact search, branch and bound. Knows tiles as counts only."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from operator import mul
from typing import TypeAlias

from msgspec import Struct

from mokali.engine.runs import POWER, Goal, Key

Keys: TypeAlias = tuple[Key, Key, Key, Key]
Choice: TypeAlias = tuple[int, Key, Key, Key, Key, int]
"""Groups of one number: okeys they take, what they lower the colours' keys by, and what they are worth."""
Rest: TypeAlias = tuple[int, int, int]
"""The most that groups of some numbers could be worth by themselves, with at most 0, 1, 2 okeys."""
Below: TypeAlias = tuple[Key, Key, int, int]
"""What is still undecided when all numbers from some place on are: ``_loose`` says what it does with it."""


class Picked(Struct, frozen=True):
    """The groups of one number, as natural tiles by colour and okeys."""

    number: int
    naturals: tuple[int, ...]
    okeys: int
    worth: int


class Search:
    """The search over one hand.

    ``naturals``: 0 to 2 of each of the 52 faces in canonical order. The numbers are gone through from 13 down. What a
    choice can come to is bounded by the best runs of what it leaves and the best groups of lower numbers, where a tile
    may be in both.
    """

    def __init__(self, naturals: Sequence[int], okeys: int, goal: Goal) -> None:
        self._table = goal.best
        first, second, third, fourth = (sum(map(mul, naturals[at : at + 13], POWER[1:])) for at in (0, 13, 26, 39))
        self._keys = first, second, third, fourth
        self._levels: list[tuple[int, tuple[Choice, ...], Rest, Below]] = []
        self._rest: Rest = (0, 0, 0)
        below: Below = (0, 0, 0, 0)
        lower = highest = 0
        for number in range(1, 14):
            held = tuple(naturals[number - 1 :: 13])
            size = sum(held)
            lower += size * (number * goal.weight + 1)
            highest = number if size else highest
            if size and size + okeys >= 3:
                choices, alone = _choices(number, held, okeys, goal.weight)
                if len(choices) == 1:  # no group
                    continue
                self._levels.append((number, choices, self._rest, below))
                self._rest = _both(self._rest, alone)
                full, surely = _full(number, goal.weight, goal.top)
                below = POWER[number], full, lower - 4 * surely, number * goal.weight + 1
        self._levels.reverse()
        # No less than all tiles are worth when they lie: a lone okey tops its meld's highest tile by 1, a second by 2.
        self._everything = lower + sum(min(13, highest + more) * goal.weight + 1 for more in range(1, okeys + 1))

    def best(self, okeys: int, floor: int = -1, enough: int | None = None) -> int:
        """The highest value with at most so many okeys, if it is above the floor; else the floor.

        With ``enough`` any value from there on will do.
        """
        self._found, self._enough = floor, self._everything if enough is None else enough
        self._begun = dict[tuple[int, ...], int]()
        bound = self._bound(*self._keys, okeys, self._rest)
        if not self._levels:
            return max(bound, floor)
        if bound > floor:
            self._descend(0, self._keys, okeys, 0)
        return self._found

    def first(self, okeys: int, value: int) -> tuple[list[Picked], Keys, Keys]:
        """The first groups that allow this value, the keys they leave, and how many okeys each colour's runs get.

        The value must be there. Groups come in the order of ``_choices``, from 13 down; okeys go to the last colours.
        """
        picked = list[Picked]()
        keys = self._pick(0, self._keys, okeys, value, picked)
        assert keys is not None, "no such value"
        okeys -= sum(groups.okeys for groups in picked)
        value -= sum(groups.worth for groups in picked)
        return picked, keys, next(split for split in _splits(okeys) if self._runs(keys, split) >= value)

    def _descend(self, depth: int, keys: Keys, okeys: int, got: int) -> None:
        _, choices, rest, below = self._levels[depth]
        last = depth + 1 == len(self._levels)
        one, two, three, four = keys
        plain, promising = self._table[0], []
        for taken, less1, less2, less3, less4, worth in choices:
            if taken > okeys:
                continue
            left = okeys - taken
            a, b, c, d = after = one - less1, two - less2, three - less3, four - less4
            if left:
                bound = got + worth + self._bound(a, b, c, d, left, rest)
            else:  # the same, and most of all cases
                bound = got + worth + plain[a] + plain[b] + plain[c] + plain[d] + rest[0]
            if bound > self._found:
                if last:  # nothing is left to bound: it is the value
                    self._found = bound
                else:
                    promising.append((bound, after, left, got + worth))
        promising.sort(reverse=True)
        for bound, after, left, gained in promising:
            if bound <= self._found or self._found >= self._enough:
                return
            if self._found < 0 or self._promises(depth, after, left, gained, below):
                self._descend(depth + 1, after, left, gained)

    def _promises(self, depth: int, keys: Keys, okeys: int, gained: int, below: Below) -> bool:
        """Whether no search with as much has begun here yet, and what is undecided could come to enough."""
        alike = depth, okeys, *sorted(keys)  # which colour is which changes no value
        if self._begun.get(alike, -1) >= gained:
            return False
        self._begun[alike] = gained
        return gained + self._loose(keys, okeys, below) > self._found

    def _loose(self, keys: Keys, okeys: int, below: Below) -> int:
        """Another bound: all tiles of undecided numbers lie, and the others in runs that may take any tiles of those.

        So the undecided part of the keys (above ``size``) becomes ``full``, two of each; what those would surely add
        to the best runs is already off ``lower``, the worth of the true ones. An okey there is worth ``wild`` at most.
        """
        size, full, lower, wild = below
        one, two, three, four = keys
        one, two, three, four = one % size + full, two % size + full, three % size + full, four % size + full
        return lower + self._bound(one, two, three, four, okeys, (0, wild, 2 * wild))

    def _bound(self, one: Key, two: Key, three: Key, four: Key, okeys: int, rest: Rest) -> int:
        """The best runs with at most so many okeys, and groups beside them with the other okeys."""
        table = self._table[0]
        a, b, c, d = table[one], table[two], table[three], table[four]
        runs = a + b + c + d
        if not okeys:
            return runs + rest[0]
        table = self._table[1]
        a1, b1, c1, d1 = table[one] - a, table[two] - b, table[three] - c, table[four] - d
        first, second = (a1, b1) if a1 > b1 else (b1, a1)
        third, fourth = (c1, d1) if c1 > d1 else (d1, c1)
        most = first if first > third else third
        if okeys == 1:
            return runs + max(rest[1], most + rest[0])
        table = self._table[2]
        apart = max(first + second, third + fourth, first + third)
        both = max(apart, table[one] - a, table[two] - b, table[three] - c, table[four] - d)
        return runs + max(rest[2], most + rest[1], both + rest[0])

    def _pick(self, depth: int, keys: Keys, okeys: int, value: int, picked: list[Picked]) -> Keys | None:
        """Puts groups worth ``value`` with the runs they leave into the list; what they leave of the colours."""
        if depth == len(self._levels):
            return keys
        number, choices, rest, _ = self._levels[depth]
        one, two, three, four = keys
        for taken, less1, less2, less3, less4, worth in choices:
            if taken > okeys:
                continue
            a, b, c, d = after = one - less1, two - less2, three - less3, four - less4
            if worth + self._bound(a, b, c, d, okeys - taken, rest) >= value:
                if worth:
                    naturals = tuple(less // POWER[number] for less in (less1, less2, less3, less4))
                    picked.append(Picked(number, naturals, taken, worth))
                left = self._pick(depth + 1, after, okeys - taken, value - worth, picked)
                if left is not None:
                    return left
                if worth:
                    picked.pop()
        return None

    def _runs(self, keys: Keys, okeys: Keys) -> int:
        (one, two, three, four), (a, b, c, d), table = keys, okeys, self._table
        return table[a][one] + table[b][two] + table[c][three] + table[d][four]


@cache
def _splits(okeys: int) -> tuple[Keys, ...]:
    """All ways to deal at most so many okeys to the colours, the last ones first."""
    some = range(okeys + 1)
    return tuple(split for split in product(some, some, some, some) if sum(split) <= okeys)


@cache
def _choices(number: int, held: tuple[int, ...], okeys: int, weight: int) -> tuple[tuple[Choice, ...], Rest]:
    """All groups that so many tiles of a number allow (OK-16), and the most that any with 0, 1, 2 okeys is worth.

    No group at all comes first, then more tiles before fewer, fewer okeys before more, red before yellow, blue, black.
    One tile with two okeys is left out where it is worth no less as a run: everywhere but at 13, for points (OK-21).
    """
    found = [
        (-used - sum(naturals), used, tuple(-count for count in naturals))
        for naturals in product(*(range(count + 1) for count in held))
        for used in range(okeys + 1)
        if parts(naturals, used) and (sum(naturals) > 1 or (number == 13 and weight))
    ]
    worth, power = number * weight + 1, POWER[number]
    choices = [(used, *(-count * power for count in taken), -size * worth) for size, used, taken in sorted(found)]
    none, one, two = (max((choice[5] for choice in choices if choice[0] <= most), default=0) for most in range(3))
    return ((0, 0, 0, 0, 0, 0), *choices), (none, one, two)


def parts(naturals: Sequence[int], okeys: int) -> int:
    """Into how few groups of three or four different colours these can be dealt; 0 where they can't."""
    size = okeys + sum(naturals)
    return next((parts for parts in (1, 2, 3) if 3 * parts <= size <= 4 * parts and max(naturals) <= parts), 0)


def _both(rest: Rest, alone: Rest) -> Rest:
    none, one, two = rest
    plain, wild, both = alone
    return none + plain, max(one + plain, none + wild), max(two + plain, one + wild, none + both)


@cache
def _full(highest: int, weight: int, top: int) -> tuple[Key, int]:
    """All tiles of a colour up to a number, and the least that they add to the best runs of whatever lies above.

    Runs from above take two of a copy's highest at most, and its 1 where that may follow 13 (KL-8). The others lie too
    if they are three or more.
    """
    worth = [number * weight + 1 for number in range(highest + 1)]
    least = min(
        sum(worth[1:first]) + sum(worth[last + 1 :]) + (sum(worth[first : last + 1]) if last - first >= 2 else 0)
        for last in range(max(0, highest - 2), highest + 1)
        for first in range(1, 2 if top == 13 else 3)
    )
    return sum(2 * POWER[number] for number in range(1, highest + 1)), 2 * least
