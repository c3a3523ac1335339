"""A few whole turns to choose from, for agents that decide about turns and not tiles.

At the start of a turn there are thousands of plays at times, and nearly all that is
won or lost hangs on a few of them: to play nothing, all of the rack, or the most that
can be played with jokers and without. These are the *choices* of the turn; they follow
from what the seat knows (table, rack, whether it has opened), so agents list the same
ones as the environments.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER, NUM_COUNTS, NUM_KINDS
from rummi_env.solver.compiled import kernel
from rummi_env.solver.names import NO_NAME
from rummi_env.solver.seat import best_counts
from rummi_env.solver.turns import FEWEST, POINTS, TILES

NOTHING, WHOLE_RACK, WITHOUT_JOKERS, WITH_JOKERS, FEWEST_TILES = range(5)
"""Choices of a turn. NOTHING: draws, or passes with an empty pool. WHOLE_RACK: goes
out. WITHOUT_JOKERS: most points, the rack's jokers kept. WITH_JOKERS: most points.
FEWEST_TILES: an opening of fewest tiles, the rack's jokers kept."""

NUM_CHOICES = 5

MOST_WEIGHED = 16
"""Tiles that are weighed at once. Of a larger rack the most points are looked for among
its highest numbers, then with those played among the next ones, and so on: which may
miss the best by a little, but takes the time of small racks. Whole numbers are weighed
together, so that colors are alike. Whether all of the rack can be played is told
exactly."""


@kernel
def list_choices(
    rules, workspace, tables, board, rack, opened, pool_empty, plays, legal
):
    """Lists the choices of a turn, at its start, under rules with free jokers.

    Args:
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        opened: whether the seat has opened before.
        pool_empty: whether nothing can be drawn.
        plays: int8[`NUM_CHOICES`, 53]; filled: the tiles of each choice.
        legal: int8[`NUM_CHOICES`]; filled: which choices there are; those that would be
            the same as another one are not, and whoever can play the whole rack has no
            other play.
    """
    plays[:] = 0
    legal[:] = 0
    nothing = np.zeros(NUM_COUNTS, np.int8)
    must_play = rules.must_play_when_pool_empty and pool_empty
    plays[WHOLE_RACK] = _best(
        rules, workspace, tables, board, rack, opened, rack, TILES
    )
    if plays[WHOLE_RACK].max() == 0:
        kept = rack.copy()
        kept[JOKER] = 0
        plays[WITHOUT_JOKERS] = most_points(
            rules, workspace, tables, board, kept, opened
        )
        if not opened and plays[WITHOUT_JOKERS].max() > 0:
            plays[FEWEST_TILES] = _best(
                rules, workspace, tables, board, kept, opened, nothing, FEWEST
            )
        if rack[JOKER] > 0:
            plays[WITH_JOKERS] = _with_jokers(
                rules,
                workspace,
                tables,
                board,
                rack,
                opened,
                plays[WITHOUT_JOKERS],
            )
    for choice in range(1, NUM_CHOICES):
        fresh = plays[choice].max() > 0
        for other in range(1, choice):
            fresh &= (plays[other] != plays[choice]).any()
        legal[choice] = fresh
    legal[NOTHING] = not must_play or legal.max() == 0


@kernel
def most_points(rules, workspace, tables, board, rack, opened):
    """Finds a play of most points, or nearly; see `MOST_WEIGHED`. Returns int8[53]."""
    play = np.zeros(NUM_COUNTS, np.int8)
    weighed = np.zeros(NUM_COUNTS, np.int8)
    weighed[JOKER] = rack[JOKER]
    size = np.int64(rack[JOKER])
    for number in range(12, -1, -1):
        more = np.int64(0)
        for kind in range(number, NUM_KINDS, 13):
            more += rack[kind]
        # An opening leaves the table alone, so it is fast for racks of any size.
        if opened and size > 0 and size + more > MOST_WEIGHED:
            best = _best(rules, workspace, tables, board, weighed, opened, play, POINTS)
            if best.max() > 0:
                play[:] = best
            weighed[:] = play
            weighed[JOKER] = rack[JOKER]
            size = np.int64(rack[JOKER] - play[JOKER])
        for kind in range(number, NUM_KINDS, 13):
            weighed[kind] = rack[kind]
        size += more
    best = _best(rules, workspace, tables, board, weighed, opened, play, POINTS)
    return best if best.max() > 0 else play


@kernel
def _with_jokers(rules, workspace, tables, board, rack, opened, without):
    """Finds a play of most points with jokers; of a large rack what they add.

    Args:
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        opened: whether the seat has opened before.
        without: int8[53]; what is played without jokers.

    Returns:
        int8[53].
    """
    if opened and np.int64(rack.sum()) > MOST_WEIGHED and without.max() > 0:
        # With jokers to place, large racks on large tables take a hundred times as
        # long; those added to what is played anyway come out as good, nearly always.
        weighed = without.copy()
        weighed[JOKER] = rack[JOKER]
        return _best(rules, workspace, tables, board, weighed, opened, without, POINTS)
    return most_points(rules, workspace, tables, board, rack, opened)


@kernel
def _best(rules, workspace, tables, board, rack, opened, played, objective):
    """Finds the best whole turn; arguments and result as `seat.best_counts`."""
    return best_counts(
        workspace,
        tables,
        rules.turn,
        board,
        np.zeros(2, np.int64),
        np.int64(0),
        rack,
        opened,
        played,
        np.full(2, NO_NAME, np.int8),
        objective,
    )


@kernel
def nearest_choice(play, plays, legal):
    """Which choice differs least from a play, int8[53], by tiles; the first of them."""
    found = np.int64(NOTHING)
    least = np.int64(1 << 30)
    for choice in range(NUM_CHOICES):
        if legal[choice]:
            differing = np.int64(0)
            for kind in range(NUM_COUNTS):
                differing += abs(np.int64(play[kind]) - plays[choice, kind])
            if differing < least:
                least = differing
                found = choice
    return found
