"""`gymnasium.make_vec` of Rummy: the same matches as in single environments."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import rummi_env  # noqa: F401  (registers the environments' ids)
from rummi_env import RummyRules
from rummi_env.envs.keywords import REWARDS
from rummi_env.envs.single import RummyEnv
from rummi_env.envs.vector import RummyVectorEnv

RULES = RummyRules(rack_size=5, hands=1)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("opponents", [["meld_greedy"], ["random", "least_deadwood"]])
def test_many_games_are_the_same_as_single_ones(
    opponents: list[str], reward: Any
) -> None:
    keywords: dict[str, Any] = {
        "rules": RULES,
        "opponents": opponents,
        "seat": 1,
        "reward": reward,
        "privileged": True,
    }
    many = RummyVectorEnv(4, autoreset_mode="disabled", **keywords)
    seen, info = many.reset(seed=5)
    rng = np.random.default_rng(1)
    singles = [RummyEnv(**keywords) for _ in range(4)]
    for game, env in enumerate(singles):
        alone, its = env.reset(seed=5 + game)
        assert np.array_equal(seen[game], alone)
        assert np.array_equal(info["state"][game], its["state"])
    going = np.ones(4, np.bool_)
    for _ in range(60):
        mask = info["action_mask"]
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        seen, rewards, over, _, info = many.step(actions)
        for game in np.flatnonzero(going).tolist():
            alone, paid, ended, _, its = singles[game].step(int(actions[game]))
            assert np.array_equal(seen[game], alone)
            assert (rewards[game], over[game]) == (paid, ended)
            if ended:
                assert np.array_equal(info["scores"][game], its["scores"])
                assert info["won"][game] == its["won"]
        going &= ~over
        if over.any():
            break
    assert over.any()


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
@pytest.mark.parametrize("obs_type", ["flat", "dict"])
def test_observations_are_in_their_space(obs_type: str, obs_dtype: str) -> None:
    env = gymnasium.make_vec(
        "rummi/Rummy-v0",
        num_envs=3,
        rules="pagat",
        obs_type=obs_type,
        obs_dtype=obs_dtype,
    )
    observations, info = env.reset(seed=1)
    for _ in range(40):
        assert env.observation_space.contains(observations)
        actions = info["action_mask"].argmax(axis=1)
        observations, *_, info = env.step(actions)


def test_keywords_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="from 2 to 6, not 7"):
        RummyVectorEnv(2, num_players=7)
    with pytest.raises(ValueError, match=r"no opponent 'max_tiles'|which plays"):
        RummyVectorEnv(2, opponents=["max_tiles"])
