"""Cards, their sets and their notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummi_env.core.cards import (
    ALL_CARDS,
    bits_of,
    card_name,
    card_of,
    cards_of,
    format_cards,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from rummi_env.core.tiles import kind_of

SUBSETS = st.sets(st.integers(0, 51)).map(sorted).map(tuple)


def test_a_card_has_the_index_of_the_tile_of_its_place() -> None:
    for suit in range(4):
        for rank in range(1, 14):
            card = card_of(suit, rank)
            assert card == kind_of(suit, rank)
            assert (suit_of(card), rank_of(card)) == (suit, rank)


def test_every_card_is_read_back_from_its_name() -> None:
    names = [card_name(card) for card in range(52)]
    clubs = "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    assert " ".join(names[:13]) == clubs
    assert [name[1] for name in names[::13]] == ["c", "d", "h", "s"]
    assert [parse_card(name) for name in names] == [*range(52)]
    assert [parse_card(name.swapcase()) for name in names] == [*range(52)]


def test_a_ten_may_be_written_as_a_number() -> None:
    assert parse_cards("10c 10D 10h TS") == (9, 22, 35, 48)


@given(SUBSETS)
def test_cards_go_through_text_and_through_sets_unchanged(
    cards: tuple[int, ...],
) -> None:
    assert parse_cards(format_cards(cards)) == cards
    assert cards_of(bits_of(cards)) == cards


def test_all_cards_are_the_whole_deck() -> None:
    assert cards_of(ALL_CARDS) == tuple(range(52))


@pytest.mark.parametrize("token", ["", "1c", "Ax", "11h", "c8", "8", "J", "8c8d"])
def test_what_is_no_card_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match=f"'{token}' is not a card: a card is a rank"):
        parse_card(token)


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="8d is named twice: a deck has one of it"):
        parse_cards("8d 9d 8D")


@pytest.mark.parametrize("card", [-1, 52])
def test_an_index_that_is_no_card_is_refused(card: int) -> None:
    for function in (card_name, suit_of, rank_of, lambda card: bits_of([card])):
        with pytest.raises(ValueError, match=f"from 0 to 51, not {card}"):
            function(card)


@pytest.mark.parametrize(
    ("suit", "rank", "why"), [(4, 1, "suit must be from 0 to 3"), (0, 14, "rank must")]
)
def test_a_suit_or_rank_that_does_not_exist_is_refused(
    suit: int, rank: int, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        card_of(suit, rank)
