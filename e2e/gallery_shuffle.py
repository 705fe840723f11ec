"""How seals look once they are opened, and what chance has given; the seal's ends in the menu of a running table."""

from collections.abc import Iterator
from random import Random
from typing import Final

from e2e.gallery import NewPhone, Scene
from e2e.phones import Phone
from e2e.staging import now
from mokali.engine.fairness import Reveal
from mokali.games import BY_KEY
from mokali.store import tables
from mokali.store.models import LineRow
from tests.web.prepared import Prepared, database_in, written
from tests.web.server import Server

WHOLE: Final = 1_000_000


def shuffles(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """The page of two matches and of one that was changed; all matches; the menu while a match runs and after it."""
    with database_in(server.data):
        played = {
            key: written(BY_KEY[key], BY_KEY[key].seats[0], seed, WHOLE, now())
            for seed, key in enumerate(("okey101", "tavla", "batak"), 1)
        }
        changed = written(BY_KEY["pisti"], 4, 4, WHOLE, now())
        _tamper(changed)
        for seed in range(5, 12):
            written(BY_KEY["okey101"], 4, seed, WHOLE, now())
        running = written(BY_KEY["batak"], 4, 30, 3, now())
    phone = new_phone(server)
    for key in ("okey101", "tavla"):
        lying = played[key]
        _page(server, phone, lying, f"/karistirma/{lying.table.code}")
        if phone.page.locator("details[open]").count() == 0:  # a single hand lies open from the start
            phone.page.locator("summary").first.tap()
        yield Scene(f"karistirma-{key}", phone.page)
    _page(server, phone, changed, f"/karistirma/{changed.table.code}")
    yield Scene("karistirma-bozuk", phone.page)
    for key in ("okey101", "tavla"):
        for _ in range(4):  # a visit counts a few matches
            phone.page.goto(f"{server.base}/sans?oyun={key}")
        yield Scene(f"sans-{key}", phone.page, kin=key != "okey101")
    for name, lying in (("suruyor", running), ("bitti", played["batak"])):
        phone.wear(lying.tokens[0])
        phone.visit(f"{server.base}/masa/{lying.table.code}")
        phone.page.locator('[data-ui="menu"]').first.tap()
        yield Scene(f"menu-{name}", phone.page, True, kin=name == "suruyor")
    phone.page.locator('[data-ui="seal"]').tap()
    yield Scene("muhur-bitti", phone.page, True, kin=True)


def _page(server: Server, phone: Phone, lying: Prepared, path: str) -> None:
    phone.wear(lying.tokens[0])
    phone.page.goto(server.base + path)


def _tamper(lying: Prepared) -> None:
    """Another salt than the house's, in the second hand."""
    log = tables.log(lying.table.id)
    n = [n for n, (_, action) in enumerate(log) if isinstance(action, Reveal)][1]
    salt = f"{Random(1).getrandbits(128):032x}"
    text = f'{{"do":"reveal","salt":"{salt}"}}'
    LineRow.update(action=text).where(LineRow.table == lying.table.id, LineRow.n == n).execute()
