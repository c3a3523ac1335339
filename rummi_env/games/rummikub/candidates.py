"""Whole turns that are worth a closer look: what a search chooses from."""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER, NUM_COUNTS
from rummi_env.games.rummikub.rounds import (
    can_go_out,
    scripted_turn,
    smallest_opening,
)
from rummi_env.games.rummikub.state import REDEAL_PHASE
from rummi_env.solver.compiled import kernel
from rummi_env.solver.liberties import liberties
from rummi_env.solver.seat import best_counts
from rummi_env.solver.turns import LEAST_IMPLICIT_NUMBERS, POINTS, TILES

MOST_CANDIDATES = 64
"""Room for the candidates of a turn."""


@kernel
def list_candidates(game, rules, workspace, tables, player, thorough, plays):
    """Lists turns of the seat to move, at the start of its turn, without repetition.

    They are what the baseline would do, to play nothing, the smallest opening, the
    plays of most points and most tiles, and these without jokers. All are legal.

    Args:
        game: the game.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        player: what the baseline is; see `rounds.scripted_turn`.
        thorough: whether single tiles and melds of three of the rack are candidates as
            well; after the opening, under rules that make it simple to find them.
        plays: int8[n, 53]; filled. The first is what the baseline would do.

    Returns:
        How many there are, ``n`` at most. A rack that can be laid at once is the only
        one; before the pool is empty, beside waiting for the others to draw more.
    """
    plays[0, :] = scripted_turn(game, rules, workspace, tables, player)
    if game.phase == REDEAL_PHASE:
        return 1
    rack = game.racks[game.seat]
    if can_go_out(game, rules, workspace, tables):
        plays[0, :] = rack
        if game.drawn == game.pool_size:
            return 1
        return _add(plays, 1, np.zeros(NUM_COUNTS, np.int8))
    found = 1
    if _best(game, rules, workspace, tables, rack, POINTS).max() == 0:
        # Nothing can be played.
        return 1
    must = rules.must_play_when_pool_empty and game.drawn == game.pool_size
    if not must:
        found = _add(plays, found, np.zeros(NUM_COUNTS, np.int8))
    if not game.opened[game.seat]:
        fewest = smallest_opening(game, rules, workspace, tables)
        if fewest.max() > 0:
            found = _add(plays, found, fewest)
    without = rack.copy()
    without[JOKER] = 0
    for objective in (POINTS, TILES):
        best = _best(game, rules, workspace, tables, rack, objective)
        found = _add(plays, found, best)
        if best[JOKER] > 0:
            best = _best(game, rules, workspace, tables, without, objective)
            if best.max() > 0:
                found = _add(plays, found, best)
    simple = rules.turn.jokers is None and rules.numbers >= LEAST_IMPLICIT_NUMBERS
    if thorough and simple and game.opened[game.seat]:
        found = _add_small(game, rules, workspace, tables, plays, found)
    return found


@kernel
def _best(game, rules, workspace, tables, rack, objective):
    """The best turn with some of the rack; zeros where there is none; int8[53]."""
    return best_counts(
        workspace, tables, rules.turn, game.table, game.joker_sets, game.together, rack,
        game.opened[game.seat], game.played, game.named, objective,
    )  # fmt: skip


@kernel
def _add(plays, found, play):
    """Adds a play if it is new and there is room; returns how many there are."""
    if found == plays.shape[0]:
        return found
    for other in range(found):
        if (plays[other] == play).all():
            return found
    plays[found, :] = play
    return found + 1


@kernel
def _add_small(game, rules, workspace, tables, plays, found):
    """Adds single tiles and melds of three of the rack, high ones first."""
    rack = game.racks[game.seat]
    free = liberties(workspace, tables, rules.numbers, game.table, rack)
    play = np.zeros(NUM_COUNTS, np.int8)
    for number in range(rules.numbers - 1, -1, -1):
        for color in range(rules.colors):
            kind = color * 13 + number
            if free >> kind & 1 and rack[kind] > 0:
                play[:] = 0
                play[kind] = 1
                found = _add(plays, found, play)
    for number in range(rules.numbers - 1, -1, -1):
        for color in range(rules.colors):
            if number >= 2:
                play[:] = 0
                for step in range(3):
                    play[color * 13 + number - step] = 1
                if (play <= rack).all():
                    found = _add(plays, found, play)
            # The group of all colors but this one.
            play[:] = 0
            for other in range(rules.colors):
                if other != color:
                    play[other * 13 + number] = 1
            if play.sum() >= 3 and (play <= rack).all():
                found = _add(plays, found, play)
    return found
