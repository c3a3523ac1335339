"""What every player is: a name, and a choice of the next action."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from rummi_env.envs.records.game_record import Judgement

Observation: TypeAlias = npt.NDArray[np.float32]
"""Flat observation, float32[S]; the game's ``fields`` name its slices."""

Mask: TypeAlias = npt.NDArray[np.int8] | npt.NDArray[np.bool_]
"""Which actions are legal, [num_actions]."""


@runtime_checkable
class Agent(Protocol):
    """A player.

    It knows what its seat may know and nothing else. A player that remembers anything
    beyond one call may have a method ``reset()``; it is called before every match. One
    that cannot play every game has a tuple ``games`` with the names of those it plays.

    Attributes:
        name: what tables and plots call it.
    """

    name: str

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: Any,
        rng: np.random.Generator,
    ) -> int:
        """Chooses the next action of the seat to move.

        Args:
            observation: what the seat may know.
            mask: which actions are legal; at least one is.
            turn: what the game tells of the turn: for Rummikub the turn as the solver
                sees it (table, own rack, tiles played), for Rummy a
                `rummi_env.observation.rummy.RummyTurn`.
            rng: the only source of chance to use, so that a seed repeats a match.

        Returns:
            An action that the mask has.
        """
        ...


@runtime_checkable
class Judging(Protocol):
    """A player that can say what it thinks of its legal actions, for records."""

    def judge(self, observation: Observation, mask: Mask) -> Judgement:
        """Returns how likely it takes each action, and what it expects to score."""
        ...


@runtime_checkable
class Revealed(Protocol):
    """A player that is shown what its seat may not know: an upper reference.

    It plays in evaluations of one game at a time, and nowhere else.
    """

    def show(self, games: npt.NDArray[np.void]) -> None:
        """Shows the game in which the next action is asked for; it is only read.

        Args:
            games: records of the game, one.
        """


def reset(agent: Agent) -> None:
    """Tells a player that a new match begins, if it wants to know."""
    begin = getattr(agent, "reset", None)
    if begin is not None:
        begin()
