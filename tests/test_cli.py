"""The command line: exit codes, and exactly what is printed (RECORDS, Command line)."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mokali import cli
from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE
from mokali.games import BY_KEY
from mokali.games.pisti import GAME
from tests import golden
from tests.matches import Match

GOLDEN = sorted((golden.CASES / "pisti").glob("golden-*.jsonl"))
HEADER = '{"record":1,"game":"pisti","seats":2}\n'
HOLDS = HEADER + '{"expect":{"phase":"hand_over"}}\n'
FAILS = HEADER + '\n{"expect":{"phase":"play","turn":1}}\n'
UNREADABLE = '{"record":1,"game":"pisti","seats":2\n'
UNSEALED = HEADER + '{"seat":"house","do":"first","seat_drawn":1}\n'


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """The exit code, and the lines on standard output."""
    code = cli.main(arguments)
    return code, capsys.readouterr().out.splitlines()


@pytest.fixture
def kept(tmp_path: Path) -> dict[str, str]:
    """Files by what becomes of them."""
    texts = {"holds": HOLDS, "fails": FAILS, "unreadable": UNREADABLE, "unsealed": UNSEALED}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: str(tmp_path / name) for name in texts}


# --- replay ---


def test_replay_says_nothing_where_all_holds(capsys: pytest.CaptureFixture[str], kept: dict[str, str]) -> None:
    assert run(capsys, "replay", kept["holds"]) == (0, [])
    assert run(capsys, "replay", *map(str, sorted((golden.CASES / "pisti").iterdir()))) == (0, [])


def test_replay_says_what_fails_and_where(capsys: pytest.CaptureFixture[str], kept: dict[str, str]) -> None:
    file = kept["fails"]
    assert run(capsys, "replay", file) == (
        1,
        [f'{file}:3: expected phase "play" got "hand_over"', f"{file}:3: expected turn 1 got null"],
    )


def test_replay_says_why_it_cannot_read(capsys: pytest.CaptureFixture[str], kept: dict[str, str]) -> None:
    code, [line] = run(capsys, "replay", kept["unreadable"])
    assert code == 2
    assert line.startswith(f"{kept['unreadable']}:1: ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"record":1,"game":"chess","seats":2}', ":1: unknown game 'chess'"),
        ('{"record":1,"game":"pisti","seats":2,"ruleset":"mey"}', ":1: unknown ruleset 'mey'"),
        ("", ":1: empty"),
    ],
)
def test_replay_of_what_is_no_record(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, line: str) -> None:
    file = tmp_path / "it"
    file.write_text(text, encoding="utf-8")
    assert run(capsys, "replay", str(file)) == (2, [f"{file}{line}"])


def test_replay_of_what_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xfe\xff")
    for name in ("missing", "latin", "."):
        code, [line] = run(capsys, "replay", str(tmp_path / name))
        assert code == 2
        assert line.startswith(f"{tmp_path / name}:0: ")


def test_replay_goes_on_and_ends_with_the_worst(capsys: pytest.CaptureFixture[str], kept: dict[str, str]) -> None:
    def code(*names: str) -> int:
        return run(capsys, "replay", *(kept[name] for name in names))[0]

    assert code("holds", "fails", "holds") == 1
    assert code("unreadable", "fails", "holds") == 2
    _, lines = run(capsys, "replay", kept["unreadable"], kept["fails"])
    assert len(lines) == 3


def test_replay_summary_is_one_line_a_file(capsys: pytest.CaptureFixture[str], kept: dict[str, str]) -> None:
    code, lines = run(capsys, "replay", "--summary", kept["holds"], str(GOLDEN[0]))
    assert code == 0
    fresh, ended = map(json.loads, lines)
    assert (fresh["phase"], fresh["hand"], fresh["legal"]) == ("hand_over", 0, [])
    assert ended["over"] is True
    assert lines[0] == codec.encode(record.summary(record.start(GAME, GAME.rulesets["klasik"], 2)))


def test_replay_summary_shows_the_legal_cards(capsys: pytest.CaptureFixture[str]) -> None:
    _, [line] = run(capsys, "replay", "--summary", str(golden.CASES / "pisti" / "PI-C3-no-match.jsonl"))
    summary = json.loads(line)
    assert len(summary["legal"]) > 0
    assert summary["cards"] == []


def test_replay_summary_of_a_refused_setup_is_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "it"
    file.write_text('{"record":1,"game":"pisti","seats":3,"setup_refused":true}', encoding="utf-8")
    assert run(capsys, "replay", "--summary", str(file)) == (0, [])


def test_replay_verify_opens_every_seal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert len(GOLDEN) >= 2
    assert run(capsys, "replay", "--verify", *map(str, GOLDEN)) == (0, [])
    text = GOLDEN[0].read_text(encoding="utf-8")
    at = text.index('"salt":"') + len('"salt":"')
    forged = text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]
    file = tmp_path / "forged"
    file.write_text(forged, encoding="utf-8")
    assert run(capsys, "replay", str(file)) == (0, []), "the play is the same"
    code, [line] = run(capsys, "replay", "--verify", str(file))
    assert code == 1
    assert line.startswith(f"{file}:0: expected sealed luck got line ")
    assert line.endswith(": the seal does not open")


def test_replay_verify_finds_luck_without_a_seal(capsys: pytest.CaptureFixture[str], kept: dict[str, str]) -> None:
    file = kept["unsealed"]
    assert run(capsys, "replay", file) == (0, [])
    assert run(capsys, "replay", "--verify", file) == (
        1,
        [f"{file}:0: expected sealed luck got line 0: luck without a seal"],
    )


def test_replay_reads_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(FAILS))
    code, lines = run(capsys, "replay", "-")
    assert code == 1
    assert lines[0] == '-:3: expected phase "play" got "hand_over"'


@pytest.mark.parametrize("command", [[sys.executable, "-m", "mokali"], [str(Path(sys.executable).with_name("mokali"))]])
def test_it_is_a_program(command: list[str], kept: dict[str, str]) -> None:
    told = subprocess.run([*command, "replay", kept["fails"]], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stdout.splitlines()[1] == f"{kept['fails']}:3: expected turn 1 got null"
    assert told.stderr == ""


# --- simulate ---


def simulated(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, [line] = run(capsys, "simulate", "pisti", *arguments)
    assert code == 0
    told = json.loads(line)
    assert isinstance(told, dict)
    return told


def test_simulate_tells_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    told = simulated(capsys, "--bots", "random,random", "--hands", "60", "--seed", "3")
    assert told["game"] == "pisti"
    assert told["bots"] == ["random", "random"]
    assert told["hands"] == 60
    assert told["matches"] == sum(told["wins"]) > 0
    assert len(told["totals"]) == 2
    assert sum(told["totals"]) >= 60 * 13
    assert told["hands_per_second"] > 0
    assert told["ms_per_decision"]["random"] >= 0
    same = simulated(capsys, "--bots", "random,random", "--hands", "60", "--seed", "3")
    other = simulated(capsys, "--bots", "random,random", "--hands", "60", "--seed", "4")
    assert same["totals"] == told["totals"] != other["totals"], "a seed is a result"


def test_simulate_with_partners_both_win(capsys: pytest.CaptureFixture[str]) -> None:
    told = simulated(capsys, "--bots", "random,random,random,random", "--hands", "40", "--ruleset", "klasik")
    assert told["wins"][0] == told["wins"][2]
    assert told["wins"][1] == told["wins"][3]
    assert told["matches"] == told["wins"][0] + told["wins"][1]
    assert told["totals"][0] == told["totals"][2]


def test_simulate_turns_the_bots_around_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    told = simulated(capsys, "--bots", "orta,random", "--hands", "40", "--seed", "3", "--rotate")
    assert told["hands"] >= 40
    assert told["matches"] % 2 == 0, "every match again with the seats changed"
    assert sum(told["wins"]) == told["matches"]
    points, width = told["ahead"]["orta"]["points"]
    assert points == pytest.approx((told["totals"][0] - told["totals"][1]) / told["hands"], abs=0.001)
    assert points - width > 0, "so much better than random that forty hands show it"
    assert told["ahead"]["random"]["points"] == [-points, width]
    assert told["ahead"]["orta"]["wins"][0] == pytest.approx(
        (told["wins"][0] - told["wins"][1]) / told["matches"], abs=0.001
    )
    low, high = told["ms_p50_p99"]["orta"]
    assert low <= high


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--bots", "random"], "no table for 1"),
        (["--bots", "random,random,random"], "no table for 3"),
        (["--bots", "random,grandmaster"], "has no level"),
        (["--bots", "random,random", "--ruleset", "mey"], "unknown ruleset 'mey'"),
    ],
)
def test_simulate_misused(capsys: pytest.CaptureFixture[str], arguments: list[str], why: str) -> None:
    assert cli.main(["simulate", "pisti", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert why in told.err


# --- choose ---


def views(count: int) -> list[tuple[Any, str]]:
    """States with a seat on turn, and what that seat sees, as a bot gets it."""
    match = Match(GAME, GAME.rulesets["klasik"], 4, seed=1)
    found: list[tuple[Any, str]] = []
    while len(found) < count:
        state = match.state
        if state.turn is not None and state.turn != HOUSE:
            found.append((state, codec.encode({"view": state.view(state.turn)})))
        match.step()
    return found


def test_choose_answers_each_view_with_a_legal_action(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = views(20)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(text for _, text in asked)))
    code, lines = run(capsys, "choose", "pisti", "--level", "random")
    assert code == 0
    assert len(lines) == 20
    for (state, _), line in zip(asked, lines, strict=True):
        [(key, plain)] = json.loads(line).items()
        assert key == "action"
        state.play(state.turn, codec.read_action(GAME.actions, codec.encode(plain)))


@pytest.mark.parametrize("level", ["random", *BY_KEY["tavla"].bots])
def test_choose_answers_boards_of_tavla_with_a_whole_play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    side = '{"points": {"24": 2, "13": 5, "8": 3, "6": 5}}'
    shut = '{"points": {"6": 2, "5": 2, "4": 2, "3": 2, "2": 2, "1": 2, "8": 3}}'
    lines = [f'{{"board": {{"mover": {side}, "opponent": {side}}}, "dice": {dice}}}' for dice in ([3, 1], [6, 6])]
    lines += [f'{{"board": {{"mover": {{"points": {{"6": 14}}, "bar": 1}}, "opponent": {shut}}}, "dice": [2, 1]}}']
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    code, finals = run(capsys, "choose", "tavla", "--level", level)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    _, plays = run(capsys, "plays")
    assert code == 0
    for chosen, possible in zip(finals, plays, strict=True):
        assert json.loads(chosen)["final"] in json.loads(possible)["finals"]


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "{}", '{"view":null}', '{"view":{}}', '{"view":{"seat":0}}', '{"board":{}}']
)
def test_choose_refuses_what_is_no_view(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    [(_, good)] = views(1)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{good}\n{line}\n"))
    assert cli.main(["choose", "pisti", "--level", "random"]) == 2
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1
    assert told.err.startswith("2: ")


def test_choose_refuses_a_view_of_somebody_not_on_turn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    [(state, _)] = views(1)
    for viewer in (None, (state.turn + 1) % 4):
        monkeypatch.setattr(sys, "stdin", io.StringIO(codec.encode({"view": state.view(viewer)})))
        assert cli.main(["choose", "pisti", "--level", "random"]) == 2
        assert "not on turn" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert cli.main(["choose", "pisti", "--level", "grandmaster"]) == 2


def test_a_command_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["fly"], ["replay"], ["simulate", "chess", "--bots", "x"], ["choose", "pisti"]):
        with pytest.raises(SystemExit) as left:
            cli.main(arguments)
        assert left.value.code == 2
        capsys.readouterr()


def test_serve_becomes_gunicorn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    became: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, command: became.append([program, *command]))
    monkeypatch.setenv("MOKALI_PORT", "8123")
    cli.serve()
    [[program, *command]] = became
    assert program == sys.executable
    assert command[1:3] == ["-m", "gunicorn"]
    assert command[-1] == "app:app"
    monkeypatch.setenv("MOKALI_PORT", "eight")
    assert cli.serve() == 2
    assert capsys.readouterr().err == "MOKALI_PORT is 'eight': expected `int`, got `str`\n"
    monkeypatch.setenv("MOKALI_PORT", "8123")
    monkeypatch.setenv("MOKALI_MAX_PEOPLE", "-3")
    assert cli.serve() == 2
    assert len(became) == 1, "a wrong figure is said before anything starts"


@pytest.mark.parametrize("arguments", [["backup"], ["backup", "--nightly"], ["restore", "it.sqlite3"]])
def test_a_wrong_figure_is_said_by_whoever_reads_it(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MOKALI_BACKUPS_KEPT", "0")
    assert cli.main(arguments) == 2
    assert capsys.readouterr().err == "MOKALI_BACKUPS_KEPT is '0': expected `int` >= 1\n"
