"""Figures for whoever runs the house: counts and spreads, in the text that Prometheus reads (RL-55). Knows nobody.

Counting costs a fraction of a microsecond: one loop alone writes here, so nothing is locked. The library only tells.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate
from time import perf_counter
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

BOUNDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Upper bounds of the spreads, in seconds."""


class Count:
    """How often, by labels."""

    def __init__(self, name: str, meaning: str, *labels: str) -> None:
        self.name, self.meaning, self.labels = f"mokali_{name}", meaning, labels
        self.by: dict[tuple[str, ...], int] = {}

    def up(self, *labels: str) -> None:
        """Once more."""
        self.by[labels] = self.by.get(labels, 0) + 1

    def told(self) -> Metric:
        """As the library tells it."""
        family = CounterMetricFamily(self.name, self.meaning, labels=self.labels)
        for labels, count in self.by.items():
            family.add_metric(labels, count)
        if not self.labels and not self.by:
            family.add_metric((), 0)
        return family


class Spread:
    """How long, as a histogram in seconds."""

    def __init__(self, name: str, meaning: str) -> None:
        self.name, self.meaning = f"mokali_{name}_seconds", meaning
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def note(self, seconds: float) -> None:
        """It took so long this time."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def told(self) -> Metric:
        """As the library tells it."""
        below = zip((*map(str, BOUNDS), "+Inf"), accumulate(self.counts), strict=True)
        family = HistogramMetricFamily(self.name, self.meaning)
        family.add_metric((), buckets=list(below), sum_value=self.sum)
        return family


class Telling:
    """One change on its way to every wire of a table; noted once the last of them has written it."""

    __slots__ = ("began", "left")

    def __init__(self, wires: int) -> None:
        self.left, self.began = wires, perf_counter()

    def arrived(self) -> None:
        """One wire has written the picture, or is gone."""
        self.left -= 1
        if not self.left:
            commit_to_last_writer.note(perf_counter() - self.began)


actions: Final = Count("actions", "What was done at tables.", "game", "action")
refusals: Final = Count("refusals", "What was refused.", "game", "code")
dropped: Final = Count("dropped", "Messages that were none.", "kind")
cuts: Final = Count("outbox_closes", "Readers that were given up: too much in line, or no progress.", "why")
reconnects: Final = Count("reconnects", "Sockets of a page that had been open for a while.")
conversions: Final = Count("conversions", "Voice messages that came to be converted.", "outcome")

commit: Final = Spread("commit", "Writing one change, until it is on disk.")
move_to_commit: Final = Spread("move_to_commit", "From a person's move to its commit.")
commit_to_last_writer: Final = Spread("commit_to_last_writer", "From a commit until the last wire has written it.")
render: Final = Spread("render", "Drawing a table for one person.")
loop_delay: Final = Spread("loop_delay", "How late the loop wakes.")

_COUNTS: Final = (actions, refusals, dropped, cuts, reconnects, conversions)
_SPREADS: Final = (commit, move_to_commit, commit_to_last_writer, render, loop_delay)


class Gauge:
    """How many there are now, by one label or none."""

    def __init__(self, name: str, meaning: str, now: int | Mapping[str, int], label: str = "") -> None:
        self.name, self.meaning, self.now, self.label = f"mokali_{name}", meaning, now, label

    def told(self) -> Metric:
        """As the library tells it."""
        if not isinstance(self.now, Mapping):
            return GaugeMetricFamily(self.name, self.meaning, value=self.now)
        family = GaugeMetricFamily(self.name, self.meaning, labels=[self.label])
        for label, value in self.now.items():
            family.add_metric([label], value)
        return family


def text(gauges: Iterable[Gauge]) -> str:
    """Everything counted so far and what there is now; process figures (memory, time of start) are the library's."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Collector(gauges))
    return generate_latest(registry).decode()


class _Collector:
    def __init__(self, gauges: Iterable[Gauge]) -> None:
        self.gauges = gauges

    def collect(self) -> Iterable[Metric]:
        told: tuple[Count | Spread | Gauge, ...] = (*self.gauges, *_COUNTS, *_SPREADS)
        return [figure.told() for figure in told]
