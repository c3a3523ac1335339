"""How fast MaskablePPO learns in the batch, beside what it can where nothing is played.

Most of the time is the algorithm's own: its networks choose, and its optimiser learns.
So the rates are held against those where the environments cost nothing.
"""

from __future__ import annotations

import math
import time
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

from rummi_training.benchmarks.timing import Rate
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


class Learning:
    """MaskablePPO with two layers of 256 units, which uses every decision four times.

    Args:
        envs: where it learns.
        seed: of the matches and of the network.
    """

    def __init__(self, envs: MaskedVecEnv, seed: int) -> None:
        self._model = MaskablePPO(
            "MlpPolicy",
            envs,
            n_steps=ROLLOUT // envs.num_envs,
            batch_size=1024,
            n_epochs=4,
            policy_kwargs={"net_arch": [256, 256]},
            seed=seed,
            device="cpu",
        )
        self._seconds = self._cpu_seconds = math.inf
        self._learn()

    def update(self) -> None:
        """Makes a rollout and learns from it; the fastest one counts."""
        began, cpu_began = time.perf_counter(), time.process_time()
        self._learn()
        self._seconds = min(self._seconds, time.perf_counter() - began)
        self._cpu_seconds = min(self._cpu_seconds, time.process_time() - cpu_began)

    @property
    def rate(self) -> Rate:
        """The learner's decisions, learning included, in the fastest update."""
        return Rate(ROLLOUT / self._seconds, ROLLOUT / self._cpu_seconds)

    def _learn(self) -> None:
        self._model.learn(ROLLOUT, reset_num_timesteps=False)

    def close(self) -> None:
        """Closes the environments."""
        assert self._model.env is not None
        self._model.env.close()


def measure_learning(
    seconds: float,
    seed: int,
    console: Console,
    environments: Sequence[int] = ENVIRONMENTS,
) -> list[dict[str, Any]]:
    """Measures learning with each number of environments.

    Args:
        seconds: CPU time for each number of environments and threads; there is an
            update at least. What is compared takes turns, and the fastest update of
            each counts, which is the least disturbed by what else runs.
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
    with meter(console, "numbers of environments", len(environments)) as shown:
        for number in environments:
            compared = _compared(number, seed)
            began = time.process_time()
            while True:
                for learning in compared.values():
                    learning.update()
                if time.process_time() - began >= seconds * len(compared):
                    break
            free = compared[0].rate
            for threads, learning in compared.items():
                rate = learning.rate
                lines.append(
                    {
                        "environments": number,
                        "threads": threads,
                        **asdict(rate),
                        "of_free": rate.per_second / free.per_second,
                        "of_free_cpu": rate.per_cpu_second / free.per_cpu_second,
                    }
                )
                learning.close()
            shown.advance()
    torch.set_num_threads(torch_threads)
    return lines


def _compared(number: int, seed: int) -> dict[int, Learning]:
    """Returns what learns in so many environments, by threads; 0: in free ones."""
    made = {}
    for threads in (0, *THREADS):
        config = TrainConfig(
            num_envs=number, env_threads=max(threads, 1), opponents=("random",)
        )
        envs = make_vec_env(config)
        made[threads] = Learning(FreeVecEnv(envs.parts) if threads == 0 else envs, seed)
    return made


def bench_learning(
    seconds: float, seed: int, console: Console, json_file: Path | None = None
) -> list[dict[str, Any]]:
    """Measures learning, prints a table and writes the figures.

    Args:
        seconds: see `measure_learning`.
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
