"""What every test may use: Hypothesis without a stopwatch, a database of one's own, and how long to go on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mokali.live import bus
from mokali.store import database, people, tables
from mokali.store.models import DATABASE

pytest.register_assert_rewrite("tests.contract")

settings.register_profile(
    "house",
    deadline=None,  # how long a step takes is the machine's affair
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
    print_blob=True,
)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--soak`` runs the hours that a release wants (``make soak``)."""
    parser.addoption("--soak", action="store_true", help="the long counts, and the tests that only a release needs")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked ``soak`` runs in a soak alone, and a soak runs that and whatever counts ``rounds``."""
    soak = config.getoption("--soak")
    wanted = [item for item in items if (_long(item) if soak else "soak" not in item.keywords)]
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = wanted


def _long(item: pytest.Item) -> bool:
    return "soak" in item.keywords or "rounds" in getattr(item, "fixturenames", ())


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """``rounds(usual, soak)``: how often to do what is done a thousand times before a release."""
    return lambda usual, soak: soak if request.config.getoption("--soak") else usual


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An open, empty database that waits for no disk, nobody listening to bells; the path of its file."""
    path = tmp_path / "house.sqlite3"
    monkeypatch.setattr(bus, "_listeners", [])
    monkeypatch.setattr(people, "_names", {})
    tables.forget()
    database.open_at(path)
    DATABASE.execute_sql("PRAGMA synchronous = 0")
    try:
        yield path
    finally:
        database.close()
        tables.forget()
