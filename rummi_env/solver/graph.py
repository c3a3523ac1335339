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
from numba.cpython.unsafe.numbers import trailing_zeros

from rummi_env.core.tiles import NUM_COLORS, NUM_NUMBERS
from rummi_env.solver.compiled import kernel
from rummi_env.solver.dominance import drop_dominated
from rummi_env.solver.tables import (
    CHOICE_BITS,
    CHOICE_SET_SHIFT,
    CHOICE_TILES_SHIFT,
    COST_SHIFT,
    DEED_BITS,
    EXPLICIT,
    FINAL_START,
    GROUP_BASE,
    JOKERS_SHIFT,
    MAX_TILES,
    PAST_END,
    PLACED_BITS,
    ROW_START,
    RUN_SHIFT,
    STATE_SHIFT,
    STATES,
    SUPPLY_LEVELS,
    TILES_SHIFT,
)
from rummi_env.solver.workspace import (
    NUM_LAYERS,
    NUM_NODES,
    SLOT_OFFSET,
)

# An edge: node it leads to (32), joker set (3), optional naturals used by color (2
# each), jokers placed by color (2 each), tiles in all (5).
EDGE_SET_SHIFT, EDGE_USED_SHIFT = 32, 35
EDGE_JOKERS_SHIFT = EDGE_USED_SHIFT + JOKERS_SHIFT
EDGE_TILES_SHIFT = EDGE_USED_SHIFT + TILES_SHIFT
NODE_BITS = 0xFFFFFFFF
STATELESS_BITS = (1 << STATE_SHIFT) - 1
SUM_BITS = STATELESS_BITS & ~PLACED_BITS


NO_GRAPH, BUILT, TOO_SMALL, TOO_LARGE = range(4)
"""What `build` returns."""

UNLIMITED = np.int64(1) << 40
"""More edges than any graph has."""

ALL_NODES, BY_GAIN, BY_WORTH, BY_PLAYS = range(4)
"""Which nodes `build` goes on from: all, or only those that no other dominates by the
gain of what was placed (`Workspace.gains`), by the worth of the melds or by the plays
that lead to it (`Workspace.strides`)."""

FEW_NODES = 8
"""Layers of so few nodes are not searched for dominated ones."""

SET_SIZE = 64
"""Plays that a set can tell apart, one bit each."""

NOTHING = np.int64(-(1 << 62))
"""Value of what cannot be reached."""

OUT_OF_REACH = 60
"""Least jokers, in halves, of what cannot be finished."""

NO_GROUPS = np.int64(sum(OUT_OF_REACH << (8 * tiles) for tiles in range(GROUP_BASE)))
"""`Workspace.cheapest` where no number of tiles in groups is possible."""


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
        nodes: `ALL_NODES`, or `BY_GAIN` or `BY_WORTH`: the graph then has a path for
            every number of jokers for which there is one, and for each one of greatest
            gain or worth.
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
            here = within[number, spent]
            while here:
                state = trailing_zeros(here)
                here &= here - 1
                for paid in range(budget - spent + 1):
                    within[number + 1, spent + paid] |= moves[
                        row + state, 3 * (budget - spent) + paid
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
        here = within[number, 0] | within[number, 1] | within[number, 2]
        while here:
            state = trailing_zeros(here)
            here &= here - 1
            best = OUT_OF_REACH
            by_groups = NO_GROUPS
            possible = np.int64(groups_of[row + state])
            while possible:
                groups = trailing_zeros(possible)
                possible &= possible - 1
                lowest = OUT_OF_REACH
                for o in range(
                    bounds[row + state, groups], bounds[row + state, groups + 1]
                ):
                    option = options[o]
                    cost = (
                        2 * (option >> COST_SHIFT & 15)
                        + least[color, number + 1, option >> STATE_SHIFT]
                    )
                    lowest = min(lowest, cost)
                by_groups ^= np.int64(lowest ^ OUT_OF_REACH) << (8 * groups)
                best = min(best, lowest + (share if groups > 0 else 0))
            cheapest[color, number, state] = by_groups
            least[color, number, state] = best


@kernel
def _join_colors(workspace, tables, table, numbers, budget, must, may, nodes, limit):
    """Makes nodes and edges, layer by layer."""
    slots, states, reach = workspace.slots, workspace.states, workspace.reach
    first_edge, edges = workspace.first_edge, workspace.edges
    layer_start, sizes = workspace.layer_start, workspace.sizes
    rows, least, cheapest = workspace.rows, workspace.least, workspace.cheapest
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
    room = min(edges.size, limit)

    for number in range(numbers):
        start = layer_start[number]
        end = num_nodes
        layer_start[number + 1] = end
        if nodes != ALL_NODES:
            first_edge[start] = num_edges
            if nodes == BY_PLAYS:
                carry_plays(workspace, number)
            else:
                _carry_gains(workspace, number, start, end, nodes)
            if end - start > FEW_NODES:
                by_plays = nodes == BY_PLAYS
                drop_dominated(workspace, tables, table, budget, start, end, by_plays)
        row0 = rows[0, number]
        row1 = rows[1, number]
        row2 = rows[2, number]
        row3 = rows[3, number]
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
            if budget > 0:
                least0 = cheapest[0, number, state0]
                least1 = cheapest[1, number, state1]
                least2 = cheapest[2, number, state2]
                least3 = cheapest[3, number, state3]
            else:
                least0 = least1 = least2 = least3 = np.int64(0)
            for c in range(first_choice, first_groups[3 * key + left + 1]):
                choice = group_choices[c]
                if choice & CHOICE_BITS & missing:
                    continue
                groups = choice >> CHOICE_SET_SHIFT & allowed
                g0 = choice >> CHOICE_TILES_SHIFT & 7
                g1 = choice >> (CHOICE_TILES_SHIFT + 3) & 7
                g2 = choice >> (CHOICE_TILES_SHIFT + 6) & 7
                g3 = choice >> (CHOICE_TILES_SHIFT + 9) & 7
                # In halves of jokers: what the colors may need from here on, and what
                # the colors that have no option yet need at least.
                slack = 2 * left
                rest3 = np.int64(0)
                rest2 = np.int64(0)
                rest1 = np.int64(0)
                if budget > 0:
                    if groups & 1 == 0:
                        slack -= 2 if groups & 2 else 4
                    rest3 = least3 >> (8 * g3) & 0xFF
                    rest2 = rest3 + (least2 >> (8 * g2) & 0xFF)
                    rest1 = rest2 + (least1 >> (8 * g1) & 0xFF)
                    if rest1 + (least0 >> (8 * g0) & 0xFF) > slack:
                        continue
                for o0 in range(bounds[at0, g0], bounds[at0, g0 + 1]):
                    option0 = options[o0]
                    s0 = option0 >> STATE_SHIFT
                    slack0 = slack
                    if budget > 0:
                        slack0 -= 2 * (option0 >> COST_SHIFT & 15)
                        slack0 -= least[0, number + 1, s0]
                        if slack0 < rest1:
                            continue
                    for o1 in range(bounds[at1, g1], bounds[at1, g1 + 1]):
                        option1 = options[o1]
                        s1 = option1 >> STATE_SHIFT
                        slack1 = slack0
                        if budget > 0:
                            slack1 -= 2 * (option1 >> COST_SHIFT & 15)
                            slack1 -= least[1, number + 1, s1]
                            if slack1 < rest2:
                                continue
                        deed1 = (
                            (option0 & STATELESS_BITS)
                            + (option1 & SUM_BITS)
                            + ((option1 & PLACED_BITS) << 2)
                        )
                        for o2 in range(bounds[at2, g2], bounds[at2, g2 + 1]):
                            option2 = options[o2]
                            s2 = option2 >> STATE_SHIFT
                            slack2 = slack1
                            if budget > 0:
                                slack2 -= 2 * (option2 >> COST_SHIFT & 15)
                                slack2 -= least[2, number + 1, s2]
                                if slack2 < rest3:
                                    continue
                            deed2 = (
                                deed1
                                + (option2 & SUM_BITS)
                                + ((option2 & PLACED_BITS) << 4)
                            )
                            for o3 in range(bounds[at3, g3], bounds[at3, g3 + 1]):
                                option3 = options[o3]
                                s3 = option3 >> STATE_SHIFT
                                if (
                                    budget > 0
                                    and slack2
                                    < 2 * (option3 >> COST_SHIFT & 15)
                                    + least[3, number + 1, s3]
                                ):
                                    continue
                                deed = (
                                    deed2
                                    + (option3 & SUM_BITS)
                                    + ((option3 & PLACED_BITS) << 6)
                                )
                                cost = deed >> COST_SHIFT & 15
                                if cost > left:
                                    continue
                                runs = 1 if deed >> RUN_SHIFT else 0
                                adds = costs[groups, cost, runs] & allowed
                                reached = sums[came, adds] & allowed
                                if reached == 0:
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
                                    states[target] = s0 | s1 << 8 | s2 << 16 | s3 << 24
                                    reach[target] = reached
                                    num_nodes += 1
                                else:
                                    reach[target] |= reached
                                if num_edges == room:
                                    sizes[SLOT_OFFSET] = offset + num_nodes
                                    return TOO_LARGE if room == limit else TOO_SMALL
                                edges[num_edges] = (
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
def _carry_gains(workspace, number, start, end, nodes):
    """Fills `Workspace.gained` of a layer's nodes, by the edges that lead to them."""
    edges, first_edge, gained = workspace.edges, workspace.first_edge, workspace.gained
    for place in range(3 * start, 3 * end):
        gained[place] = NOTHING
    if number == 0:
        gained[0] = 0
        return
    for node in range(workspace.layer_start[number - 1], start):
        at = 3 * node
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            adds = edge >> EDGE_SET_SHIFT & 7
            if nodes == BY_WORTH:
                gain = number * (edge >> EDGE_TILES_SHIFT & 31)
            else:
                gain = edge_gain(edge, workspace.gains, number - 1)
            after = 3 * (edge & NODE_BITS)
            for a in range(3):
                if adds >> a & 1:
                    for j in range(3 - a):
                        if gained[at + j] != NOTHING:
                            total = gained[at + j] + gain
                            gained[after + a + j] = max(gained[after + a + j], total)


@kernel
def carry_plays(workspace, number):
    """Fills `Workspace.gained` of a layer's nodes with the plays that lead to them."""
    edges, first_edge, sets = workspace.edges, workspace.first_edge, workspace.gained
    start = workspace.layer_start[number]
    for place in range(3 * start, 3 * workspace.layer_start[number + 1]):
        sets[place] = 0
    if number == 0:
        sets[0] = 1
        return
    for node in range(workspace.layer_start[number - 1], start):
        at = 3 * node
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            shift = edge_stride(edge, workspace.strides, number - 1)
            if shift >= SET_SIZE:
                continue
            after = 3 * (edge & NODE_BITS)
            adds = edge >> EDGE_SET_SHIFT & 7
            if adds & 1:
                sets[after] |= sets[at] << shift
                sets[after + 1] |= sets[at + 1] << shift
                sets[after + 2] |= sets[at + 2] << shift
            if adds & 2:
                sets[after + 1] |= sets[at] << shift
                sets[after + 2] |= sets[at + 1] << shift
            if adds & 4:
                sets[after + 2] |= sets[at] << shift


@kernel
def edge_stride(edge, strides, number):
    """How far an edge moves a set of plays; `SET_SIZE` or more: out of it."""
    used = edge >> EDGE_USED_SHIFT & 0xFF
    if used == 0:
        return np.int64(0)
    return (
        (used & 3) * strides[number]
        + (used >> 2 & 3) * strides[13 + number]
        + (used >> 4 & 3) * strides[26 + number]
        + (used >> 6 & 3) * strides[39 + number]
    )


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
def final_cost(tables, table, packed):
    """Jokers that a node of the last layer still needs."""
    start = tables.head[table, FINAL_START]
    return (
        tables.final[start + (packed & 0xFF)]
        + tables.final[start + (packed >> 8 & 0xFF)]
        + tables.final[start + (packed >> 16 & 0xFF)]
        + tables.final[start + (packed >> 24 & 0xFF)]
    )
