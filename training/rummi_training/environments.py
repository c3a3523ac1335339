"""The environments that a policy learns in."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from typing import Any

import gymnasium
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

import rummi_env  # noqa: F401  (registers the environments' ids)
from rummi_agents import Agent, make_agent
from rummi_env.envs.game import game_named
from rummi_training.config import TrainConfig


def make_vec_env(config: TrainConfig) -> VecEnv:
    """Makes the environments of a run, seeded by whoever resets them.

    Besides what stable-baselines asks for they answer ``env_method("action_masks")``,
    and the info of a match that is over has ``scores``, the learner's first, and
    ``won``, its share in having won.

    Raises:
        ValueError: the rules, the number of players or an opponent are impossible.
    """
    rules = config.read_rules()
    seats = config.num_players - 1
    pool = [_opponent(name, config.game) for name in config.opponents]

    def maker(index: int) -> Callable[[], gymnasium.Env[Any, Any]]:
        start = index * seats % len(pool)
        opponents = list(islice(cycle(pool), start, start + seats))

        def make() -> gymnasium.Env[Any, Any]:
            # The bare environment: wrappers cost more here than they check.
            return gymnasium.make(
                f"rummi/{config.game.capitalize()}-v0",
                rules=rules,
                opponents=opponents,
                reward=config.reward,
                reward_scale=config.reward_scale,
                on_illegal="raise",
                disable_env_checker=True,
            ).unwrapped

        return make

    return DummyVecEnv([maker(index) for index in range(config.num_envs)])


def _opponent(name: str, game: str) -> str | Agent:
    """Returns a name that is played compiled, else the player itself."""
    return name if name in game_named(game).scripted else make_agent(name, game)
