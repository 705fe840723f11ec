"""3-5-8's bots: legal, blind to what they can't see, and sensible before the play and in it."""

from collections.abc import Callable
from typing import Any

import pytest

from mokali.engine import codec, record
from mokali.engine.cardplay import Play
from mokali.engine.cards import Card, cards
from mokali.engine.playout import NO_SUIT, bits, card_of, each
from mokali.engine.protocol import Action
from mokali.games.ucbessekiz import GAME, bots
from mokali.games.ucbessekiz.rules import RULESETS, Strain, UcBesSekizRules
from mokali.games.ucbessekiz.state import Bury, Decline, Give, Pass, Trump, UcBesSekiz
from tests.thinking import indifferent, mind, positions

RULES = RULESETS["klasik"]
Rounds = Callable[[int, int], int]

STRONG = (
    "AS KS QS JS TS 9S 8S AH KH AD KD 2D 3D AC 2C 3C",
    "7S 6S 5S QH JH TH 9H 2H QD JD TD 4D KC QC 4C 5C",
    "4S 3S 8H 7H 6H 5H 4H 9D 8D 7D 6D JC TC 9C 8C 7C",
)
DIP = "2S 3H 5D 6C"
WEAK = (STRONG[2], STRONG[1], STRONG[0])


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "WORLDS", 8)


def before(hands: tuple[str, ...], **more: Any) -> UcBesSekiz:
    """Seat 0 is role 8, and nobody has played."""
    plain = {"roles": (8, 5, 3), "hands": tuple(map(cards, hands)), "dip": cards(DIP), "hand": 2, **more}
    state = record.start(GAME, UcBesSekizRules(hands=6), 3, codec.plain(plain))
    assert isinstance(state, UcBesSekiz)
    return state


def chosen(level: str, state: UcBesSekiz) -> Action:
    return GAME.bots[level].think(mind(state))


@pytest.mark.parametrize(("level", "hands"), [("kolay", 30), ("orta", 30), ("zor", 3)])
def test_what_they_do_is_legal(level: str, hands: int, rounds: Rounds) -> None:
    for _ in positions(GAME, RULES, [GAME.bots[level]] * 3, rounds(hands, 10_000 if level != "zor" else 300)):
        pass


@pytest.mark.parametrize("level", GAME.bots)
def test_they_choose_by_what_they_see(level: str) -> None:
    for place, state in enumerate(positions(GAME, RULES, [GAME.bots["kolay"]] * 3, 3)):
        if place % 9 == 0:
            indifferent(GAME.bots[level], state)


@pytest.mark.parametrize("level", GAME.bots)
def test_a_strong_hand_plays_its_long_suit(level: str) -> None:
    assert chosen(level, before(STRONG)) == Trump(Strain.SPADES)


@pytest.mark.parametrize("level", ["orta", "zor"])
def test_a_weak_hand_is_passed_but_not_for_ever(level: str) -> None:
    state = before(WEAK)
    assert chosen(level, state) == Pass()
    view = state.view(0)
    assert [bots._new_deal(type(view)(**{**fields(view), "redeals": passed})) > 0 for passed in range(5)] == [
        True,
        True,
        True,
        False,
        False,
    ]


def fields(view: Any) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.__struct_fields__}


@pytest.mark.parametrize("level", GAME.bots)
def test_neither_trumps_nor_aces_are_buried(level: str) -> None:
    action = chosen(level, before(STRONG, trump="S", phase="bury"))
    assert isinstance(action, Bury)
    assert not any(card.suit == "S" or card.letter in "AK" for card in action.cards)


def test_burying_makes_void() -> None:
    hand = bits(cards("AS KS QS JS TS 9S 8S AH KH QH AD KD 5C 4C 3C 2C"))
    assert {card_of(bit) for bit in each(bots._laid_away(hand, 0))} == set(cards("5C 4C 3C 2C"))
    ways = [{card_of(bit) for bit in each(way)} for way in bots._ways_to_bury(hand, 0)]
    assert set(cards("5C 4C 3C 2C")) in ways
    assert all(len(way) == 4 for way in ways)


@pytest.mark.parametrize("level", GAME.bots)
def test_a_low_card_is_given_for_a_high_one(level: str) -> None:
    state = before(STRONG, balance=(-1, 1, 0))
    action = chosen(level, state)
    assert isinstance(action, Give)
    assert action.card.rank <= 5, "seat 1 has an ace to win in every suit"


def test_the_exchange_is_that_of_the_rules() -> None:
    """UB-C9."""
    for given, hand, back in (("QH", "AH KH 2C", "AH"), ("4C", "3C AH", "4C"), ("4C", "5C 9C KC", "KC")):
        hands = [bits(cards(given)), bits(cards(hand)), 0]
        bots._swap(hands, 0, 1, next(each(hands[0])))
        assert hands[0] == bits(cards(back))
        assert hands[0] | hands[1] == bits(cards(f"{given} {hand}"))


def test_kings_and_aces_everywhere_are_no_trump_where_no_suit_is_long() -> None:
    flat = bits(cards("AS KS QS 2S AH KH QH 2H AD KD QD 2D AC KC QC 2C"))
    assert bots._best_trump(flat) == NO_SUIT
    assert bots._best_trump(bits(cards(STRONG[0]))) == 0


def test_worlds_fit_the_view() -> None:
    for state in positions(GAME, RULES, [GAME.bots["orta"]] * 3, 3):
        view = state.view(state.turn)
        for world in list(bots._worlds(mind(state), view))[:2]:
            assert [hand.bit_count() for hand in world] == [*view.held, 0 if view.buried else 4]
            assert world[view.seat] == bits(view.cards)
            assert not sum(world) & bits((*view.buried, *(card for trick in view.tricks for _, card in trick)))


@pytest.mark.parametrize(
    ("more", "action", "words"),
    [
        ({}, Trump(Strain.SPADES), "7 kartın"),
        ({}, Trump(Strain.NONE), "kozsuz"),
        ({}, Pass(), "sekiz el zor"),
        ({"balance": (1, -1, 0)}, Give(Card("2D")), "küçüğünü"),
        ({"balance": (1, -1, 0)}, Decline(), "değişim"),
        ({"trump": "S", "phase": "bury"}, Bury(cards("2D 3D 2C 3C")), "gömüp"),
        ({"trump": "S", "phase": "play", "dip": (), "buried": cards(DIP)}, Play(Card("AS")), "Kozları"),
        ({"trump": "S", "phase": "play", "dip": (), "buried": cards(DIP)}, Play(Card("AH")), "büyüğü kalmadı"),
        ({"trump": "S", "phase": "play", "dip": (), "buried": cards(DIP)}, Play(Card("2D")), "Küçük aç"),
    ],
)
def test_why(more: dict[str, Any], action: Action, words: str) -> None:
    state = before(STRONG, **more)
    state.play(0, action)
    assert words in bots.why(mind(state), action)
