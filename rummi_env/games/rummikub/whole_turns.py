"""Whole turns of many games, each call one compiled function over all of them."""

from __future__ import annotations

from rummi_env.games.rummikub.afterstates import (
    describe,
    forget,
    list_turns,
    play_turn,
    scripted_play,
)
from rummi_env.games.rummikub.machine import start_match
from rummi_env.solver.compiled import entry
from rummi_env.solver.workspace import NO_ROW

START, LIST, PLAY, SCRIPTED = range(4)
"""Operations of `turns`."""


@entry
def turns(
    operation, games, memories, rows, first, last, chosen, rules, workspace, tables,
    counts, plays, left, more, features,
):  # fmt: skip
    """Performs an operation in the games ``rows[first:last]``, at the start of a turn.

    Their masks are those of the last `LIST`.

    `START`: begins a match with the game's seed. `LIST`: lists the turns of the seat to
    move and describes the position after each. `PLAY`: plays the turn ``chosen``.
    `SCRIPTED`: plays the best turn for the objective ``chosen``.

    Args:
        operation: see above.
        games: records.
        memories: `MEMORY`[games].
        rows: int64[n]; which games.
        first: first place in ``rows``.
        last: the place after the last.
        chosen: int64[n]; by place.
        rules: the rules in numbers.
        workspace: scratch.
        tables: of the deck's colors.
        counts: int64[n]; turns listed, by place.
        plays: int8[n, C, 53]; see `list_turns`.
        left: int8[n, C, 52]; likewise.
        more: int8[n, C]; likewise.
        features: float32[n, C, F]; see `describe`.
    """
    workspace.kept_row[0] = NO_ROW
    for place in range(first, last):
        i = rows[place]
        game = games[i]
        memory = memories[i]
        if operation == START:
            start_match(game, rules, workspace, tables)
            forget(memory, rules)
        elif operation == LIST:
            counts[place] = list_turns(
                game,
                rules,
                workspace,
                tables,
                plays[place],
                left[place],
                more[place],
            )
            for turn in range(counts[place]):
                describe(
                    game, rules, workspace, tables, memory, plays[place, turn],
                    left[place, turn], more[place, turn], features[place, turn],
                )  # fmt: skip
        elif operation == PLAY:
            play_turn(
                game, rules, workspace, tables, memory, plays[place, chosen[place]]
            )
        else:
            play = scripted_play(game, rules, workspace, tables, chosen[place])
            play_turn(game, rules, workspace, tables, memory, play)
