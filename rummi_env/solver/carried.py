"""What the paths to a node have placed, carried forward from layer to layer.

By it nodes are compared: see `dominance`.
"""

from __future__ import annotations

import numpy as np

from rummi_env.solver.compiled import kernel
from rummi_env.solver.dominance import BY_PLAYS, BY_WORTH
from rummi_env.solver.edges import (
    EDGE_SET_SHIFT,
    EDGE_TILES_SHIFT,
    EDGE_USED_SHIFT,
    NODE_BITS,
    SET_SIZE,
    edge_gain,
    used_kinds,
    used_stride,
)
from rummi_env.solver.workspace import CARRIED, INDEX

NOTHING = np.int64(-(1 << 62))
"""Value of what cannot be reached."""

REACHED = np.int64(1 << 53)
"""Bit of a set of kinds that says that a path was found."""


@kernel
def carry_gains(workspace, number, start, end, nodes):
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
def carry_sets(workspace, number, nodes):
    """Fills `Workspace.gained` up to a layer with what the paths to its nodes play.

    Args:
        workspace: with the edges up to the layer.
        number: the layer.
        nodes: `BY_PLAYS`: sets of plays. `BY_KINDS`: those of `Workspace.asked` that
            any of them plays, as bits, and `REACHED` where there is a path.
    """
    for layer in range(workspace.sizes[CARRIED] + 1, number + 1):
        _carry_sets(workspace, layer, nodes)
    workspace.sizes[CARRIED] = number


@kernel
def _carry_sets(workspace, number, nodes):
    """Does what `carry_sets` does, of one layer once the one before is filled."""
    edges, first_edge, sets = workspace.edges, workspace.first_edge, workspace.gained
    asked = workspace.asked[0]
    start = workspace.layer_start[number]
    for place in range(3 * start, 3 * workspace.layer_start[number + 1]):
        sets[place] = 0
    if number == 0:
        sets[0] = 1 if nodes == BY_PLAYS else REACHED
        return
    for node in range(workspace.layer_start[number - 1], start):
        at = INDEX(3 * node)
        some0, some1, some2 = sets[at], sets[at + INDEX(1)], sets[at + INDEX(2)]
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[INDEX(e)]
            used = edge >> EDGE_USED_SHIFT & 0xFF
            set0, set1, set2 = some0, some1, some2
            if used:
                if nodes == BY_PLAYS:
                    shift = used_stride(used, workspace.strides, number - 1)
                    if shift >= SET_SIZE:
                        continue
                    set0, set1, set2 = set0 << shift, set1 << shift, set2 << shift
                else:
                    kinds = used_kinds(used) << (number - 1) & asked
                    set0 |= kinds if set0 else 0
                    set1 |= kinds if set1 else 0
                    set2 |= kinds if set2 else 0
            after = INDEX(3 * (edge & NODE_BITS))
            adds = edge >> EDGE_SET_SHIFT & 7
            if adds & 1:
                sets[after] |= set0
                sets[after + INDEX(1)] |= set1
                sets[after + INDEX(2)] |= set2
            if adds & 2:
                sets[after + INDEX(1)] |= set0
                sets[after + INDEX(2)] |= set1
            if adds & 4:
                sets[after + INDEX(2)] |= set0
