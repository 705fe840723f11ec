"""Okey tables for phones: put into a position before anybody looks, and played by touch."""

from typing import Any, Final, Literal

from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from e2e import staging
from e2e.fingers import Finger
from e2e.phones import Phone
from mokali.engine.record import Record
from mokali.games import BY_KEY
from tests.web.prepared import PATIENT, Prepared
from tests.web.server import Server

GAME: Final = BY_KEY["okey101"]


def dealt(server: Server, setup: dict[str, Any], names: list[str], *, helps: bool = True, **rules: Any) -> Prepared:
    """A table of this house in a position, its people in their chairs; the last of ``names`` watches."""
    kind: Literal["casual", "test"] = "test" if len(names) - 1 in GAME.test_seats else "casual"
    terms = replace(PATIENT, assist=helps, kind=kind)
    return staging.dealt(server, GAME, setup, names, terms, **{"hands": 1, **rules})


def case(name: str) -> Record:
    """A record of the game."""
    return staging.case(GAME, name)


class Rack:
    """A phone's rack, and what fingers do with it."""

    def __init__(self, phone: Phone) -> None:
        self.phone, self.page, self.finger = phone, phone.page, Finger(phone)

    def tile(self, name: str) -> Locator:
        """A tile of the rack."""
        return self.page.locator(f"#tile-{name}")

    def slot(self, number: int) -> Locator:
        """One of the thirty places."""
        return self.page.locator(f"#slot-{number}")

    def meld(self, index: int) -> Locator:
        """A meld on the table."""
        return self.page.locator(f'.laid[data-meld="{index}"]')

    @property
    def _side(self) -> str:
        return "tall" if self.page.evaluate("innerHeight > innerWidth") else "wide"

    @property
    def lying(self) -> dict[str, str]:
        """Tile to its row and column, as the phone is held now."""
        found: dict[str, str] = self.page.evaluate(
            "side => Object.fromEntries(Array.from(document.querySelectorAll('#rack .tile'),"
            " tile => [tile.dataset.tile, tile.dataset[side]]))",
            self._side,
        )
        return found

    @property
    def groups(self) -> list[list[str]]:
        """The server's groups, as the rack shows them."""
        found: list[list[str]] = self.page.evaluate(
            """side => {
              const all = Array.from(document.querySelectorAll('#rack .tile'))
              all.sort((a, b) => a.dataset[side].localeCompare(b.dataset[side]))
              const groups = []
              for (const tile of all) {
                if (tile.classList.contains('head')) groups.push([])
                groups[groups.length - 1].push(tile.dataset.tile)
              }
              return groups
            }""",
            self._side,
        )
        return found

    @property
    def worth(self) -> int:
        """What the button to open with melds says that they come to."""
        return int((self.page.locator("#open-melds .num").text_content() or "").split("/")[0])

    def settled(self) -> None:
        """Wait until the server has answered every change."""
        expect(self.page.locator("#table.waits")).to_have_count(0)

    def sort(self) -> None:
        """Tap "Seri diz", and wait for the answer."""
        self.page.locator("#sort [data-sort=runs]").tap()
        expect(self.page.locator("#sort [data-sort=undo]")).to_be_visible()

    def drag(self, name: str, target: Locator) -> None:
        """Carry a tile somewhere and let go."""
        self.finger.carry(self.tile(name), target)
        self.finger.lift()

    def play(self, action: dict[str, Any]) -> None:
        """Do by touch what a line of a record says, and wait until it has been done."""
        before = self.phone.played
        getattr(self, f"_{action['do']}")(action)
        self.phone.moved_on(before)

    def _draw(self, action: dict[str, Any]) -> None:
        self.page.locator("#stock" if action["from"] == "stock" else "#side").tap()

    def _return(self, action: dict[str, Any]) -> None:
        back = self.page.locator('#side[data-do="return"]')
        expect(back).to_be_visible()
        self.page.wait_for_timeout(1_100)  # right after the draw it takes no tap
        back.tap()
        expect(back).to_contain_text("Geri bırak?")
        back.tap()

    def _show(self, action: dict[str, Any]) -> None:
        self.page.locator('#shown[data-do="show"]').tap()

    def _undo(self, action: dict[str, Any]) -> None:
        self.page.locator('#stock[data-do="undo"]').tap()

    def _swap(self, action: dict[str, Any]) -> None:
        self.drag(action["tile"], self.meld(action["meld"]).locator(".wild"))

    def _lay(self, action: dict[str, Any]) -> None:
        (name,) = action["tiles"]
        self.tile(name).tap()
        expect(self.meld(action["meld"])).to_have_class("laid run fits")
        self.meld(action["meld"]).tap()

    def _discard(self, action: dict[str, Any]) -> None:
        self.drag(action["tile"], self.page.locator("#throw"))
        again = self.page.locator("#drop.asking")
        if again.count():
            again.tap()

    def _open(self, action: dict[str, Any]) -> None:
        self.sort()
        self.page.locator(f"#open-{action['kind']}").tap()
        sheet = self.page.locator(f"#sheet-open-{action['kind']}")
        expect(sheet).to_be_visible()
        wanted = {frozenset(meld) for meld in action["melds"]}
        for box in sheet.locator("input[data-tiles]").all():
            if frozenset((box.get_attribute("data-tiles") or "").split()) not in wanted:
                box.set_checked(False)
        sheet.locator("[data-do=open]").tap()
