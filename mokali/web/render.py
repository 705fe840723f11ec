"""View and frame to fragments; a Screen remembers what a viewer has and gives only what changed.

A fragment is one file with one root section; the folders are the list. What lies in ``all/`` is drawn once per table
and revision from the spectator's view; what lies in ``own/`` is drawn for a seat, from its view alone.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import segno
from jinja2 import Environment
from markupsafe import Markup

from mokali.engine import codec
from mokali.engine.protocol import Event
from mokali.live import door
from mokali.store import people, racks, standings, talk
from mokali.store.people import Plea
from mokali.tables import rack, texts
from mokali.tables.frame import OLD_PLAYER, Frame, frame, seen_by
from mokali.tables.lessons import PUPIL
from mokali.tables.rack import Rack
from mokali.tables.table import Table, recorded
from mokali.web import choices, filters, guide
from mokali.web import talk as words
from mokali.web.canvas import Canvas, Fragments, Part, Shared, changed, marked, whole
from mokali.web.filters import Who
from mokali.web.hints import Tip
from mokali.web.links import Links


class Scene:
    """A table as it stands between two rings, read once for all who look at it.

    ``canvases`` hold what all see alike, by the address the house is called by; they go over to the next scene.
    ``drawn`` is this scene's; ``shared`` are fragments of one's own that several see alike; ``news`` is what was told.
    ``said`` is everything that was, ``newest`` its last number, ``lines`` what of it everybody may read.
    """

    def __init__(self, table: Table, watchers: tuple[str, ...], canvases: dict[str, Canvas] | None = None) -> None:
        self.table, self.watchers = table, watchers
        self.names = people.names(chair.user for chair in table.chairs if chair.user is not None)
        self.said = talk.said(table.id)
        self.newest = self.said[-1].id if self.said else 0
        self.speakers = people.names(one.person for one in self.said)
        self.lines = words.lines(table, self.said, self.speakers)
        self.pleas = people.pleas(table.id, door.now())
        self.evening = _evening(table, self.names)
        self.canvases = {} if canvases is None else canvases
        self.drawn: dict[str, Fragments] = {}
        self.shared: Shared = {}
        self.common = frame(table, None, self.names)
        self.news: dict[tuple[Event, ...], str] = {}
        self.racks = {} if table.game.assist is None or table.state is None else racks.kept(table.id)

    def frame(self, person: int | None) -> Frame:
        """The table around a view, as one person sees it."""
        return seen_by(self.common, self.table, person)

    def rack(self, view: Any) -> Rack | None:
        """How the tiles lie in the rack of whoever sees this view; None for watchers, and in games without racks."""
        game, terms = self.table.game, self.table.terms
        if game.assist is None or view is None or view.seat is None:
            return None
        lies = rack.current(self.racks.get(view.seat), self.table.code, self.table.dealt, view.rack)
        return rack.shown(lies, view, game.assist, helps=terms.assist)


class Renderer:
    """Draws tables with one set of templates; needs no request."""

    def __init__(self, templates: Environment, links: Links) -> None:
        self.templates, self.links = templates, links
        self._files = sorted(templates.list_templates(filter_func=lambda name: "/_" in name))
        """By name, the game's before the table's: also the order of focus (hand, moves, table, bar)."""
        self._parts: dict[tuple[str, ...], Part] = {}

    def picture(self, scene: Scene, own: Canvas, person: int | None, base: str) -> Fragments:
        """Every fragment of a table as one person sees it on ``own``. ``base`` is how the house is called."""
        if base not in scene.drawn:
            everybody = self.part(scene.table, "all")
            if base not in scene.canvases or scene.canvases[base].part is not everybody:
                scene.canvases[base] = Canvas(everybody)
            scene.drawn[base] = scene.canvases[base].draw(self._for_all(scene, base), {})
        return own.draw(self._own(scene, person), scene.shared) | scene.drawn[base]

    def part(self, table: Table, name: str) -> Part:
        """The fragments of this table's stage in the folders ``all`` or ``own``."""
        folders = ("waiting",) if table.state is None else (f"games/{table.game.layout}", "table")
        key = (table.game.key, *folders, name)
        if key not in self._parts:
            within = [file for folder in folders for file in self._files if file.startswith(f"{folder}/{name}/")]
            self._parts[key] = Part(self.templates, within, {"frame": Frame, "view": table.game.view})
        return self._parts[key]

    def stage(self, scene: Scene, person: int | None, fragments: Fragments) -> str:
        """The whole ``<main>``."""
        drawn = Markup(whole("".join(fragments.values())))
        return self._render("table/main.html", {"frame": scene.frame(person), "fragments": drawn})

    def page(self, scene: Scene, person: int | None, base: str) -> str:
        """The whole ``<main>`` for somebody who has nothing on the glass yet."""
        return self.stage(scene, person, self.picture(scene, Canvas(self.part(scene.table, "own")), person, base))

    def news(self, scene: Scene, events: tuple[Event, ...]) -> str:
        """What happened, for ears and for a moment's large letters: never more than everybody saw."""
        if events not in scene.news:
            told = codec.encode(_news(scene.table, scene.common.names, events))
            scene.news[events] = marked(self._render("parts/news.html", {"news": told}))
        return scene.news[events]

    def refusal(self, code: str, text: str, rule: str, table: Table) -> str:
        """The sentence for one person whose wish was refused, with the way to its rule."""
        href = self.links.to("rules_page", key=table.game.key, masa=table.code) + f"#{rule}"
        return marked(self._render("table/refusal.html", {"code": code, "text": text, "href": href}))

    def tip(self, tip: Tip) -> str:
        """What one person asked a good player at a practice table."""
        return marked(self._render("table/hint.html", {"tip": tip}))

    def lobby(self, lobby: object) -> Fragments:
        """The lobby's fragments."""
        return {name: self._render(name, {"lobby": lobby}) for name in self._files if name.startswith("lobby/")}

    def _for_all(self, scene: Scene, base: str) -> dict[str, Any]:
        """What everybody sees alike: the spectator's view, and the invitation while people are awaited."""
        context = _context(scene, None)
        if scene.table.state is None:
            link = base + self.links.to("invite", code=scene.table.code)
            game, rules = scene.table.game, scene.table.rules
            preset = choices.preset_of(game, rules, scene.table.terms.ruleset)
            context |= {"link": link, "qr": qr(link), "preset": game.texts.rulesets[preset]}
            context |= {
                "differences": choices.differences(game, rules, preset),
                "gist": [*game.texts.gist(rules), *texts.kept(scene.table.terms)],
            }
        return context

    def _own(self, scene: Scene, person: int | None) -> dict[str, Any]:
        """What this person alone sees."""
        context = _context(scene, person)
        shown: Frame = context["frame"]
        goto = "" if shown.successor is None else self.links.to("table", code=shown.successor)
        pleas = [_asked(plea, person, scene.names) for plea in scene.pleas] if shown.me is not None else []
        return context | {
            "pleas": pleas,
            "lines": scene.lines,
            "messages": self._messages(scene, shown, person),
            "evening": scene.evening,
            "prompt": _prompt(shown, context["view"]),
            "goto": goto,
            "barred": _barred(context["view"]),
            "rack": scene.rack(context["view"]),
            "lesson": guide.panel(scene.table) if shown.me == PUPIL else None,
        }

    def _messages(self, scene: Scene, shown: Frame, person: int | None) -> tuple[words.Message, ...]:
        """The voice messages, for who may hear them (SITE-18)."""

        def link(name: str) -> str:
            return self.links.to("voice", code=scene.table.code, name=name)

        return words.messages(scene.table, scene.said, scene.speakers, person, link) if shown.speaks else ()

    def _render(self, name: str, context: Mapping[str, Any]) -> str:
        return self.templates.get_template(name).render(context)


class Screen:
    """What one viewer of one table has on the glass."""

    def __init__(self, renderer: Renderer, person: int | None, base: str) -> None:
        self.renderer, self.person, self.base = renderer, person, base
        self.revision = -1
        self._own: Canvas | None = None
        self._seen: Fragments = {}

    def forget(self) -> None:
        """Send everything anew next time."""
        self._own = None

    def update(self, scene: Scene) -> str:
        """The fragments that have changed since the last time; the whole stage where that is another (SITE-10)."""
        if scene.table.revision < self.revision:
            return ""  # never an older picture over a newer (RL-25)
        self.revision = scene.table.revision
        part = self.renderer.part(scene.table, "own")
        if self._own is not None and self._own.part is part:
            return changed(self.renderer.picture(scene, self._own, self.person, self.base), self._seen)
        self._own = Canvas(part)
        self._seen = self.renderer.picture(scene, self._own, self.person, self.base)
        return marked(self.renderer.stage(scene, self.person, self._seen))


class LobbyScreen:
    """What one person has of the lobby."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        self._seen: Fragments = {}

    def update(self, lobby: object) -> str:
        """The fragments that have changed since the last time."""
        return changed(self.renderer.lobby(lobby), self._seen)


@lru_cache(maxsize=64)
def qr(link: str) -> Markup:
    """A link as a picture that phones read."""
    return Markup(segno.make(link, error="m", micro=False).svg_inline(border=0, omitsize=True, svgclass="qr"))


def _context(scene: Scene, person: int | None) -> dict[str, Any]:
    shown, state = scene.frame(person), scene.table.state
    return {
        "frame": shown,
        "view": None if state is None else state.view(shown.me),
        "watchers": scene.watchers,
        "ending": _ending(shown),
    }


def _asked(plea: Plea, person: int | None, names: Mapping[int, str]) -> dict[str, Any]:
    """A plea as one of the table's people sees it: who has agreed, and whether that one has."""
    agreed = [names.get(user, OLD_PLAYER) for user in plea.agreed]
    return {"id": plea.id, "name": plea.name, "agreed": agreed, "mine": person in plea.agreed}


def _barred(view: Any) -> tuple[object, ...]:
    """What of the own hand may not be played, while some of it may."""
    cards, legal = getattr(view, "cards", ()), getattr(view, "legal", ())
    return tuple(piece for piece in cards if piece not in legal) if cards and legal else ()


def okey_of(table: Table) -> str | None:
    """The face of the okeys on this table, in whose games there are any."""
    return None if table.state is None else getattr(table.state.view(None), "okey", None)


def _prompt(shown: Frame, view: Any) -> str:
    """The step line: what to do now, or who is doing it."""
    if view is None:
        return ""
    words = shown.game.texts
    mine, others = words.prompts[words.cue(view)]
    asked = words.asked(view)
    if shown.turn is None or shown.turn == shown.me:
        return filters.sentence(mine, asked, shown.names, words.words)
    name = Who(shown.names[shown.turn])
    if shown.turn in shown.absent and shown.clock_until is None:
        left = shown.places[shown.turn].left
        return f"{name} çıktı, masa bekliyor" if left else f"{name:in} dönmesi bekleniyor"
    return filters.sentence(others, {**asked, "who": name}, shown.names, words.words)


def _ending(shown: Frame) -> str:
    """How the match came to its end, in a sentence."""
    if shown.ended is None:
        return ""
    if shown.ended.how is not None:
        return filters.sentence(texts.FORFEITS[shown.ended.how], {"seat": shown.ended.by}, shown.names)
    return texts.ENDS[shown.ended.why]


def _evening(table: Table, names: Mapping[int, str]) -> list[tuple[str, int]]:
    """The evening's tally of exactly these people, in their order at the table; empty before the end."""
    seated = [chair.user for chair in table.chairs if chair.user is not None]
    if table.ended is None or len(seated) < len(table.chairs) or not recorded(table):
        return []
    wins = standings.evening(frozenset(seated), door.now())
    return [(names.get(user, OLD_PLAYER), wins.get(user, 0)) for user in seated] if wins else []


def _news(table: Table, names: Sequence[str], events: tuple[Event, ...]) -> dict[str, object]:
    words, okey = table.game.texts, okey_of(table)
    toasts = [
        {"text": text, "by": "" if (seat := filters.seat_in(event)) is None else names[seat]}
        for event in events
        for text in filters.told((event,), {**words.toasts, **texts.TOASTS}, names, words.words, okey)
    ]
    return {
        "say": filters.told(events, {**words.events, **texts.EVENTS}, names, words.words, okey),
        "toast": toasts[-1] if toasts else None,
        "sounds": [sound for event in events if (sound := words.sounds.get(codec.kind_of(event)))],
    }
