"""Rule sets as people write them in a command or a configuration."""

from __future__ import annotations

from pathlib import Path

from rummi_agents.policy_files import RULES
from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import RuleSet

DEFAULT = "default"
"""Stands for the first preset of a game."""

SUFFIXES = (".yaml", ".yml")


def read_rules(text: str) -> RuleSet:
    """Reads a rule set of Rummikub; see `read_rules_of`.

    >>> read_rules("official,jokers=0,turn_seconds=none").jokers
    0
    """
    rules = read_rules_of(RuleSet.GAME, text)
    assert isinstance(rules, RuleSet)
    return rules


def read_rules_of(game: str, text: str) -> GameRules:
    """Reads the rules of a game.

    Args:
        game: name of the game.
        text: the name of a preset, if need be with changes after it, or a YAML file;
            `DEFAULT` is the game's first preset.

    Raises:
        ValueError: there is no such game, preset, field or file, or a value is refused.

    >>> print(read_rules_of("rummy", "pagat,hands=3"))
    RummyRules.preset('pagat', target=None, hands=3)
    """
    if game not in RULES:
        allowed = ", ".join(map(repr, RULES))
        raise ValueError(f"game must be one of {allowed}, not {game!r}")
    made = RULES[game]
    text = text.strip()
    if text.endswith(SUFFIXES):
        try:
            return made.from_yaml(Path(text).read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"{text} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise ValueError(f"{text}: {error}") from error
    preset, comma, changes = text.partition(",")
    if preset.strip() == DEFAULT:
        text = f"{made.presets()[0]}{comma}{changes}"
    return made.parse(text)
