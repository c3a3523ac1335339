"""What a player notices about how the others play, from its own turns alone."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummi_env.core.tiles import Counts
from rummi_env.games.rummikub.scripted import HOLD_ABOVE
from rummi_env.games.rummikub.state import LAID

MOST_GAMES = 4096
"""Games that are kept in mind; the one not seen for longest is forgotten."""

FEW_TILES, MANY_TILES = 3, 10
"""Whoever lays no more than the first of these with the pool empty, and keeps more than
the second, waits."""


@dataclass(frozen=True)
class Standing:
    """What everybody sees of a round at the start of a turn, the observer first."""

    sizes: npt.NDArray[np.int64]
    """int64[players]; tiles on each rack."""

    opened: npt.NDArray[np.bool_]
    """bool[players]; who has opened."""

    last_turns: npt.NDArray[np.int64]
    """int64[players]; codes of the last turns."""

    pool: int
    """Tiles left in the pool."""


@dataclass(frozen=True)
class Habits:
    """How the others play."""

    eager: tuple[bool, ...]
    """By seat: whether it lays tiles before it has to, after its opening."""

    waits: tuple[bool, ...]
    """By seat: whether it holds tiles back even with the pool empty."""


class Notes:
    """Keeps in mind the habits of the others, in many games at once.

    A game is known again by the own rack, which is as it was left but for a tile drawn.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, tuple[Standing, Habits]] = OrderedDict()

    def forget(self) -> None:
        """Forgets all games."""
        self._kept.clear()

    def habits(self, rack: Counts, now: Standing) -> Habits:
        """Returns the habits as far as they are known by now.

        Args:
            rack: int8[53]; the own rack.
            now: the start of the own turn.
        """
        found = self._find(rack, now)
        if found is None:
            nobody = (False,) * len(now.sizes)
            return Habits(nobody, nobody)
        before, known = found
        eager, waits = list(known.eager), list(known.waits)
        for seat in range(1, len(now.sizes)):
            if now.last_turns[seat] != LAID or not before.opened[seat]:
                continue
            laid = before.sizes[seat] - now.sizes[seat]
            if before.pool > 0:
                eager[seat] |= bool(np.delete(before.sizes, seat).min() > HOLD_ABOVE)
            else:
                few = laid <= FEW_TILES and now.sizes[seat] > MANY_TILES
                waits[seat] |= bool(few)
        return Habits(tuple(eager), tuple(waits))

    def keep(self, rack: Counts, play: Counts, now: Standing, habits: Habits) -> None:
        """Notes how a turn was left.

        Args:
            rack: int8[53]; the own rack at its start.
            play: int8[53]; what is played of it.
            now: the start of the turn.
            habits: what is known.
        """
        left = rack - play
        now.sizes[0] = left.sum()
        key = left.tobytes()
        self._kept[key] = (now, habits)
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_GAMES:
            self._kept.popitem(last=False)

    def _find(self, rack: Counts, now: Standing) -> tuple[Standing, Habits] | None:
        for kind in (-1, *np.flatnonzero(rack).tolist()):
            left = rack.copy()
            if kind >= 0:
                left[kind] -= 1
            found = self._kept.get(left.tobytes())
            if found is not None and found[0].pool >= now.pool:
                return found
        return None
