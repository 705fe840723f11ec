"""Bots at work in tests: a mind without a clock, hands that they play, and what they may not look at."""

from collections.abc import Iterator, Sequence
from random import Random

from mokali.engine import record
from mokali.engine.protocol import HOUSE, Action, Game, Level, Mind, Rules, State, ends_hand


def mind(state: State, seed: int = 1) -> Mind:
    """What the seat on turn thinks with; there is always time left."""
    assert state.turn is not None
    view, rng = state.view(state.turn), Random(seed)
    return Mind(
        view=view,
        moves=state.moves(state.turn),
        imagine=lambda: type(state).imagine(view, rng),
        rng=rng,
        left=lambda: 1.0,
    )


def positions(game: Game, rules: Rules, levels: Sequence[Level], hands: int, seed: int = 1) -> Iterator[State]:
    """Every state in which a bot is on turn, while bots of these levels play so many hands; all they do is accepted."""
    rng, over = Random(seed), 0
    while over < hands:
        state, luck = record.start(game, rules, len(levels)), list[Action]()
        while state.turn is not None and over < hands:
            if state.turn == HOUSE:
                luck = luck or list(state.draw_lots(rng))
                action = luck.pop(0)
            else:
                yield state
                action = levels[state.turn].think(mind(state, rng.randrange(1_000_000)))
            state, events = state.play(state.turn, action)
            if ends_hand(events):
                over, luck = over + 1, []


def indifferent(level: Level, state: State, seed: int = 1) -> None:
    """It chooses the same in worlds that look the same to the seat on turn, and a legal action in each."""
    assert state.turn is not None
    view, rng = state.view(state.turn), Random(seed)
    chosen = level.think(mind(state))
    for _ in range(2):
        world = type(state).imagine(view, rng)
        assert level.think(mind(world)) == chosen
        world.play(state.turn, chosen)
