"""All melds that cannot be cut into smaller ones, as columns for compiled functions.

14 tiles in melds are 5 + 5 + 4, 5 + 3 + 3 + 3 or 4 + 4 + 3 + 3 tiles once runs of six
and more are cut; see `PATTERNS`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rummi_env.core.tiles import NUM_COLORS, NUM_NUMBERS
from rummi_env.games.tabla.covers import LONGEST
from rummi_env.games.tabla.places import LAST_POSITION, RUN

PATTERNS = np.array([(4, 4, 3, 3), (5, 3, 3, 3), (5, 5, 4, 0)])
"""int64[3, 4]: the sizes of melds that make 14 tiles, 0 for none."""

NO_COLOR = NUM_COLORS
"""Color of a group."""


class Row(NamedTuple):
    """One meld."""

    places: int
    size: int
    total: int
    color: int
    start: int


def _runs() -> list[Row]:
    rows = []
    for size in range(3, LONGEST + 1):
        for start in range(LAST_POSITION - size + 1):
            numbers = [at % NUM_NUMBERS + 1 for at in range(start, start + size)]
            for color in range(NUM_COLORS):
                places = int(RUN[start, size]) << color
                rows.append(Row(places, size, sum(numbers), color, start))
    return rows


def _groups() -> list[Row]:
    rows = []
    for number in range(NUM_NUMBERS):
        for colors in range(16):
            size = colors.bit_count()
            if size >= 3:
                places = colors << number * NUM_COLORS
                rows.append(Row(places, size, size * (number + 1), NO_COLOR, number))
    return rows


_ROWS = _runs() + _groups()

NUM_MELDS = len(_ROWS)
PLACES, SIZES, TOTALS, MELD_COLORS, STARTS = (
    np.array(column, np.int64) for column in zip(*_ROWS, strict=True)
)
"""int64[197] each: a meld's places, size, sum, color (or `NO_COLOR`) and start.

The start is the position (less one) of the first tile of a run, the number (less one)
of a group.
"""
