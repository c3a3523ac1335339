"""What is said where a framework is not installed."""

import importlib
import sys
from pathlib import Path

import pytest

from rummi_training.cli import main
from rummi_training.config import RLlibConfig, TrainConfig
from rummi_training.interop.absent import MissingFramework

ROADS = {
    "rllib": ("ray", "RLlib"),
    "rllib_env": ("ray", "RLlib"),
    "rllib_module": ("ray", "RLlib"),
    "torchrl_ppo": ("torchrl", "TorchRL"),
    "tianshou_dqn": ("tianshou", "Tianshou"),
    "ray_cluster": ("ray", "Ray"),
    "open_spiel_game": ("pyspiel", "OpenSpiel"),
}


def forget(monkeypatch: pytest.MonkeyPatch, framework: str) -> None:
    """Make a framework, and what was imported of it, look as if it were not there."""
    for name in list(sys.modules):
        if name.partition(".")[0] == framework or "rummi_training.interop." in name:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, framework, None)
    if framework == "torchrl":
        # It comes with torchrl and is imported first.
        monkeypatch.setitem(sys.modules, "tensordict", None)


@pytest.mark.parametrize("module", ROADS)
def test_the_extra_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    framework, title = ROADS[module]
    forget(monkeypatch, framework)
    wanted = rf"{title} is missing: pip install 'rummi-env\[train,interop\]'"
    with pytest.raises(ImportError, match=wanted):
        importlib.import_module(f"rummi_training.interop.{module}")


def test_the_command_line_says_it_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forget(monkeypatch, "ray")
    file = tmp_path / "run.yaml"
    file.write_text("backend: rllib\n")
    assert main(["train", str(file), "--out", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rummi: RLlib is missing: pip install 'rummi-env[train,int")


def test_it_is_an_import_error_that_the_command_line_tells() -> None:
    assert issubclass(MissingFramework, ImportError)
    assert issubclass(MissingFramework, ValueError)


def test_shares_of_matches_leave_none_below_zero() -> None:
    with pytest.raises(ValueError, match=r"exceed 1 together, but are 0.7 and 0.4"):
        RLlibConfig(self_play=0.7, league=0.4)
    with pytest.raises(ValueError, match="backend must be 'sb3' or 'rllib', not"):
        TrainConfig(backend="jax")  # type: ignore[arg-type]


def test_a_run_may_move_to_another_cluster_and_may_not_become_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forget(monkeypatch, "ray")
    file, out = tmp_path / "run.yaml", tmp_path / "out"
    file.write_text("backend: rllib\n")
    command = ["train", str(file), "--out", str(out)]
    assert main(command) == 2
    assert not out.exists()
    out.mkdir()
    (out / "config.yaml").write_text(TrainConfig.load(file).to_yaml())
    # Gets as far as before, so the folder is not refused.
    assert main([*command, "--resume", "--rllib.address", "10.0.0.1:6379"]) == 2
    assert "RLlib is missing" in capsys.readouterr().err
    assert main([*command, "--resume", "--rllib.self-play", "0.1"]) == 2
    assert "another configuration: rllib is" in capsys.readouterr().err
