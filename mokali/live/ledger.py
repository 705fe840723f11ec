"""What is written down and counted of a table: a line in the journal, one more in the figures. Tells nobody."""

from mokali import figures, journal
from mokali.engine import codec
from mokali.engine.protocol import Seat
from mokali.tables.table import Act, Ask, AutoAct, Change, Command, Forfeit, StandIn, Table, TakeBack, seat_of


def committed(before: Table, command: Command, change: Change, seconds: float) -> None:
    """A command was done; writing it took so long."""
    name, seat = _named(before, command)
    figures.commit.note(seconds)
    figures.actions.up(before.game.key, name)
    kind = "move" if isinstance(command, Act | AutoAct) else "change"
    journal.note(kind, table=before.id, seat=seat, action=name, ms=round(seconds * 1000, 2))
    if before.ended is None and change.table.ended is not None:
        journal.note("ended", table=before.id, code=change.table.ended.why)


def refused(table: Table, person: int, code: str) -> None:
    """Somebody was told no."""
    figures.refusals.up(table.game.key, code)
    journal.noise("refusal", table=table.id, seat=seat_of(table, person), code=code)


def dropped(table_id: int, kind: str) -> None:
    """A message was none."""
    figures.dropped.up(kind)
    journal.noise("dropped", table=table_id, code=kind)


def _named(table: Table, command: Command) -> tuple[str, Seat | None]:
    """A word for what was done, and whose seat did it."""
    match command:
        case Act(user, action):
            return codec.kind_of(action), seat_of(table, user)
        case Ask(user, request):
            return codec.kind_of(request), seat_of(table, user)
        case AutoAct(seat, action):
            return codec.kind_of(action), seat
        case TakeBack(user):
            return "take_back", seat_of(table, user)
        case StandIn(seat) | Forfeit(seat):
            return type(command).__name__.lower(), seat
    return type(command).__name__.lower(), None
