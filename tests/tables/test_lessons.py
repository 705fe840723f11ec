"""Lessons: every game has one, it is a legal record, and an ordinary table plays it to its end and refuses the rest."""

from importlib.resources import files
from random import Random

import pytest
from msgspec.structs import replace

from mokali.engine import codec, record
from mokali.engine.protocol import HOUSE, Game, IllegalAction
from mokali.games import BY_KEY, GAMES
from mokali.games.okey101.calls import Open
from mokali.tables import lessons
from mokali.tables.lessons import Lesson
from mokali.tables.table import Act, Chair, No, Read, Refused
from mokali.tables.terms import Terms
from tests.seated import Room, waiting


def guided(game: Game) -> tuple[Room, Lesson]:
    """A table that follows this game's lesson; nobody has done anything yet."""
    lesson = lessons.of(game)
    terms = Terms(kind="practice", lesson=lesson.mark, listed=False, pause_seconds=0)
    table = waiting(lesson.seats, 1, game, lesson.rules, terms)
    bots = (Chair(bot="kolay"),) * (lesson.seats - 1)
    return Room(replace(table, chairs=(Chair(1), *bots), ready=(0,))), lesson


def go_on(room: Room) -> bool:
    """One step of the lesson, as its person and the watch would take it; False where it is over."""
    step = lessons.current(room.table)
    if step is None:
        return False
    if step.action is None:
        assert room.serve(Random(1)) == [], "nobody plays while something is to be read"
        room.ask(1, Read(room.table.step))
    elif step.seat == lessons.PUPIL:
        room.do(Act(1, step.action, room.table.played))
    else:
        at = room.table.step
        room.serve(Random(1))
        assert room.table.step > at
    return True


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_lesson_is_a_record_and_claims_what_is_true(game: Game) -> None:
    text = files(f"mokali.games.{game.key}").joinpath(lessons.FILE).read_text("utf-8")
    lesson = record.read(text)
    assert lesson.header.game == game.key
    assert record.replay(lesson, game, Random(1)).failures == ()
    claims = [line.step["expect"] for line in lesson.lines if "expect" in line.step]
    assert sum(map(bool, claims)) >= len(claims) // 2


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_table_plays_a_lesson_to_its_end_and_refuses_other_moves(game: Game) -> None:
    room, lesson = guided(game)
    room.serve(Random(1))
    moves = other = 0
    while (step := lessons.current(room.table)) is not None:
        state = room.table.state
        assert state is not None
        if step.action is not None and step.seat == lessons.PUPIL:
            moves += 1
            before = room.table
            for action in state.moves(lessons.PUPIL):
                if lessons._alike(action) != lessons._alike(step.action):
                    with pytest.raises(Refused, match=No.LESSON):
                        room.do(Act(1, action, room.table.played))
                    other += 1
                    break
            assert room.table is before
        assert go_on(room)
    assert 6 <= moves <= 14
    assert other >= moves // 2
    assert room.table.step == len(lesson.steps) - 1
    assert lessons.told(room.table) == lesson.steps[-1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_after_its_lesson_a_table_is_played_on_like_any_other(game: Game) -> None:
    room, _ = guided(game)
    room.serve(Random(1))
    while go_on(room):
        pass
    state = room.table.state
    assert state is not None
    if room.table.ended is None and state.turn not in (None, HOUSE):
        assert not lessons.running(room.table)
        if state.turn == lessons.PUPIL:
            room.do(Act(1, state.moves(lessons.PUPIL)[0], room.table.played))
        else:
            assert room.serve(Random(1)) == [], "from here on bots think for themselves"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_move_of_a_lesson_is_commented(game: Game) -> None:
    steps = lessons.of(game).steps
    own = [step for step in steps if step.seat == lessons.PUPIL]
    assert all(step.note for step in own)
    assert 12 <= len(own) <= 30
    assert all(len(step.note) <= 230 and step.note.endswith(".") for step in own), max(own, key=lambda s: len(s.note))
    assert steps[-1].action is None, "the farewell"
    assert not any(step.note for step in steps if step.seat != lessons.PUPIL)


def test_the_order_of_tiles_and_the_copy_of_a_tile_make_no_other_move() -> None:
    room, _ = guided(BY_KEY["okey101"])
    room.serve(Random(1))
    otherwise = 0
    while (step := lessons.current(room.table)) is not None:
        if isinstance(step.action, Open) and step.seat == lessons.PUPIL:
            melds = tuple(one for one in step.action.melds if isinstance(one, tuple))
            turned = tuple(one if len({tile[1:-1] for tile in one}) > 1 else one[::-1] for one in melds)[::-1]
            room.do(Act(1, replace(step.action, melds=turned), room.table.played))
            otherwise += turned != step.action.melds
        else:
            go_on(room)
    assert otherwise
    one, twin, other = (
        lessons._alike(Open((tiles,), kind="melds"))
        for tiles in (("R7a", "B7a", "K7a"), ("K7b", "B7a", "R7a"), ("R8a", "B8a", "K8a"))
    )
    assert one == twin != other


def test_what_the_rules_refuse_they_refuse_themselves() -> None:
    room, lesson = guided(GAMES[-1])
    room.serve(Random(1))
    while (step := lessons.current(room.table)) is not None and step.action is None:
        go_on(room)
    assert step is not None
    stranger = next(one.action for one in lesson.steps if one.seat == 1)
    assert stranger is not None
    with pytest.raises(IllegalAction):
        room.do(Act(1, stranger, room.table.played))


def test_order_and_copies_make_no_difference() -> None:
    game = BY_KEY["okey101"]
    wanted = next(step.action for step in lessons.of(game).steps if type(step.action).__name__ == "Open")
    melds = [["K6a", "K4a", "K5a"], {"as": "run", "tiles": ["B2b", "B3a", "B4a"]}]
    rest = [["Y11a", "B11b", "K11a"], ["R10a", "R11a", "R12a", "R13a"]]

    def opened(*calls: object) -> object:
        text = codec.encode({"do": "open", "kind": "melds", "melds": calls})
        return lessons._alike(codec.read_action(game.actions, text))

    assert opened(*melds, *rest) == lessons._alike(wanted)
    assert opened(*melds, rest[1]) != lessons._alike(wanted)


def test_devam_counts_once() -> None:
    room, _ = guided(GAMES[-1])
    room.serve(Random(1))
    room.ask(1, Read(0))
    for step in (0, 5):
        with pytest.raises(Refused, match="stale"):
            room.ask(1, Read(step))


def test_another_release_s_lesson_is_over() -> None:
    room, _ = guided(GAMES[-1])
    room.serve(Random(1))
    room.table = replace(room.table, terms=replace(room.table.terms, lesson="0" * 16))
    assert (lessons.running(room.table), lessons.told(room.table)) == (False, None)


@pytest.mark.parametrize("more", [{"kind": "casual"}, {"seconds": 30}, {"takeback": True}])
def test_a_lesson_is_practice_without_clock(more: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"lesson|recorded"):
        Terms(**({"kind": "practice", "lesson": "x"} | more))  # type: ignore[arg-type]
