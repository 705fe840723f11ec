"""Batak by the paragraphs of its chapter (RULES, 7). Examples with whole positions are records in tests/cases/batak."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mokali.engine import codec, record
from mokali.engine.cardplay import CardPlayed, Deal, Play
from mokali.engine.cards import DECK, Card, Suit, canonical, cards
from mokali.engine.protocol import (
    HOUSE,
    Action,
    BadSetup,
    Common,
    Event,
    HandEnded,
    IllegalAction,
    MalformedAction,
)
from mokali.engine.tricks import TrickWon, TrumpChosen
from mokali.games.batak import GAME
from mokali.games.batak.position import BatakSetup
from mokali.games.batak.rules import BatakRules
from mokali.games.batak.sight import Contract
from mokali.games.batak.state import AuctionWon, Batak, Bid, BidMade, First, No, Pass, Passed, Trump, TrumpBroken
from tests import contract
from tests.matches import Match, Step, matches
from tests.tricks import refusal_of, winner_of

RULES = BatakRules()
A_DECK = Deal(DECK)
"""The deck in canonical order: the seat right of the dealer gets the spades, the dealer the clubs."""
HEARTS, SPADES = Suit.HEARTS, Suit.SPADES


def dealt(dealer: int = 0, deal: Deal = A_DECK) -> Batak:
    """A match whose first hand has just been dealt."""
    state = Batak.start(RULES, 4)
    for lot in (First(dealer), deal):
        state, _ = state.play(HOUSE, lot)
    return state


def auction(dealer: int, *calls: int | str) -> tuple[Batak, tuple[Event, ...]]:
    """The state after these calls, each by the seat that is asked, and the last one's events."""
    state, events = dealt(dealer), tuple[Event, ...]()
    for call in calls:
        state, events = state.play(mover(state), Pass() if call == "pass" else Bid(int(call)))
    return state, events


def at(*hands: str, led: str = "", leader: int = 0, **more: Any) -> Batak:
    """A position in play: hands of seats 0 to 3, hearts trump, seat 0 to make 5; what is named nowhere was played."""
    held = [cards(hand) for hand in hands]
    trick = tuple(((leader + place) % 4, card) for place, card in enumerate(cards(led)))
    taken = 13 - max(map(len, held))
    setup = {"declarer": 0, "bid": 5, "trump": HEARTS, "turn": (leader + len(trick)) % 4, "taken": (0, 0, 0, taken)}
    return Batak.start(RULES, 4, BatakSetup(**{"dealer": 3, "hands": tuple(held), "trick": trick, **setup, **more}))


def facing(hand: str, led: str = "", **more: Any) -> Batak:
    """A position in which the seat after these led cards acts with this hand; seat 0 has led, or leads."""
    own, table = cards(hand), cards(led)
    rest = iter([card for card in DECK if card not in (*own, *table)])
    sizes = [len(own) - (seat < len(table)) for seat in range(4)]
    hands = [" ".join(own if seat == len(table) else [next(rest) for _ in range(sizes[seat])]) for seat in range(4)]
    return at(*hands, led=led, **more)


def put(state: Batak, *played: str) -> tuple[Batak, tuple[Event, ...]]:
    """The state after these cards, each by the seat on turn, and the last one's events."""
    events: tuple[Event, ...] = ()
    for card in played:
        state, events = state.play(mover(state), Play(Card(card)))
    return state, events


def mover(state: Batak) -> int:
    assert state.turn is not None
    return state.turn


def legal(state: Batak) -> tuple[Card, ...]:
    """What the seat to act may play: the same in its view and among its moves."""
    seat = mover(state)
    assert state.moves(seat) == tuple(map(Play, state.view(seat).legal))
    return state.view(seat).legal


def refusal(state: Batak, action: Action, seat: int | None = None) -> IllegalAction:
    before = codec.encode(state)
    with pytest.raises(IllegalAction) as refused:
        state.play(mover(state) if seat is None else seat, action)
    assert codec.encode(state) == before
    return refused.value


def why(state: Batak, card: str) -> str:
    return str(refusal(state, Play(Card(card))).reason)


def whole(state: Any) -> Batak:
    assert isinstance(state, Batak)
    return state


def hands_of(seed: int, hands: int) -> Iterator[Step]:
    """Every step of so many hands of random legal moves."""
    match, over = Match(GAME, BatakRules(hands=12), 4, seed), 0
    while over < hands:
        if match.state.turn is None:
            seed += 1_000_000
            match = Match(GAME, BatakRules(hands=12), 4, seed)
        step = match.step()
        yield step
        over += any(isinstance(event, HandEnded) for event in step.events)


# --- the deal ---


def test_bt_1_the_first_dealer_is_any_seat() -> None:
    drawn = {Batak.start(RULES, 4).draw_lots(Random(seed))[0] for seed in range(200)}
    assert drawn == {First(seat) for seat in range(4)}


@pytest.mark.parametrize("dealer", range(4))
def test_bt_1_blocks_of_13_from_the_right_of_the_dealer(dealer: int) -> None:
    turned = Deal(tuple(reversed(DECK)))
    state = dealt(dealer, turned)
    for turn in range(4):
        block = turned.deck[13 * turn : 13 * turn + 13]
        assert state.hands[(dealer + 1 + turn) % 4] == tuple(sorted(block, key=DECK.index)), "shown in canonical order"


@pytest.mark.parametrize("deck", [DECK[:-1], (*DECK[:-1], DECK[0]), (*DECK, DECK[0]), ()])
def test_bt_1_a_deck_that_is_none_is_malformed(deck: tuple[Card, ...]) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.lots, codec.encode({"do": "deal", "deck": deck}))
    with pytest.raises(ValueError, match="a deck is all 52 cards"):
        Deal(deck)


def test_bt_1_and_bt_b7_the_dealer_moves_right_once_a_hand() -> None:
    match = Match(GAME, BatakRules(hands=8), 4, seed=1)
    dealers = [whole(step.after).dealer for step in match.steps() if isinstance(step.action, Deal)]
    assert len(dealers) == 8
    for before, after in pairwise(dealers):
        assert before is not None
        assert after == (before + 1) % 4


def test_bt_2_phases() -> None:
    state = Batak.start(RULES, 4)
    assert (state.phase, state.turn) == ("hand_over", HOUSE)
    state, _ = state.play(HOUSE, First(2))
    assert (state.phase, state.turn) == ("hand_over", HOUSE)
    state, _ = state.play(HOUSE, A_DECK)
    assert (state.phase, state.turn) == ("bid", 3)
    state, _ = state.play(3, Bid(13))
    assert (state.phase, state.turn) == ("trump", 3)
    state, events = state.play(3, Trump(HEARTS))
    assert (state.phase, state.turn) == ("play", 3)
    assert events == (TrumpChosen(3, HEARTS),)
    for hand, phase, turn in ((1, "hand_over", HOUSE), (4, "over", None)):
        ended, _ = put(at("AS", "2S", "3S", "4S", hand=hand), "AS", "2S", "3S", "4S")
        assert (ended.phase, ended.turn) == (phase, turn)


def test_bt_2_what_belongs_to_another_phase_is_refused() -> None:
    bidding, choosing, playing = dealt(), auction(0, 13)[0], facing("9C 2C")
    cases: list[tuple[Batak, tuple[Action, ...]]] = [
        (bidding, (Trump(SPADES), Play(Card("2S")))),
        (choosing, (Bid(13), Pass(), Play(Card("2S")))),
        (playing, (Bid(5), Pass(), Trump(SPADES))),
    ]
    for state, actions in cases:
        for action in actions:
            refused = refusal(state, action)
            assert (refused.reason, refused.facts) == (Common.WRONG_PHASE, {"phase": state.phase})


def test_bt_2_the_house_deals_once_and_in_order() -> None:
    fresh = Batak.start(RULES, 4)
    assert refusal(fresh, A_DECK).reason == Common.WRONG_PHASE, "no dealer yet"
    assert refusal(fresh, First(4)).reason == Common.WRONG_PHASE, "there is no seat 4"
    assert refusal(fresh, Pass()).reason == Common.WRONG_PHASE
    drawn, _ = fresh.play(HOUSE, First(1))
    assert refusal(drawn, First(1)).reason == Common.WRONG_PHASE, "the dealer is drawn once"
    begun, _ = drawn.play(HOUSE, A_DECK)
    assert refusal(begun, A_DECK, HOUSE).reason == Common.NOT_YOUR_TURN
    assert refusal(begun, A_DECK).reason == Common.WRONG_PHASE, "the seat to act deals as little as others"
    assert refusal(begun, First(1)).reason == Common.WRONG_PHASE


def test_a_new_hand_knows_nothing_of_the_last_but_its_points() -> None:
    match = Match(GAME, RULES, 4, seed=1)
    for step in match.steps():
        after = whole(step.after)
        if isinstance(step.action, Deal) and after.hand > 1:
            view, before = after.view(None), whole(step.before).view(None)
            assert (view.bids, view.declarer, view.bid, view.trump) == ((None,) * 4, None, None, None)
            assert (view.trump_broken, view.trick, view.tricks, view.won, view.taken) == (False, (), (), (), (0,) * 4)
            assert (view.totals, view.scores, view.history) == (before.totals, before.scores, before.history)
            assert view.contracts == before.contracts
    assert whole(match.state).hand == 4


# --- the auction ---


@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (3, 0)])
def test_bt_3_bidding_starts_right_of_the_dealer(dealer: int, first: int) -> None:
    assert dealt(dealer).turn == first


def test_bt_3_a_bid_is_5_to_13_and_higher_than_the_last() -> None:
    state = dealt(0)
    assert state.view(1).calls == tuple(range(5, 14))
    assert state.view(2).calls == state.view(None).calls == (), "only who is asked may bid"
    state, events = auction(0, 7)
    assert events == (BidMade(1, 7),)
    assert state.view(2).calls == (8, 9, 10, 11, 12, 13)
    for tricks in range(8):
        assert refusal(state, Bid(tricks)).reason == No.BID_TOO_LOW
    assert refusal(state, Bid(7)).facts == {"tricks": 7, "least": 8}
    assert refusal(dealt(), Bid(4)).facts == {"tricks": 4, "least": 5}
    assert refusal(state, Bid(14)).facts == {"tricks": 14, "most": 13}
    assert auction(0, "pass", "pass", 5)[0].view(0).calls == tuple(range(6, 14))
    assert auction(0, 12)[0].moves(2) == (Bid(13), Pass())


def test_bt_3_who_passed_is_out_and_who_leads_is_not_asked() -> None:
    state, _ = auction(1, 5, "pass", 6, 7, 8, "pass")
    assert (state.turn, state.bids) == (1, ("pass", 7, 8, "pass"))
    state, events = state.play(1, Pass())
    assert (state.phase, state.turn, state.declarer, state.bid) == ("trump", 2, 2, 8), "BT-C3"
    assert events == (Passed(1), AuctionWon(2, 8))


def test_bt_c2_the_dealer_may_bid_last() -> None:
    state, _ = auction(0, 5, 6, "pass", 7, "pass", "pass")
    assert (state.phase, state.declarer, state.bid) == ("trump", 0, 7)


@pytest.mark.parametrize(
    "calls",
    [(5, "pass", "pass", "pass"), ("pass", 5, "pass", "pass"), ("pass", "pass", 5, "pass"), ("pass", "pass", "pass")],
)
def test_bt_4_three_passes_and_a_bid_end_it_wherever_the_passes_were(calls: tuple[int | str, ...]) -> None:
    for length in range(len(calls)):
        assert auction(2, *calls[:length])[0].phase == "bid"
    state, events = auction(2, *calls)
    winner = (3 + calls.index(5)) % 4 if 5 in calls else 2
    assert (state.phase, state.turn, state.declarer, state.bid) == ("trump", winner, winner, 5)
    assert events[-1] == AuctionWon(winner, 5)


def test_bt_4_thirteen_ends_it_at_once() -> None:
    state, events = auction(2, 5, 13)
    assert (state.phase, state.turn, state.declarer, state.bid) == ("trump", 0, 0, 13), "BT-C4"
    assert events == (BidMade(0, 13), AuctionWon(0, 13))
    assert state.bids == (13, None, None, 5)


def test_bt_5_three_passes_leave_the_dealer_five() -> None:
    state, events = auction(0, "pass", "pass", "pass")
    assert events == (Passed(3), AuctionWon(0, 5))
    assert (state.phase, state.turn, state.bids[0]) == ("trump", 0, None), "BT-C1: he is not asked"
    state, _ = state.play(0, Trump(Suit.CLUBS))
    assert (state.phase, state.turn, state.trump) == ("play", 0, "C"), "he chooses trump and leads"


def test_bt_6_trump_is_one_of_four_suits() -> None:
    state, _ = auction(0, 13)
    assert state.moves(1) == tuple(map(Trump, Suit))
    for word in ("none", "", "s", None):
        with pytest.raises(MalformedAction):
            codec.read_action(GAME.actions, codec.encode({"do": "trump", "suit": word}))


# --- play ---


def test_bt_7_the_declarer_leads_and_then_the_winners() -> None:
    state, _ = auction(0, "pass", 6, "pass", "pass")
    state, _ = state.play(2, Trump(HEARTS))
    assert state.turn == 2
    match = Match(GAME, RULES, 4, seed=2)
    for step in match.steps():
        won = [event.seat for event in step.events if isinstance(event, TrickWon)]
        if won and step.after.phase == "play":
            assert step.after.turn == won[0]


def test_bt_8_trump_may_not_be_led_until_it_is_broken() -> None:
    state = facing("9H 2C", trump_broken=False)
    assert legal(state) == cards("2C"), "BT-C6"
    refused = refusal(state, Play(Card("9H")))
    assert (refused.reason, refused.facts) == (No.TRUMP_CLOSED, {"suit": HEARTS})
    assert legal(facing("9H 2C", trump_broken=True)) == cards("9H 2C")
    first = dealt(3, Deal((*cards("AH"), *(card for card in DECK if card != "AH"))))
    first, _ = first.play(0, Bid(13))
    first, _ = first.play(0, Trump(HEARTS))
    assert why(first, "AH") == No.TRUMP_CLOSED, "in trick 1 too"


def test_bt_8_a_ruff_breaks_trump_and_the_next_lead_may_be_one() -> None:
    state = at("2C 3C KH", "4C 5C 2S", "7H 8H 9C", "6C TC QH", trump_broken=False)
    state, events = put(state, "2C", "4C")
    assert not state.trump_broken
    state, events = put(state, "9C", "TC")
    assert (events, state.trump_broken) == ((CardPlayed(3, Card("TC")), TrickWon(3)), False)
    assert why(state, "QH") == No.TRUMP_CLOSED
    state, _ = put(state, "6C", "3C", "5C")
    state, events = put(state, "7H")
    assert events == (CardPlayed(2, Card("7H")), TrumpBroken(2), TrickWon(2))
    assert state.view(None).trump_broken
    assert legal(state) == cards("8H")


def test_bt_8_breaking_is_told_once() -> None:
    state = at("2C 3C", "7H 8H", "7C 8C", "6C 9C", trump_broken=True)
    _, events = put(state, "2C", "7H")
    assert events == (CardPlayed(1, Card("7H")),)


@pytest.mark.parametrize(
    ("led", "hand", "may"),
    [
        ("8C JC", "QC 3C AH", "QC"),
        ("8C JC", "TC 3C AH", "TC 3C"),
        ("8C 2H", "AC 3C", "AC 3C"),
        ("9H AD", "QH 2H", "QH"),
        ("9H KH", "QH 2H", "QH 2H"),
        ("8C AD", "9C 2C", "9C"),
    ],
    ids=["BT-C7", "BT-C7 too low", "BT-C8", "BT-C10", "trump led, too low", "a discard changes nothing"],
)
def test_bt_9_follow_and_beat_if_one_can(led: str, hand: str, may: str) -> None:
    assert set(legal(facing(hand, led))) == set(cards(may))


def test_bt_9_a_ruffed_trick_need_not_be_beaten() -> None:
    assert set(legal(facing("AC 3C", "8C 2H"))) == set(cards("AC 3C"))
    assert why(facing("AC 3C 5S", "8C 2H"), "5S") == No.MUST_FOLLOW


@pytest.mark.parametrize(
    ("led", "hand", "may"),
    [
        ("8C", "KH 4H AD", "KH 4H"),
        ("8C 9H", "KH 4H AD", "KH"),
        ("8C 9H", "4H 3H AD", "4H 3H"),
        ("8C 9H", "AD 2S", "AD 2S"),
        ("9H", "AD 2S", "AD 2S"),
    ],
    ids=["no trump lies there", "BT-C9", "BT-C9 under", "BT-C9 neither", "trump led, void"],
)
def test_bt_10_void_trump_higher_if_one_can(led: str, hand: str, may: str) -> None:
    assert set(legal(facing(hand, led))) == set(cards(may))


@pytest.mark.parametrize(
    ("tricks", "winner"), [("8C JC 9C 2S", 1), ("8C JC 2H AC", 2), ("8C 3H 2H AC", 1), ("9C AS AD KS", 0)]
)
def test_bt_11_highest_trump_else_highest_of_the_led_suit(tricks: str, winner: int) -> None:
    state = at(*(f"{card} {other}" for card, other in zip(tricks.split(), ("2D", "3D", "4D", "5D"), strict=True)))
    state, events = put(state, *tricks.split())
    assert events[-1] == TrickWon(winner)
    assert state.view(None).won == (winner,)
    assert state.view(None).tricks == (tuple(enumerate(cards(tricks))),)


def test_bt_12_all_13_tricks_are_played() -> None:
    for step in hands_of(3, 20):
        if any(isinstance(event, HandEnded) for event in step.events):
            after = whole(step.after)
            assert len(after.tricks) == len(after.won) == sum(after.taken) == 13
            assert after.hands == ((),) * 4


def test_bt_12_the_finished_hand_stays_in_sight_until_the_next_deal() -> None:
    state, _ = put(at("AS 2D", "2S 3D", "3S 4D", "4S 5D"), "AS", "2S", "3S", "4S", "2D", "3D", "4D", "5D")
    view = state.view(None)
    assert (view.trump, view.declarer, view.bid, view.taken) == ("H", 0, 5, (1, 0, 0, 12))
    assert (view.won, len(view.tricks), view.trick, view.held) == ((0, 3), 2, (), (0, 0, 0, 0))


# --- scores ---


def scored(taken: tuple[int, int, int, int], bid: int, declarer: int = 0) -> tuple[int, ...] | None:
    """The scores of a hand in which seat 0 takes the last trick, of these."""
    before = (taken[0] - 1, *taken[1:])
    state = at("AS", "2S", "3S", "4S", taken=before, bid=bid, declarer=declarer, turn=0)
    state, events = put(state, "AS", "2S", "3S", "4S")
    assert state.taken == taken
    scores = state.view(None).scores
    assert events[-1] == HandEnded(scores or (), "played_out")
    assert state.view(None).contracts == (Contract(declarer, bid, HEARTS, taken[declarer]),)
    return scores


@pytest.mark.parametrize(
    ("bid", "taken", "scores"),
    [
        (7, (9, 2, 1, 1), (9, 2, 1, 1)),
        (7, (6, 4, 2, 1), (-7, 4, 2, 1)),
        (7, (7, 2, 2, 2), (7, 2, 2, 2)),
        (5, (4, 3, 3, 3), (-5, 3, 3, 3)),
        (13, (13, 0, 0, 0), (13, 0, 0, 0)),
        (13, (12, 1, 0, 0), (-13, 1, 0, 0)),
    ],
    ids=["BT-C12 more", "BT-C12 failed", "BT-C12 exactly", "BT-C13", "all of them", "BT-C14"],
)
def test_bt_13_tricks_taken_or_minus_the_bid(bid: int, taken: tuple[int, int, int, int], scores: tuple[int]) -> None:
    assert scored(taken, bid) == scores


def test_bt_14_the_others_write_their_tricks_and_zero_costs_nothing() -> None:
    assert scored((1, 12, 0, 0), 5, declarer=1) == (1, 12, 0, 0)
    assert scored((9, 4, 0, 0), 5, declarer=1) == (9, -5, 0, 0)


@pytest.mark.parametrize(
    ("totals", "winners", "places"),
    [
        ((20, 10, 5, 11), (0,), (1, 3, 4, 2)),
        ((19, 20, 5, 11), (0, 1), (1, 1, 4, 3)),
        ((-1, 0, 0, 0), (0, 1, 2, 3), (1, 1, 1, 1)),
        ((-20, -20, -9, -20), (2,), (2, 3, 1, 3)),
    ],
)
def test_bt_15_the_highest_total_wins_and_equals_share(
    totals: tuple[int, ...], winners: tuple[int, ...], places: tuple[int, ...]
) -> None:
    more: Any = {"taken": (0, 0, 0, 12), "declarer": 3, "bid": 12, "hand": 4}
    state, _ = put(at("AS", "2S", "3S", "4S", totals=(*totals[:3], totals[3] - 12), turn=0, **more), "AS", "2S", "3S")
    assert (state.phase, state.view(None).winners, state.result) == ("play", (), None)
    state, _ = put(state, "4S")
    assert state.view(None).totals == (totals[0] + 1, *totals[1:])
    assert (state.phase, state.view(None).winners) == ("over", winners), "BT-C15 where two are equal"
    assert state.result is not None
    assert state.result.places == places


@pytest.mark.parametrize("hands", [4, 8, 12])
def test_bt_15_a_match_has_the_hands_of_its_rules(hands: Any) -> None:
    match = Match(GAME, BatakRules(hands=hands), 4, seed=1)
    assert sum(any(isinstance(event, HandEnded) for event in step.events) for step in match.steps()) == hands
    state = whole(match.state)
    assert len(state.history) == len(state.contracts) == state.hand == hands
    assert state.view(None).totals == tuple(map(sum, zip(*state.history, strict=True)))
    with pytest.raises(MalformedAction):
        codec.convert(BatakRules, {"hands": 5})


def test_bt_16_nobody_has_a_partner_and_nothing_else_can_be_said() -> None:
    assert not GAME.partners(RULES, 4)
    assert set(GAME.actions) == {Bid, Pass, Trump, Play}


def test_bt_17_codes() -> None:
    assert [str(code) for code in No] == [
        "bid_too_low", "bid_too_high", "trump_closed", "must_follow", "must_beat", "must_trump", "must_overtrump",
    ]  # fmt: skip
    state, _ = auction(0, 5)
    assert [refusal(state, Bid(n)).reason for n in (5, 4, 14)] == [No.BID_TOO_LOW, No.BID_TOO_LOW, No.BID_TOO_HIGH]


@pytest.mark.parametrize(
    ("hand", "led", "card", "code", "suit", "beat"),
    [
        ("QC 3C AH", "8C JC", "AH", No.MUST_FOLLOW, "C", "JC"),
        ("QC 3C AH", "8C JC", "3C", No.MUST_BEAT, "C", "JC"),
        ("QH 2H", "9H AD", "2H", No.MUST_BEAT, "H", "9H"),
        ("KH 4H AD", "8C", "AD", No.MUST_TRUMP, "H", "8C"),
        ("KH 4H AD", "8C 9H", "AD", No.MUST_TRUMP, "H", "9H"),
        ("KH 4H AD", "8C 9H", "4H", No.MUST_OVERTRUMP, "H", "9H"),
    ],
)
def test_bt_17_a_refusal_says_which_suit_and_what_to_beat(
    hand: str, led: str, card: str, code: No, suit: str, beat: str
) -> None:
    refused = refusal(facing(hand, led), Play(Card(card)))
    assert (refused.reason, refused.facts) == (code, {"suit": suit, "card": beat})


# --- invariants, on random hands ---


def batak(draw_from: st.DataObject) -> Match:
    return draw_from.draw(matches(GAME))


@given(data=st.data())
@settings(max_examples=10)
def test_bt_i1_tricks_sum_to_13_and_there_are_52_cards(data: st.DataObject) -> None:
    with batak(data) as match:
        for step in match.steps():
            state = whole(step.after)
            if state.hand:
                played = [card for trick in (*state.tricks, state.trick) for _, card in trick]
                assert sorted((*played, *(card for hand in state.hands for card in hand))) == sorted(DECK)
                assert sum(state.taken) == len(state.tricks) == len(state.won)
                assert [state.won.count(seat) for seat in range(4)] == list(state.taken)
            if state.turn in (HOUSE, None) and state.hand:
                assert sum(state.taken) == 13
                assert state.declarer is not None
                assert state.contracts[-1].taken == state.taken[state.declarer]


@given(data=st.data())
@settings(max_examples=15)
def test_bt_i2_one_declarer_after_at_most_11_calls_and_bids_rise(data: st.DataObject) -> None:
    with batak(data) as match:
        bids, calls, won = list[int](), 0, list[AuctionWon]()
        for step in match.steps():
            if isinstance(step.action, Deal):
                bids, calls, won = [], 0, []
            calls += isinstance(step.action, Bid | Pass)
            bids += [event.tricks for event in step.events if isinstance(event, BidMade)]
            won += [event for event in step.events if isinstance(event, AuctionWon)]
            assert calls <= 11
            assert bids == sorted(set(bids))
            state = whole(step.after)
            if state.declarer is not None:
                assert won == [AuctionWon(state.declarer, bids[-1] if bids else 5)]
                assert state.bid == won[0].tricks
                assert bids or state.declarer == state.dealer


def test_bt_i2_the_longest_auction_has_11_calls() -> None:
    state, _ = auction(0, 5, 6, 7, 8, 9, 10, 11, 12, "pass", "pass")
    assert (state.phase, state.turn) == ("bid", 3)
    state, _ = state.play(3, Pass())
    assert (state.phase, state.turn, state.bid) == ("trump", 0, 12)


def expected(state: Batak) -> dict[Card, str | None]:
    """Why each card of the deck may not be played now, None where it may: read card by card from the book."""
    hand, trump = state.hands[mover(state)], state.trump
    broken = any(card.suit == trump != trick[0][1].suit for trick in (*state.tricks, state.trick) for _, card in trick)
    assert state.trump_broken is broken
    table = [card for _, card in state.trick]

    def why_not(card: Card) -> str | None:
        if card not in hand:
            return "not_held"
        closed = not table and card.suit == trump and not broken and any(held.suit != trump for held in hand)
        return "trump_closed" if closed else refusal_of(card, hand, table, trump)

    return {card: why_not(card) for card in DECK}


def test_bt_i3_the_legal_set_is_what_the_book_says(rounds: Callable[[int, int], int]) -> None:
    """Every card of the deck in every state: played where it may be, refused with the right code where not."""
    states = 0
    for step in hands_of(1, rounds(24, 2_000)):
        state = whole(step.before)
        if state.phase != "play":
            continue
        states += 1
        reasons = expected(state)
        may = [card for card in DECK if reasons[card] is None]
        assert may
        assert list(legal(state)) == may
        for card, reason in reasons.items():
            if reason is not None:
                with pytest.raises(IllegalAction) as refused:
                    state.play(mover(state), Play(card))
                assert refused.value.reason == reason
        won = [event.seat for event in step.events if isinstance(event, TrickWon)]
        if won:
            assert isinstance(step.action, Play)
            assert won == [winner_of((*state.trick, (step.seat, step.action.card)), state.trump)]
    assert states == 52 * rounds(24, 2_000)


@given(data=st.data())
@settings(max_examples=10)
def test_bt_i4_trump_broken_never_turns_false_within_a_hand(data: st.DataObject) -> None:
    with batak(data) as match:
        for step in match.steps():
            before, after = whole(step.before), whole(step.after)
            if not isinstance(step.action, Deal):
                told = any(isinstance(event, TrumpBroken) for event in step.events)
                assert after.trump_broken is (before.trump_broken or told)
                assert not (told and before.trump_broken)


# --- typical bugs ---


def test_bt_b1_no_free_discard_when_void_with_trumps() -> None:
    state = facing("2H AD KS", "8C")
    assert legal(state) == cards("2H")
    assert why(state, "AD") == why(state, "KS") == No.MUST_TRUMP


def test_bt_b2_nothing_to_beat_after_a_ruff() -> None:
    assert set(legal(facing("AC 3C", "8C 2H"))) == set(cards("AC 3C"))
    assert set(legal(facing("AC 3C", "8C 9C 2H"))) == set(cards("AC 3C"))
    assert legal(facing("AH 3H", "8H 2H")) == cards("AH"), "but trump that was led is beaten"


def test_bt_b3_a_hand_of_trumps_only_may_lead_one() -> None:
    assert legal(facing("9H KH", trump_broken=False)) == cards("9H KH")


def test_bt_b4_a_trump_that_is_led_breaks_nothing() -> None:
    state = at("9H KH", "3C 5D", "7C 8D", "TC JD", trump_broken=False)
    for card in ("KH", "5D", "8D", "JD"):
        state, events = put(state, card)
        assert TrumpBroken not in map(type, events)
    assert (state.turn, state.trump_broken) == (0, False)
    state = at("9H KH", "QH 5D", "7H 8D", "TC JD", trump_broken=False)
    state, _ = put(state, "9H", "QH", "7H")
    assert not state.trump_broken, "nor do those that follow it"


def test_bt_b5_a_made_contract_pays_the_tricks() -> None:
    assert scored((9, 2, 1, 1), 7) == (9, 2, 1, 1)


def test_bt_b6_no_dealer_is_asked_after_three_passes_and_nobody_comes_back() -> None:
    state, _ = auction(0, "pass", "pass", "pass")
    assert refusal(state, Bid(6)).reason == refusal(state, Pass()).reason == Common.WRONG_PHASE
    state, _ = auction(0, "pass", 5, 6, 7)
    assert state.turn == 2
    state, _ = state.play(2, Bid(8))
    state, _ = state.play(3, Bid(9))
    assert state.turn == 0
    state, _ = state.play(0, Bid(10))
    assert state.turn == 2, "seat 1 stays out"
    assert refusal(state, Bid(11), 1).reason == Common.NOT_YOUR_TURN


# --- common rules ---


def test_cm_1_a_refusal_leaves_the_encoded_state_as_it_was() -> None:
    state = facing("QC 3C AH", "8C JC")
    tries: list[tuple[int, Action]] = [
        (2, Play(Card("3C"))),
        (2, Play(Card("2S"))),
        (2, Bid(7)),
        (3, Pass()),
        (4, Pass()),
        (HOUSE, A_DECK),
        (2, A_DECK),
        (HOUSE, First(0)),
    ]
    for seat, action in tries:
        refusal(state, action, seat)


def test_cm_7_malformed_comes_first() -> None:
    for text in (
        '{"do":"bid"}',
        '{"do":"bid","tricks":-1}',
        '{"do":"bid","tricks":100}',
        '{"do":"bid","tricks":5.5}',
        '{"do":"play"}',
        '{"do":"play","card":"1C"}',
        '{"do":"trump"}',
        '{"do":"draw"}',
        "[]",
        "",
    ):
        with pytest.raises(MalformedAction):
            codec.read_action((*GAME.actions, *GAME.lots), text)


def test_cm_7_the_turn_comes_before_the_phase_and_the_phase_before_the_card() -> None:
    state = facing("QC 3C AH", "8C JC")
    refused = refusal(state, Trump(HEARTS), 0)
    assert (refused.reason, refused.facts) == (Common.NOT_YOUR_TURN, {"turn": 2})
    assert refusal(dealt(), Play(Card("2C"))).reason == Common.WRONG_PHASE
    refused = refusal(state, Play(Card("2S")))
    assert (refused.reason, refused.facts) == (Common.NOT_HELD, {"card": "2S"})


def test_cm_7_no_seat_is_on_turn_between_hands_and_at_the_end() -> None:
    for hand in (1, 4):
        state, _ = put(at("AS", "2S", "3S", "4S", hand=hand), "AS", "2S", "3S", "4S")
        for seat in range(4):
            for action in (Play(Card("AS")), Pass(), Bid(5), Trump(HEARTS)):
                assert refusal(state, action, seat).reason == Common.NOT_YOUR_TURN


def test_cm_9_a_view_shows_the_own_cards_alone() -> None:
    state = dealt()
    for viewer in (*range(4), None):
        text = codec.encode(state.view(viewer))
        for seat in range(4):
            assert [card for card in state.hands[seat] if card in text] == (
                list(state.hands[seat]) if seat == viewer else []
            )


def test_ab_8_idle_passes_names_the_longest_suit_and_plays_the_lowest() -> None:
    assert dealt().idle(1) == Pass()
    for first, suit in (
        ("2S 3S 4S 2H 3H 4H 2D 3D 4D 2C 3C 4C 5C", "C"),
        ("2S 3S 4S 2H 3H 4H 5H 2D 3D 4D 5D 2C 3C", "H"),
        ("2S 3S 4S 5S 2H 3H 4H 5H 2D 3D 4D 5D 2C", "S"),
    ):
        deck = (*cards(first), *(card for card in DECK if card not in cards(first)))
        state, _ = dealt(0, Deal(deck)).play(1, Bid(13))
        assert state.idle(1) == Trump(Suit(suit)), "ties S, H, D, C"
    assert facing("9H TC 3S 3C", trump_broken=False).idle(0) == Play(Card("3S")), "ties S, H, D, C"
    assert facing("2H TC 3D", trump_broken=False).idle(0) == Play(Card("3D")), "a legal one"
    assert facing("KC QC 2C", "JC").idle(1) == Play(Card("QC"))


# --- imagined worlds ---


def imagined(state: Batak, viewer: int | None, count: int = 40) -> list[Batak]:
    return [Batak.imagine(state.view(viewer), Random(seed)) for seed in range(count)]


def test_nobody_is_imagined_to_hold_a_suit_it_has_shown_not_to() -> None:
    state = at("2C 3C 4C 5C", "7H 8H 2D 3D", "9C TC 4D 5D", "2S 6D 7D 8D", trump_broken=False)
    state, _ = put(state, "2C", "7H", "9C", "6D")
    for viewer in (0, 2, None):
        for world in imagined(state, viewer):
            assert not [card for card in world.hands[1] if card.suit == "C"], "it has ruffed"
            assert not [card for card in world.hands[3] if card.suit in "CH"], "and it could not"
    assert {world.hands[2] for world in imagined(state, 0)} != {state.hands[2]}


def test_worlds_fit_the_view_whatever_was_shown(rounds: Callable[[int, int], int]) -> None:
    """Also where voids leave but few deals, and where a position's played cards are not known."""
    rng = Random(1)
    for step in hands_of(2, rounds(6, 500)):
        contract.imagined_worlds_look_the_same(step.after, rng)
    state = at("2C 3C", "7H 8H", "9C TC", "2S 6D", trump_broken=False)
    for card in ("2C", "7H", "9C", "6D"):
        state, _ = put(state, card)
        contract.imagined_worlds_look_the_same(state, rng)


# --- positions ---

BIDDING = {"dealer": 0, "hands": tuple(DECK[start : start + 13] for start in (39, 0, 13, 26))}
TWO: dict[str, Any] = {
    "dealer": 3,
    "hands": (("9H", "2C"), ("3C", "5D"), ("7C", "8D"), ("TC", "JD")),
    "declarer": 0,
    "bid": 5,
    "trump": "H",
    "turn": 0,
    "taken": (4, 3, 2, 2),
}
"""Setups of which each test spoils one thing."""
TRICK = {"trick": ((3, "KC"),), "hands": (("9H", "2C"), ("3C", "5D"), ("7C", "8D"), ("TC",))}
RUFF = {"trick": ((2, "KC"), (3, "QH")), "hands": (("9H", "2C"), ("3C", "5D"), ("7C",), ("TC",))}
BEGUN = {**BIDDING, "declarer": 2, "bid": 8, "trump": "D"}

BAD: dict[str, dict[str, Any]] = {
    "9H stands there twice": {**TWO, "hands": (("9H", "2C"), ("9H", "5D"), ("7C", "8D"), ("TC", "JD"))},
    "TC stands there twice": {**TWO, **TRICK, "trick": ((3, "TC"),)},
    "seat 1 holds 2 cards": {**TWO, "hands": (("9H", "2C"), ("3C",), ("7C", "8D"), ("TC", "JD"))},
    "seat 3 holds 1 cards": {**TWO, **TRICK, "hands": TWO["hands"]},
    "seat 0 holds 3 cards": {**TWO, "taken": (3, 3, 2, 2)},
    "the seat to act has a card": {**TWO, "taken": (6, 3, 2, 2)},
    "hands: one for each of 4 seats": {**TWO, "hands": TWO["hands"][:3]},
    "taken: one for each of 4 seats": {**TWO, "taken": (11,)},
    "bids: one for each of 4 seats": {**BIDDING, "bids": (5,)},
    "totals: one for each of 4 seats": {**TWO, "totals": (1, 2, 3)},
    "seats are 0 to 3": {**TWO, "dealer": 4},
    "seats are 0 to 3 ": {**TWO, "declarer": -1},
    "seats are 0 to 3  ": {**TWO, "turn": 4},
    "seats are 0 to 3   ": {**TWO, "trick": ((4, "KC"),)},
    "hands are 1 to 4": {**TWO, "hand": 5},
    "hands are 1 to 4 ": {**TWO, "hand": 0},
    "a declarer has a bid": {**TWO, "bid": None},
    "a declarer has a bid ": {**BIDDING, "bid": 5},
    "the declarer chooses trump": {**BIDDING, "trump": "H"},
    "this is a position of phase play": {**TWO, "phase": "bid"},
    "cards are played when trump is chosen": {**TWO, "trump": None},
    "cards are played when trump is chosen ": {**BIDDING, "trick": ((1, "2S"),)},
    "seat 1 is to act": {**BIDDING, "turn": 2},
    "seat 0 is to act": {**TWO, **TRICK, "turn": 1},
    "up to three seats have played on a trick, in turn": {**TWO, "trick": ((2, "KC"), (0, "QC"))},
    "up to three seats have played on a trick, in turn ": {**TWO, "trick": tuple(zip(range(4), DECK, strict=False))},
    "the declarer leads the first trick": {**TWO, **TRICK, "taken": (0, 0, 0, 0)},
    "trump is broken by a trump on another suit": {**TWO, **RUFF, "trump_broken": False},
    "trump is broken by a trump on another suit ": {**BEGUN, "trump_broken": True},
    "no auction stands like this": {**BIDDING, "bids": (None, "pass", "pass", "pass")},
    "no auction stands like this ": {**BIDDING, "bids": (None, 6, 5, None)},
    "no auction stands like this  ": {**BIDDING, "bids": (None, None, 5, None)},
    "no auction stands like this   ": {**BIDDING, "bids": (5, None, None, None)},
    "no auction stands like this    ": {**BIDDING, "bids": (7, 7, "pass", 6)},
    "no auction stands like this     ": {**BIDDING, "bids": (13, "pass", "pass", "pass")},
    "no auction ends like this": {**TWO, "bids": (5, 6, "pass", "pass")},
    "no auction ends like this ": {**TWO, "bids": (None, "pass", "pass", "pass")},
    "no auction ends like this  ": {**TWO, "bids": (6, "pass", "pass", "pass")},
    "no auction ends like this   ": {**TWO, "bid": 13, "bids": (13, 13, "pass", None)},
}  # fmt: skip


@pytest.mark.parametrize(("line", "setup"), BAD.items(), ids=BAD)
def test_a_setup_that_breaks_an_invariant_is_refused(line: str, setup: dict[str, Any]) -> None:
    with pytest.raises(BadSetup) as refused:
        record.start(GAME, RULES, 4, setup)
    assert str(refused.value) == line.strip()


@pytest.mark.parametrize(
    ("seats", "changes"),
    [
        (3, {}),
        (4, {"hands": (("XX",), ("9S",))}),
        (4, {"colour": "red"}),
        (4, {"dealer": None}),
        (4, {"bid": 4}),
        (4, {"bid": 14}),
        (4, {"bids": (4, "pass", "pass", "pass")}),
        (4, {"taken": (-1, 4, 4, 4)}),
        (4, {"trump": "none"}),
    ],
)
def test_a_setup_that_is_none_is_refused(seats: int, changes: dict[str, Any]) -> None:
    record.start(GAME, RULES, 4, TWO)
    with pytest.raises(BadSetup):
        record.start(GAME, RULES, seats, {**TWO, **changes})


@pytest.mark.parametrize(
    ("setup", "phase", "turn"),
    [
        (BIDDING, "bid", 1),
        ({**BIDDING, "bids": (None, 5, "pass", None)}, "bid", 3),
        ({**BIDDING, "bids": (7, 5, 6, "pass"), "phase": "bid"}, "bid", 1),
        ({**BIDDING, "bids": (7, 8, "pass", "pass"), "turn": 0}, "bid", 0),
        ({**BIDDING, "declarer": 2, "bid": 8}, "trump", 2),
        ({**BIDDING, "declarer": 0, "bid": 5, "bids": (None, "pass", "pass", "pass")}, "trump", 0),
        ({**BIDDING, "declarer": 0, "bid": 13, "bids": (13, 5, "pass", 6)}, "trump", 0),
        ({**BIDDING, "declarer": 1, "bid": 13, "bids": (None, 13, None, None)}, "trump", 1),
        (BEGUN, "play", 2),
        (TWO, "play", 0),
        ({**TWO, "turn": 2}, "play", 2),
        ({**TWO, **TRICK}, "play", 0),
    ],
)
def test_the_phase_of_a_position_follows(setup: dict[str, Any], phase: str, turn: int) -> None:
    state = whole(record.start(GAME, RULES, 4, setup))
    assert (state.phase, state.turn) == (phase, turn)
    contract.offered_moves_are_accepted(state)


def test_bt_i1_unlisted_cards_of_a_position_were_played() -> None:
    state = whole(record.start(GAME, RULES, 4, TWO))
    assert state.view(0).held == (2, 2, 2, 2)
    for world in imagined(state, 0):
        assert world.hands[0] == canonical({Card("9H"), Card("2C")})
        assert len({card for hand in world.hands for card in hand}) == 8


def test_a_position_after_a_ruff_has_trump_broken() -> None:
    state = whole(record.start(GAME, RULES, 4, {**TWO, **RUFF}))
    assert state.trump_broken
