"""The networks of Rummy over what racks can become; importing this needs torch.

They take an observation followed by what `rummi_env.observation.rummy.Outlook` finds.
Layers shared by the suits read all of it, see `network.ColorLayers`. Beside them runs a
layer that is the same for every card: it reads what is said of the card, its rank and
what belongs to no card, so that what is learned of one card holds for all.
"""

from __future__ import annotations

import torch

from rummi_agents.network import (
    HIDDEN_GAIN,
    POLICY_GAIN,
    ColorActor,
    ColorCritic,
    Layout,
    linear,
)
from rummi_env.core.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS
from rummi_env.observation.rummy.outlook import PLANES, Outlook


def with_outlook(layout: Layout) -> Layout:
    """Returns the layout of observations that are followed by an `Outlook`."""
    size = layout.size + Outlook.size
    planes = layout.size + torch.arange(len(PLANES) * NUM_CARDS).view(-1, NUM_CARDS)
    numbers = torch.arange(layout.size + planes.numel(), size)
    return layout._replace(
        size=size,
        planes=torch.cat([layout.planes, planes]),
        rest=torch.cat([layout.rest, numbers]),
    )


class CardActor(ColorActor):
    """Logits from layers shared by the suits and by the cards.

    Args:
        hidden: widths of the layers for each suit; the layer for each card is half as
            wide as the last one.
        layout: of observations and actions, without the outlook.
    """

    def __init__(self, hidden: tuple[int, ...], layout: Layout) -> None:
        super().__init__(hidden, with_outlook(layout))
        planes, rest = self.layers.planes, self.layers.rest
        width, outputs = max(1, hidden[-1] // 2), len(layout.action_planes)
        self.about = linear(len(planes) + NUM_RANKS, width, HIDDEN_GAIN)
        self.context = linear(len(rest), width, HIDDEN_GAIN, bias=False)
        self.each = linear(width, outputs, POLICY_GAIN)
        ranks = torch.eye(NUM_RANKS).repeat(NUM_SUITS, 1)
        self.register_buffer("ranks", ranks, persistent=False)

    ranks: torch.Tensor

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Maps observations with outlooks [B, S] to logits [B, num_actions]."""
        logits = super().forward(observation)
        batch = len(observation)
        planes = observation[:, self.layers.planes.flatten()]
        cards = planes.view(batch, -1, NUM_CARDS).transpose(1, 2)
        known = torch.cat([cards, self.ranks.expand(batch, -1, -1)], 2)
        context = self.context(observation[:, self.layers.rest])
        each = self.each(torch.relu(self.about(known) + context.unsqueeze(1)))
        flat = each.transpose(1, 2).flatten(1)
        none = flat.new_zeros(batch, logits.shape[1] - flat.shape[1])
        return logits + torch.cat([flat, none], 1)[:, self.order]


class CardCritic(ColorCritic):
    """A value from layers shared by the suits."""

    def __init__(self, hidden: tuple[int, ...], layout: Layout) -> None:
        super().__init__(hidden, with_outlook(layout))
