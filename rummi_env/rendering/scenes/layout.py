"""Groups of pieces in rows, as large as they fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TIGHTER = 0.85
"""How much smaller pieces may become for the sake of fewer rows."""

STEP = 1.0
"""By how many pixels the width of a piece is made smaller until all fit."""


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the picture."""

    x: float
    y: float
    width: float
    height: float

    def inner(self, margin: float) -> Box:
        """Returns the same box, smaller by a margin on every side."""
        return Box(
            self.x + margin,
            self.y + margin,
            self.width - 2 * margin,
            self.height - 2 * margin,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a group of pieces lies."""

    x: float
    y: float
    scale: float
    """Width of a piece."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Measures of a piece, in widths of it."""

    ratio: float
    """Height."""

    gap: float
    """Between the pieces of a group, negative where they lie over one another."""

    group_gap: float
    """Between groups in a row."""

    row_gap: float
    """Between rows."""

    def width_of(self, number: int) -> float:
        """Returns the width of a group."""
        return number + (number - 1) * self.gap


def flow(
    sizes: Sequence[int], box: Box, piece: Piece, largest: float, smallest: float = 6.0
) -> list[Place]:
    """Returns where groups lie, in rows from the top left, none of them broken.

    Args:
        sizes: how many pieces each group has.
        box: where they are to lie.
        piece: measures of a piece.
        largest: width of a piece where there is room enough.
        smallest: width below which groups may lie outside of the box.
    """
    scale = largest
    while scale > smallest:
        places = _rows(sizes, box, piece, scale)
        if places is not None:
            return _with_fewer_rows(places, sizes, box, piece)
        scale -= STEP
    unbounded = Box(box.x, box.y, box.width, float("inf"))
    return _rows(sizes, unbounded, piece, smallest) or []


def _with_fewer_rows(
    places: list[Place], sizes: Sequence[int], box: Box, piece: Piece
) -> list[Place]:
    """Returns places in fewer rows, if pieces that are a little smaller allow them."""
    if not places:
        return places
    scale = places[0].scale
    while scale > TIGHTER * places[0].scale:
        scale -= STEP
        tighter = _rows(sizes, box, piece, scale)
        if tighter is not None and tighter[-1].y < places[-1].y - 0.5 * scale:
            return tighter
    return places


def _rows(
    sizes: Sequence[int], box: Box, piece: Piece, scale: float
) -> list[Place] | None:
    """Returns the places for pieces of this width, None if they do not fit."""
    places = []
    x, y = 0.0, 0.0
    for size in sizes:
        width = piece.width_of(size) * scale
        if x and x + width > box.width:
            x, y = 0.0, y + (piece.ratio + piece.row_gap) * scale
        if y + piece.ratio * scale > box.height or (
            width > box.width and box.height != float("inf")
        ):
            return None
        places.append(Place(box.x + x, box.y + y, scale))
        x += width + piece.group_gap * scale
    return places
