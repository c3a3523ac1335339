"""Rule sets as people write them in a command or a configuration."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from rummi_env.core.rulesets import RuleSet

SUFFIXES = (".yaml", ".yml")

_COMMA = re.compile(r",(?![^\[]*\])")
"""A comma that is not inside a list."""


def read_rules(text: str) -> RuleSet:
    """Reads a rule set.

    Args:
        text: the name of a preset, if need be with changes after it, or a YAML file.

    Raises:
        ValueError: there is no such preset, field or file, or a value is refused.

    >>> read_rules("official,jokers=0,turn_seconds=none").jokers
    0
    """
    text = text.strip()
    if text.endswith(SUFFIXES):
        try:
            return RuleSet.from_yaml(Path(text).read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"{text} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise ValueError(f"{text}: {error}") from error
    preset, *changes = (part.strip() for part in _COMMA.split(text))
    return RuleSet.preset(preset, **dict(map(_read_change, changes)))


def _read_change(change: str) -> tuple[str, Any]:
    name, equals, value = change.partition("=")
    if not equals:
        raise ValueError(
            f"{change!r} changes no rule: rules are written official,jokers=0"
        )
    if value.strip().lower() == "none":  # as Python has it; YAML says null
        return name.strip(), None
    try:
        return name.strip(), yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise ValueError(f"{name.strip()}: {value!r} is no value") from error
