"""Following, beating and winning a trick: what every trick game asks. Knows no game and no score."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from mokali.engine.cards import Card, Suit
from mokali.engine.protocol import Event, IllegalAction, Seat

Trick: TypeAlias = tuple[tuple[Seat, Card], ...]
"""Who played which card, in order; the first one led."""


class Duty(StrEnum):
    """What a trick asks of a hand, in the order in which it asks (BT-9, BT-10, UB-10 to UB-13)."""

    MUST_FOLLOW = "must_follow"
    MUST_BEAT = "must_beat"
    MUST_TRUMP = "must_trump"
    MUST_OVERTRUMP = "must_overtrump"


class TrumpChosen(Event, frozen=True):
    """A seat has said which suit is trump."""

    seat: Seat
    suit: Suit


class TrickWon(Event, frozen=True):
    """A trick is whole, and whose it is."""

    seat: Seat


def best(trick: Trick, trump: Suit | None) -> tuple[Seat, Card]:
    """Who wins a trick that is not empty, and with which card: the highest trump, else the highest of the led suit.

    ``trump`` is None where no suit is trump (BT-11, UB-14, UB-15).

    >>> best(((0, Card("AH")), (1, Card("2S")), (2, Card("5S"))), Suit.SPADES)[0]
    2
    """
    led = trick[0][1].suit
    return max(trick, key=lambda play: (play[1].suit == trump, play[1].suit == led, play[1].rank))


def playable(hand: Sequence[Card], trick: Trick, trump: Suit | None) -> tuple[Card, ...]:
    """The cards of ``hand`` that may be played on ``trick``, in the hand's order; all of them where it is empty.

    >>> playable((Card("JH"), Card("4H"), Card("AS")), ((0, Card("9H")),), Suit.SPADES) == (Card("JH"),)
    True
    """
    every = list(_asked(hand, trick, trump))
    return every[-1][1] if every else tuple(hand)


def check(card: Card, hand: Sequence[Card], trick: Trick, trump: Suit | None) -> None:
    """Raises IllegalAction with the first duty that playing ``card`` from ``hand`` breaks.

    Its facts are the ``suit`` that must be played, and the ``card`` that must be beaten.
    """
    for duty, meeting in _asked(hand, trick, trump):
        if card not in meeting:
            raise IllegalAction(duty, suit=meeting[0].suit, card=best(trick, trump)[1])


def asked(hand: Sequence[Card], trick: Trick, trump: Suit | None) -> tuple[str, Mapping[str, Suit]]:
    """What a prompt says of a trick that is not empty: its cue, which is the strictest duty of this hand, and the suit.

    ``("play", {})`` where any card will do.
    """
    every = list(_asked(hand, trick, trump))
    return (every[-1][0], {"suit": every[-1][1][0].suit}) if every else ("play", {})


def _asked(hand: Sequence[Card], trick: Trick, trump: Suit | None) -> Iterator[tuple[Duty, tuple[Card, ...]]]:
    """What a trick asks of a hand, one duty after the other, each with the cards that meet it: never none."""
    if not trick:
        return
    led, to_beat = trick[0][1].suit, best(trick, trump)[1]
    follow, beat = (Duty.MUST_FOLLOW, Duty.MUST_BEAT), (Duty.MUST_TRUMP, Duty.MUST_OVERTRUMP)
    for suit, (have_it, go_higher) in ((led, follow), (trump, beat)):
        of_suit = tuple(card for card in hand if card.suit == suit)
        if not of_suit:
            continue
        yield have_it, of_suit
        higher = tuple(card for card in of_suit if card.suit == to_beat.suit and card.rank > to_beat.rank)
        if higher:
            yield go_higher, higher
        return
