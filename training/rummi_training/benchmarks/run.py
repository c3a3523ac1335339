"""Figures of speed and memory, beside installed peers.

Rates are decisions in a second of CPU time of this process, with random legal play and
an observation and a mask fetched for every decision, for us as for the peers.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from rummi_env import rummikub_v0
from rummi_env.solver import TurnSolver
from rummi_training.benchmarks.peers import (
    AbsentPeer,
    connect_four_rate,
    gin_rummy_rate,
    rummikub_solver_seconds,
)
from rummi_training.benchmarks.positions import (
    RACK_TILES,
    TABLE_TILES,
    mid_game_positions,
)
from rummi_training.benchmarks.timing import fastest, rate
from rummi_training.run_folder import command_line, surroundings, write_json

_MEMORY_PROGRAM = """
import json
from rummi_env import rummikub_v0
from rummi_training.benchmarks.memory import played, resident
before = resident()
first = rummikub_v0.raw_env()
played(first, 1)
one = resident()
more = [rummikub_v0.raw_env() for _ in range(10)]
for seed, env in enumerate(more):
    played(env, seed)
print(json.dumps({"first": one - before, "further": (resident() - one) / len(more)}))
"""


def bench(
    seconds: float, positions: int, seed: int, out: Path | None, console: Console
) -> dict[str, Any]:
    """Measures, prints a table and writes the figures.

    Args:
        seconds: CPU time of each measurement of a rate.
        positions: how many mid-game positions are solved.
        seed: of games and positions.
        out: JSON file, if one is wanted.
        console: where to print.

    Returns:
        The figures by name, None for peers that are not installed.

    Raises:
        ValueError: a number is too small.
    """
    if not seconds > 0:
        raise ValueError(f"seconds must be above 0, not {seconds}")
    if positions < 1:
        raise ValueError(f"positions must be 1 or more, not {positions}")
    absent: list[str] = []

    def peer(measure: Callable[[], float]) -> float | None:
        try:
            return measure()
        except AbsentPeer as reason:
            absent.append(str(reason))
            return None

    console.print("measuring; a first run compiles the game, a minute or more")
    given = mid_game_positions(positions, seed)
    memory = _memory()
    figures: dict[str, Any] = {
        "steps_per_cpu_second": raw_env_rate(seconds, seed),
        "gin_rummy_steps_per_cpu_second": peer(lambda: gin_rummy_rate(seconds, seed)),
        "connect_four_steps_per_cpu_second": peer(
            lambda: connect_four_rate(seconds, seed)
        ),
        **_solver_seconds(given),
        "rummikub_solver_best_seconds": peer(lambda: rummikub_solver_seconds(given)),
        "memory_first_env_bytes": memory["first"],
        "memory_further_env_bytes": memory["further"],
    }
    _print(console, figures, positions)
    for reason in absent:
        console.print(reason, highlight=False)
    if out is not None:
        around = surroundings(command_line())
        settings = {"seconds": seconds, "positions": positions, "seed": seed}
        write_json(
            out, {"settings": settings, "figures": figures, "surroundings": around}
        )
    return figures


def raw_env_rate(seconds: float, seed: int) -> float:
    """Measures how many decisions our PettingZoo environment does in a second."""
    env = rummikub_v0.raw_env()
    chance = random.Random(seed)

    def play_one(game: int) -> int:
        env.reset(seed=seed + game)
        steps = 0
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(chance.choice(np.flatnonzero(mask).tolist()))
            steps += 1
        return steps

    return rate(play_one, seconds)


def _solver_seconds(positions: list[tuple[str, str]]) -> dict[str, float]:
    """Measures one mask, and one best play, at the median position."""
    solver = TurnSolver("official")
    masks, plays = [], []
    for table, rack in positions:
        turn = solver.turn(table, rack)

        def mask(turn: Any = turn) -> None:
            # A turn keeps its mask; one continued from it has yet to work it out.
            assert turn.continued(turn.rack, turn.played).mask.any()

        def best(turn: Any = turn) -> None:
            turn.best("tiles")

        masks.append(fastest(mask))
        plays.append(fastest(best))
    return {
        "mask_median_seconds": median(masks),
        "best_play_median_seconds": median(plays),
    }


def _memory() -> dict[str, float]:
    """Measures in a process of its own what environments add to the imports."""
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY_PROGRAM],
        capture_output=True,
        text=True,
        check=True,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _print(console: Console, figures: dict[str, Any], positions: int) -> None:
    ours = figures["steps_per_cpu_second"]
    best = figures["best_play_median_seconds"]
    table = Table()
    for heading in ("figure", "value", "ours to theirs"):
        table.add_column(heading, justify="left" if heading == "figure" else "right")

    def add(title: str, value: float | None, unit: str, ratio: float | None) -> None:
        if value is not None:
            times = "" if ratio is None else f"{ratio:,.2f} x"
            table.add_row(title, f"{value:,.4g} {unit}", times)

    gin = figures["gin_rummy_steps_per_cpu_second"]
    four = figures["connect_four_steps_per_cpu_second"]
    theirs = figures["rummikub_solver_best_seconds"]
    table.add_row("raw_env, random legal play", f"{ours:,.0f} steps/CPU-s", "")
    for title, value in (
        ("OpenSpiel gin_rummy with tensors", gin),
        ("PettingZoo connect_four, raw", four),
    ):
        if value is not None:
            table.add_row(title, f"{value:,.0f} steps/CPU-s", f"{ours / value:.2f} x")
    add("mask, mid-game, median", figures["mask_median_seconds"] * 1e3, "ms", None)
    add("best play, mid-game, median", best * 1e3, "ms", None)
    if theirs is not None:
        add("rummikub-solver, best play", theirs * 1e3, "ms", theirs / best)
    for key, title in (
        ("memory_first_env_bytes", "memory of a first environment"),
        ("memory_further_env_bytes", "memory of a further environment"),
    ):
        add(title, figures[key] / 2**20, "MiB", None)
    console.print(table)
    console.print(
        f"mid-game: {positions} positions with {TABLE_TILES} tiles on the table, "
        f"{RACK_TILES} on the rack and both jokers among them; memory is beyond the "
        "imports, after a match",
        highlight=False,
    )
