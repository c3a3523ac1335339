"""Tests of the roads to other frameworks; what needs one runs where it is installed."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

from rummi_agents.policy_files import NetworkConfig
from rummi_training.config import PPOConfig, RLlibConfig, TrainConfig

NEEDS = {
    "test_open_spiel.py": "pyspiel",
    "test_rllib.py": "ray",
    "test_rllib_cluster.py": "ray",
    "test_torchrl.py": "torchrl",
    "test_tianshou.py": "tianshou",
}
"""Their imports at the top would fail elsewhere; `make test-interop` has them all, and
`tests/packaging/test_interop.py` fails there if one is missing."""

collect_ignore = [
    name for name, framework in NEEDS.items() if find_spec(framework) is None
]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Lets torch compute on one thread: its networks are small here."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def small_rules() -> str:
    """A small deck, whose matches last some tens of decisions."""
    return "official,numbers=6,rack_size=8,opening_points=10"


@pytest.fixture(scope="session")
def rllib_config(small_rules: str) -> TrainConfig:
    """A tiny run by RLlib in this process."""
    return TrainConfig(
        backend="rllib",
        rules=small_rules,
        opponents=("random", "max_tiles"),
        total_steps=2000,
        num_envs=8,
        checkpoint_every=700,
        network=NetworkConfig("by_color", (16, 16)),
        ppo=PPOConfig(rollout_steps=100, batch_size=200, epochs=2),
        rllib=RLlibConfig(
            env_runners=0,
            league_size=2,
            league_every=1500,
            cpus=2,
            store_megabytes=100,
            sample_seconds=30.0,
        ),
    )


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """The folder of a run."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder
