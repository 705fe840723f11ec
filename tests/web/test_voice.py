"""Voice messages over http, lines over the socket: who may, how often, who hears (SITE-14 to SITE-20, RL-18, RL-40)."""

import http.client
import json
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from mokali.config import Settings
from mokali.engine.protocol import Game
from mokali.games import BY_KEY
from mokali.live import bus, door
from mokali.live.voices import Voice
from mokali.store import people, tables, talk
from mokali.store.models import TalkRow
from mokali.store.people import Person
from mokali.tables.table import Ask, Leave
from mokali.tables.terms import Terms
from mokali.web import talk as words
from mokali.web.house import House
from tests.voices import lawful, made
from tests.web.near import QUICK, ROOMY, Near, dealt
from tests.web.seat import deal, fresh
from tests.web.server import Server

BASE = "http://mokali.test"
PISTI, TAVLA = BY_KEY["pisti"], BY_KEY["tavla"]
SOUND = made(seconds=0.5)
SLOW = {name: Settings.__struct_defaults__[Settings.__struct_fields__.index(name)] for name in (
    "chat_seconds", "phrase_seconds", "voice_seconds", "chats_per_minute", "phrases_per_minute", "voices_per_minute",
)}  # fmt: skip
"""The paces that the rules have; a test's house has generous ones."""


class Room:
    """A table that is played at, and the devices of its people."""

    def __init__(self, app: House, game: Game = PISTI, terms: Terms = QUICK) -> None:
        self.app = app
        if app.hub._rung not in bus._listeners:
            bus.listen(app.hub._rung)
        self.table, self.people, tokens = dealt(game, Random(1), seats=2, base=fresh(), terms=terms)
        self.devices = [self.device(token) for token in tokens]

    def device(self, token: str | None) -> FlaskClient:
        """A browser of whoever has this token."""
        client = self.app.test_client()
        if token is not None:
            client.set_cookie("mokali", token, domain="mokali.test")
        return client

    def newcomer(self) -> tuple[Person, FlaskClient]:
        """Somebody who sits nowhere."""
        person, token = people.enter(fresh(), ROOMY, door.now())
        return person, self.device(token)

    def speak(self, device: FlaskClient, data: bytes = SOUND, kind: str | None = "audio/webm", **headers: str) -> Any:
        """Send a message."""
        headers = {"Origin": BASE, **headers}
        path = f"/masa/{self.table.code}/ses"
        return device.post(path, data=data, content_type=kind, base_url=BASE, headers=headers)

    def hear(self, device: FlaskClient, name: str, code: str = "", **headers: str) -> TestResponse:
        """Fetch a message."""
        return device.get(f"/masa/{code or self.table.code}/ses/{name}", base_url=BASE, headers=headers)

    @property
    def names(self) -> list[str]:
        """The messages that are kept here."""
        return [one.text for one in talk.said(self.table.id) if one.kind == "voice"]


@pytest.fixture
def room(app: House) -> Room:
    """Two people at Pişti."""
    return Room(app)


def refused(answer: TestResponse, status: int, code: str) -> None:
    """It was told no, in words, and nothing was kept."""
    told = json.loads(answer.text)
    assert (answer.status_code, told["code"]) == (status, code)
    assert told["text"].endswith(".")
    assert "{" not in told["text"]


# --- there and back ---


def test_rl_40_a_message_is_made_playable_and_told_to_the_others(room: Room) -> None:
    near = [Near(room.app, room.table.id, person) for person in room.people]
    for one in near:
        one.pictures()
    assert room.speak(room.devices[0]).status_code == 204
    [name] = room.names
    [said] = talk.said(room.table.id)
    pictures = ["".join(one.pictures()) for one in near]
    assert f"/masa/{room.table.code}/ses/{name}" in pictures[1]
    assert name not in pictures[0], "nobody is played his own words"
    audio = room.hear(room.devices[1], name).data
    lawful(Voice(audio, said.seconds))


@pytest.mark.parametrize("kind", [None, "audio/mp4", "audio/ogg;codecs=opus", "video/webm", "application/octet-stream"])
def test_rl_39_what_browsers_call_their_recordings(room: Room, kind: str | None) -> None:
    assert room.speak(room.devices[0], kind=kind).status_code == 204


def test_rl_43_ranges_as_safari_asks_for_them(room: Room) -> None:
    room.speak(room.devices[0])
    [name] = room.names
    whole = room.hear(room.devices[1], name)
    assert whole.status_code == 200
    assert whole.mimetype == "audio/mp4"
    assert whole.headers["Accept-Ranges"] == "bytes"
    assert whole.headers["Cache-Control"] == "private, no-store"
    assert whole.headers["X-Content-Type-Options"] == "nosniff"
    first = room.hear(room.devices[1], name, Range="bytes=0-1")
    assert (first.status_code, first.data) == (206, whole.data[:2])
    assert first.headers["Content-Range"] == f"bytes 0-1/{len(whole.data)}"
    assert first.headers["Cache-Control"] == "private, no-store"
    rest = room.hear(room.devices[1], name, Range="bytes=100-")
    assert (rest.status_code, rest.data) == (206, whole.data[100:])
    assert room.hear(room.devices[1], name, Range="bytes=999999-").status_code == 416


# --- who ---


def test_site_18_nobody_but_those_seated(room: Room) -> None:
    other = Room(room.app)
    onlooker, watcher = room.newcomer()
    near = Near(room.app, room.table.id, onlooker)
    for device in (other.devices[0], watcher):
        refused(room.speak(device), 403, "not_here")
    refused(room.speak(room.device(None)), 403, "stranger")
    refused(room.speak(room.device("x" * 43)), 403, "stranger")
    assert room.speak(room.devices[0]).status_code == 204
    [name] = room.names
    for device in (other.devices[0], watcher, room.device(None), room.device("x" * 43)):
        assert room.hear(device, name).status_code == 404
    assert name not in "".join(near.pictures()), "not even the address"
    assert other.hear(other.devices[0], name).status_code == 404, "by another table's address"
    assert room.hear(room.devices[1], "x" * 22).status_code == 404
    assert room.hear(room.devices[1], name).status_code == 200


@pytest.mark.parametrize(
    ("game", "terms"), [(TAVLA, QUICK), (PISTI, Terms(pause_seconds=0, spectator_voice=True))], ids=["TV-18", "option"]
)
def test_site_18_where_watchers_speak_they_do_while_they_watch(app: House, game: Game, terms: Terms) -> None:
    room = Room(app, game, terms)
    person, watcher = room.newcomer()
    refused(room.speak(watcher), 409, "not_there")
    near = Near(app, room.table.id, person)
    near.pictures()
    assert room.speak(watcher).status_code == 204
    assert room.speak(room.devices[0]).status_code == 204
    first, second = room.names
    assert second in "".join(near.pictures())
    assert first in "".join(Near(app, room.table.id, room.people[1]).pictures())
    assert room.hear(watcher, second).status_code == 200
    app.hub.leave(near.wire)
    assert room.hear(watcher, second).status_code == 404, "who left hears no more"


def test_who_has_left_hears_and_says_nothing(room: Room) -> None:
    room.speak(room.devices[0])
    [name] = room.names
    door.submit(room.table.id, Ask(room.people[1].id, Leave()))
    assert room.hear(room.devices[1], name).status_code == 404
    refused(room.speak(room.devices[1]), 403, "not_here")
    assert room.hear(room.devices[0], name).status_code == 200


def test_rl_40_who_leaves_while_it_is_converted_has_said_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    convert = room.app.voices.convert

    def slow(data: bytes) -> Voice:
        voice = convert(data)
        door.submit(room.table.id, Ask(room.people[0].id, Leave()))
        return voice

    monkeypatch.setattr(room.app.voices, "convert", slow)
    refused(room.speak(room.devices[0]), 403, "not_here")
    assert room.names == []


# --- how much and how often ---


def test_rl_40_too_large_is_refused_while_it_is_read(room: Room) -> None:
    most = room.app.settings.max_voice
    refused(room.speak(room.devices[0], b"x" * (most + 1)), 413, "too_big")
    refused(room.speak(room.devices[0], b"x" * 5_000_000), 413, "too_big")
    refused(room.speak(room.devices[0], b"x" * most), 422, "bad_voice")


@pytest.mark.parametrize(
    ("data", "kind", "code"),
    [
        (b"", "audio/webm", "bad_voice"),
        (b"<!doctype html><script>x</script>", "audio/webm", "bad_voice"),
        (SOUND, "text/html", "bad_voice"),
        (SOUND, "multipart/form-data", "bad_voice"),
        (SOUND, "image/png", "bad_voice"),
        (SOUND[:300], "audio/webm", "bad_voice"),
        (made(seconds=31), "audio/webm", "too_long"),
        (made(seconds=0.1), "audio/webm", "too_short"),
        (made(sounds=2), "audio/webm", "bad_voice"),
        (made(pictures=True), "audio/webm", "bad_voice"),
        (b"ffconcat version 1.0\nfile /etc/passwd\n", "audio/webm", "bad_voice"),
    ],
    ids=["empty", "page", "kind", "form", "picture's kind", "cut", "long", "short", "two", "film", "playlist"],
)
def test_what_is_no_message(room: Room, data: bytes, kind: str, code: str) -> None:
    refused(room.speak(room.devices[0], data, kind), 422, code)
    assert TalkRow.select().count() == 0
    assert room.speak(room.devices[0]).status_code == 204, "what was refused does not count"


def test_site_17_the_pace_is_asked_before_the_body_is_read(build: Any) -> None:
    room = Room(build(**SLOW))
    assert room.speak(room.devices[0]).status_code == 204
    answer = room.speak(room.devices[0], b"x" * 5_000_000)
    refused(answer, 429, "too_soon")
    assert room.speak(room.devices[1]).status_code == 204, "everybody has a pace of his own"


def test_rl_41_while_one_is_converted_the_same_person_waits(room: Room) -> None:
    room.app.speaking.add(room.people[0].id)
    refused(room.speak(room.devices[0]), 429, "too_soon")
    room.app.speaking.clear()
    assert room.speak(room.devices[0]).status_code == 204
    assert room.app.speaking == set()


def test_rl_14_a_message_from_elsewhere(room: Room) -> None:
    assert room.speak(room.devices[0], Origin="http://example.org").status_code == 403
    assert room.names == []


# --- lines and phrases ---


def shown(near: Near) -> str:
    """What a picture brings."""
    return "".join(near.pictures())


def test_site_14_lines_are_for_everybody_at_the_table(app: House) -> None:
    room = Room(app)
    watcher, _ = room.newcomer()
    near = [Near(app, room.table.id, person) for person in (*room.people, watcher)]
    for one in near:
        one.pictures()
    near[2].says("chat", text="  Kolay gelsin <b>Ayşe</b>  ")
    near[0].says("say", phrase="tesekkur")
    near[1].says("say", phrase="laugh")
    for one in near:
        picture = shown(one)
        assert "Kolay gelsin &lt;b&gt;Ayşe&lt;/b&gt;" in picture
        assert words.PHRASES["tesekkur"] in picture
        assert "faces/laugh.svg" in picture
    assert [one.refusals() for one in near] == [0, 0, 0]
    assert tables.load(room.table.id).revision == room.table.revision, "no move was made"


def test_site_14_a_line_comes_alone(app: House) -> None:
    """Who says something sends neither the hand nor the form anew."""
    room = Room(app)
    near = [Near(app, room.table.id, person) for person in room.people]
    for one in near:
        one.pictures()
    near[0].says("chat", text="Selam")
    picture = shown(near[1])
    assert picture.startswith('<ul hx-swap-oob="outerMorph" id="lines"')
    assert picture.count("hx-swap-oob") == 1


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"do": "chat", "text": "x" * 201}, "too_long"),
        ({"do": "chat", "text": "x" * 1001}, None),
        ({"do": "chat", "text": "   "}, None),
        ({"do": "chat"}, None),
        ({"do": "say", "phrase": "küfür"}, None),
        ({"do": "say", "phrase": 7}, None),
    ],
)
def test_what_is_no_line(room: Room, wish: dict[str, Any], code: str | None) -> None:
    near = Near(room.app, room.table.id, room.people[0])
    near.answer(json.dumps(wish))
    assert talk.said(room.table.id) == ()
    told = [text for text in near.ear.heard if 'id="refusal"' in text]
    assert len(told) == (code is not None)
    assert code is None or f'data-code="{code}"' in told[0]


def test_rl_18_paces_of_lines_and_phrases(build: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(build(**SLOW))
    near = Near(room.app, room.table.id, room.people[0])
    start, clock = door.now(), [0]
    monkeypatch.setattr(door, "now", lambda: start + clock[0])

    def say(at: int, do: str, **values: str) -> str:
        clock[0], before = at, len(near.ear.heard)
        near.says(do, **values)
        told = [text for text in near.ear.heard[before:] if 'id="refusal"' in text]
        return told[0].split('data-code="')[1].split('"')[0] if told else "said"

    assert [say(at, "chat", text="a") for at in (0, 999, 1_000)] == ["said", "too_soon", "said"]
    assert [say(at, "say", phrase="selam") for at in (0, 1_999, 2_000)] == ["said", "too_soon", "said"]
    assert {say(at * 1_000, "chat", text="a") for at in range(2, 20)} == {"said"}
    assert [say(at, "chat", text="a") for at in (20_000, 59_999, 60_000)] == ["too_many", "too_many", "said"]
    assert {say(at * 1_000, "say", phrase="selam") for at in range(4, 20, 2)} == {"said"}
    assert [say(at, "say", phrase="selam") for at in (59_999, 60_000)] == ["too_many", "said"]


def test_site_7_the_older_tab_says_nothing(room: Room) -> None:
    old = Near(room.app, room.table.id, room.people[0], page=1)
    Near(room.app, room.table.id, room.people[0], page=2)
    old.says("chat", text="a")
    assert talk.said(room.table.id) == ()
    assert old.refusals() == 1


def test_every_refusal_has_words_and_a_rule() -> None:
    for text, rule in words.REFUSALS.values():
        assert text.endswith(".")
        assert rule


def test_rl_19_in_pieces_without_a_length(house: Server) -> None:
    seats = deal(house, fresh(), fresh())
    code, cookie = seats[0].code, seats[0].visitor.cookie
    address = urlsplit(house.base)
    for size, status in ((400_000, 413), (len(SOUND), 204)):
        line = http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)
        pieces = (SOUND + bytes(size))[:size]
        body = (pieces[at : at + 10_000] for at in range(0, size, 10_000))
        headers = {"Origin": house.base, "Cookie": cookie, "Content-Type": "audio/webm"}
        line.request("POST", f"/masa/{code}/ses", body, headers, encode_chunked=True)
        answer = line.getresponse()
        assert answer.status == status, answer.read()
        line.close()
