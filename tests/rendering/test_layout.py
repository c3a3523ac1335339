"""Rows of groups: always whole, in the box and apart."""

from hypothesis import given
from hypothesis import strategies as st

from rummi_env.rendering.scenes.layout import Box, Piece, flow
from rummi_env.rendering.scenes.tiles import TILE

BOX = Box(20, 186, 1120, 380)


@given(st.lists(st.integers(3, 13), max_size=35))
def test_groups_lie_in_the_box_and_never_over_one_another(sizes: list[int]) -> None:
    places = flow(sizes, BOX, TILE, 56)
    assert len(places) == len(sizes)
    assert len({place.scale for place in places}) <= 1
    taken: list[tuple[float, float, float]] = []
    for size, place in zip(sizes, places, strict=True):
        right = place.x + TILE.width_of(size) * place.scale
        assert BOX.x <= place.x and right <= BOX.x + BOX.width
        bottom = place.y + TILE.ratio * place.scale
        assert BOX.y <= place.y and bottom <= BOX.y + BOX.height
        assert all(
            y != place.y or place.x > end or right < start for start, end, y in taken
        )
        taken.append((place.x, right, place.y))


def test_few_pieces_are_as_large_as_they_may_be() -> None:
    assert flow([3, 4], BOX, TILE, 56)[0].scale == 56


def test_pieces_become_a_little_smaller_for_fewer_rows() -> None:
    single = Piece(ratio=1.0, gap=0.0, group_gap=0.1, row_gap=0.1)
    box = Box(0, 0, 100, 50)
    assert {place.y for place in flow([1] * 4, box, single, 24)} == {0}


def test_what_fits_in_no_way_is_still_placed() -> None:
    assert len(flow([13] * 50, Box(0, 0, 100, 20), TILE, 56)) == 50
