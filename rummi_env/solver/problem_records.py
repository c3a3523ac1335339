"""The record of a problem (see `problems`), and the room for many of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

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
def say(problem, kind):
    """Notes that a joker without a name stands for a kind."""
    problem.says[1 if problem.says[0] >= 0 else 0] = kind


@kernel
def copy_problem(source, target):
    """Copies a problem into the room of another."""
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
