"""How `bench` takes the time."""

from __future__ import annotations

import time
from collections.abc import Callable

REPEATS = 20
"""How often each position is solved; the fastest time counts, which is the least
disturbed by what else runs."""


def rate(play_one: Callable[[int], int], seconds: float) -> float:
    """Measures steps in a second of CPU time.

    Args:
        play_one: plays one game, given its number, and returns its steps; game 0 is
            played before the time is taken.
        seconds: how long to measure.
    """
    play_one(0)
    steps = game = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        game += 1
        steps += play_one(game)
    return steps / spent


def fastest(act: Callable[[], None], repeats: int = REPEATS) -> float:
    """Returns the shortest of so many times, in seconds."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return min(times)
