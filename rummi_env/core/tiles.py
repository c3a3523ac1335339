"""Tiles as integers and multisets of tiles as count arrays.

A tile kind is an index: ``color * 13 + number - 1`` for the 52 numbered kinds, colors
in the order of `COLORS` (black K, red R, blue B, orange O), and `JOKER` for both
jokers, which are alike. A multiset of tiles is an int8 array of shape [53].
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

NUM_COLORS = 4
"""Colors of the full deck."""
NUM_NUMBERS = 13
"""Numbers of the full deck: 1..13."""
NUM_KINDS = 52
"""Kinds of numbered tiles: 4 colors times 13 numbers."""
JOKER = 52
"""Index of the joker."""
NUM_COUNTS = 53
"""Length of a count array: the numbered kinds and the joker."""
COLORS = "KRBO"
"""Letters of the colors: black, red, blue, orange."""

Counts: TypeAlias = npt.NDArray[np.int8]
"""Multiset of tiles: int8 array of shape [53], how many of each kind."""


def kind_of(color: int, number: int) -> int:
    """Return the index of a numbered tile.

    Args:
        color: Index of the color in `COLORS`.
        number: Number printed on the tile, from 1.

    Raises:
        ValueError: The color or the number does not exist.

    >>> kind_of(1, 7)
    19
    """
    if not 0 <= color < NUM_COLORS:
        raise ValueError(f"color must be from 0 to {NUM_COLORS - 1}, not {color!r}")
    if not 1 <= number <= NUM_NUMBERS:
        raise ValueError(f"number must be from 1 to {NUM_NUMBERS}, not {number!r}")
    return color * NUM_NUMBERS + number - 1


def color_of(kind: int) -> int:
    """Return the index of a numbered tile's color in `COLORS`.

    Raises:
        ValueError: The index is not that of a numbered tile; a joker has no color.
    """
    _check_numbered(kind)
    return kind // NUM_NUMBERS


def number_of(kind: int) -> int:
    """Return the number printed on a numbered tile.

    Raises:
        ValueError: The index is not that of a numbered tile; a joker has no number.
    """
    _check_numbered(kind)
    return kind % NUM_NUMBERS + 1


def tile_name(kind: int) -> str:
    """Return the tile in the notation.

    Raises:
        ValueError: There is no tile with this index.

    >>> tile_name(12), tile_name(JOKER)
    ('K13', 'J')
    """
    if kind == JOKER:
        return "J"
    return f"{COLORS[color_of(kind)]}{number_of(kind)}"


def counts_of(tiles: Iterable[int]) -> Counts:
    """Return how many there are of each kind, int8[53].

    Raises:
        ValueError: There is no tile with one of these indices, or there are more than
            127 of one.
    """
    counts = [0] * NUM_COUNTS
    for tile in tiles:
        if not 0 <= tile < NUM_COUNTS:
            raise ValueError(f"a tile is an index from 0 to {JOKER}, not {tile!r}")
        counts[tile] += 1
    if max(counts) > np.iinfo(np.int8).max:
        most = counts.index(max(counts))
        raise ValueError(f"there cannot be {counts[most]} of {tile_name(most)}")
    return np.array(counts, dtype=np.int8)


def tiles_of(counts: npt.NDArray[np.integer]) -> tuple[int, ...]:
    """Return the tiles of a multiset of shape [53], in ascending order of index."""
    return tuple(np.repeat(np.arange(NUM_COUNTS), counts).tolist())


def rack_value(counts: npt.NDArray[np.integer], joker_value: int) -> int:
    """Return the value of a rack: the numbers printed, and a value for each joker.

    Args:
        counts: Tiles of the rack, shape [53].
        joker_value: What a joker left on the rack costs; 30 on the official sheet.

    >>> rack_value(counts_of([JOKER, kind_of(0, 4)]), joker_value=30)
    34
    """
    wide = counts.astype(np.int64)
    return int(wide[:NUM_KINDS] @ _NUMBERS) + int(wide[JOKER]) * joker_value


_NUMBERS = np.arange(NUM_KINDS, dtype=np.int64) % NUM_NUMBERS + 1


def _check_numbered(kind: int) -> None:
    if not 0 <= kind < NUM_KINDS:
        raise ValueError(
            f"a numbered tile is an index from 0 to {NUM_KINDS - 1}, not {kind!r}"
        )
