"""The deal, and who starts."""

from __future__ import annotations

from rummi_env.core.tiles import JOKER
from rummi_env.games.chance import random_below, shuffle
from rummi_env.games.rummikub.state import (
    NO_TURN,
    NO_TURNS_LEFT,
    ONE_MORE_TURN,
    PLAY_PHASE,
    REDEAL_PHASE,
    STARTER_DRAW,
    STARTER_RANDOM,
    STARTER_ROTATE,
)
from rummi_env.solver.compiled import kernel
from rummi_env.solver.names import NO_NAME


@kernel
def shuffle_deck(game, rules):
    """Fills the pool with the whole deck in random order."""
    size = 0
    for color in range(rules.colors):
        for number in range(rules.numbers):
            for _ in range(rules.copies):
                game.pool[size] = color * 13 + number
                size += 1
    for _ in range(rules.jokers):
        game.pool[size] = JOKER
        size += 1
    shuffle(game, game.pool, size)
    game.pool_size = size
    game.drawn = 0


@kernel
def draw_for_start(game, rules):
    """Lets every seat draw a tile and returns the seat with the highest.

    A joker does not count and is drawn again; those who tie for the highest draw again
    among themselves. The pool serves as the face-down tiles; it is shuffled anew later.
    """
    tied = (1 << rules.num_players) - 1
    while True:
        shuffle_deck(game, rules)
        highest = 0
        holders = 0
        place = 0
        for seat in range(rules.num_players):
            if tied >> seat & 1:
                while game.pool[place] == JOKER:
                    place += 1
                number = game.pool[place] % 13 + 1
                place += 1
                if number > highest:
                    highest = number
                    holders = 0
                if number == highest:
                    holders |= 1 << seat
        tied = holders
        if tied & (tied - 1) == 0:
            break
    seat = 0
    while tied >> seat & 1 == 0:
        seat += 1
    return seat


@kernel
def choose_starter(game, rules):
    """Sets who starts the round."""
    if rules.starter == STARTER_DRAW:
        game.starter = draw_for_start(game, rules)
    elif rules.starter == STARTER_RANDOM:
        game.starter = random_below(game, rules.num_players)
    elif rules.starter == STARTER_ROTATE:
        game.starter = game.round % rules.num_players
    else:
        game.starter = rules.starter_seat


@kernel
def clear_round(game):
    """Empties the table and the racks and forgets the last round's turns."""
    game.table[:] = 0
    game.racks[:] = 0
    game.played[:] = 0
    game.known[:] = 0
    game.opened[:] = 0
    game.last_turn[:] = NO_TURN
    game.passes = 0
    game.turn = 0
    game.actions = 0
    game.joker_sets[:] = 0
    game.together = 0
    game.named[:] = NO_NAME


@kernel
def deal_racks(game, rules):
    """Deals the racks from a shuffled deck; who starts is settled already."""
    clear_round(game)
    shuffle_deck(game, rules)
    for _ in range(rules.rack_size):
        for seat in range(rules.num_players):
            game.racks[seat, game.pool[game.drawn]] += 1
            game.drawn += 1
    start_round(game, rules)


@kernel
def start_round(game, rules):
    """Gives the turn to the starter, or asks the first seat that may demand a deal."""
    game.seat = game.starter
    game.phase = PLAY_PHASE
    game.turns_left = NO_TURNS_LEFT
    if game.drawn == game.pool_size and rules.pool_empty == ONE_MORE_TURN:
        # A deck dealt out whole: everybody has one turn.
        game.turns_left = rules.num_players
    if rules.redeal_on_three_pairs:
        ask_for_redeal(game, rules, 0)


@kernel
def ask_for_redeal(game, rules, first):
    """Asks the first seat from ``first`` on that has three pairs, else starts play."""
    for seat in range(first, rules.num_players):
        pairs = 0
        for kind in range(53):
            if game.racks[seat, kind] >= 2:
                pairs += 1
        if pairs >= 3:
            game.seat = seat
            game.phase = REDEAL_PHASE
            return
    game.seat = game.starter
    game.phase = PLAY_PHASE
