"""Okey hands to solve: from a full box, or rich in melds."""

from collections.abc import Sequence
from random import Random

from mokali.engine.tiles import ALL_TILES, FACES, FALSE_OKEY, Face, Tile, okey_of


def deal(rng: Random, size: int, okeys: int) -> tuple[list[Tile], Face, Face]:
    """A hand with so many okeys, its okey and its indicator."""
    indicator, okey, wild, rest = _box(rng)
    hand = rng.sample(wild, okeys) + rng.sample(rest, size - okeys)
    rng.shuffle(hand)
    return hand, okey, indicator


def rich(rng: Random, size: int, okeys: int) -> tuple[list[Tile], Face, Face]:
    """The same from few neighbouring numbers, or from few colours, so that melds compete; with a few strangers."""
    indicator, okey, wild, rest = _box(rng)
    first = rng.randint(1, 10)
    numbers = range(first, first + rng.randint(3, 6)) if rng.random() < 0.7 else range(1, 14)
    colours = rng.sample("RYBK", rng.randint(1 if len(numbers) == 13 else 2, 4))
    near = [tile for tile in rest if tile.face == FALSE_OKEY or (tile[0] in colours and _number(tile) in numbers)]
    rng.shuffle(near)
    far = [tile for tile in rest if tile not in near]
    strangers = rng.sample(far, min(len(far), rng.randint(0, 3)))
    hand = [*rng.sample(wild, okeys), *strangers, *near][:size]
    hand += rng.sample([tile for tile in rest if tile not in hand], size - len(hand))
    rng.shuffle(hand)
    return hand, okey, indicator


def _box(rng: Random) -> tuple[Face, Face, list[Tile], list[Tile]]:
    indicator = rng.choice([face for face in FACES if face != FALSE_OKEY])
    okey = okey_of(indicator)
    wild = [tile for tile in ALL_TILES if tile.face == okey]
    return indicator, okey, wild, [tile for tile in ALL_TILES if tile.face != okey and tile != f"{indicator}a"]


def _number(tile: Tile) -> int:
    return int(tile.face[1:])


def faces(hand: Sequence[Tile]) -> list[Face]:
    """What everybody would see of them."""
    return [tile.face for tile in hand]
