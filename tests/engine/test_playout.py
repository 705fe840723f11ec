"""Trick play in its quick form: it follows and beats as ``tricks`` does, and deals only what may be."""

from collections.abc import Callable
from random import Random

import pytest

from mokali.engine import playout
from mokali.engine.cards import DECK, Card, Suit, cards
from mokali.engine.playout import (
    NO_SUIT,
    Playing,
    Worth,
    barred,
    bits,
    card_of,
    counted,
    deal,
    distinct,
    each,
    reason,
    suit_of,
)
from mokali.engine.tricks import Trick, best, playable

Rounds = Callable[[int, int], int]


def whole(rng: Random, seats: int) -> list[tuple[Card, ...]]:
    """A deal of all that can be dealt evenly, and a few cards that lie aside."""
    deck = rng.sample(DECK, len(DECK))
    size = {3: 16, 4: 13}[seats]
    return [tuple(deck[seat * size : (seat + 1) * size]) for seat in range(seats)]


@pytest.mark.parametrize(("seats", "trump"), [(4, Suit.HEARTS), (3, Suit.SPADES), (3, None)])
def test_it_is_the_same_play_as_with_cards(seats: int, trump: Suit | None, rounds: Rounds) -> None:
    rng = Random(7)
    for _ in range(rounds(12, 2_000)):
        dealt = whole(rng, seats)
        hands, taken, tricks, seat = [list(hand) for hand in dealt], [0] * seats, list[Trick](), 0
        playing = Playing([bits(hand) for hand in dealt], 0, (), suit_of(trump), taken)
        while hands[seat]:
            trick: Trick = ()
            while len(trick) < seats:
                legal = playable(hands[seat], trick, trump)
                assert playing.seat == seat
                assert {card_of(bit) for bit in each(playing.moves())} == set(legal)
                again = Playing([bits(hand) for hand in hands], seat, trick, suit_of(trump), taken)
                assert again.moves() == playing.moves(), "begun in the middle of a trick"
                card = rng.choice(legal)
                hands[seat].remove(card)
                trick = (*trick, (seat, card))
                playing.put(playout.bit_of(card))
                bars = barred([*tricks, trick], suit_of(trump), seats)
                assert not any(bars[other] & bits(hands[other]) for other in range(seats)), "what is barred is not held"
                seat = (seat + 1) % seats
            seat, _ = best(trick, trump)
            taken[seat] += 1
            tricks.append(trick)
        assert playing.taken == taken


def test_closed_trump_is_led_only_from_a_hand_of_trumps() -> None:
    hands = [bits(cards(text)) for text in ("9H 2C", "3H 4H", "5S 6S", "7C 8C")]
    playing = Playing(hands, 0, (), suit_of(Suit.HEARTS), [0] * 4, closed=True)
    assert playing.moves() == bits(cards("2C"))
    playing.put(playout.bit_of(Card("2C")))
    assert playing.closed
    playing.put(playout.bit_of(Card("3H")))
    assert not playing.closed, "a trump was put on clubs"
    assert Playing(hands[:1] * 4, 0, (), suit_of(Suit.CLUBS), [0] * 4, closed=True).moves() == bits(cards("9H"))
    assert (
        Playing([bits(cards("9H 8H"))] * 4, 0, (), suit_of(Suit.HEARTS), [0] * 4, closed=True).moves().bit_count() == 2
    )


def test_run_plays_all_or_until_somebody_has_enough() -> None:
    hands = [bits(hand) for hand in whole(Random(1), 3)]
    assert sum(Playing(hands, 0, (), NO_SUIT, [0] * 3).run().taken) == 16
    assert max(Playing(hands, 0, (), NO_SUIT, [0] * 3).run(4).taken) == 4


def thumb(hand: str, others: str, table: str = "", trump: Suit | None = Suit.SPADES, seats: int = 4) -> str:
    """What is put by the rules of thumb on these cards, where those are out that others hold."""
    trick = tuple(enumerate(cards(table)))
    hands = [0] * seats
    hands[len(trick)], hands[(len(trick) + 1) % seats] = bits(cards(hand)), bits(cards(others))
    return card_of(Playing(hands, len(trick), trick, suit_of(trump), [0] * seats).thumb()).value


@pytest.mark.parametrize(
    ("hand", "others", "table", "card"),
    [
        ("AS KS QS 2H", "5S 6S 7H", "", "AS"),  # draw trumps from strength
        ("AS 2S KH 2H", "5S 6S QH", "", "KH"),  # too few to draw; a king that nobody beats
        ("AS KS QS 2H", "7H", "", "2H"),  # nobody has trumps any more: they are kept
        ("9S 7H 2D 3D", "AS AH AD", "", "7H"),  # from the shortest suit
        ("AH QH 2H", "KH 9H", "5H", "AH"),  # the highest left takes it for certain
        ("QH JH", "AH 9H", "5H", "JH"),  # not certain: the lowest
        ("AH QH 2H", "KH 9H", "5H 6H TH", "QH"),  # the last needs no more than that
        ("7S 9S", "AS", "5H", "7S"),  # the lowest trump
        ("KH 5D 2C", "AS", "QS", "2C"),  # nothing to follow with: the lowest
    ],
)
def test_rules_of_thumb(hand: str, others: str, table: str, card: str) -> None:
    legal = playable(cards(hand), tuple(enumerate(cards(table))), Suit.SPADES)
    assert Card(card) in legal
    assert thumb(hand, others, table) == card


@pytest.mark.parametrize(
    ("hand", "others", "table", "card", "why"),
    [
        ("AS 3S 2H", "5S 6S 7H", "", "AS", "draws"),
        ("AS 3S 2H", "5S 6S 7H", "", "3S", "tried"),
        ("KH 3H 2D", "QH 6S", "", "KH", "highest"),
        ("KH 3H 2D", "AH 6S", "", "3H", "leads_low"),
        ("KH 3H 2D", "AH 6S", "", "KH", "tried"),
        ("4H 3H 2D", "AH 6S", "9H", "3H", "loses"),
        ("AH QH", "KH 6S", "9H", "AH", "takes"),
        ("AH QH", "KH 6S", "9H", "QH", "cheapest"),
        ("KH QH", "AH 6S", "9H", "KH", "tried"),
        ("KH QH", "AH 6S", "9H 2H 3H", "QH", "takes"),
        ("3S 2S", "AH 6S", "9H", "2S", "cheapest"),
    ],
)
def test_what_speaks_for_a_card(hand: str, others: str, table: str, card: str, why: str) -> None:
    trick = tuple(enumerate(cards(table)))
    hands = [0] * 4
    hands[len(trick)], hands[(len(trick) + 1) % 4] = bits(cards(hand)), bits(cards(others))
    playing = Playing(hands, len(trick), trick, suit_of(Suit.SPADES), [0] * 4)
    assert reason(playing, playout.bit_of(Card(card))) == why


def test_a_deal_fills_the_room_and_keeps_the_bars() -> None:
    rng, unknown = Random(2), bits(cards("2S 3S 4S 5S 2H 3H 4H 5H"))
    bars = [bits(cards("2S 3S 4S 5S")), bits(cards("5H")), 0]
    seen = set()
    for _ in range(60):
        places = deal(unknown, (3, 3, 2), bars, rng)
        assert [place.bit_count() for place in places] == [3, 3, 2]
        assert places[0] | places[1] | places[2] == unknown
        assert not any(place & bar for place, bar in zip(places, bars, strict=True))
        seen.add(tuple(places))
    assert len(seen) > 20
    assert sum(deal(unknown, (8, 0, 0), bars, rng)) == unknown, "bars that can't be kept are dropped"


def test_of_cards_that_are_all_the_same_one_is_tried() -> None:
    hand, others = bits(cards("2S 3S 5S 6S 8S 2H")), bits(cards("4S AS"))
    assert distinct(hand, others) == bits(cards("2S 5S 2H"))


def test_what_a_hand_counts() -> None:
    worth = Worth(0.5, 1.0, (10.0, 20.0, 30.0, 40.0), (100.0, 200.0, 300.0), (1000.0, 2000.0, 4000.0))
    assert counted(bits(cards("AS JS 2S")), 0, worth) == 0.5 + 3 + 10 + 40 + 3000
    assert counted(bits(cards("AH 2H 3H KD QD TD 9D KC")), 0, worth) == 0.5 + 100 + 500 + 2000
    assert counted(bits(cards("AS KH 2H")), NO_SUIT, worth) == 0.5 + 100 + 200
