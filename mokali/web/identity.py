"""Who is asking: the device cookie, and whether there is room. Knows no tables' rules."""

from typing import Final, cast

from flask import Response, g, request

from mokali.live import door
from mokali.store import people
from mokali.store.people import Door, Person
from mokali.web.house import house

LIFETIME: Final = 180 * 24 * 3600
PLAIN_COOKIE: Final = "mokali"
SAFE_COOKIE: Final = "__Host-mokali"
PLEA_COOKIE: Final = "mokali-onay"


def room() -> Door:
    """How many fit in, as the store wants it."""
    figures = house().settings
    return Door(figures.max_people, int(figures.linger_seconds * 1000))


def person() -> Person | None:
    """Whose device this is; looked up once a request."""
    if "person" not in g:
        token = request.cookies.get(_cookie())
        g.person = people.by_token(token) if token else None
    return cast("Person | None", g.person)


def base() -> str:
    """Scheme and host that this house is called by."""
    return house().settings.origin or f"{request.scheme}://{request.host}"


def remember(response: Response, token: str) -> Response:
    """Give the device this token (RL-2)."""
    g.pop("person", None)
    return _set(response, _cookie(), token, LIFETIME)


def renew(response: Response) -> Response:
    """Let the device keep what it has for another half year."""
    token = request.cookies.get(_cookie())
    return _set(response, _cookie(), token, LIFETIME) if token and person() is not None else response


def forget(response: Response) -> Response:
    """Take the token from the device."""
    response.delete_cookie(_cookie(), path="/", secure=request.is_secure, httponly=True, samesite="Lax")
    return response


def remember_plea(response: Response, secret: str | None) -> Response:
    """Give the asking device what it asked with (SITE-21), or take it back."""
    if secret is None:
        response.delete_cookie(PLEA_COOKIE, path="/onay")
        return response
    return _set(response, PLEA_COOKIE, secret, 3600, path="/onay")


def inside_now() -> int:
    """How many people count as inside (SITE-3)."""
    return len(people.inside(room(), door.now()))


def _cookie() -> str:
    return SAFE_COOKIE if request.is_secure else PLAIN_COOKIE


def _set(response: Response, name: str, value: str, seconds: int, path: str = "/") -> Response:
    response.set_cookie(
        name, value, max_age=seconds, path=path, secure=request.is_secure, httponly=True, samesite="Lax"
    )
    return response
