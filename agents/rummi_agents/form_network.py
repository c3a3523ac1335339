"""The networks of Rummy pe tabla over what racks can become; importing needs torch.

They take an observation followed by what `rummi_env.observation.tabla.Prospecting`
finds. Every form a rack can go for has a worth: what it pays, less something for every
tile that is missing and more for each that helps, all of which is learned. What a rack
is worth is what its forms are worth together; that of the rack after a discard, times a
temperature, is the start of the discard's logit, so a network that has learned nothing
plays like a scripted player. Layers over all distances add to it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from rummi_env.core.form_points import points_of
from rummi_env.core.forms import FORMS
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import NUM_COUNTS, NUM_NUMBERS
from rummi_env.games.tabla.state import (
    DRAW_POOL,
    num_actions,
)
from rummi_env.observation import size_of
from rummi_env.observation.tabla import fields
from rummi_env.observation.tabla.prospects import (
    ABOUT_KIND,
    NUM_FORMS,
    RACK_VALUES,
    SIZE,
    SLOT_VALUES,
    SLOTS,
)

DISTANCES = 8
"""Distances told apart: 0 to 6, and all beyond."""

SHARES = 4
"""Distances up to this, from 1, for which it matters how many tiles help."""

PER_FORM = DISTANCES + SHARES

NEVER = -1e4
"""Logit of what no slot stands for; the mask has it anyway."""

LEAST_PAY = 1e-4
LAST_GAIN = 0.01

TEMPERATURE = 7.0
PER_EXCHANGE = 4.0
SHARE_WEIGHT = 2.0
CLOSE_BONUS = 10.0
POOL_BONUS = 0.3
KEEP_DOUBLES = 3.0
"""What the learned numbers are at first."""


class Read(NamedTuple):
    """What `FormLayers` reads."""

    rack: torch.Tensor
    """[B, H]; what the last layer says of the rack."""
    slots: torch.Tensor
    """[B, 15, H]; what it says of each kind of the rack."""
    kinds: torch.Tensor
    """int64[B, 15]; the kinds, -1 where there is none."""
    points: torch.Tensor
    """[B, 15]; what throwing each to close pays, by the best form."""
    now: torch.Tensor
    """[B]; logarithm of the worth of the rack."""
    with_row: torch.Tensor
    """[B]; the same with the last discard."""
    after: torch.Tensor
    """[B, 15]; the same without each kind."""

    def by_kind(self, logits: torch.Tensor) -> torch.Tensor:
        """Puts logits of the rack's kinds, [B, 15], in the places of kinds, [B, 53]."""
        places = torch.where(self.kinds < 0, NUM_COUNTS, self.kinds)
        out = logits.new_full((len(logits), NUM_COUNTS + 1), NEVER)
        return out.scatter(1, places, logits)[:, :NUM_COUNTS]


class FormLayers(nn.Module):
    """Reads observations: worths of racks, and layers over the forms.

    Args:
        hidden: widths of the layers.
        rules: the rules.
        num_players: how many play.
    """

    rest: torch.Tensor
    pays: torch.Tensor

    def __init__(
        self, hidden: tuple[int, ...], rules: TablaRules, num_players: int
    ) -> None:
        super().__init__()
        parts = fields(rules, num_players)
        self.seen = size_of(parts.values())
        planes = {
            index
            for part in parts.values()
            if part.shape[-1] == NUM_COUNTS
            for index in range(part.start, part.slice.stop)
        }
        rest = [index for index in range(self.seen) if index not in planes]
        self.register_buffer("rest", torch.tensor(rest), persistent=False)
        unit = max(max(points_of(form, rules.points)) for form in rules.enabled)
        pays = [
            np.log(points_of(form, rules.points)[0] / unit)
            if rules.plays(form.name)
            else NEVER
            for form in FORMS
        ]
        self.register_buffer(
            "pays", torch.tensor(pays, dtype=torch.float32), persistent=False
        )
        per_exchange = -np.log(PER_EXCHANGE) * np.arange(DISTANCES)
        self.missing = nn.Parameter(torch.tensor(per_exchange, dtype=torch.float32))
        self.helping = nn.Parameter(torch.full((SHARES,), SHARE_WEIGHT))
        about_kind = len(ABOUT_KIND) - 1 + NUM_NUMBERS
        self.rack = _layers(NUM_FORMS * (PER_FORM + 1) + len(rest), hidden)
        self.kinds = _layers(NUM_FORMS * PER_FORM + about_kind + len(rest), hidden)

    def worths(self, coded: torch.Tensor) -> torch.Tensor:
        """Maps forms as `_code` has them, [..., 28, 12], to worths of racks, [...]."""
        each = coded[..., :DISTANCES] @ self.missing
        each = each + coded[..., DISTANCES:] @ self.helping
        return torch.logsumexp(each + self.pays, -1)

    def forward(self, inputs: torch.Tensor) -> Read:
        """Reads observations [B, S].

        Raises:
            ValueError: what racks can become does not follow the observations.
        """
        batch = len(inputs)
        if inputs.shape[1] != self.seen + SIZE:
            raise ValueError(
                f"network.kind 'by_form' takes {self.seen} values of an observation "
                f"and {SIZE} of Prospecting, not {inputs.shape[1]} together"
            )
        rest = inputs[:, self.rest]
        found = inputs[:, self.seen :]
        distances, shares, row = (
            found[:, :RACK_VALUES].view(batch, 3, NUM_FORMS).unbind(1)
        )
        now = _code(distances, shares)
        with_row = _code(distances - row, shares * (1 - row))
        rack = self.rack(torch.cat([now.flatten(1), row, rest], 1))
        slots = found[:, RACK_VALUES:].view(batch, SLOTS, SLOT_VALUES)
        kinds = slots[..., 0].long()
        about = slots[..., 1 : len(ABOUT_KIND)]
        forms = slots[..., len(ABOUT_KIND) :].view(batch, SLOTS, 2, NUM_FORMS)
        after = _code(forms[:, :, 0], forms[:, :, 1])
        numbers = nn.functional.one_hot(kinds.clamp(0) % NUM_NUMBERS, NUM_NUMBERS)
        each = torch.cat(
            [
                after.flatten(2),
                about,
                numbers.to(about.dtype),
                rest.unsqueeze(1).expand(-1, SLOTS, -1),
            ],
            2,
        )
        return Read(
            rack=rack,
            kinds=kinds,
            points=about[..., 0],
            slots=self.kinds(each),
            now=self.worths(now),
            with_row=self.worths(with_row),
            after=self.worths(after),
        )


class FormActor(nn.Module):
    """Logits of all actions."""

    def __init__(
        self, hidden: tuple[int, ...], rules: TablaRules, num_players: int
    ) -> None:
        super().__init__()
        self.declaring = fields(rules, num_players)["phase"].start
        self.layers = FormLayers(hidden, rules, num_players)
        self.temperature = nn.Parameter(torch.full((1,), TEMPERATURE))
        self.close_bonus = nn.Parameter(torch.full((1,), CLOSE_BONUS))
        self.pool_bonus = nn.Parameter(torch.full((1,), POOL_BONUS))
        self.keep_doubles = nn.Parameter(torch.full((1,), KEEP_DOUBLES))
        self.tiles = last_layer(hidden[-1], 3)
        self.others = last_layer(hidden[-1], num_actions(rules) - DRAW_POOL)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Maps observations with what racks can become, [B, S], to logits [B, A]."""
        read = self.layers(inputs)
        now = read.now.unsqueeze(1)
        discard, close, declare = self.tiles(read.slots).unbind(2)
        discard = discard + self.temperature * (read.after - now)
        pays = read.points.clamp(LEAST_PAY).log()
        close = close + self.temperature * (pays - now) + self.close_bonus
        # While doubles are declared a discard's action declares the double.
        declaring = inputs[:, self.declaring : self.declaring + 1] > 0
        first = torch.where(declaring, declare, discard)
        others = self.others(read.rack)
        pool = others[:, :1] + self.temperature * self.pool_bonus
        gain = (read.with_row - read.now).unsqueeze(1)
        row = others[:, 1:2] + self.temperature * gain
        done = others[:, 2:3] + self.keep_doubles
        tiles = [read.by_kind(first), read.by_kind(close)]
        return torch.cat([*tiles, pool, row, done, others[:, 3:]], 1)


class FormCritic(nn.Module):
    """What an observation is worth."""

    def __init__(
        self, hidden: tuple[int, ...], rules: TablaRules, num_players: int
    ) -> None:
        super().__init__()
        self.layers = FormLayers(hidden, rules, num_players)
        self.mixed = nn.Linear(2 * hidden[-1] + 2, hidden[-1])
        self.value = last_layer(hidden[-1], 1)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Maps observations with what racks can become, [B, S], to values [B, 1]."""
        read = self.layers(inputs)
        best = read.slots.amax(1)
        worths = torch.stack([read.now, read.points.amax(1)], 1)
        mixed = torch.relu(self.mixed(torch.cat([read.rack, best, worths], 1)))
        value: torch.Tensor = self.value(mixed)
        return value


def _code(distances: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
    """Maps distances and shares [..., 28] to ones and shares by distance, [..., 12]."""
    at = distances.long().clamp(0, DISTANCES - 1)
    ones = nn.functional.one_hot(at, DISTANCES).to(shares.dtype)
    by_distance = ones[..., 1 : SHARES + 1] * shares.unsqueeze(-1)
    return torch.cat([ones, by_distance], -1)


def _layers(inputs: int, hidden: tuple[int, ...]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for before, after in pairwise((inputs, *hidden)):
        linear = nn.Linear(before, after)
        nn.init.orthogonal_(linear.weight, 2**0.5)
        nn.init.zeros_(linear.bias)
        layers += [linear, nn.ReLU()]
    return nn.Sequential(*layers)


def last_layer(inputs: int, outputs: int) -> nn.Linear:
    """Makes a layer that at first hardly says anything."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, LAST_GAIN)
    nn.init.zeros_(layer.bias)
    return layer
