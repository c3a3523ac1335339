"""The folder of a run: what is needed to do it again, written so that it is whole."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import rummi_env

PACKAGES = (
    "numpy",
    "numba",
    "gymnasium",
    "pettingzoo",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "scipy",
    "openskill",
)
"""Distributions whose versions results may depend on."""


def make_folder(path: Path) -> None:
    """Makes a folder and those around it.

    Raises:
        ValueError: it cannot be made or written to.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{path} cannot be made: {error.strerror}") from error
    if not os.access(path, os.W_OK):
        raise ValueError(f"{path} cannot be written to")


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file so that it is there whole or as it was before."""
    data = content.encode() if isinstance(content, str) else content
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def write_json(path: Path, value: Any) -> None:
    """Writes a value as JSON, whole or not at all."""
    write_whole(path, json.dumps(value, indent=2, allow_nan=False) + "\n")


def surroundings(arguments: Iterable[str] = ()) -> dict[str, Any]:
    """Returns what besides settings and seeds results may depend on, for a file.

    Args:
        arguments: the command line.
    """
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": ["rummi", *arguments],
        "rummi-env": rummi_env.__version__,
        "commit": _git("rev-parse", "HEAD"),
        "changed_since_commit": _changed(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _changed() -> bool | None:
    status = _git("status", "--porcelain", "--untracked-files=no")
    return None if status is None else bool(status)


def _git(*arguments: str) -> str | None:
    """Asks git about the checkout this package lies in; None where it is in none."""
    root = Path(rummi_env.__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=root, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def command_line() -> list[str]:
    """Returns the arguments this process was started with."""
    return sys.argv[1:]
