"""What was done in a match, turn by turn, as everybody may know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class TurnDone:
    """A turn that is over, or a round."""

    event: str
    """``laid``, ``drew``, ``passed``, ``failed``, ``timed_out``, ``kept``, ``redealt``;
    ``round`` for the end of a round. In Rummy pe tabla every action is one: ``drew``,
    ``took``, ``discarded``, ``closed``, ``doubles_done``, ``exchanged``, ``redealt``,
    ``failed``."""

    round: int
    """Which round it was in, counted from 0."""

    seat: int | None = None
    """Whose turn it was."""

    tiles: tuple[str, ...] = ()
    """Tiles laid down, or shown and taken back; drawn from the row, or discarded."""

    drawn: int = 0
    """How many tiles came to the rack."""

    drawn_tiles: tuple[str, ...] = ()
    """Which they were; for nobody but the seat itself."""

    sentence: str = ""
    """Why a table was taken back or lies otherwise; the form that closed."""

    scores: tuple[float, ...] = ()
    """Scores of a round that ended."""

    def told_to(self, seat: int) -> dict[str, Any]:
        """Returns what a seat may know of it."""
        told = asdict(self)
        if seat != self.seat:
            del told["drawn_tiles"]
        return told

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> TurnDone:
        """Reads what ``asdict`` returned."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in fields.items()
        }
        return cls(**values)
