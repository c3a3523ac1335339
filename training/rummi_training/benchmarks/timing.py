"""How `bench` takes the time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 20
"""How often each position is solved; the fastest time counts, which is the least
disturbed by what else runs."""


@dataclass(frozen=True)
class Rate:
    """How many decisions are made in some time."""

    per_second: float
    """In a second of the clock."""

    per_cpu_second: float
    """In a second of CPU time of this process, all threads together."""


def rate(act: Callable[[], int], seconds: float) -> Rate:
    """Measures decisions in so much CPU time.

    Args:
        act: makes some decisions and returns how many; it is called once before the
            time is taken.
        seconds: how long to measure.
    """
    act()
    decisions = 0
    began, cpu_began = time.perf_counter(), time.process_time()
    while (spent := time.process_time() - cpu_began) < seconds:
        decisions += act()
    return Rate(decisions / (time.perf_counter() - began), decisions / spent)


def fastest(act: Callable[[], None], repeats: int = REPEATS) -> float:
    """Returns the shortest of so many times, in seconds."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return min(times)
