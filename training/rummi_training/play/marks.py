"""Which tiles of the table whose last turn has brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rummi_env.core.melds import Meld
from rummi_env.core.tiles import Counts, tiles_of

Marks = list[list[int | None]]
"""For every tile of every meld the seat whose last turn brought it, or None."""


def without_seat(marks: Marks, seat: int) -> Marks:
    """Returns the marks without those of a seat, which has had another turn."""
    return [[None if by == seat else by for by in meld] for meld in marks]


def unmarked(melds: Sequence[Meld]) -> Marks:
    """Returns no marks for these melds."""
    return [[None] * len(meld.tiles) for meld in melds]


def marked(
    before: Sequence[Meld],
    marks: Marks,
    after: Sequence[Meld],
    played: Counts,
    seat: int,
) -> Marks:
    """Returns the marks after a turn.

    Melds that lie as they did keep their marks. In the others tiles of a kind that was
    played are taken for those that were; which of two alike it is, nobody can tell.

    Args:
        before: the table before the turn.
        marks: its marks.
        after: the table after it.
        played: tiles that the turn brought, int8[53].
        seat: whose turn it was.
    """
    same: dict[Meld, list[list[int | None]]] = {}
    for meld, old in zip(before, marks, strict=True):
        same.setdefault(meld, []).append(old)
    found = [same[meld].pop() if same.get(meld) else None for meld in after]
    # Marks of tiles that now lie in other melds go with one tile of their kind.
    loose = Counter(tiles_of(played))
    owners: dict[int, list[int]] = {}
    for meld, rest in same.items():
        for old in rest:
            for tile, by in zip(meld.tiles, old, strict=True):
                if by is not None:
                    owners.setdefault(tile, []).append(by)
    result: Marks = []
    for meld, kept in zip(after, found, strict=True):
        if kept is not None:
            result.append(kept)
            continue
        line: list[int | None] = []
        for tile in meld.tiles:
            if loose[tile]:
                loose[tile] -= 1
                line.append(seat)
            else:
                line.append(owners[tile].pop() if owners.get(tile) else None)
        result.append(line)
    return result
