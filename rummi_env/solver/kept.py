"""What is kept from the masks of a turn for those that follow.

Nothing can come later in a turn that could not come before. And once few kinds can
come, all plays that the turn may still end with fit in a set of 64 bits: it is found
once, and every later mask of the turn is read off.
"""

from __future__ import annotations

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.graph import (
    EDGE_SET_SHIFT,
    NODE_BITS,
    SET_SIZE,
    carry_plays,
    edge_stride,
    final_cost,
)
from rummi_env.solver.workspace import MAX_DIGITS, NO_ROW, NUM_LAYERS


@kernel
def is_kept(workspace, board, rack):
    """Whether what is kept is of a turn with this table and rack."""
    if workspace.kept_row[0] == NO_ROW:
        return False
    kept = record(workspace)
    if not kept.valid:
        return False
    for kind in range(53):
        if kept.board[kind] != board[kind] or kept.rack[kind] != rack[kind]:
            return False
    return True


@kernel
def keep_turn(workspace, board, rack):
    """Begins to keep what is found of a turn with this table and rack."""
    kept = record(workspace)
    kept.valid = workspace.kept_row[0] != NO_ROW
    kept.listed = 0
    kept.large = 0
    if kept.valid:
        for kind in range(53):
            kept.board[kind] = board[kind]
            kept.rack[kind] = rack[kind]


@kernel
def record(workspace):
    """What is kept of the game at hand, or a record for scratch."""
    return workspace.kept[max(workspace.kept_row[0], 0)]


@kernel
def is_listed(kept, played):
    """Whether the set of plays is known for a turn that has come so far."""
    return kept.listed and (played >= kept.base).all()


@kernel
def set_digits(kept, strides, may):
    """Numbers the plays that may come, if a set can hold them.

    Args:
        kept: where the digits are stored.
        strides: int64[53]; filled for the graph, see `Workspace.strides`.
        may: int8[53]; tiles that may be played.

    Returns:
        Whether a set can hold them.
    """
    size = np.int64(1)
    digits = 0
    strides[:] = SET_SIZE
    for kind in range(53):
        if may[kind]:
            if digits == MAX_DIGITS or size * (may[kind] + 1) > SET_SIZE:
                return False
            kept.kinds[digits] = kind
            kept.strides[digits] = size
            strides[kind] = size
            size *= may[kind] + 1
            digits += 1
    kept.strides[digits] = size
    kept.digits = digits
    return True


@kernel
def keep_plays(kept, strides, sets, least, most, played):
    """Keeps the set of all plays.

    Args:
        kept: with the digits set.
        strides: int64[53]; likewise.
        sets: int64[3 or more]; plays without their jokers, by jokers placed.
        least: jokers that must be placed.
        most: those and the jokers that may be.
        played: int8[53]; what every play has besides.
    """
    plays = np.int64(0)
    for jokers in range(least, most + 1):
        shift = (jokers - least) * strides[JOKER]
        if shift < SET_SIZE:
            plays |= sets[jokers] << shift
    kept.plays = plays
    kept.base[:] = played
    kept.listed = 1


@kernel
def list_plays(workspace, tables, table):
    """Finds the sets of all plays of a whole graph by one sweep from its end.

    Returns:
        int64[...]; in its first places, by jokers placed, the plays.
    """
    states, edges, first_edge = workspace.states, workspace.edges, workspace.first_edge
    layer_start, sets = workspace.layer_start, workspace.values
    layers = workspace.sizes[NUM_LAYERS]
    for node in range(layer_start[layers], layer_start[layers + 1]):
        cost = final_cost(tables, table, states[node])
        for jokers in range(3):
            sets[3 * node + jokers] = 1 if jokers == cost else 0
    for number in range(layers - 1, -1, -1):
        for node in range(layer_start[number], layer_start[number + 1]):
            some0 = some1 = some2 = np.int64(0)
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                shift = edge_stride(edge, workspace.strides, number)
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
    return sets


@kernel
def reached_plays(workspace, tables, table):
    """Finds the sets of all plays of a graph that was built by plays.

    Returns:
        int64[3]; by jokers placed, the plays.
    """
    layers = workspace.sizes[NUM_LAYERS]
    sets = np.zeros(3, np.int64)
    carry_plays(workspace, layers)
    for node in range(workspace.layer_start[layers], workspace.layer_start[layers + 1]):
        cost = final_cost(tables, table, workspace.states[node])
        for jokers in range(cost, 3):
            sets[jokers] |= workspace.gained[3 * node + jokers - cost]
    return sets


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
