"""Bots think in child processes, never in the loop: a view goes in, an action comes out, where asked with its reason.

One line of JSON each way. The child builds everything else from the view: it has no database, no table and no state.
"""

import logging
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import Any, Final

import gevent
from gevent import subprocess
from gevent.lock import BoundedSemaphore
from msgspec import Struct

from mokali import journal
from mokali.engine import codec
from mokali.engine.protocol import Action, Game, Level, MalformedAction, Mind, State, View
from mokali.games import BY_KEY

AT_WORK: Final = 2
"""So many think at once; the others wait for one of them."""
GRACE: Final = 1.0
"""Seconds beyond its level's own after which a child is killed."""
ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""The products of a bot's network are small: threads would only wait for each other."""
ADVISER: Final = "zor"
"""The level whose choice is a hint."""
NICE: Final = 10
"""How far the children step back: people's moves come first."""
START: Final = 10.0
"""Seconds that a new child may take besides, to load what its games need."""


class NoThought(Exception):
    """Nothing came of it: the child died, overran, or said what is no action."""


class Question(Struct, frozen=True):
    """What a child is asked; ``view`` is encoded."""

    game: str
    level: str
    view: str
    seed: int
    why: bool = False


class Answer(Struct, frozen=True):
    """What a child says; ``action`` is encoded, ``why`` is empty where nobody asked."""

    action: str
    why: str = ""


class Advice(Struct, frozen=True):
    """What a bot would do, and one Turkish sentence that speaks for it."""

    action: Action
    why: str


def mind(view: View, state: State, level: Level, rng: Random) -> Mind:
    """What a bot gets, from a view and a match that looks like it."""
    assert view.seat is not None
    until = time.perf_counter() + level.seconds
    return Mind(
        view=view,
        moves=state.moves(view.seat),
        imagine=lambda: type(state).imagine(view, rng),
        rng=rng,
        left=lambda: until - time.perf_counter(),
    )


def thought(game: Game, level: Level, view: View, rng: Random) -> Action:
    """What a bot of this level plays where it sees ``view``."""
    return level.think(mind(view, game.state.imagine(view, rng), level, rng))


def reason(game: Game, view: View, action: Action, rng: Random) -> str:
    """What speaks for this action, in the words of a bot of ``game``; empty where it has none."""
    if game.why is None:
        return ""
    return game.why(mind(view, game.state.imagine(view, rng), game.bots[ADVISER], rng), action)


class Thinkers:
    """One worker's pool of children. For greenlets of the main thread only."""

    def __init__(self) -> None:
        self._places = BoundedSemaphore(AT_WORK)
        self._idle: list[_Child] = []

    def think(self, game: Game, level: str, view: View, seed: int) -> Action:
        """Have a child think, and wait for it. Raises NoThought."""
        return self._asked(game, Question(game.key, level, codec.encode(view), seed)).action

    def advise(self, game: Game, view: View, seed: int) -> Advice:
        """What the best bot would do in this seat's place, and why. Raises NoThought."""
        return self._asked(game, Question(game.key, ADVISER, codec.encode(view), seed, why=True))

    def _asked(self, game: Game, question: Question) -> Advice:
        with self._places:
            child = self._idle.pop() if self._idle else _Child()
            try:
                seconds = game.bots[question.level].seconds + GRACE + (0 if child.used else START)
                with gevent.Timeout(seconds, NoThought("late")):
                    answer = codec.decode(Answer, child.asked(codec.encode(question)))
                advice = Advice(codec.read_action(game.actions, answer.action), answer.why)
            except (NoThought, OSError, MalformedAction) as error:
                child.end()
                journal.note("no_thought", logging.WARNING, action=game.key, code=type(error).__name__)
                raise NoThought from error
            except BaseException:
                child.end()
                raise
            self._idle.append(child)
            return advice

    def close(self) -> None:
        """Let the children go; they go by themselves when the house does."""
        while self._idle:
            self._idle.pop().end()


class _Child:
    """A process that answers line by line."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "mokali.live.thinkers"]
        self.used = False
        line, silence = subprocess.PIPE, subprocess.DEVNULL
        environ = os.environ | ONE_THREAD
        self._process: Any = subprocess.Popen(command, env=environ, stdin=line, stdout=line, stderr=silence)

    def asked(self, line: str) -> bytes:
        """The answer to one line. Raises NoThought where there is none."""
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        answer: bytes = self._process.stdout.readline()
        if not answer:
            raise NoThought("gone")
        self.used = True
        return answer

    def end(self) -> None:
        """Kill it, and wait for the little that this takes."""
        self._process.kill()
        self._process.wait()
        for line in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what it has not read
                line.close()


def answers(lines: Iterable[str]) -> Iterable[str]:
    """For each question, the encoded answer."""
    for line in lines:
        asked = codec.decode(Question, line)
        game = BY_KEY[asked.game]
        view: Any = codec.decode(game.view, asked.view)
        action = thought(game, game.bots[asked.level], view, Random(asked.seed))
        why = reason(game, view, action, Random(asked.seed)) if asked.why else ""
        yield codec.encode(Answer(codec.encode(action), why))


def main() -> None:
    """Answer until the house is gone."""
    os.nice(NICE)
    for line in answers(sys.stdin):
        print(line, flush=True)


if __name__ == "__main__":
    main()
