"""What chance has given in all finished matches: counted once, from the logs, and told beside what was expected."""

import re
from collections import Counter

import pytest

from mokali.engine import record
from mokali.engine.fairness import NOTES
from mokali.engine.protocol import HOUSE, Game
from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.live.watch import Watch
from mokali.store import chance, tables
from mokali.store.models import CountedRow, LineRow
from mokali.tables.table import Table
from mokali.web import luck
from mokali.web.house import House
from tests.web.prepared import written
from tests.web.test_shuffle import BASE, WHOLE, finished

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


def sums(game: Game) -> dict[tuple[int, str, int], tuple[int, int, float]]:
    """By number of seats, kind and seat: how often it was counted and came, and what was expected."""
    return {
        (seats, one.what, one.seat): (one.times, one.count, round(one.mean, 6))
        for seats, some in chance.tallies(game.key).items()
        for one in some
    }


def by_hand(table: Table) -> Counter[tuple[str, int]]:
    """What was dealt in a match, from its log alone."""
    found: Counter[tuple[str, int]] = Counter()
    state = record.start(table.game, table.rules, len(table.chairs))
    for seat, action in tables.log(table.id):
        if not isinstance(action, NOTES):
            state, _ = state.play(seat, action)
            if seat == HOUSE:
                for stroke in table.game.strokes(action, state):
                    found[stroke.what, stroke.seat] += stroke.count
    return found


@every_game
def test_a_match_is_counted_once(app: House, game: Game) -> None:
    chance.owe()
    table = finished(game).table
    assert chance.count(10) == 1
    first = sums(game)
    assert {(what, seat): count for (_, what, seat), (_, count, _) in first.items()} == by_hand(table)
    assert {seat for _, _, seat in first} == set(range(len(table.chairs)))
    chance.owe()
    assert chance.count(10) == 0
    chance._settle(table.id)  # as another worker that was at it too
    assert sums(game) == first


def test_the_dice_are_those_of_the_engines_own_tally(app: House) -> None:
    table = finished(BY_KEY["tavla"]).table
    chance.owe()
    chance.count()
    assert table.state is not None
    throws = table.state.view(None).throws
    found = sums(table.game)
    assert [found[2, "doubles", seat][:2] for seat in (0, 1)] == [(one.count, one.doubles) for one in throws]


def test_only_finished_matches_count_and_none_is_asked_for_twice(app: House) -> None:
    game = BY_KEY["pisti"]
    chance.owe()
    running = written(game, 2, 1, 10, door.now()).table
    assert chance.count(5) == 0
    assert chance.count(5) == 0
    tables.close_unreadable(running.id)
    for seed in (3, 4, 5):
        finished(game, seed)
    assert [chance.count(2), chance.count(2), chance.count(2)] == [2, 2, 0]
    assert CountedRow.select().count() == 4
    assert {times for times, _, _ in sums(game).values()} == {
        sum("deal" in line.action for line in LineRow.select().where(LineRow.table != running.id)),
    }


def test_a_log_that_can_not_be_read_to_its_end_counts_as_far_as_it_goes(app: House) -> None:
    game = BY_KEY["pisti"]
    table = finished(game).table
    LineRow.update(action="{").where(LineRow.table == table.id, LineRow.n == 10).execute()
    chance.owe()
    assert chance.count() == 1
    assert {times for times, _, _ in sums(game).values()} == {1}


def test_the_watch_counts_by_itself(app: House) -> None:
    finished(BY_KEY["batak"])
    chance.owe()
    finished(BY_KEY["batak"], 4)
    Watch().tally()
    assert sums(BY_KEY["batak"])
    assert chance.count() == 0


@every_game
def test_the_page_tells_every_seat(app: House, game: Game) -> None:
    for seats in {game.seats[0], game.seats[-1]}:
        written(game, seats, 70 + seats, WHOLE, door.now())
    chance.owe()
    answer = app.test_client().get(f"/sans?oyun={game.key}", base_url=BASE)
    assert answer.status_code == 200
    told = re.findall(
        r'<th scope="row">([^<]+) <small class="(?:usual|odd)">(olağan|beklenenden \w+)</small>', answer.text
    )
    assert len(told) == len(sums(game))
    assert answer.text.count("<figure") == len({(seats, what) for seats, what, _ in sums(game)})


def test_before_the_first_match_the_page_says_so(app: House) -> None:
    for query in ("", "?oyun=tavla", "?oyun=yok"):
        text = app.test_client().get(f"/sans{query}", base_url=BASE).text
        assert "henüz biten maç yok" in text


def test_verdicts_are_those_of_the_band() -> None:
    assert luck.row("a", 100, 100, 100).verdict == "olağan"
    assert luck.row("a", 120, 100, 100).verdict == "beklenenden çok"
    assert luck.row("a", 80, 100, 100).verdict == "beklenenden az"
    assert luck.row("a", 119, 100, 100).between == "80,4 – 119,6"
    assert luck.band(1, 4)[0] == 0
