"""Answers about turns that are unions of problems; see `problems`.

The functions mirror those of `turns`, which serve the common case (free jokers, up to
two in a meld) without this detour.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.dominance import ALL_NODES, BY_GAIN, BY_WORTH
from rummi_env.solver.edges import (
    EDGE_JOKERS_SHIFT,
    EDGE_SET_SHIFT,
    EDGE_USED_SHIFT,
    NODE_BITS,
)
from rummi_env.solver.sweeps import best_value, finish, joker_bits, mark_playable
from rummi_env.solver.tables import EXPLICIT, IMPLICIT
from rummi_env.solver.turns import FEWEST, POINTS, built, free_table, rank_gains
from rummi_env.solver.workspace import NUM_LAYERS
from rummi_env.solver.worths import best_opening, greatest_worths, mark_openings

FIRST_NAME = JOKER + 2
"""Action that names a joker as kind 0; see `rummi_env.observation.actions`."""


@kernel
def problem_tiles(problem, board, rack, must, may):
    """Sets the naturals that a problem's graph must and may place.

    Args:
        problem: the problem.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        must: int8[53]; set.
        may: int8[53]; set.
    """
    for kind in range(52):
        must[kind] = (
            board[kind]
            + problem.forced[kind]
            - problem.taken[kind]
            + problem.fixed[kind]
        )
        may[kind] = rack[kind] - problem.forced[kind]


@kernel
def taken_worth(problem):
    """Worth of the melds that were taken out."""
    worth = 0
    for meld in problem.melds:
        for kind in meld:
            if kind >= 0:
                worth += kind % 13 + 1
    return worth


@kernel
def problem_table(problem, numbers, explicit):
    """Which table a problem's graph needs."""
    most = np.int64(problem.most)
    if explicit or problem.fixed.max() > 0:
        return EXPLICIT + most
    return free_table(numbers, most)


@kernel
def is_solvable(workspace, tables, numbers, board, rack, problem, threshold):
    """Whether a problem has a solution.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table, none for an opening.
        rack: int8[53]; the rack.
        problem: the problem.
        threshold: least worth of the melds, or -1 where it does not matter.
    """
    must = np.empty(53, np.int8)
    may = np.empty(53, np.int8)
    problem_tiles(problem, board, rack, must, may)
    table = problem_table(problem, numbers, threshold >= 0)
    most = np.int64(problem.most)
    wanted = joker_bits(np.int64(problem.least), most)
    workspace.gains[:] = 0
    nodes = BY_GAIN if threshold < 0 else BY_WORTH
    ok, workspace = built(workspace, tables, table, numbers, most, must, may, nodes)
    if not ok:
        return False
    if threshold < 0:
        return finish(workspace, tables, table) & wanted != 0
    greatest_worths(workspace)
    ignored = np.zeros(53, np.int8)
    none = np.int64(0)
    worths = mark_openings(workspace, tables, table, 0, none, ignored, ignored)
    least = max(threshold - taken_worth(problem), 0)
    return worths[problem.least : most + 1].max() >= least


@kernel
def any_solvable(workspace, tables, numbers, board, rack, problems, count, threshold):
    """Whether one of the problems (from the second on) has a solution."""
    for p in range(1, count):
        if is_solvable(workspace, tables, numbers, board, rack, problems[p], threshold):
            return True
    return False


@kernel
def mark_problems(
    workspace, tables, numbers, board, rack, played, problems, count, naming, bound,
    mask,
):  # fmt: skip
    """Marks what some solution of some problem plays next.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        played: int8[53]; tiles played already.
        problems: the problems, from the second on.
        count: where they end.
        naming: whether kinds that jokers may be named as are marked too.
        bound: int8 or bool[actions]; not 0 for what can be marked at most.
        mask: int8 or bool[actions]; set to 1 for tiles and names.
    """
    must = np.empty(53, np.int8)
    may = np.empty(53, np.int8)
    naturals = np.empty(53, np.int8)
    kinds = np.empty(52, np.int8)
    for p in range(1, count):
        problem = problems[p]
        if adds_nothing(problem, rack, played, naming, bound, mask):
            continue
        problem_tiles(problem, board, rack, must, may)
        table = problem_table(problem, numbers, naming)
        least = np.int64(problem.least)
        most = np.int64(problem.most)
        wanted = joker_bits(least, most)
        ok, large = built(workspace, tables, table, numbers, most, must, may)
        if not ok:
            continue
        naturals[:] = False
        kinds[:] = False
        totals = mark_playable(large, tables, table, wanted, naturals, kinds)
        if totals & wanted == 0:
            continue
        more_jokers = most > least and totals & joker_bits(least + 1, most) != 0
        plays = problem.forced.max() > 0
        if not plays and naming:
            kinds[:] = False
            mark_names(large, tables, table, least, wanted, kinds)
        if not (plays or more_jokers or naturals.any()):
            continue
        for kind in range(53):
            if problem.forced[kind] > played[kind] or naturals[kind]:
                mask[kind] = True
        if more_jokers:
            mask[JOKER] = True
        if naming:
            for kind in range(52):
                if kinds[kind]:
                    mask[FIRST_NAME + kind] = True
            for kind in problem.says:
                if kind >= 0:
                    mask[FIRST_NAME + kind] = True


@kernel
def adds_nothing(problem, rack, played, naming, bound, mask):
    """Whether all is marked already that a problem could mark within the bound."""
    for kind in range(53):
        if bound[kind] and not mask[kind]:
            forced = problem.forced[kind]
            if forced > played[kind] or rack[kind] > forced:
                return False
    if not naming:
        return True
    for kind in problem.says:
        if kind >= 0 and bound[FIRST_NAME + kind] and not mask[FIRST_NAME + kind]:
            return False
    if problem.most > 0:
        for kind in range(FIRST_NAME, FIRST_NAME + 52):
            if bound[kind] and not mask[kind]:
                return False
    return True


@kernel
def mark_names(workspace, tables, table, least, wanted, kinds):
    """Marks what jokers can stand for in paths that play something.

    A path plays something if it places an optional natural or more than the least
    number of jokers.

    Args:
        workspace: with the graph and `finish` done.
        tables: of the deck's colors.
        table: the table that the graph was built with.
        least: jokers that lie on the table in any case.
        wanted: set of joker numbers allowed on a path.
        kinds: bool[52]; set to True where a joker stands for the kind.
    """
    edges, first_edge = workspace.edges, workspace.first_edge
    reach, done, sums = workspace.reach, workspace.finish, tables.sums
    layers = workspace.sizes[NUM_LAYERS]
    last = workspace.layer_start[layers]
    end = workspace.layer_start[layers + 1]
    # The same sets as in `reach` and `finish`, for paths with an optional natural.
    came, ends = workspace.values, workspace.worths
    came[:end] = 0
    ends[:end] = 0
    for node in range(last):
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            adds = edge >> EDGE_SET_SHIFT & 7
            before = came[node]
            if edge >> EDGE_USED_SHIFT & 0xFF:
                before = np.int64(reach[node])
            came[edge & NODE_BITS] |= sums[before, adds]
    for node in range(last - 1, -1, -1):
        for e in range(first_edge[node], first_edge[node + 1]):
            edge = edges[e]
            adds = edge >> EDGE_SET_SHIFT & 7
            after = ends[edge & NODE_BITS]
            if edge >> EDGE_USED_SHIFT & 0xFF:
                after = np.int64(done[edge & NODE_BITS])
            ends[node] |= sums[adds, after]
    more = wanted & ~(1 << least)
    for number in range(layers):
        marks = np.int64(0)
        for node in range(
            workspace.layer_start[number], workspace.layer_start[number + 1]
        ):
            for e in range(first_edge[node], first_edge[node + 1]):
                edge = edges[e]
                new = (edge >> EDGE_JOKERS_SHIFT & 0xFF) & ~marks
                if new == 0:
                    continue
                adds = edge >> EDGE_SET_SHIFT & 7
                target = edge & NODE_BITS
                through = sums[sums[reach[node], adds], done[target]]
                used = edge >> EDGE_USED_SHIFT & 0xFF != 0
                if through & more or (used and through & wanted):
                    marks |= new
                    continue
                early = sums[sums[came[node], adds], done[target]]
                late = sums[sums[reach[node], adds], ends[target]]
                if (early | late) & wanted:
                    marks |= new
        for color in range(4):
            if marks >> (2 * color) & 3:
                kinds[color * 13 + number] = True


@kernel
def mark_opening_problems(
    workspace, tables, numbers, rack, played, problems, count, threshold, naming, mask
):
    """Like `mark_problems`, for openings made of rack tiles alone."""
    board = np.zeros(53, np.int8)
    must = np.empty(53, np.int8)
    may = np.empty(53, np.int8)
    naturals = np.empty(53, np.int8)
    kinds = np.empty(52, np.int8)
    some = False
    for p in range(1, count):
        problem = problems[p]
        problem_tiles(problem, board, rack, must, may)
        least = np.int64(problem.least)
        most = np.int64(problem.most)
        table = EXPLICIT + most if most > 0 else IMPLICIT
        if problem.fixed.max() > 0:
            table = EXPLICIT + most
        ok, large = built(workspace, tables, table, numbers, most, must, may)
        if not ok:
            continue
        naturals[:] = False
        kinds[:] = False
        left = max(threshold - taken_worth(problem), 0)
        wanted = joker_bits(least, most)
        greatest_worths(large)
        worths = mark_openings(large, tables, table, left, wanted, naturals, kinds)
        if worths[least : most + 1].max() < left:
            continue
        more_jokers = most > least and worths[least + 1 : most + 1].max() >= left
        plays = problem.forced.max() > 0
        if not (plays or more_jokers or naturals.any()):
            continue
        some = True
        for kind in range(53):
            if problem.forced[kind] > played[kind] or naturals[kind]:
                mask[kind] = True
        if more_jokers:
            mask[JOKER] = True
        if naming:
            for kind in range(52):
                if kinds[kind]:
                    mask[FIRST_NAME + kind] = True
            for kind in problem.says:
                if kind >= 0:
                    mask[FIRST_NAME + kind] = True
    return some


@kernel
def best_of_problems(
    workspace, tables, numbers, board, rack, problems, count, threshold, joker_points,
    objective,
):  # fmt: skip
    """Finds the best play that solves one of the problems.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table, none for an opening.
        rack: int8[53]; the rack.
        problems: the problems, from the second on.
        count: where they end.
        threshold: least worth of the melds, or -1 where it does not matter.
        joker_points: what a joker on the rack counts.
        objective: see `turns.best_turn`.

    Returns:
        int8[53]; the rack tiles of the best play; zeros where there is none.
    """
    best = np.zeros(53, np.int8)
    for p in range(1, count):
        turn = best_of_problem(
            workspace, tables, numbers, board, rack, problems[p], threshold,
            joker_points, objective,
        )  # fmt: skip
        if is_better(turn, best, joker_points, objective):
            best[:] = turn
    return best


@kernel
def is_better(turn, other, joker_points, objective):
    """Whether a play ranks before another: see `turns.rank_gains`."""
    tiles = np.int64(0)
    points = np.int64(0)
    for kind in range(53):
        more = np.int64(turn[kind]) - other[kind]
        tiles += more
        points += more * (joker_points if kind == JOKER else kind % 13 + 1)
    if objective == FEWEST:
        return turn.max() > 0 and (other.max() == 0 or tiles < 0)
    first, second = (points, tiles) if objective == POINTS else (tiles, points)
    if first != 0:
        return first > 0
    if second != 0:
        return second > 0
    if turn[JOKER] != other[JOKER]:
        return turn[JOKER] < other[JOKER]
    for kind in range(52):
        if turn[kind] != other[kind]:
            return turn[kind] > other[kind]
    return False


@kernel
def best_of_problem(
    workspace, tables, numbers, board, rack, problem, threshold, joker_points, objective
):
    """Finds the best solution of one problem; see `best_of_problems`."""
    turn = problem.forced.copy()
    none = np.zeros(53, np.int8)
    must = np.empty(53, np.int8)
    may = np.empty(53, np.int8)
    # Jokers of the graph are no rack tiles until settled: count them apart.
    least = np.int64(problem.least)
    most = np.int64(problem.most)
    left = max(threshold - taken_worth(problem), 0)
    table = problem_table(problem, numbers, threshold >= 0)
    problem_tiles(problem, board, rack, must, may)
    may[JOKER] = most - least
    start = 0
    while start < 52:
        gains = workspace.gains
        joker_gain, end = rank_gains(may, joker_points, objective, start, gains)
        nodes = ALL_NODES if threshold >= 0 else BY_GAIN
        ok, large = built(workspace, tables, table, numbers, most, must, may, nodes)
        if not ok:
            return none
        gain_of = np.zeros(3, np.int64)
        for jokers in range(least, most + 1):
            gain_of[jokers] = joker_gain[jokers - least]
        wanted = joker_bits(least, most)
        if threshold >= 0:
            _, jokers, placed = best_opening(
                large, tables, table, gains, wanted, gain_of, left
            )
        else:
            _, jokers, placed = best_value(large, tables, table, gains, wanted, gain_of)
        if jokers < 0:
            return none
        for kind in range(start, end):
            turn[kind] += placed[kind]
            must[kind] += placed[kind]
            may[kind] = 0
        if end == 52:
            turn[JOKER] = problem.rack_jokers + jokers - least
        start = end
    return turn
