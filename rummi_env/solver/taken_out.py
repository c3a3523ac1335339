"""Melds that are taken out of a problem (see `problems`) before its graph is built.

They hold jokers that must lie in a meld of their own: released ones that need tiles of
the rack, or one of two that must lie apart. One problem becomes one for each such meld.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel
from rummi_env.solver.problem_records import SCRATCH, add_problem, copy_problem, say


@kernel
def with_new_melds(
    jokers, around, numbers, board, rack, named, code, num_freed, problems, count
):  # fmt: skip
    """Replaces a problem by those in which released jokers lie in melds of their own.

    Args:
        jokers: how jokers may be used.
        around: the tables' own.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        named: int8[2]; names of jokers.
        code: who bears them; see `_name_jokers`.
        num_freed: released jokers.
        problems: the last one (at ``count``) is the one to replace.
        count: problems before it.
    """
    copy_problem(problems[count], problems[SCRATCH])
    base = problems[SCRATCH]
    names = np.full(2, -1, np.int64)
    unnamed = num_freed
    for i in range(2):
        if named[i] >= 0:
            if code % 3 == 1:
                names[num_freed - unnamed] = named[i]
                unnamed -= 1
                base.fixed[named[i]] -= 1
            code //= 3
    base.least -= unnamed
    base.most -= unnamed
    for kind in range(52):
        if not _may_stand(kind, numbers, names[0]):
            continue
        for row in range(16):
            if around[kind, row, 0] < 0:
                break
            if num_freed == 2 and not _are_there(around[kind, row], rack):
                continue
            if num_freed == 1:
                for place in range(-1, 4):
                    problems, count = _add_new_meld(
                        jokers, kind, around[kind, row], place, names[0] < 0,
                        numbers, rack, problems, count,
                    )  # fmt: skip
                continue
            # Without a name the jokers are alike, and so are their melds.
            alike = names[0] < 0
            for kind2 in range(kind if alike else 0, 52):
                if not _may_stand(kind2, numbers, names[1]):
                    continue
                for row2 in range(row if alike and kind2 == kind else 0, 16):
                    if around[kind2, row2, 0] < 0:
                        break
                    if not _are_there(around[kind2, row2], rack):
                        continue
                    problems, count = _add_two_melds(
                        jokers, kind, around[kind, row], names[0] < 0,
                        kind2, around[kind2, row2], names[1] < 0,
                        rack, problems, count,
                    )  # fmt: skip
    return problems, count


@kernel
def _may_stand(kind, numbers, name):
    """Whether a joker with that name (-1: none) may stand for a kind of the deck."""
    return kind % 13 < numbers and (name < 0 or name == kind)


@kernel
def _are_there(others, rack):
    """Whether the rack has all the kinds of a meld besides that of its joker."""
    there = True
    for other in others:
        there = there and (other < 0 or rack[other] > 0)
    return there


@kernel
def _add_new_meld(
    jokers, kind, others, place, says, numbers, rack, problems, count
):  # fmt: skip
    """Adds the problem with one meld taken out, a rack joker at ``place`` of it."""
    in_meld = -1
    if place >= 0:
        if others[place] < 0 or jokers.per_meld == 1 or rack[JOKER] == 0:
            return problems, count
        in_meld = np.int64(others[place])
        if in_meld % 13 >= numbers:
            return problems, count
    problems = add_problem(problems, count)
    problem = problems[count]
    copy_problem(problems[SCRATCH], problem)
    if place >= 0:
        if problem.fixed[in_meld] > 0:
            # With a released joker and one of the rack there is no other: it was named.
            problem.fixed[in_meld] -= 1
        elif problem.most > 0:
            if problem.least > 0:
                problem.least -= 1
            else:
                problem.forced[JOKER] += 1
                problem.rack_jokers += 1
            problem.most -= 1
            say(problem, in_meld)
        else:
            return problems, count
    if not _take_out(jokers, problem, 0, kind, others, place, rack, True, rack):
        return problems, count
    if says:
        say(problem, kind)
    return problems, count + 1


@kernel
def _add_two_melds(
    jokers, kind, others, says, kind2, others2, says2, rack, problems, count
):
    """Adds the problem with two melds of the rack taken out, each with one joker."""
    problems = add_problem(problems, count)
    problem = problems[count]
    copy_problem(problems[SCRATCH], problem)
    if not _take_out(jokers, problem, 0, kind, others, -1, rack, True, rack):
        return problems, count
    if not _take_out(jokers, problem, 1, kind2, others2, -1, rack, True, rack):
        return problems, count
    if says:
        say(problem, kind)
    if says2:
        say(problem, kind2)
    return problems, count + 1


@kernel
def _take_out(jokers, problem, index, kind, others, place, rack, from_rack, board):
    """Takes a meld with a joker out of a problem; tells whether its tiles are there.

    Args:
        jokers: how jokers may be used.
        problem: changed.
        index: which meld of the problem this becomes.
        kind: what the joker stands for.
        others: int8[4]; kinds of the other places, -1 for none.
        place: which of them is a joker too, or -1.
        rack: int8[53]; the rack.
        from_rack: whether the naturals must come from the rack.
        board: int8[53]; tiles on the table, used unless ``from_rack``.
    """
    problem.melds[index, 0] = kind
    size = 1
    is_group = True
    absent = np.int64(0)
    for color in range(jokers.colors):
        absent |= np.int64(1) << (color * 13 + kind % 13)
    for i in range(4):
        other = np.int64(others[i])
        if other < 0:
            break
        problem.melds[index, i + 1] = other
        size += 1
        if other % 13 != kind % 13:
            is_group = False
        if i == place:
            continue
        absent &= ~(np.int64(1) << other)
        problem.taken[other] += 1
        there = 0 if from_rack else board[other]
        need = problem.taken[other] - there
        problem.forced[other] = max(problem.forced[other], need)
        if problem.forced[other] > rack[other]:
            return False
    if is_group:
        problem.shaped[index] = absent
        if place >= 0:
            problem.shared = 1
    else:
        problem.shaped[index] = np.int64(1) << kind
    if place >= 0:
        problem.second = others[place]
        problem.shaped[1] = (
            absent if is_group else np.int64(1) << np.int64(others[place])
        )
    return True


@kernel
def apart(jokers, around, numbers, board, rack, on_table, problems, count):
    """Replaces a problem by those in which no meld has two jokers.

    Args:
        jokers: how jokers may be used.
        around: the tables' own.
        numbers: highest number of the deck.
        board: int8[53]; tiles on the table.
        rack: int8[53]; the rack.
        on_table: jokers that lie on the table.
        problems: the last one (at ``count``) is the one to replace.
        count: problems before it.
    """
    copy_problem(problems[count], problems[SCRATCH])
    base = problems[SCRATCH]
    first = -1
    num_fixed = 0
    for kind in range(52):
        if base.fixed[kind] > 0:
            num_fixed += base.fixed[kind]
            if first < 0:
                first = kind
    if num_fixed + base.least <= 1:
        # With one joker at most they are apart anyway.
        problems[count].most = min(base.most, 1 - num_fixed)
        count += 1
    if num_fixed + base.most < 2:
        return problems, count
    # Both jokers are placed: one lies in a meld that is taken out.
    base.rack_jokers = 2 - on_table
    base.forced[JOKER] = 2 - on_table
    says = first < 0
    if says:
        base.least = 1
        base.most = 1
    else:
        base.fixed[first] -= 1
        base.least = 2 - num_fixed
        base.most = 2 - num_fixed
    for kind in range(52):
        if not _may_stand(kind, numbers, first):
            continue
        for row in range(16):
            if around[kind, row, 0] < 0:
                break
            problems = add_problem(problems, count)
            problem = problems[count]
            copy_problem(problems[SCRATCH], problem)
            if _take_out(
                jokers, problem, 0, kind, around[kind, row], -1, rack, False, board
            ):
                if says:
                    say(problem, kind)
                count += 1
    return problems, count
