"""The two files of a trained policy: its description and its weights.

``policy.json`` says for which rules and number of players it was trained and what the
network looks like, ``policy.safetensors`` holds the weights. Reading them executes
nothing: JSON and safetensors hold data only, and every value is checked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.core.tabla_rules import TablaRules

RULES: Mapping[str, type[GameRules]] = {
    made.GAME: made for made in (RuleSet, RummyRules, TablaRules)
}
"""Classes of rules by the names of their games."""

FORMAT = 1
"""Counts up with every change of what the files hold."""

DESCRIPTION_FILE = "policy.json"
WEIGHTS_FILE = "policy.safetensors"

KINDS = ("mlp", "by_color", "turn_values", "by_card", "by_form")
CHOOSES = ("actions", "turns", "turns_unseen")
MAX_LAYERS = 8
MAX_WIDTH = 4096

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class NetworkConfig:
    """What a network looks like."""

    kind: Literal["mlp", "by_color", "turn_values", "by_card", "by_form"] = "by_color"
    """``mlp``: fully connected. ``by_color``: layers shared by the four colors.
    ``turn_values``: values of whole turns, see `turn_values.TurnValues`. ``by_card``:
    Rummy alone, with what racks can become, see `card_network`. ``by_form``: Rummy pe
    tabla alone, from distances to forms, see `form_network`."""

    hidden: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers; with ``by_color`` those of each color."""

    chooses: Literal["actions", "turns", "turns_unseen"] = "actions"
    """What an actor chooses. ``turns``: Rummikub only, one of a few whole turns, which
    it sees (see `rummi_env.games.rummikub.choices`). ``turns_unseen``: the same, but it
    sees no more than an observation, to tell what seeing them is worth."""

    def __post_init__(self) -> None:
        """Refuses networks that cannot be built.

        Raises:
            ValueError: there is no such kind, or a width is impossible.
        """
        if self.kind not in KINDS:
            allowed = ", ".join(map(repr, KINDS))
            raise ValueError(f"kind must be one of {allowed}, not {self.kind!r}")
        if self.chooses not in CHOOSES:
            allowed = ", ".join(map(repr, CHOOSES))
            raise ValueError(f"chooses must be one of {allowed}, not {self.chooses!r}")
        widths: object = self.hidden
        if not (isinstance(widths, tuple) and 1 <= len(widths) <= MAX_LAYERS):
            raise ValueError(
                f"hidden must be 1 to {MAX_LAYERS} widths of layers, not {widths!r}"
            )
        for width in widths:
            if type(width) is not int or not 1 <= width <= MAX_WIDTH:
                raise ValueError(
                    f"hidden must have widths from 1 to {MAX_WIDTH}, not {width!r}"
                )


@dataclass(frozen=True)
class PolicyDescription:
    """What a policy was trained for, and its network."""

    rules: GameRules
    """The rules it was trained under, which say which game."""

    num_players: int
    """How many played."""

    network: NetworkConfig
    """The network that chooses."""

    training: Mapping[str, Any] = field(default_factory=dict)
    """For people: how it came about."""

    fewest_players: int | None = None
    """With fewer than ``num_players``, down to so many, it plays as if the others were
    there and had nothing; None: it plays with ``num_players`` only."""

    def __post_init__(self) -> None:
        """Refuses numbers of players that the rules do not allow.

        Raises:
            ValueError: the rules do not go with them.
        """
        for number in (self.num_players, *self.players):
            self.rules.check_players(number)
        if not self.players:
            raise ValueError(
                f"fewest_players must not exceed the {self.num_players} players, but "
                f"is {self.fewest_players}"
            )

    @property
    def players(self) -> range:
        """Numbers of players that it plays with."""
        fewest = self.fewest_players
        first = self.num_players if fewest is None else fewest
        return range(first, self.num_players + 1)


def write_policy(folder: Path, description: PolicyDescription, weights: Arrays) -> None:
    """Writes both files into a folder that exists."""
    from safetensors.numpy import save

    data = save({name: np.ascontiguousarray(value) for name, value in weights.items()})
    (folder / WEIGHTS_FILE).write_bytes(data)
    text = json.dumps(
        {
            "format": FORMAT,
            "game": description.rules.GAME,
            "rules": description.rules.to_dict(),
            "num_players": description.num_players,
            "fewest_players": description.fewest_players,
            "network": asdict(description.network),
            "weights_sha256": hashlib.sha256(data).hexdigest(),
            "training": dict(description.training),
        },
        indent=2,
    )
    (folder / DESCRIPTION_FILE).write_text(text + "\n", encoding="utf-8")


def read_policy(folder: Path) -> tuple[PolicyDescription, Arrays]:
    """Reads both files of a folder.

    Raises:
        ValueError: one is missing, damaged or of another format; the sentence names it.
    """
    described = read_json(folder / DESCRIPTION_FILE)
    path = folder / WEIGHTS_FILE
    if described.get("format") != FORMAT:
        raise ValueError(
            f"{folder / DESCRIPTION_FILE} has format {described.get('format')!r}, this "
            f"package reads format {FORMAT}"
        )
    try:
        network = dict(described["network"])
        description = PolicyDescription(
            # Policies written before there was a second game do not name theirs.
            rules=RULES[described.get("game", RuleSet.GAME)].from_dict(
                described["rules"]
            ),
            num_players=described["num_players"],
            network=NetworkConfig(
                network["kind"],
                tuple(network["hidden"]),
                network.get("chooses", "actions"),
            ),
            training=dict(described["training"]),
            # Absent from policies that were written when there was no such thing.
            fewest_players=described.get("fewest_players"),
        )
        expected = described["weights_sha256"]
    except (KeyError, TypeError, ValueError) as error:
        what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(
            f"{folder / DESCRIPTION_FILE} describes no policy: {what}"
        ) from error
    return description, read_arrays(path, expected)


def read_json(path: Path) -> dict[str, Any]:
    """Reads a JSON object.

    Raises:
        ValueError: the file is missing or no JSON object.
    """
    try:
        value = json.loads(_content(path))
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
            raise ValueError(f"{path} is damaged: it is no JSON") from error
        raise
    if not isinstance(value, dict):
        raise ValueError(f"{path} is damaged: it is no JSON object")
    return value


def read_arrays(path: Path, sha256: object) -> Arrays:
    """Reads the arrays of a safetensors file.

    Args:
        path: the file.
        sha256: what its content must hash to, in hexadecimal digits.

    Raises:
        ValueError: the file is missing or damaged, or safetensors is not installed.
    """
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load
    except ImportError as error:
        raise ValueError(
            "trained agents need the extra 'train': pip install 'rummi-env[train]'"
        ) from error
    data = _content(path)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ValueError(
            f"{path} is damaged: its checksum is not the one written beside it"
        )
    try:
        return load(data)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is damaged: it holds no weights") from error


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
