"""What comes of openings and discards of 101 Okey in worlds that look like this one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Final

from mokali.engine import melds as shapes
from mokali.engine import prospects, solver, trying
from mokali.engine.melds import Kind, Meld
from mokali.engine.protocol import Action, IllegalAction, Mind, Seat
from mokali.engine.tileplay import without
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101 import assist
from mokali.games.okey101.bots.seen import Seen, world
from mokali.games.okey101.bots.thumbs import counting, harmless
from mokali.games.okey101.bots.turn import first, lays
from mokali.games.okey101.calls import As, Call, Open
from mokali.games.okey101.state import Okey101

WORLDS: Final = 40
"""In how many worlds ``zor`` tries a discard where time allows."""
CANDIDATES: Final = 8
"""How many discards it tries: those that are worth least to the rack."""
WAITING: Final = 0.07
"""What it costs in points, before opening, to lose what a tile is worth to the rack, ..."""
IN_A_MELD: Final = 70
"""... and what more where it lies in a meld."""
OPENED: Final = 10
"""What a seat pays in the end that is open, more or less: few tiles, or the reward for finishing."""
SIDE_LAID: Final = 10
"""What the next seat gains by a side tile that it can lay off."""
MOST_GAINED: Final = 4
"""No tile brings a rack more points than so many times its number, or hardly ever."""


def opened(seen: Seen, mind: Mind) -> Action | None:
    """Of all openings the one after which least is left in the rack, once everything that goes has gone."""
    if seen.opened or seen.view.phase != "play":
        return None
    state = world(mind)
    options = [move for move in mind.moves if isinstance(move, Open)] + list(_longest(seen, state))
    costs = {option: _left_over(seen, mind, state.play(seen.me, option)[0]) for option in options}
    return prospects.cheapest(costs) if costs else None


def _longest(seen: Seen, state: Okey101) -> Iterator[Open]:
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


def _left_over(seen: Seen, mind: Mind, state: Okey101) -> float:
    """What the rack counts at the end of this turn, when everything that goes has been laid."""
    while (move := _next_lay(seen.me, mind, state)) is not None:
        state, _ = state.play(seen.me, move)
    rest = sorted(map(seen.number, state.racks[seen.me]))[:-1]
    rules, pairs = seen.view.rules, state.opened[seen.me] == "pairs"
    return sum(rest) * (rules.pairs_rack_factor if pairs else 1) if rest else rules.finish_reward


def _next_lay(seat: Seat, mind: Mind, state: Okey101) -> Action | None:
    inner = Mind(state.view(seat), state.moves(seat), lambda: state, mind.rng, mind.left)
    return first(lays(Seen.of(inner), inner))


def by_worlds(seen: Seen, mind: Mind) -> Tile:
    """The discard worth least to the rack, unless another surely costs less in worlds like this one.

    Not yet open, that weighs what the next seat gets against the worth; once open, against how the hand goes on.
    """
    worth, fines = counting(seen), seen.fines()
    tried = _tried(seen, worth)
    closed = {tile: _lost(*worth(tile)) for tile in tried}

    def costs(world: Okey101) -> Mapping[Tile, float]:
        gifts = _gifts(seen, tried, world)
        own = _open_costs(seen, tried, _draws(world, mind.rng)) if seen.opened else closed
        return {tile: own[tile] + gifts[tile] + fines.get(tile, 0) for tile in tried}

    worlds = (costs(world(mind)) for _ in trying.while_time(mind.left, WORLDS))
    return trying.preferred(tried[0], tried, worlds, lambda world, tile: -world[tile])


def _draws(world: Okey101, rng: Random) -> Sequence[Tile]:
    """What the seat to act draws in this world, until the hand ends at some time in the second half of its turns."""
    turns = world.stock[world.seats - 1 :: world.seats]
    return turns[: rng.randint(len(turns) // 2, len(turns))]


def _gifts(seen: Seen, tried: Sequence[Tile], world: Okey101) -> Mapping[Tile, float]:
    """Per discard, what it is worth to the next seat in this world, as far as that is a loss to this one."""
    after, rules = (seen.me + 1) % seen.view.seats, seen.view.rules
    share = 1 / (seen.view.seats - 1)
    if world.opened[after]:
        return {tile: SIDE_LAID * share * (natural(tile, seen.okey) in seen.wanted) for tile in tried}
    saved, bar = (rules.unopened_penalty - OPENED) * share, world.bar(after, "melds")
    rack, had = _grown(world, after, bar)
    return {
        tile: saved * (bar > had >= bar - MOST_GAINED * seen.number(tile) and _opens(rack, tile, seen.okey, bar))
        for tile in tried
    }


def _grown(world: Okey101, seat: Seat, bar: int) -> tuple[Sequence[Tile], int]:
    """A rack as it is after turns in which loose tiles went: with a tile more of the stock for each; and its points.

    Where that would have opened, the rack as it was dealt.
    """
    rack, turns = world.racks[seat], len(world.piles[seat])
    grown = (*rack, *world.stock[-turns:]) if turns else rack
    had = solver.best_points(grown, world.okey)
    return (grown, had) if had < bar else (rack, solver.best_points(rack, world.okey))


def _opens(rack: Sequence[Tile], tile: Tile, okey: Face, bar: int) -> bool:
    return solver.best_points((*rack, tile), okey) >= bar


def _tried(seen: Seen, worth: Callable[[Tile], tuple[bool, float]]) -> list[Tile]:
    """The discards worth a thought, one of a face, the usual one first; among equals a low one, which opens nobody."""
    liked = sorted(harmless(seen), key=lambda tile: (worth(tile), seen.number(tile)))
    return list({tile.face: tile for tile in liked}.values())[:CANDIDATES]


def _lost(kept: bool, worth: float) -> float:
    """What a discard costs a rack that is not yet open, in points."""
    return IN_A_MELD * kept + WAITING * worth


def _open_costs(seen: Seen, tried: Sequence[Tile], draws: Sequence[Tile]) -> Mapping[Tile, float]:
    """Per discard, what an open hand costs when it lays what it can of these draws and throws the highest each turn."""
    pool = [*seen.view.rack, *draws]
    return {tile: _open_cost(seen, without(pool, (tile,)), len(draws)) for tile in tried}


def _open_cost(seen: Seen, rest: Sequence[Tile], turns: int) -> float:
    loose = [tile for tile in rest if natural(tile, seen.okey) not in seen.wanted]
    if seen.opened == "melds":
        laid = solver.best_opening(loose, seen.okey).melds
        loose = list(without(loose, [tile for meld in laid for tile in meld.tiles]))
    elif seen.view.rules.pairs_opener_more_pairs:
        loose = list(without(loose, [tile for pair in solver.most_pairs(loose, seen.okey) for tile in pair]))
    kept = sorted(map(seen.number, loose))[: max(0, len(loose) - turns)]
    rules = seen.view.rules
    return sum(kept) * (rules.pairs_rack_factor if seen.opened == "pairs" else 1) if kept else rules.finish_reward
