"""A game as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rummi_env.core.tiles import NUM_NUMBERS, Counts, tile_name, tiles_of
from rummi_env.observation.view import PlayerView, View

ANSI_CODES = {"R": "31", "B": "34", "O": "33", "J": "35"}
"""Foreground colors; black tiles keep the terminal's own, seen on any ground."""

TILE_WIDTH = 3
"""Width of the widest tile that is no named joker: K10."""


def text(
    view: View,
    names: Sequence[str] = (),
    *,
    color: bool = False,
    reveal: Sequence[Counts] = (),
) -> str:
    """Returns what a seat sees of a game, as lines of text.

    Args:
        view: what the seat may know; with its melds, or the table is not arranged.
        names: of the seats of the game; ``player_0`` and so on by default.
        color: whether the tiles have the colors of the terminal.
        reveal: the racks of all seats, int8[53] each, to show them too.

    Raises:
        ValueError: there are names or racks for another number of seats.
    """
    players = len(view.players)
    for what, given in (("names", names), ("racks to reveal", reveal)):
        if given and len(given) != players:
            raise ValueError(f"there must be {players} {what}, not {len(given)}")
    names = names or [f"player_{seat}" for seat in range(players)]
    lines = [_heading(view, names), ""]
    lines += _player_lines(view, names)
    lines += ["", "Table"]
    if view.melds:
        lines += _rows((str(meld).split() for meld in view.melds), color)
    else:
        lines += _rows(_by_color(view.table), color)
    if view.played.any():
        lines += ["", "Played in this turn", *_rows(_by_color(view.played), color)]
    lines += ["", f"Rack of {names[view.me.seat]}"]
    lines += _rows(_by_color(view.rack), color)
    for player in view.opponents:
        if reveal:
            lines += ["", f"Rack of {names[player.seat]}"]
            lines += _rows(_by_color(reveal[player.seat]), color)
    return "\n".join(lines) + "\n"


def _heading(view: View, names: Sequence[str]) -> str:
    over = view.phase == "over"
    number = view.rounds if over else view.round + 1
    mover = names[view.players[view.to_move].seat]
    doing = {
        "redeal": f"{mover} may demand a new deal",
        "play": f"{mover} to move",
        "over": "the match is over",
    }
    parts = [f"Round {number} of {view.rounds}"]
    if not over:
        parts.append(f"turn {view.turn + 1}")
    parts += [f"{view.pool_size} tiles in the pool", doing[view.phase]]
    if view.turns_left is not None and not over:
        parts.append(f"turns left: {view.turns_left}")
    if view.actions_left is not None and not over:
        parts.append(f"actions left: {view.actions_left}")
    return ", ".join(parts)


def _player_lines(view: View, names: Sequence[str]) -> list[str]:
    """Returns one line for each player, in the order of the seats."""
    ordered = sorted(view.players, key=lambda player: player.seat)
    mover = view.players[view.to_move].seat
    width = max(map(len, names))
    return [
        _player_line(player, names[player.seat].ljust(width), player.seat == mover)
        for player in ordered
    ]


def _player_line(player: PlayerView, name: str, is_mover: bool) -> str:
    line = (
        f"{'>' if is_mover else ' '} {name}  {player.rack_size:>2} tiles  "
        f"{'opened' if player.opened else 'not opened':<10}  "
        f"last turn: {player.last_turn:<6}  score: {player.total:g}"
    )
    if player.known.any():
        line += f"  known: {' '.join(map(tile_name, tiles_of(player.known)))}"
    return line


def _by_color(counts: Counts) -> list[list[str]]:
    """Returns the names of tiles, a list for each color and one for the jokers."""
    groups: dict[int, list[str]] = {}
    for tile in tiles_of(counts):
        groups.setdefault(tile // NUM_NUMBERS, []).append(tile_name(tile))
    return list(groups.values())


def _rows(rows: Iterable[Sequence[str]], color: bool) -> list[str]:
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
