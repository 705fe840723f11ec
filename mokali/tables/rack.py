"""How the tiles of one seat lie in its rack: settled against what is held, sorted, and shown in both orientations.

A rack has thirty slots: three rows of ten where the phone stands upright, two of fifteen where it lies. Tiles side by
side are a group, and the end of a row ends it. One arrangement is kept, in the orientation it was last changed in; the
other is flowed from it. Knows tiles as texts; a rack holds at most thirty.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine.protocol import Assist, Reading, Rules, Seat, State

SLOTS: Final = 30
TALL: Final = 10
WIDE: Final = 15
Cols: TypeAlias = Literal[10, 15]
Order: TypeAlias = Literal["", "runs", "pairs"]
Groups: TypeAlias = tuple[tuple[str, ...], ...]


class Arrangement(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """What is kept of one seat's rack. ``slots`` are thirty, "" a gap; ``down`` are tiles that lie face down."""

    dealt: int
    """The table's ``dealt`` when it was made: an arrangement of an earlier deal is none."""
    cols: Cols
    slots: tuple[str, ...]
    down: tuple[str, ...] = ()
    n: int = 0
    """The writer's own counter."""
    odd: tuple[str, ...] = ()
    """Tiles at which a group begins although the slot before is full, or goes on over the end of a row."""
    order: Order = ""
    """What it was last sorted by, until somebody moves a tile."""
    before: "Arrangement | None" = None
    """How it lay before it was sorted."""


class Placed(Struct, frozen=True):
    """One tile: its slot upright and lying, and its part in its group."""

    tile: str
    tall: int
    wide: int
    down: bool
    mark: Literal["", "meld", "pair"]
    head: bool
    """The first of its group."""
    tail: bool
    """The last of its group."""


class Group(Struct, frozen=True):
    """Tiles side by side, and all that they are together."""

    tiles: tuple[str, ...]
    readings: tuple[Reading, ...]


class Rack(Struct, frozen=True):
    """A rack as its owner sees it. Where ``helps`` is off, nothing is read and nothing counted."""

    placed: tuple[Placed, ...]
    """In the order in which the tiles are held, however they lie."""
    groups: tuple[Group, ...]
    """As they lie."""
    points: int
    pairs: int
    order: Order
    undo: bool
    n: int
    helps: bool


def held(state: State | None, seat: Seat) -> tuple[str, ...]:
    """The tiles that a seat holds, in a game that has racks."""
    return () if state is None else cast("tuple[str, ...]", state.view(seat).rack)


def current(kept: Arrangement | None, code: str, dealt: int, held: Sequence[str]) -> Arrangement:
    """What is kept, if it is of this deal; else the tiles as they were dealt, in no order, but always in the same."""
    if kept is not None and kept.dealt == dealt:
        return kept
    tiles = sorted(held, key=lambda tile: sha256(f"{code} {dealt} {tile}".encode()).digest())
    return Arrangement(dealt, TALL, _filled(zip(range(SLOTS), tiles, strict=False)), n=0 if kept is None else kept.n)


def followed(arrangement: Arrangement, held: Sequence[str]) -> Arrangement:
    """With a place for everything that is held.

    What is new goes behind the last tile, or to the last free slot. The place of what has gone is remembered until
    another tile takes it: what comes back lies where it lay.
    """
    slots: list[str] = []
    for text in arrangement.slots:
        slots.append("" if text in slots else text)
    here = frozenset(held)
    for tile in held:
        if tile not in slots:
            slots[_next(slots, arrangement.cols, here)] = tile
    return replace(arrangement, slots=tuple(slots))


@lru_cache(maxsize=512)
def settle(arrangement: Arrangement, held: tuple[str, ...]) -> Arrangement:
    """With exactly what is held, each tile once."""
    here = frozenset(held)
    slots = tuple(text if text in here else "" for text in followed(arrangement, held).slots)
    down = tuple(tile for tile in held if tile in arrangement.down)
    odd = tuple(tile for tile in _borders(slots, arrangement.cols) if tile in arrangement.odd)
    return replace(arrangement, slots=slots, down=down, odd=odd)


def moved(
    old: Arrangement, cols: Cols, slots: tuple[str, ...], down: tuple[str, ...], n: int, held: tuple[str, ...]
) -> Arrangement:
    """What the owner has made of ``old``. Between two tiles that stay neighbours a border stays as it was."""
    old = settle(old, held)
    lay = _turned(old, cols)
    were, are = _borders(lay, cols), _borders(slots, cols)
    odd = tuple(tile for tile in _odd(groups(old), lay, cols) if are.get(tile) == were[tile])
    return settle(Arrangement(old.dealt, cols, slots, down, n, odd), held)


def sorted_by(order: Order, old: Arrangement, some: Groups, cols: Cols, held: tuple[str, ...]) -> Arrangement:
    """In these groups, face-down tiles as they were; the way back leads to what its owner had made himself."""
    slots = _flowed(some, cols)
    made = Arrangement(old.dealt, cols, slots, old.down, old.n, _odd(some, slots, cols), order, old.before or old)
    return settle(made, held)


def unsorted(old: Arrangement, held: tuple[str, ...]) -> Arrangement:
    """As it was before it was sorted."""
    return old if old.before is None else settle(replace(old.before, down=old.down, n=old.n), held)


def groups(arrangement: Arrangement) -> Groups:
    """Tiles side by side, as they lie."""
    found: list[list[str]] = []
    slots, cols, odd = arrangement.slots, arrangement.cols, arrangement.odd
    for place, tile in enumerate(slots):
        if tile and place and slots[place - 1] and (place % cols == 0) == (tile in odd):
            found[-1].append(tile)
        elif tile:
            found.append([tile])
    return tuple(map(tuple, found))


def shown(arrangement: Arrangement, view: Any, assist: Assist, *, helps: bool) -> Rack:
    """The rack of a view. Equal for equal things, and then the very same."""
    return _shown(arrangement, view.rack, view.rules, view.okey, assist if helps else None)


@lru_cache(maxsize=1024)
def _shown(
    arrangement: Arrangement, held: tuple[str, ...], rules: Rules, okey: str | None, assist: Assist | None
) -> Rack:
    settled = settle(arrangement, held)
    lying = [Group(tiles, () if assist is None else assist.read(rules, okey, tiles)) for tiles in groups(settled)]
    tall, wide = (_turned(settled, cols) for cols in (TALL, WIDE))
    placed = {
        tile: Placed(
            tile=tile,
            tall=tall.index(tile),
            wide=wide.index(tile),
            down=tile in settled.down,
            mark=_mark(group),
            head=tile == group.tiles[0],
            tail=tile == group.tiles[-1],
        )
        for group in lying
        for tile in group.tiles
    }
    marks = [_mark(group) for group in lying]
    return Rack(
        placed=tuple(placed[tile] for tile in held),
        groups=tuple(lying),
        points=sum(max((reading.value for reading in group.readings), default=0) for group in lying),
        pairs=marks.count("pair"),
        order=settled.order,
        undo=settled.before is not None,
        n=settled.n,
        helps=assist is not None,
    )


def _mark(group: Group) -> Literal["", "meld", "pair"]:
    kinds = [reading.kind for reading in group.readings]
    return "" if not kinds else "pair" if kinds == ["pair"] else "meld"


def _next(slots: Sequence[str], cols: int, here: frozenset[str]) -> int:
    """The slot for another tile: behind the last one with a gap between them, else the last that is free."""
    taken = {place for place, text in enumerate(slots) if text in here}
    last = max(taken, default=-1)
    behind = last + (1 if (last + 1) % cols == 0 else 2)  # the end of a row is gap enough
    return behind if behind < SLOTS else max(place for place in range(SLOTS) if place not in taken)


# --- borders ---


def _borders(slots: Sequence[str], cols: int) -> dict[str, tuple[str, bool]]:
    """Every tile behind a full slot: the tile in that, and whether a row ends between them."""
    return {slots[n]: (slots[n - 1], n % cols == 0) for n in range(1, SLOTS) if slots[n] and slots[n - 1]}


def _odd(some: Groups, slots: Sequence[str], cols: int) -> tuple[str, ...]:
    """The tiles at which slots alone would tell something else than these groups."""
    heads = {group[0] for group in some if group}
    return tuple(tile for tile, (_, ends) in _borders(slots, cols).items() if (tile in heads) != ends)


# --- flowing ---


def _turned(arrangement: Arrangement, cols: int) -> tuple[str, ...]:
    """The slots in this orientation."""
    return arrangement.slots if arrangement.cols == cols else _flowed(groups(arrangement), cols)


def _flowed(some: Groups, cols: int) -> tuple[str, ...]:
    """The slots of these groups in their order, row by row, with gaps between them as long as there is room."""
    sizes = [len(group) for group in some]
    rows = _rows(sizes, cols, 1) or _rows(sizes, cols, 0)
    places = _stream(sizes, cols) if rows is None else _in_rows(rows, cols)
    return _filled(zip(places, (tile for group in some for tile in group), strict=True))


def _filled(places: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    slots = [""] * SLOTS
    for place, tile in places:
        slots[place] = tile
    return tuple(slots)


def _rows(sizes: Sequence[int], cols: int, gap: int) -> list[list[int]] | None:
    """Groups to rows; None where one is longer than a row, or the rows are too few."""
    rows: list[list[int]] = [[]]
    for size in sizes:
        if rows[-1] and sum(rows[-1]) + gap * len(rows[-1]) + size > cols:
            rows.append([])
        rows[-1].append(size)
    return rows if len(rows) <= SLOTS // cols and max(sizes, default=0) <= cols else None


def _in_rows(rows: Sequence[Sequence[int]], cols: int) -> Iterator[int]:
    for row, sizes in enumerate(rows):
        place, spare = row * cols, cols - sum(sizes)
        for size in sizes:
            yield from range(place, place + size)
            place += size + (spare > 0)
            spare -= 1


def _stream(sizes: Sequence[int], cols: int) -> Iterator[int]:
    """Slot after slot, over the ends of rows."""
    place, spare = 0, SLOTS - sum(sizes)
    for size in sizes:
        yield from range(place, place + size)
        place += size
        if spare > 0 and place % cols:
            place += 1
            spare -= 1
