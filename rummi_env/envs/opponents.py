"""Opponents of a learning seat, given by name, as agents or as functions."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from operator import index
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from rummi_env.envs.game import game_named
from rummi_env.envs.parameters import call_with, split_parameters

ENTRY_POINTS = "rummi_env.agents"
"""Group in which distributions name their agents; each is called without arguments, or
with those that follow its name (``name:300``, see `parameters`)."""


@runtime_checkable
class Agent(Protocol):
    """A player: anything that chooses actions.

    If it has a method ``reset()``, that is called before every match. If it has an
    attribute ``games``, it plays the games of these names only.
    """

    def act(
        self,
        observation: npt.NDArray[np.float32],
        mask: npt.NDArray[np.int8],
        turn: Any,
        rng: np.random.Generator,
    ) -> int:
        """Returns a legal action.

        Args:
            observation: float32[S]; the game's ``fields`` name its slices.
            mask: int8[actions]; which actions are legal.
            turn: what it may ask about its turn: for Rummikub the solver's
                `rummi_env.solver.Turn`, for Rummy a
                `rummi_env.observation.rummy.RummyTurn`.
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
    [npt.NDArray[np.float32], npt.NDArray[np.int8], Any, np.random.Generator], int
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


def reset_player(player: object) -> None:
    """Tells an opponent that a new match begins, if it wants to know."""
    begin = getattr(player, "reset", None)
    if begin is not None:
        begin()


def name_of(player: Player) -> str:
    """Returns what records call an opponent."""
    if isinstance(player, str):
        return player
    act = player.act if isinstance(player, FunctionAgent) else player
    name = getattr(act, "name", None) or getattr(act, "__name__", None)
    return name if isinstance(name, str) else type(player).__name__


def decision(
    player: Player,
    observation: npt.NDArray[Any],
    mask: npt.NDArray[np.int8],
    turn: Any,
    rng: np.random.Generator,
) -> int:
    """Returns what an agent does; arguments as `Agent.act`."""
    if isinstance(player, Agent):
        return index(player.act(observation, mask, turn, rng))
    assert isinstance(player, BatchAgent)
    return index(player.act_batch(observation[None], mask[None], rng)[0])


def decisions(
    player: Player,
    rows: npt.NDArray[np.int64],
    observations: npt.NDArray[Any],
    masks: npt.NDArray[np.int8],
    turn_of: Callable[[int], Any],
    rng: np.random.Generator,
) -> npt.NDArray[np.int64]:
    """Returns what an agent does in some of many games, int64[n].

    Args:
        player: the agent.
        rows: int64[n]; which games.
        observations: float32[games, S]; of the seat to move, scaled.
        masks: int8[games, actions]; which actions are legal.
        turn_of: returns what the agent may ask about its turn in a game.
        rng: source of chance.
    """
    if isinstance(player, BatchAgent):
        chosen = player.act_batch(observations[rows], masks[rows], rng)
        return np.asarray(chosen, np.int64)
    return np.array(
        [
            decision(player, observations[row], masks[row], turn_of(row), rng)
            for row in rows.tolist()
        ],
        np.int64,
    )


def read_opponents(
    opponents: Sequence[Opponent] | None,
    num_players: int | None,
    game: str = "rummikub",
) -> tuple[Player, ...]:
    """Returns the opponents that the keywords ask for.

    Args:
        opponents: one for each other seat; random ones by default.
        num_players: how many play; one more than there are opponents by default.
        game: name of the game.

    Raises:
        ValueError: there are too few or too many, or one is no agent of the game.
    """
    most = game_named(game).max_players
    if opponents is None:
        players = 2 if num_players is None else num_players
        _check_number(players, most)
        return ("random",) * (players - 1)
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        raise ValueError(
            f"opponents must be a list of names, agents or functions, not {opponents!r}"
        )
    if not 1 <= len(opponents) < most:
        raise ValueError(
            f"there must be 1 to {most - 1} opponents, not {len(opponents)}"
        )
    if num_players is not None:
        _check_number(num_players, most)
        if num_players != len(opponents) + 1:
            raise ValueError(
                f"with num_players={num_players} there must be {num_players - 1} "
                f"opponents, not {len(opponents)}"
            )
    return tuple(_read_opponent(opponent, game) for opponent in opponents)


def known_names(game: str = "rummikub") -> tuple[str, ...]:
    """Returns the names of all opponents: scripted ones and installed agents."""
    scripted = game_named(game).scripted
    installed = {point.name for point in entry_points(group=ENTRY_POINTS)}
    return (*scripted, *sorted(installed - set(scripted)))


def _read_opponent(opponent: Any, game: str) -> Player:
    asked = opponent
    if isinstance(opponent, str):
        if opponent in game_named(game).scripted:
            return opponent
        opponent = _installed(opponent, game)
    if isinstance(opponent, type):
        raise ValueError(f"an opponent is an agent, not its class {opponent.__name__}")
    if isinstance(opponent, Agent | BatchAgent):
        games = getattr(opponent, "games", (game,))
        if game not in games:
            raise ValueError(
                f"an opponent in {game} must be one that plays it, not {asked!r}, "
                f"which plays {', '.join(games)}"
            )
        return opponent
    if callable(opponent):
        return FunctionAgent(opponent)
    raise ValueError(
        f"an opponent is a name, an agent with a method act, or a function, not "
        f"{opponent!r}"
    )


def _installed(name: str, game: str) -> Agent | BatchAgent:
    known = known_names(game)
    asked, parameters = split_parameters(name, known)
    points: list[EntryPoint] = list(entry_points(group=ENTRY_POINTS, name=asked))
    if not points:
        if parameters is not None:
            raise ValueError(f"the agent {name!r} takes no parameters")
        scripted = game_named(game).scripted
        installed = entry_points(group=ENTRY_POINTS)
        others = {point.name for point in installed if _may_play(point, game)}
        fitting = (*scripted, *sorted(others - set(scripted)))
        close = difflib.get_close_matches(name, fitting, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(
            f"there is no opponent {name!r}: known are {', '.join(fitting)}, and "
            f"players that rummi_agents.make_agent makes can be given themselves{hint}"
        )
    made = points[0].load()
    agent = made() if parameters is None else call_with(name, made, parameters)
    if not isinstance(agent, (Agent, BatchAgent)):
        raise ValueError(f"the agent {name!r} has no method act")
    return agent


def _may_play(point: EntryPoint, game: str) -> bool:
    """Tells whether an installed agent may play a game: some say what they play."""
    try:
        made = point.load()
    except Exception:  # somebody else's code
        return False
    return game in getattr(made, "games", (game,))


def _check_number(num_players: object, most: int) -> None:
    if type(num_players) is not int or not 2 <= num_players <= most:
        raise ValueError(
            f"num_players must be an integer from 2 to {most}, not {num_players!r}"
        )
