"""Pişti's bots: a beginner, one who remembers what was played, and one who tries cards out in worlds that may be."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mokali.engine.cardplay import Play
from mokali.engine.cards import DECK, Card
from mokali.engine.protocol import Action, Level, Mind, Seat
from mokali.engine.trying import preferred, while_time
from mokali.games.pisti import rules as worth
from mokali.games.pisti.state import BLOCK, Pisti, PistiView

WORLDS: Final = 100
"""How many worlds ``zor`` tries every card in, where time allows."""

LIKES: Final = 4
"""Cards of a rank."""
A_CARD: Final = 0.15
"""What a captured card counts for the most cards, before the end of the hand says what it was worth."""
A_JACK: Final = 2.5
"""What a jack in hand is worth keeping for."""
WORTH_A_JACK: Final = 1.6
"""A pile worth this is taken with a jack."""


def kolay(mind: Mind) -> Action:
    """Take where a like card takes, sometimes with a jack; else throw anything but a jack."""
    view = _view(mind)
    takers = [card for card in view.legal if view.top and card.letter == view.top.letter]
    jacks = [card for card in view.legal if card.letter == "J"]
    plain = [card for card in view.legal if card.letter != "J"]
    if not takers and jacks and view.pile > 2 and mind.rng.randrange(2):
        takers = jacks
    return Play(mind.rng.choice(takers or plain or view.legal))


def orta(mind: Mind) -> Action:
    """The rules of thumb, with a good memory."""
    view = _view(mind)
    return Play(thumb(view.legal, _pile(view)))


def zor(mind: Mind) -> Action:
    """The card of the rules of thumb, unless another came out clearly better in worlds that look like this one."""
    view = _view(mind)
    usual = thumb(view.legal, _pile(view))
    return Play(preferred(usual, view.legal, _worlds(mind, view), lambda world, card: _Round(world).after(card)))


BOTS: Final = {"kolay": Level(kolay), "orta": Level(orta), "zor": Level(zor, seconds=0.8)}


def why(mind: Mind, action: Action) -> str:
    """Why ``zor`` would play this, in one Turkish sentence that tells no more than the view does."""
    view = _view(mind)
    assert isinstance(action, Play)
    card, left = action.card, LIKES - _memory(view)[action.card.letter] - _alike(view.cards, action.card)
    if view.top is not None and card.letter == view.top.letter:
        return "Tek kartı eşiyle alırsan pişti olur." if view.pile == 1 else "Eşini atarsan yeri sen toplarsın."
    if view.top is not None and card.letter == "J":
        return f"Yerde {view.pile} kart birikti: vale hepsini toplar."
    if left == 0:
        return "Bu karttan başkasında kalmadı, kimse bununla yeri alamaz."
    if _alike(view.cards, card) > 1:
        return "Bunun eşi sende: rakipte olma olasılığı az, sıra sana gelirse yeri alırsın."
    if _points(card):
        return "Puanlı kart ama şu an en az riskli atış bu."
    return "Rakibin bununla yeri alma olasılığı öteki kartlarından düşük."


# --- rules of thumb ---


class _Pile:
    """What a player with a good memory has before him: the open pile, and what it is worth but for a pişti."""

    __slots__ = ("cards", "count", "next", "seen", "value")

    def __init__(self, cards: list[Card], hidden: int, seen: dict[str, int], following: int) -> None:
        self.cards, self.seen, self.next = cards, seen, following
        self.count = len(cards) + hidden
        self.value = sum(map(_points, cards)) + hidden * _HIDDEN + self.count * A_CARD


_HIDDEN: Final = 0.25
"""The points of a hidden card, on average."""


def thumb(hand: Sequence[Card], pile: _Pile) -> Card:
    """What a good player throws without much thought: take, with a jack only what is worth it, else throw safely."""
    return _like(hand, pile) or _jack(hand, pile) or _safest(hand, pile)


def _like(hand: Sequence[Card], pile: _Pile) -> Card | None:
    """Always take with a like card, with one that has points first; but with a jack only a jack that lies alone."""
    if not pile.cards:
        return None
    letter = pile.cards[-1].letter
    if letter == "J" and pile.count > 1:
        return None
    return max((card for card in hand if card.letter == letter), key=_points, default=None)


def _jack(hand: Sequence[Card], pile: _Pile) -> Card | None:
    """A jack takes points or many cards; it is too good for one or two that are worth nothing."""
    if not pile.cards or pile.value < WORTH_A_JACK:
        return None
    return next((card for card in hand if card.letter == "J"), None)


def _safest(hand: Sequence[Card], pile: _Pile) -> Card:
    """Throw what the next player can take least, and what is worth least; never a lone card whose likes are all out."""
    unseen = max(1, len(DECK) - sum(pile.seen.values()) - len(hand))
    prize = pile.value + A_CARD + (0 if pile.cards else worth.PISTI_POINTS)
    held = [card.letter for card in hand]

    def risk(card: Card) -> float:
        """About how many points throwing it costs."""
        alike, points = held.count(card.letter), _points(card)
        likes = LIKES - pile.seen.get(card.letter, 0) - alike
        taken = 1 - max(0.0, 1 - likes / unseen) ** pile.next
        return taken * (prize + points) + (A_JACK if card.letter == "J" else points * 0.5) - 0.3 * (alike > 1)

    return min(hand, key=risk)


# --- worlds ---


def _worlds(mind: Mind, view: PistiView) -> Iterator[Pisti]:
    """Worlds that look like this view, in which nobody left a pile that he could take; one where all is known."""
    known = view.seats == 2 and not view.stock and not view.hidden
    known = known and (view.hidden_taker is None or bool(view.hidden_cards))
    lacks, found = _lacks(view), 0
    for tried in while_time(mind.left, 1 if known else 2 * WORLDS):
        if found == WORLDS:
            return
        world = mind.imagine()
        assert isinstance(world, Pisti)
        if known or not tried or _fits(world, lacks):
            found += 1
            yield world


def _lacks(view: PistiView) -> tuple[tuple[Seat, str], ...]:
    """Who holds none of which rank: in this round he played on it without taking."""
    assert view.seat is not None
    plays = range(1, min(len(view.seen_pile), 1 + sum(BLOCK - held for held in view.held)))
    return tuple(((view.seat - back) % view.seats, view.seen_pile[-1 - back].letter) for back in plays)


def _fits(world: Pisti, lacks: Sequence[tuple[Seat, str]]) -> bool:
    return not any(card.letter == letter for seat, letter in lacks for card in world.hands[seat] if seat != world.mover)


class _Round:
    """The rest of a round in one world, in a form that is quick to play; all in points for the seat to act."""

    __slots__ = ("captured", "hands", "hidden", "last", "mover", "pile", "points", "seats", "seen", "side", "stock")

    def __init__(self, world: Pisti) -> None:
        assert world.mover is not None
        self.seats, self.mover, self.side = world.seats, world.mover, world.mover % 2
        self.hands = [list(hand) for hand in world.hands]
        self.pile, self.stock = list(world.pile), len(world.stock)
        self.hidden = list(world.hidden) if world.hidden_taker is None else []
        self.seen = _letters(world.pile)
        for cards in world.captured:
            self.seen.update(_letters(cards))
        sizes = [len(world.captured[side]) + _took(world, side) * len(world.hidden) for side in (0, 1)]
        self.captured, self.points, self.last = sizes[self.side] - sizes[1 - self.side], 0.0, world.last_capturer

    def after(self, card: Card) -> float:
        """What comes of this card: searched to the end where two play the last round, else by rules of thumb."""
        if self.seats == 2 and not self.stock:
            self._put(card)
            return self._searched(-1000.0, 1000.0)
        self._put(card)
        while self.hands[self.mover]:
            self._put(thumb(self.hands[self.mover], _Pile(self.pile, len(self.hidden), self.seen, self._next_held)))
        return self._outcome()

    @property
    def _next_held(self) -> int:
        return len(self.hands[(self.mover + 1) % self.seats])

    def _put(self, card: Card) -> None:
        seat = self.mover
        self.hands[seat].remove(card)
        self.seen[card.letter] += 1
        self.mover = (seat + 1) % self.seats
        if self.pile and card.letter in (self.pile[-1].letter, "J"):
            if len(self.pile) + len(self.hidden) == 1 and card.letter == self.pile[0].letter:
                made = worth.JACK_PISTI_POINTS if card.letter == "J" else worth.PISTI_POINTS
                self.points += made if seat % 2 == self.side else -made
            self.pile.append(card)
            self._give(seat)
        else:
            self.pile.append(card)

    def _give(self, seat: Seat) -> None:
        """The pile goes to a seat."""
        sign = 1 if seat % 2 == self.side else -1
        self.points += sign * (sum(map(_points, self.pile)) + sum(map(_points, self.hidden)))
        self.captured += sign * (len(self.pile) + len(self.hidden))
        self.pile, self.hidden, self.last = [], [], seat

    def _outcome(self) -> float:
        """The points so far, and what the captured cards are worth for the most cards."""
        if self.stock:
            return self.points + self.captured * A_CARD
        if self.last is not None and self.pile:
            self._give(self.last)
        most = worth.MOST_CARDS_POINTS
        return self.points + (most if self.captured > 0 else -most if self.captured < 0 else 0)

    def _searched(self, low: float, high: float) -> float:
        """The outcome where both know all cards and play them best, within these bounds."""
        if not self.hands[self.mover]:
            return self._twin()._outcome()
        mine = self.mover % 2 == self.side
        for card in self.hands[self.mover]:
            twin = self._twin()
            twin._put(card)
            value = twin._searched(low, high)
            low, high = (max(low, value), high) if mine else (low, min(high, value))
            if low >= high:
                break
        return low if mine else high

    def _twin(self) -> "_Round":
        twin = _Round.__new__(_Round)
        for name in _Round.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands, twin.pile = [list(hand) for hand in self.hands], list(self.pile)
        return twin


# --- what cards are ---


def _view(mind: Mind) -> PistiView:
    assert isinstance(mind.view, PistiView)
    return mind.view


def _pile(view: PistiView) -> _Pile:
    assert view.seat is not None
    return _Pile(list(view.seen_pile), view.hidden, _memory(view), view.held[(view.seat + 1) % view.seats])


def _memory(view: PistiView) -> Counter[str]:
    """How many of each rank the viewer has seen outside its own hand."""
    seen = _letters((*view.seen_pile, *view.hidden_cards))
    for cards in view.seen_captured:
        seen.update(_letters(cards))
    return seen


def _letters(cards: Sequence[Card]) -> Counter[str]:
    return Counter(card.letter for card in cards)


def _alike(hand: Sequence[Card], card: Card) -> int:
    """How many of its rank are in this hand, itself too."""
    return sum(other.letter == card.letter for other in hand)


def _points(card: Card) -> int:
    """What a captured card counts (PI-9)."""
    return _POINTS.get(card, 0)


def _took(world: Pisti, side: int) -> bool:
    """Whether this side took the hidden cards."""
    return world.hidden_taker is not None and world.hidden_taker % 2 == side


_POINTS: Final = {
    **{Card("A" + suit): worth.ACE_POINTS for suit in "SHDC"},
    **{Card("J" + suit): worth.JACK_POINTS for suit in "SHDC"},
    Card("2C"): worth.CLUB_TWO_POINTS,
    Card("TD"): worth.DIAMOND_TEN_POINTS,
}
