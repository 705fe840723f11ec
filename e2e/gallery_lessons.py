"""Lessons: the panel while it is read, while something is to be done, and at the end, in each layout."""

from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import expect

from e2e import staging
from e2e.gallery import NewPhone, Scene
from e2e.lessons import begin, follow
from mokali.games import BY_KEY
from mokali.tables import lessons
from tests.web.server import Server

SETTINGS: Final[dict[str, Any]] = staging.SETTINGS | {"bot_seconds": 0}
STOPS: Final = {
    "pisti": (1, -1),
    "batak": (4, -1),
    "ucbessekiz": (5,),
    "okey101": (18, -1),
    "klasik": (5,),
    "tavla": (3, -1),
}
"""At which steps each lesson is looked at; -1 is its farewell."""


def shown(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Where lessons begin, then all of them."""
    phone = new_phone(server, reduced_motion="reduce")
    page = phone.page
    page.goto(server.base)
    page.get_by_label("Takma adın").fill("Ayşe")
    page.get_by_role("button", name="Gir").tap()
    expect(page.get_by_role("heading", name="Kim var")).to_be_visible()
    yield Scene("ders-lobi", page)
    page.get_by_role("link", name="Oyunu öğren").tap()
    expect(page.get_by_role("heading", name="Öğren")).to_be_visible()
    yield Scene("ders-sayfa", page)
    for key, stops in STOPS.items():
        begin(phone, key)
        for stop in stops:
            last = len(lessons.of(BY_KEY[key]).steps) - 1
            follow(phone, key, last if stop < 0 else stop)
            yield Scene(f"ders-{key}-{'son' if stop < 0 else stop}", page, True, kin=stop < 0 and key != "batak")
