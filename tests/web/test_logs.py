"""What is written down of an evening: what happened, and of nobody's name, card, words or address a letter (RL-54)."""

import json
import logging
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mokali import journal
from mokali.engine.cards import DECK
from mokali.web.filters import card_name
from tests.web import planted
from tests.web.seat import Seat, begin, on_turn, open_table, play_one
from tests.web.server import Server
from tests.web.wire import Visitor

NAMES = ("Gizlenecek", "Saklanacak")
MARK = "isaretlisoz"
AGENT = "Isaretgezgin/7"
FACTS = {"time", "level", "event", "table", "seat", "action", "code", "ms", "error", "kind", "cause", "frames", "place"}
"""Everything that a line may hold."""


def test_rl_54_nothing_of_anybody_is_in_logs_metrics_or_standard_error(serve: Callable[..., Server]) -> None:
    """Two hands with marked names, messages and addresses; faults, refusals and broken requests of every kind."""
    house = serve("tests.web.planted:faulty()", proxies=1)
    people = [Visitor(house.base, name) for name in NAMES]
    for person in people:
        person.get("/", {"User-Agent": AGENT, "X-Forwarded-For": "10.77.66.55"})
    code = open_table(people[0])
    seats = [Seat(person, code) for person in people]
    begin(seats)
    held: set[str] = set()
    for hand in range(2):
        while seats[0].facts["phase"] == "play":
            held.update(*(seat.cards for seat in seats))
            waiting = next(seat for seat in seats if seat is not on_turn(seats))
            if waiting.cards:
                waiting.refused("play", card=waiting.cards[0])
            play_one(seats)
        if not hand:
            for seat in seats:
                seat.do("ready")
            for seat in seats:
                seat.until(lambda some: some.facts["phase"] == "play")
    assert len(held) >= 48, "all but those that lay on the table first"
    luck = _luck(house, code)
    _misbehave(house, seats, people[0])
    metrics = Visitor(house.base).get("/metrics").text
    house.stop()
    text = "\n".join((house.log, metrics, (house.data / "log" / journal.FILE).read_text(encoding="utf-8")))
    for word in (*NAMES, MARK, AGENT, planted.MARK, "planted in", "10.77.66.55", "127.0.0.1", *luck, code):
        assert word not in text.replace(f"http://127.0.0.1:{house.port}", ""), word
    for person in people:
        assert not [token for token in person.tokens if token in text]
    cards = {str(card) for card in DECK} | {card_name(card) for card in DECK}
    assert not [card for card in cards if re.search(rf"\b{card}\b", text)]
    assert {field for line in house.journal for field in line} <= FACTS
    told = {line["event"] for line in house.journal}
    assert told >= {"start", "stop", "entry", "opened", "connect", "close", "move", "change", "refusal", "dropped"}
    assert told >= {"fault", "turned_away", "library"}


def _luck(house: Server, code: str) -> list[str]:
    """Salt and seal of the hand that lies ready."""
    with house.rows() as rows:
        [(body,)] = rows.execute("SELECT body FROM game_table WHERE code = ?", (code,)).fetchall()
        lines = rows.execute("SELECT action FROM line WHERE action LIKE '%sha256%' OR action LIKE '%salt%'").fetchall()
    return re.findall(r'"(?:salt|sha256)":"(\w+)"', "".join((body, *(line for (line,) in lines))))


def _misbehave(house: Server, seats: list[Seat], person: Visitor) -> None:
    """Nonsense, a bug with a marked message, a page that is none, bytes that are no request, a foreign post."""
    seats[0].wire.send(f'{{"do":"play","card":"{MARK}"}}')
    seats[0].wire.send(MARK)
    seats[0].wire.send_bytes(MARK.encode())
    seats[0].settle()
    seats[0].wire.send(f'{{"do":"nudge","x":{planted.MARK},"y":"{MARK}"}}')
    assert seats[0].wire.close_code() == 1011
    person.get(f"/masa/{MARK}")
    person.get(f"/{MARK}?{MARK}={MARK}")
    assert person.post("/gir", {"name": MARK}, origin="http://example.org").status == 403
    assert person.post("/gir", {"name": MARK * 9_000}).status == 413
    for sent in (f"{MARK}\r\n\r\n", f"GET /{MARK} HTTP/9.9\r\n\r\n", f"GET / HTTP/1.1\r\n{MARK}\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", house.port), timeout=10) as line:
            line.sendall(sent.encode())
            assert line.recv(16).startswith(b"HTTP/1.1 ")


def test_rl_54_a_move_is_one_line_for_whoever_looks_for_it(serve: Callable[..., Server]) -> None:
    house = serve()
    people = [Visitor(house.base, name) for name in NAMES]
    seats = [Seat(person, open_table(people[0])) for person in people[:1]]
    seats.append(Seat(people[1], seats[0].code))
    begin(seats)
    mover = on_turn(seats)
    number = mover.number
    play_one(seats)
    mover.refused("ready")
    for seat in seats:
        seat.wire.close()
    house.stop()
    [table] = {line["table"] for line in house.journal if "table" in line}
    told = [line for line in house.journal if line["event"] == "move" and line["seat"] >= 0]
    assert [(line["level"], line["table"], line["seat"], line["action"]) for line in told] == [
        ("info", table, number, "play")
    ]
    assert told[0]["ms"] > 0
    luck = [line["action"] for line in house.journal if line["event"] == "move" and line["seat"] < 0]
    assert luck == ["first", "deal"]
    assert {"event": "refusal", "seat": number, "code": "no_pause", "table": table}.items() <= next(
        line for line in house.journal if line["event"] == "refusal"
    ).items()
    assert [line["code"] for line in house.journal if line["event"] == "close"] == [1000, 1000]


# --- the journal itself ---


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where the journal lies that is open now."""
    journal.open_at(tmp_path / "log", 3)
    yield tmp_path / "log"
    journal.close()


def _lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / journal.FILE).read_text(encoding="utf-8").splitlines()]


def test_rl_54_the_file_is_its_owners_alone(folder: Path) -> None:
    journal.note("start")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / journal.FILE).stat().st_mode & 0o777 == 0o600


def test_rl_54_a_day_is_a_file_and_old_ones_go(folder: Path) -> None:
    for day in range(1, 6):
        (folder / f"{journal.FILE}.2020-01-0{day}").write_text("{}\n")
    journal.note("before")
    _turn_the_page()
    journal.note("after")
    assert [line["event"] for line in _lines(folder)] == ["after"]
    kept = sorted(file.name for file in folder.iterdir())
    assert len(kept) == 3, "today's, and the two days before"
    assert "before" in (folder / kept[-1]).read_text()


def test_rl_54_two_workers_that_turn_the_page_lose_nothing(folder: Path) -> None:
    """As at a reload around midnight: the other one has turned it already."""
    journal.note("mine")
    handler = _turn_the_page()
    suffix = handler.rotation_filename("x")
    assert suffix == "x"
    taken = folder / "taken"
    taken.write_text("")
    assert handler.rotation_filename(str(taken)) == f"{taken}.{os.getpid()}"


def _turn_the_page() -> journal._Daily:
    [handler] = [handler for handler in logging.getLogger().handlers if isinstance(handler, journal._Daily)]
    handler.rolloverAt -= 86_400
    return handler


def test_rl_54_a_fault_tells_where_and_never_what(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    def deal() -> None:
        hand = ["9H"]
        raise LookupError(f"{MARK} {hand}")

    try:
        try:
            deal()
        except LookupError as error:
            raise RuntimeError(MARK) from error
    except RuntimeError as error:
        number = journal.fault(error, action="test", table=7)
    [line] = _lines(folder)
    assert (line["error"], line["kind"], line["cause"], line["table"]) == (number, "RuntimeError", "LookupError", 7)
    assert re.fullmatch(
        r"tests/web/test_logs\.py:\d+:test_rl_54_a_fault_tells_where_and_never_what", line["frames"][-1]
    )
    assert json.loads(capsys.readouterr().err) == line, "and on standard error, in the same form"


def test_rl_54_other_libraries_are_named_and_not_quoted(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    try:
        raise ValueError(MARK)
    except ValueError:
        logging.getLogger("some.library").exception("from %s", MARK)
    [line] = _lines(folder)
    assert (line["event"], line["code"], line["kind"], line["level"]) == (
        "library",
        "some.library",
        "ValueError",
        "error",
    )
    assert MARK not in json.dumps(line) + capsys.readouterr().err


def test_rl_54_what_anybody_can_bring_about_fills_no_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "NOISE", 5)
    monkeypatch.setattr(journal, "_noise", journal._Noise())
    monkeypatch.setattr(journal.time, "monotonic", lambda: 60.0)  # type: ignore[attr-defined]
    for _ in range(20):
        journal.noise("dropped", code="bad_request")
    journal.note("move")
    monkeypatch.setattr(journal.time, "monotonic", lambda: 120.0)  # type: ignore[attr-defined]
    journal.noise("dropped", code="bad_request")
    told = _lines(folder)
    assert [line["event"] for line in told] == [*["dropped"] * 5, "move", "noise", "dropped"]
    assert told[6]["code"] == 15, "so many more there were"


def test_rl_54_a_full_disk_stops_no_game(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    handler = _turn_the_page()
    handler.rolloverAt += 86_400
    kept = handler.stream
    with suppress(OSError), open("/dev/full", "w") as full:
        handler.stream = full
        journal.note("move")
    handler.stream = kept
    journal.note("start")
    assert [line["event"] for line in _lines(folder)] == ["start"]
    assert capsys.readouterr().err == ""


def test_rl_54_what_breaks_outside_of_requests_is_written_down_too(serve: Callable[..., Server]) -> None:
    """A greenlet and a thread that die of a bug: their kind and place are told, not their words."""
    house = serve("tests.web.planted:dying()")
    house.stop()
    assert [(line["action"], line["kind"]) for line in house.journal if line["event"] == "fault"] == [
        ("greenlet", "RuntimeError"),
        ("thread", "RuntimeError"),
    ]
    assert "planted" not in house.log.replace("tests/web/planted.py", "")
