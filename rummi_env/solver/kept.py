"""What is kept from the masks of a turn for those that follow.

Nothing can come later in a turn that could not come before. And once few kinds can
come, all plays that the turn may still end with fit in a set of 64 bits: it is found
once, and every later mask of the turn is read off.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.solver.carried import carry_sets
from rummi_env.solver.compiled import kernel
from rummi_env.solver.edges import (
    EDGE_SET_SHIFT,
    EDGE_USED_SHIFT,
    NODE_BITS,
    SET_SIZE,
    used_stride,
)
from rummi_env.solver.graph import final_cost
from rummi_env.solver.workspace import INDEX, NO_ROW, NUM_LAYERS

SET_BITS = 6
"""Bits of a play's number: one for a kind of which one may come, two for two."""

PLAYS_WITH = np.array(
    [
        sum(1 << play for play in range(SET_SIZE) if play >> bit & 1)
        for bit in range(SET_BITS)
    ],
    np.uint64,
).view(np.int64)
"""int64[6]; plays whose number has a bit, as a set."""


@kernel
def is_kept(workspace, board, rack, played):
    """Whether what is kept is of a turn with this table and rack, so far or before."""
    if workspace.kept_row[0] == NO_ROW:
        return False
    kept = record(workspace)
    if not kept.valid:
        return False
    for kind in range(53):
        if kept.board[kind] != board[kind] or kept.rack[kind] != rack[kind]:
            return False
        # A turn may be taken back and go on otherwise.
        if played[kind] < kept.base[kind]:
            return False
    return True


@kernel
def keep_turn(workspace, board, rack):
    """Begins to keep what is found of a turn with this table and rack."""
    kept = record(workspace)
    kept.valid = workspace.kept_row[0] != NO_ROW
    kept.listed = 0
    if kept.valid:
        for kind in range(53):
            kept.board[kind] = board[kind]
            kept.rack[kind] = rack[kind]


@kernel
def record(workspace):
    """What is kept of the game at hand, or a record for scratch."""
    return workspace.kept[max(workspace.kept_row[0], 0)]


@kernel
def keep_kinds(kept, may, played, mask):
    """Keeps which kinds a mask has.

    Args:
        kept: where.
        played: int8[53]; tiles played before.
        may: int8[53]; tiles that may be played; those of other kinds are taken out.
        mask: int8[53 or more]; the mask.
    """
    kept.base[:] = played
    kept.playable = 0
    for kind in range(53):
        if mask[kind]:
            kept.playable |= np.int64(1) << kind
        else:
            may[kind] = 0


@kernel
def missing_kinds(may, mask):
    """Naturals that may be played and are not in a mask, as bits."""
    kinds = np.int64(0)
    for kind in range(JOKER):
        if may[kind] and not mask[kind]:
            kinds |= np.int64(1) << kind
    return kinds


@kernel
def set_digits(kept, strides, may):
    """Gives each play that may come a number, if a set can hold them.

    Args:
        kept: where the digits are stored.
        strides: int64[53]; filled for the graph, see `Workspace.strides`.
        may: int8[53]; tiles that may be played.

    Returns:
        Whether a set can hold them.
    """
    bit = 0
    digits = 0
    strides[:] = SET_SIZE
    for kind in range(53):
        if may[kind]:
            width = 2 if may[kind] > 1 else 1
            if bit + width > SET_BITS:
                return False
            kept.kinds[digits] = kind
            kept.bits[digits] = bit
            strides[kind] = 1 << bit
            bit += width
            digits += 1
    kept.bits[digits] = bit
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
                edge = edges[INDEX(e)]
                used = edge >> EDGE_USED_SHIFT & 0xFF
                shift = np.int64(0)
                if used:
                    shift = used_stride(used, workspace.strides, number)
                if shift >= SET_SIZE:
                    continue
                at = INDEX(3 * (edge & NODE_BITS))
                adds = edge >> EDGE_SET_SHIFT & 7
                if adds & 1:
                    some0 |= sets[at] << shift
                    some1 |= sets[at + INDEX(1)] << shift
                    some2 |= sets[at + INDEX(2)] << shift
                if adds & 2:
                    some1 |= sets[at] << shift
                    some2 |= sets[at + INDEX(1)] << shift
                if adds & 4:
                    some2 |= sets[at] << shift
            sets[3 * node] = some0
            sets[3 * node + 1] = some1
            sets[3 * node + 2] = some2
    return sets


@kernel
def reached_sets(workspace, tables, table, nodes):
    """Finds what all whole paths of a graph play that was built by plays or kinds.

    Args:
        workspace: with the graph.
        tables: of the deck's colors.
        table: the table that the graph was built with.
        nodes: what it was built by.

    Returns:
        int64[3]; by jokers placed, the sets; see `carry_sets`.
    """
    layers = workspace.sizes[NUM_LAYERS]
    sets = np.zeros(3, np.int64)
    carry_sets(workspace, layers, nodes)
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
    digits = np.int64(kept.digits)
    play = np.int64(0)
    plays = np.int64(kept.plays)
    for digit in range(digits):
        kind = kept.kinds[digit]
        count = np.int64(played[kind] - kept.base[kind])
        play |= count << kept.bits[digit]
        plays &= _plays_with(kept, digit, count)
    for digit in range(digits):
        kind = kept.kinds[digit]
        count = np.int64(played[kind] - kept.base[kind])
        if plays & _plays_with(kept, digit, count + 1):
            mask[kind] = True
    return plays >> play & 1 != 0


@kernel
def _plays_with(kept, digit, count):
    """All plays that a set can hold with so many tiles or more of a kind."""
    bit = np.int64(kept.bits[digit])
    two = kept.bits[digit + 1] - bit == 2
    if count == 0:
        return np.int64(-1)
    if count == 1:
        return PLAYS_WITH[bit] | (PLAYS_WITH[bit + 1] if two else 0)
    if count == 2 and two:
        return PLAYS_WITH[bit + 1]
    return np.int64(0)
