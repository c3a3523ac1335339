"""Whether a record that came from outside can be played on."""

from __future__ import annotations

from rummi_env.core.tiles import NUM_KINDS
from rummi_env.games.rummikub.state import MAX_POOL, OVER_PHASE
from rummi_env.solver.compiled import entry


@entry
def is_sound(games, index, num_players, deck, rounds):
    """Whether compiled code can play on from a record without leaving its arrays."""
    game = games[index]
    if not (0 <= game.seat < num_players and 0 <= game.starter < num_players):
        return False
    if not (0 <= game.phase <= OVER_PHASE and 0 <= game.round <= rounds):
        return False
    if not 0 <= game.drawn <= game.pool_size <= MAX_POOL:
        return False
    for name in game.named:
        if not -1 <= name < NUM_KINDS:
            return False
    tiles = game.table.copy()
    for place in range(game.pool_size):
        if not 0 <= game.pool[place] < deck.size:
            return False
    for place in range(game.drawn, game.pool_size):
        tiles[game.pool[place]] += 1
    for kind in range(deck.size):
        if not 0 <= game.table[kind] <= deck[kind]:
            return False
        if not 0 <= game.played[kind] <= game.racks[game.seat, kind]:
            return False
        for seat in range(num_players):
            if not 0 <= game.racks[seat, kind] <= deck[kind]:
                return False
            if not 0 <= game.known[seat, kind] <= game.racks[seat, kind]:
                return False
            tiles[kind] += game.racks[seat, kind]
        if tiles[kind] > deck[kind]:
            return False
        left = game.racks[game.seat, kind] - game.played[kind]
        if game.mask[kind] and left == 0:
            return False
    return True
