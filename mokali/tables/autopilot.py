"""What a table needs whose alarm has rung. Decides nothing: its answers are commands like any other."""

from random import Random

from msgspec import Struct

from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE, Seat
from mokali.tables.table import AutoAct, Begin, Close, Command, SealLuck, Table, Why, alarm, bot_at, deserted


class Thought(Struct, frozen=True):
    """No command: a bot of this level is to think for its seat, and what it finds is played as ``AutoAct``."""

    seat: Seat
    level: str
    played: int


def errand(table: Table, now: int, rng: Random) -> Command | Thought | None:
    """The one thing to do at ``now``; None where the alarm was early or late."""
    due = alarm(table)
    if due is None or now < due:
        return None
    if deserted(table, now):
        return Close(Why.VACANT)
    if table.state is None:
        fresh = record.start(table.game, table.rules, len(table.chairs))
        return Begin(fresh.draw_lots(rng), _salt(rng))
    turn = table.state.turn
    if turn != HOUSE:
        level = bot_at(table, turn)
        return None if turn is None or level is None else Thought(turn, level, table.played)
    if table.luck is None:
        return SealLuck(table.state.draw_lots(rng), _salt(rng), table.played)
    return AutoAct(HOUSE, codec.read_action(table.game.lots, table.luck.lots[0]), table.played)


def _salt(rng: Random) -> str:
    return f"{rng.getrandbits(128):032x}"
