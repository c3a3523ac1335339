"""Lists the smallest openings in a rack, one after the other.

Only ``manipulate_on_opening_turn`` needs them: there the tiles played must contain an
opening that need not survive, besides making a legal table with all the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.core.tiles import JOKER
from rummi_env.solver.compiled import kernel

MOST_MELDS = 40
"""More melds than a rack of 106 tiles can hold."""


class Openings(NamedTuple):
    """Where a search for openings stands.

    Attributes:
        melds: int8[n, 53]; melds that the rack can make, as tiles.
        worths: int64[n]; the most that each is worth.
        stack: int64[40]; the melds chosen, in ascending order.
        depth: int64[1]; how many are chosen, -1 when all is done.
        left: int8[53]; tiles not in the chosen melds.
        worth: int64[1]; worth of the chosen melds.
    """

    melds: NDArray[np.int8]
    worths: NDArray[np.int64]
    stack: NDArray[np.int64]
    depth: NDArray[np.int64]
    left: NDArray[np.int8]
    worth: NDArray[np.int64]


@kernel
def start_openings(around, numbers, per_meld, rack):
    """Prepares a search; see `next_opening`.

    Args:
        around: from `Tables`.
        numbers: highest number of the deck.
        per_meld: most jokers in one meld.
        rack: int8[53]; the rack.
    """
    melds = np.zeros((64, 53), np.int8)
    worths = np.zeros(64, np.int64)
    count = 0
    kinds = np.empty(5, np.int64)
    most = min(np.int64(rack[JOKER]), per_meld)
    for kind in range(52):
        for row in range(16):
            if around[kind, row, 0] < 0:
                break
            size = 1
            kinds[0] = kind
            lowest = True
            for other in around[kind, row]:
                if other >= 0:
                    kinds[size] = other
                    size += 1
                    lowest = lowest and other > kind
            if not lowest or kinds[:size].max() % 13 >= numbers:
                continue
            # The kind stands first in a run, so the last is the highest.
            for jokers in range(1 << size):
                bits = 0
                for i in range(size):
                    bits += jokers >> i & 1
                if bits > most or bits == size:
                    continue
                if count == worths.size:
                    melds = np.concatenate((melds, np.zeros_like(melds)))
                    worths = np.concatenate((worths, np.zeros_like(worths)))
                meld = melds[count]
                meld[:] = 0
                worth = 0
                fits = True
                for i in range(size):
                    tile = JOKER if jokers >> i & 1 else kinds[i]
                    meld[tile] += 1
                    worth += kinds[i] % 13 + 1
                    fits = fits and meld[tile] <= rack[tile]
                if not fits:
                    continue
                worths[count] = worth
                count = _kept(melds, worths, count)
    return Openings(
        melds[:count],
        worths[:count],
        np.zeros(MOST_MELDS, np.int64),
        np.zeros(1, np.int64),
        rack.copy(),
        np.zeros(1, np.int64),
    )


@kernel
def _kept(melds, worths, count):
    """Counts the newest meld in unless it is listed; keeps the higher worth."""
    for i in range(count):
        same = True
        for kind in range(53):
            if melds[i, kind] != melds[count, kind]:
                same = False
                break
        if same:
            worths[i] = max(worths[i], worths[count])
            return count
    return count + 1


@kernel
def next_opening(openings, threshold, tiles):
    """Finds the next opening none of whose melds could be left out.

    Args:
        openings: the search; moved on.
        threshold: least worth.
        tiles: int8[53]; set to the tiles of the opening.

    Returns:
        Whether there was one.
    """
    melds, worths, stack = openings.melds, openings.worths, openings.stack
    left, depth, worth = openings.left, openings.depth, openings.worth
    while depth[0] >= 0:
        d = depth[0]
        if stack[d] >= worths.size:
            depth[0] -= 1
            if d > 0:
                _unchoose(openings)
            continue
        meld = stack[d]
        fits = True
        for kind in range(53):
            if melds[meld, kind] > left[kind]:
                fits = False
                break
        if not fits:
            stack[d] += 1
            continue
        if worth[0] + worths[meld] < threshold:
            for kind in range(53):
                left[kind] -= melds[meld, kind]
            worth[0] += worths[meld]
            stack[d + 1] = meld
            depth[0] += 1
            continue
        stack[d] += 1
        least = worths[meld]
        tiles[:] = melds[meld]
        for i in range(d):
            least = min(least, worths[stack[i]])
            for kind in range(53):
                tiles[kind] += melds[stack[i], kind]
        if worth[0] + worths[meld] - least < threshold:
            return True
    return False


@kernel
def _unchoose(openings):
    """Gives the last chosen meld back and moves on to the one after it."""
    d = openings.depth[0]
    meld = openings.stack[d]
    for kind in range(53):
        openings.left[kind] += openings.melds[meld, kind]
    openings.worth[0] -= openings.worths[meld]
    openings.stack[d] += 1
