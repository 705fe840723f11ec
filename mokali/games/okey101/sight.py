"""What one seat may know of a match of 101 Okey, and a world that looks like it."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Literal

from msgspec import Struct

from mokali.engine.melds import OKEY, End, Meld, Shown
from mokali.engine.protocol import Seat, View
from mokali.engine.tileplay import Source, Unseen
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101.hand import Ended
from mokali.games.okey101.laying import Step
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Fine, Opening
from mokali.games.okey101.spread import Because, Laid


class StepShown(Struct, frozen=True):
    """A table move of this turn: tiles as ids for who made it, as faces for the others. See ``hand.Step``."""

    do: Literal["open", "lay", "swap"]
    meld: int
    tiles: tuple[str, ...]
    known: tuple[Face, ...]
    place: int
    stands: tuple[str, ...]
    okey: str | None
    first: bool
    missed: bool


class Spot(Struct, frozen=True):
    """A tile of the own rack and a meld that it can be laid on; ``ends`` has both only for an okey that may choose."""

    tile: Tile
    meld: int
    ends: tuple[End, ...]


class Taking(Struct, frozen=True):
    """A tile of the own rack and a meld from which it takes an okey."""

    tile: Tile
    meld: int


class Cost(Struct, frozen=True):
    """A tile of the own rack, and what its discard costs."""

    tile: Tile
    fine: Fine


class Legal(Struct, frozen=True):
    """What the seat to act may do now, so that no screen knows a rule."""

    stock: bool
    side: bool
    put_back: Face | None
    """The side tile, where it may be put back."""
    put_back_cost: int
    """What that costs, with the moves that go back with it (OK-38, OK-47)."""
    undo: bool
    undo_cost: int
    """What taking back the latest table move costs (OK-47)."""
    show: bool
    discard: bool
    melds: bool
    """Lay melds from the rack; whether they are enough is asked when they come."""
    pairs: bool
    lays: tuple[Spot, ...]
    swaps: tuple[Taking, ...]
    costs: tuple[Cost, ...]
    """The tiles whose discard costs now (OK-53)."""


class OkeyView(View, frozen=True, kw_only=True):
    """What one seat may know of a match. Public tiles are faces: which copy lies there is nobody's business (CM-9)."""

    rules: OkeyRules
    seats: int
    dealer: Seat | None
    partnered: bool
    sides: tuple[int, ...]
    """Per seat what counts for its place: its own total, or its team's (OK-71)."""
    indicator: Face | None
    okey: Face | None
    stock: int
    racks: tuple[int, ...]
    """Tiles per seat."""
    rack: tuple[Tile, ...]
    """The own tiles in canonical order; empty for a spectator."""
    bar: int | None
    """What an opening of this seat with melds must come to; None where it is open, and for a spectator."""
    bar_pairs: int | None
    no_melds: Because | None
    """Why this seat lays no melds as the hand stands, or no pairs; None where it may (OK-28 to OK-30)."""
    no_pairs: Because | None
    left: Face | None
    """The top of the left neighbour's pile, and of the own one; a spectator looks from seat 0."""
    thrown: Face | None
    legal: Legal | None
    """For the seat to act alone."""
    side: Face | None
    """The left neighbour's latest discard, for the seat that is to draw (OK-34)."""
    discards: tuple[Face | None, ...]
    """The top of each seat's pile."""
    opened: tuple[Opening | None, ...]
    opening: tuple[int | None, ...]
    melds: tuple[Shown, ...]
    penalties: tuple[int, ...]
    """Per seat, this hand; rewards are negative."""
    fines: tuple[tuple[Fine, ...], ...]
    """Of these per seat what is no reward, with its reasons, in order."""
    rewards: tuple[int, ...]
    drawn: Source | None
    new: str | None
    """The tile drawn in this turn: its id for who drew it; for the others a side tile's face, else None."""
    duty: bool
    """Whether the side tile must still be used (OK-35)."""
    waived: bool
    closed: bool
    steps: tuple[StepShown, ...]
    undone: int
    shower: Seat | None
    first_done: tuple[bool, ...]
    known: tuple[tuple[Face, ...], ...]
    """Per seat, what everybody knows to be in its rack."""
    seen: tuple[tuple[Face, ...], ...]
    """Whole piles, the oldest first: for bots and memory, not for the screen."""
    shown: tuple[tuple[Face, ...], ...] | None
    """All racks, once the hand is over (CM-14)."""
    ended: Ended | None
    history: tuple[tuple[int, ...], ...]
    """Scores per seat of each hand that counted."""


def step_shown(step: Step, *, own: bool) -> StepShown:
    """A table move as its maker, or anybody else, may know it."""
    tiles = tuple(str(tile) if own else tile.face for tile in step.tiles)
    okey = None if step.okey is None else str(step.okey) if own else step.okey.face
    return StepShown(step.do, step.meld, tiles, step.known, step.place, step.stands, okey, step.first, step.missed)


def world(view: OkeyView, rng: Random) -> Mapping[str, Any]:
    """Racks, stock, piles, melds and steps that look like ``view``: what it can't know is dealt anew."""
    if view.indicator is None:
        return {}
    deal = _Deal(view, rng)
    melds = deal.melds()
    indicator = deal.copy(view.indicator)
    piles = tuple(tuple(map(deal.copy, pile)) for pile in view.seen)
    sure = [view.rack if seat == view.seat else deal.sure(seat) for seat in range(view.seats)]
    racks, rest = deal.unseen.racks(sure, view.racks)
    new = None if view.new is None else Tile(view.new) if view.seat == view.turn else None
    if new is None and view.new is not None and view.turn is not None:
        lying = [tile for laid in melds for tile in laid.meld.tiles]
        new = next(tile for tile in (*racks[view.turn], *lying) if tile.face == view.new)
    return {
        "indicator": indicator,
        "racks": tuple(racks),
        "stock": tuple(rest),
        "piles": piles,
        "melds": melds,
        "new": new,
        "steps": deal.steps(melds, () if view.turn is None else racks[view.turn]),
    }


class _Deal:
    """One dealing of copies to faces; it lives for the length of ``world``."""

    def __init__(self, view: OkeyView, rng: Random) -> None:
        assert view.okey is not None
        self.view, self.okey = view, view.okey
        self.mine = view.seat is not None and view.seat == view.turn
        own: set[str | None] = {*view.rack, *(tile for step in view.steps for tile in (*step.tiles, step.okey))}
        self.unseen = Unseen(own, rng)
        self.copy = self.unseen.copy

    def sure(self, seat: Seat) -> tuple[Tile, ...]:
        """What is known to be in another seat's rack."""
        faces = self.view.known[seat] if self.view.shown is None else self.view.shown[seat]
        return tuple(map(self.copy, faces))

    def melds(self) -> tuple[Laid, ...]:
        """The spread; who has laid tiles in this turn knows their copies."""
        known: dict[int, Tile] = {}
        table, count = self._places()
        if self.mine:
            for step, gone, _ in self._backwards(table, count):
                known.update(zip(gone, map(Tile, step.tiles), strict=True))
        spread, place = [], 0
        for shown in self.view.melds:
            tiles = []
            for text in shown.tiles:
                face = self.okey if text.startswith(OKEY) else text
                tiles.append(known[place] if place in known else self.copy(face))
                place += 1
            stands = tuple(
                text if text.startswith(OKEY) else natural(tile, self.okey) or ""
                for text, tile in zip(shown.tiles, tiles, strict=True)
            )
            spread.append(Laid(shown.owner, Meld(shown.kind, tuple(tiles), stands)))
        return tuple(spread)

    def steps(self, spread: tuple[Laid, ...], rack: tuple[Tile, ...]) -> tuple[Step, ...]:
        """This turn's moves with copies."""
        lying = [tile for laid in spread for tile in laid.meld.tiles]
        okeys = [tile for tile in rack if tile.face == self.okey]
        steps: list[Step] = []
        for step, gone, taken in self._backwards(*self._places()):
            tiles, okey = tuple(lying[place] for place in gone), None
            if taken is not None:
                okey = Tile(step.okey or "") if self.mine else okeys.pop()
                lying.append(okey)
            okeys += [tile for tile in tiles if tile.face == self.okey]
            steps.append(
                Step(step.do, step.meld, tiles, step.known, step.place, step.stands, okey, step.first, step.missed)
            )
        return tuple(reversed(steps))

    def _places(self) -> tuple[list[list[int]], int]:
        """The spread's places by number, meld by meld, and how many there are."""
        table, count = [], 0
        for shown in self.view.melds:
            table.append(list(range(count, count + len(shown.tiles))))
            count += len(shown.tiles)
        return table, count

    def _backwards(self, table: list[list[int]], count: int) -> Iterator[tuple[StepShown, list[int], int | None]]:
        """This turn's moves from the last to the first: the places that each had filled, and that of the okey it took.

        A place that an okey was taken from has a number of its own, from ``count`` on.
        """
        for step in reversed(self.view.steps):
            if step.do == "open":
                gone, taken = [place for meld in table[step.meld :] for place in meld], None
                del table[step.meld :]
            elif step.do == "lay":
                meld, most = table[step.meld], step.place + len(step.stands)
                gone, taken = meld[: step.place] + meld[most:], None
                table[step.meld] = meld[step.place : most]
            else:
                gone, taken = [table[step.meld][step.place]], count
                table[step.meld][step.place] = count
                count += 1
            yield step, gone, taken
