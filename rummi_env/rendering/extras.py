"""What the extra ``render`` brings, imported when it is first needed."""

from __future__ import annotations

import importlib
from typing import Any


def needed(module: str, what: str) -> Any:
    """Returns a module of the extra.

    Args:
        module: its name.
        what: what it is needed for, as the beginning of a sentence.

    Raises:
        ImportError: it is not installed; the sentence says how to get it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{what} needs the package {module.partition('.')[0]}: "
            "pip install 'rummi-env[render]'"
        ) from error
