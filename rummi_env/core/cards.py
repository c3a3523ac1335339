"""Playing cards as integers, sets of cards as bits, and their one-line notation.

A card is an index: ``suit * 13 + rank - 1``, suits in the order of `SUITS`, the ace of
rank 1; a tile kind by another name. A set of cards is an integer with a bit for each
card, as no card exists twice. In text a card is its rank and its suit, ``As Th 9c``;
capitals do not matter and ``10h`` is read as ``Th``. Melds are separated by ``|``.
"""

import re
from collections.abc import Iterable

NUM_SUITS = 4
"""Suits of the deck."""
NUM_RANKS = 13
"""Ranks of each suit."""
NUM_CARDS = NUM_SUITS * NUM_RANKS
"""Cards of the deck; there are no jokers."""
SUITS = "cdhs"
"""Letters of the suits: clubs, diamonds, hearts, spades."""
RANKS = "A23456789TJQK"
"""Letters of the ranks, from the ace as 1 to the king as 13."""
ALL_CARDS = (1 << NUM_CARDS) - 1
"""The set of all cards."""

_CARD = re.compile(r"([A2-9TJQK]|10)([CDHS])", re.ASCII | re.IGNORECASE)
_CARD_RULE = (
    "a card is a rank A, 2 to 9, T (or 10), J, Q or K and a suit c, d, h or s, like Th"
)


def card_of(suit: int, rank: int) -> int:
    """Return the index of a card.

    Args:
        suit: Index of the suit in `SUITS`.
        rank: From 1, the ace, to 13, the king.

    Raises:
        ValueError: The suit or the rank does not exist.

    >>> card_of(2, 10)
    35
    """
    if not 0 <= suit < NUM_SUITS:
        raise ValueError(f"suit must be from 0 to {NUM_SUITS - 1}, not {suit!r}")
    if not 1 <= rank <= NUM_RANKS:
        raise ValueError(f"rank must be from 1 to {NUM_RANKS}, not {rank!r}")
    return suit * NUM_RANKS + rank - 1


def suit_of(card: int) -> int:
    """Return the index of a card's suit in `SUITS`.

    Raises:
        ValueError: There is no such card.
    """
    _check_card(card)
    return card // NUM_RANKS


def rank_of(card: int) -> int:
    """Return the rank of a card, from 1, the ace, to 13, the king.

    Raises:
        ValueError: There is no such card.
    """
    _check_card(card)
    return card % NUM_RANKS + 1


def card_name(card: int) -> str:
    """Return the card in the notation.

    Raises:
        ValueError: There is no such card.

    >>> card_name(0), card_name(35)
    ('Ac', 'Th')
    """
    return RANKS[rank_of(card) - 1] + SUITS[suit_of(card)]


def parse_card(token: str) -> int:
    """Return the index of the card.

    Raises:
        ValueError: The token is not a card; the sentence says what is one.

    >>> parse_card("10H") == parse_card("Th") == 35
    True
    """
    match = _CARD.fullmatch(token)
    if not match:
        raise ValueError(f"{token!r} is not a card: {_CARD_RULE}")
    rank, suit = match.groups()
    letter = "T" if rank == "10" else rank.upper()
    return card_of(SUITS.index(suit.lower()), RANKS.index(letter) + 1)


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards in the order of the text; empty text is no cards.

    Raises:
        ValueError: A token is not a card, or a card is named twice.

    >>> format_cards(parse_cards("kd 10h AS"))
    'Kd Th As'
    """
    cards = tuple(map(parse_card, text.split()))
    check_once(cards)
    return cards


def format_cards(cards: Iterable[int]) -> str:
    """Return the cards in the notation, in the order given.

    Raises:
        ValueError: There is no card with one of these indices.
    """
    return " ".join(map(card_name, cards))


def bits_of(cards: Iterable[int]) -> int:
    """Return the set of the cards, a bit for each.

    Raises:
        ValueError: There is no card with one of these indices.

    >>> bits_of([0, 2])
    5
    """
    bits = 0
    for card in cards:
        _check_card(card)
        bits |= 1 << card
    return bits


def cards_of(bits: int) -> tuple[int, ...]:
    """Return the cards of a set, in ascending order of index.

    >>> cards_of(5)
    (0, 2)
    """
    return tuple(card for card in range(NUM_CARDS) if int(bits) >> card & 1)


def check_once(cards: Iterable[int]) -> None:
    """Refuse a card that is named twice.

    Raises:
        ValueError: There is one; the sentence names it.
    """
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            raise ValueError(f"{card_name(card)} is named twice: a deck has one of it")
        seen.add(card)


def _check_card(card: int) -> None:
    if not 0 <= card < NUM_CARDS:
        raise ValueError(f"a card is an index from 0 to {NUM_CARDS - 1}, not {card!r}")
