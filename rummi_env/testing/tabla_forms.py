"""The closing forms of Rummy pe tabla once more, by trying everything.

Written from the rules, not from the compiled solver, and its oracle in tests. A joker
is tried as every tile, and a rack is cut in every way; nothing is clever here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import (
    combinations,
    combinations_with_replacement,
    pairwise,
    permutations,
)
from typing import NamedTuple, TypeAlias

from rummi_env.core.tiles import JOKER, NUM_KINDS, color_of, number_of


class Shown(NamedTuple):
    """A tile as it is shown: what it is, or what a joker stands for."""

    number: int
    color: int
    is_joker: bool


Cut: TypeAlias = tuple[tuple[str, tuple[Shown, ...]], ...]
"""Melds, each with ``run`` or ``group``."""


def slow_forms(tiles: Sequence[int], ratio: bool = False) -> set[int]:
    """Return the numbers of the forms that 14 tiles have.

    Args:
        tiles: Indices of tiles, `JOKER` for a joker.
        ratio: Whether jokers in melds keep the ratio of ``2_real_per_joker``.

    Raises:
        ValueError: There are not 14 tiles.
    """
    if len(tiles) != 14:
        raise ValueError(f"a closing shows 14 tiles, not {len(tiles)}")
    found: set[int] = set()
    for shown in showings(tiles):
        found |= _forms_shown(shown, ratio)
    return found


def showings(tiles: Sequence[int]) -> Iterator[tuple[Shown, ...]]:
    """Yield the tiles, sorted, with the jokers as every tile in turn."""
    reals = [Shown(number_of(t), color_of(t), False) for t in tiles if t != JOKER]
    jokers = len(tiles) - len(reals)
    kinds = [Shown(number_of(kind), color_of(kind), True) for kind in range(NUM_KINDS)]
    for chosen in combinations_with_replacement(kinds, jokers):
        yield tuple(sorted([*reals, *chosen]))


@cache
def cuts(tiles: tuple[Shown, ...], ratio: bool) -> frozenset[Cut]:
    """Return all ways to cut sorted tiles into melds."""
    if not tiles:
        return frozenset([()])
    found = set()
    for kind, meld in _melds_with(tiles[0], tiles):
        if ratio and not _keeps_ratio(kind, meld):
            continue
        rest = list(tiles)
        for tile in meld:
            rest.remove(tile)
        for others in cuts(tuple(rest), ratio):
            found.add(((kind, meld), *others))
    return frozenset(found)


def _melds_with(
    tile: Shown, tiles: tuple[Shown, ...]
) -> Iterator[tuple[str, tuple[Shown, ...]]]:
    """Yield the melds of the tiles that a tile is in."""
    distinct = sorted(set(tiles))
    same = [t for t in distinct if t.number == tile.number and t.color != tile.color]
    for size in (2, 3):
        for others in combinations(same, size):
            if len({other.color for other in others}) == size:
                yield "group", (tile, *others)
    at: dict[int, list[Shown]] = {position: [] for position in range(16)}
    for other in distinct:
        if other.color == tile.color:
            at[other.number].append(other)
            if other.number == 1:
                at[14].append(other)
    for place in (tile.number, 14) if tile.number == 1 else (tile.number,):
        for first, last in _spans(at, place):
            for run in _choices([at[position] for position in range(first, last + 1)]):
                # The run from 1 to 1 needs both 1s.
                if tile in run and not Counter(run) - Counter(tiles):
                    yield "run", run


def _spans(at: dict[int, list[Shown]], place: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last positions of runs over a place, without gaps."""
    first = place
    while at[first]:
        last = place
        while at[last]:
            if last - first >= 2:
                yield first, last
            last += 1
        first -= 1


def _choices(options: list[list[Shown]]) -> Iterator[tuple[Shown, ...]]:
    if not options:
        yield ()
        return
    for tile in options[0]:
        for rest in _choices(options[1:]):
            yield (tile, *rest)


def _keeps_ratio(kind: str, meld: tuple[Shown, ...]) -> bool:
    jokers = [index for index, tile in enumerate(meld) if tile.is_joker]
    if len(meld) - len(jokers) < 2 * len(jokers):
        return False
    adjacent = any(b - a == 1 for a, b in pairwise(jokers))
    return kind == "group" or not adjacent


def _forms_shown(tiles: tuple[Shown, ...], ratio: bool) -> set[int]:
    """Return the forms of 14 tiles whose jokers stand for something."""
    total = sum(tile.number for tile in tiles)
    low = all(tile.number <= 9 for tile in tiles)
    high = all(tile.number in (1, 10, 11, 12, 13) for tile in tiles)
    colors = {tile.color for tile in tiles}
    found: set[int] = set()

    def note(fits: bool, *numbers: int) -> None:
        if fits:
            found.update(numbers)

    def note_by_numbers(fits: bool, plain: int, minor: int, major: int) -> None:
        note(fits, plain)
        note(fits and low, minor)
        note(fits and high, major)

    note(total <= 41, 6)
    note(high, 10)
    note(max(Counter(tile.number for tile in tiles).values()) >= 8, 12)
    note(len(colors) == 1, 21)
    note(is_mosaic(tiles), 27)
    pairs = Counter((tile.number, tile.color) for tile in tiles)
    note(all(count % 2 == 0 for count in pairs.values()), 28)
    for cut in cuts(tiles, ratio):
        runs = [meld for kind, meld in cut if kind == "run"]
        groups = len(cut) - len(runs)
        run_colors = {run[0].color for run in runs}
        note(bool(runs), 1)
        note(low, 2)
        note(low and total <= 51, 3)
        note(total <= 41, 7)
        note(high, 11)
        if not runs:
            note_by_numbers(True, 24, 25, 26)
            note(low and total <= 51, 4)
            note(total <= 41, 9)
        if not groups:
            note(low and total <= 51, 5)
            note(total <= 41, 8)
            note_by_numbers(len(runs) == len(run_colors) == 4, 13, 14, 15)
            note_by_numbers(len(runs) == len(run_colors) == 3, 16, 17, 18)
            two_to_four = 2 <= len(runs) <= 4
            note(two_to_four and len(run_colors) == 2, 19)
            note(two_to_four and len(run_colors) == 2 and low, 20)
            note(two_to_four and len(run_colors) == 1, 22)
            note(len(runs) == 1, 23)
    return found


def is_mosaic(tiles: Iterable[Shown]) -> bool:
    """Tell whether 14 tiles can lie as a mosaic."""
    ordered = sorted(tiles)
    if [tile.number for tile in ordered] != [1, *range(1, 14)]:
        return False
    for first, last in permutations(tile.color for tile in ordered[:2]):
        row = [first, *(tile.color for tile in ordered[2:]), last]
        differ = all(a != b for a, b in pairwise(row))
        if differ and len(set(row[:4])) == len(set(row[-4:])) == 4:
            return True
    return False


def slow_closings(
    tiles: Sequence[int], forms: Callable[[tuple[int, ...]], set[int]]
) -> dict[int, set[int]]:
    """Return by the tile thrown which forms the other 14 of 15 tiles have.

    Args:
        tiles: 15 indices of tiles.
        forms: Tells the forms of 14 tiles.
    """
    found = {}
    for thrown in set(tiles):
        rest = list(tiles)
        rest.remove(thrown)
        found[thrown] = forms(tuple(rest))
    return found


def slow_distance(
    tiles: Sequence[int], has_form: Callable[[tuple[int, ...]], bool], limit: int
) -> int | None:
    """Return how many of 14 tiles must be exchanged until they have a form.

    Every exchange for other tiles of the deck is tried, up to the limit; None if more
    are needed.

    Args:
        tiles: Indices of tiles.
        has_form: Tells whether 14 tiles have the form.
        limit: Most tiles that are exchanged.
    """
    for number in range(limit + 1):
        for kept in set(combinations(sorted(tiles), len(tiles) - number)):
            held = Counter(kept)
            free = [kind for kind in range(NUM_KINDS + 1) if held[kind] < 2]
            for added in combinations_with_replacement(free, number):
                fits = all(held[kind] + added.count(kind) <= 2 for kind in set(added))
                if fits and has_form((*kept, *added)):
                    return number
    return None
