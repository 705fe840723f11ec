"""3-5-8 by the paragraphs of its chapter (RULES, 6). Examples with whole positions are records in tests/cases."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mokali.engine import codec, record
from mokali.engine.cardplay import CardPlayed, Deal, Play
from mokali.engine.cards import DECK, RANKS, Card, Suit, canonical, cards
from mokali.engine.protocol import (
    HOUSE,
    Action,
    BadSetup,
    Common,
    Event,
    HandEnded,
    IllegalAction,
    MalformedAction,
    Result,
)
from mokali.engine.tricks import Trick, TrickWon, TrumpChosen
from mokali.games.ucbessekiz import GAME, exchange
from mokali.games.ucbessekiz.exchange import Claim, Swap
from mokali.games.ucbessekiz.rules import Strain, UcBesSekizRules, amnesty
from mokali.games.ucbessekiz.state import (
    Buried,
    Bury,
    Decline,
    Declined,
    Exchanged,
    Give,
    No,
    NoTrump,
    Pass,
    RedealAsked,
    Trump,
    UcBesSekiz,
)
from tests.hidden import things
from tests.matches import Match, Step, matches

A_DECK = Deal(DECK)
"""The deck in canonical order: seat 0 has the spades and 2H 3H 4H, the kitty is JC QC KC AC, seat 2 has 2C."""

FULL = (
    "AS KS 9S 8S AH TH 9H 2H KD QD 7D 6D AC JC 5C 4C",
    "QS JS 7S 6S KH QH 8H 7H AD JD 5D 4D KC QC 9C 3C",
    "TS 5S 4S 3S JH 6H 5H 4H TD 9D 8D 3D TC 8C 7C 6C",
)
"""Three whole hands."""
DIP = "2S 3H 2D 2C"


def at(*hands: str, led: str = "", trump: str = "S", leader: int = 0, match: int = 6, **more: Any) -> UcBesSekiz:
    """A position in the play; cards named nowhere were played or buried, tricks taken evenly if the test does not say.

    ``leader`` led ``led``, or is to lead.
    """
    here = tuple(map(cards, hands))
    trick = tuple(((leader + turn) % 3, card) for turn, card in enumerate(cards(led)))
    played = 16 - max(map(len, here))
    evenly = tuple(played // 3 + (seat < played % 3) for seat in range(3))
    more = {"roles": (8, 5, 3), "taken": evenly, "turn": (leader + len(trick)) % 3, **more}
    plain = {"hands": here, "dip": (), "trump": trump, "trick": trick, **more}
    return whole(record.start(GAME, UcBesSekizRules(hands=match), 3, codec.plain(plain)))  # type: ignore[arg-type]


def before(hand: int = 2, match: int = 12, passes: Any = None, **more: Any) -> UcBesSekiz:
    """A position before the play, with whole hands."""
    plain = {"roles": (8, 5, 3), "hands": tuple(map(cards, FULL)), "dip": cards(DIP), "hand": hand, **more}
    rules = UcBesSekizRules(hands=match, max_redeals=passes)  # type: ignore[arg-type]
    return whole(record.start(GAME, rules, 3, codec.plain(plain)))


def facing(led: str, hand: str, trump: str = "S") -> UcBesSekiz:
    """A position in which who holds ``hand`` is to play on what was led; the others hold whatever is left."""
    others = [card for card in DECK if card not in cards(f"{led} {hand}")]
    in_trick, size = len(cards(led)), len(cards(hand))
    hands = [" ".join(others[n * size : (n + 1) * size - (n < in_trick)]) for n in range(3)]
    return at(*hands[:in_trick], hand, *hands[in_trick + 1 :], led=led, trump=trump)


def put(state: UcBesSekiz, *actions: Action | str) -> tuple[UcBesSekiz, tuple[Event, ...]]:
    """The state after these actions of the seats on turn, and the last one's events; a text is a card to play."""
    events: tuple[Event, ...] = ()
    for action in actions:
        assert state.turn is not None
        state, events = state.play(state.turn, Play(Card(action)) if isinstance(action, str) else action)
    return state, events


def deck(*hands: str) -> Deal:
    """A deal in which these seats have these cards among others."""
    wanted = list(map(cards, (*hands, *[""] * (4 - len(hands)))))
    rest = [card for card in DECK if not any(card in some for some in wanted)]
    blocks: list[Card] = []
    for size, some in zip((16, 16, 16, 4), wanted, strict=True):
        blocks += [*some, *rest[: size - len(some)]]
        del rest[: size - len(some)]
    return Deal(tuple(blocks))


def dealt(deal: Deal = A_DECK, **rules: Any) -> UcBesSekiz:
    """A match whose first hand has just been dealt."""
    return put(UcBesSekiz.start(UcBesSekizRules(**rules), 3), deal)[0]


def refusal(state: UcBesSekiz, seat: int | None, action: Action) -> IllegalAction:
    encoded = codec.encode(state)
    assert seat is not None
    with pytest.raises(IllegalAction) as refused:
        state.play(seat, action)
    assert codec.encode(state) == encoded
    return refused.value


def legal(state: UcBesSekiz) -> tuple[Card, ...]:
    return state.view(state.turn).legal


def whole(state: Any) -> UcBesSekiz:
    assert isinstance(state, UcBesSekiz)
    return state


def ended(taken: tuple[int, int, int], **more: Any) -> UcBesSekiz:
    """A match after a hand with these tricks, the last of which seat 0 took."""
    return put(at("AH", "2H", "3H", taken=(taken[0] - 1, *taken[1:]), **more), "AH", "2H", "3H")[0]


# --- cards, deal, roles ---


def test_ub_1_aces_are_high_and_twos_low() -> None:
    for low, high in pairwise(RANKS):
        _, events = put(at(f"{low}H", f"{high}H", "2D", trump="C"), f"{low}H", f"{high}H", "2D")
        assert TrickWon(1) in events


def test_ub_2_sixteen_cards_each_and_four_in_the_kitty() -> None:
    state = dealt()
    assert state.hands == (DECK[:16], DECK[16:32], DECK[32:48])
    assert state.dip == DECK[48:]
    view = state.view(0)
    assert (view.held, view.dip, view.cards) == ((16, 16, 16), 4, DECK[:16])


@pytest.mark.parametrize("some", [DECK[:-1], (*DECK[:-1], DECK[0]), (*DECK, DECK[0]), ()], ids=len)
def test_ub_2_a_deck_that_is_none_is_malformed(some: tuple[Card, ...]) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.lots, codec.encode({"do": "deal", "deck": some}))
    with pytest.raises(ValueError, match="52"):
        Deal(some)


@pytest.mark.parametrize(
    ("deal", "roles"),
    [
        (deck("2C"), (8, 5, 3)),
        (deck("", "2C"), (3, 8, 5)),
        (deck("", "", "2C"), (5, 3, 8)),
        (deck("", "", "", "2C"), (8, 5, 3)),
    ],
    ids=["seat 0", "seat 1", "seat 2", "kitty"],
)
def test_ub_4_ub_3_the_holder_of_2c_is_role_8_and_5_and_3_follow(deal: Deal, roles: tuple[int, ...]) -> None:
    state = dealt(deal)
    assert state.view(None).roles == roles
    assert state.turn == roles.index(8)


def test_ub_3_role_targets_are_all_tricks() -> None:
    assert sum(dealt().roles) == 16


def test_ub_5_3_becomes_8_8_becomes_5_5_becomes_3() -> None:
    state = ended((8, 5, 3))
    assert (state.roles, state.view(None).next_roles) == ((8, 5, 3), (5, 3, 8))
    state, _ = put(state, A_DECK)
    assert (state.roles, state.turn, state.hand) == ((5, 3, 8), 2, 2), "though seat 2 has 2C anyway"
    state, _ = put(state, Trump(Strain.NONE))
    assert state.phase == "bury"


def test_ub_6_phases() -> None:
    state = UcBesSekiz.start(UcBesSekizRules(), 3)
    assert (state.phase, state.turn) == ("hand_over", HOUSE)
    state = before(balance=(-2, 1, 1))
    assert (state.phase, state.turn) == ("exchange", 1)
    state, events = put(state, Give(Card("3C")))
    assert (state.phase, state.turn, events) == ("exchange", 2, (Exchanged(1, 0),))
    state, events = put(state, Decline())
    assert (state.phase, state.turn, events) == ("trump", 0, (Declined(2),))
    state, events = put(state, Trump(Strain.HEARTS))
    assert (state.phase, state.turn, events) == ("bury", 0, (TrumpChosen(0, Suit.HEARTS),))
    state, events = put(state, Bury(cards("AS KS 9S 8S")))
    assert (state.phase, state.turn, events) == ("play", 0, (Buried(0),))
    state, events = put(state, "2S")
    assert (state.phase, state.turn, events) == ("play", 1, (CardPlayed(0, Card("2S")),))
    assert (ended((8, 5, 3)).phase, ended((8, 5, 3)).turn) == ("hand_over", HOUSE)
    assert (ended((8, 5, 3), hand=6).phase, ended((8, 5, 3), hand=6).turn) == ("over", None)


SOME: dict[str, tuple[Action, ...]] = {
    "exchange": (Give(Card("4C")), Decline()),
    "trump": (Trump(Strain.SPADES), Trump(Strain.NONE), Pass()),
    "bury": (Bury(cards("AS KS 9S 8S")),),
    "play": (Play(Card("AS")),),
}
"""What seat 0 may do in each phase of ``FULL``."""


@pytest.mark.parametrize("phase", SOME)
def test_ub_6_what_belongs_to_another_phase_is_wrong_phase(phase: str) -> None:
    played = {"hands": tuple(map(cards, ("AS 2H", "3H 4H", "5H 6H"))), "dip": (), "taken": (5, 5, 4)}
    more: dict[str, dict[str, Any]] = {
        "exchange": {"balance": (2, -1, -1)},
        "trump": {},
        "bury": {"trump": "H"},
        "play": {"trump": "H", **played},
    }
    state = before(**more[phase])
    assert (state.phase, state.turn) == (phase, 0)
    for other, actions in SOME.items():
        for action in (*actions, A_DECK):
            if other != phase or action is A_DECK:
                refused = refusal(state, 0, action)
                assert (refused.reason, refused.facts) == (Common.WRONG_PHASE, {"phase": phase})
            assert refusal(state, 1, action).reason == Common.NOT_YOUR_TURN
            assert refusal(state, HOUSE, action).reason == Common.NOT_YOUR_TURN


def test_ub_6_the_house_deals_and_nothing_else() -> None:
    passed, _ = put(dealt(), Pass())
    for state in (UcBesSekiz.start(UcBesSekizRules(), 3), ended((8, 5, 3)), passed):
        for action in (Pass(), Decline(), Trump(Strain.SPADES), Play(Card("2S")), Give(Card("2S"))):
            assert refusal(state, HOUSE, action).reason == Common.WRONG_PHASE
        for seat in range(3):
            assert refusal(state, seat, A_DECK).reason == Common.NOT_YOUR_TURN
    assert refusal(ended((8, 5, 3), hand=6), HOUSE, A_DECK).reason == Common.NOT_YOUR_TURN, "it is over"


# --- passing and burying ---


def test_ub_7_a_pass_is_a_new_deal_with_the_same_roles() -> None:
    state = dealt()
    assert state.roles == (5, 3, 8)
    state, events = put(state, Pass())
    assert (state.phase, state.turn, events) == ("trump", HOUSE, (RedealAsked(2),)), "no pause: it is no hand's end"
    view = state.view(2)
    assert (view.turn, view.hand, view.redeals, view.cards, view.dip) == (None, 1, 1, (), 0)
    (lot,) = state.draw_lots(Random(1))
    state, _ = put(state, lot)
    assert (state.phase, state.turn, state.hand, state.roles) == ("trump", 2, 1, (5, 3, 8))
    assert state.hands != dealt().hands
    state, _ = put(state, Trump(Strain.CLUBS))
    assert state.view(None).redeals == 1


def test_ub_7_the_exchange_is_done_again_with_the_new_cards() -> None:
    state = before(balance=(-2, 1, 1))
    owed = (Claim(1, 0, 1), Claim(2, 0, 1))
    state, _ = put(state, Give(Card("3C")), Give(Card("3S")))
    assert (len(state.swaps), state.claims) == (2, ())
    state, _ = put(state, Pass(), A_DECK)
    assert (state.phase, state.turn, state.claims, state.swaps) == ("exchange", 1, owed, ())
    assert state.hands == dealt().hands


def test_ub_7_a_position_without_exchange_has_it_after_a_pass() -> None:
    state = before(balance=(-2, 1, 1), phase="trump")
    assert (state.phase, state.turn) == ("trump", 0)
    state, _ = put(state, Pass(), A_DECK)
    assert (state.phase, state.turn) == ("exchange", 1)


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_ub_7_ub_23_no_more_passes_than_allowed(most: int) -> None:
    state = dealt(max_redeals=most)
    for _ in range(most):
        assert state.view(None).may_pass
        assert Pass() in state.moves(2)
        state, _ = put(state, Pass(), A_DECK)
    assert not state.view(None).may_pass
    assert state.moves(2) == tuple(map(Trump, Strain))
    assert refusal(state, 2, Pass()).reason == No.NO_REDEAL


def test_ub_7_passes_are_counted_per_hand_and_without_limit_by_default() -> None:
    state = dealt()
    for count in range(1, 9):
        state, _ = put(state, Pass(), A_DECK)
        assert state.view(1).redeals == count
    state, _ = put(replace(ended((8, 5, 3)), redeals=3), A_DECK)
    assert state.view(1).redeals == 0


def test_ub_8_four_own_cards_are_buried_and_the_kitty_taken() -> None:
    state = before(trump="S", hand=1)
    state, events = put(state, Bury(cards("AC AS KS AH")))
    assert events == (Buried(0),)
    assert state.buried == cards("KS AS AH AC")
    assert state.hands[0] == cards("2S 8S 9S 2H 3H 9H TH 2D 6D 7D QD KD 2C 4C 5C JC")
    view = state.view(0)
    assert (view.buried, view.kitty, view.dip) == (cards("KS AS AH AC"), cards("2S 3H 2D 2C"), 0)
    assert view.legal == view.cards
    assert refusal(state, 0, Play(Card("AS"))).reason == Common.NOT_HELD


def test_ub_8_none_of_the_kitty_or_of_another_hand_is_buried() -> None:
    state = before(trump="S", hand=1)
    for other in ("2S", "2C", "QS", "TS"):
        refused = refusal(state, 0, Bury(cards(f"AS KS 9S {other}")))
        assert (refused.reason, refused.facts) == (Common.NOT_HELD, {"card": other})


@pytest.mark.parametrize("some", ["", "AS KS 9S", "AS KS 9S 9S", "AS KS 9S 8S AH", "AS AS AS AS"])
def test_ub_23_other_than_four_different_cards_is_malformed(some: str) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(GAME.actions, codec.encode({"do": "bury", "cards": cards(some)}))


# --- play ---


def test_ub_9_role_8_leads_and_then_who_won() -> None:
    state = before(trump="S", hand=1, roles=(5, 3, 8))
    state, _ = put(state, Bury(cards("3D 8D 9D TD")))
    assert state.turn == 2
    assert legal(state) == state.hands[2], "any card may be led, trump at any time"
    state, events = put(state, "TS", "KS", "6S")
    assert events == (CardPlayed(1, Card("6S")), TrickWon(0))
    assert state.turn == 0
    view = state.view(None)
    assert view.tricks == (((2, Card("TS")), (0, Card("KS")), (1, Card("6S"))),)
    assert (view.won, view.taken, view.trick) == ((0,), (1, 0, 0), ())


MUST: list[tuple[str, str, str, str, str]] = [
    ("UB-C1", "9H", "JH 4H AS", "S", "JH"),
    ("UB-C2", "9H KH", "JH 4H AS", "S", "4H JH"),
    ("UB-C3", "9H 2S", "AH 4H", "S", "4H AH"),
    ("UB-C4", "9S JD", "TS 3S", "S", "TS"),
    ("UB-C5 undertrump", "9H 5S", "3S 2C", "S", "3S"),
    ("UB-C5 overtrump", "9H 5S", "8S 3S 2C", "S", "8S"),
    ("UB-C5 neither", "9H 5S", "2C KD", "S", "KD 2C"),
    ("UB-C6", "9H", "2C AS", "none", "AS 2C"),
    ("UB-10", "9H", "2H AC KD", "C", "2H"),
    ("UB-11 the highest, not the last", "9H 3H", "5H TH KH", "S", "TH KH"),
    ("UB-11 other suits don't count", "9H AD", "5H TH", "S", "TH"),
    ("UB-12 trump led", "9S 8H", "AS 2S 3H", "S", "AS"),
    ("UB-13 any trump", "AC", "2D QD AS AH", "D", "2D QD"),
    ("UB-13 trump led and void", "9S JS", "2C KD", "S", "KD 2C"),
    ("UB-14 no trump, follow", "9H AS", "2H 3C", "none", "2H"),
    ("UB-14 no trump, beat", "9H AS", "2H TH 3S", "none", "TH"),
]


@pytest.mark.parametrize(("led", "hand", "trump", "allowed"), [row[1:] for row in MUST], ids=[row[0] for row in MUST])
def test_ub_c1_to_c6_ub_10_to_14_what_may_be_played(led: str, hand: str, trump: str, allowed: str) -> None:
    state = facing(led, hand, trump)
    assert legal(state) == canonical(cards(allowed))
    for card in cards(hand):
        if card in cards(allowed):
            assert put(state, str(card))[1][0] == CardPlayed(len(cards(led)), card)
        else:
            refusal(state, state.turn, Play(card))


@pytest.mark.parametrize(
    ("led", "hand", "card", "code", "suit", "to_beat"),
    [
        ("9H", "JH 4H AS", "4H", No.MUST_BEAT, "H", "9H"),
        ("9H", "JH 4H AS", "AS", No.MUST_FOLLOW, "H", "9H"),
        ("9S JD", "TS 3S", "3S", No.MUST_BEAT, "S", "9S"),
        ("9H 5S", "8S 3S 2C", "3S", No.MUST_OVERTRUMP, "S", "5S"),
        ("9H 5S", "8S 3S 2C", "2C", No.MUST_TRUMP, "S", "5S"),
        ("9H", "3S 2C", "2C", No.MUST_TRUMP, "S", "9H"),
    ],
)
def test_ub_23_codes_and_facts(led: str, hand: str, card: str, code: No, suit: str, to_beat: str) -> None:
    state = facing(led, hand)
    refused = refusal(state, state.turn, Play(Card(card)))
    assert (refused.reason, refused.facts) == (code, {"suit": suit, "card": to_beat})
    assert [type(fact) for fact in refused.facts.values()] == [Suit, Card], "so that they are named in Turkish"


def test_ub_23_the_codes_in_their_order() -> None:
    assert list(No) == ["must_follow", "must_beat", "must_trump", "must_overtrump", "no_redeal"]
    state = facing("9H", "JH 4H AS")
    assert refusal(state, 0, Play(Card("AS"))).reason == Common.NOT_YOUR_TURN
    assert refusal(state, 1, Give(Card("2C"))).reason == Common.WRONG_PHASE
    assert refusal(state, 1, Play(Card("2C"))).reason == Common.NOT_HELD


@pytest.mark.parametrize(
    ("played", "trump", "winner"),
    [("AH 2S 5S", "S", 2), ("9H AS 2H", "none", 0), ("9H AS 2H", "D", 0), ("9H TH 2H", "S", 1), ("2S 3S AH", "S", 1)],
)
def test_ub_c7_ub_15_the_highest_trump_or_the_highest_of_the_led_suit(played: str, trump: str, winner: int) -> None:
    state, events = put(at(*played.split(), trump=trump), *played.split())
    assert events[1] == TrickWon(winner)
    assert state.taken == tuple(5 + (seat == winner) for seat in range(3))


# --- scoring and exchange ---


@pytest.mark.parametrize("taken", [(8, 5, 3), (6, 7, 3), (9, 7, 0), (1, 13, 2), (3, 0, 13)])
def test_ub_16_tricks_less_target(taken: tuple[int, int, int]) -> None:
    state = ended(taken, totals=(1, -3, 2), hand=2)
    scores = (taken[0] - 8, taken[1] - 5, taken[2] - 3)
    view = state.view(None)
    assert (view.scores, view.history, view.reason) == (scores, (scores,), "played_out")
    assert view.totals == (1 + scores[0], -3 + scores[1], 2 + scores[2])
    assert (view.past_roles, view.past_taken, view.taken) == (((8, 5, 3),), (taken,), taken)


@pytest.mark.parametrize(
    ("balance", "roles", "claims"),
    [
        ((0, 0, 0), (8, 5, 3), ()),
        ((-2, 2, 0), (5, 3, 8), (Claim(1, 0, 2),)),
        ((1, 2, -3), (5, 3, 8), (Claim(0, 2, 1), Claim(1, 2, 2))),
        ((1, 2, -3), (3, 8, 5), (Claim(1, 2, 2), Claim(0, 2, 1))),
        ((-3, 1, 2), (8, 5, 3), (Claim(1, 0, 1), Claim(2, 0, 2))),
        ((-3, 1, 2), (3, 8, 5), (Claim(1, 0, 1), Claim(2, 0, 2))),
        ((-3, 1, 2), (5, 3, 8), (Claim(2, 0, 2), Claim(1, 0, 1))),
        ((-2, 3, -1), (3, 8, 5), (Claim(1, 2, 1), Claim(1, 0, 2))),
        ((3, -1, -2), (3, 8, 5), (Claim(0, 1, 1), Claim(0, 2, 2))),
        ((-1, -2, 3), (3, 8, 5), (Claim(2, 0, 1), Claim(2, 1, 2))),
    ],
)
def test_ub_17_who_takes_from_whom(balance: Any, roles: Any, claims: tuple[Claim, ...]) -> None:
    assert exchange.owed(balance, roles) == claims
    state = before(balance=balance, roles=roles)
    view = state.view(None)
    assert (view.owed, view.claims) == (claims, claims)
    first = sum(claim.cards for claim in claims if claim.taker == claims[0].taker)
    assert (state.phase, view.exchanges) == (("exchange", first) if claims else ("trump", 0))


def test_ub_17_the_differences_of_the_hand_before_and_the_new_targets() -> None:
    state = ended((9, 7, 0), totals=(5, -9, 4))
    view = state.view(None)
    assert view.next_claims == (Claim(0, 2, 1), Claim(1, 2, 2))
    state, _ = put(state, A_DECK)
    assert (state.claims, state.turn) == (view.next_claims, 0)
    view = state.view(None)
    assert (view.next_claims, view.next_roles, view.next_amnesty) == ((), None, False), "said between hands only"


def test_ub_17_exchanges_count_the_steps_left_to_the_taker() -> None:
    state, left = before(balance=(-2, 3, -1)), []
    while state.phase == "exchange":
        left.append((state.turn, state.view(None).exchanges, state.claims[0].source))
        state, _ = put(state, Give(state.hands[1][0]))
    assert left == [(1, 3, 2), (1, 2, 0), (1, 1, 0)]
    assert state.turn == 0, "role 8 chooses"


@pytest.mark.parametrize(
    ("given", "held", "returned"),
    [
        ("QH", "AH KH 2C", "AH"),
        ("4C", "3C AH", "4C"),
        ("4C", "5C 9C KC", "KC"),
        ("4C", "AS AH AD", "4C"),
        ("AS", "KS QS", "AS"),
        ("2S", "3S", "3S"),
    ],
)
def test_ub_18_the_highest_card_of_the_suit_comes_back_if_it_is_higher(given: str, held: str, returned: str) -> None:
    assert exchange.returned(Card(given), cards(held)) == returned


def test_ub_18_ub_19_cards_change_hands_at_once() -> None:
    state = before(balance=(-2, 2, 0))
    state, events = put(state, Give(Card("6S")))
    assert events == (Exchanged(1, 0),)
    assert {"AS", "6S"} & {*state.hands[1]} == {"AS"}
    assert {"AS", "6S"} & {*state.hands[0]} == {"6S"}
    assert state.hands[0] == canonical(state.hands[0])
    assert refusal(state, 1, Give(Card("6S"))).reason == Common.NOT_HELD
    state, _ = put(state, Give(Card("AS")))
    assert state.swaps[1] == Swap(1, 0, Card("AS"), Card("AS")), "what was received may be given; the step is used"
    assert (state.phase, state.claims) == ("trump", ())


def test_ub_18_cards_received_earlier_may_come_back() -> None:
    state = before(balance=(-2, 2, 0))
    state, _ = put(state, Give(Card("KH")), Give(Card("QH")))
    assert state.swaps == (Swap(1, 0, Card("KH"), Card("AH")), Swap(1, 0, Card("QH"), Card("KH")))


def test_ub_18_only_the_two_know_the_cards() -> None:
    state = before(balance=(-2, 1, 1))
    state, _ = put(state, Give(Card("6S")), Give(Card("TD")))
    assert state.view(0).swaps == (Swap(1, 0, Card("6S"), Card("AS")), Swap(2, 0, Card("TD"), Card("KD")))
    assert state.view(1).swaps == (Swap(1, 0, Card("6S"), Card("AS")), Swap(2, 0, None, None))
    assert state.view(2).swaps == (Swap(1, 0, None, None), Swap(2, 0, Card("TD"), Card("KD")))
    assert state.view(None).swaps == (Swap(1, 0, None, None), Swap(2, 0, None, None))


def test_ub_19_decline_ends_all_steps_of_that_taker_alone() -> None:
    state, _ = put(before(balance=(-2, 3, -1)), Decline())
    assert (state.phase, state.claims) == ("trump", ())
    state, _ = put(before(balance=(-3, 1, 2), roles=(5, 3, 8)), Give(Card("3S")), Decline())
    assert (state.phase, state.turn, state.claims) == ("exchange", 1, (Claim(1, 0, 1),))


@pytest.mark.parametrize("hand", range(1, 13))
def test_ub_20_hands_1_5_and_9_have_no_exchange(hand: int) -> None:
    free = hand in (1, 5, 9)
    assert amnesty(hand) is free
    state = before(hand, balance=(-2, 2, 0))
    assert (state.phase, state.view(None).amnesty) == ("trump" if free else "exchange", free)
    if hand > 1:
        state = ended((6, 7, 3), hand=hand - 1, match=12)
        view = state.view(None)
        assert (view.next_amnesty, view.next_claims) == (free, () if free else (Claim(1, 0, 2),))
        assert put(state, A_DECK)[0].phase == ("trump" if free else "exchange")


@pytest.mark.parametrize(
    ("totals", "winners", "places"),
    [
        ((0, 4, -4), (1,), (2, 1, 3)),
        ((3, 3, -6), (0, 1), (1, 1, 3)),
        ((-2, 4, -2), (1,), (2, 1, 2)),
        ((0, 0, 0), (0, 1, 2), (1, 1, 1)),
    ],
)
@pytest.mark.parametrize("match", [3, 6, 9, 12])
def test_ub_c15_ub_21_the_highest_total_wins(totals: Any, winners: Any, places: Any, match: int) -> None:
    state = ended((8, 5, 3), totals=totals, hand=match, match=match)
    assert (state.phase, state.view(None).winners) == ("over", winners)
    assert state.result == Result(totals, places)
    assert ended((8, 5, 3), totals=totals, hand=match - 1, match=match).result is None


def test_ub_22_fourteen_tricks_win_at_once() -> None:
    state = at("AH KC", "2H 6C", "3H 7C", taken=(1, 13, 0), totals=(4, -4, 0), hand=2, leader=1)
    state, events = put(state, "6C", "7C", "KC")
    assert state.phase == "play"
    state = at("2H 6C", "AH KC", "3H 7C", taken=(1, 13, 0), totals=(4, -4, 0), hand=2, leader=1)
    state, events = put(state, "AH", "3H", "2H")
    assert events[1:] == (TrickWon(1), HandEnded((0, 0, 0), "fourteen"))
    view = state.view(None)
    assert (view.phase, view.over, view.turn, view.winners, view.reason) == ("over", True, None, (1,), "fourteen")
    assert (view.totals, view.taken, view.held) == ((4, -4, 0), (1, 14, 0), (1, 1, 1))
    assert state.result == Result((4, -4, 0), (2, 1, 3)), "whatever the totals"


def test_ub_22_in_the_last_trick_too() -> None:
    state = ended((14, 2, 0), totals=(-9, 9, 0), hand=2)
    assert (state.phase, state.view(None).winners, state.view(None).totals) == ("over", (0,), (-9, 9, 0))
    assert ended((13, 3, 0), hand=2).phase == "hand_over"


# --- invariants, on random matches ---


def may_be_played(card: Card, hand: tuple[Card, ...], trick: Trick, trump: str) -> bool:
    """UB-10 to UB-14 read word by word, for one card."""
    if not trick:
        return True
    led = trick[0][1].suit
    lying = [played for _, played in trick]
    if any(held.suit == led for held in hand):  # UB-10
        if card.suit != led:
            return False
        if led != trump and any(played.suit == trump for played in lying):  # UB-12
            return True
        highest = max(played.rank for played in lying if played.suit == led)  # UB-11
        return card.rank > highest or not any(held.suit == led and held.rank > highest for held in hand)
    if trump == "none" or not any(held.suit == trump for held in hand):  # UB-13, UB-14
        return True
    if card.suit != trump:
        return False
    trumps = [played.rank for played in lying if played.suit == trump]
    can = any(held.suit == trump and held.rank > max(trumps, default=0) for held in hand)
    return not trumps or not can or card.rank > max(trumps)


def taker(trick: Trick, trump: str) -> int:
    """UB-15 read word by word."""
    trumps = [(card.rank, seat) for seat, card in trick if card.suit == trump]
    return max(trumps or [(card.rank, seat) for seat, card in trick if card.suit == trick[0][1].suit])[1]


def steps_of(hands: int) -> Iterator[Step]:
    """Random matches of three hands, until so many hands have been played."""
    for seed in range(-(-hands // 3)):
        yield from Match(GAME, UcBesSekizRules(hands=3), 3, seed).steps()


def test_ub_i3_the_legal_set_is_a_brute_force_reading(rounds: Callable[[int, int], int]) -> None:
    seen: Counter[str] = Counter()
    for step in steps_of(rounds(36, 2_000)):
        state = whole(step.before)
        if state.phase != "play":
            continue
        hand, trump = state.hands[step.seat], str(state.trump)
        expected = tuple(card for card in hand if may_be_played(card, hand, state.trick, trump))
        assert expected, "never empty"
        assert legal(state) == expected
        assert state.moves(step.seat) == tuple(map(Play, expected))
        for card in set(hand) - set(expected):
            seen[refusal(state, step.seat, Play(card)).reason] += 1
        seen["states"] += 1
        if won := [event.seat for event in step.events if isinstance(event, TrickWon)]:
            assert isinstance(step.action, Play)
            assert won == [taker((*state.trick, (step.seat, step.action.card)), trump)]
    assert seen["states"] >= rounds(36, 2_000) * 40
    assert set(seen) == {"states", *list(No)[:4]}, "and every duty was broken"


def match_of(data: st.DataObject) -> Match:
    return data.draw(matches(GAME))


@given(data=st.data())
@settings(max_examples=15)
def test_ub_i1_there_are_always_52_cards(data: st.DataObject) -> None:
    with match_of(data) as match:
        for step in match.steps():
            state = whole(step.after)
            if state.hand and state.turn != HOUSE:
                tricks = [card for trick in (*state.tricks, state.trick) for _, card in trick]
                assert sorted([*tricks, *state.dip, *state.buried, *(c for h in state.hands for c in h)]) == sorted(
                    DECK
                )
                assert all(hand == canonical(hand) for hand in state.hands)


@given(data=st.data())
@settings(max_examples=15)
def test_ub_i2_ub_i4_differences_sum_to_0_after_16_tricks_or_14_of_one_seat(data: st.DataObject) -> None:
    with match_of(data) as match:
        given_, due = 0, 0
        for step in match.steps():
            before_, after = whole(step.before), whole(step.after)
            given_ += isinstance(step.action, Give)
            due += sum(claim.cards for claim in after.claims) if isinstance(step.action, Deal) else 0
            if isinstance(step.action, Decline):
                due -= sum(claim.cards for claim in before_.claims) - sum(claim.cards for claim in after.claims)
            if isinstance(step.action, Give):
                assert len(after.swaps) == len(before_.swaps) + 1
                assert [len(hand) for hand in after.hands] == [16, 16, 16]
            for event in step.events:
                if isinstance(event, HandEnded):
                    assert sum(event.scores) == 0 == sum(after.view(None).totals)
                    assert (sum(after.taken), event.reason) == (16, "played_out") or max(after.taken) == 14
        assert given_ == due, "steps given are steps taken"


@given(data=st.data())
@settings(max_examples=15)
def test_ub_i5_no_other_view_names_an_exchanged_buried_or_kitty_card(data: st.DataObject) -> None:
    with match_of(data) as match:
        for step in match.steps():
            state = whole(step.after)
            public = {card for trick in (*state.tricks, state.trick) for _, card in trick}
            for viewer in (0, 1, 2, None):
                view = state.view(viewer)
                allowed = public.union(view.cards)
                if viewer is not None:
                    own = [swap for swap in state.swaps if viewer in (swap.taker, swap.source)]
                    allowed |= {card for swap in own for card in (swap.given, swap.returned) if card}
                    allowed |= {*state.buried, *state.kitty} if state.roles and state.roles[viewer] == 8 else set()
                    assert view.cards == state.hands[viewer]
                assert set(things(view)) <= allowed
            told = {step.action.card} if isinstance(step.action, Play) else set()
            assert set(things(step.events)) <= told


# --- what a seat can imagine ---


def test_a_seat_that_knows_by_its_exchange_where_a_card_lies_imagines_it_there() -> None:
    state = before(balance=(-2, 2, 0))
    state, _ = put(state, Give(Card("6S")), Give(Card("7H")))
    worlds = [UcBesSekiz.imagine(state.view(1), Random(seed)) for seed in range(30)]
    assert all({"6S", "7H"} <= {*world.hands[0]} for world in worlds)
    assert len({world.hands[0] for world in worlds}) > 1
    worlds = [UcBesSekiz.imagine(state.view(0), Random(seed)) for seed in range(30)]
    assert all({"AS", "AH"} <= {*world.hands[1]} for world in worlds)
    worlds = [UcBesSekiz.imagine(state.view(2), Random(seed)) for seed in range(30)]
    assert not all({"AS", "AH"} <= {*world.hands[1]} for world in worlds), "the third seat knows nothing"
    after, _ = put(state, Trump(Strain.SPADES), Bury(cards("6S 7H 8S 9S")))
    worlds = [UcBesSekiz.imagine(after.view(1), Random(seed)) for seed in range(30)]
    assert not all("6S" in world.hands[0] for world in worlds), "role 8 may have buried it"


@pytest.mark.parametrize(
    ("swaps", "viewer", "known"),
    [
        ([(1, 0, "6S", "AS")], 1, ["6S", "", ""]),
        ([(1, 0, "6S", "AS")], 0, ["", "AS", ""]),
        ([(1, 0, "4C", "4C")], 1, ["", "", ""]),
        ([(1, 0, "4C", "4C")], 0, ["", "4C", ""]),
        ([(1, 0, "KH", "AH"), (1, 0, "QH", "KH")], 1, ["QH", "", ""]),
        ([(1, 0, "KH", "AH"), (1, 0, "QH", "KH")], 0, ["", "AH KH", ""]),
        ([(1, 0, "6S", "AS"), (1, 0, "AS", "AS")], 0, ["", "AS", ""]),
        ([(1, 0, "6S", "AS"), (2, 0, None, None)], 1, ["", "", ""]),
        ([(1, 0, None, None), (2, 0, "3S", "KS")], 2, ["3S", "", ""]),
        ([(1, 0, "6S", "AS")], None, ["", "", ""]),
        ([(1, 0, None, None)], 1, ["", "", ""]),
    ],
)
def test_what_is_known_of_other_hands_after_an_exchange(swaps: list[Any], viewer: Any, known: list[str]) -> None:
    made = [Swap(t, s, given and Card(given), back and Card(back)) for t, s, given, back in swaps]
    assert exchange.whereabouts(made, viewer, 3) == tuple(set(cards(hand)) for hand in known)


# --- typical bugs ---


def test_ub_b1_a_led_trump_must_be_beaten() -> None:
    assert legal(facing("5S 2H", "AS 3S")) == cards("AS")
    assert legal(facing("5S 9S", "AS 6S")) == cards("AS")


def test_ub_b2_a_lower_trump_is_no_free_choice() -> None:
    assert legal(facing("9H KS", "2S AC AD")) == cards("2S")


def test_ub_b3_the_last_trick_can_be_played_and_ends_the_hand() -> None:
    state = at("2H", "3C", "4D", trump="none")
    for card in ("2H", "3C", "4D"):
        assert legal(state) == cards(card)
        state, events = put(state, card)
    assert isinstance(events[-1], HandEnded)
    assert (state.trick, len(state.tricks)) == ((), 1)
    assert not any(state.moves(seat) for seat in range(3))


def test_ub_b4_totals_play_no_part_in_the_exchange() -> None:
    state, _ = put(ended((8, 5, 3), totals=(6, -3, -3)), A_DECK)
    assert (state.phase, state.view(None).owed) == ("trump", ())


def test_ub_b5_ub_c12_amnesty_forgets_hand_4_and_hand_6_looks_at_hand_5() -> None:
    state = ended((10, 3, 3), hand=4, totals=(4, -2, -2))
    assert state.view(None).scores == (2, -2, 0)
    state, _ = put(state, A_DECK)
    assert (state.phase, state.hand, state.roles, state.turn) == ("trump", 5, (5, 3, 8), 2)
    state = ended((5, 4, 7), hand=5, roles=(5, 3, 8), balance=(2, -2, 0))
    state, _ = put(state, A_DECK)
    assert (state.phase, state.hand, state.claims) == ("exchange", 6, (Claim(1, 2, 1),))


def test_ub_b6_ub_c14_2c_is_asked_once() -> None:
    state = dealt(deck("", "", "", "2C"))
    assert state.roles == (8, 5, 3)
    state, _ = put(state, Pass(), deck("", "2C"))
    assert (state.roles, state.turn, state.hand) == ((8, 5, 3), 0, 1)


def test_ub_b7_the_kitty_is_not_shown_before_burying() -> None:
    for state in (before(hand=1), before(hand=1, trump="S")):
        for viewer in (0, 1, 2, None):
            assert not set(cards(DIP)) & set(things(state.view(viewer)))
            assert state.view(viewer).kitty == ()


def test_ub_b8_without_trump_spades_win_nothing() -> None:
    _, events = put(at("9H", "AS", "2H", trump="none"), "9H", "AS", "2H")
    assert TrickWon(0) in events
    assert legal(facing("9H AS", "2C KS", "none")) == cards("KS 2C"), "and need not be played"


def test_ub_14_no_trump_is_said() -> None:
    state, events = put(dealt(), Trump(Strain.NONE))
    assert events == (NoTrump(2),)
    assert codec.plain(state.view(None))["trump"] == "none"


@pytest.mark.parametrize("suit", Suit)
def test_a_strain_reads_like_its_suit(suit: Suit) -> None:
    names: dict[str, str] = {suit: suit.name}
    assert names[Strain(suit)] == suit.name, "also as a key"
    assert Strain(suit).suit is suit
    assert Strain.NONE.suit is None


# --- example cases that are no single trick ---


def test_ub_c8_differences_and_steps() -> None:
    state = ended((6, 7, 3))
    assert state.view(None).scores == (-2, 2, 0)
    state, _ = put(state, A_DECK)
    assert (state.roles, state.turn, state.claims) == ((5, 3, 8), 1, (Claim(1, 0, 2),))


def test_ub_c9_what_comes_back() -> None:
    state, _ = put(before(balance=(-1, 1, 0)), Give(Card("QC")))
    assert state.swaps == (Swap(1, 0, Card("QC"), Card("AC")),), "the highest, not the next higher"
    state, _ = put(before(balance=(0, 1, -1)), Give(Card("KC")))
    assert state.swaps == (Swap(1, 2, Card("KC"), Card("KC")),)
    assert (state.hands[1], state.phase) == (canonical(cards(FULL[1])), "trump"), "it comes back, the step is used"


def test_ub_c10_the_higher_new_target_takes_first() -> None:
    state, _ = put(ended((9, 7, 0)), A_DECK)
    taken = []
    while state.phase == "exchange":
        assert state.turn is not None
        taken.append(state.turn)
        state, _ = put(state, Give(state.hands[state.turn][0]))
    assert taken == [0, 1, 1]


def test_ub_c11_from_each_as_many_as_he_is_short() -> None:
    state, sources = before(balance=(-2, 3, -1), roles=(3, 8, 5)), []
    while state.phase == "exchange":
        state, events = put(state, Give(state.hands[1][0]))
        sources += [event.other for event in events if isinstance(event, Exchanged)]
    assert sources == [2, 0, 0]


def test_ub_c13_fourteen_in_trick_15() -> None:
    state = at("AH KC", "2H 6C", "3H 7C", taken=(13, 1, 0), totals=(-4, 3, 1), hand=2)
    state, _ = put(state, "AH", "2H", "3H")
    view = state.view(None)
    assert (view.winners, view.totals, view.reason) == ((0,), (-4, 3, 1), "fourteen")


# --- common rules ---


@pytest.mark.parametrize(
    "text",
    [
        '{"do":"play"}',
        '{"do":"play","card":"1C"}',
        '{"do":"give","card":7}',
        '{"do":"trump","suit":"X"}',
        '{"do":"trump","suit":null}',
        '{"do":"bury","cards":"AS"}',
        '{"do":"bid","tricks":5}',
        '{"do":"fly"}',
        "[]",
        "",
    ],
)
def test_cm_7_malformed_comes_first(text: str) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action((*GAME.actions, *GAME.lots), text)


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        (FULL[0], "S"),
        ("AS KS AH KH QH JH AD KD QD JD 2D AC KC 2C 3C 4C", "D"),
        ("AS KS QS JS TS 2H 3H 4H 5H 6H 7H 2D 3D 4D 5D 6D", "H"),
    ],
)
def test_ab_8_idle_chooses_the_longest_suit(hand: str, suit: str) -> None:
    others = [card for card in DECK if card not in cards(hand)]
    state = before(hand=1, hands=(cards(hand), tuple(others[:16]), tuple(others[16:32])), dip=tuple(others[32:]))
    assert state.idle(0) == Trump(Strain(suit))


@pytest.mark.parametrize(
    ("trump", "buried"), [("S", "2H 4C 5C 6D"), ("C", "2H 6D 7D 8S"), ("none", "2H 4C 5C 6D"), ("H", "4C 5C 6D 7D")]
)
def test_ab_8_idle_buries_the_four_lowest_that_are_no_trump(trump: str, buried: str) -> None:
    assert before(hand=1, trump=trump).idle(0) == Bury(cards(buried))


def test_ab_8_idle_buries_the_lowest_trumps_where_nothing_else_is_left() -> None:
    hand = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AH 2D 2C"
    others = [card for card in DECK if card not in cards(hand)]
    state = before(1, trump="S", hands=(cards(hand), tuple(others[:16]), tuple(others[16:32])), dip=tuple(others[32:]))
    assert state.idle(0) == Bury(cards("2D 2C AH 2S"))


@pytest.mark.parametrize(
    ("led", "hand", "lowest"), [("9H", "JH KH 4H", "JH"), ("9H KH", "JH 4H AS", "4H"), ("9C", "2D 2H 3D", "2H")]
)
def test_ab_8_idle_plays_the_lowest_legal_card(led: str, hand: str, lowest: str) -> None:
    state = facing(led, hand)
    assert state.idle(len(cards(led))) == Play(Card(lowest))


def test_ab_8_idle_declines() -> None:
    assert before(balance=(-2, 2, 0)).idle(1) == Decline()


# --- positions ---

PLAY: dict[str, Any] = {
    "roles": (8, 5, 3),
    "hands": (("AH", "KC"), ("2H", "6C"), ("3H", "7C")),
    "dip": (),
    "buried": ("2D", "3D", "4D", "5D"),
    "trump": "S",
    "taken": (5, 5, 4),
}
START: dict[str, Any] = {"roles": (8, 5, 3), "hands": [hand.split() for hand in FULL], "dip": DIP.split()}
"""Setups of which each test spoils one thing."""

BAD: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("roles: one for each of 3 seats", PLAY, {"roles": (8, 5)}),
    ("hands: one for each of 3 seats", PLAY, {"hands": (("AH",), ("2H",))}),
    ("totals: one for each of 3 seats", PLAY, {"totals": (0, 0, 0, 0)}),
    ("roles are 8, 5 and 3 in turn order", PLAY, {"roles": (8, 3, 5)}),
    ("roles are 8, 5 and 3 in turn order", PLAY, {"roles": (8, 8, 3)}),
    ("hands are 1 to 6", PLAY, {"hand": 7}),
    ("hands are 1 to 6", PLAY, {"hand": 0}),
    ("seats are 0 to 2", PLAY, {"turn": 3}),
    ("seats are 0 to 2", PLAY, {"trick": ((-1, "9H"),)}),
    ("differences sum to 0, and so do totals", PLAY, {"totals": (1, 0, 0)}),
    ("differences sum to 0, and so do totals", START, {"hand": 2, "balance": (1, 0, 0)}),
    ("AH stands there twice", PLAY, {"hands": (("AH", "KC"), ("AH", "6C"), ("3H", "7C"))}),
    ("2D stands there twice", PLAY, {"hands": (("2D", "KC"), ("2H", "6C"), ("3H", "7C"))}),
    ("nobody owes anybody a card", START, {"hand": 2, "phase": "exchange"}),
    ("nobody owes anybody a card", START, {"hand": 5, "phase": "exchange", "balance": (2, -2, 0)}),
    ("trump is chosen after the exchange, and before anything else", START, {"trump": "S", "phase": "trump"}),
    ("trump is chosen after the exchange, and before anything else", PLAY, {"trump": None, "phase": "play"}),
    ("there are no tricks before the play", START, {"taken": (1, 0, 0)}),
    ("the kitty is 4 cards, and none in the play", START, {"dip": ("2S",)}),
    (
        "the kitty is 4 cards, and none in the play",
        PLAY,
        {"dip": ("2S", "2C", "3C", "4C"), "phase": "play", "buried": None},
    ),
    ("the hand is over with these tricks", PLAY, {"taken": (14, 0, 0)}),
    ("the hand is over with these tricks", PLAY, {"taken": (8, 5, 3)}),
    ("the hand is over with these tricks", PLAY, {"taken": (9, 6, -1)}),
    (
        "a trick is one card of each seat, in turn order, and the last one is still to come",
        PLAY,
        {"trick": ((0, "9H"), (2, "8H"))},
    ),
    (
        "a trick is one card of each seat, in turn order, and the last one is still to come",
        PLAY,
        {"trick": ((0, "9H"), (1, "8H"), (2, "7H"))},
    ),
    ("seat 0 holds 1 cards", PLAY, {"trick": ((0, "9H"),)}),
    ("seat 2 holds 2 cards", PLAY, {"hands": (("AH", "KC"), ("2H", "6C"), ("3H",))}),
    (
        "seat 1 is to act, not 0",
        PLAY,
        {"trick": ((0, "9H"),), "hands": (("AH",), ("2H", "6C"), ("3H", "7C")), "turn": 0},
    ),
    ("seat 0 is to act, not 1", START, {"turn": 1}),
    ("seat 0 is to act, not 1", START, {"turn": 1, "trump": "S", "taken": (0, 0, 0)}),
    ("4 cards are buried", PLAY, {"buried": ()}),
    ("4 cards are buried", PLAY, {"buried": ("2D", "3D", "4D", "5D", "6D")}),
]


@pytest.mark.parametrize("plain", [PLAY, START, {**START, "hand": 2, "balance": (2, -1, -1), "turn": 0}])
def test_a_setup_that_breaks_nothing_is_a_position(plain: dict[str, Any]) -> None:
    assert record.start(GAME, UcBesSekizRules(), 3, plain).turn == 0


@pytest.mark.parametrize(("line", "plain", "changes"), BAD, ids=[f"{line} {n}" for n, (line, _, _) in enumerate(BAD)])
def test_a_setup_that_breaks_an_invariant_is_refused(line: str, plain: dict[str, Any], changes: dict[str, Any]) -> None:
    with pytest.raises(BadSetup) as refused:
        record.start(GAME, UcBesSekizRules(), 3, {**plain, **changes})
    assert str(refused.value) == line


def test_cards_named_nowhere_were_played_and_then_buried() -> None:
    plain = {key: value for key, value in PLAY.items() if key != "buried"}
    state = whole(record.start(GAME, UcBesSekizRules(), 3, plain))
    assert state.buried == cards("TC JC QC AC")
    assert state.view(0).buried == state.buried


def test_who_leads_in_the_middle_of_a_hand_is_what_the_setup_says() -> None:
    assert record.start(GAME, UcBesSekizRules(), 3, {**PLAY, "turn": 2}).turn == 2
