"""A game of Rummikub as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from rummi_env.core.tiles import JOKER, Counts, tiles_of
from rummi_env.observation.view import PlayerView, View
from rummi_env.rendering.amounts import plural
from rummi_env.rendering.changes import marked_tiles, new_tiles, touched_melds
from rummi_env.rendering.scenes import colors
from rummi_env.rendering.scenes.board import (
    TABLE,
    Draw,
    Panel,
    add_panels,
    add_rack,
    new_scene,
)
from rummi_env.rendering.scenes.layout import flow
from rummi_env.rendering.scenes.naming import checked, round_note
from rummi_env.rendering.scenes.shapes import Rect, Scene, Text
from rummi_env.rendering.scenes.tiles import (
    RACKED,
    SMALL,
    TILE,
    by_color,
    tile,
    tile_back,
)

LARGEST = 56
"""Width of a tile on a table with room enough."""

LAST_TURNS = {
    "none": "",
    "drew": "drew",
    "passed": "passed",
    "laid": "laid",
    "failed": "taken back",
}


def rummikub_scene(
    view: View,
    names: Sequence[str] = (),
    *,
    before: View | None = None,
    reveal: Sequence[Counts] = (),
) -> Scene:
    """Returns what a seat sees of a game, as a picture.

    Args:
        view: what the seat may know; with its melds, or the table is not arranged.
        names: of the seats of the game; ``player_0`` and so on by default.
        before: any seat's view of the beginning of the last turn that is over, with
            its melds: what has changed on the table since then is marked.
        reveal: the racks of all seats, int8[53] each, to show them too.

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
    _add_table(scene, view, before)
    mine = [
        [partial(tile, kind) for kind in group]
        for group in by_color(tiles_of(view.rack))
    ]
    title = f"Rack of {names[view.me.seat]}, {plural(view.me.rack_size, 'tile')}"
    aside, played = _played(view)
    add_rack(scene, title, mine, RACKED, aside=aside, aside_groups=played)
    return scene


def _title(view: View) -> str:
    over = view.phase == "over"
    number = view.rounds if over else view.round + 1
    title = f"Round {number} of {view.rounds}"
    if not over:
        title += f", turn {view.turn + 1}"
        if view.turns_left is not None:
            title += f", {plural(view.turns_left, 'turn')} left"
    return title


def _status(view: View, names: Sequence[str]) -> str:
    mover = names[view.players[view.to_move].seat]
    return {
        "redeal": f"{mover} may demand a new deal",
        "play": f"{mover} to move",
        "over": "The match is over",
    }[view.phase]


def _note(view: View, before: View | None, names: Sequence[str]) -> str:
    """Returns what the last turn, or the round that it ended, has come to."""
    if before is None:
        return ""
    if before.round != view.round:
        return round_note("Round", view.round, _totals(before), _totals(view), names)
    seat = before.players[before.to_move].seat
    did = next(player for player in view.players if player.seat == seat).last_turn
    laid = sum(new_tiles(view, before).values())
    told = {
        "none": "",
        "drew": f"{names[seat]} drew a tile",
        "passed": f"{names[seat]} passed",
        "laid": f"{names[seat]} laid {plural(laid, 'tile')}",
        "failed": f"{names[seat]} had to take the turn back",
    }
    return told[did]


def _totals(view: View) -> dict[int, float]:
    return {player.seat: player.total for player in view.players}


def _panel(
    view: View,
    player: PlayerView,
    names: Sequence[str],
    reveal: Sequence[Counts],
) -> Panel:
    facts = [plural(player.rack_size, "tile"), LAST_TURNS[player.last_turn]]
    pieces: list[Draw] = []
    if player.seat != view.me.seat:
        shown = tiles_of(reveal[player.seat] if reveal else player.known)
        pieces = [partial(tile, kind) for kind in shown]
        pieces += [tile_back] * (player.rack_size - len(shown))
    return Panel(
        name=names[player.seat],
        score=player.total,
        facts=", ".join(filter(None, facts)),
        is_mover=player.seat == view.players[view.to_move].seat
        and view.phase != "over",
        good="opened" if player.opened else "",
        below="rack below" if player.seat == view.me.seat else "",
        pieces=pieces,
    )


def _add_table(scene: Scene, view: View, before: View | None) -> None:
    if not view.table.any():
        scene.add(
            Text(
                TABLE.x + TABLE.width / 2,
                TABLE.y + TABLE.height / 2,
                "Nothing is on the table yet",
                20,
                colors.PALE,
                "middle",
            )
        )
        return
    groups = [
        list(zip(meld.tiles, meld.places, strict=True)) for meld in view.melds
    ] or [
        [(kind, frozenset[int]()) for kind in group]
        for group in by_color(tiles_of(view.table))
    ]
    touched, marks = touched_melds(view, before), marked_tiles(view, before)
    places = flow([len(group) for group in groups], TABLE.inner(20), TILE, LARGEST)
    for index, (group, place) in enumerate(zip(groups, places, strict=True)):
        step = place.scale * (1 + TILE.gap)
        if index in touched:
            _underline(scene, place.x, place.y, place.scale, len(group))
        for at, (kind, kinds) in enumerate(group):
            marked = bool(view.melds) and marks[index][at]
            stands_for = kinds if kind == JOKER else ()
            x = place.x + at * step
            scene.extend(
                tile(
                    kind, x, place.y, place.scale, stands_for=stands_for, marked=marked
                )
            )


def _underline(scene: Scene, x: float, y: float, scale: float, size: int) -> None:
    """Marks a meld that is not as it was."""
    width = TILE.width_of(size) * scale
    scene.add(Rect(x, y + (TILE.ratio + 0.14) * scale, width, 3, colors.MARK, 1.5))


def _played(view: View) -> tuple[str, list[list[Draw]]]:
    """Returns what lies beside the rack in this turn."""
    groups: list[list[Draw]] = [
        [partial(tile, kind) for kind in group]
        for group in by_color(tiles_of(view.played))
    ]
    title = f"Played in this turn: {view.played.sum()}" if groups else ""
    named: Iterable[int] = ()
    if view.commitments is not None:
        named = tiles_of(view.commitments)
    jokers: list[Draw] = [partial(tile, JOKER, stands_for=(kind,)) for kind in named]
    if jokers:
        groups.append(jokers)
        title = f"{title}, named: {len(jokers)}" if title else "Named in this turn"
    return title, groups
