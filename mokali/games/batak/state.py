"""Batak's actions and events, and the State that speaks them (RULES chapter 7)."""

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import replace

from mokali.engine.cardplay import CardPlayed, Deal, Play
from mokali.engine.cards import DECK, Card, Suit, canonical
from mokali.engine.protocol import (
    HOUSE,
    Action,
    Common,
    Event,
    HandEnded,
    IllegalAction,
    Result,
    Seat,
    State,
)
from mokali.engine.tricks import Duty, Trick, TrickWon, TrumpChosen, best, check, playable
from mokali.games.batak import calls, position
from mokali.games.batak.calls import PASS, Call
from mokali.games.batak.position import BatakSetup
from mokali.games.batak.rules import SEATS, TRICKS, BatakRules
from mokali.games.batak.sight import BatakView, Contract, dealt_anew


class No(StrEnum):
    """Why a bid or a card is refused, in the order of BT-17."""

    BID_TOO_LOW = "bid_too_low"
    BID_TOO_HIGH = "bid_too_high"
    TRUMP_CLOSED = "trump_closed"
    MUST_FOLLOW = Duty.MUST_FOLLOW
    MUST_BEAT = Duty.MUST_BEAT
    MUST_TRUMP = Duty.MUST_TRUMP
    MUST_OVERTRUMP = Duty.MUST_OVERTRUMP


class Bid(Action, frozen=True):
    """Promise to take so many tricks."""

    tricks: Annotated[int, Meta(ge=0, le=99)]


class Pass(Action, frozen=True):
    """Leave the auction."""


class Trump(Action, frozen=True):
    """Choose the suit of this hand that beats the others."""

    suit: Suit


class First(Action, frozen=True):
    """The house draws the first dealer (CM-13)."""

    seat_drawn: Annotated[int, Meta(ge=0, lt=SEATS)]


class BidMade(Event, frozen=True):
    """A seat has bid so many tricks."""

    seat: Seat
    tricks: int


class Passed(Event, frozen=True):
    """A seat is out of the auction."""

    seat: Seat


class AuctionWon(Event, frozen=True):
    """The auction is over: a seat has to take so many tricks."""

    seat: Seat
    tricks: int


class TrumpBroken(Event, frozen=True):
    """The hand's first trump on another suit: from now on trump may be led (BT-8)."""

    seat: Seat


class Batak(State, frozen=True, kw_only=True):
    """One whole match of İhaleli Batak."""

    rules: BatakRules
    hand: int
    dealer: Seat | None
    mover: Seat | None
    """The seat to act; None between hands."""
    hands: tuple[tuple[Card, ...], ...]
    """In canonical order."""
    bids: tuple[Call, ...]
    declarer: Seat | None
    bid: int | None
    trump: Suit | None
    trump_broken: bool
    trick: Trick
    tricks: tuple[Trick, ...]
    won: tuple[Seat, ...]
    taken: tuple[int, ...]
    base: tuple[int, ...]
    """Totals that a set-up position began with."""
    contracts: tuple[Contract, ...]
    history: tuple[tuple[int, ...], ...]

    @classmethod
    def start(cls, rules: BatakRules, seats: int, setup: BatakSetup | None = None) -> Self:
        """A match before its first deal, or in the position of ``setup``. Raises BadSetup."""
        fresh = cls(
            rules=rules,
            hand=0,
            dealer=None,
            mover=None,
            hands=((),) * seats,
            bids=(None,) * seats,
            declarer=None,
            bid=None,
            trump=None,
            trump_broken=False,
            trick=(),
            tricks=(),
            won=(),
            taken=(0,) * seats,
            base=(0,) * seats,
            contracts=(),
            history=(),
        )
        return fresh if setup is None else replace(fresh, **position.placed(setup, rules))

    @property
    def phase(self) -> str:
        """``bid``, ``trump``, ``play``, ``hand_over`` or ``over`` (BT-2)."""
        if self.mover is None:
            return "over" if self._over else "hand_over"
        return "bid" if self.declarer is None else "trump" if self.trump is None else "play"

    @property
    def turn(self) -> Seat | None:
        """The seat to act, HOUSE between hands, None at the end."""
        return self.mover if self.mover is not None else None if self._over else HOUSE

    @property
    def result(self) -> Result | None:
        """Places by totals; equal totals share a place (BT-15)."""
        if self.turn is not None:
            return None
        totals = self._totals
        return Result(totals, tuple(1 + sum(other > own for other in totals) for own in totals))

    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        """The first dealer where there is none yet, and the deck (BT-1)."""
        deck = list(DECK)
        rng.shuffle(deck)
        deal = Deal(tuple(deck))
        return (deal,) if self.dealer is not None else (First(rng.randrange(SEATS)), deal)

    def moves(self, seat: Seat) -> Sequence[Action]:
        """All legal actions."""
        if seat != self.mover:
            return ()
        match self.phase:
            case "bid":
                return (*map(Bid, self._calls(seat)), Pass())
            case "trump":
                return tuple(map(Trump, Suit))
        return tuple(map(Play, self._legal(seat)))

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The match after ``action``. Raises IllegalAction (BT-17)."""
        if seat != self.turn:
            raise IllegalAction(Common.NOT_YOUR_TURN, turn=self.mover)
        return self._play(seat, action)

    def view(self, seat: Seat | None) -> BatakView:
        """What ``seat`` may know; None is a spectator."""
        return BatakView(
            seat=seat,
            turn=self.mover,
            phase=self.phase,
            hand=self.hand,
            scores=self.history[-1] if self.history else None,
            totals=self._totals,
            over=self._over,
            winners=self._winners,
            reason="played_out" if self.history else None,
            rules=self.rules,
            seats=SEATS,
            dealer=self.dealer,
            cards=() if seat is None else self.hands[seat],
            legal=() if seat is None else self._legal(seat),
            calls=() if seat is None else self._calls(seat),
            held=tuple(map(len, self.hands)),
            bids=self.bids,
            declarer=self.declarer,
            bid=self.bid,
            trump=self.trump,
            trump_broken=self.trump_broken,
            trick=self.trick,
            tricks=self.tricks,
            won=self.won,
            taken=self.taken,
            contracts=self.contracts,
            history=self.history,
        )

    @classmethod
    def imagine(cls, view: BatakView, rng: Random) -> Self:
        """A match that looks like ``view``: the other hands are dealt anew."""
        return cls(
            rules=view.rules,
            hand=view.hand,
            dealer=view.dealer,
            mover=view.turn,
            hands=dealt_anew(view, rng),
            bids=view.bids,
            declarer=view.declarer,
            bid=view.bid,
            trump=view.trump,
            trump_broken=view.trump_broken,
            trick=view.trick,
            tricks=view.tricks,
            won=view.won,
            taken=view.taken,
            base=tuple(total - sum(row) for total, *row in zip(view.totals, *view.history, strict=True)),
            contracts=view.contracts,
            history=view.history,
        )

    def idle(self, seat: Seat) -> Action:
        """Pass; the longest suit is trump; the lowest legal card; ties S, H, D, C (AB-8)."""
        match self.phase:
            case "bid":
                return Pass()
            case "trump":
                suits = [card.suit for card in self.hands[seat]]
                return Trump(max(Suit, key=suits.count))
        return Play(min(self._legal(seat), key=lambda card: card.rank))

    # --- the rules ---

    def _play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        match action:
            case First(drawn) if self.dealer is None and drawn < SEATS:
                return replace(self, dealer=drawn), ()
            case Deal(deck) if seat == HOUSE and self.dealer is not None:
                return self._dealt(self.dealer if self.hand == 0 else (self.dealer + 1) % SEATS, deck), ()
            case Bid(tricks) if self.phase == "bid":
                return self._bid(seat, tricks)
            case Pass() if self.phase == "bid":
                return self._called(seat, PASS, Passed(seat))
            case Trump(suit) if self.phase == "trump":
                return replace(self, trump=suit), (TrumpChosen(seat, suit),)
            case Play(card) if self.phase == "play":
                self._check(seat, card)
                return self._put(seat, card)
        raise IllegalAction(Common.WRONG_PHASE, phase=self.phase)

    def _dealt(self, dealer: Seat, deck: tuple[Card, ...]) -> Self:
        """The next hand, with an auction to come (BT-1, BT-3)."""
        blocks = [canonical(frozenset(deck[start : start + TRICKS])) for start in range(0, len(deck), TRICKS)]
        return replace(
            self,
            hand=self.hand + 1,
            dealer=dealer,
            mover=(dealer + 1) % SEATS,
            hands=tuple(blocks[(seat - dealer - 1) % SEATS] for seat in range(SEATS)),
            bids=(None,) * SEATS,
            declarer=None,
            bid=None,
            trump=None,
            trump_broken=False,
            tricks=(),
            won=(),
            taken=(0,) * SEATS,
        )

    def _bid(self, seat: Seat, tricks: int) -> tuple[Self, tuple[Event, ...]]:
        least = calls.least(self.bids)
        if tricks < least:
            raise IllegalAction(No.BID_TOO_LOW, tricks=tricks, least=least)
        if tricks > TRICKS:
            raise IllegalAction(No.BID_TOO_HIGH, tricks=tricks, most=TRICKS)
        return self._called(seat, tricks, BidMade(seat, tricks))

    def _called(self, seat: Seat, call: Call, event: Event) -> tuple[Self, tuple[Event, ...]]:
        """The next seat still in is asked, or somebody has won the auction and chooses trump (BT-3 to BT-5)."""
        assert self.dealer is not None
        bids = (*self.bids[:seat], call, *self.bids[seat + 1 :])
        winner = calls.won(bids)
        if winner is None:
            return replace(self, bids=bids, mover=calls.asked(bids, self.dealer)), (event,)
        declarer, bid = winner
        return replace(self, bids=bids, mover=declarer, declarer=declarer, bid=bid), (event, AuctionWon(declarer, bid))

    def _check(self, seat: Seat, card: Card) -> None:
        """Raises IllegalAction where ``card`` may not be played."""
        hand = self.hands[seat]
        if card not in hand:
            raise IllegalAction(Common.NOT_HELD, card=card)
        if card not in self._legal(seat) and not self.trick:
            raise IllegalAction(No.TRUMP_CLOSED, suit=self.trump)
        check(card, hand, self.trick, self.trump)

    def _put(self, seat: Seat, card: Card) -> tuple[Self, tuple[Event, ...]]:
        left = tuple(other for other in self.hands[seat] if other != card)
        trick = (*self.trick, (seat, card))
        breaks = not self.trump_broken and card.suit == self.trump != trick[0][1].suit
        after = replace(
            self,
            hands=(*self.hands[:seat], left, *self.hands[seat + 1 :]),
            trick=trick,
            trump_broken=self.trump_broken or breaks,
            mover=(seat + 1) % SEATS,
        )
        events: tuple[Event, ...] = (CardPlayed(seat, card), *((TrumpBroken(seat),) if breaks else ()))
        if len(trick) < SEATS:
            return after, events
        after, closing = after._gathered()
        return after, (*events, *closing)

    def _gathered(self) -> tuple[Self, tuple[Event, ...]]:
        """The whole trick goes to its winner, who leads on, or the hand ends (BT-11, BT-12)."""
        winner, _ = best(self.trick, self.trump)
        after = replace(
            self,
            trick=(),
            tricks=(*self.tricks, self.trick),
            won=(*self.won, winner),
            taken=tuple(tricks + (seat == winner) for seat, tricks in enumerate(self.taken)),
            mover=winner,
        )
        if after.hands[winner]:
            return after, (TrickWon(winner),)
        scores = after._scores()
        after = replace(after, mover=None, contracts=after._contracts(), history=(*self.history, scores))
        return after, (TrickWon(winner), HandEnded(scores, "played_out"))

    def _scores(self) -> tuple[int, ...]:
        """Everybody's tricks; a declarer who took too few loses the bid (BT-13, BT-14)."""
        assert self.bid is not None
        return tuple(
            -self.bid if seat == self.declarer and tricks < self.bid else tricks
            for seat, tricks in enumerate(self.taken)
        )

    def _contracts(self) -> tuple[Contract, ...]:
        assert self.declarer is not None
        assert self.bid is not None
        assert self.trump is not None
        return (*self.contracts, Contract(self.declarer, self.bid, self.trump, self.taken[self.declarer]))

    def _legal(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that ``seat`` may play now: none out of its turn, never none in it (BT-8 to BT-10)."""
        if seat != self.mover or self.trump is None:
            return ()
        hand = self.hands[seat]
        if self.trick or self.trump_broken:
            return playable(hand, self.trick, self.trump)
        return tuple(card for card in hand if card.suit != self.trump) or hand

    def _calls(self, seat: Seat) -> tuple[int, ...]:
        """The bids that ``seat`` may make now."""
        if seat != self.mover or self.declarer is not None:
            return ()
        return tuple(range(calls.least(self.bids), TRICKS + 1))

    # --- the match ---

    @property
    def _over(self) -> bool:
        return self.mover is None and self.hand == self.rules.hands

    @property
    def _totals(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(self.base, *self.history, strict=True)))

    @property
    def _winners(self) -> tuple[Seat, ...]:
        totals = self._totals
        return tuple(seat for seat in range(SEATS) if totals[seat] == max(totals)) if self._over else ()
