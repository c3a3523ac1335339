"""Scenes as SVG: one string, sharp at every size."""

from __future__ import annotations

import math
from typing import Any

from rummi_env.rendering.extras import needed
from rummi_env.rendering.scenes.shapes import (
    Circle,
    Polygon,
    Rect,
    Scene,
    Shape,
    Smile,
)

FONTS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
SMILE_DEGREES = 55
"""How far a smile reaches to either side of the bottom."""


def svg_of(scene: Scene) -> str:
    """Returns a scene as an SVG document.

    Raises:
        ImportError: the extra ``render`` is not installed.
    """
    drawsvg = needed("drawsvg", "render_mode='svg'")
    drawing = drawsvg.Drawing(scene.width, scene.height, font_family=FONTS)
    drawing.append_title(scene.title)
    size = {"width": scene.width, "height": scene.height}
    drawing.append(drawsvg.Rectangle(0, 0, **size, fill=scene.background))
    for shape in scene.shapes:
        drawing.append(_element(drawsvg, shape))
    text: str = drawing.as_svg()
    return text


def _element(drawsvg: Any, shape: Shape) -> Any:
    if isinstance(shape, Rect):
        radius = {"rx": _n(shape.radius)} if shape.radius else {}
        return drawsvg.Rectangle(
            _n(shape.x),
            _n(shape.y),
            _n(shape.width),
            _n(shape.height),
            **radius,
            **_paint(shape),
        )
    if isinstance(shape, Circle):
        return drawsvg.Circle(
            _n(shape.x), _n(shape.y), _n(shape.radius), **_paint(shape)
        )
    if isinstance(shape, Polygon):
        points = [_n(value) for point in shape.points for value in point]
        return drawsvg.Lines(*points, close=True, fill=shape.fill)
    if isinstance(shape, Smile):
        return _smile(drawsvg, shape)
    bold = {"font_weight": "bold"} if shape.bold else {}
    return drawsvg.Text(
        shape.text,
        _n(shape.size),
        _n(shape.x),
        # Capitals and digits reach from the line to 0.7 of the size.
        _n(shape.y + 0.35 * shape.size),
        fill=shape.fill,
        text_anchor=shape.anchor,
        **bold,
    )


def _smile(drawsvg: Any, shape: Smile) -> Any:
    angle = math.radians(SMILE_DEGREES)
    across, down = shape.radius * math.sin(angle), shape.radius * math.cos(angle)
    path = drawsvg.Path(
        fill="none",
        stroke=shape.stroke,
        stroke_width=_n(shape.stroke_width),
        stroke_linecap="round",
    )
    path.M(_n(shape.x - across), _n(shape.y + down))
    path.A(
        _n(shape.radius), _n(shape.radius), 0, 0, 0, _n(shape.x + across),
        _n(shape.y + down),
    )  # fmt: skip
    return path


def _paint(shape: Rect | Circle) -> dict[str, Any]:
    paint: dict[str, Any] = {"fill": shape.fill or "none"}
    if shape.stroke is not None:
        paint |= {"stroke": shape.stroke, "stroke_width": _n(shape.stroke_width)}
    return paint


def _n(value: float) -> float:
    """Returns a length as it is written: whole numbers without a point."""
    rounded = round(value, 2)
    return int(rounded) if rounded == int(rounded) else rounded
