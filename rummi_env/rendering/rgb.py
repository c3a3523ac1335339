"""Scenes as pixels."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_env.rendering.extras import needed
from rummi_env.rendering.scenes.shapes import (
    Circle,
    Polygon,
    Rect,
    Scene,
    Shape,
    Smile,
    Text,
)
from rummi_env.rendering.svg import SMILE_DEGREES

FINER = 2
"""How many times as many pixels are drawn, in either direction, before they are made
fewer: pillow draws shapes without smooth edges."""

ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}
"""Pillow's names: at the left, in the middle or at the right, at half the height."""

FONT = "freesansbold.ttf"
"""Comes with pygame-ce; pillow's own font has no letters beyond ASCII."""


def rgb_of(scene: Scene) -> npt.NDArray[np.uint8]:
    """Returns a scene as pixels, uint8[height, width, 3].

    Raises:
        ImportError: the extra ``render`` is not installed.
    """
    return np.array(image_of(scene), np.uint8)


def image_of(scene: Scene) -> Any:
    """Returns a scene as an image of pillow.

    Raises:
        ImportError: the extra ``render`` is not installed.
    """
    images = needed("PIL.Image", "render_mode='rgb_array'")
    drawing = needed("PIL.ImageDraw", "render_mode='rgb_array'")
    size = scene.width * FINER, scene.height * FINER
    image = images.new("RGB", size, scene.background)
    draw = drawing.Draw(image)
    for shape in scene.shapes:
        _draw(draw, shape)
    return image.reduce(FINER)


def _draw(draw: Any, shape: Shape) -> None:
    if isinstance(shape, Rect):
        # Half of a stroke lies outside, as in SVG.
        grown = shape.stroke_width / 2 if shape.stroke else 0
        draw.rounded_rectangle(
            _box(
                shape.x - grown,
                shape.y - grown,
                shape.x + shape.width + grown,
                shape.y + shape.height + grown,
            ),
            (shape.radius + grown) * FINER,
            fill=shape.fill,
            outline=shape.stroke,
            width=max(round(shape.stroke_width * FINER), 1) if shape.stroke else 0,
        )
    elif isinstance(shape, Circle):
        grown = shape.radius + (shape.stroke_width / 2 if shape.stroke else 0)
        box = _box(shape.x - grown, shape.y - grown, shape.x + grown, shape.y + grown)
        width = round(shape.stroke_width * FINER) if shape.stroke else 0
        draw.ellipse(box, fill=shape.fill, outline=shape.stroke, width=width)
    elif isinstance(shape, Polygon):
        draw.polygon([(x * FINER, y * FINER) for x, y in shape.points], fill=shape.fill)
    elif isinstance(shape, Smile):
        box = _box(
            shape.x - shape.radius,
            shape.y - shape.radius,
            shape.x + shape.radius,
            shape.y + shape.radius,
        )
        width = max(round(shape.stroke_width * FINER), 1)
        ends = 90 - SMILE_DEGREES, 90 + SMILE_DEGREES
        draw.arc(box, *ends, fill=shape.stroke, width=width)
    else:
        draw.text(
            (shape.x * FINER, shape.y * FINER),
            shape.text,
            fill=shape.fill,
            font=_font(shape),
            anchor=ANCHORS[shape.anchor],
        )


def _font(shape: Text) -> Any:
    plain = not shape.bold and shape.text.isascii()
    return _sized_font(plain, round(shape.size * FINER))


@cache
def _sized_font(plain: bool, size: int) -> Any:
    fonts = needed("PIL.ImageFont", "render_mode='rgb_array'")
    found = find_spec("pygame")
    if plain or found is None or not found.submodule_search_locations:
        return fonts.load_default(size)
    return fonts.truetype(Path(found.submodule_search_locations[0]) / FONT, size)


def _box(left: float, top: float, right: float, bottom: float) -> list[float]:
    return [left * FINER, top * FINER, right * FINER - 1, bottom * FINER - 1]
