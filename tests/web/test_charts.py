"""Bars and lines: what is drawn is what was given, the words stand as text, and nothing is written into the markup."""

import re
from xml.etree import ElementTree

from mokali.web import charts


def _rects(drawn: str, kind: str) -> list[tuple[float, float]]:
    found = re.findall(rf'class="{kind}" x="([\d.]+)" y="\d+" width="([\d.]+)"', drawn)
    return [(float(x), float(width)) for x, width in found]


def test_bars_are_as_long_as_their_values() -> None:
    drawn = charts.bars(
        [5, 10, 0], ["bir", "iki", "üç"], title="Zarlar", marks=[4, 5, 6], bands=[(2, 8), (3, 9), (0, 1)]
    )
    assert _rects(drawn, "bar") == [(0, 50), (0, 100), (0, 0)]
    assert _rects(drawn, "mark") == [(40, 1), (50, 1), (60, 1)]
    assert _rects(drawn, "band") == [(20, 60), (30, 60), (0, 10)]
    words = "".join(ElementTree.fromstring(drawn).itertext())
    assert words == "Zarlarbir5iki10üç0"


def test_names_are_text_and_no_markup() -> None:
    for drawn in (
        charts.bars([1], ["<b>"], title="<i>"),
        charts.line([1], title="<i>", told='"><b>', ends=("<b>", "")),
    ):
        root = ElementTree.fromstring(drawn)
        assert not [part for part in root.iter() if part.tag in ("b", "i")]


def test_a_chart_of_nothing_is_one_too() -> None:
    assert _rects(charts.bars([0, 0], ["a", "b"], title=""), "bar") == [(0, 0), (0, 0)]
    assert "polyline" in charts.line([], title="", told="Henüz maç yok.")
    assert charts.bars([], [], title="").count("<li>") == 0


def test_a_line_goes_through_its_points() -> None:
    root = ElementTree.fromstring(charts.line([0, 10, 5], title="Puan", told="0, 10, 5", ends=("ilk", "son"), level=0))
    [path] = [part.get("points") for part in root.iter("polyline")]
    assert path == "0,38 50,2 100,20"
    assert [part.get("d") for part in root.iter("path")] == ["M0 38H100"]
    [drawing] = root.iter("svg")
    assert (drawing.get("role"), drawing.get("aria-label")) == ("img", "0, 10, 5")


def test_one_point_is_a_level_line() -> None:
    [path] = [
        part.get("points") for part in ElementTree.fromstring(charts.line([3], title="", told="3")).iter("polyline")
    ]
    assert path == "0,38 100,38"
