"""The seven rule sets of 101 Okey and mixtures of their fields: what is said of them, and what a hand is worth."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from mokali.engine import codec
from mokali.engine.protocol import HOUSE, Action, MalformedAction
from mokali.engine.tileplay import Deal, Discard, Draw, IndicatorShown, Show
from mokali.engine.tiles import ALL_TILES
from mokali.games import okey101
from mokali.games.klasik.rules import KlasikRules
from mokali.games.klasik.texts import TEXTS as KLASIK
from mokali.games.okey101.calls import Open
from mokali.games.okey101.gist import gist
from mokali.games.okey101.hand import Idle, Return
from mokali.games.okey101.laying import Lay, OpeningFailed, Penalised, Swap, Undo
from mokali.games.okey101.rules import RULESETS, OkeyRules
from mokali.games.okey101.state import Okey101
from tests.matches import Match, Step

GAME: Final = okey101.GAME
every_preset = pytest.mark.parametrize("preset", RULESETS)

# --- the gist ---

FINE_POINTS: Final = {
    "new_melds_same_turn",
    "layoff_in_opening_turn",
    "swap_two_okey_group",
    "swap_makes_playable",
    "okey_is_playable",
    "pairs_factor_on_exhaustion",
    "partner_waiver",
}
"""What who knows the game asks for: it stands among the differences and on the rule page."""


def _variants(rules: OkeyRules, field: str) -> Iterator[OkeyRules]:
    for value in GAME.texts.rules[field].values:
        try:
            yield codec.convert(OkeyRules, codec.plain(rules) | {field: value}, strict=False)
        except MalformedAction:
            continue


def said(rules: OkeyRules) -> str:
    return " ".join(gist(rules))


@every_preset
def test_the_gist_is_five_to_ten_short_lines(preset: str) -> None:
    lines = gist(RULESETS[preset])
    assert 5 <= len(lines) <= 10
    assert all(not line[0].islower() and line.endswith(".") and len(line) <= 160 for line in lines), lines


GISTS: Final = {
    "mokali": ("101 sayılık", "5 çift", "okey atmak 101, işlek taş atmak 101", "101 düşülür", "−101", "202"),
    "mey": ("Tek el", "101 sayılık", "en çok 5 taş", "en çok 2 taş", "çiftten.", "iki katını", "tek hamlede açıp"),
    "mey_katlamali": ("Tek el", "Katlamalı: sonra açan", "en çok 5 taş", "okeyle ×2, elden ×2", "iki katını"),
    "standart": ("baraja yetmeden açmak 101", "1 taştan fazlasını", "−808", "el sayılmaz", "herkese 202"),
    "okeylo_101": ("101 sayılık", "5 çift", "onun önüne çift koyabilir", "hemen kullanabileceği", "herkese 0"),
    "okeylo_51": ("51 sayılık", "4 çift", "cezası yoktur", "okeyle ×2, çiftten ×2, elden ×2"),
    "okeylo_34": ("34 sayılık", "5 çift", "cezası yoktur"),
}


@every_preset
def test_the_gist_names_its_own_numbers(preset: str) -> None:
    text = said(RULESETS[preset])
    assert not [words for words in GISTS[preset] if words not in text], text
    rules = RULESETS[preset]
    assert {rules.threshold, rules.min_pairs, rules.unopened_penalty} <= set(map(int, re.findall(r"\d+", text)))
    assert ("Bahis yoktur." in text) == (rules.mode == "stake")


@every_preset
def test_the_gist_changes_with_every_rule_that_matters_to_a_beginner(preset: str) -> None:
    for field in set(GAME.texts.rules) - FINE_POINTS - idle(RULESETS[preset]):
        variants = list(_variants(RULESETS[preset], field))
        assert len({said(rules) for rules in variants}) == len(variants), field


def idle(rules: OkeyRules) -> set[str]:
    """What does nothing in these rules: a price without what costs it, and what a table of rewards replaces."""
    found = {
        "undo_free_tiles": not rules.penalty_undo,
        "penalty_undo": rules.undo_free_tiles is None,
        "swap_makes_playable": not rules.penalty_playable_discard,
        "okey_is_playable": not rules.penalty_playable_discard,
        "pairs_factor_on_exhaustion": rules.pairs_rack_factor == 1,
        "finish_reward": rules.reward_table is not None,
    }
    return {field for field, does_nothing in found.items() if does_nothing}


@every_preset
def test_no_mixture_has_more_than_ten_lines(preset: str) -> None:
    for field in GAME.texts.rules:
        assert all(5 <= len(gist(rules)) <= 10 for rules in _variants(RULESETS[preset], field))


def test_klasiks_gist_is_made_of_its_values_too() -> None:
    plain, coloured = (list(KLASIK.gist(KlasikRules(start_points=15, coloured=some))) for some in (False, True))
    assert plain[0].startswith("15 puanla başlanır")
    assert "2 puan kaybeder" in plain[2]
    assert "4, ikisi birdense 8" in plain[2]
    assert [a == b for a, b in zip(plain, coloured, strict=True)] == [True] * 4 + [False, True]
    assert coloured[4].startswith("Renkli:")
    assert 5 <= len(plain) <= 10


# --- mixtures ---


def mixture(rng: Random) -> OkeyRules:
    """A preset with about a third of its fields changed to other values that a form offers."""
    rules = RULESETS[rng.choice(tuple(RULESETS))]
    for field in GAME.texts.rules:
        if rng.random() < 0.35:
            rules = rng.choice(tuple(_variants(rules, field)))
    if rng.random() < 0.5:  # so that hands are opened, and finished
        rules = replace(rules, threshold=34, min_pairs=4)
    return one_hand(rules)


def one_hand(rules: OkeyRules) -> OkeyRules:
    """The same for a single hand, whatever lengths the preset offers."""
    return replace(rules, hands=1, hands_choices=(1,), hands_default=1)


LONG_TURN: Final = 30
"""After so many actions a turn is brought to its end: by undoing at the most, so that it always has one."""


def _first_of(kinds: Sequence[type[Action]], moves: Sequence[Action]) -> list[Action]:
    """The moves of the first of these kinds that is there."""
    return next((found for kind in kinds if (found := [move for move in moves if isinstance(move, kind)])), [])


class Watched:
    """A hand that somebody writes down, by what is said aloud and by no rule but those of the paragraphs below."""

    def __init__(self, rules: OkeyRules, seats: int, seed: int) -> None:
        self.match, self.acts = Match(GAME, rules, seats, seed), 0
        self.rules, self.seats, self.rng = rules, seats, Random(seed)
        self.fresh()

    @property
    def state(self) -> Okey101:
        assert isinstance(self.match.state, Okey101)
        return self.match.state

    def fresh(self) -> None:
        self.flat: list[list[tuple[str, int]]] = [[] for _ in range(self.seats)]
        self.turn: list[str] = []
        """The table moves of this turn that stand; the first to open the seat is ``opening``."""

    def play(self) -> Step:
        """One action; what brings tiles to the table is preferred, and now and then taken back."""
        moves = () if self.state.turn in (None, HOUSE) else self.state.moves(self.state.turn or 0)
        self.acts += 1
        if self.acts > LONG_TURN:
            wanted = _first_of((Discard, Return, Undo, Draw), moves)
        else:
            back = self.rng.random() < 0.1
            wanted = [move for move in moves if isinstance(move, Open | Lay | Swap | Show | Undo)]
            wanted = [move for move in wanted if back or not isinstance(move, Undo)]
            wanted = wanted if self.rng.random() < 0.8 else []
        step = self.match.step(self.rng.choice(wanted) if wanted else None)
        self.note(step)
        return step

    def note(self, step: Step) -> None:
        seat = step.seat
        assert isinstance(step.before, Okey101)
        match step.action:
            case Deal():
                self.fresh()
            case Open():
                failed = any(isinstance(event, OpeningFailed) for event in step.events)
                self.turn += [] if failed else ["open" if step.before.opened[seat] else "opening"]
            case Lay() | Swap():
                self.turn.append("more")
            case Undo():
                self.turn.pop()
            case Return():
                self.turn = []
        for event in step.events:
            if isinstance(event, Penalised | OpeningFailed):
                self.flat[event.seat].append(("fine", event.points))
            elif isinstance(event, IndicatorShown):
                self.flat[event.seat].append(("reward", event.points))

    def scores(self, last: Step) -> list[int]:
        """What the hand that this discard ended was worth to each seat (OK-60 to OK-70)."""
        state, rules = self.state, self.rules
        assert isinstance(last.action, Discard | Idle)
        okey = state.okey
        finisher = next((seat for seat in range(self.seats) if not state.racks[seat]), None)
        flags = frozenset[str]()
        if finisher is not None:
            thrown = state.piles[finisher][-1]
            others = [state.opened[seat] for seat in range(self.seats) if seat != finisher]
            from_hand = (
                "opening" in self.turn
                and {
                    "same_turn": True,
                    "single_move": len(self.turn) == 1,
                    "same_turn_nobody_opened": not any(others),
                }[rules.from_hand_condition]
            )
            said = {"okey": thrown.face == okey, "pairs": state.opened[finisher] == "pairs", "from_hand": from_hand}
            flags = frozenset(name for name, there in said.items() if there)
        times = 1
        for name, by in (("okey", rules.mult_okey), ("pairs", rules.mult_pairs), ("from_hand", rules.mult_from_hand)):
            times *= by if name in flags else 1
        return [self.score(seat, finisher, flags, times) for seat in range(self.seats)]

    def score(self, seat: int, finisher: int | None, flags: frozenset[str], times: int) -> int:
        rules, opened = self.rules, self.state.opened
        if finisher == seat:
            base = _reward(rules, flags, times)
        elif finisher is None and not any(opened):
            base = {"zero": 0, "pay": rules.unopened_penalty}[rules.exhausted_nobody_opened]
        elif opened[seat] is None:
            base = rules.unopened_penalty * times
        else:
            base = self.held(seat) * times
            if opened[seat] == "pairs" and (finisher is not None or rules.pairs_factor_on_exhaustion):
                base *= rules.pairs_rack_factor
        rewards = sum(points for kind, points in self.flat[seat] if kind == "reward")
        flat = sum(points for _, points in self.flat[seat])
        if rules.partnered and self.seats == 4 and finisher is not None and finisher == (seat + 2) % 4:
            return {"positive_only": rewards, "literal_zero": 0, "base_only": flat}[rules.partner_waiver]
        return base + flat

    def held(self, seat: int) -> int:
        """The numbers in a rack: a false okey has that of the okey, which counts 101 or the same."""
        number = int(self.state.okey[1:])
        okey = number if self.rules.okey_in_rack == "face" else 101
        faces = [tile.face for tile in self.state.racks[seat]]
        return sum(okey if face == self.state.okey else number if face == "FJ" else int(face[1:]) for face in faces)


def _reward(rules: OkeyRules, flags: frozenset[str], times: int) -> int:
    if rules.reward_table is not None:
        rows = ("", "okey", "pairs", "from_hand", "from_hand okey", "okey pairs")
        kind = " ".join(sorted(flags))
        if kind in rows:
            return rules.reward_table[rows.index(kind)]
    return rules.finish_reward * times


def holds(watched: Watched, most: int = 2_000) -> list[str]:
    """How the hands end in which no tile is lost, there is a way on, prices are as was said, and scores are right."""
    ends: list[str] = []
    for _ in range(most):
        state = watched.state
        seat = state.turn
        if seat is None:
            return ends
        told = None if seat == HOUSE else state.view(seat).legal
        if seat != HOUSE:
            state.play(seat, state.idle(seat))
            assert state.moves(seat)
        step = watched.play()
        assert isinstance(step.before, Okey101)
        if told is not None:
            paid = sum(event.points for event in step.events if isinstance(event, Penalised))
            said = {Undo: told.undo_cost, Return: told.put_back_cost}.get(type(step.action))
            assert said in (None, paid), "what a move costs is said before"
        after = watched.state
        if after.indicator is not None:
            lying = [tile for laid in after.melds for tile in laid.meld.tiles]
            heaps = [tile for heap in (*after.racks, *after.piles) for tile in heap]
            assert Counter([*lying, *heaps, *after.stock, after.indicator]) == Counter(ALL_TILES)
        if step.before.mover is not None and after.mover is None:
            assert after.ended is not None
            ends.append(after.ended.reason)
            if ends[-1] == "cancelled":
                assert (set(after.opened), set(after.ended.scores)) == ({"pairs"}, {0})
                assert (after.hand, after.history, set(after.view(None).penalties)) == (
                    step.before.hand,
                    step.before.history,
                    {0},
                )
            else:
                assert list(after.ended.scores) == watched.scores(step)
                assert after.history == (*step.before.history, after.ended.scores)
        if step.before.mover != after.mover:
            watched.turn, watched.acts = [], 0
    raise AssertionError("the match has no end")


@every_preset
def test_matches_of_every_preset_hold(preset: str) -> None:
    ends = Counter[str]()
    for seed in range(24):
        rules = RULESETS[preset] if seed % 2 else replace(RULESETS[preset], threshold=34, min_pairs=4)
        rules = replace(rules, partnered=rules.partnered_allowed and seed % 4 < 2)
        seats = 4 if seed % 3 else 2  # where two play, the stock is long enough to finish
        ends.update(holds(Watched(one_hand(rules), seats, seed)))
    assert ends["finish"], ends
    assert ends["stock"], ends


def test_200_mixtures_hold() -> None:
    ends = Counter[str]()
    for seed in range(200):
        rng = Random(seed)
        ends.update(holds(Watched(mixture(rng), rng.choice((4, 4, 4, 3, 2)), seed)))
    assert ends["finish"] >= 20
    assert ends["stock"] >= 20
