"""The deal, and the exchange of doubles before the first turn."""

from __future__ import annotations

import numpy as np

from rummi_env.core.shapes import LOW_NUMBERS
from rummi_env.core.tabla_rules import MAX_PLAYERS, NUM_TILES, RACK_SIZE
from rummi_env.core.tiles import JOKER, NUM_KINDS, NUM_NUMBERS
from rummi_env.games.chance import shuffle
from rummi_env.games.tabla.state import (
    DISCARD_PHASE,
    DOUBLES_PHASE,
    NO_DRAW,
    NO_TILE,
    NOBODY,
)
from rummi_env.solver.compiled import kernel

LOW_CLASS, HIGH_CLASS = range(2)
"""Classes of doubles: 2 to 9, and 10 to 13 with the 1."""

MAX_ENTRIES = MAX_PLAYERS * (RACK_SIZE + 1) // 2
"""Most doubles that all racks together can have."""

DOUBLES_FOR_NEW_DEAL = 3

HIGHEST_LOW = max(LOW_NUMBERS)


@kernel
def clear_deal(game):
    """Forgets the last deal: empties the racks and the row."""
    game.racks[:] = 0
    game.known[:] = 0
    game.discarded[:] = 0
    game.row[:] = 0
    game.row_size = 0
    game.declared[:] = 0
    game.doubles[:] = 0
    game.exchanges[:] = 0
    game.last_draw[:] = NO_DRAW
    game.twin_holder = NOBODY
    game.taken = NO_TILE
    game.drew = NO_TILE
    game.turn = 0


@kernel
def deal(game, rules):
    """Deals from a shuffled deck: 15 tiles to the starter, 14 to the others, the atu.

    The starter is the next seat with every deal of the match (part A.2, ours).
    """
    clear_deal(game)
    game.starter = game.round % rules.num_players
    for place in range(NUM_TILES):
        game.pool[place] = place // 2
    shuffle(game, game.pool, NUM_TILES)
    game.pool_size = NUM_TILES
    game.drawn = 0
    for _ in range(RACK_SIZE):
        for step in range(rules.num_players):
            deal_tile(game, (game.starter + step) % rules.num_players)
    deal_tile(game, np.int64(game.starter))
    game.atu = game.pool[game.drawn]
    game.drawn += 1
    start_deal(game, rules)


@kernel
def deal_tile(game, seat):
    """Gives a seat the next tile of the pool."""
    game.racks[seat, game.pool[game.drawn]] += 1
    game.drawn += 1


@kernel
def start_deal(game, rules):
    """Notes the atu's twin where it is paid for, and asks the starter."""
    if rules.atu_twin_bonus > 0:
        for seat in range(rules.num_players):
            if game.racks[seat, game.atu] > 0:
                game.twin_holder = seat
                game.known[: rules.num_players, seat, game.atu] = 1
                game.known[seat, seat, game.atu] = 0
    game.seat = game.starter
    game.phase = DISCARD_PHASE
    if rules.exchange_doubles or rules.refuse_with_three_doubles:
        game.phase = DOUBLES_PHASE


@kernel
def count_doubles(game, seat):
    """Counts a seat's doubles: pairs of identical tiles; the jokers are none."""
    number = 0
    for kind in range(NUM_KINDS):
        number += game.racks[seat, kind] == 2
    return number


@kernel
def class_of(kind):
    """Class of a double; the 1 is a high one."""
    number = kind % NUM_NUMBERS + 1
    return HIGH_CLASS if number == 1 or number > HIGHEST_LOW else LOW_CLASS


@kernel
def exchange_doubles(game, rules):
    """Exchanges declared doubles within their class (part A.3, the matching is ours).

    The doubles of a class stand in the order of the seats from the starter on and then
    of the kinds. The first is paired with the next one of another seat, and so on; of
    each pair one tile changes hands. Those left over stay.
    """
    seats = np.empty(MAX_ENTRIES, np.int64)
    kinds = np.empty(MAX_ENTRIES, np.int64)
    for doubles_class in range(2):
        entries = 0
        for step in range(rules.num_players):
            seat = (game.starter + step) % rules.num_players
            for kind in range(NUM_KINDS):
                if game.declared[seat] >> kind & 1 and class_of(kind) == doubles_class:
                    seats[entries] = seat
                    kinds[entries] = kind
                    entries += 1
                    game.doubles[seat, doubles_class] += 1
        for first in range(entries):
            if seats[first] == NOBODY:
                continue
            for second in range(first + 1, entries):
                if seats[second] not in (NOBODY, seats[first]):
                    swap(game, seats[first], kinds[first], seats[second], kinds[second])
                    seats[second] = NOBODY
                    break
    game.declared[:] = 0


@kernel
def swap(game, seat, kind, other, other_kind):
    """Lets two seats give each other one tile of a double.

    Each then knows two tiles of the other: the one it gave, and the one kept of the
    pair that it has got the other of.
    """
    game.racks[seat, kind] -= 1
    game.racks[other, kind] += 1
    game.racks[other, other_kind] -= 1
    game.racks[seat, other_kind] += 1
    game.known[seat, other, kind] = 1
    game.known[seat, other, other_kind] = 1
    game.known[other, seat, kind] = 1
    game.known[other, seat, other_kind] = 1
    game.exchanges[seat, other] += 1
    game.exchanges[other, seat] += 1


@kernel
def is_double_atu(game):
    """Tells whether the atu is a 1 or a joker."""
    return game.atu == JOKER or game.atu % NUM_NUMBERS == 0
