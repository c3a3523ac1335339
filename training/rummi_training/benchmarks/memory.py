"""What `bench` measures in a process of its own."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from rummi_env.envs.batch import Batch
from rummi_training.benchmarks.rates import legal, raw_env

FURTHER = 10
"""Environments over which a further one is averaged."""

GAMES = 4096
"""Games of the batch."""

STEPS = 20
"""Decisions in each of them."""


def memory(game: str = "rummikub") -> dict[str, float]:
    """Returns bytes beyond the imports, measured in a process of its own.

    They are of a first PettingZoo environment (``first_env``), of a further one
    (``further_env``) and of a game in a batch (``batch_game``), each after some play.
    """
    done = subprocess.run(
        [sys.executable, "-m", __name__, game],
        capture_output=True,
        text=True,
        check=True,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def resident() -> int:
    """Returns how many bytes of memory this process holds."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    # Elsewhere the most that it has ever held: bytes on macOS, KiB on other systems.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def play_match(env: Any, seed: int) -> None:
    """Plays a match of a PettingZoo environment with random legal actions."""
    chance = random.Random(seed)
    env.reset(seed=seed)
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(chance.choice(np.flatnonzero(mask).tolist()))


def play_batch(game: str, games: int) -> Batch:
    """Plays a little in a new batch."""
    batch = Batch(games, game=game, copy=False)
    rng = np.random.default_rng(0)
    _, masks = batch.reset(seed=0)
    for _ in range(STEPS):
        *_, masks = batch.step(legal(masks, rng))
    return batch


def measured(game: str) -> dict[str, float]:
    """Measures in this process."""
    before = resident()
    first = raw_env(game)
    play_match(first, 1)
    with_first = resident()
    more = [raw_env(game) for _ in range(FURTHER)]
    for seed, env in enumerate(more):
        play_match(env, seed)
    with_more = resident()
    small = play_batch(game, 1)
    with_small = resident()
    large = play_batch(game, GAMES)
    with_large = resident()
    return {
        "first_env": with_first - before,
        "further_env": (with_more - with_first) / len(more),
        "batch_game": (with_large - with_small) / (large.num_games - small.num_games),
    }


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1])))
