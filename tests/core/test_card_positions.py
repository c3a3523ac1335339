"""Positions of Rummy and their text."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rummi_env.core.card_positions import (
    CardPosition,
    format_card_position,
    parse_card_position,
)
from rummi_env.core.cards import parse_cards
from rummi_env.core.errors import IllegalAction
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine

FULL = "8c 8d 8h | 2d 3d 4d ; 8s Kd / 2c 3c / 4h ; 9s ; 9h Th ? ; 1 ; 3c ; 0/3/3"


def test_every_field_is_read() -> None:
    position = parse_card_position(FULL)
    assert position.table == (parse_cards("8c 8d 8h"), parse_cards("2d 3d 4d"))
    assert position.racks == tuple(map(parse_cards, ("8s Kd", "2c 3c", "4h")))
    assert position.row == parse_cards("9s")
    assert position.pool == parse_cards("9h Th")
    assert position.pool_rest
    assert position.turn == 1
    assert position.has_drawn
    assert position.taken == 2
    assert position.laid == (0, 3, 3)
    assert len(position.rest) == 52 - 6 - 5 - 1 - 2


@pytest.mark.parametrize(
    "text",
    [
        FULL,
        "; 8s Kd / 2c",
        "; 8s Kd / 2c ; ; 9h",
        "; 8s Kd / 2c ; ; ; 1 ; pool",
        "3c 4c 5c ; 8s Kd / 2c ; Ad Kc ; ? ; 0 ; ; 0/3",
    ],
)
def test_a_position_goes_through_text_unchanged(text: str) -> None:
    position = parse_card_position(text)
    assert parse_card_position(format_card_position(position)) == position
    assert format_card_position(position) == text.removesuffix(" ; ?")


def test_what_is_omitted_has_its_default() -> None:
    position = parse_card_position("; 8s / 2c")
    assert position == CardPosition(racks=((46,), (1,)))
    assert position.laid == (0, 0)
    assert parse_card_position("; 8s / 2c ; ; ").pool_rest is False


@settings(max_examples=60)
@given(st.integers(2, 6), st.integers(0, 2**32), st.integers(0, 150))
# The hand ends in a turn that took a card from the row.
@example(num_players=6, seed=18178386, actions=58)
def test_games_are_placed_again_from_their_positions(
    num_players: int, seed: int, actions: int
) -> None:
    engine = Engine(RummyRules(ace="corner", max_recycles=9), num_players)
    games = engine.new_games(2)
    for index in range(2):
        engine.start(games, index, seed)
    for _ in range(actions):
        if not engine.is_over(games, 0):
            engine.act(games, 0, engine.scripted_action(games, 0, "random"))
    position = engine.position(games, 0)
    text = format_card_position(position)
    read = parse_card_position(text, "corner")
    assert read == position
    if engine.is_over(games, 0):
        return
    engine.place_position(games, 1, read)
    assert engine.position(games, 1) == position
    fields = ("racks", "groups", "gaps", "runs", "run_starts", "run_ends", "mask")
    for field in fields:
        assert np.array_equal(games[0][field], games[1][field]), field


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a position must have racks"),
        ("8c 8d 8h", "a position must have racks"),
        ("; 8s / 8s", "8s is named twice"),
        ("8c 8d 8h ; 8c / 2c", "8c is named twice"),
        ("; 8s / 2c ; 9s ; 9s", "9s is named twice"),
        ("; 8s / 2c ; ; ; 2", "turn must be a seat from 0 to 1, not 2"),
        ("; 8s / 2c ; ; ; x", "turn must be the number of a seat, not 'x'"),
        ("; 8s / 2c ; ; ; 0 ; 2c", "drawn: 2c is neither on the rack of seat 0 nor"),
        ("; 8s / 2c ; ; ; 0 ; deck", "'deck' is not a card"),
        ("; 8s / 2c ; ; ; 0 ; ; 1/0", "laid must not be more than the 0 cards of the"),
        ("8c 8d 8h ; 8s / 2c ; ; ; 0 ; ; 1", "laid must be 2 numbers from 0, not"),
        ("8c 8d 8h ; 8s / 2c ; ; ; 0 ; ; x/1", "laid must be numbers from 0 like 3/0"),
        ("; 8s ; ; ; 0 ; ; 0 ; 0", "a position has the fields table ; racks ; row"),
    ],
)
def test_what_is_no_position_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_card_position(text)


def test_cards_that_are_no_meld_are_refused() -> None:
    with pytest.raises(IllegalAction, match="8c 8d 9h is neither a group"):
        parse_card_position("8c 8d 9h ; 2c / 3c")


def test_a_card_cannot_be_taken_before_the_draw() -> None:
    with pytest.raises(
        ValueError, match="has_drawn must be True when a card was taken"
    ):
        CardPosition(racks=((1,), (2,)), taken=1)


def test_an_engine_refuses_a_position_of_other_players_or_without_cards() -> None:
    engine = Engine("basic", 2)
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    before = games.tobytes()
    with pytest.raises(ValueError, match="has 3 racks, but there are 2 players"):
        engine.place_position(games, 0, parse_card_position("; 2c / 3c / 4c"))
    with pytest.raises(ValueError, match="racks must have a card each"):
        engine.place_position(games, 0, parse_card_position("; 2c / "))
    assert games.tobytes() == before
