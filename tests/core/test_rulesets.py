"""The options of Rummikub: values, presets and text forms."""

import dataclasses
import math
import re
from collections.abc import Callable
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummi_env.core.options import option
from rummi_env.core.rulesets import GameRules, RuleSet
from rummi_env.core.tiles import JOKER, kind_of
from rummi_env.solver import TurnSolver

NAMES = ("official", "sabra", "online", "triple_s", "tournament", "manipulation")

# The table of presets, one row a field, columns in the order of NAMES.
TABLE: dict[str, tuple[object, ...]] = {
    "opening_points": (30, 30, 30, 30, 30, 0),
    "manipulate_on_opening_turn": (False, True, False, True, False, True),
    "joker_release": ("free", "exact", "free", "exact", "exact", "free"),
    "joker_source": (None, "rack_or_table", None, "rack", "rack_or_table", None),
    "joker_reuse": (None, "any_meld", None, "new_meld_from_rack", "any_meld", None),
    "jokers_per_meld": (2, 2, 2, 2, 2, 2),
    "joker_rack_value": (30, 30, 30, 30, 100, 30),
    "turn_seconds": (60, 60, 60, 120, 40, 60),
    "timeout_penalty": (1, 3, 1, 1, 3, 1),
    "unfinished_penalty": (3, 3, 1, 1, 3, 3),
    "illegal_penalty": (3, 3, 3, 3, 3, 3),
    "pool_empty": (
        "until_stuck",
        "immediate",
        "one_more_turn",
        "until_stuck",
        "one_more_turn",
        "until_stuck",
    ),
    "must_play_when_pool_empty": (True, False, False, False, True, True),
    "pool_empty_scoring": (
        "difference",
        "sum_minus_winner_once",
        "difference",
        "difference",
        "difference",
        "difference",
    ),
    "unopened_penalty": (None, None, None, None, (100, 200), None),
    "redeal_on_three_pairs": (False, False, False, False, True, False),
    "rounds": (1, 1, 1, 3, 1, 1),
    "match_winner": ("points", "points", "points", "points", "points", "points"),
    "starter": ("draw", "draw", "random", "draw", "draw", "draw"),
    "turn_actions": (None, None, None, None, None, None),
    "numbers": (13, 13, 13, 13, 13, 13),
    "colors": (4, 4, 4, 4, 4, 4),
    "copies": (2, 2, 2, 2, 2, 1),
    "jokers": (2, 2, 2, 2, 2, 1),
    "rack_size": (14, 14, 14, 14, 14, 10),
}

# Per field values at the ends of what it takes, and values just outside.
ENDS: dict[str, tuple[list[object], list[object]]] = {
    "opening_points": ([0, 1, 10_000], [-1, 10_001]),
    "manipulate_on_opening_turn": ([True, False], []),
    "joker_release": (["free", "exact"], ["Free", ""]),
    "jokers_per_meld": ([1, 2], [0, 3]),
    "joker_rack_value": ([0, 10_000], [-1, 10_001]),
    "turn_seconds": ([None, 1, 0.5, 86_400], [0, -1, 86_401, math.inf]),
    "timeout_penalty": ([0, 10], [-1, 11]),
    "unfinished_penalty": ([0, 10], [-1, 11]),
    "illegal_penalty": ([0, 10], [-1, 11]),
    "pool_empty": (["immediate", "one_more_turn", "until_stuck"], ["never"]),
    "must_play_when_pool_empty": ([True, False], []),
    "pool_empty_scoring": (["difference", "sum_minus_winner_once"], ["sum"]),
    "unopened_penalty": ([None, (0, 0), (100, 200)], [(1,), (1, 2, 3), (-1, 2), 100]),
    "redeal_on_three_pairs": ([True, False], []),
    "rounds": ([1, 100], [0, 101]),
    "match_winner": (["points", "rounds_won"], ["tiles"]),
    "starter": (["draw", "random", "rotate", 0, 3], ["first", -1, 4]),
    "turn_actions": ([None, 1, 1_000], [0, 1_001]),
    "numbers": ([3, 13], [2, 14]),
    "colors": ([2, 3, 4], [1, 5]),
    "copies": ([1, 2], [0, 3]),
    "jokers": ([0, 2], [-1, 3]),
    "rack_size": ([1, 30], [0, 31]),
}
WRONG_TYPES = ["30", 2.5, math.nan, [], {}, b"draw", np.int64(1), 1j]


def _cases(column: int) -> list[tuple[str, object]]:
    return [(name, value) for name, ends in ENDS.items() for value in ends[column]]


def test_the_presets_are_those_of_the_sources() -> None:
    assert RuleSet.presets() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_has_the_values_of_its_source(name: str) -> None:
    column = NAMES.index(name)
    expected = {field: values[column] for field, values in TABLE.items()}
    assert dataclasses.asdict(RuleSet.preset(name)) == expected


def test_the_default_is_official() -> None:
    assert RuleSet() == RuleSet.preset("official")


@pytest.mark.parametrize(("name", "value"), _cases(0))
def test_a_field_takes_the_ends_of_its_range(name: str, value: object) -> None:
    assert getattr(RuleSet(**{name: value}), name) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "value"), _cases(1))
def test_a_value_outside_the_range_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be ") as caught:
        RuleSet.preset("official", **{name: value})
    assert repr(value) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"rounds": 0}, "rounds must be an integer from 1 to 100, not 0"),
        (
            {"opening_points": -1},
            "opening_points must be an integer from 0 to 10000, not -1",
        ),
        (
            {"timeout_penalty": 200},
            "timeout_penalty must be an integer from 0 to 10, not 200",
        ),
        (
            {"joker_release": "free", "joker_source": "rack"},
            "joker_source must be None when joker_release is 'free', not 'rack'",
        ),
        (
            {"joker_release": "exact", "joker_reuse": "rack"},
            "joker_reuse must be None or 'any_meld' or 'new_meld_from_rack', not "
            "'rack'",
        ),
        (
            {"unopened_penalty": (100,)},
            "unopened_penalty must be None or a pair of values, each an integer from 0 "
            "to 10000, not (100,)",
        ),
    ],
)
def test_a_refusal_names_the_field_the_value_and_what_is_allowed(
    fields: dict[str, Any], sentence: str
) -> None:
    for make in (RuleSet, lambda **f: RuleSet.preset("official", **f)):
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            make(**fields)


@pytest.mark.parametrize("name", TABLE)
def test_a_value_of_a_wrong_type_is_refused_by_name(name: str) -> None:
    wrong = [value for value in WRONG_TYPES if (name, value) != ("turn_seconds", 2.5)]
    if not isinstance(TABLE[name][0], bool):
        wrong += [True]
    if TABLE[name][0] is not None and name != "turn_seconds":
        wrong += [None]
    if isinstance(TABLE[name][0], bool):
        wrong += [0, 1]
    for value in wrong:
        with pytest.raises(ValueError, match=f"^{name} must be "):
            RuleSet(**{name: value})  # type: ignore[arg-type]


def test_every_field_says_what_it_takes_and_has_a_row_in_these_tests() -> None:
    names = [field.name for field in dataclasses.fields(RuleSet)]
    assert names == list(TABLE)
    assert set(names) == {*ENDS, "joker_source", "joker_reuse"}


def test_rules_cannot_be_changed_and_can_be_keys() -> None:
    rules = RuleSet()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.rounds = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        RuleSet(40)  # type: ignore[call-arg]
    assert {rules: 1}[RuleSet.preset("official")] == 1


def test_any_field_of_a_preset_can_be_overridden() -> None:
    rules = RuleSet.preset("sabra", opening_points=40)
    assert rules.differences(RuleSet.preset("sabra")) == {"opening_points": (40, 30)}


def test_replace_leaves_the_original_as_it_is() -> None:
    rules = RuleSet()
    assert rules.replace(rounds=3).rounds == 3
    assert rules.rounds == 1


@pytest.mark.parametrize("name", ["oficial", "nothing", "", None, 3])
def test_an_unknown_preset_is_answered_with_those_that_exist(name: Any) -> None:
    hint = "official" if name == "oficial" else "official, sabra, online"
    with pytest.raises(ValueError, match=hint) as caught:
        RuleSet.preset(name)
    assert repr(name) in str(caught.value)


def test_an_unknown_field_is_answered_with_the_one_that_was_meant() -> None:
    makers: list[Callable[[], RuleSet]] = [
        lambda: RuleSet.preset("official", openning_points=3),
        lambda: RuleSet().replace(openning_points=3),
        lambda: RuleSet.from_dict({"openning_points": 3}),
        lambda: RuleSet.from_yaml("openning_points: 3"),
    ]
    for make in makers:
        with pytest.raises(ValueError, match="did you mean opening_points"):
            make()


def test_rules_are_given_themselves_or_by_the_name_of_a_preset() -> None:
    rules = RuleSet(rounds=5)
    assert RuleSet.of(rules) is rules
    assert RuleSet.of("sabra") == RuleSet.preset("sabra")
    with pytest.raises(ValueError, match="RuleSet or the name of a preset"):
        RuleSet.of(None)  # type: ignore[arg-type]


def test_a_text_names_a_preset_and_what_is_changed() -> None:
    text = "sabra, jokers=1,unopened_penalty=[7, 21],turn_seconds=none"
    changed = RuleSet.preset(
        "sabra", jokers=1, unopened_penalty=(7, 21), turn_seconds=None
    )
    assert RuleSet.of(text) == RuleSet.parse(text) == changed
    env: Any = gymnasium.make("rummi/Rummikub-v0", rules="official,jokers=0")
    assert env.unwrapped.rules == RuleSet(jokers=0)
    assert TurnSolver("official,jokers=0").rules == RuleSet(jokers=0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("oficial,jokers=0", "unknown preset 'oficial': did you mean official"),
        ("official,jokrs=0", "unknown field 'jokrs': did you mean jokers"),
        ("official,jokers=x", "jokers must be an integer from 0 to 2, not 'x'"),
        ("official,jokers", "'jokers' changes no rule: rules are written official,"),
        ("official,jokers=[", r"jokers: '\[' is no value"),
    ],
)
def test_a_text_that_names_no_rules_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        RuleSet.of(text)


# ------------------------------------------------------------------- exact jokers


def test_exact_jokers_have_stated_defaults() -> None:
    rules = RuleSet(joker_release="exact")
    assert (rules.joker_source, rules.joker_reuse) == ("rack_or_table", "any_meld")
    assert RuleSet().replace(joker_release="exact") == rules


def test_freeing_the_jokers_clears_the_fields_of_exact_jokers() -> None:
    rules = RuleSet.preset("triple_s", joker_release="free")
    assert (rules.joker_source, rules.joker_reuse) == (None, None)
    again = RuleSet.preset("triple_s").replace(joker_release="free")
    assert again == rules


@pytest.mark.parametrize(
    "field", [{"joker_source": "rack"}, {"joker_reuse": "any_meld"}]
)
def test_fields_of_exact_jokers_are_refused_when_jokers_are_free(
    field: dict[str, Any],
) -> None:
    (name,) = field
    makers: list[Callable[[], RuleSet]] = [
        lambda: RuleSet(**field),
        lambda: RuleSet(joker_release="free", **field),
        lambda: RuleSet.preset("sabra", joker_release="free", **field),
        lambda: RuleSet.preset("official", **field),
    ]
    for make in makers:
        with pytest.raises(ValueError, match=f"{name} must be None"):
            make()


def test_a_preset_with_exact_jokers_takes_their_fields() -> None:
    rules = RuleSet.preset("sabra", joker_source="rack")
    assert rules.joker_reuse == "any_meld"
    with pytest.raises(ValueError, match="joker_source must be"):
        RuleSet.preset("sabra", joker_source="pool")


# ---------------------------------------------------------------------- text forms

RULES = st.builds(
    RuleSet,
    opening_points=st.integers(0, 10_000),
    joker_release=st.sampled_from(["free", "exact"]),
    turn_seconds=st.none() | st.integers(1, 86_400) | st.floats(0.001, 86_400),
    unopened_penalty=st.none() | st.tuples(*[st.integers(0, 10_000)] * 2),
    starter=st.sampled_from(["draw", "random", "rotate", 0, 1, 2, 3]),
    turn_actions=st.none() | st.integers(1, 1_000),
)


@given(RULES)
def test_rules_round_trip_through_every_text_form(rules: RuleSet) -> None:
    assert RuleSet.from_dict(rules.to_dict()) == rules
    assert RuleSet.from_yaml(rules.to_yaml()) == rules
    assert RuleSet.from_json(rules.to_json()) == rules


@given(RULES)
def test_printed_rules_are_code_that_makes_them(rules: RuleSet) -> None:
    assert eval(str(rules), {"RuleSet": RuleSet}) == rules


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_printed_by_its_name(name: str) -> None:
    assert str(RuleSet.preset(name)) == f"RuleSet.preset('{name}')"


def test_a_file_need_only_say_what_differs() -> None:
    assert RuleSet.from_yaml("rounds: 3") == RuleSet(rounds=3)
    assert RuleSet.from_yaml("") == RuleSet()


def test_lists_of_files_become_tuples() -> None:
    rules = RuleSet.from_yaml("unopened_penalty: [100, 200]")
    assert rules.unopened_penalty == (100, 200)
    assert hash(rules) == hash(RuleSet(unopened_penalty=(100, 200)))


@pytest.mark.parametrize("text", ["[1, 2]", "rounds", "a: b: c", "turn_seconds: .nan"])
def test_yaml_that_is_no_rules_is_a_value_error(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"RuleSet cannot be read|RuleSet needs|turn_seconds"
    ):
        RuleSet.from_yaml(text)


@pytest.mark.parametrize("text", ["[]", "nonsense", '{"rounds": NaN}'])
def test_json_that_is_no_rules_is_a_value_error(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"RuleSet cannot be read|RuleSet needs|rounds"
    ):
        RuleSet.from_json(text)


# ---------------------------------------------------------------- deck and players


def test_the_full_deck_has_106_tiles_with_two_of_each() -> None:
    deck = RuleSet().deck
    assert deck.tolist() == [2] * 53
    assert RuleSet().num_tiles == int(deck.sum()) == 106


def test_the_deck_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        RuleSet().deck[0] = 3


def test_tiles_that_a_small_deck_lacks_never_occur() -> None:
    rules = RuleSet(numbers=5, colors=3, copies=1, jokers=1)
    expected = {kind_of(color, n): 1 for color in range(3) for n in range(1, 6)}
    expected[JOKER] = 1
    assert {k: c for k, c in enumerate(rules.deck.tolist()) if c} == expected
    assert rules.num_tiles == 16


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_two_to_four_players_may_play(num_players: int) -> None:
    RuleSet().check_players(num_players)


@pytest.mark.parametrize("num_players", [1, 5, 0, -1, True, "2", 2.0, None])
def test_another_number_of_players_is_refused(num_players: Any) -> None:
    with pytest.raises(ValueError, match="num_players must be an integer from 2 to 4"):
        RuleSet().check_players(num_players)


def test_a_deck_too_small_for_the_deal_is_refused() -> None:
    rules = RuleSet(numbers=3, colors=3, jokers=0, rack_size=9)
    rules.check_players(2)
    with pytest.raises(ValueError, match="3 racks of 9 need 27 tiles, the deck has 18"):
        rules.check_players(3)


# ------------------------------------------------------------------ the shared base


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plain(GameRules):
    """A game with one option and no preset."""

    PRESETS: ClassVar[dict[str, dict[str, object]]] = {}
    size: int = option(1, RuleSet.__dataclass_fields__["rounds"].metadata["allowed"])


def test_the_base_serves_a_game_without_presets() -> None:
    assert Plain.from_yaml(Plain(size=4).to_yaml()) == Plain(size=4)
    assert str(Plain(size=4)) == "Plain(size=4)"
    with pytest.raises(ValueError, match="unknown preset 'official'"):
        Plain.preset("official")
