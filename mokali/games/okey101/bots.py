"""Bots of 101 Okey: a beginner, one that plays by rules of thumb, and one that looks ahead in sampled worlds.

All three play a turn in the same order: show, draw, lay whatever goes, discard. They differ in what they see of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import exp
from typing import Final

from msgspec import Struct

from mokali.engine import melds as shapes
from mokali.engine import prospects, solver, trying
from mokali.engine.melds import OKEY, Kind, Meld
from mokali.engine.protocol import Action, IllegalAction, Level, Mind, Seat
from mokali.engine.tileplay import Discard, Draw, Show, without
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101 import assist, spread
from mokali.games.okey101.calls import As, Call, Open, names
from mokali.games.okey101.hand import Return
from mokali.games.okey101.laying import Lay, Swap
from mokali.games.okey101.sight import OkeyView
from mokali.games.okey101.state import Okey101

WORLDS: Final = 40
"""In how many worlds ``zor`` tries a discard where time allows."""
CANDIDATES: Final = 8
"""How many discards it tries: those that the thumb likes best."""
OPENED: Final = 50
"""What a seat pays in the end that opens late, more or less."""
NEARLY: Final = 0.5
"""What an opening is worth that lacks next to nothing, of one that is there: the side may still bring it."""
SIDE_LAID: Final = 10
"""What the next seat gains by a side tile that it can lay off."""
MOST_GAINED: Final = 4
"""No tile brings a rack more points than so many times its number, or hardly ever."""


def kolay(mind: Mind) -> Action:
    """A beginner of good will: draws from the stock, lays what goes, throws any tile that lies in no meld."""
    seen = _Seen.of(mind)
    return _shown(mind) or _from_stock(mind) or _first(_plain_lays(seen, mind)) or _ended(mind, _any_loose)


def orta(mind: Mind) -> Action:
    """Plays by rules of thumb."""
    seen = _Seen.of(mind)
    return _shown(mind) or _drawn(mind) or _first(_lays(seen, mind)) or _ended(mind, _by_thumb)


def zor(mind: Mind) -> Action:
    """The same, but openings and discards are chosen by what comes of them in worlds that look like this one."""
    seen = _Seen.of(mind)
    return _shown(mind) or _drawn(mind) or _opened(seen, mind) or _first(_lays(seen, mind)) or _ended(mind, _by_worlds)


BOTS: Final = {"kolay": Level(kolay), "orta": Level(orta), "zor": Level(zor, seconds=0.8)}


class _Seen(Struct, frozen=True):
    """A view as bots ask it."""

    view: OkeyView
    me: Seat
    okey: Face
    opened: str | None
    left: Mapping[Face, int]
    """Copies that may still come, by natural face."""
    wanted: frozenset[Face]
    """What whoever is open can lay off."""

    @classmethod
    def of(cls, mind: Mind) -> "_Seen":
        view = mind.view
        assert isinstance(view, OkeyView)
        assert view.seat is not None
        assert view.okey is not None
        assert view.indicator is not None
        laid = [view.okey if some.startswith(OKEY) else some for meld in view.melds for some in meld.tiles]
        piles = [face for pile in view.seen for face in pile]
        others = [face for seat, known in enumerate(view.known) if seat != view.seat for face in known]
        own = [tile.face for tile in view.rack]
        left = prospects.unseen([view.indicator, *laid, *piles, *others, *own], view.okey)
        wanted = frozenset(spread.wanted(_world(mind).melds, view.rules))
        return cls(view, view.seat, view.okey, view.opened[view.seat], left, wanted)

    def number(self, tile: Tile) -> int:
        """What a tile counts in the rack; an okey 0: it goes somewhere."""
        face = natural(tile, self.okey)
        return 0 if face is None else shapes.number(face)

    def okeyless(self) -> list[Tile]:
        """The rack without okeys."""
        return [tile for tile in self.view.rack if tile.face != self.okey]

    def fines(self) -> Mapping[Tile, int]:
        """What the discard of a tile costs."""
        legal = self.view.legal
        return {} if legal is None else {cost.tile: cost.fine.points for cost in legal.costs}


def _world(mind: Mind) -> Okey101:
    state = mind.imagine()
    assert isinstance(state, Okey101)
    return state


# --- a turn ---


def _first(moves: Iterator[Action]) -> Action | None:
    return next(moves, None)


def _shown(mind: Mind) -> Action | None:
    """Who holds the indicator's twin shows it."""
    return next((move for move in mind.moves if isinstance(move, Show)), None)


def _from_stock(mind: Mind) -> Action | None:
    return next((move for move in mind.moves if move == Draw("stock")), None)


def _drawn(mind: Mind) -> Action | None:
    """The side tile where it can be laid at once, else the stock."""
    stock = _from_stock(mind)
    if stock is None:
        return None
    side = Draw("side")
    return side if side in mind.moves and _serves(mind) else stock


def _serves(mind: Mind) -> bool:
    """Rule of thumb: take from the side only what goes down in this turn; not yet open, only what opens."""
    state = _world(mind)
    assert state.mover is not None
    taken, _ = state.play(state.mover, Draw("side"))
    assert taken.new is not None
    return any(_uses(move, taken.new.face) for move in taken.moves(state.mover))


def _uses(move: Action, face: Face) -> bool:
    """Whether a table move lays a tile of this face."""
    match move:
        case Open():
            return any(Tile(name).face == face for call in move.melds for name in names(call))
        case Lay():
            return any(Tile(name).face == face for name in move.tiles)
        case Swap():
            return Tile(move.tile).face == face
    return False


def _plain_lays(seen: _Seen, mind: Mind) -> Iterator[Action]:
    """Openings and melds, then single tiles that fit; an okey stays."""
    yield from (move for move in mind.moves if isinstance(move, Open))
    yield from (move for move in mind.moves if isinstance(move, Lay) and not _uses(move, seen.okey))


def _lays(seen: _Seen, mind: Mind) -> Iterator[Action]:
    """All that goes to the table, in order: what the side tile obliges to, melds, tiles, swaps, and okeys last."""
    owed = Tile(seen.view.new).face if seen.view.duty and seen.view.new else None
    if owed is not None:
        yield from (move for move in mind.moves if _uses(move, owed))
    yield from _plain_lays(seen, mind)
    if (
        len(seen.view.rack) == 1 or seen.wanted
    ):  # an okey finishes, or is laid off again: in the rack it counts 101 (OK-60)
        yield from (move for move in mind.moves if isinstance(move, Swap))
    yield from (move for move in mind.moves if isinstance(move, Lay))


def _ended(mind: Mind, chosen: Callable[[_Seen, Mind], Tile]) -> Action:
    """The discard; where a side tile stands in its way, that goes back."""
    seen = _Seen.of(mind)
    if any(isinstance(move, Discard) for move in mind.moves):
        return Discard(chosen(seen, mind))
    return next((move for move in mind.moves if isinstance(move, Return)), mind.moves[0])


# --- discards ---


def _harmless(seen: _Seen) -> list[Tile]:
    """The tiles among which to choose: none that costs, no okey; where there is nothing else, what costs least."""
    fines = seen.fines()
    if len(seen.view.rack) == 1:
        return list(seen.view.rack)
    plain = seen.okeyless()
    free = [tile for tile in plain if tile not in fines]
    return free or plain or list(seen.view.rack)


def _any_loose(seen: _Seen, mind: Mind) -> Tile:
    """Any tile that lies in none of the melds that are there."""
    harmless = _harmless(seen)
    kept = {tile for meld in _melds(seen) for tile in meld}
    return mind.rng.choice([tile for tile in harmless if tile not in kept] or harmless)


def _melds(seen: _Seen) -> tuple[tuple[Tile, ...], ...]:
    melds = assist.opening(seen.view.rack, seen.okey, seen.view.rules.max_meld_tiles)
    return tuple(meld.tiles for meld in melds)


def _by_thumb(seen: _Seen, mind: Mind) -> Tile:
    return _ranked(seen)[0]


def _ranked(seen: _Seen) -> list[Tile]:
    """The discards as the thumb likes them, the best first."""
    if seen.opened:
        return sorted(_harmless(seen), key=lambda tile: _worth_open(seen, tile))
    if _for_pairs(seen):
        return sorted(_harmless(seen), key=lambda tile: _pairing(seen, tile))
    kept = {tile for meld in _melds(seen) for tile in meld}
    return sorted(_harmless(seen), key=lambda tile: (tile in kept, _worth_closed(seen, tile)))


def _worth_closed(seen: _Seen, tile: Tile) -> float:
    """Rule of thumb before opening: keep what waits for many tiles, high ones above all; among equals throw the one
    that is of least use to the next seat.
    """
    face = natural(tile, seen.okey)
    if face is None:
        return 1000
    ties = prospects.ties(face, _faces(seen, tile), seen.left)
    return ties * (10 + shapes.number(face)) - _lure(seen, face)


def _worth_open(seen: _Seen, tile: Tile) -> float:
    """Rule of thumb once open: throw high numbers first, but keep what will soon make a meld."""
    face = natural(tile, seen.okey)
    if face is None:
        return 1000
    ties = prospects.ties(face, _faces(seen, tile), seen.left) if seen.opened == "melds" else 0
    return ties - shapes.number(face) - _lure(seen, face)


def _pairing(seen: _Seen, tile: Tile) -> float:
    """Rule of thumb on the way to pairs: twins stay, and singles whose twin may still come; low ones go last."""
    face = natural(tile, seen.okey)
    if face is None:
        return 1000
    twins = face in _faces(seen, tile)
    return 100 * twins + 10 * seen.left[face] - shapes.number(face) / 13


def _for_pairs(seen: _Seen) -> bool:
    """Rule of thumb: go for pairs with one less than it takes, while melds are far from the bar."""
    if seen.view.bar is None or seen.view.bar_pairs is None:
        return False
    pairs = assist.pairs(seen.view.rack, seen.okey)
    return len(pairs) >= seen.view.bar_pairs - 1 and solver.best_points(seen.view.rack, seen.okey) < seen.view.bar * 0.7


def _lure(seen: _Seen, face: Face) -> float:
    """How welcome a tile may be to the next seat, as a fraction: all that is unseen may be in its rack."""
    return prospects.appeal(face, seen.left) / 100


def _faces(seen: _Seen, less: Tile) -> set[Face]:
    """The natural faces of the rack without one tile."""
    return {face for tile in seen.view.rack if tile != less and (face := natural(tile, seen.okey)) is not None}


# --- worlds ---


def _opened(seen: _Seen, mind: Mind) -> Action | None:
    """Of all openings the one after which least is left in the rack, once everything that goes has gone."""
    if seen.opened or seen.view.phase != "play":
        return None
    state = _world(mind)
    options = [move for move in mind.moves if isinstance(move, Open)] + list(_longest(seen, state))
    costs = {option: _left_over(seen, mind, state.play(seen.me, option)[0]) for option in options}
    return prospects.cheapest(costs) if costs else None


def _longest(seen: _Seen, state: Okey101) -> Iterator[Open]:
    """The opening with most tiles, where it is enough: often less dear than the one with most points."""
    legal, bar = seen.view.legal, seen.view.bar
    if legal is None or bar is None or not legal.melds:
        return
    melds = assist.laying(seen.view.rack, seen.okey, seen.view.rules.max_meld_tiles)
    if sum(meld.value for meld in melds) < bar:
        return
    call = Open(tuple(_call(meld, seen.okey) for meld in melds), "melds")
    with suppress(IllegalAction):
        state.play(seen.me, call)
        yield call


def _call(meld: Meld, okey: Face) -> Call:
    """A run or group as a seat would call it (OK-21)."""
    either = shapes.ambiguous(meld.tiles, okey)
    return As("group" if meld.kind == Kind.GROUP else "run", meld.tiles) if either else meld.tiles


def _left_over(seen: _Seen, mind: Mind, state: Okey101) -> float:
    """What the rack counts at the end of this turn, when everything that goes has been laid."""
    while (move := _next_lay(seen.me, mind, state)) is not None:
        state, _ = state.play(seen.me, move)
    rest = sorted(map(seen.number, state.racks[seen.me]))[:-1]
    rules, pairs = seen.view.rules, state.opened[seen.me] == "pairs"
    return sum(rest) * (rules.pairs_rack_factor if pairs else 1) if rest else rules.finish_reward


def _next_lay(seat: Seat, mind: Mind, state: Okey101) -> Action | None:
    inner = Mind(state.view(seat), state.moves(seat), lambda: state, mind.rng, mind.left)
    return _first(_lays(_Seen.of(inner), inner))


def _by_worlds(seen: _Seen, mind: Mind) -> Tile:
    """The thumb's discard, unless another surely costs less in worlds in which the hand goes on for some turns."""
    usual, *others = _tried(seen)
    fines = seen.fines()

    def costs(world: Okey101) -> Mapping[Tile, float]:
        turns = world.stock[seen.view.seats - 1 :: seen.view.seats]
        some = turns[: mind.rng.randint(len(turns) // 2, len(turns))]
        own = (_open_costs if seen.opened else _closed_costs)(seen, (usual, *others), some, world)
        gifts = _gifts(seen, (usual, *others), world)
        return {tile: own[tile] + gifts[tile] + fines.get(tile, 0) for tile in own}

    worlds = (costs(_world(mind)) for _ in trying.while_time(mind.left, WORLDS))
    return trying.preferred(usual, others, worlds, lambda world, tile: -world[tile])


def _gifts(seen: _Seen, tried: Sequence[Tile], world: Okey101) -> Mapping[Tile, float]:
    """Per discard, what it is worth to the next seat in this world, as far as that is a loss to this one."""
    after, rules = (seen.me + 1) % seen.view.seats, seen.view.rules
    share = 1 / (seen.view.seats - 1)
    if world.opened[after]:
        return {tile: SIDE_LAID * share * (natural(tile, seen.okey) in seen.wanted) for tile in tried}
    rack, bar = world.racks[after], world.bar(after, "melds")
    had = solver.best_points(rack, seen.okey)
    saved = (rules.unopened_penalty - OPENED) * share
    return {
        tile: saved * (bar > had >= bar - MOST_GAINED * seen.number(tile) and _opens(rack, tile, seen.okey, bar))
        for tile in tried
    }


def _opens(rack: Sequence[Tile], tile: Tile, okey: Face, bar: int) -> bool:
    return solver.best_points((*rack, tile), okey) >= bar


def _tried(seen: _Seen) -> list[Tile]:
    """The discards worth a thought, one of a face."""
    ranked = _ranked(seen)
    if not seen.opened:
        ranked = [*ranked[: CANDIDATES - 3], *sorted(ranked, key=lambda tile: _pairing(seen, tile))[:3]]
    return list({tile.face: tile for tile in ranked[:CANDIDATES]}.values())


def _closed_costs(seen: _Seen, tried: Sequence[Tile], draws: Sequence[Tile], world: Okey101) -> Mapping[Tile, float]:
    """Per discard, what the hand costs if it opens with some of these draws; what the side offers is one more."""
    pool = [*seen.view.rack, *draws, *world.stock[:1]]
    layout = solver.best_opening(pool, seen.okey)
    used = {tile for meld in layout.melds for tile in meld.tiles}
    costs = {}
    for tile in tried:
        rest = without(pool, (tile,))
        points = solver.best_points(rest, seen.okey) if tile in used else layout.points
        costs[tile] = _closed_cost(seen, rest, points, len(draws))
    return costs


def _closed_cost(seen: _Seen, rest: Sequence[Tile], points: int, turns: int) -> float:
    """What a hand that may open with these tiles costs: the least of opening with melds, with pairs, or not at all."""
    rules, bar, bar_pairs = seen.view.rules, seen.view.bar or 0, seen.view.bar_pairs or 0
    saved = rules.unopened_penalty - OPENED
    costs = [rules.unopened_penalty - saved * NEARLY * exp((points - bar) / 15)]
    total = sum(map(seen.number, rest))
    if points >= bar:
        costs.append(_shed(total - points, len(rest) - points / 8, turns))
    pairs = solver.most_pairs(rest, seen.okey)
    if len(pairs) >= bar_pairs:
        paired = sum(seen.number(tile) for pair in pairs for tile in pair)
        costs.append(_shed(total - paired, len(rest) - 2 * len(pairs), turns) * rules.pairs_rack_factor)
    return min(costs)


def _shed(points: float, tiles: float, turns: int) -> float:
    """What is left of so many tiles when each turn takes one away; those that were drawn are among them."""
    return max(0.0, points) * max(0.0, 1 - turns / max(1.0, tiles))


def _open_costs(seen: _Seen, tried: Sequence[Tile], draws: Sequence[Tile], world: Okey101) -> Mapping[Tile, float]:
    """Per discard, what an open hand costs when it lays what it can of these draws and throws the highest each turn."""
    pool = [*seen.view.rack, *draws]
    return {tile: _open_cost(seen, without(pool, (tile,)), len(draws)) for tile in tried}


def _open_cost(seen: _Seen, rest: Sequence[Tile], turns: int) -> float:
    loose = [tile for tile in rest if natural(tile, seen.okey) not in seen.wanted]
    if seen.opened == "melds":
        laid = solver.best_opening(loose, seen.okey).melds
        loose = list(without(loose, [tile for meld in laid for tile in meld.tiles]))
    elif seen.view.rules.pairs_opener_more_pairs:
        loose = list(without(loose, [tile for pair in solver.most_pairs(loose, seen.okey) for tile in pair]))
    kept = sorted(map(seen.number, loose))[: max(0, len(loose) - turns)]
    rules = seen.view.rules
    return sum(kept) * (rules.pairs_rack_factor if seen.opened == "pairs" else 1) if kept else rules.finish_reward


# --- hints ---


def why(mind: Mind, action: Action) -> str:
    """Why ``zor`` would play this, in one Turkish sentence that tells no more than the view does."""
    seen = _Seen.of(mind)
    match action:
        case Show():
            return f"Göstergenin eşini ilk turunda gösterirsen {-seen.view.rules.indicator_reward} puan silersin."
        case Draw():
            return _why_draw(seen, action, mind)
        case Open():
            return _why_open(seen, action)
        case Lay() if _uses(action, seen.okey):
            return "Okey elinde kalırsa pahalıya gelir; yerde bir pere giriyor."
        case Lay():
            return "Bu taş yerdeki bir pere giriyor; elinde kalırsa sayısı yazılır."
        case Swap():
            return "Bu taşla yerdeki okeyi alıyorsun; okey başka bir pere de girer."
        case Return():
            return "Yandan aldığın taşı indiremiyorsun; geri bırakınca desteden çekersin."
        case Discard(tile):
            return _why_discard(seen, Tile(tile))
    return "Şimdi yapılabilecek en iyi hamle bu."


def _why_draw(seen: _Seen, draw: Draw, mind: Mind) -> str:
    if draw.source == "side":
        return "Yandaki taşı hemen yere indirebilirsin." if seen.opened else "Yandaki taşla elini açabiliyorsun."
    if Draw("side") not in mind.moves:
        return "Yanda alınacak taş yok."
    if seen.opened:
        return "Yandaki taşı bu turda yere indiremiyorsun."
    return "Yandaki taş elini açmaya yetmiyor."


def _why_open(seen: _Seen, call: Open) -> str:
    view = seen.view
    if seen.opened:
        return "Bu taşlar birlikte yere iniyor; elinde kalırlarsa sayıları yazılır."
    if call.kind == "pairs":
        return f"{len(call.melds)} çiftin var, açmaya {view.bar_pairs} çift yetiyor."
    value = sum(_value(map(Tile, names(some)), some, seen.okey) for some in call.melds)
    if value < (view.bar or 0):
        return "Tek taş dışında elindeki her şey yere iniyor."
    return f"Perlerin {value} ediyor, baraj {view.bar}; açmadan biterse {view.rules.unopened_penalty} yazarsın."


def _value(tiles: Iterable[Tile], call: Call, okey: Face) -> int:
    meld = shapes.meld(tuple(tiles), okey, Kind(call.kind) if isinstance(call, As) else None)
    return 0 if meld is None else meld.value


def _why_discard(seen: _Seen, tile: Tile) -> str:
    face = natural(tile, seen.okey)
    if len(seen.view.rack) == 1:
        doubles = face is None and seen.view.rules.mult_okey > 1
        return "Son taşın okey: onunla bitirirsen el katlanır." if doubles else "Son taşını atınca el biter."
    if face is None or tile in seen.fines():
        return "Elindeki taşların hepsi değerli; en az bunu atmak zarar verir."
    if not prospects.ties(face, _faces(seen, tile), seen.left):
        return "Bu taş, elindeki hiçbir taşla per yolunda değil."
    if seen.opened:
        return "Elde kalan taşların sayısı yazılır; bunu şimdi atmak en az zarar verir."
    return "Bu taşı atınca açma şansın en az azalır, sağındakine de pek yaramaz."
