"""How a bot tries choices out in worlds that may be. Knows no game."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from typing import Final, TypeVar

T = TypeVar("T")
W = TypeVar("W")


def preferred(usual: T, others: Iterable[T], worlds: Iterable[W], outcome: Callable[[W, T], float]) -> T:
    """The usual choice, unless another came out surely better: by its mean gain less the standard error of that."""
    gains: list[tuple[T, list[float]]] = [(choice, []) for choice in others if choice != usual]
    for world in worlds if gains else ():
        base = outcome(world, usual)
        for choice, gained in gains:
            gained.append(outcome(world, choice) - base)
    best, most = usual, 0.0
    for choice, gained in gains:
        if (gain := _sure(gained)) > most:
            best, most = choice, gain
    return best


def while_time(left: Callable[[], float], most: int) -> Iterator[int]:
    """Numbers from 0 while seconds are left: no more than ``most``, and a few in any case, since one world says little.

    >>> len(list(while_time(lambda: -1.0, 100)))
    8
    """
    for number in range(most):
        if number >= _FEWEST and left() < 0:
            return
        yield number


_FEWEST: Final = 8


def _sure(gained: Sequence[float]) -> float:
    if len(gained) < 2:
        return sum(gained)
    mean = sum(gained) / len(gained)
    spread = sum((gain - mean) ** 2 for gain in gained) / (len(gained) - 1)
    return mean - sqrt(spread / len(gained))
