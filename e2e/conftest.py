"""Real houses and real phones: gunicorn in a child process, Chromium at a phone's size with touch."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserType

from e2e.phones import Phone
from tests.web.server import Server
from tests.web.wire import hang_up_all

House = Callable[..., Server]
NewPhone = Callable[..., Phone]

WITHOUT: Final = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
    "PreconnectToSearch",
)
"""What Chromium leaves out: the pages of its address bar and a process in reserve, for which every phone would compute
half a second; and what Playwright leaves out anyway, since the last such switch is the one that counts."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--every-size`` draws the galleries at all sizes, as before a release (``make soak``)."""
    parser.addoption("--every-size", action="store_true", help="galleries at all eight sizes")


@pytest.fixture
def every_size(request: pytest.FixtureRequest) -> bool:
    """Whether this is the long look before a release."""
    return bool(request.config.getoption("--every-size"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], browser_type: BrowserType) -> dict[str, Any]:
    """Playwright's own browser where it is installed, else the system's; no sandbox for root."""
    launch = dict(browser_type_launch_args)
    quiet = [
        "--use-fake-device-for-media-stream",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        f"--disable-features={','.join(WITHOUT)}",
    ]
    launch["args"] = [*launch.get("args", []), *quiet, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    if not os.path.exists(browser_type.executable_path):
        launch["executable_path"] = shutil.which("chromium")
    return launch


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[House]:
    """Opens houses for one test; no fault may stand in their logs."""
    opened: list[Server] = []

    def open_it(**settings: Any) -> Server:
        server = Server(tmp_path / f"house{len(opened)}", **settings)
        opened.append(server)
        server.start()
        return server

    yield open_it
    for server in opened:
        if server.running:
            server.kill()
        server.no_fault()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One house for all tests that bring their own names and tables."""
    server = Server(tmp_path_factory.mktemp("house"))
    server.start()
    yield server
    server.kill()
    server.no_fault()


@pytest.fixture
def new_phone(browser: Browser) -> Iterator[NewPhone]:
    """Makes phones for one test; a script error or a breach of the page's security policy fails it."""
    made: list[Phone] = []

    def make(server: Server, name: str | None = None, **options: Any) -> Phone:
        phone = Phone(browser, server.base, **options)
        made.append(phone)
        if name is not None:
            phone.known_as(name)
        return phone

    yield make
    complaints = [complaint for phone in made for complaint in phone.complaints]
    for phone in made:
        phone.away()
    hang_up_all()
    assert complaints == []
