"""The rules of Rummikub: every option, and six presets.

Sources named below: *official* is the retail sheet of Lemada, Goliath and Pressman;
*sabra*, *online* and *triple_s* are three published descriptions of the Sabra game (a
class handout, the page of an online game, a video); *tournament* is the New Zealand
Rummikub Club (2024) with Mind Sports Olympiad. Where a source is silent the value is
ours, and the field says so.

*manipulation* is a relative with playing cards that is played on the same table: one
deck of 52 cards and a joker, ten cards each, any meld opens, and all melds may be
rebuilt whenever a card is added. Its colors are the suits. What its source does not say
is as in *official*. It lacks the draw of up to three cards in one turn and the fifth
player, and who has laid no meld yet may not add to those of others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from rummi_env.core.options import (
    GameRules,
    either,
    flag,
    none_or,
    one_of,
    option,
    pair_of,
    seconds,
    whole,
)
from rummi_env.core.tiles import JOKER, NUM_COUNTS, NUM_NUMBERS, Counts

__all__ = ["GameRules", "RuleSet"]

# Bounds that no source gives. Penalties and points stay small enough for sums of a
# whole match to fit 32 bits.
MAX_PENALTY = 10
MAX_POINTS = 10_000
MAX_ROUNDS = 100
MAX_SECONDS = 86_400  # a day
MAX_TURN_ACTIONS = 1_000

MIN_PLAYERS = 2
MAX_PLAYERS = 4


@dataclass(frozen=True, kw_only=True)
class RuleSet(GameRules):
    """Rules of Rummikub, `official` by default.

    >>> RuleSet.preset("sabra", opening_points=40).joker_source
    'rack_or_table'
    >>> print(RuleSet(rounds=3))
    RuleSet.preset('official', rounds=3)

    Raises:
        ValueError: A field has a value that it does not take, or `joker_source` or
            `joker_reuse` is given although jokers are free.
    """

    opening_points: int = option(30, whole(0, MAX_POINTS))
    """What a player's first melds must be worth together: 30 in all sources.

    manipulation: 0, any meld will do.
    """

    manipulate_on_opening_turn: bool = option(False, flag())
    """Whether the turn of the opening may go on with the table's melds.

    sabra: yes, by its wording. online and tournament: no. official leaves it open and
    triple_s says nothing; False and True there are ours.
    """

    joker_release: Literal["free", "exact"] = option("free", one_of("free", "exact"))
    """How a joker leaves its meld.

    ``free``: by any rearrangement that ends in legal melds, as the official sheet
    amounts to; that a retrieved joker goes into a *new* set is not modelled, as no
    source says when a joker counts as retrieved. ``exact``: a tile that it stands for
    must take its place (sabra, triple_s, tournament). online is silent; free is ours.
    """

    joker_source: Literal["rack", "rack_or_table"] | None = option(
        None, none_or(one_of("rack", "rack_or_table"))
    )
    """Exact jokers only: where the tile that releases one comes from.

    triple_s: the rack. tournament: rack or table. sabra is silent; rack or table is
    ours, and the default when jokers are exact.
    """

    joker_reuse: Literal["any_meld", "new_meld_from_rack"] | None = option(
        None, none_or(one_of("any_meld", "new_meld_from_rack"))
    )
    """Exact jokers only: where a released joker may go.

    sabra and tournament: any meld, the default when jokers are exact. triple_s: a new
    meld with tiles of the rack only.
    """

    jokers_per_meld: int = option(2, whole(1, 2))
    """Most jokers in one meld: 2 (online, tournament); elsewhere unsaid, so ours."""

    joker_rack_value: int = option(30, whole(0, MAX_POINTS))
    """What a joker left on the rack costs: 30 in most sources, 100 in tournament."""

    turn_seconds: float | None = option(60, none_or(seconds(MAX_SECONDS)))
    """Time for a turn: 60 (official, sabra), 120 (triple_s), 40 (tournament).

    online names no figure; 60 there is ours. None: no limit.
    """

    timeout_penalty: int = option(1, whole(0, MAX_PENALTY))
    """Tiles drawn when the time ran out and nothing was laid down.

    official and triple_s: 1. sabra and tournament: 3. online is silent; 1 is ours.
    """

    unfinished_penalty: int = option(3, whole(0, MAX_PENALTY))
    """Tiles drawn when the time ran out with tiles laid down.

    official, sabra and tournament: 3. triple_s: 1. online is silent; 1 is ours.
    """

    illegal_penalty: int = option(3, whole(0, MAX_PENALTY))
    """Tiles drawn for an illegal turn: 3; for online, which cannot have one, ours."""

    pool_empty: Literal["immediate", "one_more_turn", "until_stuck"] = option(
        "until_stuck", one_of("immediate", "one_more_turn", "until_stuck")
    )
    """When a round ends after the pool ran out and nobody is out.

    official: once every player has passed in succession. sabra: at once. online and
    tournament: after one more turn for each. triple_s is silent; until_stuck is ours.
    """

    must_play_when_pool_empty: bool = option(True, flag())
    """Whether passing is forbidden with an empty pool while a play exists.

    official and tournament: yes. sabra and online: no. triple_s is silent; no is ours.
    """

    pool_empty_scoring: Literal["difference", "sum_minus_winner_once"] = option(
        "difference", one_of("difference", "sum_minus_winner_once")
    )
    """How racks are scored when the pool ran out and nobody is out.

    ``difference``: each loser scores minus what the rack exceeds the lowest by, the
    winner the sum (official, online, tournament; for triple_s ours).
    ``sum_minus_winner_once``: losers lose their racks and the winner gets their sum
    less the own rack, as sabra says literally; not zero-sum.
    """

    unopened_penalty: tuple[int, int] | None = option(
        None, none_or(pair_of(whole(0, MAX_POINTS)))
    )
    """What a player who never opened is charged instead of the rack.

    A pair: without an opening in the final rack, and with one. tournament: (100, 200);
    the others have no such rule.
    """

    redeal_on_three_pairs: bool = option(False, flag())
    """Whether three pairs of identical tiles in the deal allow to demand a new deal.

    tournament only.
    """

    rounds: int = option(1, whole(1, MAX_ROUNDS))
    """Rounds of a match: three to five in triple_s, one elsewhere."""

    match_winner: Literal["points", "rounds_won"] = option(
        "points", one_of("points", "rounds_won")
    )
    """Who wins a match: the highest total, or the most rounds and then the total.

    One official sheet (Pressman) counts rounds; all other sources count points.
    """

    starter: Literal["draw", "random", "rotate"] | int = option(
        "draw",
        either(one_of("draw", "random", "rotate"), whole(0, MAX_PLAYERS - 1)),
    )
    """Who starts a round: the highest tile drawn, chance, each in turn, or a seat.

    All sources but online, which is silent, draw for it; random there is ours.
    """

    turn_actions: int | None = option(None, none_or(whole(1, MAX_TURN_ACTIONS)))
    """Most actions in one turn, the one that ends it included; ours. None: no limit."""

    numbers: int = option(NUM_NUMBERS, whole(3, NUM_NUMBERS))
    """Deck: numbers 1 to this; 13 in all sources, fewer for small games."""

    colors: int = option(4, whole(2, 4))
    """Deck: the first so many of K, R, B, O; with 2 there are no groups."""

    copies: int = option(2, whole(1, 2))
    """Deck: how often each numbered tile exists; twice, but once in manipulation."""

    jokers: int = option(2, whole(0, 2))
    """Deck: how many jokers; two, but one in manipulation."""

    rack_size: int = option(14, whole(1, 30))
    """Tiles dealt to each player; 14, but 10 in manipulation."""

    GAME = "rummikub"

    PRESETS: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "official": {},
        "sabra": {
            "manipulate_on_opening_turn": True,
            "joker_release": "exact",
            "joker_source": "rack_or_table",
            "joker_reuse": "any_meld",
            "timeout_penalty": 3,
            "pool_empty": "immediate",
            "must_play_when_pool_empty": False,
            "pool_empty_scoring": "sum_minus_winner_once",
        },
        "online": {
            "unfinished_penalty": 1,
            "pool_empty": "one_more_turn",
            "must_play_when_pool_empty": False,
            "starter": "random",
        },
        "triple_s": {
            "manipulate_on_opening_turn": True,
            "joker_release": "exact",
            "joker_source": "rack",
            "joker_reuse": "new_meld_from_rack",
            "turn_seconds": 120,
            "unfinished_penalty": 1,
            "must_play_when_pool_empty": False,
            "rounds": 3,
        },
        "tournament": {
            "joker_release": "exact",
            "joker_source": "rack_or_table",
            "joker_reuse": "any_meld",
            "joker_rack_value": 100,
            "turn_seconds": 40,
            "timeout_penalty": 3,
            "pool_empty": "one_more_turn",
            "unopened_penalty": (100, 200),
            "redeal_on_three_pairs": True,
        },
        "manipulation": {
            "opening_points": 0,
            "manipulate_on_opening_turn": True,
            "copies": 1,
            "jokers": 1,
            "rack_size": 10,
        },
    }
    """Per preset what differs from `official`."""

    def __post_init__(self) -> None:
        """Check every field, and that the exact jokers' fields go with the release."""
        super().__post_init__()
        defaults = {"joker_source": "rack_or_table", "joker_reuse": "any_meld"}
        for name, default in defaults.items():
            value = getattr(self, name)
            if self.joker_release == "exact" and value is None:
                object.__setattr__(self, name, default)
            elif self.joker_release == "free" and value is not None:
                raise ValueError(
                    f"{name} must be None when joker_release is 'free', not {value!r}"
                )

    def replace(self, **overrides: Any) -> Self:
        """Return the same rules with some fields set otherwise.

        Freeing the jokers clears the fields of exact jokers that are not given.

        Raises:
            ValueError: There is no such field, or a value is refused.
        """
        if overrides.get("joker_release") == "free":
            overrides = {"joker_source": None, "joker_reuse": None, **overrides}
        return super().replace(**overrides)

    @cached_property
    def deck(self) -> Counts:
        """All tiles of the deck, read-only int8[53]."""
        counts = np.zeros(NUM_COUNTS, dtype=np.int8)
        for color in range(self.colors):
            first = color * NUM_NUMBERS
            counts[first : first + self.numbers] = self.copies
        counts[JOKER] = self.jokers
        counts.flags.writeable = False
        return counts

    @property
    def num_tiles(self) -> int:
        """How many tiles the deck has."""
        return self.colors * self.numbers * self.copies + self.jokers

    def check_players(self, num_players: int) -> None:
        """Refuse a number of players that the game or the deck does not allow.

        The racks must fit into the deck; the pool may be empty from the start.

        Raises:
            ValueError: There are not 2 to 4 players, or too few tiles to deal.
        """
        if not whole(MIN_PLAYERS, MAX_PLAYERS).accepts(num_players):
            raise ValueError(
                f"num_players must be an integer from {MIN_PLAYERS} to {MAX_PLAYERS}, "
                f"not {num_players!r}"
            )
        needed = num_players * self.rack_size
        if needed > self.num_tiles:
            raise ValueError(
                f"the deck is too small: {num_players} racks of {self.rack_size} need "
                f"{needed} tiles, the deck has {self.num_tiles}"
            )
