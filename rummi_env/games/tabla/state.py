"""The state of games: one structured array, a record for each game.

A record is all there is of a game, so copying games is copying records and saving one
is saving its bytes. Compiled functions take a record as it is; a single environment is
an array of one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.form_points import points_of
from rummi_env.core.forms import FORMS, Form
from rummi_env.core.shapes import Shape
from rummi_env.core.tabla_rules import MAX_PLAYERS, NUM_TILES, TablaRules
from rummi_env.core.tiles import NUM_COUNTS

FIRST_CLOSE = NUM_COUNTS
"""Actions ``53..105``: throw a tile of kind 0 to 52 and close.

Those below discard a tile of that kind; while doubles are declared, ``0..51`` declare
the double of that kind.
"""
DRAW_POOL = 2 * NUM_COUNTS
"""Action that draws from the pool; with an empty pool it lets the deal end."""
DRAW_ROW = DRAW_POOL + 1
"""Action that draws the tile that was discarded last."""
DECLARED = DRAW_POOL + 2
"""Action that ends the declaration of doubles."""
NEW_DEAL = DRAW_POOL + 3
"""Action that demands a new deal; only with ``refuse_with_three_doubles``."""
MAX_ACTIONS = NEW_DEAL + 1

DOUBLES_PHASE, DRAW_PHASE, DISCARD_PHASE, OVER_PHASE = range(4)
"""Values of ``phase``: doubles are declared, a seat draws, a seat discards or closes,
the match is over."""

NO_DRAW, FROM_POOL, FROM_ROW = range(3)
"""Values of ``last_draw``: where a seat drew last."""

NOBODY = -1
NO_TILE = -1
NO_FORM = -1

GAME = np.dtype(
    [
        ("racks", np.int8, (MAX_PLAYERS, NUM_COUNTS)),
        ("known", np.int8, (MAX_PLAYERS, MAX_PLAYERS, NUM_COUNTS)),
        ("discarded", np.int8, (MAX_PLAYERS, NUM_COUNTS)),
        ("pool", np.int8, (NUM_TILES,)),
        ("row", np.int8, (NUM_TILES,)),
        ("pool_size", np.int16),
        ("drawn", np.int16),
        ("row_size", np.int16),
        ("declared", np.int64, (MAX_PLAYERS,)),
        ("doubles", np.int8, (MAX_PLAYERS, 2)),
        ("exchanges", np.int8, (MAX_PLAYERS, MAX_PLAYERS)),
        ("last_draw", np.int8, (MAX_PLAYERS,)),
        ("atu", np.int8),
        ("twin_holder", np.int8),
        ("taken", np.int8),
        ("drew", np.int8),
        ("closer", np.int8),
        ("form", np.int8),
        ("thrown", np.int8),
        ("seat", np.int8),
        ("starter", np.int8),
        ("phase", np.int8),
        ("round_ended", np.int8),
        ("round", np.int16),
        ("turn", np.int32),
        ("seed", np.uint64),
        ("scores", np.float64, (MAX_PLAYERS,)),
        ("totals", np.float64, (MAX_PLAYERS,)),
        ("rounds_won", np.float64, (MAX_PLAYERS,)),
        ("mask", np.int8, (MAX_ACTIONS,)),
    ],
    align=True,
)
"""Fields of a game.

racks: by seat the tiles, 14 between turns.
known: by who knows and by seat the tiles known to be on its rack.
discarded: by seat what it has discarded in this deal, drawn again or not.
pool, pool_size, drawn: the tiles in draw order, how many there were, how many are gone.
row, row_size: the discards that lie there, the last one at the end.
declared: by seat the kinds of the doubles declared, as bits; empty after the exchange.
doubles: by seat how many low and high doubles it has declared; 0 until the exchange.
exchanges: by two seats how many tiles each gave the other.
last_draw: by seat; see `NO_DRAW`.
atu: the tile that was turned face up.
twin_holder: the seat that was dealt its twin, or `NOBODY`; set where it is paid for.
taken, drew: the tile that the seat to act has drawn in this turn from the row or from
the pool, or `NO_TILE` each.
closer, form, thrown: how the last deal ended: who closed, the form (its number less
one) and the tile thrown, or -1 each.
seat, starter, phase: who is to act, who started the deal, see `DOUBLES_PHASE`.
round_ended: whether the last action ended a deal.
round, turn: counts: deals ended in this match, turns ended in this deal.
seed: state of the game's random numbers.
scores, totals, rounds_won: by seat: last deal's scores, their sums, deals closed.
mask: which actions are legal now.
"""


class Rules(NamedTuple):
    """`TablaRules` in numbers, for compiled functions.

    ``enabled`` and ``natural`` are forms as bits, ``points`` is int64[28, 3] and
    ``target`` 0 where there is none. ``open_any`` says whether a form is played that
    asks for single tiles only.
    """

    num_players: int
    num_actions: int
    enabled: int
    natural: int
    open_any: int
    points: npt.NDArray[np.int64]
    joker_ratio: int
    joker_close_multiplier: int
    atu_twin_bonus: int
    atu_doubles: int
    exchange_doubles: int
    refuse_with_three_doubles: int
    draw_discard: int
    opening_discard_dead: int
    discard_joker_takeable: int
    row_draw_on_empty: int
    turn_cap: int
    rounds: int
    target: int


def coded(rules: TablaRules, num_players: int) -> Rules:
    """Returns the rules in numbers.

    Raises:
        ValueError: there are not 2 to 4 players.
    """
    rounds = rules.num_rounds(num_players)
    return Rules(
        num_players=num_players,
        num_actions=num_actions(rules),
        enabled=_bits(rules.enabled),
        natural=_bits(form for form in FORMS if form.name in rules.natural_only_forms),
        open_any=int(any(form.shape in _OPEN for form in rules.enabled)),
        points=np.array([points_of(form, rules.points) for form in FORMS], np.int64),
        joker_ratio=int(rules.joker_ratio != "free"),
        joker_close_multiplier=rules.joker_close_multiplier,
        atu_twin_bonus=rules.atu_twin_bonus,
        atu_doubles=int(rules.atu_doubles),
        exchange_doubles=int(rules.exchange_doubles),
        refuse_with_three_doubles=int(rules.refuse_with_three_doubles),
        draw_discard=int(rules.draw_discard),
        opening_discard_dead=int(rules.opening_discard_dead),
        discard_joker_takeable=int(rules.discard_joker_takeable),
        row_draw_on_empty=int(rules.row_draw_on_empty),
        turn_cap=rules.turn_cap,
        rounds=rounds,
        target=rules.target or 0,
    )


def num_actions(rules: TablaRules) -> int:
    """Returns how many actions there are: 109, and one more with new deals."""
    return NEW_DEAL + rules.refuse_with_three_doubles


_OPEN = (Shape.ANY, Shape.ONE_COLOR)


def _bits(forms: Iterable[Form]) -> int:
    return sum(1 << form.number - 1 for form in forms)
