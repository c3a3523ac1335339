"""What a player may ask about its turn in Rummy pe tabla."""

from __future__ import annotations

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.games.tabla.engine import Engine, Games
from rummi_env.games.tabla.scripted import SCRIPTED
from rummi_env.games.tabla.solver import FormSolver
from rummi_env.observation.tabla.view import View, view_of
from rummi_env.observation.turn import ScriptedTurn


class TablaTurn(ScriptedTurn):
    """The turn of the seat to move: what it sees, and what the baselines would do.

    Nothing that is hidden from the seat is in it.

    Attributes:
        rules: the rules.
        view: what the seat to move sees.
        solver: answers questions about forms.
    """

    def __init__(self, engine: Engine, games: Games, index: int) -> None:
        """Takes a game as it stands."""
        super().__init__(engine, games, index, SCRIPTED)
        self.rules: TablaRules = engine.rules
        self.solver: FormSolver = engine.solver
        seat = int(games[index]["seat"])
        self.view: View = view_of(games[index], self.rules, engine.num_players, seat)
