"""What is said where a framework is not installed."""

from __future__ import annotations


class MissingFramework(ImportError, ValueError):
    """A framework is not installed; the message names the extra that brings it."""

    def __init__(self, framework: str) -> None:
        """Say it.

        Args:
            framework: what it is called in sentences.
        """
        super().__init__(
            f"{framework} is missing: pip install 'rummi-env[train,interop]', in an "
            "environment of its own, since RLlib pins another release of Gymnasium"
        )
