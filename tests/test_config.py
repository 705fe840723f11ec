"""Settings: every figure has a default, is read from the environment, and is refused where it is none."""

from pathlib import Path

import msgspec
import pytest

from mokali.config import Settings
from mokali.tables.terms import Terms


def test_defaults_for_everything() -> None:
    settings = Settings.from_env({})
    assert settings == Settings()
    assert (settings.max_people, settings.port, settings.linger_seconds) == (8, 8000, 60.0)
    assert settings.database == Path("var/mokali.sqlite3")


def test_the_tables_defaults_are_the_houses() -> None:
    for field in ("pause_seconds", "waiting_minutes", "vacant_minutes"):
        assert getattr(Settings(), field) == getattr(Terms(), field)


def test_read_from_the_environment() -> None:
    environ = {
        "MOKALI_PORT": "8123",
        "MOKALI_DATA": "/srv/okey",
        "MOKALI_GRACE_SECONDS": "2.5",
        "PORT": "1",
        "HOME": "/",
    }
    settings = Settings.from_env(environ)
    assert (settings.port, settings.grace_seconds, settings.database) == (8123, 2.5, Path("/srv/okey/mokali.sqlite3"))
    assert Settings.from_env({"MOKALI_ORIGIN": "https://okey.example.org"}).origin == "https://okey.example.org"


@pytest.mark.parametrize(("name", "value"), [("PORT", "eight"), ("MAX_PEOPLE", "8.5"), ("PROXIES", "")])
def test_a_wrong_figure_is_said(name: str, value: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=name.lower()):
        Settings.from_env({f"MOKALI_{name}": value})
