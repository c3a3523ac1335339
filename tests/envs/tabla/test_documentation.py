"""The page of the environment says all that there is."""

import inspect

import pytest

from rummi_env import TablaRules, tabla_v0
from rummi_env.core.forms import FORMS
from rummi_env.games.tabla.state import DECLARED, DRAW_POOL, DRAW_ROW, NEW_DEAL
from rummi_env.observation.tabla import fields, num_actions

PAGE = str(tabla_v0.__doc__)


def rows(column: int = 0) -> list[str]:
    """Returns a column of all tables."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    return [line.split("|")[column + 1].strip().strip("`") for line in lines]


def test_every_keyword_is_there_with_its_default() -> None:
    documented = dict(zip(rows(0), rows(1), strict=True))
    keywords = inspect.signature(tabla_v0.raw_env.__init__).parameters
    for name, keyword in list(keywords.items())[1:]:
        if "clock" in name:
            assert "`turn_clock` is refused" in PAGE
            continue
        default = keyword.default
        wanted = f'"{default}"' if isinstance(default, str) else str(default)
        assert documented[name] == wanted, name


@pytest.mark.parametrize("preset", TablaRules.presets())
def test_every_field_of_an_observation_is_there(preset: str) -> None:
    names = list(fields(TablaRules.preset(preset), 4))
    at = rows().index("rack")
    assert rows()[at : at + len(names)] == names
    assert f"`{preset}`" in PAGE


def test_the_numbers_of_actions_are_there() -> None:
    assert f"`Discrete({num_actions(TablaRules())})`; one more" in PAGE
    assert num_actions(TablaRules(refuse_with_three_doubles=True)) == NEW_DEAL + 1
    assert {str(n) for n in (DRAW_POOL, DRAW_ROW, DECLARED, NEW_DEAL)} <= set(rows())
    assert {"0..52", "53..105"} <= set(rows())


def test_every_form_is_there_with_its_points() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    found = {row[1]: (row[0], row[3]) for row in cells if len(row) == 4}
    for form in FORMS:
        off = "" if form.enabled else ", off"
        assert found[f"`{form.name}`"] == (str(form.number), f"{form.ours}{off}")
