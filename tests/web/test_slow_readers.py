"""Who doesn't read holds nobody up: awake again he gets the newest picture whole, or he is given up (RL-21, RL-22)."""

import re
from collections.abc import Callable

from tests.web.seat import Seat, deal, play_one
from tests.web.server import Server
from tests.web.wire import Visitor

NARROW = 4_096
"""Bytes that the systems of both sides hold back for him."""


def _table(house: Server) -> tuple[list[Seat], Seat]:
    seats = deal(house, "Ayşe", "Can")
    sleeper = Seat(Visitor(house.base, "Uyuyan"), seats[0].code, deflate=False, buffer=NARROW)
    for seat in seats:
        seat.sees("kişi izliyor")
    return seats, sleeper


def _alone(seat: Seat) -> None:
    """Read until nobody watches any more."""

    def told(some: Seat) -> bool:
        counts = re.findall(r'<section[^>]* id="watchers"[^>]*>(.*?)</section>', "".join(some.wire.heard))
        return not counts[-1]

    seat.until(told)


def _play_a_hand(seats: list[Seat]) -> None:
    for seat in seats:
        seat.until(lambda some: some.facts["phase"] == "play")
    while seats[0].facts["phase"] == "play":
        play_one(seats)
    for seat in seats:
        seat.do("ready")


def test_rl_21_a_reader_asleep_gets_whole_messages_and_the_newest_picture(serve: Callable[..., Server]) -> None:
    seats, sleeper = _table(house := serve("tests.web.planted:narrow()", stall_seconds=60))
    heard = len(sleeper.wire.heard)
    _play_a_hand(seats)
    _play_a_hand(seats)
    for seat in seats:
        seat.until(lambda some: some.facts["phase"] in ("play", "over"))
        seat.settle()
    sleeper.until(lambda seat: seat.played == seats[0].played)
    assert sleeper.facts["turn"] == seats[0].facts["turn"]
    assert all(message.startswith(("{", "<")) and message.endswith(("}", ">")) for message in sleeper.wire.heard)
    pictures = [message for message in sleeper.wire.heard[heard:] if message.startswith("<")]
    assert len(pictures) < 90, "of almost a hundred moves he gets fewer pictures: they coalesce"
    house.no_fault()


def test_rl_22_a_reader_who_makes_no_progress_is_given_up(serve: Callable[..., Server]) -> None:
    seats, sleeper = _table(house := serve("tests.web.planted:narrow()", stall_seconds=0.5))
    _play_a_hand(seats)
    for seat in seats:
        _alone(seat)
        seat.until(lambda some: some.facts["phase"] == "play")
    play_one(seats)
    assert sleeper.wire.close_code() == 1006
    again = Seat(sleeper.visitor, seats[0].code)
    assert again.played == seats[0].played
    house.no_fault()


def test_rl_22_what_waits_for_a_reader_is_bounded(serve: Callable[..., Server]) -> None:
    limits = {"stall_seconds": 60, "max_outbox": 20_000}
    seats, sleeper = _table(house := serve("tests.web.planted:narrow()", **limits))
    for _ in range(400):  # each is answered, and no answer is read
        sleeper.wire.send('{"do":"ready","on":true}')
    for seat in seats:
        _alone(seat)
    play_one(seats)
    assert sleeper.wire.close_code() == 1006
    house.no_fault()
