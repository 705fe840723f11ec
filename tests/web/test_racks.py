"""A rack is arranged: its owner sees it on every device, nobody else is told anything, and no message breaks it."""

import json
from random import Random
from typing import Any, NamedTuple

import pytest

from mokali import figures
from mokali.engine.protocol import Seat
from mokali.engine.tiles import ALL_TILES
from mokali.games import BY_KEY
from mokali.live import bus, door
from mokali.store import tables
from mokali.store.people import Person
from mokali.tables import rack
from mokali.tables.rack import SLOTS, Rack
from mokali.tables.table import Act, Chair, Opening, Table
from mokali.tables.terms import Terms
from mokali.web.house import House
from tests.mutations import JUNK
from tests.web.near import Near, dealt, on_turn, rows_of, served
from tests.web.seat import fresh

OKEY = BY_KEY["okey101"]
EMPTY = [""] * SLOTS


class Room(NamedTuple):
    """A table whose first hand has been dealt, and everybody's page."""

    house: House
    table: Table
    seats: list[Near]
    watcher: Near

    def quiet(self) -> None:
        """Everybody has drawn what there was to draw."""
        for near in (*self.seats, self.watcher):
            near.pictures()
            near.ear.poked = 0

    def held(self, seat: Seat) -> tuple[str, ...]:
        """What this seat holds."""
        return rack.held(tables.load(self.table.id).state, seat)

    def rack(self, seat: Seat) -> Rack:
        """As its owner sees it."""
        shown = _rack(self.house, self.table.id, seat)
        assert shown is not None
        return shown


def _rack(house: House, table_id: int, seat: Seat | None) -> Rack | None:
    scene = house.hub.scene(table_id)
    assert scene.table.state is not None
    return scene.rack(scene.table.state.view(seat))


def room(house: House, seed: int = 1) -> Room:
    """Four people and one who watches; the hub hears the bell."""
    bus.listen(house.hub._rung)
    table, persons, _ = dealt(OKEY, Random(seed), 4, base=fresh())
    seats = [Near(house, table.id, person) for person in persons]
    made = Room(house, table, seats, Near(house, table.id, Person(10_000, "İzleyen")))
    made.quiet()
    return made


def dropped() -> float:
    """How many messages were none by now."""
    return figures.dropped.by.get(("bad_request",), 0)


@pytest.fixture
def four(app: House) -> Any:
    """A room within the app."""
    with app.app_context():
        yield room(app)


# --- whose it is ---


def test_the_owner_sees_it_on_every_device_and_nobody_else_is_poked(four: Room) -> None:
    phone = Near(four.house, four.table.id, four.seats[1].wire.person)
    four.quiet()
    phone.pictures()
    phone.ear.poked = 0
    before = rows_of(four.table.id)
    held = four.held(1)
    slots = [*reversed(held), *EMPTY[len(held) :]]
    four.seats[1].says("rack", cols=10, slots=slots, down=[held[0]], n=7)
    assert [placed.tall for placed in four.rack(1).placed] == [slots.index(tile) for tile in held]
    assert [placed.down for placed in four.rack(1).placed] == [True] + [False] * (len(held) - 1)
    assert four.rack(1).n == 7
    assert rows_of(four.table.id) == before, "no revision, no line"
    for near in (four.seats[1], phone):
        assert near.ear.poked == 1
        assert near.pictures(), "drawn anew"
    for near in (four.seats[0], *four.seats[2:], four.watcher):
        assert near.ear.poked == 0
        assert near.pictures() == []


def test_it_lies_there_after_a_restart_and_at_another_house(four: Room) -> None:
    held = four.held(2)
    four.seats[2].says("rack", cols=15, slots=[*EMPTY[len(held) :], *held], n=1)
    before = four.rack(2)
    four.house.hub._scenes.clear()
    tables.forget()
    assert four.rack(2) == before


def test_the_next_move_draws_from_what_is_kept(four: Room) -> None:
    mover = tables.load(four.table.id).state.turn  # type: ignore[union-attr]
    assert mover is not None
    held = four.held(mover)
    four.seats[mover].says("rack", cols=10, slots=[*held, *EMPTY[len(held) :]])
    lay = {placed.tile: placed.tall for placed in four.rack(mover).placed}
    table = tables.load(four.table.id)
    assert table.state is not None
    door.submit(table.id, Act(on_turn(table), table.state.moves(mover)[0], table.played))
    after = {placed.tile: placed.tall for placed in four.rack(mover).placed}
    assert {tile: after[tile] for tile in set(lay) & set(after)} == {tile: lay[tile] for tile in set(lay) & set(after)}
    assert set(after) != set(lay)


def test_watchers_have_none_and_are_refused(four: Room) -> None:
    assert _rack(four.house, four.table.id, None) is None
    before = [four.rack(seat) for seat in range(4)]
    for action in ({"do": "rack", "cols": 10, "slots": EMPTY}, {"do": "assist", "sort": "runs", "cols": 10}):
        refusals = four.watcher.refusals()
        four.watcher.answer(json.dumps(action))
        assert four.watcher.refusals() == refusals + 1
    assert [four.rack(seat) for seat in range(4)] == before
    assert all(near.ear.poked == 0 for near in four.seats)


def test_a_game_without_racks_drops_it(app: House) -> None:
    with app.app_context():
        table, persons, _ = dealt(BY_KEY["pisti"], Random(1), 2, base=fresh())
        near = Near(app, table.id, persons[0])
        assert _rack(app, table.id, 0) is None
        count = dropped()
        near.says("rack", cols=10, slots=EMPTY)
        near.says("assist", sort="runs", cols=10)
        assert dropped() == count + 2
        assert near.refusals() == 0


def test_before_the_deal_it_is_dropped(app: House) -> None:
    with app.app_context():
        persons = dealt(BY_KEY["pisti"], Random(1), 2, base=fresh())[1]
        chairs = (Chair(10_001), Chair(), Chair(), Chair())
        table = tables.open_table(Opening(10_001, OKEY, OKEY.rulesets["mokali"], Terms(), chairs), door.now())
        near = Near(app, table.id, Person(10_001, persons[0].name))
        count = dropped()
        near.says("rack", cols=10, slots=EMPTY)
        assert dropped() == count + 1


# --- what comes in ---

MALFORMED: dict[str, dict[str, Any]] = {
    "no slots": {"cols": 10},
    "no columns": {"slots": EMPTY},
    "other columns": {"cols": 12, "slots": EMPTY},
    "too few": {"cols": 10, "slots": EMPTY[1:]},
    "too many": {"cols": 10, "slots": [*EMPTY, ""]},
    "ten thousand": {"cols": 10, "slots": ["R1a"] * 10_000},
    "long texts": {"cols": 10, "slots": ["R1a" * 1_000, *EMPTY[1:]]},
    "no texts": {"cols": 10, "slots": [1, *EMPTY[1:]]},
    "nothing": {"cols": 10, "slots": None},
    "a map": {"cols": 10, "slots": {"0": "R1a"}},
    "down is long": {"cols": 10, "slots": EMPTY, "down": [""] * 31},
    "down is no list": {"cols": 10, "slots": EMPTY, "down": "R1a"},
    "a counter below nothing": {"cols": 10, "slots": EMPTY, "n": -1},
    "a counter beyond numbers": {"cols": 10, "slots": EMPTY, "n": 1 << 60},
}


@pytest.mark.parametrize("message", MALFORMED.values(), ids=MALFORMED.keys())
def test_rl_20_what_is_no_rack_is_dropped_without_a_word(four: Room, message: dict[str, Any]) -> None:
    before, count = four.rack(0), dropped()
    four.seats[0].says("rack", **message)
    assert dropped() == count + 1
    assert four.rack(0) == before
    assert (four.seats[0].refusals(), four.seats[0].ear.closed, four.seats[0].ear.poked) == (0, None, 0)


def test_rl_20_no_rack_holds_what_its_owner_does_not(four: Room) -> None:
    rng = Random(1)
    texts = [*map(str, ALL_TILES), "", "", "R99z", "İ", "\x00", "<b>", "R1a "]
    for _ in range(500):
        slots = [rng.choice(texts) for _ in range(SLOTS)]
        four.seats[0].says(
            "rack", cols=rng.choice((10, 15)), slots=slots, down=rng.sample(texts, 20), n=rng.randrange(9)
        )
        shown = four.rack(0)
        assert tuple(placed.tile for placed in shown.placed) == four.held(0)
        assert len({placed.tall for placed in shown.placed}) == len({placed.wide for placed in shown.placed})
        assert len({placed.wide for placed in shown.placed}) == len(shown.placed)
    assert four.seats[0].refusals() == 0


def test_rl_20_junk_in_every_field(four: Room) -> None:
    good: dict[str, Any] = {"cols": 10, "slots": EMPTY, "down": [], "n": 1}
    for name in good:
        for junk in JUNK:
            four.seats[0].says("rack", **{**good, name: junk})
    for junk in JUNK:
        four.seats[0].says("assist", sort=junk, cols=10)
        four.seats[0].says("assist", sort="runs", cols=junk)
    assert tuple(placed.tile for placed in four.rack(0).placed) == four.held(0)
    assert four.seats[0].ear.closed is None


# --- sorting ---


def test_the_house_sorts_and_puts_back(four: Room) -> None:
    four.seats[0].says("rack", cols=10, slots=[*EMPTY[len(four.held(0)) :], *four.held(0)], n=1)
    own = four.rack(0)
    four.seats[0].says("assist", sort="runs", cols=10)
    runs = four.rack(0)
    assert (runs.order, runs.undo) == ("runs", True)
    assert runs.points >= own.points
    four.seats[0].says("assist", sort="pairs", cols=15)
    assert (four.rack(0).order, four.rack(0).undo) == ("pairs", True)
    assert four.rack(0).pairs >= runs.pairs
    four.seats[0].says("assist", sort="undo", cols=10)
    assert four.rack(0) == own


def test_where_help_is_off_nothing_is_sorted_or_valued(app: House) -> None:
    with app.app_context():
        table, persons, _ = dealt(OKEY, Random(1), 4, base=fresh(), terms=Terms(pause_seconds=0, assist=False))
        near = Near(app, table.id, persons[0])
        before = _rack(app, table.id, 0)
        assert before is not None
        assert (before.points, before.pairs, before.helps) == (0, 0, False)
        assert not app.hub.scene(table.id).frame(persons[0].id).helps
        for sort in ("runs", "pairs", "undo"):
            near.says("assist", sort=sort, cols=10)
        assert _rack(app, table.id, 0) == before
        assert sum('data-code="no_assist"' in text for text in near.ear.heard) == 3
        near.says("rack", cols=10, slots=[*reversed([placed.tile for placed in before.placed]), *EMPTY][:30])
        assert _rack(app, table.id, 0) != before, "one may arrange it oneself"


# --- the next hand ---


def test_a_write_for_the_hand_before_is_settled_for_this_one(four: Room) -> None:
    table, rng = tables.load(four.table.id), Random(2)
    first = table.dealt
    while table.dealt == first and table.ended is None:
        assert table.state is not None
        assert table.state.turn is not None
        move = rng.choice(table.state.moves(table.state.turn))
        door.submit(table.id, Act(on_turn(table), move, table.played))
        table = served(table.id, rng)
    four.seats[0].says("rack", cols=10, slots=list(map(str, ALL_TILES[:30])))
    assert tuple(placed.tile for placed in four.rack(0).placed) == four.held(0)
