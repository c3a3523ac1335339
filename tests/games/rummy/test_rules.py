"""Every paragraph of the rules of Rummy, one test or more each.

The numbers are those of part B of the project's rules document. Positions are written
in the notation; in each, seat 0 is to move unless it says otherwise.
"""

from typing import Any

import numpy as np
import pytest

from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine
from rummi_env.games.rummy.state import MELD_RUN
from rummi_env.testing.rummy_hand import Hand

BASIC = RummyRules()


# ------------------------------------------------------------------------ B.1: setup


@pytest.mark.parametrize(
    ("players", "cards", "pool"),
    [(2, 10, 31), (3, 7, 30), (4, 7, 23), (5, 6, 21), (6, 6, 15)],
)
def test_b_1_each_gets_cards_by_the_number_of_players_and_one_is_turned_up(
    players: int, cards: int, pool: int
) -> None:
    engine = Engine(BASIC, players)
    games = engine.new_games(1)
    engine.start(games, 0, 3)
    position = engine.position(games, 0)
    assert [len(rack) for rack in position.racks] == [cards] * players
    assert len(position.row) == 1
    assert len(position.pool) == pool
    assert position.table == ()
    assert position.rest == ()


def test_b_1_each_seat_begins_the_first_hand_about_as_often() -> None:
    engine = Engine(BASIC, 3)
    games = engine.new_games(1)
    starts = np.zeros(3)
    for seed in range(3_000):
        engine.start(games, 0, seed)
        assert games[0]["seat"] == games[0]["starter"]
        starts[games[0]["starter"]] += 1
    # Five standard deviations.
    assert (abs(starts - 1_000) < 130).all()


def test_b_1_the_deal_rotates() -> None:
    engine = Engine(RummyRules(hands=6), 3)
    games = engine.new_games(1)
    engine.start(games, 0, 8)
    starters = [int(games[0]["starter"])]
    while not engine.is_over(games, 0):
        engine.act(games, 0, engine.scripted_action(games, 0, "meld_greedy"))
        if games[0]["round_ended"] and not engine.is_over(games, 0):
            starters.append(int(games[0]["starter"]))
            assert games[0]["seat"] == starters[-1]
    assert starters == [(starters[0] + hand) % 3 for hand in range(6)]


def test_b_1_play_goes_from_seat_to_seat() -> None:
    hand = Hand("; 2c 9h / 3c 9d / 4c 9s ; Kd ; ?")
    for seat in (0, 1, 2, 0):
        assert hand.seat == seat
        hand.pass_on()


# ------------------------------------------------------------------------- B.2: turn


def test_b_2_a_turn_begins_with_a_card_of_the_pool_or_the_row() -> None:
    hand = Hand("; 2c 9h / 3c ; Jd Kd ; 5s 6s")
    assert hand.options() == ["draw a card", "take the top card"]
    hand.do("draw")
    assert hand.rack(0) == "2c 9h 5s"
    assert hand.row == "Jd Kd"
    hand = Hand("; 2c 9h / 3c ; Jd Kd ; 5s 6s")
    hand.do("take")
    assert hand.rack(0) == "2c Kd 9h"
    assert hand.row == "Jd"
    assert len(hand.engine.position(hand.games, 0).pool) == 2


def test_b_2_a_discard_ends_the_turn_and_lies_on_top() -> None:
    hand = Hand("; 2c 9h / 3c 4h ; Kd ; 5s 6s")
    hand.do("draw", "discard 9h")
    assert hand.row == "Kd 9h"
    assert hand.seat == 1
    hand.do("take")
    assert hand.rack(1) == "3c 4h 9h"


def test_b_2_melding_and_laying_off_are_no_duty() -> None:
    hand = Hand("8c 8d 8h ; 8s 4h 5h 6h 2c / 3c ; Kd ; ?")
    hand.do("draw")
    assert hand.melds() == ["meld 4h 5h 6h"]
    assert hand.layoffs() == ["lay off 8s on the group of 8"]
    hand.do("discard 8s")
    assert hand.seat == 1


def test_b_2_a_card_taken_from_the_row_may_not_be_discarded_in_the_same_turn() -> None:
    hand = Hand("; 2c 9h / 3c 4h ; Kd ; 5s 6s 7s")
    hand.do("take")
    assert hand.options() == ["discard 2c", "discard 9h"]
    hand.do("discard 2c", "draw", "discard 3c", "draw")
    # In a later turn it may.
    assert hand.may("discard Kd")


def test_b_2_a_card_of_the_pool_may_be_discarded_at_once() -> None:
    hand = Hand("; 2c 9h / 3c 4h ; Kd ; 5s 6s")
    hand.do("draw", "discard 5s")
    assert hand.rack(0) == "2c 9h"


def test_b_2_several_melds_and_layoffs_go_together_in_any_order() -> None:
    hand = Hand("8c 8d 8h ; 8s 4h 5h 6h 2c 2d 2s 7h Kc / 3c ; Kd ; ?")
    hand.do("draw")
    hand.do("meld 4h 5h 6h", "lay off 8s on the group of 8", "meld 2c 2d 2s")
    hand.do("lay off 7h after 6h", "discard Kc")
    assert hand.table == "2c 2d 2s | 8c 8d 8h 8s | 4h 5h 6h 7h"


def test_b_2_max_melds_per_turn_limits_melds_and_not_layoffs() -> None:
    text = "8c 8d 8h ; 8s 4h 5h 6h 2c 2d 2s Kc / 3c 3d ; Kd ; ?"
    hand = Hand(text, max_melds_per_turn=1)
    hand.do("draw")
    assert hand.melds() == ["meld 4h 5h 6h", "meld 2c 2d 2s"]
    hand.do("meld 4h 5h 6h")
    assert hand.melds() == []
    hand.do("lay off 8s on the group of 8", "discard Kc")
    hand.pass_on()
    hand.do("draw")
    assert hand.melds() == ["meld 2c 2d 2s"]


def test_b_2_melds_are_laid_in_the_first_turn_too() -> None:
    engine = Engine(BASIC, 2)
    games = engine.new_games(1)
    for seed in range(400):
        engine.start(games, 0, seed)
        engine.act(games, 0, 0)
        if games[0]["mask"][MELD_RUN:].any():
            return
    pytest.fail("no deal had a meld")


# ------------------------------------------------------------------------ B.3: melds


def test_b_3_three_or_four_of_a_rank_are_a_group() -> None:
    hand = Hand("; 8c 8d 8h 8s 9c 9d Kc / 3c ; Kd ; 2h")
    hand.do("draw")
    assert hand.melds() == [
        "meld 8d 8h 8s",
        "meld 8c 8h 8s",
        "meld 8c 8d 8s",
        "meld 8c 8d 8h",
        "meld 8c 8d 8h 8s",
    ]
    hand.do("meld 8c 8d 8h 8s")
    assert hand.table == "8c 8d 8h 8s"
    assert hand.rack(0) == "9c Kc 9d 2h"


def test_b_3_three_or_more_in_sequence_of_a_suit_are_a_run() -> None:
    hand = Hand("; 5c 6c 7c 8c 9d 8h Tc / 3c ; Kd ; 2h")
    hand.do("draw")
    assert hand.melds() == ["meld 5c 6c 7c", "meld 6c 7c 8c"]
    hand.do("meld 5c 6c 7c", "lay off 8c after 7c")
    assert hand.table == "5c 6c 7c 8c"


@pytest.mark.parametrize(
    ("ace", "melds"),
    [
        ("low", ["meld Ac 2c 3c"]),
        ("both", ["meld Ac 2c 3c", "meld Qc Kc Ac"]),
        ("corner", ["meld Ac 2c 3c", "meld Qc Kc Ac", "meld Kc Ac 2c"]),
    ],
)
def test_b_3_the_ace_is_low_or_as_the_variant_says(ace: Any, melds: list[str]) -> None:
    hand = Hand("; Ac 2c 3c Qc Kc 9d / 3d ; Kd ; 2h", ace=ace)
    hand.do("draw")
    assert hand.melds() == melds


@pytest.mark.parametrize(
    ("ace", "layoffs"),
    [
        ("low", []),
        ("both", ["lay off Ac after Kc"]),
        ("corner", ["lay off Ac after Kc"]),
    ],
)
def test_b_3_an_ace_goes_on_a_king_only_where_it_may_be_high(
    ace: Any, layoffs: list[str]
) -> None:
    hand = Hand("Jc Qc Kc ; Ac 2c 9d / 3d ; Kd ; 2h", ace=ace)
    hand.do("draw")
    assert hand.layoffs() == layoffs
    if layoffs:
        hand.do(*layoffs)
        corner = ["lay off 2c after Ac"] if ace == "corner" else []
        assert hand.layoffs() == corner


def test_b_3_no_king_goes_below_an_ace_unless_runs_go_round_the_corner() -> None:
    for ace, layoffs in (("both", []), ("corner", ["lay off Kc before Ac"])):
        hand = Hand("Ac 2c 3c ; Kc 9d / 3d ; Kd ; 2h", RummyRules(), ace=ace)
        hand.do("draw")
        assert hand.layoffs() == layoffs


# ------------------------------------------------------------------- B.4: laying off


def test_b_4_three_eights_take_a_fourth() -> None:
    hand = Hand("8c 8d 8h ; Kd 2s / 8s 3c 4h ; 5c ; ? ; 1 ; ; 3/0")
    hand.do("draw", "lay off 8s on the group of 8")
    assert hand.table == "8c 8d 8h 8s"
    assert "8s" not in hand.rack(1)


@pytest.mark.parametrize("cards", [["7h"], ["Jh"], ["7h", "Jh"], ["Jh", "7h"]])
def test_b_4_eight_nine_ten_of_hearts_take_the_seven_the_jack_or_both(
    cards: list[str],
) -> None:
    hand = Hand("8h 9h Th ; Kd 2s / 7h Jh 3c 4d ; 5c ; ? ; 1 ; ; 3/0")
    hand.do("draw")
    assert hand.layoffs() == ["lay off 7h before 8h", "lay off Jh after Th"]
    where = {"7h": "before 8h", "Jh": "after Th"}
    hand.do(*(f"lay off {card} {where[card]}" for card in cards))
    below, above = ("7h " * ("7h" in cards)), (" Jh" * ("Jh" in cards))
    assert hand.table == f"{below}8h 9h Th{above}"


def test_b_4_three_four_five_of_clubs_take_the_six_and_then_the_seven() -> None:
    hand = Hand("3c 4c 5c ; Kd 2s / 6c 7c 3h 4d ; 5d ; ? ; 1 ; ; 3/0")
    hand.do("draw")
    assert hand.layoffs() == ["lay off 6c after 5c"]
    hand.do("lay off 6c after 5c")
    assert hand.layoffs() == ["lay off 7c after 6c"]
    hand.do("lay off 7c after 6c")
    assert hand.table == "3c 4c 5c 6c 7c"


def test_b_4_cards_are_laid_off_on_own_melds_too() -> None:
    hand = Hand("; 3c 4c 5c 6c Kd 9h / 2s ; 5d ; ?")
    hand.do("draw", "meld 3c 4c 5c")
    assert hand.layoffs() == ["lay off 6c after 5c"]


def test_b_4_a_card_that_fits_two_melds_goes_where_the_player_says() -> None:
    for where, table in (
        ("on the group of 8", "8c 8d 8h 8s | 5s 6s 7s"),
        ("after 7s", "8c 8d 8h | 5s 6s 7s 8s"),
    ):
        hand = Hand("8c 8d 8h | 5s 6s 7s ; 8s 2d 3h / Kd ; 5d ; ?")
        hand.do("draw")
        assert len(hand.layoffs()) == 2
        hand.do(f"lay off 8s {where}")
        assert hand.table == table


def test_b_4_a_card_between_two_runs_joins_the_one_that_the_player_says() -> None:
    for where, table in (
        ("after 5c", "3c 4c 5c 6c | 7c 8c 9c"),
        ("before 7c", "3c 4c 5c | 6c 7c 8c 9c"),
    ):
        hand = Hand("3c 4c 5c | 7c 8c 9c ; 6c 2d 3h / Kd ; 5d ; ?")
        hand.do("draw", f"lay off 6c {where}")
        assert hand.table == table


def test_b_4_a_card_in_a_meld_does_not_move_to_another() -> None:
    # The 8c would be free in a group of four, but it stays; no meld is split either.
    hand = Hand("8c 8d 8h 8s | 2d 3d 4d 5d ; 9c Tc 6h / Kd ; 5h ; ?")
    hand.do("draw")
    assert hand.melds() == hand.layoffs() == []


def test_b_4_layoff_needs_own_meld_closes_the_table_until_the_first_meld() -> None:
    text = "8c 8d 8h ; 8s 4h 5h 6h 2c / 3c ; Kd ; ?"
    hand = Hand(text, layoff_needs_own_meld=True)
    hand.do("draw")
    assert hand.layoffs() == []
    hand.do("meld 4h 5h 6h")
    assert hand.layoffs() == ["lay off 8s on the group of 8"]
    opened = Hand(f"{text} ; 0 ; ; 3/0", layoff_needs_own_meld=True)
    opened.do("draw")
    assert opened.layoffs() == ["lay off 8s on the group of 8"]


# -------------------------------------------------------------------- B.5: going out


@pytest.mark.parametrize(
    ("rack", "actions"),
    [
        ("6h 7h", ["meld 5h 6h 7h"]),
        ("Kd", ["lay off 5h after 4h", "discard Kd"]),
        ("6h", ["lay off 5h after 4h", "lay off 6h after 5h"]),
    ],
)
def test_b_5_the_last_card_is_melded_laid_off_or_discarded(
    rack: str, actions: list[str]
) -> None:
    hand = Hand(f"8c 8d 8h | 2h 3h 4h ; {rack} / 9c ; Qs ; 5h ? ; 0 ; ; 3/3")
    hand.do("draw")
    for action in actions:
        assert not hand.ended
        hand.do(action)
    assert hand.ended


def test_b_5_nobody_else_plays_once_a_player_is_out() -> None:
    hand = Hand("8c 8d 8h ; 8s / 9c 9d 9h / Tc ; Qs ; 2h ? ; 0 ; ; 3/0/0", hands=2)
    hand.do("draw", "lay off 8s on the group of 8", "discard 2h")
    assert hand.ended
    assert hand.scores == [27 + 10, 0, 0]
    assert hand.game["round"] == 1


def test_b_5_must_discard_last_forbids_going_out_without_a_discard() -> None:
    text = "8c 8d 8h ; 4h 5h / 9c 9d ; Qs ; 6h ? ; 0 ; ; 0/3"
    hand = Hand(text, must_discard_last=True)
    hand.do("draw")
    assert hand.melds() == []
    assert hand.options() == ["discard 4h", "discard 5h", "discard 6h"]
    text = "8c 8d 8h ; 8s / 9c 9d ; Qs ; 2h ? ; 0 ; ; 0/3"
    hand = Hand(text, must_discard_last=True)
    hand.do("draw", "lay off 8s on the group of 8")
    assert hand.options() == ["discard 2h"]
    hand.do("discard 2h")
    assert hand.ended


def test_b_5_a_meld_may_not_leave_the_card_just_taken_alone_where_it_fits_nowhere() -> (
    None
):
    hand = Hand("8c 8d 8h ; 4h 5h 6h / 9c 9d ; Qs ; 2h ? ; 0 ; ; 0/3")
    hand.do("take")
    assert hand.melds() == []
    # One that fits, or one of the pool, is no dead end.
    for top, drawn in (("8s", "take"), ("7h", "take"), ("2h", "draw")):
        hand = Hand(f"8c 8d 8h ; 4h 5h 6h / 9c 9d ; {top} ; 2c ? ; 0 ; ; 0/3")
        hand.do(drawn)
        assert "meld 4h 5h 6h" in hand.melds()


def test_b_5_a_layoff_may_not_leave_the_card_just_taken_alone_either() -> None:
    hand = Hand("8c 8d 8h ; 8s / 9c 9d ; Qs ; 2h ? ; 0 ; ; 0/3")
    hand.do("take")
    assert hand.options() == ["discard 8s"]
    # But the card laid off may open the place for it.
    hand = Hand("3c 4c 5c ; 6c / 9c 9d ; 7c ; 2h ? ; 0 ; ; 0/3")
    hand.do("take")
    assert hand.layoffs() == ["lay off 6c after 5c"]
    hand.do("lay off 6c after 5c")
    assert hand.options() == ["lay off 7c after 6c"]
    hand.do("lay off 7c after 6c")
    assert hand.ended
