"""Racks that nearly have a form, and the brute-force judge of forms."""

import random
from collections.abc import Callable

import pytest

from rummi_env.core.tiles import JOKER

Rack = tuple[int, ...]

COLORS = "krby"
"""Letters of the colors in the examples, in the order of the tile kinds."""


def read_shorthand(text: str) -> Rack:
    """Read ``r1-3 9:ryb k5 J``: a run (14 is the 1 after 13), a group, tiles."""
    tiles: list[int] = []
    for word in text.split():
        if word == "J":
            tiles.append(JOKER)
        elif ":" in word:
            number, colors = word.split(":")
            tiles += [COLORS.index(c) * 13 + int(number) - 1 for c in colors]
        else:
            first, _, last = word[1:].partition("-")
            positions = range(int(first), int(last or first) + 1)
            tiles += [COLORS.index(word[0]) * 13 + (p - 1) % 13 for p in positions]
    return tuple(tiles)


@pytest.fixture(scope="session")
def shorthand() -> Callable[[str], Rack]:
    return read_shorthand


TARGETS = [
    "r1-3 b5-8 9:rybk 12:ybk",
    "r1-3 y4-7 8:rybk b2-4",
    "1:rybk 2:rybk 5:ryb 8:ryb",
    "1:rybk 2:rybk 3:ryb 6:ryb",
    "r1-4 y1-4 b4-6 k4-6",
    "r1-3 y1-3 b1-3 k1-5",
    "1:rybk 1:rbk y12-14 2:rybk",
    "r10-14 y10-12 13:ybk 11:ybk",
    "7:rybk 7:rybk r1 y3 b13 k12 r9 b2",
    "r1-3 y4-7 b9-11 k10-13",
    "r10-14 y11-13 b10-12 k12-14",
    "r1-5 y6-9 b9-13",
    "r1-5 y4-7 b5-9",
    "r1-8 y5-7 b12-14",
    "r10-14 y10-14 b10-13",
    "r1-4 r9-11 b3-6 b11-13",
    "r1-4 r7-9 b2-5 b7-9",
    "r1-5 r4-6 r8-10 r11-13",
    "r1-14",
    "3:ryb 5:ryk 9:rybk 12:rybk",
    "1:rybk 10:rybk 12:ryb 13:ryk",
    "r1 y2 b3 k4 r5 y6 b7 k8 r9 y10 r11 y12 b13 k1",
    "r1 r1 y2 y2 b3 b3 k4 k4 r5 r5 y6 y6 b7 b7",
    "r1 r1 y1 b1 k2 k2 y3 b3 r4 r4 y5 b5 k4 b1",
]
"""Boards of every shape, as starting points of near misses."""


def near_miss(rng: random.Random, jokers: int, changes: int, size: int = 14) -> Rack:
    """Return a board with its colors mixed, some tiles exchanged, some jokers."""
    order = rng.sample(range(4), 4)
    board = read_shorthand(rng.choice(TARGETS))
    tiles = [order[tile // 13] * 13 + tile % 13 for tile in board]
    for _ in range(jokers):
        tiles.remove(rng.choice([tile for tile in tiles if tile != JOKER]))
        tiles.append(JOKER)
    for _ in range(changes):
        tiles.remove(rng.choice([tile for tile in tiles if tile != JOKER]))
        tiles.append(rng.choice([k for k in range(JOKER) if tiles.count(k) < 2]))
    while len(tiles) < size:
        tiles.append(rng.choice([k for k in range(JOKER) if tiles.count(k) < 2]))
    return tuple(sorted(tiles))


@pytest.fixture(scope="session")
def near_misses() -> Callable[[random.Random, int, int, int], Rack]:
    return near_miss
