"""Cards as they look, with suits that are drawn and not letters of a font."""

from __future__ import annotations

from collections.abc import Iterator

from rummi_env.core.cards import RANKS, rank_of, suit_of
from rummi_env.rendering.scenes import colors
from rummi_env.rendering.scenes.layout import Piece
from rummi_env.rendering.scenes.shapes import Circle, Polygon, Rect, Shape, Text

CARD = Piece(ratio=1.4, gap=0.06, group_gap=0.5, row_gap=0.22)


def card(
    index: int, x: float, y: float, width: float, *, marked: bool = False
) -> Iterator[Shape]:
    """Yields the shapes of a card.

    Args:
        index: the card.
        x: its left side.
        y: its top.
        width: its width.
        marked: whether it has just come here.
    """
    yield from _blank(x, y, width, colors.PAPER, colors.PAPER_EDGE, marked)
    suit = suit_of(index)
    ink = colors.SUITS[suit]
    rank = RANKS[rank_of(index) - 1].replace("T", "10")
    middle = x + width / 2
    yield Text(middle, y + 0.42 * width, rank, 0.54 * width, ink, "middle", bold=True)
    yield from _pip(suit, middle, y + 1.0 * width, 0.24 * width, ink)


def card_back(x: float, y: float, width: float) -> Iterator[Shape]:
    """Yields the shapes of a card that lies face down."""
    yield from _blank(x, y, width, colors.PAPER, colors.CARD_BACK_EDGE, False)
    edge = 0.1 * width
    yield Rect(
        x + edge,
        y + edge,
        width - 2 * edge,
        CARD.ratio * width - 2 * edge,
        colors.CARD_BACK,
        0.06 * width,
    )


def _blank(
    x: float, y: float, width: float, fill: str, edge: str, marked: bool
) -> Iterator[Shape]:
    height = CARD.ratio * width
    radius = 0.1 * width
    if marked:
        grown = max(0.07 * width, 2.0)
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
            x + 0.03 * width, y + 0.05 * width, width, height, colors.SHADOW, radius
        )
    yield Rect(x, y, width, height, fill, radius, edge, max(0.02 * width, 0.7))


def _pip(suit: int, x: float, y: float, size: float, ink: str) -> Iterator[Shape]:
    """Yields a suit's sign around a point; it reaches as far as its size each way."""
    if suit == 1:
        points = (
            (x, y - size),
            (x + 0.72 * size, y),
            (x, y + size),
            (x - 0.72 * size, y),
        )
        yield Polygon(points, ink)
    elif suit == 2:
        yield from _heart(x, y, size, ink)
    elif suit == 3:
        yield from _heart(x, y - 0.12 * size, -0.92 * size, ink)
        yield from _stalk(x, y, size, ink)
    else:
        radius = 0.42 * size
        for across, down in ((0, -0.5), (-0.5, 0.2), (0.5, 0.2)):
            yield Circle(x + across * size, y + down * size, radius, ink)
        yield from _stalk(x, y, size, ink)


def _heart(x: float, y: float, size: float, ink: str) -> Iterator[Shape]:
    """Yields a heart, upside down where the size is negative."""
    radius = 0.5 * abs(size)
    for side in (-1, 1):
        yield Circle(x + side * 0.45 * abs(size), y - 0.36 * size, radius, ink)
    reach = 0.9 * abs(size)
    yield Polygon(
        (
            (x - reach, y - 0.14 * size),
            (x, y - 0.6 * size),
            (x + reach, y - 0.14 * size),
            (x, y + size),
        ),
        ink,
    )


def _stalk(x: float, y: float, size: float, ink: str) -> Iterator[Shape]:
    yield Polygon(
        ((x, y - 0.1 * size), (x + 0.36 * size, y + size), (x - 0.36 * size, y + size)),
        ink,
    )
