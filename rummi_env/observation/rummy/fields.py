"""The flat observation of Rummy: named slices of one float32 array.

Sets of cards are 52 zeros and ones by the index of `rummi_env.core.cards`; every other
value is a number times the scale of its field.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from rummi_env.core.card_melds import MIN_MELD
from rummi_env.core.cards import NUM_CARDS
from rummi_env.core.rummy_rules import MAX_HANDS, MAX_RACK, RummyRules
from rummi_env.observation.fields import SCORE_SCALE, Field, Layout, size_of
from rummi_env.observation.rummy.view import PHASES

PRIVATE_FIELDS: tuple[str, ...] = ("rack", "loose", "deadwood", "loose_sizes")
"""What only the observer may know; see `rummi_env.observation.history`."""

OPPONENT_FIELDS: tuple[str, ...] = ("known",)
"""What everybody may know and has a row for each opponent."""


@cache
def fields(rules: RummyRules, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of an observation by name, in their order in the array.

    Where players are listed, the observer comes first, then the others in the order of
    play.

    Raises:
        ValueError: there are not 2 to 6 players, or too few cards to deal.

    >>> fields(RummyRules(), 2)["groups"].slice
    slice(104, 156, None)
    """
    dealt = rules.dealt(num_players)
    players = num_players
    by_deck = {"high": NUM_CARDS, "scale": 1 / NUM_CARDS}
    by_dealt = {"high": NUM_CARDS, "scale": 1 / dealt}
    hands = rules.hands or MAX_HANDS
    score = hands * _highest_score(rules)
    layout = Layout()
    add = layout.add
    add("rack", "own rack", NUM_CARDS)
    doc = "loose cards: own ones outside of the best melds that fit none on the table"
    add("loose", doc, NUM_CARDS)
    add("groups", "cards in groups on the table", NUM_CARDS)
    add("runs", "cards in runs on the table", NUM_CARDS)
    add("fits", "cards that fit a meld on the table, wherever they are", NUM_CARDS)
    add("laid_now", "cards laid on the table in this turn", NUM_CARDS)
    add("row", "all discards", NUM_CARDS)
    add("top", "the top card of the row", NUM_CARDS)
    add("taken", "the card taken from the row in this turn", NUM_CARDS)
    doc = "cards that the present pool was made of; none for the first pool"
    add("recycled", doc, NUM_CARDS)
    add("next_card", "the next card of a pool that was turned over", NUM_CARDS)
    doc = "cards of the opponents' racks that everybody saw them get"
    add("known", doc, players - 1, NUM_CARDS)
    rack_costs = (MAX_RACK + 1) * max(rules.ace_value, 10)
    doc = "what the loose cards cost, and what they would with the top card of the row"
    add("deadwood", doc, 2, high=rack_costs, scale=SCORE_SCALE)
    doc = "how many loose cards there are in either case, by the cards dealt"
    add("loose_sizes", doc, 2, **by_dealt)
    add("pool_size", "cards left in the pool, by the deck", 1, **by_deck)
    add("row_size", "discards, by the deck", 1, **by_deck)
    add("rack_sizes", "cards on each rack, by those dealt", players, **by_dealt)
    doc = "cards that each player has laid in this hand, by those dealt"
    add("laid", doc, players, **by_dealt)
    add("melded", "whether each player has melded in this hand", players)
    add("to_move", "whose turn it is", players)
    add("phase", f"what is asked: {', '.join(PHASES)}", len(PHASES))
    melds = (MAX_RACK + 1) // MIN_MELD
    doc = f"melds of this turn, by {melds}, the most that a rack can hold"
    add("melds_now", doc, 1, high=melds, scale=1 / melds)
    pools = max(rules.max_recycles, 1)
    doc = "new pools of this hand, by the most there may be"
    add("recycles", doc, 1, high=pools, scale=1 / pools)
    turns = {"high": rules.max_turns, "scale": 1 / rules.max_turns}
    add("turn", "turns of this hand, by the most there may be", 1, **turns)
    by_hands = {"high": hands, "scale": 1 / hands}
    doc = f"hands that are over, by those of the match or {MAX_HANDS}"
    add("round", doc, 1, **by_hands)
    doc = "score of each player"
    add("totals", doc, players, low=-score, high=score, scale=SCORE_SCALE)
    add("rounds_won", "hands won by each player, likewise", players, **by_hands)
    return layout.placed()


@cache
def hidden_fields(rules: RummyRules, num_players: int) -> Mapping[str, Field]:
    """Returns the fields that a seat may not know, as they follow an observation.

    Raises:
        ValueError: see `fields`.
    """
    layout = Layout(size_of(fields(rules, num_players).values()))
    layout.add("racks", "the opponents' racks", num_players - 1, NUM_CARDS)
    layout.add("pool", "cards left in the pool", NUM_CARDS)
    doc = "the cards that are drawn next, one in each row"
    layout.add("next_cards", doc, num_players, NUM_CARDS)
    return layout.placed()


@cache
def state_fields(rules: RummyRules, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of the privileged state: an observation and what is hidden.

    Raises:
        ValueError: see `fields`.
    """
    return MappingProxyType(
        {**fields(rules, num_players), **hidden_fields(rules, num_players)}
    )


def _highest_score(rules: RummyRules) -> int:
    """Most that a hand can bring or cost: the whole deck, doubled, and the bonus."""
    deck = 4 * (rules.ace_value + sum(range(2, 11)) + 3 * 10)
    return 2 * deck + rules.going_out_bonus
