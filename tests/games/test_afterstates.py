"""Whole turns and the positions that they leave."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS
from rummi_env.envs.batch import Batch
from rummi_env.games.rummikub.afterstates import MEMORY, features_size
from rummi_env.games.rummikub.state import OVER_PHASE
from rummi_env.games.rummikub.whole_turns import LIST, PLAY, SCRIPTED, START, turns
from rummi_env.solver import TurnSolver
from rummi_env.solver.turns import TILES

MOST = 128


class Table(NamedTuple):
    """Games with all that `turns` works on; plays are those of the row's game."""

    batch: Batch
    memories: np.ndarray
    counts: np.ndarray
    plays: np.ndarray
    left: np.ndarray
    more: np.ndarray
    features: np.ndarray

    def do(self, operation: int, chosen: int = 0) -> None:
        rows = np.flatnonzero(
            (self.batch.games["phase"] != OVER_PHASE) | (operation == START)
        )
        turns(
            operation, self.batch.games, self.memories, rows, 0, len(rows),
            np.full(len(rows), chosen), self.batch.engine.codes,
            *self.batch._threads.tools[0], *self[2:],
        )  # fmt: skip


def table_of(number: int, players: int = 2, **changes: int) -> Table:
    rules = RuleSet.preset("official", **changes)
    batch = Batch(number, rules=rules, num_players=players)
    table = Table(
        batch,
        np.zeros(number, MEMORY),
        np.zeros(number, np.int64),
        np.zeros((number, MOST, NUM_COUNTS), np.int8),
        np.zeros((number, MOST, NUM_KINDS), np.int8),
        np.zeros((number, MOST), np.int8),
        np.zeros((number, MOST, features_size(players)), np.float32),
    )
    batch.games["seed"] = np.arange(number) + 5
    table.do(START)
    return table


@pytest.mark.parametrize("jokers", [0, 2])
def test_turns_are_all_plays_and_to_play_nothing(jokers: int) -> None:
    table = table_of(1, jokers=jokers)
    game, solver = table.batch.games[0], TurnSolver(table.batch.rules)
    several = 0
    while game["phase"] != OVER_PHASE:
        table.do(LIST)
        seat = game["seat"]
        turn = table.batch.engine.turn(table.batch.games, 0)
        plays = list(turn.plays())
        number = int(table.counts[0])
        listed = table.plays[0, :number]
        assert not listed[0].any()
        if len(plays) + 1 == number:
            expected = {play.counts.tobytes() for play in plays}
            assert {row.tobytes() for row in listed[1:]} == expected
            several += number > 3
        best = turn.best("tiles")
        if best is not None:
            assert listed[1].sum() == best.tiles
            assert table.more[0, 0] == best.tiles
            for place in range(1, number):
                rest = turn.continued(game["racks"][seat], listed[place])
                left = rest.mask[:NUM_KINDS]
                if len(plays) + 1 == number:
                    assert (table.left[0, place] == left).all()
                else:
                    assert (left >= table.left[0, place]).all()
        table.do(SCRIPTED, TILES)
    assert solver.rules.jokers == jokers
    assert several > 3


@pytest.mark.parametrize("players", [2, 4])
def test_large_racks_have_some_of_their_plays(players: int) -> None:
    table = table_of(4, players)
    rng = np.random.default_rng(0)
    large = 0
    for _ in range(80):
        table.do(LIST)
        for row in range(4):
            game = table.batch.games[row]
            if game["phase"] == OVER_PHASE:
                continue
            turn = table.batch.engine.turn(table.batch.games, row)
            if turn.mask[:53] @ turn.rack <= 9:
                continue
            place = np.flatnonzero(table.batch.games["phase"] != OVER_PHASE)
            at = int(np.flatnonzero(place == row)[0])
            large += 1
            listed = table.plays[at, : table.counts[at]]
            best = turn.best("tiles")
            assert best is not None
            first = 1 if turn.mask[53] else 0
            assert listed[first].sum() == best.tiles
            assert len({play.tobytes() for play in listed}) == len(listed)
            for play in listed[rng.permutation(len(listed))[:3]]:
                assert not play.any() or turn.continued(turn.rack, play).mask[53]
        table.do(PLAY)
    assert large > 20


@pytest.mark.parametrize("players", [2, 3])
def test_what_a_player_cannot_see_is_not_described(players: int) -> None:
    table = table_of(12, players)
    for _ in range(25):
        table.do(SCRIPTED, TILES)
    table.do(LIST)
    described = table.features.copy()
    for row, game in enumerate(table.batch.games):
        table.batch.engine.redraw(table.batch.games, row, int(game["seat"]), 7 + row)
    table.do(LIST)
    live = (table.batch.games["phase"] != OVER_PHASE).sum()
    for row in range(live):
        few = table.counts[row] if table.counts[row] < 9 else 2
        assert np.array_equal(described[row, :few], table.features[row, :few])


def test_tiles_that_the_table_would_have_taken_are_not_expected_of_an_opponent() -> (
    None
):
    """Players of most tiles never keep one that could be played alone."""
    table = table_of(30)
    games = table.batch.games
    checked = 0
    for _ in range(60):
        before = games["opened"].copy()
        movers = games["seat"].copy()
        drawn = games["drawn"].copy()
        table.do(SCRIPTED, TILES)
        for row in range(30):
            game, mover = games[row], movers[row]
            if game["phase"] == OVER_PHASE or not before[row, mover]:
                continue
            sure = table.memories[row]["since"][mover] == 0
            if drawn[row] == game["drawn"]:
                assert not (game["racks"][mover][:NUM_KINDS] * sure).any()
                checked += int(sure.any())
    assert checked > 50
