"""The end of a round with the pool empty, searched.

With two players nothing is hidden then: all tiles that a player does not see are on the
other's rack. And it ends: every turn lays tiles or passes. `best_reply` looks for the
best turn against others who do what their baseline does; `best_of_line` knows nothing
about the other: in small positions it is exact, by alpha-beta over all whole turns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS
from rummi_env.games.rummikub.afterstates import (
    MANY_TILES,
    MOST_LISTED,
    list_turns,
)
from rummi_env.games.rummikub.candidates import MOST_CANDIDATES, list_candidates
from rummi_env.games.rummikub.rounds import (
    can_go_out,
    finish_round,
    scripted_turn,
    take_turn,
)
from rummi_env.games.rummikub.scoring import rack_points
from rummi_env.games.rummikub.state import END_TURN, GAME
from rummi_env.solver.compiled import kernel

MOST_TURNS = 40
"""Turns that a line can have."""

ROOM = MOST_LISTED + 2
"""Room for the turns of a position: all that are listed, and to play nothing."""

UNFINISHED = -1
"""In place of the turn that is best: there are too many to find it."""

FULL, CHOSEN = range(2)
"""Which turns are searched: all that there are, or those of `list_candidates`."""


class Line(NamedTuple):
    """The positions of the line that is looked at, and what is known of them.

    Attributes:
        games: `GAME`[L]; position by depth.
        plays: int8[L, ROOM, 53]; turns there are.
        counts: int64[L]; how many.
        places: int64[L]; how many of them were looked at.
        best: float64[L]; the best value among these, for the seat to move.
        lower: float64[L]; what the searcher has elsewhere.
        upper: float64[L]; what the other has elsewhere.
        after: `GAME`[ROOM]; position after each turn of the first position, when it is
            the searcher's turn again or the round is over.
        limits: float64[ROOM]; the most that each of these can bring.
    """

    games: NDArray[np.void]
    plays: NDArray[np.int8]
    counts: NDArray[np.int64]
    places: NDArray[np.int64]
    best: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    after: NDArray[np.void]
    limits: NDArray[np.float64]


def new_line() -> Line:
    """Allocates a line."""
    depth = MOST_TURNS + 1
    return Line(
        games=np.zeros(depth, GAME),
        plays=np.zeros((depth, ROOM, NUM_COUNTS), np.int8),
        counts=np.zeros(depth, np.int64),
        places=np.zeros(depth, np.int64),
        best=np.zeros(depth),
        lower=np.zeros(depth),
        upper=np.zeros(depth),
        after=np.zeros(ROOM, GAME),
        limits=np.zeros(ROOM),
    )


@kernel
def best_reply(line, rules, workspace, tables, players, most, positions):
    """Finds the best turn if the others do what their baselines do.

    After each candidate the others play until it is the seat's turn again. What it can
    win is at most what is on their racks then, so those after which most is there are
    looked at first, and the rest are not when they cannot bring more. Whoever can go
    out then does; else baselines play on.

    Args:
        line: its first position is searched; the rest is scratch.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        players: int64[players]; the baseline of each seat, a code of
            `scripted.SCRIPTED`.
        most: how many candidates are looked at; the first ones, from 1 on.
        positions: int64[1]; how many rounds may be played on by baselines; reduced by
            what was.

    Returns:
        The place of the turn in ``line.plays[0]``, and its value, the score of the
        seat.
    """
    root = line.games[0]
    me = np.int64(root.seat)
    room = min(most, MOST_CANDIDATES)
    found = list_candidates(
        root, rules, workspace, tables, players[me], True, line.plays[0, :room]
    )
    for place in range(found):
        line.after[place] = root
        game = line.after[place]
        take_turn(game, rules, workspace, tables, line.plays[0, place])
        while not game.round_ended and game.seat != me:
            play = scripted_turn(game, rules, workspace, tables, players[game.seat])
            take_turn(game, rules, workspace, tables, play)
        if game.round_ended:
            line.limits[place] = game.scores[me]
        else:
            line.limits[place] = most_to_win(game, rules, me)
    chosen = np.int64(0)
    best = -np.inf
    while True:
        place = np.int64(line.limits[:found].argmax())
        if line.limits[place] <= best:
            return chosen, best
        value = line.limits[place]
        line.limits[place] = -np.inf
        game = line.after[place]
        if not game.round_ended:
            if can_go_out(game, rules, workspace, tables):
                take_turn(game, rules, workspace, tables, game.racks[me].copy())
            elif positions[0] > 0:
                positions[0] -= 1
                finish_round(game, rules, workspace, tables, players, True)
            else:
                continue
            value = game.scores[me]
        if value > best:
            best = value
            chosen = place


@kernel
def most_to_win(game, rules, me):
    """The most that a seat can score: what the others have on their racks."""
    most = np.int64(0)
    for seat in range(rules.num_players):
        if seat != me:
            points = rack_points(game, rules, seat)
            if game.opened[seat] == 0:
                points = max(points, rules.unopened_without, rules.unopened_with)
            most += points
    return np.float64(most)


@kernel
def best_of_line(line, rules, workspace, tables, players, which, turns, positions):
    """Finds the best turn of two if the other seat does its best as well.

    Args:
        line: its first position is searched; the rest is scratch.
        rules: the rules in numbers.
        workspace: scratch for the solver.
        tables: of the deck's colors.
        players: int64[2]; the baseline of each seat, a code of `scripted.SCRIPTED`.
        which: `FULL` or `CHOSEN`.
        turns: length of the lines after which baselines play on; `MOST_TURNS` at most.
            With `FULL` no line may be as long.
        positions: int64[1]; how many may be looked at; reduced by what was.

    Returns:
        The place of the turn in ``line.plays[0]``, or `UNFINISHED`, and its value, the
        score of the seat. Of equal ones it is the first, and what the baseline would do
        is the first of all.
    """
    me = np.int64(line.games[0].seat)
    depth = 0
    line.lower[0] = -np.inf
    line.upper[0] = np.inf
    chosen = np.int64(UNFINISHED)
    if not _enter(line, 0, me, rules, workspace, tables, players, which, positions):
        return chosen, 0.0
    while True:
        if (
            line.places[depth] == line.counts[depth]
            or line.lower[depth] >= line.upper[depth]
        ):
            if depth == 0:
                return chosen, line.best[0]
            value = line.best[depth]
            depth -= 1
        else:
            line.games[depth + 1] = line.games[depth]
            game = line.games[depth + 1]
            place = line.places[depth]
            line.places[depth] += 1
            take_turn(game, rules, workspace, tables, line.plays[depth, place])
            if game.round_ended:
                value = game.scores[me]
            elif depth + 1 < turns:
                line.lower[depth + 1] = line.lower[depth]
                line.upper[depth + 1] = line.upper[depth]
                depth += 1
                if not _enter(
                    line, depth, me, rules, workspace, tables, players, which, positions
                ):
                    return np.int64(UNFINISHED), 0.0
                continue
            elif which == FULL:
                return np.int64(UNFINISHED), 0.0
            else:
                finish_round(game, rules, workspace, tables, players, True)
                value = game.scores[me]
        if line.games[depth].seat == me:
            if value > line.best[depth]:
                line.best[depth] = value
                if depth == 0:
                    chosen = line.places[0] - 1
            line.lower[depth] = max(line.lower[depth], value)
        else:
            line.best[depth] = min(line.best[depth], value)
            line.upper[depth] = min(line.upper[depth], value)


@kernel
def _enter(line, depth, me, rules, workspace, tables, players, which, positions):
    """Lists the turns of a position; tells whether all that should be there are."""
    if positions[0] <= 0:
        return False
    positions[0] -= 1
    game = line.games[depth]
    plays = line.plays[depth]
    seat = np.int64(game.seat)
    line.places[depth] = 0
    line.counts[depth] = 0
    # Without looking: nobody wins more than what is on the other's rack.
    most = most_to_win(game, rules, seat)
    if seat == me and most <= line.lower[depth]:
        line.best[depth] = most
        return True
    if seat != me and -most >= line.upper[depth]:
        line.best[depth] = -most
        return True
    line.best[depth] = -np.inf if seat == me else np.inf
    if which == FULL:
        found = _list_all(game, rules, workspace, tables, plays)
        if found > 1 and depth == 0:
            _put_first(
                plays, found, scripted_turn(game, rules, workspace, tables, players[me])
            )
    else:
        listed = list_candidates(
            game, rules, workspace, tables, players[seat], True,
            plays[:MOST_CANDIDATES],
        )  # fmt: skip
        found = np.int64(listed)
    line.counts[depth] = found
    return found > 0


@kernel
def _list_all(game, rules, workspace, tables, plays):
    """Lists all turns of a position; 0 if there are too many."""
    if can_go_out(game, rules, workspace, tables):
        # With an empty pool the other racks do not grow: nothing is worth more.
        plays[0, :] = game.racks[game.seat]
        return np.int64(1)
    left = np.empty((ROOM, NUM_KINDS), np.int8)
    more = np.empty(ROOM, np.int8)
    found = list_turns(game, rules, workspace, tables, plays, left, more)
    playable = 0
    for kind in range(NUM_COUNTS):
        if game.mask[kind]:
            playable += game.racks[game.seat, kind]
    nothing = 1 if game.mask[END_TURN] else 0
    if playable > MANY_TILES or found - nothing >= MOST_LISTED:
        return np.int64(0)
    return np.int64(found)


@kernel
def _put_first(plays, found, play):
    """Brings a play to the first place."""
    for place in range(found):
        if (plays[place] == play).all():
            plays[place, :] = plays[0]
            plays[0, :] = play
            return
