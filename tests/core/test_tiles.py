import numpy as np
import pytest

from rummi_env.core.tiles import (
    COLORS,
    JOKER,
    NUM_COLORS,
    NUM_COUNTS,
    NUM_KINDS,
    NUM_NUMBERS,
    color_of,
    counts_of,
    kind_of,
    number_of,
    rack_value,
    tile_name,
    tiles_of,
)


def test_kinds_are_numbered_by_color_and_then_by_number() -> None:
    kinds = [
        kind_of(color, number)
        for color in range(NUM_COLORS)
        for number in range(1, NUM_NUMBERS + 1)
    ]
    assert kinds == list(range(NUM_KINDS))
    assert (JOKER, NUM_COUNTS, COLORS) == (52, 53, "KRBO")


def test_color_and_number_of_a_kind_give_the_kind_back() -> None:
    for kind in range(NUM_KINDS):
        assert kind_of(color_of(kind), number_of(kind)) == kind


def test_names_are_color_and_number_and_j_for_a_joker() -> None:
    names = [tile_name(kind) for kind in (0, 12, 13, 26, 51, JOKER)]
    assert names == ["K1", "K13", "R1", "B1", "O13", "J"]


def test_all_names_are_different() -> None:
    assert len({tile_name(kind) for kind in range(NUM_COUNTS)}) == NUM_COUNTS


@pytest.mark.parametrize(("color", "number"), [(-1, 1), (4, 1), (0, 0), (0, 14)])
def test_a_tile_that_does_not_exist_has_no_kind(color: int, number: int) -> None:
    with pytest.raises(ValueError, match=r"must be from"):
        kind_of(color, number)


@pytest.mark.parametrize("kind", [-1, JOKER])
def test_only_numbered_tiles_have_a_color_and_a_number(kind: int) -> None:
    with pytest.raises(ValueError, match=str(kind)):
        color_of(kind)
    with pytest.raises(ValueError, match=str(kind)):
        number_of(kind)


def test_there_is_no_tile_after_the_joker() -> None:
    with pytest.raises(ValueError, match="53"):
        tile_name(53)
    with pytest.raises(ValueError, match="53"):
        counts_of([53])


def test_counts_and_tiles_are_the_same_multiset() -> None:
    counts = counts_of([JOKER, 3, 3, 0])
    assert counts.dtype == np.int8
    assert counts.shape == (NUM_COUNTS,)
    assert tiles_of(counts) == (0, 3, 3, JOKER)


def test_counts_do_not_wrap_around() -> None:
    with pytest.raises(ValueError, match="300 of K1"):
        counts_of([0] * 300)


@pytest.mark.parametrize(("joker_value", "value"), [(30, 34), (100, 104), (0, 4)])
def test_a_rack_is_worth_its_numbers_and_the_value_of_its_jokers(
    joker_value: int, value: int
) -> None:
    assert rack_value(counts_of([kind_of(2, 4), JOKER]), joker_value) == value


def test_the_value_of_a_large_rack_does_not_wrap_around() -> None:
    every = counts_of([*range(NUM_KINDS)] * 2 + [JOKER] * 2)
    assert rack_value(every, 10_000) == 2 * 4 * 91 + 20_000
