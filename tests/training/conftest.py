"""A training run that takes a second, and the command line."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from rummi_agents.policy_files import NetworkConfig
from rummi_training.config import EvaluationConfig, PPOConfig, TrainConfig

ROOT = Path(__file__).parents[2]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def tiny_config() -> TrainConfig:
    """A tiny run: six updates and three checkpoints."""
    return TrainConfig(
        # A small deck: an untrained policy that hoards tiles makes large racks.
        rules="official,numbers=6,rack_size=8,opening_points=10",
        opponents=("random", "max_tiles"),
        total_steps=600,
        num_envs=4,
        checkpoint_every=200,
        network=NetworkConfig("by_color", (8, 8)),
        ppo=PPOConfig(rollout_steps=25, batch_size=50, epochs=1),
        evaluation=EvaluationConfig(opponents=("random",), deals=3),
    )


@pytest.fixture
def tiny(tmp_path: Path, tiny_config: TrainConfig) -> Path:
    """The file of a tiny run."""
    path = tmp_path / "tiny.yaml"
    path.write_text(tiny_config.to_yaml())
    return path


@pytest.fixture
def environment() -> Mapping[str, str]:
    """Environment variables with which the packages are found uninstalled."""
    paths = [str(ROOT / part) for part in (".", "agents", "training")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "200"}


@pytest.fixture
def rummi(tmp_path: Path, environment: Mapping[str, str]) -> Run:
    """Runs the command in a process of its own."""

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rummi_training", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=dict(environment),
        )

    return run
