"""Mid-game positions, drawn at random and always the same for a seed."""

from __future__ import annotations

import numpy as np

from rummi_env.core.melds import all_melds
from rummi_env.core.notation import format_table, format_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS, counts_of
from rummi_env.solver import TurnSolver

TABLE_TILES = 45
RACK_TILES = 12

LONGEST_RUN = 6
"""Melds of tables are runs up to this length, and groups."""


def mid_game_positions(number: int, seed: int) -> list[tuple[str, str]]:
    """Returns tables and racks in the notation, both jokers among their tiles.

    The melds of a table are drawn one by one from all melds that the deck still has the
    tiles for; racks are drawn from the tiles that are left.
    """
    rules = RuleSet.preset("official")
    solver = TurnSolver(rules)
    chance = np.random.default_rng(seed)
    melds = all_melds(rules, LONGEST_RUN)
    sizes = melds.sum(1)
    positions: list[tuple[str, str]] = []
    while len(positions) < number:
        left = rules.deck.copy()
        table = np.zeros(NUM_COUNTS, np.int8)
        while table.sum() < TABLE_TILES:
            room = TABLE_TILES - int(table.sum())
            # A meld may leave nothing over, or enough for another one.
            fits = (melds <= left).all(1) & ((sizes == room) | (sizes <= room - 3))
            if not fits.any():
                break
            meld = melds[chance.choice(np.flatnonzero(fits))]
            table += meld
            left -= meld
        tiles = np.repeat(np.arange(NUM_COUNTS), left)
        rack = counts_of(chance.choice(tiles, RACK_TILES, replace=False).tolist())
        if table.sum() != TABLE_TILES or table[JOKER] + rack[JOKER] != rules.jokers:
            continue
        # The whole table as one opening: the solver knows how it can lie.
        turn = solver.turn("", table)
        positions.append((format_table(turn.table_after(table)), format_tiles(rack)))
    return positions
