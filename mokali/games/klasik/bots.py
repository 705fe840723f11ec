"""Bots of Klasik Okey: a beginner, one that plays by rules of thumb, and one that tries all that may come next."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from mokali.engine import prospects, solver
from mokali.engine.complete import COMPLETE, PAIRS
from mokali.engine.protocol import Action, Level, Mind
from mokali.engine.tileplay import Discard, Draw, Show, without
from mokali.engine.tiles import FALSE_OKEY, Face, Tile, natural
from mokali.games.klasik import assist
from mokali.games.klasik.sight import KlasikView
from mokali.games.klasik.state import Finish, Klasik

CANDIDATES: Final = 7
"""How many discards ``zor`` tries: those that the thumb likes best."""
TILE: Final = 0.33
"""What a tile in melds after the next draw weighs, for each copy that may come, against the thumb's count of ties."""
COMPLETED: Final = 3
"""How many tiles a hand that is complete counts more."""
GIFT: Final = 0.5
"""What it weighs for each way in which the next seat may use a discard."""
ENOUGH: Final = 0.1
"""Seconds that it leaves unspent."""


def kolay(mind: Mind) -> Action:
    """A beginner of good will: draws from the stock, keeps melds, throws any other tile; finishes when it can."""
    seen = _Seen.of(mind)
    return _shown(mind) or _drawn(seen, mind, _finishes_now) or _finished(seen, mind) or Discard(_any(seen, mind))


def orta(mind: Mind) -> Action:
    """Plays by rules of thumb."""
    seen = _Seen.of(mind)
    return _shown(mind) or _drawn(seen, mind, _helps) or _finished(seen, mind) or Discard(_ranked(seen)[0])


def zor(mind: Mind) -> Action:
    """The same, but tries its discards with every tile that may come next, and gives the next seat less."""
    seen = _Seen.of(mind)
    return _shown(mind) or _drawn(seen, mind, _helps) or _finished(seen, mind) or Discard(_by_draws(seen, mind))


BOTS: Final = {"kolay": Level(kolay), "orta": Level(orta), "zor": Level(zor, seconds=0.8)}


class _Seen(Struct, frozen=True):
    """A view as bots ask it."""

    view: KlasikView
    okey: Face
    rack: tuple[Tile, ...]
    left: Mapping[Face, int]
    """Copies that may still come, by natural face."""
    paired: bool
    """Whether the hand is on its way to seven pairs."""

    @classmethod
    def of(cls, mind: Mind) -> "_Seen":
        view = mind.view
        assert isinstance(view, KlasikView)
        assert view.okey is not None
        assert view.indicator is not None
        piles = [face for pile in view.seen for face in pile]
        others = [face for seat, known in enumerate(view.known) if seat != view.seat for face in known]
        visible = [view.indicator, *piles, *others, *(tile.face for tile in view.rack)]
        left = prospects.unseen(visible, view.okey)
        return cls(view, view.okey, view.rack, left, _for_pairs(view.rack, view.okey))

    def faces(self, less: Tile) -> set[Face]:
        """The natural faces of the rack without one tile."""
        return {face for tile in self.rack if tile != less and (face := natural(tile, self.okey)) is not None}


def _for_pairs(rack: tuple[Tile, ...], okey: Face) -> bool:
    """Rule of thumb: five pairs are the way to seven, unless melds are nearer."""
    pairs = len(assist.pairs(rack, okey))
    return pairs >= PAIRS - 2 and COMPLETE - assist.near(rack, okey) > PAIRS - pairs + 2


# --- a turn ---


def _shown(mind: Mind) -> Action | None:
    """Who holds the indicator's twin shows it (KL-16)."""
    return next((move for move in mind.moves if isinstance(move, Show)), None)


def _drawn(seen: _Seen, mind: Mind, good: Callable[[_Seen, Tile], bool]) -> Action | None:
    """The side tile where it is good, else the stock; None where there is nothing to draw."""
    stock, side = Draw("stock"), Draw("side")
    if stock not in mind.moves:
        return None
    if side not in mind.moves:
        return stock
    world = _world(mind)
    assert world.side is not None
    return side if good(seen, world.side) else stock


def _finishes_now(seen: _Seen, side: Tile) -> bool:
    """Whether the hand is complete with this tile."""
    finishes = assist.finishes((*seen.rack, side), seen.okey)
    return bool(finishes.melds or finishes.pairs)


def _helps(seen: _Seen, side: Tile) -> bool:
    """Rule of thumb: take what goes into a meld at once, or makes a pair where pairs are wanted; okeys always."""
    rack = (*seen.rack, side)
    if side.face == seen.okey or _finishes_now(seen, side):
        return True
    if seen.paired:
        return len(assist.pairs(rack, seen.okey)) > len(assist.pairs(seen.rack, seen.okey))
    return assist.near(rack, seen.okey) > assist.near(seen.rack, seen.okey)


def _finished(seen: _Seen, mind: Mind) -> Action | None:
    """The finish, with an okey where that is possible: it doubles (KL-13)."""
    moves = [move for move in mind.moves if isinstance(move, Finish)]
    return next((move for move in moves if Tile(move.tile).face == seen.okey), moves[0] if moves else None)


def _world(mind: Mind) -> Klasik:
    state = mind.imagine()
    assert isinstance(state, Klasik)
    return state


# --- discards by thumb ---


def _loose(seen: _Seen) -> list[Tile]:
    """What lies in no meld, or in no pair where pairs are wanted; never an okey."""
    plain = [tile for tile in seen.rack if tile.face != seen.okey]
    if seen.paired:
        kept = [tile for pair in assist.pairs(seen.rack, seen.okey) for tile in pair]
        return [tile for tile in plain if tile not in kept] or plain
    return [tile for tile in assist.loose(seen.rack, seen.okey) if tile in plain] or plain


def _any(seen: _Seen, mind: Mind) -> Tile:
    loose = [tile for tile in assist.loose(seen.rack, seen.okey) if tile.face != seen.okey]
    return mind.rng.choice(loose or _loose(seen))


def _ranked(seen: _Seen) -> list[Tile]:
    """The discards as the thumb likes them, the best first."""
    return sorted(_loose(seen), key=lambda tile: _worth(seen, tile))


def _worth(seen: _Seen, tile: Tile) -> float:
    """Rule of thumb: keep what waits for many tiles, or for a twin that may still come where pairs are wanted; among
    equals throw the tile that is of least use to the next seat.
    """
    face = natural(tile, seen.okey)
    if face is None:
        return 1000
    ties = seen.left[face] if seen.paired else prospects.ties(face, seen.faces(tile), seen.left, high_one=True)
    return ties + _lure(seen, tile) / 100


def _lure(seen: _Seen, tile: Tile) -> float:
    """In how many ways the next seat may use a tile: all that is unseen may be in its rack."""
    face = natural(tile, seen.okey)
    return 100 if face is None else prospects.appeal(face, seen.left, high_one=True)


# --- discards by what may come ---


def _by_draws(seen: _Seen, mind: Mind) -> Tile:
    """The discard that leaves most: in melds after the next draw, waiting beyond it, and least to the next seat."""
    tried = list({tile.face: tile for tile in _ranked(seen)[:CANDIDATES]}.values())
    if len(tried) == 1 or seen.paired:
        return tried[0]
    costs = {tile: _worth(seen, tile) + GIFT * _lure(seen, tile) for tile in tried}
    for copies, tile in _comers(seen, mind):
        for discard, lost in _lost(seen, tile, tried):
            costs[discard] += TILE * copies * lost
    return prospects.cheapest(costs)


def _comers(seen: _Seen, mind: Mind) -> Iterator[tuple[int, Tile]]:
    """Every tile that may come, one of a face, and how many of them; until time is up."""
    for face, copies in seen.left.items():
        physical = FALSE_OKEY if face == seen.okey else face
        free = [tile for tile in (Tile(f"{physical}a"), Tile(f"{physical}b")) if tile not in seen.rack]
        if copies and free:
            yield copies, free[0]
        if mind.left() < ENOUGH:
            return


def _lost(seen: _Seen, comer: Tile, tried: Sequence[Tile]) -> Iterator[tuple[Tile, int]]:
    """Which discards cost something when this tile comes, and how many tiles in melds."""
    pool = (*seen.rack, comer)
    layout = solver.most_tiles(pool, seen.okey, run_high_one=True)
    used = {tile for laid in layout.melds for tile in laid.tiles}
    if comer in used:
        for tile in used.intersection(tried):
            less = solver.tiles_in_melds(without(pool, (tile,)), seen.okey, run_high_one=True)
            yield tile, _counted(layout.tiles) - _counted(less)


def _counted(tiles: int) -> int:
    return tiles + COMPLETED * (tiles >= COMPLETE)


# --- hints ---


def why(mind: Mind, action: Action) -> str:
    """Why ``zor`` would play this, in one Turkish sentence that tells no more than the view does."""
    seen = _Seen.of(mind)
    match action:
        case Show():
            return f"Göstergenin eşini ilk turunda gösterirsen ötekiler {seen.view.cost} puan kaybeder."
        case Draw("side"):
            return _why_side(seen, mind)
        case Draw():
            nothing = Draw("side") not in mind.moves
            return "Yanda alınacak taş yok." if nothing else "Desteden bundan iyisi gelebilir."
        case Finish(tile) if Tile(tile).face == seen.okey:
            return "Okeyle bitirirsen ötekilerin kaybı ikiye katlanır."
        case Finish():
            return "Öbür 14 taşın tamam: elini bitirebilirsin."
        case Discard(tile):
            return _why_discard(seen, Tile(tile))
    return "Şimdi yapılabilecek en iyi hamle bu."


def _why_side(seen: _Seen, mind: Mind) -> str:
    side = _world(mind).side
    assert side is not None
    if side.face == seen.okey:
        return "Yandaki taş okey: her yere girer."
    if _finishes_now(seen, side):
        return "Yandaki taş elini tamamlıyor."
    if _helps(seen, side):
        return "Yandaki taş elindekilerle hemen bir araya geliyor."
    return "Yandaki taş elindekilerle iyi gidiyor."


def _why_discard(seen: _Seen, tile: Tile) -> str:
    face = natural(tile, seen.okey)
    if face is None:
        return "Elindeki taşların hepsi değerli; en az bunu atmak zarar verir."
    if seen.paired:
        gone = not seen.left[face]
        return "Bu taşın eşi artık gelmez." if gone else "Çifte gidiyorsun; bu taşın eşi daha zor gelir."
    if not prospects.ties(face, seen.faces(tile), seen.left, high_one=True):
        return "Bu taş, elindeki hiçbir taşla per yolunda değil."
    return "Öbür taşların per olmaya bundan daha yakın."
