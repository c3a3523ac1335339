"""The action space of Rummy pe tabla: numbers, words, and why an action is legal.

``0..52`` discard a tile of that kind, and while doubles are declared ``0..51`` declare
the double of that kind. ``53..105`` throw a tile of kind 0 to 52 and close. 106 draws
from the pool, 107 draws the last discard, 108 ends the declaration of doubles. With
``refuse_with_three_doubles`` 109 demands a new deal.

Doubles are declared in ascending order, so that every choice of doubles is one sequence
of actions; for the same reason a later double rules out the earlier ones.
"""

from __future__ import annotations

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.notation import format_tiles, parse_tile
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, Counts, tile_name
from rummi_env.games.tabla.dealing import DOUBLES_FOR_NEW_DEAL
from rummi_env.games.tabla.solver import FormSolver
from rummi_env.games.tabla.state import (
    DECLARED,
    DRAW_POOL,
    DRAW_ROW,
    FIRST_CLOSE,
    NEW_DEAL,
    num_actions,
)
from rummi_env.observation.tabla.view import View

POOL_TEXT = "draw from the pool"
ROW_TEXT = "draw the last discard"
DECLARED_TEXT = "declare no more doubles"
NEW_DEAL_TEXT = "demand a new deal"
DEAL_ENDS_TEXT = "let the deal end"

WORDS = {
    POOL_TEXT: DRAW_POOL,
    "draw": DRAW_POOL,
    "pool": DRAW_POOL,
    DEAL_ENDS_TEXT: DRAW_POOL,
    ROW_TEXT: DRAW_ROW,
    "row": DRAW_ROW,
    DECLARED_TEXT: DECLARED,
    "done": DECLARED,
}
"""What actions without a tile are called."""

CLOSE_WORDS = ("throw", "close with", "close")
"""What closing is called, the tile behind it."""


def action_planes(rules: TablaRules) -> tuple[int, ...]:
    """Returns the first actions of those that stand for the 52 kinds in order."""
    return (0, FIRST_CLOSE)


def check_action(action: int, rules: TablaRules) -> None:
    """Refuses what is no action.

    Raises:
        ValueError: there is no such action.
    """
    last = num_actions(rules) - 1
    if not 0 <= action <= last:
        raise ValueError(f"an action is a number from 0 to {last}, not {action!r}")


def action_to_text(action: int, rules: TablaRules, view: View | None = None) -> str:
    """Returns what an action does, in words.

    Args:
        action: its number.
        rules: the rules of the game.
        view: what the seat to move sees; with it 0 to 51 and 106 are called what they
            do there.

    Raises:
        ValueError: there is no such action.

    >>> action_to_text(12, TablaRules()), action_to_text(105, TablaRules())
    ('discard K13', 'throw a joker and close')
    """
    check_action(action, rules)
    if action == NEW_DEAL:
        return NEW_DEAL_TEXT
    if action == DECLARED:
        return DECLARED_TEXT
    if action == DRAW_ROW:
        if view is not None and view.row:
            return f"draw {_name(view.row[-1])} from the row"
        return ROW_TEXT
    if action == DRAW_POOL:
        empty = view is not None and view.phase == "draw" and not view.pool_size
        return DEAL_ENDS_TEXT if empty else POOL_TEXT
    if action >= FIRST_CLOSE:
        return f"throw {_name(action - FIRST_CLOSE)} and close"
    if view is not None and view.phase == "doubles" and action != JOKER:
        return f"declare the double {tile_name(action)}"
    return f"discard {_name(action)}"


def text_to_action(text: str, rules: TablaRules) -> int:
    """Returns the action that a text means.

    Besides what `action_to_text` writes it may be a tile alone (``K13``, ``J``) to
    discard it, ``close K13``, ``draw`` or ``pool``, ``row``, ``declare K13`` and
    ``done``.

    Raises:
        ValueError: the text means no action of these rules.

    >>> text_to_action("close with R7", TablaRules())
    72
    """
    words = " ".join(text.lower().split())
    if words in WORDS:
        return WORDS[words]
    if words == NEW_DEAL_TEXT and rules.refuse_with_three_doubles:
        return NEW_DEAL
    if words.startswith("draw ") and words.endswith(" from the row"):
        return DRAW_ROW
    tile, first = words, 0
    for word in CLOSE_WORDS:
        if words.startswith(word + " "):
            tile, first = words.removeprefix(word), FIRST_CLOSE
            break
    for word in ("discard ", "declare the double ", "declare "):
        tile = tile.removeprefix(word)
    tile = tile.removesuffix(" and close").strip()
    try:
        return first + parse_tile("J" if tile == "a joker" else tile)
    except ValueError:
        more = f", {NEW_DEAL_TEXT!r}" if rules.refuse_with_three_doubles else ""
        raise ValueError(
            f"{text!r} is no action: one is written 'discard K13', 'close with K13', "
            f"'declare K13', {POOL_TEXT!r}, {ROW_TEXT!r}, {DECLARED_TEXT!r}{more}"
        ) from None


def explain(action: int, view: View, solver: FormSolver, legal: bool) -> str:
    """Says in a sentence why an action is legal or not.

    Args:
        action: its number.
        view: what the seat to move sees.
        solver: of the rules of the game.
        legal: whether the mask has the action.

    Raises:
        ValueError: there is no such action.
    """
    if legal:
        return why_legal(action, view, solver)
    return str(refusal(action, view, solver))


def why_legal(action: int, view: View, solver: FormSolver) -> str:
    """Says why a legal action is legal.

    Raises:
        ValueError: there is no such action.
    """
    words = action_to_text(action, solver.rules, view)
    if action == NEW_DEAL:
        return f"legal: {words}, as there are {DOUBLES_FOR_NEW_DEAL} doubles or more"
    if action == DECLARED:
        return f"legal: {words}, as a double may always be kept"
    if action in (DRAW_POOL, DRAW_ROW):
        return f"legal: {words}, as a turn begins with a draw"
    if action >= FIRST_CLOSE:
        rest = _without(view.rack, action - FIRST_CLOSE)
        best = solver.best_form(rest)
        if best is not None:
            form, points = best
            shown = solver.arrangement(rest, form.name)
            return (
                f"legal: {words}; the other tiles show {form.romanian}, {points} "
                f"points: {shown}"
            )
    if view.phase == "doubles":
        return f"legal: {words}, as the rack has two of them"
    return f"legal: {words}, as a turn ends with a discard"


def refusal(action: int, view: View, solver: FormSolver) -> IllegalAction:
    """Says why an illegal action is illegal, as the exception to raise.

    Raises:
        ValueError: there is no such action.
    """
    words = action_to_text(action, solver.rules, view)
    reason, why = _reason(action, view, solver)
    return IllegalAction(reason, f"illegal: {words}; {why}")


def _reason(action: int, view: View, solver: FormSolver) -> tuple[Reason, str]:
    wrong_phase = _wrong_phase(action, view)
    if wrong_phase:
        return Reason.NOT_NOW, wrong_phase
    if view.phase == "draw":
        return Reason.ROW_CLOSED, _why_row_closed(view, solver.rules)
    if view.phase == "doubles":
        return Reason.NO_DOUBLE, _why_no_double(action, view, solver.rules)
    kind = action - FIRST_CLOSE if action >= FIRST_CLOSE else action
    if not view.rack[kind]:
        return Reason.TILE_NOT_IN_RACK, f"there is no {tile_name(kind)} on the rack"
    if action < FIRST_CLOSE:
        return Reason.JUST_DRAWN, "a tile from the row is not discarded at once"
    rest = _without(view.rack, kind)
    distances = solver.distances(rest)
    name = min(distances, key=lambda name: distances[name])
    return (
        Reason.NO_FORM,
        f"{format_tiles(rest)} have no form that is played; the nearest is {name}, "
        f"{distances[name]} {'tile' if distances[name] == 1 else 'tiles'} away",
    )


def _wrong_phase(action: int, view: View) -> str:
    """Says what is asked instead of an action of another phase, or nothing."""
    if view.phase == "over":
        return "the match is over"
    phase = "discard"
    if action in (DRAW_POOL, DRAW_ROW):
        phase = "draw"
    elif action in (DECLARED, NEW_DEAL) or (view.phase == "doubles" and action < JOKER):
        phase = "doubles"
    if phase == view.phase:
        return ""
    return {
        "doubles": "first every player declares doubles",
        "draw": "a turn begins with a draw",
        "discard": "a tile has to be discarded now, or thrown to close",
    }[view.phase]


def _why_row_closed(view: View, rules: TablaRules) -> str:
    if not rules.draw_discard:
        return "the rules do not let discards be drawn"
    if view.row and view.row[-1] == JOKER and not rules.discard_joker_takeable:
        return "a discarded joker may not be drawn"
    return "the very first discard may not be drawn"


def _why_no_double(action: int, view: View, rules: TablaRules) -> str:
    if action == NEW_DEAL:
        if view.declared.any():
            return "a new deal is demanded before any double is declared"
        return f"that takes {DOUBLES_FOR_NEW_DEAL} doubles"
    if not rules.exchange_doubles:
        return "the rules do not let doubles be exchanged"
    if view.rack[action] < 2:
        return f"the rack has no two {tile_name(action)}"
    return "doubles are declared in ascending order"


def _without(rack: Counts, kind: int) -> Counts:
    rest = rack.copy()
    rest[kind] -= 1
    return rest


def _name(kind: int) -> str:
    return "a joker" if kind == JOKER else tile_name(kind)
