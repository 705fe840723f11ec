"""Values to JSON and back: deterministic out, typed and unforgiving in."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

from mokali.engine import codec
from mokali.engine.cardplay import Play
from mokali.engine.cards import Card
from mokali.engine.protocol import Action, MalformedAction
from mokali.games.pisti import GAME
from mokali.games.pisti.rules import PistiRules
from mokali.tables.table import REQUESTS, Again, Ready, Sit
from mokali.tables.terms import Terms

SOCKET = GAME.actions + REQUESTS


class Bid(Action, frozen=True):
    tricks: Annotated[int, Meta(ge=0, le=99)]


class ShutUp(Action, frozen=True, tag="shut"):
    pass


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


# --- out ---


def test_keys_and_sets_come_in_one_order() -> None:
    assert codec.encode({"b": 1, "a": {"d": 1, "c": 2}}) == '{"a":{"c":2,"d":1},"b":1}'
    assert codec.encode(frozenset({"b", "a", "c"})) == '["a","b","c"]'


def test_the_bytes_are_the_same_in_every_process() -> None:
    script = (
        "from mokali.engine import codec; print(codec.encode({'x': set('mokali'), 'b': 1, 'a': [{'z': 1, 'y': 2}]}))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert texts == {b'{"a":[{"y":2,"z":1}],"b":1,"x":["a","i","k","l","m","o"]}\n'}


def test_turkish_letters_stay_letters() -> None:
    assert codec.encode("Pişti, IĞDIR") == '"Pişti, IĞDIR"'


def test_defaults_of_actions_are_left_out() -> None:
    assert codec.encode(Ready()) == '{"do":"ready"}'
    assert codec.encode(Ready(on=False)) == '{"do":"ready","on":false}'
    assert codec.encode(Play(Card("7S"))) == '{"do":"play","card":"7S"}'


@given(value=plain)
def test_what_goes_out_is_json(value: Any) -> None:
    text = codec.encode(value)
    assert "\n" not in text
    assert json.loads(text) == value


# --- in ---


def test_kind_of_is_the_word_on_the_wire() -> None:
    assert codec.kind_of(Bid(1)) == "bid"
    assert codec.kind_of(ShutUp()) == "shut"
    assert [kind.__struct_config__.tag for kind in REQUESTS][-3:] == ["leave", "again", "read"]


def test_an_action_knows_its_word() -> None:
    assert codec.read_action(SOCKET, '{"do":"play","card":"7S"}') == Play(Card("7S"))
    assert codec.read_action(SOCKET, b'{"card":"7S","do":"play"}') == Play(Card("7S"))


@pytest.mark.parametrize("chair", ["2", '"2"'])
def test_numbers_may_come_as_text(chair: str) -> None:
    """Forms and ``data-`` attributes know text only."""
    assert codec.read_action(SOCKET, f'{{"do":"sit","chair":{chair}}}') == Sit(2)
    assert codec.read_action(SOCKET, f'{{"do":"again","pairing":{chair}}}') == Again(2)


@pytest.mark.parametrize(
    ("text", "on"), [("true", True), ('"true"', True), ("false", False), ('"false"', False), ('"0"', False)]
)
def test_truth_may_come_as_text(text: str, on: bool) -> None:
    assert codec.read_action(SOCKET, f'{{"do":"ready","on":{text}}}') == Ready(on=on)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "7",
        '"play"',
        "[]",
        "{}",
        "{",
        '{"do":"play"',
        '{"do":"play","card":"7S"} {}',
        '{"card":"7S"}',
        '{"do":"play"}',
        '{"do":"play","card":null}',
        '{"do":"play","card":["7S"]}',
        '{"do":"play","card":"7s"}',
        '{"do":"Play","card":"7S"}',
        '{"do":["play"],"card":"7S"}',
        '{"do":null}',
        '{"do":"deal","deck":[]}',
        '{"do":"seal","sha256":"00"}',
        '{"do":"reveal","salt":"00"}',
        '{"do":"sit","chair":1.5}',
        '{"do":"sit","chair":"one"}',
        '{"do":"sit","chair":""}',
        '{"do":"sit","chair":1e999}',
        '{"do":"sit","chair":NaN}',
        '{"do":"ready","on":"maybe"}',
        '{"do":"play","card":"\\ud800"}',
        '{"do":"play","card":"7S\x00"}',
        "\ufeff" + '{"do":"play","card":"7S"}',
    ],
)
def test_what_is_no_message_is_malformed(text: str) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(SOCKET, text)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"do":"play","card":', '{"do":"play","x":['])
def test_deep_nesting_is_malformed(opening: str) -> None:
    for text in (opening * 100_000, opening * 100_000 + "1"):
        with pytest.raises(MalformedAction):
            codec.read_action(SOCKET, text)
        with pytest.raises(MalformedAction):
            codec.decode(dict[str, Any], text)
        with pytest.raises(MalformedAction):
            codec.seen(text)


@pytest.mark.parametrize("raw", [b"\xff", b'{"do":"play","card":"\xff"}', b'{"do":"pl\xc3"}', b"\x00" * 9])
def test_broken_utf_8_is_malformed(raw: bytes) -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(SOCKET, raw)
    with pytest.raises(MalformedAction):
        codec.decode(str, raw)


def test_a_lone_surrogate_is_malformed() -> None:
    with pytest.raises(MalformedAction):
        codec.read_action(SOCKET, '{"do":"play","card":"\ud800"}')


def test_unknown_keys_are_ignored_in_actions() -> None:
    """htmx adds ``headers``, the script adds ``played``."""
    text = '{"do":"play","headers":{"HX-Request":"true","x":[{"do":"deal"}]},"card":"7S","played":44,"seat":3}'
    assert codec.read_action(SOCKET, text) == Play(Card("7S"))


@pytest.mark.parametrize("kind", [GAME.state, GAME.setup, PistiRules, Terms])
def test_unknown_keys_are_forbidden_in_what_is_kept(kind: type[Struct]) -> None:
    needed = {
        GAME.state: codec.plain(GAME.state.start(PistiRules(), 2)),
        GAME.setup: {"dealer": 0, "hands": [], "pile": []},
    }.get(kind, {})
    codec.decode(kind, codec.encode(needed))
    with pytest.raises(MalformedAction, match="unknown field"):
        codec.decode(kind, codec.encode({**needed, "hedef": 101}))


def test_bounds_are_checked() -> None:
    assert codec.read_action((Bid, ShutUp), '{"do":"bid","tricks":"99"}') == Bid(99)
    for tricks in ("-1", "100", '"-1"'):
        with pytest.raises(MalformedAction):
            codec.read_action((Bid, ShutUp), f'{{"do":"bid","tricks":{tricks}}}')


def test_two_kinds_with_one_word_build_no_decoder() -> None:
    class Play2(Action, frozen=True, tag="play"):
        pass

    with pytest.raises(TypeError):
        codec.read_action((Play, Play2), "{}")


@given(raw=st.binary(max_size=80))
@settings(max_examples=300)
def test_any_bytes_are_an_action_or_malformed(raw: bytes) -> None:
    with suppress(MalformedAction):
        assert isinstance(codec.read_action(SOCKET, raw), SOCKET)


@given(data=st.data())
@settings(max_examples=300)
def test_a_spoilt_message_is_an_action_or_malformed(data: st.DataObject) -> None:
    """Good messages with some bytes changed, cut out or doubled (RL-20)."""
    good = data.draw(
        st.sampled_from(['{"do":"play","card":"7S","played":41}', '{"do":"sit","chair":"1"}', '{"do":"again"}'])
    )
    raw = bytearray(good.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
        raw = raw or bytearray(b"{")
    with suppress(MalformedAction):
        assert isinstance(codec.read_action(SOCKET, bytes(raw)), SOCKET)
        codec.seen(bytes(raw))


@given(value=plain)
def test_any_json_is_a_state_or_malformed(value: Any) -> None:
    for kind in (GAME.state, GAME.view, GAME.setup):
        with pytest.raises(MalformedAction):
            codec.decode(kind, codec.encode(value))


# --- played ---


def test_cm_6_seen_reads_the_counter() -> None:
    assert codec.seen('{"do":"play","card":"7S","played":44}') == 44
    assert codec.seen('{"do":"play","card":"7S"}') == -1
    for text in ('{"played":"x"}', '{"played":4.5}', '{"played":null}', "[]", ""):
        with pytest.raises(MalformedAction):
            codec.seen(text)


# --- forms ---


def test_convert_is_strict_unless_told_otherwise() -> None:
    assert codec.convert(Terms, {"pause_seconds": 5}) == Terms(pause_seconds=5)
    assert codec.convert(Terms, {"pause_seconds": "5", "listed": "false"}, strict=False) == Terms(
        pause_seconds=5, listed=False
    )
    with pytest.raises(MalformedAction):
        codec.convert(Terms, {"pause_seconds": "5"})
    with pytest.raises(MalformedAction):
        codec.convert(PistiRules, {"target": 100})


# --- comparing ---


@pytest.mark.parametrize(
    ("expected", "actual", "differences"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": 1}, {"a": 2}, [("a", 1, 2)]),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2, "d": 3}}}, [("a.b.c", 1, 2)]),
        ({"a": [1, 2]}, {"a": [1, 2]}, []),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, [("a", [1, 2], [1, 2, 3])]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, [("a", [{"b": 1}], [{"b": 1, "c": 2}])]),
        ({"a": 1}, {"a": True}, [("a", 1, True)]),
        ({"a": None}, {"a": None}, []),
        ({}, {"a": 1}, []),
        ({"a": {}}, {"a": {"b": 1}}, []),
        ({"a": {}}, {"a": 1}, [("a", {}, 1)]),
        ({"a": 1, "b": 2}, {"a": 3, "b": 4}, [("a", 1, 3), ("b", 2, 4)]),
        (5, {"a": 1}, [("", 5, {"a": 1})]),
    ],
)
def test_objects_are_compared_by_the_expected_keys_and_lists_whole(
    expected: object, actual: object, differences: list[object]
) -> None:
    assert codec.compared(expected, actual) == differences


@pytest.mark.parametrize("expected", [None, 1, {}, {"b": 1}, []])
def test_a_missing_key_is_never_as_expected(expected: object) -> None:
    [(path, wanted, actual)] = codec.compared({"a": expected}, {"b": 1})
    assert (path, wanted) == ("a", expected)
    assert isinstance(actual, type), "no value at all"


def test_plain_is_data() -> None:
    assert codec.plain(PistiRules()) == {"target": 101}
    assert msgspec.json.decode(codec.encode(PistiRules())) == {"target": 101}
