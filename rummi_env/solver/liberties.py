"""Which single tiles a table would take: what one player leaves for the next.

A table's *liberties* are the kinds of which one more tile could be placed, whoever has
it, all tiles of the table being free to move. One pass over the numbers finds all of
them: a node is reached without a further tile or with one, and bears the set of the
kinds that this one may be.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER, NUM_COLORS, NUM_NUMBERS
from rummi_env.solver.compiled import kernel
from rummi_env.solver.graph import SUM_BITS, final_cost
from rummi_env.solver.tables import (
    CHOICE_BITS,
    CHOICE_SET_SHIFT,
    CHOICE_TILES_SHIFT,
    COST_SHIFT,
    GROUP_BASE,
    IMPLICIT,
    MAX_TILES,
    ROW_START,
    RUN_SHIFT,
    STATE_SHIFT,
    STATES,
)
from rummi_env.solver.weighing import option_row, reach_color, weigh_color
from rummi_env.solver.workspace import SLOT_OFFSET, grown

TOO_SMALL = np.int64(-1)


@kernel
def liberties(workspace, tables, numbers, board, unseen):
    """Finds the kinds of which one more tile could be placed, jokers being free.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        numbers: highest number of the deck, at least 5.
        board: int8[53]; tiles on the table.
        unseen: int8[53]; kinds of no tile here are left out.

    Returns:
        The kinds 0..51 as bits; 0 where the table itself cannot be cut into melds.
    """
    found = _search(workspace, tables, numbers, board, unseen)
    while found == TOO_SMALL:
        workspace = grown(workspace)
        found = _search(workspace, tables, numbers, board, unseen)
    return found


@kernel
def _search(workspace, tables, numbers, board, unseen):
    slots, states, reach = workspace.slots, workspace.states, workspace.reach
    with_tile, sizes = workspace.values, workspace.sizes
    rows, least, cheapest = workspace.rows, workspace.least, workspace.cheapest
    bounds, groups_of, options = tables.bounds, tables.groups, tables.options
    first_groups, group_choices = tables.first_groups, tables.group_choices
    sums, costs = tables.sums, tables.costs
    budget = np.int64(board[JOKER])
    table = IMPLICIT + budget
    row_start = tables.head[table, ROW_START]
    num_states = tables.head[table, STATES]
    allowed = (1 << (budget + 1)) - 1
    may = np.zeros(53, np.int8)
    for kind in range(52):
        may[kind] = 1 if unseen[kind] > 0 else 0
    if budget > 0:
        for color in range(NUM_COLORS):
            for number in range(numbers):
                kind = color * NUM_NUMBERS + number
                rows[color, number] = row_start + num_states * option_row(
                    board[kind], may[kind], board, may, color, number, numbers
                )
            reach_color(workspace, tables, numbers, budget, color)
            weigh_color(workspace, tables, table, numbers, color, board, may)

    offset = sizes[SLOT_OFFSET]
    if offset + states.size > 2_000_000_000:
        slots[:] = 0
        offset = 1
    states[0] = 0
    reach[0] = 1
    with_tile[0] = with_tile[1] = with_tile[2] = 0
    start = np.int64(0)
    end = np.int64(1)
    num_nodes = np.int64(1)
    plain = np.empty(NUM_COLORS, np.int64)
    fuller = np.empty(NUM_COLORS, np.int64)
    for number in range(numbers):
        for color in range(NUM_COLORS):
            tiles = np.int64(board[color * NUM_NUMBERS + number])
            plain[color] = row_start + num_states * option_row(
                tiles, 0, board, may, color, number, numbers
            )
            fuller[color] = row_start + num_states * option_row(
                tiles + 1, 0, board, may, color, number, numbers
            )
        for extra in range(-1, NUM_COLORS):
            kind = extra * NUM_NUMBERS + number
            if extra >= 0 and may[kind] == 0:
                continue
            row0 = fuller[0] if extra == 0 else plain[0]
            row1 = fuller[1] if extra == 1 else plain[1]
            row2 = fuller[2] if extra == 2 else plain[2]
            row3 = fuller[3] if extra == 3 else plain[3]
            key = 0
            for color in range(NUM_COLORS):
                tiles = np.int64(board[color * NUM_NUMBERS + number])
                tiles += 1 if color == extra else 0
                key = key * GROUP_BASE + min(tiles, MAX_TILES)
            first_choice = first_groups[3 * key]
            for node in range(start, end):
                came = np.int64(reach[node])
                if extra >= 0 and came == 0:
                    continue
                spent = came
                if extra < 0:
                    for j in range(budget + 1):
                        if with_tile[3 * node + j] != 0:
                            spent |= 1 << j
                left = budget
                if spent & 1 == 0:
                    left -= 1 if spent & 2 else 2
                packed = states[node]
                state0 = packed & 0xFF
                state1 = packed >> 8 & 0xFF
                state2 = packed >> 16 & 0xFF
                state3 = packed >> 24 & 0xFF
                at0 = row0 + state0
                at1 = row1 + state1
                at2 = row2 + state2
                at3 = row3 + state3
                missing = ~(
                    groups_of[at0]
                    | groups_of[at1] << 5
                    | groups_of[at2] << 10
                    | groups_of[at3] << 15
                )
                for c in range(first_choice, first_groups[3 * key + left + 1]):
                    choice = group_choices[c]
                    if choice & CHOICE_BITS & missing:
                        continue
                    groups = choice >> CHOICE_SET_SHIFT & allowed
                    g0 = choice >> CHOICE_TILES_SHIFT & 7
                    g1 = choice >> (CHOICE_TILES_SHIFT + 3) & 7
                    g2 = choice >> (CHOICE_TILES_SHIFT + 6) & 7
                    g3 = choice >> (CHOICE_TILES_SHIFT + 9) & 7
                    if budget > 0:
                        slack = 2 * left
                        if groups & 1 == 0:
                            slack -= 2 if groups & 2 else 4
                        slack -= (
                            (cheapest[0, number, state0] >> (8 * g0) & 0xFF)
                            + (cheapest[1, number, state1] >> (8 * g1) & 0xFF)
                            + (cheapest[2, number, state2] >> (8 * g2) & 0xFF)
                            + (cheapest[3, number, state3] >> (8 * g3) & 0xFF)
                        )
                        if slack < 0:
                            continue
                    for o0 in range(bounds[at0, g0], bounds[at0, g0 + 1]):
                        option0 = options[o0]
                        s0 = option0 >> STATE_SHIFT
                        for o1 in range(bounds[at1, g1], bounds[at1, g1 + 1]):
                            option1 = options[o1]
                            s1 = option1 >> STATE_SHIFT
                            for o2 in range(bounds[at2, g2], bounds[at2, g2 + 1]):
                                option2 = options[o2]
                                s2 = option2 >> STATE_SHIFT
                                for o3 in range(bounds[at3, g3], bounds[at3, g3 + 1]):
                                    option3 = options[o3]
                                    s3 = option3 >> STATE_SHIFT
                                    deed = (
                                        (option0 & SUM_BITS)
                                        + (option1 & SUM_BITS)
                                        + (option2 & SUM_BITS)
                                        + (option3 & SUM_BITS)
                                    )
                                    cost = deed >> COST_SHIFT & 15
                                    if cost > left:
                                        continue
                                    runs = 1 if deed >> RUN_SHIFT else 0
                                    adds = np.int64(costs[groups, cost, runs] & allowed)
                                    reached = sums[spent, adds] & allowed
                                    if reached == 0:
                                        continue
                                    if budget > 0:
                                        needed = (
                                            least[0, number + 1, s0]
                                            + least[1, number + 1, s1]
                                            + least[2, number + 1, s2]
                                            + least[3, number + 1, s3]
                                        )
                                        if reached & 1 == 0:
                                            needed += 2 if reached & 2 else 4
                                        if needed > 2 * budget:
                                            continue
                                    slot = s0 + num_states * (
                                        s1 + num_states * (s2 + num_states * s3)
                                    )
                                    target = slots[slot] - offset
                                    if target < end:
                                        if num_nodes == states.size:
                                            sizes[SLOT_OFFSET] = offset + num_nodes
                                            return TOO_SMALL
                                        target = num_nodes
                                        slots[slot] = target + offset
                                        states[target] = (
                                            s0 | s1 << 8 | s2 << 16 | s3 << 24
                                        )
                                        reach[target] = 0
                                        for j in range(3):
                                            with_tile[3 * target + j] = 0
                                        num_nodes += 1
                                    if extra < 0:
                                        reach[target] |= sums[came, adds] & allowed
                                    for a in range(budget + 1):
                                        if adds >> a & 1 == 0:
                                            continue
                                        for j in range(budget + 1 - a):
                                            if extra < 0:
                                                kinds = with_tile[3 * node + j]
                                            elif came >> j & 1:
                                                kinds = np.int64(1) << kind
                                            else:
                                                kinds = np.int64(0)
                                            with_tile[3 * target + j + a] |= kinds
        if num_nodes == end:
            sizes[SLOT_OFFSET] = offset + num_nodes
            return np.int64(0)
        start = end
        end = num_nodes
    found = np.int64(0)
    whole = False
    for node in range(start, end):
        cost = final_cost(tables, table, states[node])
        if cost <= budget:
            found |= with_tile[3 * node + budget - cost]
            whole |= reach[node] >> (budget - cost) & 1 != 0
    sizes[SLOT_OFFSET] = offset + num_nodes
    return found if whole else np.int64(0)
