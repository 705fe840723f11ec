"""Pişti's bots: legal, blind to what they can't see, and good at the usual positions."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from mokali.engine.cardplay import Play
from mokali.engine.cards import DECK, Card, canonical, cards
from mokali.games.pisti import GAME, bots
from mokali.games.pisti.rules import RULESETS, PistiRules
from mokali.games.pisti.state import Pisti, PistiSetup
from tests.thinking import indifferent, mind, positions

LEVELS = list(GAME.bots.values())
RULES = RULESETS["klasik"]
Rounds = Callable[[int, int], int]


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "WORLDS", 12)


def at(*hands: str, pile: str = "", unseen: int = 0, **more: Any) -> Pisti:
    """A position with seat 0 to act; ``unseen`` cards are in the stock, the others were captured by seat 1."""
    here = tuple(map(cards, hands))
    named = {*cards(pile)}.union(*here)
    rest = [card for card in DECK if card not in named]
    Random(3).shuffle(rest)
    setup = PistiSetup(
        dealer=len(hands) - 1,
        hands=here,
        pile=cards(pile),
        stock=tuple(rest[:unseen]),
        captured=((), canonical(frozenset(rest[unseen:]))),
        **more,
    )
    return Pisti.start(PistiRules(), len(hands), setup)


def chosen(level: str, state: Pisti, seed: int = 1) -> str:
    action = GAME.bots[level].think(mind(state, seed))
    assert isinstance(action, Play)
    return action.card.value


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize(("level", "hands"), [("kolay", 40), ("orta", 40), ("zor", 3)])
def test_what_they_play_is_legal(level: str, hands: int, seats: int, rounds: Rounds) -> None:
    for _ in positions(GAME, RULES, [GAME.bots[level]] * seats, rounds(hands, 10_000 if level != "zor" else 300)):
        pass


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("level", GAME.bots)
def test_they_choose_by_what_they_see(level: str, seats: int) -> None:
    for place, state in enumerate(positions(GAME, RULES, [GAME.bots["kolay"]] * seats, 4)):
        if place % 7 == 0:
            indifferent(GAME.bots[level], state)


@pytest.mark.parametrize("level", GAME.bots)
def test_a_like_card_takes(level: str) -> None:
    assert chosen(level, at("7H KD 4S", "9D 2S 3S", pile="7C", unseen=8)) == "7H"
    assert chosen(level, at("7H KD 4S", "9D 2S 3S", pile="AC TD 7C", unseen=8)) == "7H"


def test_a_jack_takes_what_is_worth_it() -> None:
    assert chosen("orta", at("JH KD 4S 8C", "9D 2S 3S 3C", pile="AC TD 7C", unseen=8)) == "JH"
    assert chosen("orta", at("JH KD 4S 8C", "9D 2S 3S 3C", pile="9C", unseen=8)) != "JH"


@pytest.mark.parametrize("level", ["orta", "zor"])
def test_a_lone_card_is_one_whose_likes_are_gone(level: str) -> None:
    """Three nines were captured; of the other ranks all is still out."""
    state = at("9H KD 4S 8C", "QD QS 3S 3C", unseen=40)
    gone = cards("9S 9D 9C")
    rest = [card for card in DECK if card not in (*gone, *cards("9H KD 4S 8C QD QS 3S 3C"))]
    setup = PistiSetup(dealer=1, hands=state.hands, pile=(), stock=tuple(rest[:40]), captured=((), (*gone, *rest[40:])))
    assert chosen(level, Pisti.start(PistiRules(), 2, setup)) == "9H"


def test_zor_searches_the_last_round() -> None:
    """No stock is left: a nine on the empty table would be the other's pişti."""
    state = at("2D 9S", "9D 3S", pile="")
    assert chosen("zor", state) == "2D"
    assert bots._Round(state).after(Card("9S")) < bots._Round(state).after(Card("2D"))


def lead_after(state: Pisti, card: Card) -> int:
    """What seat 0 has more than seat 1 in the end, both playing best after this card: every line by the game itself."""
    after, _ = state.play(state.turn or 0, Play(card))
    if after.turn not in (0, 1):
        return after.history[-1][0] - after.history[-1][1]
    values = [lead_after(after, move.card) for move in after.moves(after.turn)]
    return max(values) if after.turn == 0 else min(values)


@pytest.mark.parametrize("seed", range(12))
def test_the_search_is_that_of_all_lines(seed: int) -> None:
    rng = Random(seed)
    deck = rng.sample([card for card in DECK if card.letter in "A23TJ"], 8)
    state = at(" ".join(deck[:3]), " ".join(deck[3:6]), pile=" ".join(deck[6 : 6 + seed % 3]), last_capturer=seed % 2)
    had = -sum(map(bots._points, state.captured[1]))
    for card in state.hands[0]:
        assert had + bots._Round(state).after(card) == lead_after(state, card)


def test_nobody_holds_what_he_left() -> None:
    state = at("5H KD 8S 2H", "7D KS 8C 7S", pile="7H", unseen=8)
    state, _ = state.play(0, Play(Card("2H")))  # seat 0 left a 7
    lacks = bots._lacks(state.view(1))
    assert lacks == ((0, "7"),)
    assert all(
        all(card.letter != "7" for card in world.hands[0]) for world in [*bots._worlds(mind(state), state.view(1))][1:]
    )


@pytest.mark.parametrize(
    ("state", "card", "word"),
    [
        (at("7H KD 4S", "9D 2S 3S", pile="7C", unseen=8), "7H", "pişti"),
        (at("7H KD 4S", "9D 2S 3S", pile="AC TD 7C", unseen=8), "7H", "toplarsın"),
        (at("JH KD 4S", "9D 2S 3S", pile="AC TD 7C", unseen=8), "JH", "vale"),
        (at("9H KD 4S", "QD QS 3S", pile="5C", unseen=0), "9H", "kimse"),
        (at("9H 9D 4S", "QD QS 3S", pile="5C", unseen=40), "9H", "eşi sende"),
    ],
)
def test_why(state: Pisti, card: str, word: str) -> None:
    assert word in bots.why(mind(state), Play(Card(card)))
