"""What the jokers of the table may stand for after a turn (exact jokers only).

The tiles played and the names given leave several arrangements; they differ in what
opponents may do with the jokers. The state takes the arrangement that leaves most open:
largest sets of kinds, then the lowest kinds. For a joker that means, in this order: one
group with both jokers, a group of three with two naturals (two kinds), anything else
(one kind).
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.names import IMPOSSIBLE, names_left
from rummi_env.solver.problem_records import new_problems
from rummi_env.solver.problems import list_problems
from rummi_env.solver.sweeps import finish
from rummi_env.solver.tables import EXPLICIT
from rummi_env.solver.turns import built
from rummi_env.solver.unions import problem_tiles, taken_worth
from rummi_env.solver.worths import greatest_worths, mark_openings

NUM_PAIRS = 13 * 6
PAIRS = (0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100)
"""Pairs of colors, as bits."""

SETTLED = np.dtype(
    [
        ("found", np.int8),
        ("sets", np.int64, (2,)),
        ("together", np.int8),
        ("fixed", np.int8, (53,)),
        ("groups", np.int8, (2, 5)),
        ("second", np.int8),
        ("melds", np.int8, (2, 5)),
    ]
)
"""How jokers lie after a turn.

found: whether there is any arrangement.
sets: by joker, the kinds that it may stand for, as bits; in ascending order.
together: whether both lie in one group.
fixed: jokers that stand for one kind each and lie in any meld.
groups: the naturals of groups that hold a joker, -1 for none; one with both jokers
comes first.
second: kind of a second joker in the first of the melds, or -1.
melds: melds taken out by the problem (see `problems`), the joker's kind first.
"""


@kernel
def settle_jokers(
    workspace, tables, rules, board, sets, together, played, named, threshold
):
    """Chooses how the jokers lie after a turn.

    Args:
        workspace: scratch.
        tables: of the deck's colors.
        rules: from `seat.turn_rules`.
        board: int8[53]; tiles on the table before the turn, none for an opening that
            leaves the table alone.
        sets: int64[2]; by joker of ``board``, the kinds it may stand for, as bits.
        together: whether both lie in one group.
        played: int8[53]; the tiles of the turn.
        named: int8[2]; kinds that jokers were named as.
        threshold: least worth of the melds, or -1 where it does not matter.

    Returns:
        `SETTLED`[1].
    """
    best = np.zeros(2, SETTLED)
    _clear(best[0])
    problems, count = new_problems()
    problems, count = list_problems(
        rules.jokers, tables.around, rules.numbers, board, sets, together, played,
        played, named, problems, count,
    )  # fmt: skip
    must = np.empty(53, np.int8)
    may = np.empty(53, np.int8)
    for p in range(1, count):
        problem = problems[p]
        problem_tiles(problem, board, played, must, may)
        for kind in range(52):
            must[kind] -= problem.fixed[kind]
        must[JOKER] = 0
        worth = -1 if threshold < 0 else max(threshold - taken_worth(problem), 0)
        _clear(best[1])
        _shape_jokers(workspace, tables, rules, must, problem, worth, best)
    return best[:1]


@kernel
def _clear(settled):
    settled.found = 0
    settled.sets[:] = 0
    settled.together = 0
    settled.fixed[:] = 0
    settled.groups[:] = -1
    settled.second = -1
    settled.melds[:] = -1


@kernel
def _shape_jokers(workspace, tables, rules, must, problem, worth, best):
    """Tries all ways for the jokers that a problem leaves in its graph.

    ``best[1]`` is the trial; it replaces ``best[0]`` if it ranks before it.
    """
    names = np.full(2, -1, np.int64)
    num_loose = np.int64(problem.least)
    for kind in range(52):
        for _ in range(problem.fixed[kind]):
            names[1] = names[0]
            names[0] = kind
            num_loose += 1
    if num_loose == 2 and rules.jokers.per_meld == 2:
        _try_shared(workspace, tables, rules, must, problem, names, worth, best)
    num_shapes = NUM_PAIRS + 52
    for shape in range(num_shapes if num_loose > 0 else 1):
        left = num_loose
        worth_left = worth
        if num_loose > 0:
            left -= 1
            taken = _lay(rules, must, names[0], shape, 0, best[1])
            if taken < 0:
                continue
            worth_left = _less(worth, taken)
        if left == 0:
            _judge(workspace, tables, rules, must, problem, worth_left, best)
        elif _fits(workspace, tables, rules, must, best[1], left, worth_left):
            for shape2 in range(num_shapes):
                taken = _lay(rules, must, names[1], shape2, 1, best[1])
                if taken >= 0:
                    more = _less(worth_left, taken)
                    _judge(workspace, tables, rules, must, problem, more, best)
                    _lift(must, 1, best[1])
        if num_loose > 0:
            _lift(must, 0, best[1])


@kernel
def _less(worth, taken):
    """Worth that is still needed after a group is taken out; negative stays so."""
    return worth if worth < 0 else max(worth - taken, 0)


@kernel
def _lay(rules, must, name, shape, index, trial):
    """Lays a joker in a group with two naturals, or lets it stand for one kind.

    Args:
        rules: from `seat.turn_rules`.
        must: int8[53]; naturals, from which those of a group are taken.
        name: the kind that the joker stands for, or -1.
        shape: below `NUM_PAIRS` the number and which two colors, else the kind.
        index: which joker it is.
        trial: changed.

    Returns:
        Worth of the group, 0 without one, -1 where the joker cannot lie so.
    """
    if shape >= NUM_PAIRS:
        kind = shape - NUM_PAIRS
        if kind % 13 >= rules.numbers or kind // 13 >= rules.jokers.colors:
            return -1
        if name >= 0 and name != kind:
            return -1
        trial.fixed[kind] += 1
        trial.sets[index] = np.int64(1) << kind
        return 0
    number = shape // 6
    if rules.jokers.colors < 4 or number >= rules.numbers:
        return -1
    absent = np.int64(0)
    place = 0
    for color in range(4):
        kind = color * 13 + number
        if PAIRS[shape % 6] >> color & 1:
            trial.groups[index, place] = kind
            place += 1
        else:
            absent |= np.int64(1) << kind
    first, second = trial.groups[index, 0], trial.groups[index, 1]
    if must[first] == 0 or must[second] == 0 or (name >= 0 and not absent >> name & 1):
        trial.groups[index] = -1
        return -1
    must[first] -= 1
    must[second] -= 1
    trial.sets[index] = absent
    return 3 * (number + 1)


@kernel
def _lift(must, index, trial):
    """Undoes `_lay`."""
    for kind in trial.groups[index]:
        if kind >= 0:
            must[kind] += 1
    if trial.groups[index, 0] < 0:
        for kind in range(52):
            if trial.sets[index] >> kind & 1:
                trial.fixed[kind] -= 1
    trial.groups[index] = -1
    trial.sets[index] = 0


@kernel
def _try_shared(workspace, tables, rules, must, problem, names, worth, best):
    """Tries the groups that hold both jokers."""
    trial = best[1]
    colors = rules.jokers.colors
    for number in range(rules.numbers):
        for naturals in range(1, 1 << colors):
            absent = np.int64(0)
            size = 0
            place = 0
            fits = True
            for color in range(colors):
                kind = color * 13 + number
                if naturals >> color & 1:
                    fits = fits and must[kind] > 0
                    trial.groups[0, place] = kind
                    place += 1
                else:
                    absent |= np.int64(1) << kind
                    size += 1
            for i in range(2):
                fits = fits and (names[i] < 0 or absent >> names[i] & 1 != 0)
            fits = fits and not (names[0] >= 0 and names[0] == names[1])
            if fits and size >= 2 and place <= 2:
                for i in range(place):
                    must[trial.groups[0, i]] -= 1
                trial.sets[:] = absent
                trial.together = 1
                left = _less(worth, (place + 2) * (number + 1))
                _judge(workspace, tables, rules, must, problem, left, best)
                for i in range(place):
                    must[trial.groups[0, i]] += 1
                trial.sets[:] = 0
                trial.together = 0
            trial.groups[0] = -1


@kernel
def _judge(workspace, tables, rules, must, problem, worth, best):
    """Makes the trial the best if it ranks before it and its tiles can be arranged."""
    trial, winner = best[1], best[0]
    first, second = trial.sets[0], trial.sets[1]
    for shaped in problem.shaped:
        if shaped:
            if first == 0:
                first = shaped
            else:
                second = shaped
    if ranks_before(second, first):
        first, second = second, first
    if winner.found:
        size = set_size(first) + set_size(second)
        best_size = set_size(winner.sets[0]) + set_size(winner.sets[1])
        if size < best_size:
            return
        if size == best_size:
            if first != winner.sets[0]:
                if not ranks_before(first, winner.sets[0]):
                    return
            elif second != winner.sets[1]:
                if not ranks_before(second, winner.sets[1]):
                    return
            elif not winner.together or trial.together or problem.shared:
                return
    if _fits(workspace, tables, rules, must, trial, 0, worth):
        winner.found = 1
        winner.sets[0] = first
        winner.sets[1] = second
        winner.together = 1 if trial.together or problem.shared else 0
        winner.fixed[:] = trial.fixed
        winner.groups[:] = trial.groups
        winner.second = problem.second
        winner.melds[:] = problem.melds


@kernel
def set_size(kinds):
    """How many kinds a set has."""
    size = 0
    while kinds:
        kinds &= kinds - 1
        size += 1
    return size


@kernel
def ranks_before(kinds, others):
    """Whether a set is larger than another, or as large and with lower kinds."""
    size, other_size = set_size(kinds), set_size(others)
    if size != other_size:
        return size > other_size
    apart = kinds ^ others
    return apart != 0 and kinds & (apart & -apart) != 0


@kernel
def _fits(workspace, tables, rules, must, trial, jokers, worth):
    """Whether tiles can be arranged, with so many jokers as anything."""
    tiles = must.copy()
    for kind in range(52):
        tiles[kind] += trial.fixed[kind]
    nothing = np.zeros(53, np.int8)
    table = EXPLICIT + jokers
    ok, workspace = built(
        workspace, tables, table, rules.numbers, jokers, tiles, nothing
    )
    if not ok:
        return False
    if worth < 0:
        return finish(workspace, tables, table) >> jokers & 1 != 0
    greatest_worths(workspace)
    none = np.int64(0)
    ignored = np.zeros(53, np.int8)
    worths = mark_openings(workspace, tables, table, 0, none, ignored, ignored)
    return worths[jokers] >= worth


@kernel
def settle_turn(workspace, tables, rules, board, sets, together, opened, played, named):
    """Chooses how the jokers lie after a legal turn; arguments as `mark_legal`.

    Returns:
        `SETTLED`[1], for all jokers that are on the table then. In an opening that
        leaves the table alone its other fields speak of the rack's jokers only.
    """
    if opened or rules.manipulate:
        return settle_jokers(
            workspace, tables, rules, board, sets, together, played, named, -1
        )
    nothing = np.zeros(53, np.int8)
    no_sets = np.zeros(2, np.int64)
    best = np.zeros(1, SETTLED)
    for bearers in range(9):
        left = names_left(sets, together, named, bearers)
        if left[0] == IMPOSSIBLE:
            continue
        settled = settle_jokers(
            workspace, tables, rules, nothing, no_sets, 0, played, left,
            rules.opening_points,
        )  # fmt: skip
        if settled[0].found and (
            not best[0].found or ranks_before(settled[0].sets[0], best[0].sets[0])
        ):
            best = settled
    if board[JOKER] == 2:
        best[0].sets[:] = sets
        best[0].together = together
    elif board[JOKER] == 1:
        first, second = sets[0], best[0].sets[0]
        if second and ranks_before(second, first):
            first, second = second, first
        best[0].sets[0] = first
        best[0].sets[1] = second
    return best
