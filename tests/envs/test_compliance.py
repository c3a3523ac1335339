"""The checks that PettingZoo and Gymnasium ship."""

from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from rummi_env import RuleSet, rummikub_v0

RULES = RuleSet.presets()

# api_test says this of every environment with a mask that is not PettingZoo's own.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    # The last agents' masks, once the match is over.
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("obs_type", ["flat", "dict"])
def test_pettingzoo_accepts_the_aec_environment(
    rules: str, num_players: int, obs_type: str
) -> None:
    keywords: dict[str, Any] = {
        "rules": rules,
        "num_players": num_players,
        "obs_type": obs_type,
    }
    api_test(rummikub_v0.env(**keywords), num_cycles=60)
    api_test(rummikub_v0.raw_env(**keywords), num_cycles=60)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_pettingzoo_finds_it_seeded(rules: str, num_players: int) -> None:
    seed_test(
        lambda: rummikub_v0.env(rules=rules, num_players=num_players), num_cycles=60
    )


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_pettingzoo_accepts_it_made_parallel(rules: str, num_players: int) -> None:
    env = rummikub_v0.env(rules=rules, num_players=num_players)
    parallel_api_test(turn_based_aec_to_parallel(env), num_cycles=200)


@pytest.mark.parametrize("on_illegal", ["penalty", "terminate"])
def test_pettingzoo_accepts_every_way_to_treat_illegal_actions(on_illegal: str) -> None:
    api_test(rummikub_v0.env(on_illegal=on_illegal), num_cycles=60)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_gymnasium_accepts_the_single_seat(rules: str, num_players: int) -> None:
    env = gymnasium.make(
        "rummi/Rummikub-v0", rules=rules, num_players=num_players, render_mode="ansi"
    )
    check_env(env.unwrapped)


@pytest.mark.parametrize("obs_type", ["flat", "dict"])
@pytest.mark.parametrize("on_illegal", ["penalty", "terminate"])
def test_gymnasium_accepts_every_option(obs_type: str, on_illegal: str) -> None:
    env = gymnasium.make(
        "rummi/Rummikub-v0",
        obs_type=obs_type,
        on_illegal=on_illegal,
        privileged=True,
        seat=1,
        opponents=["max_tiles", "greedy"],
        reward="win",
    )
    check_env(env.unwrapped)
