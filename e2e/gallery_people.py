"""Profiles, lists of matches and a long leaderboard: with many matches, with none, and with the widest names."""

from collections.abc import Iterator
from random import Random

from playwright.sync_api import Page

from e2e import staging
from e2e.gallery import WIDE, NewPhone, Scene
from mokali.store import people
from mokali.store.people import Door
from tests.finished import finished
from tests.web.prepared import database_in
from tests.web.server import Server

ROOMY = Door(1_000, 60_000)
HOUR = 3_600_000
KINDS = (
    ("pisti", "klasik", "Eşli, 151 sayı", True),
    ("okey101", "mey_katlamali", "Eşli, 11 el", True),
    ("okey101", "", "5 el", False),
    ("batak", "klasik", "12 el", False),
    ("klasik", "klasik", "20 puan, renkli", False),
)


def careers(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Twenty-six people who have played ninety matches, one of them nothing but lost ones."""
    names = [*(f"{WIDE}{letter}" for letter in "ABCD"), "Ayşe", "Muhammet Ali", *(f"Oyuncu {n}" for n in range(20))]
    with database_in(server.data):
        entered = [people.enter(name, ROOMY, staging.now()) for name in names]
        _played([person.id for person, _ in entered])
    phone = new_phone(server)

    def look(who: int, path: str) -> Page:
        phone.wear(entered[who][1])
        phone.page.goto(server.base + path)
        return phone.page

    page = look(0, "/profil")
    yield Scene("profil-cok", page, kin=True)
    for summary in page.locator(".by-game > summary").all()[:2]:
        summary.tap()
    yield Scene("profil-oyun-acik", page)
    wide = entered[0][0].id
    yield Scene("oyuncu-genis", look(4, f"/oyuncu/{wide}"), kin=True)
    yield Scene("oyuncu-bos", look(0, f"/oyuncu/{entered[-1][0].id}"), kin=True)
    yield Scene("maclar", look(0, f"/oyuncu/{wide}/maclar?sayfa=2"))
    yield Scene("maclar-bos", look(0, f"/oyuncu/{entered[-1][0].id}/maclar?oyun=tavla"), kin=True)
    yield Scene("siralama-cok", look(24, "/siralama?oyun=tavla"))
    yield Scene("siralama-genis", look(0, "/siralama?oyun=okey101"), kin=True)


def _played(ids: list[int]) -> None:
    """The first four meet all the time; everybody but the last plays a game of Tavla, and only the 25th wins none."""
    rng, now = Random(1), staging.now()
    for n in range(90):
        game, ruleset, length, partners = KINDS[n % len(KINDS)]
        four = rng.sample(ids[:6] if n % 3 else ids[:4], 4)
        winners = {four[n % 2], four[n % 2 + 2]} if partners else {rng.choice(four)}
        points = [rng.randrange(-120, 480) for _ in four]
        at = now - (n + 1) * HOUR if n < 8 else now - n * 30 * HOUR
        finished(
            four, winners, at, game=game, ruleset=ruleset, length=length, points=points, partners=partners, hands=5
        )
    for n, person in enumerate(ids[:24]):
        for again in range(1 + (24 - n) // 6):
            finished((person, ids[24]), {person}, now - 900 * HOUR - 25 * n - again, game="tavla", length="Tek oyun")
