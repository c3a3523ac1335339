"""Observations of Rummy as arrays: compiled from a record, and in numpy from a View.

Both give the same numbers (a test says so); the compiled one is for speed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.card_melds import Ace, CardMeld, card_meld, is_group
from rummi_env.core.cards import NUM_CARDS, bits_of, cards_of, rank_of
from rummi_env.core.errors import IllegalAction
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.dealing import pool_is_known
from rummi_env.games.rummy.planning import loose_cards, table_fits
from rummi_env.games.rummy.sets import NONE, above, below, count, single, value_of
from rummi_env.games.rummy.state import DRAW_PHASE, NO_CARD, Rules, coded
from rummi_env.observation.fields import scales
from rummi_env.observation.rummy.fields import fields, state_fields
from rummi_env.observation.rummy.view import PHASES, View
from rummi_env.observation.writing import number, one_of
from rummi_env.solver.compiled import entry, kernel

NUM_PHASES = len(PHASES)


class Encoding(NamedTuple):
    """What the compiled encoders need.

    ``rules`` are the rules in numbers. ``scale`` is float64[S], the scale of every
    value of the privileged state; ``size`` of them belong to an observation. Values
    beyond ``most`` are cut off.
    """

    rules: Rules
    size: int
    scale: npt.NDArray[np.float64]
    most: float


def encoding(rules: RummyRules, num_players: int, *, scaled: bool = True) -> Encoding:
    """Returns what the compiled encoders need.

    Args:
        rules: the rules.
        num_players: how many play.
        scaled: whether fields are scaled; else the encoders write bare numbers that fit
            into int8, scores and long counts cut off at 127.

    Raises:
        ValueError: there are not 2 to 6 players, or too few cards to deal.
    """
    scale = scales(state_fields(rules, num_players))
    return Encoding(
        rules=coded(rules, num_players),
        size=scales(fields(rules, num_players)).size,
        scale=scale if scaled else np.ones_like(scale),
        most=np.inf if scaled else float(np.iinfo(np.int8).max),
    )


@kernel
def write_set(out, at, cards):
    """Writes a set of cards as zeros and ones; returns where they end."""
    for card in range(NUM_CARDS):
        out[at + card] = np.float32((cards >> np.uint64(card)) & np.uint64(1))
    return at + NUM_CARDS


@kernel
def write_card(out, at, card):
    """Writes one card, or none if it is negative, as a set."""
    out[at : at + NUM_CARDS] = 0.0
    if card >= 0:
        out[at + card] = 1.0
    return at + NUM_CARDS


@kernel
def loose_sets(game, rules, seat, top):
    """A seat's loose cards, and those that it would have with the top card of the row.

    That card counts while one is to be drawn.
    """
    rack = game.racks[seat]
    now = loose_cards(rack, table_fits(game, rules, seat, rack), rules)
    if game.phase != DRAW_PHASE or top == NO_CARD:
        return now, now
    rack |= single(top)
    return now, loose_cards(rack, table_fits(game, rules, seat, rack), rules)


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
    rules = encoding.rules
    players = rules.num_players
    starts = game.run_starts & rules.from_start
    ends = game.run_ends & rules.from_end
    table = game.groups | game.runs
    row = NONE
    for place in range(game.row_size):
        row |= single(game.row[place])
    top = game.row[game.row_size - 1] if game.row_size > 0 else NO_CARD
    now, then = loose_sets(game, rules, seat, top)
    at = write_set(out, 0, game.racks[seat])
    at = write_set(out, at, now)
    at = write_set(out, at, game.groups)
    at = write_set(out, at, game.runs)
    at = write_set(out, at, (game.gaps | below(starts) | above(ends)) & ~table)
    at = write_set(out, at, game.laid_now)
    at = write_set(out, at, row)
    at = write_card(out, at, top)
    at = write_card(out, at, game.taken)
    at = write_set(out, at, game.recycled if game.recycles > 0 else NONE)
    turned_over = pool_is_known(game, rules) and game.pool_size > 0
    at = write_card(out, at, game.pool[game.pool_size - 1] if turned_over else NO_CARD)
    for step in range(1, players):
        at = write_set(out, at, game.known[(seat + step) % players])

    at = number(out, at, value_of(now, rules.ace_value), encoding)
    at = number(out, at, value_of(then, rules.ace_value), encoding)
    at = number(out, at, count(now), encoding)
    at = number(out, at, count(then), encoding)
    at = number(out, at, game.pool_size, encoding)
    at = number(out, at, game.row_size, encoding)
    for step in range(players):
        at = number(out, at, count(game.racks[(seat + step) % players]), encoding)
    for step in range(players):
        at = number(out, at, game.laid[(seat + step) % players], encoding)
    for step in range(players):
        at = number(out, at, game.melded[(seat + step) % players], encoding)
    at = one_of(out, at, (game.seat - seat) % players, players)
    at = one_of(out, at, game.phase, NUM_PHASES)
    at = number(out, at, game.melds, encoding)
    at = number(out, at, game.recycles, encoding)
    at = number(out, at, game.turn, encoding)
    at = number(out, at, game.round, encoding)
    for step in range(players):
        at = number(out, at, game.totals[(seat + step) % players], encoding)
    for step in range(players):
        at = number(out, at, game.rounds_won[(seat + step) % players], encoding)
    return at


@kernel
def encode_state(game, encoding, seat, out):
    """Writes what a seat may know and then what it may not, as in `state_fields`."""
    at = encode(game, encoding, seat, out)
    players = encoding.rules.num_players
    for step in range(1, players):
        at = write_set(out, at, game.racks[(seat + step) % players])
    pool = NONE
    for place in range(game.pool_size):
        pool |= single(game.pool[place])
    at = write_set(out, at, pool)
    for row in range(players):
        left = game.pool_size - 1 - row
        at = write_card(out, at, game.pool[left] if left >= 0 else NO_CARD)


@entry
def _encode(games, index, encoding, seat, out):
    encode(games[index], encoding, seat, out)


@entry
def _loose_cards(cards, free, rules):
    return loose_cards(cards, free, rules)


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


def encode_view(view: View, rules: RummyRules) -> npt.NDArray[np.float32]:
    """Returns the observation that a view amounts to, float32[S].

    Args:
        view: what the seat may know.
        rules: the rules of the game.
    """
    players = view.players
    groups = [meld for meld in view.melds if is_group(meld)]
    runs = [meld for meld in view.melds if not is_group(meld)]
    loose = [_loose(view.rack, view, rules)] * 2
    if view.phase == "draw" and view.row:
        loose[1] = _loose((*view.rack, view.row[-1]), view, rules)
    raw: dict[str, npt.ArrayLike] = {
        "rack": _set(view.rack),
        "loose": _set(loose[0]),
        "groups": _set(card for meld in groups for card in meld),
        "runs": _set(card for meld in runs for card in meld),
        "fits": _set(fitting(view.melds, rules.ace)),
        "laid_now": _set(view.laid_now),
        "row": _set(view.row),
        "top": _set(view.row[-1:]),
        "taken": _set(() if view.taken is None else (view.taken,)),
        "recycled": _set(view.recycled),
        "next_card": _set(view.coming[:1]),
        "known": [_set(player.known) for player in view.opponents],
        "deadwood": [sum(_value(card, rules) for card in cards) for cards in loose],
        "loose_sizes": [len(cards) for cards in loose],
        "pool_size": view.pool_size,
        "row_size": len(view.row),
        "rack_sizes": [player.rack_size for player in players],
        "laid": [player.laid for player in players],
        "melded": [player.melded for player in players],
        "to_move": [seat == view.to_move for seat in range(len(players))],
        "phase": [view.phase == name for name in PHASES],
        "melds_now": view.melds_now,
        "recycles": view.recycles,
        "turn": view.turn,
        "round": view.round,
        "totals": [player.total for player in players],
        "rounds_won": [player.rounds_won for player in players],
    }
    parts = fields(rules, len(players))
    flat = np.concatenate([np.asarray(raw[name], float).ravel() for name in parts])
    return (flat * scales(parts)).astype(np.float32)


def fitting(melds: Iterable[CardMeld], ace: Ace) -> list[int]:
    """Returns the cards that are not on the table and fit one of its melds."""
    melds = list(melds)
    fits = []
    for card in set(range(NUM_CARDS)).difference(*melds):
        for meld in melds:
            try:
                card_meld((*meld, card), ace)
            except IllegalAction:
                continue
            fits.append(card)
            break
    return fits


def _loose(rack: Iterable[int], view: View, rules: RummyRules) -> tuple[int, ...]:
    """Returns the cards of a rack outside of its best melds that fit no other meld."""
    rack = set(rack)
    free = _laid_off(rack, view, rules)
    codes = coded(rules, len(view.players))
    cards, fitting_cards = (np.uint64(bits_of(cards)) for cards in (rack, free))
    return cards_of(_loose_cards(cards, fitting_cards, codes))


def _laid_off(rack: set[int], view: View, rules: RummyRules) -> set[int]:
    """Returns the cards of a rack that the table takes, one after the other."""
    if rules.melding == "hidden":
        return set()
    if rules.layoff_needs_own_meld and not view.me.melded:
        return set()
    free = set()
    melds = list(view.melds)
    while melds:
        meld = melds.pop()
        for card in rack.difference(meld):
            try:
                melds.append(card_meld((*meld, card), rules.ace))
            except IllegalAction:
                continue
            free.add(card)
    return free


def _value(card: int, rules: RummyRules) -> int:
    return rules.ace_value if rank_of(card) == 1 else min(rank_of(card), 10)


def _set(cards: Iterable[int]) -> npt.NDArray[np.float64]:
    flags = np.zeros(NUM_CARDS)
    flags[list(cards)] = 1
    return flags
