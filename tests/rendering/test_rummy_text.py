"""A game of Rummy as text."""

import re

import pytest

from rummi_env.core.rummy_rules import RummyRules
from rummi_env.observation.rummy import view_of
from rummi_env.rendering.rummy import text
from rummi_env.testing.rummy_hand import Hand

POSITION = "8c 8d 8h ; 8s 3c 4c 5c Td / 2c Ah 3h ; 9s 9d Kd ; 9h ? ; 0 ; ; 0/3"

GOLDEN = """\
Hand 1 to 150 points, turn 1, 38 cards in the pool, player_0 to play

> player_0   3 cards   3 laid  score: 0  known: Kd
  player_1   3 cards   3 laid  score: 0

Table
  8c 8d 8h
  3c 4c 5c

Laid in this turn
  3c 4c 5c

Row, 2 cards, the top card first (Kd was taken)
  9d 9s

Rack of player_1
  2c
  Ah 3h
"""


@pytest.fixture
def hand() -> Hand:
    hand = Hand(POSITION)
    hand.do("take", "meld 3c 4c 5c")
    return hand


def test_a_seat_is_shown_the_table_the_row_and_its_own_rack(hand: Hand) -> None:
    assert text(view_of(hand.game, hand.rules, 2, 1), hand.rules) == GOLDEN


def test_the_other_racks_are_shown_on_demand_alone(hand: Hand) -> None:
    view = view_of(hand.game, hand.rules, 2, 1)
    shown = text(view, hand.rules, ("Ann", "Bob"), reveal=[(7,), (9, 12)])
    assert shown.endswith("Rack of Bob\n  2c\n  Ah 3h\n\nRack of Ann\n  8c\n")
    assert "> Ann " in shown


def test_colors_change_no_column(hand: Hand) -> None:
    colored = text(view_of(hand.game, hand.rules, 2, 1), hand.rules, color=True)
    assert "\x1b[31m8d\x1b[0m" in colored
    assert "\x1b[31m8c" not in colored
    assert re.sub("\x1b\\[[0-9]+m", "", colored) == GOLDEN


def test_an_empty_table_and_a_match_of_hands_are_shown_as_such() -> None:
    hand = Hand("; 2c 3c / 4c ; ; ?", hands=3)
    shown = text(view_of(hand.game, hand.rules, 2, 0), hand.rules)
    assert shown.startswith("Hand 1 of 3, turn 1, 49 cards in the pool, player_0 to dr")
    assert "Table\n  none\n" in shown
    assert "Row, 0 cards, the top card first\n  none\n" in shown


def test_one_card_is_told_as_one() -> None:
    hand = Hand("; 2c 3c / 4c ; 5d ; 6d ?")
    shown = text(view_of(hand.game, hand.rules, 2, 0), hand.rules)
    assert "Row, 1 card, the top card first\n  5d\n" in shown
    assert "  player_1    1 card   0 laid" in shown


def test_a_pool_that_was_turned_over_is_shown() -> None:
    hand = Hand("; 2c 3c / 4c ; 5d 6d 7d ; ", recycle="turn_over")
    hand.do("draw")
    shown = text(view_of(hand.game, hand.rules, 2, 0), hand.rules)
    assert "Pool, turned over\n  6d 7d\n" in shown


def test_a_match_that_is_over_says_so() -> None:
    hand = Hand("4c 5c 6c ; 7c / Kc 9d ; Qd ; 2c ? ; 0 ; ; 3/0", target=19)
    hand.do("draw", "lay off 7c after 6c", "discard 2c")
    shown = text(view_of(hand.game, hand.rules, 2, 0), hand.rules)
    assert shown.startswith("Hand 1 to 19 points, ")
    assert "the match is over" in shown.splitlines()[0]
    assert "player_0   0 cards   4 laid  score: 19" in shown


def test_the_number_of_names_is_checked(hand: Hand) -> None:
    view = view_of(hand.game, hand.rules, 2, 0)
    with pytest.raises(ValueError, match="there must be 2 names, not 1"):
        text(view, RummyRules(), ("Ann",))
