"""Tiles in rows of text, the same in every game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rummi_env.core.tiles import NUM_NUMBERS, Counts, tile_name, tiles_of

ANSI_CODES = {"R": "31", "B": "34", "O": "33", "J": "35"}
"""Foreground colors; black tiles keep the terminal's own, seen on any ground."""

UNDERLINE = "4"

TILE_WIDTH = 3
"""Width of the widest tile that is no named joker: K10."""


def by_color(counts: Counts) -> list[list[str]]:
    """Returns the names of tiles, a list for each color and one for the jokers."""
    groups: dict[int, list[str]] = {}
    for tile in tiles_of(counts):
        groups.setdefault(tile // NUM_NUMBERS, []).append(tile_name(tile))
    return list(groups.values())


def tile_rows(
    rows: Iterable[Sequence[str]],
    color: bool,
    marks: Sequence[Sequence[bool]] = (),
) -> list[str]:
    """Returns a line for each row of tiles, the tiles below one another.

    Args:
        rows: names of tiles.
        color: whether they have the colors of the terminal.
        marks: for each row which tiles are underlined, where there is color.
    """
    rows = list(rows)
    width = max((len(name) for row in rows for name in row), default=0)
    width = max(width, TILE_WIDTH)
    lines = []
    for index, row in enumerate(rows):
        # Padded before colored: escape codes take no room on the screen.
        padded = [name.ljust(width) for name in row[:-1]] + [*row[-1:]]
        if color:
            marked = marks[index] if marks else [False] * len(row)
            padded = [
                colored(name, ANSI_CODES.get(name[0], ""), underlined)
                for name, underlined in zip(padded, marked, strict=True)
            ]
        lines.append("  " + " ".join(padded))
    return lines or ["  none"]


def colored(name: str, code: str, underlined: bool) -> str:
    """Returns a name with the codes of a terminal; spaces after it are not underlined.

    Args:
        name: the name.
        code: of its color; empty for that of the terminal.
        underlined: whether it is underlined.
    """
    codes = ";".join(filter(None, (UNDERLINE if underlined else "", code)))
    if not codes:
        return name
    bare = name.rstrip(" ")
    return f"\x1b[{codes}m{bare}\x1b[0m{name[len(bare) :]}"
