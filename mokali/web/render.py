"""View and frame to fragments; a Screen remembers what a viewer has and gives only what changed.

A fragment is one file with one root section; the folders are the list. What lies in ``all/`` is drawn once per table
and revision from the spectator's view; what lies in ``own/`` is drawn for a seat, from its view alone.
"""

from collections.abc import Mapping
from typing import Any, Final

import segno
from jinja2 import Environment, Template
from markupsafe import Markup

from mokali.engine import codec
from mokali.engine.protocol import Game, Rules
from mokali.live import door
from mokali.store import people, standings
from mokali.store.people import Plea
from mokali.tables import texts
from mokali.tables.frame import OLD_PLAYER, Frame, frame
from mokali.tables.table import Table, seat_of
from mokali.web.filters import Who
from mokali.web.links import Links

SWAP: Final = '<section hx-swap-oob="outerMorph" '
BORDER: Final = "\x1e"
"""Between two fragments; no name and no sentence holds it."""
MAIN_SWAP: Final = '<main hx-swap-oob="outerMorph" '

Fragments = dict[str, str]


class Scene:
    """A table as it stands between two rings, read once for all who look at it. ``drawn`` is what all see alike."""

    def __init__(self, table: Table, watchers: int) -> None:
        self.table, self.watchers = table, watchers
        self.names = people.names(chair.user for chair in table.chairs if chair.user is not None)
        self.pleas = people.pleas(table.id, door.now())
        self.evening = _evening(table, self.names)
        self.drawn: dict[str, Fragments] = {}

    def frame(self, person: int | None) -> Frame:
        """The table around a view, as one person sees it."""
        return frame(self.table, person, self.names)


class Renderer:
    """Draws tables with one set of templates; needs no request."""

    def __init__(self, templates: Environment, links: Links) -> None:
        self.templates, self.links = templates, links
        self._files = sorted(templates.list_templates(filter_func=lambda name: "/_" in name))
        """By name, the game's before the table's: also the order of focus (hand, moves, table, bar)."""
        self._sheets: dict[tuple[tuple[str, ...], str], tuple[list[str], Template]] = {}

    def picture(self, scene: Scene, person: int | None, base: str) -> Fragments:
        """Every fragment of a table as one person sees it. ``base`` is the address the house is called by."""
        if base not in scene.drawn:
            scene.drawn[base] = self._for_all(scene, base)
        return self._own(scene, person) | scene.drawn[base]

    def stage(self, scene: Scene, person: int | None, fragments: Fragments) -> str:
        """The whole ``<main>``."""
        shown = scene.frame(person)
        return self._render("table/main.html", {"frame": shown, "fragments": Markup("".join(fragments.values()))})

    def refusal(self, code: str, text: str, rule: str, table: Table) -> str:
        """The sentence for one person whose wish was refused, with the way to its rule."""
        href = self.links.to("rules_page", key=table.game.key, masa=table.code) + f"#{rule}"
        html = self._render("table/refusal.html", {"code": code, "text": text, "href": href})
        return html.replace("<section ", SWAP, 1)

    def lobby(self, lobby: object) -> Fragments:
        """The lobby's fragments."""
        return {name: self._render(name, {"lobby": lobby}) for name in self._files if name.startswith("lobby/")}

    def _for_all(self, scene: Scene, base: str) -> Fragments:
        """What everybody sees alike, from the spectator's view."""
        table = scene.table
        link = base + self.links.to("invite", code=table.code)
        context = _context(scene, None) | {"link": link, "qr": qr(link) if table.state is None else ""}
        return self._drawn(table, "all", context)

    def _own(self, scene: Scene, person: int | None) -> Fragments:
        """What this person alone sees."""
        table, context = scene.table, _context(scene, person)
        shown: Frame = context["frame"]
        goto = "" if table.successor is None else self.links.to("table", code=table.successor)
        pleas = [_asked(plea, person, scene.names) for plea in scene.pleas] if shown.me is not None else []
        context |= {"pleas": pleas, "evening": scene.evening, "prompt": _prompt(shown), "goto": goto}
        return self._drawn(table, "own", context)

    def _drawn(self, table: Table, part: str, context: Mapping[str, Any]) -> Fragments:
        """One part of a stage, drawn in one go: to begin a template costs as much as to draw it."""
        folders = ("waiting",) if table.state is None else (f"games/{table.game.layout}", "table")
        if (folders, part) not in self._sheets:
            names = [name for folder in folders for name in self._files if name.startswith(f"{folder}/{part}/")]
            text = BORDER.join(f'{{% include "{name}" %}}' for name in names)
            self._sheets[folders, part] = names, self.templates.from_string(text)
        names, sheet = self._sheets[folders, part]
        return dict(zip(names, sheet.render(context).split(BORDER), strict=True))

    def _render(self, name: str, context: Mapping[str, Any]) -> str:
        return self.templates.get_template(name).render(context)


class Screen:
    """What one viewer of one table has on the glass."""

    def __init__(self, renderer: Renderer, person: int | None, base: str) -> None:
        self.renderer, self.person, self.base = renderer, person, base
        self.revision = -1
        self._stage = ""
        self._seen: dict[str, int] = {}

    def forget(self) -> None:
        """Send everything anew next time."""
        self._seen, self._stage = {}, ""

    def update(self, scene: Scene) -> str:
        """The fragments that have changed since the last time; the whole stage where that is another (SITE-10)."""
        table = scene.table
        if table.revision < self.revision:
            return ""  # never an older picture over a newer (RL-25)
        self.revision = table.revision
        fragments = self.renderer.picture(scene, self.person, self.base)
        stage = "waiting" if table.state is None else "table"
        if stage != self._stage:
            self._stage = stage
            self._seen = {name: hash(html) for name, html in fragments.items()}
            return self.renderer.stage(scene, self.person, fragments).replace("<main ", MAIN_SWAP, 1)
        return "".join(changed(fragments, self._seen))


class LobbyScreen:
    """What one person has of the lobby."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        self._seen: dict[str, int] = {}

    def update(self, lobby: object) -> str:
        """The fragments that have changed since the last time."""
        return "".join(changed(self.renderer.lobby(lobby), self._seen))


def changed(fragments: Fragments, seen: dict[str, int]) -> list[str]:
    """Those that a viewer does not have yet, marked to be swapped by id; ``seen`` remembers them from now on."""
    new = [name for name, html in fragments.items() if seen.get(name) != hash(html)]
    seen.update((name, hash(fragments[name])) for name in new)
    return [fragments[name].replace("<section ", SWAP, 1) for name in new]


def qr(link: str) -> Markup:
    """A link as a picture that phones read."""
    return Markup(segno.make(link, error="m", micro=False).svg_inline(border=0, omitsize=True, svgclass="qr"))


def differences(game: Game, rules: Rules) -> list[dict[str, str]]:
    """What differs from the game's usual preset, in words."""
    usual, chosen = codec.plain(next(iter(game.rulesets.values()))), codec.plain(rules)
    return [
        {"label": choice.label, "value": choice.values.get(str(chosen[field]), str(chosen[field]))}
        for field, choice in game.texts.rules.items()
        if chosen[field] != usual[field]
    ]


def _context(scene: Scene, person: int | None) -> dict[str, Any]:
    table = scene.table
    return {
        "frame": scene.frame(person),
        "view": None if table.state is None else table.state.view(seat_of(table, person)),
        "watchers": scene.watchers,
        "ends": texts.ENDS,
        "differences": differences(table.game, table.rules),
    }


def _asked(plea: Plea, person: int | None, names: Mapping[int, str]) -> dict[str, Any]:
    """A plea as one of the table's people sees it: who has agreed, and whether that one has."""
    agreed = [names.get(user, OLD_PLAYER) for user in plea.agreed]
    return {"id": plea.id, "name": plea.name, "agreed": agreed, "mine": person in plea.agreed}


def _prompt(shown: Frame) -> str:
    """The step line: what to do now, or who is doing it."""
    if shown.phase == "waiting":
        return ""
    mine, others = shown.game.texts.prompts[shown.phase]
    if shown.turn is None or shown.turn == shown.me:
        return mine
    name = Who(shown.names[shown.turn])
    return f"{name:in} dönmesi bekleniyor" if shown.turn in shown.absent else others.format(who=name)


def _evening(table: Table, names: Mapping[int, str]) -> list[tuple[str, int]]:
    """The evening's tally of exactly these people, in their order at the table; empty before the end."""
    seated = [chair.user for chair in table.chairs if chair.user is not None]
    if table.ended is None or len(seated) < len(table.chairs):
        return []
    wins = standings.evening(frozenset(seated), door.now())
    return [(names.get(user, OLD_PLAYER), wins.get(user, 0)) for user in seated] if wins else []
