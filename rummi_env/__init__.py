"""Reinforcement-learning environments for Rummikub and its relatives.

Importing it enters the environments' ids with Gymnasium and PettingZoo; the
environments themselves are imported when one is made or asked for.
"""

import importlib
from types import ModuleType

from rummi_env.core.deals import Deal, format_deal, parse_deal
from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.notation import (
    format_table,
    format_tiles,
    parse_table,
    parse_tiles,
)
from rummi_env.core.positions import Position, format_position, parse_position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.verify import verify_turn
from rummi_env.envs.registration import register_all

__version__ = "0.1.0"

__all__ = [
    "Deal",
    "IllegalAction",
    "Position",
    "Reason",
    "RuleSet",
    "RummyRules",
    "TablaRules",
    "format_deal",
    "format_position",
    "format_table",
    "format_tiles",
    "parse_deal",
    "parse_position",
    "parse_table",
    "parse_tiles",
    "rummikub_v0",
    "rummy_v0",
    "tabla_v0",
    "verify_turn",
]

_LAZY = ("rummikub_v0", "rummy_v0", "tabla_v0")
"""Modules that bring in compiled code."""


def __getattr__(name: str) -> ModuleType:
    """Imports an environment's module when it is first asked for."""
    if name in _LAZY:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


register_all()
