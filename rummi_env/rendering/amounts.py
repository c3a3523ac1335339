"""Numbers of things in words, for texts and pictures."""

from __future__ import annotations


def plural(number: int, word: str) -> str:
    """Returns a number of things."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
