"""Following, beating and winning a trick: every branch by example, and random hands against a reading of the rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mokali.engine.cards import DECK, Card, Suit, cards
from mokali.engine.protocol import IllegalAction
from mokali.engine.tricks import Duty, Trick, best, check, playable
from tests.tricks import refusal_of, winner_of


def broken(card: Card, hand: tuple[Card, ...], on_table: Trick, trump: Suit | None) -> str | None:
    """The duty that playing this card is refused for; None where it is not."""
    try:
        check(card, hand, on_table, trump)
    except IllegalAction as refused:
        return str(refused.reason)
    return None


def trick(text: str, leader: int = 0) -> Trick:
    """These cards, played one seat after the other."""
    return tuple((leader + place, card) for place, card in enumerate(cards(text)))


HANDS = [  # led, hand, what may be played; trump is H unless the last says another
    ("", "9H 2C", "9H 2C", "H"),
    ("8C JC", "QC 3C AH", "QC", "H"),
    ("8C JC", "TC 3C AH", "TC 3C", "H"),
    ("8C 2H", "AC 3C", "AC 3C", "H"),
    ("8C 9H", "KH 4H AD", "KH", "H"),
    ("8C 9H", "4H 3H AD", "4H 3H", "H"),
    ("8C 9H", "AD 2S", "AD 2S", "H"),
    ("8C", "4H 3H AD", "4H 3H", "H"),
    ("8C AD", "9C 2C AH", "9C", "H"),
    ("9H AD", "QH 2H", "QH", "H"),
    ("9H", "8H 2H AS", "8H 2H", "H"),
    ("9H", "AS 2C", "AS 2C", "H"),
    ("9H", "JH 4H AS", "JH", "S"),
    ("9H KH", "JH 4H AS", "JH 4H", "S"),
    ("9H 2S", "AH 4H", "AH 4H", "S"),
    ("9S JD", "TS 3S", "TS", "S"),
    ("9H 5S", "3S 2C", "3S", "S"),
    ("9H 5S", "8S 3S 2C", "8S", "S"),
    ("9H 5S", "2C KD", "2C KD", "S"),
    ("9H", "2C AS", "2C AS", "-"),
    ("9H AS", "TH 2H KS", "TH", "-"),
    ("9H TH", "AH 2H", "AH", "-"),
]


@pytest.mark.parametrize(("led", "hand", "may", "trump"), HANDS)
def test_what_may_be_played(led: str, hand: str, may: str, trump: str) -> None:
    suit = None if trump == "-" else Suit(trump)
    assert playable(cards(hand), trick(led), suit) == cards(may)
    for card in cards(hand):
        assert (broken(card, cards(hand), trick(led), suit) is None) is (card in cards(may))


@pytest.mark.parametrize(
    ("card", "led", "hand", "duty"),
    [
        ("AH", "8C JC", "QC 3C AH", Duty.MUST_FOLLOW),
        ("3C", "8C JC", "QC 3C AH", Duty.MUST_BEAT),
        ("2H", "9H AD", "QH 2H", Duty.MUST_BEAT),
        ("AD", "8C 9H", "KH 4H AD", Duty.MUST_TRUMP),
        ("4H", "8C 9H", "KH 4H AD", Duty.MUST_OVERTRUMP),
        ("AD", "8C 9H", "4H 3H AD", Duty.MUST_TRUMP),
    ],
)
def test_the_first_duty_that_is_broken(card: str, led: str, hand: str, duty: Duty) -> None:
    assert broken(Card(card), cards(hand), trick(led), Suit.HEARTS) == duty


@pytest.mark.parametrize(
    ("played", "trump", "seat", "card"),
    [
        ("9H", Suit.SPADES, 2, "9H"),
        ("9H TH 2H", Suit.SPADES, 3, "TH"),
        ("AH 2S 5S", Suit.SPADES, 4, "5S"),
        ("9H AS 2H", None, 2, "9H"),
        ("9H AC AD", Suit.SPADES, 2, "9H"),
        ("9H JD KH AC", Suit.HEARTS, 4, "KH"),
    ],
)
def test_who_wins_and_with_what(played: str, trump: Suit | None, seat: int, card: str) -> None:
    assert best(trick(played, leader=2), trump) == (seat, Card(card))


@given(
    drawn=st.lists(st.sampled_from(DECK), min_size=2, max_size=16, unique=True),
    lying=st.integers(0, 3),
    trump=st.sampled_from([None, *Suit]),
)
@settings(max_examples=800)
def test_it_is_what_the_rules_say(drawn: list[Card], lying: int, trump: Suit | None) -> None:
    table, hand = drawn[: min(lying, len(drawn) - 1)], tuple(drawn[lying:] or drawn[-1:])
    on_table = tuple(enumerate(table))
    refusals = {card: refusal_of(card, hand, table, trump) for card in hand}
    may = playable(hand, on_table, trump)
    assert may, "never none"
    assert may == tuple(card for card in hand if refusals[card] is None), "in the hand's order"
    for card in hand:
        assert broken(card, hand, on_table, trump) == refusals[card]
    if table:
        seat, card = best(on_table, trump)
        assert seat == winner_of(on_table, trump)
        assert card is table[seat]
