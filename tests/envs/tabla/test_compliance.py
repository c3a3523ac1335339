"""The checks that PettingZoo and Gymnasium ship, passed by Rummy pe tabla."""

from typing import Any

import gymnasium
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from rummi_env import TablaRules, tabla_v0
from rummi_env.envs.registration import AEC_IDS, SINGLE_IDS
from rummi_env.envs.single import TablaEnv

RULES = TablaRules.presets()

# api_test says this of every environment with a mask that is not PettingZoo's own.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    # The last agents' masks, once the match is over.
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


CASES = [(rules, players) for rules in RULES for players in (2, 4)]


@pytest.mark.parametrize(("rules", "num_players"), CASES)
@pytest.mark.parametrize("obs_type", ["flat", "dict"])
def test_pettingzoo_accepts_the_aec_environment(
    rules: str, num_players: int, obs_type: str
) -> None:
    keywords: dict[str, Any] = {
        "rules": rules,
        "num_players": num_players,
        "obs_type": obs_type,
    }
    api_test(tabla_v0.env(**keywords), num_cycles=200)
    api_test(tabla_v0.raw_env(**keywords), num_cycles=200)


@pytest.mark.parametrize(("rules", "num_players"), CASES)
def test_pettingzoo_finds_it_seeded(rules: str, num_players: int) -> None:
    seed_test(lambda: tabla_v0.env(rules=rules, num_players=num_players), num_cycles=90)


@pytest.mark.parametrize(("rules", "num_players"), CASES)
def test_pettingzoo_accepts_it_made_parallel(rules: str, num_players: int) -> None:
    env = tabla_v0.env(rules=rules, num_players=num_players)
    parallel_api_test(turn_based_aec_to_parallel(env), num_cycles=200)


@pytest.mark.parametrize("on_illegal", ["penalty", "terminate"])
def test_pettingzoo_accepts_every_way_to_treat_illegal_actions(on_illegal: str) -> None:
    api_test(tabla_v0.env(on_illegal=on_illegal), num_cycles=200)


@pytest.mark.parametrize(("rules", "num_players"), CASES)
def test_gymnasium_accepts_the_single_seat(rules: str, num_players: int) -> None:
    env = gymnasium.make(
        "rummi/Tabla-v0", rules=rules, num_players=num_players, render_mode="ansi"
    )
    check_env(env.unwrapped)


@pytest.mark.parametrize("obs_type", ["flat", "dict"])
@pytest.mark.parametrize("on_illegal", ["penalty", "terminate"])
def test_gymnasium_accepts_every_option(obs_type: str, on_illegal: str) -> None:
    env = gymnasium.make(
        "rummi/Tabla-v0",
        obs_type=obs_type,
        on_illegal=on_illegal,
        privileged=True,
        seat=1,
        opponents=["nearest_form", "planner"],
        reward="win",
    )
    check_env(env.unwrapped)


def test_both_registries_have_it() -> None:
    assert "rummi/Tabla-v0" in SINGLE_IDS
    assert "rummi/tabla-v0" in AEC_IDS
    assert isinstance(gymnasium.make("rummi/Tabla-v0").unwrapped, TablaEnv)
    if hasattr(pettingzoo, "make"):  # from 1.27 on
        env = pettingzoo.make("aec", "rummi/tabla-v0", num_players=3)
        assert isinstance(env.unwrapped, tabla_v0.raw_env)
        assert env.unwrapped.num_players == 3
