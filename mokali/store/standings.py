"""Results of finished matches: settled in the commit that ends one; read as leaderboard and as an evening's tally."""

from typing import Final

from msgspec import Struct
from peewee import Field, fn

from mokali.engine import codec
from mokali.engine.protocol import Game, Rules, Seat
from mokali.store.models import PersonRow, ResultRow
from mokali.tables.table import Table, Why, recorded

EVENING_MS: Final = 12 * 3_600_000
"""How far back "this evening" reaches."""


class Standing(Struct, frozen=True):
    """One person's line: matches won and played, and the place, which equal ones share."""

    person: int
    name: str | None
    wins: int
    played: int
    place: int


def settle(table: Table, now: int) -> None:
    """Write one result per person of a finished match (SITE-11). To be called inside the transaction that ends it.

    Of a match at a test table nothing is written.
    """
    if not recorded(table):
        return
    partners = table.game.partners(table.rules, len(table.chairs))
    for seat, (place, won) in _outcome(table).items():
        person = table.chairs[seat].user
        points, hands = _played_out(table, seat)
        if person is not None:
            ResultRow.insert(
                table=table.id,
                person=person,
                game=table.game.key,
                ruleset=ruleset(table.game, table.rules),
                length=table.game.texts.length(table.rules, len(table.chairs)),
                place=place,
                won=won,
                ended_at=now,
                side=seat % 2 if partners else seat,
                points=points,
                hands=hands,
            ).execute()


def _outcome(table: Table) -> dict[Seat, tuple[int, bool]]:
    """Place and victory of each seat for whom the match counts.

    Who has left for good has lost, whatever the bot in the chair came to. A forfeit wins the match for the other side,
    where there are two; who plays alone against several gets nothing from it, nor does a partner.
    """
    ended, state, seats = table.ended, table.state, len(table.chairs)
    if ended is None or state is None:
        return {}
    if ended.why == Why.FORFEITED and ended.by is not None:
        others = [seat for seat in range(seats) if (seat - ended.by) % 2]
        two = seats == 2 or table.game.partners(table.rules, seats)
        return {ended.by: (seats, False)} | {seat: (1, True) for seat in others if two}
    if ended.why != Why.FINISHED or state.result is None:
        return {}
    winners, places = state.view(None).winners, state.result.places
    gone = [chair.ceded for chair in table.chairs]
    return {seat: (seats, False) if gone[seat] else (places[seat], seat in winners) for seat in range(seats)}


def _played_out(table: Table, seat: Seat) -> tuple[int, int] | tuple[None, None]:
    """Total and number of hands of who has played the match to its end; what a bot came to is nobody's."""
    chair, state = table.chairs[seat], table.state
    if state is None or state.result is None or chair.ceded:
        return None, None
    return state.result.totals[seat], state.view(None).hand


def ruleset(game: Game, rules: Rules) -> str:
    """The preset that these rules are but for what every table chooses, as its length; "" where they are one's own."""
    chosen = codec.plain(rules)
    firm = [name for name in chosen if name not in game.texts.rules or not game.texts.rules[name].basic]
    presets = {key: codec.plain(preset) for key, preset in game.rulesets.items()}
    return next((key for key, usual in presets.items() if all(chosen[name] == usual[name] for name in firm)), "")


def rulesets(game: str) -> list[str]:
    """The presets with which matches of a game were finished, "" for one's own, the commonest first."""
    return _seen(game, ResultRow.ruleset)


def lengths(game: str) -> list[str]:
    """The lengths in which matches of a game were finished, the commonest first."""
    return _seen(game, ResultRow.length)


def leaders(game: str, ruleset: str | None = None, length: str | None = None) -> list[Standing]:
    """The people of a game, by matches won, then by fewer played; equal ones share a place (SITE-11)."""
    wins, played = fn.SUM(ResultRow.won.cast("INTEGER")), fn.COUNT(ResultRow.table)
    wanted = {ResultRow.ruleset: ruleset, ResultRow.length: length}
    rows = (
        ResultRow.select(ResultRow.person, PersonRow.name, wins, played, fn.RANK().over(order_by=[wins.desc(), played]))
        .join(PersonRow, on=(PersonRow.id == ResultRow.person))
        .where(ResultRow.game == game, *(column == value for column, value in wanted.items() if value is not None))
        .group_by(ResultRow.person)
        .order_by(wins.desc(), played, ResultRow.person)
    )
    return [Standing(*row) for row in rows.tuples()]


def evening(people: frozenset[int], now: int) -> dict[int, int]:
    """How many matches each has won this evening among exactly these people; empty before their first."""
    mine = ResultRow.alias()
    among = (
        mine.select(mine.table)
        .where(mine.ended_at > now - EVENING_MS)
        .group_by(mine.table)
        .having((fn.COUNT(mine.person) == len(people)) & (fn.SUM(mine.person.in_(people)) == len(people)))
    )
    rows = ResultRow.select(ResultRow.person, fn.SUM(ResultRow.won.cast("INTEGER"))).where(ResultRow.table.in_(among))
    return dict(rows.group_by(ResultRow.person).tuples())


def _seen(game: str, column: Field) -> list[str]:
    rows = ResultRow.select(column).where(ResultRow.game == game).group_by(column)
    return [row[0] for row in rows.order_by(fn.COUNT(ResultRow.table).desc()).tuples()]
