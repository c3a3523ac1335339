"""Speed of Rummy pe tabla: the form test, the distances, and random legal play.

Aims: a form test under 20 us and the distances to all forms played under 300 us, both
medians, and at least 100,000 decisions a second, mask and observation included.
"""

from collections.abc import Callable
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from numba import njit

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import counts_of
from rummi_env.games.chance import random_legal
from rummi_env.games.tabla.engine import Engine
from rummi_env.games.tabla.entries import FORMS_OF, ask, ask_distances
from rummi_env.games.tabla.machine import act, is_over, start_match
from rummi_env.games.tabla.state import coded
from rummi_env.observation import size_of
from rummi_env.observation.tabla import Prospecting, fields, num_actions
from rummi_env.observation.tabla.encode import encode, encoding

RACKS = 1_000
GAMES = 1_024
STEPS = 20


@pytest.fixture(scope="module")
def racks() -> np.ndarray:
    rng = np.random.default_rng(0)
    deck = np.repeat(np.arange(53), 2)
    dealt = [rng.permutation(deck)[:14].tolist() for _ in range(RACKS)]
    return np.array([counts_of(rack) for rack in dealt])


def each_rack(
    benchmark: Any, racks: np.ndarray, ask: Callable[[np.ndarray], object]
) -> None:
    """Measure one call for each rack, after one that may compile."""
    order = cycle(racks)
    benchmark.pedantic(lambda: ask(next(order)), rounds=RACKS, warmup_rounds=1)


def test_forms_of_a_rack(benchmark: Any, racks: np.ndarray) -> None:
    codes = coded(TablaRules(), 2)
    marks, numbers = np.zeros(53, np.int8), np.zeros(20, np.int64)
    each_rack(
        benchmark, racks, lambda rack: ask(codes, rack, FORMS_OF, 0, marks, numbers)
    )


def test_distances_of_a_rack(benchmark: Any, racks: np.ndarray) -> None:
    codes = coded(TablaRules(), 2)
    found = np.empty(28, np.int64)
    each_rack(
        benchmark, racks, lambda rack: ask_distances(codes, rack, codes.enabled, found)
    )


def test_what_a_rack_can_become(benchmark: Any, racks: np.ndarray) -> None:
    rules = TablaRules()
    found = Prospecting(rules, 2)
    parts = fields(rules, 2)
    seen = np.zeros((1, size_of(parts.values())), np.float32)
    masks = np.ones((1, num_actions(rules)), np.int8)

    def find(rack: np.ndarray) -> None:
        seen[0, parts["rack"].slice] = rack
        found(seen, masks)

    each_rack(benchmark, racks, find)


@njit(nogil=True, error_model="numpy")
def play_on(games: Any, rules: Any, codes: Any, out: Any, steps: Any) -> None:
    """Plays random legal actions in a batch, an observation after each."""
    for _ in range(steps):
        for index in range(len(games)):
            game = games[index]
            act(game, rules, random_legal(game, rules.num_actions))
            if is_over(game):
                start_match(game, rules)
            encode(game, codes, game.seat, out[index])


@pytest.mark.parametrize("num_players", [2, 4])
def test_a_batch_of_games(benchmark: Any, num_players: int) -> None:
    engine = Engine("ours", num_players)
    games = engine.new_games(GAMES)
    for index in range(GAMES):
        engine.start(games, index, index)
    codes = encoding(engine.rules, num_players)
    out = np.zeros((GAMES, codes.size), np.float32)
    play_on(games, engine.codes, codes, out, 1)
    benchmark(lambda: play_on(games, engine.codes, codes, out, STEPS))
    benchmark.extra_info["decisions"] = GAMES * STEPS
