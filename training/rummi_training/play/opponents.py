"""What agents do at a table with people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_agents import Agent, make_agent
from rummi_agents.protocol import Judging, reset
from rummi_env.envs.match import Match
from rummi_env.records import Judgement
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


class Decision(NamedTuple):
    """What an agent does."""

    action: int
    """The action."""

    judgement: Judgement | None
    """What it thought of its actions, if it says so; for the record."""


def decide(agent: Agent, asked: Question, chance: Sequence[int]) -> Decision:
    """Returns what an agent does.

    Args:
        agent: the agent.
        asked: what `question` returned.
        chance: numbers that its chance is drawn from: the same for the same decision,
            also when the game was put away in between.
    """
    observation, mask, turn = asked
    judgement = None
    if isinstance(agent, Judging):
        judgement = agent.judge(observation, mask)
    action = agent.act(observation, mask, turn, np.random.default_rng(chance))
    return Decision(int(action), judgement)


def check_agents(agents: Sequence[Agent | None], match: Match) -> None:
    """Refuses agents that were trained for other rules or another number of players.

    Raises:
        ValueError: one was; the sentence says for what.
    """
    for seat, agent in enumerate(agents):
        if isinstance(agent, Judging):
            agent.judge(match.observation(seat), np.ones_like(match.mask))
