"""Klasik Okey: the whole match, what a seat may know of it, and what it may do (RULES chapter 4)."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from random import Random
from typing import Literal, Self

from msgspec.structs import replace

from mokali.engine import complete, tileplay
from mokali.engine.melds import Shown
from mokali.engine.protocol import (
    HOUSE,
    Action,
    Common,
    Event,
    HandEnded,
    IllegalAction,
    Result,
    Seat,
    State,
)
from mokali.engine.tileplay import (
    Deal,
    Discard,
    Discarded,
    Draw,
    First,
    IndicatorShown,
    Name,
    Show,
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
from mokali.engine.tiles import Face, Tile, faces_of, okey_of
from mokali.games.klasik import assist, score
from mokali.games.klasik.position import KlasikSetup, placed
from mokali.games.klasik.rules import EXTRA, TILES, KlasikRules
from mokali.games.klasik.score import Ended
from mokali.games.klasik.sight import KlasikView, Legal, world


class No(StrEnum):
    """Why an action is refused, in the order of KL-21."""

    NO_FINISH = "no_finish"
    ALREADY_SHOWN = "already_shown"
    TOO_LATE = "too_late"
    NO_INDICATOR = "no_indicator"


class Finish(Action, frozen=True):
    """Put the fifteenth tile on the stock: the other fourteen are complete (KL-10)."""

    tile: Name


class Finished(Event, frozen=True):
    """A seat finished the hand."""

    seat: Seat
    okey: bool
    pairs: bool


class Klasik(State, frozen=True, kw_only=True, cache_hash=True):
    """One whole match of Klasik Okey."""

    rules: KlasikRules
    seats: int
    hand: int
    dealer: Seat | None
    """Who starts the hand (KL-3)."""
    mover: Seat | None
    """The seat to act; None between hands."""
    step: Literal["draw", "play"]
    indicator: Tile | None
    racks: tuple[tuple[Tile, ...], ...]
    """In canonical order: how a rack is arranged is not the match's affair."""
    stock: tuple[Tile, ...]
    piles: tuple[tuple[Tile, ...], ...]
    """Discards per seat, the oldest first."""
    last: Tile | None
    """The tile that the hand was finished with, on the stock."""
    drawn: Source | None
    new: Tile | None
    """The tile drawn in this turn."""
    shower: Seat | None
    """Who has shown the indicator."""
    first_done: tuple[bool, ...]
    """Per seat, whether its first turn is over."""
    known: tuple[tuple[Face, ...], ...]
    """Per seat, what everybody knows to be in its rack."""
    ended: Ended | None
    """How the last hand ended."""
    history: tuple[tuple[int, ...], ...]
    """Scores per seat of each hand."""
    base: tuple[int, ...]
    """Points per seat that the match, or a set-up position, began with."""

    @classmethod
    def start(cls, rules: KlasikRules, seats: int, setup: KlasikSetup | None = None) -> Self:
        """A match before its first deal, or in the position of ``setup``. Raises BadSetup."""
        fresh = cls(
            rules=rules,
            seats=seats,
            hand=0,
            dealer=None,
            mover=None,
            step="draw",
            indicator=None,
            racks=((),) * seats,
            stock=(),
            piles=((),) * seats,
            last=None,
            drawn=None,
            new=None,
            shower=None,
            first_done=(False,) * seats,
            known=((),) * seats,
            ended=None,
            history=(),
            base=(rules.start_points,) * seats,
        )
        return fresh if setup is None else replace(fresh, **placed(setup, rules, seats))

    @property
    def phase(self) -> str:
        """``draw`` and ``play`` in a turn, ``hand_over`` between hands, ``over`` at the end (KL-4)."""
        return self.step if self.mover is not None else "over" if self._over else "hand_over"

    @property
    def turn(self) -> Seat | None:
        """The seat to act, HOUSE between hands, None at the end."""
        return self.mover if self.mover is not None else None if self._over else HOUSE

    @property
    def result(self) -> Result | None:
        """Places by the points that are left, the most first (KL-19)."""
        if self.turn is not None:
            return None
        totals = self.totals
        return Result(totals, tuple(1 + sum(other > own for other in totals) for own in totals))

    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        """The first starter where there is none yet, and the deck (CM-13, OK-7)."""
        return tileplay.draw_lots(rng, self.seats, self.dealer)

    def moves(self, seat: Seat) -> Sequence[Action]:
        """Showing and drawing; what finishes, and where nothing does the discards that the best melds leave over."""
        return tuple(self._moves(seat)) if seat == self.mover else ()

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The match after ``action``. Raises IllegalAction (KL-21)."""
        if seat != self.turn:
            raise IllegalAction(Common.NOT_YOUR_TURN, turn=self.mover)
        match action:
            case First(drawn) if self.dealer is None and drawn < self.seats:
                return replace(self, dealer=drawn), ()
            case Deal(deck) if seat == HOUSE and self.dealer is not None:
                return self._dealt(self.dealer, deck), ()
            case _ if seat == HOUSE:
                raise IllegalAction(Common.WRONG_PHASE, phase=self.phase)
            case Draw(source):
                return self._draw(seat, source)
            case Show():
                return self._show(seat)
            case Discard(tile):
                return self._discard(seat, tile)
            case Finish(tile):
                return self._finish(seat, tile)
        raise IllegalAction(Common.WRONG_PHASE, phase=self.phase)

    def view(self, seat: Seat | None) -> KlasikView:
        """What ``seat`` may know; None is a spectator."""
        return _seen(self, seat)

    @classmethod
    def imagine(cls, view: KlasikView, rng: Random) -> Self:
        """A match that looks like ``view``: other racks, the stock and all copies it can't know are dealt anew."""
        before = zip(view.totals, view.losses, *view.history, strict=True)
        return replace(
            cls.start(view.rules, view.seats),
            hand=view.hand,
            dealer=view.dealer,
            mover=view.turn,
            step=view.phase if view.phase in ("draw", "play") else "draw",
            drawn=view.drawn,
            shower=view.shower,
            first_done=view.first_done,
            known=view.known,
            ended=view.ended,
            history=view.history,
            base=tuple(total + lost - sum(scores) for total, lost, *scores in before),
            **world(view, rng),
        )

    def idle(self, seat: Seat) -> Action:
        """Draw from the stock, and discard what was drawn; else the highest natural tile (AB-8)."""
        if self.step == "draw":
            return Draw("stock")
        if self.drawn == "stock" and self.new is not None:
            return Discard(self.new)
        return Discard(highest((tile for tile in self.racks[seat] if tile.face != self.okey), self.okey))

    # --- the rules ---

    def _dealt(self, dealer: Seat, deck: tuple[Tile, ...]) -> Self:
        """KL-2, KL-3, KL-5: the next seat to the right starts every hand, with a tile more and nothing to draw."""
        dealer = (dealer + 1) % self.seats if self.hand else dealer
        lying = tileplay.dealt(deck, dealer, self.seats, TILES, EXTRA)
        return replace(
            type(self).start(self.rules, self.seats),
            hand=self.hand + 1,
            dealer=dealer,
            mover=dealer,
            step="play",
            indicator=lying.indicator,
            racks=lying.racks,
            stock=lying.stock,
            ended=self.ended,
            history=self.history,
            base=self.base,
        )

    def _draw(self, seat: Seat, source: Source) -> tuple[Self, tuple[Event, ...]]:
        self._in("draw")
        after: Self
        event: Event
        if source == "stock":
            tile, event = self.stock[0], StockDrawn(seat, len(self.stock) - 1)
            after = replace(self, stock=self.stock[1:])
        else:
            if self.side is None:  # in a set-up position alone
                raise IllegalAction(Common.WRONG_PHASE, phase="no_side")
            tile, event = self.side, SideTaken(seat, self.side.face)
            after = replace(
                self,
                piles=piled(self.piles, (seat - 1) % self.seats, None),
                known=put(self.known, seat, (*self.known[seat], tile.face)),
            )
        racks = put(self.racks, seat, tileplay.canonical((*self.racks[seat], tile)))
        return replace(after, racks=racks, step="play", drawn=source, new=tile), (event,)

    def _show(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        """KL-16: what it costs follows from who has shown."""
        refused = self._no_show(seat)
        if refused is not None:
            raise refused
        face = self._indicator.face
        after = replace(self, shower=seat, known=put(self.known, seat, (*self.known[seat], face)))
        return after, (IndicatorShown(seat, face, score.shown_cost(face, self.rules)),)

    def _no_show(self, seat: Seat) -> IllegalAction | None:
        """Why the seat can't show the indicator's twin; None where it can."""
        if self.shower is not None:
            return IllegalAction(No.ALREADY_SHOWN, seat=self.shower)
        if self.first_done[seat]:
            return IllegalAction(No.TOO_LATE)
        because = no_twin(self._indicator, self.racks[seat], self.new if self.drawn == "side" else None)
        return None if because is None else IllegalAction(No.NO_INDICATOR, because=because, tile=self._indicator.face)

    def _discard(self, seat: Seat, name: Name) -> tuple[Self, tuple[Event, ...]]:
        """KL-6, KL-18: any tile; with an empty stock the hand is over."""
        self._in("play")
        ((tile,),) = held(self.racks[seat], [(name,)])
        after = replace(self._parted(seat, tile), piles=piled(self.piles, seat, tile))
        event = Discarded(seat, tile.face)
        if not self.stock:
            ended, closing = after._close("stock", None)
            return ended, (event, *closing)
        return replace(after, mover=(seat + 1) % self.seats), (event,)

    def _finish(self, seat: Seat, name: Name) -> tuple[Self, tuple[Event, ...]]:
        """KL-10 to KL-13."""
        self._in("play")
        ((tile,),) = held(self.racks[seat], [(name,)])
        rest = without(self.racks[seat], (tile,))
        kind = complete.finished(rest, self.okey)
        if kind is None:
            away = complete.distance(rest, self.okey)
            raise IllegalAction(No.NO_FINISH, away=away, pairs=len(assist.pairs(rest, self.okey)))
        finish = score.Finish(seat, tile.face == self.okey, kind == "pairs", tile.face)
        ended, closing = replace(self._parted(seat, tile), last=tile)._close("finish", finish)
        return ended, (Finished(seat, finish.okey, finish.pairs), *closing)

    def _parted(self, seat: Seat, tile: Tile) -> Self:
        """At the end of a seat's turn, without a tile of its rack."""
        return replace(
            self,
            racks=put(self.racks, seat, without(self.racks[seat], (tile,))),
            known=put(self.known, seat, forget(self.known[seat], (tile.face,))),
            first_done=put(self.first_done, seat, True),
            step="draw",
            drawn=None,
            new=None,
        )

    def _close(self, reason: str, finish: score.Finish | None) -> tuple[Self, tuple[Event, ...]]:
        """The hand is over; what it cost stands in ``ended``."""
        tallies = score.tallies(finish, self.losses, self._indicator.face, self.rules)
        scores = tuple(tally.total for tally in tallies)
        ended = Ended(reason, scores, finish, tallies)
        return replace(self, mover=None, ended=ended, history=(*self.history, scores)), (HandEnded(scores, reason),)

    def _in(self, step: str) -> None:
        if self.step != step:
            raise IllegalAction(Common.WRONG_PHASE, phase=self.step)

    # --- what may be done ---

    def _moves(self, seat: Seat) -> Iterator[Action]:
        legal = self._legal(seat)
        if legal.show:
            yield Show()
        if legal.stock:
            yield Draw("stock")
        if legal.side:
            yield Draw("side")
        if legal.finish:
            yield from map(Finish, legal.finish)
        elif legal.discard:
            yield from map(Discard, assist.loose(self.racks[seat], self.okey))

    def _legal(self, seat: Seat) -> Legal:
        """What the seat to act may do now."""
        playing, rack = self.step == "play", self.racks[seat]
        finishes = assist.finishes(rack, self.okey) if playing else None
        last = {*finishes.melds, *finishes.pairs} if finishes else set()
        return Legal(
            stock=not playing,
            side=self.side is not None,
            show=self._no_show(seat) is None,
            discard=playing,
            finish=tuple(tile for tile in rack if tile.face in last),
        )

    # --- the match ---

    @property
    def okey(self) -> Face:
        """The face of the okeys (OK-3)."""
        return okey_of(self._indicator.face)

    @property
    def _indicator(self) -> Tile:
        assert self.indicator is not None
        return self.indicator

    @property
    def side(self) -> Tile | None:
        """The left neighbour's latest discard, for the seat that is to draw (KL-6)."""
        if self.mover is None or self.step != "draw":
            return None
        pile = self.piles[(self.mover - 1) % self.seats]
        return pile[-1] if pile else None

    @property
    def losses(self) -> tuple[int, ...]:
        """What each seat has lost in the hand that is played; nothing between hands (KL-16)."""
        if self.mover is None:
            return (0,) * self.seats
        return score.losses(self.shower, self._indicator.face, self.rules, self.seats)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points that each seat has left."""
        before = map(sum, zip(self.base, *self.history, strict=True))
        return tuple(points - lost for points, lost in zip(before, self.losses, strict=True))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has most points left at the end (KL-19)."""
        totals = self.totals
        return tuple(seat for seat, points in enumerate(totals) if points == max(totals)) if self._over else ()

    @property
    def _over(self) -> bool:
        """Whether somebody has nothing left at the end of a hand, never within one (KL-19)."""
        return self.mover is None and min(self.totals) <= 0


@lru_cache(maxsize=256)
def _seen(match: Klasik, seat: Seat | None) -> KlasikView:
    """The view of a seat; what is asked for a rack is not worked out anew for its picture."""
    public = _public(match)
    if seat is None:
        return public
    own = replace(
        public,
        seat=seat,
        rack=match.racks[seat],
        left=public.discards[(seat - 1) % match.seats],
        thrown=public.discards[seat],
    )
    if match.mover is None:
        return own
    own = replace(
        own,
        bar=complete.COMPLETE,
        bar_pairs=complete.PAIRS,
        near=assist.near(match.racks[seat], match.okey),
        near_pairs=len(assist.pairs(match.racks[seat], match.okey)),
    )
    if seat != match.mover:
        return own
    return replace(own, legal=match._legal(seat), new=None if match.new is None else str(match.new))


@lru_cache(maxsize=64)
def _public(match: Klasik) -> KlasikView:
    """What a spectator may know, and every seat beside its own; asked once for all who look."""
    indicator = None if match.indicator is None else match.indicator.face
    over = match.mover is None
    finish = match.ended.finish if over and match.ended is not None else None
    discards = tuple(map(top, match.piles))
    return KlasikView(
        seat=None,
        turn=match.mover,
        phase=match.phase,
        hand=match.hand,
        scores=None if match.ended is None else match.ended.scores,
        totals=match.totals,
        over=match.phase == "over",
        winners=match.winners,
        reason=None if match.ended is None else match.ended.reason,
        rules=match.rules,
        seats=match.seats,
        dealer=match.dealer,
        indicator=indicator,
        okey=None if indicator is None else match.okey,
        cost=0 if indicator is None else score.shown_cost(indicator, match.rules),
        stock=len(match.stock),
        racks=tuple(map(len, match.racks)),
        rack=(),
        bar=None,
        bar_pairs=None,
        near=None,
        near_pairs=None,
        left=discards[-1],
        thrown=discards[0],
        legal=None,
        side=None if match.side is None else match.side.face,
        discards=discards,
        melds=() if finish is None else _split(match, finish.seat),
        losses=match.losses,
        drawn=match.drawn,
        new=match.new.face if match.new is not None and match.drawn == "side" else None,
        shower=match.shower,
        first_done=match.first_done,
        known=match.known,
        seen=tuple(map(faces_of, match.piles)),
        shown=tuple(map(faces_of, match.racks)) if over else None,
        ended=match.ended,
        history=match.history,
    )


def _split(match: Klasik, seat: Seat) -> tuple[Shown, ...]:
    """The finished hand as everybody sees it (KL-14)."""
    return tuple(Shown(seat, meld.kind, meld.shown) for meld in assist.split(match.racks[seat], match.okey))
