"""Tiles in rows of text, the same in every game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rummi_env.core.tiles import NUM_NUMBERS, Counts, tile_name, tiles_of

ANSI_CODES = {"R": "31", "B": "34", "O": "33", "J": "35"}
"""Foreground colors; black tiles keep the terminal's own, seen on any ground."""

TILE_WIDTH = 3
"""Width of the widest tile that is no named joker: K10."""


def by_color(counts: Counts) -> list[list[str]]:
    """Returns the names of tiles, a list for each color and one for the jokers."""
    groups: dict[int, list[str]] = {}
    for tile in tiles_of(counts):
        groups.setdefault(tile // NUM_NUMBERS, []).append(tile_name(tile))
    return list(groups.values())


def tile_rows(rows: Iterable[Sequence[str]], color: bool) -> list[str]:
    """Returns a line for each row of tiles, the tiles below one another."""
    rows = list(rows)
    width = max((len(name) for row in rows for name in row), default=0)
    width = max(width, TILE_WIDTH)
    lines = []
    for row in rows:
        # Padded before colored: escape codes take no room on the screen.
        padded = [name.ljust(width) for name in row[:-1]] + [*row[-1:]]
        if color:
            padded = [_colored(name) for name in padded]
        lines.append("  " + " ".join(padded))
    return lines or ["  none"]


def _colored(name: str) -> str:
    code = ANSI_CODES.get(name[0])
    return f"\x1b[{code}m{name}\x1b[0m" if code else name
