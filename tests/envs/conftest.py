"""Ways to play that the tests of the environments share."""

from collections.abc import Callable

import numpy as np
import pytest

from rummi_env.envs.aec import raw_env

Play = Callable[..., None]


@pytest.fixture
def play() -> Play:
    """Plays random legal actions: all of a match, or so many of it."""

    def run(env: raw_env, seed: int = 0, actions: int = 1_000_000) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(actions):
            agent = env.agent_selection
            if env.terminations[agent]:
                return
            mask = env.observe(agent)["action_mask"]
            env.step(rng.choice(np.flatnonzero(mask)))

    return run
