"""101 Okey late in a hand that does not end: twelve melds, seventeen tiles a rack, the dearest picture to draw."""

from random import Random
from typing import Any, Final

from mokali.engine import codec
from mokali.engine.protocol import Action, State
from mokali.engine.tiles import ALL_TILES
from mokali.games import BY_KEY

GAME: Final = BY_KEY["okey101"]
_RUNS: Final = [(colour, first) for colour in "RYBK" for first in (1, 5, 9)]
_RACK: Final = 17


def position() -> State:
    """Everybody has opened, and who takes the side tile need not use it: so the stock, and the hand, lasts for ever."""
    melds: list[dict[str, Any]] = [
        {"owner": n % 4, "kind": "run", "tiles": [f"{colour}{first + more}a" for more in range(3)]}
        for n, (colour, first) in enumerate(_RUNS)
    ]
    laid = {tile for meld in melds for tile in meld["tiles"]}
    free = [tile for tile in ALL_TILES if tile not in laid and tile != "R3b"]
    Random(1).shuffle(free)
    racks = [free[seat * _RACK : (seat + 1) * _RACK] for seat in range(4)]
    racks[3].pop()
    setup = {
        "dealer": 0,
        "indicator": "R3b",
        "racks": racks,
        "discards": [[], [], [], [racks[0].pop()]],
        "melds": melds,
        "opened": ["melds"] * 4,
        "opening": [101] * 4,
        "turn": 0,
        "phase": "draw",
    }
    rules = codec.convert(type(GAME.rulesets["mokali"]), {"side_must_use": False, "hands": 1})
    return GAME.state.start(rules, 4, codec.convert(GAME.setup, setup))


def choose(state: State, rng: Random) -> Action:
    """The side tile, then a discard that costs nothing, if there is one; the player computes little."""
    if state.phase == "draw":
        return codec.read_action(GAME.actions, '{"do":"draw","from":"side"}')
    assert state.turn is not None
    view: Any = state.view(state.turn)
    costly = {cost.tile for cost in view.legal.costs}
    tile = rng.choice([tile for tile in view.rack if tile not in costly] or view.rack)
    return codec.read_action(GAME.actions, f'{{"do":"discard","tile":"{tile}"}}')
