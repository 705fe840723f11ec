"""What comes in over a socket, whatever it is, and what goes back (RL-20, RL-24 to RL-26, RL-29 to RL-31, RL-50)."""

import json
import re
import socket
import time
from collections.abc import Callable
from random import Random

import pytest

from mokali.engine.cards import DECK
from tests.mutations import mutated
from tests.web import planted
from tests.web.seat import Seat, deal, fresh, on_turn, open_table, play_one
from tests.web.server import Server
from tests.web.wire import PATIENCE, Rejected, Visitor

SIZE = 8_192


def table(house: Server) -> tuple[Seat, Seat, Seat]:
    """Whose turn it is, the other one, and somebody who watches."""
    seats = deal(house, fresh(), fresh())
    mover = on_turn(seats)
    other = next(seat for seat in seats if seat is not mover)
    return mover, other, Seat(Visitor(house.base, fresh()), mover.code)


# --- what is no message (RL-20) ---

NONSENSE = {
    "empty": "",
    "not JSON": "play",
    "half": '{"do":"play","card":"9',
    "a list": '[{"do":"play"}]',
    "a number": "42",
    "null": "null",
    "no action": '{"card":"9H"}',
    "an unknown action": '{"do":"shuffle"}',
    "an action that is none": '{"do":7}',
    "no card": '{"do":"play"}',
    "a card that is none": '{"do":"play","card":"ZZ"}',
    "a card as a list": '{"do":"play","card":["9H"]}',
    "a chair as text": '{"do":"sit","chair":"bir"}',
    "a chair beyond numbers": '{"do":"sit","chair":1e999}',
    "a counter that is none": '{"do":"play","card":"9H","played":"şimdi"}',
    "a counter beyond numbers": '{"do":"play","card":"9H","played":99999999999999999999999999}',
    "deeply nested": '{"do":"play","card":' + "[" * 4_000 + "]" * 4_000 + "}",
    "nested aside": '{"do":"nudge","x":' + '{"a":' * 1_300 + "1" + "}" * 1_300 + "}",
    "half a letter": '{"do":"play","card":"\\ud800"}',
    "a zero byte": '{"do":"play","card":"\\u0000"}',
    "a byte order mark": '\ufeff{"do":"leave"}',
    "two at once": '{"do":"leave"}{"do":"leave"}',
}


@pytest.mark.parametrize("text", NONSENSE.values(), ids=NONSENSE.keys())
def test_rl_20_nonsense_changes_nothing_and_the_socket_lives(house: Server, text: str) -> None:
    for seat in (seats := table(house)):
        before = house.kept(seat.code)
        seat.wire.send(text)
        seat.settle()
        assert [code for code, _ in seat.refusals] == [seat.refusals[-1][0]], "nonsense is answered by nothing"
        assert house.kept(seat.code) == before
    play_one(list(seats[:2]))
    house.no_fault()


def test_rl_20_keys_that_stand_twice_make_one_action_at_most(house: Server) -> None:
    mover, other, watcher = table(house)
    before = house.kept(mover.code)
    for seat in (other, watcher):
        for keys in ('"do":"nudge","do":"play"', '"do":"play","do":"nudge"', '"do":"play","do":"deal"'):
            card = f'"card":"{other.cards[0]}","card":"{mover.cards[0]}"'
            seat.wire.send(f'{{{keys},{card},"seat":{mover.number},"played":0,"played":{mover.played}}}')
        seat.settle()
        assert {code for code, _ in seat.refusals} <= {"started", "not_your_turn", "not_seated", "too_soon"}
        assert house.kept(mover.code) == before
    mover.wire.send(f'{{"do":"play","card":"{other.cards[0]}","card":"{mover.cards[0]}","played":{mover.played}}}')
    mover.until(lambda seat: seat.played == before.played + 1)
    assert house.kept(mover.code).lines == before.lines + 1


def test_rl_20_binary_messages_are_dropped(house: Server) -> None:
    mover, other, _ = table(house)
    before = house.kept(mover.code)
    play = json.dumps({"do": "play", "card": mover.cards[0], "played": mover.played})
    mover.wire.send_bytes(play.encode())
    mover.wire.send_bytes(bytes(range(256)))
    mover.wire.send_bytes(b"")
    mover.settle()
    assert house.kept(mover.code) == before
    play_one([mover, other])


def test_rl_20_a_message_in_pieces_is_one_message(house: Server) -> None:
    mover, other, _ = table(house)
    before = mover.played
    mover.wire.send_pieces('{"do":"pl', 'ay","card":"', f'{mover.cards[0]}","played":{before}', "}")
    for seat in (mover, other):
        seat.until(lambda some: some.played == before + 1)


@pytest.mark.parametrize("sent", ["text", "binary", "pieces"])
def test_rl_20_what_is_too_long_closes_with_1009(house: Server, sent: str) -> None:
    mover, other, _ = table(house)
    before = house.kept(mover.code)
    long = '{"do":"nudge","x":"' + "x" * SIZE + '"}'
    match sent:
        case "text":
            mover.wire.send(long)
        case "binary":
            mover.wire.send_bytes(long.encode())
        case _:
            mover.wire.send_pieces(*(long[n : n + 512] for n in range(0, len(long), 512)))
    assert mover.wire.close_code() == 1009
    assert house.kept(mover.code) == before
    back = Seat(mover.visitor, mover.code)
    assert (back.number, back.cards) == (mover.number, mover.cards)
    play_one([back, other])


def test_rl_20_as_long_as_it_may_be(house: Server) -> None:
    mover, _, _ = table(house)
    text = '{"do":"nudge","x":"%s"}'
    mover.wire.send(text % ("x" * (SIZE - len(text) + 2)))
    mover.until(lambda seat: seat.refusals)
    assert mover.refusals[0][0] == "stale", "there is nobody to wake: it is the own turn"


def test_rl_20_a_bomb_is_too_long(house: Server) -> None:
    mover, other, _ = table(house)
    mover.wire.send("[" * 3_000_000)
    assert mover.wire.close_code() == 1009
    play_one([Seat(mover.visitor, mover.code), other])


BROKEN_FRAMES = {
    "no UTF-8": (b"\x81\x82\x00\x00\x00\x00\xff\xff", 1007),
    "unmasked": (b"\x81\x02hi", 1002),
    "reserved opcode": (b"\x83\x80\x00\x00\x00\x00", 1002),
    "reserved bit": (b"\xa1\x80\x00\x00\x00\x00", 1002),
    "a piece of nothing": (b"\x80\x80\x00\x00\x00\x00", 1002),
    "a long ping": (b"\x89\xfe\x01\x00\x00\x00\x00\x00" + b"x" * 256, 1002),
    "a frame without end": (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00" + b"x" * 20_000, 1009),
}


@pytest.mark.parametrize(("data", "code"), BROKEN_FRAMES.values(), ids=BROKEN_FRAMES.keys())
def test_rl_20_broken_frames_end_that_socket_alone(house: Server, data: bytes, code: int) -> None:
    mover, other, _ = table(house)
    mover.wire.send_raw(data)
    assert mover.wire.close_code() == code
    play_one([Seat(mover.visitor, mover.code), other])
    house.no_fault()


BAD_HANDSHAKES = {
    "no key": "Sec-WebSocket-Version: 13\r\n",
    "old version": "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\n",
    "nothing": "",
}


@pytest.mark.parametrize("lines", BAD_HANDSHAKES.values(), ids=BAD_HANDSHAKES.keys())
def test_rl_20_a_handshake_that_is_none_is_no_fault_of_ours(house: Server, lines: str) -> None:
    visitor = Visitor(house.base, fresh())
    head = (
        f"GET /ws/lobi HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nOrigin: {house.base}\r\nCookie: {visitor.cookie}\r\n"
    )
    with socket.create_connection(("127.0.0.1", house.port), timeout=10) as line:
        line.sendall(f"{head}Connection: Upgrade\r\nUpgrade: websocket\r\n{lines}\r\n".encode())
        assert line.recv(64).split(b" ")[1] in (b"400", b"426")
    visitor.wire("/ws/lobi").receive()
    house.no_fault()


# --- forged and foreign actions ---


def test_rl_20_the_house_cannot_be_played(house: Server) -> None:
    forged: tuple[dict[str, object], ...] = (
        {"do": "deal", "deck": [str(card) for card in DECK]},
        {"do": "first", "seat_drawn": 0},
        {"do": "seal", "sha256": "0" * 64},
        {"do": "reveal", "salt": "0" * 32, "rest": []},
        {"do": "begin", "lots": [], "salt": ""},
        {"do": "auto_act", "seat": -1, "action": {"do": "first", "seat_drawn": 0}},
        {"do": "close", "why": "voted"},
        {"do": "gone", "user": 1, "since": 0},
        {"do": "back", "user": 1},
    )
    mover, other, watcher = table(house)
    for seat in (mover, other, watcher):
        before = house.kept(seat.code)
        for message in forged:
            seat.wire.send(json.dumps({**message, "played": seat.played}))
        seat.settle()
        assert len(seat.refusals) == 1
        assert house.kept(seat.code) == before
    play_one([mover, other])


def test_cm_7_each_wrong_wish_has_its_refusal(house: Server) -> None:
    mover, other, watcher = table(house)
    before = house.kept(mover.code)
    stranger_card = next(str(card) for card in DECK if str(card) not in mover.cards)
    told = [
        mover.refused("play", card=mover.cards[0], played=mover.played - 1),
        mover.refused("play", card=mover.cards[0], played=mover.played + 1),
        mover.refused("play", card=stranger_card),
        other.refused("play", card=other.cards[0]),
        other.refused("play", card=mover.cards[0], seat=mover.number, user=1),
        watcher.refused("play", card=mover.cards[0]),
        watcher.refused("ready"),
        watcher.refused("nudge"),
        watcher.refused("close_vote"),
        watcher.refused("give_chair", to="bot"),
        watcher.refused("take_back"),
        watcher.refused("leave"),
        watcher.refused("again"),
        watcher.refused("approve", plea="x", yes=True),
        watcher.refused("sit", chair=0),
        mover.refused("ready"),
        mover.refused("rise"),
        mover.refused("free", chair=other.number),
        mover.refused("close_vote"),
        mover.refused("give_chair", to="newcomer"),
        mover.refused("take_back"),
        mover.refused("again"),
        mover.refused("nudge"),
        mover.refused("approve", plea="x", yes=True),
    ]
    assert told == [
        *["stale", "stale", "not_held", "not_your_turn", "not_your_turn", "not_seated", "not_seated", "not_seated"],
        *["not_seated", "not_seated", "not_seated", "not_seated", "not_seated", "not_seated", "started", "no_pause"],
        *["started", "started", "nobody_absent", "nobody_absent", "not_undoable", "not_finished", "stale", "plea_over"],
    ]
    assert house.kept(mover.code) == before
    for seat in (mover, other, watcher):
        for code, text in seat.refusals:
            assert 'class="' not in code
            assert f'href="/kurallar/pisti?masa={seat.code}#' in text, (code, text)


def test_rl_26_five_at_once_are_one(house: Server) -> None:
    mover, other, _ = table(house)
    before = mover.played
    for _ in range(5):
        mover.do("play", card=mover.cards[0])
    mover.until(lambda seat: len(seat.refusals) == 4)
    assert {code for code, _ in mover.refusals} <= {"stale", "not_your_turn"}
    assert house.kept(mover.code).played == before + 1
    other.until(lambda seat: seat.played == before + 1)


def test_rl_26_after_a_refusal_for_being_late_the_whole_picture_comes(house: Server) -> None:
    mover, _, _ = table(house)
    assert mover.refused("play", card=mover.cards[0], played=0) == "stale"
    mover.until(lambda seat: seat.newest.startswith("<main"))
    assert 'id="hand"' in mover.newest


# --- noise ---


def test_rl_20_two_thousand_mutated_messages(house: Server) -> None:
    mover, other, watcher = table(house)
    before = house.kept(mover.code)
    rng = Random(20)
    for seat in (other, watcher):
        plays = [{"do": "play", "card": card, "played": seat.played} for card in (*mover.cards, *other.cards)]
        wishes = [
            {"do": "nudge"},
            {"do": "ready", "on": True},
            {"do": "again", "pairing": 2},
            {"do": "free", "chair": 0},
        ]
        corpus = [json.dumps(message) for message in (*plays, *wishes, {"do": "approve", "plea": "x", "yes": False})]
        for n in range(1_000):
            seat.wire.send(mutated(rng.choice(corpus), rng))
            if n % 25 == 0:
                for _ in seat.wire.waiting():
                    pass
        seat.settle()
        assert house.kept(mover.code) == before
    play_one([mover, other])
    house.no_fault()


def test_rl_18_too_much_is_dropped_and_then_ends_the_socket(serve: Callable[..., Server]) -> None:
    house = serve("tests.web.planted:hasty()", messages_per_second=1, messages_in_reserve=3)
    mover, other, _ = table(house)
    mover.until(lambda seat: seat.refused("nudge") == "too_fast")
    until = time.monotonic() + PATIENCE
    while mover.wire.closed is None and time.monotonic() < until:
        mover.do("nudge")
        for _ in mover.wire.waiting(0.05):
            pass
    assert mover.wire.closed == 4008
    assert Seat(mover.visitor, mover.code).cards == mover.cards
    other.settle()


# --- faults of ours (RL-24) ---


def test_rl_24_a_fault_in_the_handler_ends_that_socket_alone(serve: Callable[..., Server]) -> None:
    house = serve("tests.web.planted:faulty()")
    mover, other, watcher = table(house)
    mover.wire.send(f'{{"do":"nudge","x":{planted.MARK}}}')
    assert mover.wire.close_code() == 1011
    assert "HTTP/1" not in "".join(mover.wire.heard)
    assert _faults(house) == [("RuntimeError", "tests/web/planted.py", "do")]
    back = Seat(mover.visitor, mover.code)
    for _ in range(4):
        play_one([back, other])
    watcher.until(lambda seat: seat.played == other.played)


def test_rl_24_a_fault_in_the_drawing_ends_that_socket_alone(serve: Callable[..., Server]) -> None:
    house = serve("tests.web.planted:faulty()")
    mover, other, _ = table(house)
    unlucky = Visitor(house.base, planted.UNDRAWABLE)
    assert unlucky.wire(f"/ws/masa/{mover.code}?sayfa=1").close_code() == 1011
    for _ in range(4):
        play_one([mover, other])
    assert _faults(house) == [("RuntimeError", "tests/web/planted.py", "drawn")]


def _faults(house: Server) -> list[tuple[str, str, str]]:
    """What is written down of each: its kind, and file and function where it was raised (RL-54)."""
    told = [(line["kind"], line["frames"][-1].split(":")) for line in house.journal if line["event"] == "fault"]
    return [(kind, place[0], place[2]) for kind, place in told]


# --- nothing lost, nothing doubled ---


def test_rl_29_what_was_written_is_there_though_nobody_was_told(serve: Callable[..., Server]) -> None:
    house = serve("tests.web.planted:mortal()")
    mover, other, _ = table(house)
    before = mover.played
    (house.data / planted.DEADLY).touch()
    mover.do("play", card=mover.cards[0])
    assert mover.wire.close_code() == 1006
    assert house.kept(mover.code).played == before + 1
    house.kill()
    house.start()
    back = [Seat(seat.visitor, seat.code) for seat in (mover, other)]
    assert [seat.played for seat in back] == [before + 1] * 2
    assert mover.cards[0] not in back[0].cards
    play_one(back)


def test_rl_30_of_two_workers_one_decides(serve: Callable[..., Server]) -> None:
    """The same wish through two houses on one database: it is done once, whoever was quicker."""
    one = serve("tests.web.planted:hasty()")
    seats = deal(one, "Ayşe", "Can")
    two = serve(data=one.data)
    for _ in range(4):
        _played_twice(on_turn(seats), seats, one, two)
    two.no_fault()


def _played_twice(mover: Seat, seats: list[Seat], one: Server, two: Server) -> None:
    before, card = mover.played, mover.cards[0]
    elsewhere = Visitor(two.base)
    elsewhere.cookies = mover.visitor.cookies
    twin = Seat(elsewhere, mover.code)
    assert (twin.cards, twin.played) == (mover.cards, before)
    for seat in (mover, twin):
        seat.wire.send(json.dumps({"do": "play", "card": card, "played": before}))
    twin.until(lambda seat: seat.played > before or seat.refusals)
    for seat in seats:
        seat.until(lambda some: some.played > before)
    assert one.kept(mover.code).played == before + 1
    assert one.kept(mover.code).lines == before + 1
    twin.wire.close()


def test_rl_31_the_newest_page_acts(house: Server) -> None:
    mover, other, _ = table(house)
    second = Seat(mover.visitor, mover.code)
    mover.until(lambda seat: {"acting": False} in seat.said)
    before = house.kept(mover.code)
    assert mover.refused("play", card=mover.cards[0]) == "read_only"
    assert mover.refused("leave") == "read_only"
    assert house.kept(mover.code) == before
    play_one([second, other])
    mover.until(lambda seat: seat.played == second.played)
    assert mover.cards == second.cards, "both see the same"


def test_rl_31_a_socket_that_comes_back_claims_nothing(house: Server) -> None:
    first, other, _ = table(house)
    second = Seat(first.visitor, first.code)
    first.wire.cut()
    first.wire = first.visitor.wire(first.address)
    first.until(lambda seat: {"acting": False} in seat.said)
    assert first.refused("play", card=first.cards[0]) == "read_only"
    second.settle()
    second.wire.close()
    first.until(lambda seat: {"acting": True} in seat.said)
    play_one([first, other])


def test_site_2_the_lobby_names_who_sits_there_as_the_table_does(house: Server) -> None:
    stays, leaver = deal(house, "Kaan", "Lale", clock=30, absence="bot")
    leaver.do("leave")
    stays.sees("Ceviz")
    shown = Visitor(house.base, "Mete").get("/").text
    card = shown[shown.index(stays.code) :].partition("</ul>")[0]
    assert re.search(r'<li class="person">\s*<bdi>Ceviz \(bot\)</bdi>\s*</li>', card), card


def test_site_12_the_lobby_counts_watchers_as_the_table_does(house: Server) -> None:
    """Also whoever has left the match and looks on."""
    seats = deal(house, fresh(), fresh())
    seats[1].do("leave")
    seats[0].sees('1</span><span class="unseen"> kişi izliyor')
    lobby = Visitor(house.base, fresh()).get("/").text
    card = lobby[lobby.index(seats[0].code) :].partition("</ul>")[0]
    assert "1</span> izliyor" in card


# --- the end of a house (RL-50) ---


def test_rl_50_term_says_good_bye_to_everybody_at_once(serve: Callable[..., Server]) -> None:
    house = serve()
    seats = deal(house, "Ayşe", "Can")
    watchers = [Seat(Visitor(house.base, f"Bakan {n}"), seats[0].code) for n in range(10)]
    lobby = [Visitor(house.base, f"Lobide {n}").wire("/ws/lobi") for n in range(10)]
    before = house.kept(seats[0].code)
    took = house.stop()
    assert took < 4.5, "the graceful time-out would be five seconds"
    for wire in (*(seat.wire for seat in (*seats, *watchers)), *lobby):
        assert wire.close_code() == 1012
    house.start()
    back = [Seat(seat.visitor, seat.code) for seat in seats]
    assert house.kept(seats[0].code) == before
    play_one(back)
    house.no_fault()


def test_an_unknown_person_and_an_unknown_table_are_told_so(house: Server) -> None:
    visitor = Visitor(house.base, fresh())
    assert visitor.wire("/ws/masa/ZZZZZZ?sayfa=1").close_code() == 4004
    code = open_table(visitor)
    stranger = Visitor(house.base)
    assert stranger.wire(f"/ws/masa/{code}?sayfa=1").close_code() == 4001
    for page in ("", "-1", "x", "9" * 400, "%C2%B2"):
        wire = visitor.wire(f"/ws/masa/{code}?sayfa={page}")
        wire.receive()
        wire.close()
    house.no_fault()
    with pytest.raises(Rejected):
        visitor.wire("/ws/nirgends")
