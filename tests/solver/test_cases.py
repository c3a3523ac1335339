"""Hand-worked positions: cases from public bug reports, and adversarial corners.

A case is named after its number in the project's list of evidence. The right answers
follow from the rules, not from the reports.
"""

from itertools import permutations

import numpy as np
import pytest

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.melds import Meld, meld_of
from rummi_env.core.notation import (
    format_table,
    format_tiles,
    parse_meld,
    parse_tiles,
    table_counts,
)
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, counts_of, kind_of
from rummi_env.core.verify import verify_turn
from rummi_env.solver.exact import END_TURN, Turn, TurnSolver
from rummi_env.solver.play import Objective

SOLVER = TurnSolver(RuleSet())

OBJECTIVES: tuple[Objective, ...] = ("tiles", "points")


def opened(table: str, rack: str, played: str = "") -> Turn:
    return SOLVER.turn(table, rack, played=played)


def unopened(rack: str, points: int = 30, table: str = "") -> Turn:
    return TurnSolver(RuleSet(opening_points=points)).turn(table, rack, opened=False)


def playable(turn: Turn) -> str:
    return format_tiles(turn.mask[:END_TURN].astype(np.int8))


def most(turn: Turn, objective: Objective = "tiles") -> str:
    """Return the tiles of the best play, whose table the judge of turns accepts."""
    play = turn.best(objective)
    if play is None:
        return ""
    judged = verify_turn(
        turn.rules, turn.melds, turn.rack, format_table(play.table), turn.opened
    )
    assert (judged == play.counts).all()
    return format_tiles(play.counts)


# ---------------------------------------------------------------------- case by case


def test_case_1_a_group_takes_every_color_once_whatever_the_order_of_input() -> None:
    for rack in permutations(["R13", "O13", "K13", "K13"]):
        turn = unopened(" ".join(rack))
        assert playable(turn) == "K13 R13 O13"
        assert most(turn) == "K13 R13 O13"
        assert turn.count_plays() == (1, True)


def test_case_1_two_tiles_of_one_kind_and_a_joker_are_no_group() -> None:
    assert playable(unopened("B10 B10 J")) == ""


@pytest.mark.parametrize(
    ("rack", "points"),
    [
        ("K10 B10 J", 30),
        ("K10 K11 J K13", 46),
        ("K12 K13 J", 36),
        ("R9 R10 J", 30),
        ("R13 J J", 39),
        ("R12 R13 J", 36),
        ("J R1 R2", 6),
    ],
)
def test_case_2_a_joker_counts_as_the_best_tile_it_can_stand_for(
    rack: str, points: int
) -> None:
    everything = format_tiles(parse_tiles(rack))
    assert most(unopened(rack, points)) == everything
    assert playable(unopened(rack, points)).split() == sorted(
        set(everything.split()), key=everything.index
    )
    assert everything != most(unopened(rack, points + 1))


def test_case_2_two_jokers_and_a_13_are_worth_39_as_a_group_and_36_as_a_run() -> None:
    assert parse_meld("R13 J J").points == 39
    run = meld_of([(JOKER, kind_of(1, 11)), (JOKER, kind_of(1, 12)), kind_of(1, 13)])
    assert run.points == 36
    assert unopened("R13 J J", 40).best() is None


def test_case_3_before_the_opening_the_table_stays_as_it_is() -> None:
    turn = unopened("B10 O10 K10 R12", table="R9 R10 R11")
    assert most(turn) == "K10 B10 O10"
    play = turn.best()
    assert play is not None
    assert format_table(play.table) == "R9 R10 R11 | K10 B10 O10"


def test_case_3_after_the_opening_all_four_tiles_go() -> None:
    assert most(opened("R9 R10 R11", "B10 O10 K10 R12")) == "K10 R12 B10 O10"


@pytest.mark.parametrize("table", ["", "R9 B9 O9"])
def test_case_4_the_same_meld_may_lie_twice(table: str) -> None:
    rack = "R9 B9 O9" if table else "R9 B9 O9 R9 B9 O9"
    assert most(opened(table, rack)) == format_tiles(parse_tiles(rack))


def test_case_4_a_table_with_the_same_run_twice_is_legal() -> None:
    turn = opened("R1 R2 R3 | R1 R2 R3", "R4 R4")
    assert most(turn) == "R4 R4"


@pytest.mark.parametrize(
    ("table", "expected"),
    [("R5 R6 R7", "J"), ("R5 B5 O5", "J"), ("R5 B5 O5 K5", "")],
)
def test_case_5_a_joker_goes_to_a_finished_meld_that_has_room(
    table: str, expected: str
) -> None:
    turn = opened(table, "J")
    assert playable(turn) == expected
    assert most(turn) == expected


def test_case_6_a_joker_ends_a_run() -> None:
    assert most(opened("", "R5 R6 J")) == "R5 R6 J"


def test_case_7_the_tiles_of_a_table_after_are_those_before_and_those_played() -> None:
    melds = ("B5 R5 K5 O5", "R9 R10 R11 R12", "K1 R1 J")
    for order in permutations(melds):
        turn = opened(" | ".join(order), "B4 B6 B7 R13 B1 J K2")
        for play in turn.plays():
            assert (table_counts(play.table) == turn.board + play.counts).all()


def test_case_7_a_refused_turn_leaves_the_question_as_it_was() -> None:
    turn = opened("R5 R6 R7", "R8 R10 K1")
    before = turn.rack.copy(), turn.board.copy(), turn.mask.copy()
    with pytest.raises(IllegalAction) as refusal:
        turn.table_after("R8 R10")
    assert refusal.value.reason == Reason.BROKEN_MELD
    with pytest.raises(IllegalAction) as refusal:
        turn.table_after("K2")
    assert refusal.value.reason == Reason.TILE_NOT_IN_RACK
    assert (turn.rack == before[0]).all()
    assert (turn.board == before[1]).all()
    assert (turn.mask == before[2]).all()


def test_case_10_a_group_of_four_gives_a_tile_to_a_run() -> None:
    turn = opened("B5 R5 K5 O5", "B4 B6 B7")
    assert most(turn) == "B4 B6 B7"
    play = turn.best()
    assert play is not None
    assert sorted(map(str, play.table)) == ["B4 B5 B6 B7", "K5 R5 O5"]


@pytest.mark.parametrize(
    ("copies", "tiles"),
    [
        ((2, 2, 1, 1), 6),
        ((2, 2, 2, 1), 7),
        ((2, 2, 2, 2), 8),
        ((2, 2, 1, 0), 3),
        ((2, 1, 1, 1), 4),
    ],
)
def test_case_11_copies_of_one_number_make_as_many_groups_as_they_can(
    copies: tuple[int, ...], tiles: int
) -> None:
    for order in set(permutations(copies)):
        rack = np.zeros(53, np.int8)
        for color, number in enumerate(order):
            rack[kind_of(color, 7)] = number
        best = SOLVER.turn("", rack).best()
        assert best is not None
        assert best.tiles == tiles


def test_case_12_nothing_played_is_no_play_and_no_opening() -> None:
    turn = opened("", "K1 R5 B9")
    assert turn.best() is None
    assert list(turn.plays()) == []
    assert turn.count_plays() == (0, True)
    assert turn.mask[END_TURN]
    assert turn.table_after("") == ()
    opening = unopened("K1 R5 B9", points=0)
    assert playable(opening) == ""
    assert opening.best() is None
    assert opening.count_plays() == (0, True)


def test_case_12_the_present_table_comes_of_playing_nothing() -> None:
    turn = opened("R5 R6 R7 | K1 R1 J", "R8")
    assert turn.table_after("") == turn.melds
    assert turn.table_after(np.zeros(53, np.int8)) == turn.melds


# ------------------------------------------------------------------ adversarial corners


def test_a_joker_after_13_stands_for_11() -> None:
    turn = opened("", "K12 K13 J")
    assert most(turn) == "K12 K13 J"
    play = turn.best()
    assert play is not None
    assert play.table[0].points == 36
    # K11 would replace the joker, which then has room before K11.
    assert most(opened("K12 K13 J", "K11")) == "K11"
    assert most(opened("K11 K12 K13", "J")) == "J"


def test_two_jokers_before_13_leave_the_choice_of_run_and_group() -> None:
    assert most(opened("J J R13", "R10")) == "R10"
    assert most(opened("J J R13", "K13")) == "K13"
    # A group has four tiles at most, so the second joker would have no place.
    assert most(opened("J J R13", "K13 B13")) == "K13"
    # Jokers become free when their meld gets natural tiles.
    assert most(opened("J J R13", "R11 R12 K1 R1")) == "K1 R1 R11 R12"
    assert most(opened("J J R13", "K1")) == ""
    assert most(opened("J J R13", "K1 K2 K3")) == "K1 K2 K3"


LONG_RUN = " ".join(f"R{number}" for number in range(1, 14))


def test_a_run_of_thirteen_has_room_for_jokers_when_it_is_split() -> None:
    assert most(opened(LONG_RUN, "J")) == "J"
    assert most(opened(LONG_RUN, "J J")) == "J J"


def test_a_run_of_thirteen_splits_for_a_second_tile_of_a_number() -> None:
    for number in range(1, 14):
        expected = f"R{number}" if 3 <= number <= 11 else ""
        assert most(opened(LONG_RUN, f"R{number}")) == expected


def test_two_runs_of_thirteen_take_jokers_and_lend_them_their_ends() -> None:
    table = f"{LONG_RUN} | {LONG_RUN}"
    assert most(opened(table, "J J")) == "J J"
    assert most(opened(table, "K1 B13")) == ""
    assert most(opened(table, "J J K1 B13")) == "K1 B13 J J"


def test_a_run_of_thirteen_gives_all_ends_and_keeps_its_middle() -> None:
    turn = opened(LONG_RUN, "K1 B1 K13 B13 K7 B7")
    assert most(turn) == "K1 K7 K13 B1 B7 B13"


FOURS = " | ".join(
    f"K{number} R{number} B{number} O{number}" for number in range(1, 14)
)


def test_a_table_of_groups_of_four_alone_has_no_room_for_one_joker() -> None:
    table = "K5 R5 B5 O5 | K9 R9 B9 O9"
    assert most(opened(table, "J")) == ""
    assert playable(opened(table, "J K1")) == ""
    assert most(opened(table, "J J", played="J")) == "J J"


def test_a_tile_of_a_group_of_four_makes_a_meld_with_two_jokers() -> None:
    assert most(opened("K5 R5 B5 O5", "J J")) == "J J"
    assert most(opened("K5 R5 B5 O5", "J K6")) == "K6 J"
    assert most(opened("K5 R5 B5 O5", "J J K9")) == "K9 J J"
    assert most(opened("K5 R5 B5", "J J R9")) == "R9 J J"


def test_a_joker_of_the_table_alone_beside_groups_of_four_stays_in_its_meld() -> None:
    table = "K5 R5 B5 O5 | K9 R9 J"
    assert most(opened(table, "B9 O9")) == "B9"
    assert most(opened(table, "B9 O9 O8")) == "B9 O8 O9"


def test_groups_of_four_of_consecutive_numbers_become_runs_with_room() -> None:
    turn = opened("K5 R5 B5 O5 | K6 R6 B6 O6 | K7 R7 B7 O7", "J J")
    assert most(turn) == "J J"
    assert most(opened(FOURS, "J J")) == "J J"


def test_three_groups_of_one_number_need_a_joker_for_the_ninth_tile() -> None:
    rack = "K7 K7 R7 R7 B7 B7 O7 O7"
    assert most(opened("", rack)) == rack
    assert most(opened("", rack + " J")) == rack + " J"
    # With both jokers: three groups, of 4, 3 and 3.
    assert most(opened("", rack + " J J")) == rack + " J J"
    assert playable(opened("K7 R7 B7 O7 | K7 R7 B7 O7", "J")) == "J"


def test_three_groups_of_one_number_give_up_their_jokers() -> None:
    table = "K7 R7 J | B7 O7 J | K7 R7 B7 O7"
    assert most(opened(table, "K6 K8")) == "K6 K8"
    # The eight sevens are two groups without jokers, which are free for one meld.
    assert most(opened(table, "B1 O13")) == "O13"
    assert most(opened(table, "B1 B2")) == "B1 B2"


def test_identical_melds_are_told_apart_by_nothing() -> None:
    table = "K5 K6 K7 | K5 K6 K7 | R9 B9 O9 | R9 B9 O9"
    turn = opened(table, "K8 K8 K4 K9 K9")
    assert most(turn) == "K4 K8 K8 K9 K9"
    play = turn.best()
    assert play is not None
    assert sorted(map(str, play.table))[-2:] == ["R9 B9 O9", "R9 B9 O9"]


def test_both_jokers_of_the_table_can_be_set_free() -> None:
    table = "R5 J R7 | K9 B9 J"
    turn = opened(table, "R6 O9 K1 K2 B1 B2")
    assert most(turn) == "K1 K2 R6 B1 B2 O9"
    assert most(opened(table, "K1 K2 B1 B2")) == ""


def test_both_jokers_of_the_rack_can_go_together_or_apart() -> None:
    assert most(opened("", "R5 J J")) == "R5 J J"
    assert most(opened("", "R5 R6 K9 B9 J J")) == "K9 R5 R6 B9 J J"
    assert most(opened("", "R5 K9 J J"), "points") == "K9 J J"
    assert playable(opened("", "J J")) == ""
    assert playable(opened("", "R5 K9 J")) == ""


def test_most_tiles_and_most_points_are_different_plays() -> None:
    turn = opened("K3 R3 B3 O3", "O1 O2 O4 B4 B5")
    assert most(turn, "tiles") == "O1 O2 O4"
    assert most(turn, "points") == "B4 B5"


def test_a_tie_of_tiles_goes_to_most_points() -> None:
    assert most(opened("K5 R5 B5 O5", "K3 K4 R6 R7")) == "R6 R7"


def test_a_tie_of_points_goes_to_most_tiles() -> None:
    turn = opened("K5 R5 B5 O5", "K1 K3 K4 K6 R6 R7")
    assert most(turn, "points") == "K3 K4 K6"


def test_a_tie_of_tiles_and_points_goes_to_fewest_jokers() -> None:
    rules = RuleSet(joker_rack_value=4)
    turn = TurnSolver(rules).turn("K4 R4 B4", "O4 J")
    assert playable(turn) == "O4 J"
    for objective in OBJECTIVES:
        assert most(turn, objective) == "O4"


def test_a_tie_of_all_else_goes_to_the_lowest_tiles() -> None:
    for objective in OBJECTIVES:
        assert most(opened("K5 R5 J", "B5 O5 K9"), objective) == "B5"
        assert most(opened("K5 R5 B5 O5", "R6 R7 B6 B7"), objective) == "R6 R7"


def sixty_tiles(jokers: int) -> str:
    """Return a rack of sixty tiles that could not open for long: a mixed one."""
    tiles = [kind_of(color, number) for color in range(4) for number in range(1, 14)]
    rack = [*tiles, *tiles[: 8 - jokers], *[JOKER] * jokers]
    return format_tiles(counts_of(rack))


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_a_rack_of_sixty_tiles_opens_with_all_of_them(jokers: int) -> None:
    turn = unopened(sixty_tiles(jokers))
    best = turn.best("tiles")
    assert best is not None
    assert best.tiles == 60
    assert most(turn, "points") == sixty_tiles(jokers)
    expected = parse_tiles(sixty_tiles(jokers)) > 0
    assert (turn.mask[:END_TURN] == expected).all()
    assert turn.mask[END_TURN]


def test_all_tiles_of_the_deck_but_one_lie_on_the_table() -> None:
    deck = [
        parse_meld(" ".join(f"{color}{number}" for number in range(1, 14)))
        for color in "KRBO"
        for _ in range(2)
    ]
    table: list[Meld] = [
        *deck[1:],
        parse_meld("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12"),
    ]
    turn = SOLVER.turn(table, "K13 J J")
    assert most(turn) == "K13 J J"
    assert turn.count_plays() == (5, True)


def test_a_seat_must_play_only_where_the_rules_say_so_and_a_play_exists() -> None:
    must = RuleSet(must_play_when_pool_empty=True)
    free = RuleSet(must_play_when_pool_empty=False)
    for rules, rack, expected in (
        (must, "R8", False),
        (must, "K1", True),
        (free, "R8", True),
    ):
        turn = TurnSolver(rules).turn("R5 R6 R7", rack, pool_empty=True)
        assert turn.mask[END_TURN] == expected
    assert TurnSolver(must).turn("R5 R6 R7", "R8").mask[END_TURN]


# ------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("table", "rack", "played", "named"),
    [
        ("R5 R6 R7", "R14", "", "R14"),
        ("R5 R6 R7", "R8", "R9", "R9"),
        ("R5 R6 R7", "R8", "R8 R8", "R8"),
        ("R5 R6 R7 | R5 R6 R7", "R7", "", "R7"),
        ("R5 R6 R8", "R7", "", "R5 R6 R8"),
        ("R5 R6 X7", "R7", "", "X7"),
    ],
)
def test_a_position_that_cannot_be_is_refused_by_name(
    table: str, rack: str, played: str, named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        SOLVER.turn(table, rack, played=played)


def test_there_is_no_other_objective() -> None:
    with pytest.raises(ValueError, match="objective"):
        opened("", "R5").best("jokers")  # type: ignore[arg-type]
