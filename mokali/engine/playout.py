"""Trick play in a quick form, for bots: cards are bits of a number, and everybody plays by rules of thumb.

For games in which one follows and beats (BT-8 to BT-11, UB-9 to UB-15) and wants tricks. Knows no game and no score.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct

from mokali.engine.cards import DECK, Card, Suit
from mokali.engine.protocol import Seat
from mokali.engine.tricks import Trick

Cards: TypeAlias = int
"""A set of cards: bit n is the n-th card of the deck, so of two in a suit the higher card is the higher bit."""

RANKS: Final = 13
SUITS: Final = tuple(((1 << RANKS) - 1) << RANKS * place for place in range(len(Suit)))
"""All cards of each suit."""
ALL: Final = (1 << len(DECK)) - 1
NO_SUIT: Final = -1
_PLACE: Final = {card: place for place, card in enumerate(DECK)}
_SUIT: Final = {suit: place for place, suit in enumerate(Suit)}
_ABOVE: Final = tuple(SUITS[bit // RANKS] >> bit + 1 << bit + 1 for bit in range(len(DECK)))
"""For each card the higher ones of its suit."""


def bits(cards: Iterable[Card]) -> Cards:
    """These cards as a number."""
    return sum(1 << _PLACE[card] for card in cards)


def suit_of(suit: Suit | None) -> int:
    """The place of a suit; ``NO_SUIT`` for none."""
    return NO_SUIT if suit is None else _SUIT[suit]


def bit_of(card: Card) -> int:
    """The place of a card's bit."""
    return _PLACE[card]


def card_of(bit: int) -> Card:
    """The card of a bit's place."""
    return DECK[bit]


def each(cards: Cards) -> Iterator[int]:
    """The places of the bits, the lowest first.

    >>> [card_of(bit).value for bit in each(bits((Card("3S"), Card("2S"))))]
    ['2S', '3S']
    """
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1


def above(bit: int) -> Cards:
    """The higher cards of the same suit."""
    return _ABOVE[bit]


def legal(hand: Cards, led: int, best: int, trump: int) -> Cards:
    """What may be put on a trick of suit ``led`` whose best card is ``best``: as ``tricks.playable``."""
    follow = hand & SUITS[led]
    if not follow and trump >= 0:
        follow = hand & SUITS[trump]
    return (follow & _ABOVE[best]) or follow or hand


def distinct(moves: Cards, others: Cards) -> Cards:
    """Of cards of a suit between which no other seat's card lies, the lowest: it is all the same which is played."""
    found, last = 0, -1
    for bit in each(moves):
        if last // RANKS != bit // RANKS or others >> last & (1 << bit - last) - 1:
            found |= 1 << bit
        last = bit
    return found


class Playing:
    """A hand of tricks under way; it is played on in place."""

    __slots__ = ("best", "closed", "hands", "led", "out", "played", "seat", "taken", "trump", "winner")

    def __init__(
        self,
        hands: Sequence[Cards],
        seat: Seat,
        trick: Trick,
        trump: int,
        taken: Sequence[int],
        *,
        closed: bool = False,
    ) -> None:
        """``seat`` is to act; where it is ``closed``, trump may not be led until a trump was put on another suit."""
        self.hands, self.seat, self.trump, self.taken, self.closed = list(hands), seat, trump, list(taken), closed
        self.out = 0
        for hand in hands:
            self.out |= hand
        self.played, self.led, self.best, self.winner = 0, NO_SUIT, 0, 0
        for player, card in trick:
            self._lay(player, _PLACE[card])

    def moves(self) -> Cards:
        """What the seat to act may play."""
        hand = self.hands[self.seat]
        if self.played:
            return legal(hand, self.led, self.best, self.trump)
        return (hand & ~SUITS[self.trump] or hand) if self.closed else hand

    def put(self, bit: int) -> None:
        """The seat to act plays this card."""
        seat, seats = self.seat, len(self.hands)
        self.hands[seat] ^= 1 << bit
        self.out ^= 1 << bit
        self._lay(seat, bit)
        if self.played == seats:
            self.taken[self.winner] += 1
            self.seat, self.played, self.led = self.winner, 0, NO_SUIT
        else:
            self.seat = (seat + 1) % seats

    def _lay(self, seat: Seat, bit: int) -> None:
        suit = bit // RANKS
        if not self.played:
            self.led = suit
        if self.takes(bit):
            self.best, self.winner = bit, seat
        if self.led != suit == self.trump:
            self.closed = False
        self.played += 1

    def run(self, most: int = RANKS * len(Suit)) -> "Playing":
        """Play on by rules of thumb until all cards are played, or somebody has ``most`` tricks; itself."""
        while self.hands[self.seat] and (self.played or max(self.taken) < most):
            self.put(self.thumb())
        return self

    def thumb(self) -> int:
        """What a good player of the seat to act plays without much thought; the others' cards he knows as one."""
        unseen = self.out & ~self.hands[self.seat]
        if self.played:
            last = self.played == len(self.hands) - 1
            return answer(self.moves(), unseen, self.best, self.trump, last=last)
        return lead(self.moves(), unseen, self.trump)

    def takes(self, bit: int) -> bool:
        """Whether this card would be the best of the trick so far."""
        suit, best = bit // RANKS, self.best
        return not self.played or bool(_ABOVE[best] >> bit & 1) or (suit == self.trump != best // RANKS)


# --- rules of thumb ---


def lead(moves: Cards, unseen: Cards, trump: int) -> int:
    """What to lead: draw trumps from strength, then cards that nobody can beat, else a low one from a short suit."""
    bit = _drawing(moves, unseen, trump)
    if bit < 0:
        bit = _master(moves, unseen, trump)
    return _short(moves, trump) if bit < 0 else bit


def answer(moves: Cards, unseen: Cards, best: int, trump: int, *, last: bool) -> int:
    """What to put on a trick: the card that nobody can beat any more, else the lowest there is.

    The last player needs no more than the lowest that takes it.
    """
    top = moves.bit_length() - 1
    winning = _ABOVE[best] >> top & 1
    if winning and not last and not unseen & _ABOVE[top] and top // RANKS != trump:
        return top
    if moves & ~SUITS[top // RANKS]:
        return _discard(moves)
    return (moves & -moves).bit_length() - 1


def _drawing(moves: Cards, unseen: Cards, trump: int) -> int:
    """Lead the highest trump while others have some, with as many as any of them may have; -1 where that is not so."""
    if trump < 0:
        return -1
    own, theirs = moves & SUITS[trump], unseen & SUITS[trump]
    if not theirs or own.bit_count() < 3 or own < theirs or own.bit_count() * 2 < theirs.bit_count():
        return -1
    return own.bit_length() - 1


def _master(moves: Cards, unseen: Cards, trump: int) -> int:
    """Lead a card of a plain suit that is the highest left, from where others have most to follow with; -1 for none."""
    found, most = -1, -1
    for suit in range(len(SUITS)):
        own, theirs = moves & SUITS[suit], unseen & SUITS[suit]
        if suit != trump and own > theirs and theirs.bit_count() > most:
            found, most = own.bit_length() - 1, theirs.bit_count()
    return found


def _short(moves: Cards, trump: int) -> int:
    """Lead low from the shortest plain suit, to be void in it soon; without one, the lowest trump."""
    plain = [own for suit in range(len(SUITS)) if suit != trump and (own := moves & SUITS[suit])]
    own = min(plain, key=int.bit_count, default=moves)
    return (own & -own).bit_length() - 1


def _discard(moves: Cards) -> int:
    """Throw away the lowest card."""
    lows = [(own & -own).bit_length() - 1 for suit in SUITS if (own := moves & suit)]
    return min(lows, key=lambda bit: bit % RANKS)


class Reason(StrEnum):
    """What speaks for a card, as far as its player can see."""

    DRAWS = "draws"
    HIGHEST = "highest"
    LEADS_LOW = "leads_low"
    LOSES = "loses"
    TAKES = "takes"
    CHEAPEST = "cheapest"
    TRIED = "tried"
    """Nothing but that it came out well."""


def reason(playing: Playing, bit: int) -> Reason:
    """What speaks for this card of the seat to act, where ``playing`` knows the others' cards all together."""
    moves, seat = playing.moves(), playing.seat
    unbeaten = not _ABOVE[bit] & playing.out & ~playing.hands[seat]
    if not playing.played:
        if bit // RANKS == playing.trump:
            return Reason.DRAWS if unbeaten else Reason.TRIED
        lowest = not moves & SUITS[bit // RANKS] & (1 << bit) - 1
        return Reason.HIGHEST if unbeaten else Reason.LEADS_LOW if lowest else Reason.TRIED
    if not playing.takes(bit):
        return Reason.LOSES
    if playing.played == len(playing.hands) - 1 or (unbeaten and bit // RANKS == playing.led):
        return Reason.TAKES
    return Reason.TRIED if moves & (1 << bit) - 1 else Reason.CHEAPEST


# --- what a hand is worth ---


class Worth(Struct, frozen=True):
    """What belongs to a hand counts so many tricks for who chooses trump and leads, together with ``base``."""

    base: float
    trump: float
    """Every trump, ..."""
    trumps: tuple[float, float, float, float]
    """... and more for its ace, king, queen and jack."""
    plain: tuple[float, float, float]
    """A plain suit's ace, its guarded king, its queen with two others."""
    short: tuple[float, float, float]
    """A plain suit of no card, one, two."""


def counted(hand: Cards, trump: int, worth: Worth) -> float:
    """About how many tricks this hand takes with this trump."""
    tricks = worth.base
    for suit in range(len(SUITS)):
        own = hand >> RANKS * suit & SUITS[0]
        held = own.bit_count()
        if suit == trump:
            tricks += held * worth.trump
            tricks += sum(more for place, more in enumerate(worth.trumps) if own >> RANKS - 1 - place & 1)
            continue
        tricks += sum(more for place, more in enumerate(worth.plain) if own >> RANKS - 1 - place & 1 and held > place)
        tricks += worth.short[held] if trump >= 0 and held < len(worth.short) else 0
    return tricks


def longest(hand: Cards) -> int:
    """The suit with most cards, of two the one that ends higher."""
    return max(range(len(SUITS)), key=lambda suit: ((own := hand >> RANKS * suit & SUITS[0]).bit_count(), own))


# --- what others may hold ---


def barred(tricks: Iterable[Trick], trump: int, seats: int) -> list[Cards]:
    """Per seat the cards that it has shown not to hold: it neither followed, nor beat, nor trumped where it had to."""
    bars = [0] * seats
    for trick in tricks:
        led, best = NO_SUIT, 0
        for seat, card in trick:
            bit = _PLACE[card]
            suit = bit // RANKS
            if led == NO_SUIT:
                led, best = suit, bit
                continue
            higher = _ABOVE[best] >> bit & 1
            if suit != led:
                bars[seat] |= SUITS[led]
                if trump >= 0 and suit != trump:
                    bars[seat] |= SUITS[trump]
            if not higher and suit in (led, trump) and suit == best // RANKS:
                bars[seat] |= _ABOVE[best]
            if higher or (suit == trump != best // RANKS):
                best = bit
    return bars


def deal(unknown: Cards, room: Sequence[int], bars: Sequence[Cards], rng: Random) -> list[Cards]:
    """The unknown cards dealt to places with so much room, none where it is barred if a few tries find such a deal."""
    cards = list(each(unknown))
    for _ in range(_TRIES):
        places = _dealt(cards, room, bars, rng)
        if places is not None:
            return places
    free = _dealt(cards, room, [0] * len(room), rng)
    assert free is not None
    return free


_TRIES: Final = 12


def _dealt(cards: list[int], room: Sequence[int], bars: Sequence[Cards], rng: Random) -> list[Cards] | None:
    """These cards, those first that fewest can take, each to any free slot; None where none is."""
    rng.shuffle(cards)
    places = [0] * len(room)
    slots = [place for place, free in enumerate(room) for _ in range(free)]
    rng.shuffle(slots)
    takers = {bit: sum(not bar >> bit & 1 for bar in bars) for bit in cards}
    for bit in sorted(cards, key=takers.__getitem__):
        place = next((place for place in slots if not bars[place] >> bit & 1), None)
        if place is None:
            return None
        slots.remove(place)
        places[place] |= 1 << bit
    return places
