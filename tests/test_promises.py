"""What docs/reliability.md says is proven, where it says so."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| RL-(\d+) \| .+ \| (.+) \|$", re.MULTILINE)
ROWS = {
    int(number): re.findall(r"`([\w/.]+)`", files)
    for number, files in ROW.findall((ROOT / "docs/reliability.md").read_text())
}


def _proven(text: str) -> set[int]:
    """The ids in the names of a file's tests, each as ``-k rl_8_`` finds it: test_rl_8_rl_10_…"""
    heads = re.findall(r"^def test_((?:rl_\d+_)+)", text, re.MULTILINE)
    return {int(number) for head in heads for number in re.findall(r"\d+", head)}


def test_every_promise_names_tests_that_carry_its_id() -> None:
    assert len(ROWS) > 40
    for number, files in ROWS.items():
        assert files, number
        for file in files:
            assert number in _proven((ROOT / file).read_text("utf-8")), (number, file)


def test_every_proven_promise_is_told() -> None:
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "e2e").rglob("test_*.py")]
    proven = set().union(*(_proven(file.read_text("utf-8")) for file in files))
    assert proven - ROWS.keys() == set()
