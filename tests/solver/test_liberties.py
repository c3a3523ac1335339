"""Liberties against the masks of racks of one tile."""

from __future__ import annotations

import numpy as np
import pytest

from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS, Counts
from rummi_env.envs.batch import Batch
from rummi_env.solver import TurnSolver
from rummi_env.solver.entries import MARK, ask, single_tiles
from rummi_env.solver.tables import solver_tables
from rummi_env.solver.workspace import make_workspace


def tables_of_random_games(rules: RuleSet, number: int) -> list[Counts]:
    """Returns tables as turns of random play leave them, int8[53] each."""
    batch = Batch(16, rules=rules, num_players=2)
    _, masks = batch.reset(seed=3)
    rng = np.random.default_rng(3)
    tables: list[Counts] = []
    while len(tables) < number:
        for _ in range(7):
            chance = rng.random(masks.shape) * masks
            masks = batch.step(chance.argmax(axis=1))[-1]
        tables += [
            game["table"].copy()
            for game in batch.games
            if game["table"].any() and not game["played"].any()
        ]
    return tables[:number]


@pytest.mark.parametrize(
    "changes", [{}, {"jokers": 0}, {"numbers": 7, "colors": 3, "rack_size": 7}], ids=str
)
def test_liberties_are_the_kinds_that_a_rack_of_one_could_play(
    changes: dict[str, int],
) -> None:
    rules = RuleSet.preset("official", **changes)
    solver = TurnSolver(rules)
    workspace, tables = make_workspace(), solver_tables(rules.colors)
    nothing, none = np.zeros(NUM_COUNTS, np.int8), np.full(2, -1, np.int8)
    found = set()
    for board in tables_of_random_games(rules, 40):
        free = rules.deck - board
        expected = 0
        for kind in np.flatnonzero(free[:NUM_KINDS]).tolist():
            rack, mask = nothing.copy(), np.zeros(54, np.int8)
            rack[kind] = 1
            ask(
                MARK, workspace, tables, solver.codes, board, np.zeros(2, np.int64), 0,
                rack, True, nothing, none, -1, mask,
            )  # fmt: skip
            expected |= int(mask[kind]) << kind
        args = (workspace, tables, rules.numbers)
        assert single_tiles(*args, board, free) == expected
        assert single_tiles(*args, board, nothing) == 0
        found.add(expected)
    assert len(found) > 10


def test_an_empty_table_takes_no_single_tile() -> None:
    nothing = np.zeros(NUM_COUNTS, np.int8)
    free = np.full(NUM_COUNTS, 2, np.int8)
    assert single_tiles(make_workspace(), solver_tables(4), 13, nothing, free) == 0
