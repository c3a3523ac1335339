"""The trained players of Rummy pe tabla that come with the package."""

from pathlib import Path

import numpy as np
import pytest

import rummi_agents
from rummi_agents.neural import load_agent
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.envs.single import TablaEnv

WEIGHTS = Path(rummi_agents.__file__).parent / "weights" / "tabla"
FOLDERS = sorted(path.parent for path in WEIGHTS.glob("*/*/policy.json"))
LARGEST = 3 * 2**20


def test_there_are_policies_for_two_and_for_four_players() -> None:
    assert [folder.name for folder in FOLDERS] == ["2", "4"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))
def test_a_policy_is_small_and_has_its_card_and_curve(folder: Path) -> None:
    assert (folder / "policy.safetensors").stat().st_size <= LARGEST
    card = (folder / "README.md").read_text()
    for word in ("rummi train", "rummi evaluate", "±", "seed", "Commit"):
        assert word in card
    assert (folder / "curve.csv").read_text().startswith("steps,")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))
def test_a_policy_closes_most_deals_against_random_play(folder: Path) -> None:
    agent = load_agent(folder)
    players = agent.description.num_players
    assert players == int(folder.name)
    assert agent.description.rules == TablaRules(rounds=1)
    env = TablaEnv(
        rules=agent.description.rules,
        opponents=["random"] * (players - 1),
        on_illegal="raise",
    )
    rng = np.random.default_rng(0)
    scores = []
    for seed in range(8):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            mask = info["action_mask"]
            action = agent.act(observation, mask, env.current_turn(), rng)
            observation, _, over, _, info = env.step(action)
        scores.append(info["scores"][0])
    assert np.mean(np.array(scores) > 0) >= 0.5
    assert min(scores) >= 0
