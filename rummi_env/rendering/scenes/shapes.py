"""The shapes that pictures are made of; `svg` and `rgb` draw them.

Lengths are in pixels of the whole picture, x to the right and y downwards. Colors are
written ``#rrggbb``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Anchor: TypeAlias = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, perhaps with round corners."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    radius: float = 0.0
    stroke: str | None = None
    stroke_width: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 1.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str


@dataclass(frozen=True, slots=True)
class Smile:
    """The lower part of a circle, from one side of its bottom to the other."""

    x: float
    y: float
    radius: float
    stroke: str
    stroke_width: float


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; y is its middle."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: Anchor = "start"
    bold: bool = False


Shape: TypeAlias = Rect | Circle | Polygon | Smile | Text


@dataclass
class Scene:
    """A picture, to be drawn from its first shape to its last.

    Attributes:
        width: width of the picture.
        height: height of the picture.
        title: what it shows, for those who cannot see it.
        background: what shows where no shape is.
        shapes: the shapes.
    """

    width: int
    height: int
    title: str
    background: str
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Puts shapes on top."""
        self.shapes += shapes

    def extend(self, shapes: Iterable[Shape]) -> None:
        """Puts shapes on top."""
        self.shapes += shapes
