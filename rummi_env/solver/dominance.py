"""Which nodes of a graph can be left out, since another one can do all that they can.

A color's state *dominates* another if whatever the other goes on with, it can go on
with as well, placing the same tiles for no more jokers. A node dominates another if
each of its colors does and every number of jokers has reached it with no less gain, or
with all that was played on the way. What dominated nodes lead to is then not needed to
know whether there is a path, with how many jokers, what the greatest gain of one is, or
what they play. On large racks that leaves a thousandth of the graph.
"""

from __future__ import annotations

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros
from numpy.typing import NDArray

from rummi_env.core.tiles import NUM_COLORS
from rummi_env.solver.automata import Automaton
from rummi_env.solver.compiled import kernel
from rummi_env.solver.workspace import INDEX, MAX_STATES, MOST_DOMINANT

ALL_NODES, BY_GAIN, BY_WORTH, BY_REACH, BY_PLAYS, BY_KINDS = range(6)
"""Which nodes `graph.build` goes on from: all, or only those that no other dominates by
the gain of what was placed (`Workspace.gains`), by the worth of the melds, by the
numbers of jokers alone, by the plays that lead to it (`Workspace.strides`) or by the
kinds that these play (`Workspace.asked`)."""

WORD = 64
"""Nodes in one word of `Workspace.dominant`."""

UNLIMITED = -99
"""Lead of a state over one that cannot be finished: nothing to keep up with."""


def dominated_states(automaton: Automaton, budget: int) -> NDArray[np.int64]:
    """Finds the states that each state dominates.

    Args:
        automaton: of one color.
        budget: most jokers, 0..2.

    Returns:
        int64[3, 35]; as bits, by the jokers left to whoever is dominated, and by state.
        Zeros where there is no such state or number of jokers.
    """
    lead = _leads(automaton, budget)
    states = np.arange(automaton.num_states, dtype=np.int64)
    found = np.zeros((3, MAX_STATES), np.int64)
    found[: budget + 1, : len(states)] = ((lead <= 0) << states).sum(axis=2)
    return found


def _leads(automaton: Automaton, budget: int) -> NDArray[np.int64]:
    """Jokers that a state needs beyond another, whatever the other goes on with.

    Returns:
        int64[budget + 1, S, S]; by the jokers that the other may spend, by state and
        other state. Values above the budget stand for what is impossible.
    """
    step, cost, final = automaton.step, automaton.cost.astype(np.int64), automaton.final
    beyond = budget + 1
    num_states, num_symbols = step.shape
    leads = np.full((budget + 1, num_states, num_states), UNLIMITED, np.int64)
    changed = True
    while changed:
        before = leads.copy()
        for left in range(budget + 1):
            for other in range(num_states):
                if final[other] <= left:
                    owed = np.minimum(final.astype(np.int64) - final[other], beyond)
                    leads[left, :, other] = np.maximum(leads[left, :, other], owed)
                for symbol in range(num_symbols):
                    paid, after = cost[other, symbol], step[other, symbol]
                    if after < 0 or paid > left:
                        continue
                    then = leads[left - paid, step[:, symbol], after]
                    lead = np.minimum(cost[:, symbol] - paid + then, beyond)
                    lead = np.where(then == UNLIMITED, UNLIMITED, lead)
                    lead = np.where(step[:, symbol] < 0, beyond, lead)
                    leads[left, :, other] = np.maximum(leads[left, :, other], lead)
        changed = bool((leads != before).any())
    return leads


@kernel
def drop_dominated(workspace, tables, table, budget, start, end, nodes):
    """Leaves out the dominated nodes of a layer: nothing reaches them any more.

    Args:
        workspace: with the layer's nodes, their `Workspace.gained` filled.
        tables: of the deck's colors.
        table: the table that the graph is built with.
        budget: most jokers that may be placed, 0..2.
        start: the layer's first node.
        end: the node after its last.
        nodes: by what, see `ALL_NODES`.

    Returns:
        How many were left out.
    """
    states, reach, gained = workspace.states, workspace.reach, workspace.gained
    dominant, kept_nodes = workspace.dominant, workspace.kept_nodes
    order = workspace.order
    dominated = tables.dominated
    _put_in_order(workspace, tables, table, start, end)
    kept = 0
    words = 0
    dropped = 0
    for place in range(start, end):
        node = INDEX(order[INDEX(place)])
        left = budget
        if reach[node] & 1 == 0:
            left -= 1 if reach[node] & 2 else 2
        packed = states[node]
        state0 = INDEX(packed & 0xFF)
        state1 = INDEX(packed >> 8 & 0xFF)
        state2 = INDEX(packed >> 16 & 0xFF)
        state3 = INDEX(packed >> 24 & 0xFF)
        spare = INDEX(left)
        at = INDEX(3 * node)
        needed = True
        for word in range(words):
            row = INDEX(word)
            found = (
                dominant[row, spare, 0, state0]
                & dominant[row, spare, 1, state1]
                & dominant[row, spare, 2, state2]
                & dominant[row, spare, 3, state3]
            )
            while found:
                other = INDEX(kept_nodes[INDEX(WORD * word + trailing_zeros(found))])
                to = INDEX(3 * other)
                found &= found - 1
                if nodes == BY_REACH:
                    needed = reach[node] & ~reach[other] != 0
                elif nodes >= BY_PLAYS:
                    needed = (
                        gained[at] & ~gained[to]
                        | gained[at + INDEX(1)] & ~gained[to + INDEX(1)]
                        | gained[at + INDEX(2)] & ~gained[to + INDEX(2)]
                    ) != 0
                else:
                    needed = (
                        gained[to] < gained[at]
                        or gained[to + INDEX(1)] < gained[at + INDEX(1)]
                        or gained[to + INDEX(2)] < gained[at + INDEX(2)]
                    )
                if not needed:
                    break
            if not needed:
                break
        if not needed:
            reach[node] = 0
            dropped += 1
        elif kept < MOST_DOMINANT:
            word = kept // WORD
            if word == words:
                dominant[word, : budget + 1] = 0
                words += 1
            row = INDEX(word)
            bit = np.int64(1) << (kept % WORD)
            for jokers in range(budget + 1):
                for color in range(NUM_COLORS):
                    state = INDEX(packed >> (8 * color) & 0xFF)
                    weaker = dominated[table, jokers, state]
                    while weaker:
                        weak = INDEX(trailing_zeros(weaker))
                        dominant[row, INDEX(jokers), INDEX(color), weak] |= bit
                        weaker &= weaker - 1
            kept_nodes[kept] = node
            kept += 1
    return dropped


@kernel
def _put_in_order(workspace, tables, table, start, end):
    """Orders a layer's nodes so that few come before one that dominates them.

    Those that do are kept, which costs time and nothing else.
    """
    states, order = workspace.states, workspace.order
    ranks = tables.ranks
    places = np.zeros(NUM_COLORS * tables.highest_rank + 2, np.int64)
    for node in range(start, end):
        places[_rank(ranks, table, states[node]) + 1] += 1
    places[0] = start
    for rank in range(1, places.size):
        places[rank] += places[rank - 1]
    for node in range(start, end):
        rank = _rank(ranks, table, states[node])
        order[places[rank]] = node
        places[rank] += 1


@kernel
def _rank(ranks, table, packed):
    return (
        np.int64(ranks[table, packed & 0xFF])
        + ranks[table, packed >> 8 & 0xFF]
        + ranks[table, packed >> 16 & 0xFF]
        + ranks[table, packed >> 24 & 0xFF]
    )
