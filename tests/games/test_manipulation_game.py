"""The preset `manipulation`: a card game on the table of Rummikub.

The paragraph is B.9 of the project's rules document: one deck of 52 cards and a joker,
ten cards each, melds that may be rebuilt whenever a card is added.
"""

import numpy as np
import pytest

from rummi_env import rummikub_v0
from rummi_env.core.errors import IllegalAction
from rummi_env.core.notation import parse_tile
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER
from rummi_env.core.verify import verify_turn
from rummi_env.games.rummikub.engine import Engine
from rummi_env.solver import TurnSolver

RULES = RuleSet.preset("manipulation")
END = 53


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_ten_of_53_cards_are_dealt_to_each(num_players: int) -> None:
    engine = Engine(RULES, num_players)
    games = engine.new_games(1)
    engine.start(games, 0, 5)
    racks = games[0]["racks"][:num_players]
    assert racks.sum(axis=1).tolist() == [10] * num_players
    deck = RULES.deck
    assert deck[:JOKER].tolist() == [1] * 52 and deck[JOKER] == 1
    assert (racks.sum(axis=0) <= deck).all()


def test_any_meld_may_be_the_first() -> None:
    played = verify_turn(RULES, "", "K1 R1 B1 K9", "K1 R1 B1", opened=False)
    assert int(played.sum()) == 3


def test_with_a_meld_of_ones_own_the_table_may_be_rebuilt_at_once() -> None:
    """The six leaves its run, which stays one, and the ten goes on the other."""
    table, rack = "B3 B4 B5 B6 | R7 R8 R9", "K6 R6 R10 K1 R1 B1"
    after = "B3 B4 B5 | K6 R6 B6 | R7 R8 R9 R10 | K1 R1 B1"
    assert int(verify_turn(RULES, table, rack, after, opened=False).sum()) == 6
    best = TurnSolver(RULES).turn(table, rack, opened=False).best("tiles")
    assert best is not None and best.tiles == 6
    with pytest.raises(IllegalAction, match="no meld of their own to open with"):
        verify_turn(RULES, table, "R10", "B3 B4 B5 B6 | R7 R8 R9 R10", opened=False)


def test_a_card_has_to_be_added() -> None:
    env = rummikub_v0.raw_env(rules=RULES)
    position = "B3 B4 B5 B6 | B7 B8 B9 ; R1 / K1 ; K2 K3 ; 0 ; 11"
    env.reset(seed=0, options={"position": position})
    assert np.flatnonzero(env.observe("player_0")["action_mask"]).tolist() == [END]
    env.step(END)
    assert env.infos["player_0"] == {"event": "drew"}


def test_a_second_copy_of_a_card_is_none_of_the_deck() -> None:
    with pytest.raises(ValueError, match="a second R7: the deck has only 1 of it"):
        TurnSolver(RULES).turn("R7 R8 R9", "R7")
    with pytest.raises(ValueError, match="a second J: the deck has only 1 of it"):
        TurnSolver(RULES).turn("R7 R8 J", "J")


def test_cards_left_over_on_the_table_are_refused() -> None:
    with pytest.raises(IllegalAction, match="R7 R8"):
        verify_turn(RULES, "R7 R8 R9", "K9 B9", "R7 R8 | R9 K9 B9", opened=False)


def test_who_is_out_of_cards_wins_what_the_others_hold() -> None:
    env = rummikub_v0.raw_env(rules=RULES, num_players=3)
    position = "R5 R6 R7 ; R8 / K5 B5 / J ; K1 ; 0 ; 111"
    env.reset(seed=0, options={"position": position})
    env.step(parse_tile("R8"))
    env.step(END)
    assert list(env.rewards.values()) == [40.0, -10.0, -30.0]
