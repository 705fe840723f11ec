"""Every action of whole matches at the one door: sent twice, late, early and by others, it is done once (RL-26)."""

from collections.abc import Callable
from random import Random

import pytest

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import Common, Game, IllegalAction
from mokali.games import GAMES
from mokali.live import door
from mokali.store import tables
from mokali.tables.table import Act, Ask, AutoAct, Command, No, Ready, Refused, Table, Why
from tests.web.near import dealt, on_turn, rows_of, served
from tests.web.seat import fresh

STRANGER = 10_000
pytestmark = pytest.mark.usefixtures("db")


def refusal(table_id: int, command: Command) -> str:
    """Why not; what is not refused is a failure."""
    try:
        door.submit(table_id, command)
    except Refused as refused:
        return str(refused.reason)
    except IllegalAction as illegal:
        return str(illegal.reason)
    raise AssertionError(f"done: {command}")


@pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])
def test_rl_26_every_action_twice_late_and_by_the_wrong_seat(game: Game, rounds: Callable[[int, int], int]) -> None:
    for seed in range(rounds(10, 1_000)):
        _match(game, Random(seed))


def _match(game: Game, rng: Random) -> None:
    """A match to its end, or 250 actions of it: each is tried in every wrong way before and after."""
    table, persons, _ = dealt(game, rng, base=fresh())
    done: list[Act] = []
    while table.state is not None and table.ended is None and len(done) < 250:
        turn, me = table.state.turn, on_turn(table)
        assert turn is not None
        act = Act(me, rng.choice(table.state.moves(turn)), table.played)
        others = [person.id for person in persons if person.id != me]
        wrong: list[tuple[Command, tuple[str, ...]]] = [
            *((Act(other, act.action, act.played), (Common.NOT_YOUR_TURN,)) for other in others),
            (Act(STRANGER, act.action, act.played), (No.NOT_SEATED,)),
            (Act(me, act.action, act.played + 1), (No.STALE,)),
            (Act(me, act.action, act.played - 1), (No.STALE,)),
            (AutoAct(turn, act.action, act.played - 1), (No.STALE,)),
        ]
        _refused(table.id, wrong)
        door.submit(table.id, act)
        late: list[Command] = [act, *rng.sample(done, min(2, len(done))), AutoAct(turn, act.action, act.played)]
        _refused(table.id, [(command, (No.STALE, No.TABLE_CLOSED)) for command in late])
        done.append(act)
        table = _next_hand(served(table.id, rng), rng)
    log = tables.log(table.id)
    assert sum(seat >= 0 for seat, _ in log) == len(done), "each stands in the log once"
    assert [action for seat, action in log if seat >= 0] == [act.action for act in done]
    assert table.ended is None or table.ended.why == Why.FINISHED
    assert table.ended is None or fairness.broken(log, game.lots) is None
    assert codec.encode(record.resume(game, table.rules, len(persons), log)) == codec.encode(table.state)


def _refused(table_id: int, wrong: list[tuple[Command, tuple[str, ...]]]) -> None:
    """All of these are refused with one of these reasons, and not a row has changed."""
    before = rows_of(table_id)
    for command, reasons in wrong:
        assert refusal(table_id, command) in reasons, command
    assert rows_of(table_id) == before


def _next_hand(table: Table, rng: Random) -> Table:
    """Out of the pause between two hands, where there is one."""
    while table.state is not None and table.ended is None and (table.state.turn is None or table.state.turn < 0):
        for chair in table.chairs:
            if chair.user is not None:
                door.submit(table.id, Ask(chair.user, Ready()))
        table = served(table.id, rng)
    return table
