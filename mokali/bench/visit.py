"""A first visit as a browser makes it, in bytes: a page, and every script, style and picture that it loads at once."""

import re
from gzip import decompress
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urljoin, urlsplit

from msgspec import Struct

KINDS: Final = {"text/html": "page", "text/javascript": "scripts", "text/css": "styles"}
_WANTED: Final = {
    "page": re.compile(r'<(?:script|img)\b[^>]* src="([^"]+)"|<link\b[^>]* href="([^"]+)"'),
    "scripts": re.compile(r"""\b(?:import|from)\s*["'](\.{0,2}/[^"']+)["']"""),
    "styles": re.compile(r"""(?:url\(["']?|@import\s+["'])(?!data:|#)([^"')]+)"""),
}


class Got(Struct, frozen=True):
    """One file: its address and kind, the bytes of its body as they were sent, and unpacked."""

    address: str
    kind: str
    sent: int
    unpacked: int


def first_visit(base: str, path: str, cookie: str) -> list[Got]:
    """Everything that somebody without a cache gets who opens ``path``; headers are not counted."""
    got: list[Got] = []
    asked, waiting = {path}, [path]
    while waiting:
        address = waiting.pop(0)
        file, text = _get(base, address, cookie)
        got.append(file)
        for wanted in _wanted(file, text):
            if wanted not in asked:
                asked.add(wanted)
                waiting.append(wanted)
    return got


def _get(base: str, path: str, cookie: str) -> tuple[Got, str]:
    connection = HTTPConnection(urlsplit(base).netloc, timeout=30)
    try:
        connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip", "Connection": "close"})
        response = connection.getresponse()
        body = response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise ValueError(f"{path}: {response.status}")
    plain = decompress(body) if response.headers["Content-Encoding"] == "gzip" else body
    kind = KINDS.get(response.headers.get_content_type(), "other")
    return Got(path, kind, len(body), len(plain)), plain.decode() if kind in _WANTED else ""


def _wanted(file: Got, text: str) -> list[str]:
    """Addresses in this house, in order."""
    found = _WANTED[file.kind].findall(text) if file.kind in _WANTED else []
    names = ["".join(name) for name in found]
    return [urljoin(file.address, name) for name in names if not urlsplit(name).netloc]
