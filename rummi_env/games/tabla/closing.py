"""Closings: which forms 14 tiles have, and what may be thrown to close."""

from __future__ import annotations

import numpy as np

from rummi_env.core.forms import FORMS
from rummi_env.core.shapes import Shape
from rummi_env.core.tiles import JOKER, NUM_COUNTS, NUM_NUMBERS
from rummi_env.games.tabla.covers import (
    ALL_NUMBERS,
    LOW_ONLY,
    MOST,
    MOST_MELDS,
    NO_CUT,
    NONE,
    NOT_YET,
    NUMBERS,
    ROW_SIZE,
    SHAPES,
    can_be_cut,
    cover,
    joker_places_fit,
    offsets,
)
from rummi_env.games.tabla.places import (
    FIRST_COLOR,
    HIGH,
    KIND,
    LAST_POSITION,
    LOW,
    PLACE,
    RUN,
    bits_of,
    lowest,
    popcount,
    sum_of,
)
from rummi_env.solver.compiled import kernel

THREE_COLOR_RUNS = int(Shape.THREE_COLOR_RUNS)
ROYAL = int(Shape.ROYAL)
MOSAIC = int(Shape.MOSAIC)
SQUARE = int(Shape.SQUARE)
ONE_COLOR = int(Shape.ONE_COLOR)
ANY = int(Shape.ANY)
PAIRS = int(Shape.PAIRS)

LONGEST_OF_THREE = 8
"""Longest of three runs of 14 tiles together."""

SQUARE_SIZE = 8
"""Tiles of one number that make a square."""

NUM_FOUND = NUM_COUNTS + 1
"""Length of an array of forms by what is left out: a kind, or nothing (`NONE`)."""

EVERY_FORM = (1 << len(FORMS)) - 1
"""All forms as bits."""

ONES = 0b1111
"""Places of the 1s."""


@kernel
def single_run_jokers(tiles, color, jokers, ratio, numbers):
    """Tells with how many jokers all tiles of a color are one run.

    Args:
        tiles: kinds of that color, as bits; none of them is there twice.
        color: the color.
        jokers: most jokers.
        ratio: whether ``joker_ratio`` is ``2_real_per_joker``.
        numbers: `ALL_NUMBERS`, `LOW_ONLY` or `HIGH_ONLY`.

    Returns:
        Bit j: it goes with j jokers.
    """
    possible = np.int64(0)
    size_now = popcount(tiles)
    first = 0 if numbers <= LOW_ONLY else 9
    end = LAST_POSITION if numbers != LOW_ONLY else 9
    for used in range(jokers + 1):
        size = size_now + used
        if size < 3 or size > LONGEST_OF_THREE:
            continue
        for start in range(first, end - size + 1):
            places = RUN[start, size] << color
            if tiles & ~places == 0 and (
                not ratio
                or joker_places_fit(size, offsets(places & ~tiles, start, size, color))
            ):
                possible |= np.int64(1) << used
    return possible


@kernel
def are_three_runs(once, twice, jokers, ratio, numbers):
    """Tells whether 14 tiles are three runs of three different colors."""
    if twice != 0:
        return False
    possible = np.int64(1)
    colors = 0
    for color in range(4):
        tiles = once & FIRST_COLOR << color
        if tiles != 0:
            colors += 1
            own = single_run_jokers(tiles, color, jokers, ratio, numbers)
            together = np.int64(0)
            for used in range(jokers + 1):
                if own >> used & 1:
                    together |= possible << used
            possible = together
    return colors == 3 and possible >> jokers & 1 == 1


@kernel
def are_royal(once, twice, jokers, ratio):
    """Tells whether 14 tiles are the run of all positions of one color."""
    color = lowest(once) & 3
    own = FIRST_COLOR << color
    if once & ~own != 0 or twice & ~(own & ONES) != 0:
        return False
    if not ratio or jokers < 2:
        return True
    # One 1 can be at either end, so it never makes two jokers adjacent.
    missing = own & ~once & ~ONES
    return missing & missing << 4 == 0


@kernel
def is_mosaic(colors):
    """Tells whether 1 to 13 and 1 in these colors, int64[14], are a mosaic."""
    for at in range(LAST_POSITION - 1):
        if colors[at] == colors[at + 1]:
            return False
    first = np.int64(0)
    last = np.int64(0)
    for at in range(4):
        first |= np.int64(1) << colors[at]
        last |= np.int64(1) << colors[LAST_POSITION - 1 - at]
    return first == 15 and last == 15


@kernel
def find_mosaic(once, twice, jokers, colors):
    """Searches the colors of a mosaic of 14 tiles.

    Args:
        once: kinds held, as bits.
        twice: kinds held twice, as bits.
        jokers: how many there are; with the tiles they are 14.
        colors: int64[14]; set to the colors, those of jokers included.

    Returns:
        Whether there is one.
    """
    if twice & ~ONES != 0 or popcount(once & ONES) + popcount(twice & ONES) > 2:
        return False
    open_ends = 0
    gaps = np.zeros(2, np.int64)
    for number in range(1, NUM_NUMBERS):
        tiles = once >> 4 * number & 15
        if popcount(tiles) > 1:
            return False
        if tiles == 0:
            gaps[open_ends] = number
            open_ends += 1
        else:
            colors[number] = lowest(tiles)
    ones = once & ONES
    held = popcount(ones) + popcount(twice & ONES)
    last = LAST_POSITION - 1
    for turned in range(2):
        at = open_ends
        if held == 2:
            one = lowest(ones)
            other = one if twice & ONES else lowest(ones & ~(np.int64(1) << one))
            colors[0] = other if turned else one
            colors[last] = one if turned else other
        elif held == 1:
            colors[0 if turned else last] = lowest(ones)
            gaps[at] = last if turned else 0
            at += 1
        else:
            gaps[0] = 0
            gaps[1] = last
            at = 2
        for choice in range(1 << 2 * jokers):
            for joker in range(at):
                colors[gaps[joker]] = choice >> 2 * joker & 3
            if is_mosaic(colors):
                return True
    return False


@kernel
def loose_forms(once, twice, jokers, colors):
    """Tells which forms 14 tiles have that are not made of melds, a bit for each.

    Args:
        once: kinds held, as bits.
        twice: kinds held twice, as bits.
        jokers: how many there are.
        colors: int64[14], scratch; see `find_mosaic`.
    """
    most = np.int64(0)
    for number in range(NUM_NUMBERS):
        nibble = np.int64(15) << 4 * number
        most = max(most, popcount(once & nibble) + popcount(twice & nibble))
    total = sum_of(once, twice) + jokers
    forms = np.int64(0)
    for form in range(len(SHAPES)):
        shape = SHAPES[form]
        fits = False
        if shape == SQUARE:
            fits = most + jokers >= SQUARE_SIZE
        elif shape == ONE_COLOR:
            fits = once & ~(FIRST_COLOR << (lowest(once) & 3)) == 0
        elif shape == PAIRS:
            fits = popcount(once & ~twice) <= jokers
        elif shape == ANY:
            fits = total <= MOST[form]
            numbers = NUMBERS[form]
            if numbers != ALL_NUMBERS:
                fits &= once & ~(LOW if numbers == LOW_ONLY else HIGH) == 0
        elif shape == MOSAIC:
            fits = find_mosaic(once, twice, jokers, colors)
        if fits:
            forms |= np.int64(1) << form
    return forms


@kernel
def whole_run_forms(once, twice, jokers, ratio):
    """Tells which forms 14 tiles have that are made of whole runs, a bit for each."""
    forms = np.int64(0)
    for form in range(len(SHAPES)):
        shape = SHAPES[form]
        fits = False
        if shape == THREE_COLOR_RUNS:
            fits = are_three_runs(once, twice, jokers, ratio, NUMBERS[form])
        elif shape == ROYAL:
            fits = are_royal(once, twice, jokers, ratio)
        if fits:
            forms |= np.int64(1) << form
    return forms


@kernel
def forms_of(rules, rack):
    """Tells which forms 14 tiles have, played or not, a bit for each.

    Args:
        rules: the rules in numbers; ``joker_ratio`` and ``natural`` count.
        rack: int8[53], 14 tiles.
    """
    once, twice, jokers = bits_of(rack)
    forms = loose_forms(once, twice, jokers, np.empty(LAST_POSITION, np.int64))
    if can_be_cut(once, twice, jokers, np.int64(0)):
        found = np.zeros(NUM_FOUND, np.int64)
        rows = np.zeros((MOST_MELDS, ROW_SIZE), np.int64)
        none = np.int64(NONE)
        cover(once, twice, jokers, none, rules.joker_ratio, NO_CUT, rows, found, 0)
        forms |= found[NONE]
        if found[NONE] != 0:
            forms |= whole_run_forms(once, twice, jokers, rules.joker_ratio)
    return forms & ~rules.natural if jokers > 0 else forms


@kernel
def may_be_loose(rules, once, twice, jokers):
    """Rejects cheaply 15 tiles that have no form without melds, whatever is thrown."""
    most = np.int64(0)
    numbers = np.int64(0)
    for number in range(NUM_NUMBERS):
        nibble = np.int64(15) << 4 * number
        held = popcount(once & nibble)
        numbers += held > 0
        most = max(most, held + popcount(twice & nibble))
    if rules.open_any:
        return True
    if most + jokers >= SQUARE_SIZE or numbers + jokers >= NUM_NUMBERS:
        return True
    return popcount(once & ~twice) <= jokers + 1


@kernel
def without(once, twice, place):
    """Takes one tile away; returns the rack as bits."""
    tile = np.int64(1) << place
    if twice & tile:
        return once, twice & ~tile
    return once & ~tile, twice


@kernel
def mark_closings(rules, rack, marks):
    """Marks what may be thrown to close: what leaves 14 tiles in a form that is played.

    Args:
        rules: the rules in numbers.
        rack: int8[53], 15 tiles.
        marks: int8[53] or longer; set to 1 or 0 for each kind.
    """
    marks[:NUM_COUNTS] = 0
    once, twice, jokers = bits_of(rack)
    ratio = rules.joker_ratio
    if can_be_cut(once, twice, jokers, np.int64(1)):
        mark_cut(rules, once, twice, jokers, ratio, marks)
    if not may_be_loose(rules, once, twice, jokers):
        return
    colors = np.empty(LAST_POSITION, np.int64)
    natural = ~rules.natural
    if jokers > 0 and marks[JOKER] == 0:
        forms = loose_forms(once, twice, jokers - 1, colors) & rules.enabled
        marks[JOKER] = forms & (natural if jokers > 1 else EVERY_FORM) != 0
    left = once
    while left != 0:
        place = lowest(left)
        left &= left - 1
        if marks[KIND[place]] == 0:
            rest, rest_twice = without(once, twice, place)
            forms = loose_forms(rest, rest_twice, jokers, colors) & rules.enabled
            marks[KIND[place]] = forms & (natural if jokers > 0 else EVERY_FORM) != 0


@kernel
def mark_cut(rules, once, twice, jokers, ratio, marks):
    """Marks what leaves melds when thrown; see `mark_closings`."""
    found = np.zeros(NUM_FOUND, np.int64)
    rows = np.zeros((MOST_MELDS, ROW_SIZE), np.int64)
    cover(once, twice, jokers, np.int64(NOT_YET), ratio, NO_CUT, rows, found, 0)
    if jokers > 0:
        thrown = np.int64(JOKER)
        cover(once, twice, jokers - 1, thrown, ratio, NO_CUT, rows, found, 0)
    for kind in range(NUM_COUNTS):
        rest, rest_twice, left = once, twice, jokers
        if kind == JOKER:
            if jokers == 0:
                continue
            left -= 1
        else:
            if once >> PLACE[kind] & 1 == 0:
                continue
            if not ratio:
                # The joker that could be thrown lies in for the tile instead.
                found[kind] |= found[JOKER]
            rest, rest_twice = without(once, twice, PLACE[kind])
        forms = found[kind]
        if forms == 0:
            continue
        playable = rules.enabled & ~rules.natural if left > 0 else rules.enabled
        if forms & playable == 0:
            forms = whole_run_forms(rest, rest_twice, left, ratio)
        marks[kind] = forms & playable != 0
