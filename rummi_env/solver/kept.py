"""Graphs kept from the first action of a turn for those that follow.

All that a turn may come to is in the graph of its first mask. After some tiles were
played, what is left of it are the paths that place them: two sweeps find what can come
next, and no graph is built anew.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.graph import EDGE_SET_SHIFT, EDGE_USED_SHIFT, NODE_BITS
from rummi_env.solver.sweeps import joker_bits
from rummi_env.solver.workspace import KEPT_EDGES, KEPT_NODES, NUM_LAYERS


@kernel
def keep_graph(workspace, board, rack, least, most):
    """Keeps the graph of a turn's first mask, unless it is too large.

    Args:
        workspace: with the graph, its `finish` done.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        least: jokers on the table.
        most: those and the jokers of the rack.
    """
    kept = workspace.kept[workspace.kept_row[0]]
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    num_nodes = workspace.layer_start[layers + 1]
    num_edges = workspace.first_edge[last]
    kept.valid = 0
    if num_nodes > KEPT_NODES or num_edges > KEPT_EDGES:
        return
    kept.valid = 1
    kept.least = least
    kept.most = most
    kept.layers = layers
    for kind in range(53):
        kept.board[kind] = board[kind]
        kept.rack[kind] = rack[kind]
    for layer in range(layers + 2):
        kept.layer_start[layer] = workspace.layer_start[layer]
    for node in range(last + 1):
        kept.first_edge[node] = workspace.first_edge[node]
    for edge in range(num_edges):
        kept.edges[edge] = workspace.edges[edge]
    for node in range(last, num_nodes):
        kept.finish[node - last] = workspace.finish[node]


@kernel
def is_kept(workspace, board, rack):
    """Whether the kept graph is that of a turn with this table and rack."""
    kept = workspace.kept[workspace.kept_row[0]]
    if not kept.valid:
        return False
    for kind in range(53):
        if kept.board[kind] != board[kind] or kept.rack[kind] != rack[kind]:
            return False
    return True


@kernel
def mark_kept(workspace, tables, played, mask):
    """Does what `turns.mark_turn` does, by the kept graph."""
    kept = workspace.kept[workspace.kept_row[0]]
    reach, done, plain = workspace.reach, workspace.finish, workspace.values
    sums, layers = tables.sums, np.int64(kept.layers)
    last = kept.layer_start[layers]
    num_nodes = kept.layer_start[layers + 1]
    most = np.int64(kept.most)
    least = np.int64(kept.least) + played[JOKER]
    wanted = joker_bits(least, most)
    allowed = joker_bits(np.int64(0), most)

    for node in range(num_nodes):
        reach[node] = 0
    reach[0] = 1
    for number in range(layers):
        need = needed_tiles(played, number)
        for node in range(kept.layer_start[number], kept.layer_start[number + 1]):
            came = reach[node]
            if came == 0:
                continue
            for e in range(kept.first_edge[node], kept.first_edge[node + 1]):
                edge = kept.edges[e]
                if need and extra_tiles(edge, need) < 0:
                    continue
                adds = edge >> EDGE_SET_SHIFT & 7
                reach[edge & NODE_BITS] |= sums[came, adds] & allowed

    for node in range(last, num_nodes):
        done[node] = kept.finish[node - last]
        plain[node] = done[node]
    for number in range(layers - 1, -1, -1):
        need = needed_tiles(played, number)
        marks = np.int64(0)
        for node in range(kept.layer_start[number], kept.layer_start[number + 1]):
            came = reach[node]
            total = 0
            exact = np.int64(0)
            if came:
                for e in range(kept.first_edge[node], kept.first_edge[node + 1]):
                    edge = kept.edges[e]
                    extra = edge >> EDGE_USED_SHIFT & 0xFF
                    if need:
                        extra = extra_tiles(edge, need)
                        if extra < 0:
                            continue
                    adds = edge >> EDGE_SET_SHIFT & 7
                    target = edge & NODE_BITS
                    ends = sums[adds, done[target]]
                    total |= ends
                    if extra == 0:
                        exact |= sums[adds, plain[target]]
                    elif extra & ~marks and sums[came, ends] & wanted:
                        marks |= extra
            done[node] = total
            plain[node] = exact
        for color in range(4):
            if marks >> (2 * color) & 3:
                mask[color * 13 + number] = True
    if most > least and done[0] & joker_bits(least + 1, most):
        mask[JOKER] = True
    return plain[0] >> least & 1 != 0


@kernel
def needed_tiles(played, number):
    """Tiles played of a number, packed like those that an edge places."""
    return (
        np.int64(played[number])
        | np.int64(played[13 + number]) << 2
        | np.int64(played[26 + number]) << 4
        | np.int64(played[39 + number]) << 6
    )


@kernel
def extra_tiles(edge, need):
    """What an edge places beyond the tiles needed, or -1 if it lacks one of them."""
    used = edge >> EDGE_USED_SHIFT & 0xFF
    for shift in range(0, 8, 2):
        if used >> shift & 3 < need >> shift & 3:
            return np.int64(-1)
    return used - need
