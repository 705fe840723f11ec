"""Hints at practice tables: the best bot's choice in words, for whoever is on turn there, and nobody else (AB-10)."""

import re
from collections import Counter
from random import Random
from typing import Final

import gevent
import pytest
from msgspec.structs import replace

from mokali.engine import codec
from mokali.engine.protocol import Game
from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.live.thinkers import Advice
from mokali.store import people, tables
from mokali.tables.table import Table
from mokali.tables.terms import Terms
from mokali.web.hints import KEPT, Tip, tip
from mokali.web.house import House
from mokali.web.render import Scene
from tests.seated import waiting
from tests.thinking import mind, positions
from tests.web.near import ROOMY, Near, dealt, on_turn, rows_of

PISTI: Final = BY_KEY["pisti"]
PRACTICE: Final = Terms(kind="practice", pause_seconds=0)
EACH: Final = 3
"""So many actions of a kind."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_action_is_told_in_words_and_shown_on_the_page(app: House, game: Game) -> None:
    """What is to be pressed or played has its id on the page of that seat, and in no other world another sentence."""
    rules, seats, met = next(iter(game.rulesets.values())), game.seats[0], Counter[str]()
    level, rng = game.bots["orta"], Random(1)
    table = waiting(seats, game=game, rules=rules, terms=PRACTICE)
    assert game.why is not None
    for state in positions(game, rules, [level] * seats, 1):
        action = level.think(mind(state))
        tag = codec.kind_of(action)
        met[tag] += 1
        if met[tag] > EACH or state.turn is None:
            continue
        here: Table = replace(table, state=state, played=1)
        shown = tip(here, Advice(action, game.why(mind(state), action)))
        assert re.fullmatch(r"[A-ZÇĞİÖŞÜ0-9][^{}\[\]]*[^.{}]", shown.what), shown.what
        assert shown.why.endswith("."), shown
        page = app.renderer.page(Scene(here, ()), state.turn + 1, "http://house")
        assert 'data-do="hint"' in page
        assert shown.marks
        assert all(f'id="{mark}"' in page for mark in shown.marks), (shown, action)
        world = replace(here, state=type(state).imagine(state.view(state.turn), rng))
        assert world.state is not None
        assert tip(world, Advice(action, game.why(mind(world.state), action))) == shown
    assert met.keys() <= game.texts.advice.keys()


def test_every_action_has_words() -> None:
    for game in GAMES:
        assert game.texts.advice.keys() == {kind.__struct_config__.tag for kind in game.actions} - {"undo"}, game.key


class Room:
    """Two at a table of Pişti that has just been dealt, and somebody who watches."""

    def __init__(self, app: House, terms: Terms = PRACTICE) -> None:
        table, persons, _ = dealt(PISTI, Random(1), 2, "Oyuncu", terms)
        watcher, _ = people.enter("Bakan", ROOMY, door.now())
        self.app, self.table = app, table
        self.all = [Near(app, table.id, person) for person in (*persons, watcher)]
        self.mover, self.other = self.all[:2] if on_turn(table) == persons[0].id else self.all[1::-1]
        self.watcher = self.all[2]
        assert table.state is not None
        self.cards = [str(card) for card in table.state.view(table.state.turn).cards]

    def answered(self) -> None:
        """Wait until nobody thinks any more."""
        while self.app.hints._busy:
            gevent.sleep(0.01)


def hints(near: Near) -> list[str]:
    """What this person was told."""
    return [text for text in near.ear.heard if 'id="hint"' in text and text.startswith("<")]


def code(near: Near) -> str:
    """The last refusal."""
    found = re.findall(r'id="refusal"[^>]* data-code="(\w+)"', "".join(near.ear.heard))
    return str(found[-1])


def test_who_is_on_turn_is_told_and_nobody_else(app: House) -> None:
    room = Room(app)
    before = rows_of(room.table.id)
    room.mover.says("hint", played=room.table.played)
    room.mover.says("hint", played=room.table.played)
    assert hints(room.mover) == [], "it is thought about elsewhere"
    room.answered()
    [told] = hints(room.mover)
    assert f'data-played="{room.table.played}"' in told
    [card] = re.findall(r'data-marks="card-(\w\w)"', told)
    assert card in room.cards
    app.hints.thinkers.close()
    room.mover.says("hint", played=room.table.played)
    assert hints(room.mover) == [told, told], "from memory"
    assert app.hints.thinkers._idle == []
    assert [hints(near) for near in (room.other, room.watcher)] == [[], []]
    assert rows_of(room.table.id) == before
    assert room.mover.refusals() == 0


def test_a_late_hint_is_dropped(app: House) -> None:
    room = Room(app)
    app.hints._kept = {-n: (0, Tip("", "", (), 0)) for n in range(KEPT)}
    room.mover.says("hint")
    room.mover.says("play", card=room.cards[0], played=room.table.played)
    room.answered()
    assert tables.load(room.table.id).played == room.table.played + 1
    assert (hints(room.mover), room.mover.refusals()) == ([], 0)
    assert (0 in app.hints._kept, len(app.hints._kept)) == (False, KEPT), "the oldest answer is forgotten"


def test_who_may_not_have_one_is_told_why(app: House) -> None:
    room = Room(app)
    before = rows_of(room.table.id)
    room.other.says("hint")
    assert code(room.other) == "hint_later"
    room.watcher.says("hint")
    assert code(room.watcher) == "not_seated"
    assert rows_of(room.table.id) == before


@pytest.mark.parametrize("kind", ["casual", "test"])
def test_other_tables_have_no_hints(app: House, kind: str) -> None:
    room = Room(app, Terms(kind=kind, pause_seconds=0))  # type: ignore[arg-type]
    room.mover.says("hint")
    assert code(room.mover) == "no_hints"
    assert 'data-do="hint"' not in "".join(room.mover.pictures())
    assert app.hints._busy == set()
