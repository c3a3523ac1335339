"""A game of Rummy pe tabla as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rummi_env.core.tiles import Counts, tile_name, tiles_of
from rummi_env.observation.tabla.view import PlayerView, View
from rummi_env.rendering.amounts import plural
from rummi_env.rendering.changes import last_tile
from rummi_env.rendering.tile_rows import by_color, tile_rows

ROW_WIDTH = 14
"""Discards in one line."""


def tabla_text(
    view: View,
    names: Sequence[str] = (),
    *,
    color: bool = False,
    before: View | None = None,
    reveal: Sequence[Counts] = (),
) -> str:
    """Returns what a seat sees of a game, as lines of text.

    Args:
        view: what the seat may know.
        names: of the seats of the game; ``player_0`` and so on by default.
        color: whether the tiles have the colors of the terminal.
        before: any seat's view of the beginning of the last turn that is over: what was
            discarded since then is underlined, where there is color.
        reveal: the racks of all seats, int8[53] each, to show them too.

    Raises:
        ValueError: there are names or racks for another number of seats.
    """
    players = len(view.players)
    for what, given in (("names", names), ("racks to reveal", reveal)):
        if given and len(given) != players:
            raise ValueError(f"there must be {players} {what}, not {len(given)}")
    names = names or [f"player_{seat}" for seat in range(players)]
    lines = [_heading(view, names), *_ending(view, names), ""]
    width = max(map(len, names))
    mover = view.players[view.to_move].seat
    for player in sorted(view.players, key=lambda player: player.seat):
        name = names[player.seat].ljust(width)
        lines.append(_player_line(player, name, player.seat == mover))
    lines += ["", f"Atu: {tile_name(view.atu)}", "", "Row, the last discard at the end"]
    row = [tile_name(tile) for tile in view.row]
    chunks = [row[at : at + ROW_WIDTH] for at in range(0, len(row), ROW_WIDTH)]
    marks = [[False] * len(chunk) for chunk in chunks]
    if chunks and view.taken is None:
        marks[-1][-1] = last_tile(view, before) is not None
    lines += tile_rows(chunks, color, marks)
    lines += ["", f"Rack of {names[view.me.seat]}"]
    lines += tile_rows(by_color(view.rack), color)
    if view.declared.any():
        lines += ["", "Doubles declared", *tile_rows(by_color(view.declared), color)]
    for player in view.opponents:
        if reveal:
            lines += ["", f"Rack of {names[player.seat]}"]
            lines += tile_rows(by_color(reveal[player.seat]), color)
    return "\n".join(lines) + "\n"


def _heading(view: View, names: Sequence[str]) -> str:
    mover = names[view.players[view.to_move].seat]
    doing = {
        "doubles": f"{mover} to declare doubles",
        "draw": f"{mover} to draw",
        "discard": f"{mover} to discard",
        "over": "the match is over",
    }
    over = view.phase == "over"
    parts = [f"Deal {view.round if over else view.round + 1} of {view.rounds}"]
    if not over:
        parts.append(f"turn {view.turn + 1}")
    parts += [f"{plural(view.pool_size, 'tile')} in the pool", doing[view.phase]]
    return ", ".join(parts)


def _ending(view: View, names: Sequence[str]) -> list[str]:
    """Returns a line that says how the last deal ended, if one has."""
    if not view.round:
        return []
    ending = view.ending
    if ending.closer is None or ending.form is None or ending.thrown is None:
        return ["The last deal was void"]
    return [
        f"The last deal was closed by {names[ending.closer]} with "
        f"{ending.form.romanian}, throwing {tile_name(ending.thrown)}"
    ]


def _player_line(player: PlayerView, name: str, is_mover: bool) -> str:
    line = (
        f"{'>' if is_mover else ' '} {name}  {plural(player.rack_size, 'tile'):>8}  "
        f"last draw: {player.last_draw:<4}  score: {player.total:g}"
    )
    low, high = player.doubles
    if low or high:
        line += f"  doubles: {low} low, {high} high"
    if player.known.any():
        line += f"  known: {' '.join(map(tile_name, tiles_of(player.known)))}"
    return line
