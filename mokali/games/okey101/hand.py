"""One hand of 101 Okey: whose turn it is, what lies where, and every move of a seat (RULES 3.3 to 3.10)."""

from collections.abc import Sequence
from itertools import combinations
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine import melds as shapes
from mokali.engine.protocol import Action, Event, HandEnded, IllegalAction, Seat
from mokali.engine.tileplay import (
    Discarded,
    IndicatorShown,
    Name,
    SideTaken,
    Source,
    StockDrawn,
    forget,
    held,
    highest,
    no_twin,
    piled,
    put,
    top,
    without,
)
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101 import spread
from mokali.games.okey101.laying import Laying
from mokali.games.okey101.score import Fine, Finish, HandIn, Tally, tallies
from mokali.games.okey101.spread import Because, No

# --- actions ---


class Return(Action, frozen=True):
    """Put the side tile back (OK-38)."""


class Idle(Action, frozen=True):
    """The house ends the turn for a seat whose time is up, and nothing costs (AB-8). Nobody can send it."""


# --- events ---


class SideReturned(Event, frozen=True):
    """A seat put the side tile back."""

    seat: Seat
    tile: Face


class Finished(Event, frozen=True):
    """A seat discarded its last tile (OK-54)."""

    seat: Seat
    okey: bool
    pairs: bool
    from_hand: bool


# --- the hand ---


class Ended(Struct, frozen=True):
    """How the last hand ended."""

    reason: str
    scores: tuple[int, ...]
    finish: Finish | None
    tallies: tuple[Tally, ...]
    """Empty where the hand was cancelled."""


class Hand(Laying, frozen=True, kw_only=True):
    """A match of which this module knows the hand that is played."""

    stock: tuple[Tile, ...]
    piles: tuple[tuple[Tile, ...], ...]
    """Discards per seat, the oldest first."""
    closed: bool
    """The side tile was put back in this turn."""
    shower: Seat | None
    """Who has shown the indicator."""
    first_done: tuple[bool, ...]
    """Per seat, whether its first turn is over."""
    rewards: tuple[int, ...]
    ended: Ended | None
    """How the last hand ended."""
    history: tuple[tuple[int, ...], ...]
    """Scores per seat of each hand that counted (OK-10)."""

    @property
    def side(self) -> Tile | None:
        """The left neighbour's latest discard, where it may be asked for (OK-34)."""
        if self.mover is None or self.step != "draw" or self.closed:
            return None
        pile = self.piles[(self.mover - 1) % self.seats]
        return pile[-1] if pile else None

    def top(self, seat: Seat) -> Face | None:
        """The top of a seat's pile."""
        return top(self.piles[seat])

    # --- drawing ---

    def _draw(self, seat: Seat, source: Source) -> tuple[Self, tuple[Event, ...]]:
        self._in("draw")
        if source == "stock":
            tile, stock, piles, event = self.stock[0], self.stock[1:], self.piles, self._stock_drawn(seat)
        else:
            tile, stock, piles = self._from_side(seat), self.stock, piled(self.piles, (seat - 1) % self.seats, None)
            event = SideTaken(seat, tile.face)
        after = replace(
            self._with_rack(seat, (*self.racks[seat], tile)),
            step="play",
            drawn=source,
            new=tile,
            stock=stock,
            piles=piles,
            known=put(self.known, seat, (*self.known[seat], tile.face)) if source == "side" else self.known,
        )
        return after, (event,)

    def _stock_drawn(self, seat: Seat) -> Event:
        return StockDrawn(seat, len(self.stock) - 1)

    def _from_side(self, seat: Seat) -> Tile:
        refused = self._no_side(seat)
        if refused is not None:
            raise refused
        assert self.side is not None
        return self.side

    def _no_side(self, seat: Seat) -> IllegalAction | None:
        """Why the seat can't take the side tile; None where it can."""
        side = self.side
        if side is None:
            return IllegalAction(No.SIDE_CLOSED, because=Because.RETURNED if self.closed else Because.NO_DISCARD)
        if self.rules.side_precheck_opened and self.opened[seat] and not self._usable(seat, side):
            return IllegalAction(No.SIDE_UNUSABLE, tile=side.face)
        return None

    def _usable(self, seat: Seat, tile: Tile) -> bool:
        """OK-39: an open seat could at once use it, with a tile left to discard."""
        rack, face = self.racks[seat], natural(tile, self.okey)
        if face in spread.freeing(self.melds, self.rules):
            return True
        if self._lays_off(seat) and rack and spread.fits(self.melds, face, self.rules):
            return True
        pairs = len(rack) >= 2 and self._may_lay(seat, "pairs")
        if pairs and any(shapes.pair((tile, other), self.okey) for other in rack):
            return True
        if len(rack) < shapes.MIN_TILES or not self._may_lay(seat, "melds"):
            return False
        near = [other for other in rack if shapes.near(face, natural(other, self.okey))]
        return any(shapes.meld((tile, *two), self.okey) for two in combinations(near, 2))

    def _return(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        refused = self._no_return(seat)
        if refused is not None:
            raise refused
        after, fined = self._rolled_back(seat)
        after = after._put_back(seat)
        events: tuple[Event, ...] = ()
        if self.rules.put_back_penalty:
            after, events = after._penalised(seat, Fine("put_back", self.rules.put_back_penalty))
        return after, (SideReturned(seat, self._new.face), *fined, *events)

    def _no_return(self, seat: Seat) -> IllegalAction | None:
        """Why the seat can't put the side tile back; None where it can."""
        if self.drawn != "side":
            return IllegalAction(No.NO_SIDE_TILE, because=Because.NOT_TAKEN)
        if self._new not in self.racks[seat]:
            return IllegalAction(No.NO_SIDE_TILE, because=Because.ON_TABLE, tile=self._new.face)
        if any(step.do == "open" for step in self.steps):
            return IllegalAction(No.MELD_ON_TABLE)
        return None

    @property
    def put_back_cost(self) -> int:
        """What putting the side tile back costs, this turn's lay-offs included (OK-38, OK-47)."""
        return self.rules.put_back_penalty + self.undo_cost(self.steps)

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
            self._with_rack(seat, without(self.racks[seat], (tile,))),
            step="draw",
            drawn=None,
            new=None,
            closed=True,
            piles=piled(self.piles, (seat - 1) % self.seats, tile),
            known=put(self.known, seat, forget(self.known[seat], (tile.face,))),
        )

    # --- showing and discarding ---

    def _show(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        assert self.indicator is not None
        refused = self._no_show(seat)
        if refused is not None:
            raise refused
        twin, points = self.indicator.twin, self.rules.indicator_reward
        after = replace(
            self,
            shower=seat,
            rewards=put(self.rewards, seat, self.rewards[seat] + points),
            known=put(self.known, seat, (*self.known[seat], twin.face)),
        )
        return after, (IndicatorShown(seat, twin.face, points),)

    def _no_show(self, seat: Seat) -> IllegalAction | None:
        """Why the seat can't show the indicator's twin; None where it can."""
        assert self.indicator is not None
        if not self.rules.indicator_reward:
            return IllegalAction(No.NOT_IN_RULES)
        if self.shower is not None:
            return IllegalAction(No.ALREADY_SHOWN, seat=self.shower)
        if self.first_done[seat]:
            return IllegalAction(No.TOO_LATE)
        because = no_twin(self.indicator, self.racks[seat], self.new if self.drawn == "side" else None)
        return None if because is None else IllegalAction(No.NO_INDICATOR, because=because, tile=self.indicator.face)

    def _discard(self, seat: Seat, name: Name) -> tuple[Self, tuple[Event, ...]]:
        self._in("play")
        ((tile,),) = held(self.racks[seat], [(name,)])
        if self.duty:
            raise self._side_unused(seat)
        return self._put(seat, tile, self.cost(tile))

    def cost(self, tile: Tile) -> Fine | None:
        """What a discard of this tile costs, if it doesn't finish; one costs at most once (OK-48, OK-49)."""
        return self.costs((tile,))[0]

    def costs(self, tiles: Sequence[Tile]) -> tuple[Fine | None, ...]:
        """The same for each of these."""
        okey, rules = self.okey, self.rules
        faces = spread.playable(self.melds, rules) if rules.penalty_playable_discard else frozenset()
        playable = Fine("playable", rules.penalty_playable_discard)
        of_okey = playable if None in faces else None
        if rules.penalty_okey_discard:
            of_okey = Fine("okey", rules.penalty_okey_discard)
        return tuple(
            of_okey if (face := natural(tile, okey)) is None else playable if face in faces else None for tile in tiles
        )

    def _put(self, seat: Seat, tile: Tile, cost: Fine | None) -> tuple[Self, tuple[Event, ...]]:
        """The turn ends with this tile (OK-77)."""
        left = without(self.racks[seat], (tile,))
        after = replace(
            self._with_rack(seat, left),
            piles=piled(self.piles, seat, tile),
            known=put(self.known, seat, forget(self.known[seat], (tile.face,))),
            first_done=put(self.first_done, seat, True),
        )
        events: tuple[Event, ...] = (Discarded(seat, tile.face),)
        if left and cost is not None:
            after, penalty = after._penalised(seat, cost)
            events = (*events, *penalty)
        ended, closing = after._next(seat, tile)
        return ended, (*events, *closing)

    def _next(self, seat: Seat, tile: Tile) -> tuple[Self, tuple[Event, ...]]:
        """The end of the hand (OK-54, OK-55, OK-58), or the next seat's turn."""
        if not self.racks[seat]:
            finish = Finish(seat, tile.face == self.okey, self.opened[seat] == "pairs", self._from_hand(seat))
            flags = finish.okey, finish.pairs, finish.from_hand
            after, events = self._close("finish", finish)
            return after, (Finished(seat, *flags), *events)
        if (
            self.rules.all_pairs_cancels
            and self.seats == self.rules.seats
            and all(opened == "pairs" for opened in self.opened)
        ):
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
            after = replace(after, fines=((),) * self.seats, rewards=(0,) * self.seats)
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
        ended, closing = after._put(seat, after._harmless(seat), None)
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
        return highest(safe or plain or rack, self.okey)
