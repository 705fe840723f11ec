"""The table of 101 Okey in all its rule sets: bars, prices and doors as the engine has them, a sheet that adds up."""

import html
import re
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from mokali.engine.protocol import IllegalAction
from mokali.engine.tileplay import Draw
from mokali.games import BY_KEY
from mokali.games.okey101.calls import Open
from mokali.games.okey101.laying import Lay, Undo
from mokali.games.okey101.rules import RULESETS, OkeyRules
from mokali.games.okey101.state import Okey101
from mokali.tables.table import Table
from mokali.web.house import House
from mokali.web.render import Scene
from tests.games.test_okey101 import CALL, MEY, MOKALI, OKEYLO, OPENING, STANDART, TABLE, at, do, pairs, refusal
from tests.games.test_okey101_sets import Watched, mixture
from tests.seated import waiting

OKEY: Final = BY_KEY["okey101"]
FIVE: Final = "R1a R1b R2a R2b R3a R3b R5a R5b R7a R7b"
PAIRED: Final = tuple(f"1 pair {face}a {face}b" for face in ("Y1", "Y2", "Y3", "Y4", "B7"))
BOTH: Final = {0: "melds", 1: "pairs"}


def page(app: House, state: Okey101, seat: int = 0) -> str:
    """The table as this seat sees it."""
    table: Table = replace(waiting(state.seats, game=OKEY, rules=state.rules), state=state, played=1)
    return app.renderer.page(Scene(table, ()), seat + 1, "http://house")


def button(text: str, name: str) -> str:
    """The opening tag of what has this id, and what stands in it up to its end."""
    found = re.search(rf'<(\w+) [^>]*\bid="{name}".*?</\1>', text, re.DOTALL)
    assert found is not None, name
    return found[0]


def facts(text: str, name: str) -> dict[str, str]:
    found = re.findall(r'([\w-]+)="([^"]*)"', re.findall(r'<(?:[^>"]|"[^"]*")*>', button(text, name))[0])
    return {key: html.unescape(value) for key, value in found}


# --- bars ---


def test_ok_27_the_bar_that_is_shown_rises(app: House) -> None:
    katlamali = RULESETS["mey_katlamali"]
    for opened, opening, bars in (
        ({}, (None,) * 4, (101, 5)),
        ({1: "melds"}, (None, 110, None, None), (111, 5)),
        ({1: "melds", 2: "pairs"}, (None, 110, 6, None), (111, 7)),
    ):
        text = page(app, at(OPENING, rules=katlamali, opened=opened, opening=opening))
        assert (f"<i>/{bars[0]}</i>" in button(text, "open-melds")) == (
            f"<i>/{bars[1]}</i>" in button(text, "open-pairs")
        )
        assert [facts(text, f"sheet-open-{kind}")["data-bar"] for kind in ("melds", "pairs")] == list(map(str, bars))


def test_ok_33_the_sheet_knows_with_how_many_tiles_no_bar_is_asked_for(app: House) -> None:
    state = at(OPENING, rules=MEY)
    assert facts(page(app, state), "sheet-open-melds")["data-waives"] == "21"
    assert "data-waives" not in facts(page(app, at(OPENING, rules=MOKALI)), "sheet-open-melds")
    opened = at("R1a R2a K5a", *TABLE, rules=MEY)
    assert "data-waives" not in facts(page(app, opened), "sheet-open-melds"), "it is no opening any more"


def test_ok_24_a_run_that_is_too_long_is_no_proposal_and_the_sheet_says_why(app: House) -> None:
    assert OKEY.assist is not None
    six = ("R1a", "R2a", "R3a", "R4a", "R5a", "R6a")
    assert [len(OKEY.assist.read(rules, "Y6", six)) for rules in (MEY, MOKALI)] == [0, 1]
    text = page(app, at("R1a R2a R3a R4a R5a R6a", rules=MEY))
    assert "Bir seride en çok 5 taş olur: daha uzununu ikiye böl." in text
    assert "Bir seride en çok" not in page(app, at("R1a", rules=MOKALI))


# --- prices ---


def test_ok_51_the_price_of_a_failed_opening_is_asked_for_where_there_is_one(app: House) -> None:
    for rules, price in ((STANDART, '"101"'), (MOKALI, None)):
        sheet = page(app, at(OPENING, rules=rules))
        found = re.findall(r'data-do="open" disabled(?: data-fail=("\d+"))?', sheet)
        assert found == [price or "", ""], "only for melds"


def test_ok_47_geri_al_says_its_price_before_the_tap_that_costs(app: House) -> None:
    state = at("K8a R9a Y1a Y2a", *TABLE, rules=STANDART)
    state, _ = do(state, Lay(("K8",), 0), Lay(("R9",), 1))
    text = page(app, state)
    assert "Geri al, destede" in button(text, "stock")
    assert "data-ask" not in facts(text, "stock"), "the first is free"
    state, _ = do(state, Undo())
    text = page(app, state)
    assert facts(text, "stock")["data-warn"].startswith("İşlediğini geri alırsan 101 ceza yazılır.")
    assert facts(text, "stock")["aria-label"].startswith("Geri al: 101 ceza")
    assert "+101" in button(text, "stock")
    assert "+101" not in button(page(app, replace(state, rules=MOKALI)), "stock")


def test_ok_38_and_ok_47_geri_birak_counts_what_goes_back_with_it(app: House) -> None:
    rules = replace(STANDART, put_back_penalty=101)
    state = at("K8a R9a Y1a Y2a", *TABLE, step="draw", rules=rules, piles={3: "B1a"})
    state, _ = do(state, Draw("side"))
    assert facts(page(app, state), "side")["data-ask"] == "Geri bırak? +101"
    state, _ = do(state, Lay(("K8",), 0), Lay(("R9",), 1))
    assert facts(page(app, state), "side")["data-warn"].startswith("Geri bırakırsan 202 ceza yazılır.")
    free = replace(state, rules=MOKALI)
    assert facts(page(app, free), "side")["data-ask"] == "Geri bırak?"
    assert "data-warn" not in facts(page(app, free), "side")


# --- doors ---


@pytest.mark.parametrize("opened", [{}, {0: "melds"}, {0: "pairs"}, BOTH, {0: "pairs", 1: "pairs"}], ids=str)
@pytest.mark.parametrize("preset", RULESETS)
def test_ok_28_to_ok_30_a_door_is_closed_exactly_where_the_engine_says_so(
    app: House, preset: str, opened: dict[int, str]
) -> None:
    table = (*(TABLE if opened.get(0) == "melds" else ()), *(PAIRED if opened.get(1) else ()))
    held = f"{FIVE} B1a B2a B3a B9a"
    state = at(held, *table, rules=RULESETS[preset], opened=opened)
    text = page(app, state)
    for kind, call in (("melds", Open((("B1", "B2", "B3"),), "melds")), ("pairs", pairs("R1 R1"))):
        refused = None
        try:
            state.play(0, call)
        except IllegalAction as no:
            refused = no
        closed = refused is not None and refused.reason == "kind_closed"
        found = facts(text, f"open-{kind}")
        assert (found.get("aria-disabled") == "true") == closed
        if closed and refused is not None:
            assert found["data-why"] == f"{OKEY.texts.words['because'][str(refused.facts['because'])]}."
    assert ("data-pairs" in facts(text, "legal")) == ("data-why" not in facts(text, "open-pairs"))


def test_ok_28_who_waits_sees_no_door_closed_by_anothers_turn(app: House) -> None:
    rules = replace(MOKALI, new_melds_same_turn=False)
    state = at(f"{OPENING} R1a R2a R3a", rules=rules, opened={1: "melds"})
    state, _ = do(state, CALL)
    assert "Bu sıra açtın" in facts(page(app, state), "open-melds")["data-why"]
    assert "data-why" not in facts(page(app, state, 1), "open-melds")


def test_ok_39_the_side_tile_is_closed_where_it_is_of_no_use_and_says_why(app: House) -> None:
    for rack, of_use in (("R10a K3a", False), ("R10a R11a K3a", True)):
        state = at(rack, *TABLE[:1], step="draw", rules=OKEYLO, piles={3: "R9a"})
        found = facts(page(app, state), "side")
        assert ("aria-disabled" in found) != of_use
        assert "disabled" not in button(page(app, state), "side").partition(">")[0].replace("aria-disabled", "")
        assert ("yandan al" in button(page(app, state), "step")) == of_use
        if not of_use:
            assert refusal(state, Draw("side")) == "side_unusable", "a tap brings this answer"
    empty = at("R10a K3a", *TABLE[:1], step="draw", rules=OKEYLO)
    assert button(page(app, empty), "side").partition(">")[0].endswith(" disabled"), "nothing lies there"


def test_ok_45_an_okey_in_a_pair_is_a_place_for_its_twin(app: House) -> None:
    for rules, taken in ((MEY, True), (MOKALI, False), (OKEYLO, False)):
        state = at("B9b K3a K4a", "1 pair B9a Y6a=B9", rules=rules, opened={0: "melds", 1: "pairs"})
        assert ("B9b>0" in facts(page(app, state), "legal")["data-swaps"]) == taken


# --- the sheet ---


def numbers(text: str) -> tuple[list[str], list[list[str]]]:
    """The rows of the reckoning up to "Bu el": their heads, and what stands in each column."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", button(text, "reckoning"), re.DOTALL)
    heads, columns = [], []
    for row in rows:
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
        if cells:
            heads.append(re.sub(r"<[^>]+>", "", re.findall(r"<th.*?</th>", row, re.DOTALL)[0]))
            columns.append([cell.strip().replace("−", "-") for cell in cells])
        if heads and heads[-1] == "Bu el":
            break
    return heads, columns


def adds_up(text: str) -> bool:
    """Whether each column, read as a person reads it, comes to its last line."""
    heads, rows = numbers(text)
    waived = rows[heads.index("Eşi bitti")] if "Eşi bitti" in heads else [""] * len(rows[0])
    for seat, total in enumerate(rows[-1]):
        base, times, flat = 0, 1, 0
        for head, row in zip(heads[:-1], rows[:-1], strict=True):
            cell = row[seat]
            if not cell or head == "Eşi bitti" or cell.startswith("<s>"):
                continue
            if head in ("Bitiş", "Elde kalan", "Açmadı"):
                base = int(cell)
            elif cell.startswith("×"):
                for factor in cell[1:].split("×"):
                    times *= int(factor)
            else:
                flat += int(cell)
        if (0 if waived[seat] else base * times) + flat != int(total):
            return False
    return True


@pytest.mark.parametrize("preset", [*RULESETS, *range(8)])
def test_every_number_of_the_sheet_can_be_traced(app: House, preset: Any) -> None:
    """Hands of every preset and of mixtures, as the sheet shows them, with no rule known."""
    seen = 0
    for seed in range(6):
        rules: OkeyRules = mixture(Random(preset + seed)) if isinstance(preset, int) else RULESETS[preset]
        watched = Watched(replace(rules, threshold=34, min_pairs=4, hands=1, hands_choices=(1,)), 4, seed)
        while watched.state.turn is not None:
            step = watched.play()
            assert isinstance(step.before, Okey101)
            state = watched.state
            if step.before.mover is not None and state.mover is None and state.ended and state.ended.tallies:
                text = page(app, state)
                assert adds_up(text)
                assert numbers(text)[1][-1] == [str(score) for score in state.ended.scores]
                seen += 1
    assert seen >= 6


def test_ok_75_the_table_of_rewards_and_ok_64_the_doubled_rack_are_on_the_sheet(app: House) -> None:
    state = at("K8a", *TABLE, rules=STANDART, opened={0: "melds", 1: "pairs"}, others={1: "R5a K10b"})
    ended = state.play(0, state.moves(0)[-1])[0]
    heads, rows = numbers(page(app, ended))
    assert dict(zip(heads, rows, strict=True)) == {
        "Bitiş": ["-101", "", "", ""],
        "Elde kalan": ["", "15", "", ""],
        "Açmadı": ["", "", "202", "202"],
        "Çift açtı": ["", "×2", "", ""],
        "Bu el": ["-101", "30", "202", "202"],
    }


def test_ok_58_a_void_hand_says_so_on_the_sheet(app: House) -> None:
    rules = replace(STANDART, hands=3)
    others = {1: "Y1a Y1b", 2: "Y2a Y2b", 3: "Y3a Y3b"}
    opened = {1: "pairs", 2: "pairs", 3: "pairs"}
    state = at(f"{FIVE} B9a", rules=rules, opened=opened, others=others, penalties=(101, 0, 0, 0))
    state, _ = do(state, pairs(" ".join(word[:-1] for word in FIVE.split())))
    state, _ = do(state, state.moves(0)[-1])
    assert state.ended is not None
    assert state.ended.reason == "cancelled"
    text = page(app, state)
    assert "Herkes çiftle açtı, el sayılmadı." in text
    assert "Kimseye sayı yazılmaz, cezalar da silinir. El yeniden dağıtılır, dağıtan değişmez." in text
    assert "+101" not in button(text, "sheet-scores")
    assert numbers(text)[0][0] == "Toplam"
