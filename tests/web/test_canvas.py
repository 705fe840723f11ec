"""Fragments drawn again only where something changed: what is sent adds up to the page that a newcomer gets."""

import re
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, Template

from mokali.engine.protocol import Game
from mokali.games import GAMES
from mokali.web import canvas
from mokali.web.canvas import CUT, Canvas, Part, changed, looks, whole
from mokali.web.house import House
from mokali.web.render import Scene, Screen
from tests.seated import Room, waiting
from tests.web.leaks import shortest

BASE = "http://house"
SENT = re.compile(r'<(\w+) hx-swap-oob="outerMorph" ([^>]*\bid="([^"]+)")')


class Glass:
    """What a browser makes of what it is sent: elements are replaced by their ids."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.html = ""

    def follow(self, scene: Scene) -> None:
        """Take in what the screen sends for this scene."""
        sent = self.screen.update(scene)
        if not sent:  # the very table that was drawn last
            return
        starts = [found.start() for found in SENT.finditer(sent)]
        for start, end in zip(starts, [*starts[1:], len(sent)], strict=True):
            element = sent[start:end]
            tag, attributes, name = SENT.match(element).groups()  # type: ignore[union-attr]
            element = element.replace(' hx-swap-oob="outerMorph"', "", 1)
            if tag == "main":
                self.html = element
                return
            found = re.search(rf'<{tag} [^>]*\bid="{name}"', self.html)
            assert found is not None, (name, attributes)
            self.html = self.html[: found.start()] + element + self.html[_end(self.html, tag, found.start()) :]


def _end(html: str, tag: str, start: int) -> int:
    """Where the element that begins there ends."""
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b").finditer(html, start):
        depth += -1 if found[1] else 1
        if depth == 0:
            return html.index(">", found.start()) + 1
    raise AssertionError(html[start:])


def _sections(html: str) -> list[str]:
    """The fragments within a stage; main's own attributes are kept up by the script."""
    return [part.strip() for part in re.split(r"(?=<section )", html)[1:]]


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAMES for seats in game.seats])
def test_rl_25_what_is_sent_adds_up_to_a_fresh_page(app: House, game: Game, seats: int) -> None:
    """Seats and a watcher through a match, some of them asleep for a while."""
    rng = Random(seats)
    room = Room(waiting(seats, game=game, rules=shortest(game)))
    people = [*range(1, len(room.table.chairs) + 1), None]
    glasses = [Glass(Screen(app.renderer, person, BASE)) for person in people]
    canvases: dict[str, Canvas] = {}
    room.begin(rng)
    for n, _ in enumerate(room.play(rng)):
        scene = Scene(room.table, ("Bakan",), canvases)
        for person, glass in zip(people, glasses, strict=True):
            if person is None or rng.random() < 0.8:
                glass.follow(scene)
                if n % 5 == 0 or room.table.ended is not None:
                    fresh = app.renderer.page(Scene(room.table, ("Bakan",)), person, BASE)
                    assert _sections(glass.html) == _sections(fresh)


def test_pieces_travel_alone() -> None:
    seen: dict[str, str] = {}
    first = f'<section id="s">{CUT}<b id="x">1</b>{CUT}, {CUT}<b id="y">1</b>{CUT}</section>'
    assert whole(first) == '<section id="s"><b id="x">1</b>, <b id="y">1</b></section>'
    assert changed({"s": first}, seen) == whole(first).replace("<section ", '<section hx-swap-oob="outerMorph" ')
    assert changed({"s": first}, seen) == ""
    assert changed({"s": first.replace(", ", "; ")}, seen).startswith("<section"), "no piece: all of it"
    later = seen["s"].replace('"y">1', '"y">2')
    assert changed({"s": later}, seen) == '<b hx-swap-oob="outerMorph" id="y">2</b>'
    assert changed({"s": later.replace(f'{CUT}<b id="y">2</b>{CUT}', "")}, seen).startswith("<section"), (
        "one piece less"
    )


def _environment(**templates: str) -> Environment:
    return Environment(loader=DictLoader(templates), undefined=StrictUndefined, autoescape=True)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ frame.turn }}{{ view.cards[0] }}{{ prompt }}", {"frame.turn", "view.cards", "prompt"}),
        ("{% if view.held is defined %}{{ view.held[frame.me] }}{% endif %}", {"view.held", "frame.me"}),
        ("{% for place in frame.places %}{{ place.name }}{% endfor %}", {"frame.places"}),
        (
            "{% set shown = frame.a or frame.b %}{{ shown }}{{ ends[frame.c.why] }}",
            {"frame.a", "frame.b", "frame.c", "ends"},
        ),
        ("{{ view|attr(field) }}", {"view", "field"}),
        ("{% set other = view %}{{ other.secret }}", {"view"}),
        ("{% macro m(x) %}{{ x }}{{ frame.deep }}{% endmacro %}{{ m(view.y) }}", {"frame.deep", "view.y"}),
        ('{% with a = 1 %}{% include "inner" %}{% endwith %}', {"a", "frame.inside", "more"}),
        ("nothing", set()),
    ],
)
def test_what_a_template_looks_at(template: str, expected: set[str]) -> None:
    environment = _environment(outer=template, inner="{{ a }}{{ frame.inside }}{{ more }}")
    assert looks(environment, "outer") == expected


def test_the_name_of_an_included_template_is_written_out() -> None:
    with pytest.raises(ValueError, match="written out"):
        looks(_environment(outer="{% include frame.part %}"), "outer")


class _Frame(NamedTuple):
    turn: int
    me: int


class _View(NamedTuple):
    cards: str


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[list[str], list[str]]]:
    """Draws two fragments on the same canvas; which were drawn by their templates, and what stands there."""
    environment = _environment(turn="{{ frame.turn }}", cards="{{ view.cards }}{{ frame.me }}")
    one, counted, render = (
        Canvas(Part(environment, ["turn", "cards"], {"frame": _Frame, "view": _View})),
        list[str](),
        Template.render,
    )

    def counting(template: Template, context: object) -> str:
        counted.append(str(template.name))
        return render(template, context)

    monkeypatch.setattr(Template, "render", counting)

    def drawn(turn: int, cards: str, me: int, shared: canvas.Shared | None = None) -> tuple[list[str], list[str]]:
        counted.clear()
        context = {"frame": _Frame(turn, me), "view": _View(cards)}
        texts = one.draw(context, {} if shared is None else shared)
        return list(counted), [texts["turn"], texts["cards"]]

    return drawn


def test_a_fragment_is_drawn_again_only_where_it_must(draw: Callable[..., tuple[list[str], list[str]]]) -> None:
    assert draw(0, "A", 0) == (["turn", "cards"], ["0", "A0"])
    assert draw(0, "A", 0) == ([], ["0", "A0"])
    assert draw(1, "A", 0) == (["turn"], ["1", "A0"])
    assert draw(1, "B", 0) == (["cards"], ["1", "B0"])
    assert draw(1, "B", 1) == (["cards"], ["1", "B1"])


def test_who_looks_at_the_same_shares_a_drawing(draw: Callable[..., tuple[list[str], list[str]]]) -> None:
    shared: canvas.Shared = {}
    draw(0, "A", 0, shared)
    assert draw(1, "B", 1, shared) == (["turn", "cards"], ["1", "B1"])
    assert draw(0, "A", 0, shared) == ([], ["0", "A0"]), "drawn already, by somebody who looked at the same"
    assert draw(0, "A", 1, shared) == (["cards"], ["0", "A1"]), "but never for who looks at something else"
