"""Whom a learner meets: named players and earlier states of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rummi_agents.choosing import Choosing
from rummi_agents.neural import NeuralAgent
from rummi_agents.policy_files import Arrays, PolicyDescription
from rummi_training.config import TrainConfig

LEAST_WEIGHT = 0.05
"""Even who always loses to the learner is met at times."""

MEMORY = 0.5
"""What results are worth one checkpoint later."""


@dataclass
class Member:
    """Somebody who is met.

    Attributes:
        name: of a named player; of earlier states of the learner the decisions that it
            had made then.
        weights: of an earlier state.
        matches: how many were played against it, recent ones counting more.
        won: the learner's shares in having won them, likewise.
    """

    name: str
    weights: Arrays | None = None
    matches: float = 0.0
    won: float = 0.0

    def weight(self, priority: float) -> float:
        """Returns how gladly it is met: the more, the more often the learner loses."""
        lost = 1.0 - (self.won + 1.0) / (self.matches + 2.0)
        return float(max(lost, LEAST_WEIGHT) ** priority)


class League:
    """Named players and earlier states of the learner.

    All that is decided hangs on the seed of the run, on the decisions made and on what
    `state` returns; so a run that goes on from a checkpoint meets the same opponents.

    Args:
        config: the run.

    Attributes:
        members: who is met; the named players first, then earlier states, oldest first.
    """

    def __init__(self, config: TrainConfig) -> None:
        self._config = config
        self.members = [Member(name) for name in dict.fromkeys(config.opponents)]
        self._tables: list[tuple[Member, ...]] = []

    def draw(self, steps: int) -> list[tuple[Member, ...]]:
        """Returns the opponents of every environment from here on.

        Environments of as many players, and of the same opponents, lie together.

        Args:
            steps: decisions made so far.
        """
        self._tables = _together(self._listed(steps))
        return self._tables

    def _listed(self, steps: int) -> list[tuple[Member, ...]]:
        config, league = self._config, self._config.league
        sizes = [seats(config, index) for index in range(config.num_envs)]
        named = {member.name: member for member in self.members if not member.weights}
        if not league.active:
            pool = [named[name] for name in config.opponents]
            return [
                tuple(pool[(index * size + place) % len(pool)] for place in range(size))
                for index, size in enumerate(sizes)
            ]
        chance = np.random.default_rng([config.seed, steps, len(self.members)])
        earlier = [member for member in self.members if member.weights]
        listed = [named[name] for name in config.opponents]
        # Those of one table sit down in a share of the environments.
        tables = [
            tuple(self._drawn(listed, earlier, chance) for _ in range(max(sizes)))
            for _ in range(min(league.tables, config.num_envs))
        ]
        return [
            tables[index * len(tables) // config.num_envs][:size]
            for index, size in enumerate(sizes)
        ]

    def note(self, index: int, won: float) -> None:
        """Takes note of a match of an environment that is over."""
        for member in self.members:
            if any(member is seated for seated in self._tables[index]):
                member.matches += 1.0
                member.won += won

    def pass_on(self, steps: int, weights: Arrays) -> None:
        """Takes in the present state of the learner; older results count less."""
        for member in self.members:
            member.matches *= MEMORY
            member.won *= MEMORY
        size = self._config.league.snapshots
        if not size:
            return
        copies = {name: value.copy() for name, value in weights.items()}
        self.members.append(Member(str(steps), copies))
        earlier = [place for place, one in enumerate(self.members) if one.weights]
        if len(earlier) > size:
            # The first one stays; of the others the oldest goes.
            del self.members[earlier[min(1, size - 1)]]

    def state(self) -> tuple[list[dict[str, Any]], Arrays]:
        """Returns all that it has to know to go on, for a checkpoint."""
        told, arrays = [], {}
        for place, member in enumerate(self.members):
            told.append(
                {
                    "name": member.name,
                    "matches": member.matches,
                    "won": member.won,
                    "earlier": member.weights is not None,
                }
            )
            for name, value in (member.weights or {}).items():
                arrays[f"{place}.{name}"] = value
        return told, arrays

    def load(self, told: Sequence[dict[str, Any]], arrays: Arrays) -> None:
        """Goes on from what `state` returned."""
        self.members = []
        for place, one in enumerate(told):
            prefix = f"{place}."
            weights = {
                name.removeprefix(prefix): value
                for name, value in arrays.items()
                if name.startswith(prefix)
            }
            self.members.append(
                Member(
                    one["name"],
                    weights if one["earlier"] else None,
                    one["matches"],
                    one["won"],
                )
            )

    def _drawn(
        self,
        listed: Sequence[Member],
        earlier: Sequence[Member],
        chance: np.random.Generator,
    ) -> Member:
        league = self._config.league
        among = earlier if earlier and chance.random() < league.share else listed
        weights = np.array([member.weight(league.priority) for member in among])
        return among[int(chance.choice(len(among), p=weights / weights.sum()))]


def _together(tables: list[tuple[Member, ...]]) -> list[tuple[Member, ...]]:
    """Returns tables in an order in which those that are alike follow each other."""
    sizes = list(dict.fromkeys(map(len, tables)))
    names = [tuple(id(member) for member in table) for table in tables]
    first = {name: names.index(name) for name in names}
    order = sorted(
        range(len(tables)),
        key=lambda place: (sizes.index(len(tables[place])), first[names[place]], place),
    )
    return [tables[place] for place in order]


def seats(config: TrainConfig, index: int) -> int:
    """Returns how many opponents there are in an environment."""
    fewest = config.fewest_players or config.num_players
    span = config.num_players - fewest + 1
    return config.num_players - 1 - index % span


def as_agent(member: Member, description: PolicyDescription) -> NeuralAgent:
    """Returns an earlier state of the learner as a player."""
    assert member.weights is not None
    turns = description.network.chooses != "actions"
    kind = Choosing if turns else NeuralAgent
    return kind(description, member.weights, name=f"itself at {member.name}")
