"""The rule pages: whatever points to a rule finds it there, and a table's choices stand in the text (UX 3, 13.13)."""

import re
from collections import Counter
from contextlib import suppress
from typing import Any, Final

import pytest
from msgspec.structs import replace

from mokali.engine import codec
from mokali.engine.protocol import Game, MalformedAction, Rules
from mokali.games import BY_KEY, GAMES
from mokali.tables import texts
from mokali.web import choices, socket
from mokali.web.house import House
from tests.games.test_okey101_sets import idle

OKEY: Final = BY_KEY["okey101"]
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


def _page(house: House, game: Game, rules: Rules) -> str:
    """What stands on a game's rule page, and in the sheet over its tables."""
    template = house.jinja_env.get_template(f"rules/{game.key}.html")
    return template.render(game=game, rules=rules, points=game.texts.figures(rules))


def _ids(page: str) -> Counter[str]:
    return Counter(re.findall(r'\bid="([^"]+)"', page))


def _wanted(game: Game) -> dict[str, str]:
    """Who points to which rule."""
    return (
        {f"refusal {code}": rule for code, (_, rule) in game.texts.refusals.items()}
        | {f"choice {field}": choice.rule for field, choice in game.texts.rules.items()}
        | {f"table {code}": rule for code, (_, rule) in texts.REFUSALS.items()}
        | {f"site {code}": rule for code, (_, rule) in socket._REFUSALS.items()}
    )


@every_game
def test_every_rule_that_a_text_points_to_stands_on_the_page(app: House, game: Game) -> None:
    for preset, rules in game.rulesets.items():
        found = _ids(_page(app, game, rules))
        missing = {who: rule for who, rule in _wanted(game).items() if rule not in found}
        assert not missing, preset
        assert set(found.values()) == {1}, "no rule has two places"


@every_game
def test_every_choice_of_a_table_can_be_read_on_the_page(app: House, game: Game) -> None:
    """Each value of each field makes a page of its own, in one preset at least: some mean nothing in the others."""
    silent = []
    for field in game.texts.rules:
        offered = [_variants(game, rules, field) for rules in game.rulesets.values()]
        most = max(map(len, offered))
        if not any(len({_page(app, game, rules) for rules in variants}) == most for variants in offered):
            silent.append(field)
    assert not silent


@pytest.mark.parametrize("preset", OKEY.rulesets)
def test_the_page_of_101_says_every_value_that_is_played_in_every_preset(app: House, preset: str) -> None:
    """One page for each value of each field, but of those that do nothing without another."""
    rules: Any = OKEY.rulesets[preset]
    for field in OKEY.texts.rules:
        variants = _variants(OKEY, rules, field)
        pages = {_page(app, OKEY, chosen) for chosen in variants}
        assert len(pages) == (1 if field in idle(rules) else len(variants)), field


@pytest.mark.parametrize("preset", OKEY.rulesets)
def test_no_page_promises_stakes_or_a_clock_of_its_own(app: House, preset: str) -> None:
    rules: Any = OKEY.rulesets[preset]
    page = _page(app, OKEY, rules)
    assert "Burada bahis yoktur" in page
    assert page == _page(app, OKEY, replace(rules, mode="casual", turn_seconds=0))
    assert not re.findall(r"MeyChip|hamle süresi|saniye içinde", page)


def test_each_preset_of_101_has_a_page_that_marks_what_differs(app: House) -> None:
    client = app.test_client()
    for preset, rules in OKEY.rulesets.items():
        page = client.get(f"/kurallar/okey101?kural={preset}").text
        assert len(re.findall('aria-current="true"', page)) == 1
        assert f'kural={preset}" aria-current="true"' in page
        found = choices.differences(OKEY, rules, "mokali")
        assert ("Mokali kurallarından farkı:" in page) == bool(found) == (preset != "mokali")
        assert " · ".join(f"{one['label']}: {one['value']}" for one in found) in page


def _variants(game: Game, preset: Rules, field: str) -> list[Rules]:
    """A preset with each value of a field that a form or another preset has there, where they go together."""
    given = [*game.texts.rules[field].values, *(codec.plain(other)[field] for other in game.rulesets.values())]
    found = {}
    for value in given:
        with suppress(MalformedAction):
            rules = codec.convert(type(preset), {**codec.plain(preset), field: value}, strict=False)
            found[codec.encode(rules)] = rules
    return list(found.values())
