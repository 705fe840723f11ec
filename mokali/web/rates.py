"""How often: counts per address or person in memory. To lose them costs a stranger's few more tries."""

from collections import deque
from typing import Final

KEPT: Final = 10_000
"""Keys remembered; beyond that the oldest are forgotten."""


class Rate:
    """At most ``most`` in any ``window`` milliseconds, per key."""

    def __init__(self, most: int, window: int) -> None:
        self.most, self.window = most, window
        self._times: dict[str, deque[int]] = {}

    def allows(self, key: str, now: int) -> bool:
        """Whether one more fits; if so it is counted."""
        if not self.has_room(key, now):
            return False
        self._times[key].append(now)
        return True

    def has_room(self, key: str, now: int) -> bool:
        """Whether one more would fit; nothing is counted."""
        times = self._times.setdefault(key, deque())
        while times and times[0] <= now - self.window:
            times.popleft()
        if len(self._times) > KEPT:
            self._times.pop(next(iter(self._times)))
            self._times.setdefault(key, times)
        return len(times) < self.most


class Bucket:
    """A steady rate with a reserve: ``per_second`` of something flow in, ``reserve`` may be spent at once."""

    def __init__(self, per_second: int, reserve: int) -> None:
        self.per_second, self.reserve = per_second, reserve
        self._left: float = reserve
        self._at: int | None = None

    def takes(self, now: int) -> bool:
        """Whether one more is within the rate."""
        self._fill(now)
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def owes(self, now: int, spent: int) -> float:
        """Spend so much, and the seconds until that will have flowed in."""
        self._fill(now)
        self._left -= spent
        return max(0.0, -self._left / self.per_second)

    def _fill(self, now: int) -> None:
        if self._at is not None:
            self._left = min(self.reserve, self._left + (now - self._at) / 1000 * self.per_second)
        self._at = now
