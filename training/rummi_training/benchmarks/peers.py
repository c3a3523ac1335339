"""Peers that `bench` measures where they are installed."""

from __future__ import annotations

import importlib
import random
import warnings
from statistics import median
from typing import Any

import numpy as np

from rummi_env.core.notation import parse_table, parse_tiles, table_counts
from rummi_env.core.tiles import COLORS, JOKER, tiles_of
from rummi_training.benchmarks.timing import fastest, rate

SLOW_REPEATS = 2
"""How often a position is solved by a peer that takes a hundred times as long."""

COLOR_NAMES = {"K": "BLACK", "R": "RED", "B": "BLUE", "O": "ORANGE"}


class AbsentPeer(Exception):
    """A peer is not installed; the message says which."""


def gin_rummy_rate(seconds: float, seed: int) -> float:
    """Measures OpenSpiel's gin_rummy with observation tensor and mask.

    Raises:
        AbsentPeer: OpenSpiel is not installed.
    """
    spiel = _imported("pyspiel", "OpenSpiel", "open-spiel")
    game = spiel.load_game("gin_rummy")
    chance = random.Random(seed)

    def play_one(number: int) -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
                continue
            state.observation_tensor()
            mask = np.asarray(state.legal_actions_mask())
            state.apply_action(chance.choice(np.flatnonzero(mask).tolist()))
            steps += 1
        return steps

    return rate(play_one, seconds)


def connect_four_rate(seconds: float, seed: int) -> float:
    """Measures PettingZoo's connect_four without its wrappers.

    Raises:
        AbsentPeer: PettingZoo's classic games are not installed.
    """
    module = _imported(
        "pettingzoo.classic.connect_four.connect_four",
        "PettingZoo's connect_four",
        "pettingzoo[classic]",
    )
    env = module.raw_env()
    chance = random.Random(seed)

    def play_one(number: int) -> int:
        env.reset(seed=seed + number)
        steps = 0
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(chance.choice(np.flatnonzero(mask).tolist()))
            steps += 1
        return steps

    return rate(play_one, seconds)


def rummikub_solver_seconds(positions: list[tuple[str, str]]) -> float:
    """Measures a play with most tiles by rummikub-solver at the median position.

    Raises:
        AbsentPeer: rummikub-solver is not installed.
    """
    package = _imported("rummikub_solver", "rummikub-solver", "rummikub-solver")
    rules = package.RuleSet()
    places = {
        (tile.colour.name, tile.value): tile
        for tile in rules.tiles
        if not isinstance(tile, package.Joker)
    }
    joker = next(tile for tile in rules.tiles if isinstance(tile, package.Joker))

    def theirs(kinds: tuple[int, ...]) -> list[Any]:
        return [
            joker
            if kind == JOKER
            else places[COLOR_NAMES[COLORS[kind // 13]], kind % 13 + 1]
            for kind in kinds
        ]

    times = []
    for table, rack in positions:
        state = rules.new_game()
        state.initial = False
        state.add_table(*theirs(tiles_of(table_counts(parse_table(table)))))
        state.add_rack(*theirs(tiles_of(parse_tiles(rack))))

        def solve(state: Any = state) -> None:
            rules.solve(state, package.SolverMode.TILE_COUNT)

        times.append(fastest(solve, SLOW_REPEATS))
    return median(times)


def _imported(module: str, what: str, distribution: str) -> Any:
    try:
        with warnings.catch_warnings():
            # PettingZoo deprecates its own modules in favour of ids.
            warnings.simplefilter("ignore", DeprecationWarning)
            return importlib.import_module(module)
    except ImportError as error:
        raise AbsentPeer(
            f"{what} is not installed, so it is not measured: pip install "
            f"'{distribution}'"
        ) from error
