"""The manipulations that the sources describe, one table each, under every preset.

The wording is ours; where a source names tiles without all of them, the rest is ours.
"""

from itertools import islice, permutations

import pytest

from rummi_env import rummikub_v0
from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.notation import format_table, format_tiles, parse_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import tiles_of
from rummi_env.core.verify import verify_turn
from rummi_env.solver import TurnSolver

# Tiles come twice in these positions, and openings are worth something.
PRESETS = [name for name in RuleSet.presets() if RuleSet.preset(name).copies == 2]
END_TURN = 53

MANIPULATIONS = {
    "adding to both ends of a run (sabra)": (
        "B4 B5 B6",
        "B3 B7",
        "B3 B4 B5 B6 B7",
    ),
    "adding the fourth color to a group": (
        "K8 R8 B8",
        "O8",
        "K8 R8 B8 O8",
    ),
    "taking the fourth tile of a group for a run (sabra, triple_s)": (
        "K4 R4 B4 O4",
        "B3 B5 B6",
        "K4 R4 O4 | B3 B4 B5 B6",
    ),
    "adding to a run to free its other end for a group (sabra, triple_s)": (
        "B8 B9 B10",
        "B11 R8 K8",
        "B9 B10 B11 | B8 R8 K8",
    ),
    "splitting a run with a second tile of its middle (sabra, triple_s)": (
        "B4 B5 B6 B7 B8",
        "B6",
        "B4 B5 B6 | B6 B7 B8",
    ),
    "a group of ones from a run, a group and the rack (sabra)": (
        "O1 O2 O3 O4 | K1 R1 B1 O1",
        "B1",
        "O2 O3 O4 | K1 B1 O1 | R1 B1 O1",
    ),
    "three runs and two tiles make three groups and a run (sabra)": (
        "R8 R9 R10 | O8 O9 O10 | B6 B7 B8 B9 B10",
        "K10 B5",
        "R8 B8 O8 | R9 B9 O9 | R10 B10 O10 K10 | B5 B6 B7",
    ),
    "replacing any tile of a group by the fourth color (sabra)": (
        "K8 R8 B8",
        "O8 B9 B10",
        "K8 R8 O8 | B8 B9 B10",
    ),
}


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", MANIPULATIONS)
def test_the_manipulations_of_the_sources_are_legal(name: str, rules: str) -> None:
    before, rack, after = MANIPULATIONS[name]
    played = verify_turn(rules, before, rack, after)
    assert format_tiles(played) == format_tiles(parse_tiles(rack))


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", MANIPULATIONS)
def test_the_solver_finds_them_with_every_tile_played(name: str, rules: str) -> None:
    before, rack, _ = MANIPULATIONS[name]
    best = TurnSolver(rules).turn(before, rack).best("tiles")
    assert best is not None
    assert (best.counts == parse_tiles(rack)).all()
    judged = verify_turn(rules, before, rack, format_table(best.table))
    assert (judged == best.counts).all()


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", MANIPULATIONS)
def test_they_are_played_tile_by_tile_in_any_order(name: str, rules: str) -> None:
    before, rack, _ = MANIPULATIONS[name]
    env = rummikub_v0.raw_env(rules=rules, on_illegal="raise")
    for order in islice(permutations(tiles_of(parse_tiles(rack))), 6):
        env.reset(seed=1, options={"position": f"{before} ; {rack} K1 / R13 ; ? ; 0"})
        for action in (*order, END_TURN):
            env.step(action)
        assert env.infos["player_0"] == {"event": "laid"}
        assert env.position().to_dict()["racks"][0] == "K1"


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", MANIPULATIONS)
def test_none_of_them_is_legal_before_the_opening(name: str, rules: str) -> None:
    before, rack, after = MANIPULATIONS[name]
    with pytest.raises(IllegalAction) as caught:
        verify_turn(rules, before, rack, after, opened=False)
    on_opening_turn = RuleSet.preset(rules).manipulate_on_opening_turn
    assert caught.value.reason is (
        Reason.OPENING_TOO_LOW if on_opening_turn else Reason.OPENING_TOUCHES_TABLE
    )


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", MANIPULATIONS)
def test_none_of_them_may_leave_a_tile_aside(name: str, rules: str) -> None:
    before, rack, after = MANIPULATIONS[name]
    *melds, last = after.split(" | ")
    loose = " | ".join([*melds, last.rpartition(" ")[0], last.rpartition(" ")[2]])
    with pytest.raises(IllegalAction) as caught:
        verify_turn(rules, before, rack, loose)
    assert caught.value.reason is Reason.TOO_SHORT


# Jokers, as each source has them.


@pytest.mark.parametrize("rules", PRESETS)
def test_a_joker_goes_where_its_own_tile_of_the_rack_has_replaced_it(
    rules: str,
) -> None:
    verify_turn(rules, "B4 J B6", "B5 R1 R2", "B4 B5 B6 | R1 R2 J")


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("color", ["B", "O"])
def test_in_a_group_of_three_either_missing_color_replaces_it(
    rules: str, color: str
) -> None:
    turn = ("K8 R8 J", f"{color}8 R1 R2", f"K8 R8 {color}8 | R1 R2 J")
    verify_turn(rules, *turn)


def test_sabra_lets_a_replaced_joker_slip_into_any_meld_of_the_table() -> None:
    turn = ("B4 J B6 | R1 R2 R3", "B5", "B4 B5 B6 | R1 R2 R3 J")
    for rules in ("official", "online", "sabra", "tournament"):
        assert format_tiles(verify_turn(rules, *turn)) == "B5"
    with pytest.raises(IllegalAction) as caught:
        verify_turn("triple_s", *turn)
    assert caught.value.reason is Reason.JOKER_NEEDS_NEW_MELD


def test_triple_s_wants_the_replacing_tile_from_the_rack() -> None:
    turn = ("B4 J B6 | B5 K5 R5 O5", "R1 R2", "B4 B5 B6 | K5 R5 O5 | R1 R2 J")
    for rules in ("official", "online", "sabra", "tournament"):
        assert format_tiles(verify_turn(rules, *turn)) == "R1 R2"
    with pytest.raises(IllegalAction) as caught:
        verify_turn("triple_s", *turn)
    assert caught.value.reason is Reason.JOKER_NOT_RELEASED


@pytest.mark.parametrize("rules", PRESETS)
def test_melds_with_a_joker_are_extended_split_and_taken_apart(rules: str) -> None:
    verify_turn(rules, "B4 J B6", "B7", "B4 J B6 B7")
    verify_turn(rules, "B4 J B6 B7 B8", "B5 B6", "B4 B5 B6 | J B6 B7 B8")
    verify_turn(rules, "B4 J B6 B7", "R4 K4", "B4 R4 K4 | J B6 B7")
