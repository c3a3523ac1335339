"""Exact jokers and other conditions on a turn, reduced to graphs without conditions.

Under ``joker_release="exact"`` the legal turns are a union of simpler sets of turns,
one for each way to read what becomes of the jokers. Such a set is a *problem*: some
rack tiles are forced to be played, some jokers stand for certain kinds, and the rest is
free. A graph answers a problem; the turn's answer is the union or the best of them.

* A joker of the table is held as one of its kinds: then it is a tile of that kind. Or
  it is released by a natural of one of its kinds: then that natural is on the table,
  and the joker may stand for anything.
* ``joker_reuse="new_meld_from_rack"``: a released joker lies in a meld with tiles of
  the rack only; one problem for each such meld, which is taken out beforehand. No meld
  of more than five tiles is needed, since longer runs can be cut.
* ``jokers_per_meld=1``: with two jokers on the table, one problem for each meld that
  one of them may lie in, with naturals only.
* Jokers that were named stand for what they were named as.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.problem_records import add_problem, say
from rummi_env.solver.taken_out import apart, with_new_melds


@kernel
def list_problems(
    jokers, around, numbers, board, sets, together, rack, forced, named, problems, count
):
    """Adds the problems whose union is all turns that play at least ``forced``.

    Args:
        jokers: how jokers may be used.
        around: the tables' own.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table.
        sets: int64[2]; by joker of the table, the kinds it may stand for, as bits.
        together: whether both lie in one group, so that they stand for different kinds.
        rack: int8[53]; the rack at the start of the turn.
        forced: int8[53]; rack tiles that are played at least.
        named: int8[2]; kinds that jokers were named as, -1 where none.
        problems: where they go.
        count: problems there are.

    Returns:
        The problems, and how many there are now.
    """
    on_table = np.int64(board[JOKER])
    held = np.empty(2, np.int64)
    freed = np.empty(2, np.int64)
    if not jokers.exact:
        held[:] = -1
        freed[:] = -1
        return _name_jokers(
            jokers, around, numbers, board, rack, forced, named, held, np.int64(0),
            on_table,
            problems, count,
        )  # fmt: skip
    need = np.zeros(53, np.int8)
    ways0 = _ways(sets[0]) if on_table > 0 else np.full(1, -1, np.int64)
    ways1 = _ways(sets[1]) if on_table > 1 else np.full(1, -1, np.int64)
    for way0 in ways0:
        for way1 in ways1:
            if together and on_table == 2 and way0 % 64 == way1 % 64:
                continue
            need[:] = forced
            num_held = 0
            num_freed = 0
            for way in (way0, way1):
                if way < 0:
                    continue
                if way < 64:
                    held[num_held] = way
                    num_held += 1
                else:
                    freed[num_freed] = way - 64
                    num_freed += 1
            if not _release(jokers, board, rack, need, freed, num_freed):
                continue
            if _is_needless(jokers, board, need, forced, sets, together, way0, way1):
                continue
            problems, count = _name_jokers(
                jokers, around, numbers, board, rack, need, named, held, num_held,
                num_freed, problems, count,
            )  # fmt: skip
    return problems, count


@kernel
def _ways(kinds):
    """Codes of what may become of a joker: held as k (k), released by k (64 + k)."""
    ways = np.empty(104, np.int64)
    count = 0
    for kind in range(52):
        if kinds >> kind & 1:
            ways[count] = kind
            ways[count + 1] = 64 + kind
            count += 2
    return ways[:count]


@kernel
def _release(jokers, board, rack, need, freed, num_freed):
    """Forces the rack tiles that release jokers; tells whether the rack has them."""
    for i in range(num_freed):
        kind = freed[i]
        by_kind = 0
        for j in range(num_freed):
            if freed[j] == kind:
                by_kind += 1
        there = 0 if jokers.from_rack else board[kind]
        need[kind] = max(need[kind], by_kind - there)
        if need[kind] > rack[kind]:
            return False
    return True


@kernel
def _is_needless(jokers, board, need, forced, sets, together, way0, way1):
    """Whether another problem covers this one: a joker that costs nothing to release.

    Only where a released joker may go anywhere, and each joker is judged alone.
    """
    if jokers.new_meld or jokers.from_rack or together:
        return False
    if way0 >= 0 and way1 >= 0 and sets[0] & sets[1]:
        return False
    for joker, way in enumerate((way0, way1)):
        if way < 0:
            continue
        for kind in range(52):
            # The first kind that releases it for nothing stands for all the others.
            if sets[joker] >> kind & 1 and board[kind] > 0:
                if way != 64 + kind:
                    return True
                break
    return False


@kernel
def _name_jokers(
    jokers, around, numbers, board, rack, need, named, held, num_held, num_freed,
    problems, count,
):  # fmt: skip
    """Lets the named jokers be held, released or rack jokers, in all ways."""
    num_named = 0
    for name in named:
        if name >= 0:
            num_named += 1
    for code in range(3**num_named):
        # By name: 0 a held joker, 1 a released one, 2 one of the rack.
        used_held = 0
        used_freed = 0
        used_rack = 0
        fits = True
        rest = code
        for i in range(num_named):
            source = rest % 3
            rest //= 3
            if source == 0:
                found = False
                for h in range(num_held):
                    if held[h] == named[i] and not used_held >> h & 1:
                        used_held |= 1 << h
                        found = True
                        break
                fits = fits and found
            elif source == 1:
                used_freed += 1
            else:
                used_rack += 1
        if not fits or used_freed > num_freed or used_rack > rack[JOKER]:
            continue
        problems = add_problem(problems, count)
        problem = problems[count]
        problem.forced[:] = need
        problem.forced[JOKER] = max(need[JOKER], used_rack)
        for h in range(num_held):
            problem.fixed[held[h]] += 1
            if not used_held >> h & 1:
                say(problem, held[h])
        rest = code
        for i in range(num_named):
            if rest % 3 > 0:
                problem.fixed[named[i]] += 1
            rest //= 3
        free = num_freed - used_freed
        problem.least = free + problem.forced[JOKER] - used_rack
        problem.most = free + rack[JOKER] - used_rack
        problem.rack_jokers = problem.forced[JOKER]
        if jokers.new_meld and num_freed > 0:
            problems, count = with_new_melds(
                jokers, around, numbers, board, rack, named, code, num_freed,
                problems, count,
            )  # fmt: skip
        elif jokers.per_meld == 1:
            problems, count = apart(
                jokers, around, numbers, board, rack, num_held + num_freed, problems,
                count,
            )  # fmt: skip
        else:
            count += 1
    return problems, count
