"""Training runs: repeatable, stopped and resumed, safe to load."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from rummi_agents.neural import load_agent
from rummi_agents.policy_files import WEIGHTS_FILE
from rummi_training.checkpoints import (
    ARRAYS_FILE,
    STATE_FILE,
    checkpoints_of,
    load_checkpoint,
)
from rummi_training.config import ImitationConfig, PPOConfig, TrainConfig
from rummi_training.league import League
from rummi_training.metrics import METRICS_FILE
from rummi_training.train import make_model, train

QUIET = Console(quiet=True)


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
def finished(
    tiny_config: TrainConfig, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of a run that was not stopped."""
    run = tmp_path_factory.mktemp("finished") / "run"
    train(tiny_config, run, resume=False, console=QUIET)
    return run


@pytest.fixture
def stopped(finished: Path, tmp_path: Path) -> Path:
    """The folder of the same run as it is after its first two checkpoints."""
    run = tmp_path / "run"
    subprocess.run(["cp", "-r", str(finished), str(run)], check=True)
    for late in checkpoints_of(run)[2:]:
        subprocess.run(["rm", "-r", str(late)], check=True)
    return run


def test_run_folder_holds_what_is_needed_to_do_it_again(
    finished: Path, tiny_config: TrainConfig
) -> None:
    assert TrainConfig.load(finished / "config.yaml") == tiny_config
    (start,) = json.loads((finished / "starts.json").read_text())
    assert {"commit", "packages", "python", "command"} <= set(start)
    assert [path.name[-3:] for path in checkpoints_of(finished)] == [
        "200",
        "400",
        "600",
    ]
    header, *lines = (finished / METRICS_FILE).read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == [
        str(steps) for steps in range(100, 700, 100)
    ]
    assert header.startswith("steps,matches,score,won")
    board = EventAccumulator(str(finished / "tensorboard"))
    board.Reload()
    names = set(board.Tags()["scalars"])
    assert {"matches/score", "matches/won", "policy/entropy", "value/loss"} <= names
    assert {name.split("/")[0] for name in names} == {
        "matches", "policy", "value", "time",
    }  # fmt: skip


def test_same_seed_gives_the_same_numbers(
    finished: Path, tiny_config: TrainConfig, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    train(tiny_config, again, resume=False, console=QUIET)
    assert outcome(again) == outcome(finished)
    other = tmp_path / "other"
    train(replace(tiny_config, seed=1), other, resume=False, console=QUIET)
    assert outcome(other)[WEIGHTS_FILE] != outcome(finished)[WEIGHTS_FILE]


def test_resumed_run_ends_as_if_it_had_not_stopped(
    finished: Path, stopped: Path, tiny_config: TrainConfig
) -> None:
    train(tiny_config, stopped, resume=True, console=QUIET)
    assert outcome(stopped) == outcome(finished)
    assert len(json.loads((stopped / "starts.json").read_text())) == 2


def test_run_killed_by_the_system_goes_on(
    tiny_config: TrainConfig, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    config = replace(tiny_config, total_steps=100_000, keep_checkpoints=2)
    path, run = tmp_path / "long.yaml", tmp_path / "run"
    path.write_text(config.to_yaml())
    with subprocess.Popen(
        [sys.executable, "-m", "rummi_training", "train", path, "--out", run],
        env=dict(environment),
        stdout=subprocess.DEVNULL,
    ) as process:
        try:
            patience = time.monotonic() + 500
            while len(checkpoints_of(run)) < 2 and process.poll() is None:
                assert time.monotonic() < patience
                time.sleep(0.01)
        finally:
            process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    reached = int(checkpoints_of(run)[-1].name)
    # The end is brought near, or the test would take minutes.
    near = replace(config, total_steps=reached + 100)
    (run / "config.yaml").write_text(near.to_yaml())
    last = train(near, run, resume=True, console=QUIET)
    assert int(last.name) == reached + 100
    steps = [line.split(",")[0] for line in (run / METRICS_FILE).read_text().split()]
    assert steps[1:] == [str(number) for number in range(100, reached + 200, 100)]
    assert load_agent(run).folder == last


def test_finished_run_is_left_alone(finished: Path, tiny_config: TrainConfig) -> None:
    before = outcome(finished)
    last = train(tiny_config, finished, resume=True, console=QUIET)
    assert last == checkpoints_of(finished)[-1]
    assert outcome(finished) == before


def test_run_folder_is_not_overwritten(
    finished: Path, tiny_config: TrainConfig, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="holds a run already"):
        train(tiny_config, finished, resume=False, console=QUIET)
    with pytest.raises(ValueError, match="another configuration: seed is 0 there"):
        train(replace(tiny_config, seed=4), finished, resume=True, console=QUIET)
    (tmp_path / "letter.txt").write_text("not ours")
    with pytest.raises(ValueError, match="holds something else"):
        train(tiny_config, tmp_path, resume=True, console=QUIET)


def test_a_run_can_be_lengthened(
    finished: Path, tiny_config: TrainConfig, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    steps = tiny_config.total_steps
    longer = replace(tiny_config, total_steps=2 * steps)
    last = train(longer, run, resume=True, console=QUIET)
    assert int(last.name) == 2 * int(checkpoints_of(finished)[-1].name)
    assert TrainConfig.load(run / "config.yaml") == longer
    with pytest.raises(ValueError, match=rf"is {2 * steps}: it may be more .*{steps}$"):
        train(tiny_config, run, resume=True, console=QUIET)
    assert TrainConfig.load(run / "config.yaml") == longer


def test_a_run_whose_stages_would_move_is_not_lengthened(
    tiny_config: TrainConfig, tmp_path: Path
) -> None:
    config = replace(tiny_config, method=("ppo", "imitate"))
    (tmp_path / "config.yaml").write_text(config.to_yaml())
    longer = replace(config, total_steps=2 * config.total_steps)
    with pytest.raises(ValueError, match="another configuration: total_steps is"):
        train(longer, tmp_path, resume=True, console=QUIET)


@pytest.mark.parametrize(
    "changes",
    [
        {"opponents": ("max_tile",)},
        {"method": ("imitate",), "imitation": ImitationConfig(teacher="max_tile")},
        {"device": "gpu"},
        {"ppo": PPOConfig(batch_size=1_000_000)},
    ],
    ids=str,
)
def test_what_cannot_begin_leaves_no_folder(
    changes: dict[str, Any], tiny_config: TrainConfig, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"max_tile|gpu|batch_size"):
        train(
            replace(tiny_config, **changes),
            tmp_path / "run",
            resume=False,
            console=QUIET,
        )
    assert not (tmp_path / "run").exists()


def test_opponents_trained_for_other_games_leave_no_folder(
    finished: Path, tiny_config: TrainConfig, tmp_path: Path
) -> None:
    config = replace(tiny_config, num_players=3, opponents=(str(finished),))
    with pytest.raises(ValueError, match="was trained for 2 players under"):
        train(config, tmp_path / "run", resume=False, console=QUIET)
    assert not (tmp_path / "run").exists()


def test_unfinished_checkpoint_counts_for_nothing(
    stopped: Path, tiny_config: TrainConfig, finished: Path
) -> None:
    half = stopped / "checkpoints" / ".000000000500.part"
    half.mkdir()
    (half / WEIGHTS_FILE).write_bytes(b"half")
    train(tiny_config, stopped, resume=True, console=QUIET)
    assert outcome(stopped) == outcome(finished)


@pytest.mark.parametrize("name", ["policy.json", WEIGHTS_FILE, STATE_FILE, ARRAYS_FILE])
@pytest.mark.parametrize("left", [0, 40, -1])
def test_truncated_checkpoint_is_refused(
    stopped: Path, tiny_config: TrainConfig, name: str, left: int
) -> None:
    last = checkpoints_of(stopped)[-1]
    (last / name).write_bytes((last / name).read_bytes().rstrip()[:left])
    with pytest.raises(ValueError, match="is damaged") as caught:
        train(tiny_config, stopped, resume=True, console=QUIET)
    assert "\n" not in str(caught.value)


class Payload:
    """What a doctored file would run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("name", ["policy.json", WEIGHTS_FILE, STATE_FILE, ARRAYS_FILE])
def test_doctored_checkpoint_executes_nothing(
    stopped: Path, tiny_config: TrainConfig, tmp_path: Path, name: str
) -> None:
    ran = tmp_path / "ran"
    last = checkpoints_of(stopped)[-1]
    (last / name).write_bytes(pickle.dumps(Payload(ran)))
    with pytest.raises(ValueError, match="is damaged"):
        load_checkpoint(make_model(tiny_config), tiny_config, last, League(tiny_config))
    assert not ran.exists()


def test_checkpoint_of_another_network_is_refused(
    stopped: Path, tiny_config: TrainConfig
) -> None:
    other = replace(tiny_config, rules="online")
    with pytest.raises(ValueError, match="is of other rules, players or another"):
        last = checkpoints_of(stopped)[-1]
        load_checkpoint(make_model(other), other, last, League(other))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"opponents": ("nobody",)}, "unknown agent 'nobody'"),
        ({"device": "abacus"}, "device: there is no device 'abacus'"),
        ({"num_envs": 1}, "ppo.batch_size must not exceed the 25 decisions"),
    ],
)
def test_impossible_runs_are_refused(
    tiny_config: TrainConfig, tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    config = replace(tiny_config, **changes)
    with pytest.raises(ValueError, match=sentence):
        train(config, tmp_path / "run", resume=False, console=QUIET)


@pytest.mark.parametrize("players", [3, 4])
def test_runs_with_more_players_and_other_opponents(
    tiny_config: TrainConfig, tmp_path: Path, finished: Path, players: int
) -> None:
    config = replace(
        tiny_config,
        num_players=players,
        opponents=("cautious", "greedy"),
        reward="win",
        total_steps=100,
    )
    last = train(config, tmp_path / "run", resume=False, console=QUIET)
    assert load_agent(last).description.num_players == players


def test_checkpoints_may_be_opponents(
    tiny_config: TrainConfig, tmp_path: Path, finished: Path
) -> None:
    config = replace(tiny_config, opponents=(str(finished),), total_steps=100)
    train(config, tmp_path / "run", resume=False, console=QUIET)


def test_run_is_described_in_plain_yaml(finished: Path) -> None:
    fields = yaml.safe_load((finished / "config.yaml").read_text())
    assert fields["opponents"] == ["random", "max_tiles"]
    assert os.access(finished / "config.yaml", os.R_OK)
