"""What is said and where it leads: each refusal has a sentence, and its rule has a place on the page (UX 10, 13.13)."""

import re

import pytest

from mokali.engine.protocol import Common
from mokali.games import GAMES
from mokali.tables import texts
from mokali.tables.table import No
from mokali.web import socket
from tests.web.server import ROOT


def _anchors(game: str) -> set[str]:
    return set(re.findall(r'\bid="([A-Z]+-\d+)"', (ROOT / "templates" / "rules" / f"{game}.html").read_text("utf-8")))


def _wanted(game: str) -> dict[str, str]:
    """Who points to which rule."""
    words = next(known.texts for known in GAMES if known.key == game)
    return (
        {f"refusal {code}": rule for code, (_, rule) in words.refusals.items()}
        | {f"choice {field}": choice.rule for field, choice in words.rules.items()}
        | {f"table {code}": rule for code, (_, rule) in texts.REFUSALS.items()}
        | {f"site {code}": rule for code, (_, rule) in socket._REFUSALS.items()}
    )


@pytest.mark.parametrize("game", [game.key for game in GAMES])
def test_every_rule_that_a_text_points_to_stands_on_the_page(game: str) -> None:
    missing = {who: rule for who, rule in _wanted(game).items() if rule not in _anchors(game)}
    assert not missing


@pytest.mark.parametrize("game", [game.key for game in GAMES])
def test_every_reason_has_a_sentence(game: str) -> None:
    words = next(known.texts for known in GAMES if known.key == game)
    assert set(Common) <= set(words.refusals)
    assert set(No) == set(texts.REFUSALS)


def test_sentences_are_short_and_calm() -> None:
    said = [
        *(text for game in GAMES for text, _ in game.texts.refusals.values()),
        *(text for text, _ in texts.REFUSALS.values()),
        *(text for text, _ in socket._REFUSALS.values()),
    ]
    for text in said:
        assert text.endswith("."), text
        assert "!" not in text, text
        assert text.count(". ") <= 1, text
        assert "hata" not in text.lower(), text
