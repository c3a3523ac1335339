"""Learning and evaluation of Rummy pe tabla, with networks over what racks become."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

from rummi_agents import make_agent
from rummi_agents.network import actor, critic, layout_of
from rummi_agents.neural import NeuralAgent, load_agent
from rummi_agents.policy_files import NetworkConfig, PolicyDescription
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tabla_rules import TablaRules
from rummi_training.batched import BatchedTable
from rummi_training.checkpoints import checkpoints_of
from rummi_training.config import PPOConfig, TrainConfig
from rummi_training.evaluation import Settings, evaluate
from rummi_training.mirrored import draw_deals
from rummi_training.train import train

QUIET = Console(quiet=True)
NETWORK = NetworkConfig("by_form", (8, 8))
CONFIG = TrainConfig(
    game="tabla",
    rules="ours,rounds=1",
    opponents=("nearest_form",),
    total_steps=200,
    num_envs=4,
    checkpoint_every=100,
    network=NETWORK,
    ppo=PPOConfig(rollout_steps=25, batch_size=50, epochs=1),
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run."""
    run = tmp_path_factory.mktemp("tabla") / "run"
    train(CONFIG, run, resume=False, console=QUIET)
    return run


def test_a_run_is_repeated_and_continued_to_the_bit(
    finished: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    shutil.rmtree(checkpoints_of(run)[-1])
    train(CONFIG, run, resume=True, console=QUIET)
    for name in ("policy.safetensors", "training.safetensors"):
        one, other = (checkpoints_of(folder)[-1] / name for folder in (finished, run))
        assert one.read_bytes() == other.read_bytes()


def test_a_policy_is_evaluated_by_its_folder(finished: Path, tmp_path: Path) -> None:
    assert load_agent(finished).games == ("tabla",)
    settings = Settings(
        agents=(str(finished), "nearest_form"), deals=2, game="tabla", rules="ours"
    )
    assert evaluate(settings, tmp_path / "two", console=QUIET).deals == 2
    more = replace(settings, agents=(*settings.agents, "random"))
    with pytest.raises(ValueError, match="was trained for 2 players"):
        evaluate(more, tmp_path / "three", console=QUIET)


def untrained(rules: TablaRules, num_players: int) -> NeuralAgent:
    torch.manual_seed(0)
    net = actor(NETWORK, layout_of(rules, num_players))
    weights = {name: value.numpy() for name, value in net.state_dict().items()}
    description = PolicyDescription(rules, num_players, NETWORK)
    return NeuralAgent(description, weights, "untrained")


# With four players the pool is often empty first.
@pytest.mark.parametrize(("num_players", "least"), [(2, 0.9), (4, 0.6)])
def test_a_network_that_has_learned_nothing_closes_deals(
    num_players: int, least: float
) -> None:
    rules = TablaRules(rounds=1)
    players: list[Any] = [untrained(rules, num_players)]
    players += ["random"] * (num_players - 1)
    deals = list(enumerate(draw_deals(rules, num_players, 5, seed=1)))
    played = BatchedTable(players, rules, 1).play(deals)
    games = [game for each in played for game in each]
    assert np.mean([game.wins[0] for game in games]) > least


def test_a_network_chooses_among_all_actions_of_its_rules() -> None:
    for rules in (TablaRules(), TablaRules(refuse_with_three_doubles=True)):
        layout = layout_of(rules, 3)
        net = actor(NETWORK, layout)
        size = layout.size + 1044
        with torch.no_grad():
            assert net(torch.zeros(5, size)).shape == (5, layout.num_actions)
            assert critic(NETWORK, layout)(torch.zeros(5, size)).shape == (5, 1)
        with pytest.raises(ValueError, match=r"'by_form' takes .* values of an ob"):
            net(torch.zeros(5, layout.size))


def test_networks_by_form_are_for_this_game_alone() -> None:
    with pytest.raises(ValueError, match="is for the game tabla, not rummikub"):
        actor(NETWORK, layout_of(RuleSet(), 2))
    with pytest.raises(ValueError, match="must go with game tabla and backend sb3"):
        TrainConfig(network=NETWORK)
    with pytest.raises(ValueError, match="not with tabla and rllib"):
        replace(CONFIG, backend="rllib")
    for wrong in ({"privileged_critic": True}, {"start": (0.0,)}):
        with pytest.raises(ValueError, match="privileged_critic and start do not go"):
            replace(CONFIG, **wrong)


def test_the_released_player_is_found_by_its_name() -> None:
    for players in (2, 4):
        rules = TablaRules(rounds=1)
        deals = list(enumerate(draw_deals(rules, players, 2, seed=1)))
        seated: list[Any] = [make_agent("ppo", "tabla"), *["random"] * (players - 1)]
        for games in BatchedTable(seated, rules, 1).play(deals):
            assert len(games) == players
