"""The page of the environment says all that there is."""

import inspect

import pytest

from rummi_env import RummyRules, rummy_v0
from rummi_env.games.rummy.state import (
    DISCARD,
    LAY_ABOVE,
    LAY_BELOW,
    LAY_GROUP,
    MELD_FOUR,
    MELD_GROUP,
    MELD_RUN,
    NUM_ACTIONS,
)
from rummi_env.observation.rummy import fields

PAGE = str(rummy_v0.__doc__)


def rows(column: int = 0) -> list[str]:
    """Returns a column of all tables."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    return [line.split("|")[column + 1].strip().strip("`") for line in lines]


def test_every_keyword_is_there_with_its_default() -> None:
    documented = dict(zip(rows(0), rows(1), strict=True))
    keywords = inspect.signature(rummy_v0.raw_env.__init__).parameters
    for name, keyword in list(keywords.items())[1:]:
        if "clock" in name:
            assert "`turn_clock` is\nrefused" in PAGE
            continue
        default = keyword.default
        wanted = f'"{default}"' if isinstance(default, str) else str(default)
        assert documented[name] == wanted, name


@pytest.mark.parametrize("preset", RummyRules.presets())
def test_every_field_of_an_observation_is_there(preset: str) -> None:
    names = list(fields(RummyRules.preset(preset), 4))
    at = rows().index("rack")
    assert rows()[at : at + len(names)] == names
    assert f"`{preset}`" in PAGE


def test_the_numbers_of_actions_are_there() -> None:
    assert f"`Discrete({NUM_ACTIONS})`" in PAGE
    for first in (DISCARD, MELD_RUN, MELD_GROUP, LAY_GROUP, LAY_BELOW, LAY_ABOVE):
        assert f"{first} + card" in rows()
    assert f"{MELD_FOUR} + rank - 1" in rows()
