"""Train Tavla's networks by self-play: temporal differences, with each game's own next position as the target.

One process, one core: ``OMP_NUM_THREADS=1 nice -n 15 python tools/train_tavla.py mokali/games/tavla/network.npz``.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from mokali.games.tavla.board import CHECKERS, OFF, START
from mokali.games.tavla.network import (
    INPUTS,
    KINDS,
    OUTPUTS,
    Floats,
    Layers,
    Net,
    chances,
    contact,
    hidden,
    inputs,
    outputs,
    worth,
)
from mokali.games.tavla.plays import Boards, Ints, array_of, plays, turned

UNITS: Final = {"contact": 128, "race": 48}
GAMES: Final = 64
"""Played side by side."""
RATE: Final = 0.002
"""Of Adam, at the start."""
HALVED: Final = 20_000
"""After so many games half of it, after twice as many a third."""


def fresh(rng: np.random.Generator) -> Net:
    """Networks that know nothing, but that a mars is rare."""
    return {
        kind: (
            (rng.standard_normal((INPUTS, units)) * (1 / 6)).astype(np.float32),
            np.zeros(units, np.float32),
            (rng.standard_normal((units, len(OUTPUTS))) * 0.05).astype(np.float32),
            np.array([0, -1.5, -1.5], np.float32),
        )
        for kind, units in UNITS.items()
    }


class Adam:
    """Steps down the slope of one network, in place."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.mean = [np.zeros_like(layer) for layer in layers]
        self.square = [np.zeros_like(layer) for layer in layers]
        self.steps = 0

    def learn(self, told: Floats, target: Floats, rate: float) -> None:
        """One step towards these targets."""
        if not len(told):
            return
        units = hidden(told, self.layers)
        off = (outputs(units, self.layers) - target) / GAMES
        back = (off @ self.layers[2].T) * (units > 0)
        self.steps += 1
        now = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        slopes = (told.T @ back, back.sum(axis=0), units.T @ off, off.sum(axis=0))
        for layer, mean, square, slope in zip(self.layers, self.mean, self.square, slopes, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            layer -= now * mean / (np.sqrt(square) + 1e-6)


def best(boards: Boards, throws: Ints, net: Net) -> tuple[Boards, Floats]:
    """What the networks play of each throw, turned round, and the other side's chances there."""
    found = plays(boards, throws)
    after = turned(found.boards)
    told = chances(after, net)
    value = worth(told)
    at = np.flatnonzero(value == found.least(value)[found.owners])
    chosen = at[np.searchsorted(found.owners[at], np.arange(len(boards)))]
    return after[chosen], told[chosen]


def train(out: Path, seed: int, wanted: int, every: int) -> None:
    """Play and learn for so many games; the networks are stored as they grow."""
    rng = np.random.default_rng(seed)
    net = fresh(rng)
    learners = {kind: Adam(layers) for kind, layers in net.items()}
    start = array_of([(START, START)])
    boards, games, stored = np.repeat(start, GAMES, axis=0), 0, 0
    while games < wanted:
        rate = RATE / (1 + games / HALVED)
        after, told = best(boards, rng.integers(1, 7, (GAMES, 2)), net)
        target = np.stack([1 - told[:, 0], told[:, 2], told[:, 1]], axis=1)  # as the mover sees them
        seen, near = inputs(boards), contact(boards)
        for kind, rows in (("contact", near), ("race", ~near)):
            learners[kind].learn(seen[rows], target[rows], rate)
        over = after[:, 1, OFF] == CHECKERS
        games += int(over.sum())
        after[over] = start
        boards = after
        if games - stored >= every:
            stored = games
            store(net, out.with_stem(f"{out.stem}-{games}"))
            print(f"{games} games, rate {rate:.5f}", flush=True)
    store(net, out)


def store(net: Net, out: Path) -> None:
    """As plain arrays of half precision, in the order in which ``network.trained`` reads them."""
    np.savez_compressed(out, *(layer.astype(np.float16) for kind in KINDS for layer in net[kind]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--snapshots", type=int, default=20_000, help="games from one stored network to the next")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    train(given.out, given.seed, given.games, given.snapshots)
