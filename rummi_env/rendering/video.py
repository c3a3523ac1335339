"""Pictures one after the other, as a GIF or an MP4."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_env.rendering.extras import needed

SUFFIXES = (".gif", ".mp4")


def write_video(
    path: str | Path, frames: Iterable[npt.NDArray[np.uint8]], fps: float = 2.0
) -> None:
    """Writes pictures as a GIF or an MP4, as the name of the file says.

    The file is there whole or as it was before.

    Args:
        path: the file.
        frames: the pictures, uint8[height, width, 3], all of one size.
        fps: how many are shown in a second.

    Raises:
        ValueError: the name ends otherwise, or there is no picture.
        ImportError: the extra ``render`` is not installed.
    """
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise ValueError(f"a video is called *.gif or *.mp4, not {path.name!r}")
    if not 0 < fps <= 60:
        raise ValueError(f"fps must be above 0 and up to 60, not {fps}")
    imageio = needed("imageio.v2", f"writing {path.suffix}")
    keywords: dict[str, Any]
    if path.suffix == ".mp4":
        needed("imageio_ffmpeg", "writing .mp4")
        keywords = {"fps": fps, "macro_block_size": 16, "ffmpeg_log_level": "error"}
    else:
        # In milliseconds; 0 loops: for ever.
        keywords = {"duration": 1000 / fps, "loop": 0}
    beside = path.with_name(f".{path.stem}.part{path.suffix}")
    number = 0
    try:
        with imageio.get_writer(beside, **keywords) as writer:
            for frame in frames:
                writer.append_data(frame)
                number += 1
        if not number:
            raise ValueError("a video needs a picture at least")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
