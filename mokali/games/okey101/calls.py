"""How a seat names tiles, and what the melds that it calls are (RULES 3.4, 3.5). Knows no turns."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from mokali.engine import melds as shapes
from mokali.engine.melds import Kind, Meld
from mokali.engine.protocol import Action, Common, IllegalAction, Seat
from mokali.engine.tiles import Face, Tile
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Opening
from mokali.games.okey101.spread import No

Name: TypeAlias = Annotated[str, Meta(pattern=r"^([RYBK]([1-9]|1[0-3])|FJ)[ab]?$")]
"""A tile in an action: ``R7a``, or its face ``R7`` where either copy may be meant (OK-2)."""


class As(Struct, frozen=True):
    """A meld of one natural tile and two okeys, which may be a run or a group (OK-21)."""

    kind: Literal["run", "group"] = field(name="as")
    tiles: tuple[Name, ...]


Call: TypeAlias = tuple[Name, ...] | As


class Open(Action, frozen=True):
    """Lay melds or pairs from the rack; the first time it opens (OK-25)."""

    melds: Annotated[tuple[Call, ...], Meta(min_length=1)]
    kind: Opening
    area: Seat | None = None
    """The seat in whose pair area pairs are laid (OK-29)."""


def held(rack: Sequence[Tile], lists: Sequence[Sequence[Name]]) -> list[tuple[Tile, ...]]:
    """The tiles that are named, copies chosen from the rack. Raises IllegalAction (`not_held`)."""
    left = list(rack)
    for name in (name for names in lists for name in names if _is_copy(name)):
        if name not in left:
            raise IllegalAction(Common.NOT_HELD, tile=name)
        left.remove(Tile(name))
    return [tuple(Tile(name) if _is_copy(name) else _taken(left, name) for name in names) for names in lists]


def names(call: Call) -> tuple[Name, ...]:
    """The tiles of a call."""
    return call.tiles if isinstance(call, As) else call


def read(call: Open, lists: Sequence[tuple[Tile, ...]], okey: Face, rules: OkeyRules) -> tuple[Meld, ...]:
    """The melds or pairs of a call. Raises IllegalAction: `as_needed`, `bad_meld`, `bad_pair`, `meld_full`."""
    if call.kind == "pairs":
        pairs = [shapes.pair(tiles, okey) for tiles in lists]
        if None in pairs:
            raise IllegalAction(No.BAD_PAIR)
        return tuple(pair for pair in pairs if pair is not None)
    kinds = [Kind(some.kind) if isinstance(some, As) else None for some in call.melds]
    if any(kind is None and shapes.ambiguous(some, okey) for some, kind in zip(lists, kinds, strict=True)):
        raise IllegalAction(No.AS_NEEDED)
    melds = [shapes.meld(tiles, okey, kind) for tiles, kind in zip(lists, kinds, strict=True)]
    if None in melds:
        raise IllegalAction(No.BAD_MELD)
    if any(meld and meld.kind == Kind.RUN and len(meld.tiles) > rules.max_meld_tiles for meld in melds):
        raise IllegalAction(No.MELD_FULL, most=rules.max_meld_tiles)
    return tuple(meld for meld in melds if meld is not None)


def worth(melds: Sequence[Meld], kind: Opening) -> int:
    """What an opening call comes to: points, or pairs."""
    return len(melds) if kind == "pairs" else sum(meld.value for meld in melds)


def _is_copy(name: Name) -> bool:
    """Whether a copy is named, not a face."""
    return name[-1] in "ab"


def _taken(left: list[Tile], face: Name) -> Tile:
    """The first copy of this face, which is left no longer. Raises IllegalAction (`not_held`)."""
    tile = next((tile for tile in left if tile.face == face), None)
    if tile is None:
        raise IllegalAction(Common.NOT_HELD, tile=face)
    left.remove(tile)
    return tile
