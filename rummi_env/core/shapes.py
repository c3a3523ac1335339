"""What the 14 tiles of a closing in Rummy pe tabla can form."""

from enum import IntEnum
from typing import Literal, TypeAlias

NUM_SHOWN = 14
"""Tiles that a closing shows; one more is thrown."""

LOW_NUMBERS = frozenset(range(1, 10))
"""The numbers of *minor*: up to 9."""
HIGH_NUMBERS = frozenset({1, 10, 11, 12, 13})
"""The numbers of *major*: from 10 on, and the 1."""

Numbers: TypeAlias = Literal["all", "low", "high"]


class Shape(IntEnum):
    """What the 14 tiles form, apart from their numbers and their sum.

    A run is three or more consecutive numbers of one color, a 1 also after 13 but never
    in between; a group is three or four tiles of one number in different colors.
    """

    MELDS = 0
    """Runs and groups, of either any number."""
    MELDS_WITH_RUN = 1
    """Runs and groups, at least one run."""
    RUNS = 2
    """Runs only."""
    GROUPS = 3
    """Groups only; always four of them."""
    FOUR_COLOR_RUNS = 4
    """Four runs, one of each color."""
    THREE_COLOR_RUNS = 5
    """Three runs of three different colors."""
    TWO_COLOR_RUNS = 6
    """Two to four runs, in exactly two colors."""
    ONE_COLOR_RUNS = 7
    """Two to four runs of one color; a long run may be cut."""
    ROYAL = 8
    """One run of one color from 1 through 13 to 1."""
    MOSAIC = 9
    """1 to 13 and 1 in a row, neighbors of different colors.

    The first four tiles and the last four each show all four colors. Either 1 may be
    the first, and both may have one color (gox; ropet forbids that).
    """
    SQUARE = 10
    """Eight tiles of one number, six others of any kind."""
    ONE_COLOR = 11
    """Any tiles of one color."""
    ANY = 12
    """Any tiles."""
    PAIRS = 13
    """Seven pairs of identical tiles."""
