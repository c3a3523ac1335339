"""What a rack can become: tiles that bring it nearer to forms, tiles it can spare.

The distance to a form says how many tiles are missing. Here is what lies behind it: of
all targets that are so near, which tiles they lack, and which tiles of the rack none of
them needs. Targets are kept up to a limit; where there are more, those found first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rummi_env.core.forms import FORMS
from rummi_env.core.shapes import NUM_SHOWN
from rummi_env.core.tiles import JOKER, NUM_COUNTS, NUM_KINDS
from rummi_env.games.tabla.closing import LONGEST_OF_THREE, THREE_COLOR_RUNS
from rummi_env.games.tabla.covers import (
    FOUR_COLOR_RUNS,
    GROUPS,
    HIGH_ONLY,
    LOW_ONLY,
    MELDS,
    MELDS_WITH_RUN,
    NUMBERS,
    ONE_COLOR_RUNS,
    RUNS,
    SHAPES,
    TWO_COLOR_RUNS,
)
from rummi_env.games.tabla.distances import (
    find_distances,
    form_distance,
    melds_distance,
)
from rummi_env.games.tabla.nearest import FAR, keep_target, make_scratch
from rummi_env.games.tabla.places import (
    LAST_POSITION,
    PLACE,
    RUN,
    bits_of,
    popcount,
)
from rummi_env.solver.compiled import kernel

NUM_FORMS = len(FORMS)

MOST_TARGETS = 2_000
"""Targets of one form that are looked at."""

WORTH_A_LOOK = 1 / 32
"""Forms are looked into whose worth is at least this part of that of the best one."""

PER_EXCHANGE = 4.0
"""What a missing tile divides the worth of a form by."""

HELPFUL_WITHIN = 6
"""Forms that are not made of melds are looked into up to this distance.

What helps is found for the rack as it is, and taken to help after a tile is thrown.
"""


def _splits(parts: int) -> list[tuple[int, ...]]:
    """Returns the sizes of so many runs, each of 3 to 8 tiles, of 14 together."""
    if parts == 1:
        return [(size,) for size in range(3, LONGEST_OF_THREE + 1)]
    return [
        (size, *rest)
        for size in range(3, LONGEST_OF_THREE + 1)
        for rest in _splits(parts - 1)
    ]


RUN_SIZES = np.array(
    [sizes for sizes in _splits(4) if sum(sizes) == NUM_SHOWN]
    + [
        (*sizes[:left_out], 0, *sizes[left_out:])
        for sizes in _splits(3)
        if sum(sizes) == NUM_SHOWN
        for left_out in range(4)
    ]
)
"""int64[S, 4]: sizes by color of four runs, and of three, each of another color."""


class Prospects(NamedTuple):
    """What is found out about a rack."""

    distances: np.ndarray
    """int64[28]: distance to each form, `FAR` for those not played."""
    helpful: np.ndarray
    """int64[28]: by form the kinds that bring the rack nearer, as bits of places.

    Jokers do too, unless the form allows none.
    """
    after: np.ndarray
    """int64[53, 28]: by kind of the rack and form the distance without such a tile."""
    helpful_after: np.ndarray
    """int64[53, 28]: the kinds that bring the rack nearer then.

    Nothing is said of tiles without which the rack is further away.
    """


@kernel
def make_prospects():
    """Allocates what is found out."""
    return Prospects(
        np.empty(NUM_FORMS, np.int64),
        np.empty(NUM_FORMS, np.int64),
        np.empty((NUM_COUNTS, NUM_FORMS), np.int64),
        np.empty((NUM_COUNTS, NUM_FORMS), np.int64),
    )


@kernel
def find_prospects(rules, rack, scratch, found):
    """Finds what a rack can become.

    Args:
        rules: the rules in numbers.
        rack: int8[53], 14 or 15 tiles; is left as it was.
        scratch: a `nearest.Scratch` with room for targets.
        found: a `Prospects`; set. Of forms that are too far off to matter only the
            distances are right: with any tile thrown they stay the same, and nothing
            helps.
    """
    find_distances(rules, rack, rules.enabled, found.distances)
    best = 0.0
    for form in range(NUM_FORMS):
        if found.distances[form] < FAR:
            worth = rules.points[form, 0] * PER_EXCHANGE ** -found.distances[form]
            best = max(best, worth)
    once, twice, jokers = bits_of(rack)
    for form in range(NUM_FORMS):
        distance = found.distances[form]
        found.helpful[form] = 0
        for kind in range(NUM_COUNTS):
            found.after[kind, form] = distance
            found.helpful_after[kind, form] = 0
        if distance == FAR:
            continue
        if rules.points[form, 0] * PER_EXCHANGE**-distance < best * WORTH_A_LOOK:
            continue
        natural = rules.natural >> form & 1 == 1
        ratio = rules.joker_ratio != 0
        shape = SHAPES[form]
        scratch.kept[0] = 0
        if shape in (
            MELDS,
            MELDS_WITH_RUN,
            RUNS,
            GROUPS,
            TWO_COLOR_RUNS,
            ONE_COLOR_RUNS,
        ):
            lying = np.int64(-1) if natural else jokers
            melds_distance(
                scratch,
                once,
                twice,
                lying,
                ratio,
                form,
                np.int64(0),
                distance + 1,
            )
            look_at_targets(rack, scratch, natural, distance, form, found)
        elif shape in (THREE_COLOR_RUNS, FOUR_COLOR_RUNS):
            keep_runs(scratch, once, 0 if natural else jokers, distance, form)
            look_at_targets(rack, scratch, natural, distance, form, found)
        else:
            try_tiles(rack, scratch, ratio, natural, distance, form, found)


@kernel
def keep_runs(scratch, once, jokers, distance, form):
    """Keeps the targets at a distance of three or four runs of different colors."""
    colors = 3 if SHAPES[form] == THREE_COLOR_RUNS else 4
    first = 9 if NUMBERS[form] == HIGH_ONLY else 0
    end = 9 if NUMBERS[form] == LOW_ONLY else LAST_POSITION
    budget = distance + jokers
    starts = np.empty(4, np.int64)
    masks = np.zeros(5, np.int64)
    lacking = np.zeros(5, np.int64)
    for split in range(len(RUN_SIZES)):
        sizes = RUN_SIZES[split]
        if (sizes.min() == 0) != (colors == 3):
            continue
        color = 0
        starts[0] = first - 1
        while color >= 0:
            starts[color] += 1
            size = sizes[color]
            # A color left out has one place to be, without a tile.
            last = end - size if size > 0 else first
            if starts[color] > last:
                color -= 1
                continue
            places = np.int64(0)
            if size > 0:
                places = RUN[starts[color], size] << color
            lacks = lacking[color] + popcount(places & ~once)
            if lacks > budget:
                continue
            masks[color + 1] = masks[color] | places
            lacking[color + 1] = lacks
            if color < 3:
                color += 1
                starts[color] = first - 1
            elif not keep_target(scratch, masks[4], np.int64(0)):
                return


@kernel
def look_at_targets(rack, scratch, natural, distance, form, found):
    """Notes what the targets that are kept lack, and what they can spare."""
    once, twice, jokers = bits_of(rack)
    for kind in range(NUM_COUNTS):
        if rack[kind] > 0:
            found.after[kind, form] = distance + 1
    for index in range(scratch.kept[0]):
        there, there_twice = scratch.targets[index, 0], scratch.targets[index, 1]
        lacks, lacks_again = there & ~once, there_twice & ~twice
        lacking = lacks | lacks_again
        held = popcount(there & once) + popcount(there_twice & twice)
        found.helpful[form] |= lacking
        needed = (there & ~twice) | there_twice
        for kind in range(NUM_KINDS):
            if rack[kind] > 0 and needed >> PLACE[kind] & 1 == 0:
                found.after[kind, form] = distance
                found.helpful_after[kind, form] |= lacking
        if jokers > 0 and (natural or NUM_SHOWN - held - (jokers - 1) <= distance):
            found.after[JOKER, form] = distance
            found.helpful_after[JOKER, form] |= lacking


@kernel
def try_tiles(rack, scratch, ratio, natural, distance, form, found):
    """Notes the same of a form that is not made of melds, by trying every tile."""
    least = np.int64(0)
    none = make_scratch()
    for kind in range(NUM_KINDS):
        if distance == 0 or distance > HELPFUL_WITHIN or rack[kind] == 2:
            continue
        rack[kind] += 1
        once, twice, jokers = bits_of(rack)
        if (
            form_distance(none, once, twice, jokers, ratio, natural, form, least)
            < distance
        ):
            found.helpful[form] |= np.int64(1) << PLACE[kind]
        rack[kind] -= 1
    for kind in range(NUM_COUNTS):
        if rack[kind] > 0:
            rack[kind] -= 1
            once, twice, jokers = bits_of(rack)
            after = form_distance(
                none, once, twice, jokers, ratio, natural, form, least
            )
            found.after[kind, form] = after
            if after == distance:
                found.helpful_after[kind, form] = found.helpful[form]
            rack[kind] += 1
