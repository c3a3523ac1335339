"""Questions about a turn, each answered by a sweep over the graph that `build` made."""

from __future__ import annotations

import numpy as np

from rummi_env.solver.carried import NOTHING
from rummi_env.solver.compiled import kernel
from rummi_env.solver.edges import EDGE_SET_SHIFT, EDGE_USED_SHIFT, NODE_BITS, edge_gain
from rummi_env.solver.graph import final_cost
from rummi_env.solver.workspace import INDEX, NUM_LAYERS


@kernel
def joker_bits(least, most):
    """Set of the numbers ``least..most`` as bits."""
    return (1 << (most + 1)) - (1 << least)


@kernel
def finish(workspace, tables, table):
    """Fills `Workspace.finish`; returns the joker numbers of whole paths, as bits."""
    states, edges = workspace.states, workspace.edges
    first_edge, done = workspace.first_edge, workspace.finish
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    for node in range(last, workspace.layer_start[layers + 1]):
        cost = final_cost(tables, table, states[node])
        done[node] = 1 << cost if cost <= 2 else 0
    for node in range(last - 1, -1, -1):
        total = 0
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            adds = edge >> EDGE_SET_SHIFT & 7
            total |= tables.sums[adds, done[edge & NODE_BITS]]
        done[node] = total
    return done[0]


@kernel
def mark_playable(workspace, tables, table, wanted, naturals, jokers):
    """Does what `finish` does and marks every tile that can be placed.

    Args:
        workspace: with the graph.
        tables: of the deck's colors.
        table: the table that the graph was built with.
        wanted: set of joker numbers allowed on a path.
        naturals: int8[52 or more], set to True where such a path places an optional
            natural.
        jokers: int8[52 or more], likewise where a joker stands for the kind.

    Returns:
        The set of joker numbers for a whole path.
    """
    states, edges, first_edge = workspace.states, workspace.edges, workspace.first_edge
    reach, done, sums = workspace.reach, workspace.finish, tables.sums
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    for node in range(last, workspace.layer_start[layers + 1]):
        cost = final_cost(tables, table, states[node])
        done[node] = 1 << cost if cost <= 2 else 0
    for number in range(layers - 1, -1, -1):
        marks = np.int64(0)
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            total = 0
            came = INDEX(reach[node])
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[INDEX(e)]
                adds = INDEX(edge >> EDGE_SET_SHIFT & 7)
                ends = sums[adds, INDEX(done[INDEX(edge & NODE_BITS)])]
                total |= ends
                new = (edge >> EDGE_USED_SHIFT & 0xFFFF) & ~marks
                if new != 0 and sums[came, ends] & wanted:
                    marks |= new
            done[node] = total
        for color in range(4):
            if marks >> (2 * color) & 3:
                naturals[color * 13 + number] = True
            if marks >> (8 + 2 * color) & 3:
                jokers[color * 13 + number] = True
    return done[0]


@kernel
def plain_finish(workspace, tables, table):
    """Set of joker numbers for a path that places no optional natural."""
    states, edges = workspace.states, workspace.edges
    first_edge, ways = workspace.first_edge, workspace.values
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    for node in range(last, workspace.layer_start[layers + 1]):
        cost = final_cost(tables, table, states[node])
        ways[node] = 1 << cost if cost <= 2 else 0
    for node in range(last - 1, -1, -1):
        total = 0
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            if edge >> EDGE_USED_SHIFT & 0xFF == 0:
                adds = edge >> EDGE_SET_SHIFT & 7
                total |= tables.sums[adds, ways[edge & NODE_BITS]]
        ways[node] = total
    return ways[0]


@kernel
def best_value(workspace, tables, table, gains, wanted, joker_gain):
    """Finds the path of greatest gain and what it places.

    Args:
        workspace: with the graph.
        tables: of the deck's colors.
        table: the table that the graph was built with.
        gains: int64[52, 3]; gain of placing 0, 1 or 2 optional naturals of a kind.
        wanted: set of joker numbers allowed on the path.
        joker_gain: int64[3]; gain of ending with so many jokers.

    Returns:
        The greatest gain (`NOTHING` if no path exists), the jokers on that path, and
        int8[52], the optional naturals that it places.
    """
    states, edges = workspace.states, workspace.edges
    first_edge, value = workspace.first_edge, workspace.values
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    for node in range(last, workspace.layer_start[layers + 1]):
        for j in range(3):
            value[3 * node + j] = NOTHING
        cost = final_cost(tables, table, states[node])
        if cost <= 2:
            value[3 * node + cost] = 0
    for number in range(layers - 1, -1, -1):
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            at = 3 * node
            value[at] = value[at + 1] = value[at + 2] = NOTHING
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                after = 3 * (edge & NODE_BITS)
                gain = edge_gain(edge, gains, number)
                adds = edge >> EDGE_SET_SHIFT & 7
                for a in range(3):
                    if adds >> a & 1:
                        for j in range(3 - a):
                            if value[after + j] != NOTHING:
                                total = value[after + j] + gain
                                value[at + a + j] = max(value[at + a + j], total)
    best = NOTHING
    jokers = -1
    for j in range(3):
        if wanted >> j & 1 and value[j] != NOTHING and value[j] + joker_gain[j] > best:
            best = value[j] + joker_gain[j]
            jokers = j
    placed = np.zeros(52, np.int8)
    if jokers < 0:
        return best, jokers, placed
    node = np.int64(0)
    left = jokers
    for number in range(layers):
        here = value[3 * node + left]
        found = False
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            after = edge & NODE_BITS
            gain = edge_gain(edge, gains, number)
            adds = edge >> EDGE_SET_SHIFT & 7
            for a in range(left + 1):
                then = value[3 * after + left - a]
                if adds >> a & 1 and then != NOTHING and then + gain == here:
                    for color in range(4):
                        placed[color * 13 + number] = (
                            edge >> (EDGE_USED_SHIFT + 2 * color) & 3
                        )
                    node = after
                    left -= a
                    found = True
                    break
            if found:
                break
    return best, jokers, placed
