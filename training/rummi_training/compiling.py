"""Says that something is compiled: it takes a while, and nothing else shows it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event

COMPILING = "numba:compile"
"""The event of numba; it does not occur where compiled code is read from the cache."""


class _Notice(event.Listener):
    """Says it once."""

    def __init__(self) -> None:
        self._said = False

    def on_start(self, event: event.Event) -> None:
        """Says that the first function of many is being compiled."""
        if not self._said:
            self._said = True
            print(
                "compiling what was not played before; a minute or so, this once",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: event.Event) -> None:
        """Says nothing."""


@contextmanager
def compiling_told() -> Iterator[None]:
    """Says on stderr when something is compiled while the block runs, once."""
    notice = _Notice()
    event.register(COMPILING, notice)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        event.unregister(COMPILING, notice)  # type: ignore[no-untyped-call]
