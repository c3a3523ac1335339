"""TorchRL: our environment in its wrapper, and masked PPO with its parts.

In an AEC environment one agent acts at a time, and TorchRL's steps have a row for each
agent, most of which are no decisions. `decisions_of` takes the decisions out of them
and brings every reward to the last decision of the agent that it is for, however many
steps of others lie in between: so the loser of a match is told.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from rummi_agents.network import actor, critic, layout_of
from rummi_agents.policy_files import NetworkConfig
from rummi_env.core.options import GameRules
from rummi_env.envs.aec import GameEnv, wrapped_env
from rummi_training.interop.absent import MissingFramework

try:
    from tensordict import TensorDict
    from tensordict.nn import (
        ProbabilisticTensorDictModule,
        ProbabilisticTensorDictSequential,
        TensorDictModule,
    )
    from torchrl.envs import PettingZooWrapper
    from torchrl.envs.utils import MarlGroupMapType
    from torchrl.modules import MaskedCategorical, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value.functional import generalized_advantage_estimate
except ImportError as error:
    raise MissingFramework("TorchRL") from error

GROUP = "agents"
"""Where all agents of the environment are."""

OBSERVATION = (GROUP, "observation", "observation")
MASK = (GROUP, "action_mask")
ACTION = (GROUP, "action")


def make_env(env: GameEnv, seed: int | None = None) -> Any:
    """Returns an AEC environment as one of TorchRL.

    All agents are one group, ``agents``; ``("agents", "mask")`` tells whose turn it is
    and ``("agents", "action_mask")`` what is legal. Who waits has all actions there, as
    TorchRL needs some to choose from; they have no effect.

    Args:
        env: the environment, not wrapped, with flat observations.
        seed: of all chance.
    """
    return PettingZooWrapper(
        wrapped_env(env),
        use_mask=True,
        categorical_actions=True,
        group_map=MarlGroupMapType.ALL_IN_ONE_GROUP,
        return_state=False,
        seed=seed,
    )


def make_policy(rules: GameRules, num_players: int, network: NetworkConfig) -> Any:
    """Returns the masked policy that all agents share, a module of TorchRL."""
    logits = TensorDictModule(
        Rows(actor(network, layout_of(rules, num_players))), [OBSERVATION], ["logits"]
    )
    choice = ProbabilisticTensorDictModule(
        in_keys={"logits": "logits", "mask": MASK},
        out_keys=[ACTION],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key="action_log_prob",
        default_interaction_type="random",
    )
    return ProbabilisticTensorDictSequential(logits, choice)


def make_critic(rules: GameRules, num_players: int, network: NetworkConfig) -> Any:
    """Returns the critic that all agents share, a module of TorchRL."""
    judged = Rows(critic(network, layout_of(rules, num_players)))
    return ValueOperator(judged, in_keys=[OBSERVATION])


class Rows(nn.Module):
    """A network of rows [B, S] for tensors of any batch shape [..., S]."""

    def __init__(self, rows: nn.Module) -> None:
        super().__init__()
        self.rows = rows

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Maps [..., S] to [..., outputs]."""
        shape = observation.shape
        result: torch.Tensor = self.rows(observation.reshape(-1, shape[-1]))
        return result.reshape(*shape[:-1], -1)


def decisions_of(rollout: Any) -> list[Any]:
    """Returns the decisions of each agent, rewards with the last one before them.

    Args:
        rollout: [T] steps in succession, of whole matches; what the environment's
            ``rollout`` gives, or several of them one after the other.

    Returns:
        For each agent its decisions in order: ``agents`` as it saw and did,
        ``action_log_prob`` where the policy gave it, ``reward`` [n, 1], and ``done``
        [n, 1], whether the match was over before it could decide again.
    """
    acted = rollout[GROUP, "mask"]
    rewards = rollout["next", GROUP, "reward"]
    over = rollout["next", "done"].squeeze(-1)
    decided = []
    for agent in range(acted.shape[1]):
        rows = torch.nonzero(acted[:, agent]).squeeze(-1)
        paid = torch.zeros(len(rows), 1)
        done = torch.zeros(len(rows), 1, dtype=torch.bool)
        # Of every step the last decision before it, or at it.
        place = torch.cumsum(acted[:, agent], 0) - 1
        counted = place >= 0
        paid.index_add_(0, place[counted], rewards[:, agent][counted])
        done[place[counted & over]] = True
        kept = rollout[rows].select(OBSERVATION, MASK, ACTION)
        seen = kept[GROUP][:, agent]
        part = TensorDict({GROUP: seen}, batch_size=[len(rows)])
        log_prob = rollout.get("action_log_prob", None)
        if log_prob is not None:
            part["action_log_prob"] = log_prob[rows, agent]
        part["reward"], part["done"] = paid, done
        decided.append(part)
    return decided


def with_advantages(
    decided: list[Any], judge: Any, gamma: float = 1.0, lmbda: float = 0.95
) -> Any:
    """Returns all decisions with ``advantage`` and ``value_target``, [n].

    Args:
        decided: what `decisions_of` returns; every agent's last decision is done.
        judge: what `make_critic` returns.
        gamma: discount.
        lmbda: how far advantages trust rewards more than the critic.
    """
    parts = []
    with torch.no_grad():
        for part in decided:
            part = judge(part.clone())
            value = part["state_value"]
            # Where a match is over the next value belongs to another one and is not
            # used.
            following = torch.cat([value[1:], torch.zeros(1, 1)])
            advantage, target = generalized_advantage_estimate(
                gamma, lmbda, value, following, part["reward"], part["done"],
                part["done"],
            )  # fmt: skip
            part["advantage"], part["value_target"] = advantage, target
            parts.append(part)
    return torch.cat(parts)


def make_loss(policy: Any, judge: Any, entropy_weight: float = 0.01) -> Any:
    """Returns TorchRL's clipped PPO loss over decisions with advantages."""
    loss = ClipPPOLoss(
        policy,
        judge,
        clip_epsilon=0.2,
        entropy_bonus=True,
        entropy_coeff=entropy_weight,
        normalize_advantage=True,
    )
    loss.set_keys(action=ACTION, sample_log_prob="action_log_prob")
    return loss


def ppo_step(loss: Any, optimizer: torch.optim.Optimizer, batch: Any) -> float:
    """Learns once from decisions with advantages; returns the loss."""
    terms = loss(batch)
    total = sum(value for name, value in terms.items() if name.startswith("loss_"))
    optimizer.zero_grad()
    total.backward()
    nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
    optimizer.step()
    return float(total.detach())
