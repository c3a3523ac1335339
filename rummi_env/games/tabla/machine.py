"""The turn machine of Rummy pe tabla: every rule of play, once, compiled.

A game is a record of `state.GAME`. `act` performs one legal action of the seat to move,
`fail_turn` what happens upon an illegal one. Both leave the game ready for the next
decision, its mask computed.

A deal goes from the declaration of doubles (A.3) to the first player's discard, and
then by turns of a draw and a discard (A.4) until a seat closes (A.5) or has nothing to
draw (A.10). The paragraphs are those of part A of the project's rules document.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER, NUM_COUNTS, NUM_KINDS
from rummi_env.games.tabla.closing import mark_closings
from rummi_env.games.tabla.dealing import (
    DOUBLES_FOR_NEW_DEAL,
    count_doubles,
    deal,
    exchange_doubles,
)
from rummi_env.games.tabla.scoring import score_deal
from rummi_env.games.tabla.state import (
    DECLARED,
    DISCARD_PHASE,
    DOUBLES_PHASE,
    DRAW_PHASE,
    DRAW_POOL,
    DRAW_ROW,
    FIRST_CLOSE,
    FROM_POOL,
    FROM_ROW,
    NEW_DEAL,
    NO_FORM,
    NO_TILE,
    NOBODY,
    OVER_PHASE,
)
from rummi_env.solver.compiled import kernel


@kernel
def start_match(game, rules):
    """Starts a match with a random deal; only ``game.seed`` is kept."""
    game.round = 0
    game.round_ended = 0
    game.scores[:] = 0.0
    game.totals[:] = 0.0
    game.rounds_won[:] = 0.0
    game.closer = NOBODY
    game.form = NO_FORM
    game.thrown = NO_TILE
    deal(game, rules)
    refresh_mask(game, rules)


@kernel
def is_over(game):
    """Tells whether the match is over."""
    return game.phase == OVER_PHASE


@kernel
def refresh_mask(game, rules):
    """Computes which actions are legal in the present state."""
    game.mask[:] = 0
    if game.phase == DOUBLES_PHASE:
        mark_doubles(game, rules)
    elif game.phase == DRAW_PHASE:
        # With an empty pool it lets the deal end.
        game.mask[DRAW_POOL] = 1
        game.mask[DRAW_ROW] = may_draw_row(game, rules)
    elif game.phase == DISCARD_PHASE:
        rack = game.racks[game.seat]
        for kind in range(NUM_COUNTS):
            game.mask[kind] = rack[kind] > 0 and kind != game.taken
        mark_closings(rules, rack, game.mask[FIRST_CLOSE:])


@kernel
def mark_doubles(game, rules):
    """Marks what a seat may declare: each double once, in ascending order."""
    declared = game.declared[game.seat]
    if rules.exchange_doubles:
        for kind in range(NUM_KINDS):
            if game.racks[game.seat, kind] == 2 and declared >> kind == 0:
                game.mask[kind] = 1
    game.mask[DECLARED] = 1
    enough = count_doubles(game, game.seat) >= DOUBLES_FOR_NEW_DEAL
    if rules.refuse_with_three_doubles and declared == 0 and enough:
        game.mask[NEW_DEAL] = 1


@kernel
def may_draw_row(game, rules):
    """Tells whether the tile discarded last may be drawn (part A.4)."""
    if not rules.draw_discard or game.row_size == 0:
        return False
    if game.turn == 1 and rules.opening_discard_dead:
        return False
    is_joker = game.row[game.row_size - 1] == JOKER
    return not is_joker or rules.discard_joker_takeable == 1


@kernel
def act(game, rules, action):
    """Performs a legal action of the seat to move.

    Args:
        game: the game; changed in place.
        rules: the rules in numbers.
        action: an action whose mask is set.
    """
    game.round_ended = 0
    if game.phase == DOUBLES_PHASE:
        if action == NEW_DEAL:
            deal(game, rules)
        elif action == DECLARED:
            end_declaration(game, rules)
        else:
            game.declared[game.seat] |= np.int64(1) << action
    elif action == DRAW_POOL:
        draw_pool(game, rules)
    elif action == DRAW_ROW:
        draw_row(game, rules)
    elif action < FIRST_CLOSE:
        discard(game, rules, action)
    else:
        throw(game, rules, action - FIRST_CLOSE)
        end_deal(game, rules, np.int64(game.seat), action - FIRST_CLOSE)
    refresh_mask(game, rules)


@kernel
def end_declaration(game, rules):
    """Asks the next seat for its doubles; after the last one they are exchanged."""
    game.seat = (game.seat + 1) % rules.num_players
    if game.seat == game.starter:
        exchange_doubles(game, rules)
        game.phase = DISCARD_PHASE


@kernel
def draw_pool(game, rules):
    """Draws from the pool, or ends the deal where it is empty (A.4, A.10)."""
    if game.drawn == game.pool_size:
        void_deal(game, rules)
        return
    game.drew = game.pool[game.drawn]
    game.drawn += 1
    game.racks[game.seat, game.drew] += 1
    game.last_draw[game.seat] = FROM_POOL
    game.phase = DISCARD_PHASE


@kernel
def draw_row(game, rules):
    """Draws the tile discarded last, which everybody then knows to be on the rack."""
    game.row_size -= 1
    game.taken = game.row[game.row_size]
    game.row[game.row_size] = 0
    game.racks[game.seat, game.taken] += 1
    for other in range(rules.num_players):
        if other != game.seat:
            game.known[other, game.seat, game.taken] += 1
    game.last_draw[game.seat] = FROM_ROW
    game.phase = DISCARD_PHASE


@kernel
def throw(game, rules, kind):
    """Puts a tile of the seat to act on the row, where all see it."""
    seat = game.seat
    game.racks[seat, kind] -= 1
    for other in range(rules.num_players):
        if game.known[other, seat, kind] > 0:
            game.known[other, seat, kind] -= 1
    game.row[game.row_size] = kind
    game.row_size += 1
    game.discarded[seat, kind] += 1


@kernel
def discard(game, rules, kind):
    """Discards a tile and passes the turn on."""
    throw(game, rules, kind)
    game.taken = NO_TILE
    game.drew = NO_TILE
    game.turn += 1
    game.seat = (game.seat + 1) % rules.num_players
    game.phase = DRAW_PHASE
    stuck = game.drawn == game.pool_size and not (
        rules.row_draw_on_empty and may_draw_row(game, rules)
    )
    if stuck or game.turn >= rules.turn_cap:
        void_deal(game, rules)


@kernel
def fail_turn(game, rules):
    """Ends the turn of a seat that tried something illegal; it does not close.

    A declaration ends as it stands. Otherwise the seat draws from the pool unless it
    has drawn, and discards what it drew there; if that was nothing, because it took
    from the row or had the opening turn, the tile of the lowest kind that it may. With
    an empty pool before the draw the deal ends.
    """
    game.round_ended = 0
    if game.phase == DOUBLES_PHASE:
        end_declaration(game, rules)
    else:
        if game.phase == DRAW_PHASE:
            draw_pool(game, rules)
        # The deal may have ended, and the next one begun.
        if game.phase == DISCARD_PHASE and not game.round_ended:
            kind = game.drew
            if kind == NO_TILE:
                kind = 0
                while game.racks[game.seat, kind] == 0 or kind == game.taken:
                    kind += 1
            discard(game, rules, kind)
    refresh_mask(game, rules)


@kernel
def void_deal(game, rules):
    """Ends the deal with nobody closing."""
    end_deal(game, rules, np.int64(NOBODY), np.int64(NO_TILE))


@kernel
def end_deal(game, rules, closer, thrown):
    """Scores the deal and starts the next one, or ends the match (A.10)."""
    score_deal(game, rules, closer, thrown)
    game.round_ended = 1
    game.round += 1
    reached = False
    for seat in range(rules.num_players):
        reached |= rules.target > 0 and game.totals[seat] >= rules.target
    if reached or game.round >= rules.rounds:
        game.phase = OVER_PHASE
    else:
        deal(game, rules)
