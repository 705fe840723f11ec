"""How the move clock and absence look: countdowns, warnings, bots that stand in, chairs to be given, leaving."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from e2e import gallery_klasik as klasik
from e2e import gallery_okey as okey
from e2e import gallery_trick as trick
from e2e.gallery import WIDE, NewPhone, Scene
from e2e.staging import Stage, dealt
from mokali.games import BY_KEY
from tests.web.prepared import PATIENT
from tests.web.server import Server

BROAD: Final = [WIDE + "W", "İ" * 16, "Muhammet Ali Can", WIDE + "A", "Efe"]
LONG: Final = {"bot_after_seconds": 3_000, "forfeit_after_seconds": 3_000}
"""So that nobody's patience ends while somebody looks."""
WAITS: Final = replace(PATIENT, seconds=300)
BOTS: Final = replace(PATIENT, seconds=300, absence="bot", **LONG)
RUNS: Final = replace(PATIENT, seconds=300, absence="auto")
LOSES: Final = replace(PATIENT, seconds=300, absence="forfeit", **LONG)
STILL: Final[dict[str, Any]] = {"reduced_motion": "reduce"}
SHORT: Final = """() => {
  const main = document.getElementById('table')
  main.classList.add('hurry')
  main.style.setProperty('--time', '3%')
  document.querySelector('[role=timer]').textContent = '0:09'
}"""
"""As it is in the last seconds."""


def clocks(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """At a table of four with the widest names: every term, whoever is on turn or away."""
    batak, position = BY_KEY["batak"], trick._contract(1, 7, "S", trick="6C 7C 5C")
    own = trick._contract(0, 7, "S", trick="")
    stage = Stage(server, new_phone, dealt(server, batak, position, BROAD, WAITS, hands=12), **STILL)
    yield Scene("sure-baskasinin", stage.look(), True)
    stage.put(own)
    page = stage.look()
    yield Scene("sure-benim", page, True)
    page.evaluate(SHORT)
    yield Scene("sure-son-saniyeler", page, True, True)
    stage.put(position, away=(0, 2))
    page = stage.look(1)
    yield Scene("kopan-masa-bekler", page, True)
    page.locator('#absent [data-ui="ways"]').tap()
    yield Scene("koltuk-ne-olsun", page, True)
    yield Scene("kopan-izleyen", stage.look(-1), True, True)
    stage.put(position, away=(2,), chairs={2: {"vacated": True}})
    yield Scene("koltuk-acik", stage.look(1), True)
    yield Scene("koltuk-acik-izleyen", stage.look(-1), True)
    stage.put(own, chairs={0: {"missed": 1}})
    yield Scene("sure-doldu", stage.look(), True, True)


def everywhere(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """The same in each layout, at tables with other terms."""
    stage = Stage(server, new_phone, dealt(server, BY_KEY["okey101"], okey.OPENED, ["Ayşe", *BROAD[1:]], BOTS), **STILL)
    yield Scene("sure-101", stage.look(), True)
    stage.put(okey.OPENED, away=(2,))
    page = stage.look()
    yield Scene("bot-gelecek-101", page, True)
    page.locator(".menu").tap()
    page.locator('#sheet-menu [data-ui="leave"]').tap()
    yield Scene("cikmak-bot", page, True, True)
    stage.put(okey.OPENED, chairs={0: {"bot": "orta", "missed": 2}, 1: {"bot": "orta", "away_since": 1}})
    yield Scene("yerine-bot-101", stage.look(), True)
    names = ["Bora", "Cemre", "Derya", "Emre", "Filiz"]
    stage = Stage(server, new_phone, dealt(server, BY_KEY["klasik"], klasik.TURN, names, WAITS), **STILL)
    yield Scene("sure-klasik", stage.look(), True)
    stage.put(klasik.TURN, away=(0,))
    yield Scene("kopan-klasik", stage.look(1), True)
    stage = Stage(
        server, new_phone, dealt(server, BY_KEY["tavla"], {"dice": [5, 3]}, ["Gül", "Hakan", "Irmak"], LOSES), **STILL
    )
    yield Scene("sure-tavla", stage.look(), True)
    stage.put({"dice": [5, 3]}, away=(1,))
    yield Scene("kaybedecek-tavla", stage.look(), True)
    names = ["Jale", "Kaan", "Lale"]
    stage = Stage(server, new_phone, dealt(server, BY_KEY["pisti"], PISTI, names, RUNS), **STILL)
    yield Scene("sure-pisti", stage.look(), True)
    stage.put(PISTI, chairs={0: {"missed": 2}})
    yield Scene("son-uyari-pisti", stage.look(), True)
    stage.put(PISTI, away=(1,))
    yield Scene("sure-isler-pisti", stage.look(), True, True)


PISTI: Final[dict[str, Any]] = {
    "dealer": 1,
    "hands": [["9S", "KH", "2C", "JD"], ["9H", "KD", "3S", "4C"]],
    "pile": ["7D", "AH", "5S", "6C"],
    "turn": 0,
}
