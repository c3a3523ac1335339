"""TorchRL's wrapper and its PPO on our environments."""

import math
from typing import Any

import pytest
import torch
from torchrl.envs.utils import check_env_specs

from rummi_agents.policy_files import NetworkConfig
from rummi_env import RuleSet, rummikub_v0, rummy_v0
from rummi_training.interop.torchrl_ppo import (
    GROUP,
    decisions_of,
    make_critic,
    make_env,
    make_loss,
    make_policy,
    ppo_step,
    with_advantages,
)

pytestmark = [
    pytest.mark.interop,
    # TorchRL uses what it, torch and Gymnasium deprecate.
    pytest.mark.filterwarnings("ignore"),
]

NETWORK = NetworkConfig("by_color", (16, 16))
SMALL = RuleSet(numbers=6, rack_size=8, opening_points=10)


def matches(env: Any, policy: Any, decisions: int) -> Any:
    """Play whole matches with at least so many decisions."""
    played: list[Any] = []
    while sum(len(match) for match in played) < decisions:
        with torch.no_grad():
            played.append(env.rollout(10_000, policy))
    return torch.cat(played)


@pytest.mark.parametrize("num_players", [2, 3])
def test_torchrl_accepts_the_environment(num_players: int) -> None:
    env = make_env(rummikub_v0.raw_env(num_players=num_players, rules=SMALL), seed=1)
    check_env_specs(env)
    check_env_specs(make_env(rummy_v0.raw_env(), seed=1))


def test_masked_ppo_learns_without_an_illegal_action() -> None:
    torch.manual_seed(1)
    env = make_env(rummikub_v0.raw_env(rules=SMALL, reward_scale=0.02), seed=1)
    policy = make_policy(SMALL, 2, NETWORK)
    judge = make_critic(SMALL, 2, NETWORK)
    loss = make_loss(policy, judge)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    before = [value.clone() for value in policy.parameters()]
    decisions = 0
    for _ in range(6):
        rollout = matches(env, policy, 900)
        acted = rollout[GROUP, "mask"]
        assert (acted.sum(1) == 1).all()
        legal = rollout[GROUP, "action_mask"][acted]
        chosen = rollout[GROUP, "action"][acted]
        assert legal.gather(1, chosen.unsqueeze(1)).all()
        decisions += len(chosen)
        batch = with_advantages(decisions_of(rollout), judge)
        assert len(batch) == len(chosen)
        for _ in range(2):
            assert math.isfinite(ppo_step(loss, optimizer, batch))
    assert decisions >= 5000
    assert not all(
        torch.equal(one, other)
        for one, other in zip(before, policy.parameters(), strict=True)
    )


def test_every_score_reaches_who_made_it() -> None:
    torch.manual_seed(2)
    raw = rummikub_v0.raw_env(rules=SMALL)
    env = make_env(raw, seed=2)
    policy = make_policy(SMALL, 2, NETWORK)
    lost = 0
    for _ in range(8):
        decided = decisions_of(matches(env, policy, 1))
        scores = raw.score_sheet.totals
        for part, score in zip(decided, scores, strict=True):
            assert part["reward"].sum().item() == pytest.approx(score)
            # All of it comes with the last decision, whoever's action ended the match.
            assert part["reward"][-1].item() == pytest.approx(score)
            assert part["done"].squeeze(1).tolist() == [False] * (len(part) - 1) + [
                True
            ]
            lost += score < 0
        judge = make_critic(SMALL, 2, NETWORK)
        batch = with_advantages(decided, judge)
        ends = batch[batch["done"].squeeze(1)]
        assert ends["value_target"].squeeze(1).tolist() == pytest.approx(scores)
    assert lost >= 5
