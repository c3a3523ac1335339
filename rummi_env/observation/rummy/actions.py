"""The action space of Rummy: numbers, words, and why an action is legal or not.

There are 327 actions under all rules; ``card`` is an index of `rummi_env.core.cards`
and ``rank`` one from 0, the ace, to 12, the king:

| actions | meaning |
|---|---|
| ``0`` | draw the next card of the pool; if it is empty, of a new one |
| ``1`` | take the top card of the row |
| ``2 + card`` | discard the card, which ends the turn |
| ``54 + card`` | meld the run of three that begins with the card |
| ``106 + card`` | meld the group of three of the card's rank that lacks the card |
| ``158 + rank`` | meld the group of four of the rank |
| ``171 + card`` | lay the card off on the group of its rank |
| ``223 + card`` | lay the card off before the run that begins above it |
| ``275 + card`` | lay the card off after the run that ends below it |

Nothing is lost by melding runs of three only: a longer run is one of them and cards
laid off on it in the same turn, which costs no second meld where melds are limited,
needs no meld besides its own, and counts alike for going rummy. A card fits at most one
meld in each of the three ways, so that a lay-off needs no number of a meld.
"""

from __future__ import annotations

from functools import cache

from rummi_env.core.cards import NUM_CARDS, NUM_RANKS, RANKS, card_name, format_cards
from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.state import (
    DISCARD,
    DRAW,
    LAY_ABOVE,
    LAY_BELOW,
    LAY_GROUP,
    MELD_FOUR,
    MELD_GROUP,
    MELD_RUN,
    NUM_ACTIONS,
    TAKE,
)
from rummi_env.observation.rummy.view import View

DRAW_TEXT = "draw a card"
TAKE_TEXT = "take the top card"


def num_actions(rules: RummyRules | None = None) -> int:
    """Returns how many actions there are, the same under all rules.

    >>> num_actions()
    327
    """
    return NUM_ACTIONS


def action_planes(rules: RummyRules) -> tuple[int, ...]:
    """Returns the first actions of those that stand for the 52 cards in order."""
    return (DISCARD, MELD_RUN, MELD_GROUP, LAY_GROUP, LAY_BELOW, LAY_ABOVE)


def check_action(action: int) -> None:
    """Refuses what is no action.

    Raises:
        ValueError: there is no such action.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(
            f"an action is a number from 0 to {NUM_ACTIONS - 1}, not {action!r}"
        )


def cards_laid(action: int) -> tuple[int, ...]:
    """Returns the cards that an action lays on the table; none if it lays none.

    Raises:
        ValueError: there is no such action.
    """
    check_action(action)
    if action < MELD_RUN:
        return ()
    if action < MELD_GROUP:
        suit, step = divmod(action - MELD_RUN, NUM_RANKS)
        return tuple(suit * NUM_RANKS + (step + i) % NUM_RANKS for i in range(3))
    if action < MELD_FOUR:
        lacking = action - MELD_GROUP
        same = range(lacking % NUM_RANKS, NUM_CARDS, NUM_RANKS)
        return tuple(card for card in same if card != lacking)
    if action < LAY_GROUP:
        return tuple(range(action - MELD_FOUR, NUM_CARDS, NUM_RANKS))
    return ((action - LAY_GROUP) % NUM_CARDS,)


def action_to_text(action: int) -> str:
    """Returns what an action does, in words.

    Raises:
        ValueError: there is no such action.

    >>> action_to_text(2 + 12), action_to_text(106), action_to_text(275 + 5)
    ('discard Kc', 'meld Ad Ah As', 'lay off 6c after 5c')
    """
    check_action(action)
    if action == DRAW:
        return DRAW_TEXT
    if action == TAKE:
        return TAKE_TEXT
    if action < MELD_RUN:
        return f"discard {card_name(action - DISCARD)}"
    laid = format_cards(cards_laid(action))
    if action < LAY_GROUP:
        return f"meld {laid}"
    card = (action - LAY_GROUP) % NUM_CARDS
    suit, step = divmod(card, NUM_RANKS)
    if action < LAY_BELOW:
        return f"lay off {laid} on the group of {RANKS[step]}"
    if action < LAY_ABOVE:
        higher = suit * NUM_RANKS + (step + 1) % NUM_RANKS
        return f"lay off {laid} before {card_name(higher)}"
    lower = suit * NUM_RANKS + (step - 1) % NUM_RANKS
    return f"lay off {laid} after {card_name(lower)}"


@cache
def _by_text() -> dict[str, int]:
    texts = {action_to_text(action).lower(): action for action in range(NUM_ACTIONS)}
    return {**texts, "draw": DRAW, "take": TAKE}


def text_to_action(text: str) -> int:
    """Returns the action that a text means: what `action_to_text` writes.

    ``draw`` and ``take`` do as well.

    Raises:
        ValueError: the text means no action.

    >>> text_to_action("Discard KC")
    14
    """
    action = _by_text().get(" ".join(text.lower().split()))
    if action is None:
        raise ValueError(
            f"{text!r} is no action: one is written 'draw', 'take', 'discard Kc', "
            "'meld Ac 2c 3c', 'lay off 8s on the group of 8', 'lay off 6c after 5c' "
            "or 'lay off 2c before 3c'"
        )
    return action


def explain(action: int, view: View, rules: RummyRules, legal: bool) -> str:
    """Says in a sentence why an action is legal or not.

    Args:
        action: its number.
        view: what the seat to move sees.
        rules: the rules of the game.
        legal: whether the mask has the action.

    Raises:
        ValueError: there is no such action.
    """
    if not legal:
        return str(refusal(action, view, rules))
    words = action_to_text(action)
    if view.phase == "draw":
        return f"legal: {words}, as a turn begins with a card drawn or taken"
    if action < MELD_RUN:
        return f"legal: {words}, which ends the turn"
    if action < LAY_GROUP:
        return f"legal: {words}, which the rack has"
    return f"legal: {words}, where it fits"


def refusal(action: int, view: View, rules: RummyRules) -> IllegalAction:
    """Says why an illegal action is illegal, as the exception to raise.

    Raises:
        ValueError: there is no such action.
    """
    reason, why = _refusal(action, view, rules)
    return IllegalAction(reason, f"illegal: {action_to_text(action)}; {why}")


def _refusal(action: int, view: View, rules: RummyRules) -> tuple[Reason, str]:
    check_action(action)
    if view.phase == "over":
        return Reason.NOT_NOW, "the match is over"
    if action == TAKE and view.phase == "draw":
        return Reason.NOT_NOW, "the row is empty"
    if action == DRAW and view.phase == "draw":
        return Reason.NOT_NOW, "the pool is empty and the row makes no new one"
    if action in (DRAW, TAKE):
        return Reason.NOT_NOW, "a card has been drawn in this turn"
    if view.phase == "draw":
        return Reason.NOT_NOW, "first a card is drawn or taken"
    cards = cards_laid(action) or (action - DISCARD,)
    missing = [card for card in cards if card not in view.rack]
    if missing:
        which = f"there is no {format_cards(missing)} on the rack"
        return Reason.TILE_NOT_IN_RACK, which
    if action < MELD_RUN:
        return Reason.NOT_NOW, "it was taken from the row in this turn"
    if rules.melding == "hidden":
        return Reason.NOT_NOW, "melds are hidden: nothing is laid on the table"
    if action < LAY_GROUP:
        fault = _meld_fault(action, view, rules)
    else:
        fault = _layoff_fault(action, view, rules)
    if fault:
        return fault
    if view.taken is None or len(view.rack) == len(cards):
        return Reason.NOT_NOW, "the last card has to be discarded"
    return (
        Reason.NOT_NOW,
        f"it would leave {card_name(view.taken)} alone, which was taken from "
        "the row in this turn and could not be played",
    )


def _meld_fault(
    action: int, view: View, rules: RummyRules
) -> tuple[Reason, str] | None:
    limit = rules.max_melds_per_turn
    if limit is not None and view.melds_now >= limit:
        return Reason.NOT_NOW, f"the melds of a turn are limited to {limit}"
    if action < MELD_GROUP:
        step = (action - MELD_RUN) % NUM_RANKS
        last = {"low": 10, "both": 11, "corner": 12}[rules.ace]
        if step > last:
            return Reason.BROKEN_MELD, f"no run goes on after the king: ace={rules.ace}"
    return None


def _layoff_fault(
    action: int, view: View, rules: RummyRules
) -> tuple[Reason, str] | None:
    if rules.layoff_needs_own_meld and not view.me.melded:
        return Reason.NOT_NOW, "who has not melded may not lay off"
    card = (action - LAY_GROUP) % NUM_CARDS
    step = card % NUM_RANKS
    if action < LAY_BELOW:
        rank = {*range(step, NUM_CARDS, NUM_RANKS)} - {card}
        if any(set(meld) == rank for meld in view.melds):
            return None
        return Reason.BROKEN_MELD, f"no group of three {RANKS[step]} lies on the table"
    runs = [meld for meld in view.melds if meld[0] % NUM_RANKS != meld[1] % NUM_RANKS]
    suit = card // NUM_RANKS * NUM_RANKS
    if action < LAY_ABOVE:
        fits = suit + (step + 1) % NUM_RANKS in [run[0] for run in runs]
        crosses = step == 12 and rules.ace != "corner"
    else:
        fits = suit + (step - 1) % NUM_RANKS in [run[-1] for run in runs]
        crosses = (step == 0 and rules.ace == "low") or (
            step == 1 and rules.ace != "corner"
        )
    if fits and not crosses:
        return None
    if fits:
        return Reason.BROKEN_MELD, f"no run goes on there: ace={rules.ace}"
    where = "begins above" if action < LAY_ABOVE else "ends below"
    return Reason.BROKEN_MELD, f"no run {where} it"
