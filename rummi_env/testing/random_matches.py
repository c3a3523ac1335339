"""Matches of random legal actions, to see that they come to an end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rummi_env.testing.invariants import require

MAX_ACTIONS = 100_000
"""Actions after which a match counts as endless."""


@dataclass(frozen=True)
class RandomMatch:
    """A match that was played by chance."""

    actions: tuple[tuple[str, int], ...]
    """Who acted and how, in order."""

    returns: dict[str, float]
    """Sum of each agent's rewards."""


def random_play(
    env: Any,
    seed: int = 0,
    *,
    watch: Callable[[Any], None] | None = None,
    max_actions: int = MAX_ACTIONS,
) -> RandomMatch:
    """Plays one match of random legal actions to its end.

    Args:
        env: an AEC environment with masks, wrapped or not; it is reset first.
        seed: of the match and of the choices.
        watch: called with the environment after the reset and after every action, for
            example `invariants`.
        max_actions: how many actions a match may have.

    Returns:
        What was done, and what everybody got.

    Raises:
        ComplianceError: somebody is to move without a legal action, or the match does
            not end.
    """
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    actions: list[tuple[str, int]] = []
    if watch is not None:
        watch(env)
    for agent in env.agent_iter(max_actions + 2 * len(returns)):
        seen, reward, termination, truncation, _ = env.last()
        returns[agent] += float(reward)
        if termination or truncation:
            env.step(None)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        require(len(legal), f"{agent} is to move and has no legal action")
        require(
            len(actions) < max_actions, f"the match has more than {max_actions} actions"
        )
        action = int(rng.choice(legal))
        env.step(action)
        actions.append((agent, action))
        if watch is not None:
            watch(env)
    return RandomMatch(tuple(actions), returns)
