"""Fragments that are drawn again only where something they look at has changed. Knows no table and no game.

What a fragment looks at is read off its template, once: ``frame.turn``, ``view.cards``, ``prompt``. A template that
hands ``frame`` or ``view`` on as a whole looks at all of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeAlias

from jinja2 import Environment, Template, meta, nodes
from msgspec import Struct

WHOLES: Final = ("frame", "view")
"""The values of which a template usually looks at a few fields."""

CUT: Final = "\x1e"
"""Stands in a fragment around pieces that may change alone, each one element with an id; no name holds this letter."""

Fragments: TypeAlias = dict[str, str]
Drawing: TypeAlias = tuple[list[object], str]
"""What a fragment looked at, and what it then looked like."""
Shared: TypeAlias = dict[str, list[Drawing]]
"""By the fragments' names."""


class Sketch(Struct, frozen=True):
    """One fragment: its template, and the places of what it looks at among the values of its ``Part``."""

    name: str
    template: Template
    looks: frozenset[int]


class Part:
    """Fragments that are drawn together, from one context."""

    def __init__(self, environment: Environment, names: Sequence[str], kinds: Mapping[str, type]) -> None:
        """``kinds`` are the types of the wholes: what a game's view hasn't got is not looked for."""
        looked = {name: [path for path in looks(environment, name) if _is_there(path, kinds)] for name in names}
        every = sorted(set().union(*looked.values()))
        fields = {whole: [path.split(".")[1] for path in every if path.startswith(f"{whole}.")] for whole in WHOLES}
        plain = [path for path in every if "." not in path]
        every = [*(f"{whole}.{field}" for whole in WHOLES for field in fields[whole]), *plain]
        self._plain, self._getters = plain, [(whole, _getter(fields[whole])) for whole in WHOLES]
        self.sketches = [
            Sketch(name, _template(environment, name), frozenset(every.index(path) for path in looked[name]))
            for name in names
        ]

    def values(self, context: Mapping[str, Any]) -> list[object]:
        """All that these fragments look at; what this stage hasn't got is None."""
        found = [value for whole, getter in self._getters for value in getter(context[whole])]
        found.extend(map(context.get, self._plain))
        return found


class Canvas:
    """A part as it was last drawn for one pair of eyes."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._values: list[object] = []
        self._drawn: Fragments = {}

    def draw(self, context: Mapping[str, Any], shared: Shared) -> Fragments:
        """Every fragment, by name; one whose values are as before is the very same text.

        ``shared`` remembers what others drew from this scene: who looks at the same values need not draw anew.
        """
        values = self.part.values(context)
        pairs = enumerate(zip(self._values, values, strict=False))
        changed = {n for n, (old, new) in pairs if old is not new and old != new}
        for sketch in self.part.sketches:
            if not self._values or not sketch.looks.isdisjoint(changed):
                self._drawn[sketch.name] = _drawn(sketch, values, context, shared.setdefault(sketch.name, []))
        self._values = values
        return self._drawn


def _is_there(path: str, kinds: Mapping[str, type]) -> bool:
    whole, _, field = path.partition(".")
    return not field or hasattr(kinds[whole], field)


def _getter(fields: list[str]) -> Callable[[object], Iterable[object]]:
    """All these fields of one value at once."""
    if len(fields) < 2:  # attrgetter would give no tuple
        return lambda value: [getattr(value, field) for field in fields]
    return attrgetter(*fields)


def _template(environment: Environment, name: str) -> Template:
    template = environment.get_template(name)
    template.globals = dict(template.globals)  # copied at every drawing, and the chain it was is slow to copy
    return template


def _drawn(sketch: Sketch, values: list[object], context: Mapping[str, Any], others: list[Drawing]) -> str:
    looked = [values[n] for n in sketch.looks]
    for theirs, html in others:
        if theirs == looked:
            return html
    html = sketch.template.render(context)
    others.append((looked, html))
    return html


def whole(html: str) -> str:
    """A fragment as it stands in a page."""
    return html.replace(CUT, "")


def changed(fragments: Fragments, seen: Fragments) -> str:
    """What a viewer does not have yet, marked to be swapped by id; ``seen`` remembers it from now on."""
    if fragments.keys() != seen.keys():
        seen.update(dict.fromkeys(fragments.keys() - seen.keys(), ""))
    new = [(name, html) for name, html in fragments.items() if html is not seen[name] and html != seen[name]]
    sent = [_swapped(html, seen[name]) for name, html in new]
    seen.update(new)
    return "".join(sent)


@lru_cache(maxsize=256)
def _swapped(html: str, before: str) -> str:
    """The pieces that changed, where nothing else did; else the whole fragment. Several viewers ask for the same."""
    pieces, old = html.split(CUT), before.split(CUT)
    if len(pieces) == len(old) > 1 and pieces[::2] == old[::2]:
        return "".join(marked(piece) for piece, other in zip(pieces[1::2], old[1::2], strict=True) if piece != other)
    return marked(whole(html))


def marked(html: str) -> str:
    """An element that is to be swapped by its id, wherever it stands."""
    head, rest = html.lstrip().split(" ", 1)
    return f'{head} hx-swap-oob="outerMorph" {rest}'


def looks(environment: Environment, name: str) -> frozenset[str]:
    """What a template, with everything it includes, may look at: names of its context, fields of the wholes.

    Raises ValueError where it includes a template whose name is not written out.
    """
    assert environment.loader is not None
    source = environment.loader.get_source(environment, name)[0]
    if source not in _read:  # once, however many include it
        tree = environment.parse(source)
        _read[source] = tuple(_paths(tree)), tuple(meta.find_referenced_templates(tree))
    paths, included = _read[source]
    found = {path for path in paths if path.split(".")[0] not in environment.globals}
    for other in included:
        if other is None:
            raise ValueError(f"{name}: the name of an included template must be written out")
        found |= looks(environment, other)
    return frozenset(found)


_read: Final[dict[str, tuple[tuple[str, ...], tuple[str | None, ...]]]] = {}
"""By a template's text: what it may look at itself, and what it includes."""


def _paths(tree: nodes.Template) -> Iterator[str]:
    free = meta.find_undeclared_variables(tree)
    yield from free.difference(WHOLES)
    for node in tree.find_all(nodes.Node):
        for child in node.iter_child_nodes():
            if isinstance(child, nodes.Name) and child.name in WHOLES:
                yield f"{child.name}.{node.attr}" if isinstance(node, nodes.Getattr) else child.name
