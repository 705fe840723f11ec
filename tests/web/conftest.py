"""A house in this process for requests, and one in a process of its own for sockets."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from jinja2.bccache import Bucket, BytecodeCache

from mokali.config import Settings
from mokali.live import bus
from mokali.store import database, people, tables
from mokali.web.app import create_app
from mokali.web.house import House
from tests.web.server import GENEROUS, Server
from tests.web.wire import hang_up_all


class _Compiled(BytecodeCache):
    """Every template is compiled once, however many houses are opened in this process."""

    def __init__(self) -> None:
        self._codes: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """What was compiled from the same text."""
        if bucket.key + bucket.checksum in self._codes:
            bucket.bytecode_from_string(self._codes[bucket.key + bucket.checksum])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        self._codes[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


COMPILED: Final = _Compiled()


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., House]]:
    """Opens a house in this process, with generous limits save those named; nothing in it runs by itself."""
    monkeypatch.setattr(bus, "_listeners", [])
    monkeypatch.setattr(people, "_names", {})
    tables.forget()
    opened: list[House] = []

    def build_it(**settings: object) -> House:
        for _ in opened:
            database.close()
        house = create_app(Settings(**{**GENEROUS, "data": str(tmp_path), **settings}))  # type: ignore[arg-type]
        house.jinja_env.bytecode_cache = COMPILED
        opened.append(house)
        return house

    try:
        yield build_it
    finally:
        for house in opened:
            house.voices.close()
            house.hints.thinkers.close()
        if opened:
            database.close()
        tables.forget()


@pytest.fixture
def app(build: Callable[..., House]) -> House:
    """A house in this process."""
    return build()


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """No test leaves a socket open."""
    yield
    hang_up_all()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house in a process of its own, for all tests that bring names and tables of their own; it logs no fault."""
    yield from _serving(Server(tmp_path_factory.mktemp("house")))


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Opens houses in processes of their own, for one test."""
    opened: list[Server] = []

    def serve_it(app: str = "app:app", data: Path | None = None, **settings: object) -> Server:
        server = Server(data or tmp_path / f"house{len(opened)}", app, **settings)
        opened.append(server)
        server.start()
        return server

    yield serve_it
    for server in opened:
        if server.running:
            server.kill()


def _serving(server: Server) -> Iterator[Server]:
    server.start()
    try:
        yield server
        server.no_fault()
    finally:
        if server.running:
            server.kill()
