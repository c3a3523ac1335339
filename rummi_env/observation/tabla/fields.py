"""The flat observation of Rummy pe tabla: named slices of one float32 array."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from rummi_env.core.form_points import points_of
from rummi_env.core.forms import FORMS
from rummi_env.core.tabla_rules import (
    MAX_ROUNDS,
    NUM_TILES,
    RACK_SIZE,
    TablaRules,
)
from rummi_env.core.tiles import NUM_COUNTS
from rummi_env.observation.fields import COPIES, Field, Layout, size_of
from rummi_env.observation.tabla.view import LAST_DRAWS, PHASES

PRIVATE_FIELDS: tuple[str, ...] = ("rack", "declared", "known")
"""What only the observer may know; see `rummi_env.observation.history`."""

OPPONENT_FIELDS: tuple[str, ...] = ()
"""What everybody may know and has a row for each opponent."""

MOST_DOUBLES = (RACK_SIZE + 1) // 2
"""Most doubles of one rack."""


@cache
def fields(rules: TablaRules, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of an observation by name, in their order in the array.

    Where players are listed, the observer comes first, then the others in the order of
    play.

    Raises:
        ValueError: there are not 2 to 4 players.

    >>> fields(TablaRules(), 2)["row"].slice
    slice(53, 106, None)
    """
    rules.check_players(num_players)
    players = num_players
    rounds = rules.num_rounds(players)
    score = score_unit(rules)
    highest = rounds * players * _highest_score(rules)
    layout = Layout()
    add = layout.add
    counts = {"high": COPIES}
    add("rack", "own rack", NUM_COUNTS, **counts)
    add("row", "discards that lie in the open", NUM_COUNTS, **counts)
    add("last_discard", "the discard that was made last", NUM_COUNTS)
    add("taken", "the tile that was drawn from the row in this turn", NUM_COUNTS)
    add("atu", "the tile that was turned face up", NUM_COUNTS)
    add("declared", "doubles that the observer has declared so far", NUM_COUNTS)
    doc = "tiles that the observer knows to be on the opponents' racks"
    add("known", doc, players - 1, NUM_COUNTS, **counts)
    doc = "what each player has discarded, whether somebody drew it or not"
    # A tile that is drawn and discarded again counts each time.
    again = {"high": 127, "scale": 1 / COPIES}
    add("discarded", doc, players, NUM_COUNTS, **again)
    by_doubles = {"high": MOST_DOUBLES, "scale": 1 / MOST_DOUBLES}
    doc = "low and high doubles that each player has declared, by the most there can be"
    add("doubles", doc, players, 2, **by_doubles)
    doc = "tiles that each two players have exchanged, by the doubles there can be"
    add("exchanges", doc, players, players, **by_doubles)
    doc = f"where each player drew last: {', '.join(LAST_DRAWS)}"
    add("last_draw", doc, players, len(LAST_DRAWS))
    by_deck = {"high": NUM_TILES, "scale": 1 / NUM_TILES}
    add("pool_size", "tiles left in the pool, by the whole deck", 1, **by_deck)
    add("to_move", "who is to act", players)
    add("starter", "who had the first turn", players)
    add("phase", f"what is asked: {', '.join(PHASES)}", len(PHASES))
    cap = rules.turn_cap
    doc = "turns of this deal that are over, by the most there can be"
    add("turn", doc, 1, high=cap, scale=1 / cap)
    by_rounds = {"high": rounds, "scale": 1 / rounds}
    add("round", "deals that are over, by those of the match", 1, **by_rounds)
    add("rounds", "deals of the match", 1, high=MAX_ROUNDS, scale=1 / MAX_ROUNDS)
    doc = "score of each player, by what the best form played pays"
    add("totals", doc, players, low=-highest, high=highest, scale=1 / score)
    doc = "deals that each player has closed, by those of the match"
    add("rounds_won", doc, players, **by_rounds)
    return layout.placed()


@cache
def hidden_fields(rules: TablaRules, num_players: int) -> Mapping[str, Field]:
    """Returns the fields that a seat may not know, as they follow an observation.

    Raises:
        ValueError: there are not 2 to 4 players.
    """
    layout = Layout(size_of(fields(rules, num_players).values()))
    others = num_players - 1
    layout.add("racks", "the opponents' racks", others, NUM_COUNTS, high=COPIES)
    doc = "doubles that the opponents have declared so far"
    layout.add("others_declared", doc, others, NUM_COUNTS)
    layout.add("pool", "tiles left in the pool", NUM_COUNTS, high=COPIES)
    doc = "the tiles that are drawn next, one in each row"
    layout.add("next_tiles", doc, num_players, NUM_COUNTS)
    return layout.placed()


@cache
def state_fields(rules: TablaRules, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of the privileged state: an observation and what is hidden.

    Raises:
        ValueError: there are not 2 to 4 players.
    """
    return MappingProxyType(
        {**fields(rules, num_players), **hidden_fields(rules, num_players)}
    )


def score_unit(rules: TablaRules) -> int:
    """Returns the points of the best form that is played."""
    return max(max(points_of(form, rules.points)) for form in rules.enabled)


def _highest_score(rules: TablaRules) -> int:
    """Most that one seat can get from another in a deal."""
    factor = 2 if rules.atu_doubles else 1
    most = max(max(points_of(form, rules.points)) for form in FORMS)
    return factor * (most * rules.joker_close_multiplier + rules.atu_twin_bonus)
