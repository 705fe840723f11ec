"""What is installed for serving alone must be enough to serve: nothing may lean on the tools of development."""

import re
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement


def _closure(project: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """Every distribution that ``pip install project[extras]`` brings along."""
    found: set[str] = set()
    waiting = [(project, extras)]
    while waiting:
        name, wanted = waiting.pop()
        for line in requires(name) or ():
            need = Requirement(line)
            marked = need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in (*wanted, ""))
            key = re.sub(r"[-_.]+", "-", need.name).lower()
            if marked and key not in found:
                found.add(key)
                waiting.append((need.name, frozenset(need.extras)))
    return found


def test_serving_needs_nothing_that_only_developers_have() -> None:
    runtime = _closure("mokali")
    assert "pytest" not in runtime
    for module in (
        "av",
        "gunicorn",
        "gevent",
        "packaging",
        "flask",
        "flask_compress",
        "flask_sock",
        "prometheus_client",
        "wsproto",
        "peewee",
        "msgspec",
        "numpy",
        "segno",
    ):
        [home, *_] = packages_distributions()[module]
        assert re.sub(r"[-_.]+", "-", home).lower() in runtime, f"{module} is imported to serve"


def test_what_lies_beside_the_code_is_installed_with_it() -> None:
    root = Path(__file__).parents[1]
    told = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    named = {root.joinpath(*package.split("."), file) for package, files in told.items() for file in files}
    lying = {path for path in (root / "mokali").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in lying if path.suffix != ".py"} == named
