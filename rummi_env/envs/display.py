"""The melds that people see on the table.

The game counts the tiles of the table and nothing else. Which melds they are shown as
is worked out here when somebody looks, turn by turn with as little change as can be,
and never has a part in the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rummi_env.core.melds import Meld
from rummi_env.core.tiles import NUM_COUNTS, Counts
from rummi_env.solver.exact import Turn, TurnSolver

Laid = bytes
"""Tiles of a turn that were laid down, int8[53], names of jokers, int8[2], and whether
the seat had opened."""

NUM_NAMES = 2
LAID_SIZE = NUM_COUNTS + NUM_NAMES + 1


class Display:
    """The melds of a table, and the turns laid since anybody looked."""

    def __init__(self, solver: TurnSolver) -> None:
        """Shows an empty table."""
        self.solver = solver
        self.base: tuple[Meld, ...] = ()
        self.laid: list[Laid] = []

    def show(self, melds: Sequence[Meld], laid: Iterable[Laid] = ()) -> None:
        """Shows these melds, and then those turns laid onto them."""
        self.base = tuple(melds)
        self.laid = list(laid)

    def lay(self, played: bytes, named: bytes, opened: bool) -> None:
        """Notes a turn; its tiles are arranged when somebody looks."""
        self.laid.append(played + named + bytes([opened]))

    def melds(self) -> tuple[Meld, ...]:
        """Returns the melds that the table is shown as now."""
        if self.laid:
            self.show(replayed(self.solver, self.base, self.laid))
        return self.base


def replayed(
    solver: TurnSolver, melds: tuple[Meld, ...], laid: Iterable[Laid]
) -> tuple[Meld, ...]:
    """Returns the melds after some turns, each changing as few of them as can be."""
    # In an opening turn that may go on with the table, any arrangement is legal.
    whole_table = solver.rules.manipulate_on_opening_turn
    for record in laid:
        # A copy: for arrays that cannot be written the solver would be compiled anew.
        tiles = np.frombuffer(record, np.int8, NUM_COUNTS).copy()
        names = np.frombuffer(record, np.int8, NUM_NAMES, NUM_COUNTS)
        turn = solver.turn(
            melds,
            tiles,
            opened=whole_table or bool(record[-1]),
            named=[int(name) for name in names if name >= 0],
        )
        melds = turn.table_after(tiles)
    return melds


class ShownTurn(Turn):
    """A turn whose table is given by its tiles; the melds are worked out when used."""

    def __init__(
        self,
        display: Display,
        board: Counts,
        rack: Counts,
        opened: bool,
        played: Counts,
        pool_empty: bool,
        named: Counts,
        jokers: tuple[npt.NDArray[np.int64], bool],
        actions_left: int | None,
    ) -> None:
        """Takes the tiles of a game, and the display as it is now."""
        super().__init__(
            display.solver,
            (),
            board,
            rack,
            opened,
            played,
            pool_empty,
            named=named,
            jokers=jokers,
            actions_left=actions_left,
        )
        self._shown = display.base, tuple(display.laid)
        del self.melds

    @cached_property
    def melds(self) -> tuple[Meld, ...]:  # type: ignore[override]
        """The table at the start of the turn, as it is shown to people."""
        return replayed(self.solver, *self._shown)
