"""Batak's bots: a beginner, one who counts tricks and cards, and one who plays hands out in worlds that may be."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mokali.engine.cardplay import Play
from mokali.engine.cards import Suit
from mokali.engine.playout import (
    ALL,
    RANKS,
    SUITS,
    Cards,
    Playing,
    Reason,
    Worth,
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
from mokali.games.batak.calls import PASS, least
from mokali.games.batak.rules import LEAST_BID, SEATS
from mokali.games.batak.sight import BatakView
from mokali.games.batak.state import Bid, Pass, Trump

WORLDS: Final = 40
"""How many worlds ``zor`` plays out, where time allows."""

HAND: Final = Worth(-1.6, 0.64, (1.16, 0.84, 0.55, 0.37), (0.96, 0.72, 0.25), (1.67, 0.97, 0.3))
"""Fitted to hands that were played out by rules of thumb; what it says is off by 0.9 tricks."""
SPARE: Final = 0.35
"""A careful bidder has so many tricks more than he bids."""
BOLD: Final = 1.5
"""And hardly anybody bids so many more than he has."""
_TRIES: Final = 3


def kolay(mind: Mind) -> Action:
    """Bid on aces, kings and a long suit; make that trump; then win with the highest or lose with the lowest."""
    view, hand = _view(mind), bits(_view(mind).cards)
    if view.phase == "bid":
        tricks = sum(bit % RANKS >= RANKS - 2 for bit in each(hand)) + (hand & SUITS[longest(hand)]).bit_count() - 3
        return Bid(view.calls[0]) if view.calls and view.calls[0] <= tricks else Pass()
    if view.phase == "trump":
        return Trump(list(Suit)[longest(hand)])
    if not view.trick:
        suit = mind.rng.choice(sorted({card.suit for card in view.legal}))
        return Play(max((card for card in view.legal if card.suit == suit), key=lambda card: card.rank))
    high, low = (pick(view.legal, key=lambda card: card.rank) for pick in (max, min))
    return Play(high if _playing(view, _unknowing(view)).takes(bit_of(high)) else low)


def orta(mind: Mind) -> Action:
    """Bid what the hand counts with something to spare, choose the suit that counts most, play by rules of thumb."""
    view = _view(mind)
    hand = bits(view.cards)
    if view.phase == "bid":
        return _careful(view, hand)
    if view.phase == "trump":
        return Trump(list(Suit)[_best_suit(hand)])
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
    count = round(counted(hand, _best_suit(hand), HAND))
    match action:
        case Bid(tricks) if tricks <= count:
            return f"Elin en iyi kozla yaklaşık {count} el eder: {tricks} demeye yeter."
        case Bid(tricks):
            return f"Olası dağılımların çoğunda {tricks} demek pas geçmekten iyi geliyor."
        case Pass():
            return f"Elin en iyi kozla yaklaşık {count} el eder: pas daha güvenli."
        case Trump(suit):
            held = (hand & SUITS[suit_of(suit)]).bit_count()
            return f"Bu renkten {held} kartın var: koz olunca en çok eli o getirir."
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


# --- bidding ---


def _best_suit(hand: Cards) -> int:
    """The trump with which this hand counts most."""
    return max(range(len(SUITS)), key=lambda suit: counted(hand, suit, HAND))


def _careful(view: BatakView, hand: Cards) -> Action:
    """Bid no more than what is needed, and only with something to spare."""
    enough = counted(hand, _best_suit(hand), HAND) - SPARE
    return Bid(view.calls[0]) if view.calls and view.calls[0] <= enough else Pass()


def _rival(view: BatakView, hands: Sequence[Cards]) -> tuple[Seat, int]:
    """Who declares, for how many, where the viewer passes: who counts most and is still in, a trick above the next."""
    assert view.dealer is not None
    bids = tuple(PASS if seat == view.seat else call for seat, call in enumerate(view.bids))
    standing = max((call for call in bids if isinstance(call, int)), default=0)
    counts = sorted(
        (
            (int(counted(hands[seat], _best_suit(hands[seat]), HAND) - SPARE), seat)
            for seat, call in enumerate(bids)
            if call != PASS and call != standing
        ),
        reverse=True,
    )
    if counts and counts[0][0] >= least(bids):
        second = counts[1][0] + 1 if len(counts) > 1 else 0
        return counts[0][1], min(counts[0][0], max(least(bids), second))
    return (bids.index(standing), standing) if standing else (view.dealer, LEAST_BID)


# --- playing out ---


def _others(mind: Mind, view: BatakView) -> Iterable[Action]:
    """What is tried beside the usual action: of bids only the least, of cards that are all the same only one."""
    if view.phase == "bid":
        return (*map(Bid, view.calls[:1]), Pass())
    if view.phase == "trump":
        return mind.moves
    others = _unseen(view) | bits(card for _, card in view.trick)
    return (Play(card_of(bit)) for bit in each(distinct(bits(view.legal), others)))


def _outcome(view: BatakView, hands: Sequence[Cards], action: Action) -> float:
    """What comes of an action in a world: the viewer's score less the others' mean."""
    assert view.seat is not None
    match action:
        case Bid(tricks):
            return _declared(view.seat, view.seat, tricks, hands, _best_suit(hands[view.seat]))
        case Pass():
            declarer, tricks = _rival(view, hands)
            return _declared(view.seat, declarer, tricks, hands, _best_suit(hands[declarer]))
        case Trump(suit):
            return _declared(view.seat, view.seat, view.bid or LEAST_BID, hands, suit_of(suit))
        case Play(card):
            playing = _playing(view, hands)
            playing.put(bit_of(card))
            return _lead_of(view.seat, view.declarer, view.bid, playing.run().taken)
    raise AssertionError(action)


def _declared(viewer: Seat, declarer: Seat, bid: int, hands: Sequence[Cards], trump: int) -> float:
    playing = Playing(hands, declarer, (), trump, (0,) * SEATS, closed=True).run()
    return _lead_of(viewer, declarer, bid, playing.taken)


def _lead_of(viewer: Seat, declarer: Seat | None, bid: int | None, taken: Sequence[int]) -> float:
    scores = [-bid if bid and seat == declarer and won < bid else won for seat, won in enumerate(taken)]
    return scores[viewer] - (sum(scores) - scores[viewer]) / (SEATS - 1)


def _worlds(mind: Mind, view: BatakView) -> Iterator[list[Cards]]:
    """Hands that look like this view; where others bid, most of them can be bid on."""
    known, bars = bits(view.cards), barred((*view.tricks, view.trick), suit_of(view.trump), SEATS)
    played = [bits(card for trick in (*view.tricks, view.trick) for by, card in trick if by == s) for s in range(SEATS)]
    unknown = ALL & ~known & ~sum(played)
    room = [0 if seat == view.seat else held for seat, held in enumerate(view.held)]
    room.append(unknown.bit_count() - sum(room))  # what was played before a set-up position
    for _ in while_time(mind.left, WORLDS):
        for _ in range(_TRIES):
            *hands, _gone = deal(unknown, room, (*bars, 0), mind.rng)
            assert view.seat is not None
            hands[view.seat] = known
            if _believable(view, [hand | before for hand, before in zip(hands, played, strict=True)]):
                break
        yield hands


def _believable(view: BatakView, hands: Sequence[Cards]) -> bool:
    """Whether those who bid had what one bids on."""
    for seat, call in enumerate(view.bids):
        if isinstance(call, int) and seat != view.seat:
            trump = suit_of(view.trump) if seat == view.declarer and view.trump else _best_suit(hands[seat])
            if counted(hands[seat], trump, HAND) < call - BOLD:
                return False
    return True


# --- what the view says ---


def _view(mind: Mind) -> BatakView:
    assert isinstance(mind.view, BatakView)
    return mind.view


def _playing(view: BatakView, hands: Sequence[Cards]) -> Playing:
    assert view.seat is not None
    return Playing(hands, view.seat, view.trick, suit_of(view.trump), view.taken, closed=not view.trump_broken)


def _unknowing(view: BatakView) -> list[Cards]:
    """The own hand, and all that is unseen with the next seat: enough for rules of thumb."""
    assert view.seat is not None
    hands = [0] * SEATS
    hands[view.seat], hands[(view.seat + 1) % SEATS] = bits(view.cards), _unseen(view)
    return hands


def _unseen(view: BatakView) -> Cards:
    played = (card for trick in (*view.tricks, view.trick) for _, card in trick)
    return ALL & ~bits((*view.cards, *played))
