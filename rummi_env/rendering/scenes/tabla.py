"""A game of Rummy pe tabla as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rummi_env.core.tiles import JOKER, Counts, tile_name, tiles_of
from rummi_env.games.tabla.layouts import Arrangement
from rummi_env.observation.tabla.view import PlayerView, View
from rummi_env.rendering.amounts import plural
from rummi_env.rendering.changes import last_tile
from rummi_env.rendering.scenes import colors
from rummi_env.rendering.scenes.board import (
    TABLE,
    Draw,
    Panel,
    add_panels,
    add_rack,
    new_scene,
    place_pieces,
)
from rummi_env.rendering.scenes.layout import Box
from rummi_env.rendering.scenes.naming import checked, round_note
from rummi_env.rendering.scenes.shapes import Scene, Text
from rummi_env.rendering.scenes.tiles import (
    RACKED,
    SMALL,
    TILE,
    by_color,
    tile,
    tile_back,
)

ROW_CHUNK = 5
"""Discards that lie together, so that they can be counted."""

ATU_WIDTH = 130
"""Width of the part of the table with the tile that was turned face up."""


def tabla_scene(
    view: View,
    names: Sequence[str] = (),
    *,
    before: View | None = None,
    reveal: Sequence[Counts] = (),
    board: Arrangement | None = None,
    closed: Arrangement | None = None,
) -> Scene:
    """Returns what a seat sees of a game, as a picture.

    Args:
        view: what the seat may know.
        names: of the seats of the game; ``player_0`` and so on by default.
        before: any seat's view of the beginning of the last turn that is over: what has
            come to the row since then is marked.
        reveal: the racks of all seats, int8[53] each, to show them too.
        board: how 14 tiles of the observer's rack show a form, if they do.
        closed: the tiles that closed the last deal, which is shown while nothing was
            discarded in this one.

    Raises:
        ValueError: there are names or racks for another number of seats.
    """
    names = checked(names, reveal, len(view.players))
    scene = new_scene(
        _title(view),
        _status(view, names),
        _note(view, before, names),
        f"{plural(view.pool_size, 'tile')} in the pool",
    )
    panels = [
        _panel(view, player, names, reveal)
        for player in sorted(view.players, key=lambda player: player.seat)
    ]
    add_panels(scene, panels, SMALL)
    _add_atu(scene, view)
    if closed is not None and (not view.row or view.phase == "over"):
        _add_closing(scene, view, closed, names)
    else:
        _add_row(scene, view, before)
    title = f"Board of {names[view.me.seat]}, {plural(view.me.rack_size, 'tile')}"
    groups = _board(view, board)
    if board is not None:
        title += f": {board.form.romanian} ({board.form.english})"
    doubles: list[list[Draw]] = [
        [partial(tile, kind)] * 2 for kind in tiles_of(view.declared)
    ]
    aside = "Doubles declared" if doubles else ""
    add_rack(scene, title, groups, RACKED, aside=aside, aside_groups=doubles)
    return scene


def _title(view: View) -> str:
    over = view.phase == "over"
    title = f"Deal {view.round if over else view.round + 1} of {view.rounds}"
    return title if over else f"{title}, turn {view.turn + 1}"


def _status(view: View, names: Sequence[str]) -> str:
    mover = names[view.players[view.to_move].seat]
    return {
        "doubles": f"{mover} to declare doubles",
        "draw": f"{mover} to draw",
        "discard": f"{mover} to discard",
        "over": "The match is over",
    }[view.phase]


def _note(view: View, before: View | None, names: Sequence[str]) -> str:
    if before is None:
        return ""
    if before.round != view.round:
        totals, earlier = _totals(view), _totals(before)
        return round_note("Deal", view.round, earlier, totals, names)
    last = last_tile(view, before)
    if last is None:
        return ""
    seat = before.players[before.to_move].seat
    return f"{names[seat]} discarded {tile_name(last)}"


def _totals(view: View) -> dict[int, float]:
    return {player.seat: player.total for player in view.players}


def _panel(
    view: View,
    player: PlayerView,
    names: Sequence[str],
    reveal: Sequence[Counts],
) -> Panel:
    facts = [plural(player.rack_size, "tile")]
    if player.last_draw != "none":
        facts.append(f"drew from {player.last_draw}")
    if sum(player.doubles):
        low, high = player.doubles
        facts.append(f"doubles {low} low {high} high")
    pieces: list[Draw] = []
    if player.seat != view.me.seat:
        shown = tiles_of(reveal[player.seat] if reveal else player.known)
        pieces = [partial(tile, kind) for kind in shown]
        pieces += [tile_back] * (player.rack_size - len(shown))
    return Panel(
        name=names[player.seat],
        score=player.total,
        facts=", ".join(facts),
        is_mover=player.seat == view.players[view.to_move].seat
        and view.phase != "over",
        below="board below" if player.seat == view.me.seat else "",
        pieces=pieces,
    )


def _add_atu(scene: Scene, view: View) -> None:
    left = TABLE.x + TABLE.width - ATU_WIDTH
    scene.add(Text(left, TABLE.y + 26, "Atu", 16, colors.PALE))
    scene.extend(tile(view.atu, left, TABLE.y + 46, 62))
    if view.taken is not None:
        scene.add(Text(left, TABLE.y + 176, "From the row", 16, colors.PALE))
        scene.extend(tile(view.taken, left, TABLE.y + 196, 62, marked=True))


def _add_row(scene: Scene, view: View, before: View | None) -> None:
    title = f"Row, {plural(len(view.row), 'discard')}, the last at the end"
    scene.add(Text(TABLE.x + 20, TABLE.y + 26, title, 16, colors.PALE))
    fresh = view.taken is None and last_tile(view, before) is not None
    pieces: list[Draw] = [
        partial(tile, kind, marked=fresh and at == len(view.row) - 1)
        for at, kind in enumerate(view.row)
    ]
    chunks = [pieces[at : at + ROW_CHUNK] for at in range(0, len(pieces), ROW_CHUNK)]
    box = Box(
        TABLE.x + 20, TABLE.y + 46, TABLE.width - ATU_WIDTH - 40, TABLE.height - 62
    )
    place_pieces(scene, chunks, box, TILE, 54)


def _add_closing(
    scene: Scene, view: View, closed: Arrangement, names: Sequence[str]
) -> None:
    """Puts the tiles that closed the last deal on the table, with their form."""
    ending = view.ending
    if ending.closer is None or ending.thrown is None:
        return
    told = f"{names[ending.closer]} has closed: {closed.form.romanian}"
    left = TABLE.x + 20
    scene.add(
        Text(left, TABLE.y + 32, told, 24, colors.INK, bold=True),
        Text(
            left,
            TABLE.y + 62,
            f"{closed.form.english}, throwing {tile_name(ending.thrown)}",
            17,
            colors.PALE,
        ),
    )
    groups = _laid(closed)
    box = Box(left, TABLE.y + 90, TABLE.width - ATU_WIDTH - 40, TABLE.height - 110)
    place_pieces(scene, groups, box, TILE, 60)


def _board(view: View, board: Arrangement | None) -> list[list[Draw]]:
    """Returns the observer's tiles: as they show a form, the one to throw apart."""
    if board is None:
        return [
            [partial(tile, kind) for kind in group]
            for group in by_color(tiles_of(view.rack))
        ]
    left = view.rack.copy()
    for meld in board.melds:
        for entry in meld:
            left[JOKER if isinstance(entry, tuple) else entry] -= 1
    groups = _laid(board)
    if left.any():
        groups.append([partial(tile, kind, marked=True) for kind in tiles_of(left)])
    return groups


def _laid(arrangement: Arrangement) -> list[list[Draw]]:
    return [
        [
            partial(tile, JOKER, stands_for=(entry[1],))
            if isinstance(entry, tuple)
            else partial(tile, entry)
            for entry in meld
        ]
        for meld in arrangement.melds
    ]
