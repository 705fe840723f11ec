"""How a match looks that is over: from a seat, with all hands open, the choices; a record that is taken up."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, expect

from e2e.gallery import NewPhone, Scene
from e2e.staging import CASES, now
from mokali.games import BY_KEY
from tests.web.prepared import Prepared, database_in, written
from tests.web.server import Server

STILL: Final[dict[str, Any]] = {"reduced_motion": "reduce"}
PLACES: Final = {"okey101": 4, "klasik": 4, "tavla": 2, "ucbessekiz": 3, "batak": 4, "pisti": 4}
"""How many sit at the tables that are watched."""


def over(server: Server, key: str, seats: int, seed: int = 1) -> Prepared:
    """A match that has been played to its end, in this house's database."""
    with database_in(server.data):
        return written(BY_KEY[key], seats, seed, changes=10**6, now=now())


def replays(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Every game in the midst of a match, from a seat and with all hands open; then what is around it."""
    phone = new_phone(server, **STILL)
    page = phone.page
    for n, (key, seats) in enumerate(PLACES.items()):
        path = f"{server.base}/tekrar/{over(server, key, seats, seed=n + 1).table.code}"
        middle = 60 if key in ("okey101", "klasik", "tavla") else 24
        yield Scene(f"tekrar-{key}", _at(page, f"{path}?an={middle}&koltuk=1"), True, key != "batak")
        yield Scene(f"tekrar-{key}-hepsi", _at(page, f"{path}?an={middle}&koltuk=hepsi"), True, key != "okey101")
        if key == "pisti":
            yield Scene("tekrar-basi", _at(page, f"{path}?an=0&koltuk=0"), True, True)
            yield Scene("tekrar-sonu", _at(page, f"{path}?an=99999&koltuk=0"), True, True)
            _at(page, f"{path}?an={middle}&koltuk=hepsi")
            page.get_by_role("button", name="Bakış").tap()
            expect(page.locator("#sheet-view")).to_be_visible()
            yield Scene("tekrar-secenekler", page, True)
    page.goto(f"{server.base}/kayit")
    yield Scene("kayit-yukle", page)
    page.get_by_role("button", name="İzle").tap()
    yield Scene("kayit-yukle-bos", page, kin=True)
    take(page, CASES / "pisti" / "random-08-two-seats-sealed.jsonl", ('"rest":', '"rest":["AS"],"was":'))
    yield Scene("tekrar-bozuk", page, True)


def take(page: Page, file: Path, change: tuple[str, str] = ("", "")) -> None:
    """Upload a record, something in it changed or not."""
    text = file.read_text(encoding="utf-8").replace(*change) if change[0] else file.read_text(encoding="utf-8")
    page.goto(page.url.partition("/kayit")[0].partition("/tekrar")[0] + "/kayit")
    sent = {"name": "mac.jsonl", "mimeType": "text/plain", "buffer": text.encode()}
    page.locator("#file").set_input_files(sent)  # type: ignore[arg-type]
    page.get_by_role("button", name="İzle").tap()
    page.wait_for_url("**/tekrar/**")


def _at(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator("#run")).to_be_visible()
    return page
