"""Tables of Klasik Okey for phones: put into a position before anybody looks."""

from typing import Any, Final

from msgspec.structs import replace

from e2e import staging
from e2e.phones import Phone
from mokali.games import BY_KEY
from tests.web.prepared import PATIENT, Prepared
from tests.web.server import Server

GAME: Final = BY_KEY["klasik"]


def dealt(server: Server, setup: dict[str, Any], names: list[str], *, helps: bool = True, **rules: Any) -> Prepared:
    """A table of this house in a position, its people in their chairs; the last of ``names`` watches."""
    return staging.dealt(server, GAME, setup, names, replace(PATIENT, assist=helps), **rules)


def case(name: str, **more: object) -> dict[str, Any]:
    """The position of a record of the game, some of it otherwise."""
    setup = staging.case(GAME, name).header.setup
    assert setup is not None
    return setup | more


def lifted(phone: Phone, name: str) -> None:
    """Tap a tile of the rack, so that it is up."""
    phone.page.locator(f"#tile-{name}").tap()
    phone.page.locator(f"#tile-{name}.lifted").wait_for()
