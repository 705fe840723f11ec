"""Pictures of every page and state, for people to look at: ``python -m e2e.screens FOLDER``. No test."""

import argparse
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from e2e.gallery import Scene
from e2e.phones import Phone
from e2e.shows import SHOWS
from tests.web.server import Server
from tests.web.wire import hang_up_all

Sizes = tuple[tuple[int, int], ...]
FAKE = "--use-fake-device-for-media-stream"
SIZES: Sizes = ((360, 640), (640, 360), (1280, 800))


def main() -> None:
    """Draw them all."""
    parser = argparse.ArgumentParser(prog="python -m e2e.screens", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a pattern for the names of scenes")
    parser.add_argument("--show", default="", help="a pattern for the names of whole shows")
    parser.add_argument("--sizes", default=SIZES, type=_sizes, help="like 320x568,390x844")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data:
        browser = playwright.chromium.launch(**_launch(playwright.chromium.executable_path))
        for scene in _scenes(browser, Path(data), given.show):
            if re.search(given.only, scene.name):
                _draw(scene, given.folder, given.sizes)
        browser.close()
    hang_up_all()


def _scenes(browser: Browser, data: Path, shows: str) -> Iterator[Scene]:
    for name, (show, settings, _) in SHOWS.items():
        if not re.search(shows, name):
            continue
        server = Server(data / name, **settings)
        server.start()
        phones: list[Phone] = []

        def new_phone(house: Server, phones: list[Phone] = phones, **options: Any) -> Phone:
            phones.append(Phone(browser, house.base, **options))
            return phones[-1]

        try:
            yield from show(server, new_phone)
        finally:
            server.kill()
        for phone in phones:
            phone.away()
            for complaint in phone.complaints:
                print("complaint:", complaint)


def _draw(scene: Scene, folder: Path, chosen: Sizes) -> None:
    """One picture per size in the dark, and one in the light."""
    page = scene.page
    before = page.viewport_size
    for theme, sizes in (("dark", chosen), ("light", chosen[:1])):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(60)  # a picture is for the eye: let it settle
            page.screenshot(path=folder / f"{scene.name}-{width}x{height}-{theme}.png")
    assert before is not None
    page.set_viewport_size(before)
    page.emulate_media(color_scheme=None)
    print(scene.name, flush=True)


def _sizes(text: str) -> Sizes:
    pairs = (size.split("x") for size in text.split(","))
    return tuple((int(width), int(height)) for width, height in pairs)


def _launch(own: str) -> dict[str, Any]:
    launch: dict[str, Any] = {"args": [FAKE, *(["--no-sandbox"] if os.geteuid() == 0 else [])]}
    return launch if os.path.exists(own) else launch | {"executable_path": shutil.which("chromium")}


if __name__ == "__main__":
    main()
