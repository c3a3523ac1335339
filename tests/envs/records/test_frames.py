"""Recorded games as pictures and videos."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest

from rummi_env.envs.records.frames import scenes
from rummi_env.records import GameRecord
from rummi_env.rendering.rgb import rgb_of
from rummi_env.rendering.scenes import colors
from rummi_env.rendering.scenes.shapes import Rect, Scene, Text
from rummi_env.rendering.video import write_video

Record = Callable[..., GameRecord]


def backs(scene: Scene) -> int:
    return sum(isinstance(s, Rect) and s.fill == colors.BACK for s in scene.shapes)


def decoded(path: Path) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Returns the pictures of a video, uint8[pictures, 800, 1200, 3]."""
    raw = ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-i", path, *raw],
        capture_output=True,
        check=True,
    )
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, 800, 1200, 3)


@pytest.mark.parametrize("game", ["rummikub", "rummy", "tabla"])
def test_there_is_a_picture_before_each_step_and_a_last_one(
    game: str, recorded: Record
) -> None:
    record = recorded(game=game, players=3, steps=50)
    shown = list(scenes(record))
    assert len(shown) == record.num_steps + 1
    assert all((scene.width, scene.height) == (1200, 800) for scene in shown)


def test_the_racks_of_a_video_are_open_or_face_down(recorded: Record) -> None:
    record = recorded(steps=20)
    assert {backs(scene) for scene in scenes(record)} == {0}
    # Tiles that were seen in a turn that was taken back are not.
    assert min(map(backs, scenes(record, reveal=False))) >= 8
    titles = [
        {s.text for s in scene.shapes if isinstance(s, Text) and "Rack of" in s.text}
        for scene in scenes(record, seat=1)
    ]
    assert all(title.startswith("Rack of player_1") for [title] in titles)


def test_a_seat_that_is_not_there_is_refused(recorded: Record) -> None:
    with pytest.raises(ValueError, match="seat must be from 0 to 1, not 2"):
        next(scenes(recorded(steps=3), seat=2))


@pytest.mark.parametrize("suffix", [".gif", ".mp4"])
def test_videos_have_every_picture(
    suffix: str, recorded: Record, tmp_path: Path
) -> None:
    path = tmp_path / f"game{suffix}"
    frames = [rgb_of(scene) for scene in scenes(recorded(steps=6))]
    write_video(path, frames, fps=4)
    found = decoded(path)
    assert found.shape == (7, 800, 1200, 3)
    # Lossy, but the same picture.
    difference = np.abs(found[0].astype(int) - frames[0].astype(int))
    assert difference.mean() < 6
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("name", "frames", "fps", "told"),
    [
        ("game.avi", [1], 2, r"called \*\.gif or \*\.mp4, not 'game.avi'"),
        ("game.gif", [], 2, "needs a picture at least"),
        ("game.mp4", [1], 0, "fps must be above 0 and up to 60, not 0"),
        ("game.mp4", [1], float("nan"), "fps must be above 0"),
    ],
)
def test_impossible_videos_are_refused_and_leave_nothing(
    name: str, frames: list[Any], fps: float, told: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=told):
        write_video(tmp_path / name, frames, fps)
    assert not list(tmp_path.iterdir())
