"""Runs, groups and what jokers stand for in them (rules 1 and 3)."""

from itertools import permutations

import numpy as np
import pytest

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.melds import (
    Meld,
    all_melds,
    highest_points,
    meld_of,
    reread,
)
from rummi_env.core.notation import format_meld, parse_meld, parse_tile, parse_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER


def kinds(text: str) -> frozenset[int]:
    return frozenset(map(parse_tile, text.split()))


def identities(text: str, rules: RuleSet | None = None) -> list[frozenset[int]]:
    return list(parse_meld(text, rules).identities)


@pytest.mark.parametrize(
    ("text", "is_run", "points"),
    [
        ("R5 R6 R7", True, 18),
        ("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", True, 91),
        ("R7 B7 K7", False, 21),
        ("R7 B7 K7 O7", False, 28),
        ("R5 J R7", True, 18),
        ("R5 J J R8", True, 26),
        ("J R5 J", False, 15),
    ],
)
def test_a_run_or_a_group_is_a_meld_with_its_value(
    text: str, is_run: bool, points: int
) -> None:
    meld = parse_meld(text)
    assert (meld.is_run, meld.points) == (is_run, points)
    assert meld.counts.tolist() == parse_tiles(text).tolist()
    assert meld.counts.dtype == np.int8


@pytest.mark.parametrize(
    ("text", "reason", "named"),
    [
        ("R5 R6", Reason.TOO_SHORT, "R5 R6"),
        ("R5", Reason.TOO_SHORT, "R5"),
        ("", Reason.TOO_SHORT, "empty meld"),
        ("R5 J", Reason.TOO_SHORT, "R5 J"),
        ("J J", Reason.TOO_SHORT, "J J"),
        ("R5 R6 R8", Reason.BROKEN_MELD, "R5 R6 R8"),
        ("R5 R6 B7", Reason.BROKEN_MELD, "R5 R6 B7"),
        ("R5 B6 J", Reason.BROKEN_MELD, "R5 B6 J"),
        ("R5 R5 R6", Reason.BROKEN_MELD, "R5 R5 R6"),
        ("R5 R9 J", Reason.BROKEN_MELD, "R5 R9 J"),
        ("R12 R13 R1", Reason.BROKEN_MELD, "R12 R13 R1"),
        ("R13 R1 R2", Reason.BROKEN_MELD, "R13 R1 R2"),
        ("R7 R7 B7", Reason.DUPLICATE_COLOR, "R7"),
        ("B10 B10 J", Reason.DUPLICATE_COLOR, "B10"),
        ("R7 B7 K7 O7 R7", Reason.DUPLICATE_COLOR, "R7"),
        ("R7 B7 K7 O7 J", Reason.TOO_LONG, "4 colors"),
        ("R7 B7 K7 J J", Reason.TOO_LONG, "4 colors"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J", Reason.TOO_LONG, "13 numbers"),
        ("R5 J J J", Reason.TOO_MANY_JOKERS, "3 jokers"),
        ("J J J", Reason.TOO_MANY_JOKERS, "3 jokers"),
        ("R5 R6 J=R8", Reason.JOKER_MISPLACED, "R8"),
        ("R5 R6 J=B7", Reason.JOKER_MISPLACED, "B7"),
        ("R5 R6 R7 J=R5", Reason.JOKER_MISPLACED, "R5"),
        ("R12 R13 J=R1", Reason.JOKER_MISPLACED, "R1"),
        ("R7 B7 J=R7", Reason.JOKER_MISPLACED, "R7"),
        ("R7 B7 J=K8", Reason.JOKER_MISPLACED, "K8"),
        ("R7 J=B7 J=B7", Reason.JOKER_MISPLACED, "B7"),
        ("R7 J=B7 J=R8", Reason.JOKER_MISPLACED, "B7 R8"),
    ],
)
def test_what_is_no_meld_is_refused_with_a_reason_that_names_it(
    text: str, reason: Reason, named: str
) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_meld(text)
    assert caught.value.reason is reason
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "text", ["R5 R6 R7", "K3 K4 J=K5", "R7 B7 K7 O7", "R5 J=R6 R7 R8", "R7 B7 J=K7 J"]
)
def test_a_meld_is_the_same_in_any_order_when_its_jokers_leave_no_choice(
    text: str,
) -> None:
    orders = permutations(text.split())
    assert len({parse_meld(" ".join(order)) for order in orders}) == 1


def test_a_run_lies_in_ascending_order_and_a_group_in_that_of_the_colors() -> None:
    assert format_meld(parse_meld("K5 K3 K4")) == "K3 K4 K5"
    assert format_meld(parse_meld("O7 J B7 K7")) == "K7 B7 O7 J"


# ------------------------------------------------------------------- bare jokers


@pytest.mark.parametrize(
    ("text", "stands_for"),
    [
        ("R9 R10 J", "R11"),
        ("J R9 R10", "R8"),
        ("R9 J R11", "R10"),
        ("J R9 R10 J", "R8 R11"),
        ("J J R9 R10", "R7 R8"),
        ("R12 J J R13", "R10 R11"),
    ],
)
def test_a_bare_joker_stands_for_its_written_place(text: str, stands_for: str) -> None:
    assert kinds(stands_for) == frozenset().union(*identities(text))


@pytest.mark.parametrize(
    ("text", "stands_for", "points"),
    [
        ("R12 R13 J", "R11", 36),
        ("K12 K13 J", "K11", 36),
        ("R12 J R13", "R11", 36),
        ("J R1 R2", "R3", 6),
        ("J J R1 R2", "R3 R4", 10),
        ("K3 J K4", "K5", 12),
        ("K4 J K3", "K5", 12),
        ("R10 J R9", "R11", 30),
        ("R11 R12 J J", "R10 R13", 46),
        ("R2 R1 J", "R3", 6),
    ],
)
def test_a_bare_joker_without_a_legal_place_takes_the_highest_reading(
    text: str, stands_for: str, points: int
) -> None:
    assert kinds(stands_for) == frozenset().union(*identities(text))
    assert parse_meld(text).points == points


@pytest.mark.parametrize("text", ["R5 J J", "J R5 J", "J J R5"])
def test_one_tile_with_two_jokers_is_a_group_unless_named(text: str) -> None:
    assert identities(text) == [kinds("K5 B5 O5")] * 2


def test_a_named_joker_makes_one_tile_with_two_jokers_a_run() -> None:
    assert identities("R5 J=R6 J") == [kinds("R6"), kinds("R7")]
    assert identities("R13 J=R12 J") == [kinds("R11"), kinds("R12")]
    assert parse_meld("R13 J J=R11").points == 36


def test_a_named_joker_overrules_the_written_place() -> None:
    meld = parse_meld("R9 R10 J=R8")
    assert (format_meld(meld), meld.points) == ("J=R8 R9 R10", 27)


# -------------------------------------------------------------- jokers in groups


def test_a_group_of_three_leaves_its_joker_two_colors() -> None:
    assert identities("R7 B7 J") == [kinds("K7 O7")]


def test_a_group_of_four_leaves_its_joker_one_color() -> None:
    assert identities("R7 B7 K7 J") == [kinds("O7")]


def test_two_jokers_of_a_group_share_the_colors_it_lacks() -> None:
    assert identities("R7 B7 J J") == [kinds("K7 O7")] * 2


def test_a_named_joker_takes_its_color_from_the_other() -> None:
    assert identities("R7 J J=B7") == [kinds("B7"), kinds("K7 O7")]
    assert identities("R7 B7 J J=O7") == [kinds("O7"), kinds("K7")]


# -------------------------------------------------------------------- small decks

SMALL = RuleSet(numbers=9, colors=3)


@pytest.mark.parametrize(
    ("text", "named"),
    [("R8 R9 R10", "R10"), ("O5 O6 O7", "O5"), ("R8 R9 J=R10", "R10")],
)
def test_tiles_that_the_deck_lacks_are_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(IllegalAction, match=f"the deck has no {named}") as caught:
        parse_meld(text, SMALL)
    assert caught.value.reason is Reason.UNKNOWN_TILE


def test_a_joker_is_refused_in_a_deck_without_jokers() -> None:
    with pytest.raises(IllegalAction, match="the deck has no J"):
        parse_meld("R5 R6 J", RuleSet(jokers=0))


def test_a_joker_stands_only_for_kinds_of_the_deck() -> None:
    assert identities("R8 R9 J", SMALL) == [kinds("R7")]
    assert identities("R7 B7 J", SMALL) == [kinds("K7")]


def test_a_group_has_no_more_tiles_than_the_deck_has_colors() -> None:
    with pytest.raises(IllegalAction, match="3 colors") as caught:
        parse_meld("R7 B7 K7 J", SMALL)
    assert caught.value.reason is Reason.TOO_LONG


def test_with_two_colors_there_are_no_groups() -> None:
    two = RuleSet(colors=2)
    with pytest.raises(IllegalAction, match="2 colors"):
        parse_meld("R7 K7 J", two)
    assert identities("R5 J J", two) == [kinds("R6"), kinds("R7")]
    assert identities("J R1 J", two) == [kinds("R2"), kinds("R3")]


def test_jokers_per_meld_is_respected() -> None:
    one = RuleSet(jokers_per_meld=1)
    assert parse_meld("R5 J R7", one).is_run
    with pytest.raises(IllegalAction, match="2 jokers") as caught:
        parse_meld("R5 J J R8", one)
    assert caught.value.reason is Reason.TOO_MANY_JOKERS


# --------------------------------------------------------------------- meld objects


def test_melds_are_made_of_indices_and_named_jokers() -> None:
    assert meld_of([18, (JOKER, 19), 20]) == parse_meld("R6 J R8")


@pytest.mark.parametrize("tile", [-1, 53, 1000])
def test_an_index_that_is_no_tile_is_refused(tile: int) -> None:
    with pytest.raises(IllegalAction, match=str(tile)) as caught:
        meld_of([tile, 1, 2])
    assert caught.value.reason is Reason.UNKNOWN_TILE


def test_a_joker_cannot_stand_for_a_joker_nor_a_tile_for_another() -> None:
    with pytest.raises(IllegalAction) as caught:
        meld_of([1, 2, (JOKER, JOKER)])
    assert caught.value.reason is Reason.JOKER_MISPLACED
    with pytest.raises(ValueError, match="only a joker"):
        meld_of([1, 2, (7, 3)])


def test_melds_are_equal_when_their_tiles_stand_for_the_same() -> None:
    assert parse_meld("J R1 R2") == parse_meld("R1 R2 J=R3")
    assert hash(parse_meld("J R1 R2")) == hash(parse_meld("R1 R2 J=R3"))
    assert parse_meld("R9 R10 J") != parse_meld("J R9 R10")
    assert parse_meld("R7 B7 J") != parse_meld("R7 B7 J=K7")
    assert parse_meld("R5 J J") != parse_meld("R5 J=R6 J")


def test_a_meld_made_by_hand_must_have_fields_that_go_together() -> None:
    with pytest.raises(ValueError, match="one place"):
        Meld(is_run=True, tiles=(1, 2, 3), places=(), named=(False,) * 3)
    with pytest.raises(ValueError, match="stand for something"):
        Meld(is_run=True, tiles=(1,), places=(frozenset(),), named=(False,))


def test_a_meld_is_judged_anew_by_other_rules() -> None:
    group = parse_meld("R7 B7 J")
    assert reread(group, RuleSet()) is group
    assert list(reread(group, SMALL).identities) == [kinds("K7")]
    with pytest.raises(IllegalAction):
        reread(parse_meld("R8 R9 R10"), SMALL)
    with pytest.raises(IllegalAction):
        reread(parse_meld("R5 J J"), RuleSet(jokers_per_meld=1))


def test_a_meld_made_by_hand_is_seen_through_when_judged_anew() -> None:
    places = (kinds("R5"), kinds("B13"), kinds("R7"))
    tiles = (17, JOKER, 19)
    forged = Meld(is_run=True, tiles=tiles, places=places, named=(False,) * 3)
    with pytest.raises(IllegalAction, match="B13"):
        reread(forged, RuleSet())
    group = Meld(
        is_run=False,
        tiles=tuple(map(parse_tile, ["R7", "B7", "J"])),
        places=(kinds("R7"), kinds("B7"), kinds("R1 R2 R3")),
        named=(False,) * 3,
    )
    assert reread(group, RuleSet()) == parse_meld("R7 B7 J")


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("J R9 R10", 30),
        ("J=R8 R9 R10", 27),
        ("R9 R10 J", 30),
        ("J R12 R13", 36),
        ("R1 J J", 6),
        ("R13 J J", 39),
        ("J R9 J=R10", 30),
        ("R7 B7 J", 21),
        ("R5 J R7", 18),
    ],
)
def test_the_highest_value_of_a_meld_lets_unnamed_jokers_move(
    text: str, points: int
) -> None:
    assert highest_points(parse_meld(text), RuleSet()) == points


# ------------------------------------------------------------------ all the melds


@pytest.mark.parametrize(
    ("run_cap", "number"), [(5, 1_173), (13, 6_301), (None, 6_301)]
)
def test_there_are_as_many_melds_as_den_hertog_and_hulshof_count(
    run_cap: int | None, number: int
) -> None:
    table = all_melds(RuleSet(), run_cap)
    assert table.shape == (number, 53)
    assert table.dtype == np.int8
    assert len(np.unique(table, axis=0)) == number


@pytest.mark.parametrize(
    ("rules", "number"),
    [
        # Groups 13 * (4 + 1), runs of 3 to 13 numbers 4 * (11 + 10 + ... + 1).
        (RuleSet(jokers=0), 65 + 4 * 66),
        # Without groups: runs of 3 to 5 of the numbers 1 to 5 in two colors.
        (RuleSet(jokers=0, colors=2, numbers=5), 2 * 6),
        (RuleSet(jokers=0, colors=3, numbers=3), 3 + 3),
        # Each meld of three besides with a joker in one of three places; K1 K2 J and
        # the others differ, no two melds of three share two tiles.
        (RuleSet(jokers=1, colors=3, numbers=3), 6 + 6 * 3),
        (RuleSet(jokers=2, jokers_per_meld=1, colors=3, numbers=3), 6 + 6 * 3),
        # Two jokers: with each of the nine tiles once.
        (RuleSet(jokers=2, colors=3, numbers=3), 6 + 6 * 3 + 9),
    ],
)
def test_the_melds_of_small_decks_are_counted_by_hand(
    rules: RuleSet, number: int
) -> None:
    assert len(all_melds(rules)) == number


def test_every_listed_meld_is_a_meld() -> None:
    rules = RuleSet(numbers=6, colors=3)
    for row in all_melds(rules):
        tiles = np.repeat(np.arange(53), row).tolist()
        assert meld_of(tiles, rules).counts.tolist() == row.tolist()


def test_the_table_of_melds_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        all_melds(RuleSet(), 5)[0, 0] = 1


def test_a_cap_that_leaves_no_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="run_cap must be at least 3"):
        all_melds(RuleSet(), 2)
