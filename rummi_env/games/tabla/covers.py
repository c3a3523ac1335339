"""Exact covers: all ways to cut a rack into runs and groups, jokers included.

The search takes the lowest tile that is left and tries every meld that it can be part
of. With free jokers a joker never lies in for a tile that is still left, since swapping
the two shows the same; with ``2_real_per_joker`` that matters and is tried as well.
Runs that can be cut are cut: the search only makes runs of `LONGEST` tiles at most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rummi_env.core.forms import FORMS
from rummi_env.core.shapes import Shape
from rummi_env.core.tiles import JOKER, NUM_NUMBERS
from rummi_env.games.tabla.places import (
    FIRST_COLOR,
    KIND,
    LAST_POSITION,
    RUN,
    lowest,
    popcount,
)
from rummi_env.solver.compiled import kernel

NOT_YET = -1
"""No tile has been left out yet, but one must be."""
NONE = JOKER + 1
"""No tile is left out."""

LONGEST = 5
"""Longest run that cannot be cut into runs."""
LONGEST_RATIO = 8
"""The same with two jokers that may not lie in one short run.

In a run of six to eight a joker at the first and the third place, say, are legal, but
in neither part of it. Of nine tiles or more six can be cut off at one of the ends.
"""

RUN_ROW, GROUP_ROW = range(2)
"""First number of a row of melds.

A run goes on with its start (position less one), size, color and the places of its
jokers as bits from the start on; a group with its number less one, its colors as bits
and how many jokers.
"""
MOST_MELDS = 4
ROW_SIZE = 5

ALL_NUMBERS, LOW_ONLY, HIGH_ONLY = range(3)
NO_LIMIT = 1_000

SHAPES = np.array([form.shape for form in FORMS])
NUMBERS = np.array([("all", "low", "high").index(form.numbers) for form in FORMS])
MOST = np.array([NO_LIMIT if form.most is None else form.most for form in FORMS])
"""int64[28] each: the columns of the table of forms."""

MELDS = int(Shape.MELDS)
MELDS_WITH_RUN = int(Shape.MELDS_WITH_RUN)
RUNS = int(Shape.RUNS)
GROUPS = int(Shape.GROUPS)
FOUR_COLOR_RUNS = int(Shape.FOUR_COLOR_RUNS)
TWO_COLOR_RUNS = int(Shape.TWO_COLOR_RUNS)
ONE_COLOR_RUNS = int(Shape.ONE_COLOR_RUNS)


class Cut(NamedTuple):
    """What the search keeps of the melds that it has made; see `forms_of_cut`."""

    runs: int
    """How many runs there are."""
    colors: int
    """Their colors as bits."""
    groups: int
    """How many groups there are."""
    low: bool
    """Whether all numbers are low."""
    high: bool
    """Whether all numbers are high."""
    total: int
    """What the tiles add up to."""


NO_CUT = Cut(0, 0, 0, True, True, 0)


@kernel
def forms_of_cut(cut):
    """Tells which forms a cut into melds has, a bit for each.

    Three single runs, and the one of all 14 positions, are not told from a cut.
    """
    forms = np.int64(0)
    number_of_colors = popcount(cut.colors) if cut.groups == 0 else np.int64(0)
    for form in range(len(SHAPES)):
        shape = SHAPES[form]
        fits = shape == MELDS
        fits |= shape == MELDS_WITH_RUN and cut.runs > 0
        fits |= shape == RUNS and cut.groups == 0
        fits |= shape == GROUPS and cut.runs == 0
        fits |= shape == FOUR_COLOR_RUNS and number_of_colors == 4 and cut.runs == 4
        fits |= shape == TWO_COLOR_RUNS and number_of_colors == 2
        fits |= shape == ONE_COLOR_RUNS and number_of_colors == 1
        numbers = NUMBERS[form]
        if numbers != ALL_NUMBERS:
            fits &= cut.low if numbers == LOW_ONLY else cut.high
        if fits and cut.total <= MOST[form]:
            forms |= np.int64(1) << form
    return forms


@kernel
def with_group(cut, number, size):
    """Adds a group of a number (less one)."""
    return Cut(
        cut.runs,
        cut.colors,
        cut.groups + 1,
        cut.low and number < 9,
        cut.high and (number == 0 or number >= 9),
        cut.total + size * (number + 1),
    )


@kernel
def with_run(cut, start, size, color):
    """Adds a run from a position (less one) on."""
    end = start + size
    total = size * (2 * start + size + 1) // 2
    if end == LAST_POSITION:
        total -= NUM_NUMBERS
    return Cut(
        cut.runs + 1,
        cut.colors | np.int64(1) << color,
        cut.groups,
        cut.low and end <= 9,
        cut.high and start >= 9,
        cut.total + total,
    )


@kernel
def lonely(once, twice):
    """Counts the tiles that are in no meld of tiles of the rack."""
    tiles = once | (once & 15) << 52
    starts = tiles & tiles >> 4 & tiles >> 8
    in_runs = starts | starts << 4 | starts << 8
    in_runs |= in_runs >> 52
    pairs_low = once & once >> 1 & FIRST_COLOR
    pairs_high = once >> 2 & once >> 3 & FIRST_COLOR
    any_low = (once | once >> 1) & FIRST_COLOR
    any_high = (once >> 2 | once >> 3) & FIRST_COLOR
    groups = ((pairs_low & any_high) | (pairs_high & any_low)) * 15
    alone = once & ~(in_runs | groups)
    return popcount(alone) + popcount(alone & twice)


@kernel
def can_be_cut(once, twice, jokers, spare):
    """Rejects cheaply what cannot be cut into melds.

    A meld with one joker has at most four tiles that are lonely without it, one with
    both at most six.

    Args:
        once: kinds held, as bits.
        twice: kinds held twice, as bits.
        jokers: how many there are.
        spare: tiles that may be left out.
    """
    return lonely(once, twice) <= 4 * jokers + spare


@kernel
def joker_places_fit(size, jokers):
    """Tells whether a run may have jokers at these places under the ratio."""
    number = popcount(jokers)
    if number < 2:
        return True
    return number == 2 and size >= 6 and jokers & jokers << 1 == 0


@kernel
def offsets(places, start, size, color):
    """Turns places of a run into bits counted from its start on."""
    found = np.int64(0)
    for offset in range(size):
        number = (start + offset) % NUM_NUMBERS
        found |= (places >> (4 * number + color) & 1) << offset
    return found


@kernel
def placed(lying, start, size, color):
    """Turns bits counted from the start of a run on into places."""
    places = np.int64(0)
    for offset in range(size):
        number = (start + offset) % NUM_NUMBERS
        places |= (lying >> offset & 1) << (4 * number + color)
    return places


@kernel
def cover(once, twice, jokers, skipped, ratio, cut, rows, found, wanted):
    """Searches the cuts of what is left, and notes which forms they have.

    Args:
        once: kinds left, as bits.
        twice: kinds left twice, as bits.
        jokers: jokers left; all of them are used.
        skipped: the kind left out, `NOT_YET` or `NONE`.
        ratio: whether ``joker_ratio`` is ``2_real_per_joker``.
        cut: the `Cut` so far.
        rows: int64[4, 5]: its melds; see `RUN_ROW`.
        found: int64[54]: by the kind left out (or `NONE`) forms as bits, to be
            completed.
        wanted: stop at the first cut that has one of these forms.

    Returns:
        The number of melds in ``rows`` where it stopped, else 0.
    """
    depth = cut.runs + cut.groups
    if once == 0:
        if jokers > 0 or skipped == NOT_YET:
            return np.int64(0)
        forms = forms_of_cut(cut)
        found[skipped] |= forms
        return depth if forms & wanted != 0 else np.int64(0)

    place = lowest(once)
    number = place >> 2
    color = place & 3
    if depth < MOST_MELDS:
        row = rows[depth]
        row[0] = GROUP_ROW
        row[1] = number
        there = once >> 4 * number & 15
        others = there & ~(np.int64(1) << color)
        chosen = others
        while chosen >= 0:
            colors = chosen | np.int64(1) << color
            # The next smaller subset; below the empty one there is none.
            chosen = (chosen - 1) & others if chosen > 0 else np.int64(-1)
            size = popcount(colors)
            room = 4 - size if ratio else min(4 - size, 4 - popcount(there))
            if ratio:
                room = min(room, 1 if size >= 2 else 0)
            for added in range(max(0, 3 - size), min(jokers, room) + 1):
                row[2] = colors
                row[3] = added
                taken = colors << 4 * number
                stopped = cover(
                    once & ~taken | twice & taken,
                    twice & ~taken,
                    jokers - added,
                    skipped,
                    ratio,
                    with_group(cut, number, size + added),
                    rows,
                    found,
                    wanted,
                )
                if stopped:
                    return stopped

        row[0] = RUN_ROW
        row[3] = color
        longest = LONGEST_RATIO if ratio and jokers > 1 else LONGEST
        for last in range(2 if number == 0 else 1):
            position = LAST_POSITION - 1 if last else number
            # Below the lowest tile lie jokers only; below the last 1 tiles are left.
            first = position + 1 - longest if last else max(0, position - jokers)
            for start in range(first, position + 1):
                shortest = max(3, position - start + 1)
                for size in range(shortest, min(longest, LAST_POSITION - start) + 1):
                    places = RUN[start, size] << color
                    gaps = popcount(places & ~once)
                    if gaps > jokers:
                        continue
                    row[1] = start
                    row[2] = size
                    gap_places = offsets(places & ~once, start, size, color)
                    # Under the ratio jokers may also lie in for tiles that are left.
                    choices = 1 << size if ratio and gaps < jokers else 1
                    for instead in range(choices):
                        lying = gap_places | instead
                        used = popcount(lying)
                        if gap_places & instead != 0 or used > jokers:
                            continue
                        if ratio and not joker_places_fit(size, lying):
                            continue
                        taken = places & once & ~placed(instead, start, size, color)
                        if taken >> place & 1 == 0:
                            continue
                        row[4] = lying
                        stopped = cover(
                            once & ~taken | twice & taken,
                            twice & ~taken,
                            jokers - used,
                            skipped,
                            ratio,
                            with_run(cut, start, size, color),
                            rows,
                            found,
                            wanted,
                        )
                        if stopped:
                            return stopped

    if skipped == NOT_YET:
        taken = np.int64(1) << place
        return cover(
            once & ~taken | twice & taken,
            twice & ~taken,
            jokers,
            KIND[place],
            ratio,
            cut,
            rows,
            found,
            wanted,
        )
    return np.int64(0)
