"""Sets of cards as bits: uint64 with a bit for each card, suit after suit.

Numba turns a mix of signed and unsigned integers into floats, so every operand here is
a uint64.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.cards import ALL_CARDS
from rummi_env.games.rummy.state import ACES, KINGS
from rummi_env.solver.compiled import kernel

NONE = np.uint64(0)
_ONE = np.uint64(1)
_LAST = np.uint64(12)
_ACES = np.uint64(ACES)
_NO_ACES = np.uint64(ALL_CARDS & ~ACES)
_KINGS = np.uint64(KINGS)
_SUIT = np.uint64(13)
_ALL_OF_SUIT = np.uint64((1 << 13) - 1)


@kernel
def single(card):
    """The set of one card."""
    return _ONE << np.uint64(card)


@kernel
def has(cards, card):
    """Whether the set has the card."""
    return (cards >> np.uint64(card)) & _ONE != NONE


@kernel
def count(cards):
    """Number of cards in a set; compilers make one instruction of it."""
    cards -= (cards >> _ONE) & np.uint64(0x5555555555555555)
    low = cards & np.uint64(0x3333333333333333)
    cards = low + ((cards >> np.uint64(2)) & np.uint64(0x3333333333333333))
    cards = (cards + (cards >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((cards * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def lowest(cards):
    """The card of lowest index in a set that is not empty."""
    return count(~cards & (cards - _ONE))


@kernel
def without_lowest(cards):
    """The set without its card of lowest index."""
    return cards & (cards - _ONE)


@kernel
def above(cards):
    """The next higher card of the suit for each card; the ace for the king."""
    return ((cards << _ONE) & _NO_ACES) | ((cards >> _LAST) & _ACES)


@kernel
def below(cards):
    """The next lower card of the suit for each card; the king for the ace."""
    return ((cards >> _ONE) & ~_KINGS) | ((cards << _LAST) & _KINGS)


@kernel
def runs_in(cards, run_starts):
    """Cards that begin a run of three within a set.

    Args:
        cards: the set.
        run_starts: cards that can begin one, as the ace rule says.
    """
    second = below(cards)
    return cards & second & below(second) & run_starts


@kernel
def run_from(start):
    """The run of three that the set's only card begins."""
    second = above(start)
    return start | second | above(second)


@kernel
def groups_in(cards):
    """Cards whose rank the set has in the three other suits, so that they meld."""
    clubs = cards & _ALL_OF_SUIT
    diamonds = (cards >> _SUIT) & _ALL_OF_SUIT
    hearts = (cards >> np.uint64(26)) & _ALL_OF_SUIT
    spades = (cards >> np.uint64(39)) & _ALL_OF_SUIT
    minor = clubs & diamonds
    major = hearts & spades
    return (
        (diamonds & major)
        | ((clubs & major) << _SUIT)
        | ((minor & spades) << np.uint64(26))
        | ((minor & hearts) << np.uint64(39))
    )


@kernel
def fours_in(cards):
    """Ranks that the set has in all suits, as cards of the first suit."""
    half = cards & (cards >> np.uint64(26))
    return half & (half >> _SUIT) & _ALL_OF_SUIT


@kernel
def whole_rank(card):
    """The four cards of the card's rank."""
    return _ACES << np.uint64(card % 13)


@kernel
def value_of(cards, ace_value):
    """What cards left on a rack are worth: court cards 10, the ace as the rules say."""
    points = np.int64(0)
    while cards:
        rank = lowest(cards) % 13 + 1
        points += ace_value if rank == 1 else min(rank, 10)
        cards = without_lowest(cards)
    return points
