"""A player that is a trained network."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_agents.padding import padded, places_in
from rummi_agents.policy_files import (
    DESCRIPTION_FILE,
    Arrays,
    PolicyDescription,
    read_policy,
)
from rummi_agents.protocol import Mask, Observation
from rummi_agents.valued import Valued
from rummi_env.envs.game import game_named
from rummi_env.envs.records.game_record import Judgement
from rummi_env.observation import size_of

CHECKPOINTS = "checkpoints"
"""Folder of a run with one folder for each checkpoint, their names in order of age."""


def check_installed() -> None:
    """Refuses to go on without what networks need.

    Raises:
        ValueError: torch or safetensors is not installed.
    """
    if find_spec("torch") is None or find_spec("safetensors") is None:
        raise ValueError(
            "trained agents need the extra 'train': pip install 'rummi-env[train]'"
        )


def load_agent(path: str | Path, device: str = "cpu") -> NeuralAgent | Valued:
    """Loads a trained player; nothing in the files is executed.

    Args:
        path: the folder of a checkpoint, or of a run, whose newest one is taken.
        device: where the network computes, in the words of torch.

    Raises:
        ValueError: there is no checkpoint, it is damaged, or torch is not installed.
    """
    folder = Path(path)
    if not (folder / DESCRIPTION_FILE).exists():
        kept = sorted((folder / CHECKPOINTS).glob(f"*/{DESCRIPTION_FILE}"))
        if not kept:
            raise ValueError(
                f"{folder} is no checkpoint: there is no {DESCRIPTION_FILE} in it, nor "
                f"in the folders of {folder / CHECKPOINTS}"
            )
        folder = kept[-1].parent
    description, weights = read_policy(folder)
    kind: type[NeuralAgent] | type[Valued] = NeuralAgent
    if description.network.kind == "turn_values":
        kind = Valued
    elif description.network.chooses != "actions":
        from rummi_agents.choosing import Choosing

        kind = Choosing
    agent = kind(description, weights, name=Path(path).name, device=device)
    agent.folder = folder
    return agent


class NeuralAgent:
    """Takes the legal action with the highest logit.

    Attributes:
        name: what tables and plots call it.
        games: the game that it was trained for.
        sizes: numbers of values of an observation and of actions that it plays with,
            and for each where the values belong.
        description: what it was trained for.
        folder: the checkpoint that it was loaded from, if it was.
    """

    folder: Path | None = None

    def __init__(
        self,
        description: PolicyDescription,
        weights: Arrays,
        name: str,
        device: str = "cpu",
    ) -> None:
        """Builds the network and fills in the weights.

        Args:
            description: what it was trained for, and its network.
            weights: by name, as `network.actor` names them.
            name: what tables and plots call it.
            device: where the network computes, in the words of torch.

        Raises:
            ValueError: the weights do not fit the network, there is no such device, or
                torch is not installed.
        """
        check_installed()
        import torch

        from rummi_agents import network

        self.name = name
        self.description = description
        rules, players = description.rules, description.num_players
        self.games = (rules.GAME,)
        self._torch: Any = torch
        chooses = description.network.chooses
        net = network.actor(
            description.network, network.layout_of(rules, players, chooses)
        )
        self._network, self._device = network.with_weights(net, weights, name, device)
        self._added = network.added_inputs(description.network, rules, players)
        seeing = game_named(rules.GAME).seeing
        many = seeing.fields(rules, players)
        self._size = size_of(many.values())
        actions = seeing.num_actions(rules)
        self.sizes: dict[tuple[int, int], npt.NDArray[np.int64]] = {}
        for number in description.players:
            places = places_in(seeing.fields(rules, number), many)
            self.sizes[len(places), actions] = places

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: Any,
        rng: np.random.Generator,
    ) -> int:
        """Chooses the legal action with the highest logit.

        Raises:
            ValueError: the game is of another size than the one it was trained for.
        """
        masks = np.asarray(mask, np.int8)[None]
        return int(self.act_batch(observation[None], masks, rng)[0])

    def judge(self, observation: Observation, mask: Mask) -> Judgement:
        """Returns how likely its policy takes each legal action, before the choice.

        It was trained to draw its actions from these probabilities; in play it takes
        the likeliest. There is no value: what estimated it in
        training is no part of the player.

        Raises:
            ValueError: the game is of another size than the one it was trained for.
        """
        masks = np.asarray(mask, np.int8)[None]
        logits = self._preferences(observation[None], masks)[0].astype(np.float64)
        shares = np.exp(logits - logits.max())
        return Judgement.of(shares / shares.sum())

    def act_batch(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """Chooses for every game the legal action with the highest logit.

        Args:
            observations: float32[games, S]; of the seat to move.
            masks: int8[games, actions]; which actions are legal.
            rng: has no effect.

        Raises:
            ValueError: the games are of another size than those it was trained for.
        """
        chosen: npt.NDArray[np.int64] = self._preferences(observations, masks).argmax(1)
        return chosen

    def _preferences(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        """Returns the logits of actions, [games, actions], -inf where illegal."""
        seen = self._fitted(observations, masks)
        if self._added is not None:
            seen = np.concatenate([seen, self._added(seen, masks)], axis=1)
        preferences: npt.NDArray[np.float32] = np.where(
            masks.astype(np.bool_), self._logits(seen), -np.inf
        )
        return preferences

    def _logits(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        torch = self._torch
        with torch.inference_mode():
            batch = torch.from_numpy(observations).to(self._device)
            logits: npt.NDArray[np.float32] = self._network(batch).cpu().numpy()
        return logits

    def _fitted(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        """Returns observations of the size that it was trained for.

        Raises:
            ValueError: the games are of a size that it does not play.
        """
        values, actions = observations.shape[1], masks.shape[1]
        self.check_sizes(values, actions)
        if values == self._size:
            return observations
        return padded(observations, self.sizes[values, actions], self._size)

    def check_sizes(self, values: int, actions: int) -> None:
        """Refuses games of a size that it does not play.

        Args:
            values: of an observation.
            actions: of a mask.

        Raises:
            ValueError: it was not trained for such games; it says for which.
        """
        if (values, actions) in self.sizes:
            return
        wanted = self.description
        most = wanted.num_players
        players = f"{most}" if len(self.sizes) == 1 else f"{wanted.players[0]}-{most}"
        taken = " or ".join(f"{size} values" for size, _ in self.sizes)
        raise ValueError(
            f"{self.name} was trained for {players} players under "
            f"{wanted.rules}: it takes {taken} and "
            f"{next(iter(self.sizes))[1]} actions, not {values} and {actions}"
        )
