"""The bots of Klasik Okey: that they play by the rules and by their view alone, and their rules of thumb."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from mokali.engine.protocol import Action
from mokali.engine.tileplay import Discard, Draw, Show
from mokali.engine.tiles import Tile
from mokali.games.klasik import GAME, bots
from mokali.games.klasik.rules import KlasikRules
from mokali.games.klasik.state import Finish, Klasik
from tests.games.test_klasik import JUNK, MELDS, PAIRS, PLAIN, READY, at
from tests.thinking import indifferent, mind, positions

LEVELS = tuple(GAME.bots)
THINKERS = ("orta", "zor")
Rounds = Callable[[int, int], int]


def choice(level: str, state: Klasik, seed: int = 1) -> Action:
    return GAME.bots[level].think(mind(state, seed))


# --- what every level promises ---


@pytest.mark.parametrize("level", LEVELS)
def test_no_move_is_illegal(level: str, rounds: Rounds) -> None:
    for seed in range(rounds(12 if level == "zor" else 24, 10_000)):
        levels = [GAME.bots[level]] * (4 - seed % 5 % 3)
        rules = KlasikRules(coloured=seed % 2 == 1)
        assert all(state.phase in ("draw", "play") for state in positions(GAME, rules, levels, 1, seed))


@pytest.mark.parametrize("level", LEVELS)
def test_cm_9_the_choice_follows_from_the_view(level: str, rounds: Rounds) -> None:
    states = list(positions(GAME, PLAIN, [GAME.bots["orta"]] * 4, rounds(2, 50)))
    for seed, state in enumerate(states[::7]):
        indifferent(GAME.bots[level], state, seed)


@pytest.mark.parametrize("level", LEVELS)
def test_time_that_is_up_is_no_reason_to_fail(level: str) -> None:
    for state in (at(f"{JUNK} K13a"), at(JUNK, step="draw", piles={3: "R3a"})):
        late = replace(mind(state), left=lambda: -1.0)
        assert GAME.bots[level].think(late) in state.moves(0)


# --- rules of thumb ---


@pytest.mark.parametrize("level", LEVELS)
def test_kl_16_the_indicators_twin_is_shown(level: str) -> None:
    state = at(f"{READY} R2a R3a R9a K4b", dealer=0, first_turn_done=(False,) * 4)
    assert choice(level, state) == Show()


@pytest.mark.parametrize("level", LEVELS)
def test_kl_10_what_is_complete_finishes(level: str) -> None:
    assert choice(level, at(f"{MELDS} Y9a")) == Finish(Tile("Y9a"))


@pytest.mark.parametrize("level", LEVELS)
def test_kl_13_with_an_okey_where_it_can(level: str) -> None:
    assert choice(level, at(f"{MELDS} K5a")) == Finish(Tile("K5a"))


@pytest.mark.parametrize("level", LEVELS)
def test_kl_6_the_side_tile_that_completes_is_taken(level: str) -> None:
    melds = at(f"{READY} R1a R2a Y9a", step="draw", piles={3: "R3b"})
    pairs = at(f"{PAIRS} B1a K12a", step="draw", piles={3: "B1b"})
    assert choice(level, melds) == choice(level, pairs) == Draw("side")


@pytest.mark.parametrize("level", THINKERS)
def test_kl_6_a_side_tile_that_helps_nothing_is_left(level: str) -> None:
    assert choice(level, at(f"{READY} R1a R2a Y9a", step="draw", piles={3: "B13a"})) == Draw("stock")


@pytest.mark.parametrize("level", LEVELS)
def test_an_okey_is_kept(level: str) -> None:
    for seed in range(5):
        action = choice(level, at(f"{JUNK} K5a"), seed)
        assert isinstance(action, Discard)
        assert Tile(action.tile).face != "K5"


@pytest.mark.parametrize("level", THINKERS)
def test_the_tile_without_friends_goes(level: str) -> None:
    assert choice(level, at(f"{READY} R2a R3a R4b B1a")) == Finish(Tile("B1a"))
    assert choice(level, at(f"{READY} R2a R3a R5b B1a")) == Discard(Tile("B1a"))


@pytest.mark.parametrize("level", THINKERS)
def test_a_tile_whose_friends_are_gone_has_none(level: str) -> None:
    """Y1-Y2 waits for a Y3, of which both lie open; R1-R2 for an R3."""
    state = at(f"{READY} Y1a Y2a R1a R2a", piles={1: "Y3a Y3b"})
    assert choice(level, state) in (Discard(Tile("Y1a")), Discard(Tile("Y2a")))


@pytest.mark.parametrize("level", THINKERS)
def test_kl_11_on_the_way_to_pairs_twins_stay(level: str) -> None:
    action = choice(level, at(f"{PAIRS} B1a K12a R13a"))
    assert action in [Discard(Tile(name)) for name in ("B1a", "K12a", "R13a")]


# --- hints ---


def test_hints_tell_why() -> None:
    def hint(state: Klasik) -> str:
        return bots.why(mind(state), choice("zor", state))

    assert "tamam" in hint(at(f"{MELDS} Y9a"))
    assert "ikiye katlanır" in hint(at(f"{MELDS} K5a"))
    assert "tamamlıyor" in hint(at(f"{READY} R1a R2a Y9a", step="draw", piles={3: "R3b"}))
    assert "Yanda alınacak taş yok" in hint(at(JUNK, step="draw"))
    assert "1 puan" in hint(at(f"{READY} R2a R3a R9a K4b", dealer=0, first_turn_done=(False,) * 4))
    assert "çift" in hint(at(f"{PAIRS} B1a K12a R13a")).lower()
