"""Fields of a configuration: what they take, and how they are read from files."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rummi_env.core.options import Allowed

Part = TypeVar("Part")


def number(low: float, high: float) -> Allowed:
    """Allow numbers from low to high, whole or not."""

    def accepts(value: Any) -> bool:
        return type(value) in (int, float) and low <= value <= high

    return Allowed(f"a number from {low:g} to {high:g}", accepts)


def text() -> Allowed:
    """Allow text that is not empty."""
    return Allowed("text", lambda value: isinstance(value, str) and bool(value))


def names() -> Allowed:
    """Allow one name or more."""
    return Allowed(
        "a list of names",
        lambda value: (
            isinstance(value, tuple)
            and bool(value)
            and all(isinstance(name, str) and name for name in value)
        ),
    )


def numbers() -> Allowed:
    """Allow a list of numbers, an empty one too."""
    return Allowed(
        "a list of numbers",
        lambda value: (
            isinstance(value, tuple)
            and all(type(one) in (int, float) and abs(one) <= 100 for one in value)
        ),
    )


@dataclass(frozen=True)
class Checked:
    """A part of a configuration that checks its fields when it is made.

    Raises:
        ValueError: a field has a value that it does not take; one sentence names it.
    """

    def __post_init__(self) -> None:
        """Check every field that says what it takes."""
        for part in dataclasses.fields(self):
            allowed = part.metadata.get("allowed")
            value = getattr(self, part.name)
            if allowed is not None and not allowed.accepts(value):
                raise ValueError(f"{part.name} must be {allowed.text}, not {value!r}")


def read_fields(cls: type[Part], fields: Any, prefix: str = "") -> Part:
    """Makes a part of a configuration from what a file says.

    Args:
        cls: its class.
        fields: names and values; those that are absent keep their defaults.
        prefix: the names of the parts around it, for the sentence of an error.

    Raises:
        ValueError: there is no such field, or a value is refused.
    """
    if not isinstance(fields, Mapping):
        where = prefix.rstrip(".") or "the file"
        raise ValueError(f"{where} must hold names and values, not {fields!r}")
    # Defaults tell the types apart: all that matters here is which fields are parts.
    defaults: Any = cls()
    known = [part.name for part in dataclasses.fields(defaults)]
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in known:
            close = difflib.get_close_matches(str(name), known, n=1)
            hint = (
                f"did you mean {close[0]!r}?"
                if close
                else f"keys are {', '.join(known)}"
            )
            raise ValueError(f"unknown key {prefix + str(name)!r}: {hint}")
        default = getattr(defaults, name)
        if dataclasses.is_dataclass(default):
            values[name] = read_fields(type(default), value, f"{prefix}{name}.")
        else:
            values[name] = _converted(value, default)
    try:
        return cls(**values)
    except ValueError as error:
        raise ValueError(f"{prefix}{error}") from error


def _converted(value: Any, default: Any) -> Any:
    """Returns a value in the type of the field, where YAML has no way to say so."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(default, float) and isinstance(value, str):
        # YAML reads 1e-3, without a point, as text.
        try:
            return float(value)
        except ValueError:
            return value
    return value


def plain(value: Any) -> Any:
    """Returns a value with lists for its tuples, which YAML does not have."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return list(value) if isinstance(value, tuple) else value
