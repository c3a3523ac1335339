"""What an agent that searches asks, each question one compiled function."""

from __future__ import annotations

import numpy as np

from rummi_env.games.rummikub.candidates import list_candidates
from rummi_env.games.rummikub.endgames import best_of_line, best_reply
from rummi_env.games.rummikub.hidden import redraw
from rummi_env.games.rummikub.rounds import finish_round, take_turn
from rummi_env.solver.compiled import entry
from rummi_env.solver.workspace import NO_ROW

LIST, PLAY_OUT, REPLY, END = range(4)
"""Questions of `look`."""

SEEN, SHOWN = range(2)
"""Whether what the seat to move cannot see is drawn anew."""


@entry
def look(
    question, line, rules, workspace, tables, players, number, shown, seeds, active,
    values, positions, ending,
):  # fmt: skip
    """Looks ahead from a game, at the start of a turn: ``line.games[0]``.

    `LIST`: lists candidates in ``line.plays[0]`` and returns how many; ``number`` tells
    whether thoroughly. `PLAY_OUT`: for each seed draws what the seat to move cannot see
    and plays the round on after each of the candidates ``active``; their scores go to
    ``values``. With ``number`` 1 a round whose pool runs out is not played on and
    counts as ``ending``. Returns how many draws agreed with what is seen, those being
    the first rows. `REPLY` and `END`: search with an empty pool, see
    `endgames.best_reply` and `endgames.best_of_line`; ``number`` says how many turns or
    which, ``active`` has the length of the lines. Return the place of the best turn;
    its value is in ``values``.

    Args:
        question: see above.
        line: `endgames.Line`.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        players: int64[players]; the baseline of each seat.
        number: see above.
        shown: `SHOWN` where the game is as it is; `SEEN` where all that is hidden is to
            be drawn.
        seeds: uint64[n]; chance of each draw.
        active: int64[m]; see above.
        values: float64[n, m]; filled.
        positions: int64[1]; see `endgames`.
        ending: see above.
    """
    workspace.kept_row[0] = NO_ROW
    root = line.games[0]
    seat = np.int64(root.seat)
    if question == LIST:
        return np.int64(
            list_candidates(
                root, rules, workspace, tables, players[seat], number, line.plays[0]
            )
        )
    if question >= REPLY:
        if question == REPLY:
            chosen, value = best_reply(
                line, rules, workspace, tables, players, number, positions
            )
        else:
            chosen, value = best_of_line(
                line, rules, workspace, tables, players, number, active[0], positions
            )
        values[0, 0] = value
        return np.int64(chosen)
    drawn = 0
    for place in range(seeds.size):
        line.games[1] = root
        drawn_game = line.games[1]
        drawn_game.seed = seeds[place]
        if shown == SEEN and not redraw(
            drawn_game, rules, workspace, tables, seat, MOST_TRIES
        ):
            continue
        for column in range(active.size):
            line.games[2] = drawn_game
            game = line.games[2]
            take_turn(game, rules, workspace, tables, line.plays[0, active[column]])
            if not game.round_ended:
                finish_round(game, rules, workspace, tables, players, number == 0)
            values[drawn, column] = game.scores[seat] if game.round_ended else ending
        drawn += 1
    return np.int64(drawn)


MOST_TRIES = 100
"""Draws of what is hidden before a guess is given up."""
