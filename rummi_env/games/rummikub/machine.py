"""The turn machine of Rummikub: every rule of play, once, compiled.

A game is a record of `state.GAME`. `act` performs one legal action of the seat to move,
`fail_turn` what happens to a turn that is illegal or out of time. Both leave the game
ready for the next decision, its mask computed.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.games.rummikub.dealing import (
    ask_for_redeal,
    choose_starter,
    deal_racks,
)
from rummi_env.games.rummikub.scoring import rack_size, score_round
from rummi_env.games.rummikub.state import (
    DREW,
    END_TURN,
    FAILED,
    IMMEDIATE,
    LAID,
    NO_TURNS_LEFT,
    ONE_MORE_TURN,
    OVER_PHASE,
    PASSED,
    REDEAL_PHASE,
    UNTIL_STUCK,
)
from rummi_env.solver.budgets import keep_affordable
from rummi_env.solver.compiled import kernel
from rummi_env.solver.names import NO_NAME
from rummi_env.solver.seat import mark_legal
from rummi_env.solver.settling import settle_turn
from rummi_env.solver.unions import FIRST_NAME


@kernel
def start_match(game, rules, workspace, tables):
    """Starts a match with a random deal; only ``game.seed`` is kept."""
    game.round = 0
    game.round_ended = 0
    game.scores[:] = 0.0
    game.totals[:] = 0.0
    game.rounds_won[:] = 0.0
    choose_starter(game, rules)
    deal_racks(game, rules)
    refresh_mask(game, rules, workspace, tables)


@kernel
def refresh_mask(game, rules, workspace, tables):
    """Computes which actions are legal in the present state."""
    game.mask[:] = 0
    if game.phase == OVER_PHASE:
        return
    if game.phase == REDEAL_PHASE:
        game.mask[END_TURN] = 1
        game.mask[rules.redeal_action] = 1
        return
    complete = mark_legal(
        workspace,
        tables,
        rules.turn,
        game.table,
        game.joker_sets,
        game.together,
        game.racks[game.seat],
        game.opened[game.seat],
        game.played,
        game.named,
        game.mask,
    )
    if rules.turn_actions > 0:
        keep_affordable(
            workspace,
            tables,
            rules.turn,
            game.table,
            game.joker_sets,
            game.together,
            game.racks[game.seat],
            game.opened[game.seat],
            game.played,
            game.named,
            # The action that ends the turn is one as well.
            np.int64(rules.turn_actions - 1 - game.actions),
            game.mask,
        )
    if game.played.max() > 0:
        game.mask[END_TURN] = 1 if complete else 0
    elif rules.must_play_when_pool_empty and game.drawn == game.pool_size:
        game.mask[END_TURN] = 0 if game.mask[:END_TURN].max() > 0 else 1
    else:
        game.mask[END_TURN] = 1


@kernel
def act(game, rules, workspace, tables, action):
    """Performs a legal action of the seat to move.

    Args:
        game: the game; changed in place.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        action: an action whose mask is set.
    """
    game.round_ended = 0
    if game.phase == REDEAL_PHASE:
        if action == rules.redeal_action:
            deal_racks(game, rules)
        else:
            ask_for_redeal(game, rules, game.seat + 1)
    elif action <= JOKER:
        game.played[action] += 1
        game.actions += 1
    elif action >= FIRST_NAME and action != rules.redeal_action:
        game.named[1 if game.named[0] >= 0 else 0] = action - FIRST_NAME
        game.actions += 1
    elif game.played.max() > 0:
        lay_down(game, rules, workspace, tables)
    else:
        draw_or_pass(game, rules, workspace, tables)
    refresh_mask(game, rules, workspace, tables)


@kernel
def lay_down(game, rules, workspace, tables):
    """Ends the turn with the tiles played on the table."""
    seat = game.seat
    settle(game, rules, workspace, tables, rules.turn.jokers)
    for kind in range(53):
        count = game.played[kind]
        if count:
            game.table[kind] += count
            game.racks[seat, kind] -= count
            game.known[seat, kind] = max(game.known[seat, kind] - count, 0)
    game.opened[seat] = 1
    game.last_turn[seat] = LAID
    game.passes = 0
    if rack_size(game, seat) == 0:
        end_round(game, rules, workspace, tables, seat)
    else:
        end_turn(game, rules, workspace, tables, False)


@kernel
def settle(game, rules, workspace, tables, jokers):
    """Notes what the jokers may stand for once the tiles played are laid down."""
    if jokers is None:
        return
    if jokers.exact:
        settled = settle_turn(
            workspace,
            tables,
            rules.turn,
            game.table,
            game.joker_sets,
            game.together,
            game.opened[game.seat],
            game.played,
            game.named,
        )
        game.joker_sets[:] = settled[0].sets
        game.together = settled[0].together


@kernel
def draw_or_pass(game, rules, workspace, tables):
    """Ends the turn with a tile of the pool, or with nothing if it is empty."""
    emptied = False
    if game.drawn < game.pool_size:
        emptied = draw(game, 1)
        game.passes = 0
        game.last_turn[game.seat] = DREW
    else:
        game.passes += 1
        game.last_turn[game.seat] = PASSED
    end_turn(game, rules, workspace, tables, emptied)


@kernel
def draw(game, number):
    """Draws so many tiles or what is left; tells whether that took the last one."""
    left = game.pool_size - game.drawn
    taken = min(number, left)
    for _ in range(taken):
        game.racks[game.seat, game.pool[game.drawn]] += 1
        game.drawn += 1
    return taken > 0 and taken == left


@kernel
def fail_turn(game, rules, workspace, tables, penalty):
    """Takes the turn back and makes the seat draw penalty tiles.

    The table and the rack are as at the start of the turn, the tiles shown stay known.
    With an empty pool it counts as a pass.
    """
    game.round_ended = 0
    seat = game.seat
    if game.phase == REDEAL_PHASE:
        # There is no turn yet to take back: the rack is kept.
        ask_for_redeal(game, rules, seat + 1)
        refresh_mask(game, rules, workspace, tables)
        return
    for kind in range(53):
        game.known[seat, kind] = max(game.known[seat, kind], game.played[kind])
    if game.drawn == game.pool_size:
        game.passes += 1
    else:
        game.passes = 0
    emptied = draw(game, penalty)
    game.last_turn[seat] = FAILED
    end_turn(game, rules, workspace, tables, emptied)
    refresh_mask(game, rules, workspace, tables)


@kernel
def time_out(game, rules, workspace, tables):
    """Ends a turn that ran out of time, with or without tiles laid."""
    unfinished = game.played.max() > 0
    penalty = rules.unfinished_penalty if unfinished else rules.timeout_penalty
    fail_turn(game, rules, workspace, tables, penalty)


@kernel
def end_turn(game, rules, workspace, tables, emptied):
    """Passes the turn on, or ends the round where the pool's end says so.

    Args:
        game: the game.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        emptied: whether this turn took the last tile of the pool.
    """
    game.turn += 1
    game.played[:] = 0
    game.named[:] = NO_NAME
    game.actions = 0
    over = False
    if emptied and rules.pool_empty == ONE_MORE_TURN:
        game.turns_left = rules.num_players
    elif game.turns_left != NO_TURNS_LEFT:
        game.turns_left -= 1
        over = game.turns_left == 0
    if game.drawn == game.pool_size:
        if rules.pool_empty == IMMEDIATE:
            over = True
        elif rules.pool_empty == UNTIL_STUCK:
            over = game.passes >= rules.num_players
    if over:
        end_round(game, rules, workspace, tables, -1)
    else:
        game.seat = (game.seat + 1) % rules.num_players


@kernel
def end_round(game, rules, workspace, tables, out_seat):
    """Scores the round and deals the next one, or ends the match."""
    game.played[:] = 0
    game.named[:] = NO_NAME
    game.actions = 0
    score_round(game, rules, workspace, tables, out_seat)
    game.round_ended = 1
    game.round += 1
    if game.round >= rules.rounds:
        game.phase = OVER_PHASE
    else:
        choose_starter(game, rules)
        deal_racks(game, rules)
