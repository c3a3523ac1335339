"""The scratch arrays of the solver, reused from call to call.

Nothing is allocated and nothing is cleared in a call. A workspace too small for a
position says so and the caller makes a larger one (`grown`), so no position is out of
reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.core.tiles import NUM_COLORS, NUM_NUMBERS
from rummi_env.solver.compiled import kernel

INDEX = np.uint32
"""Type of indices where time matters: what may be negative is counted from the end."""


MAX_STATES = 35


NUM_SLOTS = MAX_STATES**4


LAYERS = NUM_NUMBERS + 1


NUM_NODES, NUM_LAYERS, SLOT_OFFSET, DROPPED, CARRIED = range(5)
"""Places in `Workspace.sizes`; the last two are how many dominated nodes were left out,
and the last layer of which `Workspace.gained` has sets."""


FIRST_NODES, FIRST_EDGES = 1 << 15, 1 << 17
"""Size of a new workspace; larger positions make a larger one for themselves."""


WHOLE_EDGES = 1_500
"""Largest graph of which masks are found at once; for larger ones dominated nodes are
left out."""


MOST_DOMINANT = 2_048
"""Nodes of a layer that are remembered to tell which others they dominate."""


MOST_CHOICES = 625
"""More choices of groups than there are at any number."""


MAX_DIGITS = 6
"""Kinds of which sets of plays are kept in 64 bits."""


KEPT = np.dtype(
    [
        ("valid", np.int8),
        ("listed", np.int8),
        ("digits", np.int8),
        ("board", np.int8, (53,)),
        ("rack", np.int8, (53,)),
        ("base", np.int8, (53,)),
        ("kinds", np.int8, (MAX_DIGITS,)),
        ("bits", np.int8, (MAX_DIGITS + 1,)),
        ("playable", np.int64),
        ("plays", np.int64),
    ],
    align=True,
)
"""What is kept of a turn: see `kept`.

valid: whether there is anything. board, rack: the table and the rack that it is of.
base: tiles that had been played when the rest was found.
playable: kinds that could come then, as bits. listed: whether ``plays`` is filled.
digits, kinds, bits: kinds that could come besides, and where in the number of a play
the bits are that say how many of each; that number is its place in ``plays``.
"""


NO_ROW = -1
"""Value of ``kept_row`` where nothing is kept."""


class Workspace(NamedTuple):
    """Scratch arrays of one thread.

    Attributes:
        slots: int32[35**4]; node by the colors' states, valid if at least `SLOT_OFFSET`
            plus the first node of the layer, so it never needs clearing.
        states: int32[nodes]; the four automaton states of a node, 8 bits each.
        reach: uint8[nodes]; joker numbers with which a node can be reached.
        finish: uint8[nodes]; joker numbers with which it can be finished.
        first_edge: int32[nodes + 1]; edges of a node are consecutive.
        edges: int64[...]; packed edges.
        layer_start: int32[15]; first node of each layer.
        sizes: int64[5]; see `NUM_NODES`.
        values: int64[nodes * 3]; for sweeps that maximise, by node and jokers.
        worths: int64[nodes * 3]; greatest worth of melds from the root to a node.
        rows: int64[4, 13]; where the options of a color and number are in the tables.
        within: int64[14, 3]; states of one color reached with so many jokers, as bits.
        least: int64[4, 14, 35]; halves of jokers that a color needs from a state.
        cheapest: int64[4, 13, 35]; the same by number of tiles in groups, 8 bits each,
            without the jokers that groups need.
        gains: int64[52, 3]; what placing 0, 1 or 2 optional naturals of a kind gains.
        gained: int64[nodes * 3]; greatest gain up to a node, by jokers placed; or what
            is played up to it, see `graph.carry_sets`.
        strides: int64[53]; by kind, what one more of it adds to the number of a play.
        asked: int64[1]; kinds that sets of kinds are about, as bits.
        order: int32[nodes]; a layer's nodes, those first that may dominate others.
        dominant: int64[32, 3, 4, 35]; by jokers left, color and state, which of
            ``kept_nodes`` dominate it, as bits, 64 of them in a row.
        kept_nodes: int32[2048]; nodes that others are held against.
        picked: int64[625]; the choices of groups that a node can pay for.
        kept: `KEPT`[games]; what is kept through a turn, shared between workspaces.
        kept_row: int64[1]; which of them belongs to the game at hand, or `NO_ROW`.
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
    rows: NDArray[np.int64]
    within: NDArray[np.int64]
    least: NDArray[np.int64]
    cheapest: NDArray[np.int64]
    gains: NDArray[np.int64]
    gained: NDArray[np.int64]
    strides: NDArray[np.int64]
    asked: NDArray[np.int64]
    order: NDArray[np.int32]
    dominant: NDArray[np.int64]
    kept_nodes: NDArray[np.int32]
    picked: NDArray[np.int64]
    kept: NDArray[np.void]
    kept_row: NDArray[np.int64]


def make_workspace(kept: NDArray[np.void] | None = None) -> Workspace:
    """Allocates a workspace.

    Args:
        kept: `KEPT`[games]; where that of turns is kept, for games that are played.
    """
    workspace: Workspace = _workspace(
        FIRST_NODES, FIRST_EDGES, np.zeros(1, KEPT) if kept is None else kept
    )
    workspace.kept_row[0] = NO_ROW if kept is None else 0
    return workspace


def _workspace(num_nodes, num_edges, kept):
    return Workspace(
        # Zeros are stale for every call, since offsets start above them.
        np.zeros(NUM_SLOTS, np.int32),
        np.empty(num_nodes, np.int32),
        np.empty(num_nodes, np.uint8),
        np.empty(num_nodes, np.uint8),
        np.empty(num_nodes + 1, np.int32),
        np.empty(num_edges, np.int64),
        np.zeros(LAYERS + 1, np.int32),
        np.ones(5, np.int64),
        np.empty(3 * num_nodes, np.int64),
        np.empty(3 * num_nodes, np.int64),
        np.empty((NUM_COLORS, NUM_NUMBERS), np.int64),
        np.empty((LAYERS, 3), np.int64),
        # What an earlier call left for states out of reach only weakens a bound, as
        # long as it is a cost.
        np.zeros((NUM_COLORS, LAYERS, MAX_STATES), np.int64),
        np.empty((NUM_COLORS, NUM_NUMBERS, MAX_STATES), np.int64),
        np.zeros((NUM_COLORS * NUM_NUMBERS, 3), np.int64),
        np.empty(3 * num_nodes, np.int64),
        np.zeros(53, np.int64),
        np.zeros(1, np.int64),
        np.empty(num_nodes, np.int32),
        np.empty((MOST_DOMINANT // 64, 3, NUM_COLORS, MAX_STATES), np.int64),
        np.empty(MOST_DOMINANT, np.int32),
        np.empty(MOST_CHOICES, np.int64),
        kept,
        np.zeros(1, np.int64),
    )


_larger_workspace = kernel(_workspace)


@kernel
def grown(workspace):
    """Returns a workspace of four times the size."""
    larger = _larger_workspace(
        4 * workspace.states.size, 4 * workspace.edges.size, workspace.kept
    )
    larger.kept_row[0] = workspace.kept_row[0]
    larger.gains[:] = workspace.gains
    larger.strides[:] = workspace.strides
    larger.asked[0] = workspace.asked[0]
    return larger
