"""Cases from public bug reports on other programs; the numbers are those of the list.

Those on masks, rewards and agents are tested where these live.
"""

from itertools import combinations, permutations

import numpy as np
import pytest

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.notation import (
    format_table,
    format_tiles,
    parse_meld,
    parse_table,
    parse_tiles,
)
from rummi_env.core.opening import best_opening
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import tile_name
from rummi_env.core.verify import verify_turn

OFFICIAL = RuleSet()
# Tiles come twice in these positions, and openings are worth something.
PRESETS = [name for name in RuleSet.presets() if RuleSet.preset(name).copies == 2]


def played(
    before: str,
    rack: str,
    after: str,
    rules: RuleSet | str = OFFICIAL,
    opened: bool = True,
) -> str:
    return format_tiles(verify_turn(rules, before, rack, after, opened))


def reason(
    before: str,
    rack: str,
    after: str,
    rules: RuleSet | str = OFFICIAL,
    opened: bool = True,
) -> Reason:
    with pytest.raises(IllegalAction) as caught:
        verify_turn(rules, before, rack, after, opened)
    return caught.value.reason


@pytest.mark.parametrize("order", list(permutations(["R13", "O13", "K13", "K13"]))[::3])
def test_case_1_a_group_has_no_color_twice_whatever_the_order(
    order: tuple[str, ...],
) -> None:
    rack = " ".join(order)
    once = " ".join(dict.fromkeys(order))
    for rules in PRESETS:
        assert played("", rack, once, rules, opened=False) == "K13 R13 O13"
        assert reason("", rack, rack, rules, opened=False) == Reason.DUPLICATE_COLOR


def test_case_1_a_joker_does_not_mend_a_color_that_is_there_twice() -> None:
    assert reason("", "B10 B10 J", "B10 B10 J") == Reason.DUPLICATE_COLOR


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("meld", "points"),
    [
        ("K10 B10 J", 30),
        ("K10 K11 J K13", 46),
        ("K12 K13 J", 36),
        ("R9 R10 J", 30),
        ("R13 J J", 39),
        ("R12 R13 J", 36),
    ],
)
def test_case_2_a_joker_of_the_opening_is_worth_the_tile_it_stands_for(
    rules: str, meld: str, points: int
) -> None:
    assert parse_meld(meld).points == points
    exact = RuleSet.preset(rules, opening_points=points)
    assert played("", meld, meld, exact, opened=False)
    more = RuleSet.preset(rules, opening_points=points + 1)
    assert reason("", meld, meld, more, opened=False) == Reason.OPENING_TOO_LOW


def test_case_2_nothing_comes_before_one() -> None:
    assert format_table(parse_table("J R1 R2")) == "R1 R2 J"
    assert parse_meld("J R1 R2").points == 6


def test_case_2_two_jokers_and_a_tile_are_a_run_when_named() -> None:
    assert parse_meld("J=R11 J=R12 R13").points == 36


def test_case_3_the_turn_goes_on_after_the_opening_where_the_rules_say_so() -> None:
    before, rack = "R9 R10 R11", "B10 O10 K10 R12"
    every = "R9 R10 R11 R12 | K10 B10 O10"
    group = "R9 R10 R11 | K10 B10 O10"
    for rules in PRESETS:
        assert played(before, rack, group, rules, opened=False) == "K10 B10 O10"
        if RuleSet.preset(rules).manipulate_on_opening_turn:
            out = played(before, rack, every, rules, opened=False)
            assert out == "K10 R12 B10 O10"
        else:
            why = reason(before, rack, every, rules, opened=False)
            assert why == Reason.OPENING_TOUCHES_TABLE


@pytest.mark.parametrize("rules", PRESETS)
def test_case_4_the_same_meld_may_lie_there_twice(rules: str) -> None:
    twice = "R9 B9 O9 | R9 B9 O9"
    six = "R9 B9 O9 R9 B9 O9"
    assert played("", six, twice, rules, opened=False) == "R9 R9 B9 B9 O9 O9"
    assert played("R9 B9 O9", "R9 B9 O9", twice, rules) == "R9 B9 O9"
    assert len(parse_table("R1 R2 R3 | R1 R2 R3")) == 2


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("R5 R6 R7", "R5 R6 R7 J"),
        ("R5 R6 R7", "J R5 R6 R7"),
        ("R5 B5 O5", "R5 B5 O5 J"),
    ],
)
def test_case_5_a_joker_goes_to_a_finished_meld(
    rules: str, before: str, after: str
) -> None:
    assert played(before, "J", after, rules) == "J"


def test_case_5_a_full_group_takes_no_joker() -> None:
    assert reason("R5 B5 O5 K5", "J", "R5 B5 O5 K5 J") == Reason.TOO_LONG
    apart = "R5 B5 O5 | K5 J"
    assert reason("R5 B5 O5 K5", "J", apart) == Reason.TOO_SHORT


@pytest.mark.parametrize("after", ["R5 R6 J", "J R5 R6"])
def test_case_6_a_joker_stands_at_either_end_of_a_run(after: str) -> None:
    assert played("", "R5 R6 J", after) == "R5 R6 J"


def test_case_7_tiles_are_kept_by_identity_and_not_by_number() -> None:
    before, rack = "R5 B5 O5 | K3 K4 K5", "K6 B6"
    assert played(before, rack, "R5 B5 O5 | K3 K4 K5 K6") == "K6"
    # K5 and O5 change places, then B5 is another five.
    assert reason(before, rack, "R5 B5 K5 | K3 K4 K6") == Reason.TABLE_TILE_MISSING
    assert reason(before, rack, "R5 K5 O5 | K3 K4 K5 K6") == Reason.TABLE_TILE_MISSING


def test_case_7_the_order_in_which_tiles_are_given_does_not_matter() -> None:
    melds = ["K3 K4 K5 K6", "B5 O5 R5", "R1 R2 R3"]
    before, rack = ["K3 K4 K5", "R5 B5 O5", "R1 R2 R3"], "B6 K6"
    for order in permutations(range(3)):
        after = " | ".join(" ".join(reversed(melds[index].split())) for index in order)
        text = " | ".join(before[index] for index in order)
        assert played(text, rack, after) == "K6"


def test_case_7_a_refused_turn_leaves_the_rack_as_it_was() -> None:
    rack = parse_tiles("K6 B6")
    with pytest.raises(IllegalAction):
        verify_turn(OFFICIAL, "R5 B5 O5", rack, "R5 B5 O5 B6")
    assert rack.tolist() == parse_tiles("K6 B6").tolist()
    verify_turn(OFFICIAL, "K3 K4 K5", rack, "K3 K4 K5 K6")
    assert rack.tolist() == parse_tiles("K6 B6").tolist()


def test_case_8_a_tile_exchanged_for_another_of_its_value_is_refused_by_name() -> None:
    with pytest.raises(IllegalAction, match="O9") as caught:
        verify_turn(OFFICIAL, "R9 B9 O9", "R10 R11", "R9 B9 K9")
    assert caught.value.reason is Reason.TABLE_TILE_MISSING


@pytest.mark.parametrize("token", ["X9", "R14", "R0"])
def test_case_8_what_is_no_tile_is_refused_by_name(token: str) -> None:
    with pytest.raises(IllegalAction, match=token) as caught:
        verify_turn(OFFICIAL, "R9 B9 O9", "K9", f"R9 B9 O9 {token}")
    assert caught.value.reason is Reason.UNKNOWN_TILE


def test_case_9_without_a_threshold_any_meld_opens() -> None:
    rules = RuleSet(opening_points=0)
    assert played("", "K1 B1 O1", "K1 B1 O1", rules, opened=False) == "K1 B1 O1"
    assert rules.deck.sum() == 106


@pytest.mark.parametrize("rules", PRESETS)
def test_case_10_the_fourth_tile_of_a_group_serves_a_run(rules: str) -> None:
    after = "B4 B5 B6 B7 | R5 K5 O5"
    assert played("B5 R5 K5 O5", "B4 B6 B7", after, rules) == "B4 B6 B7"


@pytest.mark.parametrize(
    ("copies", "most"),
    [
        ((2, 2, 1, 1), 6),
        ((2, 2, 2, 1), 7),
        ((2, 2, 2, 2), 8),
        ((2, 2, 1, 0), 3),
        ((2, 1, 1, 1), 4),
    ],
)
def test_case_11_one_number_is_laid_down_as_far_as_its_groups_go(
    copies: tuple[int, ...], most: int
) -> None:
    tiles = [13 * color + 4 for color, count in enumerate(copies) for _ in range(count)]
    counts = np.bincount(tiles, minlength=53).astype(np.int8)
    assert best_opening(counts, OFFICIAL) == 5 * most
    groups = [
        " ".join(map(tile_name, group))
        for size in (3, 4)
        for group in combinations([4, 17, 30, 43], size)
    ]
    rack = format_tiles(counts)
    legal = set()
    for table in [(one,) for one in groups] + list(combinations(groups * 2, 2)):
        try:
            legal.add(verify_turn(OFFICIAL, "", rack, " | ".join(table)).sum())
        except IllegalAction:
            continue
    assert max(legal) == most


@pytest.mark.parametrize("rules", PRESETS)
def test_case_12_nothing_played_is_no_play(rules: str) -> None:
    assert parse_table("") == ()
    for opened in (True, False):
        assert reason("", "R5", "", rules, opened) == Reason.NOTHING_PLAYED
