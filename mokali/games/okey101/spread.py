"""The melds on the table: what may be added to them or taken from them, and what is a playable discard."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from mokali.engine import melds as shapes
from mokali.engine.melds import End, Kind, Meld, Shown
from mokali.engine.protocol import IllegalAction, Seat
from mokali.engine.tiles import Colour, Face, Tile, natural
from mokali.games.okey101.rules import OkeyRules


class No(StrEnum):
    """Why an action is refused, in the order of RULES 3.15."""

    SIDE_CLOSED = "side_closed"
    SIDE_UNUSABLE = "side_unusable"
    NO_SIDE_TILE = "no_side_tile"
    MELD_ON_TABLE = "meld_on_table"
    WAIVED = "waived"
    AS_NEEDED = "as_needed"
    BAD_MELD = "bad_meld"
    BAD_PAIR = "bad_pair"
    MELD_FULL = "meld_full"
    KIND_CLOSED = "kind_closed"
    KEEP_ONE = "keep_one"
    SIDE_UNUSED = "side_unused"
    TOO_FEW_PAIRS = "too_few_pairs"
    BELOW_BAR = "below_bar"
    NOT_OPENED = "not_opened"
    BAD_TARGET = "bad_target"
    TOO_MANY = "too_many"
    END_NEEDED = "end_needed"
    NO_FIT = "no_fit"
    NOT_TAKEABLE = "not_takeable"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOT_IN_RULES = "not_in_rules"
    ALREADY_SHOWN = "already_shown"
    TOO_LATE = "too_late"
    NO_INDICATOR = "no_indicator"


class Because(StrEnum):
    """What was wrong, where a refusal has several causes: a fact of it, and words in ``texts``."""

    RETURNED = "returned"
    NO_DISCARD = "no_discard"
    NOT_TAKEN = "not_taken"
    ON_TABLE = "on_table"
    SHORT = "short"
    LONG = "long"
    TWICE = "twice"
    ROUND = "round"
    GAP = "gap"
    COLOUR_TWICE = "colour_twice"
    MIXED = "mixed"
    NOT_TWO = "not_two"
    TWO_OKEYS = "two_okeys"
    DIFFERENT = "different"
    OVER_CAP = "over_cap"
    NO_ROOM = "no_room"
    OPENED_MELDS = "opened_melds"
    OPENED_PAIRS = "opened_pairs"
    NO_PAIRS_THERE = "no_pairs_there"
    NOT_THEIR_AREA = "not_their_area"
    NO_MORE_PAIRS = "no_more_pairs"
    JUST_OPENED = "just_opened"
    UNOPENED = "unopened"
    PAIRS_STAY = "pairs_stay"
    SIDE_TO_OPEN = "side_to_open"
    SIDE_TO_LAY = "side_to_lay"
    DOES_NOT_FIT = "does_not_fit"
    NO_OKEY_FOR_IT = "no_okey_for_it"
    OKEY_FOR_OKEY = "okey_for_okey"
    RUN_CLOSED = "run_closed"
    GROUP_OF_THREE = "group_of_three"
    GROUP_CLOSED = "group_closed"
    TWO_IN_GROUP = "two_in_group"
    PAIR_CLOSED = "pair_closed"


class Laid(Struct, frozen=True, cache_hash=True):
    """A meld on the table, and in whose area it lies."""

    owner: Seat
    meld: Meld


Spread: TypeAlias = tuple[Laid, ...]
"""All melds in laying order; the same spread is asked the same things by everybody who looks at it."""


@lru_cache(maxsize=256)
def shown(spread: Spread) -> tuple[Shown, ...]:
    """The spread as everybody sees it."""
    return tuple(map(_shown, spread))


@lru_cache(maxsize=4096)
def _shown(laid: Laid) -> Shown:
    return Shown(laid.owner, laid.meld.kind, laid.meld.shown)


def first_pairs_area(spread: Sequence[Laid]) -> Seat | None:
    """The seat that opened with pairs first: pairs lie in the order in which they were laid (OK-29)."""
    return next((laid.owner for laid in spread if laid.meld.kind == Kind.PAIR), None)


def target(spread: Sequence[Laid], index: int) -> Meld:
    """The meld with this index. Raises IllegalAction (`bad_target`)."""
    if not 0 <= index < len(spread):
        raise IllegalAction(No.BAD_TARGET)
    return spread[index].meld


def laid_off(meld: Meld, tiles: Sequence[Tile], end: End | None, okey: Face, rules: OkeyRules) -> tuple[Meld, int]:
    """The meld with these tiles, in whatever order they fit, and how many went below it (OK-41 to OK-43).

    Raises IllegalAction: `bad_target`, `too_many`, `meld_full`, `end_needed`, `no_fit`.
    """
    if meld.kind == Kind.PAIR:
        raise IllegalAction(No.BAD_TARGET)
    if rules.layoff_tiles_max and len(tiles) > rules.layoff_tiles_max:
        raise IllegalAction(No.TOO_MANY, most=rules.layoff_tiles_max, value=len(tiles))
    if shapes.full(meld, rules.max_meld_tiles):
        raise IllegalAction(No.MELD_FULL, because=Because.NO_ROOM)
    low, left = 0, list(tiles)
    while left:
        for tile in left:
            at = _end(meld, tile, end, okey, rules)
            if at is not None:
                break
        else:
            raise IllegalAction(No.NO_FIT, because=Because.DOES_NOT_FIT, tile=left[0].face)
        meld = shapes.added(meld, tile, at, shapes.room(meld, natural(tile, okey), rules.max_meld_tiles)[at])
        low += at == End.LOW
        left.remove(tile)
    return meld, low


def _end(meld: Meld, tile: Tile, end: End | None, okey: Face, rules: OkeyRules) -> End | None:
    """Where this tile is added; None where it doesn't fit. Raises IllegalAction (`end_needed`)."""
    free = shapes.room(meld, natural(tile, okey), rules.max_meld_tiles)
    if len(free) < 2:
        fits = meld.kind == Kind.GROUP or natural(tile, okey) is not None or end is None or end in free
        return next(iter(free), None) if fits else None
    if end is None:
        raise IllegalAction(No.END_NEEDED)
    return end


def takeable(meld: Meld, face: Face | None, rules: OkeyRules) -> int:
    """The place of the okey that a tile of this face takes, None for an okey (OK-44, OK-45).

    Raises IllegalAction: `no_fit`, `not_takeable`.
    """
    if face is None:
        raise IllegalAction(No.NO_FIT, because=Because.OKEY_FOR_OKEY)
    place = shapes.standing_for(meld, face)
    if place is None:
        raise IllegalAction(No.NO_FIT, because=Because.NO_OKEY_FOR_IT, tile=face)
    kept = _kept(meld, rules)
    if kept is not None:
        raise IllegalAction(No.NOT_TAKEABLE, because=kept)
    return place


def takes(meld: Meld, face: Face | None, rules: OkeyRules) -> bool:
    """Whether a tile of this face may take an okey from this meld."""
    return face is not None and shapes.standing_for(meld, face) is not None and _kept(meld, rules) is None


def _kept(meld: Meld, rules: OkeyRules) -> Because | None:
    """Why this meld keeps its okeys, whatever is given for them; None where it doesn't (OK-45)."""
    match meld.kind:
        case Kind.RUN:
            return None if rules.swap_from_run else Because.RUN_CLOSED
        case Kind.PAIR:
            return None if rules.swap_from_pair else Because.PAIR_CLOSED
    if len(meld.tiles) < len(Colour):
        return Because.GROUP_OF_THREE
    if not rules.swap_from_group4:
        return Because.GROUP_CLOSED
    two = sum(stand.startswith(shapes.OKEY) for stand in meld.stands) == shapes.MOST_OKEYS
    return Because.TWO_IN_GROUP if two and not rules.swap_two_okey_group else None


@lru_cache(maxsize=256)
def wanted(spread: Spread, rules: OkeyRules) -> Mapping[Face, Sequence[tuple[int, End]]]:
    """Every face of which a natural tile can be laid off, on which melds, and where."""
    found: dict[Face, list[tuple[int, End]]] = {}
    for index, laid in enumerate(spread):
        for face, end in shapes.wanted(laid.meld, rules.max_meld_tiles).items():
            found.setdefault(face, []).append((index, end))
    return found


@lru_cache(maxsize=256)
def roomy(spread: Spread, rules: OkeyRules) -> Sequence[tuple[int, tuple[End, ...]]]:
    """The melds on which an okey can be laid off, and where (OK-42)."""
    ends = [dict.fromkeys(shapes.wanted(laid.meld, rules.max_meld_tiles).values()) for laid in spread]
    return tuple((index, tuple(free)) for index, free in enumerate(ends) if free)


def fits(spread: Spread, face: Face | None, rules: OkeyRules) -> bool:
    """Whether some run or group has room for a tile of this face, None for an okey."""
    return bool(roomy(spread, rules)) if face is None else face in wanted(spread, rules)


@lru_cache(maxsize=256)
def freeing(spread: Spread, rules: OkeyRules) -> Mapping[Face, Sequence[int]]:
    """Every face of which a natural tile takes an okey, and from which melds (OK-44, OK-45)."""
    found: dict[Face, list[int]] = {}
    for index, laid in enumerate(spread):
        stands = [stand.removeprefix(shapes.OKEY) for stand in laid.meld.stands if stand.startswith(shapes.OKEY)]
        for stand in dict.fromkeys(stands):
            for face in (f"{colour}{stand}" for colour in Colour) if stand.isdecimal() else (stand,):
                if takes(laid.meld, face, rules):
                    found.setdefault(face, []).append(index)
    return found


@lru_cache(maxsize=256)
def playable(spread: Spread, rules: OkeyRules) -> frozenset[Face | None]:
    """The faces whose discard is a playable one, an işlek taş (OK-49); None among them stands for okeys."""
    faces: set[Face | None] = set(wanted(spread, rules))
    if rules.swap_makes_playable:
        faces |= set(freeing(tuple(laid for laid in spread if laid.meld.kind != Kind.PAIR), rules))
    if rules.okey_is_playable and roomy(spread, rules):
        faces.add(None)
    return frozenset(faces)
