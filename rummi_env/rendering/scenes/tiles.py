"""Tiles as they look: ivory, a colored number, a hollow below it; jokers have faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rummi_env.core.tiles import JOKER, NUM_NUMBERS, color_of, number_of
from rummi_env.rendering.scenes import colors
from rummi_env.rendering.scenes.layout import Piece
from rummi_env.rendering.scenes.shapes import Circle, Rect, Shape, Smile, Text

TILE = Piece(ratio=1.36, gap=0.05, group_gap=0.5, row_gap=0.38)
RACKED = Piece(ratio=1.36, gap=0.06, group_gap=0.22, row_gap=0.22)
"""Tiles of a rack stand closer together."""

SMALL = Piece(ratio=1.36, gap=0.06, group_gap=0.08, row_gap=0.12)
"""Tiles in the panels of players."""


def tile(
    kind: int,
    x: float,
    y: float,
    width: float,
    *,
    stands_for: Iterable[int] = (),
    marked: bool = False,
) -> Iterator[Shape]:
    """Yields the shapes of a tile.

    Args:
        kind: the tile.
        x: its left side.
        y: its top.
        width: its width.
        stands_for: for a joker the kinds that it may stand for.
        marked: whether it has just come here.
    """
    yield from _blank(x, y, width, colors.IVORY, colors.IVORY_EDGE, marked)
    middle = x + width / 2
    if kind == JOKER:
        yield from _joker(middle, y, width, sorted(stands_for))
        return
    ink = colors.TILES[color_of(kind)]
    number = str(number_of(kind))
    yield Text(middle, y + 0.47 * width, number, 0.66 * width, ink, "middle", bold=True)
    yield Circle(
        middle,
        y + 1.05 * width,
        0.13 * width,
        colors.HOLLOW,
        ink,
        max(0.045 * width, 0.8),
    )


def tile_back(x: float, y: float, width: float) -> Iterator[Shape]:
    """Yields the shapes of a tile that lies face down."""
    yield from _blank(x, y, width, colors.BACK, colors.BACK_EDGE, False)
    if width >= 14:
        yield Rect(
            x + 0.2 * width,
            y + 0.2 * width,
            0.6 * width,
            (TILE.ratio - 0.4) * width,
            radius=0.1 * width,
            stroke=colors.BACK_EDGE,
            stroke_width=1,
        )


def _blank(
    x: float, y: float, width: float, fill: str, edge: str, marked: bool
) -> Iterator[Shape]:
    height = TILE.ratio * width
    radius = 0.14 * width
    if marked:
        grown = max(0.08 * width, 2.0)
        yield Rect(
            x - grown,
            y - grown,
            width + 2 * grown,
            height + 2 * grown,
            colors.MARK,
            radius + grown,
        )
    else:
        yield Rect(
            x + 0.04 * width, y + 0.06 * width, width, height, colors.SHADOW, radius
        )
    yield Rect(x, y, width, height, fill, radius, edge, max(0.03 * width, 0.7))


def _joker(middle: float, y: float, width: float, kinds: list[int]) -> Iterator[Shape]:
    """Yields a face, and below it what the joker stands for."""
    ink = colors.JOKER_RED
    face = y + (0.42 if kinds else 0.64) * width
    radius = (0.29 if kinds else 0.36) * width
    stroke = max(0.05 * width, 0.8)
    yield Circle(middle, face, radius, colors.HOLLOW, ink, stroke)
    for side in (-1, 1):
        yield Circle(
            middle + side * 0.36 * radius, face - 0.25 * radius, 0.15 * radius, ink
        )
    yield Smile(middle, face + 0.02 * radius, 0.55 * radius, ink, stroke)
    if not kinds:
        return
    number = str(number_of(kinds[0]))
    size, line = 0.38 * width, y + 1.08 * width
    if len(kinds) == 1:
        ink = colors.TILES[color_of(kinds[0])]
        yield Text(middle, line, number, size, ink, "middle", bold=True)
        return
    # Any of several colors of one number: the number, and a dot for each color.
    line = y + 0.95 * width
    yield Text(middle, line, number, 0.32 * width, colors.TILES[0], "middle", bold=True)
    first = middle - 0.1 * (len(kinds) - 1) * width
    for index, kind in enumerate(kinds):
        across = first + 0.2 * index * width
        ink = colors.TILES[color_of(kind)]
        yield Circle(across, y + 1.21 * width, 0.075 * width, ink)


def by_color(tiles: Iterable[int]) -> list[list[int]]:
    """Returns tiles in groups, one for each color and one for the jokers."""
    groups: dict[int, list[int]] = {}
    for kind in sorted(tiles):
        groups.setdefault(kind // NUM_NUMBERS, []).append(kind)
    return list(groups.values())
