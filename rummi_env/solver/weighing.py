"""What a color can do alone: its options, states within reach, jokers that it needs."""

from __future__ import annotations

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from rummi_env.core.tiles import NUM_COLORS, NUM_NUMBERS
from rummi_env.solver.compiled import kernel
from rummi_env.solver.tables import (
    COST_SHIFT,
    EXPLICIT,
    FINAL_START,
    GROUP_BASE,
    PAST_END,
    STATE_SHIFT,
    STATES,
    SUPPLY_LEVELS,
)
from rummi_env.solver.workspace import INDEX

OUT_OF_REACH = 60
"""Least jokers, in halves, of what cannot be finished."""

NO_GROUPS = np.int64(sum(OUT_OF_REACH << (8 * tiles) for tiles in range(GROUP_BASE)))
"""`Workspace.cheapest` where no number of tiles in groups is possible."""


@kernel
def option_row(here, optional, must, may, color, number, numbers):
    """Row of a color's options at a number, without the table's start.

    Args:
        here: naturals that must be placed at this number.
        optional: naturals that may be placed there.
        must: int8[52]; naturals that must be placed, as what feeds open runs later.
        may: int8[52]; further naturals that may be placed.
        color: the color.
        number: the number, counted from 0.
        numbers: highest number of the deck.
    """
    kind = color * NUM_NUMBERS + number
    supply1 = supply2 = PAST_END
    if number + 1 < numbers:
        supply1 = must[kind + 1] + may[kind + 1]
    if number + 2 < numbers:
        supply2 = must[kind + 2] + may[kind + 2]
    mix = np.int64(here) * 3 + optional
    return (mix * SUPPLY_LEVELS + supply1) * SUPPLY_LEVELS + supply2


@kernel
def reach_color(workspace, tables, numbers, budget, color):
    """Finds the states that the runs of one color can reach within the budget."""
    within, rows, moves = workspace.within, workspace.rows, tables.moves
    within[:] = 0
    within[0, 0] = 1
    for number in range(numbers):
        row = rows[color, number]
        for spent in range(budget + 1):
            here = within[INDEX(number), INDEX(spent)]
            while here:
                state = trailing_zeros(here)
                here &= here - 1
                for paid in range(budget - spent + 1):
                    within[INDEX(number + 1), INDEX(spent + paid)] |= moves[
                        INDEX(row + state), INDEX(3 * (budget - spent) + paid)
                    ]


@kernel
def weigh_color(workspace, tables, table, numbers, color, must, may):
    """Finds the least jokers that one color needs to the end, for reachable states.

    Counted in halves: a group of two naturals and a joker costs each color a half.
    """
    within, rows = workspace.within, workspace.rows
    least, cheapest = workspace.least, workspace.cheapest
    bounds, options, groups_of = tables.bounds, tables.options, tables.groups
    final_start = tables.head[table, FINAL_START]
    own = INDEX(color)
    for state in range(tables.head[table, STATES]):
        final = np.int64(tables.final[final_start + state])
        least[color, numbers, state] = min(2 * final, OUT_OF_REACH)
    for number in range(numbers - 1, -1, -1):
        share = 0
        if table < EXPLICIT:
            others = 0
            for other in range(NUM_COLORS):
                kind = other * NUM_NUMBERS + number
                if other != color and must[kind] + may[kind] > 0:
                    others += 1
            if others < 2:
                share = 1 if others == 1 else 4
        row = rows[color, number]
        after = INDEX(number + 1)
        here = within[number, 0] | within[number, 1] | within[number, 2]
        while here:
            state = trailing_zeros(here)
            here &= here - 1
            best = OUT_OF_REACH
            by_groups = NO_GROUPS
            at = INDEX(row + state)
            possible = np.int64(groups_of[at])
            while possible:
                groups = INDEX(trailing_zeros(possible))
                possible &= possible - 1
                lowest = OUT_OF_REACH
                for o in range(bounds[at, groups], bounds[at, groups + INDEX(1)]):
                    option = options[INDEX(o)]
                    cost = (
                        2 * (option >> COST_SHIFT & 15)
                        + least[own, after, INDEX(option >> STATE_SHIFT)]
                    )
                    lowest = min(lowest, cost)
                by_groups ^= np.int64(lowest ^ OUT_OF_REACH) << (8 * np.int64(groups))
                best = min(best, lowest + (share if groups > 0 else 0))
            cheapest[own, INDEX(number), INDEX(state)] = by_groups
            least[own, INDEX(number), INDEX(state)] = best
