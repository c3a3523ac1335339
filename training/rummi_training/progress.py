"""Progress of long work: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

LINES = 10
"""Lines about the progress of one piece of work where there is no terminal."""


class RateColumn(ProgressColumn):
    """How many are done in a second."""

    def render(self, task: Task) -> Text:
        """Returns the rate, or nothing while it is not known."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else rate_text(speed))


def rate_text(rate: float) -> str:
    """Returns a rate as text, slow ones with a digit more."""
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"


class Meter:
    """Counts one piece of work.

    Args:
        console: where to show it.
        title: what is done.
        total: how much there is to do.
        done: how much was done before.
    """

    def __init__(self, console: Console, title: str, total: int, done: int = 0) -> None:
        self._console = console
        self._title = title
        self._total = total
        self._first = self._done = done
        self._began = time.monotonic()
        self._next_line = done + total / LINES
        self._bar: Progress | None = None
        if console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                RateColumn(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=console,
            )
            self._task = self._bar.add_task(title, total=total, completed=done)
            self._bar.start()

    def reach(self, done: int) -> None:
        """Takes note of how much is done now."""
        self._done = done
        if self._bar is not None:
            self._bar.update(self._task, completed=min(done, self._total))
        elif done >= self._next_line or done >= self._total > self._first:
            self._next_line = done + self._total / LINES
            self._console.print(self._line(), highlight=False)

    def advance(self, more: int = 1) -> None:
        """Takes note of more that is done."""
        self.reach(self._done + more)

    def close(self) -> None:
        """Ends the display."""
        if self._bar is not None:
            self._bar.stop()

    def _line(self) -> str:
        seconds = time.monotonic() - self._began
        rate = (self._done - self._first) / max(seconds, 1e-9)
        left = max(self._total - self._done, 0) / max(rate, 1e-9)
        return (
            f"{self._title}: {min(self._done, self._total):,} of {self._total:,}, "
            f"{rate_text(rate)}, {left:.0f} s left"
        )


@contextmanager
def meter(console: Console, title: str, total: int, done: int = 0) -> Iterator[Meter]:
    """Shows the progress of a piece of work while the block runs.

    Args:
        console: where to show it.
        title: what is done.
        total: how much there is to do.
        done: how much was done before.
    """
    shown = Meter(console, title, total, done)
    try:
        yield shown
    finally:
        shown.close()
