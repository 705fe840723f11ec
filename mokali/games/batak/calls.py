"""The auction of Batak: what may be bid, who is asked next, who has won (BT-3 to BT-5). Knows no cards."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from mokali.engine.protocol import Seat
from mokali.games.batak.rules import LEAST_BID, SEATS, TRICKS

Call: TypeAlias = Annotated[int, Meta(ge=LEAST_BID, le=TRICKS)] | Literal["pass"] | None
"""What a seat called last: a bid, or that it is out; None while it has not been asked."""

PASS: Final = "pass"


def least(calls: tuple[Call, ...]) -> int:
    """The lowest bid that is high enough now."""
    return max(LEAST_BID, _highest(calls) + 1)


def won(calls: tuple[Call, ...]) -> tuple[Seat, int] | None:
    """Who has won the auction, and with which bid; None while it goes on.

    >>> won((None, "pass", "pass", "pass"))
    (0, 5)
    """
    highest = _highest(calls)
    staying = [seat for seat, call in enumerate(calls) if call != PASS]
    if highest == TRICKS:
        return calls.index(TRICKS), TRICKS
    return (staying[0], highest or LEAST_BID) if len(staying) == 1 else None


def asked(calls: tuple[Call, ...], dealer: Seat) -> Seat:
    """Who is to call next, while the auction goes on: the next seat still in after the last that was not out."""
    highest = _highest(calls)
    last = calls.index(highest) if highest else dealer
    return next(seat for turn in range(1, SEATS) if calls[seat := (last + turn) % SEATS] != PASS)


def _highest(calls: tuple[Call, ...]) -> int:
    """The highest bid, 0 where there is none."""
    return max((call for call in calls if isinstance(call, int)), default=0)
