"""Random matches of any game, and what to print of one that fails. Knows no game by name."""

import enum
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

from hypothesis import note
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from mokali.engine import record
from mokali.engine.protocol import HOUSE, Action, Event, Game, Rules, Seat, State, ends_hand


class Step(Struct, frozen=True):
    """One action of a match, and the state on either side of it."""

    before: State
    seat: Seat
    action: Action
    events: tuple[Event, ...]
    after: State


class Match:
    """A match in progress: random legal moves of a seeded generator, and the log so far."""

    def __init__(self, game: Game, rules: Rules, seats: int, seed: int) -> None:
        self.game, self.rules, self.seats = game, rules, seats
        self.rng = Random(seed)
        self.state = record.start(game, rules, seats)
        self.log: list[tuple[Seat, Action]] = []
        self.luck: list[Action] = []

    def step(self, chosen: Action | None = None) -> Step:
        """Play on by one action: the one that is chosen for the seat on turn, or any."""
        before, seat = self.state, self.state.turn
        assert seat is not None
        if seat == HOUSE:
            self.luck = self.luck or list(before.draw_lots(self.rng))
            action = self.luck.pop(0)
        else:
            action = chosen or self.rng.choice(before.moves(seat))
        self.state, events = before.play(seat, action)
        self.log.append((seat, action))
        if ends_hand(events):
            self.luck = []
        return Step(before, seat, action, events, self.state)

    def steps(self, most: int = 100_000) -> Iterator[Step]:
        """Play to the end, or ``most`` actions."""
        for _ in range(most):
            if self.state.turn is None:
                return
            yield self.step()

    def text(self) -> str:
        """The match so far as a record."""
        return record.dumps(self.game, self.rules, self.seats, self.log)

    def __enter__(self) -> "Match":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        """A failing random match prints its record (STYLE, 5)."""
        if kind is not None:  # also pytest's own, which is no Exception
            note(self.text())


@st.composite
def matches(draw: st.DrawFn, game: Game) -> Match:
    """A match of this game before its first step: any rules, any number of seats, any luck.

    Where a table chooses how many hands it plays, one or two will do, or the fewest there are; where it chooses how
    many points are won, one of the two lowest numbers; where it chooses how many can be lost, the lowest.
    """
    rules: Any = draw(house_rules(game))
    if hasattr(rules, "hands"):
        choices = getattr(rules, "hands_choices", None) or values_of(fields(type(rules))["hands"])
        rules = replace(rules, hands=draw(st.sampled_from([n for n in choices if n <= max(2, *choices[:1])])))
    if hasattr(rules, "target"):
        rules = replace(rules, target=draw(st.sampled_from(sorted(values_of(fields(type(rules))["target"]))[:2])))
    if hasattr(rules, "start_points"):
        rules = replace(rules, start_points=min(values_of(fields(type(rules))["start_points"])))
    return Match(game, rules, draw(st.sampled_from(game.seats)), draw(st.integers(0, 2**32 - 1)))


@st.composite
def house_rules(draw: st.DrawFn, game: Game) -> Rules:
    """A preset, often with some of its fields changed."""
    preset = draw(st.sampled_from(tuple(game.rulesets.values())))
    choices = {field: values for field, kind in fields(type(preset)).items() if (values := values_of(kind))}
    changes = {
        field: draw(st.sampled_from(choices[field])) for field in draw(st.sets(st.sampled_from(sorted(choices))))
    }
    try:
        return replace(preset, **changes)
    except ValueError:  # what can't go together
        return preset


def fields(rules: type[Rules]) -> dict[str, Any]:
    """The fields of a game's rules, and their types."""
    return {field: kind for field, kind in get_type_hints(rules).items() if field in rules.__struct_fields__}


def values_of(kind: Any) -> Sequence[Any]:
    """Every value of a field's type, where they can be told one by one."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    if kind is bool:
        return (False, True)
    return tuple(kind) if isinstance(kind, enum.EnumType) else ()
