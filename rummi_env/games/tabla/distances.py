"""How far a rack is from each form: the fewest tiles to exchange for others.

Of 14 tiles so many have to be exchanged for other tiles of the deck, jokers included,
until they have the form. Of 15 tiles one more is thrown: 0 says that closing in that
form is possible.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.forms import FORMS
from rummi_env.core.shapes import NUM_SHOWN
from rummi_env.core.tiles import NUM_NUMBERS
from rummi_env.games.tabla.closing import (
    ANY,
    LONGEST_OF_THREE,
    MOSAIC,
    ONE_COLOR,
    ONES,
    PAIRS,
    ROYAL,
    SQUARE,
    SQUARE_SIZE,
    THREE_COLOR_RUNS,
)
from rummi_env.games.tabla.covers import (
    ALL_NUMBERS,
    FOUR_COLOR_RUNS,
    HIGH_ONLY,
    LOW_ONLY,
    MOST,
    NUMBERS,
    ONE_COLOR_RUNS,
    SHAPES,
    TWO_COLOR_RUNS,
)
from rummi_env.games.tabla.nearest import (
    FAR,
    list_melds,
    make_scratch,
    nearest_target,
)
from rummi_env.games.tabla.places import (
    FIRST_COLOR,
    HIGH,
    LAST_POSITION,
    LOW,
    RUN,
    bits_of,
    popcount,
)
from rummi_env.solver.compiled import kernel

NUM_FORMS = len(FORMS)

COPIES_OF_NUMBER = 8
"""Tiles of each number in the deck."""

_implied = [sum(1 << number - 1 for number in form.implies) for form in FORMS]
IMPLIED = np.array(_implied, np.int64)
"""int64[28]: the forms that each form implies, as bits."""

ORDER = np.array(
    sorted(range(NUM_FORMS), key=lambda form: (len(FORMS[form].implies), form))
)
"""int64[28]: the forms, each after those that it implies."""


@kernel
def find_distances(rules, rack, wanted, distances):
    """Finds the distance to each form that is asked for.

    Args:
        rules: the rules in numbers; ``joker_ratio`` and ``natural`` count.
        rack: int8[53], 14 or 15 tiles.
        wanted: forms as bits.
        distances: int64[28]; those not asked for are set to `FAR`.
    """
    once, twice, jokers = bits_of(rack)
    ratio = rules.joker_ratio != 0
    scratch = make_scratch()
    distances[:] = FAR
    for form in ORDER:
        if wanted >> form & 1 == 0:
            continue
        natural = rules.natural >> form & 1 == 1
        least = np.int64(0)
        for other in range(NUM_FORMS):
            # What may have no joker is no bound for what may.
            bounds = natural or rules.natural >> other & 1 == 0
            if bounds and IMPLIED[form] >> other & 1 and distances[other] < FAR:
                least = max(least, distances[other])
        distances[form] = form_distance(
            scratch, once, twice, jokers, ratio, natural, form, least
        )


@kernel
def form_distance(scratch, once, twice, jokers, ratio, natural, form, least):
    """Distance of a rack from one form.

    Args:
        scratch: a `nearest.Scratch`.
        once: kinds of the rack, as bits.
        twice: kinds it has twice, as bits.
        jokers: how many it has.
        ratio: whether ``joker_ratio`` is ``2_real_per_joker``.
        natural: whether the form allows no joker.
        form: its index.
        least: a distance that it cannot be below.
    """
    shape = SHAPES[form]
    lying = np.int64(0) if natural else jokers
    if shape == MOSAIC:
        return max(NUM_SHOWN - most_of_mosaic(once, twice) - lying, 0)
    if shape == ROYAL:
        return royal_distance(once, twice, lying, ratio)
    if shape in (THREE_COLOR_RUNS, FOUR_COLOR_RUNS):
        return whole_runs_distance(once, lying, ratio, form)
    if shape in (SQUARE, ONE_COLOR, ANY, PAIRS):
        return loose_distance(once, twice, jokers, natural, form)
    lying = np.int64(-1) if natural else jokers
    far = np.int64(FAR)
    return melds_distance(scratch, once, twice, lying, ratio, form, least, far)


@kernel
def melds_distance(scratch, once, twice, jokers, ratio, form, least, most):
    """Distance of a rack from a form of melds, or ``most`` if it is not below that.

    The arguments are those of `nearest.nearest_target`.
    """
    allowed = ~np.int64(0)
    if NUMBERS[form] == LOW_ONLY:
        allowed = np.int64(LOW)
    elif NUMBERS[form] == HIGH_ONLY:
        allowed = np.int64(HIGH)
    wanted = 0
    if SHAPES[form] == TWO_COLOR_RUNS:
        wanted = 2
    elif SHAPES[form] == ONE_COLOR_RUNS:
        wanted = 1
    best = most
    # By colors with most tiles first, as the others then are often ruled out.
    for tiles in range(NUM_SHOWN + 1, -1, -1):
        for colors in range(1, 16):
            if popcount(colors) != (wanted if wanted else 4):
                continue
            there = np.int64(0)
            for color in range(4):
                if colors >> color & 1:
                    there |= allowed & FIRST_COLOR << color
            held = popcount(once & there) + popcount(twice & there)
            if held != tiles:
                continue
            nearest = max(least, NUM_SHOWN - held - max(jokers, 0))
            if nearest >= best:
                continue
            list_melds(scratch, once, form, colors)
            best = nearest_target(
                scratch,
                once,
                twice,
                jokers,
                ratio,
                form,
                colors if wanted else 0,
                nearest,
                best,
            )
    return best


@kernel
def loose_distance(once, twice, jokers, natural, form):
    """Distance of a rack from a form that is not made of melds."""
    shape = SHAPES[form]
    lying = np.int64(0) if natural else jokers
    surplus = popcount(once) + popcount(twice) + jokers - NUM_SHOWN
    # Jokers that the form forbids and that cannot be thrown to close.
    banned = max(jokers - surplus, 0) if natural else np.int64(0)
    if shape == SQUARE:
        most = np.int64(0)
        for number in range(NUM_NUMBERS):
            nibble = np.int64(15) << 4 * number
            most = max(most, popcount(once & nibble) + popcount(twice & nibble))
        return max(SQUARE_SIZE - most - lying, banned, 0)
    if shape == ONE_COLOR:
        most = np.int64(0)
        for color in range(4):
            own = FIRST_COLOR << color
            most = max(most, popcount(once & own) + popcount(twice & own))
        return max(NUM_SHOWN - most - lying, 0)
    if shape == PAIRS:
        return max(7 - popcount(twice) - lying, banned, 0)
    numbers = NUMBERS[form]
    if numbers != ALL_NUMBERS:
        fit = once & (LOW if numbers == LOW_ONLY else HIGH)
        return max(NUM_SHOWN - popcount(fit) - popcount(fit & twice) - lying, 0)
    return smaller_sum_distance(once, twice, jokers, natural, MOST[form])


@kernel
def smaller_sum_distance(once, twice, jokers, natural, most):
    """Fewest tiles to exchange until 14 tiles add up to so much at most."""
    held = np.zeros(NUM_NUMBERS + 1, np.int64)
    for number in range(1, NUM_NUMBERS + 1):
        nibble = np.int64(15) << 4 * (number - 1)
        held[number] = popcount(once & nibble) + popcount(twice & nibble)
    for exchanged in range(NUM_SHOWN + 1):
        # The smallest tiles stay, jokers as 1; the smallest of the deck come in.
        stay = NUM_SHOWN - exchanged
        total = np.int64(0)
        if not natural:
            total += min(stay, jokers)
            stay -= min(stay, jokers)
        kept = np.zeros(NUM_NUMBERS + 1, np.int64)
        for number in range(1, NUM_NUMBERS + 1):
            kept[number] = min(stay, held[number])
            stay -= kept[number]
            total += kept[number] * number
        if stay > 0:
            continue
        come = exchanged
        if not natural:
            come -= min(come, 2 - jokers)
            total += exchanged - come
        for number in range(1, NUM_NUMBERS + 1):
            taken = min(come, COPIES_OF_NUMBER - kept[number])
            come -= taken
            total += taken * number
        if total <= most:
            return np.int64(exchanged)
    return np.int64(FAR)


@kernel
def royal_distance(once, twice, jokers, ratio):
    """Distance of a rack from the run of all positions of one color."""
    best = np.int64(FAR)
    for color in range(4):
        own = FIRST_COLOR << color
        missing = own & ~once
        number = popcount(missing) + (popcount(twice & own & ONES) == 0)
        lying = min(jokers, number)
        if ratio and jokers > 1 and number == 2:
            # A missing 1 can be at the end that is not beside the other joker.
            inner = missing & ~ONES
            lying -= inner & inner << 4 != 0
        best = min(best, number - lying)
    return best


@kernel
def whole_runs_distance(once, jokers, ratio, form):
    """Distance of a rack from three or four runs, each of another color.

    No such run has a kind twice, so the colors are independent of each other.
    """
    colors = 3 if SHAPES[form] == THREE_COLOR_RUNS else 4
    numbers = NUMBERS[form]
    first = 9 if numbers == HIGH_ONLY else 0
    end = 9 if numbers == LOW_ONLY else LAST_POSITION
    # By color and size: tiles missing, and whether two of those are not adjacent.
    missing = np.full((4, LONGEST_OF_THREE + 1), FAR, np.int64)
    apart = np.zeros((4, LONGEST_OF_THREE + 1), np.bool_)
    for color in range(4):
        for size in range(3, LONGEST_OF_THREE + 1):
            for start in range(first, end - size + 1):
                absent = (RUN[start, size] << color) & ~once
                lacking = popcount(absent)
                if lacking > missing[color, size]:
                    continue
                two_apart = lacking > 2 or (
                    lacking == 2 and not adjacent(absent, start)
                )
                if lacking < missing[color, size]:
                    apart[color, size] = False
                missing[color, size] = lacking
                apart[color, size] |= two_apart and size >= 6
    best = np.int64(FAR)
    sizes = np.empty(4, np.int64)
    for left_out in range(4 if colors == 3 else 1):
        for a in range(3, LONGEST_OF_THREE + 1):
            for b in range(3, LONGEST_OF_THREE + 1):
                for c in range(3, LONGEST_OF_THREE + 1):
                    d = NUM_SHOWN - a - b - c
                    if (colors == 3 and d != 0) or (colors == 4 and d < 3):
                        continue
                    at = 0
                    for color in range(4):
                        if colors == 3 and color == left_out:
                            sizes[color] = 0
                            continue
                        sizes[color] = (a, b, c, d)[at]
                        at += 1
                    lacking = np.int64(0)
                    runs = 0
                    fits = False
                    for color in range(4):
                        if sizes[color] > 0:
                            lacking += missing[color, sizes[color]]
                            runs += missing[color, sizes[color]] > 0
                            fits |= apart[color, sizes[color]]
                    lying = min(jokers, lacking)
                    if ratio and lying == 2 and runs == 1 and not fits:
                        lying = np.int64(1)
                    best = min(best, lacking - lying)
    return best


@kernel
def adjacent(places, start):
    """Tells whether two places of a run are next to each other."""
    if start > 0 and places & ONES:
        # The 1 follows 13.
        return places >> 4 * (NUM_NUMBERS - 1) & 15 != 0
    return places & places << 4 != 0


@kernel
def most_of_mosaic(once, twice):
    """Most tiles of a rack that a mosaic can have.

    The state after each position is the color of its tile and, among the first and the
    last four, which colors those have had.
    """
    best = np.int64(0)
    now = np.empty((16, 4), np.int64)
    then = np.empty((16, 4), np.int64)
    for first in range(4):
        now[:] = -1
        now[1 << first, first] = once >> first & 1
        for position in range(1, LAST_POSITION):
            number = position % NUM_NUMBERS
            free = position > 3 and position < LAST_POSITION - 4
            fresh = position == LAST_POSITION - 4 or free
            then[:] = -1
            for used in range(16):
                for last in range(4):
                    held = now[used, last]
                    if held < 0:
                        continue
                    for color in range(4):
                        if color == last or (not fresh and used >> color & 1):
                            continue
                        have = once >> (4 * number + color) & 1
                        if position == LAST_POSITION - 1 and color == first:
                            have = twice >> color & 1
                        seen = 0 if free else 1 << color
                        if not fresh:
                            seen |= used
                        then[seen, color] = max(then[seen, color], held + have)
            now, then = then, now
        for color in range(4):
            best = max(best, now[15, color])
    return best
