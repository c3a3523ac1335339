"""Says that something is compiled: it takes a while, and nothing else shows it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import Lock

from numba.core import event

COMPILING = "numba:compile"
"""The event of numba; it does not occur where compiled code is read from the cache."""

NOTICE = "compiling what was not played before; a minute or so, this once"
"""What is said."""


class Notice(event.Listener):
    """Says it once.

    Args:
        once: is held for good by the one of several processes that says it.

    Attributes:
        is_said: whether it has been said, here or elsewhere.
    """

    def __init__(self, once: Lock | None = None) -> None:
        self.is_said = False
        self._once = once

    def on_start(self, event: event.Event) -> None:
        """Says that the first function of many is being compiled."""
        if self.is_said:
            return
        self.is_said = True
        if self._once is None or self._once.acquire(block=False):
            print(NOTICE, file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        """Says nothing."""


_telling: list[Notice] = []
"""Those that listen in this process."""


@contextmanager
def compiling_told() -> Iterator[None]:
    """Says on stderr when something is compiled while the block runs, once."""
    notice = Notice()
    _telling.append(notice)
    try:
        with event.install_listener(COMPILING, notice):
            yield
    finally:
        _telling.remove(notice)


def lock_for_workers(context: SpawnContext) -> Lock | None:
    """Returns what lets one of several processes say it; None: it is not to be said.

    Args:
        context: what starts the processes.
    """
    unsaid = any(not notice.is_said for notice in _telling)
    return context.Lock() if unsaid else None


def tell_in_worker(once: Lock | None) -> None:
    """Lets this process say it, if no other one has.

    Args:
        once: what `lock_for_workers` gave.
    """
    if once is not None:
        # numba's function has no types.
        event.register(COMPILING, Notice(once))  # type: ignore[no-untyped-call]
