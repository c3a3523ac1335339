"""The wrappers of Gymnasium and PettingZoo that write videos.

They use moviepy, which holds pillow below 12, so it is part of the extra `interop` and
these tests run in its environment. `rummi_env.rendering.video` needs neither.
"""

from pathlib import Path
from typing import Any

import gymnasium
import imageio_ffmpeg
import numpy as np
import pytest

import rummi_env
from rummi_env import rummikub_v0

pytestmark = pytest.mark.interop


def pictures_of(path: Path) -> int:
    number, _ = imageio_ffmpeg.count_frames_and_secs(str(path))
    return int(number)


@pytest.mark.parametrize("game", ["Rummikub", "Rummy", "Tabla"])
def test_gymnasium_records_an_episode(game: str, tmp_path: Path) -> None:
    assert rummi_env.__version__
    env = gymnasium.wrappers.RecordVideo(
        gymnasium.make(f"rummi/{game}-v0", render_mode="rgb_array"),
        str(tmp_path / "videos"),
    )
    _, info = env.reset(seed=1)
    for _ in range(4):
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not over
    env.close()  # type: ignore[no-untyped-call]
    [video] = (tmp_path / "videos").glob("*.mp4")
    assert pictures_of(video) >= 4


def test_pettingzoo_records_an_episode(tmp_path: Path) -> None:
    from pettingzoo.utils.wrappers import RecordVideo

    env: Any = RecordVideo(
        rummikub_v0.env(render_mode="rgb_array"), str(tmp_path / "videos")
    )
    env.reset(seed=1)
    for _ in range(4):
        env.step(53)
    env.close()
    [video] = (tmp_path / "videos").glob("*.mp4")
    assert pictures_of(video) >= 4
