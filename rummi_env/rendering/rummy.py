"""A game of Rummy as text for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rummi_env.core.cards import NUM_RANKS, card_name, format_cards
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.observation.rummy.view import PlayerView, View
from rummi_env.rendering.amounts import plural
from rummi_env.rendering.changes import last_card, new_cards
from rummi_env.rendering.tile_rows import colored

ANSI_RED = "31"
"""Foreground of hearts and diamonds; black suits keep the terminal's own color."""

ROW_SHOWN = 8
"""Discards shown, from the top of the row down."""


def text(
    view: View,
    rules: RummyRules,
    names: Sequence[str] = (),
    *,
    color: bool = False,
    before: View | None = None,
    reveal: Sequence[Sequence[int]] = (),
) -> str:
    """Returns what a seat sees of a game, as lines of text.

    Args:
        view: what the seat may know.
        rules: the rules of the game.
        names: of the seats of the game; ``player_0`` and so on by default.
        color: whether red suits are red.
        before: any seat's view of the beginning of the last turn that is over: cards
            that have come to the table or the row since then are underlined, where
            there is color.
        reveal: the racks of all seats, to show them too.

    Raises:
        ValueError: there are names or racks for another number of seats.
    """
    players = len(view.players)
    for what, given in (("names", names), ("racks to reveal", reveal)):
        if given and len(given) != players:
            raise ValueError(f"there must be {players} {what}, not {len(given)}")
    names = names or [f"player_{seat}" for seat in range(players)]
    lines = [_heading(view, rules, names), ""]
    lines += _player_lines(view, names)
    lines += ["", "Table", *_rows(view.melds, color, new_cards(view, before))]
    if view.laid_now:
        lines += ["", "Laid in this turn", *_rows(_by_suit(view.laid_now), color)]
    last = None if view.taken is not None else last_card(view, before)
    row = view.row[: -ROW_SHOWN - 1 : -1]
    lines += ["", _row_title(view), *_rows([row], color, {last})]
    if view.coming:
        lines += ["", "Pool, turned over", *_rows([view.coming], color)]
    shown: list[tuple[int, Sequence[int]]] = [(view.me.seat, view.rack)]
    if reveal:
        shown += [(player.seat, reveal[player.seat]) for player in view.opponents]
    for seat, rack in shown:
        lines += ["", f"Rack of {names[seat]}", *_rows(_by_suit(rack), color)]
    return "\n".join(lines) + "\n"


def _heading(view: View, rules: RummyRules, names: Sequence[str]) -> str:
    mover = names[view.players[view.to_move].seat]
    doing = {
        "draw": f"{mover} to draw",
        "play": f"{mover} to play",
        "over": "the match is over",
    }
    over = view.phase == "over"
    number = view.round if over else view.round + 1
    hand = (
        f"Hand {number}" if rules.hands is None else f"Hand {number} of {rules.hands}"
    )
    parts = [hand]
    if rules.target is not None:
        parts[0] += f" to {rules.target} points"
    if not over:
        parts.append(f"turn {view.turn + 1}")
    parts += [f"{plural(view.pool_size, 'card')} in the pool", doing[view.phase]]
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
        f"{'>' if is_mover else ' '} {name}  {plural(player.rack_size, 'card'):>8}  "
        f"{player.laid:>2} laid  score: {player.total:g}"
    )
    if player.known:
        line += f"  known: {format_cards(player.known)}"
    return line


def _row_title(view: View) -> str:
    title = f"Row, {plural(len(view.row), 'card')}, the top card first"
    if view.taken is not None:
        title += f" ({card_name(view.taken)} was taken)"
    return title


def _by_suit(cards: Iterable[int]) -> list[list[int]]:
    suits: dict[int, list[int]] = {}
    for card in cards:
        suits.setdefault(card // NUM_RANKS, []).append(card)
    return list(suits.values())


def _rows(
    rows: Iterable[Sequence[int]], color: bool, new: Collection[int | None] = ()
) -> list[str]:
    """Returns a line for each row of cards."""
    lines = [
        "  " + " ".join(_shown(card, color, card in new) for card in row)
        for row in rows
        if row
    ]
    return lines or ["  none"]


def _shown(card: int, color: bool, is_new: bool) -> str:
    name = card_name(card)
    if not color:
        return name
    return colored(name, ANSI_RED if name[1] in "dh" else "", is_new)
