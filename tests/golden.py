"""Write a golden match: ``python tests/golden.py GAME SEED`` makes ``tests/cases/GAME/golden-SEED.jsonl``.

A whole match of random legal moves, played at a table as in production, so that its luck is sealed and opened; the
summary is expected after every deal and every hand. Read the file before you keep it.
"""

import sys
from pathlib import Path
from random import Random
from typing import Any

from mokali.engine import codec, record
from mokali.engine.protocol import Game, HandEnded
from mokali.games import RULES

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a script it knows its own folder only
from tests.seated import Room, waiting

CASES = Path(__file__).parent / "cases"
KEYS = ("phase", "turn", "hand", "scores", "totals", "over", "winners", "reason")
"""What every game's summary has, and a golden match expects."""


def match(game: Game, seed: int) -> str:
    """The record of a whole match."""
    rng = Random(seed)
    seats = game.seats[seed % len(game.seats)]
    rules = rng.choice(tuple(game.rulesets.values()))
    room = Room(waiting(seats, game=game, rules=rules))
    log: list[tuple[int, Any]] = []
    expected: dict[int, dict[str, Any]] = {}
    room.begin(rng)
    for change in room.changes:
        log += [(entry.seat, entry.action) for entry in change.entries]
    expected[len(log)] = _expectation(room)
    for change in room.play(rng):
        log += [(entry.seat, entry.action) for entry in change.entries]
        dealt = any(isinstance(entry.action, game.lots) for entry in change.entries)
        if dealt or any(isinstance(event, HandEnded) for event in change.events):
            expected[len(log)] = _expectation(room)
    header, *lines = record.dumps(game, rules, seats, log).splitlines()
    text = [header.removesuffix("}") + f',"note":"make golden GAME={game.key} SEED={seed}"}}']
    for number, line in enumerate(lines, 1):
        text.append(line)
        if number in expected:
            text.append(codec.encode({"expect": expected[number]}))
    return "\n".join(text) + "\n"


def _expectation(room: Room) -> dict[str, Any]:
    assert room.table.state is not None
    summary = record.summary(room.table.state)
    return {key: summary[key] for key in KEYS}


def main(key: str, seed: str) -> None:
    """Write the file and say where."""
    path = CASES / key / f"golden-{seed}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(match(RULES[key], int(seed)), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
