"""Lists the plays of a turn, whatever the rules: the front of `listing`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts
from rummi_env.solver.entries import first_plays, more_plays, turn_problems
from rummi_env.solver.problem_records import FIRST_PROBLEM, PROBLEM
from rummi_env.solver.seat import TurnRules
from rummi_env.solver.tables import Tables
from rummi_env.solver.workspace import make_workspace

PLAYS_AT_ONCE = 256
"""How many plays are listed in one compiled call."""

Sets = npt.NDArray[np.int64]


def list_plays(
    tables: Tables,
    rules: TurnRules,
    board: Counts,
    sets: Sets,
    together: int,
    rack: Counts,
    opened: bool,
    played: Counts,
    named: Counts,
) -> Iterator[Counts]:
    """Yields the tiles of every distinct play; arguments as `seat.mark_legal`.

    With ``manipulate_on_opening_turn`` it is left to the caller to pick those of an
    unopened seat that contain an opening.
    """
    seen: set[bytes] = set()
    from_table = opened or bool(rules.manipulate)
    for problems, count in _problem_lists(
        tables, rules, board, sets, together, rack, from_table, played, named
    ):
        base = board if from_table else np.zeros(NUM_COUNTS, np.int8)
        threshold = -1 if from_table else rules.opening_points
        # A single problem lists no play twice.
        alone = rules.jokers is None
        for index in range(FIRST_PROBLEM, count):
            for counts in _plays_of(
                tables, rules, base, rack, problems, index, threshold
            ):
                if alone:
                    yield counts
                elif (key := counts.tobytes()) not in seen:
                    seen.add(key)
                    yield counts


def _problem_lists(
    tables: Tables,
    rules: TurnRules,
    board: Counts,
    sets: Sets,
    together: int,
    rack: Counts,
    from_table: bool,
    played: Counts,
    named: Counts,
) -> Iterator[tuple[npt.NDArray[np.void], int]]:
    if rules.jokers is None:
        problems = np.zeros(FIRST_PROBLEM + 1, PROBLEM)
        simple = problems[FIRST_PROBLEM]
        simple["forced"] = played
        on_table = int(board[JOKER]) if from_table else 0
        simple["least"] = on_table + played[JOKER]
        simple["most"] = on_table + rack[JOKER]
        simple["rack_jokers"] = played[JOKER]
        simple["melds"] = -1
        yield problems, FIRST_PROBLEM + 1
        return
    if from_table:
        yield turn_problems(
            tables, rules, board, sets, together, rack, True, played, named, 0
        )
        return
    for bearers in range(9):
        yield turn_problems(
            tables, rules, board, sets, together, rack, False, played, named, bearers
        )


def _plays_of(
    tables: Tables,
    rules: TurnRules,
    board: Counts,
    rack: Counts,
    problems: npt.NDArray[np.void],
    index: int,
    threshold: int,
) -> Iterator[Counts]:
    """Yields the plays that solve a problem, worth the threshold unless negative."""
    problem = problems[index]
    may = np.zeros(NUM_COUNTS, np.int8)
    by_worth = threshold >= 0
    least, most = int(problem["least"]), int(problem["most"])
    exact = rules.jokers is not None and bool(rules.jokers.exact)
    explicit = exact or (by_worth and most > 0)
    ok, taken, workspace, listing = first_plays(
        make_workspace(), tables, rules.numbers, board, rack,
        problems, index, by_worth, explicit, may,
    )  # fmt: skip
    if not ok:
        return
    least_worth = max(threshold - taken, 0)
    nothing = -1 if problem["forced"].any() else least
    plays = np.zeros((PLAYS_AT_ONCE, NUM_COUNTS), np.int8)
    while True:
        found = more_plays(
            workspace, listing, may, by_worth, least_worth, least, most, nothing, plays
        )
        batch = plays[:found] + problem["forced"]
        batch[:, JOKER] = plays[:found, JOKER] - least + problem["rack_jokers"]
        yield from batch
        if found < PLAYS_AT_ONCE:
            return
