"""Voice messages: one is sent by POST and told over the socket, and played by whoever may hear it (SITE-16 … 19)."""

from io import BytesIO
from secrets import token_urlsafe
from typing import Final

import gevent
from flask import Flask, Response, abort, request, send_file
from werkzeug.exceptions import RequestEntityTooLarge

from mokali import journal
from mokali.engine import codec
from mokali.live import bus, door, voices
from mokali.live.voices import Voice
from mokali.store import tables, talk
from mokali.store.database import NotKept
from mokali.store.people import Person
from mokali.tables.table import Table, seat_of, watchers_speak
from mokali.web import filters, identity
from mokali.web import talk as words
from mokali.web.house import Closing, house

KINDS: Final = ("audio/", "video/mp4", "video/webm", "application/octet-stream")
"""What browsers call their recordings; some say nothing at all. What is in them is seen later (RL-39, RL-42)."""
STATUS: Final = {
    "stranger": 403, "not_here": 403, "not_there": 409, "no_table": 404, "too_big": 413,
    "too_soon": 429, "too_many": 429, "too_slow": 503, "busy": 503, "restarting": 503, "not_kept": 503,
}  # fmt: skip
"""What is not here is the sender's message itself: 422."""


class Refusal(Exception):
    """Why nothing is sent, with the facts of its sentence."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


def register(app: Flask) -> None:
    """Where messages are sent to and fetched from."""
    app.add_url_rule("/masa/<code>/ses", "speak", speak, methods=["POST"])
    app.add_url_rule("/masa/<code>/ses/<name>", "voice", play)


def speak(code: str) -> Response:
    """Take a message, have it made playable, keep it and ring; or the reason why not, in words."""
    try:
        _take(code)
    except Refusal as refusal:
        journal.noise("voice_refused", code=refusal.code)
        return _refused(refusal)
    return Response(status=204)


def play(code: str, name: str) -> Response:
    """The sound of a message, whole or a part, for who may hear it now (RL-43)."""
    person, table = identity.person(), _table(code)
    audio = None
    if person is not None and table is not None and _hears(table, person):
        audio = talk.voice(table.id, name)
    if audio is None:
        abort(404)
    answer = send_file(BytesIO(audio), mimetype="audio/mp4", conditional=True, etag=False, max_age=0)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _take(code: str) -> None:
    """Membership and pace are asked before the body is read, and again before it is kept (RL-40)."""
    now, person = door.now(), identity.person()
    if person is None:
        raise Refusal("stranger")
    _place(code, person)
    if request.mimetype and not request.mimetype.startswith(KINDS):
        raise Refusal("bad_voice")
    pace = words.paces(house().settings)["voice"]
    try:
        talk.check(person.id, "voice", pace, now)
        voice = _converted(person, _body(), pace)
        table = _place(code, person)
        talk.speak(
            table.id, person.id, token_urlsafe(16), voice.audio, voice.seconds, pace, now, house().settings.voice_room
        )
    except talk.Hurry as error:
        raise Refusal(error.code, wait=words.seconds(error.wait)) from error
    except NotKept as error:
        raise Refusal("not_kept") from error
    bus.ring(table.id)


def _converted(person: Person, data: bytes, pace: talk.Pace) -> Voice:
    """One message of a person at a time."""
    if person.id in house().speaking:
        raise Refusal("too_soon", wait=words.seconds(pace.gap))
    house().speaking.add(person.id)
    try:
        return house().voices.convert(data)
    except voices.Refused as error:
        raise Refusal(error.reason) from error
    finally:
        house().speaking.discard(person.id)


def _body() -> bytes:
    """What is sent, cut off where it is too long, with or without a length, or takes too long (RL-19)."""
    most, upload = house().settings.max_voice, gevent.getcurrent()
    house().uploads.add(upload)
    request.max_content_length = most + 1  # what comes in pieces is cut off there, and no more told
    try:
        with gevent.Timeout(house().settings.upload_seconds, Refusal("too_slow")):
            data = request.get_data(cache=False)
    except RequestEntityTooLarge as error:
        raise Refusal("too_big") from error
    except Closing as error:
        raise Refusal("restarting") from error
    finally:
        house().uploads.discard(upload)
    if len(data) > most:
        raise Refusal("too_big")
    return data


def _table(code: str) -> Table | None:
    try:
        return tables.load(tables.find(code))
    except (tables.NoTable, tables.Unreadable, tables.Newer):
        return None


def _place(code: str, person: Person) -> Table:
    """The table that this person may speak at. Raises Refusal."""
    table = _table(code)
    if table is None:
        raise Refusal("no_table")
    if not _hears(table, person):
        raise Refusal("not_there" if watchers_speak(table) else "not_here")
    return table


def _hears(table: Table, person: Person) -> bool:
    """Everyone seated; who looks on where watchers speak, for as long as they look on (SITE-18)."""
    if seat_of(table, person.id) is not None:
        return True
    return watchers_speak(table) and house().hub.present(table.id, person.id)


def _refused(refusal: Refusal) -> Response:
    text, rule = words.REFUSALS["voice", refusal.code]
    said = filters.sentence(text, refusal.facts, ())
    body = codec.encode({"code": refusal.code, "text": said, "rule": rule})
    return Response(body, STATUS.get(refusal.code, 422), mimetype="application/json")
