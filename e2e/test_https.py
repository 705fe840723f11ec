"""By a name, not 127.0.0.1: over HTTPS through Caddy with its own authority (RL-53), and over plain http (RL-52)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserType, expect

from e2e.conftest import House, NewPhone
from e2e.gallery import OFFER
from e2e.phones import AUTOPLAY, Phone, gathered, together, up_to_date, whose_turn
from tests.caddy import Caddy, needs_caddy
from tests.web.server import Server

NAME = "mokali.lan"


class Place(NamedTuple):
    """Where phones go."""

    base: str


@pytest.fixture(scope="module")
def browser(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser that finds the name on this machine. To it, a name is no local address."""
    if browser_type.name != "chromium":
        pytest.skip("only Chromium is told names on its command line")
    args = [*browser_type_launch_args["args"], f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    started = browser_type.launch(**{**browser_type_launch_args, "args": args})
    yield started
    started.close()


@pytest.fixture
def behind(serve: House, tmp_path: Path) -> Iterator[tuple[Server, Caddy]]:
    """A house, and Caddy in front of it as at home."""
    server = serve(proxies=1)
    front = Caddy("Caddyfile.home", tmp_path / "caddy", server.port)
    front.start()
    yield server, front
    front.stop()


def _pair(new_phone: NewPhone, base: str, **options: Any) -> tuple[Phone, Phone]:
    """Two who have entered by the door; without the screen nobody here finds the name."""
    phones = new_phone(Place(base), **options), new_phone(Place(base), **options)
    for phone, name in zip(phones, ("Ayşe", "Ece"), strict=True):
        phone.enter(name)
    return phones


def _cookie(phone: Phone) -> dict[str, Any]:
    [cookie] = phone.context.cookies()
    return dict(cookie)


@needs_caddy
def test_rl_53_a_house_behind_caddy(behind: tuple[Server, Caddy], new_phone: NewPhone) -> None:
    server, front = behind
    ali, ece = _pair(new_phone, front.base, ignore_https_errors=True)
    address = gathered(ali, ece)
    assert address.startswith(f"{front.base}/masa/")
    assert ali.page.evaluate("() => isSecureContext && !!navigator.mediaDevices")
    cookie = _cookie(ali)
    assert (cookie["name"], cookie["secure"], cookie["httpOnly"]) == ("__Host-mokali", True, True)
    for _ in range(3):
        whose_turn(ali, ece).play()
        up_to_date(ali, ece)
    server.stop()
    server.start()
    for phone in (ali, ece):
        phone.connected()
    for page in ("/healthz", "/metrics"):
        assert front.ask(page).status == 404
        with urlopen(server.base + page) as answer:
            assert answer.status == 200
    assert front.ask("/kurallar").status == 200  # its certificate holds for whoever trusts the authority
    plain = new_phone(Place(f"http://127.0.0.1:{front.http}"))
    plain.enter("Can")
    plain.visit(f"{plain.base}/masa/{ali.fact('table')}")
    assert _cookie(plain)["name"] == "mokali"
    whose_turn(ali, ece).play()
    together(ali, ece, plain)


def test_rl_52_plain_http_on_a_name_is_playable(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = _pair(new_phone, f"http://{NAME}:{shared.port}")
    address = ali.open_table()
    assert ali.page.evaluate("() => [isSecureContext, !!navigator.mediaDevices, !!navigator.wakeLock]") == [False] * 3
    assert (_cookie(ali)["name"], _cookie(ali)["secure"]) == ("mokali", False)
    ali.lobby()
    assert ali.page.evaluate("() => 'serviceWorker' in navigator") is False
    ali.page.evaluate(OFFER, "dismissed")
    expect(ali.page.locator("#install")).to_be_hidden()
    ali.visit(address)
    ali.page.locator("[data-ui=share]").tap()
    expect(ali.page.locator(".link-text")).to_have_text(address.replace("/masa/", "/m/"))
    ece.sit(address, 1)
    for phone in (ali, ece):
        phone.ready()
    for phone in (ali, ece):
        phone.page.locator('#table[data-phase="play"]').wait_for()
        phone.page.evaluate(AUTOPLAY)
    for phone in (ali, ece):
        phone.page.locator('#table[data-phase="hand_over"]').wait_for(timeout=60_000)
