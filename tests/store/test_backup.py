"""Backups: made beside the running house, checked, kept for a week, put back (RL-48)."""

import fcntl
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import gevent
import pytest

from mokali import cli
from mokali.config import Settings
from mokali.live import door, nights
from mokali.live.nights import Nights
from mokali.store import backup, database, tables
from mokali.store.database import Running, Unfit
from tests.kept import KeptRoom, begun, past_the_store, rows, write

RELEASES = sorted((Path(__file__).parents[1] / "cases" / "releases").glob("*.sqlite3"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def at(text: str) -> int:
    """That moment here, in milliseconds."""
    return int(time.mktime(time.strptime(text, "%Y-%m-%d %H:%M"))) * 1000


def played(path: Path) -> list[tuple[object, ...]]:
    return rows(path, "SELECT id, played, state, body FROM game_table ORDER BY id")


# --- when ---


def test_rl_48_a_night_begins_at_its_hour(folder: Path) -> None:
    for moment, name in (
        ("2026-12-01 04:00", "mokali-2026-12-01.sqlite3"),
        ("2026-12-01 23:59", "mokali-2026-12-01.sqlite3"),
        ("2026-12-02 03:59", "mokali-2026-12-01.sqlite3"),
        ("2026-12-02 04:00", "mokali-2026-12-02.sqlite3"),
    ):
        assert backup.tonight(folder, at(moment), 4) == folder / name


def test_rl_48_a_missed_night_is_due_until_its_file_is_there(tmp_path: Path) -> None:
    nights = Nights(Settings(data=str(tmp_path)))
    now = at("2026-12-01 11:30")
    assert nights.due(now)
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "mokali-2026-12-01.sqlite3").touch()
    assert not nights.due(now)
    assert not nights.due(at("2026-12-02 03:59"))
    assert nights.due(at("2026-12-02 04:00"))


def test_rl_55_how_old_the_newest_is(folder: Path) -> None:
    assert backup.age(folder, 5) is None
    folder.mkdir()
    assert backup.age(folder, 5) is None
    for day, made in ((1, 100.0), (2, 160.5), (3, 130.0)):
        file = folder / f"mokali-2026-12-0{day}.sqlite3"
        file.touch()
        os.utime(file, (made, made))
    (folder / "mokali-2026-12-04.sqlite3.part").touch()
    assert backup.age(folder, 161_000) == 500


def test_rl_55_a_copy_from_the_future_is_no_proof(folder: Path) -> None:
    """A wrong clock has made it: an hour's difference is forgiven, more is not."""
    folder.mkdir()
    file = folder / "mokali-2026-12-01.sqlite3"
    file.touch()
    for ahead, age in ((3_000, 0), (4_000, None)):
        os.utime(file, (1_000 + ahead, 1_000 + ahead))
        assert backup.age(folder, 1_000_000) == age


# --- made ---


def test_rl_48_a_backup_is_whole_and_its_owners_alone(db: Path, folder: Path) -> None:
    room = KeptRoom(begun(1, 2))
    into = folder / "mokali-2026-12-01.sqlite3"
    backup.make(db, into, 7)
    assert into.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in folder.iterdir()] == [into.name]
    assert rows(into, "PRAGMA integrity_check") == [("ok",)]
    assert played(into) == played(db)
    assert tables.load(room.table.id) == room.table


def test_rl_48_the_newest_are_kept(db: Path, folder: Path) -> None:
    for day in range(1, 10):
        backup.make(db, folder / f"mokali-2026-12-0{day}.sqlite3", 7)
    (folder / "mine.sqlite3").touch()
    assert [file.name for file in backup.kept(folder)] == [f"mokali-2026-12-0{day}.sqlite3" for day in range(3, 10)]
    backup.make(db, folder / "mokali-2026-12-09.sqlite3", 2)
    assert [file.name for file in backup.kept(folder)] == ["mokali-2026-12-08.sqlite3", "mokali-2026-12-09.sqlite3"]
    assert (folder / "mine.sqlite3").exists()


@pytest.mark.parametrize("keep", [1, 7])
def test_rl_48_copies_from_the_future_displace_no_new_one(db: Path, folder: Path, keep: int) -> None:
    """Made while the clock was wrong: they go first, one for each that is made."""
    folder.mkdir()
    for day in range(1, 8):
        (folder / f"mokali-2099-01-0{day}.sqlite3").touch()
    made = [folder / f"mokali-2026-12-0{day}.sqlite3" for day in range(1, 9)]
    for number, into in enumerate(made, 1):
        backup.make(db, into, keep)
        assert backup.kept(folder)[: min(number, keep)] == made[max(0, number - keep) : number]
        assert len(backup.kept(folder)) == keep


@pytest.mark.parametrize("name", ["a#b", "a?mode=rw", "a%41", "böyle bir yer"])
def test_rl_48_the_folder_may_be_called_anything(tmp_path: Path, name: str) -> None:
    live, into = tmp_path / name / "house.sqlite3", tmp_path / name / "backups" / "mokali-2026-12-01.sqlite3"
    database.open_at(live)
    try:
        table = begun(1, 2)
        backup.make(live, into, 7)
    finally:
        _stop()
    backup.restore(into, live, live.parent / "aside")
    assert rows(live, "SELECT id FROM game_table") == [(table.id,)]


def test_rl_48_what_a_killed_process_left_is_taken_over(db: Path, folder: Path) -> None:
    into = folder / "mokali-2026-12-01.sqlite3"
    folder.mkdir()
    part = into.with_name(into.name + ".part")
    part.write_bytes(b"half a page" * 1000)
    (folder / "mokali-2026-11-30.sqlite3.part").touch()
    backup.make(db, into, 7)
    assert played(into) == played(db)
    assert list(folder.iterdir()) == [into], "also that of an earlier night"


def test_rl_48_two_never_write_one_backup(db: Path, folder: Path) -> None:
    into = folder / "mokali-2026-12-01.sqlite3"
    folder.mkdir()
    part = into.with_name(into.name + ".part")
    with part.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(backup.AtWork):
            backup.make(db, into, 7)
        assert not into.exists()


def test_rl_48_the_slower_of_two_spoils_nothing(db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has opened the file that the quicker one finishes and renames before it gets the lock."""
    into = folder / "mokali-2026-12-01.sqlite3"
    folder.mkdir()
    locked = database.locked

    def late(number: int, kind: int) -> bool:
        monkeypatch.setattr(database, "locked", locked)
        os.replace(into.with_name(into.name + ".part"), into)
        into.write_bytes(b"finished")
        return locked(number, kind)

    monkeypatch.setattr(database, "locked", late)
    with pytest.raises(backup.AtWork):
        backup.make(db, into, 7)
    assert into.read_bytes() == b"finished"


def test_rl_48_what_does_not_stand_the_check_is_no_backup(
    db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = folder / "mokali-2026-12-01.sqlite3"
    backup.make(db, into, 7)
    whole = into.read_bytes()
    check = database.check

    def spoilt(path: Path) -> None:
        spoil(path)
        check(path)

    monkeypatch.setattr(database, "check", spoilt)
    with pytest.raises(Unfit):
        backup.make(db, into, 1)
    assert into.read_bytes() == whole
    assert list(folder.iterdir()) == [into]


def spoil(path: Path) -> None:
    """Some pages are overwritten, as a bad disk would."""
    data = bytearray(path.read_bytes())
    data[8_192:40_960] = os.urandom(32_768)
    path.write_bytes(data)


# --- put back ---


@pytest.fixture
def house(tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a house on this database."""
    settings = Settings(data=str(tmp_path))
    monkeypatch.setenv("MOKALI_DATA", str(tmp_path))
    monkeypatch.setattr(Settings, "database", property(lambda self: db))
    return settings


def test_rl_48_the_command_line_makes_one_and_puts_it_back(
    house: Settings, db: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = KeptRoom(begun(1, 2))
    assert cli.main(["backup"]) == 0
    file = capsys.readouterr().out.strip()
    then, lines = room.table, rows(db, "SELECT count(*) FROM line")
    room.move(Random(1))
    later = played(db)
    assert cli.main(["restore", file]) == 1
    assert capsys.readouterr().err == "the house runs: stop it first\n"
    assert played(db) == later
    _stop()
    assert cli.main(["restore", file]) == 0
    aside = Path(capsys.readouterr().out.strip().rpartition(" ")[2])
    assert played(aside / db.name) == later, "what was there lies aside, whole"
    assert db.stat().st_mode & 0o777 == 0o600
    database.open_at(db)
    room = KeptRoom(tables.load(then.id))
    assert (room.table, rows(db, "SELECT count(*) FROM line")) == (then, lines)
    room.move(Random(1))
    assert played(db) == later, "and played on"


def _stop() -> None:
    database.close()
    tables.forget()


def test_rl_48_after_a_kill_the_old_one_is_kept_whole(house: Settings, db: Path) -> None:
    """Its last moves stand in the write-ahead file alone."""
    backup.make(db, house.backups / "mokali-2026-12-01.sqlite3", 7)
    begun(1, 2)
    copies = {file.name: file.read_bytes() for file in db.parent.glob(f"{db.name}*")}
    before = played(db)
    _stop()
    for name, data in copies.items():
        (db.parent / name).write_bytes(data)
    assert len(copies) >= 3
    aside = db.parent / "aside"
    backup.restore(house.backups / "mokali-2026-12-01.sqlite3", db, aside)
    assert played(aside / db.name) == before
    assert rows(db, "SELECT count(*) FROM game_table") == [(0,)]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


UNFIT: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "none": lambda path: path.write_text("no database at all, but long enough to look like one " * 100),
    "cut": _cut,
    "spoilt": spoil,
    "another program's": lambda path: write(path, "DROP TABLE schema_migration"),
    "a newer release's": lambda path: write(path, "INSERT INTO schema_migration (name, applied) VALUES ('9999_x', 1)"),
    "not readable by our models": lambda path: write(path, "ALTER TABLE line DROP COLUMN action"),
}


@pytest.mark.parametrize("harm", UNFIT.values(), ids=UNFIT.keys())
def test_rl_48_what_is_no_whole_backup_of_ours_is_not_put_back(
    house: Settings, db: Path, harm: Callable[[Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    begun(1, 2)
    file = house.backups / "mokali-2026-12-01.sqlite3"
    backup.make(db, file, 7)
    before = played(db)
    _stop()
    harm(file)
    assert cli.main(["restore", str(file)]) == 1
    assert capsys.readouterr().err.startswith("not restored: ")
    assert played(db) == before
    assert {path.name for path in db.parent.iterdir()} <= {db.name, f"{db.name}.lock", "backups"}


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_rl_48_an_older_releases_backup_is_put_back(house: Settings, db: Path, release: Path) -> None:
    _stop()
    assert cli.main(["restore", str(release)]) == 0
    database.open_at(db)
    assert [table.code for table in tables.listed()]


def test_rl_48_while_a_backup_is_put_back_no_house_opens(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE_MS", 20)
    database.close()
    with database.alone(db), pytest.raises(database.NotKept):
        database.open_at(db)
    database.open_at(db)
    with pytest.raises(Running), database.alone(db):
        pass


def test_rl_48_put_back_where_nothing_was(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a new machine: the folder is made as the house would make it, and no empty one beside."""
    table, file, data = begun(1, 2), tmp_path / "mokali-2026-12-01.sqlite3", tmp_path / "new" / "var"
    backup.make(db, file, 7)
    monkeypatch.setenv("MOKALI_DATA", str(data))
    assert cli.main(["restore", str(file)]) == 0
    assert capsys.readouterr().out == f"{file} is in place; nothing was there before\n"
    assert data.stat().st_mode & 0o777 == 0o700
    assert {path.name for path in data.iterdir()} == {"mokali.sqlite3", "mokali.sqlite3.lock"}
    assert rows(data / "mokali.sqlite3", "SELECT id FROM game_table") == [(table.id,)]


@pytest.mark.parametrize("arguments", [["backup"], ["restore", "nothing.sqlite3"]])
def test_rl_48_where_nothing_is_nothing_is_made(
    tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MOKALI_DATA", str(tmp_path / "var"))
    assert cli.main(arguments) == 1
    assert capsys.readouterr().err.endswith("no such file\n")
    assert not (tmp_path / "var").exists()


def test_rl_48_twice_within_a_second(house: Settings, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = house.backups / "mokali-2026-12-01.sqlite3"
    backup.make(db, file, 7)
    table = begun(1, 2)
    _stop()
    monkeypatch.setattr(backup, "today", lambda: at("2026-12-01 12:00"))
    assert [cli.main(["restore", str(file)]) for _ in range(3)] == [0, 0, 0]
    found = {path.name: rows(path / db.name, "SELECT id FROM game_table") for path in db.parent.glob("before-*")}
    assert found == {
        "before-2026-12-01-120000": [(table.id,)],
        "before-2026-12-01-120000-2": [],
        "before-2026-12-01-120000-3": [],
    }


@pytest.mark.parametrize("harm", ["cut", "spoilt", "another program's"])
def test_rl_48_what_is_wrong_is_said_of_the_file_that_was_named(
    house: Settings, db: Path, harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begun(1, 2)
    file = house.backups / "mokali-2026-12-01.sqlite3"
    backup.make(db, file, 7)
    _stop()
    UNFIT[harm](file)
    assert cli.main(["restore", str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"not restored: {file}: ")


def test_rl_48_a_kill_in_the_middle_leaves_the_old_one_or_the_new(
    house: Settings, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every call that changes a file: never none, which the next start would take for a new house."""
    file = house.backups / "mokali-2026-12-01.sqlite3"
    copied = [(begun(1, 2).id,)]
    backup.make(db, file, 7)
    before = [*copied, (begun(3, 4).id,)]
    copies = {path.name: path.read_bytes() for path in db.parent.glob(f"{db.name}*")}
    _stop()
    seen = list[list[tuple[object, ...]]]()
    for step in range(100):
        for name, data in copies.items():  # after a kill: its last moves stand in the write-ahead file alone
            (db.parent / name).write_bytes(data)
        if _restored_until(step, file, db, monkeypatch):
            break
        database.open_at(db)
        seen.append(rows(db, "SELECT id FROM game_table"))
        assert seen[-1] in (before, copied), step
        assert rows(db, "PRAGMA integrity_check") == [("ok",)]
        _stop()
    assert (seen[0], seen[-1], step < 99) == (before, copied, True), "killed before and after"


class Killed(BaseException):
    """The process ends here."""


def _restored_until(step: int, file: Path, live: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether it came to its end before so many calls had changed a file; from that one on none does."""
    left = step

    def dying(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **more: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed(name)
            return real(*given, **more)

        return call

    with monkeypatch.context() as patch:
        for place, name in ((os, "replace"), (os, "fsync"), (Path, "unlink"), (Path, "mkdir"), (shutil, "copy2")):
            patch.setattr(place, name, dying(name, getattr(place, name)))
        try:
            backup.restore(file, live, live.with_name(f"aside-{step}"))
        except Killed:
            return False
    return True


def test_rl_48_an_old_one_that_somebody_writes_stays(
    house: Settings, db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another program has it open, and the last moves can't be brought out of the write-ahead file."""
    file = house.backups / "mokali-2026-12-01.sqlite3"
    backup.make(db, file, 7)
    table = begun(1, 2)
    monkeypatch.setattr(database, "PATIENCE_MS", 20)
    with past_the_store(db) as other:
        _stop()
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM game_table").fetchall()
        write(db, "UPDATE game_table SET opener = opener + 1")
        assert cli.main(["restore", str(file)]) == 1
        other.execute("ROLLBACK")
    assert "not restored: " in capsys.readouterr().err
    assert rows(db, "SELECT id FROM game_table") == [(table.id,)]
    assert not list(db.parent.glob("before-*"))


def test_rl_48_where_the_old_one_cannot_be_kept_it_stays(
    house: Settings, db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk is full in the middle of the copy, and no half one is left."""
    file = house.backups / "mokali-2026-12-01.sqlite3"
    backup.make(db, file, 7)
    table = begun(1, 2)
    _stop()

    def full(source: Path, folder: Path) -> None:
        (folder / source.name).write_bytes(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)
    assert cli.main(["restore", str(file)]) == 1
    assert capsys.readouterr().err == "not restored: No space left on device\n"
    assert rows(db, "SELECT id FROM game_table") == [(table.id,)]
    assert not list(db.parent.glob("before-*"))


def test_rl_48_a_broken_old_one_is_kept_as_it_is(house: Settings, db: Path) -> None:
    """That is what copies are for."""
    file = house.backups / "mokali-2026-12-01.sqlite3"
    backup.make(db, file, 7)
    _stop()
    db.write_bytes(broken := b"no database at all " * 1000)
    assert cli.main(["restore", str(file)]) == 0
    [aside] = db.parent.glob("before-*")
    assert (aside / db.name).read_bytes() == broken
    assert rows(db, "SELECT count(*) FROM game_table") == [(0,)]


# --- the nightly one ---


def test_rl_48_the_worker_has_it_made_in_a_process_of_its_own(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path), backups_kept=2)
    settings.backups.mkdir()
    for day in (1, 2, 3):
        (settings.backups / f"mokali-2020-01-0{day}.sqlite3").touch()
    database.open_at(settings.database)
    try:
        table, nights = begun(1, 2), Nights(settings)
        assert nights.due(backup.today())
        nights.make()
        assert not nights.due(backup.today())
    finally:
        database.close()
        tables.forget()
    kept = backup.kept(settings.backups)
    assert kept[0].name == "mokali-2020-01-03.sqlite3"
    assert rows(kept[1], "SELECT id, played FROM game_table") == [(table.id, table.played)]
    assert len(kept) == 2


def test_rl_48_a_night_that_fails_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(data=str(tmp_path))
    settings.database.write_text("no database")
    Nights(settings).make()
    assert "backup_failed" in caplog.text
    assert "no backup" in capfd.readouterr().err
    assert backup.age(settings.backups, 0) is None


def test_rl_48_nights_go_by_the_calendar(house: Settings, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The house's clock never jumps: where it began wrong, it is wrong for as long as the worker lives."""
    monkeypatch.setattr(door, "now", lambda: at("2020-01-01 12:00"))
    alarm = Nights(house)
    monkeypatch.setattr(alarm, "make", lambda: cli.main(["backup", "--nightly"]))
    assert alarm.look()
    assert backup.kept(house.backups) == [backup.tonight(house.backups, backup.today(), house.backup_hour)]


def test_rl_48_after_a_fruitless_try_an_hour_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute each would be a new process each, for as long as the disk is full."""
    waits, tries = list[float](), list[str]()
    alarm = Nights(Settings(data=str(tmp_path)))

    def make() -> None:
        tries.append("made")
        if len(tries) == 2:
            raise OSError
        if len(tries) == 3:
            backup.make(tmp_path / "house.sqlite3", backup.tonight(tmp_path / "backups", backup.today(), 4), 7)

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 6:
            raise SystemExit

    database.open_at(tmp_path / "house.sqlite3")
    monkeypatch.setattr(alarm, "make", make)
    monkeypatch.setattr(gevent, "sleep", sleep)
    try:
        with pytest.raises(SystemExit):
            alarm._run()
    finally:
        monkeypatch.undo()
        database.close()
    assert waits == [nights.PERIOD, nights.AGAIN, nights.AGAIN, nights.PERIOD, nights.PERIOD, nights.PERIOD]
    assert len(tries) == 3


def test_rl_48_this_nights_is_made_once(house: Settings, db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["backup", "--nightly"]) == 0
    [file] = backup.kept(house.backups)
    made = file.stat().st_ino
    assert cli.main(["backup", "--nightly"]) == 0
    assert file.stat().st_ino == made
    assert capsys.readouterr().out.strip() == str(file)
    assert cli.main(["backup"]) == 0, "an operator gets a new one"
    assert file.stat().st_ino != made
    with file.with_name(file.name + ".part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert cli.main(["backup"]) == 1
        file.unlink()
        assert cli.main(["backup", "--nightly"]) == 0, "another worker is making it"
