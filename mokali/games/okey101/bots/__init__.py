"""Bots of 101 Okey: a beginner, one that plays by rules of thumb, and one that counts and looks ahead.

All three play a turn in the same order: show, draw, lay whatever goes, discard. They differ in what they see of it.
"""

from typing import Final

from mokali.engine.protocol import Action, Level, Mind
from mokali.games.okey101.bots.reasons import why
from mokali.games.okey101.bots.seen import Seen
from mokali.games.okey101.bots.thumbs import any_loose, by_eye, takes_at_sight
from mokali.games.okey101.bots.turn import drawn, ended, first, from_stock, goes_down, lays, plain_lays, shown
from mokali.games.okey101.bots.worlds import by_worlds, opened

__all__ = ["BOTS", "kolay", "orta", "why", "zor"]


def kolay(mind: Mind) -> Action:
    """A beginner of good will: draws from the stock, lays what goes, throws any tile that lies in no meld."""
    return shown(mind) or from_stock(mind) or first(plain_lays(Seen.of(mind), mind)) or ended(mind, any_loose)


def orta(mind: Mind) -> Action:
    """Plays by rules of thumb, and by what its own rack and the table show."""
    return shown(mind) or drawn(mind, takes_at_sight) or first(lays(Seen.of(mind), mind)) or ended(mind, by_eye)


def zor(mind: Mind) -> Action:
    """Counts all that was seen; openings and discards are chosen by what comes of them in worlds like this one."""
    seen = Seen.of(mind)
    return (
        shown(mind) or drawn(mind, goes_down) or opened(seen, mind) or first(lays(seen, mind)) or ended(mind, by_worlds)
    )


BOTS: Final = {"kolay": Level(kolay), "orta": Level(orta), "zor": Level(zor, seconds=0.8)}
