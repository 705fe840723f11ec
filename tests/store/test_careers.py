"""What one person has played: results in order, company, and matches with everybody who was there (SITE-11)."""

from pathlib import Path

import pytest

from mokali.store import careers, database, people
from mokali.store.careers import Choice, Companion, Played
from mokali.store.people import Door
from mokali.tables.table import Ask, Leave
from mokali.tables.terms import Terms
from tests.finished import finished
from tests.kept import begun, do, played_out, rows, write
from tests.seated import NOW

pytestmark = pytest.mark.usefixtures("db")

HOUR = 3_600_000


@pytest.fixture(autouse=True)
def _inside(db: Path) -> None:
    for n in range(4):
        people.enter(f"Kişi {n + 1}", Door(99, HOUR), NOW)


def test_results_come_in_order_with_points_and_hands() -> None:
    finished((1, 2), {2}, NOW + 2, points=(40, 55), hands=3)
    finished((2, 1), {1}, NOW + 1)
    assert careers.results(1) == [Played("pisti", "klasik", True, None, None), Played("pisti", "klasik", False, 40, 3)]
    assert careers.results(3) == []


def test_a_match_that_was_played_knows_points_hands_and_partners(db: Path) -> None:
    table = played_out(1, 2, 3, 4)
    assert table.state is not None
    assert table.state.result is not None
    kept = rows(db, "SELECT person, side, points, hands FROM result ORDER BY person")
    totals, hand = table.state.result.totals, table.state.view(None).hand
    assert kept == [(seat + 1, seat % 2, totals[seat], hand) for seat in range(4)]
    [match] = careers.matches(1, 9)
    assert (match.code, match.listed, match.length) == (table.code, True, "Eşli, 51 sayı")
    assert {player.person for player in match.players} == {1, 2, 3, 4}
    assert [player.place for player in match.players] == sorted(table.state.result.places)


def test_a_forfeit_has_no_points_and_names_the_partner_too(db: Path) -> None:
    table = begun(1, 2, 3, 4, terms=Terms(absence="forfeit"))
    do(table.id, Ask(1, Leave()))
    assert rows(db, "SELECT DISTINCT points, hands FROM result") == [(None, None)]
    [match] = careers.matches(2, 9)
    assert [(player.person, player.place, player.won) for player in match.players] == [
        (2, 1, True),
        (4, 1, True),
        (1, 4, False),
        (3, None, False),
    ]
    assert careers.results(3) == [], "for the partner it does not count"


def test_company_is_counted_as_partners_and_as_opponents() -> None:
    finished((1, 2, 3, 4), {1, 3}, NOW, partners=True)
    finished((1, 2, 3, 4), {2, 4}, NOW + 1, partners=True)
    finished((1, 2), {1}, NOW + 2)
    finished((1, 2), {1, 2}, NOW + 3)
    assert careers.companions(1) == [
        Companion(2, "Kişi 2", 0, 0, 4, 2, 1),
        Companion(3, "Kişi 3", 2, 1, 0, 0, 0),
        Companion(4, "Kişi 4", 0, 0, 2, 1, 1),
    ]
    assert careers.companions(1, NOW + 1) == [Companion(2, "Kişi 2", 0, 0, 2, 1, 0)], "a shared win beats nobody"


def test_rl_7_a_closed_account_is_nobodys_companion_and_has_no_name() -> None:
    finished((1, 2), {1}, NOW)
    people.close_account(2)
    assert careers.companions(1) == []
    assert [player.name for player in careers.matches(1, 9)[0].players] == ["Kişi 1", None]
    assert careers.name_of(1) == "Kişi 1"
    assert careers.name_of(2) is careers.name_of(99) is None


def test_matches_page_by_page_and_of_one_kind() -> None:
    codes = [finished((1, 2), {1}, NOW + n) for n in range(5)]
    other = finished((1, 2), {2}, NOW, game="tavla", ruleset="", length="Tek oyun", listed=False)
    assert [match.code for match in careers.matches(1, 2)] == codes[:2:-1]
    assert [match.code for match in careers.matches(1, 2, 4, Choice("pisti"))] == codes[:1]
    assert [(match.code, match.listed) for match in careers.matches(1, 9, 0, Choice("tavla", ""))] == [(other, False)]
    assert [careers.count(1, choice) for choice in (Choice(), Choice("pisti"), Choice("pisti", "x"))] == [6, 5, 0]
    assert careers.count(1, Choice("tavla", "", "Tek oyun")) == 1


def test_rl_49_results_of_an_older_release_get_their_sides(db: Path) -> None:
    """As a file before the columns: what follows from the chairs is there afterwards, points are not known."""
    played_out(4, 3, 2, 1)
    played_out(2, 1, seed=2)
    before = rows(db, 'SELECT "table", person, won, side FROM result ORDER BY 1, 2')
    database.close()
    write(db, "DROP INDEX result_person_ended_at")
    for column in ("side", "points", "hands"):
        write(db, f"ALTER TABLE result DROP COLUMN {column}")
    write(db, "DELETE FROM schema_migration WHERE name = '0006_points'")
    database.open_at(db)
    assert rows(db, 'SELECT "table", person, won, side FROM result ORDER BY 1, 2') == before
    assert rows(db, "SELECT DISTINCT points, hands FROM result") == [(None, None)]
