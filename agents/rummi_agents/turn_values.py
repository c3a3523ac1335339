"""The network that values positions after a whole turn; importing this needs torch."""

from __future__ import annotations

from itertools import pairwise, permutations

import torch
from torch import nn

from rummi_env.core.tiles import NUM_COLORS, NUM_KINDS, NUM_NUMBERS
from rummi_env.games.rummikub.afterstates import NUM_PLANES, features_size

SCORE_SCALE = 30.0
"""Points of the score that a value of 1 stands for."""

DOUBLED_PLANES = 2
"""The first planes, rack and table, have counts up to 2: one input more each says where
there are two."""

ORDERS = tuple(permutations(range(NUM_COLORS)))
"""Orders of the colors; the game is the same in each."""


class TurnValues(nn.Module):
    """Values of positions after a turn, for the player who has made it.

    Args:
        hidden: widths of the layers; between equal ones the input is added.
        num_players: how many play.
    """

    def __init__(self, hidden: tuple[int, ...], num_players: int) -> None:
        super().__init__()
        self.planes = NUM_PLANES + num_players - 1
        inputs = features_size(num_players) + DOUBLED_PLANES * NUM_KINDS
        self.layers = nn.ModuleList(
            nn.Linear(before, after) for before, after in pairwise((inputs, *hidden))
        )
        self.value = nn.Linear(hidden[-1], 1)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Maps descriptions [B, F] to values [B], in units of `SCORE_SCALE`."""
        counts = features[:, : DOUBLED_PLANES * NUM_KINDS]
        here = torch.cat([features, (counts == 2).to(features.dtype)], 1)
        for layer in self.layers:
            after = torch.relu(layer(here))
            here = here + after if after.shape == here.shape else after
        value: torch.Tensor = self.value(here)[:, 0]
        return value

    def recolored(self, features: torch.Tensor, order: int) -> torch.Tensor:
        """Returns descriptions [B, F] with the colors in another of the `ORDERS`."""
        width = self.planes * NUM_KINDS
        tiles = features[:, :width].view(-1, self.planes, NUM_COLORS, NUM_NUMBERS)
        mixed = tiles[:, :, list(ORDERS[order])].reshape(len(features), width)
        return torch.cat([mixed, features[:, width:]], 1)
