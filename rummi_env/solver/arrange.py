"""Finds melds for tiles that are known to fit: the table that a person sees.

Many arrangements are the same for the game. The one shown touches as few melds of the
present table as can be (an exact search up to two of them, then greedily).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from rummi_env.core.melds import Meld, meld_of
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COLORS, NUM_NUMBERS, Counts, kind_of
from rummi_env.solver.automata import explicit_automaton
from rummi_env.solver.edges import EDGE_JOKERS_SHIFT, NODE_BITS
from rummi_env.solver.entries import arranged
from rummi_env.solver.tables import MAX_TILES, Tables
from rummi_env.solver.workspace import Workspace

MOST_TOUCHED = 2
"""Up to so many touched melds the fewest are found by trying all choices."""


def arrangement(
    tiles: Counts, rules: RuleSet, tables: Tables, workspace: Workspace
) -> tuple[Meld, ...] | None:
    """Returns melds of exactly these tiles, worth as much as possible, or None.

    Args:
        tiles: int8[53]; all of them are placed, jokers too.
        rules: gives the deck.
        tables: of the deck's colors.
        workspace: scratch.
    """
    path, states_of = arranged(
        workspace, tables, rules.numbers, tiles, int(tiles[JOKER])
    )
    if path[0] < 0:
        return None
    melds: list[list[tuple[int, int]]] = []
    open_runs: list[list[list[tuple[int, int]]]] = [[] for _ in range(NUM_COLORS)]
    for number, edge in enumerate(path[: rules.numbers].tolist(), start=1):
        states = int(states_of[edge & NODE_BITS])
        in_groups: list[list[tuple[int, int]]] = []
        for color in range(NUM_COLORS):
            kind = kind_of(color, number)
            placed = edge >> (EDGE_JOKERS_SHIFT + 2 * color) & 3
            here = [(kind, kind)] * int(tiles[kind]) + [(JOKER, kind)] * placed
            run_tiles = _RUN_TILES[states >> 8 * color & 0xFF]
            open_runs[color] = _extended(open_runs[color], here[:run_tiles], melds)
            in_groups.append(here[run_tiles:])
        melds += _groups(in_groups) or []
    for runs in open_runs:
        melds += runs
    return tuple(meld_of(_entries(meld), rules) for meld in melds)


def _entries(meld: list[tuple[int, int]]) -> list[int | tuple[int, int]]:
    """Names the jokers of a run that could be read otherwise."""
    naturals = [tile for tile, _ in meld if tile != JOKER]
    is_run = len({kind % NUM_NUMBERS for _, kind in meld}) > 1
    if is_run and len(naturals) == 1:
        return [tile if tile != JOKER else (JOKER, kind) for tile, kind in meld]
    return [tile for tile, _ in meld]


def _count_run_tiles() -> list[int]:
    """By state, the tiles that runs used to get there: one for each run still open.

    A run of 3 or more that was not lengthened is closed, so it is no longer counted.
    """
    step = explicit_automaton(MAX_TILES).step
    tiles = [0] * len(step)
    for row in step:
        for symbol, after in enumerate(row.tolist()):
            if after >= 0:
                tiles[after] = symbol
    return tiles


_RUN_TILES = _count_run_tiles()


def _extended(
    runs: list[list[tuple[int, int]]],
    tiles: list[tuple[int, int]],
    closed: list[list[tuple[int, int]]],
) -> list[list[tuple[int, int]]]:
    """Lengthens the shortest runs, closes those that get no tile, starts new ones."""
    runs = sorted(runs, key=len)
    longer = [[*run, tile] for run, tile in zip(runs, tiles, strict=False)]
    closed += runs[len(tiles) :]
    return longer + [[tile] for tile in tiles[len(runs) :]]


def _groups(
    by_color: list[list[tuple[int, int]]],
) -> list[list[tuple[int, int]]] | None:
    """Cuts tiles of one number into groups; None where that is impossible."""
    if not any(by_color):
        return []
    for size in (3, 4):
        fullest = sorted(range(NUM_COLORS), key=lambda c: -len(by_color[c]))[:size]
        if all(by_color[c] for c in fullest):
            rest = [
                tiles[1:] if c in fullest else tiles for c, tiles in enumerate(by_color)
            ]
            others = _groups(rest)
            if others is not None:
                return [[by_color[c][0] for c in fullest], *others]
    return None


def kept_melds(
    present: Sequence[Counts], tiles: Counts, fits: Callable[[Counts], bool]
) -> list[int]:
    """Chooses melds that stay as they are, as many as can be.

    Args:
        present: int8[53] each; tiles of the melds.
        tiles: int8[53]; all tiles that must be arranged.
        fits: tells whether tiles can be arranged by themselves.

    Returns:
        Which melds, in ascending order. The rest of the tiles can be arranged.
    """
    everything = range(len(present))
    whole = sum(present, np.zeros_like(tiles))
    for number in range(min(MOST_TOUCHED, len(present)) + 1):
        for touched in combinations(everything, number):
            kept = whole - sum((present[i] for i in touched), np.zeros_like(tiles))
            if (kept <= tiles).all() and fits(tiles - kept):
                return [i for i in everything if i not in touched]
    chosen = []
    loose = tiles
    for i in everything:
        rest = loose - present[i]
        if (rest >= 0).all() and fits(rest):
            loose = rest
            chosen.append(i)
    return chosen
