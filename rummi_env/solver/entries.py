"""What Python asks the compiled solver, each question one compiled function.

An entry holds code of its own for all that it calls, so there are few of them.
"""

from __future__ import annotations

import numpy as np

from rummi_env.solver.budgets import keep_affordable
from rummi_env.solver.compiled import entry
from rummi_env.solver.liberties import liberties
from rummi_env.solver.listing import next_plays, start_listing
from rummi_env.solver.names import IMPOSSIBLE, names_left
from rummi_env.solver.problem_records import new_problems
from rummi_env.solver.problems import list_problems
from rummi_env.solver.seat import best_counts, holds_opening, mark_legal
from rummi_env.solver.settling import settle_turn
from rummi_env.solver.sweeps import joker_bits
from rummi_env.solver.tables import EXPLICIT
from rummi_env.solver.turns import built, fits, fits_explicit
from rummi_env.solver.unions import problem_table, problem_tiles, taken_worth
from rummi_env.solver.workspace import NUM_LAYERS
from rummi_env.solver.worths import worthiest_path

MARK, BEST, OPENS = range(3)
"""Questions of `ask`."""


@entry
def ask(
    question, workspace, tables, rules, board, sets, together, rack, opened, played,
    named, number, out,
):  # fmt: skip
    """Answers a question about a turn; other arguments as `seat.mark_legal`.

    `MARK`: whether ``played`` is a legal turn, and in ``out``, int8[actions], what can
    come next; ``number`` is how many tiles and names may still come, -1 for any number.
    `BEST`: the best turn, in ``out``, int8[53]; ``number`` is the objective.
    `OPENS`: whether some of ``played`` are an opening.
    """
    if question == OPENS:
        return holds_opening(workspace, tables, rules, played)
    if question == BEST:
        out[:] = best_counts(
            workspace, tables, rules, board, sets, together, rack, opened, played,
            named, number,
        )  # fmt: skip
        return True
    complete = mark_legal(
        workspace, tables, rules, board, sets, together, rack, opened, played, named,
        out,
    )  # fmt: skip
    if number >= 0:
        keep_affordable(
            workspace, tables, rules, board, sets, together, rack, opened, played,
            named, number, out,
        )  # fmt: skip
    return complete


@entry
def settled_jokers(
    workspace, tables, rules, board, sets, together, opened, played, named
):
    """Returns how the jokers lie after a legal turn; see `seat.settle_turn`."""
    return settle_turn(
        workspace, tables, rules, board, sets, together, opened, played, named
    )


@entry
def fit(workspace, tables, numbers, tiles, explicit):
    """Whether exactly these tiles can be cut into melds.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        numbers: highest number of the deck.
        tiles: int8[53]; the tiles.
        explicit: whether there may be more than two of a kind.
    """
    if explicit:
        return fits_explicit(workspace, tables, numbers, tiles)
    return fits(workspace, tables, numbers, tiles)


@entry
def arranged(workspace, tables, numbers, tiles, jokers):
    """Cuts exactly these tiles into melds worth as much as possible.

    Returns:
        int64[13], see `sweeps.worthiest_path`; and the states that its edges lead to.
        The first is negative where there is no way.
    """
    table = EXPLICIT + jokers
    nothing = np.zeros(53, np.int8)
    ok, workspace = built(workspace, tables, table, numbers, jokers, tiles, nothing)
    if not ok:
        return np.full(13, -1, np.int64), workspace.states
    return worthiest_path(workspace, tables, table, jokers), workspace.states


@entry
def turn_problems(
    tables, rules, board, sets, together, rack, from_table, played, named, bearers
):
    """Lists the problems whose union is all turns; arguments as `seat.mark_legal`.

    ``from_table`` tells whether the turn may use the table. Where it may not,
    ``bearers`` tells which names jokers of the table bear; see `seat.names_left`.

    Returns:
        The problems and where they end.
    """
    problems, count = new_problems()
    if from_table:
        return list_problems(
            rules.jokers, tables.around, rules.numbers, board, sets, together, rack,
            played, named, problems, count,
        )  # fmt: skip
    left = names_left(sets, together, named, bearers)
    if left[0] == IMPOSSIBLE:
        return problems, count
    return list_problems(
        rules.jokers, tables.around, rules.numbers, np.zeros(53, np.int8),
        np.zeros(2, np.int64), np.int64(0), rack, played, left, problems, count,
    )  # fmt: skip


@entry
def first_plays(
    workspace, tables, numbers, board, rack, problems, index, by_worth, explicit, may
):
    """Prepares a search for the plays that solve a problem.

    Args:
        workspace: the listing's own.
        tables: of the deck's colors.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        problems: problems.
        index: which of them.
        by_worth: whether the worth of the melds matters (an opening).
        explicit: whether each joker must have a place.
        may: int8[53]; set to the tiles that can be played further.

    Returns:
        Whether there is any, the worth of the melds taken out, the workspace with the
        graph, and the listing.
    """
    problem = problems[index]
    most = np.int64(problem.most)
    must = np.zeros(53, np.int8)
    problem_tiles(problem, board, rack, must, may)
    table = EXPLICIT + most if explicit else problem_table(problem, numbers, False)
    ok, workspace = built(workspace, tables, table, numbers, most, must, may)
    if not ok:
        # A graph of no layer, so that there is a listing to return.
        workspace.sizes[NUM_LAYERS] = 0
        workspace.layer_start[:] = 1
    listing = start_listing(workspace, tables, table, by_worth)
    return ok, taken_worth(problem), workspace, listing


@entry
def more_plays(
    workspace, listing, may, by_worth, least_worth, least, most, nothing, plays
):
    """Lists further plays; see `listing.next_plays`."""
    return next_plays(
        workspace, listing, may, by_worth, least_worth, joker_bits(least, most),
        nothing, plays,
    )  # fmt: skip


@entry
def single_tiles(workspace, tables, numbers, board, unseen):
    """Returns the kinds of which the table would take one more; see `liberties`."""
    return liberties(workspace, tables, numbers, board, unseen)
