"""The table moves of a turn: opening, laying off, taking okeys, and taking all that back (RULES 3.5, 3.7, 3.8)."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from mokali.engine import melds as shapes
from mokali.engine.melds import End, Meld
from mokali.engine.protocol import Action, Common, Event, IllegalAction, Seat, State
from mokali.engine.tileplay import Name, Source, canonical, forget, held, put, without
from mokali.engine.tiles import Face, Tile, natural, okey_of
from mokali.games.okey101 import calls, spread
from mokali.games.okey101.calls import Open
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Fine, Opening, Why, partners
from mokali.games.okey101.spread import Because, Laid, No


class Lay(Action, frozen=True):
    """Add tiles to a run or group on the table (OK-40)."""

    tiles: Annotated[tuple[Name, ...], Meta(min_length=1)]
    meld: int
    end: End | None = None
    """Where an okey goes if both ends of a run are free (OK-42)."""


class Swap(Action, frozen=True):
    """Take an okey from the table for the tile that it stands for (OK-44)."""

    tile: Name
    meld: int


class Undo(Action, frozen=True):
    """Take back the latest table move of this turn (OK-46)."""


class Opened(Event, frozen=True):
    """A seat opened with melds; ``value`` is what they count."""

    seat: Seat
    value: int


class PairsOpened(Event, frozen=True):
    """A seat opened with so many pairs."""

    seat: Seat
    pairs: int


class MeldsLaid(Event, frozen=True):
    """A seat that was open laid more melds or pairs."""

    seat: Seat
    melds: int


class OpeningFailed(Event, frozen=True):
    """An opening missed the bar, and costs (OK-51)."""

    seat: Seat
    value: int
    bar: int
    points: int


class TilesLaid(Event, frozen=True):
    """A seat added tiles to a meld."""

    seat: Seat
    meld: int
    tiles: tuple[Face, ...]
    count: int


class OkeyTaken(Event, frozen=True):
    """A seat took an okey from a meld for this tile."""

    seat: Seat
    meld: int
    tile: Face


class MoveTakenBack(Event, frozen=True):
    """A seat took back its latest table move."""

    seat: Seat


class Penalised(Event, frozen=True):
    """Something cost a seat points (OK-38, OK-47 to OK-49)."""

    seat: Seat
    points: int
    why: Why


class Step(Struct, frozen=True):
    """A table move of this turn, and what it takes to undo it (OK-46)."""

    do: Literal["open", "lay", "swap"]
    meld: int
    """The meld it changed; of an ``open`` the first it laid."""
    tiles: tuple[Tile, ...]
    """What went from the rack to the table, in the order in which it lies there."""
    known: tuple[Face, ...]
    """What everybody knew of the rack before."""
    place: int = 0
    """``lay``: how many tiles went below the meld; ``swap``: the okey's place."""
    stands: tuple[str, ...] = ()
    """What the meld's places stood for before."""
    okey: Tile | None = None
    """The okey that was taken."""
    first: bool = False
    """It opened the seat."""
    missed: bool = False
    """It opened from hand below the bar (OK-33)."""


class Laying(State, frozen=True, kw_only=True):
    """A match of which this module knows the racks, the spread, and the turn that is going on."""

    rules: OkeyRules
    seats: int
    mover: Seat | None
    """The seat to act; None between hands."""
    step: Literal["draw", "play"]
    indicator: Tile | None
    racks: tuple[tuple[Tile, ...], ...]
    """In canonical order: how a rack is arranged is not the match's affair."""
    melds: tuple[Laid, ...]
    opened: tuple[Opening | None, ...]
    opening: tuple[int | None, ...]
    """Per seat the value of its opening call, for pairs their number."""
    drawn: Source | None
    new: Tile | None
    """The tile drawn in this turn."""
    steps: tuple[Step, ...]
    """The table moves of this turn that still stand."""
    undone: int
    """Laid-off tiles taken back in this turn (OK-47)."""
    fines: tuple[tuple[Fine, ...], ...]
    """Per seat, what it has to pay in this hand, in order."""
    known: tuple[tuple[Face, ...], ...]
    """Per seat, what everybody knows to be in its rack: side tiles and okeys that were taken."""

    @property
    def okey(self) -> Face:
        """The face of the okeys (OK-3)."""
        assert self.indicator is not None
        return okey_of(self.indicator.face)

    @property
    def duty(self) -> bool:
        """Whether a side tile was taken that must still be used (OK-35 to OK-37)."""
        if self.drawn != "side" or not self.rules.side_must_use:
            return False
        return not any(tile.face == self._new.face for step in self.steps for tile in step.tiles)

    # --- opening ---

    def _open(self, seat: Seat, call: Open) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        lists = held(self.racks[seat], [calls.names(some) for some in call.melds])
        self._not_waived()
        melds = calls.read(call, lists, self.okey, self.rules)
        closed = self.closed_to(seat, call.kind, call.area)
        if closed is not None:
            raise IllegalAction(No.KIND_CLOSED, because=closed)
        tiles = tuple(tile for meld in melds for tile in meld.tiles)
        if len(tiles) >= len(self.racks[seat]):
            raise IllegalAction(No.KEEP_ONE)
        first = self.opened[seat] is None
        missed = False
        if first:
            if self.duty and not any(tile.face == self._new.face for tile in tiles):
                raise self._side_unused(seat)
            value, bar = calls.worth(melds, call.kind), self.bar(seat, call.kind)
            if value < bar and call.kind == "pairs":
                raise IllegalAction(No.TOO_FEW_PAIRS, value=value, bar=bar, missing=bar - value)
            left = len(self.racks[seat]) - len(tiles)
            missed = value < bar
            if missed and not (self.rules.from_hand_waives_threshold and left == 1):
                return self._failed(seat, value, bar)
        return self._lying(seat, call, melds, missed)

    def _may_lay(self, seat: Seat, kind: Opening) -> bool:
        """Whether the seat may lay melds, or pairs, from its rack now."""
        return self.closed_to(seat, kind) is None

    def closed_to(self, seat: Seat, kind: Opening, area: Seat | None = None) -> Because | None:
        """Why the seat may not lay melds, or pairs, now; None where it may (OK-28 to OK-30)."""
        match self.opened[seat], kind:
            case "melds", "melds" if seat == self.mover and self._opened_now and not self.rules.new_melds_same_turn:
                return Because.JUST_OPENED
            case "pairs", "melds":
                return Because.OPENED_PAIRS
            case "pairs", "pairs" if not self.rules.pairs_opener_more_pairs:
                return Because.NO_MORE_PAIRS
            case "melds", "pairs":
                return self._no_pairs(area)
        return None

    def _no_pairs(self, area: Seat | None) -> Because | None:
        """Why a melds opener may lay no pairs, there or at all (OK-29)."""
        if self.rules.melds_opener_pairs == "never":
            return Because.OPENED_MELDS
        if "pairs" not in self.opened:
            return Because.NO_PAIRS_THERE
        if area is None or self.rules.melds_opener_pairs == "own":
            return None
        there = 0 <= area < self.seats and self.opened[area] == "pairs"
        return None if there else Because.NOT_THEIR_AREA

    def bar(self, seat: Seat, kind: Opening) -> int:
        """What an opening of this seat must come to: points, or pairs (OK-26, OK-27)."""
        base = self.rules.threshold if kind == "melds" else self.rules.min_pairs
        if not self.rules.rising_threshold:
            return base
        partner = (seat + 2) % 4 if self.partnered else seat
        others = [
            value + 1
            for other, value in enumerate(self.opening)
            if other not in (seat, partner) and value is not None and self.opened[other] == kind
        ]
        return max(base, *others) if others else base

    @property
    def partnered(self) -> bool:
        """Whether opposite seats are partners (OK-69)."""
        return partners(self.rules, self.seats)

    def _failed(self, seat: Seat, value: int, bar: int) -> tuple[Self, tuple[Event, ...]]:
        """An opening below the bar: refused, or paid for (OK-51)."""
        cost = self.rules.penalty_failed_opening
        if not cost:
            raise IllegalAction(No.BELOW_BAR, value=value, bar=bar, missing=bar - value)
        return self._fined(seat, Fine("failed", cost)), (OpeningFailed(seat, value, bar, cost),)

    def _lying(self, seat: Seat, call: Open, melds: tuple[Meld, ...], missed: bool) -> tuple[Self, tuple[Event, ...]]:
        first, owner = self.opened[seat] is None, seat
        if self.opened[seat] == "melds" and call.kind == "pairs" and self.rules.melds_opener_pairs == "area":
            area = spread.first_pairs_area(self.melds) if call.area is None else call.area
            owner = seat if area is None else area
        tiles, value = tuple(tile for meld in melds for tile in meld.tiles), calls.worth(melds, call.kind)
        step = Step("open", len(self.melds), tiles, self.known[seat], first=first, missed=missed)
        after = replace(
            self._stepped(seat, step),
            melds=(*self.melds, *(Laid(owner, meld) for meld in melds)),
            opened=put(self.opened, seat, call.kind) if first else self.opened,
            opening=put(self.opening, seat, value) if first else self.opening,
        )
        if not first:
            return after, (MeldsLaid(seat, len(melds)),)
        return after, (Opened(seat, value) if call.kind == "melds" else PairsOpened(seat, value),)

    # --- laying off and taking okeys ---

    def _lay(self, seat: Seat, call: Lay) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        (tiles,) = held(self.racks[seat], [call.tiles])
        self._not_waived()
        if not self._lays_off(seat):
            raise IllegalAction(No.NOT_OPENED, because=self._idle_hands(seat))
        before = spread.target(self.melds, call.meld)
        meld, low = spread.laid_off(before, tiles, call.end, self.okey, self.rules)
        if len(tiles) >= len(self.racks[seat]):
            raise IllegalAction(No.KEEP_ONE)
        lying = (*meld.tiles[:low], *meld.tiles[low + len(before.tiles) :])
        step = Step("lay", call.meld, lying, self.known[seat], low, before.stands)
        faces = tuple(tile.face for tile in lying)
        after = self._stepped(seat, step)._changed(call.meld, meld)
        return after, (TilesLaid(seat, call.meld, faces, len(faces)),)

    def _swap(self, seat: Seat, call: Swap) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        ((tile,),) = held(self.racks[seat], [(call.tile,)])
        self._not_waived()
        if not self._swaps(seat):
            raise IllegalAction(No.NOT_OPENED, because=self._idle_hands(seat))
        before = spread.target(self.melds, call.meld)
        face = natural(tile, self.okey)
        place = spread.takeable(before, face, self.rules)
        assert face is not None
        okey = before.tiles[place]
        step = Step("swap", call.meld, (tile,), self.known[seat], place, before.stands, okey)
        after = self._stepped(seat, step)._changed(call.meld, shapes.swapped(before, place, tile, face))
        after = replace(
            after._with_rack(seat, (*after.racks[seat], okey)),
            known=put(after.known, seat, (*after.known[seat], okey.face)),
        )
        return after, (OkeyTaken(seat, call.meld, tile.face),)

    def _lays_off(self, seat: Seat) -> bool:
        return self._swaps(seat) and (self.opened[seat] == "melds" or self.rules.pairs_opener_layoff)

    def _swaps(self, seat: Seat) -> bool:
        return self.opened[seat] is not None and (self.rules.layoff_in_opening_turn or not self._opened_now)

    def _idle_hands(self, seat: Seat) -> Because:
        """Why the seat touches no meld on the table."""
        if self.opened[seat] is None:
            return Because.UNOPENED
        return Because.PAIRS_STAY if self._swaps(seat) else Because.JUST_OPENED

    @property
    def _opened_now(self) -> bool:
        """Whether the seat to act has opened in this turn."""
        return any(step.first for step in self.steps)

    @property
    def waived(self) -> bool:
        """Whether an opening from hand missed the bar, so that only undo and discard are left (OK-33)."""
        return any(step.missed for step in self.steps)

    def _not_waived(self) -> None:
        if self.waived:
            raise IllegalAction(No.WAIVED)

    # --- taking back ---

    def _undo(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        if not self.steps:
            raise IllegalAction(No.NOTHING_TO_UNDO)
        after, events = self._undone(seat)
        return after, (MoveTakenBack(seat), *events)

    def _undone(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        """Without the latest table move, and what that cost (OK-47)."""
        step = self.steps[-1]
        after = replace(
            self._unlaid(step),
            steps=self.steps[:-1],
            known=put(self.known, seat, step.known),
            opened=put(self.opened, seat, None) if step.first else self.opened,
            opening=put(self.opening, seat, None) if step.first else self.opening,
        )
        rack = without(self.racks[seat], () if step.okey is None else (step.okey,))
        after = after._with_rack(seat, (*rack, *step.tiles))
        after = replace(after, undone=self.undone + self._counted((step,)))
        cost = self.undo_cost((step,))
        return after._penalised(seat, Fine("undo", cost)) if cost else (after, ())

    def undo_cost(self, steps: Sequence[Step]) -> int:
        """What it costs now to take these moves back (OK-47)."""
        free = self.rules.undo_free_tiles
        over = free is not None and self.undone <= free < self.undone + self._counted(steps)
        return self.rules.penalty_undo if over else 0

    def _counted(self, steps: Iterable[Step]) -> int:
        """How many of their tiles count as taken back."""
        counts = self.rules.undo_free_tiles is not None
        return sum(len(step.tiles) for step in steps if step.do == "lay") if counts else 0

    def _unlaid(self, step: Step) -> Self:
        """The table before this move."""
        if step.do == "open":
            return replace(self, melds=self.melds[: step.meld])
        meld = self.melds[step.meld].meld
        if step.okey is not None:
            tiles = (*meld.tiles[: step.place], step.okey, *meld.tiles[step.place + 1 :])
        else:
            tiles = meld.tiles[step.place : step.place + len(step.stands)]
        return self._changed(step.meld, Meld(meld.kind, tiles, step.stands))

    # --- small changes ---

    def _in(self, step: str) -> None:
        if self.step != step:
            raise IllegalAction(Common.WRONG_PHASE, phase=self.step)

    def _side_unused(self, seat: Seat) -> IllegalAction:
        because = Because.SIDE_TO_OPEN if self.opened[seat] is None else Because.SIDE_TO_LAY
        return IllegalAction(No.SIDE_UNUSED, tile=self._new.face, because=because)

    @property
    def _new(self) -> Tile:
        """The tile that was drawn in this turn."""
        assert self.new is not None
        return self.new

    def _with_rack(self, seat: Seat, rack: Iterable[Tile]) -> Self:
        return replace(self, racks=put(self.racks, seat, canonical(rack)))

    def _stepped(self, seat: Seat, step: Step) -> Self:
        """With the tiles of a table move out of the rack."""
        faces = [tile.face for tile in step.tiles]
        return replace(
            self._with_rack(seat, without(self.racks[seat], step.tiles)),
            steps=(*self.steps, step),
            known=put(self.known, seat, forget(self.known[seat], faces)),
        )

    def _changed(self, index: int, meld: Meld) -> Self:
        return replace(self, melds=put(self.melds, index, Laid(self.melds[index].owner, meld)))

    def _fined(self, seat: Seat, fine: Fine) -> Self:
        return replace(self, fines=put(self.fines, seat, (*self.fines[seat], fine)))

    def _penalised(self, seat: Seat, fine: Fine) -> tuple[Self, tuple[Event, ...]]:
        return self._fined(seat, fine), (Penalised(seat, fine.points, fine.why),)
