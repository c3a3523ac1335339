"""The network of Rummy that reads what racks can become."""

from pathlib import Path

import numpy as np
import pytest
import torch

from rummi_agents.card_network import with_outlook
from rummi_agents.network import actor, added_inputs, critic, layout_of
from rummi_agents.neural import NeuralAgent, load_agent
from rummi_agents.policy_files import NetworkConfig, PolicyDescription, write_policy
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.envs.batch import Batch
from rummi_env.games.rummy.state import MELD_RUN, NUM_ACTIONS
from rummi_env.observation.rummy.outlook import Outlook

RULES = RummyRules(hands=1)
NETWORK = NetworkConfig("by_card", (16, 16))
CARD_ACTIONS = (2, 54, 106, 171, 223, 275)


def untrained(num_players: int) -> PolicyDescription:
    return PolicyDescription(RULES, num_players, NETWORK)


def weights(num_players: int) -> dict[str, np.ndarray]:
    torch.manual_seed(1)
    net = actor(NETWORK, layout_of(RULES, num_players))
    return {name: value.numpy() for name, value in net.state_dict().items()}


@pytest.mark.parametrize("num_players", [2, 6])
def test_it_takes_observations_with_outlooks(num_players: int) -> None:
    layout = layout_of(RULES, num_players)
    size = layout.size + Outlook.size
    assert with_outlook(layout).size == size
    batch = torch.rand(3, size)
    assert actor(NETWORK, layout)(batch).shape == (3, NUM_ACTIONS)
    assert critic(NETWORK, layout)(batch).shape == (3, 1)


def test_it_plays_alike_when_suits_are_exchanged() -> None:
    layout = layout_of(RULES, 3)
    torch.manual_seed(1)
    policy, value = actor(NETWORK, layout), critic(NETWORK, layout)
    with torch.no_grad():
        for weight in policy.parameters():
            weight.add_(0.1 * torch.randn_like(weight))
    planes = with_outlook(layout).planes
    seen = torch.rand(2, layout.size + Outlook.size)
    logits = policy(seen)
    kinds = torch.tensor([suit * 13 + n for suit in (2, 0, 3, 1) for n in range(13)])
    exchanged = seen.clone()
    exchanged[:, planes] = seen[:, planes[:, kinds]]
    expected = logits.clone()
    for first in CARD_ACTIONS:
        expected[:, first : first + 52] = logits[:, first + kinds]
    torch.testing.assert_close(policy(exchanged), expected)
    torch.testing.assert_close(value(exchanged), value(seen))


@pytest.mark.parametrize("num_players", [2, 4])
def test_before_it_has_learned_it_plays_much_like_the_planner(num_players: int) -> None:
    agent = NeuralAgent(untrained(num_players), weights(num_players), "untrained")
    others = ["meld_greedy"] * (num_players - 1)
    batch = Batch(16, game="rummy", rules=RULES, opponents=others)
    seen, masks = batch.reset(seed=3)
    rng = np.random.default_rng(0)
    same, laid = [], []
    for _ in range(40):
        chosen = agent.act_batch(seen, masks, rng)
        for row in np.flatnonzero(masks.sum(axis=1) > 1).tolist():
            plan = batch.engine.scripted_action(batch.games, row, "least_deadwood")
            same.append(plan == chosen[row])
            laid.append((plan >= MELD_RUN) == (chosen[row] >= MELD_RUN))
        seen, *_, masks = batch.step(chosen)
    assert len(same) > 300
    assert np.mean(same) > 0.9
    assert np.mean(laid) > 0.97


def test_a_policy_that_reads_outlooks_is_kept_and_judges(tmp_path: Path) -> None:
    write_policy(tmp_path, untrained(2), weights(2))
    agent = load_agent(tmp_path)
    assert isinstance(agent, NeuralAgent)
    batch = Batch(4, game="rummy", rules=RULES)
    seen, masks = batch.reset(seed=3)
    rng = np.random.default_rng(0)
    together = agent.act_batch(seen, masks, rng)
    for row in range(4):
        assert agent.act(seen[row], masks[row].astype(bool), None, rng) == together[row]
        judged = agent.judge(seen[row], masks[row].astype(bool))
        shares = judged.probabilities
        assert max(shares, key=lambda action: shares[action]) == together[row]
    with pytest.raises(ValueError, match="was trained for 2 players"):
        agent.act_batch(seen[:, :-1], masks, rng)


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="'by_card' is for the game rummy, not rummik"):
        added_inputs(NETWORK, RuleSet(), 2)
    assert added_inputs(NetworkConfig(), RULES, 2) is None
