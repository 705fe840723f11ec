"""What templates call: hands as people hold them, and facts in words."""

from collections.abc import Iterator
from typing import Any

import pytest

from mokali.engine.cards import Card, Suit, canonical, cards
from mokali.games import BY_KEY
from mokali.web import filters
from tests.matches import Match


def _views(key: str) -> Iterator[Any]:
    """What the seats on turn of a match see, one after the other."""
    game = BY_KEY[key]
    match = Match(game, next(iter(game.rulesets.values())), game.seats[0], 4)
    for _ in match.steps():
        state = match.state
        if state.turn is not None and state.turn >= 0:
            yield state.view(state.turn)


@pytest.mark.parametrize(
    ("held", "lies"),
    [
        ("2S AS 3H KH 4D 5C", "KH 3H 5C 4D AS 2S"),
        ("2S 3H 4D", "3H 2S 4D"),
        ("2S 3H 5C", "5C 3H 2S"),
        ("2S 5C", "5C 2S"),
        ("4D 3H", "3H 4D"),
        ("", ""),
    ],
)
def test_a_hand_lies_by_suits_of_alternating_colours(held: str, lies: str) -> None:
    assert filters.arranged(canonical(cards(held))) == cards(lies)


def test_facts_are_said_in_words() -> None:
    facts = {"suit": Suit.HEARTS, "card": Card("9H"), "seat": 0, "other": 1}
    assert filters.sentence("{suit} oyna", facts, ("Ayşe", "Ali")) == "Kupa oyna"
    assert filters.sentence("KOZ {suit:upper}", facts, ("Ayşe", "Ali")) == "KOZ KUPA"
    assert filters.sentence("{card} geçilmeli", facts, ("Ayşe", "Ali")) == "Kupa 9 geçilmeli"
    assert filters.sentence("{seat}, {other:den} çeker", facts, ("Ayşe", "Ali")) == "Ayşe, Ali'den çeker"


def test_points_have_a_sign() -> None:
    assert [filters.signed(points) for points in (3, 0, -2)] == ["+3", "0", "−2"]


def test_suits_have_names_and_signs() -> None:
    assert [filters.suit_name(suit) for suit in ("S", "H", "D", "C", "none")] == [
        "maça", "kupa", "karo", "sinek", "kozsuz",
    ]  # fmt: skip
    assert "i-heart" in filters.suit_icon("H")
    assert filters.suit_icon("none") == ""


@pytest.mark.parametrize("key", ["batak", "ucbessekiz"])
def test_the_step_line_says_what_a_trick_asks(key: str) -> None:
    """What the prompt demands is what the engine accepts: of the named suit, all the cards that may be played."""
    game, seen = BY_KEY[key], set()
    for view in _views(key):
        cue, asked = game.texts.cue(view), game.texts.asked(view)
        seen.add(str(cue))
        mine, _ = game.texts.prompts[cue]
        said = filters.sentence(mine, asked, ("",) * view.seats, game.texts.words)
        assert len(said) <= 40
        assert "{" not in said
        if view.legal and asked:
            assert {card.suit for card in view.legal} == {asked["suit"]}
    assert {"lead", "play", "must_follow", "must_beat", "must_trump", "must_overtrump"} <= seen
