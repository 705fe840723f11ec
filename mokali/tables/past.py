"""A match that is over, rebuilt from its log: the state after any step, and the table as it then stood."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from mokali.engine import record
from mokali.engine.protocol import Event, Game, IllegalAction, Rules, State, ends_hand
from mokali.tables.table import Chair, Ended, Table
from mokali.tables.terms import Terms

KEPT: Final = 512
"""States that are kept of one match, however long it is; those between are played anew."""
BREATH: Final = 32
"""So many steps are rebuilt without giving way to others."""


class Start(Struct, frozen=True):
    """After which step a hand lies dealt, and its number."""

    step: int
    hand: int


def _on() -> None:
    """Give way to nobody."""


class Past:
    """A match from ``first`` on. Rebuilt once; ``stopped`` is why it can't be played beyond the last of ``steps``."""

    def __init__(
        self, game: Game, rules: Rules, first: State, log: record.Log, breathe: Callable[[], None] = _on
    ) -> None:
        """``log`` is without the notes of the house."""
        self.game, self.rules = game, rules
        self.starts: list[Start] = []
        self.stopped: IllegalAction | None = None
        self._every = max(1, -(-len(log) // KEPT))
        self._kept = [first]
        self.steps = log[: self._played(first, log, breathe)]

    @property
    def last(self) -> int:
        """The number of the last step; 0 is before the first."""
        return len(self.steps)

    def at(self, step: int) -> tuple[State, tuple[Event, ...]]:
        """The state after so many steps, and what the last of them made happen."""
        kept = max(0, step - 1) // self._every
        state, events = self._kept[kept], tuple[Event, ...]()
        for seat, action in self.steps[kept * self._every : step]:
            state, events = state.play(seat, action)
        return state, events

    def _played(self, state: State, log: record.Log, breathe: Callable[[], None]) -> int:
        """How many steps can be played."""
        awaited = self._begins(state, 0)
        for n, (seat, action) in enumerate(log, 1):
            try:
                state, events = state.play(seat, action)
            except IllegalAction as error:
                self.stopped = error
                return n - 1
            if n % self._every == 0:
                self._kept.append(state)
            if awaited or ends_hand(events):
                awaited = self._begins(state, n)
            if n % BREATH == 0:
                breathe()
        return len(log)

    def _begins(self, state: State, n: int) -> bool:
        """Note a hand that begins here; whether one is still awaited."""
        if state.phase in ("hand_over", "over"):
            return True
        self.starts.append(Start(n, state.view(None).hand))
        return False


def table_at(code: str, chairs: Sequence[Chair], past: Past, step: int, ended: Ended | None) -> Table:
    """The table as it stood after so many steps: all there, no clock, no help; ``ended`` counts after the last."""
    state, _ = past.at(step)
    return Table(
        id=0,
        code=code,
        opener=0,
        game=past.game,
        rules=past.rules,
        terms=Terms(assist=False),
        chairs=tuple(_seated(chair) for chair in chairs),
        state=state,
        ended=ended if step == past.last else None,
        played=step,
        logged=step,
        revision=step,
    )


def _seated(chair: Chair) -> Chair:
    """A bot where one played to the end for good; else the person, as if never away."""
    return Chair(bot=chair.bot) if chair.ceded else Chair(user=chair.user)
