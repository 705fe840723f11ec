"""A turn of 101 Okey as every bot plays it: show, draw, lay whatever goes, discard."""

from collections.abc import Callable, Iterator

from mokali.engine.protocol import Action, Mind
from mokali.engine.tileplay import Discard, Draw, Show
from mokali.engine.tiles import Tile
from mokali.games.okey101.bots.seen import Seen, uses, world
from mokali.games.okey101.calls import Open
from mokali.games.okey101.hand import Return
from mokali.games.okey101.laying import Lay, Swap


def first(moves: Iterator[Action]) -> Action | None:
    return next(moves, None)


def shown(mind: Mind) -> Action | None:
    """Who holds the indicator's twin shows it."""
    return next((move for move in mind.moves if isinstance(move, Show)), None)


def from_stock(mind: Mind) -> Action | None:
    return next((move for move in mind.moves if move == Draw("stock")), None)


def drawn(mind: Mind, takes: Callable[[Mind], bool]) -> Action | None:
    """The side tile where ``takes`` says so, else the stock."""
    stock = from_stock(mind)
    if stock is None:
        return None
    side = Draw("side")
    return side if side in mind.moves and takes(mind) else stock


def goes_down(mind: Mind) -> bool:
    """Whether the side tile is laid in this turn: who is not yet open takes only what opens, in whatever way."""
    state = world(mind)
    assert state.mover is not None
    taken, _ = state.play(state.mover, Draw("side"))
    assert taken.new is not None
    return any(uses(move, taken.new.face) for move in taken.moves(state.mover))


def plain_lays(seen: Seen, mind: Mind) -> Iterator[Action]:
    """Openings and melds, then single tiles that fit; an okey stays."""
    yield from (move for move in mind.moves if isinstance(move, Open))
    yield from (move for move in mind.moves if isinstance(move, Lay) and not uses(move, seen.okey))


def lays(seen: Seen, mind: Mind) -> Iterator[Action]:
    """All that goes to the table, in order: what the side tile obliges to, melds, tiles, swaps, and okeys last."""
    owed = Tile(seen.view.new).face if seen.view.duty and seen.view.new else None
    if owed is not None:
        yield from (move for move in mind.moves if uses(move, owed))
    yield from plain_lays(seen, mind)
    if len(seen.view.rack) == 1 or seen.wanted:  # the okey finishes, or is laid off again: it would count 101 (OK-60)
        yield from (move for move in mind.moves if isinstance(move, Swap))
    yield from (move for move in mind.moves if isinstance(move, Lay))


def ended(mind: Mind, chosen: Callable[[Seen, Mind], Tile]) -> Action:
    """The discard; where a side tile stands in its way, that goes back."""
    seen = Seen.of(mind)
    if any(isinstance(move, Discard) for move in mind.moves):
        return Discard(chosen(seen, mind))
    return next((move for move in mind.moves if isinstance(move, Return)), mind.moves[0])
