"""Makes mokali/engine/runs.xz, the best runs of one colour for every count of its tiles; half a minute.

.venv/bin/python deploy/runs.py [FILE]

A colour is 13 digits of 0, 1 or 2: how many of its 1s (first and heaviest), 2s, … 13s there are; so 3^13 entries. In
the file, one after another: points × 256 + tiles of the runs with most points (of those, with most tiles) that use at
most 0, 1 and 2 okeys, little-endian 16 bits; then the most tiles in runs with at most 0, 1 and 2 okeys, 8 bits.

The numbers are swept from 1 to 13. A state is how many runs lie open that are 1, 2 and at least 3 long, and how many
okeys they took. What can be had in each state, less what can be had with nothing open, repeats itself: a few thousand
such profiles are all there are, and the table of a profile is made of those of the three that may follow it.
"""

import lzma
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

FILE = Path(__file__).parents[1] / "mokali" / "engine" / "runs.xz"
OKEYS, AT_ONCE = 2, 4  # two of a number and two okeys: never more than four runs at once

State = tuple[int, int, int, int]
"""Open runs of length 1, 2, and 3 or more; okeys used."""
Profile = tuple[tuple[State, int], ...]
EMPTY: State = (0, 0, 0, 0)


def table(worth: Callable[[int], int]) -> list[list[int]]:
    """Every colour's best at most 0, 1 and 2 okeys, where a place of a run is worth so much by its number."""
    level: dict[Profile, int] = {((EMPTY, 0),): 0}
    steps: list[list[tuple[int, int]]] = []
    for number in range(1, 14):
        following: dict[Profile, int] = {}
        steps.append([])
        for profile in level:
            for count in range(3):
                gained, then = _after(profile, count, worth(number))
                steps[-1].append((gained, following.setdefault(then, len(following))))
        level = following
    return [_unrolled(steps, [_closed(profile, okeys) for profile in level]) for okeys in range(OKEYS + 1)]


def _after(profile: Profile, count: int, worth: int) -> tuple[int, Profile]:
    """The profile one number further, with so many tiles of it; and what "nothing open" has gained."""
    best: dict[State, int] = {}
    for (one, two, long, used), value in profile:
        for longer, new in product(range(long + 1), range(AT_ONCE + 1)):
            places = one + two + longer + new
            okeys = used + max(0, places - count)
            if places <= AT_ONCE and okeys <= OKEYS:
                state, total = (new, one, two + longer, okeys), value + places * worth
                best[state] = max(best.get(state, total), total)
    gained = best[EMPTY]
    kept = ((state, value - gained) for state, value in sorted(best.items()) if not _beaten(state, value, best))
    return gained, tuple(kept)


def _beaten(state: State, value: int, best: dict[State, int]) -> bool:
    """Whether more long runs lie open elsewhere (they may be left), or fewer okeys are used, for no less."""
    one, two, long, okeys = state
    return state != EMPTY and any(
        (more, fewer) != (long, okeys) and best.get((one, two, more, fewer), value - 1) >= value
        for more in range(long, AT_ONCE + 1)
        for fewer in range(okeys + 1)
    )


def _closed(profile: Profile, okeys: int) -> int:
    return max(value for (one, two, _, used), value in profile if not one and not two and used <= okeys)


def _unrolled(steps: list[list[tuple[int, int]]], last: list[int]) -> list[int]:
    tails = [[value] for value in last]
    for row in reversed(steps):
        tails = [
            [gained + value for gained, then in row[place : place + 3] for value in tails[then]]
            for place in range(0, len(row), 3)
        ]
    return tails[0]


def main(file: Path) -> None:
    """Write the file."""
    points = table(lambda number: number * 256 + 1)
    tiles = table(lambda number: 1)
    plain = b"".join(b"".join(value.to_bytes(2, "little") for value in values) for values in points)
    file.write_bytes(lzma.compress(plain + b"".join(map(bytes, tiles)), preset=9))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
