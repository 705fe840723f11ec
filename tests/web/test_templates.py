"""Templates and scripts, read as text: what the policy forbids, and what no template may do (RL-11, RL-17)."""

import re
from pathlib import Path

import pytest

from mokali.games import GAMES
from tests.web.server import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))

FORBIDDEN = {
    "hx-on": r"\bhx-on\b",
    "an inline handler": r"""\son[a-z]+\s*=\s*["']""",
    "a js: value": r"\bjs:|javascript:",
    "an event filter": r"""hx-trigger=["'][^"']*\[""",
    "an inline style": r"\bstyle\s*=",
    "a style element": r"<style\b",
    "|safe": r"\|\s*safe\b",
    "autoescape": r"autoescape",
    "an inline script": r"<script(?![^>]*\bsrc=)",
    "another origin": r"""(?:src|href|action)=["'](?:https?:)?//""",
    "stored history": r"\bhx-(?:push-url|replace-url|history)\b",
    "an iframe or the like": r"<(?:iframe|object|embed|base)\b",
    "transformed capitals": r"text-transform",
}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_there_is_something_to_read() -> None:
    assert len(TEMPLATES) > 40
    assert len(SCRIPTS) > 10


NAMED = re.compile(r"\{\{[^}]*(?<!game\.)\b(?:name|names|who)\b[^}]*\}\}")
"""What a template draws of somebody's name; those of games are the house's own."""
EVALUATED = re.compile(r"hx-|on|href$|src$|action$|style$|id$|class$|data-(?!letter$|setting$)")
"""Attributes that are acted upon; ``data-letter`` is a style's, ``data-setting`` holds a word of our own."""


def test_rl_11_no_name_stands_in_an_attribute_that_is_evaluated() -> None:
    seen = 0
    for path in TEMPLATES:
        text = re.sub(r"\{[%#].*?[%#]\}", "", path.read_text("utf-8"), flags=re.DOTALL)
        for attribute, value in re.findall(r'([\w:.-]+)="((?:\{\{.*?\}\}|[^"])*)"', text, flags=re.DOTALL):
            seen += NAMED.search(value) is not None
            assert not (EVALUATED.match(attribute) and NAMED.search(value)), (name(path), attribute, value)
    assert seen > 3, "there are names in attributes"


def test_rl_11_nothing_marks_what_people_wrote_as_markup() -> None:
    """In templates there is no ``|safe`` (below); in code no text is put together and called markup."""
    for path in sorted((ROOT / "mokali").rglob("*.py")):
        text = path.read_text("utf-8")
        assert not re.search(r"Markup\((?:f[\"']|[^)]*%|[^)]*\+)", text), name(path)


@pytest.mark.parametrize("what", FORBIDDEN)
def test_rl_17_no_template_has(what: str) -> None:
    found = [(name(path), hit[0]) for path in TEMPLATES if (hit := re.search(FORBIDDEN[what], path.read_text("utf-8")))]
    assert not found


def test_rl_17_what_everybody_sees_alike_sends_nothing() -> None:
    """``data-do`` stands in ``own/`` alone, and in parts that only ``own/`` or a whole page draws in."""
    doing = {path for path in TEMPLATES if re.search(r"data-do=|hx-ws:send", path.read_text("utf-8"))}
    for path in list(doing):
        if "own" not in path.parts and path.parent.name != "templates":
            assert "parts" in path.parts, name(path)
            users = [other for other in TEMPLATES if f'"parts/{path.name}"' in other.read_text("utf-8")]
            assert users, name(path)
            assert all("own" in user.parts or user.parent.name == "templates" for user in users), name(path)


def test_rl_17_whatever_sends_names_its_action() -> None:
    for path in TEMPLATES:
        for tag in re.findall(r"<[a-z]+\b[^>]*\bhx-ws:send\b[^>]*>", path.read_text("utf-8").replace("->", "")):
            done = re.search(r'data-do="(\w+)"', tag)
            assert done is not None, (name(path), tag)
            assert f'"do":"{done[1]}"' in tag.replace(" ", ""), (name(path), tag)
            assert tag.startswith(("<button", "<form")), (name(path), tag)


def test_rl_17_a_fragment_is_one_section_with_an_id() -> None:
    for path in TEMPLATES:
        if path.name.startswith("_"):
            text = path.read_text("utf-8")
            if whole := re.fullmatch(
                r'(?:\{% with [^%]* %\})?\{% include "([\w/.]+)" %\}(?:\{% endwith %\})?\s*', text
            ):
                text = (ROOT / "templates" / whole[1]).read_text("utf-8")
            text = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
            text = re.sub(r"\{%-?\s*macro.*?endmacro\s*-?%\}", "", text, flags=re.DOTALL)
            text = re.sub(r"\{%.*?%\}", "", text, flags=re.DOTALL).strip()
            assert re.match(r'<section\b[^>]*\bid="[\w-]+"', re.sub(r"\{\{.*?\}\}", "", text)), name(path)
            assert text.endswith("</section>"), name(path)
            assert "hx-swap-oob" not in text, name(path)


@pytest.mark.parametrize(
    "word", ["eval(", "new Function", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"]
)
def test_rl_17_scripts_make_no_markup_of_text(word: str) -> None:
    assert not [name(path) for path in SCRIPTS if word in path.read_text("utf-8")]


def test_rl_17_scripts_keep_settings_only() -> None:
    for path in SCRIPTS:
        for key in re.findall(r"(?:local|session)Storage\.(?:set|get)Item\(([^,)]+)", path.read_text("utf-8")):
            assert key in ("KEY", "'mokali.settings'"), (name(path), key)


def test_rl_17_the_library_is_configured_for_the_policy() -> None:
    base = (ROOT / "templates" / "base.html").read_text("utf-8")
    assert '"includeIndicatorCSS":false' in base
    assert '"maxOutgoingMessagesQueueSize":0' in base


def test_every_game_has_its_icon() -> None:
    sprite = (ROOT / "templates" / "parts" / "sprite.html").read_text("utf-8")
    assert {f"i-game-{game.key}" for game in GAMES} <= set(re.findall(r'<symbol id="([\w-]+)"', sprite))
