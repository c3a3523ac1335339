"""Pictures of a recorded game."""

from __future__ import annotations

from collections.abc import Iterator

from rummi_env.envs.pictures import Pictures
from rummi_env.envs.records.game_record import GameRecord
from rummi_env.envs.records.replaying import Moment, replay
from rummi_env.rendering.scenes.shapes import Scene


def pictured(record: GameRecord) -> Iterator[tuple[Moment, Pictures]]:
    """Yields the moments of a record with what draws them; see `replay`."""
    pictures: Pictures | None = None
    for moment in replay(record):
        if pictures is None:
            pictures = Pictures(moment.match, "svg")
            pictures.begin()
        else:
            pictures.follow()
        yield moment, pictures


def scenes(
    record: GameRecord, seat: int | None = None, *, reveal: bool = True
) -> Iterator[Scene]:
    """Yields the pictures of a recorded game, one before each step and the last one.

    Args:
        record: the game.
        seat: whose rack is shown in full; by default that of the seat to move.
        reveal: whether the other racks are shown as well.

    Raises:
        ValueError: there is no such seat, or the game cannot have been played.
    """
    number = len(record.players)
    if seat is not None and not 0 <= seat < number:
        raise ValueError(f"seat must be from 0 to {number - 1}, not {seat}")
    for moment, pictures in pictured(record):
        pictures.reveal = reveal
        yield pictures.scene(moment.seat if seat is None else seat, record.players)
