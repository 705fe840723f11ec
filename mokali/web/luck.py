"""What chance has given, beside what it gives on average: in one Tavla match, and in all finished matches."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from math import sqrt
from typing import Any, Final

from flask import Flask, render_template, request
from markupsafe import Markup
from msgspec import Struct

from mokali.engine.chance import tried
from mokali.engine.protocol import Game
from mokali.games import BY_KEY, GAMES
from mokali.store import chance
from mokali.store.chance import Tally
from mokali.store.database import NotKept
from mokali.tables.table import Table
from mokali.web import charts
from mokali.web.charts import decimal

BAND: Final = 1.96
"""Standard deviations around the mean: nineteen times in twenty chance stays within them."""
AT_ONCE: Final = 3
"""Matches that a visit counts at most, where the house has not done so yet."""
FEW: Final = 30
"""Below so many, the page says that it is too early."""


class Kind(Struct, frozen=True):
    """How a kind is told: the heading, what a bar is, and of what there are so many."""

    title: str
    bar: str
    unit: str
    percent: bool = False


KINDS: Final = {
    "okeys": Kind("Okey", "El başına gelen okey", "el"),
    "twins": Kind("Göstergenin eşi", "Göstergenin eşi gelen eller, yüzde", "el", percent=True),
    "pairs": Kind("Çift", "Dağıtılan ıstakadaki çift, el başına", "el"),
    "doubles": Kind("Çift zar", "Çift gelen atışlar, yüzde", "atış", percent=True),
    "jacks": Kind("Vale", "El başına gelen vale", "el"),
    "aces": Kind("As", "El başına gelen as", "el"),
}
COLOURS: Final = ("Beyaz", "Siyah")

PIPS: Final = [(a + b) * (2 if a == b else 1) for a in range(1, 7) for b in range(1, 7)]
"""What each of the 36 throws lets one move."""
MEAN_PIPS: Final = sum(PIPS) / 36
PIPS_VARIANCE: Final = sum(pips**2 for pips in PIPS) / 36 - MEAN_PIPS**2


class Row(Struct, frozen=True):
    """One seat beside chance, in words."""

    name: str
    came: str
    expected: str
    between: str
    verdict: str
    usual: bool


class Shown(Struct, frozen=True):
    """One kind at one number of seats."""

    title: str
    times: str
    few: bool
    chart: Markup
    rows: tuple[Row, ...]


def register(app: Flask) -> None:
    """The page's address."""
    app.add_url_rule("/sans", "luck", page)


def page() -> str:
    """All finished matches of a game."""
    with suppress(NotKept):  # they are counted another time
        chance.count(AT_ONCE)
    game = BY_KEY.get(request.args.get("oyun", ""), GAMES[0])
    seats = sorted(chance.tallies(game.key).items(), key=lambda item: game.seats.index(item[0]))
    parts = [
        {"heading": f"{count} kişilik masalar" if len(seats) > 1 else "", "kinds": _kinds(game, tallies)}
        for count, tallies in seats
    ]
    tabs = [{"key": g.key, "name": g.name, "open": g is game} for g in GAMES]
    return render_template("luck.html", games=tabs, parts=parts)


def throws(table: Table, names: Sequence[str]) -> list[dict[str, Any]]:
    """The dice of a match, player by player; empty in games without."""
    told = getattr(table.state.view(None), "throws", None) if table.state is not None else None
    if told is None:
        return []
    moved = _moved(table)
    return [
        {
            "name": names[seat],
            "count": one.count,
            "chart": _faces(one, f"{COLOURS[seat]} · {one.count} atış"),
            "rows": (
                row("Çift", one.doubles, *tried(one.count, 1 / 6)),
                *([_pips(moved[seat], one.count)] if seat in moved else ()),
            ),
        }
        for seat, one in enumerate(told)
    ]


def row(name: str, count: float, mean: float, variance: float, scale: float = 1.0, places: int = 1) -> Row:
    """A count beside chance; ``scale`` is by what all figures are divided to be shown."""
    low, high = band(mean, variance)
    verdict = "olağan" if low <= count <= high else "beklenenden çok" if count > high else "beklenenden az"
    came, expected, least, most = (decimal(value / scale, places) for value in (count, mean, low, high))
    return Row(name, came, expected, f"{least} – {most}", verdict, low <= count <= high)


def band(mean: float, variance: float) -> tuple[float, float]:
    """Between which counts chance stays nineteen times in twenty."""
    wide = BAND * sqrt(variance)
    return max(0.0, mean - wide), mean + wide


def _kinds(game: Game, tallies: Sequence[Tally]) -> list[Shown]:
    found = {tally.what for tally in tallies}
    return [
        _shown(game, kind, [one for one in tallies if one.what == what])
        for what, kind in KINDS.items()
        if what in found
    ]


def _shown(game: Game, kind: Kind, tallies: Sequence[Tally]) -> Shown:
    """Bars of what came a time, with what would be expected; the same in figures below."""
    share = 100 if kind.percent else 1
    scales = [one.times / share for one in tallies]
    names = [COLOURS[one.seat] if game.layout == "tavla" else f"{one.seat + 1}. koltuk" for one in tallies]
    bands = [band(one.mean, one.variance) for one in tallies]
    places = 1 if kind.percent else 2
    chart = charts.bars(
        [one.count / scale for one, scale in zip(tallies, scales, strict=True)],
        names,
        title=kind.bar,
        told=[decimal(one.count / scale, places) for one, scale in zip(tallies, scales, strict=True)],
        marks=[one.mean / scale for one, scale in zip(tallies, scales, strict=True)],
        bands=[(low / scale, high / scale) for (low, high), scale in zip(bands, scales, strict=True)],
    )
    rows = tuple(row(name, one.count, one.mean, one.variance) for name, one in zip(names, tallies, strict=True))
    times = max(one.times for one in tallies)
    return Shown(kind.title, f"{times} {kind.unit}", times < FEW, chart, rows)


def _faces(one: Any, title: str) -> Markup:
    """How often each face came in two dice a throw."""
    mean, variance = tried(2 * one.count, 1 / 6)
    return charts.bars(
        one.faces, [str(face) for face in range(1, 7)], title=title, marks=[mean] * 6, bands=[band(mean, variance)] * 6
    )


def _pips(pips: int, count: int) -> Row:
    """How far the throws would carry, on average."""
    return row("Atış başına ilerleme", pips, count * MEAN_PIPS, count * PIPS_VARIANCE, scale=count)


def _moved(table: Table) -> Counter[int]:
    """By seat, how far all its throws would carry."""
    found: Counter[int] = Counter()
    roller = None
    for seat, action in chance.written(table.id, table.game):
        dice: tuple[int, ...] = getattr(action, "dice", ())
        if len(dice) == 2 and roller is not None:
            found[roller] += sum(dice) * (2 if dice[0] == dice[1] else 1)
        elif seat >= 0:
            roller = seat  # who rolls acts right before the dice
    return found
