"""Every option of Rummy pe tabla: its default, what it takes, and what it refuses."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummi_env.core.forms import FORMS
from rummi_env.core.tabla_rules import TablaRules

ALL = tuple(form.name for form in FORMS)

DEFAULTS: dict[str, object] = {
    "forms": tuple(f.name for f in FORMS if f.number not in (6, 10, 21, 28)),
    "points": "ours",
    "joker_ratio": "free",
    "natural_only_forms": (),
    "joker_close_multiplier": 2,
    "atu_twin_bonus": 0,
    "atu_doubles": False,
    "exchange_doubles": True,
    "refuse_with_three_doubles": False,
    "draw_discard": True,
    "opening_discard_dead": False,
    "discard_joker_takeable": False,
    "row_draw_on_empty": False,
    "turn_cap": 400,
    "rounds": None,
    "target": None,
}

FLAG: tuple[list[object], list[object]] = ([True, False], [0, 1, "True", None])

# Per field values at the ends of what it takes, and values just outside.
ENDS: dict[str, tuple[list[object], list[object]]] = {
    "forms": ([ALL, ("mozaic",)], [("royala",), ("minor", "minor"), "minor", 3]),
    "points": (["ours", "hk", "ropet", "flat"], ["gox", "", None]),
    "joker_ratio": (["free", "2_real_per_joker"], ["2", None, 2]),
    "natural_only_forms": ([(), ALL], [("royala",), None]),
    "joker_close_multiplier": ([1, 10], [0, 11, 1.5, None, True]),
    "atu_twin_bonus": ([0, 10_000], [-1, 10_001, None]),
    "atu_doubles": FLAG,
    "exchange_doubles": FLAG,
    "refuse_with_three_doubles": FLAG,
    "draw_discard": FLAG,
    "opening_discard_dead": FLAG,
    "discard_joker_takeable": FLAG,
    "row_draw_on_empty": FLAG,
    "turn_cap": ([1, 10_000], [0, 10_001, None, math.inf]),
    "rounds": ([None, 1, 100], [0, 101, "1"]),
    "target": ([None, 1, 1_000_000], [0, 1_000_001, 2.5, np.int64(3)]),
}


def _cases(column: int) -> list[tuple[str, object]]:
    return [(name, value) for name, ends in ENDS.items() for value in ends[column]]


def test_the_defaults_are_those_of_the_rules_document() -> None:
    assert dataclasses.asdict(TablaRules()) == DEFAULTS
    assert set(ENDS) == set(DEFAULTS)


@pytest.mark.parametrize(("name", "value"), _cases(0))
def test_a_field_takes_the_ends_of_its_range(name: str, value: Any) -> None:
    assert getattr(TablaRules(**{name: value}), name) == value


@pytest.mark.parametrize(("name", "value"), _cases(1))
def test_a_value_outside_the_range_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be ") as caught:
        TablaRules(**{name: value})
    assert repr(value) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("points", ["ours", "hk", "ropet", "flat"])
def test_a_preset_sets_the_points_and_is_printed_by_its_name(points: str) -> None:
    rules = TablaRules.preset(points)
    assert dataclasses.asdict(rules) == {**DEFAULTS, "points": points}
    assert str(rules) == f"TablaRules.preset('{points}')"


def test_forms_are_switched_by_name() -> None:
    rules = TablaRules().enable("monocolor", "minor").disable("joc_simplu")
    assert rules.plays("monocolor")
    assert rules.plays("minor")
    assert not rules.plays("joc_simplu")
    assert len(rules.forms) == len(rules.enabled) == 24
    numbers = [form.number for form in rules.enabled]
    assert numbers == sorted(numbers)


def test_the_order_of_names_does_not_matter() -> None:
    assert TablaRules(forms=ALL[::-1]) == TablaRules(forms=ALL)
    assert TablaRules.from_dict({"forms": ["mozaic"]}).forms == ("mozaic",)


def test_fields_that_do_not_go_together_are_refused() -> None:
    switches: list[Callable[[], TablaRules]] = [
        lambda: TablaRules().enable("royala"),
        lambda: TablaRules().disable("royala"),
    ]
    for switch in switches:
        with pytest.raises(ValueError, match="there is no form 'royala', only joc_sim"):
            switch()
    with pytest.raises(ValueError, match="forms must name at least one form"):
        TablaRules(forms=())
    with pytest.raises(ValueError, match="row_draw_on_empty must be False when draw_"):
        TablaRules(draw_discard=False, row_draw_on_empty=True)


def test_a_match_has_a_deal_for_each_player_unless_it_has_a_number_or_a_target() -> (
    None
):
    assert [TablaRules().num_rounds(players) for players in (2, 3, 4)] == [2, 3, 4]
    assert TablaRules(rounds=7).num_rounds(3) == 7
    assert TablaRules(target=500).num_rounds(3) == 100
    assert TablaRules(target=500, rounds=7).num_rounds(3) == 7


@pytest.mark.parametrize("num_players", [1, 5, 0, True, "2", None])
def test_another_number_of_players_is_refused(num_players: Any) -> None:
    with pytest.raises(ValueError, match="num_players must be an integer from 2 to 4"):
        TablaRules().check_players(num_players)


RULES = st.builds(
    TablaRules,
    forms=st.sets(st.sampled_from(ALL), min_size=1).map(tuple),
    points=st.sampled_from(["ours", "hk", "ropet", "flat"]),
    rounds=st.none() | st.integers(1, 100),
    atu_doubles=st.booleans(),
)


@given(RULES)
def test_rules_round_trip_through_every_text_form(rules: TablaRules) -> None:
    assert TablaRules.from_dict(rules.to_dict()) == rules
    assert TablaRules.from_yaml(rules.to_yaml()) == rules
    assert TablaRules.from_json(rules.to_json()) == rules
    assert eval(str(rules), {"TablaRules": TablaRules}) == rules


def test_the_deck_has_106_tiles_and_cannot_be_changed() -> None:
    rules = TablaRules()
    assert rules.deck.tolist() == [2] * 53
    assert rules.num_tiles == int(rules.deck.sum()) == 106
    with pytest.raises(ValueError, match="read-only"):
        rules.deck[0] = 3
