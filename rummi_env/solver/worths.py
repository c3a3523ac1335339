"""Questions about the worth of melds, each answered by a sweep over the graph.

An edge is worth its number times its tiles, jokers counting as what they stand for, so
the graph must place them explicitly.
"""

from __future__ import annotations

import numpy as np

from rummi_env.solver.carried import NOTHING
from rummi_env.solver.compiled import kernel
from rummi_env.solver.edges import (
    EDGE_SET_SHIFT,
    EDGE_TILES_SHIFT,
    EDGE_USED_SHIFT,
    NODE_BITS,
    edge_gain,
)
from rummi_env.solver.graph import final_cost
from rummi_env.solver.workspace import NUM_LAYERS


@kernel
def greatest_worths(workspace):
    """Fills `Workspace.worths`: greatest worth of melds up to each node.

    An edge is worth its number times its tiles, jokers counting as what they stand for,
    so the graph must place them explicitly. By node and jokers placed, `NOTHING` where
    impossible.
    """
    edges, first_edge, worth = workspace.edges, workspace.first_edge, workspace.worths
    layers = workspace.sizes[NUM_LAYERS]
    worth[: 3 * workspace.layer_start[layers + 1]] = NOTHING
    worth[0] = 0
    for number in range(layers):
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                adds = edge >> EDGE_SET_SHIFT & 7
                gain = (number + 1) * (edge >> EDGE_TILES_SHIFT & 31)
                after = 3 * (edge & NODE_BITS)
                for a in range(3):
                    if adds >> a & 1:
                        for j in range(3 - a):
                            total = worth[3 * node + j] + gain
                            worth[after + a + j] = max(worth[after + a + j], total)


@kernel
def mark_openings(workspace, tables, table, threshold, wanted, naturals, jokers):
    """Marks every tile of some set of melds worth at least the threshold.

    Args:
        workspace: with `greatest_worths` done.
        tables: of the deck's colors.
        table: the table that the graph was built with.
        threshold: least worth of the melds together.
        wanted: set of joker numbers allowed.
        naturals: int8[52 or more], set to True where an optional natural is placed.
        jokers: int8[52 or more], likewise where a joker stands for the kind.

    Returns:
        int64[3]; the greatest worth with so many jokers placed.
    """
    states, edges, first_edge = workspace.states, workspace.edges, workspace.first_edge
    before, ahead = workspace.worths, workspace.values
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    for node in range(last, workspace.layer_start[layers + 1]):
        for j in range(3):
            ahead[3 * node + j] = NOTHING
        if final_cost(tables, table, states[node]) == 0:
            ahead[3 * node] = 0
    for number in range(layers - 1, -1, -1):
        marks = np.int64(0)
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            at = 3 * node
            ahead[at] = ahead[at + 1] = ahead[at + 2] = NOTHING
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                adds = edge >> EDGE_SET_SHIFT & 7
                gain = (number + 1) * (edge >> EDGE_TILES_SHIFT & 31)
                after = 3 * (edge & NODE_BITS)
                new = (edge >> EDGE_USED_SHIFT & 0xFFFF) & ~marks
                for a in range(3):
                    if adds >> a & 1:
                        for j in range(3 - a):
                            then = ahead[after + j] + gain
                            if then < 0:
                                continue
                            ahead[at + a + j] = max(ahead[at + a + j], then)
                            if new != 0:
                                for b in range(3 - a - j):
                                    if (
                                        wanted >> (a + b + j) & 1
                                        and before[at + b] + then >= threshold
                                    ):
                                        marks |= new
        for color in range(4):
            if marks >> (2 * color) & 3:
                naturals[color * 13 + number] = True
            if marks >> (8 + 2 * color) & 3:
                jokers[color * 13 + number] = True
    return ahead[:3].copy()


@kernel
def best_opening(workspace, tables, table, gains, wanted, joker_gain, threshold):
    """Like `best_value`, among paths whose melds are worth at least the threshold.

    The worth of the melds ahead, capped at the threshold, becomes part of the state.
    """
    states, edges = workspace.states, workspace.edges
    first_edge = workspace.first_edge
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    end = workspace.layer_start[layers + 1]
    value = np.full((end, 3, threshold + 1), NOTHING, np.int64)
    for node in range(last, end):
        if final_cost(tables, table, states[node]) == 0:
            value[node, 0, 0] = 0
    for number in range(layers - 1, -1, -1):
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                after = edge & NODE_BITS
                gain = edge_gain(edge, gains, number)
                adds = edge >> EDGE_SET_SHIFT & 7
                worth = (number + 1) * (edge >> EDGE_TILES_SHIFT & 31)
                for a in range(3):
                    if adds >> a & 1:
                        for j in range(3 - a):
                            for w in range(threshold + 1):
                                if value[after, j, w] != NOTHING:
                                    total = value[after, j, w] + gain
                                    more = min(threshold, w + worth)
                                    value[node, a + j, more] = max(
                                        value[node, a + j, more], total
                                    )
    best = NOTHING
    jokers = -1
    for j in range(3):
        found = value[0, j, threshold]
        if wanted >> j & 1 and found != NOTHING and found + joker_gain[j] > best:
            best = found + joker_gain[j]
            jokers = j
    placed = np.zeros(52, np.int8)
    if jokers < 0:
        return best, jokers, placed
    node = np.int64(0)
    left = jokers
    need = threshold
    for number in range(layers):
        here = value[node, left, need]
        found_edge = False
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            after = edge & NODE_BITS
            gain = edge_gain(edge, gains, number)
            adds = edge >> EDGE_SET_SHIFT & 7
            worth = (number + 1) * (edge >> EDGE_TILES_SHIFT & 31)
            for a in range(left + 1):
                if adds >> a & 1 == 0:
                    continue
                for w in range(threshold + 1):
                    then = value[after, left - a, w]
                    if (
                        then != NOTHING
                        and then + gain == here
                        and min(threshold, w + worth) == need
                    ):
                        for color in range(4):
                            placed[color * 13 + number] = (
                                edge >> (EDGE_USED_SHIFT + 2 * color) & 3
                            )
                        node = after
                        left -= a
                        need = w
                        found_edge = True
                        break
                if found_edge:
                    break
            if found_edge:
                break
    return best, jokers, placed


@kernel
def worthiest_path(workspace, tables, table, jokers):
    """Returns the edges of a path of greatest worth that places so many jokers.

    Returns:
        int64[13]; one edge a number. The first is -1 where there is no such path.
    """
    states, edges, first_edge = workspace.states, workspace.edges, workspace.first_edge
    ahead = workspace.values
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    end = workspace.layer_start[layers + 1]
    ahead[: 3 * end] = NOTHING
    for node in range(last, end):
        if final_cost(tables, table, states[node]) == 0:
            ahead[3 * node] = 0
    for number in range(layers - 1, -1, -1):
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                after = 3 * (edge & NODE_BITS)
                gain = (number + 1) * (edge >> EDGE_TILES_SHIFT & 31)
                for a in range(3):
                    if edge >> (EDGE_SET_SHIFT + a) & 1:
                        for j in range(3 - a):
                            if ahead[after + j] != NOTHING:
                                total = ahead[after + j] + gain
                                ahead[3 * node + a + j] = max(
                                    ahead[3 * node + a + j], total
                                )
    path = np.full(13, -1, np.int64)
    if ahead[jokers] == NOTHING:
        return path
    node = np.int64(0)
    left = jokers
    for number in range(layers):
        found = False
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            after = edge & NODE_BITS
            gain = (number + 1) * (edge >> EDGE_TILES_SHIFT & 31)
            for a in range(left + 1):
                then = ahead[3 * after + left - a]
                if (
                    edge >> (EDGE_SET_SHIFT + a) & 1
                    and then != NOTHING
                    and then + gain == ahead[3 * node + left]
                ):
                    path[number] = edge
                    node = after
                    left -= a
                    found = True
                    break
            if found:
                break
    return path
