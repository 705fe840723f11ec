"""The command line: serve, backup, restore, replay, solve, plays, simulate, choose, bench. On top of everything."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final, Literal, TypeVar

from msgspec import Struct, ValidationError

from mokali.bench import GROUPS
from mokali.config import Settings
from mokali.engine import codec, complete, fairness, record, solver
from mokali.engine.protocol import (
    HOUSE,
    Action,
    BadSetup,
    Game,
    Level,
    MalformedAction,
    Mind,
    Rules,
    Seat,
    State,
    ends_hand,
)
from mokali.engine.tiles import FACES, FALSE_OKEY, Face, Tile, okey_of
from mokali.games import BY_KEY, RULES
from mokali.games.tavla import board, position
from mokali.live.thinkers import ONE_THREAD, mind, thought
from mokali.store import backup, database

ROOT: Final = Path(__file__).parents[1]

HOLDS, FAILS, UNREADABLE = 0, 1, 2

T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 all well, 1 something fails, 2 unreadable or misused."""
    parser = argparse.ArgumentParser(prog="mokali", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    serve_it = commands.add_parser("serve", help="run the site")
    serve_it.set_defaults(run=lambda given: serve())

    backup_it = commands.add_parser("backup", help="write a checked copy of the database into the folder of backups")
    backup_it.add_argument("--nightly", action="store_true", help="only where this night's is not there yet")
    backup_it.set_defaults(run=lambda given: save(nightly=given.nightly))

    restore_it = commands.add_parser(
        "restore", help="put a backup in the place of the database; the house must not run"
    )
    restore_it.add_argument("file", metavar="FILE")
    restore_it.set_defaults(run=lambda given: restore(Path(given.file)))

    replay_it = commands.add_parser("replay", help="run records and check what they expect")
    replay_it.add_argument("files", nargs="+", metavar="FILE")
    replay_it.add_argument("--summary", action="store_true", help="print the last summary as a JSON line per file")
    replay_it.add_argument("--verify", action="store_true", help="open every seal")
    replay_it.set_defaults(run=lambda given: replay(given.files, summary=given.summary, verify=given.verify))

    solve_it = commands.add_parser("solve", help="read okey hands on standard input, answer what melds can do")
    solve_it.set_defaults(run=lambda given: solve(sys.stdin))

    plays_it = commands.add_parser(
        "plays", help="read boards with dice on standard input, answer all legal plays of Tavla"
    )
    plays_it.set_defaults(run=lambda given: plays(sys.stdin))

    simulate_it = commands.add_parser("simulate", help="bots play hands in this process")
    simulate_it.add_argument("game", choices=sorted(RULES))
    simulate_it.add_argument("--bots", required=True, help="a level per seat, with commas between")
    simulate_it.add_argument("--hands", type=int, default=100)
    simulate_it.add_argument("--seed", type=int, default=1)
    simulate_it.add_argument("--ruleset")
    simulate_it.add_argument(
        "--rotate", action="store_true", help="every match again with the bots a seat on, the luck the same"
    )
    simulate_it.set_defaults(run=simulate)

    choose_it = commands.add_parser("choose", help="read views on standard input, answer actions")
    choose_it.add_argument("game", choices=sorted(RULES))
    choose_it.add_argument("--level", required=True)
    choose_it.set_defaults(run=lambda given: choose(RULES[given.game], given.level, sys.stdin))

    bench_it = commands.add_parser("bench", help="measure a real house under load")
    bench_it.add_argument("--game", choices=sorted(BY_KEY))
    bench_it.add_argument("--only", action="append", choices=GROUPS, help="this group; may be named several times")
    bench_it.add_argument("--rounds", type=int, default=3)
    bench_it.add_argument("--seconds", type=float, default=5.0, help="of every measurement in every round")
    bench_it.add_argument("--tables", type=_numbers, default="1,10,25,100,200", help="how many, with commas between")
    bench_it.add_argument("--json", action="store_true")
    bench_it.set_defaults(run=bench)

    given = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = given.run
    return run(given)


def serve() -> int:
    """Become gunicorn; does not come back."""
    if _settings() is None:
        return UNREADABLE
    command = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "gunicorn.conf.py"), "--chdir", str(ROOT), "app:app"]
    os.execv(sys.executable, command)
    return HOLDS  # never reached


def save(*, nightly: bool) -> int:
    """Make a backup, while the house runs or not; its name is printed."""
    if (settings := _settings()) is None:
        return UNREADABLE
    into = backup.tonight(settings.backups, backup.today(), settings.backup_hour)
    if nightly and into.exists():
        return HOLDS
    try:
        backup.make(settings.database, into, settings.backups_kept)
    except backup.AtWork:
        return HOLDS if nightly else _failed(f"{into}: another process is making it")
    except backup.FAILURES as error:
        return _failed(f"no backup: {error}")
    print(into)
    return HOLDS


def restore(file: Path) -> int:
    """Put a backup in the place of the database; where the old one is now is printed."""
    if (settings := _settings()) is None:
        return UNREADABLE
    aside = settings.database.with_name(time.strftime("before-%Y-%m-%d-%H%M%S", time.localtime(backup.today() / 1000)))
    try:
        old = backup.restore(file, settings.database, aside)
    except database.Running:
        return _failed("the house runs: stop it first")
    except backup.FAILURES as error:
        return _failed(f"not restored: {error}")
    before = "nothing was there before" if old is None else f"what was there before lies in {old}"
    print(f"{file} is in place; {before}")
    return HOLDS


def _settings() -> Settings | None:
    """Those of the environment; None where one is wrong, which is said."""
    try:
        return Settings.from_env(os.environ)
    except ValidationError as error:
        print(error, file=sys.stderr)
        return None


def replay(files: Iterable[str], *, summary: bool, verify: bool) -> int:
    """Run records: what fails is printed as ``FILE:LINE: expected … got …``."""
    return max(_replayed(file, summary=summary, verify=verify) for file in files)


def _replayed(file: str, *, summary: bool, verify: bool) -> int:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        read = record.read(text)
        game = record.game_of(read, RULES)
        played = record.replay(read, game, SystemRandom())
    except (OSError, UnicodeError) as error:
        print(f"{file}:0: {error}")
        return UNREADABLE
    except record.Unreadable as error:
        print(f"{file}:{error}")
        return UNREADABLE
    faults = [f"{failure.line}: {failure.text}" for failure in played.failures]
    if verify and (fault := fairness.broken(played.log, game.lots)):
        faults.append(f"0: expected sealed luck got {fault}")
    for fault in faults:
        print(f"{file}:{fault}")
    if summary and played.state is not None:
        print(codec.encode(record.summary(played.state)))
    return FAILS if faults else HOLDS


def solve(lines: Iterable[str]) -> int:
    """For each hand with its indicator, the best melds; in a line of ``"game": "klasik"``, the discards that finish."""
    return _answered(lines, _Hand, lambda asked: _finishes(asked) if asked.game == "klasik" else _opening(asked))


def _answered(lines: Iterable[str], kind: type[T], answer: Callable[[T], object]) -> int:
    """A line for each line, until one can't be read."""
    for number, line in enumerate(lines, 1):
        try:
            asked = codec.decode(kind, line)
        except MalformedAction as error:
            return _misused(f"{number}: {error}")
        print(codec.encode(answer(asked)), flush=True)
    return HOLDS


class _Hand(Struct, frozen=True):
    """A question; 101's where no game is named."""

    indicator: Face
    hand: tuple[Tile, ...]
    max_meld: int | None = None
    game: Literal["okey101", "klasik"] = "okey101"

    def __post_init__(self) -> None:
        if self.indicator not in FACES or self.indicator == FALSE_OKEY:
            raise ValueError(f"no indicator: {self.indicator}")
        if len(set(self.hand)) != len(self.hand):
            raise ValueError("a tile is there twice")
        if self.game == "klasik" and len(self.hand) != complete.COMPLETE + 1:
            raise ValueError("15 tiles are wanted")
        if self.max_meld is not None and not 5 <= self.max_meld <= solver.LONGEST:
            raise ValueError("max_meld is 5 to 13 or null")


def _opening(asked: _Hand) -> dict[str, object]:
    hand, okey = asked.hand, okey_of(asked.indicator)
    best = solver.best_opening(hand, okey, asked.max_meld or solver.LONGEST)
    return {
        "points": best.points,
        "melds": [meld.tiles for meld in best.melds],
        "tiles": solver.tiles_in_melds(hand, okey),
        "pairs": len(solver.most_pairs(hand, okey)),
        "from_hand": solver.from_hand(hand, okey),
    }


def _finishes(asked: _Hand) -> dict[str, object]:
    hand, okey = asked.hand, okey_of(asked.indicator)
    found = complete.finishes(hand, okey)
    return {
        "finish": {"melds": sorted(found.melds), "pairs": sorted(found.pairs)},
        "distance": complete.distance(hand, okey),
    }


def plays(lines: Iterable[str]) -> int:
    """For each board with a throw, the distinct boards after a complete legal play, as sorted text."""
    return _answered(lines, _Throw, _finals)


class _Facing(Struct, frozen=True):
    """A board of Tavla, each side in its own numbering."""

    mover: position.Checkers
    opponent: position.Checkers

    @property
    def sides(self) -> board.Board:
        return position.side_of(self.mover), position.side_of(self.opponent)

    def __post_init__(self) -> None:
        position.check_board(self.sides)


class _Throw(Struct, frozen=True):
    """A question."""

    board: _Facing
    dice: tuple[position.Die, position.Die]


def _finals(asked: _Throw) -> dict[str, object]:
    boards = board.finals(*asked.board.sides, board.dice_of(asked.dice))
    return {"finals": sorted(map(board.text, boards))}


def simulate(given: argparse.Namespace) -> int:
    """Bots play hands; one JSON line: totals and wins of each bot, hands/s, milliseconds per decision of each level.

    With ``--rotate`` also how far each level is ahead of the others; matches are then played out, so there may be more
    hands than were asked for.
    """
    game, names = RULES[given.game], given.bots.split(",")
    try:
        rules = record.rules_of(record.Header(1, game.key, len(names), given.ruleset), game)
        table = _Simulation(
            game, rules, names, Random(given.seed), lambda match: Random(f"{given.seed} {match}"), rotate=given.rotate
        )
        table.play(given.hands)
    except (KeyError, record.Unreadable, BadSetup) as error:
        return _misused(str(error))
    print(codec.encode(table.report()))
    return HOLDS


def bench(given: argparse.Namespace) -> int:
    """Measure a house of its own."""
    from mokali.bench import main as measuring  # it brings the whole web with it

    return measuring.run(given)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def choose(game: Game, level: str, lines: Iterable[str]) -> int:
    """What a bot of this level would play, for each ``{"view": …}`` line; of Tavla also for each board with a throw."""
    try:
        chosen = _level(game, level)
    except KeyError as error:
        return _misused(str(error))
    rng = SystemRandom()
    for number, line in enumerate(lines, 1):
        try:
            given = codec.decode(dict[str, Any], line)
            if game.key == "tavla" and "board" in given:
                print(codec.encode({"final": _final(game, chosen, codec.convert(_Throw, given), rng)}), flush=True)
                continue
            view = codec.convert(game.view, given.get("view"))
        except MalformedAction as error:
            return _misused(f"{number}: {error}")
        if view.seat is None or view.turn != view.seat:
            return _misused(f"{number}: that seat is not on turn")
        print(codec.encode({"action": thought(game, chosen, view, rng)}), flush=True)
    return HOLDS


def _final(game: Game, chosen: Level, asked: _Throw, rng: Random) -> str:
    """The board after the turn that this level plays, at the beginning of a long match: every point counts."""
    sides = asked.board.sides
    if not board.steps(*sides, board.dice_of(asked.dice)):
        return board.text(sides)
    here = position.Position(asked.board.mover, asked.board.opponent)
    setup = position.TavlaSetup(board=here, dice=asked.dice, match=position.Standing(target=7))
    state: Any = game.state.start(next(iter(game.rulesets.values())), len(sides), setup)
    while state.turn == 0:
        state, _ = state.play(0, chosen.think(mind(state.view(0), state, chosen, rng)))
    return board.text(state.sides)


class _Simulation:
    """Matches one after another between the same bots, and what they came to."""

    def __init__(
        self,
        game: Game,
        rules: Rules,
        names: Sequence[str],
        rng: Random,
        luck: Callable[[int], Random],
        *,
        rotate: bool,
    ) -> None:
        self.game, self.rules, self.names, self.rng, self.luck = game, rules, names, rng, luck
        self.levels = {name: _level(game, name) for name in names}
        turned = (tuple(names[turn:]) + tuple(names[:turn]) for turn in range(len(names)))
        self.turns = len(set(turned)) if rotate else 1
        self.rounds = list[_Round]()
        self.hands = self.matches = 0
        self.totals, self.wins = [0] * len(names), [0] * len(names)
        self.spent: dict[str, list[float]] = {name: [] for name in names}
        self.seconds = 0.0

    def play(self, hands: int) -> None:
        """Play until so many hands have ended. Raises BadSetup where the game has no such table."""
        began = time.perf_counter()
        while self.hands < hands:
            self._round(None if self.turns > 1 else hands)
        self.seconds = time.perf_counter() - began

    def report(self) -> dict[str, object]:
        """The figures, as plain data."""
        ahead = {"ahead": {name: self._ahead(name) for name in self.spent}} if self.turns > 1 else {}
        return {
            "game": self.game.key,
            "bots": self.names,
            "hands": self.hands,
            "matches": self.matches,
            "totals": self.totals,
            "wins": self.wins,
            **ahead,
            "hands_per_second": round(self.hands / self.seconds, 1) if self.seconds else None,
            "ms_per_decision": {
                name: round(sum(spent) * 1000 / len(spent), 3) for name, spent in self.spent.items() if spent
            },
            "ms_p50_p99": {
                name: [round(sorted(spent)[int(len(spent) * part)] * 1000, 3) for part in (0.5, 0.99)]
                for name, spent in self.spent.items()
                if spent
            },
        }

    def _round(self, hands: int | None) -> None:
        """A match of the same luck for every turn of the bots around the table."""
        totals, wins = self.totals, self.wins
        self.totals, self.wins, before = [0] * len(totals), [0] * len(wins), self.hands
        for turn in range(self.turns):
            self._match(turn, self.luck(len(self.rounds)), hands)
        self.rounds.append(_Round(self.hands - before, tuple(self.totals), tuple(self.wins)))
        self.totals = [had + got for had, got in zip(totals, self.totals, strict=True)]
        self.wins = [had + got for had, got in zip(wins, self.wins, strict=True)]

    def _match(self, turn: int, rng: Random, hands: int | None) -> None:
        """One match, with the first bot in seat ``turn``; broken off where so many hands were played in all."""
        state, luck, count = record.start(self.game, self.rules, len(self.names)), list[Action](), len(self.names)
        while state.turn is not None and (hands is None or self.hands < hands):
            if state.turn == HOUSE:
                luck = luck or list(state.draw_lots(rng))
                action = luck.pop(0)
            else:
                action = self._thought(state, state.turn, self.names[(state.turn - turn) % count])
            state, events = state.play(state.turn, action)
            if ends_hand(events):
                self.hands, luck = self.hands + 1, []
        view = state.view(None)
        self.matches += view.over
        for seat in range(count):
            self.totals[(seat - turn) % count] += view.totals[seat]
            self.wins[(seat - turn) % count] += seat in view.winners

    def _thought(self, state: State, seat: Seat, name: str) -> Action:
        level = self.levels[name]
        began = time.perf_counter()
        action = level.think(mind(state.view(seat), state, level, self.rng))
        self.spent[name].append(time.perf_counter() - began)
        return action

    def _ahead(self, name: str) -> dict[str, object]:
        """A bot of this level less a bot of the others: points per hand and wins per match, with 95 % half-widths."""
        points = [(self._lead(name, around.totals), around.hands) for around in self.rounds]
        wins = [(self._lead(name, around.wins), self.turns) for around in self.rounds]
        return {"points": _ratio(points), "wins": _ratio(wins)}

    def _lead(self, name: str, figures: Sequence[int]) -> float:
        own = [figure for bot, figure in zip(self.names, figures, strict=True) if bot == name]
        others = [figure for bot, figure in zip(self.names, figures, strict=True) if bot != name]
        return sum(own) / len(own) - sum(others) / len(others)


class _Round(Struct, frozen=True):
    """Matches of equal luck: their hands, and per bot its points and wins in all of them."""

    hands: int
    totals: tuple[int, ...]
    wins: tuple[int, ...]


def _ratio(pairs: Sequence[tuple[float, int]]) -> tuple[float, float | None]:
    """The sum of the firsts by the sum of the seconds, and the half-width of its 95 % interval; pairs are independent.

    >>> _ratio([(1.0, 1), (3.0, 1)])
    (2.0, 1.96)
    """
    count, whole = len(pairs), sum(size for _, size in pairs)
    ratio = sum(value for value, _ in pairs) / whole
    if count < 2:
        return round(ratio, 3), None
    spread = sum((value - ratio * size) ** 2 for value, size in pairs)
    return round(ratio, 3), round(1.96 * count / whole * (spread / (count * (count - 1))) ** 0.5, 3)


def _level(game: Game, name: str) -> Level:
    os.environ.update(ONE_THREAD)  # before a bot loads what counts
    if name == "random":
        return Level(_any_move)
    if name not in game.bots:
        raise KeyError(f"{game.key} has no level {name!r}: {', '.join(('random', *game.bots))}")
    return game.bots[name]


def _any_move(mind: Mind) -> Action:
    return mind.rng.choice(mind.moves)


def _failed(why: str) -> int:
    print(why, file=sys.stderr)
    return FAILS


def _misused(why: str) -> int:
    print(why, file=sys.stderr)
    return UNREADABLE
