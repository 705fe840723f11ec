"""Okey tiles on screen: what they are called, and how they are drawn. Decides nothing."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from flask import Flask
from jinja2 import Environment
from markupsafe import Markup

from mokali import turkish
from mokali.engine.melds import OKEY
from mokali.engine.tiles import FALSE_OKEY, Colour, Face
from mokali.tables.frame import Place
from mokali.tables.rack import TALL, WIDE, Placed

COLOURS: Final = {Colour.RED: "kırmızı", Colour.YELLOW: "sarı", Colour.BLUE: "mavi", Colour.BLACK: "siyah"}
KINDS: Final = {"run": "serisi", "group": "kütü", "pair": "çifti"}
_TILES: Final = 8192
_MELDS: Final = 4096


def tile_name(tile: str, okey: Face | None = None) -> str:
    """``sarı 7``, ``sahte okey``; ``okey`` for a tile of that face, and for one that stands for another, ``*=R6``.

    >>> tile_name("Y6a", "R5"), tile_name("Y6a", "Y6"), tile_name("*=R6")
    ('sarı 6', 'okey', 'okey')
    """
    face = tile.rstrip("ab")
    if tile.startswith(OKEY) or face == okey:
        return "okey"
    return "sahte okey" if face == FALSE_OKEY else f"{COLOURS[Colour(face[0])]} {face[1:]}"


def tile_label(tile: str, okey: Face | None = None) -> str:
    """The same, and what a tile that doesn't show it stands for.

    >>> tile_label("R7a"), tile_label("FJ", "B6"), tile_label("*=R6"), tile_label("*=7")
    ('kırmızı 7', 'sahte okey (mavi 6)', 'okey (kırmızı 6)', 'okey (7)')
    """
    stands = tile.removeprefix(OKEY) if tile.startswith(OKEY) else okey if tile.rstrip("ab") == FALSE_OKEY else None
    if stands is None:
        return tile_name(tile, okey)
    return f"{tile_name(tile, okey)} ({stands if stands.isdecimal() else tile_name(stands)})"


def tile_names(tiles: Iterable[str], okey: Face | None = None) -> str:
    """Several tiles in a row; neighbours of one colour share its name.

    >>> tile_names(["B12a", "B13", "*=B11", "FJ"])
    'mavi 12-13, okey, sahte okey'
    """
    named = [tile_name(tile, okey) for tile in tiles]
    runs = [(colour, list(some)) for colour, some in groupby(named, key=lambda name: name.partition(" ")[0])]
    numbers = ["-".join(name.partition(" ")[2] for name in some) for _, some in runs]
    return ", ".join(
        f"{colour} {joined}" if colour in COLOURS.values() else ", ".join(some)
        for (colour, some), joined in zip(runs, numbers, strict=True)
    )


def meld_name(kind: str, tiles: Sequence[str], okey: Face | None) -> str:
    """What lies in a meld, the colour of a run once: ``mavi 5, 6, okey (7)``."""
    if kind != "run":
        return ", ".join(tile_label(tile, okey) for tile in tiles)
    stands = [(okey or tile if tile == FALSE_OKEY else tile).removeprefix(OKEY) for tile in tiles]
    words = [
        f"okey ({stand[1:]})" if tile.startswith(OKEY) else stand[1:] for tile, stand in zip(tiles, stands, strict=True)
    ]
    return f"{COLOURS[Colour(stands[0][0])]} {', '.join(words)}"


def looks(tile: str, okey: Face | None) -> tuple[str, str, str]:
    """Classes, number and mark of a tile as it is drawn: ``("r", "7", "r")``; a false okey bears the okey's face."""
    face = tile.removeprefix(OKEY).rstrip("ab") if tile.startswith(OKEY) else tile.rstrip("ab")
    if face == FALSE_OKEY:
        return ("false", okey[1:], okey[0].lower()) if okey else ("false", "", "")
    wild = " wild" if tile.startswith(OKEY) or face == okey else ""
    return ("k wild", face, "") if face.isdecimal() else (face[0].lower() + wild, face[1:], face[0].lower())


def by_owner(melds: Sequence[Any], opened: Sequence[str | None]) -> list[tuple[int, list[tuple[int, Any]]]]:
    """The spread in blocks of one owner each, melds with their index; who opened with pairs lies last (UX 4.2)."""
    blocks = {}
    numbered = sorted(enumerate(melds), key=lambda item: item[1].owner)
    for owner, laid in groupby(numbered, key=lambda item: item[1].owner):
        blocks[owner] = sorted(laid, key=lambda item: (item[1].kind == "pair", item[0]))
    return sorted(blocks.items(), key=lambda block: (opened[block[0]] == "pairs", block[0]))


def register(app: Flask) -> None:
    """Hand the filters to the app's templates."""
    drawn = _Drawn(app.jinja_env)
    app.jinja_env.filters.update(
        tile_label=tile_label,
        by_owner=by_owner,
        mini=drawn.mini,
        rack_tiles=drawn.rack,
        tile_seat=drawn.seat,
        meld=drawn.meld,
    )


class _Drawn:
    """Markup of tiles and melds, drawn once for each way they look."""

    def __init__(self, environment: Environment) -> None:
        self._templates = environment
        self.mini = lru_cache(maxsize=_TILES)(self._mini)
        self._face = lru_cache(maxsize=_TILES)(self._face_of)
        self.meld = lru_cache(maxsize=_MELDS)(self._meld)
        self.seat = lru_cache(maxsize=_MELDS)(self._seat)

    def _mini(self, tile: str, okey: Face | None = None) -> Markup:
        """A small tile of which everybody sees the face; its name stands around it."""
        classes, number, mark = looks(tile, okey)
        classes = f"{mark} {classes}".strip() if classes == "false" else classes
        return self._render("parts/mini_tile.html", face=tile.rstrip("ab"), classes=classes, number=number, mark=mark)

    def rack(self, placed: Sequence[Placed], okey: Face) -> Markup:
        """The own rack, every tile in its place."""
        return Markup("".join(self._lying(one, okey) for one in placed))

    def _lying(self, one: Placed, okey: Face) -> str:
        marks = (one.mark, "head" if one.head else "", "tail" if one.tail else "")
        words = "".join(f" {word}" for word in marks if word)
        return self._face(one.tile, okey, one.down) % (words, *divmod(one.tall, TALL), *divmod(one.wide, WIDE))

    def _face_of(self, tile: str, okey: Face, down: bool) -> str:
        classes, number, mark = looks(tile, okey)
        looked = {"tile": tile, "down": down, "classes": classes, "number": number, "mark": mark}
        return str(self._render("parts/rack_tile.html", name=tile_label(tile, okey), **looked))

    def _seat(
        self, place: Place, tiles: int, opened: str | None, fine: int, thrown: Face | None, okey: Face | None
    ) -> Markup:
        """A seat with what everybody knows of its tiles."""
        looked = {"tiles": tiles, "opened": opened, "fine": fine, "thrown": thrown, "okey": okey}
        return self._render("parts/tile_seat.html", place=place, **looked)

    def _meld(self, shown: Any, index: int, okey: Face | None, owner: str, tag: str) -> Markup:
        """A meld on the table, one target; ``tag`` where it is its owner's first."""
        name = f"{turkish.genitive(owner)} {KINDS[shown.kind]}: {meld_name(shown.kind, shown.tiles, okey)}"
        return self._render("parts/meld.html", shown=shown, index=index, okey=okey, name=name, tag=tag)

    def _render(self, template: str, **context: object) -> Markup:
        return Markup(self._templates.get_template(template).render(context))
