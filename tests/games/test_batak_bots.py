"""Batak's bots: legal, blind to what they can't see, and sensible in the auction and with cards."""

from collections.abc import Callable

import pytest

from mokali.engine.cardplay import Play
from mokali.engine.cards import DECK, Card, Suit, cards
from mokali.engine.playout import bits
from mokali.engine.protocol import Action
from mokali.games.batak import GAME, bots
from mokali.games.batak.position import BatakSetup
from mokali.games.batak.rules import RULESETS
from mokali.games.batak.state import Batak, Bid, Pass, Trump
from tests.thinking import indifferent, mind, positions

RULES = RULESETS["klasik"]
Rounds = Callable[[int, int], int]

STRONG = "AS KS QS JS 9S 8S 7S AH KH AD 2D 3C 2C"
WEAK = "9S 8S 3S 2S JH 5H 4H TD 8D 6D JC 9C 3C"


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "WORLDS", 8)


def dealt(hand: str) -> Batak:
    """Seat 0 has this hand and is to call first."""
    own = cards(hand)
    rest = [card for card in DECK if card not in own]
    return Batak.start(RULES, 4, BatakSetup(dealer=3, hands=(own, *(tuple(rest[n::3]) for n in range(3)))))


def chosen(level: str, state: Batak) -> Action:
    return GAME.bots[level].think(mind(state))


def played(*moves: Action, hand: str) -> Batak:
    state = dealt(hand)
    for move in moves:
        assert state.turn is not None
        state, _ = state.play(state.turn, move)
    return state


@pytest.mark.parametrize(("level", "hands"), [("kolay", 30), ("orta", 30), ("zor", 3)])
def test_what_they_do_is_legal(level: str, hands: int, rounds: Rounds) -> None:
    for _ in positions(GAME, RULES, [GAME.bots[level]] * 4, rounds(hands, 10_000 if level != "zor" else 300)):
        pass


@pytest.mark.parametrize("level", GAME.bots)
def test_they_choose_by_what_they_see(level: str) -> None:
    for place, state in enumerate(positions(GAME, RULES, [GAME.bots["kolay"]] * 4, 3)):
        if place % 9 == 0:
            indifferent(GAME.bots[level], state)


@pytest.mark.parametrize("level", GAME.bots)
def test_a_strong_hand_is_bid_and_a_weak_one_is_not(level: str) -> None:
    assert chosen(level, dealt(STRONG)) == Bid(5)
    assert chosen(level, dealt(WEAK)) == Pass()


@pytest.mark.parametrize("level", GAME.bots)
def test_the_long_suit_is_trump(level: str) -> None:
    assert chosen(level, played(Bid(5), Pass(), Pass(), Pass(), hand=STRONG)) == Trump(Suit.SPADES)


@pytest.mark.parametrize("level", ["orta", "zor"])
def test_the_auction_stops_where_the_hand_does(level: str) -> None:
    """Ten tricks, not twelve."""
    assert chosen(level, played(Bid(5), Bid(6), Pass(), Pass(), hand=STRONG)) == Bid(7)
    assert chosen(level, played(Bid(5), Bid(12), Pass(), Pass(), hand=STRONG)) == Pass()


def test_zor_tells_how_a_rival_will_declare() -> None:
    state = dealt(WEAK)
    hands = [bits(hand) for hand in state.hands]
    assert bots._rival(state.view(0), hands)[0] != 0
    flat = [bits(cards(WEAK))] * 4
    assert bots._rival(state.view(0), flat) == (3, 5), "nobody bids: the dealer has to"
    bid = played(Pass(), Bid(6), hand=WEAK)
    assert bots._rival(bid.view(2), flat) == (1, 6)


@pytest.mark.parametrize(
    ("taken", "lead"), [((9, 2, 1, 1), 9 - 4 / 3), ((6, 4, 2, 1), -7 - 7 / 3), ((7, 2, 2, 2), 7 - 2)]
)
def test_the_score_is_that_of_the_rules(taken: tuple[int, ...], lead: float) -> None:
    """BT-C12."""
    assert bots._lead_of(0, 0, 7, taken) == pytest.approx(lead)


def test_worlds_fit_what_was_shown() -> None:
    """Everybody has as many cards as he holds, and they are those that are still held."""
    for state in positions(GAME, RULES, [GAME.bots["kolay"]] * 4, 2):
        assert isinstance(state, Batak)
        view = state.view(state.turn)
        if view.phase == "play":
            assert view.seat is not None
            for hands in list(bots._worlds(mind(state), view))[:2]:
                assert [hand.bit_count() for hand in hands] == list(view.held)
                assert hands[view.seat] == bits(view.cards)
                assert sum(hands) == bits(card for hand in state.hands for card in hand)


@pytest.mark.parametrize(
    ("moves", "action", "words"),
    [
        ((), Bid(5), "yaklaşık 9 el"),
        ((), Bid(12), "Olası"),
        ((), Pass(), "pas"),
        ((Bid(5), Pass(), Pass(), Pass()), Trump(Suit.SPADES), "7 kartın"),
        ((Bid(5), Pass(), Pass(), Pass(), Trump(Suit.SPADES)), Play(Card("AH")), "senden büyüğü kalmadı"),
        ((Bid(5), Pass(), Pass(), Pass(), Trump(Suit.SPADES)), Play(Card("2C")), "Küçük aç"),
    ],
)
def test_why(moves: tuple[Action, ...], action: Action, words: str) -> None:
    assert words in bots.why(mind(played(*moves, hand=STRONG)), action)


def test_why_of_following() -> None:
    start = (Bid(5), Pass(), Pass(), Pass(), Trump(Suit.SPADES), Play(Card("2C")))
    state = played(*start, hand=STRONG)
    low, *_, high = sorted(state.view(1).legal, key=lambda card: card.rank)
    assert "ucuz" in bots.why(mind(state), Play(low))
    assert high == "QC", "others may have the ace"
    assert "Olası" in bots.why(mind(state), Play(high))
