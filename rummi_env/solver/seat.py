"""What a seat may play and what is best, under every rule set: where the cases part.

Free jokers with up to two in a meld take the short way (`turns`); all else goes through
`problems` and `unions`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.names import IMPOSSIBLE, NO_NAME, names_left
from rummi_env.solver.openings import next_opening, start_openings
from rummi_env.solver.problem_records import Jokers, new_problems
from rummi_env.solver.problems import list_problems
from rummi_env.solver.turns import (
    FEWEST,
    best_opening_turn,
    best_turn,
    greatest_opening,
    mark_opening,
    mark_turn,
)
from rummi_env.solver.unions import (
    FIRST_NAME,
    any_solvable,
    best_of_problems,
    is_better,
    mark_opening_problems,
    mark_problems,
)


class TurnRules(NamedTuple):
    """What a `RuleSet` says about single turns, in numbers.

    Attributes:
        numbers: highest number of the deck.
        opening_points: least worth of an opening.
        manipulate: whether the turn of the opening may use the table.
        joker_points: what a joker on the rack counts.
        jokers: how jokers may be used; None for simple rules: free jokers, up to two in
            a meld, and openings that leave the table alone. Compiled code for simple
            rules has none of what the others need.
    """

    numbers: int
    opening_points: int
    manipulate: int
    joker_points: int
    jokers: Jokers | None


def turn_rules(rules: RuleSet) -> TurnRules:
    """Returns what the rules say about single turns, in numbers."""
    exact = rules.joker_release == "exact"
    simple = (
        not exact
        and rules.jokers_per_meld == 2
        and not rules.manipulate_on_opening_turn
    )
    return TurnRules(
        numbers=rules.numbers,
        opening_points=rules.opening_points,
        manipulate=int(rules.manipulate_on_opening_turn),
        joker_points=rules.joker_rack_value,
        jokers=None
        if simple
        else Jokers(
            exact=int(exact),
            from_rack=int(rules.joker_source == "rack"),
            new_meld=int(rules.joker_reuse == "new_meld_from_rack"),
            per_meld=rules.jokers_per_meld,
            colors=rules.colors,
        ),
    )


@kernel
def mark_legal(
    workspace, tables, rules, board, sets, together, rack, opened, played, named, mask
):
    """Marks the tiles and names that can come next.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        rules: from `turn_rules`.
        board: int8[53]; tiles on the table.
        sets: int64[2]; by joker of the table, the kinds it may stand for, as bits;
            exact jokers only.
        together: whether both lie in one group.
        rack: int8[53]; the rack at the start of the turn.
        opened: whether the seat has opened before.
        played: int8[53]; what has been played of the rack.
        named: int8[2]; kinds that jokers were named as, `NO_NAME` behind them.
        mask: int8 or bool[actions]; set to 1 for what some legal turn goes on with.

    Returns:
        Whether ``played`` is a legal turn as it stands (nothing is not one).
    """
    return _mark(
        workspace, tables, rules, rules.jokers, board, sets, together, rack, opened,
        played, named, mask,
    )  # fmt: skip


@kernel
def _mark(
    workspace, tables, rules, jokers, board, sets, together, rack, opened, played,
    named, mask,
):  # fmt: skip
    # With None for an argument, numba leaves the other branch out.
    if jokers is None:
        if opened:
            return mark_turn(
                workspace, tables, rules.numbers, board, rack, played, mask
            )
        return mark_opening(
            workspace, tables, rules.numbers, rules.opening_points, rack, played, mask
        )
    if not opened and not rules.manipulate:
        return _mark_unopened(
            workspace, tables, rules, board, sets, together, rack, played, named, mask
        )
    if opened or holds_opening(workspace, tables, rules, played):
        return _mark_opened(
            workspace, tables, rules, board, sets, together, rack, played, played,
            named, mask,
        )  # fmt: skip
    if holds_opening(workspace, tables, rules, rack):
        _mark_any_opening(
            workspace, tables, rules, board, sets, together, rack, played, named, mask
        )
    return False


@kernel
def _mark_opened(
    workspace, tables, rules, board, sets, together, rack, played, forced, named, mask
):
    """Marks what turns that play at least ``forced`` go on with."""
    jokers = rules.jokers
    bound = np.ones_like(mask)
    if jokers.new_meld and board[JOKER] > 0:
        # There may be thousands of problems, but few if released jokers may lie in any
        # meld; nothing more can come than then.
        bound[:] = 0
        anywhere = Jokers(
            jokers.exact, jokers.from_rack, np.int64(0), jokers.per_meld, jokers.colors
        )
        _mark_within(
            workspace, tables, rules, anywhere, board, sets, together, rack, played,
            forced, named, np.ones_like(mask), bound,
        )  # fmt: skip
    _mark_within(
        workspace, tables, rules, jokers, board, sets, together, rack, played, forced,
        named, bound, mask,
    )  # fmt: skip
    if played.max() == 0:
        return False
    return is_whole_turn(workspace, tables, rules, board, sets, together, played, named)


@kernel
def _mark_within(
    workspace, tables, rules, jokers, board, sets, together, rack, played, forced,
    named, bound, mask,
):  # fmt: skip
    """Like `_mark_opened`, where nothing can come for which ``bound`` is 0.

    Jokers may be used as ``jokers`` says, in place of what the rules say.
    """
    problems, count = new_problems()
    problems, count = list_problems(
        jokers, tables.around, rules.numbers, board, sets, together, rack, forced,
        named, problems, count,
    )  # fmt: skip
    mark_problems(
        workspace, tables, rules.numbers, board, rack, played, problems, count,
        jokers.exact, bound, mask,
    )  # fmt: skip


@kernel
def is_whole_turn(workspace, tables, rules, board, sets, together, played, named):
    """Whether exactly these tiles are a legal turn after the opening."""
    problems, count = new_problems()
    problems, count = list_problems(
        rules.jokers, tables.around, rules.numbers, board, sets, together, played,
        played, named, problems, count,
    )  # fmt: skip
    return any_solvable(
        workspace, tables, rules.numbers, board, played, problems, count, -1
    )


@kernel
def holds_opening(workspace, tables, rules, tiles):
    """Whether some of these tiles are an opening."""
    return _holds_opening(workspace, tables, rules, rules.jokers, tiles)


@kernel
def _holds_opening(workspace, tables, rules, jokers, tiles):
    # Even where no points are needed, an opening is a meld at least.
    least = max(rules.opening_points, 1)
    if jokers is None:
        return greatest_opening(workspace, tables, rules.numbers, tiles) >= least
    problems, count = _opening_problems(
        tables, rules, tiles, np.zeros(53, np.int8), np.full(2, NO_NAME, np.int8)
    )
    return any_solvable(
        workspace, tables, rules.numbers, np.zeros(53, np.int8), tiles, problems, count,
        least,
    )  # fmt: skip


@kernel
def _opening_problems(tables, rules, rack, forced, named):
    """Problems whose union is all ways to make melds of rack tiles alone."""
    problems, count = new_problems()
    return list_problems(
        rules.jokers, tables.around, rules.numbers, np.zeros(53, np.int8),
        np.zeros(2, np.int64), np.int64(0), rack, forced, named, problems, count,
    )  # fmt: skip


@kernel
def _mark_unopened(
    workspace, tables, rules, board, sets, together, rack, played, named, mask
):
    """Marks what openings of rack tiles alone go on with.

    Names may be those of jokers of the table, which stay where they are.
    """
    nothing = np.zeros(53, np.int8)
    complete = False
    for bearers in range(9):
        left = names_left(sets, together, named, bearers)
        if left[0] == IMPOSSIBLE:
            continue
        problems, count = _opening_problems(tables, rules, rack, played, left)
        some = mark_opening_problems(
            workspace, tables, rules.numbers, rack, played, problems, count,
            rules.opening_points, rules.jokers.exact, mask,
        )  # fmt: skip
        if not some:
            continue
        if rules.jokers.exact:
            _mark_held(sets, together, named, bearers, mask)
        if played.max() > 0 and not complete:
            problems, count = _opening_problems(tables, rules, played, played, left)
            complete = any_solvable(
                workspace, tables, rules.numbers, nothing, played, problems, count,
                rules.opening_points,
            )  # fmt: skip
    return complete


@kernel
def _mark_held(sets, together, named, bearers, mask):
    """Marks the names that unnamed jokers of the table may bear where they are."""
    for joker in range(2):
        if (bearers // 3 if joker else bearers % 3) > 0:
            continue
        other = bearers % 3 if joker else bearers // 3
        for kind in range(52):
            if sets[joker] >> kind & 1 and not (
                together and other > 0 and named[other - 1] == kind
            ):
                mask[FIRST_NAME + kind] = True


@kernel
def _mark_any_opening(
    workspace, tables, rules, board, sets, together, rack, played, named, mask
):
    """Marks what turns go on with that contain an opening and may use the table."""
    most = np.zeros_like(mask)
    _mark_opened(
        workspace, tables, rules, board, sets, together, rack, played, played, named,
        most,
    )  # fmt: skip
    openings = start_openings(tables.around, rules.numbers, rules.jokers.per_meld, rack)
    tiles = np.empty(53, np.int8)
    while next_opening(openings, max(rules.opening_points, 1), tiles):
        forced = np.maximum(tiles, played)
        # Nothing more can come than without the need for an opening.
        _mark_within(
            workspace, tables, rules, rules.jokers, board, sets, together, rack, played,
            forced, named, most, mask,
        )  # fmt: skip
        if (mask >= most).all():
            break


@kernel
def best_counts(
    workspace, tables, rules, board, sets, together, rack, opened, played, named,
    objective,
):  # fmt: skip
    """Finds the best whole turn.

    The arguments are those of `mark_legal`, and ``objective``; see `turns.best_turn`.

    Returns:
        int8[53]; all tiles that it plays, ``played`` included; zeros where no turn
        plays anything.
    """
    return _best(
        workspace, tables, rules, rules.jokers, board, sets, together, rack, opened,
        played, named, objective,
    )  # fmt: skip


@kernel
def _best(
    workspace, tables, rules, jokers, board, sets, together, rack, opened, played,
    named, objective,
):  # fmt: skip
    if jokers is None:
        if opened:
            return best_turn(
                workspace, tables, rules.numbers, board, rack, played,
                rules.joker_points, objective,
            )  # fmt: skip
        return best_opening_turn(
            workspace, tables, rules.numbers, rules.opening_points, rack, played,
            rules.joker_points, objective,
        )  # fmt: skip
    best = np.zeros(53, np.int8)
    if not opened and not rules.manipulate:
        nothing = np.zeros(53, np.int8)
        for bearers in range(9):
            left = names_left(sets, together, named, bearers)
            if left[0] == IMPOSSIBLE:
                continue
            problems, count = _opening_problems(tables, rules, rack, played, left)
            turn = best_of_problems(
                workspace, tables, rules.numbers, nothing, rack, problems, count,
                rules.opening_points, rules.joker_points, objective,
            )  # fmt: skip
            if is_better(turn, best, rules.joker_points, objective):
                best[:] = turn
        return best
    any_turn = _best_forced(
        workspace, tables, rules, board, sets, together, rack, played, named, objective
    )
    if opened or holds_opening(workspace, tables, rules, any_turn):
        return any_turn
    openings = start_openings(tables.around, rules.numbers, rules.jokers.per_meld, rack)
    tiles = np.empty(53, np.int8)
    while next_opening(openings, max(rules.opening_points, 1), tiles):
        forced = np.maximum(tiles, played)
        if objective == FEWEST and best.max() > 0 and forced.sum() >= best.sum():
            continue
        turn = _best_forced(
            workspace, tables, rules, board, sets, together, rack, forced, named,
            objective,
        )  # fmt: skip
        if is_better(turn, best, rules.joker_points, objective):
            best[:] = turn
    return best


@kernel
def _best_forced(
    workspace, tables, rules, board, sets, together, rack, forced, named, objective
):
    """Best turn that plays at least ``forced``, whether it opens or not."""
    problems, count = new_problems()
    problems, count = list_problems(
        rules.jokers, tables.around, rules.numbers, board, sets, together, rack, forced,
        named, problems, count,
    )  # fmt: skip
    return best_of_problems(
        workspace, tables, rules.numbers, board, rack, problems, count, -1,
        rules.joker_points, objective,
    )  # fmt: skip
