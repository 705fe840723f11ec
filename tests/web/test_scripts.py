"""Modules joined into one: what they may look like, and that each comes once and after what it needs."""

import re

import pytest

from mokali.games import GAMES
from mokali.web import scripts
from mokali.web.house import House
from tests.web.server import ROOT

FOLDER = ROOT / "static" / "js"
MODULES = sorted(path.stem for path in FOLDER.glob("*.js"))
LAYOUTS = sorted({game.layout for game in GAMES})


def _text(name: str) -> str:
    return (FOLDER / f"{name}.js").read_text("utf-8")


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_written_to_be_joined(name: str) -> None:
    text = re.sub(r"^\s*(?://|/?\*).*", "", _text(name), flags=re.MULTILINE)
    rest = scripts.LATER.sub("", scripts.EXPORT.sub("", scripts.IMPORT.sub("", text)))
    assert not re.search(r"^(?:import|export)\b|\bimport\(|\bimport\.meta\b|^await\b", rest, re.MULTILINE), (
        "import { a, b } from './other.js'; export function or export const; import('./later.js'); no more"
    )
    assert not re.search(r"\$\w", re.sub(r"\$\{", "", rest)), "names with $ are those of joined modules"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_module_comes_once_and_after_what_it_needs(layout: str) -> None:
    text = scripts.joined(FOLDER, layout)
    made = re.findall(r"^const \$(\w+) = \(\(\) => \{$", text, re.MULTILINE)
    assert len(made) == len(set(made)) > 10
    assert made[-1] == layout
    for at, name in enumerate(made):
        assert {wanted for _, wanted in scripts.IMPORT.findall(_text(name))} <= set(made[:at]), name
    assert not re.search(r"^import\b|\bfrom '", text, re.MULTILINE)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_comes_later_brings_nothing_a_second_time(layout: str) -> None:
    text = scripts.joined(FOLDER, layout)
    later = re.findall(r"import\('\./([\w-]+)\.js'\)", text)
    assert {f"{layout}-recorder", f"{layout}-hint", f"{layout}-share"} <= set(later)
    for name in later:
        joined = scripts.joined(FOLDER, name)
        assert re.findall(r"^const \$(\w+) = \(\(\) =>", joined, re.MULTILINE) == [name.partition("-")[2]], name
        wanted = re.findall(r"^import \{ (.+) \} from '\./(\w+)\.js';$", joined, re.MULTILINE)
        assert [page for _, page in wanted] in ([layout], []), name
        for shared, _ in wanted:
            assert set(shared.split(", ")) <= set(re.findall(r"\$\w+", text.splitlines()[-1])), name


def test_addresses_and_those_that_are_none(app: House) -> None:
    client = app.test_client()
    for name, status in (
        *((layout, 200) for layout in LAYOUTS),
        *(("pisti-recorder", 200), ("lobby", 200), ("nirgends", 404), ("pisti-nirgends", 404)),
        *(("pisti-..", 404), (".", 404), ("-pisti", 404), ("pisti-hint-share", 404)),
    ):
        answer = client.get(f"{app.static_url_path}/scripts/{name}.js")
        assert answer.status_code == status, name
        if status == 200:
            assert answer.mimetype == "text/javascript"
            assert "max-age=31536000" in answer.headers["Cache-Control"]
