"""The scripted baselines, compiled, so that batches of games play them at full speed.

Each chooses one action from the state of a game; what it may know is the mover's own
rack, the table and the mask. `rummi_agents` offers the same players by name.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.games.rummikub.dealing import random_below
from rummi_env.games.rummikub.state import END_TURN, REDEAL_PHASE
from rummi_env.solver.compiled import kernel
from rummi_env.solver.seat import best_counts
from rummi_env.solver.turns import POINTS, TILES

RANDOM, GREEDY, MAX_TILES, MAX_POINTS = range(4)
SCRIPTED = {
    "random": RANDOM,
    "greedy": GREEDY,
    "max_tiles": MAX_TILES,
    "max_points": MAX_POINTS,
}
"""Codes of the baselines by name.

random: any legal action, all alike. greedy: any legal tile, and the end of the turn
only when no tile is legal. max_tiles, max_points: the turn that plays most tiles, or
takes most points off the rack; see `rummi_env.solver.Turn.best` for ties. Where
``turn_actions`` ends turns too early for it they play what they can of it.
"""


@kernel
def random_action(game, rules, tiles_only):
    """Chooses among the legal actions (or legal tiles) with equal chances."""
    end = JOKER + 1 if tiles_only else rules.num_actions
    legal = 0
    for action in range(end):
        legal += game.mask[action]
    if legal == 0:
        return END_TURN
    chosen = random_below(game, legal)
    for action in range(end):
        if game.mask[action]:
            if chosen == 0:
                return action
            chosen -= 1
    return END_TURN


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
        return random_action(game, rules, False)
    if game.phase == REDEAL_PHASE:
        return np.int64(END_TURN)
    if player == GREEDY:
        return random_action(game, rules, True)
    objective = POINTS if player == MAX_POINTS else TILES
    counts = best_turn_counts(game, rules, workspace, tables, objective)
    for kind in range(53):
        if counts[kind] > game.played[kind] and game.mask[kind]:
            return np.int64(kind)
    if not game.mask[END_TURN]:
        for kind in range(53):
            if game.mask[kind]:
                return np.int64(kind)
    return np.int64(END_TURN)
