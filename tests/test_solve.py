"""``mokali solve``: the cases, one answer for each line, and what is no hand (RECORDS, Command line)."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mokali import cli

CASES = Path(__file__).parent / "cases" / "solver"
GOOD = '{"indicator":"B5","hand":["R11a","R12a","R13a"]}'


def _solve(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> tuple[int, list[Any], str]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    code = cli.main(["solve"])
    told = capsys.readouterr()
    return code, [json.loads(line) for line in told.out.splitlines()], told.err


@pytest.mark.parametrize("name", ["open101", "edges101", "klasik"])
def test_every_case_is_answered_as_it_says(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(cases) >= 18
    code, answers, _ = _solve(monkeypatch, capsys, "\n".join(json.dumps(case["in"]) for case in cases))
    assert code == 0
    for case, answer in zip(cases, answers, strict=True):
        assert {key: answer[key] for key in case["out"]} == case["out"], case["id"]


def test_the_melds_come_with_the_points(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, [answer], _ = _solve(monkeypatch, capsys, GOOD)
    assert code == 0
    assert answer == {
        "points": 36,
        "melds": [["R11a", "R12a", "R13a"]],
        "tiles": 3,
        "pairs": 0,
        "from_hand": False,
    }


def test_ok_24_a_cap_of_five_splits_long_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = json.dumps([f"R{number}a" for number in range(1, 14)])
    texts = [f'{{"indicator":"B5","hand":{hand},"max_meld":{cap}}}' for cap in ("null", "13", "5")]
    _, answers, _ = _solve(monkeypatch, capsys, "\n".join(texts))
    assert [[len(meld) for meld in answer["melds"]] for answer in answers] == [[13], [13], [5, 5, 3]]
    assert {answer["points"] for answer in answers} == {91}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"indicator":"B5"}',
        '{"indicator":"FJ","hand":[]}',
        '{"indicator":"B14","hand":[]}',
        '{"indicator":"B5","hand":["R7"]}',
        '{"indicator":"B5","hand":["R7a","R7a"]}',
        '{"indicator":"B5","hand":["R7a"],"max_meld":4}',
        '{"indicator":"B5","hand":["R7a"],"max_meld":14}',
        '{"indicator":"B5","hand":["R7a"],"game":"chess"}',
        '{"indicator":"B5","hand":["R7a"],"game":"klasik"}',
    ],
)
def test_what_is_no_hand_is_refused_by_its_line(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answers, told = _solve(monkeypatch, capsys, f"{GOOD}\n{line}\n{GOOD}\n")
    assert code == 2
    assert len(answers) == 1, "what came before is answered"
    assert told.startswith("2: ")
    assert "Traceback" not in told
