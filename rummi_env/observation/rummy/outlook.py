"""What a rack of Rummy can become, as values for networks beside an observation.

All of it follows from the observation: it is for networks that would take long to find
out by themselves which cards are worth keeping. It costs some ten times as much as the
observation, so it is made for those that ask.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.cards import ALL_CARDS, NUM_CARDS
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.planning import chained, plan
from rummi_env.games.rummy.scripted import (
    DRAWS,
    draw_saves,
    expected_after_draw,
    expected_after_taking,
)
from rummi_env.games.rummy.sets import (
    NONE,
    above,
    below,
    count,
    single,
    whole_rank,
    without_lowest,
)
from rummi_env.games.rummy.state import DISCARD, DRAW, TAKE, coded
from rummi_env.observation.fields import SCORE_SCALE, checked_rows, size_of
from rummi_env.observation.rummy.encode import write_set
from rummi_env.observation.rummy.fields import fields
from rummi_env.observation.writing import one_of
from rummi_env.solver.compiled import entry, kernel

PLANES = ("expected", "left", "saved", "wanted", "melded")
"""What is said of each card that may be discarded, 52 values each: the deadwood to be
expected without it, above the least, by 5; what the loose cards cost then, likewise by
10; what a draw is expected to save then, below the
most, by 2; how many pairs of cards not yet shown would make a meld with it, by 3; and
of every card of the rack whether the best melds have it."""

NUMBERS = ("draw", "gain")
"""What is said of the draw, where it is to be made: the deadwood to be expected after a
draw from the pool, by 100; how much less it is after taking the top card, by 5."""

MOST_LOOSE = 6
"""Ones among zeros say how many loose cards there are: from 0 to less than this."""

MOST_LEFT = 8
"""Likewise how many cards the opponent with fewest has: from 1 to this."""

EXPECTED_SCALE = 0.2
LEFT_SCALE = 0.1
SAVED_SCALE = 0.5
WANTED_SCALE = 1 / 3
GAIN_SCALE = 0.2

_ALL = np.uint64(ALL_CARDS)


class Places(NamedTuple):
    """Where sets of cards lie in an observation, and what the rules add."""

    opponents: int
    rack: int
    groups: int
    runs: int
    fits: int
    row: int
    top: int
    recycled: int
    next_card: int
    known: int
    melded: int
    pool_size: int
    rack_sizes: int
    loose_sizes: int


class Outlook:
    """Finds what racks can become, from observations and masks.

    >>> Outlook(RummyRules(), 2).size
    276

    Attributes:
        size: values that it adds to an observation.
    """

    size = len(PLANES) * NUM_CARDS + len(NUMBERS) + MOST_LOOSE + MOST_LEFT

    def __init__(self, rules: RummyRules, num_players: int) -> None:
        """Takes what the observations are of.

        Raises:
            ValueError: there are not 2 to 6 players, or too few cards to deal.
        """
        parts = fields(rules, num_players)
        self._codes = coded(rules, num_players)
        self._seen = size_of(parts.values())
        self._dealt = rules.dealt(num_players)
        names = Places._fields[1:]
        self._places = Places(num_players - 1, *(parts[name].start for name in names))

    def __call__(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.generic]
    ) -> npt.NDArray[np.float32]:
        """Returns what the racks can become, a new array float32[N, size].

        Args:
            observations: float32[N, S], flat.
            masks: [N, actions]; which actions are legal.

        Raises:
            ValueError: the observations are of another size.
        """
        seen, legal = checked_rows(observations, masks, self._seen)
        out = np.zeros((len(observations), self.size), np.float32)
        _write(seen, legal, self._codes, self._places, self._dealt, out)
        return out


@entry
def _write(observations, masks, rules, places, dealt, out):
    """Writes what racks can become, game by game."""
    for index in range(len(observations)):
        mask = masks[index]
        if not mask.any():
            continue
        write_sizes(observations[index], places, dealt, out[index])
        if mask[DRAW] or mask[TAKE]:
            write_draw(observations[index], rules, places, out[index])
        else:
            write_plays(observations[index], mask, rules, places, out[index])


@kernel
def read_set(seen, start):
    """Reads a set of cards that was written as zeros and ones."""
    cards = NONE
    for card in range(NUM_CARDS):
        if seen[start + card] > 0:
            cards |= single(card)
    return cards


@kernel
def read_fits(seen, rack, rules, places):
    """The cards of a rack that can be laid off, one after the other if need be."""
    if rules.layoff_needs_own_meld and seen[places.melded] == 0:
        return NONE
    runs = read_set(seen, places.runs)
    table = runs | read_set(seen, places.groups)
    fits = rack & read_set(seen, places.fits)
    # Within runs the next card lies on the table, so their ends need not be known.
    return fits | chained(rack & ~table, runs, runs, rules)


@kernel
def read_drawn(seen, places):
    """The cards that a draw from the pool may bring."""
    next_card = read_set(seen, places.next_card)
    if next_card != NONE:
        return next_card
    row = read_set(seen, places.row)
    if seen[places.pool_size] == 0:
        return row & ~read_set(seen, places.top)
    hidden = unseen(seen, places)
    recycled = read_set(seen, places.recycled)
    return hidden if recycled == NONE else hidden & recycled


@kernel
def unseen(seen, places):
    """The cards that the observer has not seen, or not where they are now."""
    shown = read_set(seen, places.rack) | read_set(seen, places.row)
    shown |= read_set(seen, places.groups) | read_set(seen, places.runs)
    for other in range(places.opponents):
        shown |= read_set(seen, places.known + other * NUM_CARDS)
    return _ALL & ~shown


@kernel
def write_sizes(seen, places, dealt, out):
    """Writes how many loose cards there are, and the fewest of an opponent."""
    at = len(PLANES) * NUM_CARDS + len(NUMBERS)
    loose = round(seen[places.loose_sizes] * dealt)
    one_of(out, at, loose, MOST_LOOSE)
    fewest = NUM_CARDS
    for other in range(places.opponents):
        fewest = min(fewest, round(seen[places.rack_sizes + 1 + other] * dealt))
    one_of(out, at + MOST_LOOSE, min(fewest, MOST_LEFT) - 1, MOST_LEFT)


@kernel
def write_draw(seen, rules, places, out):
    """Writes what is to be expected of either draw."""
    rack = read_set(seen, places.rack)
    top = read_set(seen, places.top)
    drawn = read_drawn(seen, places)
    at = len(PLANES) * NUM_CARDS
    free = read_fits(seen, rack | top, rules, places)
    drawn &= ~top
    expected = expected_after_draw(rack, free, drawn, rules)
    out[at] = SCORE_SCALE * expected
    if top != NONE:
        taken = expected_after_taking(rack, top, free, drawn, rules)
        out[at + 1] = GAIN_SCALE * (expected - taken)


@kernel
def write_plays(seen, mask, rules, places, out):
    """Writes what discards leave behind, and which cards the best melds have."""
    rack = read_set(seen, places.rack)
    drawn = read_drawn(seen, places)
    free = read_fits(seen, rack, rules, places)
    others = unseen(seen, places)
    for other in range(places.opponents):
        others |= read_set(seen, places.known + other * NUM_CARDS)
    costs = np.zeros(NUM_CARDS)
    saves = np.zeros(NUM_CARDS)
    least, most, best = np.inf, 0.0, np.inf
    for card in range(NUM_CARDS):
        if mask[DISCARD + card]:
            left = rack & ~single(card)
            costs[card], saves[card] = draw_saves(left, free, drawn, rules)
            least = min(least, costs[card])
            most = max(most, saves[card])
            best = min(best, costs[card] - DRAWS * saves[card])
    for card in range(NUM_CARDS):
        if mask[DISCARD + card]:
            expected = costs[card] - DRAWS * saves[card]
            wanted = pairs_with(card, others, rules)
            out[card] = EXPECTED_SCALE * (expected - best)
            out[NUM_CARDS + card] = LEFT_SCALE * (costs[card] - least)
            out[2 * NUM_CARDS + card] = SAVED_SCALE * (most - saves[card])
            out[3 * NUM_CARDS + card] = WANTED_SCALE * wanted
    write_set(out, 4 * NUM_CARDS, rack & ~plan(rack, free, rules)[1])


@kernel
def pairs_with(card, cards, rules):
    """How many pairs of a set of cards make a meld with a card."""
    same = count(cards & whole_rank(card) & ~single(card))
    pairs = same * (same - 1) // 2
    around = cards | single(card)
    second = below(around)
    starts = around & second & below(second) & rules.run_starts
    while starts:
        start = starts & ~without_lowest(starts)
        starts = without_lowest(starts)
        run = start | above(start) | above(above(start))
        pairs += run & single(card) != NONE
    return pairs
