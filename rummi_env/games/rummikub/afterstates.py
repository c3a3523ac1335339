"""Whole turns to choose from, and what each of them leaves behind, in numbers.

An agent that plans whole turns lists the plays of its turn, describes the position
after each (an *afterstate*: what the next player finds) and takes the one that it
values most. What it may know goes into the description and nothing else: its own rack,
the table, the sizes of the other racks, and what the course of the round says about
them. For that a `MEMORY` is kept beside each game: whoever leaves a tile unplayed that
the table would have taken probably does not have it.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.rulesets import MAX_PLAYERS
from rummi_env.core.tiles import JOKER, NUM_COUNTS, NUM_KINDS
from rummi_env.games.chance import random_below
from rummi_env.games.rummikub.machine import (
    act,
    draw_or_pass,
    lay_down,
    refresh_mask,
)
from rummi_env.games.rummikub.scripted import best_turn_counts
from rummi_env.games.rummikub.state import (
    DREW,
    END_TURN,
    LAID,
    OVER_PHASE,
    REDEAL_PHASE,
)
from rummi_env.solver.compiled import kernel
from rummi_env.solver.dominance import BY_GAIN
from rummi_env.solver.liberties import liberties
from rummi_env.solver.listing import next_plays, start_listing
from rummi_env.solver.sweeps import best_value, joker_bits
from rummi_env.solver.tables import EXPLICIT, IMPLICIT
from rummi_env.solver.turns import (
    POINTS,
    TILES,
    best_opening_turn,
    built,
    free_table,
    rank_gains,
)
from rummi_env.solver.workspace import DROPPED, NUM_NODES

MEMORY = np.dtype(
    [("since", np.int8, (MAX_PLAYERS, NUM_KINDS)), ("liberties", np.int64)], align=True
)
"""What the course of a round says, by game.

since: by seat and kind, tiles that the seat has drawn since it last would have played
one of the kind if it had had it; at first the whole rack.
liberties: of the table at the start of the turn, as bits; see `solver.liberties`.
"""

NUM_PLANES = 4
"""Planes of 52 kinds: rack, table, liberties, tiles that could still have been played;
then one for each opponent."""

NUM_COMMON = 19
NUM_BY_OPPONENT = 9

MOST_DRAWN = 100
"""Where ``since`` stops counting."""

MOST_LISTED = 128
"""Plays that are listed of a turn."""

MOST_CHOSEN = 6
"""Plays that are chosen of a turn with too many to list."""

UNWANTED = -(1 << 56)
"""Gain of tiles that a play does without."""

MANY_TILES = 9
"""With more tiles that can be played, plays are not listed: there may be millions."""


def features_size(num_players: int) -> int:
    """Returns how many numbers describe an afterstate."""
    opponents = num_players - 1
    return 52 * (NUM_PLANES + opponents) + NUM_COMMON + NUM_BY_OPPONENT * opponents


@kernel
def forget(memory, rules):
    """Begins a round."""
    memory.since[:] = rules.rack_size
    memory.liberties = 0


@kernel
def play_turn(game, rules, workspace, tables, memory, play):
    """Performs a whole turn and notes what it says; computes no mask.

    Args:
        game: the game, at the start of a turn.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        memory: of the game.
        play: int8[53]; a legal play, or nothing, which draws.
    """
    seat = np.int64(game.seat)
    opened = game.opened[seat]
    rounds = game.round
    game.round_ended = 0
    if game.phase == REDEAL_PHASE:
        act(game, rules, workspace, tables, END_TURN)
        return
    if play.max() == 0:
        draw_or_pass(game, rules, workspace, tables)
    else:
        game.played[:] = play
        game.actions = play.sum()
        lay_down(game, rules, workspace, tables)
    if game.phase == OVER_PHASE or game.round != rounds:
        forget(memory, rules)
        return
    if game.last_turn[seat] == LAID:
        memory.liberties = liberties(
            workspace, tables, rules.numbers, game.table, _free(game.table, rules)
        )
    if opened:
        for kind in range(NUM_KINDS):
            if memory.liberties >> kind & 1:
                memory.since[seat, kind] = 0
    if game.last_turn[seat] == DREW:
        for kind in range(NUM_KINDS):
            memory.since[seat, kind] = min(memory.since[seat, kind] + 1, MOST_DRAWN)


@kernel
def _free(table, rules):
    """Tiles that are not on the table, int8[53]."""
    free = np.zeros(NUM_COUNTS, np.int8)
    for color in range(rules.colors):
        for number in range(rules.numbers):
            kind = 13 * color + number
            free[kind] = rules.copies - table[kind]
    return free


@kernel
def scripted_play(game, rules, workspace, tables, objective):
    """The whole turn of `max_tiles` or `max_points`; int8[53]."""
    if game.phase == REDEAL_PHASE:
        return np.zeros(53, np.int8)
    return best_turn_counts(game, rules, workspace, tables, objective)


@kernel
def list_turns(game, rules, workspace, tables, plays, left, more):
    """Lists the plays of the seat to move, at the start of its turn; computes the mask.

    Args:
        game: the game.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        plays: int8[n, 53]; filled. The first is to play nothing where that is legal,
            the next one the play of most tiles.
        left: int8[n, 52]; filled: tiles that could have been played besides.
        more: int8[n]; filled: how many of them at once.

    Returns:
        How many there are, ``n`` at most. Of more, those of most tiles and points,
        the same without jokers, and some drawn at random.
    """
    workspace.sizes[NUM_NODES] = 0
    refresh_mask(game, rules, workspace, tables)
    # It may have left the graph of the turn, if it had room for it, and all of it.
    has_graph = (
        game.opened[game.seat] == 1
        and workspace.sizes[NUM_NODES] > 0
        and workspace.sizes[DROPPED] == 0
        and rules.turn_actions == 0
    )
    room = plays.shape[0]
    number = 0
    if game.mask[END_TURN]:
        plays[0, :] = 0
        for kind in range(NUM_KINDS):
            left[0, kind] = game.mask[kind]
        more[0] = 0
        number = 1
    if game.mask[:END_TURN].max() == 0:
        return number
    listed = np.zeros((MOST_LISTED, NUM_COUNTS), np.int8)
    playable = 0
    for kind in range(NUM_COUNTS):
        playable += game.racks[game.seat, kind] if game.mask[kind] else 0
    found = _list_plays(game, rules, workspace, tables, has_graph, playable, listed)
    # The best one comes first, and of the others any that there is room for.
    order = np.arange(found)
    if playable <= MANY_TILES:
        best = 0
        for place in range(1, found):
            if _is_better(listed[place], listed[best], rules):
                best = place
        order[0] = best
        order[best] = 0
    wanted = min(found, room - number)
    for place in range(1, wanted):
        if found > wanted:
            other = place + random_below(game, found - place)
            kept = order[place]
            order[place] = order[other]
            order[other] = kept
    for place in range(wanted):
        plays[number, :] = listed[order[place]]
        left[number, :] = 0
        more[number] = 0
        for other in range(found):
            beyond = 0
            for kind in range(NUM_COUNTS):
                beyond += listed[other, kind] - plays[number, kind]
                if listed[other, kind] < plays[number, kind]:
                    beyond = -100
            if beyond > 0:
                more[number] = max(more[number], beyond)
                for kind in range(NUM_KINDS):
                    if listed[other, kind] > plays[number, kind]:
                        left[number, kind] = 1
        number += 1
    if game.mask[END_TURN]:
        more[0] = plays[1].sum()
    return number


@kernel
def _list_plays(game, rules, workspace, tables, has_graph, playable, plays):
    """Lists plays of a rack.

    Args:
        game: the game.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        has_graph: whether the workspace has the graph of the turn.
        playable: how many tiles can be played.
        plays: int8[n, 53]; filled.

    Returns:
        How many there are, ``n`` at most. Where many tiles can be played, some of very
        many, the first one that of most tiles.
    """
    rack = game.racks[game.seat]
    may = np.zeros(NUM_COUNTS, np.int8)
    for kind in range(NUM_COUNTS):
        may[kind] = rack[kind] if game.mask[kind] else 0
    opened = game.opened[game.seat] == 1
    board = np.zeros(NUM_COUNTS, np.int8)
    if opened:
        board[:] = game.table
    least = np.int64(board[JOKER])
    most = least + (rack[JOKER] if opened else may[JOKER])
    if opened:
        table = free_table(rules.numbers, most)
    else:
        table = EXPLICIT + most if most > 0 else np.int64(IMPLICIT)
    if playable > MANY_TILES and not opened:
        return _choose_openings(game, rules, workspace, tables, may, plays)
    if playable > MANY_TILES:
        return _choose_plays(
            game, rules, workspace, tables, has_graph, table, board, may, plays
        )
    scratch = workspace
    if not has_graph:
        _, scratch = built(workspace, tables, table, rules.numbers, most, board, may)
    found = next_plays(
        scratch,
        start_listing(scratch, tables, table, not opened),
        may,
        not opened,
        -1 if opened else rules.turn.opening_points,
        joker_bits(least, most),
        least,
        plays,
    )
    for place in range(found):
        plays[place, JOKER] -= least
    return found


@kernel
def _choose_openings(game, rules, workspace, tables, may, plays):
    """Finds the openings of most tiles and points, with jokers and without."""
    found = 0
    for place in range(4 if may[JOKER] > 0 else 2):
        if place == 2:
            may[JOKER] = 0
        play = best_opening_turn(
            workspace,
            tables,
            rules.numbers,
            rules.turn.opening_points,
            may,
            game.played,
            rules.joker_rack_value,
            POINTS if place % 2 else TILES,
        )
        if play.max() > 0:
            plays[found, :] = play
            found += _is_new(plays, found)
    return found


@kernel
def _choose_plays(game, rules, workspace, tables, has_graph, table, board, may, plays):
    """Finds some of very many plays.

    They are those of most tiles and points, the same without jokers, and those of most
    tiles that do without some tiles drawn at random.

    Returns:
        How many, without repetition.
    """
    gains = workspace.gains
    gain_of = np.zeros(3, np.int64)
    least = np.int64(board[JOKER])
    found = 0
    most = least + may[JOKER]
    if not has_graph:
        table = free_table(rules.numbers, most)
    for place in range(MOST_CHOSEN):
        objective = POINTS if place in (1, 3) else TILES
        joker_gain, _ = rank_gains(may, rules.joker_rack_value, objective, 0, gains)
        if place in (2, 3):
            joker_gain[1:] = UNWANTED
        elif place > 3:
            for kind in range(NUM_KINDS):
                if may[kind] > 0 and random_below(game, 2) == 1:
                    gains[kind, 1:] = UNWANTED
        for jokers in range(least, most + 1):
            gain_of[jokers] = joker_gain[jokers - least]
        graph = workspace
        if not has_graph:
            _, graph = built(
                workspace, tables, table, rules.numbers, most, board, may, BY_GAIN
            )
        gain, jokers, placed = best_value(
            graph, tables, table, gains, joker_bits(least, most), gain_of
        )
        if gain <= 0:
            continue
        plays[found, :NUM_KINDS] = placed
        plays[found, JOKER] = jokers - least
        found += _is_new(plays, found)
    return found


@kernel
def _is_new(plays, place):
    """Whether a play is none of those before it."""
    known = False
    for other in range(place):
        known |= (plays[other] == plays[place]).all()
    return not known


@kernel
def _is_better(play, other, rules):
    """Whether a play has more tiles than another one, or as many and more points."""
    tiles = 0
    points = 0
    for kind in range(NUM_COUNTS):
        more = play[kind] - other[kind]
        tiles += more
        points += more * (rules.joker_rack_value if kind == JOKER else kind % 13 + 1)
    return tiles > 0 or (tiles == 0 and points > 0)


@kernel
def describe(game, rules, workspace, tables, memory, play, left, more, out):
    """Describes the position after a play, as its player sees it.

    Args:
        game: the game, at the start of the turn.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        memory: of the game.
        play: int8[53]; a legal play, or nothing.
        left: int8[52]; tiles that could have been played besides.
        more: how many of them at once.
        out: float32[F]; filled.
    """
    seat = np.int64(game.seat)
    players = rules.num_players
    after = np.empty(NUM_COUNTS, np.int8)
    tiles = 0
    for kind in range(NUM_COUNTS):
        after[kind] = game.table[kind] + play[kind]
        tiles += play[kind]
    if tiles > 0:
        free = liberties(workspace, tables, rules.numbers, after, _free(after, rules))
    else:
        free = np.int64(memory.liberties)
    size = 0
    points = 0
    unseen_all = 0
    for kind in range(NUM_KINDS):
        mine = game.racks[seat, kind] - play[kind]
        out[kind] = mine
        out[52 + kind] = after[kind]
        out[104 + kind] = free >> kind & 1
        out[156 + kind] = left[kind]
        size += mine
        points += mine * (kind % 13 + 1)
        if kind // 13 < rules.colors and kind % 13 < rules.numbers:
            unseen_all += rules.copies - mine - after[kind]
    jokers = game.racks[seat, JOKER] - play[JOKER]
    unseen_jokers = rules.jokers - jokers - after[JOKER]
    unseen_all += unseen_jokers
    size += jokers
    points += jokers * rules.joker_rack_value
    at = 52 * NUM_PLANES
    num_free = 0
    for kind in range(NUM_KINDS):
        num_free += free >> kind & 1
    common = 52 * (NUM_PLANES + players - 1)
    pool = game.pool_size - game.drawn
    if tiles == 0 and pool > 0:
        pool -= 1
    out[common] = size / 14.0
    out[common + 1] = points / 100.0
    out[common + 2] = 1.0 if size <= 1 else 0.0
    out[common + 3] = 1.0 if size <= 2 else 0.0
    out[common + 4] = 1.0 if size <= 4 else 0.0
    out[common + 5] = 1.0 if game.opened[seat] or tiles > 0 else 0.0
    out[common + 6] = pool / 106.0
    out[common + 7] = 1.0 if pool == 0 else 0.0
    out[common + 8] = 1.0 if tiles == 0 else 0.0
    out[common + 9] = jokers
    out[common + 10] = after[JOKER]
    out[common + 11] = unseen_jokers
    out[common + 12] = num_free / 26.0
    out[common + 13] = min(game.turn // players, 40) / 20.0
    out[common + 14] = game.turns_left / 4.0 if game.turns_left > 0 else 0.0
    out[common + 15] = game.passes / 2.0
    out[common + 16] = more / 14.0
    out[common + 17] = (size - more) / 14.0
    out[common + 18] = 1.0 if size == more else 0.0
    for step in range(1, players):
        other = (seat + step) % players
        tiles_there = 0
        for kind in range(NUM_COUNTS):
            tiles_there += game.racks[other, kind]
        total = np.float64(unseen_jokers) * tiles_there
        for kind in range(NUM_KINDS):
            mine = game.racks[seat, kind] - play[kind]
            there = 0
            if kind // 13 < rules.colors and kind % 13 < rules.numbers:
                there = rules.copies - mine - after[kind]
            weight = there * min(np.int64(memory.since[other, kind]), tiles_there)
            out[at + kind] = weight
            total += weight
        expected = 0.0
        expected_points = 0.0
        scale = tiles_there / max(total, 1.0)
        for kind in range(NUM_KINDS):
            out[at + kind] *= scale
            if free >> kind & 1:
                expected += out[at + kind]
                expected_points += out[at + kind] * (kind % 13 + 1)
        at += 52
        here = common + NUM_COMMON + NUM_BY_OPPONENT * (step - 1)
        out[here] = tiles_there / 14.0
        out[here + 1] = 1.0 if tiles_there <= 1 else 0.0
        out[here + 2] = 1.0 if tiles_there <= 2 else 0.0
        out[here + 3] = 1.0 if tiles_there <= 4 else 0.0
        out[here + 4] = game.opened[other]
        out[here + 5] = 1.0 if game.last_turn[other] == DREW else 0.0
        out[here + 6] = expected
        out[here + 7] = np.exp(-expected)
        out[here + 8] = expected_points / 10.0
