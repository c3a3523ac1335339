"""Look-up tables that turn the automata into ready lists of options.

For a color at one number, an *option* is one way to use its tiles: so many in groups,
so many in runs. Which options exist depends only on the state of the color's open runs,
on the tiles there are (``must`` be placed, ``may`` be placed) and on how many tiles of
the next two numbers can feed the open runs. So the lists are made once, with the dead
ends already left out.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.solver.automata import (
    INFEASIBLE,
    MAX_JOKERS,
    explicit_automaton,
    explicit_groups,
    implicit_automaton,
    implicit_groups,
)
from rummi_env.solver.compiled import entry, kernel
from rummi_env.solver.dominance import dominated_states
from rummi_env.solver.workspace import MAX_STATES

MAX_TILES = 4
"""Most tiles of one kind that can lie on a table: two naturals, two jokers."""

GROUP_BASE = MAX_TILES + 1
SUPPLY_LEVELS = MAX_TILES + 2
"""Supplies 0..4 of a later number; the last level means: past the highest number."""
PAST_END = SUPPLY_LEVELS - 1
TILE_MIXES = GROUP_BASE * 3
"""Pairs (must 0..4, may 0..2) of one kind."""
ROWS = TILE_MIXES * SUPPLY_LEVELS * SUPPLY_LEVELS

# An option packed in 64 bits: optional naturals used (2 of 8), jokers placed (2 of 8),
# tiles in all (5), joker cost (4), room for spare jokers (3), state after (6). The room
# between lets the options of four colors be joined by shifting and adding.
JOKERS_SHIFT, TILES_SHIFT, COST_SHIFT, RUN_SHIFT, STATE_SHIFT = 8, 16, 21, 25, 28
USED_BITS = 0xFF
PLACED_BITS = (1 << TILES_SHIFT) - 1
DEED_BITS = (1 << COST_SHIFT) - 1

CHOICE_TILES_SHIFT, CHOICE_SET_SHIFT, CHOICE_COST_SHIFT = 20, 32, 35
CHOICE_BITS = (1 << 20) - 1

LONGEST_AROUND = 5
"""Longest run listed around a kind: longer ones can be cut."""

IMPLICIT, EXPLICIT = 0, 3
"""First table of each mode; add the number of jokers that may be placed (0..2)."""
NUM_TABLES = 6

STATES, ROW_START, FINAL_START = range(3)
"""Columns of `Tables.head`."""


class Tables(NamedTuple):
    """All tables, one after the other, for decks of a certain number of colors.

    Attributes:
        head: int64[6, 3]; per table the number of states and where its parts start.
        bounds: int32[..., 6]; by row and state, where the options with so many tiles in
            groups start, and where the last ones end.
        groups: int32[...]; by row and state, numbers of tiles in groups with any
            option, as bits.
        moves: int64[..., 9]; by row and state, then 3 * jokers left + jokers spent: the
            states that an option leads to, as bits.
        options: int64[...]; packed options.
        final: int8[...]; jokers a state needs to finish with no further tile.
        first_groups: int32[2 * 625 * 3 + 1]; where the group choices start, implicit
            ones first, by the most tiles that each color can give (base 5) and by the
            fewest jokers that they need.
        group_choices: int64[...]; packed: for every color one bit of five for its tiles
            in groups (20 bits), those tiles (3 bits each), with how many anonymous
            jokers the groups can be made (3 bits), and twice the fewest of these.
        sums: uint8[8, 8]; set of sums of two joker sets, sums over 2 dropped.
        costs: uint8[8, 3, 2]; joker set of an edge by its groups' set, its cost and
            whether it has a run tile (then spare jokers can be placed as well).
        around: int8[52, 16, 4]; melds that a kind may lie in; see `melds_around`.
        dominated: int64[6, 3, 35]; by table, see `dominance.dominated_states`.
        ranks: int16[6, 35]; by table and state, lower for what dominates more.
        highest_rank: the highest.
    """

    head: NDArray[np.int64]
    bounds: NDArray[np.int32]
    groups: NDArray[np.int32]
    moves: NDArray[np.int64]
    options: NDArray[np.int64]
    final: NDArray[np.int8]
    first_groups: NDArray[np.int32]
    group_choices: NDArray[np.int64]
    sums: NDArray[np.uint8]
    costs: NDArray[np.uint8]
    around: NDArray[np.int8]
    dominated: NDArray[np.int64]
    ranks: NDArray[np.int16]
    highest_rank: int


@cache
def solver_tables(num_colors: int) -> Tables:
    """Makes the tables for a deck of 2, 3 or 4 colors."""
    head = np.zeros((NUM_TABLES, 3), np.int64)
    bounds, groups, moves, options, finals = [], [], [], [], []
    dominated = np.zeros((NUM_TABLES, MAX_JOKERS + 1, MAX_STATES), np.int64)
    rows_before = finals_before = options_before = 0
    for table in range(NUM_TABLES):
        jokers = table % EXPLICIT
        explicit = table >= EXPLICIT
        automaton = (
            explicit_automaton(MAX_TILES) if explicit else implicit_automaton(jokers)
        )
        listed = _list_options(
            automaton.step, automaton.cost, automaton.final, explicit, jokers
        )
        head[table, STATES] = automaton.num_states
        head[table, ROW_START] = rows_before
        head[table, FINAL_START] = finals_before
        bounds.append(listed[0] + options_before)
        groups.append(listed[1])
        moves.append(listed[2])
        options.append(listed[3])
        finals.append(automaton.final)
        dominated[table] = dominated_states(automaton, jokers)
        rows_before += len(listed[0])
        finals_before += automaton.final.size
        options_before += listed[3].size
    first_groups, group_choices = _group_choices(num_colors)
    dominates = np.bitwise_count(dominated).sum(axis=1)
    highest_rank = int(dominates.max())
    return Tables(
        head,
        np.concatenate(bounds),
        np.concatenate(groups),
        np.concatenate(moves),
        np.concatenate(options),
        np.concatenate(finals),
        first_groups,
        group_choices,
        *_joker_sets(),
        melds_around(num_colors),
        dominated,
        (highest_rank - dominates).astype(np.int16),
        highest_rank,
    )


def _group_choices(num_colors: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    explicit_sets = explicit_groups(num_colors, MAX_TILES).astype(np.uint8)
    implicit_sets = np.zeros_like(explicit_sets)
    implicit_sets[:3, :3, :3, :3] = implicit_groups(num_colors)
    first, choices = [], []
    stored = 0
    for sets in (implicit_sets, explicit_sets):
        possible = np.argwhere(sets)
        words = [
            sum(
                1 << (5 * c + int(t)) | int(t) << (CHOICE_TILES_SHIFT + 3 * c)
                for c, t in enumerate(tiles)
            )
            | int(sets[tuple(tiles)]) << CHOICE_SET_SHIFT
            | 2 * _fewest(int(sets[tuple(tiles)])) << CHOICE_COST_SHIFT
            for tiles in possible
        ]
        packed = np.array(words, np.int64)
        fewest = packed >> (CHOICE_COST_SHIFT + 1)
        for most in np.ndindex((GROUP_BASE,) * 4):
            fits = (possible <= most).all(axis=1)
            for jokers in range(MAX_JOKERS + 1):
                chosen = packed[fits & (fewest == jokers)]
                first.append(stored)
                choices.append(chosen)
                stored += len(chosen)
    first.append(stored)
    return np.array(first, np.int32), np.concatenate(choices)


def melds_around(colors: int) -> NDArray[np.int8]:
    """Lists the other kinds of every meld that a tile of a kind may lie in.

    Args:
        colors: colors of the deck.

    Returns:
        int8[52, 16, 4]; by kind, filled up with -1; nothing for kinds that the deck
        lacks. Runs have up to five tiles.
    """
    around = np.full((52, 16, 4), -1, np.int8)
    for kind in range(colors * 13):
        color, number = divmod(kind, 13)
        others = [c * 13 + number for c in range(colors) if c != color]
        melds = [list(m) for size in (2, 3) for m in combinations(others, size)]
        for length in range(3, LONGEST_AROUND + 1):
            for first in range(number - length + 1, number + 1):
                if first >= 0 and first + length <= 13:
                    places = range(first, first + length)
                    melds.append([color * 13 + n for n in places if n != number])
        for row, meld in enumerate(melds):
            around[kind, row, : len(meld)] = meld
    return around


def _fewest(jokers: int) -> int:
    """Least number in a joker set."""
    return next(j for j in range(MAX_JOKERS + 1) if jokers >> j & 1)


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


@entry
def _list_options(step, cost, final, explicit, budget):
    """Lists the options of every row and state; see `Tables` for what is returned."""
    lack = _lack(step, cost, final, explicit)
    num_states, num_symbols = step.shape
    bounds = np.zeros((ROWS * num_states, GROUP_BASE + 1), np.int32)
    groups = np.zeros(ROWS * num_states, np.int32)
    moves = np.zeros((ROWS * num_states, 9), np.int64)
    packed = np.empty(1 << 12, np.int64)
    most_jokers = budget if explicit else 0
    count = 0
    place = -1
    for must in range(MAX_TILES + 1):
        for may in range(3):
            for supply1 in range(SUPPLY_LEVELS):
                for supply2 in range(SUPPLY_LEVELS):
                    for state in range(num_states):
                        place += 1
                        for group in range(GROUP_BASE):
                            bounds[place, group] = count
                            for used in range(may + 1):
                                for jokers in range(most_jokers + 1):
                                    tiles = must + used + jokers
                                    run = tiles - group
                                    if tiles > MAX_TILES or not 0 <= run < num_symbols:
                                        continue
                                    after = step[state, run]
                                    if after < 0:
                                        continue
                                    paid = cost[state, run] + jokers
                                    owed = lack[after, supply1, supply2]
                                    if paid + owed > budget:
                                        continue
                                    if count == packed.size:
                                        packed = np.append(packed, packed)
                                    spare = 1 if run > 0 and not explicit else 0
                                    packed[count] = (
                                        used
                                        | jokers << JOKERS_SHIFT
                                        | tiles << TILES_SHIFT
                                        | np.int64(paid) << COST_SHIFT
                                        | np.int64(spare) << RUN_SHIFT
                                        | np.int64(after) << STATE_SHIFT
                                    )
                                    count += 1
                                    groups[place] |= 1 << group
                                    for left in range(paid + owed, 3):
                                        moves[place, 3 * left + paid] |= (
                                            np.int64(1) << after
                                        )
                        bounds[place, GROUP_BASE] = count
    return bounds, groups, moves, packed[:count].copy()
