"""The best melds of a rack: every way to take melds out of it, enumerated."""

from __future__ import annotations

import numpy as np

from rummi_env.core.cards import NUM_RANKS
from rummi_env.games.rummy.sets import (
    NONE,
    above,
    below,
    fours_in,
    groups_in,
    lowest,
    runs_in,
    single,
    value_of,
    whole_rank,
    without_lowest,
)
from rummi_env.solver.compiled import kernel

MAX_MELDS = 64
"""More than the melds among the 14 cards that a rack can have: 13 of one suit, round
the corner, hold 39 runs."""


@kernel
def list_melds(cards, rules, melds):
    """Writes every group and every run of three to five within a set.

    Longer runs are made of these.

    Args:
        cards: the set.
        rules: the rules in numbers.
        melds: uint64[MAX_MELDS], the melds found.

    Returns:
        How many there are.
    """
    size = 0
    starts = runs_in(cards, rules.run_starts)
    while starts:
        card = starts & ~without_lowest(starts)
        starts = without_lowest(starts)
        last = above(above(card))
        meld = card | above(card) | last
        melds[size] = meld
        size += 1
        for _ in range(2):
            last = above(last & rules.from_end) & cards & ~meld
            if last == NONE:
                break
            meld |= last
            melds[size] = meld
            size += 1
    lacking = groups_in(cards)
    while lacking:
        card = lowest(lacking)
        lacking = without_lowest(lacking)
        melds[size] = whole_rank(card) ^ single(card)
        size += 1
    fours = fours_in(cards)
    while fours:
        melds[size] = whole_rank(lowest(fours))
        size += 1
        fours = without_lowest(fours)
    return size


@kernel
def costliest(cards, rules):
    """The card of highest value in a set, of equal ones the first, as a set."""
    chosen = NONE
    most = np.int64(-1)
    while cards:
        rest = without_lowest(cards)
        value = value_of(cards ^ rest, rules.ace_value)
        if value > most:
            most = value
            chosen = cards ^ rest
        cards = rest
    return chosen


@kernel
def plan(cards, free, rules):
    """Takes melds out of a rack so that the cards left cost least.

    Args:
        cards: the rack.
        free: cards that cost nothing, as they can be laid off on the table.
        rules: the rules in numbers.

    Returns:
        Tuple of what the cards left cost, those cards, one of the melds taken out (no
        card if there is none), and the least cost if one card more could be discarded,
        for which other melds may be best.
    """
    melds = np.empty(MAX_MELDS, np.uint64)
    number = list_melds(cards, rules, melds)
    dead = cards
    first = NONE
    least = value_of(cards & ~free, rules.ace_value)
    after = least - value_of(costliest(cards & ~free, rules), rules.ace_value)
    if number == 0:
        return least, dead, first, after
    # Depth first over the melds in their order: `chosen` are those taken so far.
    chosen = np.empty(MAX_MELDS, np.int64)
    depth = 0
    index = 0
    left = cards
    while True:
        if index < number:
            if melds[index] & ~left == NONE:
                left ^= melds[index]
                chosen[depth] = index
                depth += 1
                loose = left & ~free
                cost = value_of(loose, rules.ace_value)
                if cost < least:
                    least = cost
                    dead = left
                    first = melds[chosen[0]]
                cost -= value_of(costliest(loose, rules), rules.ace_value)
                after = min(after, cost)
            index += 1
        elif depth > 0:
            depth -= 1
            index = chosen[depth]
            left |= melds[index]
            index += 1
        else:
            return least, dead, first, after


@kernel
def table_fits(game, rules, seat, rack):
    """Cards of a seat's rack that can be laid off, one after the other if need be."""
    if rules.hidden or (rules.layoff_needs_own_meld and not game.melded[seat]):
        return NONE
    chain = chained(rack, game.run_starts, game.run_ends, rules)
    return rack & game.gaps | chain


@kernel
def chained(cards, starts, ends, rules):
    """Cards of a set that can be laid off on runs, one after the other.

    Args:
        cards: the set.
        starts: lowest cards of the runs.
        ends: their highest cards.
        rules: the rules in numbers.
    """
    fits = NONE
    for _ in range(NUM_RANKS):
        under = cards & below(starts & rules.from_start)
        over = cards & above(ends & rules.from_end)
        if (under | over) & ~fits == NONE:
            break
        fits |= under | over
        starts |= under
        ends |= over
    return fits


@kernel
def loose_cards(cards, free, rules):
    """The cards of a rack outside of its best melds that do not fit the table."""
    return plan(cards, free, rules)[1] & ~free


@kernel
def least_deadwood(cards, rules):
    """What the cards of a rack cost that are left with the best melds taken out."""
    return plan(cards, NONE, rules)[0]
