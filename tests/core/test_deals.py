"""Deals as one line of text or as fields by name."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummi_env.core.deals import Deal, deal_of, format_deal, parse_deal
from rummi_env.core.notation import parse_tile, parse_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import tiles_of

TWO = RuleSet(rack_size=2)
TEXT = "R1 R2 / K3 J ; O5 K1 ? ; 1"


def tiles(text: str) -> tuple[int, ...]:
    return tuple(map(parse_tile, text.split()))


def test_every_field_of_a_deal_has_its_place_in_the_line() -> None:
    deal = parse_deal(TEXT, TWO, num_players=2)
    assert deal == Deal(
        racks=(tiles("R1 R2"), tiles("K3 J")),
        pool=tiles("O5 K1"),
        pool_rest=True,
        starter=1,
    )
    assert format_deal(deal) == TEXT


def test_an_omitted_pool_is_the_rest_of_the_deck_and_a_starter_is_not_needed() -> None:
    deal = parse_deal("R1 R2 / K3 J")
    assert (deal.pool, deal.pool_rest, deal.starter) == ((), True, None)
    assert deal.rest(RuleSet()).sum() == 102


def test_a_pool_is_kept_in_draw_order_and_may_be_all_there_is() -> None:
    deal = parse_deal("R1 / K3 ; O5 K1 B2")
    assert (deal.pool, deal.pool_rest) == (tiles("O5 K1 B2"), False)
    assert not parse_deal("R1 / K3 ;").pool_rest


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("R7 R7 / R7 K1", "third R7"),
        ("R7 R7 / K1 K2 ; R7", "third R7"),
        ("J J / J K2", "third J"),
        ("R7 / K1 K2", "rack of seat 0 must have 2 tiles, not 1"),
        ("R7 R8 / K1 K2 K3", "rack of seat 1 must have 2 tiles, not 3"),
        ("R7 R8", "num_players must be an integer from 2 to 4, not 1"),
        ("R7 R8 / K1 X9", "rack of seat 1: 'X9'"),
        ("R7 R8 / K1 K2 ; R14", "pool: 'R14'"),
        ("R7 R8 / K1 K2 ; ; 2", "starter must be a seat from 0 to 1, not 2"),
        ("R7 R8 / K1 K2 ; ; a", "starter must be the number of a seat"),
        ("R7 R8 / K1 K2 ; ; 0 ; 1", "not 4 of them"),
    ],
)
def test_an_impossible_deal_is_refused_by_what_is_wrong(text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        parse_deal(text, TWO)


def test_a_deal_has_a_rack_for_each_player() -> None:
    with pytest.raises(ValueError, match="3 players has 3 racks, not 2"):
        parse_deal(TEXT, TWO, num_players=3)


def test_a_deal_is_of_the_deck_of_the_rules() -> None:
    with pytest.raises(ValueError, match="second R7"):
        parse_deal("R7 R1 / R7 R2", RuleSet(rack_size=2, copies=1))
    with pytest.raises(ValueError, match="no O1"):
        parse_deal("O1 R1 / R7 R2", RuleSet(rack_size=2, colors=3))
    with pytest.raises(ValueError, match="deck is too small"):
        parse_deal("R1 / R2", RuleSet(colors=2, numbers=3))


def test_even_without_rules_no_tile_is_there_three_times() -> None:
    with pytest.raises(ValueError, match="third R7"):
        parse_deal("R7 R7 / R7")


@pytest.mark.parametrize(
    "fields",
    [
        {"racks": ["R1 R2", "K3 J"], "pool": "O5 K1 ?", "starter": 1},
        {"racks": [["R2", "R1"], "J K3"], "pool": ["O5", "K1", "?"], "starter": "1"},
        {
            "racks": [parse_tiles("R1 R2"), tiles("K3 J")],
            "pool": [*tiles("O5 K1"), "?"],
            "starter": np.int64(1),
        },
    ],
)
def test_fields_by_name_make_the_same_deal_as_text(fields: dict[str, Any]) -> None:
    assert deal_of(fields, TWO, 2) == parse_deal(TEXT)


def test_a_deal_is_taken_as_it_is_and_as_text() -> None:
    assert deal_of(parse_deal(TEXT), TWO) == deal_of(TEXT, TWO) == parse_deal(TEXT)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({"pool": "R1"}, "a deal must have racks"),
        ({"racks": ["R1", "R2"], "rack": 1}, "no field 'rack'"),
        (3, "as text or as a mapping"),
        ({"racks": ["R1", "R2"], "starter": True}, "starter must be"),
    ],
)
def test_fields_that_are_no_deal_are_refused_by_name(value: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        deal_of(value)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Draw deals of the full deck."""
    deck = list(tiles_of(RuleSet().deck))
    random.Random(draw(st.integers(0, 2**32))).shuffle(deck)
    size, seats = draw(st.integers(1, 26)), draw(st.integers(2, 4))
    racks = tuple(tuple(deck.pop() for _ in range(size)) for _ in range(seats))
    return Deal(
        racks=racks,
        pool=tuple(deck[: draw(st.integers(0, len(deck)))]),
        pool_rest=draw(st.booleans()),
        starter=draw(st.none() | st.integers(0, seats - 1)),
    )


@given(deals())
def test_a_deal_round_trips_as_text_and_as_fields_by_name(deal: Deal) -> None:
    rules = RuleSet(rack_size=len(deal.racks[0]))
    assert parse_deal(format_deal(deal), rules, len(deal.racks)) == deal
    assert deal_of(deal.to_dict(), rules) == deal
