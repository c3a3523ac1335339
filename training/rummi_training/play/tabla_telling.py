"""What the page of a seat is told of Rummy pe tabla: only what the seat may know."""

from __future__ import annotations

from typing import Any

from rummi_agents import make_agent
from rummi_agents.protocol import reset
from rummi_env.core.form_points import points_of
from rummi_env.core.notation import parse_tile
from rummi_env.core.shapes import NUM_SHOWN
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, NUM_KINDS, NUM_NUMBERS, tile_name, tiles_of
from rummi_env.games.tabla.state import (
    DECLARED,
    DRAW_POOL,
    DRAW_ROW,
    FIRST_CLOSE,
    NEW_DEAL,
)
from rummi_env.observation.tabla import TablaTurn, View
from rummi_training.play.drafts import Draft
from rummi_training.play.opponents import decide, question
from rummi_training.play.settings import PERSON
from rummi_training.play.tabla_table import TablaTable, closings

TOLD_TURNS = 60
"""Actions of the log that are sent each time."""

SOLVER = {"forms": "nearest forms"}
"""What the solver is asked for, and what that is called."""

HINTED_FORMS = 4
"""Forms that a hint of the solver names."""


def tabla_told(table: TablaTable, seat: int) -> dict[str, Any]:
    """Returns all that a seat may know, in types that JSON knows.

    It is made from the seat's `View`; beyond that only from what lies in the open.
    """
    played = table.played
    match = played.match
    view: View = match.view(seat)
    names = played.settings.names
    mine = match.seat == seat and not match.over
    return {
        "version": table.version,
        "turn": table.turns,
        "seat": seat,
        "phase": view.phase,
        "to_move": match.seat,
        "round": view.round + (view.phase != "over"),
        "pool": view.pool_size,
        "row": [tile_name(tile) for tile in view.row],
        "atu": tile_name(view.atu),
        "players": [
            {
                "seat": player.seat,
                "name": names[player.seat],
                "person": played.settings.players[player.seat] == PERSON,
                "tiles": player.rack_size,
                "known": [tile_name(tile) for tile in tiles_of(player.known)],
                "doubles": list(player.doubles),
                "total": player.total,
                "last": table.last_of(player.seat, seat),
            }
            for player in sorted(view.players, key=lambda player: player.seat)
        ],
        "board": board_told(table.board(seat)),
        "declared": [tile_name(tile) for tile in tiles_of(view.declared)],
        "may": _may(table) if mine else None,
        "rows": [list(row) for row in match.rows],
        "log": [done.told_to(seat) for done in table.log[-TOLD_TURNS:]],
        "last_close": table.last_close,
        "winners": match.shares().tolist() if match.over else None,
        "trouble": table.trouble,
    }


def board_told(board: Draft) -> dict[str, Any]:
    """Returns how a person's tiles lie, and which of them make a run or a group."""
    reasons = [_why_no_meld(meld) for meld in board.melds]
    return {
        "melds": [
            {"tiles": list(meld), "legal": not why, "sentence": why}
            for meld, why in zip(board.melds, reasons, strict=True)
        ],
        "rack": list(board.rack),
    }


def tabla_facts(rules: TablaRules) -> list[str]:
    """Returns what a player should know of the rules, in short sentences."""
    by_points: dict[int, list[str]] = {}
    for form in rules.enabled:
        paid = points_of(form, rules.points)[0]
        by_points.setdefault(paid, []).append(form.romanian)
    lines = [
        "Draw a tile, discard a tile; close when 14 tiles show a form and throw the "
        "fifteenth.",
        *(
            f"{points} from each: {', '.join(names)}."
            for points, names in sorted(by_points.items(), reverse=True)
        ),
    ]
    if rules.joker_close_multiplier > 1:
        lines.append(f"Throwing a joker to close pays {rules.joker_close_multiplier}x.")
    lines.append(
        "The last discard may be drawn instead of a tile of the pool; it is not "
        "discarded in the same turn."
        if rules.draw_discard
        else "Tiles are drawn from the pool alone."
    )
    if rules.exchange_doubles:
        lines.append(
            "Before the first turn doubles can be declared: low ones (2 to 9) are "
            "exchanged for low ones, high ones for high ones, one tile of each."
        )
    lines.append("With an empty pool the deal is void.")
    return lines


def tabla_hint(table: TablaTable, by: str) -> dict[str, Any]:
    """Returns the nearest forms by the solver, or what an agent would do.

    Raises:
        ValueError: there is no such agent, or it chose an illegal action.
    """
    match = table.played.match
    turn: TablaTurn = match.turn()
    if by in SOLVER:
        can = closings(table)
        if can:
            best = can[0]
            return _hinted(
                f"Throw {best['tile']}: {best['form']} for {best['points']}.",
                best["melds"],
            )
        if turn.view.rack.sum() < NUM_SHOWN:
            return _hinted("")
        distances = turn.solver.distances(turn.view.rack)
        order = sorted(turn.rules.enabled, key=lambda form: distances[form.name])
        near = ", ".join(
            f"{form.romanian} {distances[form.name]}" for form in order[:HINTED_FORMS]
        )
        return _hinted(f"Tiles missing to the nearest forms: {near}.")
    agent = make_agent(by, "tabla")
    reset(agent)
    action = decide(agent, question(match), (table.turns,)).action
    if not 0 <= action < len(match.mask) or not match.mask[action]:
        raise ValueError(f"{by} has chosen an illegal action: {action}")
    return _hinted(f"{by} would {match.game.action_text(action)}.")


def _hinted(sentence: str, melds: list[str] | None = None) -> dict[str, Any]:
    told = None if melds is None else [{"tiles": meld.split()} for meld in melds]
    return {"sentence": sentence, "tiles": [], "melds": told}


def _may(table: TablaTable) -> dict[str, Any]:
    """Returns what the seat to move may do."""
    match = table.played.match
    mask = match.mask
    doubles = match.view(match.seat).phase == "doubles"
    tiles = [tile_name(kind) for kind in range(JOKER + 1) if mask[kind]]
    return {
        "pool": bool(mask[DRAW_POOL]),
        "row": bool(mask[DRAW_ROW]),
        "declare": tiles if doubles else [],
        "done": bool(mask[DECLARED]),
        "redeal": len(mask) > NEW_DEAL and bool(mask[NEW_DEAL]),
        "discard": [] if doubles else tiles,
        "close": closings(table) if mask[FIRST_CLOSE:DRAW_POOL].any() else [],
    }


def _why_no_meld(words: tuple[str, ...]) -> str:
    """Says why tiles that lie together are neither a run nor a group, or nothing."""
    tiles = [parse_tile(word) for word in words]
    if len(tiles) < 3:
        return "a run or a group has three tiles or more"
    kinds = [tile for tile in tiles if tile < NUM_KINDS]
    jokers = len(tiles) - len(kinds)
    colors = {kind // NUM_NUMBERS for kind in kinds}
    numbers = [kind % NUM_NUMBERS + 1 for kind in kinds]
    if len(set(numbers)) <= 1 and len(colors) == len(kinds) and len(tiles) <= 4:
        return ""
    if len(colors) > 1:
        return "these are neither of one color nor of one number in different colors"
    # The 1 lies before the 2 or after the 13, and two of them at both ends.
    for high in range(min(numbers.count(1), 2) + 1):
        places = sorted(numbers)
        places = places[high:] + [NUM_NUMBERS + 1] * high
        span = places[-1] - places[0] + 1
        free = span - len(places)
        room = len(tiles) <= NUM_NUMBERS + 1
        if len(set(places)) == len(places) and free <= jokers and room:
            return ""
    return "the numbers do not follow one another"
