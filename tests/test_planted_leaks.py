"""Games that break a promise on purpose: the check of that promise must notice (RL-34, planted leaks)."""

from collections.abc import Callable
from random import Random
from typing import Any, Self

import pytest
from msgspec.structs import replace

from mokali.engine.cardplay import CardPlayed, Play
from mokali.engine.cards import Card
from mokali.engine.protocol import Action, Common, Event, IllegalAction, Seat, State
from mokali.games import pisti
from mokali.games.pisti.state import Deal, Pisti, PistiView, RoundDealt
from tests import contract
from tests.matches import Match, Step

Check = Callable[[Step, Random], object]


class TellingView(PistiView, frozen=True, kw_only=True):
    """A view with a field too many."""

    told: tuple[Card, ...] = ()


def telling(view: PistiView, told: tuple[Card, ...]) -> TellingView:
    return TellingView(**{field: getattr(view, field) for field in PistiView.__struct_fields__}, told=told)


class NeighboursHand(Pisti, frozen=True, kw_only=True):
    """Every view also holds the hand of the seat to the right."""

    def view(self, seat: Seat | None) -> TellingView:
        return telling(super().view(seat), self.hands[((seat or 0) + 1) % self.seats])


class PartnersHand(Pisti, frozen=True, kw_only=True):
    """Partners see each other's cards (PI-11 says no)."""

    def view(self, seat: Seat | None) -> TellingView:
        return telling(super().view(seat), () if seat is None else self.hands[(seat + 2) % self.seats])


class HandsForWatchers(Pisti, frozen=True, kw_only=True):
    """A spectator sees the hand of the seat to act."""

    def view(self, seat: Seat | None) -> TellingView:
        return telling(super().view(seat), self.hands[self.mover or 0] if seat is None else ())


class LegalForAll(Pisti, frozen=True, kw_only=True):
    """The cards that the seat to act may play stand in everybody's view."""

    def view(self, seat: Seat | None) -> PistiView:
        view = super().view(seat)
        return view if self.mover is None else replace(view, legal=self.hands[self.mover])


class Stock(Pisti, frozen=True, kw_only=True):
    """Every view holds the cards that are dealt next."""

    def view(self, seat: Seat | None) -> TellingView:
        return telling(super().view(seat), self.stock)


class HiddenCards(Pisti, frozen=True, kw_only=True):
    """The three start cards are shown to all as soon as they are taken (PI-8 says no)."""

    def view(self, seat: Seat | None) -> PistiView:
        view = super().view(seat)
        return view if self.hidden_taker is None else replace(view, hidden_cards=self.hidden)


class NextCards(RoundDealt, frozen=True, tag="round_dealt"):
    """An event that carries what lies next in the stock."""

    cards: tuple[Card, ...] = ()


class StockInEvent(Pisti, frozen=True, kw_only=True):
    """Says with a new round what everybody was dealt."""

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        after, events = super().play(seat, action)
        dealt = tuple(card for hand in after.hands for card in hand)
        return after, tuple(NextCards(e.stock, dealt) if isinstance(e, RoundDealt) else e for e in events)


class WholeHand(CardPlayed, frozen=True, tag="card_played"):
    """An event that carries the rest of the mover's hand."""

    rest: tuple[Card, ...] = ()


class HandInEvent(Pisti, frozen=True, kw_only=True):
    """Says with a card what is left in that hand."""

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        after, events = super().play(seat, action)
        rest = tuple(card for card in self.hands[seat] if isinstance(action, Play) and card != action.card)
        return after, tuple(
            WholeHand(e.seat, e.card, rest) if isinstance(e, CardPlayed) and len(rest) > 1 else e for e in events
        )


class ShufflesNothing(Pisti, frozen=True, kw_only=True):
    """Imagines always the same world."""

    @classmethod
    def imagine(cls, view: Any, rng: Random) -> Self:
        return super().imagine(view, Random(0))


class ForgetsPistis(Pisti, frozen=True, kw_only=True):
    """Imagines worlds that look different."""

    @classmethod
    def imagine(cls, view: Any, rng: Random) -> Self:
        return replace(super().imagine(view, rng), last_capturer=None, last=None)


class PeepingIdle(Pisti, frozen=True, kw_only=True):
    """The clock looks at the stock before it plays."""

    def idle(self, seat: Seat) -> Play:
        hand = self.hands[seat]
        return Play(hand[(ord(self.stock[0][0]) if self.stock else 0) % len(hand)])


class AnybodyDeals(Pisti, frozen=True, kw_only=True):
    """The seat to act may shuffle."""

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        if isinstance(action, Deal) and seat == self.mover:
            return self, ()
        return super().play(seat, action)


class AnybodyPlays(Pisti, frozen=True, kw_only=True):
    """A card of one's hand may be played out of turn."""

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        return super().play(seat if self.mover is None or isinstance(action, Deal) else self.mover, action)


class MutableState(Pisti, frozen=True, kw_only=True):
    """A refusal leaves a trace."""

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        try:
            return super().play(seat, action)
        except IllegalAction:
            self.trace.append(1)  # a frozen Struct with something in it that is not
            raise

    trace: list[int] = []  # noqa: RUF012 - a Struct copies it


class OffersTooMuch(Pisti, frozen=True, kw_only=True):
    """Offers a card that is in no hand."""

    def moves(self, seat: Seat) -> tuple[Play, ...]:
        return (*super().moves(seat), *((Play(self.stock[0]),) if seat == self.mover and self.stock else ()))


class TalkativeRefusal(Pisti, frozen=True, kw_only=True):
    """Says which seat has the card that somebody tried to play."""

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        try:
            return super().play(seat, action)
        except IllegalAction as refusal:
            if isinstance(action, Play):
                owner = next((n for n, hand in enumerate(self.hands) if action.card in hand), None)
                raise IllegalAction(Common(str(refusal.reason)), owner=owner, **refusal.facts) from refusal
            raise


def moves_ok(step: Step, rng: Random) -> None:
    contract.offered_moves_are_accepted(step.before)


def outsiders(step: Step, rng: Random) -> None:
    contract.outsiders_are_refused(step.before)


def luck(step: Step, rng: Random) -> None:
    contract.forged_luck_is_refused(step.before, step.before.draw_lots(rng))


def idle(step: Step, rng: Random) -> None:
    contract.idle_is_legal(step.before, rng)


def others(step: Step, rng: Random) -> None:
    contract.views_name_nothing_of_others(step.before)


def same(step: Step, rng: Random) -> None:
    contract.imagined_worlds_look_the_same(step.before, rng)


def differ(step: Step, rng: Random) -> None:
    contract.imagined_worlds_differ(step.before, rng)


def public(step: Step, rng: Random) -> None:
    contract.moves_are_public(step.before, step.seat, step.action, rng)


def refusals(step: Step, rng: Random) -> None:
    contract.refusals_are_discreet(step.after, step.before.moves(step.seat), rng)


CHECKS: tuple[Check, ...] = (moves_ok, outsiders, luck, idle, others, same, differ, public, refusals)

PLANTED: tuple[tuple[type[Pisti], Check, str], ...] = (
    (NeighboursHand, others, "is told"),
    (NeighboursHand, same, "looks different"),
    (PartnersHand, others, "is told"),
    (HandsForWatchers, others, "None is told"),
    (LegalForAll, others, "is told"),
    (Stock, same, "looks different"),
    (HiddenCards, public, "a spectator knows something hidden"),
    (StockInEvent, public, "the events of .* tell . something hidden"),
    (HandInEvent, public, "the events of .* tell .* something hidden"),
    (ShufflesNothing, differ, "shuffles nothing"),
    (ForgetsPistis, same, "looks different"),
    (PeepingIdle, idle, "can't see"),
    (AnybodyDeals, luck, "is accepted"),
    (AnybodyPlays, outsiders, "is accepted"),
    (MutableState, outsiders, "left a trace"),
    (OffersTooMuch, moves_ok, "is offered and refused"),
    (TalkativeRefusal, refusals, "tells . something hidden"),
)


def walk(state: type[Pisti], check: Check, seats: int) -> None:
    """The check at every step of one genuine match, whose states are then of this kind."""
    rng, match = Random(1), Match(pisti.GAME, pisti.GAME.rulesets["klasik"], seats, seed=1)
    for step in match.steps(250):
        check(replace(step, before=planted(state, step.before), after=planted(state, step.after)), rng)


def planted(state: type[Pisti], genuine: State) -> Pisti:
    return state(**{field: getattr(genuine, field) for field in Pisti.__struct_fields__})


@pytest.mark.parametrize(("state", "check", "says"), PLANTED, ids=lambda it: getattr(it, "__name__", ""))
def test_a_planted_leak_is_noticed(state: type[Pisti], check: Check, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        walk(state, check, 4)


@pytest.mark.parametrize("check", CHECKS, ids=lambda it: it.__name__)
@pytest.mark.parametrize("seats", [2, 4])
def test_pisti_itself_passes(check: Check, seats: int) -> None:
    walk(Pisti, check, seats)
