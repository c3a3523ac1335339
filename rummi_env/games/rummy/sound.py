"""Whether a record that came from outside can be played on."""

from __future__ import annotations

import numpy as np

from rummi_env.core.cards import ALL_CARDS, NUM_CARDS, NUM_RANKS
from rummi_env.games.rummy.legal import refresh_mask
from rummi_env.games.rummy.sets import (
    NONE,
    above,
    count,
    lowest,
    single,
    whole_rank,
    without_lowest,
)
from rummi_env.games.rummy.state import NO_CARD, OVER_PHASE
from rummi_env.solver.compiled import entry, kernel

_ALL = np.uint64(ALL_CARDS)


@entry
def is_sound(games, index, rules):
    """Whether compiled code can play on from a record; its mask is computed anew."""
    game = games[index]
    if not has_sound_numbers(game, rules):
        return False
    if not (has_sound_groups(game) and has_sound_runs(game, rules)):
        return False
    seen = NONE
    for place in range(game.pool_size):
        if seen & single(game.pool[place]) != NONE:
            return False
        seen |= single(game.pool[place])
    for place in range(game.row_size):
        if seen & single(game.row[place]) != NONE:
            return False
        seen |= single(game.row[place])
    for seat in range(rules.num_players):
        if game.racks[seat] & ~_ALL != NONE or seen & game.racks[seat] != NONE:
            return False
        if game.known[seat] & ~game.racks[seat] != NONE:
            return False
        seen |= game.racks[seat]
    if seen & (game.groups | game.runs) != NONE or game.groups & game.runs != NONE:
        return False
    if game.laid_now & ~(game.groups | game.runs) != NONE:
        return False
    mask = game.mask.copy()
    refresh_mask(game, rules)
    return (mask == game.mask).all()


@kernel
def has_sound_numbers(game, rules):
    """Whether all that is no set of cards is within its bounds."""
    players = rules.num_players
    if not (0 <= game.seat < players and 0 <= game.starter < players):
        return False
    if not (0 <= game.phase <= OVER_PHASE and 0 <= game.round <= rules.hands):
        return False
    if not (0 <= game.turn <= rules.max_turns and 0 <= game.melds <= NUM_CARDS):
        return False
    if not (0 <= game.recycles <= rules.max_recycles and game.recycled & ~_ALL == NONE):
        return False
    if not (0 <= game.pool_size <= NUM_CARDS and 0 <= game.row_size <= NUM_CARDS):
        return False
    if not NO_CARD <= game.taken < NUM_CARDS:
        return False
    for place in range(game.pool_size):
        if not 0 <= game.pool[place] < NUM_CARDS:
            return False
    for place in range(game.row_size):
        if not 0 <= game.row[place] < NUM_CARDS:
            return False
    for seat in range(players):
        if not (0 <= game.melded[seat] <= 1 and 0 <= game.laid[seat] <= NUM_CARDS):
            return False
    return True


@kernel
def has_sound_groups(game):
    """Whether the groups are three or four of a rank, and the gaps what they lack."""
    cards = game.groups
    if cards & ~_ALL != NONE:
        return False
    gaps = NONE
    while cards:
        rank = whole_rank(lowest(cards))
        if count(game.groups & rank) < 3:
            return False
        gaps |= rank & ~game.groups
        cards &= ~rank
    return gaps == game.gaps


@kernel
def has_sound_runs(game, rules):
    """Whether the runs go from their starts to their ends, three cards or more each."""
    covered = NONE
    ends = NONE
    starts = game.run_starts
    if starts & ~(game.runs & rules.run_starts) != NONE:
        return False
    while starts:
        card = starts & ~without_lowest(starts)
        starts = without_lowest(starts)
        length = 1
        covered |= card
        while game.run_ends & card == NONE:
            if length == NUM_RANKS or (length > 1 and card & ~rules.from_end != NONE):
                return False
            card = above(card)
            if card & (covered | ~game.runs) != NONE:
                return False
            covered |= card
            length += 1
        if length < 3:
            return False
        ends |= card
    return covered == game.runs and ends == game.run_ends
