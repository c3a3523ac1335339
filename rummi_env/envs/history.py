"""The histories of all seats of one match; see `rummi_env.observation.history`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from rummi_env.envs.match import Match
from rummi_env.envs.spaces import flat_space
from rummi_env.observation.history import NO_ACTION, HistoryRows, history_rows


class History:
    """Takes note of everything that each seat sees in a match.

    Attributes:
        rows: what the rows hold.
        space: space of a seat's history.
    """

    def __init__(self, match: Match) -> None:
        """Begin with nothing; `begin` when the match has started.

        Args:
            match: the match; it stays the same object.
        """
        seeing = match.game.seeing
        self._match = match
        self.rows: HistoryRows = history_rows(
            seeing.fields(match.rules, match.num_players),
            match.num_players,
            seeing.PRIVATE_FIELDS,
            seeing.OPPONENT_FIELDS,
        )
        # One more than there are actions: another's.
        own = spaces.Discrete(match.engine.num_actions + 1, start=NO_ACTION)
        self.space = spaces.Dict(
            {
                "public": _stacked(flat_space(self.rows.public)),
                "private": _stacked(flat_space(self.rows.private)),
                "actions": _stacked(own),
            }
        )
        self._public: list[npt.NDArray[np.float32]] = []
        self._private: list[list[npt.NDArray[np.float32]]] = []
        self._acted: list[tuple[int, int]] = []

    def begin(self) -> None:
        """Forgets all and takes note of the match as it stands."""
        self._public.clear()
        self._private = [[] for _ in range(self._match.num_players)]
        self._acted.clear()
        self._add(None, NO_ACTION)

    def add(self, seat: int, action: int) -> None:
        """Takes note of the match after an action, legal or not, of a seat."""
        self._add(seat, action)

    def of(self, seat: int) -> dict[str, Any]:
        """Returns what a seat has seen.

        Returns:
            ``public`` (float32[T, P]), ``private`` (float32[T, Q]) and ``actions``
            (int64[T]): what the seat itself did to get from the row before to this
            one, and `NO_ACTION` where another did.
        """
        own = [action if actor == seat else NO_ACTION for actor, action in self._acted]
        return {
            "public": np.array(self._public),
            "private": np.array(self._private[seat]),
            "actions": np.array(own, np.int64),
        }

    def _add(self, actor: int | None, action: int) -> None:
        match = self._match
        seen = [match.observation(seat) for seat in range(match.num_players)]
        self._public.append(self.rows.public_part(seen, actor))
        for rows, observation in zip(self._private, seen, strict=True):
            rows.append(self.rows.private_part(observation))
        self._acted.append((NO_ACTION if actor is None else actor, action))


def _stacked(row: spaces.Space[Any]) -> spaces.Sequence:
    """Returns the space of any number of rows in one array."""
    rows = spaces.Sequence(row, stack=True)
    # Gymnasium gives it none, and PettingZoo's test of environments compares it.
    rows.dtype = row.dtype
    return rows
