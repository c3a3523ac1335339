"""The scripted baselines, compiled, so that batches of games play them at full speed.

Each chooses one action from the state of a game; what it uses of it is what the seat to
move may know. `rummi_agents` offers the same players by name.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.cards import ALL_CARDS, NUM_CARDS
from rummi_env.games.chance import random_legal
from rummi_env.games.rummy.dealing import pool_is_known
from rummi_env.games.rummy.planning import costliest, plan, table_fits
from rummi_env.games.rummy.sets import (
    NONE,
    above,
    count,
    groups_in,
    lowest,
    runs_in,
    single,
    whole_rank,
    without_lowest,
)
from rummi_env.games.rummy.state import (
    DISCARD,
    DRAW,
    DRAW_PHASE,
    LAY_GROUP,
    MELD_FOUR,
    MELD_GROUP,
    MELD_RUN,
    NUM_ACTIONS,
    SHUFFLE,
    TAKE,
)
from rummi_env.solver.compiled import kernel

RANDOM, MELD_GREEDY, LEAST_DEADWOOD = range(3)
SCRIPTED = {
    "random": RANDOM,
    "meld_greedy": MELD_GREEDY,
    "least_deadwood": LEAST_DEADWOOD,
}
"""Codes of the baselines by name.

random: any legal action, all alike. meld_greedy: takes the top card of the row if it
melds or fits the table at once, lays whatever it can, and discards the costliest card
outside of its melds. least_deadwood: draws and discards so that the least is to be
expected on its rack, and lays the melds that leave the least on it; where all can go at
once it holds everything back until then, see `holds`.
"""

_ALL = np.uint64(ALL_CARDS)

HOLD = 5
"""least_deadwood holds back while every other rack has more cards than this less the
number of players, and more than one. Of 0 to 6 cards it scores most against meld_greedy
with 3 for two players, 2 for three, 1 for four and six, over 3,000 hands each."""

DRAWS = 4
"""Draws that least_deadwood looks ahead: of 1, 4 and 8 what scores most against
meld_greedy, over 3,000 hands of two players, 600 of four and 500 of straight gin."""


@kernel
def next_cards(game, rules):
    """Cards that the seat to move has to reckon with when it draws from the pool."""
    row = NONE
    for place in range(game.row_size):
        row |= single(game.row[place])
    if game.pool_size == 0:
        if game.row_size < 2:
            return NONE
        if rules.recycle == SHUFFLE:
            return row ^ single(game.row[game.row_size - 1])
        return single(game.row[0])
    if pool_is_known(game, rules):
        return single(game.pool[game.pool_size - 1])
    seen = row | game.groups | game.runs | game.racks[game.seat]
    for other in range(rules.num_players):
        seen |= game.known[other]
    return _ALL & ~seen & game.recycled


@kernel
def draw_saves(rack, free, drawn, rules):
    """What a rack costs, and what a draw is expected to save by the melds it makes.

    Args:
        rack: the rack after the discard.
        free: cards that can be laid off.
        drawn: the cards that are equally likely to be drawn.
        rules: the rules in numbers.
    """
    cost = plan(rack, free, rules)[0]
    number = count(drawn)
    saved = np.int64(0)
    while drawn:
        rest = without_lowest(drawn)
        saved += max(cost - plan(rack | (drawn ^ rest), free, rules)[0], 0)
        drawn = rest
    return cost, saved / max(number, 1)


@kernel
def expected_deadwood(rack, free, drawn, rules):
    """What a rack is expected to cost with the melds that coming draws may make.

    What one draw saves is exact; `DRAWS` of them are taken to save so many times as
    much. For the arguments see `draw_saves`.
    """
    cost, saved = draw_saves(rack, free, drawn, rules)
    return cost - DRAWS * saved


@kernel
def expected_after_draw(rack, free, drawn, rules):
    """What a rack is expected to cost after a draw and the best discard, likewise."""
    number = count(drawn)
    total = np.float64(0.0)
    cost = plan(rack, free, rules)[0]
    saved = np.int64(0)
    while drawn:
        rest = without_lowest(drawn)
        left, _, _, after = plan(rack | (drawn ^ rest), free, rules)
        total += after
        saved += max(cost - left, 0)
        drawn = rest
    if number == 0:
        return np.float64(cost)
    return (total - DRAWS * saved) / number


@kernel
def expected_after_taking(rack, top, free, drawn, rules):
    """What a rack is expected to cost after the top card and the best discard.

    The card taken may not be discarded, so another one is.
    """
    least = np.inf
    rest = rack
    while rest:
        kept = without_lowest(rest)
        left = (rack ^ rest ^ kept) | top
        least = min(least, expected_deadwood(left, free, drawn, rules))
        rest = kept
    return least


@kernel
def takes(game, rules, player):
    """Whether a baseline takes the top card of the row."""
    if game.mask[TAKE] == 0 or game.mask[DRAW] == 0:
        return game.mask[TAKE] != 0
    top = single(game.row[game.row_size - 1])
    rack = game.racks[game.seat]
    free = table_fits(game, rules, game.seat, rack | top)
    if player == MELD_GREEDY:
        runs = runs_in(rack | top, rules.run_starts) & ~runs_in(rack, rules.run_starts)
        groups = groups_in(rack | top) & ~groups_in(rack)
        return (free & top) | runs | groups != NONE
    drawn = next_cards(game, rules) & ~top
    taken = expected_after_taking(rack, top, free, drawn, rules)
    return taken < expected_after_draw(rack, free, drawn, rules)


@kernel
def meld_action(meld, rules):
    """The action that lays a meld, or the first three cards of a longer run."""
    card = lowest(meld)
    same = whole_rank(card)
    if meld == same:
        return MELD_FOUR + card % 13
    if meld & ~same == NONE:
        return MELD_GROUP + lowest(same ^ meld)
    starts = runs_in(meld, rules.run_starts)
    # Of the runs of three within it the first is the one that none goes before.
    return MELD_RUN + lowest(starts & ~above(starts & rules.from_end))


@kernel
def best_discard(game, rules, player, free, dead):
    """The action that discards what a baseline wants least.

    Args:
        game: the game.
        rules: the rules in numbers.
        player: a code of `SCRIPTED`.
        free: cards that can be laid off.
        dead: cards outside of the best melds.
    """
    rack = game.racks[game.seat]
    legal = rack
    if game.taken >= 0:
        legal &= ~single(game.taken)
    if player == MELD_GREEDY:
        loose = legal & dead
        return DISCARD + lowest(costliest(legal if loose == NONE else loose, rules))
    drawn = next_cards(game, rules)
    chosen = NONE
    least = np.inf
    # From the costliest on: of cards that promise the same it goes.
    while legal:
        card = costliest(legal, rules)
        legal ^= card
        cost = expected_deadwood(rack ^ card, free, drawn, rules)
        if cost < least:
            least = cost
            chosen = card
    return DISCARD + lowest(chosen)


@kernel
def holds(game, rules, loose):
    """Whether least_deadwood lays nothing yet.

    What lies on the table takes the others' cards, and going out at one stroke doubles;
    but a full rack costs most when another goes out. Where melds are limited they
    cannot all be laid at the end.

    Args:
        game: the game.
        rules: the rules in numbers.
        loose: the cards that would be left if all was laid.
    """
    if rules.max_melds < NUM_CARDS or count(loose) <= 1:
        return False
    fewest = NUM_CARDS
    for other in range(rules.num_players):
        if other != game.seat:
            fewest = min(fewest, count(game.racks[other]))
    return fewest > max(HOLD - rules.num_players, 1)


@kernel
def scripted_action(game, rules, player):
    """Chooses the next action of a scripted baseline.

    Args:
        game: the game; only its random numbers move on.
        rules: the rules in numbers.
        player: a code of `SCRIPTED`.
    """
    if player == RANDOM:
        return random_legal(game, NUM_ACTIONS)
    if game.phase == DRAW_PHASE:
        return np.int64(TAKE if takes(game, rules, player) else DRAW)
    rack = game.racks[game.seat]
    free = table_fits(game, rules, game.seat, rack)
    _, dead, meld, _ = plan(rack, free, rules)
    if player == MELD_GREEDY or not holds(game, rules, dead & ~free):
        if meld != NONE:
            action = meld_action(meld, rules)
            if game.mask[action]:
                return np.int64(action)
        for action in range(LAY_GROUP, NUM_ACTIONS):
            card = (action - LAY_GROUP) % NUM_CARDS
            if game.mask[action] and dead & single(card) != NONE:
                return np.int64(action)
    discards = 0
    for action in range(DISCARD, MELD_RUN):
        discards += game.mask[action]
    if discards > 0:
        return np.int64(best_discard(game, rules, player, free, dead))
    return random_legal(game, NUM_ACTIONS)
