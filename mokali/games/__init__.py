"""The registry: GAMES, a tuple in lobby order."""

from typing import Final

from mokali.engine.protocol import Game
from mokali.games import pisti

GAMES: Final[tuple[Game, ...]] = (pisti.GAME,)
BY_KEY: Final = {game.key: game for game in GAMES}
