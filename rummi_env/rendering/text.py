"""A game as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rummi_env.core.tiles import Counts, tile_name, tiles_of
from rummi_env.observation.view import PlayerView, View
from rummi_env.rendering.amounts import plural
from rummi_env.rendering.changes import marked_tiles
from rummi_env.rendering.tile_rows import by_color, tile_rows


def text(
    view: View,
    names: Sequence[str] = (),
    *,
    color: bool = False,
    before: View | None = None,
    reveal: Sequence[Counts] = (),
) -> str:
    """Returns what a seat sees of a game, as lines of text.

    Args:
        view: what the seat may know; with its melds, or the table is not arranged.
        names: of the seats of the game; ``player_0`` and so on by default.
        color: whether the tiles have the colors of the terminal.
        before: any seat's view of the beginning of the last turn that is over, with
            its melds: tiles that have come to the table since then are underlined,
            where there is color.
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
        marks = marked_tiles(view, before)
        lines += tile_rows((str(meld).split() for meld in view.melds), color, marks)
    else:
        lines += tile_rows(by_color(view.table), color)
    if view.played.any():
        lines += ["", "Played in this turn", *tile_rows(by_color(view.played), color)]
    lines += ["", f"Rack of {names[view.me.seat]}"]
    lines += tile_rows(by_color(view.rack), color)
    for player in view.opponents:
        if reveal:
            lines += ["", f"Rack of {names[player.seat]}"]
            lines += tile_rows(by_color(reveal[player.seat]), color)
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
    parts += [f"{plural(view.pool_size, 'tile')} in the pool", doing[view.phase]]
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
        f"{'>' if is_mover else ' '} {name}  {plural(player.rack_size, 'tile'):>8}  "
        f"{'opened' if player.opened else 'not opened':<10}  "
        f"last turn: {player.last_turn:<6}  score: {player.total:g}"
    )
    if player.known.any():
        line += f"  known: {' '.join(map(tile_name, tiles_of(player.known)))}"
    return line
