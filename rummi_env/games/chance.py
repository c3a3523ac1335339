"""Random numbers of a game, drawn from its own stream: all games' chance uses them."""

from __future__ import annotations

import numpy as np

from rummi_env.solver.compiled import kernel


@kernel
def random_below(game, bound):
    """Draws an integer of ``0..bound-1`` from the game's own stream (SplitMix64).

    The product method has a bias below 2**-32 for the bounds of these games.
    """
    game.seed += np.uint64(0x9E3779B97F4A7C15)
    z = game.seed
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64(((z >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def shuffle(game, tiles, size):
    """Brings the first tiles of an array into random order, in place."""
    for last in range(size - 1, 0, -1):
        other = random_below(game, last + 1)
        tile = tiles[last]
        tiles[last] = tiles[other]
        tiles[other] = tile


@kernel
def random_legal(game, end):
    """Chooses among the legal actions below ``end`` with equal chances; -1: none is."""
    legal = 0
    for action in range(end):
        legal += game.mask[action]
    if legal == 0:
        return np.int64(-1)
    chosen = random_below(game, legal)
    for action in range(end):
        if game.mask[action]:
            if chosen == 0:
                return np.int64(action)
            chosen -= 1
    return np.int64(-1)
