"""A game of Rummy as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rummi_env.core.cards import NUM_RANKS, card_name
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.observation.rummy.view import PlayerView, View
from rummi_env.rendering.amounts import plural
from rummi_env.rendering.changes import last_card, new_cards
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
from rummi_env.rendering.scenes.cards import CARD, card, card_back
from rummi_env.rendering.scenes.layout import Box, Piece
from rummi_env.rendering.scenes.naming import checked, round_note
from rummi_env.rendering.scenes.shapes import Scene, Text

LARGEST = 66
"""Width of a card on a table with room enough."""

PILE_WIDTH = 330
"""Width of the part of the table with the pool and the row."""

ROW_SHOWN = 12
"""Discards shown, from the top of the row down."""

COMING_SHOWN = 8
"""Cards shown of a pool that was turned over."""

SMALL = Piece(ratio=1.4, gap=0.06, group_gap=0.08, row_gap=0.12)


def rummy_scene(
    view: View,
    rules: RummyRules,
    names: Sequence[str] = (),
    *,
    before: View | None = None,
    reveal: Sequence[Sequence[int]] = (),
) -> Scene:
    """Returns what a seat sees of a game, as a picture.

    Args:
        view: what the seat may know.
        rules: the rules of the game.
        names: of the seats of the game; ``player_0`` and so on by default.
        before: any seat's view of the beginning of the last turn that is over: cards
            that have come to the table since then are marked.
        reveal: the racks of all seats, to show them too.

    Raises:
        ValueError: there are names or racks for another number of seats.
    """
    names = checked(names, reveal, len(view.players))
    scene = new_scene(
        _title(view, rules),
        _status(view, names),
        _note(view, before, names),
        f"{plural(view.pool_size, 'card')} in the pool",
    )
    panels = [
        _panel(view, player, names, reveal)
        for player in sorted(view.players, key=lambda player: player.seat)
    ]
    add_panels(scene, panels, SMALL)
    _add_melds(scene, view, before)
    _add_piles(scene, view, before)
    suits: dict[int, list[Draw]] = {}
    for index in view.rack:
        marked = index == view.taken and view.to_move == 0
        draw = partial(card, index, marked=marked)
        suits.setdefault(index // NUM_RANKS, []).append(draw)
    title = f"Rack of {names[view.me.seat]}, {plural(view.me.rack_size, 'card')}"
    add_rack(scene, title, list(suits.values()), CARD, largest=78)
    return scene


def _title(view: View, rules: RummyRules) -> str:
    over = view.phase == "over"
    title = f"Hand {view.round if over else view.round + 1}"
    if rules.hands is not None:
        title += f" of {rules.hands}"
    if rules.target is not None:
        title += f", to {rules.target} points"
    return title if over else f"{title}, turn {view.turn + 1}"


def _status(view: View, names: Sequence[str]) -> str:
    mover = names[view.players[view.to_move].seat]
    return {
        "draw": f"{mover} to draw",
        "play": f"{mover} to play",
        "over": "The match is over",
    }[view.phase]


def _note(view: View, before: View | None, names: Sequence[str]) -> str:
    if before is None:
        return ""
    if before.round != view.round:
        totals, earlier = _totals(view), _totals(before)
        return round_note("Hand", view.round, earlier, totals, names)
    seat = before.players[before.to_move].seat
    laid = _player(view, seat).laid - _player(before, seat).laid
    parts = [f"laid {plural(laid, 'card')}"] if laid else []
    last = last_card(view, before)
    if last is not None:
        parts.append(f"discarded {card_name(last)}")
    return f"{names[seat]} {' and '.join(parts)}" if parts else ""


def _player(view: View, seat: int) -> PlayerView:
    return next(player for player in view.players if player.seat == seat)


def _totals(view: View) -> dict[int, float]:
    return {player.seat: player.total for player in view.players}


def _panel(
    view: View,
    player: PlayerView,
    names: Sequence[str],
    reveal: Sequence[Sequence[int]],
) -> Panel:
    facts = [plural(player.rack_size, "card")]
    if player.laid:
        facts.append(f"{player.laid} laid")
    pieces: list[Draw] = []
    if player.seat != view.me.seat:
        shown = reveal[player.seat] if reveal else player.known
        pieces = [partial(card, index) for index in sorted(shown)]
        pieces += [card_back] * (player.rack_size - len(shown))
    return Panel(
        name=names[player.seat],
        score=player.total,
        facts=", ".join(facts),
        is_mover=player.seat == view.players[view.to_move].seat
        and view.phase != "over",
        good="melded" if player.melded else "",
        below="rack below" if player.seat == view.me.seat else "",
        pieces=pieces,
    )


def _add_melds(scene: Scene, view: View, before: View | None) -> None:
    box = Box(TABLE.x, TABLE.y, TABLE.width - PILE_WIDTH, TABLE.height).inner(20)
    if not view.melds:
        scene.add(
            Text(
                box.x + box.width / 2,
                box.y + box.height / 2,
                "No melds are on the table",
                20,
                colors.PALE,
                "middle",
            )
        )
        return
    new = new_cards(view, before)
    groups: list[list[Draw]] = [
        [partial(card, index, marked=index in new) for index in meld]
        for meld in view.melds
    ]
    place_pieces(scene, groups, box, CARD, LARGEST)


def _add_piles(scene: Scene, view: View, before: View | None) -> None:
    """Puts the pool and the row at the right of the table."""
    left, top = TABLE.x + TABLE.width - PILE_WIDTH, TABLE.y + 20
    width = PILE_WIDTH - 24
    title = "Pool, turned over, the next card first" if view.coming else "Pool"
    scene.add(Text(left, top + 6, title, 16, colors.PALE))
    if view.coming:
        coming = [[partial(card, index)] for index in view.coming[:COMING_SHOWN]]
        place_pieces(scene, coming, Box(left + 4, top + 26, width - 8, 100), SMALL, 62)
    else:
        for layer in range(min(view.pool_size, 4)):
            scene.extend(card_back(left + 4 + 3 * layer, top + 32 - 3 * layer, 66))
    top += 150
    row = view.row
    title = f"Row, {plural(len(row), 'card')}, the top card last"
    if view.taken is not None:
        title = f"Row, {card_name(view.taken)} was taken"
    scene.add(Text(left, top + 6, title, 16, colors.PALE))
    last = None if view.taken is not None else last_card(view, before)
    shown: list[list[Draw]] = [
        [partial(card, index, marked=index == last)] for index in row
    ]
    box = Box(left + 4, top + 30, width - 8, TABLE.height - 215)
    place_pieces(scene, shown[-ROW_SHOWN:], box, SMALL, 66)
