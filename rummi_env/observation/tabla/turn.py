"""What a player may ask about its turn in Rummy pe tabla."""

from __future__ import annotations

import numpy as np

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.games.tabla.engine import Engine, Games
from rummi_env.games.tabla.scripted import SCRIPTED
from rummi_env.games.tabla.solver import FormSolver
from rummi_env.observation.tabla.view import View, view_of


class TablaTurn:
    """The turn of the seat to move: what it sees, and what the baselines would do.

    Nothing that is hidden from the seat is in it.

    Attributes:
        rules: the rules.
        view: what the seat to move sees.
        solver: answers questions about forms.
    """

    def __init__(self, engine: Engine, games: Games, index: int) -> None:
        """Takes a game as it stands."""
        game = games[index]
        seat = int(game["seat"])
        self.rules: TablaRules = engine.rules
        self.view: View = view_of(game, engine.rules, engine.num_players, seat)
        self.solver: FormSolver = engine.solver
        self._engine = engine
        # A guess that depends on nothing that is hidden.
        self._seen = games[index : index + 1].copy()
        engine.redraw(self._seen, 0, seat, 0)

    def scripted(self, name: str, rng: np.random.Generator) -> int:
        """Returns what a scripted baseline does in this turn.

        Args:
            name: of the baseline; see `rummi_env.games.tabla.scripted`.
            rng: source of chance.

        Raises:
            ValueError: there is no such baseline.
        """
        if name not in SCRIPTED:
            allowed = ", ".join(map(repr, SCRIPTED))
            raise ValueError(f"name must be one of {allowed}, not {name!r}")
        self._seen["seed"] = rng.integers(2**64, dtype=np.uint64)
        return self._engine.scripted_action(self._seen, 0, name)
