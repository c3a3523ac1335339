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

from typing import NamedTuple

import numpy as np

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel

PROBLEM = np.dtype(
    [
        ("forced", np.int8, (53,)),
        ("taken", np.int8, (53,)),
        ("fixed", np.int8, (53,)),
        ("least", np.int8),
        ("most", np.int8),
        ("rack_jokers", np.int8),
        ("says", np.int8, (2,)),
        ("shaped", np.int64, (2,)),
        ("shared", np.int8),
        ("second", np.int8),
        ("melds", np.int8, (2, 5)),
    ]
)
"""One problem.

forced: rack tiles that are played at least, jokers too, as counts.
taken: naturals taken out with melds of their own.
fixed: jokers that stand for a kind, to be placed like a natural of it.
least, most: further jokers to be placed, as anything.
rack_jokers: jokers of the rack that are played if ``least`` of these are placed.
says: kinds that jokers not named stand for in any case, or -1.
shaped: by meld taken out, the kinds that its joker may stand for, as bits, or 0.
shared: whether both jokers lie in one group that was taken out.
second: kind of a rack joker in the first meld taken out, or -1.
melds: by meld taken out, the kinds of its places, that of the joker first, -1 for none.
"""


class Jokers(NamedTuple):
    """How jokers may be used, in numbers.

    Attributes:
        exact: whether jokers of the table must be held or released.
        from_rack: whether only a natural of the rack releases a joker.
        new_meld: whether a released joker needs a meld of rack tiles.
        per_meld: most jokers in one meld.
        colors: colors of the deck.
    """

    exact: int
    from_rack: int
    new_meld: int
    per_meld: int
    colors: int


SCRATCH, FIRST_PROBLEM = 0, 1
"""The first problem is scratch, so that there is one to copy from."""


@kernel
def new_problems():
    """Returns room for problems, and how many there are: none but the scratch one."""
    return np.zeros(32, PROBLEM), FIRST_PROBLEM


@kernel
def add_problem(problems, count):
    """Makes room for one more problem, cleared."""
    if count == problems.size:
        problems = np.concatenate((problems, problems))
    problem = problems[count]
    problem.forced[:] = 0
    problem.taken[:] = 0
    problem.fixed[:] = 0
    problem.least = 0
    problem.most = 0
    problem.rack_jokers = 0
    problem.says[:] = -1
    problem.shaped[:] = 0
    problem.shared = 0
    problem.second = -1
    problem.melds[:] = -1
    return problems


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
                _say(problem, held[h])
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
            problems, count = _with_new_melds(
                jokers, around, numbers, board, rack, named, code, num_freed,
                problems, count,
            )  # fmt: skip
        elif jokers.per_meld == 1:
            problems, count = _apart(
                jokers, around, numbers, board, rack, num_held + num_freed, problems,
                count,
            )  # fmt: skip
        else:
            count += 1
    return problems, count


@kernel
def _with_new_melds(
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
    _copy(problems[count], problems[SCRATCH])
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
    for other in others:
        if other >= 0 and rack[other] == 0:
            return False
    return True


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
    _copy(problems[SCRATCH], problem)
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
            _say(problem, in_meld)
        else:
            return problems, count
    if not _take_out(jokers, problem, 0, kind, others, place, rack, True, rack):
        return problems, count
    if says:
        _say(problem, kind)
    return problems, count + 1


@kernel
def _add_two_melds(
    jokers, kind, others, says, kind2, others2, says2, rack, problems, count
):
    """Adds the problem with two melds of the rack taken out, each with one joker."""
    problems = add_problem(problems, count)
    problem = problems[count]
    _copy(problems[SCRATCH], problem)
    if not _take_out(jokers, problem, 0, kind, others, -1, rack, True, rack):
        return problems, count
    if not _take_out(jokers, problem, 1, kind2, others2, -1, rack, True, rack):
        return problems, count
    if says:
        _say(problem, kind)
    if says2:
        _say(problem, kind2)
    return problems, count + 1


@kernel
def _say(problem, kind):
    """Notes that a joker without a name stands for a kind."""
    problem.says[1 if problem.says[0] >= 0 else 0] = kind


@kernel
def _copy(source, target):
    target.forced[:] = source.forced
    target.taken[:] = source.taken
    target.fixed[:] = source.fixed
    target.least = source.least
    target.most = source.most
    target.rack_jokers = source.rack_jokers
    target.says[:] = source.says
    target.shaped[:] = source.shaped
    target.shared = source.shared
    target.second = source.second
    target.melds[:] = source.melds


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
def _apart(jokers, around, numbers, board, rack, on_table, problems, count):
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
    _copy(problems[count], problems[SCRATCH])
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
            _copy(problems[SCRATCH], problem)
            if _take_out(
                jokers, problem, 0, kind, around[kind, row], -1, rack, False, board
            ):
                if says:
                    _say(problem, kind)
                count += 1
    return problems, count
