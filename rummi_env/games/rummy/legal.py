"""Which actions of Rummy are legal: exact, so that no legal action is a dead end.

All of it is set arithmetic on the rack and the table; a look ahead is needed only where
an action leaves no card, or no other card than the one just taken from the row.
"""

from __future__ import annotations

from rummi_env.games.rummy.dealing import can_recycle
from rummi_env.games.rummy.sets import (
    NONE,
    above,
    below,
    count,
    fours_in,
    groups_in,
    lowest,
    run_from,
    runs_in,
    single,
    whole_rank,
    without_lowest,
)
from rummi_env.games.rummy.state import (
    DISCARD,
    DRAW,
    DRAW_PHASE,
    LAY_ABOVE,
    LAY_BELOW,
    LAY_GROUP,
    MELD_FOUR,
    MELD_GROUP,
    MELD_RUN,
    NO_CARD,
    OVER_PHASE,
    TAKE,
)
from rummi_env.solver.compiled import kernel


@kernel
def refresh_mask(game, rules):
    """Computes which actions are legal in the present state."""
    game.mask[:] = 0
    if game.phase == OVER_PHASE:
        return
    if game.phase == DRAW_PHASE:
        if game.pool_size > 0 or can_recycle(game, rules):
            game.mask[DRAW] = 1
        if game.row_size > 0:
            game.mask[TAKE] = 1
        return
    rack = game.racks[game.seat]
    taken = NONE if game.taken == NO_CARD else single(game.taken)
    mark(game.mask, DISCARD, rack & ~taken)
    if rules.hidden:
        return
    size = count(rack)
    if game.melds < rules.max_melds:
        mark_melds(game, rules, rack, taken, size)
    if game.melded[game.seat] or not rules.layoff_needs_own_meld:
        mark_layoffs(game, rules, rack, taken, size)


@kernel
def mark(mask, first, cards):
    """Marks an action for each card of a set."""
    while cards:
        mask[first + lowest(cards)] = 1
        cards = without_lowest(cards)


@kernel
def mark_melds(game, rules, rack, taken, size):
    """Marks the melds that the rack has and that leave a way to end the turn."""
    runs = runs_in(rack, rules.run_starts)
    groups = groups_in(rack)
    fours = fours_in(rack)
    if size <= 5:
        runs = keep_ways(game, rules, rack, taken, MELD_RUN, runs)
        groups = keep_ways(game, rules, rack, taken, MELD_GROUP, groups)
        fours = keep_ways(game, rules, rack, taken, MELD_FOUR, fours)
    mark(game.mask, MELD_RUN, runs)
    mark(game.mask, MELD_GROUP, groups)
    mark(game.mask, MELD_FOUR, fours)


@kernel
def mark_layoffs(game, rules, rack, taken, size):
    """Marks the cards that fit the table and leave a way to end the turn."""
    onto_groups = rack & game.gaps
    under_runs = rack & below(game.run_starts & rules.from_start)
    over_runs = rack & above(game.run_ends & rules.from_end)
    if size <= 2:
        onto_groups = keep_ways(game, rules, rack, taken, LAY_GROUP, onto_groups)
        under_runs = keep_ways(game, rules, rack, taken, LAY_BELOW, under_runs)
        over_runs = keep_ways(game, rules, rack, taken, LAY_ABOVE, over_runs)
    mark(game.mask, LAY_GROUP, onto_groups)
    mark(game.mask, LAY_BELOW, under_runs)
    mark(game.mask, LAY_ABOVE, over_runs)


@kernel
def keep_ways(game, rules, rack, taken, first, candidates):
    """Keeps those of a kind of actions after which the turn can be ended (part B.5).

    Args:
        game: the game.
        rules: the rules in numbers.
        rack: of the seat to move.
        taken: the card taken from the row, or no card.
        first: first action of the kind.
        candidates: the cards of its actions.
    """
    kept = NONE
    while candidates:
        card = lowest(candidates)
        candidates = without_lowest(candidates)
        gaps, starts, ends, used = laid_out(game, first, card)
        left = rack & ~used
        if left == NONE:
            # Out, unless the last card has to be discarded.
            fine = not rules.must_discard_last
        elif left == taken:
            # The last card may not be discarded in this turn: it has to fit the table.
            fit = gaps | below(starts & rules.from_start) | above(ends & rules.from_end)
            fine = not rules.must_discard_last and left & fit != NONE
        else:
            fine = True
        if fine:
            kept |= single(card)
    return kept


@kernel
def laid_out(game, first, card):
    """The table after an action that lays cards on it.

    Args:
        game: the game.
        first: first action of the kind.
        card: what the action is counted by: its index is ``first + card``.

    Returns:
        ``gaps``, ``run_starts`` and ``run_ends`` as in the game, and the cards laid.
    """
    one = single(card)
    gaps, starts, ends = game.gaps, game.run_starts, game.run_ends
    if first == MELD_RUN:
        used = run_from(one)
        starts |= one
        ends |= above(above(one))
    elif first == MELD_GROUP:
        used = whole_rank(card) ^ one
        gaps |= one
    elif first == MELD_FOUR:
        used = whole_rank(card)
    elif first == LAY_GROUP:
        used = one
        gaps ^= one
    elif first == LAY_BELOW:
        used = one
        starts ^= one | above(one)
    else:
        used = one
        ends ^= one | below(one)
    return gaps, starts, ends, used


@kernel
def kind_of(action):
    """First action of the kind that an action belongs to."""
    if action < MELD_GROUP:
        return DISCARD if action < MELD_RUN else MELD_RUN
    if action < LAY_GROUP:
        return MELD_GROUP if action < MELD_FOUR else MELD_FOUR
    if action < LAY_BELOW:
        return LAY_GROUP
    return LAY_BELOW if action < LAY_ABOVE else LAY_ABOVE
