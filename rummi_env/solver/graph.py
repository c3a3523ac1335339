"""The graph of a turn: one compiled pass builds it, every question is a sweep over it.

A *node* is what matters after all tiles up to some number are placed: one automaton
state per color. An *edge* places the tiles of one number: for each color an option, the
groups being legal together. Paths from the root to the last layer are the arrangements
of all tiles that must be placed and some of those that may.

Jokers are not part of a node. Instead a node carries the set of joker numbers (three
bits for 0, 1 and 2) with which it can be reached, and later the set with which it can be
finished; an edge adds its own set.

All arrays live in a `Workspace`, reused from call to call: nothing is allocated, nothing
is cleared. A workspace too small for a position says so and the caller makes a larger
one (`grown`), so no position is out of reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.core.tiles import NUM_NUMBERS
from rummi_env.solver.compiled import kernel
from rummi_env.solver.tables import (
    COST_SHIFT,
    FINAL_START,
    GROUP_BASE,
    GROUP_SHIFT,
    GROUP_START,
    JOKERS_SHIFT,
    MAX_TILES,
    PAST_END,
    ROW_START,
    RUN_SHIFT,
    STATE_BITS,
    STATES,
    SUPPLY_LEVELS,
    TILES_SHIFT,
    USED_SHIFT,
    Tables,
)

MAX_STATES = 35
NUM_SLOTS = MAX_STATES**4
LAYERS = NUM_NUMBERS + 1

# An edge packed in 64 bits: node it leads to (32), joker set (3), optional naturals used
# by color (2 each), jokers placed by color (2 each), tiles in all (5).
EDGE_SET_SHIFT, EDGE_USED_SHIFT, EDGE_JOKERS_SHIFT, EDGE_TILES_SHIFT = 32, 35, 43, 51
NODE_BITS = 0xFFFFFFFF

NUM_NODES, NUM_LAYERS, SLOT_OFFSET = range(3)
"""Places in `Workspace.sizes`."""

INFEASIBLE_TURN, BUILT, TOO_SMALL = 0, 1, 2
"""What `build` returns."""


class Workspace(NamedTuple):
    """Scratch arrays of one thread.

    Attributes:
        slots: int32[35**4]; node by packed states, valid if at least `SLOT_OFFSET`
            plus the first node of the layer, so that it never needs clearing.
        states: int32[nodes]; the four automaton states of a node, 6 bits each.
        reach: uint8[nodes]; joker numbers with which a node can be reached.
        finish: uint8[nodes]; joker numbers with which it can be finished.
        first_edge: int32[nodes + 1]; edges of a node are consecutive.
        edges: int64[...]; packed edges.
        layer_start: int32[15]; first node of each layer.
        sizes: int64[3]; see `NUM_NODES`, `NUM_LAYERS`, `SLOT_OFFSET`.
        values: int64[nodes * 3]; for sweeps that maximise, by node and jokers.
        worths: int64[nodes * 3]; greatest worth of melds from the root to a node.
    """

    slots: NDArray[np.int32]
    states: NDArray[np.int32]
    reach: NDArray[np.uint8]
    finish: NDArray[np.uint8]
    first_edge: NDArray[np.int32]
    edges: NDArray[np.int64]
    layer_start: NDArray[np.int32]
    sizes: NDArray[np.int64]
    values: NDArray[np.int64]
    worths: NDArray[np.int64]


@kernel
def make_workspace(num_nodes, num_edges):
    """Allocates a workspace for so many nodes and edges."""
    return Workspace(
        np.full(NUM_SLOTS, -1, np.int32),
        np.empty(num_nodes, np.int32),
        np.empty(num_nodes, np.uint8),
        np.empty(num_nodes, np.uint8),
        np.empty(num_nodes + 1, np.int32),
        np.empty(num_edges, np.int64),
        np.zeros(LAYERS + 1, np.int32),
        np.zeros(3, np.int64),
        np.empty(3 * num_nodes, np.int64),
        np.empty(3 * num_nodes, np.int64),
    )


@kernel
def grown(workspace):
    """Returns a workspace of four times the size."""
    return make_workspace(4 * workspace.states.size, 4 * workspace.edges.size)


@kernel
def build(workspace, tables, table, numbers, budget, must, may):
    """Builds the graph of all arrangements.

    Args:
        workspace: where the graph goes.
        tables: of the deck's colors.
        table: which of the six (`IMPLICIT` or `EXPLICIT`, plus ``budget``).
        numbers: highest number of the deck.
        budget: most jokers that may be placed, 0..2.
        must: int8[52]; naturals that must be placed.
        may: int8[52]; further naturals that may be placed.

    Returns:
        `BUILT`, `INFEASIBLE_TURN` where a layer has no node, or `TOO_SMALL`.
    """
    slots, states, reach = workspace.slots, workspace.states, workspace.reach
    first_edge, edges = workspace.first_edge, workspace.edges
    layer_start, sizes = workspace.layer_start, workspace.sizes
    num_states = tables.head[table, STATES]
    groups_start = tables.head[table, GROUP_START]
    stride1 = num_states
    stride2 = num_states * num_states
    stride3 = stride2 * num_states
    allowed = (1 << (budget + 1)) - 1

    offset = sizes[SLOT_OFFSET]
    if offset + states.size > 2_000_000_000:
        slots[:] = -1
        offset = 0
    states[0] = 0
    reach[0] = 1
    layer_start[0] = 0
    num_nodes = 1
    num_edges = 0
    sizes[NUM_LAYERS] = numbers

    for number in range(numbers):
        start = layer_start[number]
        end = num_nodes
        layer_start[number + 1] = end
        row0 = _row(tables, table, 0 * 13 + number, number, numbers, must, may)
        row1 = _row(tables, table, 1 * 13 + number, number, numbers, must, may)
        row2 = _row(tables, table, 2 * 13 + number, number, numbers, must, may)
        row3 = _row(tables, table, 3 * 13 + number, number, numbers, must, may)
        extra = budget if table >= 3 else 0
        most2 = min(must[26 + number] + may[26 + number] + extra, MAX_TILES)
        most3 = min(must[39 + number] + may[39 + number] + extra, MAX_TILES)
        pair_base = groups_start + most2 * GROUP_BASE + most3

        for node in range(start, end):
            first_edge[node] = num_edges
            packed = states[node]
            came = reach[node]
            left = budget
            if came & 1 == 0:
                left -= 1 if came & 2 else 2
            at0 = row0 + (packed & STATE_BITS)
            at1 = row1 + (packed >> 6 & STATE_BITS)
            at2 = row2 + (packed >> 12 & STATE_BITS)
            at3 = row3 + (packed >> 18 & STATE_BITS)
            for i0 in range(tables.first[at0], tables.first[at0 + 1]):
                option0 = tables.options[i0]
                cost0 = option0 >> COST_SHIFT & 3
                if cost0 > left:
                    continue
                group0 = (option0 >> GROUP_SHIFT & 7) * (GROUP_BASE**3)
                for i1 in range(tables.first[at1], tables.first[at1 + 1]):
                    option1 = tables.options[i1]
                    cost1 = cost0 + (option1 >> COST_SHIFT & 3)
                    if cost1 > left:
                        continue
                    group1 = group0 + (option1 >> GROUP_SHIFT & 7) * (GROUP_BASE**2)
                    if tables.pairs[pair_base + group1] == 0:
                        continue
                    triple_base = groups_start + group1 + most3
                    for i2 in range(tables.first[at2], tables.first[at2 + 1]):
                        option2 = tables.options[i2]
                        cost2 = cost1 + (option2 >> COST_SHIFT & 3)
                        if cost2 > left:
                            continue
                        group2 = (option2 >> GROUP_SHIFT & 7) * GROUP_BASE
                        if tables.triples[triple_base + group2] == 0:
                            continue
                        group2 += groups_start + group1
                        for i3 in range(tables.first[at3], tables.first[at3 + 1]):
                            option3 = tables.options[i3]
                            cost = cost2 + (option3 >> COST_SHIFT & 3)
                            if cost > left:
                                continue
                            groups = tables.groups[group2 + (option3 >> GROUP_SHIFT & 7)]
                            if groups == 0:
                                continue
                            runs = (option0 | option1 | option2 | option3) >> RUN_SHIFT & 1
                            adds = tables.costs[groups, cost, runs] & allowed
                            reached = tables.sums[came, adds] & allowed
                            if reached == 0:
                                continue
                            s0 = option0 & STATE_BITS
                            s1 = option1 & STATE_BITS
                            s2 = option2 & STATE_BITS
                            s3 = option3 & STATE_BITS
                            slot = s0 + s1 * stride1 + s2 * stride2 + s3 * stride3
                            target = slots[slot] - offset
                            if target < end:
                                if num_nodes == states.size:
                                    sizes[SLOT_OFFSET] = offset + num_nodes
                                    return TOO_SMALL
                                target = num_nodes
                                slots[slot] = target + offset
                                states[target] = s0 | s1 << 6 | s2 << 12 | s3 << 18
                                reach[target] = reached
                                num_nodes += 1
                            else:
                                reach[target] |= reached
                            if num_edges == edges.size:
                                sizes[SLOT_OFFSET] = offset + num_nodes
                                return TOO_SMALL
                            used = (
                                (option0 >> USED_SHIFT & 3)
                                | (option1 >> USED_SHIFT & 3) << 2
                                | (option2 >> USED_SHIFT & 3) << 4
                                | (option3 >> USED_SHIFT & 3) << 6
                            )
                            jokers = (
                                (option0 >> JOKERS_SHIFT & 3)
                                | (option1 >> JOKERS_SHIFT & 3) << 2
                                | (option2 >> JOKERS_SHIFT & 3) << 4
                                | (option3 >> JOKERS_SHIFT & 3) << 6
                            )
                            tiles = (
                                (option0 >> TILES_SHIFT & 7)
                                + (option1 >> TILES_SHIFT & 7)
                                + (option2 >> TILES_SHIFT & 7)
                                + (option3 >> TILES_SHIFT & 7)
                            )
                            edges[num_edges] = (
                                np.int64(target)
                                | np.int64(adds) << EDGE_SET_SHIFT
                                | np.int64(used) << EDGE_USED_SHIFT
                                | np.int64(jokers) << EDGE_JOKERS_SHIFT
                                | np.int64(tiles) << EDGE_TILES_SHIFT
                            )
                            num_edges += 1
        if num_nodes == end:
            sizes[SLOT_OFFSET] = offset + num_nodes
            return INFEASIBLE_TURN

    layer_start[numbers + 1] = num_nodes
    first_edge[layer_start[numbers]] = num_edges
    sizes[NUM_NODES] = num_nodes
    sizes[SLOT_OFFSET] = offset + num_nodes
    return BUILT


@kernel
def _row(tables, table, kind, number, numbers, must, may):
    """Place in `Tables.first` of the options of a kind, for state 0."""
    supply1 = must[kind + 1] + may[kind + 1] if number + 1 < numbers else PAST_END
    supply2 = must[kind + 2] + may[kind + 2] if number + 2 < numbers else PAST_END
    mix = np.int64(must[kind]) * 3 + may[kind]
    row = (mix * SUPPLY_LEVELS + supply1) * SUPPLY_LEVELS + supply2
    return tables.head[table, ROW_START] + row * tables.head[table, STATES]


@kernel
def final_cost(tables, table, packed):
    """Jokers that a node of the last layer still needs."""
    start = tables.head[table, FINAL_START]
    return (
        tables.final[start + (packed & STATE_BITS)]
        + tables.final[start + (packed >> 6 & STATE_BITS)]
        + tables.final[start + (packed >> 12 & STATE_BITS)]
        + tables.final[start + (packed >> 18 & STATE_BITS)]
    )
