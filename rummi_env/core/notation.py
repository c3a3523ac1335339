"""One-line notation of tiles, melds and tables.

A tile is a color and a number, ``K13 R7 B1 O10``, or ``J`` for a joker; capitals do not
matter and ``Y`` is read as ``O``. A joker of a meld may carry what it stands for:
``J=R7``. Melds are separated by ``|``. Positions and deals are in `positions`.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from rummi_env.core.melds import STANDARD, Entry, Meld, meld_of
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import (
    COLORS,
    JOKER,
    NUM_COUNTS,
    Counts,
    counts_of,
    kind_of,
    tile_name,
    tiles_of,
)

_TILE = re.compile(r"([KRBOY])([1-9]|1[0-3])", re.ASCII | re.IGNORECASE)
_TILE_RULE = (
    "a tile is a color K, R, B or O (or Y for O) and a number from 1 to 13, "
    "or J for a joker"
)


def parse_tile(token: str) -> int:
    """Return the index of the tile.

    Raises:
        ValueError: The token is not a tile; the sentence says what is one.

    >>> parse_tile("R7")
    19
    """
    if token.upper() == "J":
        return JOKER
    match = _TILE.fullmatch(token)
    if not match:
        raise ValueError(f"{token!r} is not a tile: {_TILE_RULE}")
    color, number = match.groups()
    return kind_of(COLORS.index(color.upper().replace("Y", "O")), int(number))


def parse_tiles(text: str, rules: RuleSet | None = None) -> Counts:
    """Return the tiles as counts, int8[53]; empty text is no tiles.

    Args:
        text: Tiles separated by spaces, in any order.
        rules: Gives the deck; the full deck by default.

    Raises:
        ValueError: A token is not a tile, or there are more of a tile than the deck
            has.

    >>> format_tiles(parse_tiles("j r7 K13 R7"))
    'K13 R7 R7 J'
    """
    counts = counts_of(map(parse_tile, text.split()))
    check_deck(counts, rules or STANDARD)
    return counts


def format_tiles(counts: npt.NDArray[np.integer]) -> str:
    """Return the tiles in the notation, in ascending order of index, jokers last.

    Args:
        counts: How many of each kind, shape [53].

    Raises:
        ValueError: The array is no multiset of tiles.
    """
    return " ".join(map(tile_name, tiles_of(check_counts(counts))))


def check_counts(counts: npt.NDArray[np.integer]) -> Counts:
    """Return counts as int8[53].

    Raises:
        ValueError: The array has another shape, another type or a negative count.
    """
    counts = np.asarray(counts)
    if counts.shape != (NUM_COUNTS,) or counts.dtype.kind not in "iu":
        raise ValueError(
            f"counts must be an array of {NUM_COUNTS} integers, not one of shape "
            f"{counts.shape} and type {counts.dtype}"
        )
    if counts.min() < 0 or counts.max() > np.iinfo(np.int8).max:
        wrong = next(kind for kind, count in enumerate(counts) if not 0 <= count <= 127)
        raise ValueError(
            f"there cannot be {counts[wrong]} of {tile_name(wrong)} among the tiles"
        )
    return counts.astype(np.int8)


def check_deck(counts: npt.NDArray[np.integer], rules: RuleSet) -> None:
    """Refuse more of a tile than the deck has.

    Raises:
        ValueError: There are too many; the sentence names the tile.
    """
    deck = rules.deck
    for kind in np.flatnonzero(counts > deck).tolist():
        copies = int(deck[kind])
        if copies == 0:
            raise ValueError(f"the deck has no {tile_name(kind)}")
        ordinal = ("second", "third")[copies - 1]
        raise ValueError(
            f"a {ordinal} {tile_name(kind)}: the deck has only {copies} of it"
        )


def parse_entries(text: str) -> tuple[tuple[Entry, ...], ...]:
    """Return the tiles of each meld as written, not yet judged.

    Raises:
        ValueError: A token is neither a tile nor a named joker.
    """
    if not text.strip():
        return ()
    return tuple(tuple(map(_parse_entry, meld.split())) for meld in text.split("|"))


def parse_meld(text: str, rules: RuleSet | None = None) -> Meld:
    """Return the meld; `meld_of` says how bare jokers are read.

    Raises:
        ValueError: A token is neither a tile nor a named joker; an `IllegalAction` when
            the tiles are no meld.

    >>> parse_meld("K12 K13 J").points
    36
    """
    return meld_of(map(_parse_entry, text.split()), rules)


def format_meld(meld: Meld) -> str:
    """Return the meld in the notation; `parse_meld` reads the same meld from it."""
    return str(meld)


def parse_table(text: str, rules: RuleSet | None = None) -> tuple[Meld, ...]:
    """Return the melds of a table in their order; empty text is an empty table.

    Args:
        text: Melds separated by ``|``; spaces around it are optional.
        rules: Gives the deck and ``jokers_per_meld``; the full deck by default.

    Raises:
        ValueError: A token is neither a tile nor a named joker, or there are more of a
            tile than the deck has; an `IllegalAction` when tiles are no meld.

    >>> len(parse_table("K3 K4 K5 | R7 B7 J"))
    2
    """
    table = tuple(meld_of(entries, rules) for entries in parse_entries(text))
    check_deck(table_counts(table), rules or STANDARD)
    return table


def format_table(melds: Iterable[Meld]) -> str:
    """Return the melds in the notation; `parse_table` reads the same melds from it."""
    return " | ".join(map(str, melds))


def table_counts(melds: Sequence[Meld]) -> Counts:
    """Return the tiles of all melds together, int8[53]."""
    return counts_of(tile for meld in melds for tile in meld.tiles)


def _parse_entry(token: str) -> Entry:
    """Read a tile or a named joker."""
    joker, equals, name = token.partition("=")
    if not equals:
        return parse_tile(token)
    if joker.upper() != "J" or not _TILE.fullmatch(name):
        raise ValueError(
            f"{token!r} is not a named joker: one is written J=R7, J= and a tile"
        )
    return JOKER, parse_tile(name)
