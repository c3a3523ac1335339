"""How a round is scored (rule sets, section 4)."""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.games.rummikub.state import SUM_MINUS_WINNER_ONCE
from rummi_env.solver.compiled import kernel
from rummi_env.solver.seat import holds_opening


@kernel
def rack_points(game, rules, seat):
    """Value of a rack: the numbers on its tiles, a joker its rack value."""
    points = np.int64(game.racks[seat, JOKER]) * rules.joker_rack_value
    for kind in range(52):
        points += game.racks[seat, kind] * (kind % 13 + 1)
    return points


@kernel
def rack_size(game, seat):
    """Number of tiles on a rack."""
    size = 0
    for kind in range(53):
        size += game.racks[seat, kind]
    return size


@kernel
def score_round(game, rules, workspace, tables, out_seat):
    """Sets ``game.scores`` and adds them to the totals.

    Args:
        game: the game, its round at an end.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        out_seat: the seat that emptied its rack, or -1 where the lowest rack wins.
    """
    players = rules.num_players
    values = np.zeros(4, np.int64)
    for seat in range(players):
        values[seat] = rack_points(game, rules, seat)
    lowest = values[out_seat] if out_seat >= 0 else values[:players].min()
    winners = 0
    for seat in range(players):
        if (out_seat >= 0 and seat == out_seat) or (
            out_seat < 0 and values[seat] == lowest
        ):
            winners += 1

    once = out_seat < 0 and rules.pool_empty_scoring == SUM_MINUS_WINNER_ONCE
    game.scores[:] = 0.0
    collected = np.int64(0)
    for seat in range(players):
        if (out_seat >= 0 and seat == out_seat) or (
            out_seat < 0 and values[seat] == lowest
        ):
            continue
        loss = values[seat] if out_seat >= 0 or once else values[seat] - lowest
        if rules.unopened_without >= 0 and game.opened[seat] == 0:
            could = holds_opening(workspace, tables, rules.turn, game.racks[seat])
            loss = rules.unopened_with if could else rules.unopened_without
        game.scores[seat] = -loss
        collected += loss
    if once:
        collected -= lowest
    for seat in range(players):
        if (out_seat >= 0 and seat == out_seat) or (
            out_seat < 0 and values[seat] == lowest
        ):
            game.scores[seat] = collected / winners
            game.rounds_won[seat] += 1.0 / winners
        game.totals[seat] += game.scores[seat]
