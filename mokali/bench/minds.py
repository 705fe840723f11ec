"""The bench's house in which bots think: while it is told to, eight of them ask their children one thing after another.

What becomes of an answer costs what anybody's move costs; so the answers are thrown away.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import gevent

from mokali.bench.load import places
from mokali.config import Settings
from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE, Action, Game, View, ends_hand
from mokali.games import BY_KEY, GAMES
from mokali.live.thinkers import NoThought, Question, Thinkers, thought
from mokali.web.app import create_app
from mokali.web.house import House

APP: Final = "mokali.bench.minds:house()"
"""How gunicorn finds it."""
ASKED: Final = "asked"
"""A question in every line."""
THINKING: Final = "thinking"
"""While this file is there, bots think."""
BOTS: Final = 8
EASY, HARD = "kolay", "zor"
MOST: Final = 25
"""Questions of one game, however long its hands are."""
PERIOD: Final = 0.05


def questions(rng: Random) -> str:
    """What the strongest bots of every game are asked within a hand of easy ones, in no order."""
    lines = []
    for game in GAMES:
        views = list(_choices(game, rng))
        for view in rng.sample(views, min(MOST, len(views))):
            lines.append(codec.encode(Question(game.key, HARD, codec.encode(view), rng.getrandbits(63))))
    rng.shuffle(lines)
    return "\n".join(lines)


def _choices(game: Game, rng: Random) -> Iterator[View]:
    """What whoever is on turn sees, wherever there is more than one move."""
    state, luck = record.start(game, next(iter(game.rulesets.values())), places(game)), list[Action]()
    ended = False
    while not ended and state.turn is not None:
        if state.turn == HOUSE:
            luck = luck or list(state.draw_lots(rng))
            action = luck.pop(0)
        else:
            view = state.view(state.turn)
            if len(state.moves(state.turn)) > 1:
                yield view
            action = thought(game, game.bots[EASY], view, rng)
        state, events = state.play(state.turn, action)
        ended = ends_hand(events)


def house() -> House:
    """The real house, and a greenlet more for every bot."""
    settings = Settings.from_env(os.environ)
    thinkers = Thinkers()
    for bot in range(BOTS):
        gevent.spawn(_play, thinkers, Path(settings.data), bot)
    return create_app(settings)


def _play(thinkers: Thinkers, folder: Path, bot: int) -> None:
    asked = bot
    while True:
        if not (folder / THINKING).exists():
            gevent.sleep(PERIOD)
            continue
        every = _read(folder / ASKED)
        with suppress(NoThought):  # where the machine is so busy that it takes too long
            thinkers.think(*every[asked % len(every)])
        asked += BOTS


@cache
def _read(file: Path) -> list[tuple[Game, str, Any, int]]:
    found = [codec.decode(Question, line) for line in file.read_text("utf-8").splitlines()]
    return [(BY_KEY[one.game], one.level, codec.decode(BY_KEY[one.game].view, one.view), one.seed) for one in found]
