"""Guesses at what a seat cannot see, for search with hidden information."""

from __future__ import annotations

import numpy as np

from rummi_env.games.rummikub.dealing import random_below
from rummi_env.games.rummikub.machine import refresh_mask
from rummi_env.games.rummikub.state import MAX_POOL, REDEAL_PHASE
from rummi_env.solver.compiled import kernel

PAIRS_FOR_REDEAL = 3


@kernel
def has_pairs(game, seat):
    """Whether a rack has the pairs that allow to demand a new deal."""
    pairs = 0
    for kind in range(53):
        if game.racks[seat, kind] >= 2:
            pairs += 1
    return pairs >= PAIRS_FOR_REDEAL


@kernel
def redraw(game, rules, workspace, tables, seat, tries):
    """Draws anew all that a seat cannot see, with the game's own random numbers.

    The other racks keep their sizes and the tiles that are known to be on them, the
    pool its size. A turn that an opponent has begun can still be ended legally. While
    new deals may be demanded, those who were asked have three pairs and those who were
    passed over have not.

    Args:
        game: the game; changed in place.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        seat: who looks.
        tries: draws before giving up.

    Returns:
        Whether such a game was found; if not, the game is of no use.
    """
    players = rules.num_players
    mover = game.seat
    unseen = np.empty(MAX_POOL, np.int8)
    loose = np.zeros(players, np.int64)
    demands = np.full(players, -1, np.int64)
    size = 0
    for other in range(players):
        if other == seat:
            continue
        if game.phase == REDEAL_PHASE and other <= mover:
            demands[other] = 1 if has_pairs(game, other) else 0
        for kind in range(53):
            played = game.played[kind] if other == mover else 0
            seen = max(game.known[other, kind], played)
            for _ in range(game.racks[other, kind] - seen):
                unseen[size] = kind
                size += 1
                loose[other] += 1
            game.racks[other, kind] = seen
    for place in range(game.drawn, game.pool_size):
        unseen[size] = game.pool[place]
        size += 1
    game.pool[: game.drawn] = 0
    begun = mover != seat and game.played.max() > 0
    for _ in range(tries):
        for last in range(size - 1, 0, -1):
            place = random_below(game, last + 1)
            tile = unseen[last]
            unseen[last] = unseen[place]
            unseen[place] = tile
        at = 0
        for other in range(players):
            for place in range(at, at + loose[other]):
                game.racks[other, unseen[place]] += 1
            at += loose[other]
        game.pool[game.drawn : game.pool_size] = unseen[at:size]
        fits = True
        for other in range(players):
            if demands[other] >= 0 and has_pairs(game, other) != (demands[other] == 1):
                fits = False
        if fits:
            if mover != seat:
                refresh_mask(game, rules, workspace, tables)
            if not begun or game.mask.max() > 0:
                return True
        at = 0
        for other in range(players):
            for place in range(at, at + loose[other]):
                game.racks[other, unseen[place]] -= 1
            at += loose[other]
    return False
