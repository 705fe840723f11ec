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
    with pytest.raises(msgspec.ValidationError, match=f"^MOKALI_{name} is '{value}': expected `int`, got `str`$"):
        Settings.from_env({f"MOKALI_{name}": value})


FIGURES = [name for name, default in msgspec.structs.asdict(Settings()).items() if isinstance(default, int | float)]


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_has_its_bounds(name: str) -> None:
    for wrong in ("-1", "1e99", "9" * 15, "nan", "inf", "-inf"):
        with pytest.raises(msgspec.ValidationError, match=f"^MOKALI_{name.upper()} is "):
            Settings.from_env({f"MOKALI_{name.upper()}": wrong})
    default = getattr(Settings(), name)
    assert Settings.from_env({f"MOKALI_{name.upper()}": str(default)}) == Settings()


@pytest.mark.parametrize(
    "origin", ["https://okey.example.org", "http://10.0.0.7:8000", "http://[fe80::1]:8000", "http://okey"]
)
def test_an_origin_is_what_browsers_name(origin: str) -> None:
    assert Settings.from_env({"MOKALI_ORIGIN": origin}).origin == origin


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "okey.example.org",
        "https://okey.example.org/",
        "https://okey.example.org/oyun",
        "https://okey.example.org?a",
        "https://ali@okey.example.org",
        "https://Okey.example.org",
        "https://okey.example.org:443",
        "http://okey.example.org:80",
        "ftp://okey.example.org",
        "https://okey.example.org\n",
        "https://a, https://b",
    ],
)
def test_what_no_browser_names_is_no_origin(origin: str) -> None:
    """With it every post would be refused."""
    with pytest.raises(msgspec.ValidationError, match=r"^MOKALI_ORIGIN is .*: it must be what browsers call the house"):
        Settings.from_env({"MOKALI_ORIGIN": origin})
