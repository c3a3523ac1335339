"""The policy of RLlib: our networks, with the illegal actions masked."""

from __future__ import annotations

from typing import Any

import torch

from rummi_agents.network import actor, critic, layout_of
from rummi_agents.policy_files import NetworkConfig
from rummi_training.interop.absent import MissingFramework

try:
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
except ImportError as error:
    raise MissingFramework("RLlib") from error

NEVER = -1e8
"""Logit of an illegal action: its probability is 0, and nothing becomes infinite."""


class MaskedModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):  # type: ignore[misc]
    """Actor and critic over a dict of ``observation`` and ``action_mask``.

    ``model_config`` has ``rules``, ``num_players``, and ``network``, the fields of a
    `NetworkConfig`. Processes that only play have no critic.
    """

    def setup(self) -> None:
        """Makes the networks."""
        config = self.model_config
        kind, hidden = config["network"]["kind"], config["network"]["hidden"]
        network = NetworkConfig(kind, tuple(hidden))
        layout = layout_of(config["rules"], config["num_players"])
        self.actor = actor(network, layout)
        self.critic = critic(network, layout)

    def get_non_inference_attributes(self) -> list[str]:
        """Returns what those who only play do without."""
        return ["critic"]

    def _forward(self, batch: dict[str, Any], **keywords: Any) -> dict[str, Any]:
        """Maps observations to logits [B, num_actions], for playing and learning."""
        seen = batch[Columns.OBS]
        logits = self.actor(seen["observation"])
        masked = torch.where(seen["action_mask"].bool(), logits, NEVER)
        return {Columns.ACTION_DIST_INPUTS: masked}

    def compute_values(
        self, batch: dict[str, Any], embeddings: Any = None
    ) -> torch.Tensor:
        """Maps observations to values [B]."""
        values: torch.Tensor = self.critic(batch[Columns.OBS]["observation"])
        return values.squeeze(-1)
