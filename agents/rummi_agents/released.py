"""Trained players that come with the package, by name.

Their policies lie in ``weights/<game>/<name>/<players>/``, one folder for each number
of players that they were trained for: the two files of every policy (`policy_files`)
and ``README.md``, their model card. A folder that is added is found by itself; a new
name needs a class here and an entry point.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummi_agents.neural import NeuralAgent, check_installed, load_agent
from rummi_agents.policy_files import DESCRIPTION_FILE
from rummi_agents.protocol import Mask, Observation
from rummi_env.envs.records.game_record import Judgement

WEIGHTS = Path(__file__).parent / "weights"
"""Folder of the policies that come with the package."""

CARD_FILE = "README.md"
"""Model card beside a policy."""


@cache
def released() -> Mapping[str, Mapping[str, tuple[Path, ...]]]:
    """Returns the folders of the policies by name of the player and by game."""
    found: dict[str, dict[str, tuple[Path, ...]]] = {}
    for path in sorted(WEIGHTS.glob(f"*/*/*/{DESCRIPTION_FILE}")):
        folder = path.parent
        name, game = folder.parent.name, folder.parents[1].name
        games = found.setdefault(name, {})
        games[game] = (*games.get(game, ()), folder)
    return found


class Released:
    """A trained player of every game that its name was released for.

    Which of its policies plays is told by the sizes of the observation and the mask: so
    one object plays with any number of players that there is a policy for. Weights are
    read when they are first needed.

    Attributes:
        name: what tables and plots call it.
        games: the games that it plays.
    """

    name: str
    games: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Notes the games of a name."""
        super().__init_subclass__(**keywords)
        cls.games = tuple(sorted(cls._by_game()))

    @classmethod
    def _by_game(cls) -> Mapping[str, tuple[Path, ...]]:
        """Returns the folders of its policies by game."""
        return released().get(cls.name, {})

    def __init__(self) -> None:
        """Makes the player.

        Raises:
            ValueError: what networks need is not installed.
        """
        check_installed()
        self._players: dict[tuple[int, int], NeuralAgent] = {}

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where its policies lie, all of them."""
        games = self._by_game()
        return tuple(folder for game in self.games for folder in games[game])

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: Any,
        rng: np.random.Generator,
    ) -> int:
        """Chooses as the policy for these sizes does.

        Raises:
            ValueError: there is no policy for them.
        """
        return self.player(observation.size, len(mask)).act(
            observation, mask, turn, rng
        )

    def act_batch(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """Chooses for every game; see `NeuralAgent.act_batch`.

        Raises:
            ValueError: there is no policy for these sizes.
        """
        player = self.player(observations.shape[1], masks.shape[1])
        return player.act_batch(observations, masks, rng)

    def judge(self, observation: Observation, mask: Mask) -> Judgement:
        """Returns how likely it takes each action; see `NeuralAgent.judge`.

        Raises:
            ValueError: there is no policy for these sizes.
        """
        return self.player(observation.size, len(mask)).judge(observation, mask)

    def player(self, values: int, actions: int) -> NeuralAgent:
        """Returns the player with the policy for observations and masks of these sizes.

        Raises:
            ValueError: there is none.
        """
        sizes = (values, actions)
        if sizes not in self._players:
            self._players[sizes] = self._load(sizes)
        return self._players[sizes]

    def check_sizes(self, values: int, actions: int) -> None:
        """Refuses games of a size that there is no policy for.

        Args:
            values: of an observation.
            actions: of a mask.

        Raises:
            ValueError: there is none; it says what there are.
        """
        self.player(values, actions)

    def _load(self, sizes: tuple[int, int]) -> NeuralAgent:
        played = []
        for folder in self.folders:
            agent = load_agent(folder)
            agent.name = self.name
            if isinstance(agent, NeuralAgent) and sizes in agent.sizes:
                return agent
            told = agent.description
            played.append(f"{told.num_players} players under {told.rules}")
        raise ValueError(
            f"{self.name} has no policy for observations of {sizes[0]} values and "
            f"{sizes[1]} actions: it was trained for {'; for '.join(played)}"
        )


STRONGEST = {("rummikub", "2"): "ppo", ("rummikub", "3-4"): "expert"}
"""The strongest of several names, by game and folder of numbers of players; where there
is none here, the first is."""


class PPO(Released):
    """Learned by PPO alone."""

    name = "ppo"


class Expert(Released):
    """Learned from another player first, then by PPO."""

    name = "expert"


class Best(Released):
    """The strongest of those that were released for a game and number of players."""

    name = "best"

    @classmethod
    def _by_game(cls) -> Mapping[str, tuple[Path, ...]]:
        """Returns the folders of its policies by game."""
        found: dict[tuple[str, str], Path] = {}
        for name in sorted(released()):
            for game, folders in released()[name].items():
                for folder in folders:
                    place = game, folder.name
                    if name == STRONGEST.get(place, name):
                        found.setdefault(place, folder)
        games = sorted({game for game, _ in found})
        return {
            game: tuple(path for (of, _), path in found.items() if of == game)
            for game in games
        }
