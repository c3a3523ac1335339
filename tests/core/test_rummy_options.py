"""The options of Rummy: values, presets and text forms (part B.8)."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules

NAMES = ("basic", "pagat", "block", "straight_gin")

# The table of presets, one row a field, columns in the order of NAMES.
TABLE: dict[str, tuple[object, ...]] = {
    "rack_size": (None, None, None, 10),
    "ace": ("low", "low", "low", "low"),
    "melding": ("open", "open", "open", "hidden"),
    "max_melds_per_turn": (None, 1, None, None),
    "layoff_needs_own_meld": (False, False, False, False),
    "must_discard_last": (False, False, False, False),
    "recycle": ("shuffle", "turn_over", "none", "none"),
    "max_recycles": (2, 2, 2, 2),
    "max_turns": (400, 400, 400, 400),
    "block_score": ("none", "none", "low_hand_wins", "none"),
    "rummy_doubles": (True, True, True, False),
    "going_out_bonus": (0, 0, 0, 25),
    "scoring": ("winner_collects",) * 4,
    "target": (150, 150, 150, 100),
    "hands": (None, None, None, None),
}

NOT_RULES: Any = 3

# Per field values at the ends of what it takes, and values just outside.
VALUES: dict[str, tuple[list[object], list[object]]] = {
    "rack_size": ([None, 3, 13], [2, 14, True, 10.0, "10"]),
    "ace": (["low", "both", "corner"], ["high", None, 1]),
    "melding": (["open", "hidden"], ["closed", None]),
    "max_melds_per_turn": ([None, 1, 13], [0, 14, True]),
    "layoff_needs_own_meld": ([True, False], [1, None]),
    "must_discard_last": ([True, False], [0, "yes"]),
    "recycle": (["shuffle", "turn_over", "none"], [None, "reuse"]),
    "max_recycles": ([0, 10], [-1, 11, None]),
    "max_turns": ([1, 10_000], [0, 10_001, None]),
    "block_score": (["none", "low_hand_wins", "each_penalty"], [None, "all"]),
    "rummy_doubles": ([True, False], [2, None]),
    "going_out_bonus": ([0, 100], [-1, 101, None]),
    "scoring": (["winner_collects", "penalty"], [None, "winner"]),
    "target": ([1, 10_000], [0, 10_001, 1.5]),
    "hands": ([1, 1_000], [0, 1_001, "3"]),
}


def test_the_tables_name_every_preset_and_field() -> None:
    fields = [field.name for field in dataclasses.fields(RummyRules)]
    assert RummyRules.presets() == NAMES
    assert list(TABLE) == list(VALUES) == fields


@pytest.mark.parametrize("name", NAMES)
def test_presets_have_the_values_of_the_table(name: str) -> None:
    column = NAMES.index(name)
    expected = {field: row[column] for field, row in TABLE.items()}
    assert RummyRules.preset(name).to_dict() == expected


def test_basic_is_the_default() -> None:
    assert RummyRules() == RummyRules.preset("basic") == RummyRules.of("basic")


CASES = [
    (field, value, legal)
    for field, (allowed, refused) in VALUES.items()
    for values, legal in ((allowed, True), (refused, False))
    for value in values
]


@pytest.mark.parametrize(("field", "value", "legal"), CASES)
def test_a_field_takes_what_it_says_and_nothing_else(
    field: str, value: Any, legal: bool
) -> None:
    if legal:
        assert getattr(RummyRules(**{field: value}), field) == value
    else:
        with pytest.raises(ValueError, match=f"^{field} must be .+, not {value!r}$"):
            RummyRules(**{field: value})


def test_a_match_has_an_end() -> None:
    assert RummyRules().target == 150
    assert RummyRules(hands=3).target is None
    both = RummyRules(hands=3, target=50)
    assert (both.hands, both.target) == (3, 50)


def test_setting_one_end_of_a_match_clears_the_other() -> None:
    three = RummyRules().replace(hands=3)
    assert (three.hands, three.target) == (3, None)
    fifty = three.replace(target=50)
    assert (fifty.hands, fifty.target) == (None, 50)
    both = fifty.replace(hands=3, target=50)
    assert (both.hands, both.target) == (3, 50)
    assert both.replace(ace="both").hands == 3
    assert RummyRules.preset("straight_gin", hands=1).target is None


@pytest.mark.parametrize(
    ("num_players", "cards"), [(2, 10), (3, 7), (4, 7), (5, 6), (6, 6)]
)
def test_cards_are_dealt_by_the_number_of_players(num_players: int, cards: int) -> None:
    assert RummyRules().dealt(num_players) == cards
    assert RummyRules(rack_size=5).dealt(num_players) == 5


@pytest.mark.parametrize("num_players", [1, 7, 2.0, True, None])
def test_another_number_of_players_is_refused(num_players: Any) -> None:
    with pytest.raises(ValueError, match="num_players must be an integer from 2 to 6"):
        RummyRules().dealt(num_players)


def test_racks_that_leave_nothing_to_draw_are_refused() -> None:
    assert RummyRules(rack_size=10).dealt(5) == 10
    with pytest.raises(ValueError, match="4 racks of 13 and two cards more are 54"):
        RummyRules(rack_size=13).dealt(4)


@pytest.mark.parametrize(("ace", "value"), [("low", 1), ("both", 15), ("corner", 15)])
def test_an_ace_that_may_be_high_counts_fifteen(ace: Any, value: int) -> None:
    assert RummyRules(ace=ace).ace_value == value


def test_manipulation_is_a_rule_set_of_rummikub() -> None:
    """Its deck of 53 cards and its racks (B.9)."""
    rules = RuleSet(copies=1, jokers=1, rack_size=10, opening_points=0)
    assert rules.num_tiles == 53
    for num_players in (2, 3, 4):
        rules.check_players(num_players)


RULES = st.builds(
    RummyRules,
    **{field: st.sampled_from(allowed) for field, (allowed, _) in VALUES.items()},
)


@given(RULES)
def test_rules_go_through_every_text_form_unchanged(rules: RummyRules) -> None:
    assert RummyRules.from_dict(rules.to_dict()) == rules
    assert RummyRules.from_json(rules.to_json()) == rules
    assert RummyRules.from_yaml(rules.to_yaml()) == rules
    assert eval(str(rules), {"RummyRules": RummyRules}) == rules


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: RummyRules.preset("gin"), "unknown preset 'gin'"),
        (lambda: RummyRules().replace(aces="low"), "unknown field 'aces': did you mea"),
        (
            lambda: RummyRules.of(NOT_RULES),
            "rules must be a RummyRules or the name of a preset",
        ),
    ],
)
def test_unknown_names_are_refused(call: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        call()
