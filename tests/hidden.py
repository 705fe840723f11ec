"""What a viewer may know of a match by now, and every way a text could name what he may not. Knows no game by name.

The things that can be secret are those of ``KINDS``: what a game shuffles and hands out. A game whose luck is no such
thing (dice) hides nothing that could be named here.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from mokali.engine.cards import DECK, RANKS, Card, Suit
from mokali.engine.protocol import Seat, State
from mokali.engine.tiles import Tile
from mokali.web.filters import SUIT_CLASSES, SUITS, card_name

Thing = Any
"""A card, or a tile."""


_CARDS: Final = re.compile(
    rf"""\b([{RANKS}])([{"".join(Suit)}])\b"""  # its code, as data, id or value
    rf"""|\b({"|".join(SUITS.values())}) (\w+)\b"""  # its name
    rf"""|(?:data-rank="|>)(10|[{RANKS}])["<][^#]{{0,80}}#i-({"|".join(SUIT_CLASSES.values())})\b"""  # its face
)


def _card(found: re.Match[str]) -> Card | None:
    rank, suit, colour, word, drawn, symbol = found.groups()
    if colour:
        return next((card for card in DECK if card_name(card) == f"{colour} {word}"), None)
    if symbol:
        rank, suit = drawn.replace("10", "T"), next(s for s, style in SUIT_CLASSES.items() if style == symbol)
    return Card(rank + suit)


_TILES: Final = re.compile(r"\b((?:[RYBK](?:[1-9]|1[0-3])|FJ)[ab])\b")
"""Copies: which of two lies somewhere is nobody's business, and a face alone is public often enough."""

KINDS: Final[Mapping[type, tuple[re.Pattern[str], Callable[[re.Match[str]], Thing | None]]]] = {
    Card: (_CARDS, _card),
    Tile: (_TILES, lambda found: Tile(found[1])),
}
"""Type of thing to a pattern of all its spellings, and the thing that was spelt. A new kind of thing is a line here."""


def things(value: object) -> Iterator[Thing]:
    """Every thing in a value, however deep: of a state all there is, of a view what is shown."""
    if type(value) in KINDS:
        yield value
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from things(getattr(value, field))
    elif isinstance(value, Mapping):
        yield from things([*value, *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from things(part)


def named(text: str, kinds: Iterable[type]) -> dict[Thing, str]:
    """The things of these kinds that a text names, and where: a few words around the last time."""
    return {
        thing: text[max(0, found.start() - 100) : found.end() + 40]
        for kind in kinds
        for found in KINDS[kind][0].finditer(text)
        if (thing := KINDS[kind][1](found)) is not None
    }


class Shown:
    """What the views of each viewer have shown in the hand that is played: a new deal hides everything again."""

    def __init__(self, viewers: Iterable[Seat | None]) -> None:
        self.viewers = tuple(viewers)
        self.deal = (-1, 0)
        self.now: dict[Seat | None, set[Thing]] = {viewer: set() for viewer in self.viewers}
        self.lately: dict[Seat | None, set[Thing]] = {viewer: set() for viewer in self.viewers}
        """The same, with what the hand before showed to who has not been asked since."""

    def see(self, state: State) -> None:
        """The match goes on to this state."""
        view = state.view(None)
        deal = (view.hand, getattr(view, "redeals", 0))
        if deal != self.deal:
            self.deal = deal
            self.now = {viewer: set() for viewer in self.viewers}
        for viewer in self.viewers:
            new = set(things(state.view(viewer)))
            self.now[viewer] |= new
            self.lately[viewer] |= new

    def asked(self) -> dict[Seat | None, set[Thing]]:
        """What may have been named to each since the last time this was asked."""
        answer, self.lately = self.lately, {viewer: set(some) for viewer, some in self.now.items()}
        return answer
