"""Runs of several stages: imitation, PPO with a league, whole turns as choices."""

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from rummi_agents import make_agent
from rummi_agents.neural import load_agent
from rummi_agents.policy_files import WEIGHTS_FILE, NetworkConfig
from rummi_env.core.rulesets import RuleSet
from rummi_training.checkpoints import ARRAYS_FILE, STATE_FILE, checkpoints_of
from rummi_training.config import (
    ImitationConfig,
    LeagueConfig,
    PPOConfig,
    TrainConfig,
)
from rummi_training.environments import make_vec_env
from rummi_training.imitation import Memory, Rollout
from rummi_training.league import League
from rummi_training.metrics import METRICS_FILE
from rummi_training.train import stages_of, train
from rummi_training.turn_tables import TurnTables

QUIET = Console(quiet=True)

STAGES = TrainConfig(
    rules="official,numbers=6,rack_size=5,opening_points=10",
    num_players=4,
    fewest_players=3,
    opponents=("max_tiles", "patient"),
    method=("imitate", "ppo"),
    total_steps=200,
    num_envs=4,
    checkpoint_every=100,
    keep_checkpoints=0,
    privileged_critic=True,
    start=(2, 1, 0, 0, 0),
    network=NetworkConfig("by_color", (8, 8), "turns"),
    ppo=PPOConfig(rollout_steps=25, batch_size=50, epochs=1),
    imitation=ImitationConfig(
        teacher="patient", total_steps=200, teacher_steps=100, batches=2
    ),
    league=LeagueConfig(snapshots=2, share=0.5, priority=1.0, tables=2),
)
"""A tiny run of two stages, two checkpoints each, with 3 and 4 players in turn."""


def outcome(run: Path) -> dict[str, bytes]:
    """All that a run has learned, to the last bit."""
    last = checkpoints_of(run)[-1]
    names = ("policy.json", WEIGHTS_FILE, STATE_FILE, ARRAYS_FILE)
    return {
        "name": last.name.encode(),
        "metrics": (run / METRICS_FILE).read_bytes(),
        **{name: (last / name).read_bytes() for name in names},
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was not stopped."""
    run = tmp_path_factory.mktemp("stages") / "run"
    train(STAGES, run, resume=False, console=QUIET)
    return run


def test_stages_follow_each_other(finished: Path) -> None:
    assert [int(path.name) for path in checkpoints_of(finished)] == [100, 200, 300, 400]
    header, *lines = (finished / METRICS_FILE).read_text().splitlines()
    agreed = [line.split(",")[header.split(",").index("agreement")] for line in lines]
    assert [bool(text) for text in agreed] == [True, True, False, False]
    assert load_agent(finished).description.training["method"] == ["imitate", "ppo"]


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_resumed_run_ends_with_the_same_bits_at_every_stage(
    finished: Path, tmp_path: Path, kept: int
) -> None:
    run = tmp_path / "run"
    subprocess.run(["cp", "-r", str(finished), str(run)], check=True)
    for late in checkpoints_of(run)[kept:]:
        subprocess.run(["rm", "-r", str(late)], check=True)
    train(STAGES, run, resume=True, console=QUIET)
    assert outcome(run) == outcome(finished)


def test_killed_run_goes_on(
    finished: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    config, run = tmp_path / "stages.yaml", tmp_path / "run"
    config.write_text(STAGES.to_yaml())
    command = [
        sys.executable, "-m", "rummi_training", "train", str(config), "--resume",
        "--out", str(run),
    ]  # fmt: skip
    process = subprocess.Popen(command, env=dict(environment))
    while process.poll() is None and not checkpoints_of(run):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    train(STAGES, run, resume=True, console=QUIET)
    assert outcome(run) == outcome(finished)


def test_trained_policies_play_with_every_number_of_their_players(
    finished: Path,
) -> None:
    agent: Any = make_agent(str(finished))
    sizes = []
    for players in (3, 4):
        tables = TurnTables(
            STAGES.read_rules(),  # type: ignore[arg-type]
            [(agent,) * (players - 1)] * 2,
            seen_as=4,
        )
        seen, info = tables.reset(seed=[1, 2])
        assert info["action_mask"].any(axis=1).all()
        sizes.append(seen.shape)
    assert sizes[0] == sizes[1]


def test_imitation_comes_to_agree_with_the_teacher(tmp_path: Path) -> None:
    config = replace(
        STAGES,
        num_players=2,
        fewest_players=None,
        method=("imitate",),
        start=(),
        num_envs=16,
        checkpoint_every=10_000,
        imitation=ImitationConfig(
            teacher="cautious", total_steps=6_400, teacher_steps=800, batches=16
        ),
        ppo=PPOConfig(rollout_steps=25, batch_size=200),
        league=LeagueConfig(),
    )
    train(config, tmp_path / "run", resume=False, console=QUIET)
    rows = (tmp_path / "run" / METRICS_FILE).read_text().splitlines()
    agreed = [float(row.split(",")[-1]) for row in rows[1:]]
    assert agreed[-1] > max(0.85, agreed[0])


@pytest.mark.parametrize("teacher", ["max_tiles", "module"])
def test_teachers_of_actions_are_imitated_too(tmp_path: Path, teacher: str) -> None:
    name = "rummi_agents.scripted:MaxTiles" if teacher == "module" else teacher
    config = replace(
        STAGES,
        fewest_players=None,
        method=("imitate",),
        start=(),
        network=NetworkConfig("by_color", (8, 8)),
        imitation=ImitationConfig(teacher=name, total_steps=100, teacher_steps=100),
    )
    last = train(config, tmp_path / "run", resume=False, console=QUIET)
    assert load_agent(last).description.network.chooses == "actions"


def test_every_kind_of_teacher_says_the_same(tmp_path: Path) -> None:
    rules = RuleSet(numbers=6, rack_size=8, opening_points=10)
    tables = TurnTables(rules, [("random",)] * 16, seen_as=2)
    tables.reset(seed=list(range(16)))
    agreed = []
    for _ in range(30):
        fast, slow = tables.labels("patient"), tables.labels(make_agent("patient"))
        agreed.append(fast == slow)
        best = tables.labels("max_points")
        np.testing.assert_array_equal(best, tables.labels(make_agent("max_points")))
        tables.step(best)
    # The fast `patient` may differ where it lays a part of a large rack.
    assert np.mean(agreed) > 0.99


def test_opponents_of_any_kind_sit_at_tables() -> None:
    rules = RuleSet(numbers=6, rack_size=8, opening_points=10)
    seated: list[Any] = [
        ("random",),
        (make_agent("cautious"),),
        ("patient",),
        ("greedy",),
    ]
    tables = TurnTables(rules, seated, seen_as=2, reward="win", reward_scale=2.0)
    _, info = tables.reset(seed=[1, 2, 3, 4])
    paid = []
    for _ in range(60):
        _, rewards, over, _, info = tables.step(info["action_mask"].argmax(axis=1))
        for row in np.flatnonzero(over).tolist():
            final = info["final_info"]
            assert final["scores"][row].sum() == 0.0
            paid.append(rewards[row])
    assert paid
    assert set(paid) <= {2.0, -2.0, 1.0}
    with pytest.raises(ValueError, match="actions must be choices that there are"):
        tables.step(np.full(4, 1))


def test_league_prefers_whom_the_learner_loses_to() -> None:
    config = replace(
        STAGES, fewest_players=None, num_players=2, num_envs=64,
        league=LeagueConfig(priority=2.0, tables=64),
    )  # fmt: skip
    league = League(config)
    weak, strong = league.members
    weak.matches, weak.won = 100.0, 99.0
    strong.matches, strong.won = 100.0, 10.0
    met = [table[0].name for table in league.draw(7)]
    assert met.count(strong.name) > 55
    again = League(config)
    again.load(*league.state())
    assert [table[0].name for table in again.draw(7)] == met


def test_league_keeps_the_first_state_and_the_latest_ones() -> None:
    league = League(replace(STAGES, league=LeagueConfig(snapshots=3)))
    for steps in range(100, 700, 100):
        league.pass_on(steps, {"weight": np.full(2, steps, np.float32)})
    names = [member.name for member in league.members if member.weights]
    assert names == ["100", "500", "600"]


def test_memory_keeps_the_latest_rollouts() -> None:
    memory = Memory(10)
    for number in range(3):
        memory.add(
            Rollout(
                np.zeros((2, 3, 4), np.float32),
                np.ones((2, 3, 5), np.bool_),
                np.full((2, 3), number),
                np.zeros((2, 3), np.float32),
            )
        )
    assert len(memory) == 6
    seen, masks, labels, returns = memory.draw(7)
    assert (seen.shape, masks.shape, returns.shape) == ((7, 4), (7, 5), (7,))
    assert set(labels.tolist()) == {2}


def test_stages_may_be_repeated() -> None:
    config = replace(STAGES, method=("imitate", "ppo", "imitate"))
    assert [(part.first, part.end) for part in stages_of(config)] == [
        (0, 200),
        (200, 400),
        (400, 600),
    ]


def test_critic_of_an_actor_of_actions_may_see_what_is_hidden(tmp_path: Path) -> None:
    config = replace(
        STAGES,
        fewest_players=None,
        method=("ppo",),
        start=(),
        network=NetworkConfig("by_color", (8, 8)),
        total_steps=200,
    )
    envs = make_vec_env(config)
    plain = make_vec_env(replace(config, privileged_critic=False))
    assert envs.observation_space.shape > plain.observation_space.shape  # type: ignore[operator]
    envs.close()
    plain.close()
    last = train(config, tmp_path / "run", resume=False, console=QUIET)
    assert load_agent(last).description.num_players == 4


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"method": ("dream",)}, "method must be a list of imitate and ppo"),
        ({"method": ()}, "method must be a list of imitate and ppo"),
        ({"fewest_players": 5}, "num_players must be an integer from 2 to 4"),
        ({"num_players": 2}, "fewest_players must not exceed num_players"),
        ({"network": NetworkConfig()}, "fewest_players goes with network.chooses"),
        ({"rules": "sabra", "network": NetworkConfig()}, "fewest_players goes with"),
        ({"backend": "rllib"}, "method goes with backend: sb3, not with rllib"),
        ({"start": ("a",)}, "start must be a list of numbers"),
    ],
)
def test_impossible_configurations_are_refused(
    changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        replace(STAGES, **changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rules": "sabra"}, "whole turns can be chosen where jokers are free"),
        ({"game": "rummy", "rules": "default"}, "in rummikub, not in rummy"),
        ({"start": (1.0,)}, "start must be 5 numbers"),
        (
            {"imitation": ImitationConfig(teacher="nobody")},
            "unknown agent 'nobody'",
        ),
    ],
)
def test_impossible_runs_are_refused(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        train(replace(STAGES, **changes), tmp_path / "run", resume=False, console=QUIET)
    assert "\n" not in str(caught.value)
