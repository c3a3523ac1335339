"""Positions of Rummy pe tabla and their text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummi_env import tabla_v0
from rummi_env.core.notation import parse_tile
from rummi_env.core.tabla_positions import (
    format_tabla_position,
    parse_tabla_position,
    tabla_position_of,
)
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.games.tabla.engine import Engine
from rummi_env.testing import invariants

FIRST = "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 R1"
SECOND = "B1 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13"
RACKS = f"{FIRST} / {SECOND}"
FULL = f"{FIRST} / {SECOND} R9 ; R5 J ; O3 O4 ? ; R13 ; 1 ; R9"


def tiles(text: str) -> tuple[int, ...]:
    return tuple(map(parse_tile, text.split()))


def test_every_field_is_read() -> None:
    position = parse_tabla_position(FULL)
    assert position.racks == (tiles(FIRST), tiles(f"{SECOND} R9"))
    assert position.row == tiles("R5 J")
    assert position.pool == tiles("O3 O4")
    assert position.pool_rest
    assert position.atu == parse_tile("R13")
    assert position.turn == 1
    assert position.asked == "discard"
    assert position.taken == parse_tile("R9")
    assert len(position.rest) == 106 - 29 - 2 - 2 - 1


@pytest.mark.parametrize(
    "text",
    [
        FULL,
        RACKS,
        f"{RACKS} ; R5 ; ? ; ; 1",
        f"{RACKS} ; ; ; R13",
        f"{FIRST} R2 / {SECOND} ; ; ? ; R13 ; 0 ; pool",
        f"{FIRST} R2 / {SECOND} ; ; ? ; R13 ; 1 ; doubles ; / B1",
    ],
)
def test_a_position_goes_through_text_unchanged(text: str) -> None:
    position = parse_tabla_position(text)
    assert format_tabla_position(position) == text
    assert tabla_position_of(position.to_dict()) == position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (";", "a position must have racks"),
        (FIRST, "there must be 2 to 4 racks, not 1"),
        (f"{FIRST} / B1", "the rack of seat 1 must have 14 or 15 tiles, not 1"),
        (f"{RACKS} ; K1 K1", "the deck has only 2 of K1, not 3"),
        (f"{RACKS} ; ; ; ; 2", "turn must be a seat from 0 to 1, not 2"),
        (f"{RACKS} ; ; K1", "the atu must be named where the pool names all"),
        (f"{RACKS} ; ; ? ; R1 R2", "the atu is one tile, not R1 R2"),
        (f"{RACKS} ; ; ? ; ; 0 ; pool", "seat 0 alone must have 15 tiles when a tile"),
        (f"{FIRST} R2 / {SECOND}", "no seat must have 15 tiles when a tile is to be d"),
        (f"{RACKS} ; ; ? ; ; 0 ; doubles", "the seat that has the first turn, and no"),
        (
            f"{FIRST} R2 / {SECOND} ; R3 ; ? ; ; 0 ; doubles",
            "the row must be empty while doubles are declared",
        ),
        (
            f"{FIRST} R2 / {SECOND} ; ; ? ; ; 0 ; R3",
            "drawn: R3 is not on the rack of seat 0",
        ),
        (
            f"{FIRST} R2 / {SECOND} ; ; ? ; ; 1 ; doubles ; K1",
            "declared: the rack of seat 0 has no double of K1",
        ),
        (f"{RACKS} ; ; ? ; ; 0 ; ; / B1", "declared must be empty once doubles are"),
        (f"{RACKS} ; ; ? ; ; 0 ; ; ; 1", "a position has the fields racks ; row"),
        (f"{RACKS} ; ; ? ; ; 0 ; K14", "'K14' is not a tile"),
    ],
)
def test_what_is_wrong_is_named(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_tabla_position(text)


def test_a_mapping_says_the_same_with_names_or_indices() -> None:
    racks = [tiles(FIRST), np.bincount(tiles(SECOND), minlength=53)]
    position = tabla_position_of({"racks": racks, "row": ["R5"], "turn": 1})
    assert position == parse_tabla_position(f"{RACKS} ; R5 ; ? ; ; 1")
    with pytest.raises(ValueError, match="a position has no field 'table', only racks"):
        tabla_position_of({"racks": racks, "table": ""})


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 120))
def test_deals_are_placed_again_from_their_positions(
    num_players: int, seed: int, actions: int
) -> None:
    rules = TablaRules()
    engine = Engine(rules, num_players)
    games = engine.new_games(2)
    engine.start(games, 0, seed)
    rng = np.random.default_rng(seed)
    for _ in range(actions):
        engine.act(games, 0, int(rng.choice(np.flatnonzero(games["mask"][0]))))
        if engine.is_over(games, 0):
            engine.start(games, 0, seed + 1)
    position = engine.position(games, 0)
    assert parse_tabla_position(format_tabla_position(position)) == position
    engine.start(games, 1, seed + 2)
    engine.place_position(games, 1, position)
    assert engine.position(games, 1) == position
    for name in ("racks", "row", "atu", "seat", "phase", "taken", "declared", "mask"):
        assert (games[name][0] == games[name][1]).all(), name


def test_a_match_starts_where_the_options_say() -> None:
    env = tabla_v0.raw_env(num_players=2)
    env.reset(seed=1, options={"position": FULL})
    assert env.agent_selection == "player_1"
    assert env.position().pool[:2] == tiles("O3 O4")
    assert not env.observe("player_1")["action_mask"][parse_tile("R9")]
    env.step(parse_tile("B13"))
    env.step(106)
    assert env.position().racks[0].count(parse_tile("O3")) == 1
    first = env.position().pool
    env.reset(seed=2, options={"position": FULL})
    assert env.position().pool[2:] != first[1:]
    with pytest.raises(ValueError, match="a position for 2 players has 2 racks, not 3"):
        env.reset(options={"position": f"{RACKS} / {FIRST}"})


def test_a_closing_from_a_position_pays_what_its_form_does() -> None:
    shown = "R1 R2 R3 B5 B6 B7 B8 K9 R9 B9 O9 K12 R12 B12"
    env = tabla_v0.raw_env(num_players=2, rules=TablaRules(rounds=1))
    position = f"{shown} J / {FIRST.replace('K9 ', 'O1 ')} ; ; ? ; K4 ; 0 ; pool"
    env.reset(seed=1, options={"position": position})
    env.step(105)
    assert env.rewards == {"player_0": 500.0, "player_1": -500.0}


def test_doubles_are_declared_on_from_a_position() -> None:
    position = f"{FIRST} R1 / {SECOND} ; ; ? ; R13 ; 1 ; doubles ; R1"
    env = tabla_v0.raw_env(num_players=2)
    env.reset(seed=1, options={"position": position})
    assert env.agent_selection == "player_1"
    env.step(parse_tile("B1"))
    env.step(108)
    assert env.position().racks[0].count(parse_tile("B1")) == 1
    assert env.position().asked == "discard"
    bare = tabla_v0.raw_env(rules=TablaRules(exchange_doubles=False))
    with pytest.raises(ValueError, match="doubles are not declared under these rules"):
        bare.reset(options={"position": position})


def test_placed_deals_keep_what_always_holds() -> None:
    env = tabla_v0.raw_env(num_players=2)
    env.reset(seed=1, options={"position": FULL})
    rng = np.random.default_rng(0)
    for _ in range(40):
        invariants(env)
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
