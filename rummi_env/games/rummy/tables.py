"""The table of a game as melds, for people, and melds put on the table of a game."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rummi_env.core.card_melds import CardMeld, is_group
from rummi_env.core.cards import NUM_CARDS, NUM_RANKS, bits_of, cards_of


def melds_of(game: np.void) -> tuple[CardMeld, ...]:
    """Returns the melds on the table of a game: groups by rank, then runs.

    Args:
        game: a record of `rummi_env.games.rummy.state.GAME`.
    """
    groups = set(cards_of(game["groups"]))
    by_rank = [
        tuple(range(rank, NUM_CARDS, NUM_RANKS))
        for rank in range(NUM_RANKS)
        if groups & set(range(rank, NUM_CARDS, NUM_RANKS))
    ]
    melds = [tuple(card for card in four if card in groups) for four in by_rank]
    ends = set(cards_of(game["run_ends"]))
    for start in cards_of(game["run_starts"]):
        run = [start]
        while run[-1] not in ends:
            suit, step = divmod(run[-1], NUM_RANKS)
            run.append(suit * NUM_RANKS + (step + 1) % NUM_RANKS)
        melds.append(tuple(run))
    return tuple(melds)


def put_melds(game: np.void, melds: Iterable[CardMeld]) -> None:
    """Puts melds on the empty table of a game."""
    sets = dict.fromkeys(("groups", "gaps", "runs", "run_starts", "run_ends"), 0)
    for meld in melds:
        if is_group(meld):
            rank = range(meld[0] % NUM_RANKS, NUM_CARDS, NUM_RANKS)
            sets["groups"] |= bits_of(meld)
            sets["gaps"] |= bits_of(set(rank) - set(meld))
        else:
            sets["runs"] |= bits_of(meld)
            sets["run_starts"] |= bits_of(meld[:1])
            sets["run_ends"] |= bits_of(meld[-1:])
    for name, cards in sets.items():
        game[name] = np.uint64(cards)
