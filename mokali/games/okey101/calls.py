"""How a seat names tiles, and what the melds that it calls are (RULES 3.4, 3.5). Knows no turns."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from mokali.engine import melds as shapes
from mokali.engine.melds import Kind, Meld
from mokali.engine.protocol import Action, IllegalAction, Seat
from mokali.engine.tileplay import Name
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Opening
from mokali.games.okey101.spread import Because, No


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


def names(call: Call) -> tuple[Name, ...]:
    """The tiles of a call."""
    return call.tiles if isinstance(call, As) else call


def read(call: Open, lists: Sequence[tuple[Tile, ...]], okey: Face, rules: OkeyRules) -> tuple[Meld, ...]:
    """The melds or pairs of a call. Raises IllegalAction: `as_needed`, `bad_meld`, `bad_pair`, `meld_full`."""
    if call.kind == "pairs":
        return tuple(_pair(tiles, okey) for tiles in lists)
    kinds = [Kind(some.kind) if isinstance(some, As) else None for some in call.melds]
    if any(kind is None and shapes.ambiguous(some, okey) for some, kind in zip(lists, kinds, strict=True)):
        raise IllegalAction(No.AS_NEEDED)
    melds = tuple(_meld(tiles, okey, kind) for tiles, kind in zip(lists, kinds, strict=True))
    if any(meld.kind == Kind.RUN and len(meld.tiles) > rules.max_meld_tiles for meld in melds):
        raise IllegalAction(No.MELD_FULL, because=Because.OVER_CAP, most=rules.max_meld_tiles)
    return melds


def worth(melds: Sequence[Meld], kind: Opening) -> int:
    """What an opening call comes to: points, or pairs."""
    return len(melds) if kind == "pairs" else sum(meld.value for meld in melds)


def _meld(tiles: Sequence[Tile], okey: Face, kind: Kind | None) -> Meld:
    """The run or group. Raises IllegalAction (`bad_meld`)."""
    meld = shapes.meld(tiles, okey, kind)
    if meld is None:
        raise IllegalAction(No.BAD_MELD, tiles=_faces(tiles, okey), because=_no_meld(tiles, okey))
    return meld


def _no_meld(tiles: Sequence[Tile], okey: Face) -> Because:
    """Why these tiles are neither a run nor a group."""
    known = [face for tile in tiles if (face := natural(tile, okey)) is not None]
    colours, numbers = [face[0] for face in known], [shapes.number(face) for face in known]
    if len(tiles) < shapes.MIN_TILES:
        return Because.SHORT
    if len(set(numbers)) == 1:
        return Because.LONG if len(set(colours)) == len(colours) else Because.COLOUR_TWICE
    if len(set(colours)) > 1:
        return Because.MIXED
    if len(set(numbers)) < len(numbers):
        return Because.TWICE
    if len(tiles) > shapes.LONGEST:
        return Because.LONG
    return Because.ROUND if min(numbers) == 1 and max(numbers) >= shapes.LONGEST - 1 else Because.GAP


def _pair(tiles: Sequence[Tile], okey: Face) -> Meld:
    """The pair. Raises IllegalAction (`bad_pair`)."""
    pair = shapes.pair(tiles, okey)
    if pair is None:
        okeys = all(tile.face == okey for tile in tiles)
        because = Because.NOT_TWO if len(tiles) != 2 else Because.TWO_OKEYS if okeys else Because.DIFFERENT
        raise IllegalAction(No.BAD_PAIR, tiles=_faces(tiles, okey), because=because)
    return pair


def _faces(tiles: Sequence[Tile], okey: Face) -> tuple[str, ...]:
    """Tiles as they are named in a sentence, okeys as ``*=Y6``."""
    return tuple(f"{shapes.OKEY}{okey}" if tile.face == okey else tile.face for tile in tiles)
