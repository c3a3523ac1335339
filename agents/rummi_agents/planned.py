"""Players that plan a whole turn and then play it tile by tile."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from rummi_agents.protocol import Mask, Observation
from rummi_env.core.tiles import Counts
from rummi_env.games.rummikub.state import END_TURN
from rummi_env.solver import Turn


class Planned(ABC):
    """A player whose turns are decided as a whole.

    A plan is kept until it is played. It is made anew when the turn is not the one it
    was made for, or holds tiles that it does not have.
    """

    name: str
    games: ClassVar[tuple[str, ...]] = ("rummikub",)

    _plan: Counts | None = None
    _planned_for: tuple[object, ...] | None = None

    @abstractmethod
    def plan(self, observation: Observation, turn: Turn) -> Counts:
        """Returns all rack tiles of the turn, int8[53], those played included.

        They must be a legal turn, or what was played and no more.
        """

    def moment(self, observation: Observation, turn: Turn) -> tuple[object, ...]:
        """Returns what tells turns apart, as far as plans differ."""
        return (
            turn.board.tobytes(),
            turn.rack.tobytes(),
            turn.opened,
            turn.pool_empty,
        )

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: Turn,
        rng: np.random.Generator,
    ) -> int:
        """Plays the next tile of the plan, or ends the turn."""
        moment = self.moment(observation, turn)
        plan = self._plan
        if plan is None or moment != self._planned_for or (turn.played > plan).any():
            plan = self.plan(observation, turn)
            self._plan, self._planned_for = plan, moment
        return next_action(plan, mask, turn)

    def reset(self) -> None:
        """Forgets the plan."""
        self._plan = self._planned_for = None


def next_action(plan: Counts, mask: Mask, turn: Turn) -> int:
    """Returns the action that comes next in a plan.

    What exact jokers stand for is left to the rules. Where a new deal may be demanded
    no tile is legal, and the rack is kept.

    Args:
        plan: int8[53]; rack tiles of the whole turn.
        mask: which actions are legal.
        turn: the turn.
    """
    return next_of(plan, mask, turn.played)


def next_of(plan: Counts, mask: Mask, played: Counts) -> int:
    """Returns what `next_action` does, given the tiles played so far, int8[53]."""
    for kind in np.flatnonzero(plan > played).tolist():
        if mask[kind]:
            return int(kind)
    return END_TURN if mask[END_TURN] else int(np.argmax(mask))
