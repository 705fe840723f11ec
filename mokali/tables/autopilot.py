"""What a table needs whose alarm has rung. Decides nothing: its answers are commands like any other."""

from random import Random

from msgspec import Struct

from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE, Seat
from mokali.tables.table import AutoAct, Begin, Close, Command, SealLuck, Table, Why, alarm, bot_at, deserted


class Thought(Struct, frozen=True):
    """A bot of this level is to think for its seat; what it finds is played as ``AutoAct``."""

    seat: Seat
    level: str
    played: int


def errand(table: Table, now: int, rng: Random) -> Command | None:
    """The one thing to do at ``now``; None where the alarm was early or late."""
    due = alarm(table)
    if due is None or now < due:
        return None
    if deserted(table, now):
        return Close(Why.VACANT)
    if table.state is None:
        fresh = record.start(table.game, table.rules, len(table.chairs))
        return Begin(fresh.draw_lots(rng), _salt(rng))
    if table.state.turn != HOUSE:
        return None
    if table.luck is None:
        return SealLuck(table.state.draw_lots(rng), _salt(rng), table.played)
    return AutoAct(HOUSE, codec.read_action(table.game.lots, table.luck.lots[0]), table.played)


def thought(table: Table, now: int) -> Thought | None:
    """Which bot is to think at ``now``, if one is."""
    due, turn = alarm(table), None if table.state is None else table.state.turn
    level = bot_at(table, turn)
    if due is None or now < due or turn is None or level is None:
        return None
    return Thought(turn, level, table.played)


def _salt(rng: Random) -> str:
    return f"{rng.getrandbits(128):032x}"
