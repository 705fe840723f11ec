"""Mokali on the home screen: the manifest, the service worker, and the page that it shows where there is no line."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, request

from mokali.engine import codec
from mokali.web.house import House, house

GROUND: Final = "#0b3d2e"
BARS: Final = "#082c21"
"""A manifest knows one theme: the dark one's, as on the icon. Pages name the light one's bars themselves."""
ICONS: Final = (("192", 192, "any"), ("512", 512, "any"), ("maskable-512", 512, "maskable"))
_SCRIPT: Final = Path(__file__).parents[2] / "static" / "js" / "sw.js"
_FILES: Final = re.compile(r'<(?:script [^>]*?src|link rel="stylesheet" href)="([^"]+)"')


def register(app: Flask) -> None:
    """The addresses."""
    app.add_url_rule("/manifest.webmanifest", "manifest", manifest)
    app.add_url_rule("/sw.js", "worker", worker)
    app.add_url_rule("/baglanti-yok", "offline", offline)


def manifest() -> Response:
    """What a phone needs to know to put Mokali beside its apps."""
    to = house().links.to
    icons: list[dict[str, str]] = [
        {
            "src": to("static", filename=f"icons/mokali-{name}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, size, purpose in ICONS
    ]
    body: dict[str, Any] = {
        "name": "Mokali",
        "short_name": "Mokali",
        "description": "Dostlarla oynanan oyunlar, reklamsız.",
        "lang": "tr",
        "dir": "ltr",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "orientation": "any",
        "background_color": GROUND,
        "theme_color": BARS,
        "categories": ["games"],
        "icons": icons,
    }
    return _kept(codec.encode(body), "application/manifest+json")


def worker() -> Response:
    """The service worker of this release: what it keeps, and the script (``static/js/sw.js``).

    Another release, or another page for no line, is another text, and so to the browser a new worker.
    """
    page = _page(house())
    keeps = {
        "CACHE": f"mokali-{sha256(page.encode()).hexdigest()[:12]}",
        "STATIC": f"{house().static_url_path}/",
        "PAGE": house().links.to("offline"),
        "FILES": _FILES.findall(page),
    }
    head = "".join(f"const {name} = {codec.encode(value)};\n" for name, value in keeps.items())
    return _kept(head + _SCRIPT.read_text("utf-8"), "text/javascript")


def keeps(response: Response) -> bool:
    """Whether browsers may keep this, asking each time: the manifest and the worker are the same for everybody."""
    return request.endpoint in ("manifest", "worker") and bool(response.cache_control.no_cache)


def offline() -> str:
    """The page that a phone shows by itself; whoever opens it with a line is taken to the lobby."""
    return _page(house())


def _page(app: House) -> str:
    """Drawn without a request: nothing of anybody can stand in it."""
    return app.jinja_env.get_template("offline.html").render()


def _kept(text: str, kind: str) -> Response:
    answer = Response(text, mimetype=kind)
    answer.cache_control.no_cache = True
    answer.add_etag()
    answer.make_conditional(request)
    return answer
