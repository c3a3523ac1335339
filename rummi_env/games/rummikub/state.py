"""The state of games: one structured array, a record for each game.

A record is all there is of a game, so copying games is copying records and saving one
is saving its bytes. Compiled functions take a record as it is; a single environment is
an array of one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rummi_env.core.rulesets import MAX_PLAYERS, RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS
from rummi_env.solver.seat import TurnRules, turn_rules

MAX_POOL = 106
MAX_ACTIONS = 107
"""Exact jokers (106) and the demand for a new deal."""

END_TURN = JOKER + 1
"""Action that ends the turn: lays down what was played, else draws or passes."""

REDEAL_PHASE, PLAY_PHASE, OVER_PHASE = range(3)
"""Values of ``phase``: a seat may demand a new deal, a seat plays, all is over."""

NO_TURN, DREW, PASSED, LAID, FAILED = range(5)
"""Values of ``last_turn``: what a seat's last turn was. FAILED: the tiles went back."""

NO_TURNS_LEFT = -1
"""Value of ``turns_left`` while the round has no fixed end."""

GAME = np.dtype(
    [
        ("table", np.int8, (NUM_COUNTS,)),
        ("racks", np.int8, (MAX_PLAYERS, NUM_COUNTS)),
        ("played", np.int8, (NUM_COUNTS,)),
        ("known", np.int8, (MAX_PLAYERS, NUM_COUNTS)),
        ("pool", np.int8, (MAX_POOL,)),
        ("pool_size", np.int16),
        ("drawn", np.int16),
        ("opened", np.int8, (MAX_PLAYERS,)),
        ("last_turn", np.int8, (MAX_PLAYERS,)),
        ("seat", np.int8),
        ("starter", np.int8),
        ("phase", np.int8),
        ("passes", np.int8),
        ("turns_left", np.int8),
        ("round_ended", np.int8),
        ("round", np.int16),
        ("turn", np.int32),
        ("actions", np.int32),
        ("seed", np.uint64),
        ("joker_sets", np.int64, (2,)),
        ("together", np.int8),
        ("named", np.int8, (2,)),
        ("scores", np.float64, (MAX_PLAYERS,)),
        ("totals", np.float64, (MAX_PLAYERS,)),
        ("rounds_won", np.float64, (MAX_PLAYERS,)),
        ("mask", np.int8, (MAX_ACTIONS,)),
    ],
    align=True,
)
"""Fields of a game.

table, played: tiles on the table at the start of the turn; tiles named since.
racks: racks at the start of the turn, so ``played`` is part of the mover's.
known: tiles that everybody knows to be on a rack, from turns that failed.
pool, pool_size, drawn: the tiles in draw order, how many there were, how many are gone.
opened, last_turn: by seat; see `NO_TURN`.
seat, starter, phase: who is to act, who started the round, see `REDEAL_PHASE`.
passes: turns in succession in which nothing was laid or drawn.
turns_left: turns until the round ends, or `NO_TURNS_LEFT`.
round_ended: whether the last action ended a round.
round, turn, actions: counts: rounds ended, turns of this round, actions of this turn.
seed: state of the game's random numbers.
joker_sets, together: exact jokers only: by joker of the table the kinds it may stand
for, as bits; whether both lie in one group.
named: kinds that jokers were said to stand for in this turn, -1 behind them.
scores, totals, rounds_won: by seat: last round's scores, their sums, rounds won (a tie
counts in equal parts).
mask: which actions are legal now.
"""

IMMEDIATE, ONE_MORE_TURN, UNTIL_STUCK = range(3)
DIFFERENCE, SUM_MINUS_WINNER_ONCE = range(2)
BY_POINTS, BY_ROUNDS_WON = range(2)
STARTER_DRAW, STARTER_RANDOM, STARTER_ROTATE, STARTER_SEAT = range(4)


class Rules(NamedTuple):
    """A `RuleSet` in numbers, for compiled functions; words become the codes above.

    ``turn`` is what it says of single turns.
    ``num_players`` is part of it. ``unopened_without`` and ``unopened_with`` are -1
    where there is no such penalty, ``turn_actions`` is 0 where there is no limit.
    """

    num_players: int
    turn: TurnRules
    joker_rack_value: int
    timeout_penalty: int
    unfinished_penalty: int
    illegal_penalty: int
    pool_empty: int
    must_play_when_pool_empty: int
    pool_empty_scoring: int
    unopened_without: int
    unopened_with: int
    redeal_on_three_pairs: int
    rounds: int
    match_winner: int
    starter: int
    starter_seat: int
    turn_actions: int
    numbers: int
    colors: int
    copies: int
    jokers: int
    rack_size: int
    num_actions: int
    redeal_action: int


def coded(rules: RuleSet, num_players: int) -> Rules:
    """Returns the rules in numbers.

    Raises:
        ValueError: the deck is too small for so many players, or there are not 2 to 4.
    """
    rules.check_players(num_players)
    starter = rules.starter
    if isinstance(starter, int) and starter >= num_players:
        raise ValueError(
            f"starter must be a seat from 0 to {num_players - 1} with {num_players} "
            f"players, not {starter}"
        )
    without, with_opening = rules.unopened_penalty or (-1, -1)
    num_kinds = NUM_COUNTS + (JOKER if rules.joker_release == "exact" else 0)
    redeal = int(rules.redeal_on_three_pairs)
    return Rules(
        num_players=num_players,
        turn=turn_rules(rules),
        joker_rack_value=rules.joker_rack_value,
        timeout_penalty=rules.timeout_penalty,
        unfinished_penalty=rules.unfinished_penalty,
        illegal_penalty=rules.illegal_penalty,
        pool_empty=("immediate", "one_more_turn", "until_stuck").index(
            rules.pool_empty
        ),
        must_play_when_pool_empty=int(rules.must_play_when_pool_empty),
        pool_empty_scoring=("difference", "sum_minus_winner_once").index(
            rules.pool_empty_scoring
        ),
        unopened_without=without,
        unopened_with=with_opening,
        redeal_on_three_pairs=redeal,
        rounds=rules.rounds,
        match_winner=("points", "rounds_won").index(rules.match_winner),
        starter=STARTER_SEAT
        if isinstance(starter, int)
        else ("draw", "random", "rotate").index(starter),
        starter_seat=starter if isinstance(starter, int) else 0,
        turn_actions=rules.turn_actions or 0,
        numbers=rules.numbers,
        colors=rules.colors,
        copies=rules.copies,
        jokers=rules.jokers,
        rack_size=rules.rack_size,
        num_actions=num_kinds + 1 + redeal,
        redeal_action=num_kinds + 1 if redeal else -1,
    )
