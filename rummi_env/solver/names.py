"""Names of jokers: which of them jokers of the table may bear."""

from __future__ import annotations

import numpy as np

from rummi_env.solver.compiled import kernel

NO_NAME, IMPOSSIBLE = -1, -2


@kernel
def names_left(sets, together, named, bearers):
    """Names that rack jokers must bear when jokers of the table bear the others.

    Args:
        sets: int64[2]; by joker of the table, the kinds it may stand for, as bits.
        together: whether both lie in one group.
        named: int8[2]; the names.
        bearers: below 9; by joker of the table (base 3) which name it bears: 0 none, 1
            the first, 2 the second.

    Returns:
        int8[2]; the other names, or `IMPOSSIBLE` first where a joker cannot bear its.
    """
    left = np.full(2, NO_NAME, np.int8)
    first, second = bearers % 3, bearers // 3
    if first == second and first > 0:
        left[0] = IMPOSSIBLE
        return left
    for joker, bears in enumerate((first, second)):
        if bears > 0:
            name = named[bears - 1]
            if name < 0 or not sets[joker] >> name & 1:
                left[0] = IMPOSSIBLE
                return left
    if together and first > 0 and second > 0 and named[0] == named[1]:
        left[0] = IMPOSSIBLE
        return left
    count = 0
    for i in range(2):
        if named[i] >= 0 and first != i + 1 and second != i + 1:
            left[count] = named[i]
            count += 1
    return left
