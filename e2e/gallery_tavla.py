"""Every state of a table of Tavla: two tables, laid into one position after the other."""

from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import Page, expect

from e2e.gallery import WIDE, NewPhone, Scene
from e2e.staging import Stage, dealt
from mokali.games import BY_KEY
from mokali.games.tavla.state import Step, Throws, Turn, Won
from tests.web.server import Server

Setup = dict[str, Any]


def _stage(server: Server, new_phone: NewPhone, names: list[str], **rules: Any) -> Stage:
    return Stage(server, new_phone, dealt(server, BY_KEY["tavla"], FIRST, names, **rules), reduced_motion="reduce")


def turns(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A match of five games, from the throw for the start to its end."""
    stage = _stage(server, new_phone, ["Ayşe", "Muhammet Ali", "Efe"], target=5)
    yield Scene("tavla-basla", stage.look(), True)
    yield Scene("tavla-basla-bekler", stage.look(1), True, True)
    stage.put(FIRST, start_dice=(5,), mover=1)
    yield Scene("tavla-basla-biri", stage.look(1), True, True)
    stage.put(FIRST, start_dice=(4, 4))
    yield Scene("tavla-basla-esit", stage.look(), True, True)
    stage.put({}, start_dice=(5, 3))
    yield Scene("tavla-baslar", stage.look(), True, True)
    stage.put(RACE, last=Turn(1, (6, 4), (Step(24, 6, 18, False), Step(13, 4, 9, False))), **MATCH)
    yield Scene("tavla-zar-at", stage.look(), True)
    yield Scene("tavla-zar-bekler", stage.look(1), True)
    stage.put(BARRED | {"dice": [], "turn": 1}, last=Turn(0, (6, 6), ()), **MATCH)
    yield Scene("tavla-gele", stage.look(1), True)
    yield Scene("tavla-gele-bekler", stage.look(), True, True)
    stage.put({"dice": [5, 3]}, **MATCH)
    yield Scene("tavla-oyna", stage.look(), True)
    yield Scene("tavla-bekler", stage.look(1), True, True)
    yield Scene("tavla-izleyen", stage.look(-1), True)
    page = stage.look()
    _pick(page, 8, goals=2)
    yield Scene("tavla-secili", page, True)
    _pick(page, 8, goals=0)
    page.locator('button[data-die="5"]').tap()
    page.locator("#point-24").tap()
    expect(page.locator('#refusal[data-code="blocked"] a')).to_have_text("Kural")
    yield Scene("tavla-ret", page, True)
    stage.put(RACE | {"dice": [5, 5]}, **MATCH)
    yield Scene("tavla-dubes", stage.look(1), True, True)
    stage.put(RACE | {"dice": [2, 2, 2]}, steps=(Step(8, 2, 6, False),), **MATCH)
    page = stage.look()
    yield Scene("tavla-cift", page, True)
    _pick(page, 13, goals=1)
    expect(page.locator("#point-11.hits")).to_be_attached()
    yield Scene("tavla-kirar", page, True)
    yield from _corners(stage)
    page = stage.look(1)
    for sheet in ("menu", "settings"):
        _open(page, sheet)
        yield Scene(f"tavla-{sheet}", page, True, True)
    yield from _ends(stage)


def _corners(stage: Stage) -> Iterator[Scene]:
    """On the bar, at the end of a game, and as crowded as can be."""
    stage.put(BARRED, **MATCH)
    page = stage.look()
    yield Scene("tavla-bar", page, True)
    _pick(page, "bar", goals=2)
    yield Scene("tavla-bar-secili", page, True, True)
    yield Scene("tavla-bar-siyah", stage.look(1), True, True)
    stage.put(BEARING, **MATCH)
    page = stage.look()
    _pick(page, 6, goals=2)
    yield Scene("tavla-topla", page, True)
    yield Scene("tavla-topla-bekler", stage.look(1), True, True)
    stage.put(CROWDED, **MATCH)
    page = stage.look(1)
    _pick(page, 6, goals=2)
    yield Scene("tavla-onbes", page, True)
    yield Scene("tavla-onbes-izleyen", stage.look(-1), True, True)


def _ends(stage: Stage) -> Iterator[Scene]:
    """A game won by mars, one that was not, and the match."""
    stage.put(LAST, **MATCH)
    stage.does(0, OUT)
    yield Scene("tavla-oyun-sonu-mars", stage.look(), True)
    yield Scene("tavla-oyun-sonu-izleyen", stage.look(-1), True, True)
    stage.put(LAST | {"board": {**LAST["board"], "black": _side("6:8 5:4 1:1")}}, **LATE)
    stage.does(0, OUT)
    yield Scene("tavla-mac-sonu", stage.look(), True)
    yield Scene("tavla-mac-sonu-kaybeden", stage.look(1), True, True)


def broad(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Tavla between the widest names, with the longest sheets."""
    stage = _stage(server, new_phone, ["İ" * 16, f"{WIDE}W", "Efe"], target=7)
    stage.put(FIRST, start_dice=(6,), mover=1)
    yield Scene("tavla-genis-basla", stage.look(), True, True)
    stage.put(RACE, last=Turn(1, (6, 4), (Step(24, 6, 18, False),)), **LONG)
    yield Scene("tavla-genis-bekler", stage.look(1), True)
    stage.put(RACE | {"dice": [2, 2, 2]}, away=(1,), steps=(Step(8, 2, 6, False),), **LONG)
    yield Scene("tavla-genis-kopuk", stage.look(), True)
    stage.put(CROWDED, away=(0, 1), **LONG)
    yield Scene("tavla-genis-izleyen", stage.look(-1), True, True)
    page = stage.look()
    page.locator("#scores").tap()
    expect(page.locator("#sheet-scores")).to_be_visible()
    yield Scene("tavla-genis-skor", page, True)
    stage.put(LAST, **LONG)
    stage.does(0, OUT)
    yield Scene("tavla-genis-mac-sonu", stage.look(), True)


# --- what fingers do ---


def _pick(page: Page, place: object, goals: int) -> None:
    page.locator(f'[data-point="{place}"]').tap()
    expect(page.locator(".goal")).to_have_count(goals)


def _open(page: Page, sheet: str) -> None:
    """The menu, or a sheet that it opens."""
    if sheet == "menu":
        page.get_by_role("button", name="Menü").tap()
    else:
        page.locator(f'#sheet-menu [data-ui="{sheet}"]').tap()
    expect(page.locator(f"#sheet-{sheet}")).to_be_visible()


# --- positions; seat 0 is white ---


def _side(points: str, bar: int = 0) -> Setup:
    """``6:5 4:2``; what stands nowhere is off."""
    standing = {point: int(count) for point, count in (place.split(":") for place in points.split())}
    return {"points": standing, "bar": bar, "off": 15 - bar - sum(standing.values())}


FIRST: Final[Setup] = {"phase": "start"}
RACE: Final[Setup] = {"board": {"white": _side("24:1 13:4 8:4 6:5 5:1"), "black": _side("14:1 13:6 8:3 6:4 3:1")}}
"""A move from 13 may hit on 11."""
BARRED: Final[Setup] = {
    "board": {"white": _side("13:4 8:3 6:5 5:2", bar=1), "black": _side("13:5 8:3 6:3 5:2", bar=2)},
    "dice": [3, 1],
}
BEARING: Final[Setup] = {
    "board": {"white": _side("6:3 5:2 4:2 3:1 2:1"), "black": _side("6:4 5:5 3:3")},
    "dice": [6, 4],
}
CROWDED: Final[Setup] = {"board": {"white": _side("12:15"), "black": _side("6:8 3:7")}, "turn": 1, "dice": [5, 1]}
LAST: Final[Setup] = {"board": {"white": _side("1:1"), "black": _side("6:9 5:4 1:2")}, "dice": [6, 3]}
OUT: Final = {"do": "move", "from": 1, "die": 6}

THROWS: Final = (Throws(118, (40, 36, 44, 39, 41, 36), 21), Throws(116, (37, 42, 38, 40, 36, 39), 17))
MATCH: Final[dict[str, Any]] = {"history": (Won(0, 2), Won(1, 1)), "throws": THROWS}
LATE: Final[dict[str, Any]] = {"history": (Won(0, 2), Won(1, 1), Won(0, 2), Won(1, 2)), "throws": THROWS}
LONG: Final[dict[str, Any]] = {"history": tuple(Won(seat, 1) for seat in (0, 1) * 6), "throws": THROWS}
