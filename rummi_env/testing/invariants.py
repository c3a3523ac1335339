"""What holds at every moment of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_env.envs.aec import GameEnv
from rummi_env.envs.game import Game
from rummi_env.observation.fields import Field, by_name

PLACES: Mapping[str, tuple[str, ...]] = {
    "rummikub": ("rack", "played", "table", "racks", "pool"),
    "rummy": ("rack", "groups", "runs", "row", "racks", "pool"),
    "tabla": ("rack", "atu", "row", "racks", "pool"),
}
"""By game the fields of the state that have each tile, or card, just once."""

DECKS: Mapping[str, Callable[[Any], npt.NDArray[Any]]] = {
    "rummikub": lambda rules: rules.deck,
    "rummy": lambda rules: np.ones(52),
    "tabla": lambda rules: np.full(53, 2),
}
"""By game how many there are of each kind."""


class ComplianceError(AssertionError):
    """Something does not keep to what it should; the message says what."""


def require(condition: object, problem: str) -> None:
    """Refuses what does not hold.

    Raises:
        ComplianceError: it does not.
    """
    if not condition:
        raise ComplianceError(problem)


def invariants(env: Any) -> None:
    """Checks what holds at every moment of a match, and changes nothing.

    Of any AEC environment with masks: whoever is to move has a legal action, nobody
    else has one, and all that is seen lies in its space and is finite. Of ours also:
    the state lies in its space, every tile of the deck is in just one place, racks are
    as large as everybody sees, the game's own check accepts the record, and a saved
    state brings back the match.

    Args:
        env: an AEC environment that has been reset, wrapped or not.

    Raises:
        ComplianceError: something does not hold.
    """
    for agent in env.agents:
        _check_seen(env, agent)
    raw = env.unwrapped
    if isinstance(raw, GameEnv) and raw.agents:
        _check_state(raw)
        _check_saving(raw)


def _check_seen(env: Any, agent: str) -> None:
    seen = env.observe(agent)
    space = env.observation_space(agent)
    require(space.contains(seen), f"{agent}: the observation does not lie in its space")
    for values in arrays_of(seen):
        finite = np.isfinite(values).all()
        require(finite, f"{agent}: the observation is not finite")
    legal = int(np.count_nonzero(seen["action_mask"]))
    over = env.terminations[agent] or env.truncations[agent]
    if agent == env.agent_selection and not over:
        require(legal, f"{agent} is to move and has no legal action")
    else:
        require(not legal, f"{agent} is not to move, but its mask has {legal} actions")


def _check_state(raw: GameEnv) -> None:
    state = raw.state()
    require(raw.state_space.contains(state), "the state does not lie in its space")
    match = raw._match
    game: Game = match.game
    parts = game.seeing.state_fields(raw.rules, raw.num_players)
    counts = {
        name: _counts(value, parts[name])
        for name, value in by_name(state, parts).items()
    }
    if game.name in PLACES:
        total = np.sum([counts[name] for name in PLACES[game.name]], axis=0)
        deck = DECKS[game.name](raw.rules)
        wrong = np.flatnonzero(np.round(total) != deck)
        require(
            not len(wrong),
            f"of kind {wrong[:1]} there are {total[wrong[:1]]} tiles in all places, "
            f"and {deck[wrong[:1]]} in the deck",
        )
    require(game.is_sound(match.games), "the game's own check refuses the record")
    for name, values in by_name(raw._match.observation(0), raw._fields).items():
        if name == "rack_sizes":
            sizes = np.round(values / raw._fields[name].scale)
            own = counts["rack"].sum()
            require(sizes[0] == own, f"a rack of {own} tiles is seen as {sizes[0]}")


def _check_saving(raw: GameEnv) -> None:
    match = raw._match
    saved = match.save()
    again = type(match)(match.rules, match.num_players, game=match.game.name)
    again.load(saved)
    for seat in range(match.num_players):
        same = np.array_equal(again.observation(seat), match.observation(seat))
        require(same, f"after load_state seat {seat} sees something else")
    require(
        np.array_equal(again.mask, match.mask), "after load_state the mask is another"
    )
    require(again.save() == saved, "what was loaded is saved as something else")


def arrays_of(seen: Any) -> list[npt.NDArray[Any]]:
    """Returns the arrays of an observation, however it is nested."""
    if isinstance(seen, Mapping):
        return [array for part in seen.values() for array in arrays_of(part)]
    return [np.asarray(seen)]


def _counts(values: npt.NDArray[np.float32], part: Field) -> npt.NDArray[Any]:
    """Returns how many there are of each kind, whoever has them."""
    bare = values / part.scale
    return bare.sum(axis=0) if bare.ndim > 1 else bare
