"""101 Okey: the match around its hands, what a seat may know of it, and what it may do (RULES chapter 3)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from msgspec.structs import replace

from mokali.engine import melds as shapes
from mokali.engine.melds import Kind, Meld
from mokali.engine.protocol import HOUSE, Action, Common, Event, IllegalAction, Result, Seat
from mokali.engine.tileplay import Deal, Discard, Draw, First, Show, dealt, draw_lots
from mokali.engine.tiles import Face, Tile, faces_of, natural
from mokali.games.okey101 import assist, spread
from mokali.games.okey101.calls import As, Call, Open
from mokali.games.okey101.hand import Hand, Idle, Return
from mokali.games.okey101.laying import Lay, Swap, Undo
from mokali.games.okey101.position import OkeySetup, placed
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.sight import Cost, Legal, OkeyView, Spot, Taking, step_shown, world


class Okey101(Hand, frozen=True, kw_only=True, cache_hash=True):
    """One whole match of 101 Okey."""

    hand: int
    dealer: Seat | None
    base: tuple[int, ...]
    """Points per seat that a set-up position began with."""

    @classmethod
    def start(cls, rules: OkeyRules, seats: int, setup: OkeySetup | None = None) -> Self:
        """A match before its first deal, or in the position of ``setup``. Raises BadSetup."""
        fresh = cls(
            rules=rules,
            seats=seats,
            mover=None,
            step="draw",
            indicator=None,
            racks=((),) * seats,
            stock=(),
            piles=((),) * seats,
            melds=(),
            opened=(None,) * seats,
            opening=(None,) * seats,
            drawn=None,
            new=None,
            closed=False,
            steps=(),
            undone=0,
            shower=None,
            first_done=(False,) * seats,
            fines=((),) * seats,
            rewards=(0,) * seats,
            known=((),) * seats,
            ended=None,
            history=(),
            hand=0,
            dealer=None,
            base=(0,) * seats,
        )
        return fresh if setup is None else replace(fresh, **placed(setup, rules, seats))

    @property
    def phase(self) -> str:
        """``draw`` and ``play`` in a turn, ``hand_over`` between hands, ``over`` at the end (OK-11)."""
        return self.step if self.mover is not None else "over" if self._over else "hand_over"

    @property
    def turn(self) -> Seat | None:
        """The seat to act, HOUSE between hands, None at the end."""
        return self.mover if self.mover is not None else None if self._over else HOUSE

    @property
    def result(self) -> Result | None:
        """Places by totals, the lowest first; partners by the sum of both (OK-68, OK-71)."""
        if self.turn is not None:
            return None
        sides = self.sides
        return Result(self.totals, tuple(1 + sum(other < own for other in set(sides)) for own in sides))

    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        """The first dealer where there is none yet, and the deck (CM-13, OK-7)."""
        return draw_lots(rng, self.seats, self.dealer)

    def moves(self, seat: Seat) -> Sequence[Action]:
        """Draws, discards, undo, return, show, swaps; lay-offs of one tile, and what the solver would open or lay."""
        return tuple(self._moves(seat)) if seat == self.mover else ()

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The match after ``action``. Raises IllegalAction (RULES 3.15)."""
        if seat != self.turn:
            raise IllegalAction(Common.NOT_YOUR_TURN, turn=self.mover)
        return self._play(seat, action)

    def view(self, seat: Seat | None) -> OkeyView:
        """What ``seat`` may know; None is a spectator."""
        return _seen(self, seat)

    @classmethod
    def imagine(cls, view: OkeyView, rng: Random) -> Self:
        """A match that looks like ``view``: other racks, the stock and all copies it can't know are dealt anew."""
        fresh = cls.start(view.rules, view.seats)
        return replace(
            fresh,
            mover=view.turn,
            step=view.phase if view.phase in ("draw", "play") else "draw",
            opened=view.opened,
            opening=view.opening,
            drawn=view.drawn,
            closed=view.closed,
            undone=view.undone,
            shower=view.shower,
            first_done=view.first_done,
            fines=view.fines,
            rewards=view.rewards,
            known=view.known,
            ended=view.ended,
            history=view.history,
            hand=view.hand,
            dealer=view.dealer,
            base=tuple(total - sum(scores) for total, *scores in zip(view.totals, *view.history, strict=True)),
            **world(view, rng),
        )

    def idle(self, seat: Seat) -> Action:
        """The rest of the turn, played by the house: draw, and a discard that harms least (AB-8)."""
        return Idle()

    # --- the rules ---

    def _play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        match action:
            case First(drawn) if self.dealer is None and drawn < self.seats:
                return replace(self, dealer=drawn), ()
            case Deal(deck) if seat == HOUSE and self.dealer is not None:
                return self._dealt(self.dealer, deck), ()
            case _ if seat == HOUSE:
                raise IllegalAction(Common.WRONG_PHASE, phase=self.phase)
            case Draw(source):
                return self._draw(seat, source)
            case Return():
                return self._return(seat)
            case Open():
                return self._open(seat, action)
            case Lay():
                return self._lay(seat, action)
            case Swap():
                return self._swap(seat, action)
            case Undo():
                return self._undo(seat)
            case Show():
                return self._show(seat)
            case Discard(tile):
                return self._discard(seat, tile)
            case Idle():
                return self._idle(seat)
        raise IllegalAction(Common.WRONG_PHASE, phase=self.phase)

    def _dealt(self, dealer: Seat, deck: tuple[Tile, ...]) -> Self:
        """OK-7, OK-8, OK-10: one block a seat from the right of the dealer, who gets the last."""
        again = self.ended is not None and self.ended.reason == "cancelled"
        if self.hand > 0 and not again:
            dealer = (dealer + 1) % self.seats
        lying = dealt(deck, dealer, self.seats, self.rules.tiles, self.rules.dealer_extra)
        fresh = type(self).start(self.rules, self.seats)
        return replace(
            fresh,
            mover=dealer,
            step="play",
            indicator=lying.indicator,
            racks=lying.racks,
            stock=lying.stock,
            ended=self.ended,
            history=self.history,
            hand=self.hand if again else self.hand + 1,
            dealer=dealer,
            base=self.base,
        )

    # --- what may be done ---

    def _moves(self, seat: Seat) -> Iterator[Action]:
        legal = self._legal(seat)
        if legal.stock:
            yield Draw("stock")
        if legal.side:
            yield Draw("side")
        if legal.show:
            yield Show()
        if legal.put_back:
            yield Return()
        if legal.undo:
            yield Undo()
        for spot in legal.lays:
            ends = spot.ends if len(spot.ends) > 1 else (None,)
            yield from (Lay((spot.tile,), spot.meld, end) for end in ends)
        yield from (Swap(taking.tile, taking.meld) for taking in legal.swaps)
        yield from self._calls(seat, legal)
        if legal.discard:
            yield from map(Discard, self.racks[seat])

    def _calls(self, seat: Seat, legal: Legal) -> Iterator[Open]:
        """The best opening of either kind, where it is enough; for an open seat each further meld or pair."""
        rack, most = self.racks[seat], self.rules.max_meld_tiles
        pairs = assist.pairs(rack, self.okey)[: (len(rack) - 1) // 2] if legal.pairs else ()
        if self.opened[seat] is not None:
            further = assist.laying(rack, self.okey, most) if legal.melds else ()
            yield from (Open((self._call(meld),), "melds") for meld in _one_stays(further, len(rack), self.okey))
            yield from (Open((pair,), "pairs") for pair in pairs)
            return
        if legal.melds:
            melds = _one_stays(assist.opening(rack, self.okey, most), len(rack), self.okey)
            enough = sum(meld.value for meld in melds) >= self.bar(seat, "melds")
            if enough and self._meets_duty(meld.tiles for meld in melds):
                yield Open(tuple(map(self._call, melds)), "melds")
        if legal.pairs and len(pairs) >= self.bar(seat, "pairs") and self._meets_duty(pairs):
            yield Open(pairs, "pairs")

    def _call(self, meld: Meld) -> Call:
        """A run or group as a seat would call it (OK-21)."""
        either = shapes.ambiguous(meld.tiles, self.okey)
        return As("run" if meld.kind == Kind.RUN else "group", meld.tiles) if either else meld.tiles

    def _meets_duty(self, groups: Iterable[Sequence[Tile]]) -> bool:
        """Whether laying these would do for a side tile (OK-35, OK-36)."""
        return not self.duty or any(tile.face == self._new.face for group in groups for tile in group)

    def _legal(self, seat: Seat) -> Legal:
        """What the seat to act may do now."""
        playing, closed = self.step == "play", self.waived
        rack = self.racks[seat]
        costs = self.costs(rack) if playing and len(rack) > 1 else (None,) * len(rack)
        return Legal(
            stock=not playing,
            side=not playing and self._no_side(seat) is None,
            put_back=self._new.face if playing and self._no_return(seat) is None else None,
            put_back_cost=self.put_back_cost if playing and self._no_return(seat) is None else 0,
            undo=bool(self.steps),
            undo_cost=self.undo_cost(self.steps[-1:]),
            show=self._no_show(seat) is None,
            discard=playing and not self.duty,
            melds=playing and not closed and len(rack) > shapes.MIN_TILES and self._may_lay(seat, "melds"),
            pairs=playing and not closed and len(rack) > 2 and self._may_lay(seat, "pairs"),
            lays=tuple(self._spots(rack)) if playing and not closed and self._lays_off(seat) and len(rack) > 1 else (),
            swaps=tuple(self._takings(rack)) if playing and not closed and self._swaps(seat) else (),
            costs=tuple(Cost(tile, fine) for tile, fine in zip(rack, costs, strict=True) if fine is not None),
        )

    def _spots(self, rack: Sequence[Tile]) -> Iterator[Spot]:
        okey, wanted, roomy = self.okey, spread.wanted(self.melds, self.rules), spread.roomy(self.melds, self.rules)
        for tile in rack:
            face = natural(tile, okey)
            if face is None:
                yield from (Spot(tile, index, ends) for index, ends in roomy)
            else:
                yield from (Spot(tile, index, (end,)) for index, end in wanted.get(face, ()))

    def _takings(self, rack: Sequence[Tile]) -> Iterator[Taking]:
        okey, freeing = self.okey, spread.freeing(self.melds, self.rules)
        for tile in rack:
            yield from (Taking(tile, index) for index in freeing.get(natural(tile, okey) or "", ()))

    # --- the match ---

    @property
    def _over(self) -> bool:
        """Whether the last hand that counts is played (OK-10, OK-68)."""
        ended = self.mover is None and self.ended is not None and self.ended.reason != "cancelled"
        return ended and self.hand >= self.rules.hands

    @property
    def totals(self) -> tuple[int, ...]:
        """Points per seat of all hands that count (OK-68)."""
        return tuple(map(sum, zip(self.base, *self.history, strict=True)))

    @property
    def sides(self) -> tuple[int, ...]:
        """Per seat what counts for its place: its own total, or its team's."""
        totals = self.totals
        return tuple(totals[seat] + totals[seat - 2] for seat in self._seats) if self.partnered else totals

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The lowest total; a tie of teams has no winner (OK-68, OK-71)."""
        if not self._over:
            return ()
        sides = self.sides
        best = tuple(seat for seat in self._seats if sides[seat] == min(sides))
        return () if self.partnered and len(best) == 4 else best

    @property
    def _seats(self) -> range:
        return range(self.seats)


@lru_cache(maxsize=256)
def _seen(match: Okey101, seat: Seat | None) -> OkeyView:
    """The view of a seat; what is asked for a rack is not worked out anew for its picture."""
    public = _public(match)
    if seat is None:
        return public
    unopened = match.opened[seat] is None and match.mover is not None
    own = replace(
        public,
        seat=seat,
        rack=match.racks[seat],
        bar=match.bar(seat, "melds") if unopened else None,
        bar_pairs=match.bar(seat, "pairs") if unopened else None,
        no_melds=match.closed_to(seat, "melds") if match.mover is not None else None,
        no_pairs=match.closed_to(seat, "pairs") if match.mover is not None else None,
        left=public.discards[(seat - 1) % match.seats],
        thrown=public.discards[seat],
    )
    if seat != match.mover:
        return own
    return replace(
        own,
        legal=match._legal(seat),
        new=None if match.new is None else str(match.new),
        steps=tuple(step_shown(step, own=True) for step in match.steps),
    )


@lru_cache(maxsize=64)
def _public(match: Okey101) -> OkeyView:
    """What a spectator may know, and every seat beside its own; asked once for all who look."""
    drawn = match.new.face if match.new is not None and match.drawn == "side" else None
    return OkeyView(
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
        partnered=match.partnered,
        sides=match.sides,
        indicator=None if match.indicator is None else match.indicator.face,
        okey=None if match.indicator is None else match.okey,
        stock=len(match.stock),
        racks=tuple(map(len, match.racks)),
        rack=(),
        bar=None,
        bar_pairs=None,
        no_melds=None,
        no_pairs=None,
        left=match.top(match.seats - 1),
        thrown=match.top(0),
        legal=None,
        side=None if match.side is None else match.side.face,
        discards=tuple(map(match.top, range(match.seats))),
        opened=match.opened,
        opening=match.opening,
        melds=spread.shown(match.melds),
        penalties=tuple(
            sum(fine.points for fine in fines) + reward
            for fines, reward in zip(match.fines, match.rewards, strict=True)
        ),
        fines=match.fines,
        rewards=match.rewards,
        drawn=match.drawn,
        new=drawn,
        duty=match.duty,
        waived=match.waived,
        closed=match.closed,
        steps=tuple(step_shown(step, own=False) for step in match.steps),
        undone=match.undone,
        shower=match.shower,
        first_done=match.first_done,
        known=match.known,
        seen=tuple(map(faces_of, match.piles)),
        shown=None if match.mover is not None else tuple(map(faces_of, match.racks)),
        ended=match.ended,
        history=match.history,
    )


def _one_stays(melds: Sequence[Meld], held: int, okey: Face) -> Sequence[Meld]:
    """The same melds; where they are all that is held, the first long one is shorter, or the last left out (OK-31)."""
    if sum(len(meld.tiles) for meld in melds) < held:
        return melds
    for place, meld in enumerate(melds):
        shorter = shapes.meld(meld.tiles[1:], okey, meld.kind)
        if shorter is not None:
            return (*melds[:place], shorter, *melds[place + 1 :])
    return melds[:-1]
