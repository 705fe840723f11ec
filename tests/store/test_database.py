"""The file: opened as RL-45 says, brought up to date, and the migrations make what the models say."""

from pathlib import Path
from typing import Any

import pytest
from peewee import Model

from mokali.store import database, tables
from mokali.store.database import NotKept
from mokali.store.models import DATABASE, MODELS
from tests.kept import begun, past_the_store, rows


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.table_name)
def test_rl_49_migrations_make_what_the_models_say(db: Path, model: type[Model]) -> None:
    """The migrations keep frozen copies of the models; together they must give the same columns and indexes."""
    assert model._meta.database.obj is DATABASE.obj
    made = shape(model._meta.table_name)
    fresh = model._meta.table_name + "_fresh"
    before = model._meta.table_name
    try:
        model._meta.set_table_name(fresh)
        DATABASE.create_tables([model])
        assert shape(fresh) == made
    finally:
        model._meta.set_table_name(before)


def shape(table: str) -> tuple[list[Any], list[Any]]:
    """Columns (name, type, not null, part of the key), and indexes (columns, unique)."""
    columns = [
        (name, kind, needed, key)
        for _, name, kind, needed, _, key in DATABASE.execute_sql(f'PRAGMA table_info("{table}")').fetchall()
    ]
    indexes = []
    for _, name, unique, origin, _ in DATABASE.execute_sql(f'PRAGMA index_list("{table}")').fetchall():
        parts = [column for _, _, column in DATABASE.execute_sql(f'PRAGMA index_info("{name}")').fetchall()]
        indexes.append((tuple(parts), unique, origin))
    return columns, sorted(indexes)


def test_opening_again_changes_nothing(db: Path) -> None:
    table = begun(1, 2)
    before = rows(db, "SELECT sql FROM sqlite_master ORDER BY name"), rows(db, "SELECT name FROM schema_migration")
    for _ in range(2):
        database.close()
        database.open_at(db)
    after = rows(db, "SELECT sql FROM sqlite_master ORDER BY name"), rows(db, "SELECT name FROM schema_migration")
    assert after == before
    tables.forget()
    assert tables.load(table.id) == table


def test_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "house.sqlite3"
    database.open_at(path)
    try:
        assert rows(path, "SELECT count(*) FROM game_table") == [(0,)]
    finally:
        database.close()


def test_a_file_that_cannot_be_opened_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotKept):
        database.open_at(tmp_path)  # a folder
    monkeypatch.setattr(database, "PATIENCE_MS", 20)
    path = tmp_path / "held.sqlite3"
    with past_the_store(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(NotKept):
            database.open_at(path)
        database.close()
