"""Every state of a table of Klasik Okey: few tables, laid into one position after the other."""

from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import expect

from e2e.gallery import WIDE, Guest, NewPhone, Scene
from e2e.klasik import case, dealt
from e2e.staging import Stage
from mokali.engine.tiles import ALL_TILES
from tests.web.seat import open_table
from tests.web.server import Server

Setup = dict[str, Any]


def turns(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A turn of one's own from the first to the last tile, and how hands and matches end."""
    stage = _stage(server, new_phone, ["Ayşe", "Muhammet Ali", "Ecenaz", "Deniz", "Efe"], TURN)
    page = stage.look()
    page.locator("#sort [data-sort=runs]").tap()
    expect(page.locator("#sort [data-sort=undo]")).to_be_visible()
    yield Scene("klasik-cek", page, True)
    yield Scene("klasik-bekliyorsun", stage.look(2), True, True)
    yield Scene("klasik-izleyen", stage.look(-1), True)
    stage.put(LAST)
    page = stage.look()
    page.locator("#tile-R13a").tap()
    expect(page.locator("#finish.primary")).to_be_visible()
    yield Scene("klasik-bitirir", page, True)
    page.locator("#tile-R13a").tap()
    page.locator("#tile-K9a").tap()
    page.locator("#finish").tap()
    expect(page.locator('#refusal[data-code="no_finish"]')).to_be_visible()
    yield Scene("klasik-bitmez", page, True, True)
    stage.put(SHOW)
    stage.does(0, TO_SHOW)
    yield Scene("klasik-goster", stage.look(1), True)
    stage.does(1, {"do": "show"}, {"do": "draw", "from": "stock"})
    page = stage.look()
    page.locator("#title .title").tap()
    expect(page.locator("#sheet-scores")).to_be_visible()
    yield Scene("klasik-skor", page, True, True)
    stage.put(LAST | {"hand": 3}, history=((0, -2, -8, -4), (-1, -4, -4, -8)))
    stage.does(0, FINISH)
    yield Scene("klasik-el-sonu", stage.look(3), True)
    yield Scene("klasik-el-sonu-izleyen", stage.look(-1), True, True)
    stage.put(PAIRS)
    stage.does(0, {"do": "finish", "tile": "K5a"})
    yield Scene("klasik-el-sonu-cift", stage.look(), True)


def broad(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """The widest names, points below nothing, fewer people, and what goes before the match."""
    names = [f"{WIDE}A", "İ" * 16, f"{WIDE}W", f"{WIDE}Q", "Efe"]
    stage = _stage(server, new_phone, names, TURN | {"totals": [-11, 20, -3, 8]}, coloured=True)
    yield Scene("klasik-genis-cek", stage.look(), True)
    yield Scene("klasik-genis-izleyen", stage.look(-1), True, True)
    stage.put(SHOW)
    stage.does(0, TO_SHOW)
    yield Scene("klasik-genis-goster", stage.look(1), True, True)
    stage.put(TURN | {"totals": [-11, 20, -3, 8]}, away=(1, 3))
    yield Scene("klasik-genis-kopuk", stage.look(), True)
    stage.put(
        case("KL-19-co-winners", totals=[14, 18, 15, 13]),
        history=((-1, -1, -1, -1), *((0,) * 4,) * 6, (-8, -8, -10, -10)),
    )
    stage.does(0, FINISH)
    page = stage.look(1)
    yield Scene("klasik-genis-mac-sonu", page, True)
    yield Scene("klasik-genis-mac-sonu-izleyen", stage.look(-1), True, True)
    yield Scene("klasik-ikili", _few(server, new_phone, "Ali", "Ece", "Umut").look(), True)
    yield Scene("klasik-uclu", _few(server, new_phone, "Kerem", "Selin", "Oya", "Naz").look(), True, True)
    guest = Guest(server, "Nur", new_phone)
    code = open_table(guest.visitor, 4, game="klasik", coloured="true", start_points=30)
    yield Scene("klasik-bekleme", guest.look(f"/masa/{code}"), kin=True)
    yield Scene("klasik-masa-ac", guest.look("/masa-ac?oyun=klasik"), kin=True)


def _stage(server: Server, new_phone: NewPhone, names: list[str], setup: Setup, **rules: Any) -> Stage:
    return Stage(server, new_phone, dealt(server, setup, names, **rules), reduced_motion="reduce")


def _few(server: Server, new_phone: NewPhone, *names: str) -> Stage:
    """Two or three people at a table without help, the first to draw."""
    seats = len(names) - 1
    setup = TURN | {"racks": TURN["racks"][:seats], "discards": TURN["discards"][:seats]}
    return Stage(server, new_phone, dealt(server, setup, list(names), helps=False), reduced_motion="reduce")


# --- positions ---


def _racks(seats: int, first: str) -> list[list[str]]:
    """The first rack, and for the others what is named nowhere in ``TURN``."""
    free = iter([str(tile) for tile in ALL_TILES if tile not in f"{first} {_THROWN} K4a".split()])
    return [first.split(), *([next(free) for _ in range(14)] for _ in range(seats - 1))]


_THROWN: Final = "K7b R12b B8b Y11b"
_HELD: Final = "R1a R2a R3a Y7a Y8a K5a FJa B10a K10a R10a B1a B1b R13a K13a"
TURN: Final[Setup] = {
    "dealer": 0,
    "indicator": "K4a",
    "turn": 0,
    "phase": "draw",
    "racks": _racks(4, _HELD),
    "discards": [[tile] for tile in _THROWN.split()],
}
SHOW: Final = case("KL-16-show")
TO_SHOW: Final = {"do": "discard", "tile": "R1"}
LAST: Final = case("KL-19-co-winners", totals=None, hand=1)
FINISH: Final = {"do": "finish", "tile": "R13"}
PAIRS: Final = case("KL-17-okey-and-pairs", discards=None)
