"""Rounds played by whole turns, without the masks that nobody looks at: for search."""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER, NUM_COUNTS
from rummi_env.games.rummikub.machine import (
    act,
    draw_or_pass,
    lay_down,
    refresh_mask,
)
from rummi_env.games.rummikub.playing import play_on
from rummi_env.games.rummikub.scoring import rack_size
from rummi_env.games.rummikub.scripted import HOLD_ABOVE, PATIENT, planned_counts
from rummi_env.games.rummikub.state import END_TURN, OVER_PHASE, REDEAL_PHASE
from rummi_env.solver.compiled import kernel
from rummi_env.solver.seat import best_counts, holds_opening, is_whole_turn
from rummi_env.solver.turns import FEWEST, fits, greatest_worth_of


@kernel
def can_go_out(game, rules, workspace, tables):
    """Whether the seat to move can lay its whole rack, at the start of its turn."""
    return _can_go_out(game, rules, workspace, tables, rules.turn.jokers)


@kernel
def _can_go_out(game, rules, workspace, tables, jokers):
    rack = game.racks[game.seat]
    # With None for an argument, numba leaves the other branch out.
    if jokers is None:
        if game.opened[game.seat]:
            return fits(workspace, tables, rules.numbers, game.table + rack)
        least = max(rules.turn.opening_points, 1)
        return greatest_worth_of(workspace, tables, rules.numbers, rack) >= least
    if not game.opened[game.seat]:
        if not holds_opening(workspace, tables, rules.turn, rack):
            return False
        if not rules.turn.manipulate:
            return is_whole_turn(
                workspace, tables, rules.turn, np.zeros(NUM_COUNTS, np.int8),
                np.zeros(2, np.int64), np.int64(0), rack, game.named,
            )  # fmt: skip
    return is_whole_turn(
        workspace, tables, rules.turn, game.table, game.joker_sets, game.together,
        rack, game.named,
    )  # fmt: skip


@kernel
def fewest_opposing(game, rules):
    """How many tiles the opponent of the seat to move with the fewest has."""
    fewest = np.int64(127)
    for seat in range(rules.num_players):
        if seat != game.seat:
            fewest = min(fewest, np.int64(rack_size(game, seat)))
    return fewest


SPARING = 100
"""Code of `patient` that opens with as few tiles as it can, in place of as many.

What the opening leaves on the table serves the others as well: they go out before the
pool is empty less often.
"""


@kernel
def scripted_turn(game, rules, workspace, tables, player):
    """The whole turn of a baseline that plans turns, at the start of it; int8[53].

    Args:
        game: the game.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        player: a code of `scripted.SCRIPTED` from `scripted.MAX_TILES` on, or
            `SPARING`.
    """
    if game.phase == REDEAL_PHASE:
        return np.zeros(NUM_COUNTS, np.int8)
    if player in (PATIENT, SPARING):
        if can_go_out(game, rules, workspace, tables):
            return game.racks[game.seat].copy()
        if (
            game.opened[game.seat]
            and game.drawn < game.pool_size
            and fewest_opposing(game, rules) > HOLD_ABOVE
        ):
            return np.zeros(NUM_COUNTS, np.int8)
    if player != SPARING:
        return planned_counts(game, rules, workspace, tables, player)
    if (
        not game.opened[game.seat]
        and game.drawn < game.pool_size
        and fewest_opposing(game, rules) > HOLD_ABOVE
    ):
        fewest = smallest_opening(game, rules, workspace, tables)
        if fewest.max() > 0:
            return fewest
    return planned_counts(game, rules, workspace, tables, PATIENT)


@kernel
def smallest_opening(game, rules, workspace, tables):
    """The opening of fewest tiles that keeps the jokers; zeros if there is none."""
    kept = game.racks[game.seat].copy()
    kept[JOKER] = 0
    return best_counts(
        workspace, tables, rules.turn, game.table, game.joker_sets, game.together, kept,
        game.opened[game.seat], game.played, game.named, FEWEST,
    )  # fmt: skip


@kernel
def take_turn(game, rules, workspace, tables, play):
    """Performs a whole turn; the mask is out of date afterwards.

    Args:
        game: the game, at the start of a turn; changed in place.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        play: int8[53]; a legal play, or nothing, which draws or passes.
    """
    game.round_ended = 0
    if game.phase == REDEAL_PHASE:
        act(game, rules, workspace, tables, END_TURN)
    elif play.max() == 0:
        draw_or_pass(game, rules, workspace, tables)
    else:
        game.played[:] = play
        game.actions = play.sum()
        lay_down(game, rules, workspace, tables)


@kernel
def finish_round(game, rules, workspace, tables, players, to_the_end):
    """Lets baselines that plan turns finish the round; the scores are those of it.

    Args:
        game: the game, at the start of a turn; changed in place.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        players: int64[players]; what each seat plays; see `scripted_turn`.
        to_the_end: whether they play on when the pool runs out; if not, the round is
            left unfinished then.
    """
    if rules.turn_actions > 0:
        refresh_mask(game, rules, workspace, tables)
    while game.phase != OVER_PHASE and not game.round_ended:
        if not to_the_end and game.drawn == game.pool_size:
            return
        player = players[game.seat]
        if rules.turn_actions > 0:
            player = PATIENT if player == SPARING else player
            play_on(game, rules, workspace, tables, player)
        else:
            play = scripted_turn(game, rules, workspace, tables, player)
            take_turn(game, rules, workspace, tables, play)
