"""What agents do at a table with people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_agents import Agent, make_agent
from rummi_agents.protocol import reset
from rummi_env.envs.match import Match
from rummi_training.play.settings import PERSON

Question: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.int8], Any]
"""What an agent is asked: observation, mask and turn."""


def seated(players: Sequence[str], game: str) -> list[Agent | None]:
    """Returns who sits on each seat: an agent, None for a person.

    Raises:
        ValueError: an agent cannot be made.
    """
    found: list[Agent | None] = []
    for spec in players:
        agent = None if spec == PERSON else make_agent(spec, game)
        if agent is not None:
            reset(agent)
        found.append(agent)
    return found


def question(match: Match) -> Question:
    """Returns what the agent to move is asked; it stays as it is meanwhile."""
    return match.observation(match.seat), match.mask.copy(), match.turn()


def answer(agent: Agent, asked: Question, chance: Sequence[int]) -> int:
    """Returns what an agent does.

    Args:
        agent: the agent.
        asked: what `question` returned.
        chance: numbers that its chance is drawn from: the same for the same decision,
            also when the game was put away in between.
    """
    observation, mask, turn = asked
    return int(agent.act(observation, mask, turn, np.random.default_rng(chance)))
