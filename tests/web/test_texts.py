"""What is said: each refusal has a sentence, short and calm (UX 10, 13.13)."""

import pytest

from mokali.engine.protocol import Common
from mokali.games import GAMES
from mokali.tables import texts
from mokali.tables.table import No
from mokali.web import socket


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
