"""3-5-8's actions, events and view, and the State that speaks them (RULES chapter 6)."""

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Final, Self

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
    View,
)
from mokali.engine.tricks import Duty, Trick, TrickWon, TrumpChosen, best, check, playable
from mokali.games.ucbessekiz import exchange
from mokali.games.ucbessekiz.exchange import Claim, Swap
from mokali.games.ucbessekiz.position import Step, UcBesSekizSetup, placed
from mokali.games.ucbessekiz.rules import (
    ALL_BUT_TWO,
    DIP,
    NEXT_TARGET,
    SEATS,
    TARGETS,
    TRICKS,
    Strain,
    UcBesSekizRules,
    amnesty,
)

FIRST_CARD: Final = Card("2C")
"""Whoever holds it in hand 1 has role 8 (UB-4)."""
ZEROS: Final = (0,) * SEATS
NOTHING: Final[tuple[tuple[Card, ...], ...]] = ((),) * SEATS


class No(StrEnum):
    """Why the rules refuse, in the order of UB-23."""

    MUST_FOLLOW = Duty.MUST_FOLLOW
    MUST_BEAT = Duty.MUST_BEAT
    MUST_TRUMP = Duty.MUST_TRUMP
    MUST_OVERTRUMP = Duty.MUST_OVERTRUMP
    NO_REDEAL = "no_redeal"


class Give(Action, frozen=True):
    """Give a card to who owes one (UB-18)."""

    card: Card


class Decline(Action, frozen=True):
    """Want none of the steps that are left (UB-19)."""


class Trump(Action, frozen=True):
    """Choose the trump, or none."""

    suit: Strain


class Pass(Action, frozen=True):
    """Have the cards dealt anew (UB-7)."""


class Bury(Action, frozen=True):
    """Lay four cards away and take the kitty (UB-8)."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        """Raises ValueError where it is not four different cards (UB-23)."""
        if len(self.cards) != DIP or len(set(self.cards)) != DIP:
            raise ValueError(f"{DIP} different cards are buried")


class Exchanged(Event, frozen=True):
    """A seat gave a card to another, who returned one; which ones, only those two know."""

    seat: Seat
    other: Seat


class Declined(Event, frozen=True):
    """A seat wanted no more steps."""

    seat: Seat


class RedealAsked(Event, frozen=True):
    """Role 8 passed."""

    seat: Seat


class NoTrump(Event, frozen=True):
    """Role 8 chose no trump."""

    seat: Seat


class Buried(Event, frozen=True):
    """Role 8 buried four cards and took the kitty."""

    seat: Seat


class UcBesSekizView(View, frozen=True, kw_only=True):
    """What one seat may know of a match of 3-5-8."""

    rules: UcBesSekizRules
    seats: int
    cards: tuple[Card, ...]
    """The own hand; empty for a spectator."""
    legal: tuple[Card, ...]
    """The own cards that may be played now."""
    held: tuple[int, ...]
    """Cards in hand per seat."""
    roles: tuple[int, ...]
    """Target per seat; empty before the first deal."""
    amnesty: bool
    """Whether this hand has no exchange (UB-20)."""
    owed: tuple[Claim, ...]
    """All steps of this hand's exchange."""
    claims: tuple[Claim, ...]
    """Of these, what is left."""
    exchanges: int
    """Steps that are left to the taker on turn."""
    swaps: tuple[Swap, ...]
    """The steps that were made since the deal; their cards are there for the two seats alone."""
    redeals: int
    """Passes in this hand."""
    may_pass: bool
    """Whether another is allowed (UB-7)."""
    trump: Strain | None
    dip: int
    """Cards that lie face down in the kitty."""
    buried: tuple[Card, ...]
    """What role 8 buried, for role 8 alone, also after the hand."""
    kitty: tuple[Card, ...]
    """What role 8 took up, in the same way."""
    trick: Trick
    tricks: tuple[Trick, ...]
    """The finished tricks of this hand, the oldest first; a position from a setup has ``taken`` without them."""
    won: tuple[Seat, ...]
    """Who took each of them."""
    taken: tuple[int, ...]
    """Tricks per seat."""
    history: tuple[tuple[int, ...], ...]
    """Differences of each finished hand; zeros where it ended by UB-22."""
    past_roles: tuple[tuple[int, ...], ...]
    past_taken: tuple[tuple[int, ...], ...]
    next_roles: tuple[int, ...] | None
    """In the pause between hands: the targets of the next one, ..."""
    next_claims: tuple[Claim, ...]
    """... its exchange, ..."""
    next_amnesty: bool
    """... and whether it has none by UB-20."""

    @property
    def ahead(self) -> Seat | None:
        """Whose card is the best of the open trick."""
        return best(self.trick, self.trump_suit)[0] if self.trick else None

    @property
    def trump_suit(self) -> Suit | None:
        """The suit that is trump, where one is."""
        return None if self.trump is None else self.trump.suit


class UcBesSekiz(State, frozen=True, kw_only=True):
    """One whole match of 3-5-8."""

    rules: UcBesSekizRules
    hand: int
    roles: tuple[int, ...]
    step: Step | None
    """None between hands and at the end; after a pass it stays ``trump`` until the house has dealt."""
    mover: Seat | None
    """The seat to act; None where the house is, and at the end."""
    hands: tuple[tuple[Card, ...], ...]
    dip: tuple[Card, ...]
    kitty: tuple[Card, ...]
    """What role 8 took up; empty in a world imagined by who can't know it."""
    buried: tuple[Card, ...]
    owed: tuple[Claim, ...]
    claims: tuple[Claim, ...]
    swaps: tuple[Swap, ...]
    """In an imagined world without the cards that the viewer can't know."""
    redeals: int
    trump: Strain | None
    trick: Trick
    tricks: tuple[Trick, ...]
    won: tuple[Seat, ...]
    taken: tuple[int, ...]
    base: tuple[int, ...]
    """Totals that a set-up position began with."""
    history: tuple[tuple[int, ...], ...]
    past_roles: tuple[tuple[int, ...], ...]
    past_taken: tuple[tuple[int, ...], ...]

    @classmethod
    def start(cls, rules: UcBesSekizRules, seats: int, setup: UcBesSekizSetup | None = None) -> Self:
        """A match before its first deal, or in the position of ``setup``. Raises BadSetup."""
        fresh = cls(
            rules=rules,
            hand=0,
            roles=(),
            step=None,
            mover=None,
            hands=NOTHING,
            dip=(),
            kitty=(),
            buried=(),
            owed=(),
            claims=(),
            swaps=(),
            redeals=0,
            trump=None,
            trick=(),
            tricks=(),
            won=(),
            taken=ZEROS,
            base=ZEROS,
            history=(),
            past_roles=(),
            past_taken=(),
        )
        return fresh if setup is None else replace(fresh, **placed(setup, rules))

    @property
    def phase(self) -> str:
        """``exchange``, ``trump``, ``bury``, ``play``, ``hand_over`` or ``over`` (UB-6)."""
        return self.step or ("over" if self._winners else "hand_over")

    @property
    def turn(self) -> Seat | None:
        """The seat to act, HOUSE between hands and after a pass, None at the end."""
        return self.mover if self.mover is not None else None if self._winners else HOUSE

    @property
    def result(self) -> Result | None:
        """The winners come first, the others by their totals."""
        if self.turn is not None:
            return None
        ranks = [(seat in self._winners, total) for seat, total in enumerate(self._totals)]
        return Result(self._totals, tuple(1 + sum(other > rank for other in ranks) for rank in ranks))

    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        """The deck."""
        deck = list(DECK)
        rng.shuffle(deck)
        return (Deal(tuple(deck)),)

    def moves(self, seat: Seat) -> Sequence[Action]:
        """All legal actions; of the 1820 ways to bury, those of four neighbours in the hand."""
        if seat != self.mover:
            return ()
        hand = self.hands[seat]
        match self.step:
            case "exchange":
                return (*map(Give, hand), Decline())
            case "trump":
                return (*map(Trump, Strain), *((Pass(),) if self._may_pass else ()))
            case "bury":
                return tuple(Bury(hand[place : place + DIP]) for place in range(len(hand) - DIP + 1))
        return tuple(map(Play, self._legal(seat)))

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The match after ``action``. Raises IllegalAction (UB-23)."""
        if seat != self.turn:
            raise IllegalAction(Common.NOT_YOUR_TURN, turn=self.mover)
        match None if seat == HOUSE else self.step, action:
            case None, Deal(deck):
                return self._dealt(deck), ()
            case "exchange", Give(card):
                return self._give(seat, card)
            case "exchange", Decline():
                return self._exchange_on(exchange.declined(self.claims)), (Declined(seat),)
            case "trump", Trump(strain):
                return self._choose(seat, strain)
            case "trump", Pass():
                return self._pass(seat)
            case "bury", Bury(cards):
                return self._bury(seat, cards)
            case "play", Play(card):
                return self._put(seat, card)
        raise IllegalAction(Common.WRONG_PHASE, phase=self.phase)

    def view(self, seat: Seat | None) -> UcBesSekizView:
        """What ``seat`` may know; None is a spectator."""
        buried_it = seat is not None and bool(self.roles) and seat == self._eight
        pause = self.phase == "hand_over" and self.hand > 0
        return UcBesSekizView(
            seat=seat,
            turn=self.mover,
            phase=self.phase,
            hand=self.hand,
            scores=self.history[-1] if self.history else None,
            totals=self._totals,
            over=self.phase == "over",
            winners=self._winners,
            reason=self._reason,
            rules=self.rules,
            seats=SEATS,
            cards=() if seat is None else self.hands[seat],
            legal=() if seat is None else self._legal(seat),
            held=tuple(map(len, self.hands)),
            roles=self.roles,
            amnesty=amnesty(self.hand),
            owed=self.owed,
            claims=self.claims,
            exchanges=sum(claim.cards for claim in self.claims if claim.taker == self.mover),
            swaps=tuple(_seen(swap, seat) for swap in self.swaps),
            redeals=self.redeals,
            may_pass=self._may_pass,
            trump=self.trump,
            dip=len(self.dip),
            buried=self.buried if buried_it else (),
            kitty=self.kitty if buried_it else (),
            trick=self.trick,
            tricks=self.tricks,
            won=self.won,
            taken=self.taken,
            history=self.history,
            past_roles=self.past_roles,
            past_taken=self.past_taken,
            next_roles=self._next_roles if pause else None,
            next_claims=self._next_owed if pause else (),
            next_amnesty=pause and amnesty(self.hand + 1),
        )

    @classmethod
    def imagine(cls, view: UcBesSekizView, rng: Random) -> Self:
        """A match that looks like ``view``: other hands, the kitty and buried cards are dealt anew.

        A card that the viewer knows to lie in another hand, by his own exchange, stays there.
        """
        tricks = (*view.tricks, view.trick)
        seen = {*view.cards, *view.buried, *(card for trick in tricks for _, card in trick)}
        was_buried = view.hand > 0 and view.phase in ("play", "hand_over", "over")
        sure = [cards - seen for cards in exchange.whereabouts(view.swaps, view.seat, view.seats)]
        if was_buried:
            sure[view.roles.index(TARGETS[0])].clear()
        unknown = [card for card in DECK if card not in seen.union(*sure)]
        rng.shuffle(unknown)

        def some(count: int) -> tuple[Card, ...]:
            taken = tuple(unknown[:count])
            del unknown[:count]
            return taken

        hands = tuple(
            view.cards if seat == view.seat else canonical({*sure[seat], *some(held - len(sure[seat]))})
            for seat, held in enumerate(view.held)
        )
        return cls(
            rules=view.rules,
            hand=view.hand,
            roles=view.roles,
            step=_STEPS.get(view.phase),
            mover=view.turn,
            hands=hands,
            dip=some(view.dip),
            kitty=view.kitty,
            buried=view.buried or canonical(set(some(DIP if was_buried else 0))),
            owed=view.owed,
            claims=view.claims,
            swaps=view.swaps,
            redeals=view.redeals,
            trump=view.trump,
            trick=view.trick,
            tricks=view.tricks,
            won=view.won,
            taken=view.taken,
            base=tuple(total - sum(scores) for total, *scores in zip(view.totals, *view.history, strict=True)),
            history=view.history,
            past_roles=view.past_roles,
            past_taken=view.past_taken,
        )

    def idle(self, seat: Seat) -> Action:
        """Decline; the longest suit; bury the lowest, trumps last; the lowest legal card (AB-8)."""
        hand = self.hands[seat]
        match self.step:
            case "exchange":
                return Decline()
            case "trump":
                return Trump(Strain(max(Suit, key=lambda suit: sum(card.suit == suit for card in hand))))
            case "bury":
                trump = self._trump_suit
                return Bury(tuple(sorted(hand, key=lambda card: (card.suit == trump, _height(card)))[:DIP]))
        return Play(min(self._legal(seat), key=_height))

    # --- the rules ---

    def _dealt(self, deck: tuple[Card, ...]) -> Self:
        """A new hand, or the same one anew after a pass (UB-5, UB-7)."""
        hands = tuple(canonical(frozenset(deck[seat * TRICKS : (seat + 1) * TRICKS])) for seat in range(SEATS))
        cleared = replace(
            self,
            hands=hands,
            dip=deck[SEATS * TRICKS :],
            kitty=(),
            buried=(),
            trump=None,
            tricks=(),
            won=(),
            taken=ZEROS,
        )
        if self.step is None:
            owed = self._next_owed
            cleared = replace(
                cleared, hand=self.hand + 1, roles=self._next_roles or _first_roles(hands), owed=owed, redeals=0
            )
        return replace(cleared, swaps=())._exchange_on(cleared.owed)

    def _exchange_on(self, claims: tuple[Claim, ...]) -> Self:
        """The next taker, or role 8 chooses the trump where nobody is owed anything (UB-17)."""
        if claims:
            return replace(self, claims=claims, step="exchange", mover=claims[0].taker)
        return replace(self, claims=(), step="trump", mover=self._eight)

    def _give(self, seat: Seat, card: Card) -> tuple[Self, tuple[Event, ...]]:
        self._held(seat, card)
        source = self.claims[0].source
        back = exchange.returned(card, self.hands[source])
        after = self
        if back != card:
            after = self._with_hand(seat, {back, *self.hands[seat]} - {card})
            after = after._with_hand(source, {card, *self.hands[source]} - {back})
        after = replace(after, swaps=(*self.swaps, Swap(seat, source, card, back)))
        return after._exchange_on(exchange.stepped(self.claims)), (Exchanged(seat, source),)

    def _choose(self, seat: Seat, strain: Strain) -> tuple[Self, tuple[Event, ...]]:
        said = NoTrump(seat) if strain.suit is None else TrumpChosen(seat, strain.suit)
        return replace(self, trump=strain, step="bury"), (said,)

    def _pass(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        if not self._may_pass:
            raise IllegalAction(No.NO_REDEAL)
        after = replace(self, mover=None, hands=NOTHING, dip=(), swaps=(), redeals=self.redeals + 1)
        return after, (RedealAsked(seat),)

    def _bury(self, seat: Seat, cards: tuple[Card, ...]) -> tuple[Self, tuple[Event, ...]]:
        for card in cards:
            self._held(seat, card)
        after = self._with_hand(seat, {*self.hands[seat], *self.dip} - {*cards})
        buried = canonical(frozenset(cards))
        return replace(after, buried=buried, kitty=canonical(frozenset(self.dip)), dip=(), step="play"), (Buried(seat),)

    def _put(self, seat: Seat, card: Card) -> tuple[Self, tuple[Event, ...]]:
        self._held(seat, card)
        check(card, self.hands[seat], self.trick, self._trump_suit)
        after = self._with_hand(seat, {*self.hands[seat]} - {card})
        after = replace(after, trick=(*self.trick, (seat, card)), mover=(seat + 1) % SEATS)
        after, taking = after._take() if len(after.trick) == SEATS else (after, ())
        return after, (CardPlayed(seat, card), *taking)

    def _take(self) -> tuple[Self, tuple[Event, ...]]:
        """The trick goes to who played the best card (UB-15)."""
        winner, _ = best(self.trick, self._trump_suit)
        taken = tuple(count + (seat == winner) for seat, count in enumerate(self.taken))
        after = replace(
            self, trick=(), tricks=(*self.tricks, self.trick), won=(*self.won, winner), taken=taken, mover=winner
        )
        after, closing = after._end() if max(taken) == ALL_BUT_TWO or sum(taken) == TRICKS else (after, ())
        return after, (TrickWon(winner), *closing)

    def _end(self) -> tuple[Self, tuple[Event, ...]]:
        """The hand is over: tricks less targets, but nothing where somebody has 14 (UB-16, UB-22)."""
        scores = tuple(taken - target for taken, target in zip(self.taken, self.roles, strict=True))
        after = replace(
            self,
            step=None,
            mover=None,
            history=(*self.history, ZEROS if max(self.taken) == ALL_BUT_TWO else scores),
            past_roles=(*self.past_roles, self.roles),
            past_taken=(*self.past_taken, self.taken),
        )
        assert after._reason is not None
        return after, (HandEnded(after.history[-1], after._reason),)

    def _held(self, seat: Seat, card: Card) -> None:
        if card not in self.hands[seat]:
            raise IllegalAction(Common.NOT_HELD, card=card)

    def _legal(self, seat: Seat) -> tuple[Card, ...]:
        if self.step != "play" or seat != self.mover:
            return ()
        return playable(self.hands[seat], self.trick, self._trump_suit)

    # --- what follows from the fields ---

    def _with_hand(self, seat: Seat, cards: set[Card]) -> Self:
        return replace(self, hands=(*self.hands[:seat], canonical(cards), *self.hands[seat + 1 :]))

    @property
    def _eight(self) -> Seat:
        """The seat that must take eight tricks, chooses and buries."""
        return self.roles.index(TARGETS[0])

    @property
    def _trump_suit(self) -> Suit | None:
        return None if self.trump is None else self.trump.suit

    @property
    def _may_pass(self) -> bool:
        return self.rules.max_redeals is None or self.redeals < self.rules.max_redeals

    @property
    def _next_roles(self) -> tuple[int, ...]:
        return tuple(NEXT_TARGET[target] for target in self.roles)

    @property
    def _next_owed(self) -> tuple[Claim, ...]:
        """What the finished hand leaves for the next (UB-17, UB-20)."""
        if amnesty(self.hand + 1):
            return ()
        return exchange.owed(self.history[-1], self._next_roles)

    @property
    def _totals(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(self.base, *self.history, strict=True)))

    @property
    def _reason(self) -> str | None:
        """Why the last finished hand ended."""
        if not self.past_taken:
            return None
        return "fourteen" if max(self.past_taken[-1]) == ALL_BUT_TWO else "played_out"

    @property
    def _winners(self) -> tuple[Seat, ...]:
        """Who has won the match, if it is over (UB-21, UB-22)."""
        if self.step is not None or not self.history:
            return ()
        if self._reason == "fourteen":
            return (self.taken.index(ALL_BUT_TWO),)
        totals = self._totals
        return tuple(s for s in range(SEATS) if totals[s] == max(totals)) if self.hand == self.rules.hands else ()


_STEPS: Final[dict[str, Step]] = {"exchange": "exchange", "trump": "trump", "bury": "bury", "play": "play"}


def _first_roles(hands: tuple[tuple[Card, ...], ...]) -> tuple[int, ...]:
    """Role 8 for who holds 2C, for seat 0 where it lies in the kitty (UB-4)."""
    eight = next((seat for seat, hand in enumerate(hands) if FIRST_CARD in hand), 0)
    return tuple(TARGETS[(seat - eight) % SEATS] for seat in range(SEATS))


def _seen(swap: Swap, viewer: Seat | None) -> Swap:
    return swap if viewer in (swap.taker, swap.source) else replace(swap, given=None, returned=None)


def _height(card: Card) -> tuple[int, int]:
    """Its place among the cards of a hand, the lowest first; ties S, H, D, C (AB-8)."""
    return card.rank, DECK.index(card)
