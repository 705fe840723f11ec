"""People: at most so many, each name once, a token that only its device knows, ways to another device."""

import gc
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import gevent
import pytest

from mokali.people.names import BadName
from mokali.store import database, people, tables
from mokali.store.database import NotKept
from mokali.store.models import DATABASE
from mokali.store.people import Door, Full, NameTaken, NoTransfer, Person
from mokali.tables.table import Ask, Close, Gone, Leave, Rise, Why
from tests.kept import all_bytes, begun, do, opened, past_the_store, rows
from tests.processes import race
from tests.seated import NOW

pytestmark = pytest.mark.usefixtures("db")

HOUSE = Door(most=8, linger=60_000)
LATER = NOW + 3_600_000


def come_in(*names: str, now: int = NOW) -> list[Person]:
    return [people.enter(name, HOUSE, now)[0] for name in names]


SEVEN = ("Ali", "Ayşe", "Bora", "Ceren", "Deniz", "Ece", "Fatma")


# --- tokens ---


def test_rl_1_only_the_hash_of_the_token_is_kept(db: Path) -> None:
    person, token = people.enter("Ayşe", HOUSE, NOW)
    assert people.by_token(token) == person == Person(person.id, "Ayşe")
    kept = all_bytes(db)
    assert "Ayşe".encode() in kept, "the bytes are the right ones"
    assert token.encode() not in kept
    assert sha256(token.encode()).hexdigest().encode() in kept
    assert len(token) >= 43, "256 bits"


def test_rl_2_a_changed_byte_is_nobodys_token() -> None:
    _, token = people.enter("Ayşe", HOUSE, NOW)
    other = "A" if token[5] != "A" else "B"
    for text in (token[:5] + other + token[6:], token[:-1], token + "A", token.upper(), "", "' OR 1=1 --", "\x00"):
        assert people.by_token(text) is None
    assert people.by_token(sha256(token.encode()).hexdigest()) is None, "the hash opens nothing"


def test_every_token_is_another() -> None:
    tokens = {people.enter(name, HOUSE, NOW)[1] for name in SEVEN}
    assert len(tokens) == 7


# --- names ---


@pytest.mark.parametrize("spelling", ["IŞIK", "ışık", "işik", "I\u0307şık", " Işık ", "İŞİK"])
def test_rl_9_one_key_one_person(db: Path, spelling: str) -> None:
    [person] = come_in("Işık")
    with pytest.raises(NameTaken) as taken:
        come_in(spelling)
    assert (taken.value.person, taken.value.table) == (person.id, None)
    assert rows(db, "SELECT count(*) FROM person") == [(1,)]


def test_site_c3_a_taken_name_says_where_its_person_sits_and_gives_nothing() -> None:
    [person] = come_in("Işık")
    table = opened(person.id, None)
    for spelling in ("IŞIK", "ışık", "işik"):
        with pytest.raises(NameTaken) as taken:
            come_in(spelling)
        assert taken.value.table == table.id


def test_rl_8_rl_10_names_that_are_none() -> None:
    for name in ("A", "<b>", "a..b", "Mokali", "B.o.t", "Ali\u202eVeli"):
        with pytest.raises(BadName):
            come_in(name)


def test_rl_9_two_at_once_with_one_key(db: Path) -> None:
    script = """
try:
    people.enter(sys.argv[2], people.Door(8, 60_000), 1)
    print("in")
except people.NameTaken:
    print("name_taken")
"""
    told = race(script, db, ["IŞIK", "ışık", "işik", "Işik"])
    assert sorted(line for [line] in told) == ["in", "name_taken", "name_taken", "name_taken"]
    assert rows(db, "SELECT count(*) FROM person") == [(1,)]


def test_rl_3_a_new_name_is_a_new_token() -> None:
    person, old = people.enter("Ayşe", HOUSE, NOW)
    assert people.names([person.id]) == {person.id: "Ayşe"}
    renamed, token = people.rename(person.id, " Ayşe  Nur ", NOW)
    assert renamed == Person(person.id, "Ayşe Nur")
    assert people.by_token(old) is None
    assert people.by_token(token) == renamed
    assert people.names([person.id]) == {person.id: "Ayşe Nur"}
    come_in("Ayşe")


def test_a_rename_can_change_the_spelling_of_ones_own_name() -> None:
    [person, _] = come_in("Işık", "Ali")
    assert people.rename(person.id, "IŞIK", NOW)[0].name == "IŞIK"
    with pytest.raises(NameTaken):
        people.rename(person.id, "ALİ", NOW)
    with pytest.raises(BadName):
        people.rename(person.id, "x", NOW)


def test_names_of_several() -> None:
    one, two = come_in("Ayşe", "Ali")
    assert people.names([one.id, two.id, 99]) == {one.id: "Ayşe", two.id: "Ali"}
    assert people.names([]) == {}


# --- capacity ---


def test_site_2_the_ninth_gets_full(db: Path) -> None:
    come_in(*SEVEN, "Gül")
    with pytest.raises(Full):
        come_in("Hale")
    assert rows(db, "SELECT count(*) FROM person") == [(8,)]
    assert len(people.inside(HOUSE, NOW)) == 8


def test_a_taken_name_is_said_even_where_it_is_full() -> None:
    come_in(*SEVEN, "Gül")
    with pytest.raises(NameTaken):
        come_in("GÜL")


def test_site_3_a_person_counts_for_60_seconds_after_the_last_sign_of_life() -> None:
    come_in(*SEVEN, "Gül")
    with pytest.raises(Full):
        come_in("Hale", now=NOW + 59_999)
    come_in("Hale", now=NOW + 60_000)
    assert [person.name for person in people.inside(HOUSE, NOW + 60_000)] == ["Hale"]


def test_site_3_being_in_touch_counts_on() -> None:
    eight = come_in(*SEVEN, "Gül")
    with database.transaction():
        people.touch([person.id for person in eight[:3]], NOW + 50_000)
    assert {person.name for person in people.inside(HOUSE, NOW + 60_000)} == {"Ali", "Ayşe", "Bora"}


def test_site_3_who_holds_a_seat_counts_for_ever() -> None:
    eight = come_in(*SEVEN, "Gül")
    table = begun(eight[0].id, eight[1].id)
    do(table.id, Gone(eight[0].id, NOW))
    assert {person.name for person in people.inside(HOUSE, LATER)} == {"Ali", "Ayşe"}
    do(table.id, Ask(eight[1].id, Leave()))
    assert {person.name for person in people.inside(HOUSE, LATER)} == {"Ali"}, "who has left holds none"
    do(table.id, Close(Why.UNREADABLE))
    assert people.inside(HOUSE, LATER) == []


def test_site_c1_seven_inside_and_twenty_at_once(db: Path) -> None:
    """All twenty are waiting for the same writer when he is done."""
    come_in(*SEVEN)

    def one(n: int) -> str:
        try:
            people.enter(f"Yeni {n}", HOUSE, NOW)
        except Full:
            return "full"
        return "in"

    with past_the_store(db) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = [gevent.spawn(one, n) for n in range(20)]
        gevent.sleep(0.01)
        assert not any(greenlet.ready() for greenlet in waiting)
        other.execute("COMMIT")
    told = [greenlet.get(timeout=5) for greenlet in waiting]
    assert (told.count("in"), told.count("full")) == (1, 19)
    assert rows(db, "SELECT count(*) FROM person") == [(8,)]


def test_site_c1_seven_inside_and_twenty_at_once_in_four_processes(db: Path) -> None:
    come_in(*SEVEN)
    script = f"""
for n in range(5):
    try:
        people.enter(f"Yeni {{sys.argv[2]}} {{n}}", people.Door(8, 60_000), {NOW})
        print("in")
    except people.Full:
        print("full")
"""
    told = [line for lines in race(script, db, ["1", "2", "3", "4"]) for line in lines]
    assert (told.count("in"), told.count("full")) == (1, 19)
    assert rows(db, "SELECT count(*) FROM person") == [(8,)]


def test_site_c2_a_seated_person_comes_back_at_eight_of_eight() -> None:
    eight = come_in(*SEVEN, "Gül")
    seated, others = eight[0].id, [person.id for person in eight[1:]]
    table = opened(seated, None)
    do(table.id, Gone(seated, NOW))
    back = NOW + 300_000
    with database.transaction():
        people.touch(others, back)
    with pytest.raises(Full):
        come_in("Yabancı", now=back)
    people.admit(seated, HOUSE, back)
    assert len(people.inside(HOUSE, back)) == 8
    assert tables.seat_held(seated) == table.id


def test_site_4_who_holds_a_seat_is_never_the_ninth() -> None:
    """Also after a restart with room for fewer."""
    seated, other = come_in("Ali", "Ayşe")
    opened(seated.id, None)
    few = Door(1, 60_000)
    with database.transaction():
        people.touch([other.id], LATER)
    people.admit(seated.id, few, LATER)
    assert {person.name for person in people.inside(few, LATER)} == {"Ali", "Ayşe"}
    with pytest.raises(Full):
        people.admit(other.id, few, LATER + 60_000)


def test_site_4_somebody_known_without_a_seat_waits_for_room() -> None:
    [old] = come_in("Ali")
    come_in(*SEVEN[1:], "Gül", "Hale", now=LATER)
    with pytest.raises(Full):
        people.admit(old.id, HOUSE, LATER)
    people.admit(old.id, HOUSE, LATER + 60_000)
    assert [person.name for person in people.inside(HOUSE, LATER + 60_000)] == ["Ali"]


def test_who_is_inside_is_never_the_ninth() -> None:
    eight = come_in(*SEVEN, "Gül")
    for later in (0, 29_999, 30_001, 59_999):
        for person in eight:
            people.admit(person.id, HOUSE, NOW + later)
    assert len(people.inside(HOUSE, NOW + 59_999 + 59_999)) == 8


def test_max_people_is_a_setting() -> None:
    people.enter("Ali", Door(1, 60_000), NOW)
    with pytest.raises(Full):
        people.enter("Ayşe", Door(1, 60_000), NOW)
    people.enter("Ayşe", Door(2, 60_000), NOW)


# --- leaving ---


def test_rl_3_signing_out_ends_the_token_at_once() -> None:
    person, token = people.enter("Ayşe", HOUSE, NOW)
    people.sign_out(person.id)
    assert people.by_token(token) is None


def test_a_name_lapses_with_its_holder() -> None:
    ali, veli = come_in("Ali", "Veli")
    table = opened(veli.id, None)
    with pytest.raises(NameTaken):
        people.enter("ali", HOUSE, NOW + people.NAME_KEPT_MS - 1)
    assert people.enter("ALİ", HOUSE, NOW + people.NAME_KEPT_MS + 1)[0].id != ali.id
    people.sign_out(veli.id)
    with pytest.raises(NameTaken):
        people.enter("Veli", HOUSE, NOW)
    do(table.id, Close(Why.VOTED))
    assert people.enter("Veli", HOUSE, NOW)[0].id != veli.id
    assert people.names([veli.id]) == {veli.id: "Veli"}, "results keep the name they were made under"


def test_signing_out_waits_for_another_writer_like_everything_else(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [ali, _] = come_in("Ali", "Ayşe")
    opened(ali.id, None)
    monkeypatch.setattr(database, "PATIENCE_MS", 20)
    with past_the_store(db) as other:
        other.execute("BEGIN IMMEDIATE")
        for step in (
            lambda: people.sign_out(ali.id),
            lambda: people.close_account(ali.id),
            lambda: people.rename(ali.id, "Veli", NOW),
            lambda: people.link(ali.id, LATER),
            lambda: people.plead("Ali", LATER),
            lambda: people.admit(ali.id, HOUSE, LATER),
        ):
            with pytest.raises(NotKept):
                step()


def test_rl_7_a_closed_account_leaves_no_name(db: Path) -> None:
    """Search every byte, those of what SQLite puts beside the file (the WAL) too."""
    person, token = people.enter("Zübeyde", HOUSE, NOW)
    others = come_in("Ali")
    code, hashed = people.link(person.id, LATER), sha256(token.encode()).hexdigest()
    assert "Zübeyde".encode() in all_bytes(db)
    people.close_account(person.id)
    assert people.by_token(token) is None
    assert people.names([person.id, others[0].id]) == {others[0].id: "Ali"}
    with pytest.raises(NoTransfer):
        people.use_link(code, NOW)
    assert rows(db, "SELECT name, key, token FROM person WHERE id = ?", person.id) == [(None, None, None)]
    assert rows(db, "SELECT count(*) FROM transfer") == [(0,)]
    kept = all_bytes(db)
    assert b"Ali" in kept
    for trace in ("Zübeyde", "zübeyde", hashed, sha256(code.encode()).hexdigest()):
        assert trace.encode() not in kept
    come_in("Zübeyde")


def test_rl_7_the_name_goes_as_soon_as_nobody_reads_any_more(db: Path) -> None:
    """A backup, or an operator's look, keeps the WAL as it is for a while."""
    person, _ = people.enter("Zübeyde", HOUSE, NOW)
    with closing(sqlite3.connect(db, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM person").fetchall()
        people.close_account(person.id)
        database.make_good()
        assert "Zübeyde".encode() in all_bytes(db)
    database.make_good()
    assert "Zübeyde".encode() not in all_bytes(db)


def test_rl_7_what_is_deleted_is_overwritten_wherever_it_runs() -> None:
    """Debian's SQLite does so by default; others must be told."""
    assert DATABASE.execute_sql("PRAGMA secure_delete").fetchone()[0] == 1
    assert dict(DATABASE.obj._pragmas)["secure_delete"] == 1


def test_a_closed_account_holds_no_seat() -> None:
    [person, _] = come_in("Ayşe", "Ali")
    table = opened(person.id, None)
    do(table.id, Ask(person.id, Rise()))
    people.close_account(person.id)
    assert people.inside(HOUSE, NOW) == [Person(2, "Ali")]


# --- a link to another device ---


def test_rl_5_a_link_is_good_once() -> None:
    person, old = people.enter("Ayşe", HOUSE, NOW)
    code = people.link(person.id, NOW + 300_000)
    assert people.by_token(old) == person, "the old device is still in"
    moved, token = people.use_link(code, NOW + 299_999)
    assert moved == person
    assert people.by_token(token) == person
    assert people.by_token(old) is None, "and out"
    with pytest.raises(NoTransfer):
        people.use_link(code, NOW)
    with pytest.raises(NoTransfer):
        people.linked(code, NOW)
    assert people.by_token(token) == person


def test_rl_5_a_late_link_is_none() -> None:
    person, token = people.enter("Ayşe", HOUSE, NOW)
    code = people.link(person.id, NOW + 300_000)
    for step in (people.linked, people.use_link):
        with pytest.raises(NoTransfer):
            step(code, NOW + 300_000)
    assert people.by_token(token) == person


def test_rl_5_looking_at_a_link_does_not_use_it() -> None:
    [person] = come_in("Ayşe")
    code = people.link(person.id, LATER)
    for _ in range(10):
        assert people.linked(code, NOW) == person
    assert people.use_link(code, NOW)[0] == person


def test_rl_5_the_newest_link_counts_and_only_its_hash_is_kept(db: Path) -> None:
    [person] = come_in("Ayşe")
    first, second = people.link(person.id, LATER), people.link(person.id, LATER)
    with pytest.raises(NoTransfer):
        people.use_link(first, NOW)
    assert second.encode() not in all_bytes(db)
    for guess in ("", second[:-1], sha256(second.encode()).hexdigest()):
        with pytest.raises(NoTransfer):
            people.use_link(guess, NOW)
    people.use_link(second, NOW)


def test_rl_5_two_devices_use_one_link_at_once(db: Path) -> None:
    [person] = come_in("Ayşe")
    code = people.link(person.id, LATER)
    script = f"""
try:
    print(people.use_link(sys.argv[2], {NOW})[1])
except people.NoTransfer:
    print("none")
"""
    told = [line for [line] in race(script, db, [code] * 4)]
    assert told.count("none") == 3
    [token] = [line for line in told if line != "none"]
    assert people.by_token(token) == person


# --- a lost phone (SITE-21) ---


def lost(name: str = "Ayşe") -> tuple[Person, int, str, str]:
    """Somebody at a table of four who has lost the phone: the person, the table, the plea's id and its secret."""
    four = come_in(name, "Ali", "Bora", "Ceren")
    table = begun(*(person.id for person in four))
    person, where, secret = people.plead(name.upper().replace("İ", "I"), NOW + 300_000)
    assert (person, where) == (four[0], table.id)
    [plea] = people.pleas(table.id, NOW)
    return person, table.id, plea.id, secret


def test_site_21_the_identity_moves_when_all_needed_have_agreed() -> None:
    person, table, plea, secret = lost()
    old = people.link(person.id, LATER)
    needed = frozenset({2, 3})
    assert people.plea_state(secret, NOW) == ("waiting", person, table)
    people.answer(plea, table, 2, NOW, yes=True)
    people.answer(plea, table, 2, NOW, yes=True)
    assert people.claim(secret, needed, NOW) is None, "one who agrees twice is one"
    assert people.pleas(table, NOW)[0].agreed == (2,)
    people.answer(plea, table, 3, NOW, yes=True)
    claimed = people.claim(secret, needed, NOW)
    assert claimed is not None
    assert claimed[0] == person
    assert people.by_token(claimed[1]) == person
    assert people.pleas(table, NOW) == [], "nobody is asked any more"
    with pytest.raises(NoTransfer):
        people.claim(secret, needed, NOW)
    with pytest.raises(NoTransfer):
        people.use_link(old, NOW)
    assert people.plea_state(secret, NOW) == ("expired", None, None)


def test_site_21_who_goes_away_after_the_others_agreed_is_not_needed_any_more() -> None:
    _, table, plea, secret = lost()
    people.answer(plea, table, 2, NOW, yes=True)
    assert people.claim(secret, frozenset({2, 3}), NOW) is None
    assert people.claim(secret, frozenset({2}), NOW) is not None


def test_site_21_the_old_token_ends_when_it_is_claimed_and_not_before() -> None:
    person, old = people.enter("Zeki", HOUSE, NOW)
    [other] = come_in("Ali")
    table = begun(person.id, other.id)
    _, _, secret = people.plead("zeki", LATER)
    [plea] = people.pleas(table.id, NOW)
    people.answer(plea.id, table.id, other.id, NOW, yes=True)
    assert people.by_token(old) == person
    claimed = people.claim(secret, frozenset({other.id}), NOW)
    assert claimed is not None
    assert people.by_token(old) is None
    assert people.by_token(claimed[1]) == person
    assert tables.seat_held(person.id) == table.id


def test_site_21_one_no_is_enough() -> None:
    person, table, plea, secret = lost()
    people.answer(plea, table, 2, NOW, yes=True)
    people.answer(plea, table, 3, NOW, yes=False)
    assert people.plea_state(secret, NOW) == ("refused", person, table)
    assert people.pleas(table, NOW) == []
    with pytest.raises(NoTransfer):
        people.claim(secret, frozenset({2}), NOW)
    with pytest.raises(NoTransfer):
        people.answer(plea, table, 3, NOW, yes=True)


def test_site_21_with_nobody_there_nobody_can_agree() -> None:
    _, table, plea, secret = lost()
    people.answer(plea, table, 2, NOW, yes=True)
    assert people.claim(secret, frozenset(), NOW) is None, "at least one"


def test_site_21_a_late_plea_is_none() -> None:
    person, table, plea, secret = lost()
    late = NOW + 300_000
    assert people.plea_state(secret, late) == ("expired", person, table)
    assert people.pleas(table, late) == []
    with pytest.raises(NoTransfer):
        people.answer(plea, table, 2, late, yes=True)
    people.answer(plea, table, 2, late - 1, yes=True)
    with pytest.raises(NoTransfer):
        people.claim(secret, frozenset({2}), late)


def test_site_21_only_the_table_where_he_sits_is_asked() -> None:
    _, table, plea, _ = lost()
    other = opened(5, None)
    assert people.pleas(other.id, NOW) == []
    with pytest.raises(NoTransfer):
        people.answer(plea, other.id, 5, NOW, yes=True)
    with pytest.raises(NoTransfer):
        people.answer("no such plea", table, 2, NOW, yes=True)


def test_site_21_who_holds_no_seat_cannot_be_asked_for() -> None:
    come_in("Ayşe")
    for name in ("Ayşe", "Nobody"):
        with pytest.raises(NoTransfer):
            people.plead(name, LATER)


def test_site_5_the_secret_of_a_plea_is_no_link(db: Path) -> None:
    """Who only asks has the secret from the start: it must open nothing before the table has agreed."""
    person, _, plea, secret = lost()
    for code in (secret, plea):
        with pytest.raises(NoTransfer):
            people.use_link(code, NOW)
        with pytest.raises(NoTransfer):
            people.linked(code, NOW)
    with pytest.raises(NoTransfer):
        people.claim(people.link(person.id, LATER), frozenset({2}), NOW)
    assert secret.encode() not in all_bytes(db)
    assert people.plea_state(secret, NOW)[0] == "waiting"


def test_a_link_ends_with_the_token_and_with_the_name() -> None:
    [ali] = come_in("Ali")
    link = people.link(ali.id, LATER)
    people.sign_out(ali.id)
    assert people.enter("Ali", HOUSE, NOW)[0].id != ali.id
    with pytest.raises(NoTransfer):
        people.use_link(link, NOW)


def test_the_newest_of_several_pleas_hides_none() -> None:
    _, table, _, _ = lost()
    people.plead("Ayşe", NOW + 200_000)
    assert len(people.pleas(table, NOW)) == 2
    assert len(people.pleas(table, NOW + 250_000)) == 1


def test_nothing_is_left_open() -> None:
    """Cursors of half-read queries would hold a lock on the file."""
    come_in(*SEVEN)
    people.inside(HOUSE, NOW)
    gc.collect()
    DATABASE.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
