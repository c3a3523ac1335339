"""Observations as arrays: compiled from a game record, and in plain numpy from a View.

Both give the same numbers (a test says so); the compiled one is for speed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import NUM_COUNTS, counts_of
from rummi_env.observation.fields import scales
from rummi_env.observation.tabla.fields import fields, state_fields
from rummi_env.observation.tabla.view import LAST_DRAWS, PHASES, View
from rummi_env.observation.writing import number, one_of
from rummi_env.solver.compiled import entry, kernel

NUM_LAST_DRAWS = len(LAST_DRAWS)
NUM_PHASES = len(PHASES)


class Encoding(NamedTuple):
    """What the compiled encoders need of the rules.

    ``scale`` is float64[S], the scale of every value of the privileged state; ``size``
    of them belong to an observation. Values beyond ``most`` are cut off.
    """

    num_players: int
    rounds: int
    size: int
    scale: npt.NDArray[np.float64]
    most: float


def encoding(rules: TablaRules, num_players: int, *, scaled: bool = True) -> Encoding:
    """Returns what the compiled encoders need of the rules.

    Args:
        rules: the rules.
        num_players: how many play.
        scaled: whether fields are scaled; else the encoders write bare numbers that fit
            into int8, scores and long counts cut off at 127.

    Raises:
        ValueError: there are not 2 to 4 players.
    """
    scale = scales(state_fields(rules, num_players))
    return Encoding(
        num_players=num_players,
        rounds=rules.num_rounds(num_players),
        size=scales(fields(rules, num_players)).size,
        scale=scale if scaled else np.ones_like(scale),
        most=np.inf if scaled else float(np.iinfo(np.int8).max),
    )


@kernel
def encode(game, encoding, seat, out):
    """Writes what a seat may know, in the order of `fields`.

    Args:
        game: a record.
        encoding: an `Encoding`.
        seat: the observer.
        out: float32[S] or longer; int8 where ``encoding`` is not scaled.

    Returns:
        Where the observation ends.
    """
    players = encoding.num_players
    scale = encoding.scale
    out[: 6 * NUM_COUNTS] = 0.0
    for kind in range(NUM_COUNTS):
        out[kind] = game.racks[seat, kind]
    at = NUM_COUNTS
    for place in range(game.row_size):
        out[at + game.row[place]] += 1.0
    at += NUM_COUNTS
    if game.row_size > 0:
        out[at + game.row[game.row_size - 1]] = 1.0
    at += NUM_COUNTS
    if game.taken >= 0:
        out[at + game.taken] = 1.0
    at += NUM_COUNTS
    out[at + game.atu] = 1.0
    at += NUM_COUNTS
    write_declared(game, seat, out, at)
    at += NUM_COUNTS
    for step in range(1, players):
        known = game.known[seat, (seat + step) % players]
        for kind in range(NUM_COUNTS):
            out[at + kind] = known[kind]
        at += NUM_COUNTS
    for step in range(players):
        discarded = game.discarded[(seat + step) % players]
        for kind in range(NUM_COUNTS):
            out[at + kind] = discarded[kind] * scale[at]
        at += NUM_COUNTS

    for step in range(players):
        other = (seat + step) % players
        out[at] = game.doubles[other, 0] * scale[at]
        out[at + 1] = game.doubles[other, 1] * scale[at]
        at += 2
    for step in range(players):
        for second in range(players):
            exchanged = game.exchanges[
                (seat + step) % players, (seat + second) % players
            ]
            out[at] = exchanged * scale[at]
            at += 1
    for step in range(players):
        at = one_of(out, at, game.last_draw[(seat + step) % players], NUM_LAST_DRAWS)
    out[at] = (game.pool_size - game.drawn) * scale[at]
    at += 1
    at = one_of(out, at, (game.seat - seat) % players, players)
    at = one_of(out, at, (game.starter - seat) % players, players)
    at = one_of(out, at, game.phase, NUM_PHASES)
    at = number(out, at, game.turn, encoding)
    at = number(out, at, game.round, encoding)
    at = number(out, at, encoding.rounds, encoding)
    for step in range(players):
        at = number(out, at, game.totals[(seat + step) % players], encoding)
    for step in range(players):
        out[at] = game.rounds_won[(seat + step) % players] * scale[at]
        at += 1
    return at


@kernel
def write_declared(game, seat, out, at):
    """Writes a one for each kind of the doubles that a seat has declared."""
    declared = game.declared[seat]
    kind = 0
    while declared != 0:
        if declared & 1:
            out[at + kind] = 1.0
        declared >>= 1
        kind += 1


@kernel
def encode_state(game, encoding, seat, out):
    """Writes what a seat may know and then what it may not, as in `state_fields`."""
    at = encode(game, encoding, seat, out)
    players = encoding.num_players
    out[at : at + NUM_COUNTS * (3 * players - 1)] = 0.0
    for step in range(1, players):
        rack = game.racks[(seat + step) % players]
        for kind in range(NUM_COUNTS):
            out[at + kind] = rack[kind]
        at += NUM_COUNTS
    for step in range(1, players):
        write_declared(game, (seat + step) % players, out, at)
        at += NUM_COUNTS
    for place in range(game.drawn, game.pool_size):
        out[at + game.pool[place]] += 1.0
    at += NUM_COUNTS
    for row in range(players):
        if game.drawn + row < game.pool_size:
            out[at + game.pool[game.drawn + row]] = 1.0
        at += NUM_COUNTS


@entry
def _encode(games, index, encoding, seat, out):
    encode(games[index], encoding, seat, out)


@entry
def _encode_state(games, index, encoding, seat, out):
    encode_state(games[index], encoding, seat, out)


def observation(
    games: npt.NDArray[np.void], index: int, encoding: Encoding, seat: int
) -> npt.NDArray[np.float32]:
    """Returns the observation of a seat, a new array float32[S]."""
    out = np.empty(encoding.size, np.float32)
    _encode(games, index, encoding, seat, out)
    return out


def privileged(
    games: npt.NDArray[np.void], index: int, encoding: Encoding, seat: int
) -> npt.NDArray[np.float32]:
    """Returns the observation of a seat followed by what is hidden from it."""
    out = np.empty(encoding.scale.size, np.float32)
    _encode_state(games, index, encoding, seat, out)
    return out


def encode_view(view: View, rules: TablaRules) -> npt.NDArray[np.float32]:
    """Returns the observation of a seat from its view, a new array float32[S].

    Args:
        view: what the seat may know.
        rules: the rules of the game.
    """
    players = view.players
    seats = range(len(players))
    raw: dict[str, npt.ArrayLike] = {
        "rack": view.rack,
        "row": counts_of(view.row),
        "last_discard": counts_of(view.row[-1:]),
        "taken": counts_of(() if view.taken is None else (view.taken,)),
        "atu": counts_of((view.atu,)),
        "declared": view.declared,
        "known": [player.known for player in view.opponents],
        "discarded": [player.discarded for player in players],
        "doubles": [player.doubles for player in players],
        "exchanges": [player.exchanges for player in players],
        "last_draw": [
            [player.last_draw == name for name in LAST_DRAWS] for player in players
        ],
        "pool_size": view.pool_size,
        "to_move": [seat == view.to_move for seat in seats],
        "starter": [seat == view.starter for seat in seats],
        "phase": [view.phase == name for name in PHASES],
        "turn": view.turn,
        "round": view.round,
        "rounds": view.rounds,
        "totals": [player.total for player in players],
        "rounds_won": [player.rounds_won for player in players],
    }
    parts = fields(rules, len(players))
    flat = np.concatenate([np.asarray(raw[name], float).ravel() for name in parts])
    return (flat * scales(parts)).astype(np.float32)
