"""Hints at practice tables: what the best bot would do in a person's place, in words, and on which pieces to look."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import gevent
from msgspec import Struct, structs

from mokali import journal, turkish
from mokali.engine import codec
from mokali.engine.protocol import Action, Seat
from mokali.live.thinkers import Advice, NoThought, Thinkers
from mokali.tables.table import Table
from mokali.web import filters
from mokali.web.tiles import tile_names

KEPT: Final = 64
"""Answers that are remembered, one a person."""

PLACES: Final[Mapping[str, str]] = {
    "card": "card-{}",
    "cards": "card-{}",
    "tile": "tile-{}",
    "tiles": "tile-{}",
    "melds": "tile-{}",
    "kind": "open-{}",
    "start": "point-{}",
    "tricks": "bid-{}",
    "suit": "trump-{}",
    "source": "{}",
}
"""An action's field to the ids of what it names on the page."""
BUTTONS: Final[Mapping[str, str]] = {
    "pass": "pass",
    "decline": "enough",
    "return": "side",
    "show": "shown",
    "roll": "roll",
}
"""The same for actions without fields."""


class Tip(Struct, frozen=True):
    """What is shown to one person. ``marks`` are ids on the page; ``played`` is the table's counter that it is for."""

    what: str
    why: str
    marks: tuple[str, ...]
    played: int


class Hints:
    """One worker's hints: for each person one at a time, and the same one as long as nothing was played."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinkers = thinkers
        self._kept: dict[int, tuple[int, Tip]] = {}
        self._busy: set[int] = set()

    def seek(self, table: Table, seat: Seat, person: int, tell: Callable[[Tip | None], None]) -> None:
        """Have it thought about, and ``tell`` it later; None where nothing came of it."""
        table_id, known = self._kept.get(person, (0, None))
        if known is not None and (table_id, known.played) == (table.id, table.played):
            tell(known)
        elif person not in self._busy:
            self._busy.add(person)
            gevent.spawn(self._think, table, seat, person, tell)

    def _think(self, table: Table, seat: Seat, person: int, tell: Callable[[Tip | None], None]) -> None:
        assert table.state is not None
        try:
            found = tip(table, self.thinkers.advise(table.game, table.state.view(seat), table.played))
            self._kept.pop(person, None)
            self._kept[person] = table.id, found
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
            tell(found)
        except NoThought:
            tell(None)
        except Exception as error:
            journal.fault(error, action="hint", table=table.id)
        finally:
            self._busy.discard(person)


def tip(table: Table, advice: Advice) -> Tip:
    """An advice as it is shown, from what its seat sees alone."""
    return Tip(in_words(table, advice.action), advice.why, marks(advice.action), table.played)


def in_words(table: Table, action: Action) -> str:
    """What somebody is told to do, in a few words."""
    texts = table.game.texts
    okey = getattr(table.state.view(None), "okey", None) if table.state is not None else None
    said = filters.sentence(texts.advice[codec.kind_of(action)], _facts(action, okey), (), texts.words, okey)
    return turkish.capital(said)


def marks(action: Action) -> tuple[str, ...]:
    """The ids of what to press or to play for this action."""
    plain = {name: codec.plain(value) for name, value in structs.asdict(action).items()}
    named = [place.format(piece) for name, place in PLACES.items() for piece in _pieces(plain.get(name))]
    return tuple(named or filter(None, (BUTTONS.get(codec.kind_of(action)),)))


def _pieces(value: Any) -> Iterable[object]:
    """What a field names, one by one: of a call its tiles."""
    if isinstance(value, dict):
        return _pieces(value["tiles"])
    if isinstance(value, list | tuple):
        return [piece for some in value for piece in _pieces(some)]
    return () if value is None else (value,)


def _facts(action: Action, okey: str | None) -> dict[str, object]:
    """An action's fields; what is many or has no word of its own is one already."""
    facts = structs.asdict(action)
    if "cards" in facts:
        facts["cards"] = ", ".join(map(filters.card_name, facts["cards"]))
    if "suit" in facts:
        facts["suit"] = filters.suit_name(facts["suit"])
    if "melds" in facts:
        plain = codec.plain(facts["melds"])
        facts["melds"] = " · ".join(tile_names(map(str, _pieces(call)), okey) for call in plain)
    return facts
