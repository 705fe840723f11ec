"""Results: written once, in the commit that ends the match; read as leaderboard and as an evening (SITE-11)."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from mokali.engine.protocol import HOUSE
from mokali.games import BY_KEY
from mokali.store import people, standings, tables
from mokali.store.people import Door
from mokali.store.standings import EVENING_MS, Standing
from mokali.tables.table import Ask, AutoAct, Close, Leave, Table, Why
from mokali.tables.terms import Terms
from tests.kept import KeptRoom, begun, do, played_out, rows, write
from tests.seated import NOW

pytestmark = pytest.mark.usefixtures("db")

HOUR = 3_600_000
PEOPLE = Door(most=99, linger=60_000)


def come_in(count: int) -> None:
    for n in range(count):
        people.enter(f"Kişi {n + 1}", PEOPLE, NOW)


def result(path: Path, table: int, person: int, *, won: bool, at: int = NOW, length: str = "51 sayı") -> None:
    """A finished match, as far as standings know."""
    values = [table, person, "pisti", "klasik", length, 1 if won else 2, won, at]
    write(path, "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)", values)


def winners(table: Table) -> set[int]:
    assert table.state is not None
    return {table.chairs[seat].user or 0 for seat in table.state.view(None).winners}


@pytest.mark.parametrize("people_there", [(1, 2), (4, 3, 2, 1)])
def test_site_11_a_finished_match_is_one_line_a_person(db: Path, people_there: tuple[int, ...]) -> None:
    table = played_out(*people_there)
    assert table.ended is not None
    kept = rows(db, 'SELECT person, place, won, game, ruleset, length, ended_at, "table" FROM result ORDER BY person')
    assert [row[0] for row in kept] == sorted(people_there)
    assert {row[0] for row in kept if row[2]} == winners(table)
    assert all((place == 1) == bool(won) for _, place, won, *_ in kept)
    length = "51 sayı" if len(people_there) == 2 else "Eşli, 51 sayı"
    assert {row[3:] for row in kept} == {("pisti", "klasik", length, table.ended.at, table.id)}


def test_the_preset_is_named_where_it_is_one() -> None:
    pisti, okey = BY_KEY["pisti"], BY_KEY["okey101"]
    assert standings.ruleset(pisti, pisti.rulesets["klasik"]) == "klasik"
    assert standings.ruleset(pisti, replace(pisti.rulesets["klasik"], target=151)) == "klasik", "its length is its own"
    for key, preset in okey.rulesets.items():
        assert standings.ruleset(okey, preset) == key
    standart = okey.rulesets["standart"]
    assert standings.ruleset(okey, replace(standart, hands=11, partnered=True)) == "standart"
    assert standings.ruleset(okey, replace(standart, penalty_undo=0)) == ""


@pytest.mark.parametrize("why", [Why.VOTED, Why.LEFT, Why.UNREADABLE])
def test_a_match_without_result_is_not_written(db: Path, why: Why) -> None:
    table = begun(1, 2)
    do(table.id, Close(why))
    assert rows(db, "SELECT * FROM result") == []


def test_a_result_is_written_once_and_with_its_end_only(db: Path) -> None:
    """The commit that is lost settles nothing, and what follows an end settles nothing again."""
    room, rng = KeptRoom(begun(1, 2)), Random(1)
    before = room.table
    while room.table.ended is None:
        assert rows(db, "SELECT count(*) FROM result") == [(0,)]
        before = room.table
        assert before.state is not None
        if before.state.turn == HOUSE:
            room.serve(rng)
        else:
            room.move(rng)
    assert rows(db, "SELECT count(*) FROM result") == [(2,)]
    assert tables.commit(before, room.changes[-1], NOW) is None
    do(room.table.id, Ask(1, Leave()))
    assert rows(db, "SELECT count(*) FROM result") == [(2,)]


def test_leaders_by_wins_then_by_fewer_matches(db: Path) -> None:
    come_in(4)
    for table, (winner, loser) in enumerate([(2, 1), (2, 3), (1, 3), (1, 3), (4, 1)], 1):
        result(db, table, winner, won=True)
        result(db, table, loser, won=False)
    names = [f"Kişi {n}" for n in range(5)]
    assert standings.leaders("pisti") == [
        Standing(2, names[2], 2, 2, 1),
        Standing(1, names[1], 2, 4, 2),
        Standing(4, names[4], 1, 1, 3),
        Standing(3, names[3], 0, 3, 4),
    ]
    assert standings.leaders("tavla") == []


def test_equal_results_share_a_place(db: Path) -> None:
    come_in(4)
    for table, (winner, loser) in enumerate([(1, 4), (2, 4), (3, 4)], 1):
        result(db, table, winner, won=True)
        result(db, table, loser, won=False)
    assert [(line.person, line.place) for line in standings.leaders("pisti")] == [(1, 1), (2, 1), (3, 1), (4, 4)]


def test_co_winners_each_count_and_no_winner_counts_nobody(db: Path) -> None:
    come_in(2)
    for person in (1, 2):
        result(db, 1, person, won=True)
        result(db, 2, person, won=False)
    assert [(line.wins, line.played) for line in standings.leaders("pisti")] == [(1, 2), (1, 2)]


def test_leaders_of_one_length(db: Path) -> None:
    come_in(2)
    result(db, 1, 1, won=True)
    result(db, 1, 2, won=False)
    for table in (2, 3):
        result(db, table, 2, won=True, length="101 sayı")
        result(db, table, 1, won=False, length="101 sayı")
    assert standings.lengths("pisti") == ["101 sayı", "51 sayı"], "the commonest first"
    assert [line.person for line in standings.leaders("pisti", length="51 sayı")] == [1, 2]
    assert [line.person for line in standings.leaders("pisti", length="101 sayı")] == [2, 1]
    assert standings.lengths("tavla") == []
    assert standings.rulesets("pisti") == ["klasik"]
    assert [line.wins for line in standings.leaders("pisti", "klasik", "51 sayı")] == [1, 0]
    assert standings.leaders("pisti", "") == []


def test_rl_7_a_closed_account_leaves_its_results(db: Path) -> None:
    come_in(2)
    result(db, 1, 1, won=True)
    result(db, 1, 2, won=False)
    people.close_account(1)
    assert standings.leaders("pisti") == [Standing(1, None, 1, 1, 1), Standing(2, "Kişi 2", 0, 1, 2)]


def test_an_evening_is_among_exactly_these_people(db: Path) -> None:
    pair, three = frozenset({1, 2}), frozenset({1, 2, 3})
    for table, (one, other) in enumerate([(1, 2), (1, 2), (2, 1)], 1):
        result(db, table, one, won=True)
        result(db, table, other, won=False)
    for person in three:
        result(db, 4, person, won=person == 2)
    for person in (1, 3):
        result(db, 5, person, won=person == 3)
    assert standings.evening(pair, NOW) == {1: 2, 2: 1}
    assert standings.evening(three, NOW) == {1: 0, 2: 1, 3: 0}
    assert standings.evening(frozenset({1, 3}), NOW) == {1: 0, 3: 1}
    assert standings.evening(frozenset({2, 3}), NOW) == {}
    assert standings.evening(frozenset({1}), NOW) == {}


def test_an_evening_is_twelve_hours(db: Path) -> None:
    assert EVENING_MS == 12 * HOUR
    for table, at in ((1, NOW - 12 * HOUR), (2, NOW - 12 * HOUR + 1), (3, NOW)):
        result(db, table, 1, won=True, at=at)
        result(db, table, 2, won=False, at=at)
    assert standings.evening(frozenset({1, 2}), NOW) == {1: 2, 2: 0}


def test_an_evening_after_real_matches() -> None:
    one, two = played_out(1, 2, seed=1), played_out(2, 1, seed=2)
    wins = [winners(one), winners(two)]
    expected = {person: sum(person in won for won in wins) for person in (1, 2)}
    assert standings.evening(frozenset({1, 2}), NOW + HOUR) == expected


@pytest.mark.parametrize(("people_there", "won"), [((1, 2), {2}), ((1, 2, 3, 4), {2, 4})])
def test_ab_2_a_forfeit_wins_the_match_for_the_other_side(
    db: Path, people_there: tuple[int, ...], won: set[int]
) -> None:
    table = begun(*people_there, terms=Terms(absence="forfeit"))
    do(table.id, Ask(1, Leave()))
    kept = {person: bool(victory) for person, victory in rows(db, "SELECT person, won FROM result")}
    assert kept == {1: False} | dict.fromkeys(won, True), "nothing for a partner"


def test_ab_2_who_has_left_for_good_has_lost_whatever_the_bot_comes_to(db: Path) -> None:
    room = KeptRoom(begun(1, 2, terms=Terms(absence="bot", pause_seconds=0, bot_seconds=0)), NOW)
    room.ask(1, Leave())
    rng = Random(2)
    while room.table.ended is None:
        state = room.table.state
        assert state is not None
        if state.turn == HOUSE:
            room.serve(rng)
        elif state.turn == 0:
            room.do(AutoAct(0, rng.choice(state.moves(0)), room.table.played))
        else:
            room.move(rng)
    kept = dict(rows(db, "SELECT person, won FROM result"))
    assert kept == {1: False, 2: winners(room.table) == {2}}
    known = dict(rows(db, "SELECT person, points IS NOT NULL FROM result"))
    assert known == {1: False, 2: True}, "what the bot came to is nobody's"
