"""Guesses at what a seat cannot see, for search with hidden information."""

from __future__ import annotations

import numpy as np

from rummi_env.core.tabla_rules import NUM_TILES
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS
from rummi_env.games.chance import random_below, shuffle
from rummi_env.games.tabla.machine import refresh_mask
from rummi_env.games.tabla.state import DOUBLES_PHASE, NO_TILE
from rummi_env.solver.compiled import kernel


@kernel
def redraw(game, rules, seat, seed):
    """Draws anew, in place, all that a seat cannot see of a game.

    The other racks keep their sizes and the tiles that the seat knows to be on them,
    the pool its size. Doubles that others may have declared by now are drawn as well.
    What the classes of declared doubles and the discards tell besides is not used.

    Args:
        game: the game.
        rules: the rules in numbers.
        seat: who looks.
        seed: uint64; all chance from here on, that of the game included.
    """
    game.seed = seed
    players = rules.num_players
    unseen = np.empty(NUM_TILES, np.int8)
    number = 0
    sizes = np.zeros(players, np.int64)
    for other in range(players):
        if other == seat:
            continue
        for kind in range(NUM_COUNTS):
            for _ in range(game.racks[other, kind] - game.known[seat, other, kind]):
                unseen[number] = kind
                number += 1
                sizes[other] += 1
        game.racks[other] = game.known[seat, other]
    for place in range(game.drawn, game.pool_size):
        unseen[number] = game.pool[place]
        number += 1
    # In the order of kinds first, so that the old places have no part in the new ones.
    unseen[:number].sort()
    shuffle(game, unseen, number)
    last = np.int64(NO_TILE)
    place = 0
    for other in range(players):
        for _ in range(sizes[other]):
            game.racks[other, unseen[place]] += 1
            if other == game.seat:
                last = np.int64(unseen[place])
            place += 1
    game.pool[: game.drawn] = 0
    game.pool[game.drawn : game.pool_size] = unseen[place:number]
    if game.seat != seat and game.drew != NO_TILE:
        game.drew = last
    forget_others(game, players, seat)
    refresh_mask(game, rules)


@kernel
def forget_others(game, players, seat):
    """Draws anew what others know or have declared and a seat cannot know of."""
    for other in range(players):
        if other == seat:
            continue
        for owner in range(players):
            if owner != seat:
                # Of what an opponent knows no more stays than is known here too.
                game.known[other, owner] = np.minimum(
                    game.known[other, owner], game.known[seat, owner]
                )
        game.declared[other] = 0
        before = (other - game.starter) % players
        if (
            game.phase == DOUBLES_PHASE
            and before <= (game.seat - game.starter) % players
        ):
            for kind in range(NUM_KINDS):
                if game.racks[other, kind] == 2 and random_below(game, 2):
                    game.declared[other] |= np.int64(1) << kind
