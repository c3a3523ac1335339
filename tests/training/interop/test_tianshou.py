"""Tianshou's DQN and its PettingZoo wrapper on our environments."""

import math

import numpy as np
import pytest
import torch
from tianshou.env import PettingZooEnv

from rummi_agents.policy_files import NetworkConfig
from rummi_env import RuleSet, rummikub_v0
from rummi_training.interop.tianshou_dqn import collect, learn, make_collector, make_dqn

pytestmark = [
    pytest.mark.interop,
    # Tianshou uses what Gymnasium, pandas and torch deprecate.
    pytest.mark.filterwarnings("ignore"),
]

NETWORK = NetworkConfig("mlp", (32, 32))
SMALL = RuleSet(numbers=6, rack_size=8, opening_points=10)


def test_masked_dqn_learns_from_itself_without_an_illegal_action() -> None:
    torch.manual_seed(1)
    np.random.seed(1)
    dqn, player = make_dqn(SMALL, 2, NETWORK, explore=0.3)
    collector = make_collector(dqn, player, 4, seed=1, rules=SMALL, reward_scale=0.02)
    before = [value.clone() for value in player.network.parameters()]
    for _ in range(5):
        collect(dqn, collector, 1000)
        for _ in range(20):
            assert math.isfinite(learn(dqn, collector, 64))
    rows, _ = collector.buffer.sample(0)
    assert len(rows) >= 5000
    legal = np.take_along_axis(rows.obs.mask, rows.act[:, None], axis=1)
    assert legal.all()
    after = player.network.parameters()
    assert not all(map(torch.equal, before, after))


def test_the_score_of_a_match_that_was_lost_is_in_its_last_transition() -> None:
    np.random.seed(2)
    dqn, player = make_dqn(SMALL, 2, NETWORK, explore=0.5)
    collector = make_collector(dqn, player, 4, seed=1, rules=SMALL, reward_scale=0.02)
    collect(dqn, collector, 2000)
    rows, _ = collector.buffer.sample(0)
    ends = rows.done
    assert ends.sum() >= 30
    assert np.count_nonzero(rows.rew[~ends]) == 0
    scores = rows.info.score[ends]
    assert rows.rew[ends] == pytest.approx(0.02 * scores)
    assert (scores < 0).sum() >= 5
    assert (scores > 0).sum() >= 5
    # It is what the values of these actions are drawn towards.
    losses = collector.buffer.sample_indices(0)[ends & (rows.rew < 0)]
    batch = dqn._preprocess_batch(collector.buffer[losses], collector.buffer, losses)
    assert np.asarray(batch.returns).ravel() == pytest.approx(
        collector.buffer.rew[losses], abs=1e-6
    )


def test_tianshous_wrapper_shows_turns_and_masks() -> None:
    env = PettingZooEnv(rummikub_v0.env(rules=SMALL))
    seen, _ = env.reset(seed=1)
    acted, paid, over = set(), np.zeros(2), False
    while not over:
        acted.add(seen["agent_id"])
        action = int(np.flatnonzero(seen["mask"])[0])
        seen, rewards, over, _, _ = env.step(action)
        paid += rewards
    assert acted == {"player_0", "player_1"}
    assert paid.min() < 0 < paid.max()
    assert paid.sum() == 0
