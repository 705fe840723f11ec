"""What one person has played: every result in order, whom with and against, the matches one by one (SITE-11)."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import Struct
from peewee import JOIN, Expression, ModelSelect

from mokali.store.database import run
from mokali.store.models import ChairRow, PersonRow, ResultRow, TableRow


class Played(NamedTuple):
    """One result. ``points`` and ``hands`` are None where the match was not played to its end."""

    game: str
    ruleset: str
    won: bool
    points: int | None
    hands: int | None


class Companion(Struct, frozen=True):
    """Somebody who played with or against a person.

    ``together`` as partners, ``shared`` of these won; ``against`` as opponents, ``beat`` of these won by the person
    alone, ``lost`` by the companion alone.
    """

    person: int
    name: str
    together: int
    shared: int
    against: int
    beat: int
    lost: int


class Player(Struct, frozen=True):
    """Who sat at a match; no name where the account is closed. ``place`` is None for whom it did not count."""

    person: int
    name: str | None
    place: int | None = None
    won: bool = False
    points: int | None = None
    side: int | None = None


class Match(Struct, frozen=True):
    """A finished match as one person's list shows it; ``listed``: whether its table stood in the lobby.

    Both are None where the table is not known any more.
    """

    players: tuple[Player, ...]
    code: str | None
    listed: bool | None
    game: str
    ruleset: str
    length: str
    ended_at: int


class Choice(Struct, frozen=True):
    """Which matches: of one game, preset and length; None for all."""

    game: str | None = None
    ruleset: str | None = None
    length: str | None = None


ALL: Final = Choice()


def results(person: int) -> list[Played]:
    """Every result of a person, the oldest first."""
    sql = 'SELECT game, ruleset, won, points, hands FROM result WHERE person = ? ORDER BY ended_at, "table"'
    return list(map(Played._make, run(sql, person).fetchall()))


def companions(person: int, since: int = 0) -> list[Companion]:
    """Everybody with a name whom a person has met in matches that ended after ``since``, most often met first."""
    return [Companion(*row) for row in run(_COMPANIONS, person, since).fetchall()]


def count(person: int, choice: Choice = ALL) -> int:
    """How many matches of a person there are."""
    return int(ResultRow.select().where(*_chosen(person, choice)).count())


def matches(person: int, most: int, skip: int = 0, choice: Choice = ALL) -> list[Match]:
    """The matches of a person, the newest first."""
    row = ResultRow
    found = list(
        row.select(row.table, TableRow.code, TableRow.listed, row.game, row.ruleset, row.length, row.ended_at)
        .join(TableRow, JOIN.LEFT_OUTER, on=(TableRow.id == row.table))
        .where(*_chosen(person, choice))
        .order_by(row.ended_at.desc(), row.table.desc())
        .limit(most)
        .offset(skip)
        .tuples()
    )
    there = _players([table for table, *_ in found])
    return [Match(tuple(there[table]), *facts) for table, *facts in found]


def name_of(person: int) -> str | None:
    """The name under which somebody is known; None where there is nobody, or the account is closed."""
    return PersonRow.select(PersonRow.name).where(PersonRow.id == person).scalar()  # type: ignore[no-any-return]


_COMPANIONS: Final = """
    SELECT met.other, person.name, SUM(ours), SUM(ours * mine), SUM(1 - ours),
        SUM((1 - ours) * mine * (1 - theirs)), SUM((1 - ours) * theirs * (1 - mine))
    FROM (
        SELECT o.person AS other, m.won AS mine, o.won AS theirs, IFNULL(o.side = m.side, 0) AS ours
        FROM result AS m JOIN result AS o ON o."table" = m."table" AND o.person <> m.person
        WHERE m.person = ? AND m.ended_at > ?
    ) AS met JOIN person ON person.id = met.other
    WHERE person.name IS NOT NULL
    GROUP BY met.other ORDER BY COUNT(*) DESC, met.other"""


def _chosen(person: int, choice: Choice) -> Iterable[Expression]:
    wanted = {ResultRow.game: choice.game, ResultRow.ruleset: choice.ruleset, ResultRow.length: choice.length}
    return (ResultRow.person == person, *(field == value for field, value in wanted.items() if value is not None))


def _players(some: list[int]) -> dict[int, list[Player]]:
    """Everybody of these matches, by place; last for whom it did not count, as a partner of who forfeited."""
    there: dict[int, list[Player]] = {table: [] for table in some}
    for table, *facts in _counted(some).tuples():
        there[table].append(Player(*facts))
    seated = ChairRow.select(ChairRow.table, ChairRow.person, PersonRow.name)
    seated = seated.join(PersonRow, JOIN.LEFT_OUTER, on=(PersonRow.id == ChairRow.person))
    for table, *who in seated.where(ChairRow.table.in_(some)).tuples():
        if all(player.person != who[0] for player in there[table]):
            there[table].append(Player(*who))
    return there


def _counted(some: list[int]) -> ModelSelect:
    row = ResultRow
    rows = row.select(row.table, row.person, PersonRow.name, row.place, row.won, row.points, row.side)
    rows = rows.join(PersonRow, JOIN.LEFT_OUTER, on=(PersonRow.id == row.person)).where(row.table.in_(some))
    return rows.order_by(row.table, row.place, row.side)
