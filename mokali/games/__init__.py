"""The registry: GAMES, a tuple in lobby order; and AHEAD, whose rules are there before their screens."""

from typing import Final

from mokali.engine.protocol import Game
from mokali.games import batak, klasik, okey101, pisti, tavla, ucbessekiz

GAMES: Final[tuple[Game, ...]] = (
    okey101.GAME,
    klasik.GAME,
    tavla.GAME,
    ucbessekiz.GAME,
    batak.GAME,
    pisti.GAME,
)
BY_KEY: Final = {game.key: game for game in GAMES}

AHEAD: Final[tuple[Game, ...]] = ()
"""Replayed, simulated and proven like the others; offered to nobody."""
RULES: Final = BY_KEY | {game.key: game for game in AHEAD}
"""Every game whose rules there are, by key."""
