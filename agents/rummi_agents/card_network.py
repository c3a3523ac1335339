"""The networks of Rummy over what racks can become; importing this needs torch.

They take an observation followed by what `rummi_env.observation.rummy.Outlook` finds.
Layers shared by the suits read all of it, see `network.ColorLayers`. Beside them runs a
layer that is the same for every card: it reads what is said of the card, its rank and
what belongs to no card, so that what is learned of one card holds for all.

A few weights go straight from the outlook to the actions. They are set so that a
network that has learned nothing plays like `least_deadwood`, only less surely: from
play by chance training does not find out that it pays to hold melds back, as whoever
discards badly is caught with them.
"""

from __future__ import annotations

import torch
from torch import nn

from rummi_agents.network import (
    HIDDEN_GAIN,
    POLICY_GAIN,
    ColorActor,
    ColorCritic,
    Layout,
    linear,
)
from rummi_env.core.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS
from rummi_env.games.rummy.scripted import HOLD
from rummi_env.games.rummy.state import LAY_GROUP, MELD_RUN, NUM_ACTIONS
from rummi_env.observation.rummy.outlook import (
    MOST_LEFT,
    MOST_LOOSE,
    NUMBERS,
    PLANES,
    Outlook,
)

LAYOFF_KINDS = (NUM_ACTIONS - LAY_GROUP) // NUM_CARDS
"""Ways in which a card is laid off; their actions are the last ones."""

EXPECTED_WEIGHT = -7.5
GAIN_WEIGHT = 7.5
"""One and a half for each point."""

MELDED_WEIGHT = -8.0
"""Cards of own melds are not laid off on others."""

LAY_WEIGHT = 10.0
LOOSE_OUT = 2
"""With fewer loose cards than this laying all goes out."""


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

    ranks: torch.Tensor

    def __init__(self, hidden: tuple[int, ...], layout: Layout) -> None:
        super().__init__(hidden, with_outlook(layout))
        self.seen = layout.size
        planes, rest = self.layers.planes, self.layers.rest
        width, outputs = max(1, hidden[-1] // 2), len(layout.action_planes)
        self.about = linear(len(planes) + NUM_RANKS, width, HIDDEN_GAIN)
        self.context = linear(len(rest), width, HIDDEN_GAIN, bias=False)
        self.each = linear(width, outputs, POLICY_GAIN)
        ranks = torch.eye(NUM_RANKS).repeat(NUM_SUITS, 1)
        self.register_buffer("ranks", ranks, persistent=False)
        self.discards = nn.Parameter(torch.zeros(len(PLANES)))
        self.layoffs = nn.Parameter(torch.zeros(len(PLANES)))
        self.takes = nn.Parameter(torch.tensor([0.0, GAIN_WEIGHT]))
        self.lays = nn.Linear(MOST_LOOSE + MOST_LEFT, 1)
        with torch.no_grad():
            self.discards[PLANES.index("expected")] = EXPECTED_WEIGHT
            self.layoffs[PLANES.index("melded")] = MELDED_WEIGHT
            self.lays.weight.zero_()
            self.lays.weight[:, :LOOSE_OUT] = LAY_WEIGHT
            few = MOST_LOOSE + max(HOLD - layout.num_players, 1)
            self.lays.weight[:, MOST_LOOSE:few] = LAY_WEIGHT
            self.lays.bias.fill_(-LAY_WEIGHT / 2)

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
        logits = logits + torch.cat([flat, none], 1)[:, self.order]
        return logits + self._straight(observation[:, self.seen :])

    def _straight(self, outlook: torch.Tensor) -> torch.Tensor:
        """Maps outlooks to what they add to the logits, [B, num_actions]."""
        batch, end = len(outlook), len(PLANES) * NUM_CARDS
        cards = outlook[:, :end].view(batch, len(PLANES), NUM_CARDS)
        sizes = end + len(NUMBERS)
        draw = outlook.new_zeros(batch, 1)
        take = outlook[:, end:sizes] @ self.takes[:, None]
        discards = self.discards @ cards
        lay = self.lays(outlook[:, sizes:])
        layoffs = lay + (self.layoffs @ cards).repeat(1, LAYOFF_KINDS)
        melds = lay.expand(-1, LAY_GROUP - MELD_RUN)
        return torch.cat([draw, take, discards, melds, layoffs], 1)


class CardCritic(ColorCritic):
    """A value from layers shared by the suits."""

    def __init__(self, hidden: tuple[int, ...], layout: Layout) -> None:
        super().__init__(hidden, with_outlook(layout))
