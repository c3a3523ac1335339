"""Tianshou: masked DQN that learns by playing against itself.

Tianshou's own wrapper for PettingZoo works with our environments, masks included
(``tianshou.env.PettingZooEnv(env)``). Its learning from several agents does not fit
this game, though: what an agent is paid is taken from the step of its own action, and a
loser is paid in the step of the winner. So the learner has a seat of its own here, as
Gymnasium's environment has it, where everything paid up to its next decision belongs to
its last one; the other seats are held by the same network.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces

from rummi_agents.network import actor, layout_of
from rummi_agents.policy_files import NetworkConfig
from rummi_env.core.options import GameRules
from rummi_env.envs.single import SeatEnv
from rummi_training.interop.absent import MissingFramework

try:
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.utils.torch_utils import policy_within_training_step
except ImportError as error:
    raise MissingFramework("Tianshou") from error


class SeatForTianshou(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A single-seat environment whose observations carry the mask.

    Observations are dicts of ``obs`` (float32[S]) and ``mask`` (int8[actions]), the
    names that Tianshou's DQN looks for.

    Args:
        env: `rummi_env.envs.single.SeatEnv` with flat observations, wrapped or not.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        seat = env.unwrapped
        assert isinstance(seat, SeatEnv)
        self.observation_space = spaces.Dict(
            {
                "obs": env.observation_space,
                "mask": spaces.Box(0, 1, (seat.num_actions,), np.int8),
            }
        )

    def reset(self, **keywords: Any) -> tuple[Any, dict[str, Any]]:
        """Starts a match; see `SeatEnv.reset`."""
        seen, info = self.env.reset(**keywords)
        return _with_mask(seen, info), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Performs an action; the info has ``score`` and ``won`` at a match's end."""
        seen, reward, over, cut, info = self.env.step(action)
        results: dict[str, Any] = {}
        if "scores" in info:
            results = {"score": float(info["scores"][0]), "won": info["won"]}
        return _with_mask(seen, info), float(reward), over, cut, results


class QNetwork(torch.nn.Module):
    """Our networks as what Tianshou calls: values of all actions, and no state."""

    def __init__(
        self, rules: GameRules, num_players: int, network: NetworkConfig
    ) -> None:
        super().__init__()
        self.values = actor(network, layout_of(rules, num_players))

    def forward(
        self, obs: Any, state: Any = None, info: Any = None
    ) -> tuple[torch.Tensor, Any]:
        """Maps observations [B, S] to values [B, num_actions]."""
        seen = torch.as_tensor(np.asarray(obs), dtype=torch.float32)
        return self.values(seen), state


class GreedyPlayer:
    """Holds a seat with the network as it is, exploring as the learner does.

    Attributes:
        network: of the learner; not a copy.
        explore: share of actions that are drawn from all legal ones.
    """

    def __init__(self, network: QNetwork, explore: float) -> None:
        self.network = network
        self.explore = explore

    def act(
        self, observation: Any, mask: Any, turn: Any, rng: np.random.Generator
    ) -> int:
        """Chooses the legal action of the highest value, or now and then any."""
        if rng.random() < self.explore:
            return int(rng.choice(np.flatnonzero(mask)))
        with torch.no_grad():
            values, _ = self.network(observation[None])
        return int(np.where(mask, values[0].numpy(), -np.inf).argmax())


def make_env(player: GreedyPlayer, num_players: int = 2, **keywords: Any) -> Any:
    """Returns an environment in which the learner meets itself on the other seats.

    Args:
        player: holds the other seats.
        num_players: how many play.
        keywords: see `SeatEnv`; ``game`` names the game, Rummikub by default.
    """
    game = keywords.pop("game", "rummikub")
    opponents = [player] * (num_players - 1)
    return SeatForTianshou(
        gymnasium.make(f"rummi/{game.capitalize()}-v0", opponents=opponents, **keywords)
    )


def make_dqn(
    rules: GameRules,
    num_players: int,
    network: NetworkConfig,
    *,
    explore: float = 0.1,
    learning_rate: float = 1e-3,
) -> tuple[Any, GreedyPlayer]:
    """Returns Tianshou's DQN, which keeps to the masks, and the player for other seats.

    Args:
        rules: the rules.
        num_players: how many play.
        network: what estimates the values of actions.
        explore: share of actions that are drawn from all legal ones.
        learning_rate: of Adam.
    """
    model = QNetwork(rules, num_players, network)
    num_actions = layout_of(rules, num_players).num_actions
    policy = DiscreteQLearningPolicy(
        model=model,
        action_space=spaces.Discrete(num_actions),
        eps_training=explore,
        eps_inference=0.0,
    )
    dqn = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=learning_rate),
        gamma=1.0,
        target_update_freq=200,
    )
    return dqn, GreedyPlayer(model, explore)


def make_collector(
    dqn: Any,
    player: GreedyPlayer,
    num_envs: int,
    *,
    seed: int,
    size: int = 10_000,
    **keywords: Any,
) -> Any:
    """Returns Tianshou's collector over environments of `make_env`, which it resets.

    Args:
        dqn: what `make_dqn` returns, and the player beside it.
        player: holds the other seats.
        num_envs: environments side by side.
        seed: of all chance in them.
        size: transitions that its buffer keeps.
        keywords: see `make_env`.
    """
    envs = DummyVectorEnv(
        [lambda: make_env(player, **keywords) for _ in range(num_envs)]
    )
    envs.seed(seed)
    buffer = VectorReplayBuffer(size, num_envs)
    collector = Collector(dqn, envs, buffer, exploration_noise=True)
    collector.reset()
    return collector


def collect(dqn: Any, collector: Any, steps: int) -> None:
    """Lets the learner play so many decisions, exploring.

    Outside of what Tianshou calls a training step it would not explore, and a network
    that has learned nothing does the same for ever.
    """
    with policy_within_training_step(dqn.policy):
        collector.collect(n_step=steps)


def learn(dqn: Any, collector: Any, batch_size: int) -> float:
    """Learns once from transitions that were collected; returns the loss."""
    with policy_within_training_step(dqn.policy):
        told = dqn.update(buffer=collector.buffer, sample_size=batch_size)
    return float(told.loss)


def _with_mask(seen: Any, info: dict[str, Any]) -> dict[str, Any]:
    return {"obs": seen, "mask": info["action_mask"]}
