"""The time that a turn may take, on a clock of one's choice."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeAlias

from rummi_env.core.options import GameRules

Clock: TypeAlias = Callable[[], float]
"""Returns seconds since some moment, like `time.monotonic`."""


def turn_timer(turn_clock: bool, clock: Clock | None, rules: GameRules) -> Timer | None:
    """Returns the timer that the keywords ask for, or None where turns take any time.

    Args:
        turn_clock: whether turns are timed.
        clock: the clock; `time.monotonic` by default.
        rules: say how many seconds a turn may take.

    Raises:
        ValueError: the keywords are none, or the rules set no time.
    """
    if type(turn_clock) is not bool:
        raise ValueError(f"turn_clock must be True or False, not {turn_clock!r}")
    if clock is not None and not callable(clock):
        raise ValueError(
            f"clock must be None or a function that returns seconds, not {clock!r}"
        )
    if not turn_clock:
        if clock is not None:
            raise ValueError("clock must be None unless turn_clock=True")
        return None
    seconds = getattr(rules, "turn_seconds", None)
    if seconds is None:
        raise ValueError(
            "turn_clock must be False when turn_seconds of the rules is None, not True"
        )
    return Timer(seconds, clock or time.monotonic)


class Timer:
    """Measures one turn after the other.

    Copies and pickles keep the seconds that the turn has used, not the time of day: the
    clock may stand elsewhere when they go on.
    """

    def __init__(self, seconds: float, clock: Clock) -> None:
        """Takes how long a turn may be, and starts one."""
        self._seconds = seconds
        self._clock = clock
        self.start()

    def start(self, used: float = 0.0) -> None:
        """Lets a turn begin now, or begin so many seconds ago."""
        self._began = self._clock() - used

    @property
    def used(self) -> float:
        """Seconds that the turn has lasted."""
        return self._clock() - self._began

    @property
    def left(self) -> float:
        """Seconds that are left of the turn, 0 if its time is up."""
        return max(self._seconds - self.used, 0.0)

    def __getstate__(self) -> dict[str, Any]:
        """Keeps the seconds used."""
        return {"seconds": self._seconds, "clock": self._clock, "used": self.used}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Lets the turn go on from the seconds used."""
        self._seconds = state["seconds"]
        self._clock = state["clock"]
        self.start(state["used"])
