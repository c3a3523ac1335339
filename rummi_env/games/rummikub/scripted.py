"""The scripted baselines, compiled, so that batches of games play them at full speed.

Each chooses one action from the state of a game; what it may know is the mover's own
rack, the table and the mask. `rummi_agents` offers the same players by name.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.games.chance import random_legal
from rummi_env.games.rummikub.state import END_TURN, REDEAL_PHASE
from rummi_env.solver.compiled import kernel
from rummi_env.solver.seat import best_counts
from rummi_env.solver.turns import POINTS, TILES

RANDOM, GREEDY, MAX_TILES, MAX_POINTS, CAUTIOUS, PATIENT = range(6)
SCRIPTED = {
    "random": RANDOM,
    "greedy": GREEDY,
    "max_tiles": MAX_TILES,
    "max_points": MAX_POINTS,
    "cautious": CAUTIOUS,
    "patient": PATIENT,
}
"""Codes of the baselines by name.

random: any legal action, all alike. greedy: any legal tile, and the end of the turn
only when no tile is legal. max_tiles, max_points: the turn that plays most tiles, or
takes most points off the rack; see `rummi_env.solver.Turn.best` for ties. cautious,
patient: see `held_back`. Where ``turn_actions`` ends turns too early for it they play
what they can of it.
"""

LEAST_TILES = 3
"""Plays of fewer tiles than this wait, if `cautious` has opened."""

HOLD_ABOVE = 2
"""Plays wait while every opponent has more tiles than this."""

KEEP_JOKERS_ABOVE = 1
"""Jokers are kept while every opponent has more tiles than this."""


@kernel
def best_turn_counts(game, rules, workspace, tables, objective):
    """Tiles of the best whole turn, int8[53], what was played included."""
    return best_counts(
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
        objective,
    )


@kernel
def held_back(game, rules, workspace, tables, least_tiles):
    """Tiles of a whole turn that takes points off the rack, but waits, int8[53].

    Whoever can lay down the whole rack does. Otherwise jokers stay on the rack, and
    after the opening plays of fewer than ``least_tiles`` wait, until an opponent is
    about to go out. With an empty pool there is nothing to wait for.
    """
    best = best_turn_counts(game, rules, workspace, tables, POINTS)
    rack = game.racks[game.seat]
    tiles = np.int64(0)
    for kind in range(53):
        tiles += rack[kind] - best[kind]
    if best.max() == 0 or tiles == 0 or game.drawn == game.pool_size:
        return best
    fewest = np.int64(127)
    for seat in range(rules.num_players):
        if seat != game.seat:
            size = np.int64(0)
            for kind in range(53):
                size += game.racks[seat, kind]
            fewest = min(fewest, size)
    begun = game.played.max() > 0
    if fewest > KEEP_JOKERS_ABOVE and rack[JOKER] > 0:
        kept = rack.copy()
        kept[JOKER] = game.played[JOKER]
        plan = best_counts(
            workspace,
            tables,
            rules.turn,
            game.table,
            game.joker_sets,
            game.together,
            kept,
            game.opened[game.seat],
            game.played,
            game.named,
            POINTS,
        )
        # With tiles played that only a joker completes, the joker has to go.
        if plan.max() > 0 or not begun:
            best = plan
    if fewest > HOLD_ABOVE and game.opened[game.seat] and not begun:
        tiles = np.int64(0)
        for kind in range(53):
            tiles += best[kind]
        if tiles < least_tiles:
            best[:] = 0
    return best


@kernel
def planned_counts(game, rules, workspace, tables, player):
    """Tiles of the whole turn of a baseline that plans turns, int8[53]."""
    if player == CAUTIOUS:
        return held_back(game, rules, workspace, tables, LEAST_TILES)
    if player == PATIENT:
        return held_back(game, rules, workspace, tables, 1 << 30)
    objective = POINTS if player == MAX_POINTS else TILES
    return best_turn_counts(game, rules, workspace, tables, objective)


@kernel
def scripted_action(game, rules, workspace, tables, player):
    """Chooses the next action of a scripted baseline.

    Args:
        game: the game; only its random numbers move on.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        player: a code of `SCRIPTED`.
    """
    if player == RANDOM:
        return random_legal(game, rules.num_actions)
    if game.phase == REDEAL_PHASE:
        return np.int64(END_TURN)
    if player == GREEDY:
        tile = random_legal(game, END_TURN)
        return np.int64(END_TURN) if tile < 0 else tile
    counts = planned_counts(game, rules, workspace, tables, player)
    for kind in range(53):
        if counts[kind] > game.played[kind] and game.mask[kind]:
            return np.int64(kind)
    if not game.mask[END_TURN]:
        for kind in range(53):
            if game.mask[kind]:
                return np.int64(kind)
    return np.int64(END_TURN)
