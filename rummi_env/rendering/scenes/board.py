"""What the pictures of all games have around the table: heading, players, racks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rummi_env.rendering.scenes import colors
from rummi_env.rendering.scenes.layout import Box, Piece, flow
from rummi_env.rendering.scenes.shapes import Circle, Polygon, Rect, Scene, Shape, Text

WIDTH, HEIGHT = 1200, 800
"""Size of every picture: multiples of 16, as video encoders like it."""

MARGIN = 20
HEADING = Box(MARGIN, 10, WIDTH - 2 * MARGIN, 40)
PLAYERS = Box(MARGIN, 58, WIDTH - 2 * MARGIN, 116)
TABLE = Box(MARGIN, 186, WIDTH - 2 * MARGIN, 422)
RACK = Box(MARGIN, 650, WIDTH - 2 * MARGIN, 134)

Draw = Callable[[float, float, float], Iterator[Shape]]
"""Draws a piece at its left side and top, with its width."""


@dataclass(frozen=True)
class Panel:
    """What is shown of one player."""

    name: str
    """The name."""

    score: float
    """Score of the rounds that are over."""

    facts: str
    """The size of the rack and whatever else everybody knows."""

    is_mover: bool
    """Whether the player is to act."""

    good: str = ""
    """A fact that stands out, such as having opened."""

    below: str = ""
    """What to say where there are no pieces."""

    pieces: Sequence[Draw] = ()
    """The rack as it may be seen."""


def new_scene(title: str, status: str, note: str, pool: str) -> Scene:
    """Returns a picture with its heading.

    Args:
        title: which round and turn it is.
        status: who is to do what.
        note: what the last turn was.
        pool: what is left to draw.
    """
    told = ", ".join(part for part in (title, status, note, pool) if part)
    scene = Scene(WIDTH, HEIGHT, told, colors.GROUND)
    middle = HEADING.y + HEADING.height / 2
    scene.add(
        Text(HEADING.x, middle, title, 19, colors.PALE),
        Text(WIDTH / 2, middle, status, 23, colors.INK, "middle", bold=True),
        Text(HEADING.x + HEADING.width, middle, pool, 19, colors.PALE, "end"),
    )
    scene.add(
        Rect(
            TABLE.x, TABLE.y, TABLE.width, TABLE.height,
            colors.FELT, 14, colors.FELT_EDGE, 4,
        )
    )  # fmt: skip
    if note:
        scene.add(
            Text(
                TABLE.x + TABLE.width,
                TABLE.y + TABLE.height + 20,
                note,
                17,
                colors.MARK,
                "end",
            )
        )
    return scene


def add_panels(scene: Scene, panels: Sequence[Panel], piece: Piece) -> None:
    """Puts the players above the table, in the order of the seats."""
    gap = 12
    width = (PLAYERS.width - gap * (len(panels) - 1)) / len(panels)
    for index, panel in enumerate(panels):
        box = Box(PLAYERS.x + index * (width + gap), PLAYERS.y, width, PLAYERS.height)
        _add_panel(scene, panel, box, piece)


def _add_panel(scene: Scene, panel: Panel, box: Box, piece: Piece) -> None:
    on = panel.is_mover
    scene.add(
        Rect(
            box.x, box.y, box.width, box.height,
            colors.PANEL_ON if on else colors.PANEL, 10,
            colors.MARK if on else None, 3,
        )
    )  # fmt: skip
    left, line = box.x + 14, box.y + 22
    if on:
        scene.add(
            Polygon(
                ((left, line - 8), (left + 12, line), (left, line + 8)), colors.MARK
            )
        )
        left += 20
    narrow = box.width < 250
    score = f"{panel.score:g}" if narrow else f"score {panel.score:g}"
    room = box.width - (90 if narrow else 150)
    scene.add(
        Text(left, line, shortened(panel.name, room, 19), 19, colors.INK, bold=True),
        Text(box.x + box.width - 14, line, score, 17, colors.PALE, "end"),
    )
    line += 24
    left = box.x + 14
    facts = ", ".join(part for part in (panel.good, panel.facts) if part)
    across = 16 if panel.good else 0
    if panel.good:
        scene.add(Circle(left + 5, line, 5, colors.GOOD))
    told = shortened(facts, box.width - 32, 15)
    scene.add(Text(left + across, line, told, 15, colors.PALE))
    if panel.below:
        scene.add(Text(left, line + 34, panel.below, 15, colors.PALE))
    inside = Box(box.x + 14, line + 14, box.width - 28, box.height - 68)
    place_pieces(scene, [[draw] for draw in panel.pieces], inside, piece, 30)


def place_pieces(
    scene: Scene,
    groups: Sequence[Sequence[Draw]],
    box: Box,
    piece: Piece,
    largest: float,
) -> None:
    """Puts groups of pieces into a box, as large as they fit."""
    places = flow([len(group) for group in groups], box, piece, largest)
    for group, place in zip(groups, places, strict=True):
        step = place.scale * (1 + piece.gap)
        for index, draw in enumerate(group):
            scene.extend(draw(place.x + index * step, place.y, place.scale))


def add_rack(
    scene: Scene,
    title: str,
    groups: Sequence[Sequence[Draw]],
    piece: Piece,
    *,
    aside: str = "",
    aside_groups: Sequence[Sequence[Draw]] = (),
    largest: float = 70,
) -> None:
    """Puts a rack below the table, and beside it what was taken from it.

    Args:
        scene: the picture.
        title: whose rack it is.
        groups: the rack.
        piece: measures of a piece.
        aside: what lies beside it; nothing without one.
        aside_groups: what that is.
        largest: width of a piece where there is room enough.
    """
    width = RACK.width * (0.7 if aside else 1)
    line = RACK.y - 22
    scene.add(Text(RACK.x + 4, line, title, 17, colors.PALE))
    box = Box(RACK.x, RACK.y, width, RACK.height)
    scene.add(
        Rect(box.x, box.y, box.width, box.height, colors.WOOD, 10, colors.WOOD_EDGE, 3)
    )
    inside = box.inner(14)
    places = flow([len(group) for group in groups], inside, piece, largest)
    for top, scale in sorted({(place.y, place.scale) for place in places}):
        ledge = top + 0.82 * piece.ratio * scale
        height = 0.26 * piece.ratio * scale
        scene.add(Rect(box.x + 6, ledge, box.width - 12, height, colors.WOOD_SLOT, 4))
    place_pieces(scene, groups, inside, piece, largest)
    if not aside:
        return
    left = RACK.x + width + 12
    scene.add(
        Rect(
            left, RACK.y, RACK.x + RACK.width - left, RACK.height,
            colors.PANEL, 10, colors.MARK, 2,
        ),
        Text(left + 14, RACK.y + 20, aside, 16, colors.INK),
    )  # fmt: skip
    box = Box(left + 14, RACK.y + 38, RACK.x + RACK.width - left - 28, RACK.height - 50)
    place_pieces(scene, aside_groups, box, piece, 48)


def shortened(text: str, room: float, size: float) -> str:
    """Returns a text that fits in so many pixels, with dots where it was too long."""
    most = max(int(room / (0.54 * size)), 4)
    return text if len(text) <= most else f"{text[: most - 2]}.."
