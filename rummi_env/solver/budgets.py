"""What can come next in a turn of limited length (`RuleSet.turn_actions`)."""

from __future__ import annotations

import numpy as np

from rummi_env.solver.compiled import kernel
from rummi_env.solver.seat import best_counts
from rummi_env.solver.turns import FEWEST
from rummi_env.solver.unions import FIRST_NAME


@kernel
def keep_affordable(
    workspace, tables, rules, board, sets, together, rack, opened, played, named, left,
    mask,
):  # fmt: skip
    """Takes back the marks of what no turn that is short enough goes on with.

    The arguments are those of `seat.mark_legal`, which has set the mask, and ``left``:
    how many tiles and names may still come in this turn. The mask is cleared where they
    are not enough.
    """
    loose = np.int64(0)
    for kind in range(53):
        loose += rack[kind] - played[kind]
    tiles = mask[:53].copy()
    more = played.copy()
    names = named.copy()
    place = 1 if named[0] >= 0 else 0
    # Where all that is on the rack could be played, nothing has to be found out.
    if loose > left:
        for kind in range(53):
            if tiles[kind]:
                more[kind] += 1
                fewest = best_counts(
                    workspace, tables, rules, board, sets, together, rack, opened, more,
                    named, FEWEST,
                ).sum()  # fmt: skip
                more[kind] -= 1
                mask[kind] = fewest - played.sum() <= left
    if loose > left - 1:
        for action in range(FIRST_NAME, mask.size):
            if mask[action]:
                names[place] = action - FIRST_NAME
                mask[action] = _is_short(
                    workspace, tables, rules, board, sets, together, rack, opened,
                    played, names, tiles, left - 1,
                )  # fmt: skip


@kernel
def _is_short(
    workspace, tables, rules, board, sets, together, rack, opened, played, named, tiles,
    left,
):  # fmt: skip
    """Whether some turn with these names plays at most so many tiles more.

    A turn that plays nothing is not one, so each of ``tiles`` (bool[53] or int8[53],
    what can come next) may have to be the first.
    """
    more = played.copy()
    for kind in range(53):
        if played.max() == 0:
            if not tiles[kind]:
                continue
            more[:] = played
            more[kind] += 1
        whole = best_counts(
            workspace, tables, rules, board, sets, together, rack, opened, more, named,
            FEWEST,
        )  # fmt: skip
        if whole.max() > 0 and whole.sum() - played.sum() <= left:
            return True
        if played.max() > 0:
            break
    return False
