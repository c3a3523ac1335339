"""The threads that move the games of a batch on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.envs.fused import Modes, Outputs
from rummi_env.envs.game import Game

CHUNKS_PER_THREAD = 4
"""Games take different times; so each thread takes several smaller parts."""

LEAST_CHUNK = 16
"""Games that are worth a call of their own."""

Indices: TypeAlias = npt.NDArray[np.int64]


class Threads:
    """Perform operations in many games, each thread in parts of them.

    Attributes:
        tools: for each thread the tools of the kernels; see `Game.batch_tools`.
    """

    def __init__(
        self, game: type[Game], engine: Any, num_games: int, number: int, modes: Modes
    ) -> None:
        """Makes the threads and what each of them works with.

        Args:
            game: what is played.
            engine: plays by the rules.
            num_games: how many games there are.
            number: how many threads; one is the caller's own.
            modes: how the games are played.
        """
        self.tools = game.batch_tools(engine, num_games, number)
        self._moved_on = game.advance()
        self._codes = engine.codes
        self._modes = modes
        self._pool = ThreadPoolExecutor(number) if number > 1 else None

    def advance(
        self,
        operation: int,
        games: npt.NDArray[np.void],
        indices: Indices,
        actions: npt.NDArray[np.int64],
        encodings: tuple[Any, Any],
        out: Outputs,
    ) -> None:
        """Performs an operation in some games, with all threads.

        Args:
            operation: one of those of `fused`.
            games: all of the games.
            indices: int64[n]; which of them.
            actions: int64[...]; as the operation takes them.
            encodings: of observations, and of those with what is hidden.
            out: what is written, for all of the games.
        """
        rest = (actions, self._codes, encodings, self._modes)
        threads = len(self.tools)
        chunks = min(CHUNKS_PER_THREAD * threads, len(indices) // LEAST_CHUNK)
        if self._pool is None or chunks < 2:
            self._moved_on(
                operation, games, indices, 0, len(indices), *rest, self.tools[0], out
            )
            return
        bounds = np.linspace(0, len(indices), chunks + 1, dtype=np.int64).tolist()

        def work(thread: int) -> None:
            for part in range(thread, len(bounds) - 1, threads):
                self._moved_on(
                    operation,
                    games,
                    indices,
                    bounds[part],
                    bounds[part + 1],
                    *rest,
                    self.tools[thread],
                    out,
                )

        list(self._pool.map(work, range(threads)))

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
