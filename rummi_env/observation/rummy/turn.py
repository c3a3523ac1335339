"""What a player may ask about its turn in Rummy."""

from __future__ import annotations

from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine, Games
from rummi_env.games.rummy.scripted import SCRIPTED
from rummi_env.observation.rummy.view import View, view_of
from rummi_env.observation.turn import ScriptedTurn


class RummyTurn(ScriptedTurn):
    """The turn of the seat to move: what it sees, and what the baselines would do.

    Nothing that is hidden from the seat is in it.

    Attributes:
        rules: the rules.
        view: what the seat to move sees.
    """

    def __init__(self, engine: Engine, games: Games, index: int) -> None:
        """Takes a game as it stands."""
        super().__init__(engine, games, index, SCRIPTED)
        self.rules: RummyRules = engine.rules
        seat = int(games[index]["seat"])
        self.view: View = view_of(games[index], self.rules, engine.num_players, seat)
