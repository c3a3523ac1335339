"""How hands and matches of Rummy end, a test or more for every paragraph.

The numbers are those of part B of the project's rules document: 6 is the end of the
pool, 7 the scores. Positions are written in the notation; seat 0 is to move.
"""

from typing import Any

import numpy as np
import pytest

from rummi_env.core.cards import cards_of
from rummi_env.core.rummy_rules import MAX_HANDS, RummyRules
from rummi_env.games.rummy.engine import Engine
from rummi_env.testing.rummy_hand import Hand

# ---------------------------------------------------------- B.6: the end of the pool

EMPTY = "; 2c 9h / 3c 4h ; 5d 6d 7d Kd ; "
"""A position with an empty pool and four discards; the rest is out of play."""


def test_b_6_an_empty_pool_is_made_anew_of_the_discards_but_the_top_one() -> None:
    pools = set()
    for seed in range(20):
        hand = Hand(EMPTY)
        hand.game["seed"] = seed
        assert hand.options() == ["draw a card", "take the top card"]
        hand.do("draw")
        assert hand.row == "Kd"
        position = hand.engine.position(hand.games, 0)
        new = set(position.racks[0]) - {1, 34}
        assert new | set(position.pool) == {17, 18, 19}
        pools.add((*new, *position.pool))
    # Shuffled: all six orders turn up.
    assert len(pools) == 6


def test_b_6_the_top_card_may_be_taken_instead_and_makes_no_new_pool() -> None:
    hand = Hand(EMPTY)
    hand.do("take")
    assert hand.row == "5d 6d 7d"
    assert hand.game["recycles"] == 0


def test_b_6_turned_over_the_oldest_discard_is_drawn_first_and_known() -> None:
    hand = Hand(EMPTY, recycle="turn_over")
    hand.do("draw")
    assert hand.rack(0) == "2c 5d 9h"
    assert cards_of(hand.game["known"][0]) == (17,)
    assert hand.row == ""
    hand.do("discard 2c")
    hand.do("draw")
    assert hand.rack(1) == "3c 6d 4h"
    hand.do("discard 3c")
    assert hand.row == "2c 3c"


@pytest.mark.parametrize("recycle", ["shuffle", "turn_over"])
def test_b_6_after_so_many_new_pools_the_hand_is_blocked(recycle: Any) -> None:
    hand = Hand(EMPTY, recycle=recycle, max_recycles=2, hands=1)
    drawn = 0
    while not hand.ended:
        if hand.game["pool_size"] == 0:
            assert hand.game["recycles"] < 2
        hand.pass_on()
        drawn += 1
    assert hand.game["recycles"] == 2
    # Shuffled, a pool leaves one card; turned over, none.
    assert drawn == (3 + 3 if recycle == "shuffle" else 4 + 4)
    assert hand.is_over
    assert hand.game["blocked"]
    assert hand.scores == [0, 0]


def test_b_6_without_a_new_pool_the_hand_is_blocked_when_the_pool_is_gone() -> None:
    hand = Hand("; 2c 9h / 3c 4h ; 5d 6d ; Kd", recycle="none")
    hand.do("draw")
    assert not hand.ended
    hand.do("discard Kd")
    assert hand.ended
    assert hand.game["blocked"]


def test_b_6_with_an_empty_pool_and_a_single_discard_that_one_is_taken() -> None:
    hand = Hand("; 2c 9h / 3c 4h ; Kd ; ")
    assert hand.options() == ["take the top card"]
    hand.do("take", "discard 2c")
    assert not hand.ended
    assert hand.options() == ["take the top card"]


@pytest.mark.parametrize(
    ("fields", "scores"),
    [
        ({"block_score": "none"}, [0, 0, 0]),
        ({"block_score": "each_penalty"}, [-11, -8, -15]),
        ({"block_score": "low_hand_wins"}, [0, 10, 0]),
        ({"block_score": "low_hand_wins", "scoring": "penalty"}, [-3, 0, -7]),
    ],
    ids=str,
)
def test_b_6_a_blocked_hand_is_scored_as_the_rules_say(
    fields: dict[str, Any], scores: list[float]
) -> None:
    hand = Hand("; 2c 9h / 3c 5h / Kc 5s ; Qd ; Kd", recycle="none", **fields)
    hand.do("draw", "discard Kd")
    assert hand.scores == scores
    low_hand_wins = fields["block_score"] == "low_hand_wins"
    assert hand.game["rounds_won"][:3].tolist() == [0, low_hand_wins, 0]


def test_b_6_low_hands_that_tie_share() -> None:
    hand = Hand(
        "; 2c 6h / 3c 5h / Kc 5s ; Qd ; Kd", recycle="none", block_score="low_hand_wins"
    )
    hand.do("draw", "discard Kd")
    assert hand.scores == [3.5, 3.5, 0]
    assert hand.game["rounds_won"][:3].tolist() == [0.5, 0.5, 0]


def test_b_6_a_hand_of_too_many_turns_is_blocked() -> None:
    hand = Hand("; 2c 9h / 3c 4h ; Kd ; ?", max_turns=3)
    for _ in range(2):
        hand.pass_on()
        assert not hand.ended
    hand.pass_on()
    assert hand.ended
    assert hand.game["blocked"]


# ------------------------------------------------------------------- B.7: the scores


@pytest.mark.parametrize(
    ("ace", "score"), [("low", 1 + 2 + 10 + 30 + 9), ("both", 66), ("corner", 66)]
)
def test_b_7_the_winner_gets_all_that_the_other_racks_are_worth(
    ace: Any, score: float
) -> None:
    racks = "7c / Ac 2d Tc / Jc Qc Kc 9d"
    hand = Hand(f"4c 5c 6c ; {racks} ; Kd ; 2c ? ; 0 ; ; 3/0/0", ace=ace)
    hand.do("draw", "lay off 7c after 6c", "discard 2c")
    assert hand.scores == [score, 0, 0]
    assert hand.totals == [score, 0, 0]
    assert hand.game["rounds_won"][:3].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("rack", "drawn", "actions"),
    [
        ("4c 5c 6c", "2h", ["meld 4c 5c 6c", "discard 2h"]),
        ("4c 5c 6c", "7c", ["meld 4c 5c 6c", "lay off 7c after 6c"]),
        ("4c 5c 6c 2d 2s", "2c", ["meld 4c 5c 6c", "meld 2c 2d 2s"]),
        ("8s", "2h", ["lay off 8s on the group of 8", "discard 2h"]),
    ],
)
def test_b_7_going_rummy_doubles_the_hand(
    rack: str, drawn: str, actions: list[str]
) -> None:
    for rummy_doubles, score in ((True, 2 * 19), (False, 19)):
        text = f"8c 8d 8h ; {rack} / Kc 9d ; Kd ; {drawn} ? ; 0 ; ; 0/3"
        hand = Hand(text, rummy_doubles=rummy_doubles)
        hand.do("draw", *actions)
        assert hand.scores == [score, 0]


def test_b_7_earlier_discards_do_not_count_against_going_rummy() -> None:
    hand = Hand("; 4c 5c 6c / Kc 9d ; Kd ; 2h 2s Th ?")
    hand.do("draw", "discard 2h", "draw", "discard 2s")
    hand.do("draw", "meld 4c 5c 6c", "discard Th")
    assert hand.scores == [38, 0]


@pytest.mark.parametrize("first", ["meld 4c 5c 6c", "lay off 8s on the group of 8"])
def test_b_7_a_card_laid_in_an_earlier_turn_rules_out_going_rummy(first: str) -> None:
    hand = Hand("8c 8d 8h ; 4c 5c 6c 8s / Kc 9d ; Kd ; 2h 2s Th ? ; 0 ; ; 0/3")
    hand.do("draw", first, "discard 2h", "draw", "discard 2s", "draw")
    rest = {"meld 4c 5c 6c", "lay off 8s on the group of 8"} - {first}
    hand.do(*rest, "discard Th")
    assert hand.scores == [19, 0]


def test_b_7_melds_that_were_not_laid_count_as_loose_cards() -> None:
    hand = Hand("4c 5c 6c ; 7c / Kc Kd Ks ; Qd ; 2c ? ; 0 ; ; 3/0")
    hand.do("draw", "lay off 7c after 6c", "discard 2c")
    assert hand.scores == [30, 0]


def test_b_7_with_penalties_each_of_the_others_loses_the_own_rack() -> None:
    text = "4c 5c 6c ; 7c / Kc 9d / 2d ; Qd ; 2c ? ; 0 ; ; 3/0/0"
    hand = Hand(text, scoring="penalty", target=100)
    hand.do("draw", "lay off 7c after 6c", "discard 2c")
    assert hand.scores == [0, -19, -2]
    assert hand.game["rounds_won"][:3].tolist() == [1, 0, 0]


def test_b_7_the_first_to_reach_the_target_ends_the_match() -> None:
    text = "4c 5c 6c ; 7c / Kc 9d ; Qd ; 2c ? ; 0 ; ; 3/0"
    for target, over in ((19, True), (20, False)):
        hand = Hand(text, target=target)
        hand.do("draw", "lay off 7c after 6c", "discard 2c")
        assert hand.ended
        assert hand.is_over == over
    for target, over in ((19, True), (20, False)):
        hand = Hand(text, target=target, scoring="penalty")
        hand.do("draw", "lay off 7c after 6c", "discard 2c")
        assert hand.is_over == over


@pytest.mark.parametrize("hands", [1, 2, 5])
def test_b_7_a_match_of_so_many_hands_adds_up_their_scores(hands: int) -> None:
    engine = Engine(RummyRules(hands=hands), 3)
    games = engine.new_games(1)
    engine.start(games, 0, hands)
    sums = np.zeros(6)
    played = 0
    while not engine.is_over(games, 0):
        engine.act(games, 0, engine.scripted_action(games, 0, "meld_greedy"))
        if games[0]["round_ended"]:
            sums += games[0]["scores"]
            played += 1
            assert (games[0]["totals"] == sums).all()
            assert games[0]["round"] == played
    assert played == hands
    assert sums.max() > 0


def test_b_7_a_match_to_a_target_that_nobody_reaches_ends_all_the_same() -> None:
    # Nobody scores in a hand that is blocked after one turn.
    engine = Engine(RummyRules(max_turns=1), 2)
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    while not engine.is_over(games, 0):
        engine.act(games, 0, engine.scripted_action(games, 0, "random"))
    assert games[0]["round"] == MAX_HANDS


def test_going_out_brings_the_bonus_on_top() -> None:
    hand = Hand("; 4c 5c 6c / Kc 9d ; Kd ; 2h ?", going_out_bonus=10)
    hand.do("draw", "meld 4c 5c 6c", "discard 2h")
    assert hand.scores == [48, 0]


# ------------------------------------------------------- B.9: hidden melds, as in gin


GIN = "; 4c 5c 6c 7d 8d 9d Td Ks Kh Kc / {} ; 2s ; 3h Qd ?"
OTHER = "Ac 2c 3c 9c 9h Js 5h 6h 8s 2d"


def test_b_9_with_hidden_melds_nothing_is_laid_on_the_table() -> None:
    hand = Hand(GIN.format(OTHER), "straight_gin")
    hand.do("draw")
    assert hand.melds() == hand.layoffs() == []


def test_b_9_a_discard_that_leaves_nothing_but_melds_goes_out() -> None:
    hand = Hand(GIN.format(OTHER), "straight_gin")
    hand.do("draw", "discard 4c")
    assert not hand.ended
    hand = Hand(GIN.format(OTHER), "straight_gin")
    hand.do("draw", "discard 3h")
    assert hand.ended
    # A run of three is no deadwood of the other rack; 25 for going out.
    assert hand.scores == [25 + 9 + 9 + 10 + 5 + 6 + 8 + 2, 0]


def test_b_9_four_cards_that_serve_two_melds_serve_the_better_one() -> None:
    hand = Hand(GIN.format("Jc Js Jd Jh Qh Ts 2c 3d 5h 8s"), "straight_gin")
    hand.do("draw", "discard 3h")
    assert hand.scores == [25 + 10 + 10 + 2 + 3 + 5 + 8, 0]
    hand = Hand(GIN.format("Jc Js Jh Th Qh Ts 2c 3d 5h 8s"), "straight_gin")
    hand.do("draw", "discard 3h")
    assert hand.scores == [25 + 10 + 10 + 10 + 2 + 3 + 5 + 8, 0]


def test_b_9_with_hidden_melds_a_position_has_no_table() -> None:
    with pytest.raises(ValueError, match="the table must be empty where melds are hid"):
        Hand("8c 8d 8h ; 2c / 3c", "straight_gin")


# ------------------------------------------------------------------- illegal actions


def test_a_failed_turn_draws_and_discards_the_costliest_card() -> None:
    hand = Hand("; 2c Jh / 3c 4h ; Kd ; 5s Tc ?")
    hand.engine.fail_turn(hand.games, 0)
    assert hand.rack(0) == "2c 5s"
    assert hand.row == "Kd Jh"
    assert hand.seat == 1


def test_a_failed_turn_leaves_on_the_table_what_was_laid() -> None:
    hand = Hand("; 2c 4h 5h 6h Qc / 3c 4d ; Kd ; 5s ?")
    hand.do("take", "meld 4h 5h 6h")
    hand.engine.fail_turn(hand.games, 0)
    # The king was taken in this turn and may not go back.
    assert hand.rack(0) == "2c Kd"
    assert hand.row == "Qc"
    assert hand.table == "4h 5h 6h"


def test_a_failed_turn_takes_the_top_card_where_nothing_can_be_drawn() -> None:
    hand = Hand("; 2c Jh / 3c 4h ; Kd ; ")
    hand.engine.fail_turn(hand.games, 0)
    assert hand.rack(0) == "2c Kd"
    assert hand.row == "Jh"


def test_a_failed_turn_lays_the_last_card_off_where_it_may_not_be_discarded() -> None:
    hand = Hand("8c 8d 8h ; 4h 5h 6h / 3c 4d ; 7h ; 5s ? ; 0 ; ; 0/3")
    hand.do("take", "meld 4h 5h 6h")
    hand.engine.fail_turn(hand.games, 0)
    assert hand.ended
    assert hand.scores == [14, 0]
