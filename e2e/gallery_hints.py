"""Hints at practice tables, one open in each layout."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace
from playwright.sync_api import expect

from e2e import gallery_klasik, gallery_okey, gallery_tavla
from e2e.gallery import NewPhone, Scene
from e2e.staging import Stage, case, dealt
from mokali.games import BY_KEY
from tests.web.prepared import PATIENT
from tests.web.server import Server

PRACTICE: Final = replace(PATIENT, kind="practice")
NAMES: Final = ("Ayşe", "Muhammet Ali", "Ecenaz", "Deniz")


def hints(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """The button where there is nothing to play yet, then what it brings."""
    for n, (key, setup) in enumerate(POSITIONS, 1):
        game = BY_KEY[key]
        names = [f"{name} {n}" for name in ("Efe", *NAMES[: game.seats[0]])]
        page = Stage(server, new_phone, dealt(server, game, setup, names, PRACTICE), reduced_motion="reduce").look()
        expect(page.locator("#ask")).to_be_visible()
        page.locator("#ask").tap()
        expect(page.locator(".hinted")).not_to_have_count(0)
        yield Scene(f"ipucu-{key}", page, True)


def _case(key: str, name: str, **more: object) -> dict[str, Any]:
    setup = case(BY_KEY[key], name).header.setup
    assert setup is not None
    return setup | more


POSITIONS: Final = (
    ("okey101", gallery_okey.FIRST | {"first_turn_done": [True] * 4}),
    ("klasik", gallery_klasik.TURN),
    ("tavla", gallery_tavla.BARRED),
    ("batak", _case("batak", "BT-C2-auction", dealer=3)),
    ("pisti", _case("pisti", "PI-C3-pisti", dealer=1, turn=0)),
)
"""A game, and a position whose first seat is on turn; the first hint is as long as one may be."""
