"""What a player may ask about its turn where the game has no solver of turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


class ScriptedTurn:
    """A turn that knows what the scripted baselines would do in it.

    It has a guess at the game that depends on nothing that is hidden from the seat to
    move; the baselines use nothing of it that the seat does not know.
    """

    def __init__(
        self,
        engine: Any,
        games: npt.NDArray[np.void],
        index: int,
        scripted: Mapping[str, int],
    ) -> None:
        """Takes a game as it stands.

        Args:
            engine: plays the game.
            games: records.
            index: which of them.
            scripted: codes of the baselines by name.
        """
        self._engine = engine
        self._scripted = scripted
        # As bytes: copying a structured array goes field by field, many times as slow.
        one = games[index : index + 1]
        self._guess = one.view(np.uint8).copy().view(games.dtype)
        engine.redraw(self._guess, 0, int(games[index]["seat"]), 0)

    def scripted(self, name: str, rng: np.random.Generator) -> int:
        """Returns what a scripted baseline does in this turn.

        Args:
            name: of the baseline.
            rng: source of chance.

        Raises:
            ValueError: there is no such baseline.
        """
        if name not in self._scripted:
            allowed = ", ".join(map(repr, self._scripted))
            raise ValueError(f"name must be one of {allowed}, not {name!r}")
        self._guess["seed"] = rng.integers(2**64, dtype=np.uint64)
        action: int = self._engine.scripted_action(self._guess, 0, name)
        return action
