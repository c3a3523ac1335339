"""Networks over flat observations; importing this needs torch.

Kinds: ``mlp`` takes the observation as it is. ``by_color`` runs the same layers
over the tiles of every color, beside sums over the colors; so it plays alike whichever
way the colors are exchanged, as it should in a game that is the same then;
``by_card`` is in `card_network`, ``by_form`` in `form_network`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from rummi_agents.form_network import FormActor, FormCritic
from rummi_agents.policy_files import Arrays, NetworkConfig
from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import NUM_COLORS, NUM_COUNTS, NUM_KINDS, NUM_NUMBERS
from rummi_env.envs.game import game_named
from rummi_env.games.rummikub.choices import NUM_CHOICES
from rummi_env.observation import Field, fields, size_of
from rummi_env.observation.rummy.outlook import Outlook
from rummi_env.observation.tabla.prospects import Prospecting

Network = TypeVar("Network", bound=nn.Module)
Rules = TypeVar("Rules", RummyRules, TablaRules)

HIDDEN_GAIN = 2**0.5
"""Gain of orthogonal weights before a rectifier, as stable-baselines has it."""

POLICY_GAIN = 0.01
"""Gain of the last layer of an actor: at first all legal actions are nearly alike."""


class Layout(NamedTuple):
    """How a flat observation and the actions are made up.

    Attributes:
        size: values of what is seen; some may be in none of the places below.
        planes: int64[P, 52]; where the counts of the numbered kinds lie, one row for
            the rack, one for the table and so on.
        rest: int64[R]; where everything else lies that the network uses, jokers too.
        num_actions: how many actions there are.
        action_planes: int64[Q, 52]; where the actions lie that stand for the numbered
            kinds, one row for playing them, one for naming jokers as them and so on.
        other_actions: int64[O]; where all other actions lie.
        rules: the rules of the game.
        num_players: how many play.
    """

    size: int
    planes: torch.Tensor
    rest: torch.Tensor
    num_actions: int
    action_planes: torch.Tensor
    other_actions: torch.Tensor
    rules: GameRules
    num_players: int


def layout_of(
    rules: GameRules,
    num_players: int,
    chooses: str = "actions",
    *,
    hidden: bool = False,
) -> Layout:
    """Returns the layout of what a network sees and of what it chooses from.

    Args:
        rules: of the game.
        num_players: how many play.
        chooses: see `NetworkConfig.chooses`.
        hidden: whether it sees what is hidden as well, which comes last; for critics.

    Raises:
        ValueError: whole turns cannot be chosen under these rules.
    """
    if chooses != "actions":
        return _turn_layout(rules, num_players, chooses == "turns", hidden)
    seeing = game_named(rules.GAME).seeing
    parts = (seeing.state_fields if hidden else seeing.fields)(rules, num_players)
    acts = [list(range(at, at + NUM_KINDS)) for at in seeing.action_planes(rules)]
    seats = (rules, num_players)
    return _layout(parts, parts, seeing.num_actions(rules), acts, *seats)


def _turn_layout(
    rules: GameRules, num_players: int, seen: bool, hidden: bool
) -> Layout:
    from rummi_env.envs.turn_choices import check_choices
    from rummi_env.observation.choices import choice_fields, choice_state_fields

    if not isinstance(rules, RuleSet):
        raise ValueError(f"whole turns can be chosen in rummikub, not in {rules.GAME}")
    check_choices(rules, num_players)
    parts = (choice_state_fields if hidden else choice_fields)(rules, num_players)
    unseen: set[str] = set()
    if not seen:
        unseen = choice_fields(rules, num_players).keys() - fields(rules, num_players)
    used = {name: part for name, part in parts.items() if name not in unseen}
    return _layout(used, parts, NUM_CHOICES, [], rules, num_players)


def _layout(
    used: Mapping[str, Field],
    parts: Mapping[str, Field],
    num_actions: int,
    acts: list[list[int]],
    rules: GameRules,
    num_players: int,
) -> Layout:
    """Returns a layout.

    Args:
        used: fields that the network uses.
        parts: all fields that it is given.
        num_actions: how many actions there are.
        acts: where those lie that stand for the numbered kinds.
        rules: the rules of the game.
        num_players: how many play.
    """
    planes: list[list[int]] = []
    for part in used.values():
        width = part.shape[-1]
        if width in (NUM_KINDS, NUM_COUNTS):
            starts = range(part.start, part.slice.stop, width)
            planes += [list(range(start, start + NUM_KINDS)) for start in starts]
    places = [at for part in used.values() for at in range(part.start, part.slice.stop)]
    return Layout(
        size=size_of(parts.values()),
        planes=torch.tensor(planes),
        rest=torch.tensor(_others(places, planes)),
        num_actions=num_actions,
        action_planes=torch.tensor(acts, dtype=torch.int64).view(-1, NUM_KINDS),
        other_actions=torch.tensor(_others(range(num_actions), acts)),
        rules=rules,
        num_players=num_players,
    )


def _others(places: Iterable[int], planes: list[list[int]]) -> list[int]:
    """Returns the places that are in no plane."""
    taken = {index for plane in planes for index in plane}
    return [index for index in places if index not in taken]


def actor(config: NetworkConfig, layout: Layout) -> nn.Module:
    """Makes a network from observations [B, S] to logits [B, num_actions].

    Raises:
        ValueError: the network is one for values of whole turns.
    """
    if config.kind == "turn_values":
        raise ValueError("network.kind 'turn_values' values turns and has no actions")
    if config.kind == "mlp":
        return Plain(config.hidden, layout, layout.num_actions, POLICY_GAIN)
    if config.kind == "by_card":
        from rummi_agents.card_network import CardActor

        return CardActor(config.hidden, layout)
    if config.kind == "by_form":
        return FormActor(
            config.hidden, _rules(config, layout.rules, TablaRules), layout.num_players
        )
    return ColorActor(config.hidden, layout)


def critic(config: NetworkConfig, layout: Layout) -> nn.Module:
    """Makes a network from observations [B, S] to values [B, 1]."""
    if config.kind == "mlp":
        return Plain(config.hidden, layout, 1, 1.0)
    if config.kind == "by_card":
        from rummi_agents.card_network import CardCritic

        return CardCritic(config.hidden, layout)
    if config.kind == "by_form":
        return FormCritic(
            config.hidden, _rules(config, layout.rules, TablaRules), layout.num_players
        )
    return ColorCritic(config.hidden, layout)


def prefer(network: nn.Module, layout: Layout, start: Sequence[float]) -> None:
    """Adds to the logits of an untrained actor, so that it begins with preferences.

    Args:
        network: the actor.
        layout: its layout.
        start: what is added for each of ``layout.other_actions``, in their order.

    Raises:
        ValueError: there is not a number for each of them.
    """
    wanted = len(layout.other_actions)
    if len(start) != wanted:
        raise ValueError(
            f"start must be {wanted} numbers, one for each action that stands for no "
            f"kind, not {len(start)}"
        )
    more = torch.tensor(start, dtype=torch.float32)
    with torch.no_grad():
        if isinstance(network, ColorActor):
            network.others.bias.add_(more)
        else:
            assert isinstance(network, Plain)
            last = network[-1]
            assert isinstance(last, nn.Linear)
            last.bias[layout.other_actions] += more


class AddedInputs(Protocol):
    """What a network is given besides observations."""

    size: int
    """Values that are put behind an observation."""

    def __call__(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.generic]
    ) -> npt.NDArray[np.float32]:
        """Returns them for observations [N, S] and masks [N, actions], [N, size]."""


def added_inputs(
    config: NetworkConfig, rules: GameRules, num_players: int
) -> AddedInputs | None:
    """Returns what a network is given besides observations, None for nothing.

    Raises:
        ValueError: the network is for another game.
    """
    if config.kind == "by_form":
        return Prospecting(_rules(config, rules, TablaRules), num_players)
    if config.kind == "by_card":
        return Outlook(_rules(config, rules, RummyRules), num_players)
    return None


def _rules(config: NetworkConfig, rules: GameRules, wanted: type[Rules]) -> Rules:
    """Refuses the rules of other games than a network is for.

    Raises:
        ValueError: they are of another game.
    """
    if not isinstance(rules, wanted):
        raise ValueError(
            f"network.kind {config.kind!r} is for the game {wanted.GAME}, not "
            f"{rules.GAME}"
        )
    return rules


def with_weights(
    network: Network, weights: Arrays, name: str, device: str
) -> tuple[Network, torch.device]:
    """Fills in the weights of a network that will learn no more.

    Args:
        network: the network.
        weights: by name, as the network names them.
        name: of the player, for messages.
        device: where it computes, in the words of torch.

    Returns:
        The network, on the device; the device.

    Raises:
        ValueError: the weights do not fit the network, or there is no such device.
    """
    try:
        network.load_state_dict({k: torch.from_numpy(v) for k, v in weights.items()})
    except (RuntimeError, TypeError) as error:
        raise ValueError(
            f"the weights of {name} do not fit the network that they come with"
        ) from error
    place = device_named(device)
    return network.to(place).eval(), place


def device_named(name: str) -> torch.device:
    """Returns a device of torch.

    Args:
        name: in the words of torch.

    Raises:
        ValueError: there is no such device here.
    """
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"there is no device {name!r} for torch here") from error
    return device


class Plain(nn.Sequential):
    """Fully connected layers."""

    places: torch.Tensor

    def __init__(
        self, hidden: tuple[int, ...], layout: Layout, outputs: int, gain: float
    ) -> None:
        places = torch.cat([layout.planes.flatten(), layout.rest]).sort().values
        layers: list[nn.Module] = []
        for before, after in pairwise((len(places), *hidden)):
            layers += [linear(before, after, HIDDEN_GAIN), nn.ReLU()]
        super().__init__(*layers, linear(hidden[-1], outputs, gain))
        self.register_buffer("places", places, persistent=False)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Maps what is seen [B, S] to [B, outputs]."""
        mapped: torch.Tensor = super().forward(  # type: ignore[no-untyped-call]
            observation[:, self.places]
        )
        return mapped


class ColorLayers(nn.Module):
    """Layers shared by the colors.

    Every layer maps the values of each color, and by another matrix the mean over the
    colors; the first one, instead of the mean, all that belongs to no color and the
    sums over the colors.
    """

    planes: torch.Tensor
    rest: torch.Tensor

    def __init__(self, hidden: tuple[int, ...], layout: Layout) -> None:
        super().__init__()
        self.register_buffer("planes", layout.planes, persistent=False)
        self.register_buffer("rest", layout.rest, persistent=False)
        by_color = len(layout.planes) * NUM_NUMBERS
        shared = by_color + len(layout.rest)
        self.own = nn.ModuleList(
            linear(before, after, HIDDEN_GAIN, bias=False)
            for before, after in pairwise((by_color, *hidden))
        )
        self.shared = nn.ModuleList(
            linear(before, after, HIDDEN_GAIN)
            for before, after in pairwise((shared, *hidden))
        )

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Maps observations [B, S] to the last layer of each color, [B, 4, H]."""
        batch = observation.shape[0]
        planes = observation[:, self.planes.flatten()]
        tiles = planes.view(batch, -1, NUM_COLORS, NUM_NUMBERS)
        colors = tiles.transpose(1, 2).flatten(2)
        sums = tiles.sum(2).flatten(1)
        common = torch.cat([sums, observation[:, self.rest]], 1)
        for own, shared in zip(self.own, self.shared, strict=True):
            colors = torch.relu(own(colors) + shared(common).unsqueeze(1))
            common = colors.mean(1)
        return colors


class ColorActor(nn.Module):
    """Logits from layers shared by the colors."""

    order: torch.Tensor
    others: nn.Linear

    def __init__(self, hidden: tuple[int, ...], layout: Layout) -> None:
        super().__init__()
        planes, others = layout.action_planes, layout.other_actions
        # Where each action lies when those of the planes are followed by the others.
        order = torch.cat([planes.flatten(), others]).argsort()
        self.register_buffer("order", order, persistent=False)
        self.layers = ColorLayers(hidden, layout)
        self.tiles = _rows(hidden[-1], len(planes) * NUM_NUMBERS)
        self.others = linear(hidden[-1], len(others), POLICY_GAIN)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Maps observations [B, S] to logits [B, num_actions]."""
        colors = self.layers(observation)
        batch = observation.shape[0]
        others: torch.Tensor = self.others(colors.mean(1))
        if not isinstance(self.tiles, nn.Linear):
            return others[:, self.order]
        tiles = self.tiles(colors).view(batch, NUM_COLORS, -1, NUM_NUMBERS)
        tiles = tiles.transpose(1, 2).flatten(1)
        return torch.cat([tiles, others], 1)[:, self.order]


class ColorCritic(nn.Module):
    """A value from layers shared by the colors."""

    def __init__(self, hidden: tuple[int, ...], layout: Layout) -> None:
        super().__init__()
        self.layers = ColorLayers(hidden, layout)
        self.value = linear(hidden[-1], 1, 1.0)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Maps observations [B, S] to values [B, 1]."""
        value: torch.Tensor = self.value(self.layers(observation).mean(1))
        return value


def _rows(inputs: int, outputs: int) -> nn.Module:
    """Returns the layer of the actions that stand for kinds, if there are some."""
    return linear(inputs, outputs, POLICY_GAIN) if outputs else nn.Identity()


def linear(inputs: int, outputs: int, gain: float, bias: bool = True) -> nn.Linear:
    """Makes a layer with orthogonal weights of some gain, and without a bias yet."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.orthogonal_(layer.weight, gain)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer
