"""Pişti by the paragraphs of its chapter (RULES, 8). Examples with whole positions are records in tests/cases/pisti."""

from collections.abc import MutableSequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mokali.engine import codec, record
from mokali.engine.cardplay import CardPlayed, Play
from mokali.engine.cards import DECK, Card, canonical, cards
from mokali.engine.protocol import HOUSE, Action, BadSetup, Common, Event, HandEnded, IllegalAction, MalformedAction
from mokali.games.pisti import GAME
from mokali.games.pisti.rules import PistiRules
from mokali.games.pisti.state import (
    Captured,
    Deal,
    First,
    JackPistiMade,
    Pisti,
    PistiMade,
    PistiSetup,
    RoundDealt,
    Tally,
)
from tests.matches import Match, matches

A_DECK = Deal((*cards("2S 3S 4S 5S"), *(card for card in DECK if card not in cards("2S 3S 4S 5S"))))
"""The deck in canonical order: under the open 5S lie 2S, 3S and 4S."""


def at(
    *hands: str, pile: str = "", down: int = 0, captured: tuple[str, str] = ("", ""), target: Any = 101, **more: Any
) -> Pisti:
    """A position with seat 0 to act and no stock; whatever is named nowhere was captured by seat 1."""
    here = [cards(hand) for hand in hands]
    taken = [cards(captured[0]), cards(captured[1])]
    named = {*cards(pile), *taken[0], *taken[1]}.union(*here)
    rest = canonical({card for card in DECK if card not in named})
    setup = PistiSetup(
        dealer=len(hands) - 1,
        hands=tuple(here),
        pile=cards(pile),
        face_down=down,
        captured=(taken[0], (*taken[1], *rest)),
        **more,
    )
    return Pisti.start(PistiRules(target=target), len(hands), setup)


def put(state: Pisti, *played: str) -> tuple[Pisti, tuple[Event, ...]]:
    """The state after these cards, each by the seat on turn, and the last one's events."""
    events: tuple[Event, ...] = ()
    for card in played:
        assert state.turn is not None
        state, events = state.play(state.turn, Play(Card(card)))
    return state, events


def dealt(seats: int, dealer: int = 0, deal: Deal = A_DECK) -> Pisti:
    """A match whose first hand has just been dealt."""
    state = Pisti.start(PistiRules(), seats)
    for lot in (First(dealer), deal):
        state, _ = state.play(HOUSE, lot)
    return state


def refusal(state: Pisti, seat: int, action: Action) -> IllegalAction:
    before = codec.encode(state)
    with pytest.raises(IllegalAction) as refused:
        state.play(seat, action)
    assert codec.encode(state) == before
    return refused.value


class Shuffler(Random):
    """Shuffles into the orders it was given: the cards named come first, the others stay as they were."""

    def __init__(self, *orders: str) -> None:
        super().__init__(0)
        self.orders = list(orders)
        self.shuffled: list[int] = []

    def shuffle(self, x: MutableSequence[Any]) -> None:
        self.shuffled.append(len(x))
        first = cards(self.orders.pop(0))
        x[:] = [*first, *(card for card in x if card not in first)]


# --- the deal ---


@pytest.mark.parametrize("seats", GAME.seats)
def test_pi_1_the_first_dealer_is_any_seat(seats: int) -> None:
    drawn = {Pisti.start(PistiRules(), seats).draw_lots(Random(seed))[0] for seed in range(200)}
    assert drawn == {First(seat) for seat in range(seats)}


@pytest.mark.parametrize(("seats", "dealer", "first"), [(2, 0, 1), (2, 1, 0), (4, 0, 1), (4, 3, 0)])
def test_pi_1_the_seat_right_of_the_dealer_plays_first(seats: int, dealer: int, first: int) -> None:
    assert dealt(seats, dealer).turn == first


def test_pi_1_ranks_matter_only_by_equality() -> None:
    state, events = put(at("AS 2S", "3S", pile="5D 9D"), "AS")
    assert events == (CardPlayed(0, Card("AS")),)
    assert state.view(None).top == "AS"


def test_pi_2_three_hidden_cards_and_one_open() -> None:
    state = dealt(2)
    assert state.hidden == cards("2S 3S 4S")
    assert state.pile == cards("5S")
    view = state.view(0)
    assert (view.pile, view.top, view.hidden) == (4, "5S", 3)


def test_pi_2_an_open_jack_is_shuffled_back_into_the_other_49() -> None:
    rng = Shuffler("2S 3S JC JD", "JD 5S", "JH", "7H JD")
    _, deal = Pisti.start(PistiRules(), 2).draw_lots(rng)
    assert isinstance(deal, Deal)
    assert rng.shuffled == [52, 49, 49, 49], "again and again, until it is no jack"
    assert deal.deck[:3] == cards("2S 3S JC"), "the hidden three stay, jacks among them too"
    assert deal.deck[3:5] == cards("7H JD")
    assert sorted(deal.deck) == sorted(DECK)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=200)
def test_pi_2_the_house_never_deals_an_open_jack(seed: int) -> None:
    deal = Pisti.start(PistiRules(), 2).draw_lots(Random(seed))[-1]
    assert isinstance(deal, Deal)
    assert deal.deck[3].letter != "J"


JACK_OPEN = (*cards("2S 3S 4S JC"), *(card for card in DECK if card not in cards("2S 3S 4S JC")))


@pytest.mark.parametrize(
    "deck",
    [JACK_OPEN, DECK[:-1], (*DECK[:-1], DECK[0]), (*DECK, DECK[0]), ()],
    ids=["a jack lies open", "a card is missing", "a card twice", "53 cards", "no card"],
)
def test_pi_2_a_deck_that_is_none_is_malformed(deck: tuple[Card, ...]) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.lots, codec.encode({"do": "deal", "deck": deck}))
    with pytest.raises(ValueError, match=r"deck|jack"):
        Deal(deck)


def test_pi_3_blocks_of_four_from_the_right_of_the_dealer() -> None:
    deck = A_DECK.deck
    state = dealt(2, dealer=0)
    assert state.hands == (deck[8:12], deck[4:8])
    assert state.stock == deck[12:]
    state = dealt(4, dealer=2)
    assert state.hands == (deck[8:12], deck[12:16], deck[16:20], deck[4:8])
    assert state.stock == deck[20:]


@pytest.mark.parametrize(("seats", "rounds"), [(2, 6), (4, 3)])
def test_pi_3_rounds_until_the_stock_is_empty(seats: int, rounds: int) -> None:
    state, left, plays = dealt(seats), [], 0
    while state.phase == "play":
        seat = state.turn
        assert seat is not None
        sizes = [len(hand) for hand in state.hands]
        state, events = state.play(seat, state.moves(seat)[0])
        plays += 1
        left += [event.stock for event in events if isinstance(event, RoundDealt)]
        if any(isinstance(event, RoundDealt) for event in events):
            assert sum(sizes) == 1, "when all hands are empty, not before"
            assert [len(hand) for hand in state.hands] == [4] * seats
            assert state.turn == (seat + 1) % seats, "the turn order runs on"
    assert left == [seats * 4 * more for more in range(rounds - 2, -1, -1)]
    assert plays == 48


def test_pi_4_phases() -> None:
    state = Pisti.start(PistiRules(), 2)
    assert (state.phase, state.turn) == ("hand_over", HOUSE)
    state, _ = state.play(HOUSE, First(0))
    assert (state.phase, state.turn) == ("hand_over", HOUSE)
    state, _ = state.play(HOUSE, A_DECK)
    assert (state.phase, state.turn) == ("play", 1)
    state, _ = put(at("5S", "6S", pile="7D"), "5S", "6S")
    assert (state.phase, state.turn) == ("hand_over", HOUSE)
    state, _ = put(at("5S", "6S", pile="7D", totals=(0, 90)), "5S", "6S")
    assert (state.phase, state.turn) == ("over", None)


def test_pi_4_the_house_deals_once_and_in_order() -> None:
    fresh = Pisti.start(PistiRules(), 2)
    assert refusal(fresh, HOUSE, A_DECK).reason == Common.WRONG_PHASE, "no dealer yet"
    assert refusal(fresh, HOUSE, First(3)).reason == Common.WRONG_PHASE, "there is no seat 3"
    assert refusal(fresh, HOUSE, Play(Card("2S"))).reason == Common.WRONG_PHASE
    drawn, _ = fresh.play(HOUSE, First(1))
    assert refusal(drawn, HOUSE, First(1)).reason == Common.WRONG_PHASE, "the dealer is drawn once"
    for seat in (0, 1):
        assert refusal(drawn, seat, A_DECK).reason == Common.NOT_YOUR_TURN
    begun, _ = drawn.play(HOUSE, A_DECK)
    assert refusal(begun, HOUSE, A_DECK).reason == Common.NOT_YOUR_TURN
    assert refusal(begun, 0, A_DECK).reason == Common.WRONG_PHASE, "the seat to act deals as little as others"
    assert refusal(begun, 0, First(1)).reason == Common.WRONG_PHASE


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_new_hand_knows_nothing_of_the_last_but_its_points(seats: int) -> None:
    match = Match(GAME, PistiRules(), seats, seed=1)
    for step in match.steps():
        after = whole(step.after)
        if isinstance(step.action, Deal) and after.hand > 1:
            view, before = after.view(None), whole(step.before).view(None)
            assert (view.last_capturer, view.last, view.hidden_taker) == (None, None, None)
            assert (view.captured, view.pistis, view.pile, view.top) == ((0, 0), (0, 0), 4, step.action.deck[3])
            assert (view.totals, view.scores, view.tallies) == (before.totals, before.scores, before.tallies)
    assert whole(match.state).hand > 1


# --- capturing ---


@pytest.mark.parametrize(
    ("card", "pile", "takes"),
    [
        ("7C", "7H", True),
        ("7C", "2D 7H", True),
        ("JC", "2D 7H", True),
        ("JC", "7H", True),
        ("7C", "7H 9C", False),
        ("9C", "7H", False),
        ("7C", "JH", False),
        ("7C", "", False),
        ("JC", "", False),
        ("JC", "JH", True),
    ],
)
def test_pi_5_a_card_takes_its_rank_and_a_jack_whatever_lies(card: str, pile: str, takes: bool) -> None:
    state, events = put(at(f"{card} 2S", "3S 3H", pile=pile), card)
    assert (Captured(0, len(cards(pile)) + 1) in events) is takes
    if takes:
        assert state.pile == ()
        assert state.captured[0] == (*cards(pile), Card(card)), "the whole pile and the card"
        assert state.last_capturer == 0
    else:
        assert state.pile == (*cards(pile), Card(card))
        assert state.captured[0] == ()
        assert state.last_capturer is None


def test_pi_5_the_hidden_cards_go_with_the_first_capture() -> None:
    state, events = put(at("7C 2D", "3S 3H", pile="8S 9S TS 7H", down=3), "7C")
    assert events == (CardPlayed(0, Card("7C")), Captured(0, 5))
    view = state.view(None)
    assert (view.captured[0], view.pile, view.hidden, view.hidden_taker) == (5, 0, 0, 0)


@pytest.mark.parametrize(
    ("card", "pile", "made"),
    [
        ("7C", "7H", PistiMade(0, 10)),
        ("JC", "JH", JackPistiMade(0, 20)),
        ("JC", "7H", None),
        ("7C", "2D 7H", None),
        ("JC", "2D JH", None),
    ],
)
def test_pi_6_a_lone_card_taken_by_its_like(card: str, pile: str, made: Event | None) -> None:
    state, events = put(at(f"{card} 2S", "3S 3H", pile=pile), card)
    assert events[2:] == (() if made is None else (made,))
    points = 0 if made is None else 20 if isinstance(made, JackPistiMade) else 10
    assert state.pistis == (points, 0)
    assert state.last is not None
    assert (state.last.pisti, state.last.cards) == (points, len(cards(pile)) + 1)


def test_pi_6_counts_up_to_the_last_card_of_the_hand() -> None:
    state, events = put(at("2D", "4S", pile="2H", last_capturer=0), "2D", "4S")
    assert state.phase == "hand_over"
    assert state.pistis == (10, 0), "the last card lay on an empty pile"
    state, events = put(at("4D", "4S", captured=("9D", "")), "4D", "4S")
    assert PistiMade(1, 10) in events
    assert state.tallies is not None
    assert state.tallies[1].pistis == 10


def test_pi_7_leftovers_go_to_the_last_capturer_without_pisti() -> None:
    state, events = put(at("7S", "9S", pile="9H", last_capturer=0), "7S", "9S")
    assert state.captured[0] == cards("9H 7S 9S"), "seat 1 played last, seat 0 captured last"
    assert state.pistis == (0, 0)
    assert [type(event) for event in events] == [CardPlayed, HandEnded]
    state, _ = put(at("4D", "5S", last_capturer=0), "4D", "5S")
    assert state.captured[0] == cards("4D 5S")
    assert state.pistis == (0, 0)


def test_pi_7_leftovers_go_to_nobody_where_nobody_captured() -> None:
    rest = [card for card in DECK if card not in cards("7S 9S")]
    setup = PistiSetup(dealer=1, hands=(cards("7S"), cards("9S")), pile=tuple(rest))
    state = Pisti.start(PistiRules(), 2, setup)
    assert rest[-1].letter != "7"
    state, _ = put(state, "7S", "9S")
    assert state.captured == ((), ())
    assert state.view(None).scores == (0, 0), "no most cards either"


def test_pi_8_only_the_taker_sees_the_hidden_cards_and_all_when_the_hand_is_over() -> None:
    hidden = cards("8S 9S TS")
    state = at("7C 2D", "3S 3H", "4S 4H", "5D 5H", pile="8S 9S TS 7H", down=3)
    assert all(state.view(seat).hidden_cards == () for seat in (0, 1, 2, 3, None))
    state, _ = put(state, "7C")
    assert state.view(0).hidden_cards == hidden
    for other in (1, 2, 3, None):
        text = codec.encode(state.view(other))
        assert state.view(other).hidden_cards == ()
        assert not [card for card in hidden if card in text], "not the partner either"
    state, _ = put(state, "3S", "4S", "5D", "2D", "3H", "4H", "5H")
    assert state.phase == "hand_over"
    assert all(state.view(seat).hidden_cards == hidden for seat in (0, 1, 2, 3, None))


# --- counting ---


def counted(first: str, *, pistis: tuple[int, int] = (0, 0)) -> Tally:
    """What seat 0 gets for these cards, two of them played last; seat 1 has captured all the others."""
    taken = cards(first)
    state = at("2H", "3H", captured=(" ".join(taken), ""), pistis=pistis, last_capturer=1)
    state, _ = put(state, "2H", "3H")
    assert state.tallies is not None
    return state.tallies[0]


@pytest.mark.parametrize(
    ("taken", "points"),
    [
        ("AS", 1),
        ("AS AH AD AC", 4),
        ("JS", 1),
        ("JS JH JD JC", 4),
        ("2C", 2),
        ("2S", 0),
        ("TD", 3),
        ("TC", 0),
        ("KS QS 9S", 0),
        ("AS AH AD AC JS JH JD JC 2C TD", 13),
    ],
)
def test_pi_9_points_of_cards(taken: str, points: int) -> None:
    tally = counted(taken)
    assert tally.total == points
    assert tally.cards == len(cards(taken))
    assert tally.most_cards == 0


@pytest.mark.parametrize(("count", "points"), [(25, (0, 3)), (26, (0, 0)), (27, (3, 0))])
def test_pi_9_most_cards(count: int, points: tuple[int, int]) -> None:
    plain = [card for card in DECK if card not in cards("2H 3H")]
    state = at("2H", "3H", captured=(" ".join(plain[:count]), ""), last_capturer=1)
    state, _ = put(state, "2H", "3H")
    assert state.tallies is not None
    assert tuple(tally.most_cards for tally in state.tallies) == points
    assert sum(tally.cards for tally in state.tallies) == 52


def test_pi_9_pistis_are_added() -> None:
    tally = counted("AS", pistis=(30, 0))
    assert (tally.pistis, tally.total) == (30, 31)


def ended(totals: tuple[int, int], target: int = 101) -> Pisti:
    """A match after a hand that brought nobody anything and both sides to these totals."""
    rest = tuple(card for card in DECK if card not in cards("7S 9S"))
    setup = PistiSetup(dealer=1, hands=(cards("7S"), cards("9S")), pile=rest, totals=totals)
    state, _ = put(Pisti.start(PistiRules(target=target), 2, setup), "7S", "9S")  # type: ignore[arg-type]
    assert state.view(None).totals == totals
    return state


@pytest.mark.parametrize(
    ("totals", "target", "winners"),
    [
        ((101, 100), 101, (0,)),
        ((100, 101), 101, (1,)),
        ((100, 99), 101, None),
        ((104, 98), 101, (0,)),
        ((99, 101), 101, (1,)),
        ((103, 107), 101, (1,)),
        ((104, 104), 101, None),
        ((51, 50), 51, (0,)),
        ((50, 0), 51, None),
        ((150, 149), 151, None),
        ((0, 151), 151, (1,)),
        ((150, 101), 101, (0,)),
    ],
)
def test_pi_10_at_least_the_target_and_more_than_the_other(
    totals: tuple[int, int], target: int, winners: tuple[int, ...] | None
) -> None:
    state = ended(totals, target)
    assert state.phase == ("hand_over" if winners is None else "over")
    assert state.view(None).winners == (winners or ())
    if winners is None:
        assert (state.turn, state.result) == (HOUSE, None), "another hand"
    else:
        assert state.result is not None
        assert state.result.places == ((1, 2) if winners == (0,) else (2, 1))


def test_pi_11_partners_share_captures_and_score() -> None:
    state = at("7C 2D", "3S 3H", "4S 4H", "5D 5H", pile="7H", captured=("", ""))
    state, _ = put(state, "7C", "3S", "4S", "5D", "2D", "3H", "4H", "5H")
    view = state.view(None)
    assert view.scores is not None
    assert view.scores[0] == view.scores[2] >= 10
    assert view.scores[1] == view.scores[3]
    assert view.totals == view.scores
    state = at("2D", "3S", "4S", "5D", pile="7H", totals=(120, 5, 120, 5))
    state, _ = put(state, "2D", "3S", "4S", "5D")
    assert state.view(None).winners == (0, 2)
    assert state.result is not None
    assert state.result.places == (1, 2, 1, 2)


def test_pi_11_a_hand_stays_hidden_from_the_partner() -> None:
    state = dealt(4)
    for seat in range(4):
        text = codec.encode(state.view((seat + 2) % 4))
        assert not [card for card in state.hands[seat] if card in text]


def test_pi_12_no_codes_beyond_the_common_ones() -> None:
    assert set(GAME.texts.refusals) == set(Common)
    state = at("QH KH", "7C 8C", pile="7H", turn=1)
    assert refusal(state, 0, Play(Card("QH"))).reason == Common.NOT_YOUR_TURN
    assert refusal(state, 1, Play(Card("QH"))).reason == Common.NOT_HELD
    assert refusal(state, 1, Play(Card("7H"))).facts == {"card": "7H"}


# --- invariants, on random matches ---


def pisti(draw_from: st.DataObject) -> Match:
    return draw_from.draw(matches(GAME))


def whole(state: Any) -> Pisti:
    assert isinstance(state, Pisti)
    return state


@given(data=st.data())
@settings(max_examples=30)
def test_pi_i1_there_are_always_52_cards(data: st.DataObject) -> None:
    with pisti(data) as match:
        for step in match.steps():
            state = whole(step.after)
            if state.hand:
                places = [state.stock, state.pile, state.hidden, *state.hands, *state.captured]
                assert sorted(card for place in places for card in place) == sorted(DECK)
                view = state.view(None)
                assert sum(view.held) + view.stock + view.pile + sum(view.captured) == 52


@given(data=st.data())
@settings(max_examples=30)
def test_pi_i2_card_points_are_13_majority_3_or_0_pistis_tens(data: st.DataObject) -> None:
    with pisti(data) as match:
        for step in match.steps():
            state = whole(step.after)
            assert all(points % 10 == 0 for points in state.pistis)
            if not any(isinstance(event, HandEnded) for event in step.events):
                continue
            assert state.tallies is not None
            one, other = state.tallies
            items = [tally.aces + tally.jacks + tally.club_two + tally.diamond_ten for tally in (one, other)]
            assert sum(items) == (13 if state.last_capturer is not None else 0)
            majority = {(False, False): (0, 0), (True, False): (3, 0), (False, True): (0, 3)}
            assert (one.most_cards, other.most_cards) == majority[one.cards > other.cards, other.cards > one.cards]
            assert (one.pistis, other.pistis) == state.pistis
            assert state.history[-1] == (one.total, other.total)


@given(data=st.data())
@settings(max_examples=30)
def test_pi_i3_a_pisti_only_from_a_pile_of_one(data: st.DataObject) -> None:
    with pisti(data) as match:
        for step in match.steps():
            before, after = whole(step.before), whole(step.after)
            made = [event for event in step.events if isinstance(event, PistiMade | JackPistiMade)]
            if isinstance(step.action, Play):
                lone = before.view(None).pile == 1 and before.pile[-1].letter == step.action.card.letter
                assert len(made) == lone
                assert sum(after.pistis) - sum(before.pistis) == sum(event.points for event in made)
            for event in made:
                jacks = step.action.card.letter == "J" if isinstance(step.action, Play) else False
                assert event.points == (20 if jacks else 10)
                assert isinstance(event, JackPistiMade) is jacks


@given(data=st.data())
@settings(max_examples=30)
def test_pi_i4_no_view_names_a_hidden_start_card_during_the_hand(data: st.DataObject) -> None:
    with pisti(data) as match:
        for step in match.steps(500):
            state = whole(step.after)
            if state.phase != "play":
                continue
            for viewer in (*range(state.seats), None):
                if viewer is None or viewer != state.hidden_taker:
                    text = codec.encode(state.view(viewer))
                    assert not [card for card in (*state.hidden, *state.stock) if card in text]


# --- typical bugs ---


def test_pi_b1_no_pisti_for_a_jack_on_a_plain_card_nor_for_captured_jacks() -> None:
    state, events = put(at("JC 2S", "3S 3H", pile="7H"), "JC")
    assert events == (CardPlayed(0, Card("JC")), Captured(0, 2))
    assert state.pistis == (0, 0)
    state, _ = put(at("JC 2S", "3S 3H", pile="JH 9D"), "JC")
    assert state.pistis == (0, 0)
    assert counted("JS JH JD JC").pistis == 0


def test_pi_b2_no_pisti_on_the_four_start_cards() -> None:
    state, events = put(at("7C 2D", "3S 3H", pile="8S 9S TS 7H", down=3), "7C")
    assert state.pistis == (0, 0)
    assert events[-1] == Captured(0, 5)
    state, _ = put(at("JC 2D", "3S 3H", pile="8S 9S TS JH", down=3), "JC")
    assert state.pistis == (0, 0)


def test_pi_b3_a_jack_captures_no_empty_pile() -> None:
    state, events = put(at("JC 2S", "JD 3H"), "JC")
    assert events == (CardPlayed(0, Card("JC")),)
    assert state.view(None).pile == 1
    state, events = put(state, "JD")
    assert events[-1] == JackPistiMade(1, 20)


def test_pi_b4_leftovers_are_no_pisti_and_not_the_last_players() -> None:
    state, _ = put(at("7S", "9S", last_capturer=0), "7S", "9S")
    assert (state.captured[0], state.pistis) == (cards("7S 9S"), (0, 0))
    state, _ = put(at("7S", "9S", pile="9H", last_capturer=1), "7S", "9S")
    assert state.pistis == (0, 0)
    assert set(cards("9H 7S 9S")) <= set(state.captured[1])


def test_pi_b5_a_start_jack_goes_into_the_rest_not_under_the_pile() -> None:
    rng = Shuffler("2S 3S 4S JD", "9H 8H JD")
    _, deal = Pisti.start(PistiRules(), 2).draw_lots(rng)
    state = dealt(2, 0, deal)  # type: ignore[arg-type]
    assert Card("JD") not in (*state.hidden, *state.pile)
    assert Card("JD") in state.hands[1]


def test_pi_b6_never_over_in_mid_hand_or_on_a_tie() -> None:
    state = at("7C 2D", "3S 3H", pile="7H", totals=(100, 150))
    assert state.phase == "play"
    state, _ = put(state, "7C")
    assert state.pistis == (10, 0)
    assert (state.phase, state.view(None).over, state.view(None).winners) == ("play", False, ())
    assert ended((151, 151)).phase == "hand_over"


def test_pi_b7_no_majority_at_26_26() -> None:
    plain = [card for card in DECK if card not in cards("2H 3H")]
    state = at("2H", "3H", captured=(" ".join(plain[:26]), ""), last_capturer=1)
    state, _ = put(state, "2H", "3H")
    assert state.tallies is not None
    assert [tally.cards for tally in state.tallies] == [26, 26]
    assert [tally.most_cards for tally in state.tallies] == [0, 0]


def test_pi_b8_every_other_card_is_worth_nothing() -> None:
    worthy = {card for card in DECK if card.letter in "AJ"} | {Card("2C"), Card("TD")}
    for card in DECK:
        if card not in worthy and card not in cards("2H 3H"):
            assert counted(str(card)).total == 0


# --- common rules ---


def test_cm_1_a_refusal_leaves_the_encoded_state_as_it_was() -> None:
    state = dealt(4)
    tries: list[tuple[int, Action]] = [
        (0, Play(state.hands[0][0])),
        (1, Play(state.stock[0])),
        (1, Play(state.hidden[0])),
        (1, Play(state.pile[0])),
        (HOUSE, A_DECK),
        (1, A_DECK),
        (HOUSE, First(0)),
        (4, Play(state.hands[1][0])),
    ]
    for seat, action in tries:
        refusal(state, seat, action)


@pytest.mark.parametrize("seats", GAME.seats)
def test_cm_3_the_next_seat_plays_next(seats: int) -> None:
    state, turns = dealt(seats), []
    while state.phase == "play":
        assert state.turn is not None
        turns.append(state.turn)
        state, _ = state.play(state.turn, state.moves(state.turn)[-1])
    assert turns[0] == 1
    assert all(after == (before + 1) % seats for before, after in pairwise(turns))


def test_cm_7_malformed_comes_first() -> None:
    for text in (
        '{"do":"play"}',
        '{"do":"play","card":"1C"}',
        '{"do":"play","card":7}',
        '{"do":"draw"}',
        "[]",
        "7",
        "",
    ):
        with pytest.raises(MalformedAction):
            codec.read_action((*GAME.actions, *GAME.lots), text)


def test_cm_7_the_turn_comes_before_the_card() -> None:
    state = at("QH KH", "7C 8C", pile="7H", turn=1)
    refused = refusal(state, 0, Play(Card("7H")))
    assert (refused.reason, refused.facts) == (Common.NOT_YOUR_TURN, {"turn": 1})


def test_cm_7_no_seat_is_on_turn_between_hands_and_at_the_end() -> None:
    for state in (ended((50, 40)), ended((150, 40))):
        for seat in (0, 1):
            assert refusal(state, seat, Play(Card("7S"))).reason == Common.NOT_YOUR_TURN


@pytest.mark.parametrize("seats", GAME.seats)
def test_cm_13_the_dealer_moves_right_whoever_won(seats: int) -> None:
    match = Match(GAME, PistiRules(target=151), seats, seed=1)
    dealers = [whole(step.after).dealer for step in match.steps() if isinstance(step.action, Deal)]
    assert len(dealers) > 4
    for before, after in pairwise(dealers):
        assert before is not None
        assert after == (before + 1) % seats


@pytest.mark.parametrize(
    ("hand", "lowest"),
    [("AS 2D 2H 9C", "2H"), ("KD KC", "KD"), ("JS TD QC", "TD"), ("AS AH AD AC", "AS"), ("3C", "3C")],
)
def test_ab_8_idle_plays_the_lowest_card_in_the_order_of_suits(hand: str, lowest: str) -> None:
    other = " ".join(str(card) for card in DECK if card.letter == "4")[: 3 * len(cards(hand)) - 1]
    state = at(hand, other, pile="5S")
    assert state.idle(0) == Play(Card(lowest))


# --- positions ---

TWO = {"dealer": 1, "hands": (("7S",), ("9S",)), "captured": (("2S",), ())}
"""A setup of which each test spoils one thing."""

BAD = {
    "2S stands there twice": {"pile": ("2S",)},
    "7S stands there twice": {"hands": (("7S",), ("7S",))},
    "9S stands there twice": {"stock": ("9S",)},
    "a position is in phase play": {"phase": "over"},
    "seats are 0 to 1": {"dealer": 2},
    "seats are 0 to 1 ": {"turn": -1},
    "seats are 0 to 1  ": {"last_capturer": 2},
    "2 hands are needed": {"hands": (("7S",), ("9S",), ("8S",))},
    "hands differ by at most a card, and the seat to act has one": {"hands": ((), ("9S",))},
    "hands differ by at most a card, and the seat to act has one ": {"hands": (("7S", "8S", "6S"), ("9S",))},
    "hands differ by at most a card, and the seat to act has one  ": {"hands": (("7S",), ("9S", "8S"))},
    "hands differ by at most a card, and the seat to act has one   ": {
        "hands": (("7S", "8S", "6S", "5S", "4S"), ("9S", "TS", "JS", "QS", "KS"))
    },
    "the stock is no whole number of rounds": {"captured": ((), ())},
    "three start cards lie face down under an open one, or none": {"pile": ("3S", "4S"), "face_down": 1},
    "three start cards lie face down under an open one, or none ": {"pile": ("3S", "4S", "5S"), "face_down": 3},
    "piştis are multiples of 10": {"pistis": (5, 0)},
    "piştis are multiples of 10 ": {"pistis": (-10, 0)},
    "totals are per seat, the same for partners": {"totals": (1, 2, 1)},
}


def setup(**changes: Any) -> dict[str, Any]:
    """Plain data; what is named nowhere was captured by seat 1, unless the test says otherwise."""
    plain = {"pile": (), **TWO, **changes}
    if "captured" not in changes:
        named = {*plain["pile"], *plain.get("stock", ()), "2S"}.union(*plain["hands"])
        plain["captured"] = (("2S",), tuple(str(card) for card in DECK if card not in named))
    return plain


def test_a_setup_that_breaks_nothing_is_a_position() -> None:
    state = whole(record.start(GAME, PistiRules(), 2, setup()))
    assert (state.phase, state.turn, state.stock) == ("play", 0, ())
    assert len(state.captured[1]) == 49


@pytest.mark.parametrize(("line", "changes"), BAD.items(), ids=BAD)
def test_a_setup_that_breaks_an_invariant_is_refused(line: str, changes: dict[str, Any]) -> None:
    with pytest.raises(BadSetup) as refused:
        record.start(GAME, PistiRules(), 2, setup(**changes))
    assert str(refused.value) == line.strip()


def test_a_setup_with_other_totals_for_partners_is_refused() -> None:
    hands = (("7S",), ("9S",), ("8S",), ("6S",))
    record.start(GAME, PistiRules(), 4, setup(hands=hands, totals=(3, 4, 3, 4)))
    with pytest.raises(BadSetup, match="the same for partners"):
        record.start(GAME, PistiRules(), 4, setup(hands=hands, totals=(3, 4, 4, 3)))


@pytest.mark.parametrize(
    ("seats", "changes"),
    [
        (3, {}),
        (2, {"hands": (("XX",), ("9S",))}),
        (2, {"colour": "red"}),
        (2, {"face_down": -1}),
        (2, {"dealer": None}),
    ],
    ids=["three seats", "no card", "an unknown key", "fewer than none face down", "no dealer"],
)
def test_a_setup_that_is_none_is_refused(seats: int, changes: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        record.start(GAME, PistiRules(), seats, {**setup(), **changes})


def test_unlisted_cards_follow_the_stock_in_canonical_order() -> None:
    named = {
        "dealer": 1,
        "hands": (("7S", "8S", "9S", "TS"), ("7H", "8H", "9H", "TH")),
        "pile": ("2S", "3S", "4S", "7D"),
    }
    state = whole(record.start(GAME, PistiRules(), 2, {**named, "stock": ["AC", "KC"]}))
    assert state.stock[:4] == cards("AC KC 5S 6S")
    assert list(state.stock[2:]) == sorted(state.stock[2:], key=DECK.index)
