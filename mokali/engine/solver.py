"""The exact meld solver: best opening, most tiles, what may be left over, most pairs. Knows no game, table or turn.

The groups are chosen number by number from 13 down, by branch and bound; what they leave of a colour is independent of
the other colours, and its best runs stand in a table (``runs``).

A hand is any number of distinct tiles; the same tiles get the same answer in whatever order they come.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from mokali.engine import runs
from mokali.engine.groups import Picked, Search, parts
from mokali.engine.runs import Goal, Run
from mokali.engine.tiles import FACES, FALSE_OKEY, Face, Tile

LONGEST: Final = 13


class Laid(Struct, frozen=True):
    """One meld as it may be laid: a run from low to high with okeys in their places, a group with okeys last."""

    kind: Literal["run", "group"]
    tiles: tuple[Tile, ...]
    value: int
    """Points; an okey counts what it stands for (OK-22)."""


class Layout(Struct, frozen=True):
    """Disjoint melds of one hand: groups from 13 down, then runs by colour from low to high."""

    points: int
    tiles: int
    """How many lie."""
    okeys: int
    """How many of them are okeys."""
    melds: tuple[Laid, ...]


def best_opening(hand: Sequence[Tile], okey: Face, max_meld: int = LONGEST) -> Layout:
    """The melds with most points (OK-22); among those with fewest okeys, then most tiles, and then the first.

    First: by the groups of 13, 12, …, 1, of each number none before any, larger before smaller, fewer okeys before
    more, red before yellow, blue and black; then okeys to the last colours; then low runs first, the longest of them.
    ``max_meld``, 5 to 13, caps how long a run is shown and changes nothing else (OK-24).
    """
    return _layout(hand, okey, runs.points(), max_meld)


def best_points(hand: Sequence[Tile], okey: Face) -> int:
    """The points of ``best_opening``, in less time."""
    return _counted(hand, okey).best(runs.points()) // runs.points().unit


def most_tiles(hand: Sequence[Tile], okey: Face, max_meld: int = LONGEST, *, run_high_one: bool = False) -> Layout:
    """The melds that hold most tiles; among those with fewest okeys, and the first as in ``best_opening``.

    With ``run_high_one`` a 1 may follow 13 as a run's last tile (KL-8); it counts 1.
    """
    return _layout(hand, okey, _most_tiles(run_high_one), max_meld)


def tiles_in_melds(hand: Sequence[Tile], okey: Face, *, run_high_one: bool = False) -> int:
    """How many tiles ``most_tiles`` lays, in less time."""
    return _counted(hand, okey).best(_most_tiles(run_high_one))


def spare(hand: Sequence[Tile], okey: Face, *, run_high_one: bool = False) -> tuple[Face, ...]:
    """The faces of which one tile can stay while melds use exactly all others, in canonical order.

    ``most_tiles`` of the hand without such a tile is the layout. Never for one tile alone.
    """
    goal, counted = _most_tiles(run_high_one), _counted(hand, okey)
    if counted.best(goal, counted.size - 2, counted.size - 1) < counted.size - 1:
        return ()
    return tuple(_spare(hand, okey, goal))


def covered(hand: Sequence[Tile], okey: Face, *, run_high_one: bool = False) -> bool:
    """Whether melds can use exactly all tiles, and there are some."""
    counted = _counted(hand, okey)
    return counted.best(_most_tiles(run_high_one), counted.size - 1) == counted.size > 0


def from_hand(hand: Sequence[Tile], okey: Face) -> bool:
    """Whether melds can use exactly all tiles but one (elden, OK-33). What they are worth is not asked."""
    goal, counted = runs.tiles(), _counted(hand, okey)
    most = counted.best(goal, counted.size - 2, counted.size - 1)
    if most < counted.size:
        return most == counted.size - 1 > 0
    return any(True for _ in _spare(hand, okey, goal))


def most_pairs(hand: Sequence[Tile], okey: Face, *, okey_okey_pair: bool = False) -> tuple[tuple[Tile, Tile], ...]:
    """As many pairs as there can be: twins from high numbers down, then singles with an okey (OK-17).

    Two okeys break the lowest twins where there are no singles; with ``okey_okey_pair`` they are a pair (KL-11).
    """
    box = _Box(hand, okey)
    pairs = [(one, other) for one, other in box.held(2)]
    singles, okeys = [tile for (tile,) in box.held(1)], box.okeys[::-1]
    if len(okeys) == 2 and not singles:
        if okey_okey_pair:
            return (*pairs, (okeys[0], okeys[1]))
        singles = list(pairs.pop()) if pairs else []
    return (*pairs, *zip(singles, okeys, strict=False))


def faces(hand: Sequence[Tile]) -> list[Face]:
    """The faces of a hand, in canonical order."""
    held = {tile.face for tile in hand}
    return [face for face in FACES if face in held]


def without(hand: Sequence[Tile], face: Face) -> list[Tile]:
    """A hand less one tile of a face. Raises ValueError where it has none."""
    gone = [tile.face for tile in hand].index(face)
    return [*hand[:gone], *hand[gone + 1 :]]


def warm() -> None:
    """Read the table now, not at the first question (40 ms, 15 MB)."""
    runs.table()


_PLACE: Final = {tile: FACES.index(tile.face) for tile in Tile}
_FALSE: Final = FACES.index(FALSE_OKEY)


class _Hand(Struct):
    """A hand as the search wants it: natural tiles by face, a false okey as the okey's (OK-4), and the okeys."""

    naturals: list[int]
    okeys: int
    size: int

    def best(self, goal: Goal, floor: int = -1, enough: int | None = None) -> int:
        """The highest value above a floor, else the floor; or any that is enough."""
        return Search(self.naturals, self.okeys, goal).best(self.okeys, floor, enough)


def _counted(hand: Sequence[Tile], okey: Face) -> _Hand:
    naturals, okeys, wild = [0] * 52, 0, FACES.index(okey)
    for tile in hand:
        place = _PLACE[tile]
        if place == wild:
            okeys += 1
        else:
            naturals[wild if place == _FALSE else place] += 1
    return _Hand(naturals, okeys, len(hand))


def _most_tiles(run_high_one: bool) -> Goal:
    return runs.tiles_high_one() if run_high_one else runs.tiles()


def _spare(hand: Sequence[Tile], okey: Face, goal: Goal) -> Iterator[Face]:
    for face in faces(hand):
        rest = _counted(without(hand, face), okey)
        if rest.best(goal, rest.size - 1) == rest.size > 0:
            yield face


class _Box:
    """The tiles of a hand by what they count as, to be taken out one by one: of twins a before b."""

    def __init__(self, hand: Sequence[Tile], okey: Face) -> None:
        wild = FACES.index(okey)
        self.okeys: list[Tile] = []
        self.naturals: dict[int, list[Tile]] = {}
        for tile in sorted(hand, reverse=True):
            place = _PLACE[tile]
            if place == wild:
                self.okeys.append(tile)
            else:
                self.naturals.setdefault(wild if place == _FALSE else place, []).append(tile)

    def held(self, count: int) -> list[list[Tile]]:
        """The naturals of which there are so many, from high numbers down."""
        places = sorted(self.naturals, key=lambda place: (-(place % 13), place))
        return [self.naturals[place][::-1] for place in places if len(self.naturals[place]) == count]


def _layout(hand: Sequence[Tile], okey: Face, goal: Goal, longest: int) -> Layout:
    """The first of the best layouts with fewest okeys."""
    counted, box = _counted(hand, okey), _Box(hand, okey)
    search, okeys = Search(counted.naturals, counted.okeys, goal), counted.okeys
    value = search.best(okeys)
    least = value - value % goal.unit
    while okeys and (same := search.best(okeys - 1, least - 1)) >= least:
        okeys, value = okeys - 1, same
    picked, keys, wild = search.first(okeys, value)
    melds = [meld for groups in picked for meld in _groups(groups, box)]
    for colour in range(4):
        melds += [_run(colour, run, box) for run in runs.runs(goal, keys[colour], wild[colour], longest)]
    return Layout(
        points=sum(meld.value for meld in melds),
        tiles=sum(len(meld.tiles) for meld in melds),
        okeys=okeys,
        melds=tuple(melds),
    )


def _groups(groups: Picked, box: _Box) -> list[Laid]:
    """Dealt round, so that no colour comes twice into one group."""
    places = [13 * colour + groups.number - 1 for colour in range(4) for _ in range(groups.naturals[colour])]
    tiles = [box.naturals[place].pop() for place in places] + [box.okeys.pop() for _ in range(groups.okeys)]
    count = parts(groups.naturals, groups.okeys)
    dealt = [tuple(tiles[first::count]) for first in range(count)]
    return [Laid("group", one, groups.number * len(one)) for one in dealt]


def _run(colour: int, run: Run, box: _Box) -> Laid:
    tiles = tuple(
        box.okeys.pop() if number in run.okeys else box.naturals[13 * colour + number - 1].pop()
        for number in run.numbers
    )
    return Laid("run", tiles, sum(run.numbers))
