"""The deal, new pools, and what becomes known of cards that were face down."""

from __future__ import annotations

import numpy as np

from rummi_env.core.cards import ALL_CARDS, NUM_CARDS
from rummi_env.games.chance import random_below, shuffle
from rummi_env.games.rummy.sets import NONE, count, lowest, single, without_lowest
from rummi_env.games.rummy.state import DRAW_PHASE, NO_CARD, SHUFFLE, TURN_OVER
from rummi_env.solver.compiled import kernel

_ALL = np.uint64(ALL_CARDS)


@kernel
def choose_starter(game, rules):
    """Sets who begins the hand: left of the dealer, who is random and then rotates."""
    if game.round == 0:
        game.starter = random_below(game, rules.num_players)
    else:
        game.starter = (game.starter + 1) % rules.num_players


@kernel
def clear_hand(game):
    """Takes all cards from the racks, the table, the row and the pool."""
    game.racks[:] = NONE
    game.known[:] = NONE
    game.groups = NONE
    game.gaps = NONE
    game.runs = NONE
    game.run_starts = NONE
    game.run_ends = NONE
    game.recycled = _ALL
    game.pool_size = 0
    game.row_size = 0
    game.melded[:] = 0
    game.laid[:] = 0
    game.turn = 0
    game.recycles = 0


@kernel
def begin_turn(game, seat):
    """Asks a seat to draw."""
    game.seat = seat
    game.phase = DRAW_PHASE
    game.taken = NO_CARD
    game.melds = 0
    game.laid_now = NONE


@kernel
def deal_hand(game, rules):
    """Deals from a shuffled deck and turns a card up (part B.1)."""
    clear_hand(game)
    for card in range(NUM_CARDS):
        game.pool[card] = card
    shuffle(game, game.pool, NUM_CARDS)
    game.pool_size = NUM_CARDS
    for _ in range(rules.rack_size):
        for seat in range(rules.num_players):
            game.pool_size -= 1
            game.racks[seat] |= single(game.pool[game.pool_size])
    game.pool_size -= 1
    game.row[0] = game.pool[game.pool_size]
    game.row_size = 1
    begin_turn(game, game.starter)


@kernel
def can_recycle(game, rules):
    """Whether the row may become a new pool (part B.6)."""
    return game.recycles < rules.max_recycles and game.row_size >= 2


@kernel
def recycle_row(game, rules):
    """Makes a new pool of the row (part B.6).

    Shuffled, the top card of the row stays; turned over, the oldest card is drawn next.
    """
    size = game.row_size - (1 if rules.recycle == SHUFFLE else 0)
    game.recycled = NONE
    for place in range(size):
        card = game.row[size - 1 - place]
        game.pool[place] = card
        game.recycled |= single(card)
    if rules.recycle == SHUFFLE:
        game.row[0] = game.row[size]
        shuffle(game, game.pool, size)
    game.row_size -= size
    game.pool_size = size
    game.recycles += 1


@kernel
def pool_is_known(game, rules):
    """Whether everybody knows the order of the pool, as they saw it being discarded."""
    return rules.recycle == TURN_OVER and game.recycles > 0


@kernel
def redraw(game, rules, seat):
    """Draws anew, in place, all that a seat cannot see of a game.

    The other racks keep their sizes and the cards that are known to be on them. Cards
    that were on racks when the present pool was made stay on racks, and each rack keeps
    its number of cards that came from this pool: both can be counted in the open. The
    order of a pool that was turned over is known and stays. The random numbers of the
    game's own stream move on; give it another seed for another guess.

    Args:
        game: the game; changed in place.
        rules: the rules in numbers.
        seat: who looks.
    """
    game.pool[game.pool_size :] = 0
    loose = np.empty(NUM_CARDS, np.int8)
    for from_pool in range(2):
        if from_pool and pool_is_known(game, rules):
            return
        # First the cards that cannot lie in the pool, then those that may.
        among = game.recycled if from_pool else ~game.recycled
        cards = NONE
        for other in range(rules.num_players):
            if other != seat:
                cards |= game.racks[other] & ~game.known[other] & among
        if from_pool:
            for place in range(game.pool_size):
                cards |= single(game.pool[place])
        # In the order of the cards, so that where they were has no part in the guess.
        size = 0
        while cards:
            loose[size] = lowest(cards)
            size += 1
            cards = without_lowest(cards)
        shuffle(game, loose, size)
        at = 0
        for other in range(rules.num_players):
            if other != seat:
                own = game.racks[other] & ~game.known[other] & among
                game.racks[other] ^= own
                for _ in range(count(own)):
                    game.racks[other] |= single(loose[at])
                    at += 1
        if from_pool:
            game.pool[: game.pool_size] = loose[at : at + game.pool_size]
