"""The page of the environment says all that there is."""

import inspect

import pytest

from rummi_env import RuleSet, rummikub_v0
from rummi_env.envs.aec import raw_env
from rummi_env.observation import fields, num_actions

PAGE = str(rummikub_v0.__doc__)


def rows(column: int = 0) -> list[str]:
    """Returns a column of all tables."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    return [line.split("|")[column + 1].strip().strip("`") for line in lines]


def test_every_keyword_is_there_with_its_default() -> None:
    documented = dict(zip(rows(0), rows(1), strict=True))
    keywords = inspect.signature(raw_env.__init__).parameters
    for name, keyword in list(keywords.items())[1:]:
        default = keyword.default
        wanted = f'"{default}"' if isinstance(default, str) else str(default)
        assert documented[name] == wanted, name


@pytest.mark.parametrize("preset", RuleSet.presets())
def test_every_field_of_an_observation_is_there(preset: str) -> None:
    for name in fields(RuleSet.preset(preset), 4):
        assert name in rows(), name


def test_the_numbers_of_actions_are_there() -> None:
    assert num_actions(RuleSet()) == 54
    assert num_actions(RuleSet(joker_release="exact")) == 106
    assert "`Discrete(54)`; 106 with exact jokers, one more with redeals" in PAGE
    assert {"0..51", "52", "53", "54..105", "last"} <= set(rows())
