"""Positions drawn at random and always the same for a seed."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import all_melds
from rummi_env.core.notation import format_table, format_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts, counts_of
from rummi_env.solver import TurnSolver

Drawn: TypeAlias = tuple[str, str]
"""A table and a rack in the notation."""

TABLE_TILES = 45
RACK_TILES = 12
JOKERS = 2

LONGEST_RUN = 6
"""Melds of tables are runs up to this length, and groups."""

TRIES = 300
"""Tables drawn before a size is given up."""


def positions(
    number: int,
    seed: int,
    table_tiles: int = TABLE_TILES,
    jokers: int = JOKERS,
) -> list[Drawn]:
    """Returns tables and racks; fewer than asked for where none can be found.

    The melds of a table are drawn one by one from all melds that the deck still has the
    tiles for. Where that does not come out even, as it seldom does for nearly the whole
    deck, its tiles are drawn all at once, until they can lie as melds. Racks are drawn
    from the tiles that are left, and have fewer than `RACK_TILES` at the end of the
    deck.

    Args:
        number: how many.
        seed: of the draws.
        table_tiles: tiles on each table.
        jokers: how many are among the tiles of the table and the rack.
    """
    rules = RuleSet.preset("official").replace(jokers=jokers)
    solver = TurnSolver("official")
    chance = np.random.default_rng([seed, table_tiles, jokers])
    found: list[Drawn] = []
    for attempt in range(TRIES * number):
        if len(found) == number:
            break
        by_melds = attempt % 2 == 0
        table = (_melds if by_melds else _tiles)(rules, table_tiles, chance)
        if table is None:
            continue
        tiles = np.repeat(np.arange(NUM_COUNTS), rules.deck - table)
        size = min(RACK_TILES, len(tiles))
        rack = counts_of(chance.choice(tiles, size, replace=False).tolist())
        if table[JOKER] + rack[JOKER] != jokers:
            continue
        try:
            # The whole table as one opening: the solver knows how it can lie.
            melds = solver.turn("", table).table_after(table)
        except IllegalAction:
            continue
        found.append((format_table(melds), format_tiles(rack)))
    return found


def _melds(rules: RuleSet, size: int, chance: np.random.Generator) -> Counts | None:
    """Draws melds of so many tiles; None where they do not come out even."""
    melds = all_melds(rules, LONGEST_RUN)
    sizes = melds.sum(1)
    left = rules.deck.copy()
    table = np.zeros(NUM_COUNTS, np.int8)
    while table.sum() < size:
        room = size - int(table.sum())
        # A meld may leave nothing over, or enough for another one.
        fits = (melds <= left).all(1) & ((sizes == room) | (sizes <= room - 3))
        if not fits.any():
            return None
        meld = melds[chance.choice(np.flatnonzero(fits))]
        table += meld
        left -= meld
    return table


def _tiles(rules: RuleSet, size: int, chance: np.random.Generator) -> Counts:
    """Draws so many tiles of the deck."""
    deck = np.repeat(np.arange(NUM_COUNTS), rules.deck)
    return counts_of(chance.choice(deck, size, replace=False).tolist())
