"""Players that value whole turns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from rummi_agents.neural import load_agent
from rummi_agents.policy_files import NetworkConfig, PolicyDescription, write_policy
from rummi_agents.registry import make_agent
from rummi_agents.turn_values import ORDERS, TurnValues
from rummi_agents.valued import MOST_TURNS, Valued
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS
from rummi_env.envs.batch import Batch
from rummi_env.envs.match import Match
from rummi_env.games.rummikub.afterstates import MANY_TILES, MEMORY, features_size
from rummi_env.games.rummikub.state import OVER_PHASE
from rummi_env.games.rummikub.whole_turns import LIST, PLAY, SCRIPTED, START, turns
from rummi_env.observation import encoding, observation
from rummi_env.solver.turns import TILES

HIDDEN = (16, 16)


def values_of(folder: Path, players: int = 2, rules: RuleSet | None = None) -> Valued:
    """Writes a network of random weights and loads it."""
    folder.mkdir()
    torch.manual_seed(0)
    net = TurnValues(HIDDEN, players)
    torch.nn.init.normal_(net.value.weight)
    description = PolicyDescription(
        rules or RuleSet(), players, NetworkConfig("turn_values", HIDDEN)
    )
    weights = {name: value.numpy() for name, value in net.state_dict().items()}
    write_policy(folder, description, weights)
    agent = load_agent(folder)
    assert isinstance(agent, Valued)
    return agent


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_legally(
    players: int, tmp_path: Path, play_match: Callable[[Match, list[Any], int], int]
) -> None:
    agent = values_of(tmp_path / "values", players)
    others = [make_agent("max_tiles") for _ in range(players - 1)]
    assert agent.name == "values"
    assert play_match(Match("official", players), [agent, *others], 3)


def test_what_it_remembers_is_what_the_compiled_games_remember(tmp_path: Path) -> None:
    agent = values_of(tmp_path / "values")
    batch = Batch(1, rules="official", num_players=2)
    rows, chosen = np.zeros(1, np.int64), np.zeros(1, np.int64)
    memories, counts = np.zeros(1, MEMORY), np.zeros(1, np.int64)
    plays = np.zeros((1, MOST_TURNS, NUM_COUNTS), np.int8)
    left = np.zeros((1, MOST_TURNS, NUM_KINDS), np.int8)
    more = np.zeros((1, MOST_TURNS), np.int8)
    features = np.zeros((1, MOST_TURNS, features_size(2)), np.float32)
    rng = np.random.default_rng(1)

    def do(operation: int) -> None:
        turns(
            operation, batch.games, memories, rows, 0, 1, chosen, batch.engine.codes,
            *batch._threads.tools[0], counts, plays, left, more, features,
        )  # fmt: skip

    encoded = encoding(batch.rules, 2)
    compared = 0
    for seed in range(4):
        batch.games["seed"] = seed
        do(START)
        agent.reset()
        while batch.games["phase"][0] != OVER_PHASE:
            if batch.games["seat"][0] == 1:
                chosen[0] = TILES
                do(SCRIPTED)
                continue
            do(LIST)
            seen = observation(batch.games, 0, encoded, 0)
            plan = agent.plan(seen, batch.engine.turn(batch.games, 0))
            number = counts[0]
            game = batch.games[0]
            if game["mask"][:NUM_COUNTS] @ game["racks"][0] <= MANY_TILES:
                assert agent._counts[0] == number
                assert np.allclose(agent._features[0, :number], features[0, :number])
                assert (plays[0, :number] == plan).all(axis=1).any()
                compared += 1
            chosen[0] = rng.integers(number)
            do(PLAY)
    assert compared > 60


def test_values_do_not_depend_on_the_names_of_the_colors() -> None:
    torch.manual_seed(0)
    net = TurnValues(HIDDEN, 3)
    features = torch.rand(5, features_size(3))
    for order in range(len(ORDERS)):
        mixed = net.recolored(features, order)
        assert torch.equal(mixed[:, 6 * 52 :], features[:, 6 * 52 :])
        back = ORDERS.index(tuple(int(i) for i in np.argsort(ORDERS[order])))
        assert torch.equal(net.recolored(mixed, back), features)


def test_other_games_than_it_was_trained_for_are_refused(
    tmp_path: Path, play_match: Callable[[Match, list[Any], int], int]
) -> None:
    agent = values_of(tmp_path / "values")
    for rules, players in (("official", 3), ("official", 2), ("sabra", 2)):
        wanted = RuleSet.preset(rules, rounds=1)
        if (rules, players) == ("official", 2):
            wanted = RuleSet.preset("official", jokers=1)
        seated = [agent, *(make_agent("random") for _ in range(players - 1))]
        with pytest.raises(ValueError, match="was trained for 2 players under"):
            play_match(Match(wanted, players), seated, 1)


def test_rules_that_name_jokers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lists whole turns, which is possible with"):
        values_of(tmp_path / "values", rules=RuleSet.preset("sabra"))


def test_devices_that_are_not_there_are_refused(tmp_path: Path) -> None:
    values_of(tmp_path / "values")
    with pytest.raises(ValueError, match="there is no device 'abacus' for torch here"):
        load_agent(tmp_path / "values", "abacus")
