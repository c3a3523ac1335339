"""Files of records: one line for each game, appended whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rummi_env.envs.records.game_record import (
    GameRecord,
    check_digest,
    parse_fields,
    parse_record,
    record_of,
)
from rummi_env.envs.records.replaying import replay

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

NEWLINE = b"\n"


def check_path(path: str | os.PathLike[str]) -> Path:
    """Returns the path of a file that records can be appended to.

    Raises:
        ValueError: they cannot.
    """
    if not isinstance(path, str | os.PathLike):
        raise ValueError(f"record must be a path or a Recorder, not {path!r}")
    found = Path(path)
    if not found.parent.is_dir():
        raise ValueError(f"{found} cannot be written: there is no {found.parent}")
    if found.is_dir():
        raise ValueError(f"{found} cannot be written: it is a folder")
    if not os.access(found if found.exists() else found.parent, os.W_OK):
        raise ValueError(f"{found} cannot be written: permission denied")
    return found


def append_record(path: str | os.PathLike[str], record: GameRecord) -> None:
    """Appends a record to a file, which is made if need be.

    Several processes may append to the same file: lines are written whole, one at a
    time. What another process that was killed has left of a line stays a line of its
    own.

    Raises:
        ValueError: the file cannot be written.
    """
    line = record.to_json().encode() + NEWLINE
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from error
    try:
        if fcntl is not None:
            # Given back when the file is closed.
            fcntl.flock(file, fcntl.LOCK_EX)
        size = os.lseek(file, 0, os.SEEK_END)
        if size:
            os.lseek(file, size - 1, os.SEEK_SET)
            if os.read(file, 1) != NEWLINE:
                line = NEWLINE + line
        while line:
            line = line[os.write(file, line) :]
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        os.close(file)


def read_records(path: str | os.PathLike[str]) -> Iterator[GameRecord]:
    """Yields the records of a file, checked as `parse_record` does.

    Raises:
        ValueError: the file cannot be read or is empty, or a line is no record, is cut
            off or was changed; the sentence begins with the file and the line.
    """
    for _, record in _read(path, parse_record):
        yield record


def verify_records(
    path: str | os.PathLike[str],
) -> Iterator[tuple[int, GameRecord]]:
    """Yields the records of a file with their lines, each after it was played again.

    Raises:
        ValueError: as `read_records`, or a game cannot have been played as a record
            says; the sentence begins with the file and the line.
    """
    yield from _read(path, _verified)


def _verified(line: str) -> GameRecord:
    # Last what says least: a changed action is told as that.
    fields, checksum = parse_fields(line)
    record = record_of(fields)
    for _ in replay(record):
        pass
    check_digest(fields, checksum)
    return record


def _read(
    path: str | os.PathLike[str], read: Callable[[str], GameRecord]
) -> Iterator[tuple[int, GameRecord]]:
    number = 0
    for number, line in _lines(path):
        try:
            if not line.endswith(NEWLINE):
                raise ValueError("it is cut off: no newline is at its end")
            text = line.decode()
            yield number, read(text)
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{path}, line {number}: it is no text in UTF-8"
            ) from error
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
    if not number:
        raise ValueError(f"{path} has no records")


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    try:
        with Path(path).open("rb") as file:
            yield from enumerate(file, start=1)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error


Sink = Callable[[GameRecord], Any]
"""What a recorder hands its records to."""
