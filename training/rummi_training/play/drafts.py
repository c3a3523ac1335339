"""A turn that a person has begun: the tiles as they lie by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rummi_env.core.notation import parse_entries, parse_tiles
from rummi_env.core.tiles import Counts, counts_of, tile_name
from rummi_training.play.refusals import IMPOSSIBLE, Refusal


@dataclass(frozen=True)
class Draft:
    """The tiles of a turn as they lie, whether they make legal melds or not."""

    melds: tuple[tuple[str, ...], ...]
    """Tiles of each meld."""

    rack: tuple[str, ...]
    """The rack in the person's order."""

    @classmethod
    def of(
        cls,
        melds: Sequence[Sequence[str]],
        rack: Sequence[str],
        there: Counts,
    ) -> Draft:
        """Returns how tiles lie, if they are those that are there.

        Args:
            melds: tiles of each meld; those without any are left out.
            rack: the rack in the person's order.
            there: tiles of the table and the rack together, int8[53].

        Raises:
            Refusal: a word is no tile, or tiles are missing or too many.
        """
        draft = cls(tuple(tuple(meld) for meld in melds if meld), tuple(rack))
        try:
            found = draft.table + draft.left
        except ValueError as error:
            raise Refusal(IMPOSSIBLE, str(error)) from error
        for kind in np.flatnonzero(found != there).tolist():
            raise Refusal(
                IMPOSSIBLE,
                f"table and rack must have {there[kind]} of {tile_name(kind)}, not "
                f"{found[kind]}",
            )
        return draft

    @property
    def text(self) -> str:
        """The table in the notation."""
        return " | ".join(map(" ".join, self.melds))

    @property
    def table(self) -> Counts:
        """Tiles of the table, int8[53]; named jokers are jokers.

        Raises:
            ValueError: a word is no tile.
        """
        entries = [entry for meld in parse_entries(self.text) for entry in meld]
        return counts_of(
            entry[0] if isinstance(entry, tuple) else entry for entry in entries
        )

    @property
    def left(self) -> Counts:
        """Tiles of the rack, int8[53].

        Raises:
            ValueError: a word is no tile.
        """
        return parse_tiles(" ".join(self.rack))

    def laid(self, rack: Counts) -> Counts:
        """Returns which tiles of a rack lie on the table, int8[53]."""
        # Tiles of the table that somebody put on the rack are none of them.
        laid: Counts = np.maximum(rack - self.left, 0)
        return laid

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields in types that JSON knows."""
        return {"melds": [list(meld) for meld in self.melds], "rack": list(self.rack)}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Draft:
        """Reads what `to_dict` returned."""
        return cls(tuple(map(tuple, fields["melds"])), tuple(fields["rack"]))
