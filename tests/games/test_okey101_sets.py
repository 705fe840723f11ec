"""The seven rule sets of 101 Okey and mixtures of their fields: what is said of them, and what a hand is worth."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from mokali.engine import codec
from mokali.engine.protocol import MalformedAction
from mokali.games import okey101
from mokali.games.klasik.rules import KlasikRules
from mokali.games.klasik.texts import TEXTS as KLASIK
from mokali.games.okey101.gist import gist
from mokali.games.okey101.rules import RULESETS, OkeyRules

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
    assert ("Süre ve bahis yoktur." in text) == (rules.mode != "casual")


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
