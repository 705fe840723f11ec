"""Chance that can be checked: where it comes from (RL-35), how it falls, and how its seal opens (RL-36).

Python's own generators give numbers below n by rejection, and shuffle by Fisher and Yates: the first tests say so, so
that another version of it may not change that unnoticed. Everything else in the package has to use them.
"""

import ast
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf, sqrt
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

import pytest
from msgspec.structs import astuple

from mokali import cli
from mokali.engine import fairness, record
from mokali.engine.fairness import Reveal, Seal
from mokali.engine.protocol import HOUSE, Action, Game, Seat
from mokali.games import RULES
from mokali.live.watch import Watch
from tests.seated import Room, waiting
from tests.web.leaks import shortest

ROOT = Path(__file__).parents[1]
PACKAGE = (*sorted((ROOT / "mokali").rglob("*.py")), ROOT / "app.py", ROOT / "gunicorn.conf.py")
every_game = pytest.mark.parametrize("game", RULES.values(), ids=RULES)
Rounds = Callable[[int, int], int]


# --- where it comes from ---

SEEDED: Final = {
    ("mokali/cli.py", "simulate"),
    ("mokali/bench/main.py", "__init__"),
    ("mokali/bench/late.py", "position"),
    ("mokali/live/thinkers.py", "answers"),
    ("mokali/tables/decide.py", "_turned_up"),
}
"""The functions that may start a generator of their own: nobody's luck is drawn there."""

ARRAYS: Final = {f"mokali/games/tavla/{name}.py" for name in ("expert", "network", "plays")}
"""Where numpy reckons; it draws nothing there."""
GENERATORS: Final = {"numpy", "os.urandom", "uuid", "gevent._random", "hmac"}
EVEN: Final = {"Random", "SystemRandom"}
"""All that the package may take from ``random``."""
UNEVEN: Final = {"random", "uniform", "triangular", "gauss", "choices", "randbytes", "betavariate", "normalvariate"}
"""Ways to a number that are no whole number by rejection: of these, ``int(random() * n)`` is the usual mistake."""
RAW: Final = {"getrandbits", "randbits", "urandom", "token_bytes", "token_hex", "from_bytes"}
"""Bits; a remainder of them would prefer small numbers."""


def faults(source: str, file: str) -> list[str]:
    """What in a module of the package draws luck otherwise than from the system's generator, or unevenly."""
    found: list[str] = []
    _Chance(file, found).visit(ast.parse(source))
    return found


class _Chance(ast.NodeVisitor):
    """Walks through a module and notes what RL-35 forbids."""

    def __init__(self, file: str, found: list[str]) -> None:
        self.file, self.found, self.function = file, found, "*"

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.function = self.function, node.name
        self.generic_visit(node)
        self.function = before

    def visit_Import(self, node: ast.Import) -> None:
        for name in node.names:
            if self._reckons(name.name):
                continue
            if name.name == "random" or name.name.partition(".")[0] in GENERATORS:
                self._note(node, f"import {name.name}")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for name in node.names:
            if self._reckons(node.module or ""):
                continue
            if node.module == "random" and name.name not in EVEN:
                self._note(node, f"from random import {name.name}")
            if f"{node.module}.{name.name}" in GENERATORS or (node.module or "").partition(".")[0] in GENERATORS:
                self._note(node, f"from {node.module} import {name.name}")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if self.file in ARRAYS and node.attr == "random":
            self._note(node, "numpy.random")
        self.generic_visit(node)

    def _reckons(self, module: str) -> bool:
        return self.file in ARRAYS and module in ("numpy", "numpy.typing")

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if name == "Random" and not {(self.file, self.function), (self.file, "*")} & SEEDED:
            self._note(node, "a generator that can be foretold")
        if isinstance(node.func, ast.Attribute) and name in UNEVEN | {"urandom"}:
            self._note(node, f"{name}()")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        bits = any(isinstance(part, ast.Call) and _called(part) in RAW for part in ast.walk(node.left))
        if bits and isinstance(node.op, ast.Mod | ast.FloorDiv | ast.Mult):
            self._note(node, "bits cut to size")
        self.generic_visit(node)

    def _note(self, node: ast.stmt | ast.expr, what: str) -> None:
        self.found.append(f"{self.file}:{node.lineno}: {what}")


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_rl_35_the_package_draws_from_the_systems_generator_alone() -> None:
    assert len(PACKAGE) > 30
    found = [fault for file in PACKAGE for fault in faults(file.read_text(), str(file.relative_to(ROOT)))]
    assert found == []
    assert type(Watch().rng) is SystemRandom


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "import numpy.random",
        "from numpy.random import default_rng",
        "from random import shuffle",
        "from uuid import uuid1",
        "from os import urandom",
        "rng = Random(1)",
        "rng = x.Random()",
        "n = int(rng.random() * 52)",
        "card = rng.choices(deck)",
        "n = rng.getrandbits(32) % 52",
        "n = int.from_bytes(token_bytes(4)) % 52",
        "n = os.urandom(1)[0]",
        "n = secrets.randbits(6) * 52 // 64",
    ],
)
def test_rl_35_another_generator_would_be_noticed(line: str) -> None:
    assert faults(line, "mokali/games/some/state.py")
    assert faults(f"def f():\n    {line}", "mokali/live/watch.py")


class Scripted(Random):
    """A generator whose bits are written down."""

    def __init__(self, *bits: int) -> None:
        self.bits = list(bits)
        super().__init__()

    def getrandbits(self, k: int) -> int:
        return self.bits.pop(0)


def test_rl_35_numbers_below_n_come_by_rejection() -> None:
    rng = Scripted(63, 52, 60, 17, 51)
    assert (rng.randrange(52), rng.randrange(52)) == (17, 51), "what is too large is drawn again, not folded"
    assert rng.bits == []


def test_rl_35_a_shuffle_is_fisher_yates() -> None:
    """From the last place down: whatever lies at or below it, each as likely, changes places with it."""
    deck = list("ABCDE")
    Scripted(7, 2, 0, 3, 2, 1).shuffle(deck)  # below 5: 2, below 4: 0, below 3: 2 after a 3, below 2: 1
    assert deck == list("DBEAC")


# --- how it falls ---


def places(game: Game, rng: Random, deals: int) -> list[Counter[tuple[int, object]]]:
    """For each of the house's lots that is a permutation: how often what lay at which place. Dice are none."""
    state = record.start(game, shortest(game), game.seats[0])
    counts: defaultdict[tuple[int, int], Counter[tuple[int, object]]] = defaultdict(Counter)
    for _ in range(deals):
        for n, lot in enumerate(state.draw_lots(rng)):
            for field, value in enumerate(astuple(lot)):
                if isinstance(value, tuple) and len(value) > 6 and len(set(value)) == len(value):
                    counts[n, field].update(enumerate(value))
    return [count for count in counts.values() if count.total() == deals * len({place for place, _ in count})]


def odd(counts: Counter[tuple[int, object]]) -> float:
    """How far the worst place, or all together, is from even: in standard deviations of χ².

    Only what can lie at the same places is compared: where the rules keep some of it from a place (an open start card
    that is no jack), that is no fault of the shuffle. To be kept from most places is one.
    """
    where: defaultdict[object, set[int]] = defaultdict(set)
    for place, thing in counts:
        where[thing].add(place)
    alike: defaultdict[frozenset[int], list[object]] = defaultdict(list)
    for thing, some in where.items():
        if 2 * len(some) < len({place for place, _ in counts}):
            return inf
        alike[frozenset(some)].append(thing)
    total, free, worst = 0.0, 0, 0.0
    for some_places, some_things in alike.items():
        for place in some_places:
            chi2 = _chi2([counts[place, thing] for thing in some_things])
            total, free = total + chi2, free + len(some_things) - 1
            worst = max(worst, _deviations(chi2, len(some_things) - 1))
    return max(worst, _deviations(total, free))


def _chi2(counts: Sequence[int]) -> float:
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 / even for count in counts)


def _deviations(chi2: float, free: int) -> float:
    """Wilson and Hilferty: the cube root of χ² is all but normal."""
    return 0.0 if not free else float(((chi2 / free) ** (1 / 3) - 1 + 2 / (9 * free)) / sqrt(2 / (9 * free)))


FAR: Final = 6.0
"""Standard deviations that an even shuffle exceeds once in a thousand million."""


@every_game
def test_rl_35_everything_lies_everywhere_as_often(game: Game) -> None:
    assert all(odd(count) < FAR for count in places(game, Random(35), 3_000))


@every_game
@pytest.mark.soak
def test_rl_35_everything_lies_everywhere_as_often_by_the_systems_generator(game: Game) -> None:
    assert all(odd(count) < FAR for count in places(game, SystemRandom(), 200_000))


class Naive(Random):
    """Shuffles as is often done: every place with any other."""

    def shuffle(self, x: list[object]) -> None:  # type: ignore[override]
        for n in range(len(x)):
            m = self.randrange(len(x))
            x[n], x[m] = x[m], x[n]


class Lazy(Random):
    """Never moves what lies lowest."""

    def shuffle(self, x: list[object]) -> None:  # type: ignore[override]
        rest = x[:-1]
        super().shuffle(rest)
        x[:-1] = rest


@every_game
@pytest.mark.parametrize("wrong", [Naive, Lazy])
def test_rl_35_a_shuffle_that_is_not_even_is_noticed(game: Game, wrong: type[Random]) -> None:
    counts = places(game, wrong(35), 3_000)
    assert not counts or any(odd(count) > FAR for count in counts)


# --- how its seal opens ---


class Hand:
    """The luck of one hand as its log tells it: the seal, the words that were played or left over, the salt."""

    def __init__(self, sha256: str) -> None:
        self.sha256 = sha256
        self.words: list[str] = []
        self.salt = ""


def hands(log: Iterable[tuple[Seat, Action]], game: Game) -> Iterator[Hand]:
    """The sealed hands of a whole match."""
    hand = Hand("")
    for seat, action in log:
        match action:
            case Seal(sha256):
                hand = Hand(sha256)
            case Reveal(salt, rest):
                hand.words += map(str, rest)
                hand.salt = salt
                yield hand
            case _ if seat == HOUSE and isinstance(action, game.lots):
                hand.words += fairness.words((action,))


def whole_match(game: Game, seed: int) -> list[tuple[Seat, Action]]:
    """The log of a match at a table, as the house would play and seal it."""
    room, rng = Room(waiting(game.seats[seed % len(game.seats)], game=game, rules=shortest(game))), Random(seed)
    room.begin(rng)
    for _ in room.play(rng):
        pass
    return [(entry.seat, entry.action) for change in room.changes for entry in change.entries]


def by_shell(folder: Path, texts: Sequence[str]) -> list[str]:
    """What ``sha256sum`` says of these."""
    for n, text in enumerate(texts):
        (folder / f"{n:06}").write_text(text)
    command = ["sh", "-c", 'cd "$1" && sha256sum *', "sh", str(folder)]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    for n in range(len(texts)):
        (folder / f"{n:06}").unlink()
    return [line.split()[0] for line in lines]


@every_game
def test_rl_36_every_seal_opens_in_a_shell_and_nothing_else_opens_it(
    tmp_path: Path, rounds: Rounds, game: Game
) -> None:
    for first in range(0, rounds(30, 10_000), 30):
        rng = Random(first)
        found = [hand for seed in range(first, first + 30) for hand in hands(whole_match(game, seed), game)]
        texts = [text for hand in found for text in (_text(hand), *_tampered(hand, rng))]
        said = by_shell(tmp_path, texts)
        assert len(said) == 4 * len(found) >= 4 * 30
        for n, hand in enumerate(found):
            assert len(bytes.fromhex(hand.salt)) == 16
            assert [sum_ == hand.sha256 for sum_ in said[4 * n : 4 * n + 4]] == [True, False, False, False]


def _text(hand: Hand) -> str:
    return " ".join((*hand.words, hand.salt))


def _tampered(hand: Hand, rng: Random) -> Iterator[str]:
    """The same with two words in each other's place, with another word, and with another salt."""
    words, different = hand.words, [n for n, word in enumerate(hand.words) if word != hand.words[-1]]
    one = rng.choice(different)
    yield " ".join((*words[:one], words[-1], *words[one + 1 : -1], words[one], hand.salt))
    yield " ".join((*words[:one], words[-1], *words[one + 1 :], hand.salt))
    yield " ".join((*words, f"{int(hand.salt, 16) ^ 1:032x}"))


@every_game
def test_rl_36_the_record_alone_proves_a_match_and_betrays_unsealed_luck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: Game
) -> None:
    log = whole_match(game, 1)
    seats = game.seats[1 % len(game.seats)]

    def verified(lines: Sequence[tuple[Seat, Action]]) -> tuple[int, str]:
        file = tmp_path / "match.jsonl"
        file.write_text(record.dumps(game, shortest(game), seats, lines))
        return cli.main(["replay", "--verify", str(file)]), capsys.readouterr().out

    assert verified(log) == (cli.HOLDS, "")
    code, said = verified([line for line in log if not isinstance(line[1], Seal | Reveal)])
    assert (code, "luck without a seal" in said) == (cli.FAILS, True)
    for n, (_, action) in enumerate(log):
        if isinstance(action, Seal | Reveal):
            code, said = verified([*log[:n], *log[n + 1 :]])
            assert code == cli.FAILS
            assert "expected sealed luck got" in said
