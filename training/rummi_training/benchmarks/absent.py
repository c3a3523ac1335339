"""Peers are imported where they are installed, and named where they are not."""

from __future__ import annotations

import importlib
import warnings
from typing import Any


class AbsentPeer(Exception):
    """A peer is not installed; the message says which."""


def imported(module: str, what: str, distribution: str) -> Any:
    """Imports a module of a peer.

    Args:
        module: its name.
        what: what it is called in sentences.
        distribution: what brings it.

    Raises:
        AbsentPeer: it is not there.
    """
    try:
        with warnings.catch_warnings():
            # Peers deprecate parts of themselves and of what they import.
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as error:
        raise AbsentPeer(
            f"{what} is not installed, so it is not measured: pip install "
            f"'{distribution}'"
        ) from error
