"""The checks that PettingZoo and Gymnasium ship, passed by every game."""

from types import ModuleType
from typing import Any, NamedTuple

import gymnasium
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from rummi_env import (
    RuleSet,
    RummyRules,
    TablaRules,
    rummikub_v0,
    rummy_v0,
    tabla_v0,
)
from rummi_env.envs.registration import AEC_IDS, SINGLE_IDS
from rummi_env.envs.single import RummikubEnv, RummyEnv, SeatEnv, TablaEnv

# api_test says this of every environment with a mask that is not PettingZoo's own.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    # The last agents' masks, once the match is over.
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


class Checked(NamedTuple):
    """A game as the checks need it; cycles are steps that a check plays."""

    module: ModuleType
    single_id: str
    aec_id: str
    single: type[SeatEnv]
    api_cycles: int
    seed_cycles: int
    opponents: tuple[str, str]


RUMMIKUB = Checked(
    rummikub_v0, "rummi/Rummikub-v0", "rummi/rummikub-v0", RummikubEnv, 60, 60,
    ("max_tiles", "greedy"),
)  # fmt: skip
RUMMY = Checked(
    rummy_v0, "rummi/Rummy-v0", "rummi/rummy-v0", RummyEnv, 200, 90,
    ("meld_greedy", "least_deadwood"),
)  # fmt: skip
TABLA = Checked(
    tabla_v0, "rummi/Tabla-v0", "rummi/tabla-v0", TablaEnv, 200, 90,
    ("nearest_form", "planner"),
)  # fmt: skip


def players_of(game: Checked, rules: str) -> tuple[int, ...]:
    if game is RUMMIKUB:
        return (2, 3, 4)
    # Racks of ten for six leave no card to draw.
    return (2, 6) if game is RUMMY and rules != "straight_gin" else (2, 4)


PRESETS = (
    (RUMMIKUB, RuleSet.presets()),
    (RUMMY, RummyRules.presets()),
    (TABLA, TablaRules.presets()),
)

every_game = pytest.mark.parametrize(
    "game", [pytest.param(game, id=game.single.game) for game, _ in PRESETS]
)
every_preset = pytest.mark.parametrize(
    ("game", "rules", "num_players"),
    [
        pytest.param(game, rules, players, id=f"{game.single.game}-{rules}-{players}")
        for game, presets in PRESETS
        for rules in presets
        for players in players_of(game, rules)
    ],
)


@every_preset
@pytest.mark.parametrize("obs_type", ["flat", "dict"])
def test_pettingzoo_accepts_the_aec_environment(
    game: Checked, rules: str, num_players: int, obs_type: str
) -> None:
    keywords: dict[str, Any] = {
        "rules": rules,
        "num_players": num_players,
        "obs_type": obs_type,
    }
    api_test(game.module.env(**keywords), num_cycles=game.api_cycles)
    api_test(game.module.raw_env(**keywords), num_cycles=game.api_cycles)


@every_preset
def test_pettingzoo_finds_it_seeded(
    game: Checked, rules: str, num_players: int
) -> None:
    seed_test(
        lambda: game.module.env(rules=rules, num_players=num_players),
        num_cycles=game.seed_cycles,
    )


@every_preset
def test_pettingzoo_accepts_it_made_parallel(
    game: Checked, rules: str, num_players: int
) -> None:
    env = game.module.env(rules=rules, num_players=num_players)
    parallel_api_test(turn_based_aec_to_parallel(env), num_cycles=200)


@every_game
@pytest.mark.parametrize("on_illegal", ["penalty", "terminate"])
def test_pettingzoo_accepts_every_way_to_treat_illegal_actions(
    game: Checked, on_illegal: str
) -> None:
    api_test(game.module.env(on_illegal=on_illegal), num_cycles=game.api_cycles)


@every_preset
def test_gymnasium_accepts_the_single_seat(
    game: Checked, rules: str, num_players: int
) -> None:
    env = gymnasium.make(
        game.single_id, rules=rules, num_players=num_players, render_mode="ansi"
    )
    check_env(env.unwrapped)


@every_game
@pytest.mark.parametrize("obs_type", ["flat", "dict"])
@pytest.mark.parametrize("on_illegal", ["penalty", "terminate"])
def test_gymnasium_accepts_every_option(
    game: Checked, obs_type: str, on_illegal: str
) -> None:
    env = gymnasium.make(
        game.single_id,
        obs_type=obs_type,
        on_illegal=on_illegal,
        privileged=True,
        seat=1,
        opponents=list(game.opponents),
        reward="win",
    )
    check_env(env.unwrapped)


@every_game
def test_both_registries_have_it(game: Checked) -> None:
    assert game.single_id in SINGLE_IDS
    assert game.aec_id in AEC_IDS
    assert isinstance(gymnasium.make(game.single_id).unwrapped, game.single)
    if hasattr(pettingzoo, "make"):  # from 1.27 on
        env = pettingzoo.make("aec", game.aec_id, num_players=3)
        assert isinstance(env.unwrapped, game.module.raw_env)
        assert env.unwrapped.num_players == 3
