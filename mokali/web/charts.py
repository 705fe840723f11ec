"""Bars and lines for pages: the words stand as text, and a drawing without words beside them. Decides nothing.

Colours and sizes are classes in pages.css, so both themes and large letters go with the rest of the page.
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

WIDE: Final = 100
"""Width of every drawing in its own units; the page stretches it to what room there is."""
TALL: Final = 10
"""Height of a bar's drawing."""
HIGH: Final = 40
"""Height of a line's drawing."""
EDGE: Final = 2
"""What a line keeps free above and below."""


def bars(
    values: Sequence[float],
    labels: Sequence[str],
    *,
    title: str,
    told: Sequence[str] = (),
    marks: Sequence[float] = (),
    bands: Sequence[tuple[float, float]] = (),
    most: float | None = None,
) -> Markup:
    """Bars below each other, each between its label and its number.

    ``told`` are the numbers in words, where the values alone don't say it; ``marks`` what would be expected of each,
    ``bands`` from where to where it may lie; ``most`` the value of a full bar, if not the largest of all that is drawn.
    Nothing may be below 0.
    """
    full = most or max([*values, *marks, *(high for _, high in bands)], default=0) or 1
    words = told or [decimal(value) for value in values]
    rows = [
        _ROW.format(label, _bar(value, full, marks[n : n + 1], bands[n : n + 1]), said)
        for n, (value, label, said) in enumerate(zip(values, labels, words, strict=True))
    ]
    return _FIGURE.format("bars", title, Markup('<ul role="list">{}</ul>').format(Markup("").join(rows)))


def line(
    points: Sequence[float],
    *,
    title: str,
    told: str,
    ends: tuple[str, str] = ("", ""),
    low: float | None = None,
    high: float | None = None,
    level: float | None = None,
) -> Markup:
    """A line through points at even distances. ``told`` is what it shows, in a sentence, for who doesn't see it.

    ``ends`` stand below its first and last point; ``low`` and ``high`` are the edges, if not the least and the largest
    value; ``level`` draws a thin line across at this value, as at 0.
    """
    known = [*points, *(value for value in (low, high, level) if value is not None)] or [0.0]
    bottom, top = min(known), max(known)
    span = (top - bottom) or 1

    def at(value: float) -> str:
        return _number(HIGH - EDGE - (value - bottom) / span * (HIGH - 2 * EDGE))

    step = WIDE / max(1, len(points) - 1)
    path = " ".join(f"{_number(n * step)},{at(value)}" for n, value in enumerate(points))
    if len(points) == 1:
        path = f"0,{at(points[0])} {WIDE},{at(points[0])}"
    across = Markup("") if level is None else _LEVEL.format(WIDE, at(level))
    drawn = _LINE.format(WIDE, HIGH, told, across, path)
    return _FIGURE.format("line", title, drawn + (_ENDS.format(*ends) if any(ends) else Markup("")))


def decimal(value: float, places: int = 1) -> str:
    """A number as Turkish writes it: 12, 3,5, −0,2.

    >>> decimal(12), decimal(3.456), decimal(-0.21), decimal(0.6944, 2)
    ('12', '3,5', '−0,2', '0,69')
    """
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", "−").replace(".", ",")


_FIGURE: Final = Markup('<figure class="chart {}"><figcaption>{}</figcaption>{}</figure>')
_ROW: Final = Markup('<li><span class="label">{}</span>{}<span class="num">{}</span></li>')
_BAR: Final = Markup('<svg viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">{}</svg>')
_RECT: Final = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>')
_LINE: Final = Markup(
    '<svg viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">{}<polyline points="{}"/></svg>'
)
_LEVEL: Final = Markup('<path class="level" d="M0 {1}H{0}"/>')
_ENDS: Final = Markup('<p class="ends"><span>{}</span><span>{}</span></p>')


def _bar(value: float, full: float, mark: Sequence[float], band: Sequence[tuple[float, float]]) -> Markup:
    """One bar, the stretch in which it may end behind it, and a stroke where it would be expected to."""

    def x(part: float) -> float:
        return min(1.0, max(0.0, part / full)) * WIDE

    drawn = [_RECT.format("ground", 0, 0, WIDE, TALL)]
    drawn += [_RECT.format("band", _number(x(a)), 0, _number(x(b) - x(a)), TALL) for a, b in band]
    drawn += [_RECT.format("bar", 0, 2, _number(x(value)), TALL - 4)]
    drawn += [_RECT.format("mark", _number(min(x(one), WIDE - 1)), 0, 1, TALL) for one in mark]
    return _BAR.format(WIDE, TALL, Markup("").join(drawn))


def _number(value: float) -> str:
    """As SVG reads it, no longer than it must be."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
