"""The decorator of every compiled function, and where compiled code is kept.

Numba keeps compiled functions by the time stamp of the file that defines them, which
misses a change in a function that they call from another file. So the cache folder is
named after a hash of all kernel sources: a change in any of them compiles anew.

The folder is ``$RUMMI_CACHE_DIR`` if set, else ``$NUMBA_CACHE_DIR``, else
``~/.cache/rummi-env``, else one in the system's folder for temporary files; it need not
be beside the package, so a read-only ``site-packages`` works.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import config, njit

KERNEL_FOLDERS = ("solver", "games", "observation", "envs")
"""Sub-packages with compiled functions."""


def _source_hash() -> str:
    root = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256(f"{numba.__version__}".encode())
    for folder in KERNEL_FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    named = os.environ.get("RUMMI_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    candidates = [Path(named)] if named else []
    candidates += [
        Path.home() / ".cache" / "rummi-env",
        Path(tempfile.gettempdir()) / f"rummi-env-{os.getuid()}",
    ]
    name = _source_hash()
    for base in candidates:
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return candidates[-1] / name


CACHE_FOLDER = _cache_folder()

# Numba's settings are attributes that it makes at import, unknown to type checkers.
settings: Any = config


def kernel(function: Callable[..., Any]) -> Any:
    """Compiles a function in nopython mode, without the GIL, kept in `CACHE_FOLDER`."""
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(CACHE_FOLDER)
    try:
        compiled = njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        settings.CACHE_DIR = before
    return compiled
