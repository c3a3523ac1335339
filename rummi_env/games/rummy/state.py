"""The state of games: one structured array, a record for each game.

A record is all there is of a game, so copying games is copying records and saving one
is saving its bytes. A set of cards is a uint64 with a bit for each card of
`rummi_env.core.cards`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rummi_env.core.cards import ALL_CARDS, NUM_CARDS, NUM_RANKS
from rummi_env.core.rummy_rules import MAX_HANDS, MAX_PLAYERS, RummyRules

DRAW = 0
"""Action that draws the next card of the pool, a new pool being made if it is empty."""
TAKE = 1
"""Action that takes the top card of the row."""
DISCARD = 2
"""First of the 52 actions that discard a card, which ends the turn."""
MELD_RUN = DISCARD + NUM_CARDS
"""First of the 52 actions that meld a run of three, by its lowest card."""
MELD_GROUP = MELD_RUN + NUM_CARDS
"""First of the 52 actions that meld a group of three, by the card of the rank that it
lacks."""
MELD_FOUR = MELD_GROUP + NUM_CARDS
"""First of the 13 actions that meld a group of four, by its rank."""
LAY_GROUP = MELD_FOUR + NUM_RANKS
"""First of the 52 actions that lay a card off on the group of its rank."""
LAY_BELOW = LAY_GROUP + NUM_CARDS
"""First of the 52 actions that lay a card off on the run that begins above it."""
LAY_ABOVE = LAY_BELOW + NUM_CARDS
"""First of the 52 actions that lay a card off on the run that ends below it."""
NUM_ACTIONS = LAY_ABOVE + NUM_CARDS
"""Actions there are, the same under all rules."""

DRAW_PHASE, PLAY_PHASE, OVER_PHASE = range(3)
"""Values of ``phase``: a seat is to draw, has drawn, or the match is over."""

NO_CARD = -1
"""Value of ``taken`` where no card was taken from the row in this turn."""

GAME = np.dtype(
    [
        ("racks", np.uint64, (MAX_PLAYERS,)),
        ("known", np.uint64, (MAX_PLAYERS,)),
        ("groups", np.uint64),
        ("gaps", np.uint64),
        ("runs", np.uint64),
        ("run_starts", np.uint64),
        ("run_ends", np.uint64),
        ("laid_now", np.uint64),
        ("recycled", np.uint64),
        ("seed", np.uint64),
        ("scores", np.float64, (MAX_PLAYERS,)),
        ("totals", np.float64, (MAX_PLAYERS,)),
        ("rounds_won", np.float64, (MAX_PLAYERS,)),
        ("turn", np.int32),
        ("round", np.int16),
        ("pool_size", np.int16),
        ("row_size", np.int16),
        ("pool", np.int8, (NUM_CARDS,)),
        ("row", np.int8, (NUM_CARDS,)),
        ("melded", np.int8, (MAX_PLAYERS,)),
        ("laid", np.int8, (MAX_PLAYERS,)),
        ("seat", np.int8),
        ("starter", np.int8),
        ("phase", np.int8),
        ("taken", np.int8),
        ("melds", np.int8),
        ("recycles", np.int8),
        ("round_ended", np.int8),
        ("blocked", np.int8),
        ("mask", np.int8, (NUM_ACTIONS,)),
    ],
    align=True,
)
"""Fields of a game; a round is a hand.

racks, known: by seat the rack; the cards that everybody knows to be on it, as they were
taken from the row or drawn from a pool that was turned over.
groups, gaps: cards in groups of the table; the cards that groups of three lack.
runs, run_starts, run_ends: cards in runs of the table; the lowest and the highest card
of each run.
laid_now: cards that the seat to move has laid on the table in this turn.
recycled: the cards that the present pool was made of; all, for the first one.
seed: state of the game's random numbers.
scores, totals, rounds_won: by seat: the last hand's scores, their sums, hands won (a
tie counts in equal parts).
turn, round: counts: turns of this hand that are over, hands that are over.
pool, pool_size: face-down cards, the next to be drawn last.
row, row_size: discards, the top last.
melded, laid: by seat: whether it has melded in this hand, how many cards it has laid.
seat, starter, phase: who is to act, who began the hand, see `DRAW_PHASE`.
taken: the card that was taken from the row in this turn, else `NO_CARD`.
melds: melds of this turn.
recycles: new pools of this hand.
round_ended, blocked: whether the last action ended a hand; whether the last hand that
ended was blocked.
mask: which actions are legal now.
"""

SHUFFLE, TURN_OVER, NO_RECYCLE = range(3)
NO_BLOCK_SCORE, LOW_HAND_WINS, EACH_PENALTY = range(3)

ACES = sum(1 << suit * NUM_RANKS for suit in range(4))
KINGS = ACES << NUM_RANKS - 1
QUEENS = KINGS >> 1


class Rules(NamedTuple):
    """`RummyRules` in numbers, for compiled functions; words become the codes above.

    ``rack_size`` is for the number of players, ``max_melds`` is more than a rack has
    where there is no limit, ``target`` is 0 without one. ``run_starts``, ``from_start``
    and ``from_end`` are sets of cards, as the ace rule says: which can begin a run of
    three, and beyond which a run may go on downwards from its start or upwards from its
    end. ``num_actions`` is there for callers.
    """

    num_players: int
    rack_size: int
    ace_value: int
    hidden: int
    max_melds: int
    layoff_needs_own_meld: int
    must_discard_last: int
    recycle: int
    max_recycles: int
    max_turns: int
    block_score: int
    rummy_doubles: int
    going_out_bonus: int
    penalty: int
    target: int
    hands: int
    run_starts: np.uint64
    from_start: np.uint64
    from_end: np.uint64
    num_actions: int


def coded(rules: RummyRules, num_players: int) -> Rules:
    """Returns the rules in numbers.

    Raises:
        ValueError: there are not 2 to 6 players, or too few cards to deal.
    """
    no_start = {"low": QUEENS | KINGS, "both": KINGS, "corner": 0}[rules.ace]
    no_end = {"low": KINGS, "both": ACES, "corner": 0}[rules.ace]
    bottom = 0 if rules.ace == "corner" else ACES
    limit = rules.max_melds_per_turn
    return Rules(
        num_players=num_players,
        rack_size=rules.dealt(num_players),
        ace_value=rules.ace_value,
        hidden=int(rules.melding == "hidden"),
        max_melds=NUM_CARDS if limit is None else limit,
        layoff_needs_own_meld=int(rules.layoff_needs_own_meld),
        must_discard_last=int(rules.must_discard_last),
        recycle=("shuffle", "turn_over", "none").index(rules.recycle),
        max_recycles=0 if rules.recycle == "none" else rules.max_recycles,
        max_turns=rules.max_turns,
        block_score=("none", "low_hand_wins", "each_penalty").index(rules.block_score),
        rummy_doubles=int(rules.rummy_doubles),
        going_out_bonus=rules.going_out_bonus,
        penalty=int(rules.scoring == "penalty"),
        target=rules.target or 0,
        hands=MAX_HANDS if rules.hands is None else rules.hands,
        run_starts=np.uint64(ALL_CARDS & ~no_start),
        from_start=np.uint64(ALL_CARDS & ~bottom),
        from_end=np.uint64(ALL_CARDS & ~no_end),
        num_actions=NUM_ACTIONS,
    )
