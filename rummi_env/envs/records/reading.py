"""Values of a JSON file, checked for their type before they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

SHOWN = 60
"""Characters of a wrong value that a sentence repeats."""

Word = TypeVar("Word", bound=str)


def some_text(name: str, value: Any) -> str:
    """Returns a string.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, not {short(value)}")
    return value


def some_list(name: str, value: Any) -> Sequence[Any]:
    """Returns a list.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list, not {short(value)}")
    return value


def some_object(name: str, value: Any) -> Mapping[str, Any]:
    """Returns a mapping.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be an object, not {short(value)}")
    return value


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Returns a whole number from low to high.

    Raises:
        ValueError: it is none.
    """
    if type(value) is not int or not low <= value <= high:
        raise ValueError(
            f"{name} must be a whole number from {low} to {high}, not {short(value)}"
        )
    return value


def number(name: str, value: Any) -> float:
    """Returns a finite number.

    Raises:
        ValueError: it is none.
    """
    # Integers beyond the floats would overflow.
    if type(value) not in (int, float) or not abs(value) <= 1e300:
        raise ValueError(f"{name} must be a number, not {short(value)}")
    return float(value)


def one_of(name: str, value: Any, words: Sequence[Word]) -> Word:
    """Returns one of the words.

    Raises:
        ValueError: it is none of them.
    """
    for word in words:
        if value == word:
            return word
    allowed = ", ".join(map(repr, words))
    raise ValueError(f"{name} must be one of {allowed}, not {short(value)}")


def short(value: Any) -> str:
    """Returns a value as a sentence repeats it."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
