"""The colours of tiles, recomputed from the style sheets: contrasts, and how far apart the four are to all eyes."""

import re
from collections.abc import Sequence
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Final, TypeAlias

import pytest

Colour: TypeAlias = tuple[float, ...]
"""Linear red, green and blue from 0 to 1."""

CSS: Final = Path(__file__).parents[2] / "static" / "css"
SHEETS: Final = "".join((CSS / name).read_text(encoding="utf-8") for name in ("mokali.css", "okey.css"))
FOUR: Final = ("t-red", "t-yellow", "t-blue", "t-black")
TO_XYZ: Final = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.072175), (0.0193339, 0.119192, 0.9503041))
WHITE: Final = (0.95047, 1.0, 1.08883)
EYES: Final = {  # Machado, Oliveira and Fernandes 2009, at full severity
    "ordinary": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def tokens(selector: str) -> dict[str, str]:
    """Every colour that the sheets give a name for this root."""
    blocks = re.findall(rf"^[@(): a-z{{-]*{re.escape(selector)} {{(.*?)}}", SHEETS, re.MULTILINE | re.DOTALL)
    found = re.findall(r"--([\w-]+): (#\w+);", " ".join(blocks))
    return dict(reversed(found))  # the first wins: what follows is for narrow screens


DARK: Final = tokens(":root")
LIGHT: Final = DARK | tokens(":root.light")


def linear(code: str) -> Colour:
    """What ``#rgb`` or ``#rrggbb`` shines with."""
    digits = code.removeprefix("#")
    pairs = [digits[n : n + 2] for n in (0, 2, 4)] if len(digits) == 6 else [digit * 2 for digit in digits]
    parts = [int(pair, 16) / 255 for pair in pairs]
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def times(matrix: Sequence[Colour], colour: Colour) -> Colour:
    """A colour through a matrix."""
    return tuple(sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)


def contrast(one: str, other: str) -> float:
    """As WCAG 2 has it."""
    low, high = sorted(times(TO_XYZ, linear(code))[1] for code in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour: Colour) -> Colour:
    """CIE 1976 L*a*b* under D65."""
    parts = [part / white for part, white in zip(times(TO_XYZ, colour), WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(codes: Sequence[str], eyes: str) -> float:
    """The smallest CIE 76 distance between two of these, as such eyes see them."""
    seen = [tuple(min(1.0, max(0.0, part)) for part in times(EYES[eyes], linear(code))) for code in codes]
    return min(dist(lab(one), lab(other)) for one, other in combinations(seen, 2))


@pytest.mark.parametrize(
    ("one", "other", "dark", "light"),
    [
        ("t-red", "tile", 5.5, 5.5),
        ("t-yellow", "tile", 4.6, 4.6),
        ("t-blue", "tile", 6.7, 6.7),
        ("t-black", "tile", 17.8, 17.8),
        ("tile-edge", "tile", 6.3, 6.3),
        ("tile", "slot", 9.9, 5.4),
        ("valid", "slot", 6.5, 5.3),
        ("felt-ink", "felt", 10.2, 5.8),
        ("button-ink", "button", 7.9, 8.2),
        ("primary-ink", "primary", 9.1, 9.1),
        ("error-ink", "error", 6.5, 6.5),
        ("muted", "bars", 9.2, 6.2),
    ],
)
def test_contrasts_are_those_of_the_design(one: str, other: str, dark: float, light: float) -> None:
    for theme, wanted in ((DARK, dark), (LIGHT, light)):
        assert contrast(theme[one], theme[other]) == pytest.approx(wanted, abs=0.06)


@pytest.mark.parametrize(("eyes", "wanted"), [("ordinary", 68), ("no red", 28), ("no green", 27), ("no blue", 46)])
def test_the_four_colours_lie_apart_to_all_eyes(eyes: str, wanted: float) -> None:
    assert nearest([DARK[name] for name in FOUR], eyes) == pytest.approx(wanted, abs=0.6)


def test_a_purer_red_would_be_black_to_some_eyes() -> None:
    codes = ["#c80000", *(DARK[name] for name in FOUR[1:])]
    assert min(nearest(codes, eyes) for eyes in EYES) < 15


def test_the_system_s_light_theme_is_the_fixed_one() -> None:
    assert tokens(":root:not(.dark)") == tokens(":root.light") != {}
