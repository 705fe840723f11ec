"""Addresses of pages and files without a request: sockets draw too."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask


def mark(folder: Path) -> str:
    """A short mark of everything in a folder. It stands in the files' addresses, so that browsers may keep them.

    One mark for all, since a script that imports its neighbour names it without one.
    """
    digest = sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(str(file.relative_to(folder)).encode() + file.read_bytes())
    return digest.hexdigest()[:12]


class Links:
    """Builds the addresses of one app."""

    def __init__(self, app: Flask) -> None:
        self._routes = app.url_map.bind("")

    def to(self, endpoint: str, **values: Any) -> str:
        """The path of an endpoint; values without a place in it become its query, empty ones nothing."""
        given = {key: value for key, value in values.items() if value not in (None, "")}
        return str(self._routes.build(endpoint, given))
