"""What chance has given in finished matches: each match's log is played through once, and only sums are kept.

A log is what the database says: it may have been changed by hand. What can't be read counts nothing, and is shown as
it is where seals are checked.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import gevent
from msgspec import Struct

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Action, Game, IllegalAction, MalformedAction, Seat, State, Stroke
from mokali.games import BY_KEY
from mokali.store.database import transaction
from mokali.store.models import ChanceRow, CountedRow, LineRow, TableRow
from mokali.tables.table import Body, Why

SLICE: Final = 10
"""Lines of a log that are played in a row; then everybody else has a turn."""
Lines = tuple[tuple[Seat, Action | None], ...]


class Tally(Struct, frozen=True):
    """One seat's sums: how often something was counted and came, and what chance would have given."""

    what: str
    seat: Seat
    times: int
    count: int
    mean: float
    variance: float


class _Owed:
    """Whether finished matches may be uncounted: at a start, and after each that ends."""

    left = True


def owe() -> None:
    """A match has ended."""
    _Owed.left = True


def written(table_id: int, game: Game) -> Lines:
    """Every line of a table's log as it stands in the database; None for what is no line of this game."""
    kinds = game.actions + game.lots + game.idles + fairness.NOTES
    lines = LineRow.select(LineRow.seat, LineRow.action).where(LineRow.table == table_id).order_by(LineRow.n)
    return tuple((seat, _read(kinds, action)) for seat, action in lines.tuples())


def followed(game: Game, fresh: State, log: Iterable[tuple[Seat, Action | None]]) -> list[State | None]:
    """The match after each line of a log, its notes too; None from the first line on that can't be played."""
    states: list[State | None] = []
    state: State | None = fresh
    for n, (seat, action) in enumerate(log, 1):
        if state is not None and not isinstance(action, fairness.NOTES):
            state = _after(state, seat, action)
        states.append(state)
        if n % SLICE == 0:
            gevent.sleep(0)
    return states


def count(most: int = 1) -> int:
    """Count so many finished matches that aren't yet; how many there were."""
    if not _Owed.left:
        return 0
    _Owed.left = False  # what ends from here on says so anew
    waiting = _uncounted(most)
    for table_id in waiting:
        _settle(table_id)
    _Owed.left = _Owed.left or len(waiting) == most
    return len(waiting)


def tallies(game: str) -> dict[int, list[Tally]]:
    """By number of seats, the sums of a game."""
    rows = ChanceRow.select().where(ChanceRow.game == game).order_by(ChanceRow.seats, ChanceRow.seat)
    found: dict[int, list[Tally]] = {}
    for row in rows:
        tally = Tally(row.what, row.seat, row.times, row.count, row.mean, row.variance)
        found.setdefault(row.seats, []).append(tally)
    return found


def _uncounted(most: int) -> list[int]:
    rows = (
        TableRow.select(TableRow.id)
        .where(TableRow.status == "ended", TableRow.id.not_in(CountedRow.select(CountedRow.table)))
        .order_by(TableRow.id)
        .limit(most)
    )
    return [row[0] for row in rows.tuples()]


def _settle(table_id: int) -> None:
    """Add a match to the sums, once; whoever is second changes nothing."""
    row = TableRow.get_by_id(table_id)
    strokes, seats = _strokes(row)
    with transaction():
        if not CountedRow.insert(table=table_id).on_conflict_ignore().as_rowcount().execute():
            return
        for what, seat in sorted({(stroke.what, stroke.seat) for stroke in strokes}):
            _add(row.game, seats, what, seat, [one for one in strokes if (one.what, one.seat) == (what, seat)])


def _add(game: str, seats: int, what: str, seat: Seat, strokes: Sequence[Stroke]) -> None:
    sums = {
        "times": len(strokes),
        "count": sum(one.count for one in strokes),
        "mean": sum(one.mean for one in strokes),
        "variance": sum(one.variance for one in strokes),
    }
    own = {"game": game, "seats": seats, "what": what, "seat": seat}
    columns = {getattr(ChanceRow, name): getattr(ChanceRow, name) + value for name, value in sums.items()}
    key = [ChanceRow.game, ChanceRow.seats, ChanceRow.what, ChanceRow.seat]
    ChanceRow.insert(**own, **sums).on_conflict(conflict_target=key, update=columns).execute()


def _strokes(row: TableRow) -> tuple[list[Stroke], int]:
    """All that is counted of a match, and its number of seats; nothing of one that was not finished."""
    game = BY_KEY.get(row.game)
    if game is None or row.edition > game.edition:
        return [], 0
    try:
        body = codec.decode(Body, row.body)
        rules = codec.decode(type(next(iter(game.rulesets.values()))), row.rules)
    except MalformedAction:
        return [], 0
    seats = len(body.chairs)
    if body.ended is None or body.ended.why != Why.FINISHED or body.terms.lesson:
        return [], seats  # a lesson's luck is written down beforehand
    log = written(row.id, game)
    states = followed(game, record.start(game, rules, seats), log)
    return [
        stroke
        for (seat, action), after in zip(log, states, strict=True)
        if seat == HOUSE and after is not None and action is not None and not isinstance(action, fairness.NOTES)
        for stroke in game.strokes(action, after)
    ], seats


def _after(state: State, seat: Seat, action: Action | None) -> State | None:
    if action is None:
        return None
    try:
        return state.play(seat, action)[0]
    except IllegalAction:
        return None


def _read(kinds: tuple[type[Action], ...], text: str) -> Action | None:
    try:
        return codec.read_action(kinds, text)
    except MalformedAction:
        return None
