"""The 106 tiles of both okey games, their faces, and which tile is the okey. Knows no game."""

from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, TypeAlias


class Colour(StrEnum):
    """The four colours in canonical order: kırmızı, sarı, mavi, siyah."""

    RED = "R"
    YELLOW = "Y"
    BLUE = "B"
    BLACK = "K"


NUMBERS: Final = range(1, 14)

Face: TypeAlias = str
"""What everybody sees of a tile: ``R7``; ``FJ`` is a false okey."""
FALSE_OKEY: Final[Face] = "FJ"
FACES: Final[tuple[Face, ...]] = (*(f"{colour}{number}" for colour in Colour for number in NUMBERS), FALSE_OKEY)
"""All 53 in canonical order."""


class Tile(StrEnum):
    """A physical tile is its own text: its face and which of two copies, ``R7a`` (OK-1, OK-2)."""

    _ignore_ = ["_face", "_copy"]  # noqa: RUF012 - the enum's own way to say it
    for _face in FACES:
        for _copy in "ab":
            vars()[_face + _copy] = _face + _copy

    @property
    def face(self) -> Face:
        """The tile without its copy."""
        return self[:-1]

    @property
    def twin(self) -> "Tile":
        """The other tile of this face."""
        return Tile(self.face + ("b" if self.value[-1] == "a" else "a"))


ALL_TILES: Final[tuple[Tile, ...]] = tuple(Tile)
"""All 106 in canonical order: R, Y, B, K; 1..13 each, a before b; the false okeys last."""


@lru_cache(maxsize=4096)
def faces_of(tiles: tuple[Tile, ...]) -> tuple[Face, ...]:
    """What everybody sees of these.

    >>> faces_of(tiles("R7a FJb"))
    ('R7', 'FJ')
    """
    return tuple(tile.face for tile in tiles)


@cache
def okey_of(indicator: Face) -> Face:
    """The face of the okeys: the next number of the indicator's colour, 1 after 13 (OK-3).

    >>> okey_of("B5"), okey_of("K13")
    ('B6', 'K1')
    """
    return f"{indicator[0]}{int(indicator[1:]) % 13 + 1}"


def natural(tile: Tile, okey: Face) -> Face | None:
    """The face that a tile counts as, the okey's for a false okey (OK-4); None for an okey, which counts as any."""
    face = tile[:-1]
    return None if face == okey else okey if face == FALSE_OKEY else face


def tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of a text.

    >>> tiles("R7a FJb")[1].face
    'FJ'
    """
    return tuple(Tile(word) for word in text.split())
