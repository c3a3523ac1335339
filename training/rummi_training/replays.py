"""Recorded games, checked and shown."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.console import Console

from rummi_env.records import verify_records
from rummi_training.progress import meter


def verify(path: Path, console: Console) -> None:
    """Plays all games of a file again and says how many there are.

    Raises:
        ValueError: a line is damaged or no game that can have been played.
    """
    games: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    steps = 0
    with meter(console, "games", _num_lines(path)) as shown:
        for _, record in verify_records(path):
            games[record.game] += 1
            endings[record.ending] += 1
            steps += record.num_steps
            shown.advance()
    kinds = ", ".join(f"{number} of {game}" for game, number in sorted(games.items()))
    console.print(
        f"verified: {games.total()} {_plural('game', games.total())} ({kinds}), "
        f"{steps} {_plural('step', steps)}",
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


def _num_lines(path: Path) -> int:
    try:
        with path.open("rb") as file:
            return sum(1 for _ in file)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error


def _plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"
