"""What is said, in rows: how often, for how long, and in no backup (SITE-14, SITE-17, SITE-20, RL-44)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mokali.store import backup, people, talk
from mokali.store.models import DATABASE, TalkRow
from mokali.store.people import Door
from mokali.store.talk import Hurry, Kind, Pace
from mokali.tables.table import Ask, CloseVote, Gone
from tests.kept import begun, do, opened
from tests.seated import NOW

pytestmark = pytest.mark.usefixtures("db")

VOICE = Pace(2_000, 10)
ROOM = 10_000


def speak(at: int, person: int = 1, table: int = 1, audio: bytes = b"sound", room: int = ROOM) -> str:
    """A message that arrives at ``at`` seconds: kept, or why not."""
    name = f"name{at}-{person}"
    try:
        talk.speak(table, person, name, audio, 1.5, VOICE, NOW + at, room)
    except Hurry as error:
        return f"{error.code} {error.wait}"
    return "kept"


def test_site_c4_two_seconds_between_two_messages() -> None:
    assert [speak(at) for at in (0, 1_900, 2_000)] == ["kept", "too_soon 100", "kept"]


def test_site_c5_ten_in_a_minute() -> None:
    assert {speak(at * 1_000) for at in range(0, 30, 3)} == {"kept"}
    assert speak(30_000) == "too_many 30000"
    assert speak(59_999) == "too_many 1"
    assert speak(60_000) == "kept", "what was kept exactly a minute ago counts no more"


def test_site_17_each_person_has_a_pace_of_his_own_at_all_tables() -> None:
    assert speak(0) == "kept"
    assert speak(1, person=2) == "kept"
    assert speak(1_000, table=2) == "too_soon 1000"


@pytest.mark.parametrize("kind", ["chat", "phrase"])
def test_site_14_lines_and_phrases_have_paces_too(kind: Kind) -> None:
    pace = Pace(1_000, 3)
    speak(0)
    for at in (0, 1_000, 2_000):
        talk.say(1, 1, kind, "x", pace, NOW + at)
    with pytest.raises(Hurry) as refused:
        talk.say(1, 1, kind, "x", pace, NOW + 3_000)
    assert (refused.value.code, refused.value.wait) == ("too_many", 57_000)
    assert [one.kind for one in talk.said(1)] == ["voice", *[kind] * 3]


def test_rl_43_a_message_is_of_its_table() -> None:
    speak(0, audio=b"\0\1sound")
    assert talk.voice(1, "name0-1") == b"\0\1sound"
    assert talk.voice(2, "name0-1") is None
    assert talk.voice(1, "name0-2") is None
    talk.say(1, 1, "chat", "name", Pace(1, 9), NOW)
    assert talk.voice(1, "name") is None, "a line is no message"


def test_rl_44_messages_go_after_ten_minutes_lines_with_the_match() -> None:
    table = opened(1, None)
    speak(0, table=table.id)
    talk.say(table.id, 1, "chat", "selam", Pace(1, 9), NOW)
    assert talk.sweep(NOW + talk.KEPT_MS - 1) == set()
    assert talk.sweep(NOW + talk.KEPT_MS) == {table.id}
    assert [one.text for one in talk.said(table.id)] == ["selam"]
    assert talk.sweep(NOW + 10 * talk.KEPT_MS) == set()


def test_site_20_the_end_of_the_match_ends_what_was_said() -> None:
    table = begun(1, 2)
    speak(0, table=table.id)
    speak(0, person=2, table=table.id + 1)
    do(table.id, Gone(2, NOW), NOW + 60_000)
    do(table.id, Ask(1, CloseVote()), NOW + 60_000)
    assert talk.said(table.id) == ()
    assert len(talk.said(table.id + 1)) == 1, "another table plays on"
    talk.say(table.id, 1, "chat", "tebrikler", Pace(1, 9), NOW)
    assert talk.sweep(NOW + talk.KEPT_MS) >= {table.id}, "what is said after the end is kept for ten minutes"


def test_rl_44_no_number_is_given_twice() -> None:
    speak(0)
    [before] = talk.said(1)
    TalkRow.delete().execute()
    speak(5_000)
    [after] = talk.said(1)
    assert after.id > before.id


def test_rl_44_the_oldest_make_room() -> None:
    for person in range(1, 6):
        speak(person, person=person, audio=b"x" * 3_000)
    assert [one.person for one in talk.said(1)] == [3, 4, 5]
    size = DATABASE.execute_sql("SELECT sum(length(audio)) FROM talk").fetchone()[0]
    assert size <= ROOM


def test_rl_44_what_was_said_is_in_no_backup(db: Path, tmp_path: Path) -> None:
    speak(0, audio=b"gizli ses" * 500)
    talk.say(1, 1, "chat", "gizli söz", Pace(1, 9), NOW)
    copy = tmp_path / "backups" / "mokali-2026-01-01.sqlite3"
    backup.make(db, copy, keep=7)
    assert b"gizli" not in copy.read_bytes()
    with closing(sqlite3.connect(copy)) as rows:
        assert rows.execute("SELECT count(*) FROM talk").fetchone() == (0,)
    assert len(talk.said(1)) == 2, "the live one stays as it is"


def test_rl_7_who_closes_the_account_has_said_nothing() -> None:
    person, _ = people.enter("Ayşe", Door(8, 60_000), NOW)
    talk.say(1, person.id, "chat", "ben", Pace(1, 9), NOW)
    speak(0, person=99)
    people.close_account(person.id)
    assert [one.person for one in talk.said(1)] == [99]
