"""What every test may use: Hypothesis without a stopwatch, and a database of one's own."""

from collections.abc import Iterator
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
