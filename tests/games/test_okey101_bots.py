"""The bots of 101 Okey: that they play by the rules and by their view alone, and their rules of thumb."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from mokali.engine.protocol import Action
from mokali.engine.tileplay import Discard, Draw, Show
from mokali.engine.tiles import Tile
from mokali.games.okey101 import GAME, bots
from mokali.games.okey101.bots import worlds
from mokali.games.okey101.bots.seen import Seen
from mokali.games.okey101.bots.thumbs import TWIN, counting
from mokali.games.okey101.calls import Open
from mokali.games.okey101.laying import Lay, Swap
from mokali.games.okey101.rules import RULESETS
from mokali.games.okey101.state import Okey101
from tests.games.test_okey101 import MEY, OPENING, TABLE, at
from tests.thinking import indifferent, mind, positions

LEVELS = tuple(GAME.bots)
THINKERS = ("orta", "zor")
Rounds = Callable[[int, int], int]
SINGLES = "R1a Y1a B4a K4a R7a Y7a B1a K7b Y9a B9a"
"""Ten tiles that are next to nothing together."""


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "WORLDS", 3)


def choice(level: str, state: Okey101, seed: int = 1) -> Action:
    return GAME.bots[level].think(mind(state, seed))


# --- what every level promises ---


@pytest.mark.parametrize("level", LEVELS)
def test_no_move_is_illegal_by_any_rules(level: str, rounds: Rounds) -> None:
    rulesets = tuple(RULESETS.values())
    for seed in range(rounds(14, 10_000)):
        rules = rulesets[seed % len(rulesets)]
        if seed % 3 == 1 and rules.partnered_allowed:
            rules = replace(rules, partnered=True)
        levels = [GAME.bots[level]] * (4 - seed % 5 % 3)
        assert all(state.phase in ("draw", "play") for state in positions(GAME, rules, levels, 1, seed))


@pytest.mark.parametrize("level", LEVELS)
def test_cm_9_the_choice_follows_from_the_view(level: str, rounds: Rounds) -> None:
    states = list(positions(GAME, RULESETS["mokali"], [GAME.bots["orta"]] * 4, rounds(2, 50)))
    for seed, state in enumerate(states[::4]):
        indifferent(GAME.bots[level], state, seed)


@pytest.mark.parametrize("level", LEVELS)
def test_time_that_is_up_is_no_reason_to_fail(level: str) -> None:
    state = at(f"{SINGLES} R2b R4b R6b R9b R11b Y3b Y5b Y12b B6b B12b K1b K13b")
    late = replace(mind(state), left=lambda: -1.0)
    assert isinstance(GAME.bots[level].think(late), Discard)


# --- rules of thumb ---


@pytest.mark.parametrize("level", LEVELS)
def test_ok_50_the_indicators_twin_is_shown(level: str) -> None:
    state = at("Y5b " + SINGLES, dealer=0, first_turn_done=(False,) * 4)
    assert choice(level, state) == Show()


@pytest.mark.parametrize("level", LEVELS)
def test_ok_26_what_can_open_opens(level: str) -> None:
    assert isinstance(choice(level, at(f"{OPENING} {SINGLES}")), Open)


@pytest.mark.parametrize("level", THINKERS)
def test_ok_35_the_side_tile_is_taken_where_it_opens(level: str) -> None:
    short = OPENING.replace("R13a", "B2a")
    enough = at(f"{short} {SINGLES}", step="draw", piles={3: "R13b"})
    idle = at(f"{short} {SINGLES}", step="draw", piles={3: "K2b"})
    assert choice(level, enough) == Draw("side")
    assert choice(level, idle) == Draw("stock")


def test_ok_35_only_who_arranges_the_rack_anew_sees_that_this_opens() -> None:
    """With K8, R8 and B8 are a group, and 9-10-11 stays a run; but B8 lies in that run, and R8 alone."""
    rack = "B8a B9a B10a B11a R13a Y13a B13a K13a R8a R1a Y2a K3a B5a R5a Y7a K6a R11a Y10a K1a B2a Y4a"
    state = at(rack, step="draw", piles={3: "K8b"})
    assert choice("orta", state) == Draw("stock")
    assert choice("zor", state) == Draw("side")


@pytest.mark.parametrize("side", ["B12b", "K4b"])
def test_ok_35_what_lengthens_a_meld_or_makes_one_of_loose_tiles_is_seen(side: str) -> None:
    state = at(
        "B8a B9a B10a B11a R13a Y13a B13a K13a R8a R1a Y2a K3a B5a R5a Y7a K6a R11a Y10a R4a Y1a Y4a",
        step="draw",
        piles={3: side},
    )
    assert choice("orta", state) == Draw("side")


@pytest.mark.parametrize("level", THINKERS)
def test_ok_35_who_is_open_takes_from_the_side_what_goes_down(level: str) -> None:
    fits = at("B2a B5a K1a", *TABLE, step="draw", piles={3: "R9b"})
    fits_not = at("B2a B5a K1a", *TABLE, step="draw", piles={3: "R2b"})
    assert choice(level, fits) == Draw("side")
    assert choice(level, fits_not) == Draw("stock")


@pytest.mark.parametrize("level", LEVELS)
def test_ok_40_what_fits_the_table_is_laid(level: str) -> None:
    assert choice(level, at("B2a B5a K8a", *TABLE)) == Lay(("K8a",), 0)


@pytest.mark.parametrize("level", THINKERS)
def test_ok_44_an_okey_is_taken_for_its_tile(level: str) -> None:
    state = at("B2a B5a K11a", "0 run K9a K10a Y6a=K11")
    assert choice(level, state) == Swap("K11a", 0)


@pytest.mark.parametrize("level", THINKERS)
def test_ok_62_the_last_tile_is_made_an_okey(level: str) -> None:
    state = at("K11a", "0 run K9a K10a Y6a=K11")
    assert choice(level, state) == Swap("K11a", 0)
    after, _ = state.play(0, Swap("K11a", 0))
    assert choice(level, after) == Discard(Tile("Y6a"))


@pytest.mark.parametrize("level", LEVELS)
def test_ok_60_an_okey_is_not_thrown_while_there_is_anything_else(level: str) -> None:
    for seed in range(5):
        action = choice(level, at("Y6a B2a", rules=MEY, opened={0: "melds"}), seed)
        assert action == Discard(Tile("B2a"))


@pytest.mark.parametrize("level", LEVELS)
def test_ok_49_no_discard_costs_where_one_is_free(level: str) -> None:
    state = at(f"K8a R9a {SINGLES} R2b R4b Y3b Y5b Y12b B6b B12b K1b Y10a B2b", *TABLE, seat=1, opened={0: "melds"})
    for seed in range(5):
        action = choice(level, state, seed)
        assert isinstance(action, Discard)
        assert Tile(action.tile).face not in ("K8", "R9")


def test_before_opening_the_tile_without_friends_goes() -> None:
    rack = "R11a R12a R13a Y11a Y12a Y13a B8a B9a K6a K7a R4a R5a Y1a Y2a B4a B5a K9a K10a R8a Y8a K12a K3a"
    for level in THINKERS:
        assert choice(level, at(rack)) == Discard(Tile("K3a"))


def test_once_open_the_highest_number_goes() -> None:
    assert choice("orta", at("R2a Y12a B5a", *TABLE)) == Discard(Tile("Y12a"))


def test_ok_26_on_the_way_to_pairs_twins_stay() -> None:
    rack = "R1a R1b Y3a Y3b B7a B7b K9a K9b R4a Y7a B12a K2a R6a Y10a B4a K6a R9a Y1a B2a K13a R12a Y13a"
    action = choice("zor", at(rack))
    assert isinstance(action, Discard)
    assert Tile(action.tile).face not in ("R1", "Y3", "B7", "K9")


def test_with_three_pairs_twins_stay_with_who_counts() -> None:
    """Else nothing but the four B1 and K1 that would make a group of the R1 and the Y1 speaks for an R1."""
    rack = "R1a R1b Y3a Y3b B7a B7b K9a R4a Y7a B12a K2a R6a Y10a B4a K6a R9a Y1a B2a K13a R12a Y13a K11a"
    worth = counting(Seen.of(mind(at(rack))))
    assert worth(Tile("R1a")) == (False, 4 + TWIN)
    less = counting(Seen.of(mind(at(rack.replace("B7b", "B10b")))))
    assert less(Tile("R1a")) == (False, 4)


def test_the_next_seat_gets_no_tile_that_opens_it() -> None:
    """Two singles are worth the same to the own rack; one of them is what the next seat lacks, in every world."""
    state = at(f"{SINGLES} R2b", rules=MEY, opened={0: "melds"})
    seen = Seen.of(mind(state))
    rack = tuple(map(Tile, OPENING.replace("R13a", "B2a").split()))
    world = replace(state, racks=(state.racks[0], rack, *state.racks[2:]))
    gifts = worlds._gifts(seen, (Tile("R2b"), Tile("R13b")), world)
    assert gifts[Tile("R2b")] == 0 < gifts[Tile("R13b")]


def test_others_have_chosen_what_they_hold() -> None:
    """A rack is as strong as its tiles and as many again as its seat has thrown away; but it has not opened yet."""
    state = at(f"{SINGLES} R2b", piles={1: "K3a K3b"})
    grown, had = worlds._grown(state, 1, 1000)
    assert grown == (*state.racks[1], *state.stock[-2:])
    assert worlds._grown(state, 1, had)[0] == state.racks[1]


def test_zor_opens_so_that_least_is_left() -> None:
    """Most points are R 11-12-13 and a group of 10s; with more tiles laid less stays in the rack."""
    state = at(f"{OPENING} R1a R2a R3a Y2a Y3a Y4a B1b")
    action = choice("zor", state)
    assert isinstance(action, Open)
    after, _ = state.play(0, action)
    assert len(after.racks[0]) <= len(state.racks[0]) - 9


# --- hints ---


def test_hints_tell_why() -> None:
    def hint(state: Okey101) -> str:
        action = choice("zor", state)
        return bots.why(mind(state), action)

    assert "101" in hint(at(f"{OPENING} {SINGLES}"))
    assert "yerdeki" in hint(at("B2a B5a K8a", *TABLE))
    assert "okeyi" in hint(at("B2a B5a K11a", "0 run K9a K10a Y6a=K11"))
    assert "el biter" in hint(at("B2a", *TABLE))
    assert "katlanır" in hint(at("Y6a", *TABLE))
    assert "Yanda alınacak taş yok" in hint(at("B2a B5a K1a", *TABLE, step="draw"))
    assert "hemen yere" in hint(at("B2a B5a K1a", *TABLE, step="draw", piles={3: "R9b"}))
    assert "101 puan" in hint(at("Y5b " + SINGLES, dealer=0, first_turn_done=(False,) * 4))
