"""Lines that die in silence, crawl or sleep: the others play on, and whoever comes back finds all (RL-21 to RL-23)."""

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from prometheus_client.parser import text_string_to_metric_families

from mokali.config import Settings
from tests.web import planted
from tests.web.line import line_to
from tests.web.seat import Seat, deal, fresh, on_turn, open_table, play_one
from tests.web.server import Server
from tests.web.wire import PATIENCE, Visitor, Wire

NARROW = 4_096


def _close_codes(house: Server) -> list[int]:
    return [line["code"] for line in house.journal if line["event"] == "close"]


def _until(told: Callable[[], object], seconds: float = 30) -> None:
    """Look until that holds. Raises TimeoutError."""
    until = time.monotonic() + seconds
    while not told():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.05)


def _listened(*seats: Seat) -> bool:
    """Take in what lies ready, and with it answer pings, as a browser does by itself."""
    for seat in seats:
        with suppress(TimeoutError):
            while True:
                seat.read(0.01)
    return True


# --- a line that dies without a word (RL-23) ---


def test_rl_23_a_line_that_dies_is_noticed_and_the_seat_is_whole(serve: Callable[..., Server]) -> None:
    """Packets are lost, nobody is told: the house closes with 1013, the others go on, the person comes back to all."""
    house = serve(ping_seconds=2, heartbeat_seconds=0.2, grace_seconds=1)
    first, second = (Visitor(house.base, name) for name in ("Ayşe", "Can"))
    code = open_table(first)
    with line_to(house.port) as line:
        abroad = Visitor(line.base)
        abroad.cookies = dict(second.cookies)
        seats = [Seat(first, code), Seat(abroad, code)]
        _begin(seats)
        play_one(seats)
        lost = seats[1]
        watcher = Seat(Visitor(house.base, "Ece"), code)
        line.drop()
        held = lost.cards
        if on_turn(seats) is seats[0]:
            seats[0].do("play", card=seats[0].cards[0])
        _until(lambda: _listened(seats[0], watcher) and 1013 in _close_codes(house))
        seats[0].sees("kopuk")
        watcher.settle()
        assert _close_codes(house) == [1013], "nobody else's line was touched"
        back = Seat(second, code)
        assert (back.number, back.cards) == (lost.number, held)
        assert back.played == seats[0].played == house.kept(code).played
    pair = [seats[0], back]
    for seat in pair:
        seat.until(lambda some: some.played == house.kept(code).played)
    for _ in range(4):
        play_one(pair)
    watcher.until(lambda some: some.played == back.played)
    house.no_fault()


def test_rl_23_whoever_answers_pings_stays(serve: Callable[..., Server]) -> None:
    """A phone that only watches, for several pings long."""
    house = serve(ping_seconds=1, heartbeat_seconds=0.2)
    wire = Visitor(house.base, "Ayşe").wire("/ws/lobi")
    until = time.monotonic() + 2.5
    beats = 0
    while time.monotonic() < until:
        beats += '"hb"' in wire.receive()
    assert wire.closed is None
    assert beats > 5, "and hears from the house all the time"


def _begin(seats: list[Seat]) -> None:
    seats[1].do("sit", chair=1)
    for seat in seats:
        seat.until(lambda some: some.number is not None)
        seat.do("ready")
    for seat in seats:
        seat.until(lambda some: some.facts["phase"] == "play")


@pytest.mark.parametrize("committed", [True, False], ids=["after the commit", "before it"])
def test_rl_27_a_lost_answer_is_no_lost_move(house: Server, committed: bool) -> None:
    """The line dies around a move: whoever comes back sees whether it was done, and it was done once or not at all."""
    first, second = (Visitor(house.base, fresh()) for _ in range(2))
    code = open_table(first)
    with line_to(house.port) as line:
        abroad = Visitor(line.base)
        abroad.cookies = dict(second.cookies)
        seats = [Seat(first, code), Seat(abroad, code)]
        _begin(seats)
        if on_turn(seats) is seats[0]:
            play_one(seats)
        lost, before = seats[1], house.kept(code)
        card = lost.cards[0]
        if committed:
            line.lose_answers()
        else:
            line.drop()
        lost.do("play", card=card)
        if committed:
            seats[0].until(lambda some: some.played > before.played)
        back = Seat(second, code)
    done = int(committed)
    assert back.played == house.kept(code).played == before.played + done
    assert house.kept(code).lines == before.lines + done
    assert (card in back.cards) is not committed
    again = {"card": card, "played": before.played}
    if committed:
        assert back.refused("play", **again) == "stale", "what is sent once more is not done twice"
    else:
        back.do("play", **again)
        back.until(lambda some: some.played == before.played + 1)
    assert house.kept(code).lines == before.lines + 1
    house.no_fault()


# --- a reader asleep (RL-21) ---


def test_rl_21_two_hundred_long_messages_to_a_reader_asleep_arrive_whole(serve: Callable[..., Server]) -> None:
    house = serve("tests.web.planted:talkative()", max_outbox=planted.WORDS * planted.LENGTH * 2, stall_seconds=60)
    visitor = Visitor(house.base, fresh())
    code = open_table(visitor)
    wire = visitor.wire(f"/ws/masa/{code}?sayfa=1", deflate=False, buffer=65_536)
    time.sleep(1)
    heard: list[int] = []
    while len(heard) < planted.WORDS:
        message = wire.receive()
        if '"word":' in message[-20:]:
            word = json.loads(message)
            assert word["of"] == chr(97 + word["word"] % 26) * planted.LENGTH
            heard.append(word["word"])
    assert heard == list(range(planted.WORDS)), "in order, none lost, none twice"
    wire.send('{"do":"rise"}')
    while 'data-seat=""' not in wire.receive():
        pass
    house.no_fault()


# --- one that crawls and one asleep (RL-22) ---


@contextmanager
def _crawling(seat: Seat) -> Iterator[None]:
    """Read a kilobyte a second, no more, for as long as the line stands."""
    ended = threading.Event()

    def crawl() -> None:
        while not ended.wait(1):
            try:
                data = seat.wire._sock.recv(1_000)
            except OSError:
                data = b""
            if not data:
                return

    reader = threading.Thread(target=crawl)
    reader.start()
    try:
        yield
    finally:
        ended.set()
        reader.join()


def _slow(house: Server, name: str, code: str) -> Seat:
    return Seat(Visitor(house.base, name), code, deflate=False, buffer=NARROW)


FRAMES = {
    "messages": b"\x81\x82\0\0\0\0{}",
    "pongs": b"\x8a\x80\0\0\0\0",
    "pings": b"\x89\x80\0\0\0\0",
    "pieces": b"\x00\x80\0\0\0\0",
}
"""What may be sent as quickly as the line takes it; every frame is masked with zeros."""
BEGUN = b"\x01\x80\0\0\0\0"
"""A message that has no end yet."""


@contextmanager
def _flooding(wire: Wire, frames: bytes) -> Iterator[None]:
    """Send these for as long as anybody takes them."""
    wire._sock.settimeout(PATIENCE)

    def flood() -> None:
        with suppress(OSError):
            while True:
                wire._sock.sendall(frames)

    sender = threading.Thread(target=flood)
    sender.start()
    try:
        yield
    finally:
        with suppress(OSError):
            wire._sock.shutdown(socket.SHUT_RDWR)
        sender.join()


def test_rl_18_floods_hold_up_nobody_and_are_cut_off(serve: Callable[..., Server]) -> None:
    """Of every kind at once, as quick as the line is: the others play on meanwhile, and each flood ends with 4008."""
    plain = {
        name: getattr(Settings(), name) for name in ("bytes_per_second", "bytes_in_reserve", "messages_per_second")
    }
    house = serve("tests.web.planted:hasty()", **plain)
    seats = deal(house, "Ayşe", "Can", target=151)
    moves = 0
    with ExitStack() as floods:
        for kind, frame in FRAMES.items():
            bad = Visitor(house.base, f"Sel {kind}").wire(seats[0].address.partition("?")[0], deflate=False)
            if kind == "pieces":
                bad.send_raw(BEGUN)
            floods.enter_context(_flooding(bad, frame * 100))
        until = time.monotonic() + PATIENCE
        while _close_codes(house).count(4008) < len(FRAMES):
            assert time.monotonic() < until
            _play_on(seats)
            moves += 1
            time.sleep(0.05)  # so that the match outlasts the floods
    assert moves > 5, "the others play on"
    house.no_fault()


def test_rl_22_one_that_crawls_and_one_asleep_hold_up_nobody(serve: Callable[..., Server]) -> None:
    """The others play on, the one asleep is given up, and both find the newest picture when they come back."""
    house = serve("tests.web.planted:narrow()", stall_seconds=2)
    seats = deal(house, "Ayşe", "Can")
    code = seats[0].code
    asleep, crawler = _slow(house, "Uyuyan", code), _slow(house, "Sürünen", code)
    moves = 0
    with _crawling(crawler):
        until = time.monotonic() + 30
        while not _cuts(house) and time.monotonic() < until:
            _play_on(seats)
            moves += 1
            time.sleep(0.05)
        assert set(_cuts(house)) == {"stalled"}
        for _ in range(10):
            _play_on(seats)
    assert moves > 5, "nobody was held up while one slept"
    assert asleep.wire.close_code() == 1006
    for visitor in (asleep.visitor, crawler.visitor):
        back = Seat(visitor, code)
        seats[0].until(lambda some, back=back: some.played == back.played)  # type: ignore[misc]
        assert back.facts["turn"] == seats[0].facts["turn"]
    house.no_fault()


def _play_on(seats: list[Seat]) -> None:
    if seats[0].facts["phase"] == "play":
        play_one(seats)
        return
    for seat in seats:
        seat.do("ready")
    for seat in seats:
        seat.until(lambda some: some.facts["phase"] == "play")


def _figures(house: Server, name: str) -> dict[str, float]:
    text = Visitor(house.base).get("/metrics").text
    return {
        next(iter(sample.labels.values()), ""): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name
    }


def _cuts(house: Server) -> dict[str, float]:
    return _figures(house, "mokali_outbox_closes_total")


@pytest.mark.soak
def test_rl_22_memory_stays_flat_for_ten_minutes(serve: Callable[..., Server]) -> None:
    """Sleepers and crawlers come, are given up and come again; what the house holds for them does not grow."""
    house = serve("tests.web.planted:narrow()", stall_seconds=10)
    seats = deal(house, "Ayşe", "Can", target=51)
    code = seats[0].code
    bad = [Visitor(house.base, f"Kötü {n}") for n in range(6)]
    until, early = time.monotonic() + 600, 0.0
    sleepers: list[Seat] = []
    rounds = 0
    while time.monotonic() < until:
        if rounds % 50 == 0:
            for seat in sleepers:
                seat.wire.cut()
            sleepers = [Seat(visitor, code, deflate=False, buffer=NARROW) for visitor in bad]
        if seats[0].facts["phase"] == "over":
            code = _rematch(seats)
        _play_on(seats)
        rounds += 1
        if time.monotonic() > until - 480 and not early:
            early = _figures(house, "process_resident_memory_bytes")[""]
        time.sleep(0.05)
    late = _figures(house, "process_resident_memory_bytes")[""]
    assert late - early < 8_000_000, (early, late)
    house.no_fault()


def _rematch(seats: list[Seat]) -> str:
    """The same people at a new table; its code."""
    for seat in seats:
        seat.do("again")
    for seat in seats:
        seat.until(lambda some: some.facts.get("goto"))
    code = seats[0].facts["goto"].rpartition("/")[2]
    for n, seat in enumerate(seats):
        seat.wire.close()
        seats[n] = Seat(seat.visitor, code)
    for seat in seats:
        seat.until(lambda some: some.facts["phase"] == "play")
    return code


# --- two tabs (RL-31) ---


def test_rl_31_site_c7_two_tabs_take_turns_and_see_the_same(serve: Callable[..., Server]) -> None:
    """Whichever page was loaded last acts; the older says so, plays nothing, and takes the seat back by a reload."""
    house = serve()
    seats = deal(house, "Ayşe", "Can")
    code, other = seats[0].code, seats[1]
    tabs = [seats[0], Seat(seats[0].visitor, code)]
    for n in range(12):
        old, new = tabs
        old.until(lambda some: some.said and {"acting": False} in some.said)
        everybody = [old, new, other]
        mover = on_turn([new, other])
        if mover is new:
            before = house.kept(code)
            assert old.refused("play", card=old.cards[0]) == "read_only"
            assert house.kept(code) == before
        card, played = mover.cards[0], mover.played
        mover.do("play", card=card)
        for seat in everybody:
            seat.until(lambda some, played=played: some.played > played)  # type: ignore[misc]
        assert (old.cards, old.facts) == (new.cards, new.facts), "both see the same"
        if n % 2:
            old.wire.close()
            tabs = [new, Seat(old.visitor, code)]  # "Buraya al" loads the page again
    assert len([line for line in house.journal if line.get("action") == "play"]) == 12
    house.no_fault()


def test_rl_12_tabs_sockets_and_reloads_do_not_count(serve: Callable[..., Server]) -> None:
    """Eight people with three tabs each are eight; the ninth is told that it is full, and nobody is put out."""
    house = serve(max_people=8)
    people = [Visitor(house.base, fresh()) for _ in range(8)]
    wires = [[person.wire("/ws/lobi") for _ in range(3)] for person in people]
    for tabs in wires:
        for wire in tabs:
            wire.receive()
    stranger = Visitor(house.base)
    assert stranger.enter("Dokuzuncu").status == 503
    for person in people:
        page = person.get("/")
        assert page.status == 200
        assert "8/8" in re.sub(r"<[^>]*>", "", page.text)
    for tabs in wires:
        for wire in tabs:
            list(wire.waiting())
            assert wire.closed is None


def test_rl_13_so_many_sockets_and_no_more(serve: Callable[..., Server]) -> None:
    house = serve(max_sockets=4)
    people = [Visitor(house.base, fresh()) for _ in range(5)]
    wires = [person.wire("/ws/lobi") for person in people[:4]]
    for wire in wires:
        wire.receive()
    assert people[4].wire("/ws/lobi").close_code() == 1013, "try again later, and nobody else is put out"
    wires[0].close()
    _until(lambda: 1000 in _close_codes(house))
    people[4].wire("/ws/lobi").receive()
    for wire in wires[1:]:
        list(wire.waiting())
        assert wire.closed is None


# --- too fast, and slower again (RL-18) ---


def test_rl_18_the_last_message_allowed_the_first_refused_and_recovery(serve: Callable[..., Server]) -> None:
    house = serve(messages_per_second=1, messages_in_reserve=5)
    person = Visitor(house.base, fresh())
    seat = Seat(person, open_table(person))
    for n in range(8):
        seat.do("free", chair=90 + n)
    seat.until(lambda some: any(code == "too_fast" for code, _ in some.refusals))
    assert [code for code, _ in seat.refusals].index("too_fast") >= 5, "the reserve was answered"
    time.sleep(2.2)  # two flow in again
    list(seat.wire.waiting())
    heard = len(seat.refusals)
    for n in range(2):
        seat.do("free", chair=80 + n)
        seat.until(lambda some, n=n: len(some.refusals) > heard + n)  # type: ignore[misc]
    assert "too_fast" not in [code for code, _ in seat.refusals[heard:]]
    assert seat.wire.closed is None


def test_rl_50_lines_that_say_nothing_hold_up_no_stop_and_slow_ones_are_heard(serve: Callable[..., Server]) -> None:
    """A browser keeps its lines open, and a bad network sends a first request twice."""
    house = serve()
    slow, half, *idle = (socket.create_connection(("127.0.0.1", house.port), PATIENCE) for _ in range(6))
    for line in idle:
        line.sendall(b"GET /kurallar HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 200"
    time.sleep(1.5)
    slow.sendall(b"GET /kurallar HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert slow.recv(12) == b"HTTP/1.1 200"
    half.sendall(b"GET /kur")
    house.stop()
    for line in (slow, half, *idle):
        line.close()
    assert [line["event"] for line in house.journal if line["level"] != "info"] == []
    house.no_fault()
