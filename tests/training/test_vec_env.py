"""Batches of matches as the environments of stable-baselines."""

from collections import Counter
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from rummi_env.core.rulesets import RuleSet
from rummi_training.config import TrainConfig
from rummi_training.environments import make_vec_env
from rummi_training.vec_env import MaskedVecEnv

ID = "rummi/Rummikub-v0"
TINY = RuleSet(numbers=6, colors=3, rack_size=4, opening_points=4)
KEYWORDS: dict[str, Any] = {"rules": TINY, "seat": 0}


def make(*opponents: str, each: int = 3) -> MaskedVecEnv:
    """Make a part for each of the opponents."""
    return MaskedVecEnv(
        [
            gymnasium.make_vec(
                ID,
                num_envs=each,
                opponents=[name],
                autoreset_mode="same_step",
                copy=False,
                **KEYWORDS,
            )
            for name in opponents
        ]
    )


def legal(masks: npt.NDArray[np.bool_], step: int) -> npt.NDArray[np.int64]:
    """Choose by the step alone one of the legal actions."""
    numbers = masks.cumsum(axis=1)
    chosen = 1 + (5 * step + np.arange(len(masks))) % numbers[:, -1]
    actions: npt.NDArray[np.int64] = (numbers >= chosen[:, None]).argmax(axis=1)
    return actions


def test_matches_are_those_of_single_environments() -> None:
    envs = make("random", "max_tiles")
    names = ["random"] * 3 + ["max_tiles"] * 3

    def maker(name: str) -> Any:
        return lambda: Monitor(gymnasium.make(ID, opponents=[name], **KEYWORDS))

    singles = DummyVecEnv([maker(name) for name in names])
    envs.seed(31)
    singles.seed(31)
    ours: Any = envs.reset()
    theirs: Any = singles.reset()
    going = np.ones(6, np.bool_)
    step = 0
    while going.any():
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours[going], theirs[going])
        masks = get_action_masks(envs)
        assert np.array_equal(masks[going], get_action_masks(singles)[going])
        actions = legal(masks, step)
        ours, our_rewards, our_dones, our_infos = envs.step(actions)
        theirs, rewards, dones, infos = singles.step(actions)
        live, going = going, going & ~dones
        assert our_rewards.dtype == rewards.dtype
        assert np.array_equal(our_rewards[live], rewards[live])
        assert np.array_equal(our_dones[live], dones[live])
        for game in np.flatnonzero(live & dones).tolist():
            mine, exact = our_infos[game], infos[game]
            last = mine["terminal_observation"]
            assert np.array_equal(last, exact["terminal_observation"])
            assert np.array_equal(mine["scores"], exact["scores"])
            assert mine["won"] == exact["won"]
            assert mine["TimeLimit.truncated"] == exact["TimeLimit.truncated"]
            for figure in ("r", "l"):
                assert mine["episode"][figure] == exact["episode"][figure]
        step += 1


def test_masks_are_one_array() -> None:
    envs = make("random", "greedy")
    envs.reset()
    assert is_masking_supported(envs) and not envs.has_attr("nothing")
    masks = envs.env_method("action_masks")
    assert masks.dtype == np.bool_
    assert masks.shape == (6, 54) and masks.any(axis=1).all()
    assert np.array_equal(
        envs.env_method("action_masks", indices=[1, 4]), masks[[1, 4]]
    )
    with pytest.raises(AttributeError, match="no method 'render', only 'action_masks'"):
        envs.env_method("render")
    with pytest.raises(AttributeError, match="seat cannot be set"):
        envs.set_attr("seat", 1)


def test_matches_follow_each_other_and_leave_their_figures() -> None:
    envs = make("random", "max_tiles", each=8)
    envs.seed(5)
    envs.reset()
    returns, lengths = np.zeros(16), np.zeros(16, int)
    ended: Counter[Any] = Counter()
    begun: Any = envs.reset_infos
    observations: Any
    for step in range(150):
        observations, rewards, dones, infos = envs.step(
            legal(envs.env_method("action_masks"), step)
        )
        assert envs.env_method("action_masks").any(axis=1).all()
        returns += rewards
        lengths += 1
        for game, info in enumerate(infos):
            assert bool(info) == dones[game]
            if not info:
                continue
            assert info["episode"]["r"] == pytest.approx(returns[game])
            assert info["episode"]["r"] == pytest.approx(info["scores"][0])
            assert info["episode"]["l"] == lengths[game]
            assert info["episode"]["t"] >= 0
            assert 0 <= info["won"] <= 1
            last = info["terminal_observation"]
            assert last in envs.observation_space
            assert not np.array_equal(last, observations[game])
            mask = begun[game]["action_mask"]
            assert np.array_equal(mask, envs.env_method("action_masks")[game])
            ended[game] += 1
        returns[dones], lengths[dones] = 0, 0
    assert min(ended[game] for game in range(16)) > 1


def test_a_seed_repeats_all_matches_and_without_one_chance_goes_on() -> None:
    envs = make("random", "max_tiles")

    def first() -> Any:
        return envs.reset()

    envs.seed(9)
    once = first()
    following = first()
    envs.seed(9)
    assert np.array_equal(first(), once)
    assert np.array_equal(first(), following)
    assert not np.array_equal(once, following)


def test_arrays_of_earlier_steps_stay_as_they_were() -> None:
    envs = make("random")
    seen: Any = envs.reset()
    before = seen.copy()
    masks = envs.env_method("action_masks")
    kept = masks.copy()
    envs.step(legal(masks, 0))
    assert np.array_equal(seen, before) and np.array_equal(masks, kept)


def test_wrappers_of_stable_baselines_take_them() -> None:
    envs = VecNormalize(make("random"), norm_obs=False)
    assert envs.env_is_wrapped(Monitor) == [True] * 3
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    envs.reset()
    ended = 0
    for step in range(60):
        masks: Any = envs.env_method("action_masks")
        _, _, dones, infos = envs.step(legal(masks, step))
        assert all(
            ("episode" in info) == done for info, done in zip(infos, dones, strict=True)
        )
        ended += int(dones.sum())
    assert ended


def test_options_of_matches_are_refused() -> None:
    envs = make("random")
    envs.set_options({"deal": "anything"})
    with pytest.raises(ValueError, match=r"options must be empty .* 'anything'"):
        envs.reset()


def test_opponents_of_a_run_are_met_in_turn(tiny_config: TrainConfig) -> None:
    opponents = ("random", "max_tiles", "greedy")
    config = replace(tiny_config, opponents=opponents, num_envs=7)
    envs = make_vec_env(config)
    assert envs.num_envs == 7
    assert [part.num_envs for part in envs.parts] == [3, 2, 2]
    met = [part.spec.kwargs["opponents"] for part in envs.parts if part.spec]
    assert met == [["random"], ["max_tiles"], ["greedy"]]
    pairs = make_vec_env(replace(config, num_players=3))
    met = [part.spec.kwargs["opponents"] for part in pairs.parts if part.spec]
    assert met == [
        ["random", "max_tiles"],
        ["greedy", "random"],
        ["max_tiles", "greedy"],
    ]


def test_threads_do_not_change_the_matches(tiny_config: TrainConfig) -> None:
    ends = []
    for threads in (1, 3):
        envs = make_vec_env(replace(tiny_config, num_envs=80, env_threads=threads))
        envs.seed(3)
        seen: Any = envs.reset()
        for step in range(30):
            seen, *_ = envs.step(legal(envs.env_method("action_masks"), step))
        envs.close()
        ends.append(seen)
    assert np.array_equal(*ends)
