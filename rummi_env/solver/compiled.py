"""The decorator of every compiled function, and where compiled code is kept.

Numba keeps compiled functions by the time stamp of the file that defines them, which
misses a change in a function that they call from another file. So the cache folder of
a function is named after a hash of its module and of all modules of this package that
it imports, directly or not: a change in any of them compiles anew.

The folder lies in ``$RUMMI_CACHE_DIR`` if set, else ``$NUMBA_CACHE_DIR``, else
``~/.cache/rummi-env``, else one in the system's folder for temporary files; it need not
be beside the package, so a read-only ``site-packages`` works.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import config, njit

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT.name
IMPORTED = re.compile(rf"^ *(?:from|import) {PACKAGE}([\w.]*)", re.MULTILINE)


@cache
def _read(module: str) -> tuple[bytes, frozenset[str]]:
    """Returns the source of a module of this package and the modules it imports.

    Modules are named without the package: ``.solver.graph``.
    """
    path = ROOT.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    source = path.read_bytes()
    return source, frozenset(IMPORTED.findall(source.decode()))


@cache
def _key(module: str) -> str:
    """Returns a hash of a module and of all that it builds on."""
    reached = {module}
    waiting = [module]
    while waiting:
        found = _read(waiting.pop())[1] - reached
        reached |= found
        waiting += found
    digest = hashlib.sha256(numba.__version__.encode())
    for name in sorted(reached):
        digest.update(name.encode() + b"\0" + _read(name)[0])
    return digest.hexdigest()[:16]


@cache
def _cache_folder(module: str) -> Path:
    named = os.environ.get("RUMMI_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    candidates = [Path(named)] if named else []
    candidates += [
        Path.home() / ".cache" / "rummi-env",
        Path(tempfile.gettempdir()) / f"rummi-env-{os.getuid()}",
    ]
    name = _key(module)
    for base in candidates:
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return candidates[-1] / name


# Numba's settings are attributes that it makes at import, unknown to type checkers.
settings: Any = config


def kernel(function: Callable[..., Any]) -> Any:
    """Compiles a function in nopython mode, without the GIL, and keeps the code."""
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(_cache_folder(function.__module__.removeprefix(PACKAGE)))
    try:
        compiled = njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        settings.CACHE_DIR = before
    return compiled
