"""Figures of several rounds, the machine beside them, as a table or as JSON."""

import os
import platform
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Final

from msgspec import Struct, field

LOADED: Final = 0.1
"""Share of the machine taken by others from which on a run is marked."""
LIBRARIES: Final = (
    "gunicorn",
    "gevent",
    "flask",
    "flask-sock",
    "simple-websocket",
    "wsproto",
    "jinja2",
    "peewee",
    "msgspec",
    "av",
)


class Figure(Struct, frozen=True, kw_only=True):
    """One thing that was measured: one value per round."""

    group: str
    name: str
    unit: str
    rounds: tuple[float, ...]
    median: float
    low: float
    high: float


class Machine(Struct, frozen=True, kw_only=True):
    """Where it ran, and who else was there. Loads are averages of a minute, ``others`` a share of all cores."""

    cores: int
    processor: str
    load_before: float
    load_after: float
    others: float
    loaded: bool
    python: str
    libraries: dict[str, str]


class Report(Struct, frozen=True, kw_only=True):
    """A whole run."""

    game: str
    rounds: int
    seconds: float
    errors: dict[str, int]
    warnings: list[str]
    machine: Machine
    figures: list[Figure] = field(default_factory=list)


class Watcher:
    """Sees how much of the machine others take."""

    def __init__(self) -> None:
        self._began, self._busy, self._own = time.perf_counter(), _busy(), _own()
        self._load = os.getloadavg()[0]

    def machine(self, spent: float) -> Machine:
        """What was seen since; ``spent``: seconds that orphans of ours have computed, whom nobody counts for us."""
        cores = os.cpu_count() or 1
        took = time.perf_counter() - self._began
        others = max(0.0, (_busy() - self._busy) - (_own() - self._own) - spent) / took / cores
        return Machine(
            cores=cores,
            processor=_processor(),
            load_before=round(self._load, 2),
            load_after=round(os.getloadavg()[0], 2),
            others=round(others, 3),
            loaded=others > LOADED,
            python=platform.python_version(),
            libraries={name: version(name) for name in LIBRARIES},
        )


def figure(group: str, name: str, unit: str, rounds: Sequence[float]) -> Figure:
    """Median and range of what the rounds gave.

    >>> figure("engine", "pisti", "actions/s", [3.0, 1.0, 2.0]).median
    2.0
    """
    values = tuple(rounds)
    return Figure(
        group=group, name=name, unit=unit, rounds=values, median=median(values), low=min(values), high=max(values)
    )


def table(report: Report) -> str:
    """The report for people."""
    machine = report.machine
    libraries = ", ".join(f"{name} {number}" for name, number in machine.libraries.items())
    lines = [
        f"{report.game}, {report.rounds} rounds of {report.seconds:g} s; median (lowest to highest)",
        f"{machine.cores} cores, {machine.processor}; Python {machine.python}, {libraries}",
        f"load {machine.load_before} before, {machine.load_after} after; others took {machine.others:.0%} of the cores"
        + (": LOADED, don't compare" if machine.loaded else ""),
    ]
    group = ""
    for found in report.figures:
        if found.group != group:
            group = found.group
            lines += ["", group]
        lines.append(
            f"  {found.name:<44}{_number(found.median):>10} {found.unit:<12}"
            f"({_number(found.low)} to {_number(found.high)})"
        )
    errors = ", ".join(f"{name} {count}" for name, count in report.errors.items())
    return "\n".join([*lines, "", f"errors: {errors or 0}", *report.warnings])


def _number(value: float) -> str:
    """Three digits that mean something, no more.

    >>> _number(12345.6), _number(1.23456), _number(0.0456), _number(0.0)
    ('12,346', '1.23', '0.0456', '0')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _busy() -> float:
    """Seconds that the processors of this machine have worked, for anybody."""
    user, nice, system, _, _, irq, soft, steal = map(int, _first_line("/proc/stat").split()[1:9])
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    return sum(os.times()[:4])


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _first_line(file: str) -> str:
    return Path(file).read_text(encoding="ascii").partition("\n")[0]
