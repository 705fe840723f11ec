"""One hand of 101 Okey: whose turn it is, what lies where, and every move of a seat (RULES 3.3 to 3.10)."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal, Self, TypeAlias, TypeVar

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from mokali.engine import melds as shapes
from mokali.engine.melds import End, Kind, Meld
from mokali.engine.protocol import Action, Common, Event, HandEnded, IllegalAction, Seat, State
from mokali.engine.tiles import ALL_TILES, FALSE_OKEY, Face, Tile, natural, okey_of
from mokali.games.okey101 import spread
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Finish, HandIn, Opening, Tally, tallies
from mokali.games.okey101.spread import Laid, No

Name: TypeAlias = Annotated[str, Meta(pattern=r"^([RYBK]([1-9]|1[0-3])|FJ)[ab]?$")]
"""A tile in an action: ``R7a``, or its face ``R7`` where either copy may be meant (OK-2)."""
Source: TypeAlias = Literal["stock", "side"]

T = TypeVar("T")
_PLACE: Final = {tile: place for place, tile in enumerate(ALL_TILES)}


# --- actions ---


class Draw(Action, frozen=True):
    """Take the stock's next tile, or the left neighbour's latest discard."""

    source: Source = field(name="from")


class Return(Action, frozen=True):
    """Put the side tile back (OK-38)."""


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


class Show(Action, frozen=True):
    """Show the twin of the indicator (OK-50)."""


class Discard(Action, frozen=True):
    """Put a tile on the own pile; the turn is over."""

    tile: Name


class Idle(Action, frozen=True):
    """The house ends the turn for a seat whose time is up, and nothing costs (AB-8). Nobody can send it."""


# --- events ---


class StockDrawn(Event, frozen=True):
    """A seat took the stock's next tile."""

    seat: Seat
    stock: int


class SideTaken(Event, frozen=True):
    """A seat took the left neighbour's latest discard."""

    seat: Seat
    tile: Face


class SideReturned(Event, frozen=True):
    """A seat put the side tile back."""

    seat: Seat
    tile: Face


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


class IndicatorShown(Event, frozen=True):
    """A seat showed the twin of the indicator."""

    seat: Seat
    tile: Face
    points: int


class Penalised(Event, frozen=True):
    """Something cost a seat points (OK-47 to OK-49)."""

    seat: Seat
    points: int


class Discarded(Event, frozen=True):
    """A seat put a tile on its pile."""

    seat: Seat
    tile: Face


class Finished(Event, frozen=True):
    """A seat discarded its last tile (OK-54)."""

    seat: Seat
    okey: bool
    pairs: bool
    from_hand: bool


# --- the hand ---


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


class Ended(Struct, frozen=True):
    """How the last hand ended."""

    reason: str
    scores: tuple[int, ...]
    finish: Finish | None
    tallies: tuple[Tally, ...]
    """Empty where the hand was cancelled."""


class Hand(State, frozen=True, kw_only=True):
    """A match of which this module knows the hand that is played."""

    rules: OkeyRules
    seats: int
    mover: Seat | None
    """The seat to act; None between hands."""
    step: Literal["draw", "play"]
    indicator: Tile | None
    racks: tuple[tuple[Tile, ...], ...]
    """In canonical order: how a rack is arranged is not the match's affair."""
    stock: tuple[Tile, ...]
    piles: tuple[tuple[Tile, ...], ...]
    """Discards per seat, the oldest first."""
    melds: tuple[Laid, ...]
    opened: tuple[Opening | None, ...]
    opening: tuple[int | None, ...]
    """Per seat the value of its opening call, for pairs their number."""
    drawn: Source | None
    new: Tile | None
    """The tile drawn in this turn."""
    closed: bool
    """The side tile was put back in this turn."""
    steps: tuple[Step, ...]
    """The table moves of this turn that still stand."""
    undone: int
    """Laid-off tiles taken back in this turn (OK-47)."""
    shower: Seat | None
    """Who has shown the indicator."""
    first_done: tuple[bool, ...]
    """Per seat, whether its first turn is over."""
    fines: tuple[int, ...]
    rewards: tuple[int, ...]
    known: tuple[tuple[Face, ...], ...]
    """Per seat, what everybody knows to be in its rack: side tiles and okeys that were taken."""
    ended: Ended | None
    """How the last hand ended."""
    history: tuple[tuple[int, ...], ...]
    """Scores per seat of each hand that counted (OK-10)."""

    @property
    def okey(self) -> Face:
        """The face of the okeys (OK-3)."""
        assert self.indicator is not None
        return okey_of(self.indicator.face)

    @property
    def side(self) -> Tile | None:
        """The left neighbour's latest discard, where it may be asked for (OK-34)."""
        if self.mover is None or self.step != "draw" or self.closed:
            return None
        pile = self.piles[(self.mover - 1) % self.seats]
        return pile[-1] if pile else None

    @property
    def duty(self) -> bool:
        """Whether a side tile was taken that must still be used (OK-35 to OK-37)."""
        if self.drawn != "side" or not self.rules.side_must_use:
            return False
        return not any(tile.face == self._new.face for step in self.steps for tile in step.tiles)

    # --- drawing ---

    def _draw(self, seat: Seat, source: Source) -> tuple[Self, tuple[Event, ...]]:
        self._in("draw")
        if source == "stock":
            tile, stock, piles, event = self.stock[0], self.stock[1:], self.piles, self._stock_drawn(seat)
        else:
            tile, stock, piles = self._from_side(seat), self.stock, self._piled((seat - 1) % self.seats, None)
            event = SideTaken(seat, tile.face)
        after = replace(
            self._with_rack(seat, (*self.racks[seat], tile)),
            step="play",
            drawn=source,
            new=tile,
            stock=stock,
            piles=piles,
            known=_set(self.known, seat, (*self.known[seat], tile.face)) if source == "side" else self.known,
        )
        return after, (event,)

    def _stock_drawn(self, seat: Seat) -> Event:
        return StockDrawn(seat, len(self.stock) - 1)

    def _from_side(self, seat: Seat) -> Tile:
        if self.side is None:
            raise IllegalAction(No.SIDE_CLOSED)
        if self.rules.side_precheck_opened and self.opened[seat] and not self._usable(seat, self.side):
            raise IllegalAction(No.SIDE_UNUSABLE, tile=self.side.face)
        return self.side

    def _usable(self, seat: Seat, tile: Tile) -> bool:
        """OK-39: an open seat could at once use it, with a tile left to discard."""
        rack = self.racks[seat]
        if any(spread.takes(laid.meld, natural(tile, self.okey), self.rules) for laid in self.melds):
            return True
        if self._lays_off(seat) and rack and spread.fits(self.melds, tile, self.okey, self.rules):
            return True
        pairs = len(rack) >= 2 and self._may_lay(seat, "pairs")
        if pairs and any(shapes.pair((tile, other), self.okey) for other in rack):
            return True
        threes = len(rack) >= 3 and self._may_lay(seat, "melds")
        return threes and any(
            shapes.meld((tile, one, other), self.okey) for place, one in enumerate(rack) for other in rack[place + 1 :]
        )

    def _return(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        if self.drawn != "side" or self._new not in self.racks[seat]:
            raise IllegalAction(No.NO_SIDE_TILE)
        if any(step.do == "open" for step in self.steps):
            raise IllegalAction(No.MELD_ON_TABLE)
        after, fined = self._rolled_back(seat)
        after = after._put_back(seat)
        cost = self.rules.put_back_penalty
        after = after._fined(seat, cost) if cost else after
        events = [*fined, *([Penalised(seat, cost)] if cost else [])]
        return after, (SideReturned(seat, self._new.face), *events)

    def _rolled_back(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        """Without this turn's table moves."""
        after, events = self, list[Event]()
        while after.steps:
            after, more = after._undone(seat)
            events.extend(more)
        return after, tuple(events)

    def _put_back(self, seat: Seat) -> Self:
        """With the side tile on its pile again; only the stock may be drawn now."""
        tile = self._new
        return replace(
            self._with_rack(seat, _without(self.racks[seat], (tile,))),
            step="draw",
            drawn=None,
            new=None,
            closed=True,
            piles=self._piled((seat - 1) % self.seats, tile),
            known=_set(self.known, seat, _forget(self.known[seat], (tile.face,))),
        )

    # --- opening ---

    def _open(self, seat: Seat, call: Open) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        lists = self._held(seat, [_names(some) for some in call.melds])
        self._not_waived()
        melds = self._read(call, lists)
        if not self._may_lay(seat, call.kind, call.area):
            raise IllegalAction(No.KIND_CLOSED)
        tiles = tuple(tile for meld in melds for tile in meld.tiles)
        if len(tiles) >= len(self.racks[seat]):
            raise IllegalAction(No.KEEP_ONE)
        first = self.opened[seat] is None
        missed = False
        if first:
            if self.duty and not any(tile.face == self._new.face for tile in tiles):
                raise IllegalAction(No.SIDE_UNUSED, tile=self._new.face)
            value, bar = _worth(melds, call.kind), self.bar(seat, call.kind)
            if value < bar and call.kind == "pairs":
                raise IllegalAction(No.TOO_FEW_PAIRS, value=value, bar=bar)
            left = len(self.racks[seat]) - len(tiles)
            missed = value < bar
            if missed and not (self.rules.from_hand_waives_threshold and left == 1):
                return self._failed(seat, value, bar)
        return self._lying(seat, call, melds, missed)

    def _read(self, call: Open, lists: Sequence[tuple[Tile, ...]]) -> tuple[Meld, ...]:
        """The melds or pairs of a call. Raises IllegalAction: `as_needed`, `bad_meld`, `bad_pair`, `meld_full`."""
        if call.kind == "pairs":
            pairs = [shapes.pair(tiles, self.okey) for tiles in lists]
            if None in pairs:
                raise IllegalAction(No.BAD_PAIR)
            return tuple(pair for pair in pairs if pair is not None)
        kinds = [Kind(some.kind) if isinstance(some, As) else None for some in call.melds]
        if any(kind is None and shapes.ambiguous(some, self.okey) for some, kind in zip(lists, kinds, strict=True)):
            raise IllegalAction(No.AS_NEEDED)
        melds = [shapes.meld(tiles, self.okey, kind) for tiles, kind in zip(lists, kinds, strict=True)]
        if None in melds:
            raise IllegalAction(No.BAD_MELD)
        if any(meld and meld.kind == Kind.RUN and len(meld.tiles) > self.rules.max_meld_tiles for meld in melds):
            raise IllegalAction(No.MELD_FULL, most=self.rules.max_meld_tiles)
        return tuple(meld for meld in melds if meld is not None)

    def _may_lay(self, seat: Seat, kind: Opening, area: Seat | None = None) -> bool:
        """Whether the seat may lay melds, or pairs, from its rack now (OK-28 to OK-30)."""
        match self.opened[seat], kind:
            case None, _:
                return True
            case "melds", "melds":
                return self.rules.new_melds_same_turn or not self._opened_now
            case "pairs", "pairs":
                return self.rules.pairs_opener_more_pairs
            case "melds", "pairs":
                others = [other for other, opened in enumerate(self.opened) if opened == "pairs"]
                named = area is None or area in others or self.rules.melds_opener_pairs == "own"
                return self.rules.melds_opener_pairs != "never" and bool(others) and named
        return False

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
        """Whether opposite seats are partners: at a table of four only (OK-9, OK-69)."""
        return self.rules.partnered and self.seats == 4

    def _failed(self, seat: Seat, value: int, bar: int) -> tuple[Self, tuple[Event, ...]]:
        """An opening below the bar: refused, or paid for (OK-51)."""
        cost = self.rules.penalty_failed_opening
        if not cost:
            raise IllegalAction(No.BELOW_BAR, value=value, bar=bar)
        return self._fined(seat, cost), (OpeningFailed(seat, value, cost),)

    def _lying(self, seat: Seat, call: Open, melds: tuple[Meld, ...], missed: bool) -> tuple[Self, tuple[Event, ...]]:
        first, owner = self.opened[seat] is None, seat
        if self.opened[seat] == "melds" and call.kind == "pairs" and self.rules.melds_opener_pairs == "area":
            area = spread.first_pairs_area(self.melds) if call.area is None else call.area
            owner = seat if area is None else area
        tiles, value = tuple(tile for meld in melds for tile in meld.tiles), _worth(melds, call.kind)
        step = Step("open", len(self.melds), tiles, self.known[seat], first=first, missed=missed)
        after = replace(
            self._stepped(seat, step),
            melds=(*self.melds, *(Laid(owner, meld) for meld in melds)),
            opened=_set(self.opened, seat, call.kind) if first else self.opened,
            opening=_set(self.opening, seat, value) if first else self.opening,
        )
        if not first:
            return after, (MeldsLaid(seat, len(melds)),)
        return after, (Opened(seat, value) if call.kind == "melds" else PairsOpened(seat, value),)

    # --- laying off and taking okeys ---

    def _lay(self, seat: Seat, call: Lay) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        (tiles,) = self._held(seat, [call.tiles])
        self._not_waived()
        if not self._lays_off(seat):
            raise IllegalAction(No.NOT_OPENED)
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
        ((tile,),) = self._held(seat, [(call.tile,)])
        self._not_waived()
        if not self._swaps(seat):
            raise IllegalAction(No.NOT_OPENED)
        before = spread.target(self.melds, call.meld)
        face = natural(tile, self.okey)
        place = spread.takeable(before, face, self.rules)
        assert face is not None
        okey = before.tiles[place]
        step = Step("swap", call.meld, (tile,), self.known[seat], place, before.stands, okey)
        after = self._stepped(seat, step)._changed(call.meld, shapes.swapped(before, place, tile, face))
        after = replace(
            after._with_rack(seat, (*after.racks[seat], okey)),
            known=_set(after.known, seat, (*after.known[seat], okey.face)),
        )
        return after, (OkeyTaken(seat, call.meld, tile.face),)

    def _lays_off(self, seat: Seat) -> bool:
        return self._swaps(seat) and (self.opened[seat] == "melds" or self.rules.pairs_opener_layoff)

    def _swaps(self, seat: Seat) -> bool:
        return self.opened[seat] is not None and (self.rules.layoff_in_opening_turn or not self._opened_now)

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
            known=_set(self.known, seat, step.known),
            opened=_set(self.opened, seat, None) if step.first else self.opened,
            opening=_set(self.opening, seat, None) if step.first else self.opening,
        )
        rack = _without(self.racks[seat], () if step.okey is None else (step.okey,))
        after = after._with_rack(seat, (*rack, *step.tiles))
        if step.do != "lay" or self.rules.undo_free_tiles is None:
            return after, ()
        free, undone = self.rules.undo_free_tiles, self.undone + len(step.tiles)
        after = replace(after, undone=undone)
        if self.undone > free or undone <= free or not self.rules.penalty_undo:
            return after, ()
        return after._fined(seat, self.rules.penalty_undo), (Penalised(seat, self.rules.penalty_undo),)

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

    # --- showing and discarding ---

    def _show(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        assert self.indicator is not None
        if not self.rules.indicator_reward:
            raise IllegalAction(No.NOT_IN_RULES)
        if self.shower is not None:
            raise IllegalAction(No.ALREADY_SHOWN)
        if self.first_done[seat]:
            raise IllegalAction(No.TOO_LATE)
        twin, points = self.indicator.twin, self.rules.indicator_reward
        if twin not in self.racks[seat] or (self.drawn == "side" and self.new == twin):
            raise IllegalAction(No.NO_INDICATOR, tile=self.indicator.face)
        after = replace(
            self,
            shower=seat,
            rewards=_set(self.rewards, seat, self.rewards[seat] + points),
            known=_set(self.known, seat, (*self.known[seat], twin.face)),
        )
        return after, (IndicatorShown(seat, twin.face, points),)

    def _discard(self, seat: Seat, name: Name) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        ((tile,),) = self._held(seat, [(name,)])
        if self.duty:
            raise IllegalAction(No.SIDE_UNUSED, tile=self._new.face)
        return self._put(seat, tile, self.cost(tile))

    def cost(self, tile: Tile) -> int:
        """What a discard of this tile costs, if it doesn't finish; one costs at most once (OK-48, OK-49)."""
        return self.costs((tile,))[0]

    def costs(self, tiles: Sequence[Tile]) -> tuple[int, ...]:
        """The same for each of these."""
        okey, playable = self.okey, self.rules.penalty_playable_discard
        faces = spread.playable(self.melds, self.rules) if playable else set()
        okeys = max(self.rules.penalty_okey_discard, playable if None in faces else 0)
        return tuple(
            okeys if (face := natural(tile, okey)) is None else playable if face in faces else 0 for tile in tiles
        )

    def _put(self, seat: Seat, tile: Tile, cost: int) -> tuple[Self, tuple[Event, ...]]:
        """The turn ends with this tile (OK-77)."""
        left = _without(self.racks[seat], (tile,))
        after = replace(
            self._with_rack(seat, left),
            piles=self._piled(seat, tile),
            known=_set(self.known, seat, _forget(self.known[seat], (tile.face,))),
            first_done=_set(self.first_done, seat, True),
        )
        events: tuple[Event, ...] = (Discarded(seat, tile.face),)
        if left and cost:
            after, events = after._fined(seat, cost), (*events, Penalised(seat, cost))
        ended, closing = after._next(seat, tile)
        return ended, (*events, *closing)

    def _next(self, seat: Seat, tile: Tile) -> tuple[Self, tuple[Event, ...]]:
        """The end of the hand (OK-54, OK-55, OK-58), or the next seat's turn."""
        if not self.racks[seat]:
            finish = Finish(seat, tile.face == self.okey, self.opened[seat] == "pairs", self._from_hand(seat))
            flags = finish.okey, finish.pairs, finish.from_hand
            after, events = self._close("finish", finish)
            return after, (Finished(seat, *flags), *events)
        if self.rules.all_pairs_cancels and all(opened == "pairs" for opened in self.opened):
            return self._close("cancelled", None)
        if not self.stock:
            return self._close("stock", None)
        return replace(self._turn_over(), mover=(seat + 1) % self.seats), ()

    def _from_hand(self, seat: Seat) -> bool:
        """Whether a seat that finishes does so from hand (OK-62)."""
        match self.rules.from_hand_condition:
            case "same_turn":
                return self._opened_now
            case "single_move":
                return self._opened_now and len(self.steps) == 1
            case "same_turn_nobody_opened":
                return self._opened_now and not any(self.opened[:seat] + self.opened[seat + 1 :])

    def _turn_over(self) -> Self:
        return replace(self, step="draw", drawn=None, new=None, closed=False, steps=(), undone=0)

    def _close(self, reason: str, finish: Finish | None) -> tuple[Self, tuple[Event, ...]]:
        """The hand is over; what it was worth stands in ``ended``."""
        worth: tuple[Tally, ...] = ()
        if reason != "cancelled":
            hand = HandIn(self.okey, self.racks, self.opened, self.fines, self.rewards, finish)
            worth = tallies(hand, self.rules)
        scores = tuple(tally.total for tally in worth) or (0,) * self.seats
        after = replace(self._turn_over(), mover=None, ended=Ended(reason, scores, finish, worth))
        if reason == "cancelled":
            after = replace(after, fines=(0,) * self.seats, rewards=(0,) * self.seats)
        else:
            after = replace(after, history=(*self.history, scores))
        return after, (HandEnded(scores, reason),)

    def _idle(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        """The rest of the turn as the house plays it (AB-8)."""
        after, events = self, list[Event]()
        if self.duty:
            back, _ = self._rolled_back(seat)
            after = replace(back, fines=self.fines)._put_back(seat)
            events.append(SideReturned(seat, self._new.face))
        if after.step == "draw":
            after, drawing = after._draw(seat, "stock")
            events += drawing
        ended, closing = after._put(seat, after._harmless(seat), 0)
        return ended, (*events, *closing)

    def _harmless(self, seat: Seat) -> Tile:
        """What the house discards: the tile just drawn, or the highest, that is no okey and not playable."""
        rack = self.racks[seat]
        plain = [tile for tile in rack if tile.face != self.okey]
        playable = spread.playable(self.melds, self.rules)
        safe = [tile for tile in plain if natural(tile, self.okey) not in playable]
        if self.new in safe:
            assert self.new is not None
            return self.new
        return max(safe or plain or rack, key=lambda tile: (self._number(tile), -_PLACE[tile]))

    def _number(self, tile: Tile) -> int:
        return shapes.number(self.okey if tile.face == FALSE_OKEY else tile.face)

    # --- small changes ---

    def _in(self, step: str) -> None:
        if self.step != step:
            raise IllegalAction(Common.WRONG_PHASE)

    @property
    def _new(self) -> Tile:
        """The tile that was drawn in this turn."""
        assert self.new is not None
        return self.new

    def _held(self, seat: Seat, lists: Sequence[Sequence[Name]]) -> list[tuple[Tile, ...]]:
        """The tiles that are named, copies chosen from the rack. Raises IllegalAction (`not_held`)."""
        left = list(self.racks[seat])
        for name in (name for names in lists for name in names if _is_copy(name)):
            if name not in left:
                raise IllegalAction(Common.NOT_HELD, tile=name)
            left.remove(Tile(name))
        found: list[tuple[Tile, ...]] = []
        for names in lists:
            tiles = []
            for name in names:
                tile = Tile(name) if _is_copy(name) else next((tile for tile in left if tile.face == name), None)
                if tile is None:
                    raise IllegalAction(Common.NOT_HELD, tile=name)
                if tile in left:
                    left.remove(tile)
                tiles.append(tile)
            found.append(tuple(tiles))
        return found

    def _with_rack(self, seat: Seat, rack: Iterable[Tile]) -> Self:
        return replace(self, racks=_set(self.racks, seat, canonical(rack)))

    def _piled(self, seat: Seat, tile: Tile | None) -> tuple[tuple[Tile, ...], ...]:
        """The piles with a tile on this seat's, or, for None, without its top."""
        pile = self.piles[seat]
        return _set(self.piles, seat, pile[:-1] if tile is None else (*pile, tile))

    def _stepped(self, seat: Seat, step: Step) -> Self:
        """With the tiles of a table move out of the rack."""
        faces = [tile.face for tile in step.tiles]
        return replace(
            self._with_rack(seat, _without(self.racks[seat], step.tiles)),
            steps=(*self.steps, step),
            known=_set(self.known, seat, _forget(self.known[seat], faces)),
        )

    def _changed(self, index: int, meld: Meld) -> Self:
        return replace(self, melds=_set(self.melds, index, Laid(self.melds[index].owner, meld)))

    def _fined(self, seat: Seat, points: int) -> Self:
        return replace(self, fines=_set(self.fines, seat, self.fines[seat] + points))


def canonical(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """These tiles in canonical order."""
    return tuple(sorted(tiles, key=_PLACE.__getitem__))


def _is_copy(name: Name) -> bool:
    """Whether a copy is named, not a face."""
    return name[-1] in "ab"


def _names(call: Call) -> tuple[Name, ...]:
    return call.tiles if isinstance(call, As) else call


def _worth(melds: Sequence[Meld], kind: Opening) -> int:
    """What an opening call comes to: points, or pairs."""
    return len(melds) if kind == "pairs" else sum(meld.value for meld in melds)


def _without(tiles: Sequence[Tile], some: Iterable[Tile]) -> tuple[Tile, ...]:
    gone = set(some)
    return tuple(tile for tile in tiles if tile not in gone)


def _forget(known: Sequence[Face], faces: Iterable[Face]) -> tuple[Face, ...]:
    """What is known of a rack once tiles of these faces have left it."""
    left = list(known)
    for face in faces:
        if face in left:
            left.remove(face)
    return tuple(left)


def _set(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
