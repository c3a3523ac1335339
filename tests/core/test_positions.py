"""Positions as one line of text or as fields by name."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummi_env.core.errors import IllegalAction
from rummi_env.core.notation import parse_table, parse_tile, parse_tiles
from rummi_env.core.positions import (
    Position,
    format_position,
    parse_position,
    position_of,
)
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import tiles_of

FULL = "K3 K4 K5 | R7 B7 J ; R9 J / B1 B2 ; O5 K1 ? ; 1 ; 10 ; B1"


def tiles(text: str) -> tuple[int, ...]:
    return tuple(map(parse_tile, text.split()))


def test_every_field_of_a_position_has_its_place_in_the_line() -> None:
    assert parse_position(FULL) == Position(
        table=parse_table("K3 K4 K5 | R7 B7 J"),
        racks=(tiles("R9 J"), tiles("B1 B2")),
        pool=tiles("O5 K1"),
        pool_rest=True,
        turn=1,
        opened=(True, False),
        played=tiles("B1"),
    )
    assert format_position(parse_position(FULL)) == FULL


@pytest.mark.parametrize("text", ["", "K3 K4 K5", ";", "; R1", "; R1 / B2"])
def test_omitted_fields_have_the_stated_defaults(text: str) -> None:
    position = parse_position(text)
    assert position.pool == ()
    assert position.pool_rest
    assert position.turn == 0
    assert position.opened == (True,) * len(position.racks)
    assert position.played == ()


def test_text_without_racks_has_one_empty_rack() -> None:
    assert parse_position("K3 K4 K5").racks == ((),)


def test_a_pool_is_kept_in_draw_order_and_a_rack_is_not() -> None:
    position = parse_position("; R9 K2 R1 / ; R9 K2 R1")
    assert position.pool == tiles("R9 K2 R1")
    assert position.racks == (tiles("K2 R1 R9"), ())


@pytest.mark.parametrize(
    ("pool", "known", "rest"),
    [("", 0, False), ("?", 0, True), ("K1 K2", 2, False), ("K1 K2 ?", 2, True)],
)
def test_a_pool_says_whether_the_rest_of_the_deck_follows(
    pool: str, known: int, rest: bool
) -> None:
    position = parse_position(f"; R1 / R2 ; {pool}")
    assert (len(position.pool), position.pool_rest) == (known, rest)


def test_the_rest_is_what_is_named_nowhere() -> None:
    rest = parse_position(FULL).rest(RuleSet())
    named = parse_tiles("K3 K4 K5 R7 B7 J R9 J B1 B2 O5 K1")
    assert (rest + named).tolist() == [2] * 53


@pytest.mark.parametrize(
    "text", ["; R1 / R2 ; ; 0 ; 0 1", "; R1/R2;;0;01", ";R1/R2;;;01"]
)
def test_spaces_do_not_matter(text: str) -> None:
    assert format_position(parse_position(text)) == "; R1 / R2 ; ; 0 ; 01"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("; R7 R7 R7", "third R7"),
        ("R5 R6 R7 ; R7 / R7", "third R7"),
        ("; R7 / R7 ; R7", "third R7"),
        ("; J / J ; J", "third J"),
        ("; R7 / X9", "rack of seat 1: 'X9'"),
        ("; R7 / R8 ; R14", "pool: 'R14'"),
        ("; R7 / R8 ; ? R1", "pool: '\\?'"),
        ("; R7 / R8 ; ; 2", "turn must be a seat from 0 to 1, not 2"),
        ("; R7 / R8 ; ; x", "turn must be the number of a seat, not 'x'"),
        ("; R7 / R8 ; ; -1", "turn must be the number of a seat, not '-1'"),
        ("; R7 / R8 ; ; 0 ; 1", "opened must have a flag for each of the 2 racks"),
        ("; R7 / R8 ; ; 0 ; 12", "opened must be a 0 or 1"),
        ("; R7 / R8 ; ; 0 ; 11 ; R8", "rack of seat 0 has too few R8"),
        ("; R7 / R8 ; ; 0 ; 11 ; R7 R7", "rack of seat 0 has too few R7"),
        ("; R7 / R8 ; ; 0 ; 11 ; R7 ; R8", "not 7 of them"),
        ("; R1 / R2 / R3 / R4 / R5", "1 to 4 racks, not 5"),
        ("R5 R6", "R5 R6 is too short"),
    ],
)
def test_an_impossible_position_is_refused_by_what_is_wrong(
    text: str, named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        parse_position(text)


def test_a_position_is_judged_by_the_deck_of_the_rules() -> None:
    small = RuleSet(colors=3, copies=1)
    with pytest.raises(ValueError, match="second R7"):
        parse_position("; R7 / R7", small)
    with pytest.raises(ValueError, match="no O1"):
        parse_position("; O1", small)
    with pytest.raises(IllegalAction):
        parse_position("R5 J J", RuleSet(jokers_per_meld=1))
    (meld,) = position_of(parse_position("R7 B7 J"), small).table
    assert meld.identities == (frozenset({parse_tile("K7")}),)


# ------------------------------------------------------------------- fields by name


@pytest.mark.parametrize(
    "fields",
    [
        {
            "table": "K3 K4 K5 | R7 B7 J",
            "racks": ["R9 J", "B1 B2"],
            "pool": "O5 K1 ?",
            "turn": 1,
            "opened": [True, False],
            "played": "B1",
        },
        {
            "table": ["K3 K4 K5", "R7 B7 J"],
            "racks": [["J", "R9"], ["B1", "B2"]],
            "pool": ["O5", "K1", "?"],
            "turn": "1",
            "opened": "10",
            "played": ["B1"],
        },
        {
            "table": parse_table("K3 K4 K5 | R7 B7 J"),
            "racks": [parse_tiles("R9 J"), list(tiles("B1 B2"))],
            "pool": [*tiles("O5 K1"), "?"],
            "turn": np.int64(1),
            "opened": [1, 0],
            "played": parse_tiles("B1"),
        },
        {
            "table": "K3 K4 K5 | R7 B7 J",
            "racks": "R9 J / B1 B2",
            "pool": "O5 K1 ?",
            "turn": 1,
            "opened": (True, False),
            "played": tiles("B1"),
        },
    ],
)
def test_fields_by_name_make_the_same_position_as_text(fields: dict[str, Any]) -> None:
    assert position_of(fields) == parse_position(FULL)


def test_a_position_is_taken_as_it_is_and_as_text() -> None:
    position = parse_position(FULL)
    assert position_of(position) == position_of(FULL) == position


def test_a_pool_given_as_an_array_is_in_draw_order() -> None:
    pool = tiles("R9 K2 R1")
    position = position_of({"racks": ["", ""], "pool": np.array(pool)})
    assert (position.pool, position.pool_rest) == (pool, False)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({"rack": ["R1"]}, "no field 'rack'"),
        (7, "as text or as a mapping"),
        (["R1"], "as text or as a mapping"),
        ({"racks": 5}, "racks"),
        ({"racks": [5.5]}, "rack of seat 0"),
        ({"racks": [[53]]}, "rack of seat 0: a tile is an index from 0 to 52"),
        ({"racks": [[True]]}, "rack of seat 0: True is not a tile"),
        ({"racks": [np.zeros(52, dtype=int)]}, "rack of seat 0: counts must be"),
        ({"racks": [parse_tiles("R7") * 3]}, "third R7"),
        ({"table": 5}, "table"),
        ({"pool": 5}, "pool"),
        ({"turn": True}, "turn must be the number of a seat, not True"),
        ({"turn": 0.0}, "turn must be the number of a seat"),
        ({"opened": 1}, "opened must be"),
        ({"opened": ["yes"]}, "opened must be"),
        ({"racks": []}, "1 to 4 racks, not 0"),
    ],
)
def test_fields_that_are_no_position_are_refused_by_name(
    value: Any, named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        position_of(value)


# --------------------------------------------------------------------- round trips

TABLES = ["", "K3 K4 K5", "R7 B7 J", "R7 B7 J=K7", "R5 J=R6 J | O1 O2 O3", "J R9 R10"]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw positions of the full deck: racks, pool and played tiles fit together."""
    table = parse_table(draw(st.sampled_from(TABLES)))
    seats = draw(st.integers(1, 4))
    deck = list(tiles_of(parse_position("").rest(RuleSet())))
    for meld in table:
        for tile in meld.tiles:
            deck.remove(tile)
    random.Random(draw(st.integers(0, 2**32))).shuffle(deck)
    sizes = [draw(st.integers(0, 20)) for _ in range(seats)]
    racks = tuple(tuple(deck.pop() for _ in range(size)) for size in sizes)
    turn = draw(st.integers(0, seats - 1))
    return Position(
        table=table,
        racks=racks,
        pool=tuple(deck[: draw(st.integers(0, len(deck)))]),
        pool_rest=draw(st.booleans()),
        turn=turn,
        opened=tuple(draw(st.lists(st.booleans(), min_size=seats, max_size=seats))),
        played=racks[turn][: draw(st.integers(0, len(racks[turn])))],
    )


@given(positions())
def test_a_position_round_trips_as_text(position: Position) -> None:
    text = format_position(position)
    assert parse_position(text) == position
    assert format_position(parse_position(text)) == text


@given(positions())
def test_a_position_round_trips_as_fields_by_name(position: Position) -> None:
    assert position_of(position.to_dict()) == position
