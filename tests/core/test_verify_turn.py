"""The judge of a turn, paragraph by paragraph of the rules of a turn (section 2).

A case reads: table before, rack, table after, and what comes of it.
"""

import numpy as np
import pytest

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.melds import Meld
from rummi_env.core.notation import format_tiles, parse_meld, parse_table, parse_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, kind_of
from rummi_env.core.verify import verify_turn

OFFICIAL = RuleSet()
# Tiles come twice in these positions, and openings are worth something.
PRESETS = [name for name in RuleSet.presets() if RuleSet.preset(name).copies == 2]
FREE = [name for name in PRESETS if RuleSet.preset(name).joker_release == "free"]
ON_OPENING_TURN = ["sabra", "triple_s"]
NOT_ON_OPENING_TURN = ["official", "online", "tournament"]


def played(
    before: str,
    rack: str,
    after: str,
    rules: RuleSet | str = OFFICIAL,
    opened: bool = True,
) -> str:
    return format_tiles(verify_turn(rules, before, rack, after, opened))


def refused(
    before: str,
    rack: str,
    after: str,
    rules: RuleSet | str = OFFICIAL,
    opened: bool = True,
) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        verify_turn(rules, before, rack, after, opened)
    return caught.value


# ------------------------------------- 2.1: one or more rack tiles, every meld legal


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("before", "rack", "after", "tiles"),
    [
        ("", "R5 R6 R7", "R5 R6 R7", "R5 R6 R7"),
        ("R5 R6 R7", "R8", "R5 R6 R7 R8", "R8"),
        ("R5 R6 R7", "R8 R4 K1", "R4 R5 R6 R7 R8", "R4 R8"),
        ("R7 B7 K7", "O7", "R7 B7 K7 O7", "O7"),
        ("R1 R2 R3 R4", "K1 B1", "R2 R3 R4 | R1 K1 B1", "K1 B1"),
    ],
)
def test_a_turn_plays_what_the_table_after_has_more(
    rules: str, before: str, rack: str, after: str, tiles: str
) -> None:
    assert played(before, rack, after, rules) == tiles


def test_the_tiles_played_are_counts() -> None:
    counts = verify_turn(OFFICIAL, "R5 R6 R7", "R8 R8", "R5 R6 R7 R8")
    assert counts.dtype == np.int8
    assert counts.shape == (53,)
    assert counts.tolist() == parse_tiles("R8").tolist()


def test_text_melds_and_counts_are_judged_alike() -> None:
    before, rack, after = "R7 B7 J | R1 R2 R3", "K7 J", "R7 B7 K7 J | R1 R2 R3 J"
    for rules in PRESETS:
        for table in (before, parse_table(before)):
            for proposed in (after, parse_table(after)):
                for tiles in (rack, parse_tiles(rack)):
                    counts = verify_turn(rules, table, tiles, proposed)
                    assert format_tiles(counts) == "K7 J"


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("before", "rack", "after", "reason"),
    [
        ("R5 R6 R7", "R8 R9", "R5 R6 | R7 R8 R9", Reason.TOO_SHORT),
        ("R5 R6 R7", "R8", "R5 R6 R7 | R8", Reason.TOO_SHORT),
        ("R5 R6 R7", "R9", "R5 R6 R7 R9", Reason.BROKEN_MELD),
        ("R12 R13 R11", "R1", "R11 R12 R13 R1", Reason.BROKEN_MELD),
        ("R7 B7 K7", "R7", "R7 B7 K7 R7", Reason.DUPLICATE_COLOR),
        ("R7 B7 K7 O7", "J", "R7 B7 K7 O7 J", Reason.TOO_LONG),
        ("R5 R6 R7", "J", "R5 R6 R7 J=R9", Reason.JOKER_MISPLACED),
        ("R5 R6 R7", "R8", "R5 R6 R7 R8 |", Reason.TOO_SHORT),
    ],
)
def test_every_meld_of_the_table_after_must_be_legal(
    rules: str, before: str, rack: str, after: str, reason: Reason
) -> None:
    assert refused(before, rack, after, rules).reason is reason


def test_jokers_per_meld_is_judged() -> None:
    one = RuleSet(jokers_per_meld=1)
    assert played("", "R5 J R7 J", "R5 J R7", one) == "R5 R7 J"
    error = refused("", "R5 J J R8", "R5 J J R8", one)
    assert error.reason is Reason.TOO_MANY_JOKERS


# ----------------- 2.2: at least one tile of the rack, none of the table to the rack


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("R5 R6 R7", "R5 R6 R7"),
        ("R1 R2 R3 R4 R5 R6", "R1 R2 R3 | R4 R5 R6"),
        ("", ""),
        ("R7 B7 J", "R7 B7 J=K7"),
    ],
)
def test_rearranging_without_a_rack_tile_is_no_play(
    rules: str, before: str, after: str
) -> None:
    assert refused(before, "R9", after, rules).reason is Reason.NOTHING_PLAYED


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("before", "rack", "after", "reason", "named"),
    [
        ("R5 R6 R7 R8", "R4", "R4 R5 R6 R7", Reason.TABLE_TILE_MISSING, "R8"),
        ("R5 R6 R7", "K1 K2 K3", "K1 K2 K3", Reason.TABLE_TILE_MISSING, "R5 R6 R7"),
        ("R5 R6 R7 J", "R8", "R5 R6 R7 R8", Reason.JOKER_TO_RACK, "joker"),
        ("R5 R6 R7", "R9", "R5 R6 R7 R8", Reason.TILE_NOT_IN_RACK, "R8"),
        ("R5 R6 R7", "R8", "R5 R6 R7 R8 J", Reason.TILE_NOT_IN_RACK, "J"),
        ("", "R5 R6", "R5 R6 R7", Reason.TILE_NOT_IN_RACK, "R7"),
        ("R5 R6 R7", "R8", "R5 R6 R7 | R5 R6 R7", Reason.TILE_NOT_IN_RACK, "R5 R6 R7"),
    ],
)
def test_the_table_after_is_the_table_before_and_tiles_of_the_rack(
    rules: str, before: str, rack: str, after: str, reason: Reason, named: str
) -> None:
    error = refused(before, rack, after, rules)
    assert error.reason is reason
    assert named in str(error)


@pytest.mark.parametrize("token", ["X9", "R14", "R0", "J=J", "J=X9", "?"])
def test_what_is_no_tile_is_refused_by_name_in_the_table_after(token: str) -> None:
    error = refused("R5 R6 R7", "R8", f"R5 R6 R7 {token}")
    assert error.reason is Reason.UNKNOWN_TILE
    assert repr(token) in str(error)


def test_tiles_that_the_deck_lacks_are_refused_in_the_table_after() -> None:
    small = RuleSet(numbers=9, colors=3, jokers=0)
    for after in ("R7 R8 R9 R10", "O7 R7 B7", "R7 R8 J", "R7 R8 R9 | R1 R2 J=R10"):
        error = refused("R7 R8 R9", "R6", after, small)
        assert error.reason is Reason.UNKNOWN_TILE


def test_an_absurd_number_of_tiles_is_refused() -> None:
    after = "R5 R6 R7 | " + " ".join(["R8"] * 259)
    assert refused("R5 R6 R7", "R8", after).reason is Reason.TILE_NOT_IN_RACK


@pytest.mark.parametrize(
    ("before", "rack", "named"),
    [
        ("R5 R6", "R7", "table before the turn is impossible: R5 R6 is too short"),
        ("R5 R6 R14", "R7", "table before the turn is impossible: 'R14'"),
        ("R5 R5 J J", "R7", "table before the turn is impossible"),
        ("R5 R6 R7", "X9", "'X9'"),
        ("R5 R6 R7", "R7 R7", "third R7"),
        ("R5 R6 R7", "J J J", "third J"),
        ("R7 R8 R9 | R7 B7 K7 | R5 R6 R7", "", "third R7"),
    ],
)
def test_an_impossible_table_before_or_rack_is_no_illegal_action(
    before: str, rack: str, named: str
) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        verify_turn(OFFICIAL, before, rack, "R5 R6 R7 R8")
    assert not isinstance(caught.value, IllegalAction)


@pytest.mark.parametrize(
    "rack", [np.zeros(52, dtype=np.int8), np.full(53, 0.5), np.full(53, -1)]
)
def test_a_rack_that_is_no_multiset_is_refused(rack: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"counts must be|there cannot be"):
        verify_turn(OFFICIAL, "", rack, "R5 R6 R7")


def test_counts_of_the_rack_do_not_wrap_around() -> None:
    # 127 + 127 is -2 in eight bits.
    rack = parse_tiles("R5 R6 R7") * np.int8(127)
    table = [parse_meld("R5 R6 R7")] * 127
    with pytest.raises(ValueError, match="third R5"):
        verify_turn(OFFICIAL, table, rack, "R5 R6 R7 R8")


def test_melds_made_by_other_rules_or_by_hand_are_judged_anew() -> None:
    small = RuleSet(numbers=9)
    with pytest.raises(ValueError, match="the deck has no R10"):
        verify_turn(small, parse_table("R8 R9 R10"), "R7", "R7 R8 R9")
    forged = Meld(
        is_run=True,
        tiles=(kind_of(1, 5), JOKER, kind_of(1, 9)),
        places=tuple(frozenset({kind_of(1, n)}) for n in (5, 6, 7)),
        named=(False,) * 3,
    )
    with pytest.raises(IllegalAction) as caught:
        verify_turn(OFFICIAL, "", "R5 R9 J", [forged])
    assert caught.value.reason is Reason.BROKEN_MELD
    no_tile = Meld(
        is_run=True,
        tiles=(kind_of(1, 5), 60, kind_of(1, 7)),
        places=tuple(frozenset({kind_of(1, n)}) for n in (5, 6, 7)),
        named=(False,) * 3,
    )
    with pytest.raises(IllegalAction) as caught:
        verify_turn(OFFICIAL, "", "R5 R7 J", [no_tile])
    assert caught.value.reason is Reason.UNKNOWN_TILE


def test_rules_may_be_given_by_name_and_a_wrong_name_is_refused() -> None:
    assert played("R5 R6 R7", "R8", "R5 R6 R7 R8", "online") == "R8"
    with pytest.raises(ValueError, match="unknown preset"):
        played("R5 R6 R7", "R8", "R5 R6 R7 R8", "onlin")


# --------------------------------------------------------------- 2.3: the opening


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        ("", "R9 R10 R11", "R9 R10 R11"),
        ("", "K10 B10 O10", "K10 B10 O10"),
        ("", "R1 R2 R3 R4 R5 R6 R7 R8", "R1 R2 R3 R4 R5 R6 R7 R8"),
        ("", "R1 R2 R3 K8 B8 O8", "R1 R2 R3 | K8 B8 O8"),
        ("B1 B2 B3", "R9 R10 R11", "R9 R10 R11 | B1 B2 B3"),
        ("R9 R10 R11", "R9 R10 R11", "R9 R10 R11 | R11 R10 R9"),
    ],
)
def test_an_opening_of_thirty_points_with_own_tiles_is_legal(
    rules: str, before: str, rack: str, after: str
) -> None:
    own = format_tiles(parse_tiles(rack))
    assert played(before, f"{rack} K1", after, rules, opened=False) == own


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        ("", "R8 R9 R10", "R8 R9 R10"),
        ("", "K9 B9 O9", "K9 B9 O9"),
        ("", "R1 R2 R3 K7 B7 O7", "R1 R2 R3 | K7 B7 O7"),
        ("B1 B2 B3", "R8 R9 R10", "R8 R9 R10 | B1 B2 B3"),
        ("", "R8 R9 J", "R8 R9 J"),
    ],
)
def test_an_opening_below_thirty_points_is_refused(
    rules: str, before: str, rack: str, after: str
) -> None:
    error = refused(before, rack, after, rules, opened=False)
    assert error.reason is Reason.OPENING_TOO_LOW
    assert "30 are needed" in str(error)


@pytest.mark.parametrize(
    ("points", "legal"), [(0, True), (17, True), (18, True), (19, False)]
)
@pytest.mark.parametrize("manipulate", [False, True])
def test_the_threshold_is_that_of_the_rules(
    points: int, legal: bool, manipulate: bool
) -> None:
    rules = RuleSet(opening_points=points, manipulate_on_opening_turn=manipulate)
    if legal:
        assert played("", "R5 R6 R7", "R5 R6 R7", rules, opened=False)
    else:
        error = refused("", "R5 R6 R7", "R5 R6 R7", rules, opened=False)
        assert error.reason is Reason.OPENING_TOO_LOW


@pytest.mark.parametrize("rules", PRESETS)
def test_the_threshold_is_only_for_the_opening(rules: str) -> None:
    assert played("", "R1 R2 R3", "R1 R2 R3", rules) == "R1 R2 R3"


@pytest.mark.parametrize("rules", NOT_ON_OPENING_TURN)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        # Laying off is no opening, nor is it part of one.
        ("R9 R10 R11", "R12", "R9 R10 R11 R12"),
        ("R9 R10 R11", "R12 B10 O10 K10", "R9 R10 R11 R12 | B10 O10 K10"),
        # Table tiles in the opening.
        ("R9 R10 R11 R12", "B12 K12", "R9 R10 R11 | R12 B12 K12"),
        # A table that is only split or joined has been touched.
        ("B1 B2 B3 B4 B5 B6", "R9 R10 R11", "B1 B2 B3 | B4 B5 B6 | R9 R10 R11"),
        ("B1 B2 B3 | B4 B5 B6", "R9 R10 R11", "B1 B2 B3 B4 B5 B6 | R9 R10 R11"),
        # A joker that changed ends has been moved.
        ("B1 B2 B3 J", "B4 R9 R10 R11", "B1 B2 B3 B4 | R9 R10 R11 J"),
        ("B5 B6 J", "R9 R10 R11", "J B5 B6 | R9 R10 R11"),
        ("K5 J J", "R9 R10 R11", "K5 J=K6 J=K7 | R9 R10 R11"),
        # Two like melds of which one was used.
        ("R1 R2 R3 | R1 R2 R3", "R9 R10 R11 R4", "R1 R2 R3 | R1 R2 R3 R4 | R9 R10 R11"),
    ],
)
def test_the_table_stays_untouched_in_the_turn_of_the_opening(
    rules: str, before: str, rack: str, after: str
) -> None:
    error = refused(before, rack, after, rules, opened=False)
    assert error.reason is Reason.OPENING_TOUCHES_TABLE
    assert before.split(" | ")[0] in str(error)


@pytest.mark.parametrize("rules", NOT_ON_OPENING_TURN)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("K7 B7 J", "K7 B7 J"),
        ("K7 B7 J", "J B7 K7"),
        ("K7 B7 J", "K7 B7 J=O7"),
        ("K7 B7 J=O7", "K7 B7 J"),
        ("K7 J J", "K7 J=B7 J"),
        ("B5 B6 J", "B6 J=B7 B5"),
        ("R1 R2 R3 | R1 R2 R3", "R1 R2 R3 | R1 R2 R3"),
    ],
)
def test_order_and_names_do_not_touch_a_meld(
    rules: str, before: str, after: str
) -> None:
    opening = "R9 R10 R11"
    assert played(before, opening, f"{opening} | {after}", rules, opened=False)


def test_naming_a_joker_otherwise_matters_only_when_jokers_are_exact() -> None:
    turn = ("K7 B7 J=O7", "R9 R10 R11", "R9 R10 R11 | K7 B7 J=R7")
    assert played(*turn, "official", opened=False)
    error = refused(*turn, "tournament", opened=False)
    assert error.reason is Reason.OPENING_TOUCHES_TABLE


@pytest.mark.parametrize("rules", NOT_ON_OPENING_TURN)
def test_which_of_two_like_melds_is_the_own_one_is_read_for_the_player(
    rules: str,
) -> None:
    turn = ("K10 B10 J", "K10 B10 J", "K10 B10 J | K10 B10 J=O10")
    assert played(*turn, rules, opened=False) == "K10 B10 J"
    low = RuleSet.preset(rules, opening_points=31)
    assert refused(*turn, low, opened=False).reason is Reason.OPENING_TOO_LOW


# Jokers in the opening: each counts as the tile it stands for.


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    "after", ["R9 R10 J", "R13 J J", "K10 B10 J", "K12 K13 J", "K12 J K10"]
)
def test_a_joker_of_the_opening_counts_as_the_tile_it_stands_for(
    rules: str, after: str
) -> None:
    rack = format_tiles(parse_tiles(after))
    assert played("", rack, after, rules, opened=False) == rack


@pytest.mark.parametrize("rules", FREE)
def test_an_unnamed_joker_of_the_opening_counts_as_is_best_when_jokers_are_free(
    rules: str,
) -> None:
    assert played("", "R9 R10 J", "J R9 R10", rules, opened=False)
    error = refused("", "R9 R10 J", "J=R8 R9 R10", rules, opened=False)
    assert error.reason is Reason.OPENING_TOO_LOW
    melds = parse_table("J R9 R10")
    assert verify_turn(rules, "", "R9 R10 J", melds, opened=False).sum() == 3


def test_a_joker_of_the_opening_counts_as_its_place_when_jokers_are_exact() -> None:
    assert played("", "R9 R10 J", "R9 R10 J", "tournament", opened=False)
    error = refused("", "R9 R10 J", "J R9 R10", "tournament", opened=False)
    assert error.reason is Reason.OPENING_TOO_LOW
    assert "27" in str(error)


# ------------------------------ 2.3: manipulating in the same turn, where allowed


@pytest.mark.parametrize("rules", ON_OPENING_TURN)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        # The opening stays, the rest is laid off.
        ("R9 R10 R11", "R12 B10 O10 K10", "R9 R10 R11 R12 | B10 O10 K10"),
        # The opening does not survive: its tens end in three runs.
        (
            "B11 B12 B13 | O7 O8 O9 | K7 K8 K9",
            "B10 O10 K10",
            "B10 B11 B12 B13 | O7 O8 O9 O10 | K7 K8 K9 K10",
        ),
        # It is the tiles that count, not the order in which they were laid.
        ("B1 B2 B3", "R9 R10 R11 B4", "B1 B2 B3 B4 | R9 R10 R11"),
        # The joker is worth more in the opening than where it ends.
        ("R1 R2 R3", "R12 R13 R11 J", "R1 R2 R3 J | R11 R12 R13"),
    ],
)
def test_with_an_opening_among_the_tiles_played_the_rest_of_the_turn_is_free(
    rules: str, before: str, rack: str, after: str
) -> None:
    own = format_tiles(parse_tiles(rack))
    assert played(before, rack, after, rules, opened=False) == own
    for other in NOT_ON_OPENING_TURN:
        error = refused(before, rack, after, other, opened=False)
        assert error.reason is Reason.OPENING_TOUCHES_TABLE


@pytest.mark.parametrize("rules", ON_OPENING_TURN)
@pytest.mark.parametrize(
    ("before", "rack", "after"),
    [
        ("R9 R10 R11", "R12", "R9 R10 R11 R12"),
        ("R9 R10 R11 R12", "B12 K12", "R9 R10 R11 | R12 B12 K12"),
        ("R9 R10 R11", "R12 B9 O9 K9", "R9 R10 R11 R12 | B9 O9 K9"),
        ("", "R1 R2 R3 K7 B7 O7", "R1 R2 R3 | K7 B7 O7"),
    ],
)
def test_without_an_opening_among_the_tiles_played_the_turn_is_refused(
    rules: str, before: str, rack: str, after: str
) -> None:
    error = refused(before, rack, after, rules, opened=False)
    assert error.reason is Reason.OPENING_TOO_LOW


def test_tiles_without_a_meld_are_no_opening_even_when_no_points_are_needed() -> None:
    rules = RuleSet(opening_points=0, manipulate_on_opening_turn=True)
    error = refused("R5 R6 R7", "R8", "R5 R6 R7 R8", rules, opened=False)
    assert error.reason is Reason.OPENING_TOO_LOW
    assert "no meld" in str(error)


def test_one_joker_per_meld_holds_for_an_opening_that_does_not_survive() -> None:
    rules = RuleSet(manipulate_on_opening_turn=True, jokers_per_meld=1)
    turn = ("R10 R11 R12 | B10 B11 B12", "R13 J J", "R10 R11 R12 R13 J | B10 B11 B12 J")
    two = rules.replace(jokers_per_meld=2)
    assert played(*turn, two, opened=False) == "R13 J J"
    assert refused(*turn, rules, opened=False).reason is Reason.OPENING_TOO_LOW
