"""Recorded games, checked and shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console

from rummi_env.envs.records.frames import scenes
from rummi_env.records import GameRecord, verify_records
from rummi_env.rendering.amounts import plural
from rummi_training.progress import meter
from rummi_training.run_folder import write_whole

MOST_GAMES = 20
"""Games that a page has where none are named."""

Numbered = tuple[int, GameRecord]
"""The line of a game, and its record."""


def verify(path: Path, console: Console, lines: Collection[int] = ()) -> list[Numbered]:
    """Plays all games of a file again and says how many there are.

    Args:
        path: the file.
        console: where to show progress and to say it.
        lines: of the games to return; the first `MOST_GAMES` by default.

    Returns:
        Those games.

    Raises:
        ValueError: there is no such line, or one is damaged or no game that can have
            been played.
    """
    number = _num_lines(path)
    absent = sorted(line for line in lines if not 1 <= line <= number)
    if absent and number:
        # Said first: all games are to be played again, which may take long.
        raise ValueError(f"{path} has no line {absent[0]}: it has {number}")
    games: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    steps = 0
    chosen: list[Numbered] = []
    with meter(console, "games", number) as shown:
        for line, record in verify_records(path):
            if line in lines or (not lines and len(chosen) < MOST_GAMES):
                chosen.append((line, record))
            games[record.game] += 1
            endings[record.ending] += 1
            steps += record.num_steps
            shown.advance()
    kinds = ", ".join(f"{number} of {game}" for game, number in sorted(games.items()))
    console.print(
        f"verified: {plural(games.total(), 'game')} ({kinds}), {plural(steps, 'step')}",
        highlight=False,
        soft_wrap=True,
    )
    for ending in ("illegal", "unfinished"):
        if endings[ending]:
            meaning = {
                "illegal": "ended by an illegal action",
                "unfinished": "not played to the end",
            }[ending]
            console.print(f"{endings[ending]} {meaning}", highlight=False)
    return chosen


def write_page(games: list[Numbered], path: Path, source: Path) -> None:
    """Writes games as one HTML page, whole or not at all.

    Raises:
        ValueError: jinja2 is not installed.
    """
    from rummi_training.replay_page import page

    write_whole(path, page(games, f"Replay of {source.name}"))


def write_clip(
    record: GameRecord,
    path: Path,
    fps: float,
    seat: int | None,
    reveal: bool,
    console: Console,
) -> None:
    """Writes a game as a GIF or an MP4, a picture before each step and the last one.

    Args:
        record: the game.
        path: the file, called ``*.gif`` or ``*.mp4``.
        fps: pictures in a second.
        seat: whose rack is shown in full; by default that of the seat to move.
        reveal: whether the other racks are shown as well.
        console: where to show progress.

    Raises:
        ValueError: a value is impossible.
        ImportError: the extra ``render`` is not installed.
    """
    from rummi_env.rendering.rgb import rgb_of
    from rummi_env.rendering.video import write_video

    with meter(console, f"pictures for {path.name}", record.num_steps + 1) as shown:

        def frames() -> Iterator[npt.NDArray[np.uint8]]:
            for scene in scenes(record, seat, reveal=reveal):
                yield rgb_of(scene)
                shown.advance()

        write_video(path, frames(), fps)


def _num_lines(path: Path) -> int:
    try:
        with path.open("rb") as file:
            return sum(1 for _ in file)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
