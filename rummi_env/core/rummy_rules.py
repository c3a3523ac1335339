"""The rules of basic Rummy with 52 cards: every option, and four presets.

Sources named below: *basic* is a general description of the game for two to six
players; *pagat* is pagat.com's "Basic Rummy"; *Katz* is a book of card games by N.
Katz. Where a source is silent the value is ours, and the field says so. Paragraphs like
B.3 are those of part B of the project's rules document.

Of the relatives of the game straight gin is a preset. What the others lack:

- Gin with knocking: an end of the hand in which the opponent of the knocker lays off,
  and the undercut. Oklahoma gin sets the limit for knocking by the first upcard;
  Hollywood gin keeps three scores at once; both rest on it.
- Three Thirteen: ranks that are wild, a rack that grows from hand to hand, a last turn
  for the others, a second deck. A set of cards here has each card once.
- Phase 10: a deck of its own with wild and skip cards, a contract for each hand.
- Canasta: partners, two decks with jokers, melds that are frozen and counted; a core of
  its own.
- Manipulation is played on the table of Rummikub, which may be rearranged: it is the
  preset ``manipulation`` of `RuleSet`, which says what is missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from rummi_env.core.cards import NUM_CARDS
from rummi_env.core.options import GameRules, flag, none_or, one_of, option, whole

MIN_PLAYERS = 2
MAX_PLAYERS = 6

MAX_RACK = 13
"""Most cards dealt to a player; no source deals more."""

MAX_HANDS = 1_000
"""Hands after which a match to a target is over in any case; ours, no source has it."""

DEALT = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
"""Cards dealt to each player, by the number of players (basic, pagat)."""


@dataclass(frozen=True, kw_only=True)
class RummyRules(GameRules):
    """Rules of Rummy with a deck of 52 cards, `basic` by default.

    >>> RummyRules.preset("pagat", ace="both").ace_value
    15
    >>> print(RummyRules(hands=3))
    RummyRules.preset('basic', target=None, hands=3)

    Raises:
        ValueError: A field has a value that it does not take.
    """

    rack_size: int | None = option(None, none_or(whole(3, MAX_RACK)))
    """Cards dealt to each player (B.1); None: 10 for two, 7 for three or four, or 6."""

    ace: Literal["low", "both", "corner"] = option(
        "low", one_of("low", "both", "corner")
    )
    """Where an ace stands in a run (B.3).

    ``low``: below the 2 only (basic, pagat). ``both``: below the 2 or above the king
    (a variant in basic). ``corner``: also between them, K-A-2 (other sources' variant).
    An ace that may be high counts 15 instead of 1; for ``corner`` that is ours.
    """

    melding: Literal["open", "hidden"] = option("open", one_of("open", "hidden"))
    """Whether melds are laid on the table in the course of the hand (B.9).

    ``hidden``: nothing is laid; a player goes out with a discard that leaves nothing
    but melds on the rack, and the cards of melds on the other racks cost nothing, as in
    straight gin. That such a discard always goes out is ours.
    """

    max_melds_per_turn: int | None = option(None, none_or(whole(1, MAX_RACK)))
    """Most melds in one turn; cards laid off do not count (B.2). pagat: 1.

    basic names no limit, and none is ours: its going rummy needs several.
    """

    layoff_needs_own_meld: bool = option(False, flag())
    """Whether only who has melded may lay off: a variant in Katz (B.4)."""

    must_discard_last: bool = option(False, flag())
    """Whether going out needs a last card to discard: a variant in basic (B.5)."""

    recycle: Literal["shuffle", "turn_over", "none"] = option(
        "shuffle", one_of("shuffle", "turn_over", "none")
    )
    """What becomes of the row when a player draws from an empty pool (B.6).

    ``shuffle``: all but its top card is shuffled into a new pool (basic).
    ``turn_over``: all of it is turned over, its order kept (pagat). ``none``: there is
    no new pool, as in Block Rummy.
    """

    max_recycles: int = option(2, whole(0, 10))
    """How often a hand gets a new pool (B.6); ours, as play could go on without an end.

    The hand is blocked when a player has to draw, the pool is empty and none is left.
    """

    max_turns: int = option(400, whole(1, 10_000))
    """Turns after which a hand is blocked; ours, for players who only take discards."""

    block_score: Literal["none", "low_hand_wins", "each_penalty"] = option(
        "none", one_of("none", "low_hand_wins", "each_penalty")
    )
    """How a blocked hand is scored (B.6).

    ``none``: not at all, which is ours. ``low_hand_wins``: the lowest rack gets what
    the others exceed it by; those who tie share. ``each_penalty``: each loses the own
    rack. Both are variants that no source prefers.
    """

    rummy_doubles: bool = option(True, flag())
    """Whether going out in one turn, nothing laid before, doubles (basic; B.7)."""

    going_out_bonus: int = option(0, whole(0, 100))
    """Points on top for going out, not doubled; 25 in gin, 0 in basic Rummy."""

    scoring: Literal["winner_collects", "penalty"] = option(
        "winner_collects", one_of("winner_collects", "penalty")
    )
    """Who scores when a player goes out (B.7).

    ``winner_collects``: the player gets the value of all other racks (basic, pagat).
    ``penalty``: each of the others loses the own rack (a variant in Katz).
    """

    target: int | None = option(None, none_or(whole(1, 10_000)))
    """Points that end a match, won or, with ``penalty``, lost (B.7); basic: 150.

    None without ``hands`` either is read as 150.
    """

    hands: int | None = option(None, none_or(whole(1, MAX_HANDS)))
    """Hands that end a match, None: as many as the target takes. Highest total wins."""

    GAME = "rummy"

    PRESETS: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "basic": {},
        "pagat": {"max_melds_per_turn": 1, "recycle": "turn_over"},
        "block": {"recycle": "none", "block_score": "low_hand_wins"},
        "straight_gin": {
            "rack_size": 10,
            "melding": "hidden",
            "recycle": "none",
            "rummy_doubles": False,
            "going_out_bonus": 25,
            "target": 100,
        },
    }
    """Per preset what differs from `basic`."""

    def __post_init__(self) -> None:
        """Check every field; without an end a match goes to 150 points."""
        super().__post_init__()
        if self.target is None and self.hands is None:
            object.__setattr__(self, "target", 150)

    def replace(self, **overrides: Any) -> Self:
        """Return the same rules with some fields set otherwise.

        Setting the target or the hands clears the other, unless both are given.

        Raises:
            ValueError: There is no such field, or a value is refused.
        """
        for given, other in (("target", "hands"), ("hands", "target")):
            if overrides.get(given) is not None and other not in overrides:
                overrides = {other: None, **overrides}
        return super().replace(**overrides)

    @property
    def ace_value(self) -> int:
        """What an ace left on a rack is worth: 1, or 15 where it may be high."""
        return 1 if self.ace == "low" else 15

    def check_players(self, num_players: int) -> None:
        """Refuse a number of players that the game or the deck does not allow.

        Raises:
            ValueError: There are not 2 to 6 players, or too few cards to deal.
        """
        self.dealt(num_players)

    def dealt(self, num_players: int) -> int:
        """Return how many cards each player is dealt.

        Raises:
            ValueError: There are not 2 to 6 players, or too few cards to deal.
        """
        if not whole(MIN_PLAYERS, MAX_PLAYERS).accepts(num_players):
            raise ValueError(
                f"num_players must be an integer from {MIN_PLAYERS} to {MAX_PLAYERS}, "
                f"not {num_players!r}"
            )
        size = DEALT[num_players] if self.rack_size is None else self.rack_size
        # One card begins the row, and at least one is left to draw.
        needed = num_players * size + 2
        if needed > NUM_CARDS:
            raise ValueError(
                f"the deck is too small: {num_players} racks of {size} and two cards "
                f"more are {needed}, the deck has {NUM_CARDS}"
            )
        return size
