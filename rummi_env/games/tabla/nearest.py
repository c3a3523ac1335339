"""How far a rack is from 14 tiles in melds: branch and bound over targets.

A target is three or four melds of 14 tiles together; its distance is the number of its
tiles that the rack lacks, less the jokers that lie in for them. Melds are tried from
those with most tiles of the rack on, and a branch is left when even its best end would
not be nearer than the best target so far.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rummi_env.core.shapes import NUM_SHOWN
from rummi_env.games.tabla.covers import (
    GROUPS,
    HIGH_ONLY,
    LOW_ONLY,
    MELDS_WITH_RUN,
    MOST,
    NO_LIMIT,
    NUMBERS,
    ONE_COLOR_RUNS,
    RUNS,
    SHAPES,
    TWO_COLOR_RUNS,
)
from rummi_env.games.tabla.meld_table import (
    MELD_COLORS,
    NO_COLOR,
    NUM_MELDS,
    PATTERNS,
    PLACES,
    SIZES,
    STARTS,
    TOTALS,
)
from rummi_env.games.tabla.places import HIGH, LAST_POSITION, LOW, lowest, popcount
from rummi_env.solver.compiled import kernel

FAR = NUM_SHOWN + 1
"""Distance of what has not been found: more than there can be."""

PER_TILE = 8
"""What a tile of the rack is worth in a meld.

Where the sum is limited a meld costs its sum, as every sum left over is worth as much:
a bound by worth is a bound by tiles for any such price, and a closer one than without.
"""
MOST_WORTH = 5 * PER_TILE
LEAST_WORTH = -64
"""Bounds of the worth: five tiles held; none of the highest sum, 55 from 9 to 13."""

UNLISTED = LEAST_WORTH - 1
"""Worth of a meld that a form does not allow."""

MOST_EXCESS = 2
"""Most tiles of a target beyond two of a kind: only jokers can lie in for them."""


class Scratch(NamedTuple):
    """Memory of a search."""

    lists: np.ndarray
    """int64[3, 197]: melds of three, four and five tiles, those worth most first."""
    lengths: np.ndarray
    """int64[3]: how many there are."""
    worth: np.ndarray
    """int64[197]: by meld tiles that the rack has, times `PER_TILE`, less its price."""
    at: np.ndarray
    """int64[4]: places in the lists of the melds tried."""
    melds: np.ndarray
    """int64[4]: the melds tried."""
    once: np.ndarray
    """int64[5]: by depth the kinds of the target, as bits."""
    twice: np.ndarray
    """int64[5]: by depth the kinds that it has twice or more often."""
    sums: np.ndarray
    """int64[5, 3]: by depth tiles held, what the target adds up to, its excess."""
    targets: np.ndarray
    """int64[T, 2]: targets that are kept: kinds held once or more, and twice, as bits.

    With no room for any, as usual, the search only finds the distance.
    """
    kept: np.ndarray
    """int64[1]: how many targets are kept."""


@kernel
def make_scratch(most_targets=0):
    """Allocates the memory of a search.

    Args:
        most_targets: how many targets are kept at most.
    """
    return Scratch(
        np.empty((3, NUM_MELDS), np.int64),
        np.empty(3, np.int64),
        np.empty(NUM_MELDS, np.int64),
        np.empty(4, np.int64),
        np.empty(4, np.int64),
        np.empty(5, np.int64),
        np.empty(5, np.int64),
        np.empty((5, 3), np.int64),
        np.empty((most_targets, 2), np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def keep_target(scratch, once, twice):
    """Keeps a target.

    Returns:
        Whether there is room for another.
    """
    number = scratch.kept[0]
    scratch.targets[number, 0] = once
    scratch.targets[number, 1] = twice
    scratch.kept[0] = number + 1
    return number + 1 < len(scratch.targets)


@kernel
def position_of(meld, place):
    """Position (less one) of a tile in a run, or its color in a group."""
    if MELD_COLORS[meld] == NO_COLOR:
        return place & 3
    number = place >> 2
    return LAST_POSITION - 1 if number == 0 and STARTS[meld] > 0 else number


@kernel
def jokers_may_lie(melds, number, first, first_place, second, second_place):
    """Tells whether two jokers keep the ratio in a target.

    In one meld they do only if it is a run that another run continues: both together
    then have four other tiles.

    Args:
        melds: int64[4], the melds of the target.
        number: how many there are.
        first: index of the meld of one joker.
        first_place: the place that it lies in for.
        second: index of the meld of the other.
        second_place: its place.
    """
    if first != second:
        return True
    meld = melds[first]
    color = MELD_COLORS[meld]
    apart = position_of(meld, first_place) - position_of(meld, second_place)
    if color == NO_COLOR or abs(apart) < 2:
        return False
    start, end = STARTS[meld], STARTS[meld] + SIZES[meld]
    for index in range(number):
        other = melds[index]
        continues = STARTS[other] == end or STARTS[other] + SIZES[other] == start
        if index != first and MELD_COLORS[other] == color and continues:
            return True
    return False


@kernel
def exchanged(melds, number, once, twice, first, first_place, second, second_place):
    """Counts the tiles of a target that neither the rack has nor jokers lie in for.

    Args:
        melds: int64[4], the melds of the target.
        number: how many there are.
        once: kinds of the rack, as bits.
        twice: kinds it has twice, as bits.
        first: index of a meld with a joker, or -1.
        first_place: the place that it lies in for.
        second: index of a meld with another joker, or -1.
        second_place: its place.

    Returns:
        Their number, or `FAR` if there is a third tile of a kind among the rest.
    """
    missing = np.int64(0)
    there = np.int64(0)
    there_twice = np.int64(0)
    for index in range(number):
        places = PLACES[melds[index]]
        if index == first:
            places &= ~(np.int64(1) << first_place)
        if index == second:
            places &= ~(np.int64(1) << second_place)
        again = places & there
        if again & there_twice != 0:
            return FAR
        missing += popcount(places & ~there & ~once) + popcount(again & ~twice)
        there_twice |= again
        there |= places
    return missing


@kernel
def distance_with_ratio(melds, number, once, twice, jokers):
    """Distance of a rack from a target in which jokers keep the ratio.

    Every one and every two tiles of the target are tried as jokers; one that the rack
    lacks has to be exchanged for.
    """
    none = np.int64(-1)
    nowhere = np.int64(0)
    best = exchanged(melds, number, once, twice, none, nowhere, none, nowhere)
    for first in range(number):
        left = PLACES[melds[first]]
        while left != 0:
            place = lowest(left)
            left &= left - 1
            one = exchanged(melds, number, once, twice, first, place, none, nowhere)
            best = min(best, one + max(1 - jokers, 0))
            for second in range(first, number):
                others = left if second == first else PLACES[melds[second]]
                while others != 0:
                    other = lowest(others)
                    others &= others - 1
                    if jokers_may_lie(melds, number, first, place, second, other):
                        both = exchanged(
                            melds, number, once, twice, first, place, second, other
                        )
                        best = min(best, both + max(2 - jokers, 0))
    return best


@kernel
def list_melds(scratch, once, form, colors):
    """Lists the melds that a form allows, those that are worth most first.

    Args:
        scratch: a `Scratch`; ``worth`` is set.
        once: kinds of the rack, as bits.
        form: its index.
        colors: colors allowed for runs, as bits.
    """
    shape = SHAPES[form]
    numbers = NUMBERS[form]
    allowed = ~np.int64(0)
    if numbers == LOW_ONLY:
        allowed = np.int64(LOW)
    elif numbers == HIGH_ONLY:
        allowed = np.int64(HIGH)
    only_groups = shape == GROUPS
    only_runs = shape in (RUNS, TWO_COLOR_RUNS, ONE_COLOR_RUNS)
    price = 1 if MOST[form] < NO_LIMIT else 0
    starts = np.zeros((3, MOST_WORTH - LEAST_WORTH + 1), np.int64)
    for meld in range(NUM_MELDS):
        color = MELD_COLORS[meld]
        scratch.worth[meld] = UNLISTED
        if PLACES[meld] & ~allowed != 0:
            continue
        if only_runs if color == NO_COLOR else only_groups or not colors >> color & 1:
            continue
        worth = popcount(PLACES[meld] & once) * PER_TILE - price * TOTALS[meld]
        scratch.worth[meld] = worth
        starts[SIZES[meld] - 3, MOST_WORTH - worth] += 1
    for size in range(3):
        end = np.int64(0)
        for rank in range(starts.shape[1]):
            end += starts[size, rank]
            starts[size, rank] = end - starts[size, rank]
        scratch.lengths[size] = end
    for meld in range(NUM_MELDS):
        worth = scratch.worth[meld]
        if worth != UNLISTED:
            size = SIZES[meld] - 3
            scratch.lists[size, starts[size, MOST_WORTH - worth]] = meld
            starts[size, MOST_WORTH - worth] += 1


@kernel
def nearest_target(scratch, once, twice, jokers, ratio, form, colors, least, most):
    """Searches the target nearest to a rack among those of listed melds.

    Args:
        scratch: a `Scratch`, the melds listed by `list_melds`. With room for targets
            all that are nearer than ``most`` are kept there, while it lasts.
        once: kinds of the rack, as bits.
        twice: kinds it has twice, as bits.
        jokers: jokers that may lie in; -1 where the form allows none, not even drawn.
        ratio: whether ``joker_ratio`` is ``2_real_per_joker``.
        form: its index.
        colors: colors that must all be there, as bits; 0 where that does not matter.
        least: a distance that no target can be nearer than.
        most: only targets nearer than this count.

    Returns:
        The least distance, or ``most``.
    """
    best = most
    needs_run = SHAPES[form] == MELDS_WITH_RUN
    limit = MOST[form]
    price = 1 if limit < NO_LIMIT else 0
    excess_limit = MOST_EXCESS if jokers >= 0 else 0
    jokers = max(jokers, 0)
    lists, lengths, at, melds = (
        scratch.lists,
        scratch.lengths,
        scratch.at,
        scratch.melds,
    )
    sums = scratch.sums
    ahead = np.empty((5, 2), np.int64)
    scratch.once[0] = 0
    scratch.twice[0] = 0
    sums[0, :] = 0
    for pattern in range(len(PATTERNS)):
        sizes = PATTERNS[pattern]
        depth_end = 4 if sizes[3] > 0 else 3
        # What the melds still to come are worth at most and add up to at least.
        ahead[depth_end, :] = 0
        possible = True
        for depth in range(depth_end - 1, -1, -1):
            size = sizes[depth]
            if lengths[size - 3] == 0:
                possible = False
                break
            first = lists[size - 3, 0]
            lightest = TOTALS[first]
            for index in range(1, lengths[size - 3]):
                lightest = min(lightest, TOTALS[lists[size - 3, index]])
            ahead[depth, 0] = ahead[depth + 1, 0] + scratch.worth[first]
            ahead[depth, 1] = ahead[depth + 1, 1] + lightest
        if not possible:
            continue
        depth = 0
        at[0] = -1
        while depth >= 0:
            at[depth] += 1
            size = sizes[depth] - 3
            held = sums[depth, 0]
            if at[depth] >= lengths[size]:
                depth -= 1
                continue
            meld = lists[size, at[depth]]
            total = sums[depth, 1]
            reach = scratch.worth[meld] + ahead[depth + 1, 0] + price * (limit - total)
            if max(NUM_SHOWN - held - reach // PER_TILE - jokers, 0) >= best:
                depth -= 1
                continue
            total += TOTALS[meld]
            if total + ahead[depth + 1, 1] > limit:
                continue
            there, there_twice = scratch.once[depth], scratch.twice[depth]
            places = PLACES[meld]
            again = places & there
            excess = sums[depth, 2] + popcount(again & there_twice)
            if excess > excess_limit:
                continue
            held += popcount(places & ~there & once)
            held += popcount(again & ~there_twice & twice)
            reach = ahead[depth + 1, 0] + price * (limit - total)
            if max(NUM_SHOWN - held - reach // PER_TILE - jokers, 0) >= best:
                continue
            melds[depth] = meld
            depth += 1
            scratch.once[depth] = there | places
            scratch.twice[depth] = there_twice | again
            sums[depth, 0] = held
            sums[depth, 1] = total
            sums[depth, 2] = excess
            if depth < depth_end:
                at[depth] = at[depth - 1] - 1 if sizes[depth] == size + 3 else -1
                continue
            depth -= 1
            if needs_run or colors != 0:
                run_colors = np.int64(0)
                for index in range(depth_end):
                    run_colors |= np.int64(1) << MELD_COLORS[melds[index]]
                if needs_run and run_colors == 1 << NO_COLOR:
                    continue
                if colors & ~run_colors != 0:
                    continue
            distance = max(NUM_SHOWN - held - jokers, 0)
            if ratio and (jokers > 1 or excess > 0):
                distance = distance_with_ratio(melds, depth_end, once, twice, jokers)
            if distance < best:
                if len(scratch.targets) > 0:
                    once_there, twice_there = (
                        scratch.once[depth + 1],
                        scratch.twice[depth + 1],
                    )
                    if not keep_target(scratch, once_there, twice_there):
                        return best
                    continue
                best = distance
                if best <= least:
                    return best
    return best
