"""Players by name: ours, those of installed distributions, checkpoints, classes."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from rummi_agents.cautious import Cautious, Patient
from rummi_agents.compiled import LeastDeadwood, MeldGreedy, NearestForm, Planner
from rummi_agents.neural import load_agent
from rummi_agents.protocol import Agent
from rummi_agents.released import PPO, Best, Expert
from rummi_agents.scripted import Greedy, MaxPoints, MaxTiles, Random
from rummi_agents.search import Search
from rummi_env.envs.parameters import (
    call_with,
    read_parameters,
    split_parameters,
)

GROUP = "rummi_env.agents"
"""Entry-point group through which any distribution can add players."""

BUILT_IN: dict[str, Callable[[], Agent]] = {
    "random": Random,
    "greedy": Greedy,
    "max_tiles": MaxTiles,
    "max_points": MaxPoints,
    "cautious": Cautious,
    "patient": Patient,
    "search": Search,
    "meld_greedy": MeldGreedy,
    "least_deadwood": LeastDeadwood,
    "nearest_form": NearestForm,
    "planner": Planner,
    "ppo": PPO,
    "expert": Expert,
    "best": Best,
}
"""Our own players. They are entry points too, for those who do not import this package;
the table makes them work from a checkout that is not installed."""


def agent_names(game: str | None = "rummikub") -> tuple[str, ...]:
    """Returns the names of the players of a game, in alphabetical order.

    Args:
        game: name of the game; None: of any. Of players that others have added it is
            not known beforehand what they play, so they are among those of every game.
    """
    ours = {name for name, made in BUILT_IN.items() if plays(made, game)}
    theirs = {point.name for point in _entry_points()} - set(BUILT_IN)
    return tuple(sorted(ours | theirs))


def plays(agent: object, game: str | None) -> bool:
    """Tells whether a player, or its class, plays a game; None: any at all."""
    games = getattr(agent, "games", None)
    return game is None or games is None or game in games


def make_agent(spec: str, game: str | None = None) -> Agent:
    """Makes a player.

    Args:
        spec: a name of `agent_names`; the folder of a checkpoint; or ``module:Class``,
            where calling ``Class`` gives a player. Names and classes may be followed by
            parameters, as in ``name:300`` or ``module:Class:rollouts=300,depth=2``.
        game: name of the game that it is to play; any by default.

    Raises:
        ValueError: there is no such player, it cannot be made, or it does not play the
            game; one sentence says why.
    """
    if type(spec) is not str or not spec:
        raise ValueError(
            f"an agent is made from its name, a folder or module:Class, not {spec!r}"
        )
    agent = _make(spec, game)
    if not plays(agent, game):
        raise ValueError(
            f"the agent {spec!r} does not play {game}: there is "
            f"{', '.join(agent_names(game))}"
        )
    return agent


def parameters_of(spec: str) -> tuple[str, dict[str, Any]]:
    """Returns what `make_agent` makes a player from, and its parameters by name.

    Raises:
        ValueError: there is no such player, or it has no such parameters.
    """
    if is_checkpoint(spec):
        return spec, {}
    factory, text = _factory(spec, None)
    if text is None:
        return spec, {}
    return spec.removesuffix(f":{text}"), read_parameters(spec, factory, text)


def _make(spec: str, game: str | None) -> Agent:
    if is_checkpoint(spec):
        return load_agent(spec)
    return _made(spec, *_factory(spec, game))


def _factory(spec: str, game: str | None) -> tuple[Any, str | None]:
    """Returns what makes a player, and the parameters that are given to it.

    Raises:
        ValueError: there is no such player, or it cannot be imported.
    """
    name, text = split_parameters(spec, agent_names(None))
    if name in BUILT_IN:
        return BUILT_IN[name], text
    for point in _entry_points():
        if point.name == name:
            return _loaded(spec, point.value), text
    module, _, rest = spec.partition(":")
    found, colon, parameters = rest.partition(":")
    reference = f"{module}:{found}"
    if _is_reference(reference):
        return _loaded(spec, reference), parameters if colon else None
    raise ValueError(_unknown(spec, game))


def is_checkpoint(spec: str) -> bool:
    """Tells whether this is no name, but a path to something that is there."""
    return spec not in agent_names(None) and Path(spec).exists()


def _entry_points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def _is_reference(spec: str) -> bool:
    module, colon, name = spec.partition(":")
    parts = [*module.split("."), *name.split(".")]
    return bool(colon) and all(part.isidentifier() for part in parts)


def _loaded(spec: str, reference: str) -> Any:
    """Imports what ``module:Class`` refers to.

    Raises:
        ValueError: the module or the class cannot be imported.
    """
    module, _, names = reference.partition(":")
    try:
        found = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"the agent {spec!r} cannot be imported: {error}") from error
    return found


def _made(spec: str, factory: Any, parameters: str | None) -> Agent:
    """Calls a factory, which may be somebody else's.

    Raises:
        ValueError: it cannot be called with these parameters, or gives no player.
    """
    try:
        agent = (
            factory() if parameters is None else call_with(spec, factory, parameters)
        )
    except TypeError as error:
        raise ValueError(f"the agent {spec!r} cannot be made: {error}") from error
    if not callable(getattr(agent, "act", None)):
        raise ValueError(
            f"the agent {spec!r} is no player: it has no method "
            "act(observation, mask, turn, rng)"
        )
    if not hasattr(agent, "name"):
        agent.name = spec
    made: Agent = agent
    return made


def _unknown(spec: str, game: str | None) -> str:
    names = agent_names(game)
    close = difflib.get_close_matches(spec, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return (
        f"unknown agent {spec!r}: there is {', '.join(names)}, the folder of a "
        f"checkpoint, or module:Class{hint}"
    )
