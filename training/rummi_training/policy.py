"""The policy of MaskablePPO on the networks of `rummi_agents.network`."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import nn

from rummi_agents.network import Layout, actor, critic
from rummi_agents.policy_files import NetworkConfig


class ActorCritic(nn.Module):
    """Actor and critic side by side, in the shape that stable-baselines expects."""

    latent_dim_vf = 1

    def __init__(self, network: NetworkConfig, seen: Layout, judged: Layout) -> None:
        super().__init__()
        self.latent_dim_pi = seen.num_actions
        self.actor = actor(network, seen)
        self.critic = critic(network, judged)

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Maps observations [B, S] to logits [B, num_actions] and values [B, 1]."""
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Maps observations [B, S] to logits [B, num_actions]."""
        logits: torch.Tensor = self.actor(features)
        return logits

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Maps observations [B, S] to values [B, 1]."""
        values: torch.Tensor = self.critic(features)
        return values


class Policy(MaskableActorCriticPolicy):
    """Masked actor-critic policy.

    Args:
        network: of the actor, and of the critic as well.
        seen: layout of what the actor sees.
        judged: layout of what the critic sees, which begins with that.
    """

    def __init__(
        self,
        *args: Any,
        network: NetworkConfig,
        seen: Layout,
        judged: Layout,
        **keywords: Any,
    ) -> None:
        # The base class builds the networks as it is initialised.
        self._network = network
        self._seen, self._judged = seen, judged
        super().__init__(*args, **keywords)

    def _build(self, lr_schedule: Schedule) -> None:
        networks = ActorCritic(self._network, self._seen, self._judged)
        self.networks = networks
        self.mlp_extractor = networks  # type: ignore[assignment]
        self.action_net = nn.Identity()
        self.value_net = nn.Identity()  # type: ignore[assignment]
        self.optimizer = self.optimizer_class(
            networks.parameters(),
            lr=lr_schedule(1),  # type: ignore[call-arg]
            **self.optimizer_kwargs,
        )

    def forget_steps(self) -> None:
        """Makes the optimiser anew, for another kind of loss."""
        self.optimizer = self.optimizer_class(
            self.networks.parameters(),
            lr=self.optimizer.param_groups[0]["lr"],  # type: ignore[call-arg]
            **self.optimizer_kwargs,
        )
