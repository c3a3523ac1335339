"""A legal turn as a whole, and how turns are ranked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from rummi_env.core.melds import Meld
from rummi_env.core.notation import format_tiles
from rummi_env.core.tiles import JOKER, Counts, rack_value

if TYPE_CHECKING:
    from rummi_env.solver.exact import Turn

Objective = Literal["tiles", "points"]


@dataclass(frozen=True, eq=False)
class Play:
    """One legal turn: which rack tiles it plays.

    Attributes:
        counts: int8[53]; the tiles.
        turn: the turn that it is a play of.
    """

    counts: Counts
    turn: Turn

    @property
    def tiles(self) -> int:
        """How many tiles it plays."""
        return int(self.counts.sum())

    @property
    def points(self) -> int:
        """How much it lowers the value of the rack."""
        return rack_value(self.counts, self.turn.rules.joker_rack_value)

    @cached_property
    def table(self) -> tuple[Meld, ...]:
        """The melds on the table after it, as few of them changed as can be."""
        return self.turn.table_after(self.counts)

    def __eq__(self, other: object) -> bool:
        """Plays are equal that play the same tiles in the same turn."""
        return (
            isinstance(other, Play)
            and self.turn is other.turn
            and bool((self.counts == other.counts).all())
        )

    def __hash__(self) -> int:
        """Agrees with equality."""
        return hash(self.counts.tobytes())

    def __repr__(self) -> str:
        """Shows the tiles in the notation."""
        return f"Play({format_tiles(self.counts)!r})"


def ranking(objective: Objective) -> Callable[[Play], tuple[object, ...]]:
    """Returns what orders plays as `Turn.best` does."""

    def rank(play: Play) -> tuple[object, ...]:
        first, second = play.tiles, play.points
        if objective == "points":
            first, second = second, first
        return first, second, -play.counts[JOKER], play.counts[:JOKER].tolist()

    return rank
