"""Pişti's actions, events, view and setup, and the State that speaks them (RULES chapter 8)."""

from collections import Counter
from collections.abc import Sequence
from math import comb
from random import Random
from typing import Annotated, Final, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from mokali.engine import cardplay
from mokali.engine.cardplay import CardPlayed, Play
from mokali.engine.cards import DECK, Card, canonical
from mokali.engine.chance import among
from mokali.engine.protocol import (
    HOUSE,
    Action,
    BadSetup,
    Common,
    Event,
    HandEnded,
    IllegalAction,
    Result,
    Seat,
    Setup,
    State,
    Stroke,
    View,
)
from mokali.games.pisti import rules as worth
from mokali.games.pisti.rules import PistiRules

BLOCK: Final = 4
"""Cards on the table at the start, and cards to a seat in each round (PI-2, PI-3)."""
HIDDEN: Final = 3
"""Start cards that lie face down (PI-2)."""
JACKS: Final = 4


class First(Action, frozen=True):
    """The house draws the first dealer (CM-13)."""

    seat_drawn: Annotated[int, Meta(ge=0, le=3)]


class Deal(cardplay.Deal, frozen=True):
    """Four cards to the table, the last one open, then blocks of four."""

    def __post_init__(self) -> None:
        """Raises ValueError where it is no whole deck or a jack lies open (PI-2)."""
        super().__post_init__()
        if self.deck[HIDDEN].letter == "J":
            raise ValueError("the open start card is no jack")


def jacks(lot: Action, after: "Pisti") -> Sequence[Stroke]:
    """The jacks that a deal gives each seat in all its rounds, beside what chance would give (PI-2, PI-3)."""
    if not isinstance(lot, Deal) or after.dealer is None:
        return ()
    seats, cards = after.seats, lot.deck[BLOCK:]
    blocks = [cards[place : place + BLOCK] for place in range(0, len(cards), BLOCK)]
    mean, variance = _jacks(len(cards) // seats)
    return [
        Stroke("jacks", (after.dealer + turn) % seats, sum(c.letter == "J" for b in own for c in b), mean, variance)
        for turn in range(1, seats + 1)
        for own in (blocks[turn - 1 :: seats],)
    ]


def _jacks(cards: int) -> tuple[float, float]:
    """Mean and variance of the jacks in one seat's cards of a hand: some may lie hidden, none lies open (PI-2)."""
    mean = square = 0.0
    for hidden in range(HIDDEN + 1):
        chance = comb(JACKS, hidden) * comb(len(DECK) - JACKS, HIDDEN - hidden) / comb(len(DECK), HIDDEN)
        own, spread = among(len(DECK) - BLOCK, JACKS - hidden, cards)
        mean, square = mean + chance * own, square + chance * (spread + own**2)
    return mean, square - mean**2


class Captured(Event, frozen=True):
    """A seat took the pile; ``cards`` counts its own card too."""

    seat: Seat
    cards: int


class PistiMade(Event, frozen=True):
    """A lone card was taken by its like (PI-6)."""

    seat: Seat
    points: int


class JackPistiMade(Event, frozen=True):
    """A lone jack was taken by a jack (PI-6)."""

    seat: Seat
    points: int


class RoundDealt(Event, frozen=True):
    """Everybody has four new cards (PI-3)."""

    stock: int


class Capture(Struct, frozen=True):
    """The last capture: who took what top card with which card, how many cards it brought, and its pişti points."""

    seat: Seat
    card: Card
    top: Card
    cards: int
    pisti: int


class Tally(Struct, frozen=True):
    """The points of one side in a finished hand, item by item (PI-9)."""

    cards: int
    aces: int
    jacks: int
    club_two: int
    diamond_ten: int
    most_cards: int
    pistis: int

    @property
    def total(self) -> int:
        """What the hand was worth to that side."""
        return self.aces + self.jacks + self.club_two + self.diamond_ten + self.most_cards + self.pistis


class PistiSetup(Setup, frozen=True, kw_only=True):
    """A position; cards named nowhere go to the stock, after those named there, in canonical order."""

    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    face_down: Annotated[int, Meta(ge=0)] = 0
    stock: tuple[Card, ...] | None = None
    captured: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    pistis: tuple[int, int] = (0, 0)
    last_capturer: Seat | None = None
    turn: Seat | None = None
    totals: tuple[int, ...] | None = None
    phase: str = "play"


class PistiView(View, frozen=True, kw_only=True):
    """What one seat may know of a Pişti match. Sides are seats, or the teams 0+2 and 1+3 (CM-4)."""

    rules: PistiRules
    seats: int
    dealer: Seat | None
    cards: tuple[Card, ...]
    """The own hand; empty for a spectator."""
    legal: tuple[Card, ...]
    """The own cards that may be played now."""
    held: tuple[int, ...]
    """Cards in hand per seat."""
    pile: int
    top: Card | None
    stock: int
    captured: tuple[int, ...]
    """Cards per side."""
    pistis: tuple[int, ...]
    """Pişti points per side, this hand."""
    last_capturer: Seat | None
    last: Capture | None
    seen_pile: tuple[Card, ...]
    """The pile's cards that were played openly, the lowest first: for bots and memory, not for the screen."""
    seen_captured: tuple[tuple[Card, ...], ...]
    """The cards captured openly, per side."""
    hidden: int
    """How many start cards lie face down under the pile."""
    hidden_taker: Seat | None
    """The seat that captured them."""
    hidden_cards: tuple[Card, ...]
    """Those cards, for the seat that took them, and for everybody once the hand is over (PI-8)."""
    tallies: tuple[Tally, ...] | None
    """Per side, of the last finished hand."""
    history: tuple[tuple[int, ...], ...]
    """Points per side of each finished hand."""


class Pisti(State, frozen=True, kw_only=True):
    """One whole Pişti match."""

    rules: PistiRules
    seats: int
    hand: int
    dealer: Seat | None
    mover: Seat | None
    """The seat to act; None between hands."""
    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    """The open cards, the lowest first; the hidden ones lie below them until they are taken."""
    hidden: tuple[Card, ...]
    hidden_taker: Seat | None
    stock: tuple[Card, ...]
    captured: tuple[tuple[Card, ...], ...]
    """Per side, without the hidden start cards."""
    pistis: tuple[int, ...]
    last_capturer: Seat | None
    last: Capture | None
    base: tuple[int, ...]
    """Points per side that a set-up position began with."""
    history: tuple[tuple[int, ...], ...]
    tallies: tuple[Tally, ...] | None

    @classmethod
    def start(cls, rules: PistiRules, seats: int, setup: PistiSetup | None = None) -> Self:
        """A match before its first deal, or in the position of ``setup``. Raises BadSetup."""
        fresh = cls(
            rules=rules,
            seats=seats,
            hand=0,
            dealer=None,
            mover=None,
            hands=((),) * seats,
            pile=(),
            hidden=(),
            hidden_taker=None,
            stock=(),
            captured=((), ()),
            pistis=(0, 0),
            last_capturer=None,
            last=None,
            base=(0, 0),
            history=(),
            tallies=None,
        )
        return fresh if setup is None else fresh._set_up(setup)

    @property
    def phase(self) -> str:
        """``play``, ``hand_over`` or ``over`` (PI-4)."""
        return "play" if self.mover is not None else "over" if self._ahead is not None else "hand_over"

    @property
    def turn(self) -> Seat | None:
        """The seat to act, HOUSE between hands, None at the end."""
        return self.mover if self.mover is not None else None if self._ahead is not None else HOUSE

    @property
    def result(self) -> Result | None:
        """First place for the winning side, second for the other."""
        if self.turn is not None:
            return None
        return Result(self._per_seat(self._points), tuple(1 if s in self._winners else 2 for s in range(self.seats)))

    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        """The first dealer where there is none yet, and the deck (CM-13, PI-2)."""
        deck = list(DECK)
        rng.shuffle(deck)
        while deck[HIDDEN].letter == "J":
            rest = deck[HIDDEN:]
            rng.shuffle(rest)
            deck[HIDDEN:] = rest
        deal = Deal(tuple(deck))
        return (deal,) if self.dealer is not None else (First(rng.randrange(self.seats)), deal)

    def moves(self, seat: Seat) -> Sequence[Play]:
        """All legal actions: any card of the hand."""
        return tuple(map(Play, self._legal(seat)))

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The match after ``action``. Raises IllegalAction (PI-12: the common codes only)."""
        if seat != self.turn:
            raise IllegalAction(Common.NOT_YOUR_TURN, turn=self.mover)
        return self._play(seat, action)

    def view(self, seat: Seat | None) -> PistiView:
        """What ``seat`` may know; None is a spectator."""
        return PistiView(
            seat=seat,
            turn=self.mover,
            phase=self.phase,
            hand=self.hand,
            scores=self._per_seat(self.history[-1]) if self.history else None,
            totals=self._per_seat(self._points),
            over=self.phase == "over",
            winners=self._winners,
            reason="played_out" if self.history else None,
            rules=self.rules,
            seats=self.seats,
            dealer=self.dealer,
            cards=() if seat is None else self.hands[seat],
            legal=() if seat is None else self._legal(seat),
            held=tuple(map(len, self.hands)),
            pile=len(self.pile) + self._hidden_below,
            top=self.pile[-1] if self.pile else None,
            stock=len(self.stock),
            captured=tuple(len(self._won(side)) for side in (0, 1)),
            pistis=self.pistis,
            last_capturer=self.last_capturer,
            last=self.last,
            seen_pile=self.pile,
            seen_captured=self.captured,
            hidden=self._hidden_below,
            hidden_taker=self.hidden_taker,
            hidden_cards=self.hidden if self.mover is None or self._knows_hidden(seat) else (),
            tallies=self.tallies,
            history=self.history,
        )

    @classmethod
    def imagine(cls, view: PistiView, rng: Random) -> Self:
        """A match that looks like ``view``: other hands, stock and unseen start cards are dealt anew."""
        known = {*view.cards, *view.seen_pile, *view.hidden_cards}.union(*view.seen_captured)
        unknown = [] if view.hand == 0 else [card for card in DECK if card not in known]
        rng.shuffle(unknown)

        def some(count: int) -> tuple[Card, ...]:
            taken = tuple(unknown[:count])
            del unknown[:count]
            return taken

        lie_hidden = view.hidden or (HIDDEN if view.hidden_taker is not None else 0)
        hidden = view.hidden_cards or some(lie_hidden)
        hands = tuple(view.cards if s == view.seat else some(view.held[s]) for s in range(view.seats))
        return cls(
            rules=view.rules,
            seats=view.seats,
            hand=view.hand,
            dealer=view.dealer,
            mover=view.turn,
            hands=hands,
            pile=view.seen_pile,
            hidden=hidden,
            hidden_taker=view.hidden_taker,
            stock=some(view.stock),
            captured=view.seen_captured,
            pistis=view.pistis,
            last_capturer=view.last_capturer,
            last=view.last,
            base=_minus(_per_side(view.totals), _sums(view.history)),
            history=view.history,
            tallies=view.tallies,
        )

    def idle(self, seat: Seat) -> Play:
        """The lowest card; ties S, H, D, C (AB-8)."""
        return Play(min(self.hands[seat], key=lambda card: (card.rank, DECK.index(card))))

    # --- the rules ---

    def _play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        match action:
            case First(drawn) if self.dealer is None and drawn < self.seats:
                return replace(self, dealer=drawn), ()
            case Deal(deck) if seat == HOUSE and self.dealer is not None:
                return self._dealt(self.dealer if self.hand == 0 else (self.dealer + 1) % self.seats, deck), ()
            case Play(card) if seat != HOUSE:
                if card not in self.hands[seat]:
                    raise IllegalAction(Common.NOT_HELD, card=card)
                return self._put(seat, card)
        raise IllegalAction(Common.WRONG_PHASE)

    def _dealt(self, dealer: Seat, deck: tuple[Card, ...]) -> Self:
        fresh = replace(
            self,
            hand=self.hand + 1,
            dealer=dealer,
            mover=(dealer + 1) % self.seats,
            pile=deck[HIDDEN:BLOCK],
            hidden=deck[:HIDDEN],
            hidden_taker=None,
            stock=deck[BLOCK:],
            captured=((), ()),
            pistis=(0, 0),
            last_capturer=None,
            last=None,
        )
        return fresh._next_round()

    def _next_round(self) -> Self:
        """Four cards to each seat from the stock, as one block per seat, starting right of the dealer (PI-3)."""
        assert self.dealer is not None
        hands = list(self.hands)
        for turn in range(self.seats):
            hands[(self.dealer + 1 + turn) % self.seats] = self.stock[turn * BLOCK : (turn + 1) * BLOCK]
        return replace(self, hands=tuple(hands), stock=self.stock[self.seats * BLOCK :])

    def _put(self, seat: Seat, card: Card) -> tuple[Self, tuple[Event, ...]]:
        left = tuple(other for other in self.hands[seat] if other != card)
        hands = (*self.hands[:seat], left, *self.hands[seat + 1 :])
        after = replace(self, hands=hands, mover=(seat + 1) % self.seats)
        played = CardPlayed(seat, card)
        if self.pile and card.letter in (self.pile[-1].letter, "J"):
            after, taking = after._take(seat, card)
        else:  # a jack on an empty pile just lies there (PI-5)
            after, taking = replace(after, pile=(*self.pile, card)), ()
        after, closing = after._go_on()
        return after, (played, *taking, *closing)

    def _take(self, seat: Seat, card: Card) -> tuple[Self, tuple[Event, ...]]:
        """The pile and the card go to the side of ``seat`` (PI-5, PI-6)."""
        count, top, side = len(self.pile) + self._hidden_below, self.pile[-1], seat % 2
        points = 0
        if count == 1 and card.letter == top.letter:
            points = worth.JACK_PISTI_POINTS if card.letter == "J" else worth.PISTI_POINTS
        after = replace(
            self._given(side, seat, (*self.pile, card)),
            pistis=_added(self.pistis, side, points),
            last_capturer=seat,
            last=Capture(seat, card, top, count + 1, points),
        )
        made = JackPistiMade if points == worth.JACK_PISTI_POINTS else PistiMade
        return after, (Captured(seat, count + 1), *((made(seat, points),) if points else ()))

    def _given(self, side: int, taker: Seat, cards: tuple[Card, ...]) -> Self:
        """``cards``, and the hidden ones with the first capture, lie with ``side``."""
        captured = tuple((*own, *cards) if n == side else own for n, own in enumerate(self.captured))
        return replace(
            self, captured=captured, pile=(), hidden_taker=taker if self._hidden_below else self.hidden_taker
        )

    def _go_on(self) -> tuple[Self, tuple[Event, ...]]:
        """A new round, or the end of the hand, once all hands are empty (PI-3, PI-7)."""
        if any(self.hands):
            return self, ()
        if self.stock:
            after = self._next_round()
            return after, (RoundDealt(len(after.stock)),)
        last = self.last_capturer
        after = self if last is None or not self.pile else self._given(last % 2, last, self.pile)
        tallies = after._count()
        points = tuple(tally.total for tally in tallies)
        after = replace(after, mover=None, tallies=tallies, history=(*self.history, points))
        return after, (HandEnded(after._per_seat(points), "played_out"),)

    def _count(self) -> tuple[Tally, ...]:
        won = tuple(self._won(side) for side in (0, 1))
        return tuple(_tally(won[side], len(won[1 - side]), self.pistis[side]) for side in (0, 1))

    def _legal(self, seat: Seat) -> tuple[Card, ...]:
        return self.hands[seat] if seat == self.mover else ()

    # --- who has what ---

    def _won(self, side: int) -> tuple[Card, ...]:
        """All the cards a side has captured, the hidden ones too."""
        taken = self.hidden_taker is not None and self.hidden_taker % 2 == side
        return (*self.captured[side], *(self.hidden if taken else ()))

    @property
    def _hidden_below(self) -> int:
        return len(self.hidden) if self.hidden_taker is None else 0

    def _knows_hidden(self, seat: Seat | None) -> bool:
        return seat is not None and seat == self.hidden_taker

    @property
    def _points(self) -> tuple[int, ...]:
        return _sums((self.base, *self.history))

    @property
    def _ahead(self) -> int | None:
        """The side that has won the match (PI-10)."""
        one, other = self._points
        if self.mover is not None or one == other or max(one, other) < self.rules.target or not self.history:
            return None
        return 0 if one > other else 1

    @property
    def _winners(self) -> tuple[Seat, ...]:
        return () if self._ahead is None else tuple(s for s in range(self.seats) if s % 2 == self._ahead)

    def _per_seat(self, sides: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sides[seat % 2] for seat in range(self.seats))

    # --- positions ---

    def _set_up(self, setup: PistiSetup) -> Self:
        """This fresh match in a position. Raises BadSetup."""
        named = Counter([*setup.pile, *(setup.stock or ())])
        for some in (*setup.hands, *setup.captured):
            named.update(some)
        twice = [card for card, count in named.items() if count > 1]
        if twice:
            raise BadSetup(f"{twice[0]} stands there twice")
        unlisted = canonical({card for card in DECK if card not in named})
        position = replace(
            self,
            hand=1,
            dealer=setup.dealer,
            mover=(setup.dealer + 1) % self.seats if setup.turn is None else setup.turn,
            hands=setup.hands,
            pile=setup.pile[setup.face_down :],
            hidden=setup.pile[: setup.face_down],
            stock=(*(setup.stock or ()), *unlisted),
            captured=setup.captured,
            pistis=setup.pistis,
            last_capturer=setup.last_capturer,
            base=_per_side(setup.totals or (0,) * self.seats),
        )
        _check(position, setup)
        return position


def _check(position: Pisti, setup: PistiSetup) -> None:
    """Raises BadSetup where a position breaks an invariant (PI-I1, PI-I2, PI-2)."""
    seats = range(position.seats)
    named = (setup.dealer, setup.turn, setup.last_capturer)
    if setup.phase != "play":
        raise BadSetup("a position is in phase play")
    if any(seat is not None and seat not in seats for seat in named):
        raise BadSetup(f"seats are 0 to {position.seats - 1}")
    if len(setup.hands) != position.seats:
        raise BadSetup(f"{position.seats} hands are needed")
    sizes = [len(setup.hands[((position.mover or 0) + turn) % position.seats]) for turn in seats]
    if sizes != sorted(sizes, reverse=True) or not 0 < sizes[0] <= sizes[-1] + 1 or sizes[0] > BLOCK:
        raise BadSetup("hands differ by at most a card, and the seat to act has one")
    if len(position.stock) % (BLOCK * position.seats):
        raise BadSetup("the stock is no whole number of rounds")
    if setup.face_down not in (0, HIDDEN) or (setup.face_down and len(setup.pile) <= setup.face_down):
        raise BadSetup("three start cards lie face down under an open one, or none")
    if any(points % 10 or points < 0 for points in setup.pistis):
        raise BadSetup("piştis are multiples of 10")
    if setup.totals is not None and (
        len(setup.totals) != position.seats or any(setup.totals[s] != setup.totals[s % 2] for s in seats)
    ):
        raise BadSetup("totals are per seat, the same for partners")


def _tally(won: tuple[Card, ...], others: int, pistis: int) -> Tally:
    letters = Counter(card.letter for card in won)
    return Tally(
        cards=len(won),
        aces=letters["A"] * worth.ACE_POINTS,
        jacks=letters["J"] * worth.JACK_POINTS,
        club_two=worth.CLUB_TWO_POINTS if Card("2C") in won else 0,
        diamond_ten=worth.DIAMOND_TEN_POINTS if Card("TD") in won else 0,
        most_cards=worth.MOST_CARDS_POINTS if len(won) > others else 0,
        pistis=pistis,
    )


def _per_side(per_seat: tuple[int, ...]) -> tuple[int, ...]:
    return per_seat[:2]


def _sums(rows: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip((0, 0), *rows, strict=True)))


def _minus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _added(sides: tuple[int, ...], side: int, points: int) -> tuple[int, ...]:
    return tuple(value + points if n == side else value for n, value in enumerate(sides))
