"""The rule pages: whatever points to a rule finds it there, and a table's choices stand in the text (UX 3, 13.13)."""

import re
from collections import Counter
from contextlib import suppress

import pytest

from mokali.engine import codec
from mokali.engine.protocol import Game, MalformedAction, Rules
from mokali.games import GAMES
from mokali.tables import texts
from mokali.web import socket
from mokali.web.house import House

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


def _variants(game: Game, preset: Rules, field: str) -> list[Rules]:
    """A preset with each value of a field that a form or another preset has there, where they go together."""
    given = [*game.texts.rules[field].values, *(codec.plain(other)[field] for other in game.rulesets.values())]
    found = {}
    for value in given:
        with suppress(MalformedAction):
            rules = codec.convert(type(preset), {**codec.plain(preset), field: value}, strict=False)
            found[codec.encode(rules)] = rules
    return list(found.values())
