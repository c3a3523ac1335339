"""Training by RLlib, with RLlib itself."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_OPTIMIZER

from rummi_agents.neural import load_agent
from rummi_training.cli import main
from rummi_training.config import TrainConfig
from rummi_training.interop.ray_cluster import ray_of
from rummi_training.interop.rllib import (
    STATE_FOLDER,
    Trainer,
    algorithm_config,
)
from rummi_training.interop.rllib_env import LEARNER, MatchEnv, frozen, policy_of

pytestmark = [
    pytest.mark.interop,
    # RLlib uses what it deprecates itself, and Gymnasium notes that it registers an
    # environment again whenever one is made.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module", autouse=True)
def local_ray(rllib_config: TrainConfig) -> Iterator[None]:
    with ray_of(rllib_config.rllib):
        yield


@pytest.fixture
def trainer(rllib_config: TrainConfig, run_folder: Path) -> Iterator[Trainer]:
    algorithm = algorithm_config(rllib_config).build_algo()
    yield Trainer(rllib_config, run_folder, algorithm)
    algorithm.stop()


def weights_of(trainer: Trainer, policy: str) -> dict[str, Any]:
    group = trainer.algorithm.learner_group
    weights = group.get_weights(module_ids=[policy])[policy]
    # Copies: a learner in this process gives its own memory.
    return {name: np.array(value) for name, value in weights.items()}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    assert one.keys() == other.keys()
    return all(np.array_equal(one[name], other[name]) for name in one)


def plays(trainer: Trainer, policy: str, weights: dict[str, Any]) -> bool:
    """Tell whether these are the weights that actions are chosen by."""
    played = trainer.algorithm.env_runner.module[policy].get_state()
    names = [name for name in weights if name.startswith("actor.")]
    assert "actor.tiles.weight" in names
    return all(np.array_equal(played[name], weights[name]) for name in names)


def test_the_masks_are_kept_and_losses_are_finite(
    trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: Counter[bool] = Counter()
    plain = MatchEnv.step

    def counted(env: MatchEnv, actions: dict[str, int]) -> Any:
        (action,) = actions.values()
        chosen[bool(env._match.mask[action])] += 1
        return plain(env, actions)

    monkeypatch.setattr(MatchEnv, "step", counted)
    while chosen[True] < 5000:
        figures = trainer.update()
        assert all(math.isfinite(value) for value in figures.values())
        assert figures["train/loss"] != 0
    assert chosen[False] == 0


def test_every_score_reaches_who_made_it(
    trainer: Trainer, rllib_config: TrainConfig
) -> None:
    scale = rllib_config.reward_scale
    runner = trainer.algorithm.env_runner
    kinds: Counter[str] = Counter()
    for _ in range(6):
        for match in runner.sample(num_episodes=8):
            assert match.is_terminated
            returns = {
                agent: played.get_return()
                for agent, played in match.agent_episodes.items()
            }
            infos = {
                agent: played.get_infos(-1)
                for agent, played in match.agent_episodes.items()
                if policy_of(agent) == LEARNER
            }
            for agent, info in infos.items():
                kinds[info["kind"]] += 1
                assert returns[agent] == pytest.approx(info["score"] * scale)
                # The score of the only round comes with the last decision.
                last = match.agent_episodes[agent].get_rewards()[-1]
                assert last == pytest.approx(returns[agent])
            if len(returns) == 2:
                # The winner's last decision ends the match; the loser is paid too.
                assert sum(returns.values()) == pytest.approx(0, abs=1e-6)
                kinds["lost"] += min(returns.values()) < 0
    assert min(kinds[kind] for kind in ("self_play", "league", "opponents")) > 0
    assert kinds["lost"] > 5


def test_the_score_of_the_loser_is_what_its_critic_learns(trainer: Trainer) -> None:
    learner = trainer.algorithm.learner_group._learner
    for _ in range(50):
        (match,) = trainer.algorithm.env_runner.sample(num_episodes=1)
        lost = [
            played.get_return()
            for agent, played in match.agent_episodes.items()
            if policy_of(agent) == LEARNER and played.get_return() < 0
        ]
        if lost:
            break
    batch = learner._learner_connector(
        rl_module=learner.module, batch={}, episodes=[match], shared_data={}
    )
    # What the last decision of the loser is worth is its score and nothing else.
    targets = np.asarray(batch[LEARNER]["value_targets"])
    assert np.isclose(targets, lost[0], atol=1e-5).any()


def test_frozen_policies_stay_as_they_are_until_they_are_replaced(
    trainer: Trainer,
) -> None:
    first = weights_of(trainer, LEARNER)
    assert same(weights_of(trainer, frozen(0)), first)
    while trainer.taken == 0:
        before = weights_of(trainer, LEARNER)
        trainer.update()
    assert not same(before, first)
    # The update that filled the first place has left the second one as it was.
    assert same(weights_of(trainer, frozen(1)), first)
    assert same(weights_of(trainer, frozen(0)), weights_of(trainer, LEARNER))
    kept = weights_of(trainer, frozen(0))
    trainer.update()
    assert same(weights_of(trainer, frozen(0)), kept)
    assert not same(weights_of(trainer, LEARNER), kept)
    assert plays(trainer, frozen(0), kept)
    assert plays(trainer, LEARNER, weights_of(trainer, LEARNER))


def test_a_checkpoint_brings_back_everything(
    trainer: Trainer, rllib_config: TrainConfig, run_folder: Path
) -> None:
    while trainer.taken < 2:
        trainer.update()
    folder = trainer.save()
    algorithm = algorithm_config(rllib_config, trainer.steps).build_algo()
    again = Trainer(rllib_config, run_folder, algorithm)
    again.load(folder)
    try:
        assert (again.steps, again.taken) == (trainer.steps, trainer.taken)
        for policy in (LEARNER, frozen(0), frozen(1)):
            assert same(weights_of(again, policy), weights_of(trainer, policy))
            assert plays(again, policy, weights_of(trainer, policy))
        assert not same(weights_of(again, frozen(0)), weights_of(again, frozen(1)))
        moments = [
            one.algorithm.learner_group.get_state(components=COMPONENT_LEARNER)[
                COMPONENT_LEARNER
            ][COMPONENT_OPTIMIZER][f"{LEARNER}_default_optimizer"]["state"]["state"]
            for one in (trainer, again)
        ]
        assert moments[0]
        for index, moment in moments[0].items():
            assert np.array_equal(moment["exp_avg"], moments[1][index]["exp_avg"])
        assert math.isfinite(again.update()["train/loss"])
    finally:
        algorithm.stop()


def test_a_run_goes_on_and_its_policy_plays(
    rllib_config: TrainConfig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "tiny.yaml", tmp_path / "out"
    file.write_text(rllib_config.to_yaml())
    command = ["train", str(file), "--out", str(out)]
    assert main(command) == 0
    first, *_, last = sorted((out / "checkpoints").iterdir())
    policy = json.loads((last / "policy.json").read_text())
    assert policy["training"]["backend"] == "rllib"
    assert load_agent(out).description.num_players == 2
    lines = (out / "metrics.csv").read_text().splitlines()
    assert int(lines[-1].split(",")[0]) == int(last.name) >= 2000
    (last / STATE_FOLDER).rename(tmp_path / "gone")
    for file_ in last.iterdir():
        file_.unlink()
    last.rmdir()
    assert main([*command, "--resume", "--rllib.cpus", "1"]) == 0
    assert "going on from" in capsys.readouterr().out
    assert int(sorted((out / "checkpoints").iterdir())[-1].name) >= 2000
    evaluation = ["evaluate", str(out), "random", "--deals", "2"]
    rules = ["--rules", rllib_config.rules, "--out", str(tmp_path / "report")]
    assert main([*evaluation, *rules]) == 0
    assert main([*command, "--resume"]) == 0
    assert "has been trained already" in capsys.readouterr().out
    assert first.exists()


def test_batches_larger_than_what_is_played_are_refused(
    rllib_config: TrainConfig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tiny.yaml"
    file.write_text(replace(rllib_config, num_envs=1).to_yaml())
    assert main(["train", str(file), "--out", str(tmp_path / "out")]) == 2
    assert "ppo.batch_size must not exceed the 100" in capsys.readouterr().err
