"""What an edge of a graph says, packed in 64 bits.

The node it leads to (32), joker set (3), optional naturals used by color (2 each),
jokers placed by color (2 each), tiles in all (5).
"""

from __future__ import annotations

import numpy as np

from rummi_env.solver.compiled import kernel
from rummi_env.solver.tables import JOKERS_SHIFT, TILES_SHIFT

EDGE_SET_SHIFT, EDGE_USED_SHIFT = 32, 35
EDGE_JOKERS_SHIFT = EDGE_USED_SHIFT + JOKERS_SHIFT
EDGE_TILES_SHIFT = EDGE_USED_SHIFT + TILES_SHIFT
NODE_BITS = 0xFFFFFFFF

SET_SIZE = 64
"""Plays that a set can tell apart, one bit each."""


@kernel
def edge_gain(edge, gains, number):
    """Gain of the optional naturals that an edge places."""
    used = edge >> EDGE_USED_SHIFT & 0xFF
    if used == 0:
        return np.int64(0)
    return (
        gains[number, used & 3]
        + gains[13 + number, used >> 2 & 3]
        + gains[26 + number, used >> 4 & 3]
        + gains[39 + number, used >> 6 & 3]
    )


@kernel
def used_stride(used, strides, number):
    """How far tiles of a number move a set of plays; `SET_SIZE` or more: out of it."""
    return (
        (used & 3) * strides[number]
        + (used >> 2 & 3) * strides[13 + number]
        + (used >> 4 & 3) * strides[26 + number]
        + (used >> 6 & 3) * strides[39 + number]
    )


@kernel
def used_kinds(used):
    """Kinds of the lowest number of the colors of which tiles are used, as bits."""
    some = used | used >> 1
    return np.int64(
        some & 1 | (some >> 2 & 1) << 13 | (some >> 4 & 1) << 26 | (some >> 6 & 1) << 39
    )
