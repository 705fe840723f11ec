"""Öğren: how a lesson is opened, what its panel says to whom, what it refuses, and what comes after it."""

import re
from collections.abc import Callable
from random import Random

import pytest

from mokali.engine import codec
from mokali.engine.protocol import Game
from mokali.games import BY_KEY, GAMES
from mokali.live import bus, door
from mokali.store import people, tables
from mokali.tables import lessons
from mokali.tables.table import Ask, Leave, Table, Why
from mokali.web.house import House
from tests.web.near import ROOMY, Near, rows_of, served

BASE = "http://mokali.test"
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


@pytest.fixture
def app(build: Callable[..., House]) -> House:
    """A house whose bots don't wait."""
    house = build(bot_seconds=0)
    bus.listen(house.hub._rung)
    return house


class Pupil:
    """Somebody with a browser, and without a line between."""

    def __init__(self, app: House, name: str = "Ayşe") -> None:
        self.app = app
        self.person, token = people.enter(name, ROOMY, door.now())
        self.client = app.test_client()
        self.client.set_cookie("mokali", token, domain="mokali.test")

    def post(self, path: str, **form: str) -> tuple[int, str]:
        """The status, and where it leads or what stands there."""
        answer = self.client.post(path, data=form, base_url=BASE, headers={"Origin": BASE})
        return answer.status_code, answer.headers.get("Location") or answer.text

    def get(self, path: str) -> str:
        """A page."""
        return str(self.client.get(path, base_url=BASE).text)

    def begin(self, key: str) -> tuple[Table, Near]:
        """The table of a lesson, begun, and this person at it."""
        status, where = self.post(f"/ogren/{key}")
        assert status == 303, where
        table = served(tables.find(where.rpartition("/")[2]), Random(1))
        return table, Near(self.app, table.id, self.person)


@every_game
def test_the_ways_to_a_lesson(app: House, game: Game) -> None:
    pupil = Pupil(app)
    for path in ("/ogren", f"/kurallar/{game.key}"):
        assert f'action="/ogren/{game.key}"' in pupil.get(path)
    assert f'formaction="/ogren/{game.key}"' in pupil.get(f"/masa-ac?oyun={game.key}")
    assert 'href="/ogren"' in pupil.get("/")


@every_game
def test_a_lesson_s_rules_stand_on_the_page(app: House, game: Game) -> None:
    lesson = lessons.of(game)
    page = app.jinja_env.get_template(f"rules/{game.key}.html").render(
        game=game, rules=lesson.rules, points=game.texts.figures(lesson.rules)
    )
    named = {step.rule for step in lesson.steps if step.rule}
    assert len(named) >= 5
    assert not named - set(re.findall(r'\bid="([^"]+)"', page))


def test_a_lesson_is_an_ordinary_table_that_nobody_sees(app: House) -> None:
    pupil = Pupil(app)
    table, _ = pupil.begin("pisti")
    assert (table.terms.kind, table.terms.listed, table.terms.seconds) == ("practice", False, None)
    assert table.state is not None
    assert tables.listed() == []
    assert tables.seat_held(pupil.person.id) == table.id
    assert "İlk kez mi oynuyorsun" not in pupil.get("/")
    again, _ = pupil.begin("tavla")
    assert tables.seat_held(pupil.person.id) == again.id
    left = tables.load(table.id).ended
    assert left is not None
    assert left.why == Why.LEFT


def test_only_its_person_sees_the_panel(app: House) -> None:
    pupil, other = Pupil(app), Pupil(app, "Bakan")
    table, _ = pupil.begin("batak")
    assert 'data-asks="read"' in pupil.get(f"/masa/{table.code}")
    watched = other.get(f"/masa/{table.code}")
    assert 'id="lesson"' in watched
    assert "data-asks" not in watched
    assert not any(step.note in watched for step in lessons.of(table.game).steps if step.note)


@every_game
def test_every_move_that_a_lesson_asks_for_is_said_and_shown(app: House, game: Game) -> None:
    pupil = Pupil(app)
    table, near = pupil.begin(game.key)
    for at, step in enumerate(lessons.of(game).steps[:-1]):
        if step.action is not None and step.seat != lessons.PUPIL:
            continue
        page = pupil.get(f"/masa/{table.code}")
        assert f'data-step="{at}"' in page
        if step.action is None:
            near.says("read", step=at)
            table = served(table.id, Random(1))
            continue
        assert 'data-asks="do"' in page
        assert re.search(r"<b>[^<{]+</b></summary>", page)
        marked = re.findall(r'id="lesson"[^>]*data-marks="([^"]+)"', page)[0].split()
        assert all(f'id="{mark}"' in page for mark in marked), marked
        assert 'data-do="hint"' not in page
        sent = codec.plain(step.action)
        near.says(codec.kind_of(step.action), played=table.played, **{k: v for k, v in sent.items() if k != "do"})
        table = served(table.id, Random(1))
    assert near.refusals() == 0
    page = pupil.get(f"/masa/{table.code}")
    assert 'data-asks="end"' in page
    assert f'action="/ogren/{game.key}/bitti"' in page
    if table.ended is not None:  # its luck is written down, it began in the midst of a hand: nothing to prove or replay
        assert "Karıştırmayı doğrula</a></li>" not in page
        for path in ("tekrar", "kayit", "karistirma"):
            assert "Bu bir dersti" in pupil.get(f"/{path}/{table.code}")


def test_another_move_is_refused_kindly_and_nothing_changes(app: House) -> None:
    table, near = Pupil(app).begin("pisti")
    before = rows_of(table.id)
    near.says("play", card="6C", played=table.played)
    near.says("play", card="AS", played=table.played)
    near.says("read", step=3)
    refused = re.findall(r'id="refusal"[^>]* data-code="(\w+)"[^>]*>([^<]+)', "".join(near.ear.heard))
    assert [code for code, _ in refused] == ["lesson", "not_held", "stale"]
    assert refused[0][1].strip() == "Şimdilik şunu dene: Karo 4 at."
    near.says("hint")
    assert near.refusals() == 4
    assert rows_of(table.id) == before


@pytest.mark.parametrize(("then", "seated"), [("alistirma", True), ("lobi", False)])
def test_what_comes_after_a_lesson(app: House, then: str, seated: bool) -> None:
    pupil = Pupil(app)
    table, _ = pupil.begin("ucbessekiz")
    status, where = pupil.post("/ogren/ucbessekiz/bitti", sonra=then)
    assert (status, where == "/") == (303, not seated)
    held = tables.seat_held(pupil.person.id)
    assert (held is not None) == seated
    assert held != table.id
    if held is not None:
        after = tables.load(held)
        assert (after.terms.kind, after.terms.lesson, after.terms.takeback) == ("practice", "", True)
        assert after.rules == BY_KEY["ucbessekiz"].rulesets["klasik"]


def test_who_can_t_begin_is_told_why(app: House, build: Callable[..., House]) -> None:
    pupil = Pupil(app)
    stranger = app.test_client().post("/ogren/pisti", base_url=BASE, headers={"Origin": BASE})
    assert (stranger.status_code, "Takma adın" in stranger.text) == (401, True)
    assert pupil.post("/ogren/satranc")[0] == pupil.post("/ogren/satranc/bitti")[0] == 404
    where = pupil.post("/masa-ac", game="pisti", seats="2")[1]
    status, page = pupil.post("/ogren/pisti")
    assert status == 409
    assert "Başka bir masada oturuyorsun" in page
    assert f'href="{where}"' in page
    narrow = build(max_tables_per_hour=0)
    assert Pupil(narrow, "Ece").post("/ogren/pisti")[0] == 409


def test_a_lesson_is_not_watched_again(app: House) -> None:
    pupil = Pupil(app)
    table, _ = pupil.begin("pisti")
    assert door.submit(table.id, Ask(pupil.person.id, Leave())).ended is not None
    for address in ("tekrar", "kayit", "karistirma"):
        assert "Bu bir dersti" in pupil.get(f"/{address}/{table.code}")
