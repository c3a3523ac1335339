"""The finite automata behind the turn solver: what one color's open runs may become.

Tiles of one color are read by number, 1 upwards. What the future needs to know of the
runs still open is a triple ``(n1, n2, n3)``: how many have length 1, 2 and at least 3
(see van Rijn, Takes and Vis 2015). Two automata are made of it:

* **explicit**: every joker is placed as a certain tile. A symbol is the number of
  tiles, natural or not, that runs use at this number. States are the triples.
* **implicit**: jokers are anonymous (``joker_release="free"``, where only the number of
  jokers counts). A symbol is the number of *natural* tiles used; a transition costs the
  least number of jokers. The subset construction with weights, minimised, leaves 10
  states without jokers, 16 with one, 18 with two.

Why least costs are enough in the implicit automaton: a joker that no run needs can be
added to any run (at an end, or by splitting a run of 13), so with at least one run in
the arrangement every larger number of jokers can be placed too. This holds for decks of
five numbers or more; smaller decks use the explicit automaton.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

INFEASIBLE = 99
"""Cost of what cannot be completed; larger than any number of jokers."""

MAX_JOKERS = 2

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Automaton:
    """A deterministic automaton over the numbers of one color.

    Attributes:
        step: int8[S, T]; the state after ``t`` tiles, or -1.
        cost: int8[S, T]; jokers that the step costs, ``INFEASIBLE`` where step is -1.
        final: int8[S]; jokers needed to finish with no further tile.
    """

    step: NDArray[np.int8]
    cost: NDArray[np.int8]
    final: NDArray[np.int8]

    @property
    def num_states(self) -> int:
        """How many states there are; state 0 is the start."""
        return int(self.step.shape[0])


def advance(triple: Triple, tiles: int) -> Triple | None:
    """Returns the open runs after ``tiles`` run tiles at the next number, or None.

    Runs of length 1 and 2 must go on. Of the rest, lengthening a run of 3 or more is
    never worse than starting a new one, so the successor is unique.
    """
    n1, n2, n3 = triple
    spare = tiles - n1 - n2
    if spare < 0:
        return None
    longer = min(n3, spare)
    return spare - longer, n1, n2 + longer


def _debt(triple: Triple) -> int:
    """Tiles that the open runs still lack."""
    return 2 * triple[0] + triple[1]


@cache
def explicit_automaton(max_tiles: int) -> Automaton:
    """Builds the automaton whose symbols count all run tiles, up to ``max_tiles``.

    The final cost is what open runs lack: they end as ``12 13 J`` written with the
    joker past 13, which stands for the same joker before the run.
    """
    start: Triple = (0, 0, 0)
    index = {start: 0}
    queue = [start]
    steps: list[list[int]] = []
    for triple in queue:
        row = []
        for tiles in range(max_tiles + 1):
            after = advance(triple, tiles)
            if after is None:
                row.append(-1)
                continue
            if after not in index:
                index[after] = len(index)
                queue.append(after)
            row.append(index[after])
        steps.append(row)
    step = np.array(steps, np.int8)
    cost = np.where(step < 0, INFEASIBLE, 0).astype(np.int8)
    final = np.array([0 if _debt(t) == 0 else INFEASIBLE for t in queue], np.int8)
    return Automaton(step, cost, final)


@cache
def implicit_automaton(num_jokers: int) -> Automaton:
    """Builds the minimal automaton of least joker costs, for at most ``num_jokers``."""
    steps, costs, finals = _determinise(num_jokers)
    return _minimise(steps, costs, finals, num_jokers)


Subset = frozenset[tuple[Triple, int]]


def _determinise(
    budget: int,
) -> tuple[list[list[int]], list[list[int]], list[int]]:
    """Weighted subset construction: sets of (triple, jokers spent beyond the least)."""
    start: Subset = frozenset([((0, 0, 0), 0)])
    index = {start: 0}
    queue = [start]
    steps: list[list[int]] = []
    costs: list[list[int]] = []
    for subset in queue:
        step_row, cost_row = [], []
        for naturals in range(3):
            spent = _successors(subset, naturals, budget)
            if not spent:
                step_row.append(-1)
                cost_row.append(INFEASIBLE)
                continue
            least = min(spent.values())
            after = frozenset(
                (t, s - least) for t, s in spent.items() if s - least <= budget
            )
            if after not in index:
                index[after] = len(index)
                queue.append(after)
            step_row.append(index[after])
            cost_row.append(least)
        steps.append(step_row)
        costs.append(cost_row)
    finals = [min(spent + _debt(t) for t, spent in subset) for subset in queue]
    return steps, costs, finals


def _successors(subset: Subset, naturals: int, budget: int) -> dict[Triple, int]:
    spent_of: dict[Triple, int] = {}
    for triple, spent in subset:
        # A joker never needs to start a run: the run is as good one number later, and
        # at the end of the numbers the final cost stands for it.
        for jokers in range(min(budget - spent, sum(triple)) + 1):
            after = advance(triple, naturals + jokers)
            if after is not None:
                best = spent_of.get(after, INFEASIBLE)
                spent_of[after] = min(best, spent + jokers)
    return spent_of


def _minimise(
    steps: list[list[int]], costs: list[list[int]], finals: list[int], budget: int
) -> Automaton:
    """Merges states whose futures cost the same, after pushing costs to the front."""
    ahead = list(finals)
    changed = True
    while changed:
        changed = False
        for state, row in enumerate(steps):
            for after, cost in zip(row, costs[state], strict=True):
                if after >= 0 and cost + ahead[after] < ahead[state]:
                    ahead[state] = cost + ahead[after]
                    changed = True

    def pushed(state: int, symbol: int) -> int:
        after = steps[state][symbol]
        if after < 0:
            return INFEASIBLE
        cost = costs[state][symbol] + ahead[after] - ahead[state]
        return cost if cost <= budget else INFEASIBLE

    size = range(len(steps))
    block = [min(finals[s] - ahead[s], budget + 1) for s in size]
    num_blocks = len(set(block))
    while True:
        keys = [
            (
                block[s],
                tuple(
                    (block[steps[s][r]] if pushed(s, r) < INFEASIBLE else -1)
                    for r in range(3)
                ),
                tuple(pushed(s, r) for r in range(3)),
            )
            for s in size
        ]
        block = _numbered(keys)
        if len(set(block)) == num_blocks:
            break
        num_blocks = len(set(block))

    representative = [block.index(b) for b in range(num_blocks)]
    step = np.full((num_blocks, 3), -1, np.int8)
    price = np.full((num_blocks, 3), INFEASIBLE, np.int8)
    final = np.empty(num_blocks, np.int8)
    for b, state in enumerate(representative):
        final[b] = min(finals[state] - ahead[state], INFEASIBLE)
        for r in range(3):
            if pushed(state, r) < INFEASIBLE:
                step[b, r] = block[steps[state][r]]
                price[b, r] = pushed(state, r)
    return Automaton(step, price, final)


def _numbered(keys: Iterable[object]) -> list[int]:
    """Numbers equal keys alike, by first appearance."""
    seen: dict[object, int] = {}
    return [seen.setdefault(key, len(seen)) for key in keys]


@cache
def explicit_groups(num_colors: int, max_tiles: int) -> NDArray[np.bool_]:
    """Tells which tiles of one number can be cut into groups of 3 or 4.

    Returns:
        bool[max_tiles + 1] * 4: by the number of tiles of each color.
    """
    ok = np.zeros((max_tiles + 1,) * 4, np.bool_)
    ok[0, 0, 0, 0] = True
    for counts in np.ndindex(ok.shape):
        total = sum(counts)
        if any(counts[num_colors:]):
            continue
        for groups in range(1, total // 3 + 1):
            # Colors are distinct within a group, so no color has more tiles than
            # groups; that, and sizes of 3 or 4, is also sufficient.
            if (
                max(counts) <= groups
                and 3 * groups <= total <= min(4, num_colors) * groups
            ):
                ok[counts] = True
    return ok


@cache
def implicit_groups(num_colors: int) -> NDArray[np.uint8]:
    """Tells with how many jokers natural tiles of one number can be cut into groups.

    Returns:
        uint8[3, 3, 3, 3]: by color counts; bit j is set where j jokers will do.
    """
    explicit = explicit_groups(num_colors, 2 + MAX_JOKERS)
    sets = np.zeros((3,) * 4, np.uint8)
    for counts in np.ndindex(sets.shape):
        for jokers in np.ndindex((MAX_JOKERS + 1,) * num_colors):
            if sum(jokers) <= MAX_JOKERS:
                padded = [*jokers, 0, 0][:4]
                if explicit[tuple(c + j for c, j in zip(counts, padded, strict=True))]:
                    sets[counts] |= 1 << sum(jokers)
    return sets
