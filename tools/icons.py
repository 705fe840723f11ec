"""Draws the icons of the home screen from tools/icon.svg into static/icons: ``python tools/icons.py``. Needs a browser.

Those of purpose ``any`` have round corners on nothing; the others fill their square, since the phone cuts them itself.
"""

import base64
import os
import shutil
import struct
import zlib
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from playwright.sync_api import Page, sync_playwright

HERE: Final = Path(__file__).parent
FOLDER: Final = HERE.parent / "static" / "icons"
COLOURS: Final = 256

DRAW: Final = """async ([sign, size, round]) => {
  const image = new Image(size, size)
  image.src = `data:image/svg+xml;base64,${sign}`
  await image.decode()
  const brush = Object.assign(document.createElement('canvas'), {width: size, height: size}).getContext('2d')
  brush.roundRect(0, 0, size, size, size * round / 100)
  brush.clip()
  brush.drawImage(image, 0, 0, size, size)
  return Array.from(brush.getImageData(0, 0, size, size).data)
}"""


class Icon(NamedTuple):
    """A file's name, its pixels on a side, and how round its corners are, in hundredths of a side."""

    name: str
    size: int
    round: int


ICONS: Final = (
    Icon("mokali-180", 180, 0),
    Icon("mokali-192", 192, 22),
    Icon("mokali-512", 512, 22),
    Icon("mokali-maskable-512", 512, 0),
)


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        browser = playwright.chromium.launch(
            executable_path=own if os.path.exists(own) else shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        page = browser.new_page()
        for icon in ICONS:
            file = FOLDER / f"{icon.name}.png"
            file.write_bytes(png(drawn(page, icon)))
            print(f"{file.name}: {file.stat().st_size:,} bytes")
        browser.close()


def drawn(page: Page, icon: Icon) -> Any:
    """Its pixels: red, green, blue, opacity."""
    sign = base64.b64encode((HERE / "icon.svg").read_bytes()).decode()
    found = page.evaluate(DRAW, [sign, icon.size, icon.round])
    return np.array(found, np.uint8).reshape(icon.size, icon.size, 4)


def png(pixels: Any) -> bytes:
    """With a palette: a third of what a browser would write. Rare shades, those at edges, become the nearest kept."""
    every, places, counts = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True, return_counts=True)
    known = every[np.argsort(-counts)[:COLOURS]].astype(int)
    places = np.array([np.abs(known - shade).sum(axis=1).argmin() for shade in every.astype(int)])[places]
    known = known.astype(np.uint8)
    side = len(pixels)
    rows = np.hstack([np.zeros((side, 1), np.uint8), places.reshape(side, side).astype(np.uint8)])
    parts = [(b"IHDR", struct.pack(">2I5B", side, side, 8, 3, 0, 0, 0)), (b"PLTE", known[:, :3].tobytes())]
    if (known[:, 3] < 255).any():
        parts.append((b"tRNS", known[:, 3].tobytes()))
    parts += [(b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


if __name__ == "__main__":
    main()
