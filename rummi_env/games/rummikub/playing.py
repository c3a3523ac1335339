"""Scripted baselines that play whole turns, for games played by them alone."""

from __future__ import annotations

import numpy as np

from rummi_env.games.rummikub.machine import act, lay_down, refresh_mask
from rummi_env.games.rummikub.scripted import (
    MAX_TILES,
    planned_counts,
    scripted_action,
)
from rummi_env.games.rummikub.state import END_TURN, PLAY_PHASE
from rummi_env.solver.compiled import kernel


@kernel
def play_on(game, rules, workspace, tables, player):
    """Lets a scripted baseline do what it does next, a whole turn if it plans one.

    The game comes out as after `scripted_action` and `act`, one by one; a planned turn
    needs neither the plan nor the mask for each of its tiles.

    Args:
        game: the game; the match is not over.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        player: a code of `SCRIPTED`.

    Returns:
        How many actions that was.
    """
    plans = player >= MAX_TILES and rules.turn_actions == 0
    if (
        plans
        and game.phase == PLAY_PHASE
        and game.actions == 0
        and game.mask[:END_TURN].max() > 0
    ):
        plan = planned_counts(game, rules, workspace, tables, player)
        tiles = np.int64(plan.sum())
        if tiles == 0:
            act(game, rules, workspace, tables, END_TURN)
            return np.int64(1)
        game.round_ended = 0
        game.played[:] = plan
        game.actions = tiles
        lay_down(game, rules, workspace, tables)
        refresh_mask(game, rules, workspace, tables)
        return tiles + 1
    action = scripted_action(game, rules, workspace, tables, player)
    act(game, rules, workspace, tables, action)
    return np.int64(1)
