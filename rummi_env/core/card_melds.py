"""Melds of cards: groups and runs, and tables of them in text.

A meld is a tuple of cards: a group in ascending order, a run from its lowest card to
its highest, so that an ace that is high comes last. Melds are separated by ``|``.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from rummi_env.core.cards import (
    NUM_RANKS,
    check_once,
    format_cards,
    parse_card,
    rank_of,
    suit_of,
)
from rummi_env.core.errors import IllegalAction, Reason

Ace: TypeAlias = Literal["low", "both", "corner"]
"""Where an ace stands in a run; see `RummyRules.ace`."""

CardMeld: TypeAlias = tuple[int, ...]
"""A meld; see the module."""

MIN_MELD = 3
"""Fewest cards of a meld."""


def card_meld(cards: Sequence[int], ace: Ace = "low") -> CardMeld:
    """Return the meld that the cards are, in any order (part B.3).

    Args:
        cards: The cards.
        ace: Where an ace stands in a run.

    Raises:
        IllegalAction: They are neither a group nor a run.
        ValueError: There is no such card, or one is named twice.

    >>> format_cards(card_meld([11, 12, 0], "both"))
    'Qc Kc Ac'
    """
    check_once(cards)
    if len(cards) < MIN_MELD:
        raise IllegalAction(
            Reason.TOO_SHORT,
            f"{format_cards(cards) or 'no card'} is no meld: one has at least "
            f"{MIN_MELD} cards",
        )
    if len(set(map(rank_of, cards))) == 1:
        return tuple(sorted(cards))
    run = _run(cards, ace) if len(set(map(suit_of, cards))) == 1 else None
    if run is None:
        raise IllegalAction(
            Reason.BROKEN_MELD,
            f"{format_cards(cards)} is neither a group of one rank nor a run of one "
            f"suit with ace={ace!r}",
        )
    return run


def is_group(meld: CardMeld) -> bool:
    """Tell a group from a run."""
    return rank_of(meld[0]) == rank_of(meld[1])


def parse_card_table(text: str, ace: Ace = "low") -> tuple[CardMeld, ...]:
    """Return the melds in their order; empty text is an empty table.

    Raises:
        IllegalAction: Cards between two ``|`` are no meld.
        ValueError: A token is no card, or a card is named twice.

    >>> format_card_table(parse_card_table("8s 8c 8d|5c 4c 3c"))
    '8c 8d 8s | 3c 4c 5c'
    """
    if not text.strip():
        return ()
    parts = [tuple(map(parse_card, part.split())) for part in text.split("|")]
    check_once(card for part in parts for card in part)
    return tuple(card_meld(part, ace) for part in parts)


def format_card_table(melds: Iterable[CardMeld]) -> str:
    """Return the melds in the notation."""
    return " | ".join(map(format_cards, melds))


def _run(cards: Sequence[int], ace: Ace) -> CardMeld | None:
    """Return the run that cards of one suit are, or None."""
    by_step = {rank_of(card) - 1: card for card in cards}
    starts = [
        step
        for step in by_step
        if (step - 1) % NUM_RANKS not in by_step or (step == 0 and ace == "low")
    ]
    if not starts:
        # All thirteen: from the ace, or round the corner from the card named first.
        starts = [0 if ace == "both" else rank_of(cards[0]) - 1]
    order = [(starts[0] + offset) % NUM_RANKS for offset in range(len(cards))]
    if not all(step in by_step for step in order):
        return None
    if 0 in order[1:] and (ace == "low" or (ace == "both" and order[-1] != 0)):
        return None
    return tuple(by_step[step] for step in order)
