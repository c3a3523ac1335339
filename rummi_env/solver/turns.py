"""Compiled answers about a turn: what may be played next, what is best to play.

Counts are int8[53]: naturals by kind, jokers last. The rack is that of the start of the
turn; what has been played of it this turn is part of it.
"""

from __future__ import annotations

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from rummi_env.core.tiles import JOKER
from rummi_env.solver.carried import REACHED
from rummi_env.solver.compiled import kernel
from rummi_env.solver.dominance import (
    ALL_NODES,
    BY_GAIN,
    BY_KINDS,
    BY_PLAYS,
    BY_REACH,
    BY_WORTH,
)
from rummi_env.solver.graph import (
    BUILT,
    NO_GRAPH,
    TOO_LARGE,
    TOO_SMALL,
    UNLIMITED,
    build,
)
from rummi_env.solver.kept import (
    is_kept,
    keep_kinds,
    keep_plays,
    keep_turn,
    list_plays,
    mark_listed,
    missing_kinds,
    reached_sets,
    record,
    set_digits,
)
from rummi_env.solver.sweeps import (
    best_value,
    finish,
    joker_bits,
    mark_playable,
    plain_finish,
)
from rummi_env.solver.tables import EXPLICIT, IMPLICIT
from rummi_env.solver.workspace import DROPPED, NUM_NODES, WHOLE_EDGES, grown
from rummi_env.solver.worths import best_opening, greatest_worths, mark_openings

TILES, POINTS, FEWEST = range(3)
"""Objectives: most tiles, most points, fewest tiles."""

LEAST_IMPLICIT_NUMBERS = 5
"""Smaller decks can have runs with no room for a joker; see `automata`."""


@kernel
def free_table(numbers, budget):
    """Which table answers questions where only the number of jokers counts."""
    if budget > 0 and numbers < LEAST_IMPLICIT_NUMBERS:
        return EXPLICIT + budget
    return IMPLICIT + budget


@kernel
def built(workspace, tables, table, numbers, budget, must, may, nodes=ALL_NODES):
    """Builds the graph, in a larger workspace where needed.

    Returns:
        Whether there is a graph, and the workspace that holds it.
    """
    status, workspace = _built(
        workspace, tables, table, numbers, budget, must, may, nodes, UNLIMITED
    )
    return status == BUILT, workspace


@kernel
def _built(workspace, tables, table, numbers, budget, must, may, nodes, limit):
    """Like `built`, up to a number of edges; returns what `build` does."""
    status = TOO_SMALL
    while True:
        status = build(
            workspace, tables, table, numbers, budget, must, may, nodes, limit
        )
        if status != TOO_SMALL:
            return status, workspace
        workspace = grown(workspace)


@kernel
def fits(workspace, tables, numbers, tiles):
    """Whether exactly these tiles can be cut into melds."""
    jokers = np.int64(tiles[JOKER])
    table = free_table(numbers, jokers)
    nothing = np.zeros(53, np.int8)
    ok, workspace = built(
        workspace, tables, table, numbers, jokers, tiles, nothing, BY_REACH
    )
    return ok and finish(workspace, tables, table) >> jokers & 1 != 0


@kernel
def fits_explicit(workspace, tables, numbers, tiles):
    """Like `fits`, where up to four tiles of a kind may be there."""
    jokers = np.int64(tiles[JOKER])
    table = EXPLICIT + jokers
    nothing = np.zeros(53, np.int8)
    ok, workspace = built(
        workspace, tables, table, numbers, jokers, tiles, nothing, BY_REACH
    )
    return ok and finish(workspace, tables, table) >> jokers & 1 != 0


@kernel
def mark_turn(workspace, tables, numbers, board, rack, played, mask):
    """Marks the tiles that can be played next by a seat that has opened.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack at the start of the turn.
        played: int8[53]; what has been played of it.
        mask: int8[53 or more]; set to True for tiles that some legal turn plays
            besides ``played``.

    Returns:
        Whether ``played`` is a legal turn as it stands (nothing is not one).
    """
    begun = played.max() > 0
    may = rack - played
    kept = record(workspace)
    if begun and is_kept(workspace, board, rack, played):
        if kept.listed:
            return mark_listed(kept, played, mask)
        for kind in range(53):
            if kept.playable >> kind & 1 == 0:
                may[kind] = 0
    else:
        keep_turn(workspace, board, rack)
    must = board + played
    least = np.int64(must[JOKER])
    most = least + may[JOKER]
    table = free_table(numbers, most)
    if set_digits(kept, workspace.strides, may):
        ok, workspace = built(
            workspace, tables, table, numbers, most, must, may, BY_PLAYS
        )
        if not ok:
            keep_kinds(kept, may, played, mask)
            return False
        if workspace.sizes[DROPPED] > 0:
            sets = reached_sets(workspace, tables, table, BY_PLAYS)
        else:
            sets = list_plays(workspace, tables, table)
        keep_plays(kept, workspace.strides, sets, least, most, played)
        return mark_listed(kept, played, mask)
    ok, larger = built(workspace, tables, table, numbers, most, must, may, BY_REACH)
    if not ok:
        keep_kinds(kept, may, played, mask)
        return False
    wanted = joker_bits(least, most)
    ignored = np.zeros(52, np.int8)
    totals = mark_playable(larger, tables, table, wanted, mask, ignored)
    if most > least and totals & joker_bits(least + 1, most) != 0:
        mask[JOKER] = True
    if larger.sizes[DROPPED] > 0:
        # What this graph does not show, one shows that is made for it.
        workspace.asked[0] = missing_kinds(may, mask)
        if workspace.asked[0]:
            _, workspace = built(
                workspace, tables, table, numbers, most, must, may, BY_KINDS
            )
            _mark_reached(workspace, tables, table, wanted, mask)
        keep_kinds(kept, may, played, mask)
        return begun and fits(workspace, tables, numbers, must)
    whole = begun and plain_finish(larger, tables, table) >> least & 1 != 0
    keep_kinds(kept, may, played, mask)
    if kept.valid and set_digits(kept, larger.strides, may):
        sets = list_plays(larger, tables, table)
        keep_plays(kept, larger.strides, sets, least, most, played)
    return whole


@kernel
def _mark_reached(workspace, tables, table, wanted, mask):
    """Marks what whole paths play of the kinds asked for, with jokers as wanted."""
    sets = reached_sets(workspace, tables, table, BY_KINDS)
    kinds = np.int64(0)
    for jokers in range(3):
        if wanted >> jokers & 1:
            kinds |= sets[jokers] & ~REACHED
    while kinds:
        mask[trailing_zeros(kinds)] = True
        kinds &= kinds - 1


@kernel
def mark_by_kind(workspace, tables, table, numbers, must, may, threshold, mask):
    """Marks the tiles that openings can place, a search for each that no other shows.

    Each search goes on from few nodes only; it finds the opening of greatest worth with
    a kind, and what else is placed on its ways can come next too.

    Args:
        workspace: scratch; left without a graph.
        tables: of the deck's colors.
        table: which of the tables.
        numbers: highest number of the deck.
        must: int8[53]; tiles that must be placed.
        may: int8[53]; further tiles that may be placed.
        threshold: least worth of the melds.
        mask: int8 or bool[53 or more]; set to True where a tile can be placed.
    """
    least = np.int64(must[JOKER])
    most = least + may[JOKER]
    wanted = joker_bits(least, most)
    placed = must.copy()
    left = may.copy()
    ignored = np.zeros(52, np.int8)
    for kind in range(-1, 52):
        if kind >= 0:
            if may[kind] == 0 or mask[kind]:
                continue
            placed[kind] += 1
            left[kind] -= 1
        ways = np.int64(0)
        ok, larger = built(
            workspace, tables, table, numbers, most, placed, left, BY_WORTH
        )
        if ok:
            greatest_worths(larger)
            worths = mark_openings(
                larger, tables, table, threshold, wanted, mask, ignored
            )
            for jokers in range(least, most + 1):
                if worths[jokers] >= threshold:
                    ways |= 1 << jokers
        if kind < 0:
            if ways == 0:
                break
            if ways >> (least + 1):
                mask[JOKER] = True
            continue
        if ways:
            mask[kind] = True
        placed[kind] -= 1
        left[kind] += 1
    workspace.sizes[NUM_NODES] = 0


@kernel
def mark_opening(workspace, tables, numbers, threshold, rack, played, mask):
    """Marks the tiles that a seat's opening can play next; arguments as `mark_turn`.

    The opening is made of rack tiles alone, in melds worth at least ``threshold``.

    Returns:
        Whether ``played`` is an opening as it stands.
    """
    may = rack - played
    least = np.int64(played[JOKER])
    most = least + may[JOKER]
    table = EXPLICIT + most if most > 0 else IMPLICIT
    status, workspace = _built(
        workspace, tables, table, numbers, most, played, may, ALL_NODES, WHOLE_EDGES
    )
    if status == NO_GRAPH:
        return False
    if status == TOO_LARGE:
        mark_by_kind(workspace, tables, table, numbers, played, may, threshold, mask)
    else:
        greatest_worths(workspace)
        wanted = joker_bits(least, most)
        kinds = np.zeros(52, np.int8)
        worths = mark_openings(workspace, tables, table, threshold, wanted, mask, kinds)
        if most > least and worths[least + 1 : most + 1].max() >= max(threshold, 0):
            mask[JOKER] = True
    if played.max() == 0:
        return False
    return greatest_worth_of(workspace, tables, numbers, played) >= max(threshold, 0)


@kernel
def greatest_opening(workspace, tables, numbers, rack):
    """Greatest worth of melds made of rack tiles, or -1 where there is no meld."""
    nothing = np.zeros(53, np.int8)
    jokers = np.int64(rack[JOKER])
    table = EXPLICIT + jokers if jokers > 0 else IMPLICIT
    ok, workspace = built(
        workspace, tables, table, numbers, jokers, nothing, rack, BY_WORTH
    )
    if not ok:
        return -1
    greatest_worths(workspace)
    worths = mark_openings(workspace, tables, table, 0, np.int64(0), nothing, nothing)
    best = worths[: jokers + 1].max()
    return best if best > 0 else -1


TIE_BREAK_RANGE = 1 << 36
"""Racks of up to 36 kinds are ranked in one round; larger ones in more."""


@kernel
def rank_gains(may, joker_points, objective, start, gains):
    """Sets the gains that rank plays.

    Ties in tiles and points go to fewest jokers, then lowest kinds; with `FEWEST` they
    are left open.

    Args:
        may: int8[53]; tiles that can be played.
        joker_points: what a joker on the rack counts.
        objective: `TILES`, `POINTS` or `FEWEST`.
        start: first kind whose number breaks ties; kinds before it are settled.
        gains: int64[52, 3]; filled by kind and number of tiles played.

    Returns:
        int64[3]; gain by number of jokers played, and the first kind after those whose
        number breaks ties in these gains (52 when all do).
    """
    joker_gain = np.empty(3, np.int64)
    if objective == FEWEST:
        for used in range(3):
            joker_gain[used] = -used
            gains[:, used] = -used
        return joker_gain, 52
    all_tiles = np.int64(0)
    all_points = np.int64(0)
    for kind in range(52):
        all_tiles += may[kind]
        all_points += may[kind] * (kind % 13 + 1)
    all_tiles += may[JOKER]
    all_points += may[JOKER] * joker_points
    per_tile = np.int64(1) if objective == POINTS else all_points + 1
    per_point = all_tiles + 1 if objective == POINTS else np.int64(1)

    room = np.int64(1)
    end = start
    while end < 52 and room * (may[end] + 1) <= TIE_BREAK_RANGE:
        room *= may[end] + 1
        end += 1
    weight = room
    for kind in range(52):
        one = (per_tile + per_point * (kind % 13 + 1)) * 4 * room
        if start <= kind < end:
            weight //= may[kind] + 1
            for used in range(3):
                gains[kind, used] = used * (one + weight)
        else:
            for used in range(3):
                gains[kind, used] = used * one
    for used in range(3):
        joker_gain[used] = used * ((per_tile + per_point * joker_points) * 4 - 1) * room
    return joker_gain, end


@kernel
def best_turn(workspace, tables, numbers, board, rack, played, joker_points, objective):
    """Finds the best whole turn of a seat that has opened.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack at the start of the turn.
        played: int8[53]; tiles that the turn plays in any case.
        joker_points: what a joker on the rack counts.
        objective: `TILES`: most tiles, then points. `POINTS`: most points, then tiles.
            `FEWEST`: fewest tiles, whichever.

    Returns:
        int8[53]; all tiles that the best turn plays, ``played`` included; zeros where
        no turn plays anything.
    """
    turn = played.copy()
    start = 0
    while start < 52:
        may = rack - turn
        for kind in range(start):
            may[kind] = 0
        must = board + turn
        least = np.int64(must[JOKER])
        most = least + may[JOKER]
        table = free_table(numbers, most)
        gains = workspace.gains
        joker_gain, end = rank_gains(may, joker_points, objective, start, gains)
        ok, workspace = built(
            workspace, tables, table, numbers, most, must, may, BY_GAIN
        )
        if not ok:
            return np.zeros(53, np.int8)
        gain_of = np.zeros(3, np.int64)
        for jokers in range(least, most + 1):
            gain_of[jokers] = joker_gain[jokers - least]
        wanted = joker_bits(least, most)
        _, jokers, placed = best_value(workspace, tables, table, gains, wanted, gain_of)
        if jokers < 0:
            return np.zeros(53, np.int8)
        start = _settle(turn, placed, jokers - least, start, end)
    return turn


@kernel
def _settle(turn, placed, jokers, start, end):
    """Adds what a round of ranking has settled to the turn; returns where to go on."""
    for kind in range(start, 52 if end == 52 else end):
        turn[kind] += placed[kind]
    if end == 52:
        turn[JOKER] += jokers
    return end


@kernel
def best_opening_turn(
    workspace, tables, numbers, threshold, rack, played, joker_points, objective
):
    """Finds the best opening of a seat; arguments and result as `best_turn`."""
    turn = played.copy()
    start = 0
    while start < 52:
        may = rack - turn
        for kind in range(start):
            may[kind] = 0
        least = np.int64(turn[JOKER])
        most = least + may[JOKER]
        table = EXPLICIT + most if most > 0 else IMPLICIT
        gains = workspace.gains
        joker_gain, end = rank_gains(may, joker_points, objective, start, gains)
        ok, workspace = built(
            workspace, tables, table, numbers, most, turn, may, BY_GAIN
        )
        if not ok:
            return np.zeros(53, np.int8)
        gain_of = np.zeros(3, np.int64)
        for jokers in range(least, most + 1):
            gain_of[jokers] = joker_gain[jokers - least]
        wanted = joker_bits(least, most)
        _, jokers, placed = best_value(workspace, tables, table, gains, wanted, gain_of)
        if jokers < 0:
            return np.zeros(53, np.int8)
        whole = turn.copy()
        whole[:52] += placed
        whole[JOKER] += jokers - least
        if greatest_worth_of(workspace, tables, numbers, whole) < threshold:
            ok, workspace = built(workspace, tables, table, numbers, most, turn, may)
            _, jokers, placed = best_opening(
                workspace, tables, table, gains, wanted, gain_of, threshold
            )
            if jokers < 0:
                return np.zeros(53, np.int8)
        start = _settle(turn, placed, jokers - least, start, end)
    return turn


@kernel
def greatest_worth_of(workspace, tables, numbers, tiles):
    """Greatest worth of melds made of exactly these tiles; negative if impossible."""
    jokers = np.int64(tiles[JOKER])
    table = EXPLICIT + jokers if jokers > 0 else IMPLICIT
    nothing = np.zeros(53, np.int8)
    ok, workspace = built(
        workspace, tables, table, numbers, jokers, tiles, nothing, BY_WORTH
    )
    if not ok:
        return np.int64(-1)
    greatest_worths(workspace)
    ignored = np.zeros(53, np.int8)
    worths = mark_openings(workspace, tables, table, 0, np.int64(0), ignored, ignored)
    return worths[jokers]
