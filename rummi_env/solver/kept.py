"""What is kept from the first mask of a turn for those that follow.

All that a turn may come to is in the graph of its first mask. Once few kinds can still
come, all its plays fit in a set of 64 bits: one sweep finds it, and every later mask of
the turn is read off. Before that two sweeps over what is left of the graph, the paths
that place the tiles played, find what can come next.
"""

from __future__ import annotations

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.graph import EDGE_SET_SHIFT, EDGE_USED_SHIFT, NODE_BITS
from rummi_env.solver.sweeps import joker_bits
from rummi_env.solver.workspace import (
    KEPT_EDGES,
    KEPT_NODES,
    MAX_DIGITS,
    NUM_LAYERS,
)

SET_SIZE = 64
"""Plays that a set can tell apart."""

UNKNOWN, NOT_WHOLE, WHOLE = range(-1, 2)
"""What `mark_kept` returns: nothing that is kept helps; whether the tiles played are a
legal turn."""


@kernel
def keep_turn(workspace, board, rack, least, most, mask):
    """Keeps the graph of a turn's first mask, or its plays where it is too large.

    Args:
        workspace: with the graph, its `finish` done.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        least: jokers on the table.
        most: those and the jokers of the rack.
        mask: int8[53 or more]; the mask.
    """
    if not keep_playable(workspace, board, rack, mask):
        return
    kept = workspace.kept[workspace.kept_row[0]]
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    num_nodes = workspace.layer_start[layers + 1]
    num_edges = workspace.first_edge[last]
    kept.least = least
    kept.most = most
    kept.layers = layers
    kept.has_graph = num_nodes <= KEPT_NODES and num_edges <= KEPT_EDGES
    if not kept.has_graph:
        played = np.zeros(53, np.int8)
        if set_digits(kept, rack, played):
            list_kept(
                workspace, kept, workspace.layer_start, workspace.first_edge,
                workspace.edges, workspace.finish[last:num_nodes], played,
            )  # fmt: skip
        return
    for layer in range(layers + 2):
        kept.layer_start[layer] = workspace.layer_start[layer]
    for node in range(last + 1):
        kept.first_edge[node] = workspace.first_edge[node]
    for edge in range(num_edges):
        kept.edges[edge] = workspace.edges[edge]
    for node in range(last, num_nodes):
        kept.finish[node - last] = workspace.finish[node]


@kernel
def keep_playable(workspace, board, rack, mask):
    """Keeps which kinds a turn's first mask has; arguments as `keep_turn`.

    Returns:
        Whether there is any.
    """
    kept = workspace.kept[workspace.kept_row[0]]
    kept.valid = 0
    kept.listed = 0
    kept.has_graph = 0
    playable = np.int64(0)
    for kind in range(53):
        if mask[kind]:
            playable |= np.int64(1) << kind
    if playable == 0:
        return False
    kept.valid = 1
    kept.playable = playable
    for kind in range(53):
        kept.board[kind] = board[kind]
        kept.rack[kind] = rack[kind]
    return True


@kernel
def is_kept(workspace, board, rack):
    """Whether what is kept is of a turn with this table and rack."""
    kept = workspace.kept[workspace.kept_row[0]]
    if not kept.valid:
        return False
    for kind in range(53):
        if kept.board[kind] != board[kind] or kept.rack[kind] != rack[kind]:
            return False
    return True


@kernel
def mark_kept(workspace, tables, rack, played, mask):
    """Does what `turns.mark_turn` does, by what is kept; see `UNKNOWN`."""
    kept = workspace.kept[workspace.kept_row[0]]
    listed = kept.listed == 1
    if listed:
        for kind in range(53):
            if played[kind] < kept.base[kind]:
                listed = False
    if not listed and kept.has_graph and set_digits(kept, rack, played):
        list_kept(
            workspace, kept, kept.layer_start, kept.first_edge, kept.edges, kept.finish,
            played,
        )  # fmt: skip
        listed = True
    if listed:
        return WHOLE if mark_listed(kept, played, mask) else NOT_WHOLE
    if kept.has_graph:
        return WHOLE if mark_by_sweeps(workspace, tables, played, mask) else NOT_WHOLE
    return UNKNOWN


@kernel
def set_digits(kept, rack, played):
    """Numbers the plays that may still come; tells whether a set can hold them."""
    size = np.int64(1)
    digits = 0
    playable = np.int64(kept.playable)
    while playable:
        kind = trailing_zeros(playable)
        playable &= playable - 1
        more = np.int64(rack[kind]) - played[kind]
        if more > 0:
            if digits == MAX_DIGITS or size * (more + 1) > SET_SIZE:
                return False
            kept.kinds[digits] = kind
            kept.strides[digits] = size
            size *= more + 1
            digits += 1
    kept.strides[digits] = size
    kept.digits = digits
    return True


@kernel
def list_kept(workspace, kept, layer_start, first_edge, edges, finish, played):
    """Finds the set of all plays with the tiles played, by one sweep.

    Args:
        workspace: scratch.
        kept: with its digits set; the set is stored there.
        layer_start: int32[15]; of the graph.
        first_edge: int32[...]; of the graph.
        edges: int64[...]; of the graph.
        finish: uint8[...]; of the last layer's nodes.
        played: int8[53]; tiles played.
    """
    sets = workspace.values
    layers = np.int64(kept.layers)
    last = layer_start[layers]
    kept.base[:] = played
    stride_of = np.full((4, 13), SET_SIZE, np.int64)
    joker_stride = np.int64(SET_SIZE)
    for digit in range(kept.digits):
        kind = np.int64(kept.kinds[digit])
        if kind == JOKER:
            joker_stride = np.int64(kept.strides[digit])
        else:
            stride_of[kind // 13, kind % 13] = kept.strides[digit]
    for node in range(last, layer_start[layers + 1]):
        for jokers in range(3):
            done = finish[node - last] >> jokers & 1
            sets[3 * node + jokers] = done
    for number in range(layers - 1, -1, -1):
        need = needed_tiles(played, number)
        stride0, stride1 = stride_of[0, number], stride_of[1, number]
        stride2, stride3 = stride_of[2, number], stride_of[3, number]
        for node in range(layer_start[number], layer_start[number + 1]):
            some0 = some1 = some2 = np.int64(0)
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                extra = edge >> EDGE_USED_SHIFT & 0xFF
                if need:
                    extra = extra_tiles(edge, need)
                    if extra < 0:
                        continue
                shift = np.int64(0)
                if extra:
                    shift = (
                        (extra & 3) * stride0
                        + (extra >> 2 & 3) * stride1
                        + (extra >> 4 & 3) * stride2
                        + (extra >> 6 & 3) * stride3
                    )
                    if shift >= SET_SIZE:
                        continue
                at = 3 * (edge & NODE_BITS)
                adds = edge >> EDGE_SET_SHIFT & 7
                if adds & 1:
                    some0 |= sets[at] << shift
                    some1 |= sets[at + 1] << shift
                    some2 |= sets[at + 2] << shift
                if adds & 2:
                    some1 |= sets[at] << shift
                    some2 |= sets[at + 1] << shift
                if adds & 4:
                    some2 |= sets[at] << shift
            sets[3 * node] = some0
            sets[3 * node + 1] = some1
            sets[3 * node + 2] = some2
    least = np.int64(kept.least) + played[JOKER]
    kept.plays = sets[least]
    for jokers in range(least + 1, np.int64(kept.most) + 1):
        shift = (jokers - least) * joker_stride
        if shift < SET_SIZE:
            kept.plays |= sets[jokers] << shift
    kept.listed = 1


@kernel
def mark_listed(kept, played, mask):
    """Marks what can come next, by the set of plays.

    Returns:
        Whether the tiles played are a legal turn.
    """
    whole = False
    marks = np.int64(0)
    digits = np.int64(kept.digits)
    plays = np.int64(kept.plays)
    while plays:
        play = trailing_zeros(plays)
        plays &= plays - 1
        more = np.int64(0)
        for digit in range(digits):
            kind = np.int64(kept.kinds[digit])
            stride = np.int64(kept.strides[digit])
            radix = np.int64(kept.strides[digit + 1]) // stride
            beyond = play // stride % radix - played[kind] + kept.base[kind]
            if beyond < 0:
                more = np.int64(-1)
                break
            if beyond > 0:
                more |= np.int64(1) << kind
        if more == 0:
            whole = True
        elif more > 0:
            marks |= more
    while marks:
        mask[trailing_zeros(marks)] = True
        marks &= marks - 1
    return whole


@kernel
def mark_by_sweeps(workspace, tables, played, mask):
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
