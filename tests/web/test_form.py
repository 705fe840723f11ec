"""Opening a table: what a game offers, what was chosen, in words; and nothing that was chosen is lost."""

import re
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from mokali.engine import codec
from mokali.engine.protocol import Game, MalformedAction
from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.store import careers, tables
from mokali.tables.table import Again, Chair, Opening, Table
from mokali.tables.terms import MODES, Terms
from mokali.web import choices
from mokali.web.house import House
from tests.kept import KeptRoom
from tests.web.seat import fresh

OKEY = BY_KEY["okey101"]
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


@pytest.fixture
def client(app: House) -> FlaskClient:
    """Somebody who has come in."""
    found = app.test_client()
    assert found.post("/gir", data={"name": fresh()}, headers={"Origin": "http://localhost"}).status_code == 303
    return found


def send(client: FlaskClient, **form: object) -> Any:
    """The form, as a browser sends it."""
    return client.post("/masa-ac", data=form, headers={"Origin": "http://localhost"})


def opened(client: FlaskClient, **form: object) -> Table:
    """The table that comes of it."""
    answer = send(client, **form)
    assert answer.status_code == 303, answer.text
    return tables.load(tables.find(answer.headers["Location"].rpartition("/")[2]))


def checked(html: str) -> dict[str, str]:
    """What is checked on the form."""
    return dict(re.findall(r'<input type="radio" name="(\w+)" value="([^"]*)"[^>]* checked', html))


# --- what is offered ---


@pytest.mark.parametrize(("game", "preset"), [(game, preset) for game in GAMES for preset in choices.presets(game)])
def test_every_field_that_is_offered_can_be_chosen(game: Game, preset: str) -> None:
    shown = choices.form(game, {"ruleset": preset})
    usual = choices.presets(game)[preset]
    for field in (*shown.basic, *shown.advanced):
        assert len(field.options) > 1
        assert [option.usual for option in field.options].count(True) == 1, field.name
        for option in field.options:
            _, rules = choices.chosen(game, {"ruleset": preset, field.name: option.value})
            assert codec.encode(getattr(rules, field.name)).strip('"') == option.value
            assert replace(rules, **{field.name: getattr(usual, field.name)}) == usual, "nothing else has changed"


@every_game
def test_every_field_but_the_fixed_ones_is_on_the_form(game: Game) -> None:
    """And stands under one heading only, where a game has some."""
    for preset, rules in choices.presets(game).items():
        shown = choices.form(game, {"ruleset": preset})
        there = {field.name for field in (*shown.basic, *shown.advanced)}
        bound = {"hands": (1,), "partnered": False} if preset.startswith("mey") else {}  # one hand, and no partners
        assert there == set(rules.__struct_fields__) - rules.fixed - set(bound), preset
        headings = [heading for heading, _ in shown.sections]
        assert len(headings) == len(set(headings))
        assert set(headings) == set(game.texts.headings.values() if game.texts.headings else {""} & set(headings))


@every_game
def test_what_is_not_offered_is_refused(game: Game) -> None:
    field = choices.form(game, {}).basic[0]
    for given in ({"seats": "9"}, {"seats": "x"}, {"ruleset": "x"}, {field.name: "1000"}, {field.name: ""}):
        with pytest.raises(MalformedAction):
            choices.chosen(game, given)
    for hidden in set(game.rulesets) - set(choices.presets(game)):
        with pytest.raises(MalformedAction):
            choices.chosen(game, {"ruleset": hidden})


def test_a_preset_offers_only_what_it_allows() -> None:
    for key, hands, partnered in (("standart", ["3", "5", "7", "9", "11"], True), ("mey", [], False)):
        shown = choices.form(OKEY, {"ruleset": key})
        found = {field.name: [option.value for option in field.options] for field in shown.basic}
        assert found.get("hands", []) == hands
        assert ("partnered" in found) == partnered
        assert shown.differences == []


NAMES = {
    "mokali": "Mokali",
    "mey": "Mey",
    "mey_katlamali": "Mey katlamalı",
    "standart": "Standart",
    "okeylo_101": "OkeyLo 101",
    "okeylo_51": "OkeyLo 51",
    "okeylo_34": "OkeyLo 34",
}


@pytest.mark.parametrize("preset", NAMES)
def test_101_okey_is_offered_with_seven_rule_sets(client: FlaskClient, preset: str) -> None:
    page = client.get(f"/masa-ac?oyun=okey101&kural={preset}").text
    shown = choices.form(OKEY, {"ruleset": preset})
    basic = {"seats": "4", "assist": "true", "listed": "true", "spectator_voice": "false"}
    rules = OKEY.rulesets[preset]
    seconds, absence = getattr(rules, "turn_seconds", 0) or None, MODES[getattr(rules, "mode", "casual")]
    basic |= {"clock": "null" if seconds is None else str(seconds), "absence": absence}
    usual = {field.name: field.chosen.value for field in (*shown.basic, *shown.advanced)}
    assert checked(page) == basic | usual
    assert re.findall(r"kural=(\w+)\"( aria-current=\"true\")?>([^<]+)</a></li>", page) == [
        (key, ' aria-current="true"' if key == preset else "", name) for key, name in NAMES.items()
    ]
    assert shown.said[0] == NAMES[preset]
    assert " · ".join(shown.said) in page
    assert '<details class="panel advanced">' in page, "closed"
    table = opened(client, game="okey101", ruleset=preset, **usual)
    assert table.rules == rules
    assert (table.terms.seconds, table.terms.absence) == (seconds, absence)
    assert f"<b>{NAMES[preset]}</b>" in client.get(f"/masa/{table.code}").text
    assert f"{NAMES[preset]} · " in client.get("/").text


# --- what is chosen ---


def test_a_table_of_four(client: FlaskClient) -> None:
    table = opened(client, game="okey101", seats=4, ruleset="mokali", hands=7, partnered="true", assist="false")
    assert (len(table.chairs), table.rules.hands, table.rules.partnered) == (4, 7, True)  # type: ignore[attr-defined]
    assert (table.terms.kind, table.terms.assist, table.terms.listed) == ("casual", False, True)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_table_of_fewer_is_for_tests_and_says_so_before_anybody_sits(client: FlaskClient, seats: int) -> None:
    table = opened(client, game="okey101", seats=seats)
    assert table.terms.kind == "test"
    assert "2-3 kişilik, kayıtsız" in client.get(f"/masa/{table.code}").text
    assert f"{seats} kişi, 5 el, kayıtsız" in client.get("/").text


def test_pisti_is_recorded_with_any_number(client: FlaskClient) -> None:
    assert opened(client, game="pisti", seats=2).terms.kind == "casual"
    assert "kayıtsız" not in client.get("/").text


@pytest.mark.parametrize("seats", [2, 3])
def test_partners_are_four_and_what_was_chosen_stays(client: FlaskClient, seats: int) -> None:
    form = {"game": "okey101", "seats": seats, "hands": 3, "partnered": "true", "threshold": 81, "listed": "false"}
    answer = send(client, **form)
    assert answer.status_code == 400
    assert answer.text.count(choices.NO_PARTNERS) == 1
    assert checked(answer.text).items() >= {name: str(value) for name, value in form.items() if name != "game"}.items()
    assert "1 fark: Baraj: 81" in answer.text
    assert '<details class="panel advanced" open>' in answer.text


def test_ab_2_the_clock_and_what_absence_means_are_chosen_and_said_before_anybody_sits(client: FlaskClient) -> None:
    table = opened(client, game="pisti", clock="90", absence="bot")
    assert (table.terms.seconds, table.terms.absence) == (90, "bot")
    waiting = client.get(f"/masa/{table.code}").text
    assert "Her hamle için 90 saniye vardır." in waiting
    assert "Kopanın yerine 60 saniye sonra bot oynar" in waiting
    assert ", 90 saniye" in client.get("/").text
    answer = send(client, game="pisti", absence="auto")
    assert answer.status_code == 400
    assert choices.NO_CLOCK in answer.text
    assert checked(answer.text)["absence"] == "auto"
    for wrong in ({"clock": "7"}, {"absence": "never"}):
        assert send(client, game="pisti", **wrong).status_code == 400


def test_a_form_that_was_spoilt_keeps_the_rest(client: FlaskClient) -> None:
    answer = send(client, game="okey101", seats="7", hands="11", threshold="5", assist="false")
    assert answer.status_code == 400
    assert "listeden seç" in answer.text
    assert checked(answer.text).items() >= {"seats": "4", "hands": "11", "threshold": "101", "assist": "false"}.items()
    assert "Mokali · 11 el · tekli · dizme yardımı kapalı" in answer.text


# --- in words ---


def test_differences_are_those_from_the_preset_that_was_chosen() -> None:
    for key, preset in OKEY.rulesets.items():
        for rules in (preset, replace(preset, hands=preset.hands_choices[-1])):  # type: ignore[attr-defined]
            assert choices.preset_of(OKEY, rules) == key
            assert choices.differences(OKEY, rules, key) == []
        changed = replace(preset, penalty_failed_opening=101 - preset.penalty_failed_opening)  # type: ignore[attr-defined]
        assert choices.preset_of(OKEY, changed) == key
        assert [found["label"] for found in choices.differences(OKEY, changed, key)] == ["Açamama"]


def test_length_and_partners_are_no_differences(client: FlaskClient) -> None:
    table = opened(client, game="okey101", hands=1, partnered="true", min_pairs=6, undo_free_tiles=1)
    assert table.terms.ruleset == "mokali"
    assert choices.differences(OKEY, table.rules, "mokali") == [
        {"label": "Çift barajı", "value": "6"},
        {"label": "Bedava geri alma", "value": "1 taş"},
    ]
    page = client.get(f"/masa/{table.code}").text
    assert "Mokali, 2 fark" in page
    assert "Çift barajı: 6 · Bedava geri alma: 1 taş" in page
    assert "Eşli, tek el · 2 fark" in client.get("/").text


@pytest.mark.parametrize("preset", NAMES)
def test_every_difference_is_said_in_words(preset: str) -> None:
    """In the footer and at the table, against the preset that was chosen."""
    for field in choices.form(OKEY, {"ruleset": preset}).advanced:
        for option in field.options:
            given = {"ruleset": preset, field.name: option.value}
            _, rules = choices.chosen(OKEY, given)
            found = choices.differences(OKEY, rules, preset)
            assert found == ([] if option.usual else [{"label": field.choice.label, "value": option.label}])
            assert choices.form(OKEY, given).differences == [f"{one['label']}: {one['value']}" for one in found]
            assert choices.preset_of(OKEY, rules, preset) == preset


# --- what is not recorded ---


@pytest.mark.parametrize("seats", [3, 4])
def test_a_match_at_a_test_table_is_written_nowhere_and_its_end_says_so(app: House, seats: int) -> None:
    kind: Any = "test" if seats in OKEY.test_seats else "casual"
    people = tuple(range(1, seats + 1))
    chairs = tuple(Chair(person) for person in people)
    opening = Opening(1, OKEY, OKEY.rulesets["mokali"], Terms(kind=kind, pause_seconds=0), chairs)
    with app.app_context():
        room = KeptRoom(tables.open_table(opening, door.now()), door.now())
        room.begin(Random(1))
        for _ in room.play(Random(1), later=0):
            pass
        page = app.renderer.page(app.hub.scene(room.table.id), 1, "http://mokali.test")
        written = [careers.results(person) for person in people]
        for person in people:
            room.ask(person, Again())
        assert room.table.successor is not None
        assert tables.load(tables.find(room.table.successor)).terms.kind == kind, "and so is the next one"
    assert ("Kayıtsız masa: sonuç sıralamaya yazılmadı." in page) == (seats == 3)
    assert ("Bu akşam" in page) == (seats == 4)
    assert [bool(found) for found in written] == [seats == 4] * seats
