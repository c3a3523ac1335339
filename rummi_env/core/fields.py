"""Reading and writing the fields of positions and deals.

A field comes as text in the notation or, in a mapping, as Python values. Every function
that reads takes the name of the field, so that an error names it.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from rummi_env.core.notation import check_counts, parse_tile
from rummi_env.core.tiles import NUM_COUNTS, tile_name, tiles_of

REST = "?"
"""In the text of a pool: the rest of the deck follows in an unknown order."""


def split_fields(what: str, text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the fields of a line of text by name; those at its end may be missing.

    Raises:
        ValueError: There are more fields than names.
    """
    parts = [part.strip() for part in text.split(";")]
    if len(parts) > len(names):
        raise ValueError(
            f"a {what} has the fields {' ; '.join(names)}, not {len(parts)} of them"
        )
    return dict(zip(names, parts, strict=False))


def join_fields(fields: Iterable[tuple[str, str]]) -> str:
    """Return one line of text, without the fields at its end that are the default.

    Args:
        fields: Per field its text and the text of its default.
    """
    parts = list(fields)
    while parts and parts[-1][0] == parts[-1][1]:
        parts.pop()
    return " ".join(" ; ".join(text for text, _ in parts).split())


def check_names(what: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse what is no mapping of these fields.

    Raises:
        ValueError: It is no mapping, or has another field.
    """
    if not isinstance(given, Mapping):
        raise ValueError(
            f"a {what} is given as text or as a mapping of {', '.join(names)}, "
            f"not as {given!r}"
        )
    for name in given:
        if name not in names:
            raise ValueError(f"a {what} has no field {name!r}, only {', '.join(names)}")


def read_tiles(name: str, value: object) -> tuple[int, ...]:
    """Return tiles in the order given: as text, a list of names or indices, or counts.

    Raises:
        ValueError: It is none of these; the sentence names the field.
    """
    try:
        if isinstance(value, np.ndarray):
            return tiles_of(check_counts(value))
        if isinstance(value, str):
            value = value.split()
        if not isinstance(value, Iterable):
            raise ValueError(f"{value!r} are no tiles")
        return tuple(map(_read_tile, value))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def read_pool(value: object) -> tuple[tuple[int, ...], bool]:
    """Return the tiles of a pool in draw order and whether the rest follows.

    Raises:
        ValueError: It is neither text nor a list of names or indices.
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    tokens: Any = value.split() if isinstance(value, str) else value
    if isinstance(tokens, Sequence) and len(tokens) and tokens[-1] == REST:
        return read_tiles("pool", tokens[:-1]), True
    return read_tiles("pool", tokens), False


def read_racks(value: object) -> tuple[tuple[int, ...], ...]:
    """Return the racks: text with ``/`` between them, or one value for each.

    Raises:
        ValueError: One of them is no list of tiles; the sentence names the seat.
    """
    if isinstance(value, str):
        value = value.split("/")
    if not isinstance(value, Iterable):
        raise ValueError(f"racks: {value!r} are no racks")
    return tuple(
        read_tiles(f"rack of seat {seat}", rack) for seat, rack in enumerate(value)
    )


def read_seat(name: str, value: object) -> int:
    """Return a seat given as a number or as text.

    Raises:
        ValueError: It is not a whole number.
    """
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be the number of a seat, not {value!r}")
    return int(value)


def check_seat(name: str, seat: int, num_seats: int) -> None:
    """Refuse a seat that does not exist.

    Raises:
        ValueError: There is no such seat.
    """
    if not 0 <= seat < num_seats:
        raise ValueError(
            f"{name} must be a seat from 0 to {num_seats - 1}, not {seat!r}"
        )


def tiles_text(tiles: Iterable[int]) -> str:
    """Return tiles in the notation, in the order given."""
    return " ".join(map(tile_name, tiles))


def pool_text(pool: Iterable[int], pool_rest: bool) -> str:
    """Return a pool in the notation: its tiles in draw order and perhaps ``?``."""
    return " ".join([*map(tile_name, pool), *[REST] * pool_rest])


def _read_tile(value: object) -> int:
    if isinstance(value, str):
        return parse_tile(value)
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{value!r} is not a tile")
    tile = index(value)
    if not 0 <= tile < NUM_COUNTS:
        raise ValueError(f"a tile is an index from 0 to {NUM_COUNTS - 1}, not {tile}")
    return tile
