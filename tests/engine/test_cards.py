"""The deck: its cards, their order, their text."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mokali.engine import codec
from mokali.engine.cards import DECK, RANKS, Card, Suit, canonical, cards
from mokali.engine.protocol import MalformedAction

some_cards = st.sets(st.sampled_from(DECK))


def test_the_deck_is_52_cards_by_suit_then_rank() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert [str(card) for card in DECK] == [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
    assert [str(suit) for suit in Suit] == ["S", "H", "D", "C"]


def test_a_card_is_its_own_text() -> None:
    for card in DECK:
        assert str(card) == f"{card.letter}{card.suit}"
        assert Card(str(card)) is card
        assert codec.decode(Card, codec.encode(card)) is card
        assert card.rank == RANKS.index(card.letter) + 2
    assert (Card("2S").rank, Card("TD").rank, Card("AS").rank) == (2, 10, 14)


@pytest.mark.parametrize("text", ["", "A", "1S", "10S", "sA", "as", "AS ", "ASS", "SA", "__"])
def test_other_texts_are_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid Card"):
        Card(text)
    with pytest.raises(MalformedAction):
        codec.decode(Card, codec.encode(text))


def test_cards_of_a_text() -> None:
    assert cards("") == ()
    assert cards("AS TD  2C") == (Card("AS"), Card("TD"), Card("2C"))
    with pytest.raises(ValueError, match="is not a valid Card"):
        cards("AS XX")


@given(some=some_cards, seed=st.integers())
def test_canonical_order_depends_on_nothing_but_the_cards(some: set[Card], seed: int) -> None:
    shuffled = list(some)
    Random(seed).shuffle(shuffled)
    assert canonical(tuple(shuffled)) == canonical(some) == canonical(frozenset(some))
    assert list(canonical(some)) == [card for card in DECK if card in some]
