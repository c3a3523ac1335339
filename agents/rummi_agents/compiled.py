"""The scripted baselines of games whose turns know what these would do.

The turn machines play them, compiled, and answer for one turn at a time too.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rummi_agents.protocol import Mask, Observation
from rummi_env.observation.turn import ScriptedTurn


class Compiled:
    """A player that does what a scripted baseline of its name does."""

    name: str
    games: ClassVar[tuple[str, ...]]

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: ScriptedTurn,
        rng: np.random.Generator,
    ) -> int:
        """Returns the action of the baseline."""
        return turn.scripted(self.name, rng)


class MeldGreedy(Compiled):
    """Takes what melds or fits at once, lays all it can, discards what costs most."""

    name = "meld_greedy"
    games = ("rummy",)


class NearestForm(Compiled):
    """Closes as soon as it can; until then goes for the form that is worth most."""

    name = "nearest_form"
    games = ("tabla",)


class Planner(Compiled):
    """The same by the draws that the missing tiles are expected to take."""

    name = "planner"
    games = ("tabla",)


class LeastDeadwood(Compiled):
    """Draws and discards so that the least is to be expected on its rack.

    It holds back what it could lay until all goes at once or another has few cards.
    """

    name = "least_deadwood"
    games = ("rummy",)
