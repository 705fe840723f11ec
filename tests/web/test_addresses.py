"""Every address there is, called by everybody: no hand for another (RL-4), a name as a name (RL-11). Of any game."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from mokali.engine.protocol import Game
from mokali.games import GAMES
from mokali.live import door
from mokali.store import people, tables
from mokali.tables.table import Table
from mokali.web.house import House
from tests import contract
from tests.web.near import ROOMY, Near, dealt
from tests.web.seat import fresh

BASE = "http://mokali.test"
EDGES = ("Çığ_Öş.Ü-â", "Â1.b-C_d", "İI ıi ğş", "a-b_c.d-e_f.g-h")
"""Names of everything that the rule allows (RL-8)."""

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


def _addresses(app: House, code: str, game: Game) -> Iterator[tuple[str, str]]:
    """Every address of the house with what can stand in it, and every method it knows."""
    places = {"code": code, "key": game.key, "filename": "css/mokali.css", "name": "x" * 22, "person": "1"}
    last = ("sign_out", "close_account")
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.endpoint in last):
        if not rule.rule.startswith("/static"):
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: places[found[1]], rule.rule)
            yield from ((method, path + query) for method in _methods(rule) for query in ("", f"?masa={code}"))


def _methods(rule: Rule) -> list[str]:
    return sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})


def _client(app: House, token: str | None) -> FlaskClient:
    client = app.test_client()
    if token is not None:
        client.set_cookie("mokali", token, domain="mokali.test")
    return client


def _told(client: FlaskClient, method: str, path: str) -> str:
    """Headers and body of what comes back."""
    answer = client.open(
        path, method=method, base_url=BASE, headers={"Origin": BASE}, data={} if method == "POST" else None
    )
    return f"{answer.headers}\n{answer.text}"


def _hands(table: Table) -> list[set[str]]:
    """What each seat alone holds, as it stands in attributes."""
    assert table.state is not None
    return [{f'="{face}"' for face in contract.own(table.state.view(seat))} for seat in contract.seats_of(table.state)]


@every_game
def test_rl_4_no_address_gives_a_hand_to_another(app: House, game: Game) -> None:
    """Everybody at the table, somebody who sits elsewhere, a watcher and a stranger call everything there is."""
    rng = Random(4)
    table, _, tokens = dealt(game, rng, base=fresh())
    hands = _hands(table)
    assert all(hands) or not any(hands), "everybody holds something, or nobody"
    elsewhere = dealt(game, rng, base=fresh())[2][0]
    _, watcher = people.enter(fresh(), ROOMY, door.now())
    assert hands[0] <= _faces(_told(_client(app, tokens[0]), "GET", f"/masa/{table.code}")), "one's own is shown"
    state = tables.load(table.id).state
    for token in (watcher, elsewhere, None, "x" * 43, *tokens):
        own = hands[tokens.index(token)] if token in tokens else set()
        others = set().union(*hands) - own
        for method, path in _addresses(app, table.code, game):
            client = _client(app, token)
            assert not others & _faces(_told(client, method, path)), (method, path)
            assert tables.load(table.id).state == state, (method, path)


def _faces(text: str) -> set[str]:
    """Every short attribute value."""
    return set(re.findall(r'="[^"<>]{1,6}"', text))


@every_game
def test_rl_4_no_socket_gives_a_hand_to_another(app: House, game: Game) -> None:
    """Each seat's first picture, and a watcher's."""
    table, persons, _ = dealt(game, Random(5), base=fresh())
    hands = _hands(table)
    watcher, _ = people.enter(fresh(), ROOMY, door.now())
    with app.app_context():
        for person in (*persons, watcher):
            own = hands[persons.index(person)] if person in persons else set()
            [picture] = Near(app, table.id, person).pictures()
            assert own <= _faces(picture)
            assert not (set().union(*hands) - own) & _faces(picture)


@every_game
@pytest.mark.parametrize("name", EDGES)
def test_rl_11_a_name_is_a_name_on_every_page(app: House, game: Game, name: str) -> None:
    """Where it is read it stands in ``<bdi>``; where it is an attribute, in none that htmx or a script evaluates."""
    rng = Random(11)
    table, persons, tokens = dealt(game, rng, base=fresh())
    _, token = people.rename(persons[0].id, name, door.now())
    people._names.clear()
    app.hub._scenes.clear()
    pages = [(path, _told(_client(app, token), "GET", path)) for path in ("/", "/profil", "/siralama", "/masa-ac")]
    pages += [(table.code, _told(_client(app, who), "GET", f"/masa/{table.code}")) for who in (token, tokens[1])]
    with app.app_context():
        pages += [(person.name, Near(app, table.id, person).pictures()[0]) for person in persons[:2]]
    found = 0
    for where, page in pages:
        for tag in re.findall(r"<[a-z][^>]*>", page):
            for attribute in re.findall(r'([\w:-]+)="([^"]*)"', tag):
                if name in attribute[1]:
                    assert attribute[0] in ("value", "aria-label", "title"), (where, tag)
        text = re.sub(r"<(?!/?bdi\b)[^>]*>", "", page)
        for hit in re.finditer(re.escape(name), text):
            found += 1
            around = text[hit.start() - 5 : hit.end() + 6]
            assert around.startswith("<bdi>") or _whole_sentence(text, hit.start()), (where, around)
    assert found >= 4


def _whole_sentence(text: str, at: int) -> bool:
    """Within a sentence with suffixes the whole sentence stands apart."""
    opened, closed = text.rfind("<bdi>", 0, at), text.rfind("</bdi>", 0, at)
    return opened > closed
