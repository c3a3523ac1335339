"""The scripted baselines of Rummikub; the random one plays every game.

The turn machine has the same players compiled, for batches of games; a test holds the
two against each other.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rummi_agents.planned import Planned
from rummi_agents.protocol import Mask, Observation
from rummi_env.core.tiles import Counts
from rummi_env.games.rummikub.state import END_TURN
from rummi_env.solver import Turn
from rummi_env.solver.play import Objective


class Random:
    """Any legal action, all alike."""

    name = "random"

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: Any,
        rng: np.random.Generator,
    ) -> int:
        """Chooses among the legal actions with equal chances."""
        return int(rng.choice(np.flatnonzero(mask)))


class Greedy:
    """Any legal tile, and the end of the turn only when no tile is legal."""

    name = "greedy"
    games: ClassVar[tuple[str, ...]] = ("rummikub",)

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: Turn,
        rng: np.random.Generator,
    ) -> int:
        """Chooses among the legal tiles with equal chances."""
        tiles = np.flatnonzero(mask[:END_TURN])
        return int(rng.choice(tiles)) if tiles.size else END_TURN


class Optimum(Planned):
    """The best turn by the solver; see `rummi_env.solver.Turn.best`.

    Where ``turn_actions`` ends turns too early for it, they play what they can of it.
    """

    objective: ClassVar[Objective]

    def plan(self, observation: Observation, turn: Turn) -> Counts:
        """Returns the tiles of the best turn."""
        best = turn.unlimited().best(self.objective)
        return turn.played if best is None else best.counts


class MaxTiles(Optimum):
    """The turn that plays most tiles, then takes most points off the rack."""

    name = "max_tiles"
    objective = "tiles"


class MaxPoints(Optimum):
    """The turn that takes most points off the rack, then plays most tiles."""

    name = "max_points"
    objective = "points"
