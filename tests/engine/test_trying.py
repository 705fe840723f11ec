"""Trying choices out: only what is surely better replaces the usual one."""

from mokali.engine.trying import preferred, while_time


def test_what_is_surely_better_is_preferred() -> None:
    gains = {"usual": [1.0, 2.0, 3.0], "better": [2.0, 3.1, 4.0], "wild": [11.0, -9.0, 3.0], "worse": [0.0, 0.0, 0.0]}
    worlds = range(3)
    assert preferred("usual", gains, worlds, lambda world, choice: gains[choice][world]) == "better"
    assert preferred("usual", ["wild", "worse"], worlds, lambda world, choice: gains[choice][world]) == "usual"


def test_nothing_is_tried_where_there_is_no_choice() -> None:
    def never(world: int, choice: str) -> float:
        raise AssertionError("a world was asked for")

    assert preferred("usual", ["usual"], range(3), never) == "usual"
    assert preferred("usual", ["other"], (), never) == "usual", "there was no time"


def test_worlds_are_tried_while_there_is_time() -> None:
    clock = iter([0.5, 0.1, -0.1])
    assert list(while_time(lambda: next(clock), 100)) == list(range(10))
    assert list(while_time(lambda: 1.0, 20)) == list(range(20))
    assert list(while_time(lambda: -1.0, 1)) == [0]
