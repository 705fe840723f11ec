"""Every record under tests/cases, and a golden match of every game (RECORDS)."""

from pathlib import Path
from random import SystemRandom

import pytest

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Game
from mokali.games import RULES
from tests import golden

RECORDS = [
    path
    for path in sorted(golden.CASES.glob("*/*.jsonl"))
    if '"record"' in path.read_text(encoding="utf-8").partition("\n")[0]
]


def _id(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", RECORDS, ids=_id)
def test_the_record_holds(path: Path) -> None:
    read = record.read(path.read_text(encoding="utf-8"))
    game = record.game_of(read, RULES)
    assert path.parent.name == game.key, "it lies in its game's folder"
    played = record.replay(read, game, SystemRandom())
    assert [f"{path.name}:{failure.line}: {failure.text}" for failure in played.failures] == []
    tells = any("expect" in line.step or line.step.get("illegal") for line in read.lines)
    assert tells or read.header.setup_refused, "it demands something"


@pytest.mark.parametrize("path", RECORDS, ids=_id)
def test_replaying_what_was_logged_gives_the_same_state(path: Path) -> None:
    """Also where the house drew luck that the record doesn't state: what was drawn stands in the log."""
    read = record.read(path.read_text(encoding="utf-8"))
    game, header = RULES[read.header.game], read.header
    played = record.replay(read, game, SystemRandom())
    if played.state is None:
        return
    state = record.start(game, record.rules_of(header, game), header.seats, header.setup)
    for seat, action in played.log:
        if not isinstance(action, fairness.NOTES):
            state, _ = state.play(seat, action)
    assert codec.encode(state) == codec.encode(played.state)


@pytest.mark.parametrize("game", RULES.values(), ids=RULES)
def test_there_is_a_golden_match(game: Game) -> None:
    """A whole match, played by the house: ``make golden GAME=… SEED=1`` writes one."""
    paths = sorted((golden.CASES / game.key).glob("golden-*.jsonl"))
    assert paths, f"make golden GAME={game.key} SEED=1"
    seats = set()
    for path in paths:
        read = record.read(path.read_text(encoding="utf-8"))
        assert read.header.setup is None
        played = record.replay(read, game, SystemRandom())
        assert played.state is not None
        assert record.summary(played.state)["over"] is True
        assert "over" in read.lines[-1].step["expect"], "its last line says how it ended"
        notes = [action for _, action in played.log if isinstance(action, fairness.NOTES)]
        assert len(notes) >= 2
        assert fairness.broken(played.log, game.lots) is None
        lots = [action for seat, action in played.log if seat == HOUSE and isinstance(action, game.lots)]
        stated = [line for line in read.lines if line.step.get("seat") == "house"]
        assert len(stated) == len(lots) + len(notes), "all its luck stands in the file"
        seats.add(read.header.seats)
    assert seats == set(game.seats), "one for every number of seats"


@pytest.mark.parametrize("game", RULES.values(), ids=RULES)
def test_a_golden_match_can_be_written(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "CASES", tmp_path)
    golden.main(game.key, "5")
    read = record.read((tmp_path / game.key / "golden-5.jsonl").read_text(encoding="utf-8"))
    played = record.replay(read, game, SystemRandom())
    assert played.failures == ()
    assert fairness.broken(played.log, game.lots) is None
    assert golden.match(game, 5) == golden.match(game, 5), "a seed is a match"
