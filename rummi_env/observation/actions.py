"""The action space of Rummikub: numbers, words, and why an action is legal or not.

``0..51`` play the tile of that kind, 52 plays a joker and 53 ends the turn. With exact
jokers ``54..105`` say that some joker on the table after this turn stands for the tile
of kind 0 to 51, be it one of the rack, one that is held or one that is released. With
``redeal_on_three_pairs`` the last action demands a new deal.
"""

from __future__ import annotations

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.notation import format_tiles, parse_tile
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_KINDS, tile_name
from rummi_env.games.rummikub.state import END_TURN
from rummi_env.observation.view import View
from rummi_env.solver.exact import Turn
from rummi_env.solver.unions import FIRST_NAME

END_TEXT = "end the turn"
REDEAL_TEXT = "demand a new deal"

END_WORDS = (
    END_TEXT,
    "end",
    "lay down",
    "draw",
    "draw a tile",
    "pass",
    "keep the rack",
)
"""All that action 53 is called; which of them it is depends on the turn."""


def num_actions(rules: RuleSet) -> int:
    """Returns how many actions there are: 54 or 106, and one more with redeals.

    >>> num_actions(RuleSet.preset("official"))
    54
    """
    exact = rules.joker_release == "exact"
    return END_TURN + 1 + NUM_KINDS * exact + rules.redeal_on_three_pairs


def action_planes(rules: RuleSet) -> tuple[int, ...]:
    """Returns the first actions of those that stand for the 52 kinds in order."""
    return (0, FIRST_NAME) if rules.joker_release == "exact" else (0,)


def check_action(action: int, rules: RuleSet) -> None:
    """Refuses what is no action.

    Raises:
        ValueError: there is no such action.
    """
    last = num_actions(rules) - 1
    if not 0 <= action <= last:
        raise ValueError(f"an action is a number from 0 to {last}, not {action!r}")


def action_to_text(action: int, rules: RuleSet, view: View | None = None) -> str:
    """Returns what an action does, in words.

    Args:
        action: its number.
        rules: the rules of the game.
        view: what the seat to move sees; with it action 53 is called what it does.

    Raises:
        ValueError: there is no such action.

    >>> action_to_text(12, RuleSet.preset("official"))
    'play K13'
    """
    check_action(action, rules)
    if rules.redeal_on_three_pairs and action == num_actions(rules) - 1:
        return REDEAL_TEXT
    if action > END_TURN:
        return f"name a joker {tile_name(action - FIRST_NAME)}"
    if action < END_TURN:
        return f"play {_name(action)}"
    if view is None:
        return END_TEXT
    if view.phase == "redeal":
        return "keep the rack"
    if view.played.any():
        return f"lay down {format_tiles(view.played)}"
    return "draw a tile" if view.pool_size else "pass"


def text_to_action(text: str, rules: RuleSet) -> int:
    """Returns the action that a text means.

    Besides what `action_to_text` writes it may be a tile alone (``K13``, ``J``,
    ``J=K13``) or ``end``, ``draw``, ``pass`` and ``lay down``.

    Raises:
        ValueError: the text means no action of these rules.

    >>> text_to_action("play K13", RuleSet.preset("official"))
    12
    """
    words = " ".join(text.lower().split())
    if words in END_WORDS or words.startswith("lay down "):
        return END_TURN
    if words == REDEAL_TEXT and rules.redeal_on_three_pairs:
        return num_actions(rules) - 1
    tile = words.removeprefix("play ").replace("name a joker ", "j=")
    joker, named, kind = tile.partition("=")
    try:
        if not named:
            return parse_tile("J" if tile == "a joker" else tile)
        if joker == "j" and rules.joker_release == "exact":
            number = parse_tile(kind)
            if number != JOKER:
                return FIRST_NAME + number
    except ValueError:
        pass
    more = f", {REDEAL_TEXT!r}" if rules.redeal_on_three_pairs else ""
    raise ValueError(
        f"{text!r} is no action: one is written 'play K13', 'play a joker', "
        f"{END_TEXT!r}{more}"
    )


def explain(action: int, view: View, turn: Turn, legal: bool) -> str:
    """Says in a sentence why an action is legal or not.

    Args:
        action: its number.
        view: what the seat to move sees.
        turn: the turn of that seat.
        legal: whether the mask has the action.

    Raises:
        ValueError: there is no such action.
    """
    return why_legal(action, view, turn) if legal else str(refusal(action, view, turn))


def why_legal(action: int, view: View, turn: Turn) -> str:
    """Says why a legal action is legal."""
    words = action_to_text(action, turn.rules, view)
    if view.phase == "redeal":
        return f"legal: {words}, as three pairs were dealt"
    if action == END_TURN and view.played.any():
        return f"legal: {words}, which leaves melds only on the table"
    if action == END_TURN and view.pool_size:
        return f"legal: {words}, as nothing was played"
    if action == END_TURN:
        return f"legal: {words}, as nothing was played and the pool is empty"
    played, named = turn.played.copy(), turn.named.copy()
    if action >= FIRST_NAME:
        named[1 if named[0] >= 0 else 0] = action - FIRST_NAME
    else:
        played[action] += 1
    whole = turn.continued(turn.rack, played, named).best("tiles")
    example = format_tiles(played if whole is None else whole.counts)
    return f"legal: {words}; a legal turn with it is {example}"


def refusal(action: int, view: View, turn: Turn) -> IllegalAction:
    """Says why an illegal action is illegal, as the exception to raise.

    Raises:
        ValueError: there is no such action.
    """
    words = action_to_text(action, turn.rules)
    if view.phase == "over":
        return IllegalAction(Reason.NOT_NOW, f"illegal: {words}; the match is over")
    if view.phase == "redeal":
        return IllegalAction(
            Reason.NOT_NOW,
            f"illegal: {words}; first the new deal is demanded or the rack kept",
        )
    if words == REDEAL_TEXT:
        return IllegalAction(
            Reason.NOT_NOW,
            f"illegal: {words}; that is asked before the first turn of a seat that "
            "was dealt three pairs",
        )
    if action == END_TURN:
        return _no_end(words, turn)
    if action >= FIRST_NAME:
        return IllegalAction(
            Reason.JOKER_MISPLACED,
            f"illegal: {words}; in no legal turn does a joker without a name stand for "
            "that",
        )
    if not view.rack[action]:
        return IllegalAction(
            Reason.TILE_NOT_IN_RACK,
            f"illegal: {words}; there is no {tile_name(action)} on the rack",
        )
    besides = f" besides {format_tiles(view.played)}" if view.played.any() else ""
    if view.actions_left is not None:
        besides += f" within {view.actions_left} actions"
    if not turn.opened:
        return IllegalAction(
            Reason.OPENING_TOO_LOW,
            f"illegal: {words}; no opening of own melds worth at least "
            f"{turn.rules.opening_points} has it{besides}",
        )
    return IllegalAction(
        Reason.BROKEN_MELD,
        f"illegal: {words}; no arrangement of the table has it{besides}",
    )


def _no_end(words: str, turn: Turn) -> IllegalAction:
    if not turn.played.any():
        return IllegalAction(
            Reason.NOTHING_PLAYED,
            f"illegal: {words}; the pool is empty and a tile can be played",
        )
    names = format_tiles(turn.played)
    if not turn.opened:
        return IllegalAction(
            Reason.OPENING_TOO_LOW,
            f"illegal: {words}; {names} is no opening of own melds worth at least "
            f"{turn.rules.opening_points}",
        )
    return IllegalAction(
        Reason.BROKEN_MELD,
        f"illegal: {words}; no arrangement of the table has {names} and no more",
    )


def _name(kind: int) -> str:
    return "a joker" if kind == JOKER else tile_name(kind)
