"""How 14 tiles lie when they show a form, for people to see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from rummi_env.core.forms import Form
from rummi_env.core.shapes import Shape
from rummi_env.core.tiles import (
    JOKER,
    NUM_COLORS,
    NUM_COUNTS,
    NUM_NUMBERS,
    Counts,
    kind_of,
    tile_name,
    tiles_of,
)
from rummi_env.games.tabla.closing import LONGEST_OF_THREE
from rummi_env.games.tabla.covers import MOST_MELDS, ROW_SIZE, RUN_ROW
from rummi_env.games.tabla.entries import CUT, MOSAIC, NUM_NUMBERS_OUT, ask, keeps_ratio
from rummi_env.games.tabla.places import LAST_POSITION
from rummi_env.games.tabla.state import Rules

Entry: TypeAlias = int | tuple[int, int]
"""A tile as it lies: its index, or ``(JOKER, kind)``, a joker that stands for a kind.

A bare `JOKER` may stand for several kinds.
"""

Laid: TypeAlias = tuple[Entry, ...]
"""Tiles that lie together."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """14 tiles laid out so that their form is seen."""

    form: Form
    """The form."""

    melds: tuple[Laid, ...]
    """The tiles, meld by meld; all together where the form has no melds."""

    def __str__(self) -> str:
        """Return the tiles in the notation, ``|`` between melds."""
        return " | ".join(" ".join(map(_name, meld)) for meld in self.melds)


def lay_out(rack: Counts, form: Form, codes: Rules) -> Arrangement:
    """Returns an arrangement of 14 tiles that have a form.

    Args:
        rack: int8[53].
        form: a form that the tiles have.
        codes: the rules in numbers.
    """
    marks = np.zeros(NUM_COUNTS, np.int8)
    numbers = np.zeros(NUM_NUMBERS_OUT, np.int64)
    if form.shape is Shape.MOSAIC:
        ask(codes, rack, MOSAIC, 0, marks, numbers)
        return Arrangement(form, (_run(rack, 0, numbers[:LAST_POSITION].tolist()),))
    if form.shape is Shape.ROYAL:
        return Arrangement(form, (_royal_run(rack),))
    if form.shape is Shape.THREE_COLOR_RUNS:
        return Arrangement(form, _three_runs(rack, form, bool(codes.joker_ratio)))
    melds = ask(codes, rack, CUT, 1 << form.number - 1, marks, numbers)
    if not melds:
        return Arrangement(form, (tiles_of(rack),))
    rows = numbers.reshape(MOST_MELDS, ROW_SIZE)[:melds].tolist()
    return Arrangement(form, tuple(map(_meld, rows)))


def _meld(row: list[int]) -> Laid:
    """Returns the tiles of a row of `covers`."""
    if row[0] == RUN_ROW:
        _, start, size, color, lying = row
        kinds = [_kind(color, start + offset) for offset in range(size)]
        return tuple(
            (JOKER, kind) if lying >> offset & 1 else kind
            for offset, kind in enumerate(kinds)
        )
    _, position, colors, jokers, _ = row
    reals = [_kind(c, position) for c in range(NUM_COLORS) if colors >> c & 1]
    absent = [_kind(c, position) for c in range(NUM_COLORS) if not colors >> c & 1]
    # A lone missing color is certain, else the joker may stand for any of them.
    certain = len(absent) == jokers
    named = [(JOKER, kind) if certain else JOKER for kind in absent[:jokers]]
    return (*reals, *named)


def _kind(color: int, position: int) -> int:
    return kind_of(color, position % NUM_NUMBERS + 1)


def _run(rack: Counts, start: int, colors: Sequence[int]) -> Laid:
    """Returns a row of ascending numbers in these colors, jokers where tiles lack."""
    left = rack.copy()
    entries: list[Entry] = []
    for offset, color in enumerate(colors):
        kind = _kind(color, start + offset)
        entries.append(kind if left[kind] else (JOKER, kind))
        left[kind] = max(left[kind] - 1, 0)
    return tuple(entries)


def _royal_run(rack: Counts) -> Laid:
    color = int(np.flatnonzero(rack[:JOKER])[0]) // NUM_NUMBERS
    run = _run(rack, 0, [color] * LAST_POSITION)
    if isinstance(run[-1], tuple) and isinstance(run[-2], tuple):
        # The only 1 goes where it keeps the jokers apart.
        return ((JOKER, _kind(color, 0)), *run[1:-1], _kind(color, 0))
    return run


def _three_runs(rack: Counts, form: Form, ratio: bool) -> tuple[Laid, ...]:
    by_color = rack[:JOKER].reshape(NUM_COLORS, NUM_NUMBERS).any(axis=1)
    options = [
        _whole_runs(rack, c, form, ratio) for c in np.flatnonzero(by_color).tolist()
    ]
    return next(runs for runs in product(*options) if _jokers(*runs) == rack[JOKER])


def _whole_runs(rack: Counts, color: int, form: Form, ratio: bool) -> Iterator[Laid]:
    """Yields the runs with all tiles of a color, jokers where tiles lack."""
    first = NUM_NUMBERS - 4 if form.numbers == "high" else 0
    end = NUM_NUMBERS - 4 if form.numbers == "low" else LAST_POSITION
    tiles = rack[color * NUM_NUMBERS : (color + 1) * NUM_NUMBERS].sum()
    for size in range(3, LONGEST_OF_THREE + 1):
        for start in range(first, end - size + 1):
            run = _run(rack, start, [color] * size)
            lying = sum(isinstance(e, tuple) << at for at, e in enumerate(run))
            fits = not ratio or keeps_ratio(size, lying)
            if fits and size - _jokers(run) == tiles:
                yield run


def _jokers(*runs: Laid) -> int:
    return sum(isinstance(entry, tuple) for run in runs for entry in run)


def _name(entry: Entry) -> str:
    if isinstance(entry, tuple):
        return f"J={tile_name(entry[1])}"
    return tile_name(entry)
