"""``mokali plays``: the cases, one answer for each line, and what is no board (RECORDS, Command line)."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mokali import cli

CASES = Path(__file__).parent / "cases" / "tavla" / "plays.jsonl"
FRESH = '{"points":{"24":2,"13":5,"8":3,"6":5},"bar":0,"off":0}'


def _line(mover: str = FRESH, opponent: str = FRESH, dice: str = "[6,5]") -> str:
    return f'{{"board":{{"mover":{mover},"opponent":{opponent}}},"dice":{dice}}}'


def _plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> tuple[int, list[Any], str]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    code = cli.main(["plays"])
    told = capsys.readouterr()
    return code, [json.loads(line) for line in told.out.splitlines()], told.err


def test_every_case_is_answered_as_it_says(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    assert len(cases) >= 60
    code, answers, _ = _plays(monkeypatch, capsys, "\n".join(json.dumps(case["in"]) for case in cases))
    assert code == 0
    for case, answer in zip(cases, answers, strict=True):
        assert answer == case["out"], case["id"]


def test_a_board_on_which_nothing_can_be_played_stays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mover, opponent = '{"points":{"13":14},"bar":1}', '{"points":{"6":8,"4":7}}'
    code, answers, _ = _plays(monkeypatch, capsys, _line(mover, opponent, "[6,4]"))
    assert code == 0
    assert answers == [{"finals": ["13:14|1|0 / 6:8,4:7|0|0"]}]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "{}",
        _line(dice="[6]"),
        _line(dice="[6,0]"),
        _line(dice="[6,7]"),
        _line(dice="[1,2,3]"),
        _line(mover='{"points":{"24":2}}'),
        _line(mover='{"points":{"24":16}}'),
        _line(mover='{"points":{"25":15}}'),
        _line(mover='{"points":{"01":15}}'),
        _line(mover='{"points":{"24":16,"13":-1}}'),
        _line(mover='{"points":{},"off":15}'),
        _line(mover='{"points":{"1":15}}'),
        _line(mover='{"points":{"24":15},"colour":"white"}'),
    ],
)
def test_what_is_no_board_is_refused_by_its_line(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answers, told = _plays(monkeypatch, capsys, f"{_line()}\n{line}\n{_line()}\n")
    assert code == 2
    assert len(answers) == 1, "what came before is answered"
    assert told.startswith("2: ")
    assert "Traceback" not in told
