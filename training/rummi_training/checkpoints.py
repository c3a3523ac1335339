"""Checkpoints: everything that a stopped run needs to go on as if it had not stopped.

A checkpoint is a folder: the policy's two files, which any player can be made from, and
``training.json`` and ``training.safetensors`` with the critic, the optimiser and the
random numbers. It is written under another name and then renamed, so a folder with its
name is whole. Reading it executes nothing.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from rummi_agents.neural import CHECKPOINTS
from rummi_agents.policy_files import (
    Arrays,
    read_arrays,
    read_json,
    read_policy,
    write_policy,
)
from rummi_training.config import TrainConfig
from rummi_training.environments import description_of
from rummi_training.league import League
from rummi_training.policy import Policy
from rummi_training.run_folder import write_json, write_whole

FORMAT = 2
"""Counts up with every change of what the training files hold."""

STATE_FILE = "training.json"
ARRAYS_FILE = "training.safetensors"

DIGITS = 12
"""Digits of a checkpoint's name, its number of decisions; so names sort by age."""


def save_checkpoint(
    model: MaskablePPO,
    config: TrainConfig,
    run: Path,
    about: dict[str, Any],
    league: League,
    stage: int,
) -> Path:
    """Writes a checkpoint and removes those that are not to be kept.

    Args:
        model: the learner, between two updates.
        config: of the run.
        run: folder of the run.
        about: for people: how the policy came about.
        league: whom it meets.
        stage: number of the method that it learns by.

    Returns:
        The folder of the checkpoint.
    """
    folder = run / CHECKPOINTS
    folder.mkdir(exist_ok=True)
    name = f"{model.num_timesteps:0{DIGITS}d}"
    beside = folder / f".{name}.part"
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    policy = policy_of(model)
    description = description_of(
        config, **about, steps=model.num_timesteps, seed=config.seed
    )
    write_policy(beside, description, arrays_of(policy.networks.actor.state_dict()))
    _write_state(beside, model, policy, league, stage)
    _sync(beside)
    final = folder / name
    shutil.rmtree(final, ignore_errors=True)
    beside.rename(final)
    _sync(folder)
    if config.keep_checkpoints:
        for old in checkpoints_of(run)[: -config.keep_checkpoints]:
            shutil.rmtree(old)
    return final


def checkpoints_of(run: Path) -> list[Path]:
    """Returns the checkpoints of a run, oldest first."""
    found = (run / CHECKPOINTS).glob("[0-9]*")
    return sorted(path for path in found if path.name.isdigit())


def load_checkpoint(
    model: MaskablePPO, config: TrainConfig, folder: Path, league: League
) -> int:
    """Brings a freshly made learner and its league to where a checkpoint was written.

    Returns:
        The number of the method that it learned by.

    Raises:
        ValueError: the checkpoint is damaged, or of another network.
    """
    description, actor = read_policy(folder)
    wanted = description_of(config, **description.training)
    if description != wanted:
        raise ValueError(f"{folder} is of other rules, players or another network")
    state = read_json(folder / STATE_FILE)
    if state.get("format") != FORMAT:
        raise ValueError(
            f"{folder / STATE_FILE} has format {state.get('format')!r}, this package "
            f"reads format {FORMAT}"
        )
    arrays = read_arrays(folder / ARRAYS_FILE, state.get("arrays_sha256"))
    policy = policy_of(model)
    try:
        policy.networks.actor.load_state_dict(_tensors(actor))
        policy.networks.critic.load_state_dict(_tensors(_part(arrays, "critic.")))
        _load_optimiser(policy.optimizer, arrays, state["optimiser"])
        _load_chance(arrays, state["numpy_position"])
        model.num_timesteps = int(state["steps"])
        model._n_updates = int(state["updates"])
        league.load(state["league"], _part(arrays, "league."))
        return int(state["stage"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{folder} is damaged: its parts do not fit") from error


def _write_state(
    folder: Path, model: MaskablePPO, policy: Policy, league: League, stage: int
) -> None:
    from safetensors.numpy import save

    kind, keys, position, *_ = np.random.get_state(legacy=True)
    assert kind == "MT19937"
    arrays: Arrays = {
        "chance.torch": torch.get_rng_state().numpy(),
        "chance.numpy": np.asarray(keys),
    }
    critic = arrays_of(policy.networks.critic.state_dict())
    arrays |= {f"critic.{name}": value for name, value in critic.items()}
    optimiser = policy.optimizer.state_dict()
    for index, moments in optimiser["state"].items():
        for name, value in moments.items():
            arrays[f"optimiser.{index}.{name}"] = value.cpu().numpy()
    members, weights = league.state()
    arrays |= {f"league.{name}": value for name, value in weights.items()}
    data = save({name: np.ascontiguousarray(value) for name, value in arrays.items()})
    write_whole(folder / ARRAYS_FILE, data)
    write_json(
        folder / STATE_FILE,
        {
            "format": FORMAT,
            "steps": model.num_timesteps,
            "updates": model._n_updates,
            "stage": stage,
            "league": members,
            "numpy_position": int(position),
            "optimiser": optimiser["param_groups"],
            "arrays_sha256": hashlib.sha256(data).hexdigest(),
        },
    )


def _load_optimiser(
    optimiser: torch.optim.Optimizer, arrays: Arrays, groups: list[dict[str, Any]]
) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in _tensors(_part(arrays, "optimiser.")).items():
        index, _, moment = name.partition(".")
        state.setdefault(int(index), {})[moment] = value
    optimiser.load_state_dict({"state": state, "param_groups": groups})


def _load_chance(arrays: Arrays, position: int) -> None:
    torch.set_rng_state(torch.from_numpy(arrays["chance.torch"]))
    np.random.set_state(("MT19937", arrays["chance.numpy"], int(position), 0, 0.0))


def policy_of(model: MaskablePPO) -> Policy:
    """Returns the policy of a learner."""
    policy = model.policy
    assert isinstance(policy, Policy)
    return policy


def arrays_of(tensors: dict[str, torch.Tensor]) -> Arrays:
    """Returns weights as arrays."""
    return {name: value.detach().cpu().numpy() for name, value in tensors.items()}


def _tensors(arrays: Arrays) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(value) for name, value in arrays.items()}


def _part(arrays: Arrays, prefix: str) -> Arrays:
    return {
        name.removeprefix(prefix): value
        for name, value in arrays.items()
        if name.startswith(prefix)
    }


def _sync(folder: Path) -> None:
    """Makes sure that what was written to a folder survives a power cut."""
    for path in (*folder.iterdir(), folder):
        if path.is_dir() and path != folder:
            continue
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def describe(config: TrainConfig) -> dict[str, Any]:
    """Returns the part of a configuration that a model card needs."""
    parts = {"ppo": dataclasses.asdict(config.ppo)}
    if "imitate" in config.method:
        parts["imitation"] = dataclasses.asdict(config.imitation)
    if config.league.active:
        parts["league"] = dataclasses.asdict(config.league)
    return {
        "method": list(config.method),
        "opponents": list(config.opponents),
        "start": list(config.start),
        **parts,
    }
