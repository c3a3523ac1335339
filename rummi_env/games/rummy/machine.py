"""The turn machine of Rummy: every rule of play, once, compiled.

A game is a record of `state.GAME`. `act` performs one legal action of the seat to move,
`fail_turn` ends a turn in which something illegal was tried. Both leave the game ready
for the next decision, its mask computed. Paragraphs are those of part B of the rules.
"""

from __future__ import annotations

from rummi_env.core.cards import NUM_CARDS
from rummi_env.games.rummy.dealing import (
    begin_turn,
    choose_starter,
    deal_hand,
    pool_is_known,
    recycle_row,
)
from rummi_env.games.rummy.legal import kind_of, laid_out, refresh_mask
from rummi_env.games.rummy.planning import costliest, least_deadwood
from rummi_env.games.rummy.scoring import (
    match_is_over,
    score_blocked,
    score_going_out,
)
from rummi_env.games.rummy.sets import NONE, count, lowest, single
from rummi_env.games.rummy.state import (
    DISCARD,
    DRAW,
    DRAW_PHASE,
    LAY_GROUP,
    MELD_FOUR,
    MELD_GROUP,
    MELD_RUN,
    OVER_PHASE,
    PLAY_PHASE,
    TAKE,
)
from rummi_env.solver.compiled import kernel


@kernel
def start_match(game, rules):
    """Starts a match with a random deal; only ``game.seed`` is kept."""
    game.round = 0
    game.round_ended = 0
    game.blocked = 0
    game.scores[:] = 0.0
    game.totals[:] = 0.0
    game.rounds_won[:] = 0.0
    choose_starter(game, rules)
    deal_hand(game, rules)
    refresh_mask(game, rules)


@kernel
def is_over(game):
    """Whether the match is over."""
    return game.phase == OVER_PHASE


@kernel
def act(game, rules, action):
    """Performs a legal action of the seat to move.

    Args:
        game: the game; changed in place.
        rules: the rules in numbers.
        action: an action whose mask is set.
    """
    perform(game, rules, action)
    refresh_mask(game, rules)


@kernel
def perform(game, rules, action):
    """Performs a legal action and leaves the mask as it was."""
    game.round_ended = 0
    if action == DRAW:
        draw(game, rules)
    elif action == TAKE:
        take(game)
    elif action < MELD_RUN:
        discard(game, rules, action - DISCARD)
    else:
        lay(game, rules, action)


@kernel
def draw(game, rules):
    """Draws the next card of the pool, after making a new one if it is empty (B.6)."""
    if game.pool_size == 0:
        recycle_row(game, rules)
    game.pool_size -= 1
    card = single(game.pool[game.pool_size])
    game.racks[game.seat] |= card
    if pool_is_known(game, rules):
        game.known[game.seat] |= card
    game.phase = PLAY_PHASE


@kernel
def take(game):
    """Takes the top card of the row (B.2)."""
    game.row_size -= 1
    game.taken = game.row[game.row_size]
    card = single(game.taken)
    game.racks[game.seat] |= card
    game.known[game.seat] |= card
    game.phase = PLAY_PHASE


@kernel
def lay(game, rules, action):
    """Lays a meld on the table or a card off on one that lies there (B.3, B.4)."""
    seat = game.seat
    first = kind_of(action)
    gaps, starts, ends, used = laid_out(game, first, action - first)
    game.gaps = gaps
    game.run_starts = starts
    game.run_ends = ends
    if first in (MELD_GROUP, MELD_FOUR, LAY_GROUP):
        game.groups |= used
    else:
        game.runs |= used
    if first < LAY_GROUP:
        game.melds += 1
        game.melded[seat] = 1
    game.racks[seat] &= ~used
    game.known[seat] &= ~used
    game.laid_now |= used
    game.laid[seat] += count(used)
    if game.racks[seat] == NONE:
        go_out(game, rules)


@kernel
def discard(game, rules, card):
    """Discards a card, which ends the turn or the hand (B.2, B.5)."""
    seat = game.seat
    game.racks[seat] &= ~single(card)
    game.known[seat] &= ~single(card)
    game.row[game.row_size] = card
    game.row_size += 1
    left = game.racks[seat]
    if left == NONE or (rules.hidden and least_deadwood(left, rules) == 0):
        go_out(game, rules)
    else:
        end_turn(game, rules)


@kernel
def end_turn(game, rules):
    """Passes the turn on, or ends a hand that is blocked (B.6)."""
    game.turn += 1
    begin_turn(game, (game.seat + 1) % rules.num_players)
    # With a new pool to come and a row too short for it, the top card has to be taken;
    # there is one, as every turn ends with a discard.
    no_pool = game.pool_size == 0 and game.recycles >= rules.max_recycles
    if no_pool or game.turn >= rules.max_turns:
        block(game, rules)


@kernel
def go_out(game, rules):
    """Ends the hand that the seat to move has gone out of (B.5)."""
    score_going_out(game, rules, game.seat)
    game.blocked = 0
    end_hand(game, rules)


@kernel
def block(game, rules):
    """Ends a hand that is blocked (B.6)."""
    score_blocked(game, rules)
    game.blocked = 1
    end_hand(game, rules)


@kernel
def end_hand(game, rules):
    """Adds up the scores and deals the next hand, or ends the match (B.7)."""
    for seat in range(rules.num_players):
        game.totals[seat] += game.scores[seat]
    game.round_ended = 1
    game.round += 1
    if match_is_over(game, rules):
        game.phase = OVER_PHASE
    else:
        choose_starter(game, rules)
        deal_hand(game, rules)


@kernel
def fail_turn(game, rules):
    """Ends a turn in which something illegal was tried; ours, no source has it.

    What was laid stays on the table. A seat that has not drawn draws from the pool if
    that is legal, else takes from the row. Then it discards the card that costs most,
    of equal ones the first; where no discard is legal, the card taken is laid off.
    """
    game.round_ended = 0
    if game.phase == DRAW_PHASE:
        act(game, rules, DRAW if game.mask[DRAW] else TAKE)
    act(game, rules, plainest_end(game, rules))


@kernel
def plainest_end(game, rules):
    """The discard that costs most, or the lay-off that goes out."""
    legal = NONE
    for card in range(NUM_CARDS):
        if game.mask[DISCARD + card]:
            legal |= single(card)
    if legal != NONE:
        return DISCARD + lowest(costliest(legal, rules))
    action = LAY_GROUP
    while game.mask[action] == 0:
        action += 1
    return action
