"""The jokers of the table: free, held and released (section 3 of the rules).

A case reads: table before, rack, table after; all of the rack is played.
"""

import pytest

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.notation import format_tiles, parse_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.verify import verify_turn

RACK = RuleSet(joker_release="exact", joker_source="rack")
TABLE = RuleSet(joker_release="exact", joker_source="rack_or_table")
RACK_NEW = RACK.replace(joker_reuse="new_meld_from_rack")
TABLE_NEW = TABLE.replace(joker_reuse="new_meld_from_rack")
EXACT = [RACK, TABLE, RACK_NEW, TABLE_NEW]

LEGAL = "legal"
NOT_RELEASED = Reason.JOKER_NOT_RELEASED
NEEDS_NEW = Reason.JOKER_NEEDS_NEW_MELD


def verdict(
    rules: RuleSet | str, before: str, rack: str, after: str, opened: bool = True
) -> str:
    """Return the reason of the refusal, or 'legal' if all of the rack was played."""
    try:
        counts = verify_turn(rules, before, rack, after, opened)
    except IllegalAction as error:
        return error.reason
    assert format_tiles(counts) == format_tiles(parse_tiles(rack))
    return LEGAL


# --------------------------------------------------------------------------- free


@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        ("R5 R6 J", "R7 K1 K2", "R5 R6 R7 | K1 K2 J"),
        # Anything that keeps the meld legal replaces the joker.
        ("R5 R6 J", "R4 K1 K2", "R4 R5 R6 | K1 K2 J"),
        # Rearranging alone frees it, as the official sheet prints: of a run 1 2 J the
        # tiles go to a group of ones and to a group of twos.
        (
            "K1 K2 J | R1 B1 O1 | R2 B2 O2",
            "O5 O6",
            "K1 R1 B1 O1 | K2 R2 B2 O2 | O5 O6 J",
        ),
        # It may go to a meld of the table, or just change ends.
        ("R5 R6 J | K1 K2 K3", "R7", "R5 R6 R7 | K1 K2 K3 J"),
        ("R5 R6 J", "R4", "J R4 R5 R6"),
        ("R7 B7 J=O7", "K1 K2 K3", "R7 B7 J=K7 | K1 K2 K3"),
    ],
)
def test_with_free_jokers_only_the_table_after_counts(
    before: str, rack: str, after: str
) -> None:
    for preset in ("official", "online"):
        assert verdict(preset, before, rack, after) == LEGAL


# --------------------------------------------------------------------------- held


@pytest.mark.parametrize("rules", EXACT, ids=str)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        ("R5 J R7", "K1 K2 K3", "R5 J R7 | K1 K2 K3"),
        # Its meld is extended or split around it.
        ("R5 J R7", "R8", "R5 J R7 R8"),
        ("R5 R6 J", "R4 R8", "R4 R5 R6 J R8"),
        ("R5 J R7 R8 R9", "R6 R7", "R5 R6 R7 | J R7 R8 R9"),
        # It goes to another meld as the tile it stands for.
        ("R5 J R7 R8 R9", "R4 R6 K6 B6", "R4 R5 R6 | R7 R8 R9 | K6 B6 J"),
        ("R5 R6 J", "R4 B7 O7", "R4 R5 R6 | B7 O7 J"),
        ("R5 R6 J", "R4 B7 O7", "R4 R5 R6 | B7 O7 J=R7"),
        # In a group it is any of the colors that are missing.
        ("R7 B7 J", "K7", "R7 B7 K7 J"),
        ("R7 B7 J", "O7", "R7 B7 O7 J"),
        ("R7 B7 J", "K6 K8 O7", "K6 J K8 | R7 B7 O7"),
        ("R7 B7 J", "O6 O8 K7", "O6 J O8 | R7 B7 K7"),
        ("R7 B7 J", "K1 K2 K3", "R7 B7 J=K7 | K1 K2 K3"),
        # Both jokers of a group, each as another color.
        ("R7 J J", "K6 K8 O6 O8 R6 R8", "K6 J K8 | O6 J O8 | R6 R7 R8"),
        ("R7 J J", "K1 K2 K3", "R7 J=O7 J=B7 | K1 K2 K3"),
        # Two jokers of two melds, both as the same tile.
        (
            "R5 J R7 | R5 J R7",
            "K6 B6 K6 B6 B5 K5 B5 K5 B7 K7 B7 K7",
            "K6 B6 J | K6 B6 J | R5 B5 K5 | R5 B5 K5 | R7 B7 K7 | R7 B7 K7",
        ),
        # Which joker is which does not show: one of the table stayed.
        ("R5 R6 J", "J K1 K2", "K1 K2 J | R5 R6 J"),
    ],
)
def test_a_joker_that_still_stands_for_what_it_could_is_held(
    rules: RuleSet, before: str, rack: str, after: str
) -> None:
    assert verdict(rules, before, rack, after) == LEGAL


@pytest.mark.parametrize("rules", EXACT, ids=str)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        # The other end of its run, or another meld, is another tile.
        ("R5 R6 J", "R4", "J R4 R5 R6"),
        ("R5 R6 J", "R4 K1 K2", "R4 R5 R6 | K1 K2 J"),
        ("R5 R6 R7 J", "K1 K2", "R5 R6 R7 | K1 K2 J"),
        (
            "K1 K2 J | R1 B1 O1 | R2 B2 O2",
            "O5 O6",
            "K1 R1 B1 O1 | K2 R2 B2 O2 | O5 O6 J",
        ),
        # A group has none of the colors that it shows.
        ("R7 B7 J", "R6 R8 B6 B8 K1 K2", "R6 R7 R8 | B6 B7 B8 | K1 K2 J"),
        ("R7 B7 J", "R6 R8 R8 R9 B6 B8", "R6 J R8 | R7 R8 R9 | B6 B7 B8"),
        # Named, it stands for that tile only.
        ("R7 B7 J=O7", "K6 K8 R6 R8 B6 B8", "K6 J K8 | R6 R7 R8 | B6 B7 B8"),
        ("R7 B7 J=O7", "K1 K2 K3", "R7 B7 J=K7 | K1 K2 K3"),
        # Two jokers of a group never stood for the same tile.
        ("R7 J J", "K6 K8 K6 K8 R6 R8", "K6 J K8 | K6 J K8 | R6 R7 R8"),
        # In one group two jokers cannot both still be R6.
        (
            "R5 J R7 | R5 J R7",
            "K6 B5 K5 B5 K5 B7 K7 B7 K7",
            "K6 J J | R5 B5 K5 | R5 B5 K5 | R7 B7 K7 | R7 B7 K7",
        ),
    ],
)
def test_a_joker_that_stands_for_another_tile_must_have_been_released(
    rules: RuleSet, before: str, rack: str, after: str
) -> None:
    assert verdict(rules, before, rack, after) == NOT_RELEASED


def test_the_refusal_names_the_meld_whose_joker_was_moved() -> None:
    with pytest.raises(IllegalAction, match=r"joker of R5 R6 J no longer"):
        verify_turn(RACK, "R5 R6 J | K1 K2 K3", "R4", "J R4 R5 R6 | K1 K2 K3")
    with pytest.raises(IllegalAction, match=r"joker taken from R5 R6 J must"):
        verify_turn(RACK_NEW, "R5 R6 J | K1 K2 K3", "R7", "R5 R6 R7 | K1 K2 K3 J")


# ----------------------------------------------------------------------- released


@pytest.mark.parametrize("rules", EXACT, ids=str)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        ("R5 R6 J", "R7 K1 K2", "R5 R6 R7 | K1 K2 J"),
        # Either color that a group of three lacks; the one of a group of four.
        ("R7 B7 J", "K7 O1 O2", "R7 B7 K7 | O1 O2 J"),
        ("R7 B7 J", "O7 O1 O2", "R7 B7 O7 | O1 O2 J"),
        ("R7 B7 K7 J", "O7 O1 O2", "R7 B7 K7 O7 | O1 O2 J"),
        # Wild again: it may stand for anything, even for what it stood for.
        ("R5 R6 J", "R7 R8 R9", "R5 R6 R7 | J R8 R9"),
        # Two jokers, two tiles; of one group, two different colors.
        (
            "R5 J R7 | R5 J R7",
            "R6 R6 K1 K2 O1 O2",
            "R5 R6 R7 | R5 R6 R7 | K1 K2 J | O1 O2 J",
        ),
        ("R7 B7 J J", "K7 O7 K1 K2 O1 O2", "R7 B7 K7 O7 | K1 K2 J | O1 O2 J"),
        ("R7 J J", "K7 B7 K1 K2 O1 O2", "R7 K7 B7 | K1 K2 J | O1 O2 J"),
        # One held, one released.
        ("R7 B7 J J", "K7 K1 K2", "R7 B7 K7 J | K1 K2 J"),
        # It is judged by count: the tile that released it may lie elsewhere.
        ("R5 R6 R7 J", "R8 R9", "R5 R6 R7 | R8 R9 J"),
        # Another joker of the rack is a tile of the rack.
        ("R5 R6 J", "R7 J K9", "R5 R6 R7 | K9 J J"),
        # Of two equal tiles the one of the rack lies with the joker.
        ("R5 R6 J | K1 K2 K3", "R7 K1 K2", "R5 R6 R7 | K1 K2 K3 | K1 K2 J"),
    ],
)
def test_a_joker_is_released_by_a_tile_of_the_rack_that_it_stands_for(
    rules: RuleSet, before: str, rack: str, after: str
) -> None:
    assert verdict(rules, before, rack, after) == LEGAL


@pytest.mark.parametrize("rules", EXACT, ids=str)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        # One tile releases one joker.
        (
            "R5 J R7 | R5 J R7",
            "R6 B5 K5 B7 K7 K1 K2 O1 O2",
            "R5 R6 R7 | R5 B5 K5 | R7 B7 K7 | K1 K2 J | O1 O2 J",
        ),
        # Two jokers of one group are not released by one color.
        (
            "R7 B7 J J",
            "K7 K7 K8 K9 K1 K2 O1 O2",
            "R7 B7 K7 | K7 K8 K9 | K1 K2 J | O1 O2 J",
        ),
        # Nor is one held as the color that releases the other.
        (
            "R7 B7 J J",
            "K7 K6 K8 R6 R8 B6 B8 O1 O2 K9 K5",
            "K5 K6 K7 | R6 R7 R8 | B6 B7 B8 | J K8 K9 | O1 O2 J",
        ),
        # The wrong tile releases nothing.
        (
            "R7 B7 K7 J",
            "R6 R8 B6 B8 K6 K8 O1 O2",
            "R6 R7 R8 | B6 B7 B8 | K6 K7 K8 | O1 O2 J",
        ),
    ],
)
def test_every_released_joker_needs_a_tile_of_its_own(
    rules: RuleSet, before: str, rack: str, after: str
) -> None:
    assert verdict(rules, before, rack, after) == NOT_RELEASED


@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        # A tile of the table takes its place.
        ("R5 R6 J | R7 B7 K7 O7", "K1 K2", "R5 R6 R7 | B7 K7 O7 | K1 K2 J"),
        # By count: such a tile lies on the table anyway.
        ("R5 R6 J | R7 R8 R9", "R4 K1 K2", "R4 R5 R6 | R7 R8 R9 | K1 K2 J"),
    ],
)
def test_a_tile_of_the_table_releases_a_joker_only_where_the_rules_say_so(
    before: str, rack: str, after: str
) -> None:
    for rules in (TABLE, TABLE_NEW, "sabra", "tournament"):
        assert verdict(rules, before, rack, after) == LEGAL
    for rules in (RACK, RACK_NEW, "triple_s"):
        assert verdict(rules, before, rack, after) == NOT_RELEASED


@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        # Into a meld of the table.
        ("R5 R6 J | K1 K2 K3", "R7", "R5 R6 R7 | K1 K2 K3 J"),
        # Into a new meld with a tile of the table.
        ("R5 R6 J | K1 K2 K3 K4", "R7 B4", "R5 R6 R7 | K1 K2 K3 | K4 B4 J"),
        # With another released joker, or with a held one.
        ("R5 R6 J | B5 B6 J", "R7 B7 K9", "R5 R6 R7 | B5 B6 B7 | K9 J J"),
        (
            "R5 R6 J | R9 B9 K9 J",
            "R7 O8",
            "R5 R6 R7 | R9 B9 K9 | O8 J=O9 J=O10",
        ),
        # Two melds with a joker need two K2 of the rack.
        (
            "R5 R6 J | B5 B6 J | K2 K3 K4 K5",
            "R7 B7 K1 K2 O2",
            "R5 R6 R7 | B5 B6 B7 | K3 K4 K5 | K1 K2 J | K2 O2 J",
        ),
    ],
)
def test_a_released_joker_lies_with_other_tiles_only_where_the_rules_say_so(
    before: str, rack: str, after: str
) -> None:
    for rules in (RACK, TABLE, "sabra", "tournament"):
        assert verdict(rules, before, rack, after) == LEGAL
    for rules in (RACK_NEW, TABLE_NEW, "triple_s"):
        assert verdict(rules, before, rack, after) == NEEDS_NEW


@pytest.mark.parametrize("rules", ["official", *EXACT], ids=str)
def test_a_joker_of_the_table_never_goes_to_the_rack(rules: RuleSet | str) -> None:
    turn = ("R5 R6 J", "R7", "R5 R6 R7")
    assert verdict(rules, *turn) == Reason.JOKER_TO_RACK


# ------------------------------------------------------- before and in the opening

RELEASE_AND_OPEN = (
    "R5 R6 J",
    "R7 R10 B10 K10 O1 O2",
    "R5 R6 R7 | R10 B10 K10 | O1 O2 J",
)


@pytest.mark.parametrize("rules", ["official", "online", "tournament"])
def test_no_joker_is_released_in_the_turn_of_the_opening(rules: str) -> None:
    assert verdict(rules, *RELEASE_AND_OPEN) == LEGAL
    reason = verdict(rules, *RELEASE_AND_OPEN, opened=False)
    assert reason == Reason.OPENING_TOUCHES_TABLE


@pytest.mark.parametrize("rules", ["sabra", "triple_s"])
def test_where_the_turn_may_go_on_after_the_opening_a_joker_may_be_released(
    rules: str,
) -> None:
    assert verdict(rules, *RELEASE_AND_OPEN, opened=False) == LEGAL
    not_released = (
        "R5 R6 J",
        "R4 R10 B10 K10 O1 O2",
        "R4 R5 R6 | R10 B10 K10 | O1 O2 J",
    )
    assert verdict(rules, *not_released, opened=False) == NOT_RELEASED


def test_a_joker_does_not_help_to_reach_the_opening() -> None:
    turn = ("R5 R6 J", "R7 K12 K13", "R5 R6 R7 | K12 K13 J")
    assert verdict("sabra", *turn) == LEGAL
    assert verdict("sabra", *turn, opened=False) == Reason.OPENING_TOO_LOW
