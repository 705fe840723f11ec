"""Sealed luck (RECORDS, Fairness): what anybody can check with a shell, and what no tampering survives."""

import hashlib
import subprocess
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mokali.engine import fairness, record
from mokali.engine.cardplay import Play
from mokali.engine.cards import DECK, Card
from mokali.engine.fairness import Reveal, Seal
from mokali.engine.protocol import HOUSE, Action, Seat
from mokali.games.pisti import GAME
from mokali.games.pisti.rules import PistiRules
from mokali.games.pisti.state import Deal, First

SALT = "3ca318ca6d5e4c8ab4c3b4cdbbf03f0b"
DECK_7S = Deal((Card("7S"), Card("AD"), *(card for card in DECK if card not in ("7S", "AD", "9C")), Card("9C")))
LOTS = (First(2), DECK_7S)
WORDS = "2 7S AD " + " ".join(DECK_7S.deck[2:])
"""``2 7S AD … 9C``: the first dealer, and the deck."""


class Dice(Action, frozen=True):
    dice: tuple[int, int]


def by_shell(words: str) -> str:
    """What the README tells a doubter to type."""
    command = ["sh", "-c", "printf '%s' \"$1\" | sha256sum", "sh", words]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()[0]


def log(*lines: Action) -> list[tuple[Seat, Action]]:
    return [(0 if isinstance(action, Play) else HOUSE, action) for action in lines]


def broken(*lines: Action) -> str | None:
    return fairness.broken(log(*lines), (First, Deal, Dice))


SEAL = Seal(fairness.seal(WORDS.split(), SALT))
MOVE = Play(Card("7S"))


def test_rl_36_the_seal_is_what_sha256sum_prints() -> None:
    assert fairness.words(LOTS) == tuple(WORDS.split())
    text = f"{WORDS} {SALT}"
    assert text.startswith("2 7S AD ")
    assert text.endswith(f" 9C {SALT}")
    sealed = fairness.seal(fairness.words(LOTS), SALT)
    assert sealed == hashlib.sha256(text.encode()).hexdigest()
    assert sealed == by_shell(text)


def test_rl_36_seals_of_real_hands_open_in_a_shell() -> None:
    for seed in range(5):
        rng = Random(seed)
        lots = record.start(GAME, PistiRules(), 4).draw_lots(rng)
        salt = f"{rng.getrandbits(128):032x}"
        assert fairness.seal(fairness.words(lots), salt) == by_shell(" ".join((*fairness.words(lots), salt)))


def test_words_are_the_values_in_order() -> None:
    assert fairness.words((Dice((5, 3)), First(0), Dice((1, 1)))) == ("5", "3", "0", "1", "1")
    assert fairness.words(()) == ()


def test_a_seal_that_opens() -> None:
    assert broken() is None
    assert broken(SEAL, *LOTS, MOVE, Reveal(SALT)) is None
    assert broken(SEAL, *LOTS, Reveal(SALT), MOVE) is None
    assert broken(SEAL, LOTS[0], MOVE, Reveal(SALT, fairness.words(LOTS[1:]))) is None
    assert broken(SEAL, Reveal(SALT, fairness.words(LOTS))) is None
    dice = Seal(fairness.seal(["5", "3", "6", "6"], SALT))
    assert broken(dice, Dice((5, 3)), Reveal(SALT, (6, 6))) is None, "numbers may stand as numbers"
    assert broken(SEAL, *LOTS, Reveal(SALT), SEAL, *LOTS, Reveal(SALT)) is None


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((SEAL, *LOTS), "the last seal was never opened"),
        ((SEAL,), "the last seal was never opened"),
        (LOTS, "line 0: luck without a seal"),
        ((SEAL, *LOTS, Reveal(SALT), LOTS[1]), "line 4: luck without a seal"),
        ((SEAL, *LOTS, SEAL, Reveal(SALT)), "line 3: a new seal before the last was opened"),
        ((Reveal(SALT),), "line 0: nothing was sealed"),
        ((SEAL, *LOTS, Reveal(SALT), Reveal(SALT)), "line 4: nothing was sealed"),
        ((SEAL, *LOTS, Reveal(SALT[:-1] + "c")), "line 3: the seal does not open"),
        ((SEAL, *LOTS, Reveal("")), "line 3: the seal does not open"),
        ((SEAL, *LOTS, Reveal(SALT, ("9C",))), "line 3: the seal does not open"),
        ((SEAL, LOTS[0], Reveal(SALT)), "line 2: the seal does not open"),
        ((SEAL, LOTS[1], LOTS[0], Reveal(SALT)), "line 3: the seal does not open"),
        ((SEAL, First(1), LOTS[1], Reveal(SALT)), "line 3: the seal does not open"),
        ((Seal(SEAL.sha256[::-1]), *LOTS, Reveal(SALT)), "line 3: the seal does not open"),
    ],
)
def test_a_seal_that_does_not(lines: tuple[Action, ...], why: str) -> None:
    assert broken(*lines) == why


@given(one=st.integers(4, 51), other=st.integers(4, 51))
@settings(max_examples=50)
def test_rl_36_two_cards_changed_about_are_noticed(one: int, other: int) -> None:
    deck = list(DECK_7S.deck)
    deck[one], deck[other] = deck[other], deck[one]
    told = broken(SEAL, LOTS[0], Deal(tuple(deck)), Reveal(SALT))
    assert (told is None) is (one == other)


def test_a_seats_action_is_no_luck() -> None:
    assert fairness.broken([(0, MOVE), (1, MOVE)], (First, Deal)) is None
    assert fairness.broken([(0, MOVE)], (Play,)) is None, "only what the house plays"


@given(salts=st.sets(st.integers(0, 2**128 - 1), min_size=2, max_size=2))
def test_the_same_luck_under_other_salts_has_other_seals(salts: set[int]) -> None:
    one, other = (fairness.seal(WORDS.split(), f"{salt:032x}") for salt in salts)
    assert one != other


def test_rl_36_openings_tell_each_seal_with_its_luck() -> None:
    other = Seal(fairness.seal(("5", "3", "1", "1"), "77"))
    lines = log(SEAL, *LOTS, MOVE, Reveal(SALT), other, Dice((5, 3)), MOVE, Reveal("77", ("1", 1)), SEAL)
    first, second, last = fairness.openings(lines, (First, Deal, Dice))
    assert (first.lots, first.text, first.holds, first.end) == (LOTS, f"{WORDS} {SALT}", True, 5)
    assert (second.words, second.text, second.holds, second.end) == (("5", "3", "1", "1"), "5 3 1 1 77", True, 9)
    assert (last.sha256, last.opened, last.text, last.found, last.holds) == (SEAL.sha256, None, None, None, False)


WHOLE = log(SEAL, *LOTS, MOVE, Reveal(SALT)) * 2
LINES = [*log(SEAL, *LOTS, Dice((1, 2)), MOVE, Reveal(SALT), Reveal(SALT[::-1]), Seal("0" * 64))]


@given(st.lists(st.sampled_from(LINES), max_size=6))
def test_rl_36_openings_hold_where_nothing_is_broken(lines: list[tuple[Seat, Action]]) -> None:
    for some in (lines, [*WHOLE, *lines], WHOLE[: len(lines)] + lines):
        found = fairness.openings(some, (First, Deal, Dice))
        assert all(sealed.holds for sealed in found) == (fairness.broken(some, (First, Deal, Dice)) is None)
