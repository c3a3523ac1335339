"""What users of PettingZoo and Gymnasium do with every environment."""

import copy
import importlib
import itertools
import pickle
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium import wrappers
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.performance_benchmark import performance_benchmark

import rummi_env
from rummi_env.envs.registration import AEC_IDS, SINGLE_IDS, VECTOR_ENTRY_POINTS
from rummi_env.envs.vector import SeatVectorEnv

single_ids = pytest.mark.parametrize("name", SINGLE_IDS)
aec_ids = pytest.mark.parametrize("name", AEC_IDS)
has_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "make"), reason="PettingZoo has registries from 1.27 on"
)

COPIES = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


def first_legal(info: dict[str, Any]) -> Any:
    return info["action_mask"].argmax(axis=-1)


@single_ids
def test_gymnasium_knows_every_id(name: str) -> None:
    spec = gymnasium.spec(name)
    assert spec.entry_point == SINGLE_IDS[name]
    assert spec.vector_entry_point == VECTOR_ENTRY_POINTS[name]
    env = gymnasium.make(name, reward="win")
    assert env.spec is not None
    # What made it makes it again.
    again = gymnasium.make(pickle.loads(pickle.dumps(env.spec)))
    assert again.spec == env.spec
    assert (
        gymnasium.make(
            gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())
        ).spec
        == env.spec
    )


@has_registry
@aec_ids
def test_pettingzoo_knows_every_id(name: str) -> None:
    assert pettingzoo.spec("aec", name).entry_point == AEC_IDS[name]
    env = pettingzoo.make("aec", name, num_players=3)
    module = getattr(rummi_env, AEC_IDS[name].partition(":")[0].rpartition(".")[2])
    assert isinstance(env.unwrapped, module.raw_env)
    assert env.max_num_agents == 3
    assert str(env) == env.unwrapped.metadata["name"]


@single_ids
def test_every_id_passes_gymnasiums_check_without_a_warning(name: str) -> None:
    # A warning would be an error.
    check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@single_ids
@pytest.mark.parametrize("vectorization", ["vector_entry_point", "sync", "async"])
def test_make_vec_makes_them_in_every_way(name: str, vectorization: str) -> None:
    mode: Any = vectorization
    envs = gymnasium.make_vec(name, num_envs=3, vectorization_mode=mode)
    assert isinstance(envs, SeatVectorEnv) == (vectorization == "vector_entry_point")
    _, info = envs.reset(seed=[1, 2, 3])  # type: ignore[arg-type]
    for _ in range(30):
        *_, info = envs.step(first_legal(info))
    assert info["action_mask"].shape == (3, envs.single_action_space.n)  # type: ignore[attr-defined]
    envs.close()


@single_ids
def test_wrappers_of_gymnasium_fit(name: str) -> None:
    env: Any = gymnasium.make(name)
    env = wrappers.RecordEpisodeStatistics(wrappers.TimeLimit(env, 10_000))
    env = wrappers.NormalizeObservation(wrappers.FlattenObservation(env))
    env = wrappers.DtypeObservation(env, np.float32)
    _, info = env.reset(seed=3)
    total, over = 0.0, False
    while not over:
        assert np.array_equal(
            env.get_wrapper_attr("action_masks")(), info["action_mask"].astype(bool)
        )
        _, reward, over, cut, info = env.step(int(first_legal(info)))
        total += float(reward)
        over = over or cut
    assert info["episode"]["r"] == pytest.approx(total)


@single_ids
@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize("started", [True, False])
def test_single_seats_are_copied_and_pickled(
    name: str, duplicate: Any, started: bool
) -> None:
    env = gymnasium.make(name)
    if started:
        _, info = env.reset(seed=2)
        for _ in range(12):
            *_, info = env.step(int(first_legal(info)))
    other = duplicate(env)
    if not started:
        (_, info), _ = env.reset(seed=2), other.reset(seed=2)
    for _ in range(60):
        action = int(first_legal(info))
        seen, reward, over, _, info = env.step(action)
        theirs = other.step(action)
        assert np.array_equal(seen, theirs[0])
        assert (reward, over) == theirs[1:3]
        if over:
            (_, info), _ = env.reset(), other.reset()


@single_ids
@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_are_copied_and_pickled(
    name: str, duplicate: Any, threads: int
) -> None:
    envs = gymnasium.make_vec(name, num_envs=40, threads=threads, privileged=True)
    _, info = envs.reset(seed=2)
    for _ in range(12):
        *_, info = envs.step(first_legal(info))
    other = duplicate(envs)
    for _ in range(300):
        actions = first_legal(info)
        *mine, info = envs.step(actions)
        *theirs, other_info = other.step(actions)
        for one, two in zip(mine, theirs, strict=True):
            assert np.array_equal(one, two)
        assert np.array_equal(info["state"], other_info["state"])
    for env in (envs, other):
        env.close()


@aec_ids
@pytest.mark.parametrize("duplicate", COPIES)
def test_environments_are_copied_before_their_first_match(
    name: str, duplicate: Any
) -> None:
    env = getattr(rummi_env, AEC_IDS[name].partition(":")[0].rpartition(".")[2]).env()
    other = duplicate(env)
    env.reset(seed=5)
    other.reset(seed=5)
    assert np.array_equal(env.unwrapped.state(), other.unwrapped.state())


@aec_ids
def test_pettingzoos_benchmark_runs(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # It plays for five seconds by the clock.
    times = itertools.count(step=3)
    clock = SimpleNamespace(time=lambda: next(times))
    benchmark = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(benchmark, "time", clock)
    module = AEC_IDS[name].partition(":")[0].rpartition(".")[2]
    performance_benchmark(getattr(rummi_env, module).env())
    assert "turns per second" in capsys.readouterr().out
