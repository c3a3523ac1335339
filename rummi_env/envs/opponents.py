"""Opponents of a learning seat, given by name, as agents or as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from operator import index
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from rummi_env.core.rulesets import MAX_PLAYERS
from rummi_env.games.rummikub.scripted import SCRIPTED
from rummi_env.solver.exact import Turn

ENTRY_POINTS = "rummi_env.agents"
"""Group in which distributions name their agents; each is called without arguments."""


@runtime_checkable
class Agent(Protocol):
    """A player: anything that chooses actions.

    If it has a method ``reset()``, that is called before every match.
    """

    def act(
        self,
        observation: npt.NDArray[np.float32],
        mask: npt.NDArray[np.int8],
        turn: Turn,
        rng: np.random.Generator,
    ) -> int:
        """Returns a legal action.

        Args:
            observation: float32[S]; see `rummi_env.observation.fields`.
            mask: int8[actions]; which actions are legal.
            turn: its turn, for the solver's answers.
            rng: source of chance.
        """


@runtime_checkable
class BatchAgent(Protocol):
    """A player that decides for many games in one call."""

    def act_batch(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """Returns a legal action for every game.

        Args:
            observations: float32[games, S]; of the seat to move, scaled.
            masks: int8[games, actions]; which actions are legal.
            rng: source of chance.
        """


Chooser: TypeAlias = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.int8], Turn, np.random.Generator], int
]
"""What `Agent.act` is, as a function."""

Opponent: TypeAlias = str | Agent | BatchAgent | Chooser
"""What the keyword ``opponents`` lists."""

Player: TypeAlias = str | Agent | BatchAgent
"""An opponent ready to play: the name of a scripted baseline, or an agent."""


@dataclass(frozen=True)
class FunctionAgent:
    """A function as an agent."""

    act: Chooser
    """The function."""


def reset_player(player: Player) -> None:
    """Tells an opponent that a new match begins, if it wants to know."""
    begin = getattr(player, "reset", None)
    if begin is not None:
        begin()


def decision(
    player: Player,
    observation: npt.NDArray[Any],
    mask: npt.NDArray[np.int8],
    turn: Turn,
    rng: np.random.Generator,
) -> int:
    """Returns what an agent does; arguments as `Agent.act`."""
    if isinstance(player, Agent):
        return index(player.act(observation, mask, turn, rng))
    assert isinstance(player, BatchAgent)
    return index(player.act_batch(observation[None], mask[None], rng)[0])


def read_opponents(
    opponents: Sequence[Opponent] | None, num_players: int | None
) -> tuple[Player, ...]:
    """Returns the opponents that the keywords ask for.

    Args:
        opponents: one for each other seat; random ones by default.
        num_players: how many play; one more than there are opponents by default.

    Raises:
        ValueError: there are too few or too many, or one is no agent.
    """
    if opponents is None:
        players = 2 if num_players is None else num_players
        _check_number(players)
        return ("random",) * (players - 1)
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        raise ValueError(
            f"opponents must be a list of names, agents or functions, not {opponents!r}"
        )
    if not 1 <= len(opponents) < MAX_PLAYERS:
        raise ValueError(
            f"there must be 1 to {MAX_PLAYERS - 1} opponents, not {len(opponents)}"
        )
    if num_players is not None:
        _check_number(num_players)
        if num_players != len(opponents) + 1:
            raise ValueError(
                f"with num_players={num_players} there must be {num_players - 1} "
                f"opponents, not {len(opponents)}"
            )
    return tuple(map(_read_opponent, opponents))


def known_names() -> tuple[str, ...]:
    """Returns the names of all opponents: scripted ones and installed agents."""
    installed = {point.name for point in entry_points(group=ENTRY_POINTS)}
    return (*SCRIPTED, *sorted(installed - set(SCRIPTED)))


def _read_opponent(opponent: Any) -> Player:
    if isinstance(opponent, str):
        return opponent if opponent in SCRIPTED else _installed(opponent)
    if isinstance(opponent, type):
        raise ValueError(f"an opponent is an agent, not its class {opponent.__name__}")
    if isinstance(opponent, (Agent, BatchAgent)):
        return opponent
    if callable(opponent):
        return FunctionAgent(opponent)
    raise ValueError(
        f"an opponent is a name, an agent with a method act, or a function, not "
        f"{opponent!r}"
    )


def _installed(name: str) -> Agent | BatchAgent:
    points: list[EntryPoint] = list(entry_points(group=ENTRY_POINTS, name=name))
    if not points:
        known = ", ".join(known_names())
        raise ValueError(f"there is no opponent {name!r}: known are {known}")
    agent = points[0].load()()
    if not isinstance(agent, (Agent, BatchAgent)):
        raise ValueError(f"the agent {name!r} has no method act")
    return agent


def _check_number(num_players: object) -> None:
    if type(num_players) is not int or not 2 <= num_players <= MAX_PLAYERS:
        raise ValueError(
            f"num_players must be an integer from 2 to {MAX_PLAYERS}, not "
            f"{num_players!r}"
        )
