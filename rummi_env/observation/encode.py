"""Observations as arrays: compiled from a game record, and in plain numpy from a View.

Both give the same numbers (a test says so); the compiled one is for speed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS
from rummi_env.games.rummikub.state import NO_TURNS_LEFT
from rummi_env.observation.fields import fields, scales, state_fields
from rummi_env.observation.view import LAST_TURNS, PHASES, View
from rummi_env.solver.compiled import entry, kernel

NUM_LAST_TURNS = len(LAST_TURNS)
NUM_PHASES = len(PHASES)


class Encoding(NamedTuple):
    """What the compiled encoders need of the rules.

    ``turn_actions`` is 0 where there is no limit, ``exact`` says whether jokers are
    exact. ``scale`` is float64[S], the scale of every value of the privileged state;
    ``size`` of them belong to an observation. Values beyond ``most`` are cut off.
    """

    num_players: int
    rounds: int
    turn_actions: int
    exact: int
    size: int
    scale: npt.NDArray[np.float64]
    most: float


def encoding(rules: RuleSet, num_players: int, *, scaled: bool = True) -> Encoding:
    """Returns what the compiled encoders need of the rules.

    Args:
        rules: the rules.
        num_players: how many play.
        scaled: whether fields are scaled; else the encoders write bare numbers that fit
            into int8, scores and long budgets cut off at 127.

    Raises:
        ValueError: there are not 2 to 4 players, or the deck is too small for them.
    """
    scale = scales(state_fields(rules, num_players))
    return Encoding(
        num_players=num_players,
        rounds=rules.rounds,
        turn_actions=rules.turn_actions or 0,
        exact=int(rules.joker_release == "exact"),
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
    mover = game.seat
    rack = game.racks[seat]
    for kind in range(NUM_COUNTS):
        used = game.played[kind] if seat == mover else 0
        out[kind] = rack[kind] - used
        out[NUM_COUNTS + kind] = game.table[kind]
        out[2 * NUM_COUNTS + kind] = game.played[kind]
    at = 3 * NUM_COUNTS
    for step in range(1, players):
        other = (seat + step) % players
        for kind in range(NUM_COUNTS):
            used = game.played[kind] if other == mover else 0
            out[at + kind] = max(game.known[other, kind] - used, 0)
        at += NUM_COUNTS

    out[at] = (game.pool_size - game.drawn) * scale[at]
    at += 1
    named = 0
    for kind in range(NUM_COUNTS):
        named += game.played[kind]
    for step in range(players):
        other = (seat + step) % players
        size = -named if other == mover else 0
        for kind in range(NUM_COUNTS):
            size += game.racks[other, kind]
        out[at] = size * scale[at]
        at += 1
    for step in range(players):
        out[at] = game.opened[(seat + step) % players]
        at += 1
    for step in range(players):
        at = one_of(out, at, game.last_turn[(seat + step) % players], NUM_LAST_TURNS)
    at = one_of(out, at, (mover - seat) % players, players)
    at = one_of(out, at, game.phase, NUM_PHASES)

    out[at] = game.passes * scale[at]
    at += 1
    left = game.turns_left
    out[at] = (0 if left == NO_TURNS_LEFT else left) * scale[at]
    at += 1
    out[at] = game.round * scale[at]
    at += 1
    out[at] = encoding.rounds * scale[at]
    at += 1
    for step in range(players):
        total = game.totals[(seat + step) % players] * scale[at]
        out[at] = max(min(total, encoding.most), -encoding.most)
        at += 1
    for step in range(players):
        out[at] = game.rounds_won[(seat + step) % players] * scale[at]
        at += 1
    out[at] = game.actions * scale[at]
    at += 1
    limit = encoding.turn_actions
    left = (limit - game.actions if limit > 0 else 0) * scale[at]
    out[at] = min(left, encoding.most)
    at += 1
    if encoding.exact:
        for joker in range(2):
            kinds = game.joker_sets[joker]
            for kind in range(NUM_KINDS):
                out[at + kind] = kinds >> kind & 1
            at += NUM_KINDS
        out[at : at + NUM_KINDS] = 0.0
        for name in game.named:
            if name >= 0:
                out[at + name] += 1.0
        at += NUM_KINDS
    return at


@kernel
def one_of(out, at, chosen, number):
    """Writes a one among zeros; returns where they end."""
    for index in range(number):
        out[at + index] = 1.0 if index == chosen else 0.0
    return at + number


@kernel
def encode_state(game, encoding, seat, out):
    """Writes what a seat may know and then what it may not, as in `state_fields`."""
    at = encode(game, encoding, seat, out)
    players = encoding.num_players
    for step in range(1, players):
        other = (seat + step) % players
        for kind in range(NUM_COUNTS):
            used = game.played[kind] if other == game.seat else 0
            out[at + kind] = game.racks[other, kind] - used
        at += NUM_COUNTS
    out[at : at + NUM_COUNTS * (1 + players)] = 0.0
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


def encode_view(view: View, rules: RuleSet) -> npt.NDArray[np.float32]:
    """Returns the observation that a view amounts to, float32[S].

    Args:
        view: what the seat may know.
        rules: the rules of the game.
    """
    players = view.players
    raw: dict[str, npt.ArrayLike] = {
        "rack": view.rack,
        "table": view.table,
        "played": view.played,
        "known": [player.known for player in view.opponents],
        "pool_size": view.pool_size,
        "rack_sizes": [player.rack_size for player in players],
        "opened": [player.opened for player in players],
        "last_turn": [
            [player.last_turn == name for name in LAST_TURNS] for player in players
        ],
        "to_move": [seat == view.to_move for seat in range(len(players))],
        "phase": [view.phase == name for name in PHASES],
        "passes": view.passes,
        "turns_left": view.turns_left or 0,
        "round": view.round,
        "rounds": view.rounds,
        "totals": [player.total for player in players],
        "rounds_won": [player.rounds_won for player in players],
        "actions": view.actions,
        "actions_left": view.actions_left or 0,
    }
    if view.joker_identities is not None:
        sets = view.joker_identities
        raw["joker_identities"] = [
            [index < len(sets) and kind in sets[index] for kind in range(NUM_KINDS)]
            for index in range(2)
        ]
    if view.commitments is not None:
        raw["commitments"] = view.commitments[:NUM_KINDS]
    parts = fields(rules, len(players))
    flat = np.concatenate([np.asarray(raw[name], float).ravel() for name in parts])
    return (flat * scales(parts)).astype(np.float32)
