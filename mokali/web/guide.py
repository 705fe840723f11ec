"""The panel of a lesson at its table: what happens now, what to do, and which rule says so."""

from msgspec import Struct

from mokali.tables import lessons
from mokali.tables.table import Table
from mokali.web.hints import in_words, marks


class Panel(Struct, frozen=True):
    """What a lesson says now. ``asks``: to read, to do something, to watch the others, or nothing more."""

    asks: str
    note: str
    rule: str
    what: str
    """What to do, in a few words."""
    marks: tuple[str, ...]
    """Ids on the page of what to press or to play."""
    step: int
    at: int
    of: int
    """How many comments there are, and which of them this is."""


def panel(table: Table) -> Panel | None:
    """What the lesson of this table says to its person; None where there is none."""
    told = lessons.told(table)
    if told is None:
        return None
    current, what = lessons.current(table), ""
    shown: tuple[str, ...] = ()
    noted = [step.note != "" for step in lessons.of(table.game).steps]
    asks = "end" if current is None else "read" if current.action is None else "watch"
    if current is not None and current.action is not None and current.seat == lessons.PUPIL and table.ended is None:
        asks, what = "do", in_words(table, current.action)
        shown = marks(current.action)
    return Panel(asks, told.note, told.rule, what, shown, table.step, sum(noted[: table.step + 1]), sum(noted))
