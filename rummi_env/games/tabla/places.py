"""Racks as bits: what the form solver computes with.

The place of a numbered kind is ``(number - 1) * 4 + color``, so the lowest bit of a set
is a tile of its lowest number and a group lies in four neighboring bits. A rack is two
sets, of the kinds that it has at least once and at least twice, and a number of jokers.
"""

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import intrinsic

from rummi_env.core.shapes import HIGH_NUMBERS, LOW_NUMBERS
from rummi_env.core.tiles import JOKER, NUM_COLORS, NUM_KINDS, NUM_NUMBERS
from rummi_env.solver.compiled import kernel

PLACE = np.array(
    [kind % NUM_NUMBERS * NUM_COLORS + kind // NUM_NUMBERS for kind in range(NUM_KINDS)]
)
"""int64[52]: the place of a kind."""

KIND = np.argsort(PLACE)
"""int64[52]: the kind of a place."""

LAST_POSITION = NUM_NUMBERS + 1
"""Position in a run of a 1 that follows 13; the others are at their numbers."""


def _places(numbers: frozenset[int]) -> int:
    return sum(0b1111 << (number - 1) * NUM_COLORS for number in numbers)


LOW = _places(LOW_NUMBERS)
"""Places of the tiles up to 9."""
HIGH = _places(HIGH_NUMBERS)
"""Places of the tiles from 10 on, and of the 1s."""
FIRST_COLOR = sum(1 << number * NUM_COLORS for number in range(NUM_NUMBERS))
"""Places of the tiles of color 0; those of color c are c bits higher."""

RUN = np.array(
    [
        [
            sum(1 << at % NUM_NUMBERS * NUM_COLORS for at in range(start, start + size))
            if start + size <= LAST_POSITION
            else 0
            for size in range(LAST_POSITION)
        ]
        for start in range(LAST_POSITION)
    ]
)
"""int64[14, 14]: places of the run of color 0 from a position (less one) on, by size.

The run of all 14 positions is not there, as it has a kind twice.
"""


@intrinsic
def popcount(typing_context, bits):
    """Counts the ones of an integer."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest(typing_context, bits):
    """Finds the lowest one of an integer that is not 0."""

    def generate(context, builder, signature, arguments):
        defined = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], defined)

    return types.int64(types.int64), generate


@kernel
def bits_of(counts):
    """Returns a rack int8[53] as bits: kinds held once, kinds held twice, jokers."""
    once = np.int64(0)
    twice = np.int64(0)
    for kind in range(NUM_KINDS):
        held = counts[kind]
        if held > 0:
            once |= np.int64(1) << PLACE[kind]
            if held > 1:
                twice |= np.int64(1) << PLACE[kind]
    return once, twice, np.int64(counts[JOKER])


@kernel
def sum_of(once, twice):
    """Adds up the numbers of a rack without jokers."""
    total = np.int64(0)
    for number in range(NUM_NUMBERS):
        nibble = np.int64(15) << (4 * number)
        held = popcount(once & nibble) + popcount(twice & nibble)
        total += held * (number + 1)
    return total
