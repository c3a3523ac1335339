"""How fast MaskablePPO learns in the batch, beside what it can where nothing is played.

Most of the time is the algorithm's own: its networks choose, and its optimiser learns.
So the rates are held against those where the environments cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from rummi_training.benchmarks.timing import Rate, rate
from rummi_training.config import TrainConfig
from rummi_training.environments import make_vec_env
from rummi_training.progress import meter
from rummi_training.run_folder import command_line, surroundings, write_json
from rummi_training.vec_env import MaskedVecEnv

ENVIRONMENTS = (8, 64, 256)
"""Numbers of environments that are measured."""

THREADS = (1, 2)
"""Threads that play the matches."""

ROLLOUT = 4096
"""Decisions between two updates, of all environments together."""


class FreeVecEnv(MaskedVecEnv):
    """Environments that cost nothing: they stay as they were dealt."""

    def step_wait(self) -> VecEnvStepReturn:
        """Returns what there was before, and that no match is over."""
        return (
            self._dealt,
            self._nothing,
            self._nothing.astype(np.bool_),
            [{} for _ in range(self.num_envs)],
        )

    def reset(self) -> npt.NDArray[np.float32]:
        """Starts every match anew; returns the observations, [N, S]."""
        self._dealt = super().reset()
        self._nothing = np.zeros(self.num_envs, np.float32)
        return self._dealt


def learn_in(envs: MaskedVecEnv, seconds: float, seed: int) -> Rate:
    """Measures the learner's decisions in some CPU time, learning included.

    The network has two layers of 256 units; every decision is used four times.

    Args:
        envs: where to learn.
        seconds: CPU time of the measurement.
        seed: of the matches and of the network.
    """
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=ROLLOUT // envs.num_envs,
        batch_size=1024,
        n_epochs=4,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
    )

    def some() -> int:
        model.learn(ROLLOUT, reset_num_timesteps=False)
        return ROLLOUT

    measured = rate(some, seconds)
    envs.close()
    return measured


def measure_learning(
    seconds: float,
    seed: int,
    console: Console,
    environments: Sequence[int] = ENVIRONMENTS,
) -> list[dict[str, Any]]:
    """Measures learning with each number of environments.

    Args:
        seconds: CPU time of each measurement; at least two rollouts are made.
        seed: of matches and networks.
        console: where to show progress.
        environments: how many of them.

    Returns:
        One line for each number of environments and threads, with ``per_second``,
        ``per_cpu_second`` and both as shares of the rates where the environments cost
        nothing, ``of_free`` and ``of_free_cpu``. Those have ``threads`` 0.
    """
    torch_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    lines: list[dict[str, Any]] = []
    total = len(environments) * (1 + len(THREADS))
    with meter(console, "measurements", total) as shown:
        for number in environments:
            free = Rate(math.nan, math.nan)
            for threads in (0, *THREADS):
                config = TrainConfig(
                    num_envs=number, env_threads=max(threads, 1), opponents=("random",)
                )
                envs = make_vec_env(config)
                if threads == 0:
                    envs = FreeVecEnv(envs.parts)
                measured = learn_in(envs, seconds, seed)
                if threads == 0:
                    free = measured
                lines.append(
                    {
                        "environments": number,
                        "threads": threads,
                        **asdict(measured),
                        "of_free": measured.per_second / free.per_second,
                        "of_free_cpu": measured.per_cpu_second / free.per_cpu_second,
                    }
                )
                shown.reach(len(lines))
    torch.set_num_threads(torch_threads)
    return lines


def bench_learning(
    seconds: float, seed: int, console: Console, json_file: Path | None = None
) -> list[dict[str, Any]]:
    """Measures learning, prints a table and writes the figures.

    Args:
        seconds: CPU time of each measurement.
        seed: of matches and networks.
        console: where to print.
        json_file: where to write the figures, if anywhere.

    Returns:
        What `measure_learning` returns.
    """
    lines = measure_learning(seconds, seed, console)
    print_learning(console, lines)
    if json_file is not None:
        write_json(
            json_file, {"learning": lines, "surroundings": surroundings(command_line())}
        )
    return lines


def print_learning(console: Console, lines: list[dict[str, Any]]) -> None:
    """Prints the rates as a table."""
    table = Table()
    table.add_column("decisions a second while MaskablePPO learns")
    for heading in ("clock", "of free", "CPU", "of free"):
        table.add_column(heading, justify="right")
    for line in lines:
        threads = line["threads"]
        played = "free" if threads == 0 else f"{threads} thread{'s' * (threads > 1)}"
        table.add_row(
            f"{line['environments']} environments, {played}",
            f"{line['per_second']:,.0f}",
            f"{line['of_free']:.2f}",
            f"{line['per_cpu_second']:,.0f}",
            f"{line['of_free_cpu']:.2f}",
        )
    console.print(table)
    console.print(
        "Decisions of the learner, against a player by chance, whose decisions do not "
        "count; official rules. Free environments cost nothing: they stay as dealt. "
        "torch has one thread.",
        highlight=False,
    )
