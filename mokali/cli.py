"""The command line: serve, replay, simulate, choose. Stands beside the web, on top of everything."""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final

from mokali.config import Settings
from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Game, HandEnded, Level, MalformedAction, Mind, State, View
from mokali.games import BY_KEY

ROOT: Final = Path(__file__).parents[1]

HOLDS, FAILS, UNREADABLE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 all well, 1 something fails, 2 unreadable or misused."""
    parser = argparse.ArgumentParser(prog="mokali", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    serve_it = commands.add_parser("serve", help="run the site")
    serve_it.set_defaults(run=lambda given: serve())

    replay_it = commands.add_parser("replay", help="run records and check what they expect")
    replay_it.add_argument("files", nargs="+", metavar="FILE")
    replay_it.add_argument("--summary", action="store_true", help="print the last summary as a JSON line per file")
    replay_it.add_argument("--verify", action="store_true", help="open every seal")
    replay_it.set_defaults(run=lambda given: replay(given.files, summary=given.summary, verify=given.verify))

    simulate_it = commands.add_parser("simulate", help="bots play hands in this process")
    simulate_it.add_argument("game", choices=sorted(BY_KEY))
    simulate_it.add_argument("--bots", required=True, help="a level per seat, with commas between")
    simulate_it.add_argument("--hands", type=int, default=100)
    simulate_it.add_argument("--seed", type=int, default=1)
    simulate_it.add_argument("--ruleset")
    simulate_it.set_defaults(run=simulate)

    choose_it = commands.add_parser("choose", help="read views on standard input, answer actions")
    choose_it.add_argument("game", choices=sorted(BY_KEY))
    choose_it.add_argument("--level", required=True)
    choose_it.set_defaults(run=lambda given: choose(BY_KEY[given.game], given.level, sys.stdin))

    given = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = given.run
    return run(given)


def serve() -> int:
    """Become gunicorn; does not come back."""
    Settings.from_env(os.environ)  # a wrong figure is said before anything starts
    command = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "gunicorn.conf.py"), "--chdir", str(ROOT), "app:app"]
    os.execv(sys.executable, command)


def replay(files: Iterable[str], *, summary: bool, verify: bool) -> int:
    """Run records: what fails is printed as ``FILE:LINE: expected … got …``."""
    worst = HOLDS
    for file in files:
        try:
            text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
            read = record.read(text)
            game = record.game_of(read, BY_KEY)
            played = record.replay(read, game, SystemRandom())
        except (OSError, UnicodeError) as error:
            print(f"{file}:0: {error}")
            worst = UNREADABLE
            continue
        except record.Unreadable as error:
            print(f"{file}:{error}")
            worst = UNREADABLE
            continue
        faults = [f"{file}:{failure.line}: {failure.text}" for failure in played.failures]
        if verify and (fault := fairness.broken(played.log, game.lots)):
            faults.append(f"{file}:0: expected sealed luck got {fault}")
        for fault in faults:
            print(fault)
        if summary and played.state is not None:
            print(codec.encode(record.summary(played.state)))
        worst = max(worst, FAILS if faults else HOLDS)
    return worst


def simulate(given: argparse.Namespace) -> int:
    """Bots play hands; one JSON line: totals, wins, hands/s, and milliseconds per decision of each level."""
    game, names, rng = BY_KEY[given.game], given.bots.split(","), Random(given.seed)
    if len(names) not in game.seats:
        return _misused(f"{game.key} is played by {' or '.join(map(str, game.seats))}")
    try:
        levels = [_level(game, name) for name in names]
        rules = record.rules_of(record.Header(1, game.key, len(names), given.ruleset), game)
    except (KeyError, record.Unreadable) as error:
        return _misused(str(error))
    tally, decisions = _Tally(len(names)), Counter[str]()
    spent = dict.fromkeys(names, 0.0)
    start = time.perf_counter()
    while tally.hands < given.hands:
        state = record.start(game, rules, len(names))
        luck: list[Any] = []
        while state.turn is not None and tally.hands < given.hands:
            seat = state.turn
            if seat == HOUSE:
                luck = luck or list(state.draw_lots(rng))
                action = luck.pop(0)
            else:
                began = time.perf_counter()
                action = levels[seat].think(_mind(state, seat, levels[seat], rng))
                spent[names[seat]] += time.perf_counter() - began
                decisions[names[seat]] += 1
            state, events = state.play(seat, action)
            tally.count(events)
        tally.close(state)
    seconds = time.perf_counter() - start
    print(
        codec.encode(
            {
                "game": game.key,
                "bots": names,
                "hands": tally.hands,
                "matches": tally.matches,
                "totals": tally.totals,
                "wins": tally.wins,
                "hands_per_second": round(tally.hands / seconds, 1),
                "ms_per_decision": {name: round(spent[name] * 1000 / decisions[name], 3) for name in decisions},
            }
        )
    )
    return HOLDS


def choose(game: Game, level: str, lines: Iterable[str]) -> int:
    """For each ``{"view": …}`` line, what a bot of this level would play."""
    try:
        chosen = _level(game, level)
    except KeyError as error:
        return _misused(str(error))
    rng = SystemRandom()
    for number, line in enumerate(lines, 1):
        try:
            view = codec.convert(game.view, codec.decode(dict[str, Any], line).get("view"))
        except MalformedAction as error:
            return _misused(f"{number}: {error}")
        if view.seat is None or view.turn != view.seat:
            return _misused(f"{number}: that seat is not on turn")
        state = game.state.imagine(view, rng)
        print(codec.encode({"action": chosen.think(_mind(state, view.seat, chosen, rng, view))}), flush=True)
    return HOLDS


class _Tally:
    """What the simulated matches came to."""

    def __init__(self, seats: int) -> None:
        self.hands = self.matches = 0
        self.totals, self.wins = [0] * seats, [0] * seats

    def count(self, events: Iterable[object]) -> None:
        self.hands += sum(isinstance(event, HandEnded) for event in events)

    def close(self, state: State) -> None:
        view = state.view(None)
        self.totals = [had + got for had, got in zip(self.totals, view.totals, strict=True)]
        if view.over:
            self.matches += 1
            for seat in view.winners:
                self.wins[seat] += 1


def _level(game: Game, name: str) -> Level:
    if name == "random":
        return Level(_any_move)
    if name not in game.bots:
        raise KeyError(f"{game.key} has no level {name!r}: {', '.join(('random', *game.bots))}")
    return game.bots[name]


def _any_move(mind: Mind) -> Any:
    return mind.rng.choice(mind.moves)


def _mind(state: State, seat: int, level: Level, rng: Random, view: View | None = None) -> Mind:
    view = view or state.view(seat)
    until = time.perf_counter() + level.seconds
    return Mind(
        view=view,
        moves=state.moves(seat),
        imagine=lambda: type(state).imagine(view, rng),
        rng=rng,
        left=lambda: until - time.perf_counter(),
    )


def _misused(why: str) -> int:
    print(why, file=sys.stderr)
    return UNREADABLE
