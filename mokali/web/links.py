"""Addresses of pages and files without a request: sockets draw too."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask


class Links:
    """Builds the addresses of one app. Files carry a mark of their content, so that browsers may keep them for good."""

    def __init__(self, app: Flask) -> None:
        self._routes = app.url_map.bind("")
        self._files = Path(app.static_folder or "")
        self._marks: dict[str, str] = {}

    def to(self, endpoint: str, **values: Any) -> str:
        """The path of an endpoint; values without a place in it become its query, empty ones nothing."""
        given = {key: value for key, value in values.items() if value not in (None, "")}
        if endpoint == "static":
            given["v"] = self._mark(given["filename"])
        return str(self._routes.build(endpoint, given))

    def _mark(self, filename: str) -> str:
        if filename not in self._marks:
            self._marks[filename] = sha256((self._files / filename).read_bytes()).hexdigest()[:12]
        return self._marks[filename]
