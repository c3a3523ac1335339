"""Look-up tables that turn the automata into ready lists of options.

For a color at one number, an *option* is one way to use its tiles: so many in groups, so
many in runs. Which options exist depends only on the state of the color's open runs, on
the tiles there are (``must`` be placed, ``may`` be placed) and on how many tiles of the
next two numbers can feed the open runs. So the lists are made once, with the dead ends
already left out.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.solver.automata import (
    INFEASIBLE,
    MAX_JOKERS,
    Automaton,
    explicit_automaton,
    explicit_groups,
    implicit_automaton,
    implicit_groups,
)
from rummi_env.solver.compiled import kernel

MAX_TILES = 4
"""Most tiles of one kind that can lie on a table: two naturals, two jokers."""

GROUP_BASE = MAX_TILES + 1
SUPPLY_LEVELS = MAX_TILES + 2
"""Supplies 0..4 of a later number; the last level means: past the highest number."""
PAST_END = SUPPLY_LEVELS - 1
TILE_MIXES = GROUP_BASE * 3
"""Pairs (must 0..4, may 0..2) of one kind."""
ROWS = TILE_MIXES * SUPPLY_LEVELS * SUPPLY_LEVELS

# An option packed in 32 bits: state after (6), tiles in groups (3), joker cost (2),
# optional naturals used (2), room for spare jokers (1), tiles in all (3), jokers placed (2).
STATE_BITS = 0x3F
GROUP_SHIFT, COST_SHIFT, USED_SHIFT = 6, 9, 11
RUN_SHIFT, TILES_SHIFT, JOKERS_SHIFT = 13, 14, 17

IMPLICIT, EXPLICIT = 0, 3
"""First table of each mode; add the number of jokers that may be placed (0..2)."""
NUM_TABLES = 6

STATES, ROW_START, FINAL_START, GROUP_START = range(4)
"""Columns of `Tables.head`."""


class Tables(NamedTuple):
    """All tables, one after the other, for decks of a certain number of colors.

    Attributes:
        head: int64[6, 4]; per table the number of states and where its parts start.
        first: int32[...]; where the options of (row, state) start; one more closes.
        options: int32[...]; packed options.
        final: int8[...]; jokers a state needs to finish with no further tile.
        groups: uint8[6 * 625]; by tiles in groups per color (base 5): bit j is set
            where the groups can be made with j anonymous jokers.
        pairs: uint8[6 * 625]; by tiles of colors 0 and 1 in groups and most tiles of
            colors 2 and 3: can it still become groups.
        triples: uint8[6 * 625]; the same, with three colors settled.
        sums: uint8[8, 8]; set of sums of two joker sets, sums over 2 dropped.
        costs: uint8[8, 3, 2]; joker set of an edge by its groups' set, its cost and
            whether it has a run tile (then spare jokers can be placed as well).
    """

    head: NDArray[np.int64]
    first: NDArray[np.int32]
    options: NDArray[np.int32]
    final: NDArray[np.int8]
    groups: NDArray[np.uint8]
    pairs: NDArray[np.uint8]
    triples: NDArray[np.uint8]
    sums: NDArray[np.uint8]
    costs: NDArray[np.uint8]


@cache
def solver_tables(num_colors: int) -> Tables:
    """Makes the tables for a deck of 2, 3 or 4 colors."""
    head = np.zeros((NUM_TABLES, 4), np.int64)
    firsts, options, finals, groups, pairs, triples = [], [], [], [], [], []
    rows_before = finals_before = options_before = 0
    for table in range(NUM_TABLES):
        jokers = table % EXPLICIT
        explicit = table >= EXPLICIT
        automaton = explicit_automaton(MAX_TILES) if explicit else implicit_automaton(jokers)
        first, packed = _options(automaton, explicit, jokers)
        head[table, STATES] = automaton.num_states
        head[table, ROW_START] = rows_before
        head[table, FINAL_START] = finals_before
        head[table, GROUP_START] = table * GROUP_BASE**4
        firsts.append(first + options_before)
        options.append(packed)
        finals.append(automaton.final)
        sets = _group_sets(num_colors, explicit, jokers)
        groups.append(sets.ravel())
        pairs.append(_prefixes(sets, 2).ravel())
        triples.append(_prefixes(sets, 3).ravel())
        rows_before += first.size
        finals_before += automaton.final.size
        options_before += packed.size
    return Tables(
        head,
        np.concatenate(firsts).astype(np.int32),
        np.concatenate(options),
        np.concatenate(finals),
        np.concatenate(groups),
        np.concatenate(pairs),
        np.concatenate(triples),
        *_joker_sets(),
    )


def _group_sets(num_colors: int, explicit: bool, jokers: int) -> NDArray[np.uint8]:
    sets = np.zeros((GROUP_BASE,) * 4, np.uint8)
    if explicit:
        sets[:] = explicit_groups(num_colors, MAX_TILES)
    else:
        allowed = (1 << (jokers + 1)) - 1
        sets[:3, :3, :3, :3] = implicit_groups(num_colors) & allowed
    return sets


def _prefixes(sets: NDArray[np.uint8], settled: int) -> NDArray[np.uint8]:
    """By the settled colors' tiles and the other colors' most tiles: any group set?"""
    best = sets != 0
    for axis in range(settled, 4):
        best = np.maximum.accumulate(best, axis=axis)
    return best.astype(np.uint8)


def _joker_sets() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    size = 1 << (MAX_JOKERS + 1)
    members = [[j for j in range(MAX_JOKERS + 1) if s >> j & 1] for s in range(size)]
    sums = np.zeros((size, size), np.uint8)
    costs = np.zeros((size, MAX_JOKERS + 1, 2), np.uint8)
    for a in range(size):
        for b in range(size):
            for j in members[a]:
                for k in members[b]:
                    if j + k <= MAX_JOKERS:
                        sums[a, b] |= 1 << (j + k)
    for a in range(size):
        for cost in range(MAX_JOKERS + 1):
            exact = sums[a, 1 << cost]
            costs[a, cost, 0] = exact
            for j in members[exact]:
                costs[a, cost, 1] |= (size - 1) & ~((1 << j) - 1)
    return sums, costs


def _options(
    automaton: Automaton, explicit: bool, jokers: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    lack = _lack(automaton.step, automaton.cost, automaton.final, explicit)
    first, packed = _list_options(automaton.step, automaton.cost, lack, explicit, jokers)
    return first, packed


@kernel
def _lack(step, cost, final, explicit):
    """Least jokers that a state needs, by the supplies of the next two numbers.

    Returns:
        int8[S, 6, 6].
    """
    num_states, num_symbols = step.shape
    lack = np.full((num_states, SUPPLY_LEVELS, SUPPLY_LEVELS), INFEASIBLE, np.int8)
    for state in range(num_states):
        for supply1 in range(SUPPLY_LEVELS):
            for supply2 in range(SUPPLY_LEVELS):
                best = INFEASIBLE
                for tiles1 in range(num_symbols):
                    paid1 = _price(tiles1, supply1, explicit)
                    after1 = step[state, tiles1]
                    if after1 < 0 or paid1 >= best:
                        continue
                    paid1 += cost[state, tiles1]
                    for tiles2 in range(num_symbols):
                        after2 = step[after1, tiles2]
                        paid = paid1 + _price(tiles2, supply2, explicit)
                        if after2 >= 0:
                            paid += cost[after1, tiles2] + final[after2]
                            best = min(best, paid)
                lack[state, supply1, supply2] = best
    return lack


@kernel
def _price(tiles, supply, explicit):
    """Jokers paid to use so many tiles of a supply."""
    if supply == PAST_END:
        supply = 0
        if tiles > 0:
            return INFEASIBLE
    if tiles <= supply:
        return 0
    return tiles - supply if explicit else INFEASIBLE


@kernel
def _list_options(step, cost, lack, explicit, budget):
    """Lists the options of every row and state, and where each list starts."""
    num_states, num_symbols = step.shape
    first = np.zeros(ROWS * num_states + 1, np.int64)
    packed = np.empty(1 << 12, np.int32)
    most_jokers = budget if explicit else 0
    count = 0
    place = 0
    for must in range(MAX_TILES + 1):
        for may in range(3):
            for supply1 in range(SUPPLY_LEVELS):
                for supply2 in range(SUPPLY_LEVELS):
                    for state in range(num_states):
                        first[place] = count
                        place += 1
                        if must + may > MAX_TILES:
                            continue
                        for used in range(may + 1):
                            for jokers in range(most_jokers + 1):
                                tiles = must + used + jokers
                                if tiles > MAX_TILES:
                                    continue
                                for run in range(min(tiles, num_symbols - 1) + 1):
                                    after = step[state, run]
                                    if after < 0:
                                        continue
                                    paid = cost[state, run] + jokers
                                    if paid + lack[after, supply1, supply2] > budget:
                                        continue
                                    if count == packed.size:
                                        packed = np.append(packed, packed)
                                    spare = 1 if run > 0 and not explicit else 0
                                    packed[count] = (
                                        after
                                        | (tiles - run) << GROUP_SHIFT
                                        | paid << COST_SHIFT
                                        | used << USED_SHIFT
                                        | spare << RUN_SHIFT
                                        | tiles << TILES_SHIFT
                                        | jokers << JOKERS_SHIFT
                                    )
                                    count += 1
    first[place] = count
    return first, packed[:count].copy()
