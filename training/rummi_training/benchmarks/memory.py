"""What `bench` measures in a process of its own."""

from __future__ import annotations

import random
import resource
import sys
from pathlib import Path
from typing import Any

import numpy as np


def resident() -> int:
    """Returns how many bytes of memory this process holds."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    # Elsewhere the most that it has ever held: bytes on macOS, KiB on other systems.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def played(env: Any, seed: int) -> None:
    """Plays a match of a PettingZoo environment with random legal actions."""
    chance = random.Random(seed)
    env.reset(seed=seed)
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(chance.choice(np.flatnonzero(mask).tolist()))
