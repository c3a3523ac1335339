"""Whether a record that came from outside can be played on."""

from __future__ import annotations

import numpy as np

from rummi_env.core.tabla_rules import NUM_TILES, RACK_SIZE
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS
from rummi_env.games.tabla.machine import refresh_mask
from rummi_env.games.tabla.state import (
    DISCARD_PHASE,
    DOUBLES_PHASE,
    FROM_ROW,
    NO_TILE,
    NOBODY,
    OVER_PHASE,
)
from rummi_env.solver.compiled import entry, kernel

COPIES = 2
"""Tiles of each kind in the deck."""


@entry
def is_sound(games, index, rules):
    """Whether compiled code can play on from a record; its mask is computed anew."""
    game = games[index]
    if not (has_sound_numbers(game, rules) and has_sound_tiles(game, rules)):
        return False
    mask = game.mask.copy()
    refresh_mask(game, rules)
    return (mask == game.mask).all()


@kernel
def has_sound_numbers(game, rules):
    """Whether all that is no tile is within its bounds."""
    players = rules.num_players
    if not (0 <= game.seat < players and 0 <= game.starter < players):
        return False
    if not (0 <= game.phase <= OVER_PHASE and 0 <= game.round <= rules.rounds):
        return False
    if not (NOBODY <= game.twin_holder < players and NOBODY <= game.closer < players):
        return False
    if not (0 <= game.turn <= rules.turn_cap and NO_TILE <= game.form < 28):
        return False
    if not (0 <= game.drawn <= game.pool_size <= NUM_TILES):
        return False
    if not 0 <= game.row_size <= NUM_TILES:
        return False
    for seat in range(players):
        if not 0 <= game.last_draw[seat] <= FROM_ROW:
            return False
        if game.declared[seat] >> NUM_KINDS != 0:
            return False
        if game.doubles[seat].min() < 0 or game.exchanges[seat].min() < 0:
            return False
    return True


@kernel
def has_sound_tiles(game, rules):
    """Whether all tiles exist, none more often than in the deck."""
    tiles = np.zeros(NUM_COUNTS, np.int64)
    for tile in (game.taken, game.drew, game.thrown):
        if not NO_TILE <= tile < NUM_COUNTS:
            return False
    if not 0 <= game.atu < NUM_COUNTS:
        return False
    tiles[game.atu] += 1
    for place in range(game.pool_size):
        if not 0 <= game.pool[place] < NUM_COUNTS:
            return False
        if place >= game.drawn:
            tiles[game.pool[place]] += 1
    for place in range(game.row_size):
        if not 0 <= game.row[place] < NUM_COUNTS:
            return False
        tiles[game.row[place]] += 1
    for seat in range(rules.num_players):
        size = 0
        for kind in range(NUM_COUNTS):
            if not 0 <= game.racks[seat, kind] <= COPIES:
                return False
            tiles[kind] += game.racks[seat, kind]
            size += game.racks[seat, kind]
            for other in range(rules.num_players):
                if not 0 <= game.known[other, seat, kind] <= game.racks[seat, kind]:
                    return False
            if not 0 <= game.discarded[seat, kind] <= NUM_TILES:
                return False
        # The starter has its fifteenth tile while doubles are declared.
        holder = game.starter if game.phase == DOUBLES_PHASE else game.seat
        has_drawn = game.phase in (DOUBLES_PHASE, DISCARD_PHASE)
        more = 1 if has_drawn and seat == holder else 0
        if game.phase != OVER_PHASE and size != RACK_SIZE + more:
            return False
    return tiles.max() <= COPIES
