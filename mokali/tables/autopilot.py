"""What a table needs whose alarm has rung. Decides nothing: its answers are commands like any other."""

from random import Random

from msgspec import Struct

from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE, Action, Seat, State
from mokali.tables import lessons
from mokali.tables.clock import bot_due, deserted, forfeits, house_due, ran_out, wants_bot
from mokali.tables.table import AutoAct, Begin, Close, Command, Forfeit, SealLuck, StandIn, Table, Why, bot_at


class Thought(Struct, frozen=True):
    """A bot of this level is to think for its seat; what it finds is played as ``AutoAct``."""

    seat: Seat
    level: str
    played: int


def errand(table: Table, now: int, rng: Random) -> Command | None:
    """The one thing to do at ``now``; None where the alarm was early or late, or a bot is to think."""
    if table.ended is not None:
        return None
    if deserted(table, now):
        return Close(Why.VACANT)
    if (lost := forfeits(table, now)) is not None:
        return Forfeit(lost)
    if (seat := wants_bot(table, now)) is not None:
        return StandIn(seat)
    due = house_due(table)
    if due is not None and now >= due:
        return _of_the_house(table, rng)
    due, step = bot_due(table), lessons.wanted(table)
    if due is not None and now >= due and step is not None and step.action is not None:
        return AutoAct(step.seat, step.action, table.played)
    if table.state is not None and (late := ran_out(table, now)) is not None:
        return AutoAct(late, table.state.idle(late), table.played)
    return None


def thought(table: Table, now: int) -> Thought | None:
    """Which bot is to think at ``now``, if one is."""
    due, turn = bot_due(table), None if table.state is None else table.state.turn
    level = bot_at(table, turn)
    if table.ended is not None or due is None or now < due or turn is None or level is None:
        return None
    if lessons.wanted(table) is not None:  # what this bot plays stands there
        return None
    return Thought(turn, level, table.played)


def _of_the_house(table: Table, rng: Random) -> Command:
    if table.state is None:
        fresh = record.start(table.game, table.rules, len(table.chairs), lessons.setup(table))
        return Begin(_lots(table, fresh, rng), _salt(rng))
    if table.luck is None:
        return SealLuck(_lots(table, table.state, rng), _salt(rng), table.played)
    return AutoAct(HOUSE, codec.read_action(table.game.lots, table.luck.lots[0]), table.played)


def _lots(table: Table, state: State, rng: Random) -> tuple[Action, ...]:
    told = lessons.luck(table, state)
    return state.draw_lots(rng) if told is None else told


def _salt(rng: Random) -> str:
    return f"{rng.getrandbits(128):032x}"
