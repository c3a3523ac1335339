"""The scripted baselines of Rummy.

The turn machine plays them, compiled, and answers for one turn at a time too.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rummi_agents.protocol import Mask, Observation
from rummi_env.observation.rummy import RummyTurn


class RummyBaseline:
    """A player that does what a scripted baseline does."""

    name: str
    games: ClassVar[tuple[str, ...]] = ("rummy",)

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: RummyTurn,
        rng: np.random.Generator,
    ) -> int:
        """Returns the action of the baseline of this name."""
        return turn.scripted(self.name, rng)


class MeldGreedy(RummyBaseline):
    """Takes what melds or fits at once, lays all it can, discards what costs most."""

    name = "meld_greedy"


class LeastDeadwood(RummyBaseline):
    """Draws, lays and discards so that the least is to be expected on its rack."""

    name = "least_deadwood"
