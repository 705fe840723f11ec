"""create_app(settings): wiring, the checks before every request and the headers after it."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import flask_compress
import flask_sock
import gevent
import rcssmin
import rjsmin
from flask import Response, abort, request
from flask import g as this_request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from mokali import journal
from mokali.config import Settings
from mokali.store import database, tables
from mokali.store.database import NotKept
from mokali.store.people import Full
from mokali.tables.table import Why
from mokali.tables.texts import ENDS
from mokali.web import (
    filters,
    health,
    identity,
    install,
    learn,
    luck,
    pages,
    players,
    profile,
    replay,
    scripts,
    shuffle,
    table,
    tiles,
    uploads,
    voice,
)
from mokali.web.house import House, house, knock
from mokali.web.links import mark
from mokali.web.wire import Socket

ROOT: Final = Path(__file__).parents[2]
KEPT: Final = 31_536_000
"""Seconds that browsers keep a static file: another one has another address."""
PIECE: Final = 1024
"""Bytes that are read of a socket at a time: full of tiny frames, they hold up the loop for some milliseconds."""


def create_app(settings: Settings) -> House:
    """The app on an open database. Nothing runs by itself until ``start``."""
    database.open_at(settings.database)
    static = ROOT / "static"
    app = House(
        __name__,
        template_folder=str(ROOT / "templates"),
        static_folder=str(static),
        static_url_path=f"/static/{mark(static)}",
    )
    app.config.update(
        MAX_CONTENT_LENGTH=settings.max_body,
        SEND_FILE_MAX_AGE_DEFAULT=KEPT,
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_BR_LEVEL=6,
        SOCK_SERVER_OPTIONS={
            "receive_bytes": PIECE,
            "max_message_size": settings.max_message,
            "intake": (settings.bytes_per_second, settings.bytes_in_reserve),
            "max_outbox": settings.max_outbox,
            "stall_seconds": settings.stall_seconds,
        },
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    flask_compress.Compress(app)
    flask_sock.Server = Socket
    sock = flask_sock.Sock()
    for part in (pages, players, profile, table, voice, shuffle, luck, install, learn, replay, uploads, health):
        part.register(app)
    table.register_sockets(sock)
    sock.init_app(app)
    app.equip(settings)
    app.add_url_rule(f"{app.static_url_path}/styles/<sheets>.css", "styles", _styles)
    app.add_url_rule(f"{app.static_url_path}/scripts/<modules>.js", "scripts", _scripts)
    filters.register(app)
    tiles.register(app)
    app.jinja_env.globals["url_for"] = app.links.to
    app.context_processor(_known)
    app.before_request(_guard)
    app.after_request(_protect)
    app.after_request(_in_one)
    app.register_error_handler(Exception, _failed)
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies)  # type: ignore[method-assign]
    return app


# --- before and after ---


def _known() -> dict[str, Any]:
    """What every page knows."""
    return {"me": identity.person(), "house": pages.Inside(identity.inside_now(), house().settings.max_people)}


def _guard() -> None:
    """Posts and handshakes come from our own pages, and not too often (RL-14, RL-18)."""
    gevent.sleep(0)  # requests sent in one go take turns with everybody else's
    spoken = request.endpoint == "speak"
    handshake = request.headers.get("Upgrade", "").lower() == "websocket"
    if request.method not in ("GET", "HEAD") or handshake:
        if request.headers.get("Origin") != identity.base():
            abort(403)
        if not (handshake or spoken or request.endpoint == "upload"):
            _whole()
        known = identity.person() if handshake or spoken else None
        # eight phones behind one router reload at once: whoever is known is counted alone
        knock("handshake" if handshake else "post", None if known is None else f"person {known.id}")


def _whole() -> None:
    """What is sent in pieces and cut off is no form (RL-19)."""
    if request.content_length is None and len(request.get_data()) >= house().settings.max_body:
        abort(413)


def _protect(response: Response) -> Response:
    """The headers of RL-15 and RL-16."""
    host = request.host if re.fullmatch(r"[\w.:\[\]-]+", request.host) else ""
    scheme = "wss" if request.is_secure else "ws"
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; "
        f"connect-src 'self' {scheme}://{host}; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Permissions-Policy"] = (
        "microphone=(self), autoplay=(self), screen-wake-lock=(self), camera=(), geolocation=()"
    )
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    lasting = request.endpoint in ("static", "styles", "scripts") or install.keeps(response)
    if not lasting and not response.cache_control.no_store:
        response.headers["Cache-Control"] = "no-store"
    return response


def _in_one(response: Response) -> Response:
    """Our small files are sent in one piece, styles and scripts without what only we read.

    A stream could not be compressed with gzip, all that plain http has.
    """
    if request.endpoint == "static" and response.status_code == 200:
        response.direct_passthrough = False
        kind = response.mimetype
        response.set_data(_small(kind, response.get_data(as_text=True)) if kind in _SMALLER else response.get_data())
    return response


def _styles(sheets: str) -> Response:
    """Several style sheets in one, "mokali-cards": together they are smaller on the line than one by one."""
    known = {file.stem: file for file in (ROOT / "static" / "css").glob("*.css")}
    if not known.keys() >= {*sheets.split("-")}:
        abort(404)
    return _lasting("text/css", "\n".join(known[name].read_text("utf-8") for name in sheets.split("-")))


def _scripts(modules: str) -> Response:
    """A script with all that it imports in one, "pisti"; "pisti-recorder" is what a page that has it loads later."""
    try:
        return _lasting("text/javascript", scripts.joined(ROOT / "static" / "js", modules))
    except scripts.Unknown:
        abort(404)


def _lasting(kind: str, text: str) -> Response:
    response = Response(_small(kind, text), mimetype=kind)
    response.cache_control.public, response.cache_control.max_age = True, KEPT
    return response


_SMALLER: Final[Mapping[str, Callable[[str], str]]] = {"text/css": rcssmin.cssmin, "text/javascript": rjsmin.jsmin}


@lru_cache(maxsize=64)
def _small(kind: str, text: str) -> str:
    return _SMALLER[kind](text)


def _failed(error: Exception) -> tuple[str, int] | tuple[str, int, dict[str, str]] | Response:
    """One sentence instead of a trace; a fault of ours carries a number that stands in the log too."""
    this_request.setdefault("person", None)
    match error:
        case Full():
            return pages.full()
        case NotKept():
            return pages.message("Kaydedilemedi", "Birazdan yeniden dene.", code=503)
        case tables.Newer():
            again = request.path if request.method == "GET" else "/"
            text = "Birazdan yeniden dene."
            return pages.message("Masa yeni sürümde açık", text, code=503, action="Yeniden dene", href=again)
        case tables.Unreadable():
            return pages.message("Masa kapandı", ENDS[Why.UNREADABLE], code=410)
        case HTTPException(code=int(code)) if code in _SENTENCES:
            if code in _TOLD:
                journal.noise("turned_away", action=request.endpoint, code=code)
            return pages.message(*_SENTENCES[code], code=code)
        case HTTPException():
            response: Response = error.get_response()  # type: ignore[assignment]
            return response
    number = journal.fault(error, action=request.endpoint)
    return pages.message("Bir aksilik oldu", "Sayfa açılamadı.", code=500, number=number)


_TOLD: Final = frozenset({403, 413, 429})
_SENTENCES: Final = {
    400: ("Bu istek anlaşılmadı", "Eksik ya da bozuk geldi. Sayfayı yenile, yeniden dene."),
    403: ("Buradan olmaz", "Bu istek Mokali'nin kendi sayfasından gelmedi."),
    404: ("Böyle bir sayfa yok", "Adres yanlış yazılmış olabilir."),
    405: ("Böyle bir sayfa yok", "Adres yanlış yazılmış olabilir."),
    413: ("Çok uzun", "Gönderilen şey çok büyük, kabul edilmedi."),
    429: ("Biraz yavaş", "Kısa sürede çok fazla istek geldi. Bir dakika sonra yeniden dene."),
}
