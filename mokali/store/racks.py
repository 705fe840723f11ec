"""Racks in rows, one a table and seat: the last write wins. No revision and no log: nobody else is concerned."""

from collections.abc import Callable, Iterable

from mokali.engine import codec
from mokali.engine.protocol import MalformedAction, Seat
from mokali.store.database import run, transaction
from mokali.store.models import RackRow
from mokali.tables import rack
from mokali.tables.rack import Arrangement
from mokali.tables.table import Table


def kept(table_id: int) -> dict[Seat, Arrangement]:
    """All that is kept of a table's racks, of whatever deal (``rack.current``)."""
    rows = run('SELECT seat, body FROM rack WHERE "table" = ?', table_id).fetchall()
    return {seat: found for seat, body in rows if (found := _read(body)) is not None}


def change(table: Table, seat: Seat, held: tuple[str, ...], how: Callable[[Arrangement], Arrangement]) -> Arrangement:
    """Let the owner arrange the tiles anew; what is kept then. Raises NotKept."""
    with transaction():
        after = how(rack.current(kept(table.id).get(seat), table.code, table.dealt, held))
        _write(table.id, seat, after)
    return after


def follow(table: Table, seats: Iterable[Seat]) -> None:
    """Find a place for what these seats have drawn. To be called inside the transaction that commits the table."""
    before = kept(table.id)
    for seat in seats:
        held, lay = rack.held(table.state, seat), before.get(seat)
        after = rack.followed(rack.current(lay, table.code, table.dealt, held), held)
        if after != lay:
            _write(table.id, seat, after)


def clear(table_id: int) -> None:
    """Nobody plays here any more. To be called inside a transaction."""
    RackRow.delete().where(RackRow.table == table_id).execute()


def _read(body: str) -> Arrangement | None:
    try:
        return codec.decode(Arrangement, body)
    except MalformedAction:
        return None  # of another release: the tiles lie as they were dealt


def _write(table_id: int, seat: Seat, arrangement: Arrangement) -> None:
    sql = 'INSERT INTO rack ("table", seat, body) VALUES (?, ?, ?) ON CONFLICT ("table", seat) DO UPDATE SET body = ?'
    body = codec.encode(arrangement)
    run(sql, table_id, seat, body, body)
