"""Lists the distinct plays of a turn, in order and without repetition.

Several paths of the graph can place the same tiles. So the search goes by tiles: at
each number it picks how many optional naturals of each color are placed, and carries
along *all* nodes that this choice can reach. A choice with no node left from which the
end can be reached is dropped, so every leaf is a play.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.solver.carried import NOTHING
from rummi_env.solver.compiled import kernel
from rummi_env.solver.edges import (
    EDGE_SET_SHIFT,
    EDGE_TILES_SHIFT,
    EDGE_USED_SHIFT,
    NODE_BITS,
)
from rummi_env.solver.graph import final_cost
from rummi_env.solver.workspace import LAYERS, NUM_LAYERS

NUM_CODES = 256
"""Ways to place 0..3 optional naturals of four colors."""


class Listing(NamedTuple):
    """Where a search stands, so that it can go on later.

    Attributes:
        depth: int64[1]; number of layers chosen so far, -1 when all is done.
        code: int64[14]; the choice made at each number.
        jokers: int64[1]; next number of jokers to report at a leaf.
        ahead: int64[nodes, 3]; greatest worth to the end by jokers, or `NOTHING`.
        worth: int64[nodes, 3]; greatest worth so far under the present choices.
        members: int32[nodes]; nodes reached, layer by layer.
        num_members: int64[14]; how many of them in each layer.
    """

    depth: NDArray[np.int64]
    code: NDArray[np.int64]
    jokers: NDArray[np.int64]
    ahead: NDArray[np.int64]
    worth: NDArray[np.int64]
    members: NDArray[np.int32]
    num_members: NDArray[np.int64]


@kernel
def start_listing(workspace, tables, table, by_worth):
    """Prepares a search over the graph in a workspace.

    Args:
        workspace: with the graph.
        tables: of the deck's colors.
        table: the table that the graph was built with.
        by_worth: whether the worth of the melds matters (an opening).
    """
    states, edges, first_edge = workspace.states, workspace.edges, workspace.first_edge
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    size = workspace.layer_start[layers + 1]
    ahead = np.full((size, 3), NOTHING, np.int64)
    for node in range(last, size):
        cost = final_cost(tables, table, states[node])
        if cost <= 2:
            ahead[node, cost] = 0
    for number in range(layers - 1, -1, -1):
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                after = edge & NODE_BITS
                adds = edge >> EDGE_SET_SHIFT & 7
                gain = (number + 1) * (edge >> EDGE_TILES_SHIFT & 31) if by_worth else 0
                for a in range(3):
                    if adds >> a & 1:
                        for j in range(3 - a):
                            if ahead[after, j] != NOTHING:
                                total = ahead[after, j] + gain
                                ahead[node, a + j] = max(ahead[node, a + j], total)
    listing = Listing(
        np.zeros(1, np.int64),
        np.full(LAYERS, -1, np.int64),
        np.zeros(1, np.int64),
        ahead,
        np.full((size, 3), NOTHING, np.int64),
        np.zeros(size, np.int32),
        np.zeros(LAYERS, np.int64),
    )
    listing.worth[0, 0] = 0
    listing.num_members[0] = 1
    return listing


@kernel
def next_plays(workspace, listing, may, by_worth, threshold, wanted, nothing, plays):
    """Finds the next plays.

    Args:
        workspace: with the graph, unchanged since `start_listing`.
        listing: where the search stands; moved on.
        may: int8[53]; optional tiles of the graph.
        by_worth: whether the worth of the melds matters.
        threshold: least worth of the melds, if it matters.
        wanted: set of joker numbers allowed.
        nothing: number of jokers with which placing no optional natural is no play, or
            -1 where it is one.
        plays: int8[n, 53]; filled with optional naturals placed, and in the last column
            all jokers placed. Nothing is stored if it has no columns.

    Returns:
        How many plays were found, ``n`` at most; fewer mean that there are no more.
    """
    layers = workspace.sizes[NUM_LAYERS]
    depth = listing.depth[0]
    found = 0
    while depth >= 0:
        if depth == layers:
            while listing.jokers[0] < 3:
                jokers = listing.jokers[0]
                if (
                    wanted >> jokers & 1
                    and not (jokers == nothing and listing.code[:layers].max() == 0)
                    and _reaches(workspace, listing, layers, jokers, threshold)
                ):
                    if found == plays.shape[0]:
                        listing.depth[0] = depth
                        return found
                    if plays.shape[1] > 0:
                        _store(listing, layers, jokers, plays[found])
                    found += 1
                listing.jokers[0] += 1
            depth -= 1
            continue
        code = listing.code[depth] + 1
        moved = False
        while code < NUM_CODES:
            fits = True
            for color in range(4):
                if (code >> (2 * color) & 3) > may[color * 13 + depth]:
                    fits = False
            if fits and _advance(
                workspace, listing, depth, code, by_worth, threshold, wanted
            ):
                moved = True
                break
            code += 1
        if moved:
            listing.code[depth] = code
            depth += 1
            if depth == layers:
                listing.jokers[0] = 0
            else:
                listing.code[depth] = -1
        else:
            depth -= 1
    listing.depth[0] = depth
    return found


@kernel
def _advance(workspace, listing, depth, code, by_worth, threshold, wanted):
    """Follows all edges that place ``code``; tells whether the end is in reach."""
    edges, first_edge = workspace.edges, workspace.first_edge
    here = workspace.layer_start[depth]
    there = workspace.layer_start[depth + 1]
    for node in range(there, workspace.layer_start[depth + 2]):
        listing.worth[node, 0] = NOTHING
        listing.worth[node, 1] = NOTHING
        listing.worth[node, 2] = NOTHING
    count = 0
    for m in range(listing.num_members[depth]):
        node = listing.members[here + m]
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            if edge >> EDGE_USED_SHIFT & 0xFF != code:
                continue
            after = edge & NODE_BITS
            adds = edge >> EDGE_SET_SHIFT & 7
            gain = (depth + 1) * (edge >> EDGE_TILES_SHIFT & 31) if by_worth else 0
            fresh = (
                listing.worth[after, 0] == NOTHING
                and listing.worth[after, 1] == NOTHING
                and listing.worth[after, 2] == NOTHING
            )
            useful = False
            for a in range(3):
                if adds >> a & 1:
                    for j in range(3 - a):
                        if listing.worth[node, j] == NOTHING:
                            continue
                        worth = listing.worth[node, j] + gain
                        for b in range(3 - a - j):
                            if (
                                wanted >> (a + b + j) & 1
                                and listing.ahead[after, b] != NOTHING
                                and worth + listing.ahead[after, b] >= threshold
                            ):
                                useful = True
                                listing.worth[after, a + j] = max(
                                    listing.worth[after, a + j], worth
                                )
            if useful and fresh:
                listing.members[there + count] = after
                count += 1
    listing.num_members[depth + 1] = count
    return count > 0


@kernel
def _reaches(workspace, listing, layers, jokers, threshold):
    last = workspace.layer_start[layers]
    for m in range(listing.num_members[layers]):
        node = listing.members[last + m]
        for j in range(jokers + 1):
            if (
                listing.worth[node, j] != NOTHING
                and listing.ahead[node, jokers - j] != NOTHING
                and listing.worth[node, j] >= threshold
            ):
                return True
    return False


@kernel
def _store(listing, layers, jokers, play):
    play[:] = 0
    for number in range(layers):
        for color in range(4):
            play[color * 13 + number] = listing.code[number] >> (2 * color) & 3
    play[52] = jokers
