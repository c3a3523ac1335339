"""Games on disk: a folder for each, its files there whole or as they were before."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rummi_env.records import GameRecord, append_record
from rummi_training.play.refusals import UNKNOWN_GAME, Refusal
from rummi_training.run_folder import make_folder, write_whole

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

_ID = re.compile(r"[0-9a-f]{10}")

GAME_FILE = "game.json"
TURN_FILE = "turn.json"
LOCK_FILE = ".lock"
RECORDS_FILE = "games.jsonl"


class Store:
    """The games of one folder.

    A game has two files: all of it, written after each turn, and the turn that a person
    has begun, written after each tile.
    """

    def __init__(self, folder: Path) -> None:
        """Takes the folder, which is made if need be.

        Raises:
            ValueError: it cannot be written to, or another process plays from it.
        """
        make_folder(folder)
        self.folder = folder
        self._lock = (folder / LOCK_FILE).open("w")
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                self._lock.close()
                raise ValueError(
                    f"{folder} is in use by another rummi play: give --out another "
                    "folder"
                ) from error

    def close(self) -> None:
        """Lets others play from the folder."""
        self._lock.close()

    def save(self, name: str, game: Mapping[str, Any]) -> None:
        """Writes a game."""
        folder = self.folder / name
        # The tokens in it are for nobody else on the machine.
        folder.mkdir(mode=0o700, exist_ok=True)
        _write(folder / GAME_FILE, game)

    def add_record(self, record: GameRecord) -> None:
        """Appends the record of a match that is over to those of the folder."""
        append_record(self.folder / RECORDS_FILE, record)

    def save_turn(self, name: str, turn: Mapping[str, Any]) -> None:
        """Writes a turn that was begun."""
        _write(self.folder / name / TURN_FILE, turn)

    def load(self, name: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Returns a game, and the turn begun in it if there is one.

        Raises:
            Refusal: there is no such game.
            ValueError: its file is damaged.
        """
        folder = self.folder / name
        if not _ID.fullmatch(name) or not (folder / GAME_FILE).exists():
            raise Refusal(UNKNOWN_GAME, f"there is no game {name!r}")
        turn = folder / TURN_FILE
        return _read(folder / GAME_FILE), _read(turn) if turn.exists() else None

    def names(self) -> list[str]:
        """Returns the names of the games, the latest first."""
        files = sorted(
            self.folder.glob(f"*/{GAME_FILE}"),
            key=lambda path: path.stat().st_mtime,
            reverse=True,
        )
        return [file.parent.name for file in files if _ID.fullmatch(file.parent.name)]


def _write(path: Path, value: Mapping[str, Any]) -> None:
    write_whole(path, json.dumps(value, allow_nan=False))


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} holds no game")
    return value
