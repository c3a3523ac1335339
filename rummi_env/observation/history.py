"""Everything that a seat has seen so far, what all see and what it alone sees apart.

A history has a row for how the match began and one for each action since, whoever's it
was. The public part of a row is the same for every seat, which seats count from 0; the
private part is the observer's own. Together with the observer's own actions they are
its information state: nothing that it ever saw is left out, and nothing else is in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.observation.fields import Field, Layout, size_of

ACTOR = "actor"
"""Field of the public part: who has just acted; all zeros in the first row."""

NO_ACTION = -1
"""In place of the observer's own action: another seat acted, or nobody has yet."""


class HistoryRows(NamedTuple):
    """What the rows of a history hold, and where each value comes from.

    Attributes:
        public: fields of a row's public part by name.
        private: fields of a row's private part by name.
        public_places: int64[P - players]; where the values of the public part, after
            `ACTOR`, lie in the observations of all seats one after the other.
        private_places: int64[Q]; where those of the private part lie in the observation
            of the seat.
    """

    public: Mapping[str, Field]
    private: Mapping[str, Field]
    public_places: npt.NDArray[np.int64]
    private_places: npt.NDArray[np.int64]

    def public_part(
        self, observations: Sequence[npt.NDArray[np.float32]], actor: int | None
    ) -> npt.NDArray[np.float32]:
        """Returns the public part of a row, float32[P].

        Args:
            observations: float32[S] of every seat.
            actor: who has just acted.
        """
        acted = np.zeros(len(observations), np.float32)
        if actor is not None:
            acted[actor] = 1
        seen = np.concatenate(observations)[self.public_places]
        return np.concatenate([acted, seen])

    def private_part(
        self, observation: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        """Returns the private part of a seat's row, float32[Q]."""
        return observation[self.private_places]


def history_rows(
    parts: Mapping[str, Field],
    num_players: int,
    private: Sequence[str],
    of_opponents: Sequence[str],
) -> HistoryRows:
    """Returns what the rows of a history hold.

    Args:
        parts: the fields of an observation.
        num_players: how many play.
        private: names of the fields that only the observer may know.
        of_opponents: names of public fields with a row for each other player; in a
            history they have one for every seat.
    """
    size = size_of(parts.values())
    public, own = Layout(), Layout()
    public.place(
        Field(ACTOR, 0, (num_players,), 1, 0, 1, "who has just acted; none at first")
    )
    public_places: list[int] = []
    private_places: list[int] = []
    for name, part in parts.items():
        places = list(range(part.start, part.slice.stop))
        if name in private:
            own.place(part)
            private_places += places
        elif name in of_opponents:
            row = part.size // part.shape[0]
            # The next seat sees seat 0 as its last opponent.
            public_places += [size + place for place in places[-row:]]
            public_places += places
            public.place(replace(part, shape=(num_players, *part.shape[1:])))
        else:
            # Seat 0 counts from itself on, so its places are those of the seats.
            public_places += places
            public.place(part)
    return HistoryRows(
        public=dict(public.placed()),
        private=dict(own.placed()),
        public_places=np.array(public_places, np.int64),
        private_places=np.array(private_places, np.int64),
    )


def latest(
    rows: npt.NDArray[np.float32], length: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Returns the last rows of a history in an array of fixed length, for networks.

    Args:
        rows: float32[T, P].
        length: how many rows to return; where there are fewer, zeros come first.

    Returns:
        float32[length, P], and bool[length]: which rows are there.

    Raises:
        ValueError: the length is not positive.

    >>> latest(np.ones((2, 1), np.float32), 3)[1].tolist()
    [False, True, True]
    """
    if length < 1:
        raise ValueError(f"length must be 1 or more, not {length}")
    kept = rows[-length:]
    filled = np.zeros((length, *rows.shape[1:]), rows.dtype)
    filled[length - len(kept) :] = kept
    return filled, np.arange(length) >= length - len(kept)
