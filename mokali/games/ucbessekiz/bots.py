"""3-5-8's bots: a beginner, one who counts tricks and cards, and one who plays hands out in worlds that may be."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from mokali.engine.cardplay import Play
from mokali.engine.playout import (
    ALL,
    NO_SUIT,
    RANKS,
    SUITS,
    Cards,
    Playing,
    Reason,
    Worth,
    above,
    barred,
    bit_of,
    bits,
    card_of,
    counted,
    deal,
    distinct,
    each,
    longest,
    reason,
    suit_of,
)
from mokali.engine.protocol import Action, Level, Mind, Seat
from mokali.engine.trying import preferred, while_time
from mokali.games.ucbessekiz.exchange import whereabouts
from mokali.games.ucbessekiz.rules import ALL_BUT_TWO, DIP, SEATS, TARGETS, Strain
from mokali.games.ucbessekiz.state import Bury, Decline, Give, Pass, Trump, UcBesSekizView

WORLDS: Final = 40
"""How many worlds ``zor`` plays out, where time allows."""

HAND: Final = Worth(-1.2, 0.73, (1.19, 0.99, 0.71, 0.4), (0.92, 0.89, 0.65), (1.99, 1.14, 0.52))
"""Fitted to hands that were played out by rules of thumb; what it says is off by 1.0 tricks."""
NO_TRUMP: Final = Worth(0.5, 0.0, (0.0, 0.0, 0.0, 0.0), (0.96, 1.16, 0.96), (0.0, 0.0, 0.0))
"""The same without trump."""
KITTY: Final = 1.4
"""Tricks that burying and the kitty bring."""
NEW_DEAL: Final = (9.1, 8.8, 8.2)
"""Tricks that another deal promises who passes for the first, second, third time; nobody is kept waiting longer."""
TRUMPS: Final = 4
"""Who chooses a trump mostly has so many."""
_TRIES: Final = 3


def kolay(mind: Mind) -> Action:
    """Give and bury the lowest, choose the longest suit; then win with the highest or lose with the lowest."""
    view = _view(mind)
    match view.phase:
        case "exchange":
            return Give(min(view.cards, key=lambda card: card.rank))
        case "trump":
            return Trump(_strain(longest(bits(view.cards))))
        case "bury":
            suit = view.trump_suit
            return Bury(tuple(sorted(view.cards, key=lambda card: (card.suit == suit, card.rank))[:DIP]))
    high, low = (pick(view.legal, key=lambda card: card.rank) for pick in (max, min))
    if not view.trick:
        suit = mind.rng.choice(sorted({card.suit for card in view.legal}))
        return Play(max((card for card in view.legal if card.suit == suit), key=lambda card: card.rank))
    return Play(high if _playing(view, _unknowing(view)).takes(bit_of(high)) else low)


def orta(mind: Mind) -> Action:
    """Exchange for what is highest, choose what counts most or pass, bury to be void, play by rules of thumb."""
    view = _view(mind)
    hand = bits(view.cards)
    match view.phase:
        case "exchange":
            return Give(card_of(max(_lows(hand), key=lambda bit: _brings(hand, bit))))
        case "trump":
            return _chosen(view, hand)
        case "bury":
            return _burying(_laid_away(hand, suit_of(view.trump_suit)))
    return Play(card_of(_playing(view, _unknowing(view)).thumb()))


def zor(mind: Mind) -> Action:
    """As ``orta``, unless another action comes out better where hands are played out."""
    view = _view(mind)
    if len(mind.moves) == 1:
        return mind.moves[0]
    return preferred(
        orta(mind), _others(mind, view), _worlds(mind, view), lambda world, action: _outcome(view, world, action)
    )


BOTS: Final = {"kolay": Level(kolay), "orta": Level(orta), "zor": Level(zor, seconds=0.8)}


def why(mind: Mind, action: Action) -> str:
    """Why ``zor`` would do this, in one Turkish sentence that tells no more than the view does."""
    view = _view(mind)
    hand = bits(view.cards)
    match action:
        case Give():
            return "Bu renkte küçüğünü verirsen karşılığında onun en büyüğünü alırsın."
        case Decline():
            return "Elindeki dağılım iyi: yeni bir değişim onu bozabilir."
        case Trump(Strain.NONE):
            return "Büyüklerin her renge dağılmış: kozsuzda çakılmazlar."
        case Trump(strain):
            held = (hand & SUITS[suit_of(strain.suit)]).bit_count()
            return f"Bu renkten {held} kartın var: koz olunca en çok eli o getirir."
        case Pass():
            return "Bu elle sekiz el zor: yeni dağıtılan kartlar daha iyi olabilir."
        case Bury():
            return "Küçükleri gömüp bir renkten boşalırsan o renge koz çakarsın."
        case Play(card):
            return _WHY[reason(_playing(view, _unknowing(view)), bit_of(card))]
    raise AssertionError(action)


_WHY: Final = {
    Reason.DRAWS: "Kozları çekersen yan renklerdeki büyüklerin çakılmaz.",
    Reason.HIGHEST: "Bu renkte senden büyüğü kalmadı.",
    Reason.LEADS_LOW: "Küçük aç, büyüklerini sonraya sakla.",
    Reason.LOSES: "Bu el alınmıyor: büyüklerini sonraya sakla.",
    Reason.TAKES: "Eli bununla alırsın.",
    Reason.CHEAPEST: "Öndeki kartı en ucuz böyle geçersin.",
    Reason.TRIED: "Olası dağılımların çoğunda bu kart sana daha çok el getiriyor.",
}


# --- before the play ---


def _lows(hand: Cards) -> list[int]:
    """The lowest card of each suit."""
    return [(own & -own).bit_length() - 1 for suit in SUITS if (own := hand & suit)]


def _brings(hand: Cards, bit: int) -> float:
    """By how many ranks the card that comes back is higher, where of nine cards the other seat has four."""
    gain, chance = 0.0, 1.0
    for higher in sorted(each(above(bit) & ~hand), reverse=True):
        gain += chance * 4 / 9 * (higher - bit)
        chance *= 5 / 9
    return gain


def _counts(hand: Cards, trump: int) -> float:
    return counted(hand, trump, NO_TRUMP if trump == NO_SUIT else HAND)


def _best_trump(hand: Cards) -> int:
    """The trump, or none, with which this hand counts most."""
    trumps: list[int] = [*range(len(SUITS)), NO_SUIT]
    return max(trumps, key=lambda trump: _counts(hand, trump))


def _chosen(view: UcBesSekizView, hand: Cards) -> Action:
    """The trump with which the hand counts most; pass where another deal promises more."""
    trump = _best_trump(hand)
    if view.may_pass and _counts(hand, trump) + KITTY < _new_deal(view):
        return Pass()
    return Trump(_strain(trump))


def _new_deal(view: UcBesSekizView) -> float:
    """Tricks that another deal promises; nothing after a few."""
    return NEW_DEAL[view.redeals] if view.redeals < len(NEW_DEAL) else 0.0


def _laid_away(hand: Cards, trump: int) -> Cards:
    """The four cards to bury: one after the other the one without which the hand counts most, of equals the lowest."""
    left = hand
    for _ in range(DIP):
        ways = [(_counts(left ^ 1 << bit, trump), -(bit % RANKS), bit) for bit in _lows(left)]
        left ^= 1 << max(ways)[2]
    return hand ^ left


def _burying(cards: Cards) -> Bury:
    return Bury(tuple(map(card_of, each(cards))))


def _strain(trump: int) -> Strain:
    return _STRAINS[trump]  # NO_SUIT is the last


_STRAINS: Final = tuple(Strain)


# --- playing out ---


def _others(mind: Mind, view: UcBesSekizView) -> Iterable[Action]:
    """What is tried beside the usual action."""
    hand = bits(view.cards)
    match view.phase:
        case "exchange":
            return (*(Give(card_of(bit)) for bit in _lows(hand)), Decline())
        case "bury":
            return map(_burying, _ways_to_bury(hand, suit_of(view.trump_suit)))
        case "trump" if _new_deal(view) == 0:
            return tuple(move for move in mind.moves if not isinstance(move, Pass))
        case "play":
            others = _unseen(view) | bits(card for _, card in view.trick)
            return (Play(card_of(bit)) for bit in each(distinct(bits(view.legal), others)))
    return mind.moves


def _ways_to_bury(hand: Cards, trump: int) -> Iterator[Cards]:
    """Low cards of one or two plain suits, each way from the lowest on."""
    plain = [list(each(hand & suit)) for place, suit in enumerate(SUITS) if place != trump]
    for one, other in combinations(plain, 2):
        for count in range(DIP + 1):
            if count <= len(one) and DIP - count <= len(other):
                yield sum(1 << bit for bit in (*one[:count], *other[: DIP - count]))


def _outcome(view: UcBesSekizView, world: Sequence[Cards], action: Action) -> float:
    """The viewer's tricks after an action, in a world: three hands, and what is in the kitty or buried."""
    hands, kitty = list(world[:SEATS]), world[SEATS]
    assert view.seat is not None
    match action:
        case Give(card):
            _swap(hands, view.seat, view.claims[0].source, bit_of(card))
            return _from_trump(view, hands, kitty)
        case Decline():
            return _from_trump(view, hands, kitty)
        case Trump(strain):
            return _from_bury(view, hands, kitty, suit_of(strain.suit), None)
        case Pass():
            return _new_deal(view)
        case Bury(cards):
            return _from_bury(view, hands, kitty, suit_of(view.trump_suit), bits(cards))
        case Play(card):
            playing = _playing(view, hands)
            playing.put(bit_of(card))
            return playing.run(ALL_BUT_TWO).taken[view.seat]
    raise AssertionError(action)


def _swap(hands: list[Cards], taker: Seat, source: Seat, bit: int) -> None:
    """A step of the exchange (UB-18)."""
    higher = hands[source] & above(bit)
    if higher:
        both = 1 << bit | 1 << higher.bit_length() - 1
        hands[taker] ^= both
        hands[source] ^= both


def _from_trump(view: UcBesSekizView, hands: list[Cards], kitty: Cards) -> float:
    return _from_bury(view, hands, kitty, _best_trump(hands[view.roles.index(TARGETS[0])]), None)


def _from_bury(view: UcBesSekizView, hands: list[Cards], kitty: Cards, trump: int, buried: Cards | None) -> float:
    assert view.seat is not None
    eight = view.roles.index(TARGETS[0])
    hands[eight] ^= _laid_away(hands[eight], trump) if buried is None else buried
    hands[eight] |= kitty
    return Playing(hands, eight, (), trump, (0,) * SEATS).run(ALL_BUT_TWO).taken[view.seat]


def _worlds(mind: Mind, view: UcBesSekizView) -> Iterator[list[Cards]]:
    """Hands that look like this view, with what is in the kitty or buried; role 8 mostly has trumps."""
    assert view.seat is not None
    trump, eight = suit_of(view.trump_suit), view.roles.index(TARGETS[0])
    tricks = (*view.tricks, view.trick)
    played = [bits(card for trick in tricks for by, card in trick if by == seat) for seat in range(SEATS)]
    known = bits(view.cards) | bits(view.buried) | sum(played)
    sure = [bits(cards) & ~known for cards in whereabouts(view.swaps, view.seat, SEATS)]
    if view.phase == "play":
        sure[eight] = 0  # may be buried
    unknown = ALL & ~known & ~sum(sure)
    room = [0 if s == view.seat else held - sure[s].bit_count() for s, held in enumerate(view.held)]
    room.append(unknown.bit_count() - sum(room))
    bars = (*barred(tricks, trump, SEATS), 0)
    for _ in while_time(mind.left, WORLDS):
        for _ in range(_TRIES):
            world = [dealt | at for dealt, at in zip(deal(unknown, room, bars, mind.rng), (*sure, 0), strict=True)]
            world[view.seat] = bits(view.cards)
            if trump == NO_SUIT or ((world[eight] | played[eight]) & SUITS[trump]).bit_count() >= TRUMPS:
                break
        yield world


# --- what the view says ---


def _view(mind: Mind) -> UcBesSekizView:
    assert isinstance(mind.view, UcBesSekizView)
    return mind.view


def _playing(view: UcBesSekizView, hands: Sequence[Cards]) -> Playing:
    assert view.seat is not None
    return Playing(hands[:SEATS], view.seat, view.trick, suit_of(view.trump_suit), view.taken)


def _unknowing(view: UcBesSekizView) -> list[Cards]:
    """The own hand, and all that is unseen with the next seat: enough for rules of thumb."""
    assert view.seat is not None
    hands = [0] * SEATS
    hands[view.seat], hands[(view.seat + 1) % SEATS] = bits(view.cards), _unseen(view)
    return hands


def _unseen(view: UcBesSekizView) -> Cards:
    played = (card for trick in (*view.tricks, view.trick) for _, card in trick)
    return ALL & ~bits((*view.cards, *view.buried, *played))
