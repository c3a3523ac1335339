"""The environments that a policy learns in."""

from __future__ import annotations

from collections import Counter
from itertools import cycle, islice

import gymnasium

import rummi_env  # noqa: F401  (registers the environments' ids)
from rummi_agents import Agent, make_agent
from rummi_agents.network import added_inputs
from rummi_env.envs.game import game_named
from rummi_training.config import TrainConfig
from rummi_training.vec_env import MaskedVecEnv


def make_vec_env(config: TrainConfig) -> MaskedVecEnv:
    """Makes the environments of a run, seeded by whoever resets them.

    Those whose learners meet the same opponents are one batch. The info of a match that
    is over has ``scores``, the learner's first, and ``won``, its share in having won.

    Raises:
        ValueError: the rules, the number of players or an opponent are impossible.
    """
    rules = config.read_rules()
    seats = config.num_players - 1
    pool = [_opponent(name, config.game) for name in config.opponents]
    starts = Counter(index * seats % len(pool) for index in range(config.num_envs))
    return MaskedVecEnv(
        [
            gymnasium.make_vec(
                f"rummi/{config.game.capitalize()}-v0",
                num_envs=number,
                rules=rules,
                opponents=list(islice(cycle(pool), start, start + seats)),
                reward=config.reward,
                reward_scale=config.reward_scale,
                on_illegal="raise",
                autoreset_mode="same_step",
                threads=config.env_threads,
                copy=False,
            )
            for start, number in starts.items()
        ],
        added_inputs(config.network, rules, config.num_players),
    )


def _opponent(name: str, game: str) -> str | Agent:
    """Returns a name that is played compiled, else the player itself."""
    return name if name in game_named(game).scripted else make_agent(name, game)
