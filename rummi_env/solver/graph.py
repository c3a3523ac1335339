"""The graph of a turn: one compiled pass builds it, every question is a sweep over it.

A *node* is what matters after all tiles up to some number are placed: one automaton
state per color. An *edge* places the tiles of one number: for each color an option, the
groups being legal together. Paths from the root to the last layer are the arrangements
of all tiles that must be placed and some of those that may.

Jokers are not part of a node. Instead a node carries the set of joker numbers (three
bits for 0, 1 and 2) with which it can be reached, and later the set with which it can
be finished; an edge adds its own set.

The colors are joined layer by layer; what to do with a color's tiles comes from ready
lists (`tables`). If jokers are about, each color is weighed alone first: which states
its runs can reach, and the least jokers that it needs to finish from there. What the
lone colors cannot finish within the budget is left out of the graph.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import NUM_COLORS, NUM_NUMBERS
from rummi_env.solver.carried import carry_gains, carry_sets
from rummi_env.solver.compiled import kernel
from rummi_env.solver.dominance import (
    ALL_NODES,
    BY_GAIN,
    BY_PLAYS,
    BY_WORTH,
    drop_dominated,
)
from rummi_env.solver.edges import EDGE_SET_SHIFT, EDGE_USED_SHIFT
from rummi_env.solver.tables import (
    CHOICE_BITS,
    CHOICE_COST_SHIFT,
    CHOICE_SET_SHIFT,
    CHOICE_TILES_SHIFT,
    COST_SHIFT,
    DEED_BITS,
    EXPLICIT,
    FINAL_START,
    GROUP_BASE,
    MAX_TILES,
    PLACED_BITS,
    ROW_START,
    RUN_SHIFT,
    STATE_SHIFT,
    STATES,
)
from rummi_env.solver.weighing import option_row, reach_color, weigh_color
from rummi_env.solver.workspace import (
    CARRIED,
    DROPPED,
    INDEX,
    NUM_LAYERS,
    NUM_NODES,
    SLOT_OFFSET,
)

STATELESS_BITS = (1 << STATE_SHIFT) - 1
SUM_BITS = STATELESS_BITS & ~PLACED_BITS

# Eight times the tiles of a color in groups: where to look in a row of `cheapest`.
TIMES_8_SHIFT, TIMES_8_BITS = CHOICE_TILES_SHIFT - 3, 7 << 3


NO_GRAPH, BUILT, TOO_SMALL, TOO_LARGE = range(4)
"""What `build` returns."""

UNLIMITED = np.int64(1) << 40
"""More edges than any graph has."""

FEW_NODES = 24
"""Layers of so few nodes are not searched for dominated ones: small graphs are soon
made."""

FEW_NODES_BY_PLAYS = 64
"""The same where whole sets of plays are compared."""


@kernel
def build(workspace, tables, table, numbers, budget, must, may, nodes, limit):
    """Builds the graph of all arrangements.

    Args:
        workspace: where the graph goes.
        tables: of the deck's colors.
        table: which of the six (`IMPLICIT` or `EXPLICIT`, plus ``budget``).
        numbers: highest number of the deck.
        budget: most jokers that may be placed, 0..2.
        must: int8[52]; naturals that must be placed.
        may: int8[52]; further naturals that may be placed.
        nodes: `ALL_NODES`, or which nodes to leave out, see there. The graph then has
            a path for every number of jokers for which there is one, and for each one
            of greatest gain or worth; or all that its paths play in the sets that are
            carried.
        limit: most edges.

    Returns:
        `BUILT`, `NO_GRAPH` where a layer has no node, `TOO_SMALL` for the workspace or
        `TOO_LARGE` for the limit.
    """
    row_start = tables.head[table, ROW_START]
    num_states = tables.head[table, STATES]
    for color in range(NUM_COLORS):
        for number in range(numbers):
            kind = color * NUM_NUMBERS + number
            row = option_row(must[kind], may[kind], must, may, color, number, numbers)
            workspace.rows[color, number] = row_start + row * num_states
        if budget > 0:
            reach_color(workspace, tables, numbers, budget, color)
            weigh_color(workspace, tables, table, numbers, color, must, may)
    return _join_colors(
        workspace, tables, table, numbers, budget, must, may, nodes, limit
    )


@kernel
def _join_colors(workspace, tables, table, numbers, budget, must, may, nodes, limit):
    """Makes nodes and edges, layer by layer."""
    slots, states, reach = workspace.slots, workspace.states, workspace.reach
    first_edge, edges = workspace.first_edge, workspace.edges
    layer_start, sizes = workspace.layer_start, workspace.sizes
    rows, least, cheapest = workspace.rows, workspace.least, workspace.cheapest
    picked = workspace.picked
    bounds, groups_of, options = tables.bounds, tables.groups, tables.options
    first_groups, group_choices = tables.first_groups, tables.group_choices
    sums, costs = tables.sums, tables.costs
    num_states = tables.head[table, STATES]
    explicit = table >= EXPLICIT
    extra = budget if explicit else 0
    allowed = (1 << (budget + 1)) - 1

    offset = sizes[SLOT_OFFSET]
    if offset + states.size > 2_000_000_000:
        slots[:] = 0
        offset = 1
    states[0] = 0
    reach[0] = 1
    layer_start[0] = 0
    num_nodes = np.int64(1)
    num_edges = np.int64(0)
    sizes[NUM_LAYERS] = numbers
    sizes[DROPPED] = 0
    sizes[CARRIED] = -1
    room = min(edges.size, limit)

    for number in range(numbers):
        start = layer_start[number]
        end = num_nodes
        layer_start[number + 1] = end
        if nodes in (BY_GAIN, BY_WORTH):
            first_edge[start] = num_edges
            carry_gains(workspace, number, start, end, nodes)
        few = FEW_NODES_BY_PLAYS if nodes == BY_PLAYS else FEW_NODES
        if nodes != ALL_NODES and end - start > few:
            if nodes >= BY_PLAYS:
                first_edge[start] = num_edges
                carry_sets(workspace, number, nodes)
            sizes[DROPPED] += drop_dominated(
                workspace, tables, table, budget, start, end, nodes
            )
        row0 = rows[0, number]
        row1 = rows[1, number]
        row2 = rows[2, number]
        row3 = rows[3, number]
        here = INDEX(number)
        after = INDEX(number + 1)
        key = 1 if explicit else 0
        for color in range(NUM_COLORS):
            kind = color * NUM_NUMBERS + number
            key = key * GROUP_BASE + min(must[kind] + may[kind] + extra, MAX_TILES)
        first_choice = first_groups[3 * key]

        for node in range(start, end):
            first_edge[node] = num_edges
            packed = states[node]
            came = reach[node]
            if came == 0:
                continue
            left = budget
            if came & 1 == 0:
                left -= 1 if came & 2 else 2
            state0 = INDEX(packed & 0xFF)
            state1 = INDEX(packed >> 8 & 0xFF)
            state2 = INDEX(packed >> 16 & 0xFF)
            state3 = INDEX(packed >> 24 & 0xFF)
            at0 = INDEX(row0 + state0)
            at1 = INDEX(row1 + state1)
            at2 = INDEX(row2 + state2)
            at3 = INDEX(row3 + state3)
            end_choice = first_groups[3 * key + left + 1]
            # In halves of jokers, as all that is held against it.
            slack = 2 * left
            # Which choices pass follows no pattern: picked without a branch.
            num_picked = INDEX(0)
            if budget > 0:
                least0 = cheapest[0, here, state0]
                least1 = cheapest[1, here, state1]
                least2 = cheapest[2, here, state2]
                least3 = cheapest[3, here, state3]
                for c in range(first_choice, end_choice):
                    choice = group_choices[INDEX(c)]
                    needed = (
                        (least0 >> (choice >> TIMES_8_SHIFT & TIMES_8_BITS))
                        + (least1 >> (choice >> (TIMES_8_SHIFT + 3) & TIMES_8_BITS))
                        + (least2 >> (choice >> (TIMES_8_SHIFT + 6) & TIMES_8_BITS))
                        + (least3 >> (choice >> (TIMES_8_SHIFT + 9) & TIMES_8_BITS))
                        + (choice >> CHOICE_COST_SHIFT)
                    ) & 0xFF
                    picked[num_picked] = choice
                    num_picked += INDEX(needed <= slack)
            else:
                least0 = least1 = least2 = least3 = np.int64(0)
                missing = ~(
                    groups_of[at0]
                    | groups_of[at1] << 5
                    | groups_of[at2] << 10
                    | groups_of[at3] << 15
                )
                for c in range(first_choice, end_choice):
                    choice = group_choices[INDEX(c)]
                    picked[num_picked] = choice
                    num_picked += INDEX(choice & CHOICE_BITS & missing == 0)
            for c in range(num_picked):
                choice = picked[INDEX(c)]
                groups = INDEX(choice >> CHOICE_SET_SHIFT & allowed)
                g0 = INDEX(choice >> CHOICE_TILES_SHIFT & 7)
                g1 = INDEX(choice >> (CHOICE_TILES_SHIFT + 3) & 7)
                g2 = INDEX(choice >> (CHOICE_TILES_SHIFT + 6) & 7)
                g3 = INDEX(choice >> (CHOICE_TILES_SHIFT + 9) & 7)
                # What the colors that have no option yet need at least.
                spare = slack - (choice >> CHOICE_COST_SHIFT)
                rest3 = least3 >> (8 * np.int64(g3)) & 0xFF
                rest2 = rest3 + (least2 >> (8 * np.int64(g2)) & 0xFF)
                rest1 = rest2 + (least1 >> (8 * np.int64(g1)) & 0xFF)
                for o0 in range(bounds[at0, g0], bounds[at0, g0 + INDEX(1)]):
                    option0 = options[INDEX(o0)]
                    s0 = INDEX(option0 >> STATE_SHIFT)
                    slack0 = spare
                    if budget > 0:
                        slack0 -= 2 * (option0 >> COST_SHIFT & 15)
                        slack0 -= least[0, after, s0]
                        if slack0 < rest1:
                            continue
                    for o1 in range(bounds[at1, g1], bounds[at1, g1 + INDEX(1)]):
                        option1 = options[INDEX(o1)]
                        s1 = INDEX(option1 >> STATE_SHIFT)
                        slack1 = slack0
                        if budget > 0:
                            slack1 -= 2 * (option1 >> COST_SHIFT & 15)
                            slack1 -= least[1, after, s1]
                            if slack1 < rest2:
                                continue
                        deed1 = (
                            (option0 & STATELESS_BITS)
                            + (option1 & SUM_BITS)
                            + ((option1 & PLACED_BITS) << 2)
                        )
                        for o2 in range(bounds[at2, g2], bounds[at2, g2 + INDEX(1)]):
                            option2 = options[INDEX(o2)]
                            s2 = INDEX(option2 >> STATE_SHIFT)
                            slack2 = slack1
                            if budget > 0:
                                slack2 -= 2 * (option2 >> COST_SHIFT & 15)
                                slack2 -= least[2, after, s2]
                                if slack2 < rest3:
                                    continue
                            deed2 = (
                                deed1
                                + (option2 & SUM_BITS)
                                + ((option2 & PLACED_BITS) << 4)
                            )
                            for o3 in range(
                                bounds[at3, g3], bounds[at3, g3 + INDEX(1)]
                            ):
                                option3 = options[INDEX(o3)]
                                s3 = INDEX(option3 >> STATE_SHIFT)
                                if (
                                    budget > 0
                                    and slack2
                                    < 2 * (option3 >> COST_SHIFT & 15)
                                    + least[3, after, s3]
                                ):
                                    continue
                                deed = (
                                    deed2
                                    + (option3 & SUM_BITS)
                                    + ((option3 & PLACED_BITS) << 6)
                                )
                                cost = INDEX(deed >> COST_SHIFT & 15)
                                if cost > left:
                                    continue
                                runs = INDEX(1) if deed >> RUN_SHIFT else INDEX(0)
                                adds = costs[groups, cost, runs] & allowed
                                reached = sums[INDEX(came), INDEX(adds)] & allowed
                                if reached == 0:
                                    continue
                                slot = INDEX(
                                    s0
                                    + num_states
                                    * (s1 + num_states * (s2 + num_states * s3))
                                )
                                if num_nodes == states.size or num_edges == room:
                                    sizes[SLOT_OFFSET] = offset + num_nodes
                                    large = num_edges == limit
                                    return TOO_LARGE if large else TOO_SMALL
                                # New or not: without a branch as well.
                                target = slots[slot] - offset
                                new = np.int64(target < end)
                                target += (num_nodes - target) * new
                                to = INDEX(target)
                                slots[slot] = target + offset
                                states[to] = (
                                    np.int64(s0)
                                    | np.int64(s1) << 8
                                    | np.int64(s2) << 16
                                    | np.int64(s3) << 24
                                )
                                reach[to] = reach[to] * (1 - new) | reached
                                num_nodes += new
                                edges[INDEX(num_edges)] = (
                                    target
                                    | np.int64(adds) << EDGE_SET_SHIFT
                                    | (deed & DEED_BITS) << EDGE_USED_SHIFT
                                )
                                num_edges += 1
        if num_nodes == end:
            sizes[SLOT_OFFSET] = offset + num_nodes
            return NO_GRAPH

    layer_start[numbers + 1] = num_nodes
    first_edge[layer_start[numbers]] = num_edges
    sizes[NUM_NODES] = num_nodes
    sizes[SLOT_OFFSET] = offset + num_nodes
    return BUILT


@kernel
def final_cost(tables, table, packed):
    """Jokers that a node of the last layer still needs."""
    start = tables.head[table, FINAL_START]
    return (
        tables.final[start + (packed & 0xFF)]
        + tables.final[start + (packed >> 8 & 0xFF)]
        + tables.final[start + (packed >> 16 & 0xFF)]
        + tables.final[start + (packed >> 24 & 0xFF)]
    )
