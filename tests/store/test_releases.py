"""Files that earlier releases wrote, with games in progress: opened, brought up to date, played on (RL-49)."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from playhouse.migrations import Runner

from mokali.engine import codec, fairness, record
from mokali.live.watch import Watch
from mokali.store import database, tables
from mokali.store.models import DATABASE
from mokali.tables.table import Why
from tests.kept import KeptRoom, rows
from tests.processes import ROOT

RELEASES = sorted((ROOT / "tests" / "cases" / "releases").glob("*.sqlite3"))


@pytest.fixture(params=RELEASES, ids=lambda path: path.stem)
def kept(request: pytest.FixtureRequest, db: Path) -> Path:
    """A copy of a release's file, in the place of the empty database, not opened yet."""
    database.close()
    for file in db.parent.glob(f"{db.name}-*"):
        file.unlink()
    shutil.copy(request.param, db)
    return db


def test_rl_49_there_is_a_file_of_a_release() -> None:
    assert RELEASES


def test_rl_49_an_older_releases_games_go_on(kept: Path) -> None:
    before = rows(kept, "SELECT id, code, status, played, logged, state FROM game_table ORDER BY id")
    lines = rows(kept, "SELECT * FROM line")
    assert {"playing", "waiting", "ended"} <= {status for _, _, status, *_ in before}
    database.open_at(kept)
    assert rows(kept, "SELECT id, code, status, played, logged, state FROM game_table ORDER BY id") == before
    assert rows(kept, "SELECT * FROM line") == lines
    house = Watch(Random(1))
    house.sweep()
    house.give_back()
    house.look()
    for table_id, _, status, played, *_ in before:
        table = tables.load(table_id)
        assert table.played >= played
        if status == "playing":
            _play_out(table_id)
        elif status == "waiting":
            assert table.ended is None
    assert rows(kept, "PRAGMA integrity_check") == [("ok",)]


def _play_out(table_id: int) -> None:
    room = KeptRoom(tables.load(table_id))
    for _ in room.play(Random(table_id)):
        pass
    table = room.table
    assert table.ended is not None
    assert table.ended.why == Why.FINISHED
    log = tables.log(table_id)
    assert codec.encode(record.resume(table.game, table.rules, len(table.chairs), log)) == codec.encode(table.state)
    assert fairness.broken(log, table.game.lots) is None


def test_rl_49_a_migration_that_fails_leaves_the_file_as_it_was(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that are missing run in one transaction: also those before the one that fails are undone."""
    steps = tmp_path / "steps"
    shutil.copytree(database.MIGRATIONS, steps)
    (steps / "9999_bad.py").write_text("def up(migrator, db):\n    db.execute_sql('DROP TABLE line')\n    1 / 0\n")
    monkeypatch.setattr(database, "MIGRATIONS", steps)
    before = rows(kept, "SELECT sql FROM sqlite_master ORDER BY name"), rows(kept, "SELECT name FROM schema_migration")
    with pytest.raises(ZeroDivisionError):
        database.open_at(kept)
    database.close()
    after = rows(kept, "SELECT sql FROM sqlite_master ORDER BY name"), rows(kept, "SELECT name FROM schema_migration")
    assert after == before
    monkeypatch.undo()
    database.open_at(kept)
    assert not DATABASE.is_closed()


OPENS = """
import sys, time
from pathlib import Path
from mokali.store import database
until = float(sys.argv[2])
while time.monotonic() < until:
    pass
database.open_at(Path(sys.argv[1]))
print(database.came_first())
"""


def opening(path: Path, until: float) -> subprocess.Popen[str]:
    """A process that opens this database at that moment."""
    command = [sys.executable, "-c", OPENS, str(path), str(until)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_rl_49_two_workers_open_a_new_database_at_once(tmp_path: Path, rounds: Callable[[int, int], int]) -> None:
    """Both at the same moment, on an empty folder: both get in, and everything is made once."""
    for n in range(rounds(3, 300)):
        path = tmp_path / str(n) / "house.sqlite3"
        some = [opening(path, time.monotonic() + 0.6) for _ in range(2)]
        told = [process.communicate(timeout=60) for process in some]
        assert [process.returncode for process in some] == [0, 0], told
        assert ("True\n", "") in told, "who came first knows it"
        assert len(rows(path, "SELECT name FROM schema_migration")) == len(list(database.MIGRATIONS.glob("0*.py")))


def test_rl_49_another_worker_opens_it_while_it_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right after this one has seen which migrations are missing: the other waits until they are there."""
    path = tmp_path / "house.sqlite3"
    status, others = Runner.status, list[subprocess.Popen[str]]()

    def seen(self: Runner) -> list[object]:
        found: list[object] = status(self)
        others.append(opening(path, 0))
        with suppress(subprocess.TimeoutExpired):
            others[0].wait(1)
        monkeypatch.undo()
        return found

    monkeypatch.setattr(Runner, "status", seen)
    try:
        database.open_at(path)
        assert others[0].communicate(timeout=60) == ("False\n", "")
    finally:
        database.close()
