"""How long masks and best plays take, beside other solvers on the same positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from rummi_env.core.melds import all_melds
from rummi_env.core.notation import parse_table, parse_tiles, table_counts
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import COLORS, JOKER, Counts, tiles_of
from rummi_env.solver import TurnSolver
from rummi_training.benchmarks.absent import imported
from rummi_training.benchmarks.positions import Drawn
from rummi_training.benchmarks.timing import REPEATS, fastest

SLOW_REPEATS = 2
"""How often a position is solved by a peer that takes a hundred times as long."""

LISTED_RUN = 5
"""Longest run that an integer program needs: longer ones fall into shorter ones."""

COLOR_NAMES = {"K": "BLACK", "R": "RED", "B": "BLUE", "O": "ORANGE"}

Solve = Callable[[], int]
"""Solves one position; returns how many tiles the best play has."""


def mask_seconds(
    drawn: Iterable[Drawn], repeats: int = REPEATS, rules: str = "official"
) -> list[float]:
    """Measures the mask of every position, without what a turn keeps."""
    solver = TurnSolver(rules)
    times = []
    for table, rack in drawn:
        turn = solver.turn(table, rack)

        def mask(turn: Any = turn) -> None:
            # A turn keeps its mask; one continued from it has yet to work it out.
            assert turn.continued(turn.rack, turn.played).mask.any()

        times.append(fastest(mask, repeats))
    return times


def best_plays(
    solver: Callable[[], Callable[[str, str], Solve]],
    drawn: Sequence[Drawn],
    repeats: int,
) -> tuple[list[float], list[int]]:
    """Measures a play with most tiles in every position.

    Args:
        solver: returns what prepares a position; that is not measured.
        drawn: the positions.
        repeats: how often each is solved.

    Returns:
        For each position the seconds and the tiles of the play.

    Raises:
        AbsentPeer: the solver is not installed.
    """
    prepare = solver()
    times, sizes = [], []
    for table, rack in drawn:
        solve = prepare(table, rack)
        tiles: list[int] = []
        times.append(fastest(lambda s=solve, t=tiles: t.append(s()), repeats))  # type: ignore[misc]
        sizes.append(tiles[-1])
    return times, sizes


def our_solver() -> Callable[[str, str], Solve]:
    """Prepares `rummi_env.solver`."""
    solver = TurnSolver("official")

    def prepare(table: str, rack: str) -> Solve:
        turn = solver.turn(table, rack)

        def solve() -> int:
            best = turn.continued(turn.rack, turn.played).best("tiles")
            return 0 if best is None else int(best.counts.sum())

        return solve

    return prepare


def rummikub_solver() -> Callable[[str, str], Solve]:
    """Prepares the package rummikub-solver.

    Raises:
        AbsentPeer: it is not installed.
    """
    package = imported("rummikub_solver", "rummikub-solver", "rummikub-solver")
    rules = package.RuleSet()
    places = {
        (tile.colour.name, tile.value): tile
        for tile in rules.tiles
        if not isinstance(tile, package.Joker)
    }
    joker = next(tile for tile in rules.tiles if isinstance(tile, package.Joker))

    def theirs(counts: Counts) -> list[Any]:
        return [
            joker
            if kind == JOKER
            else places[COLOR_NAMES[COLORS[kind // 13]], kind % 13 + 1]
            for kind in tiles_of(counts)
        ]

    def prepare(table: str, rack: str) -> Solve:
        state = rules.new_game()
        state.initial = False
        state.add_table(*theirs(table_counts(parse_table(table))))
        state.add_rack(*theirs(parse_tiles(rack)))

        def solve() -> int:
            found = rules.solve(state, package.SolverMode.TILE_COUNT)
            return 0 if found is None else len(found.tiles)

        return solve

    return prepare


def integer_program() -> Callable[[str, str], Solve]:
    """Prepares an integer program for HiGHS.

    It chooses how often each meld is laid and how many of each tile come from the rack,
    as den Hertog and Hulshof (2006) do.

    Raises:
        AbsentPeer: highspy is not installed.
    """
    highspy = imported("highspy", "highspy, for an integer program,", "highspy")
    melds = all_melds(RuleSet.preset("official"), LISTED_RUN)
    # Whoever used it before may have done so with more threads.
    highspy.Highs.resetGlobalScheduler(True)

    def prepare(table: str, rack: str) -> Solve:
        laid, held = table_counts(parse_table(table)), parse_tiles(rack)
        usable = melds[(melds <= laid + held).all(axis=1)]
        tiles = np.flatnonzero(laid + held)
        # A row for each tile: what melds take of it is on the table or played.
        matrix = np.hstack([usable[:, tiles].T.astype(float), -np.eye(len(tiles))])
        columns = [np.flatnonzero(row) for row in matrix]
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = matrix.shape[1], matrix.shape[0]
        model.sense_ = highspy.ObjSense.kMaximize
        model.col_cost_ = np.append(np.zeros(len(usable)), np.ones(len(tiles)))
        model.col_lower_ = np.zeros(matrix.shape[1])
        model.col_upper_ = np.append(np.full(len(usable), 2.0), held[tiles])
        model.row_lower_ = model.row_upper_ = laid[tiles].astype(float)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.append(0, np.cumsum(list(map(len, columns))))
        model.a_matrix_.index_ = np.concatenate(columns)
        model.a_matrix_.value_ = np.concatenate(
            [row[place] for row, place in zip(matrix, columns, strict=True)]
        )
        # Whole melds take whole tiles.
        model.integrality_ = [
            *[highspy.HighsVarType.kInteger] * len(usable),
            *[highspy.HighsVarType.kContinuous] * len(tiles),
        ]

        def solve() -> int:
            program = highspy.Highs()
            program.silent()
            program.setOptionValue("threads", 1)
            # The optimum is a whole number.
            program.setOptionValue("mip_abs_gap", 0.9)
            program.passModel(model)
            program.run()
            assert program.getModelStatus() == highspy.HighsModelStatus.kOptimal
            best: int = round(program.getObjectiveValue())
            return best

        return solve

    return prepare


SOLVERS: dict[str, tuple[Callable[[], Callable[[str, str], Solve]], int]] = {
    "rummikub-solver": (rummikub_solver, SLOW_REPEATS),
    "integer program, HiGHS": (integer_program, SLOW_REPEATS),
}
"""Names of the other solvers, what prepares them, how often each position is solved."""
