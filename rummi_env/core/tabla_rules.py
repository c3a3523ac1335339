"""The rules of Rummy pe tabla: every option, and four presets.

Sources named below: *gox* is the Romanian page of the GOX site, whose game this is;
*remi* the rules of remi-online.ro, *hk* an open-source clone of it (HoiniKris/remi),
*ropet* the rules of ropet.ro at second hand, *rb* the program Remybun, *gd* a server by
gabriel-d0. gox is silent on much that a program has to decide; where no other source is
followed the value is ours, and the field says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np

from rummi_env.core.forms import (
    FORM_BY_NAME,
    FORMS,
    POINT_PRESETS,
    Form,
    form_named,
)
from rummi_env.core.options import (
    GameRules,
    flag,
    none_or,
    one_of,
    option,
    some_of,
    whole,
)
from rummi_env.core.tiles import NUM_COUNTS, Counts

MIN_PLAYERS = 2
MAX_PLAYERS = 4

# Bounds that no source gives.
MAX_BONUS = 10_000
MAX_MULTIPLIER = 10
MAX_ROUNDS = 100
MAX_TARGET = 1_000_000
MAX_TURNS = 10_000

NUM_TILES = 2 * NUM_COUNTS
"""Two of each of the 52 kinds and two jokers, called joly: 106."""

RACK_SIZE = 14
"""Tiles of a rack between turns; the first player is dealt one more."""

_NAMES = tuple(form.name for form in FORMS)
_ENABLED = tuple(form.name for form in FORMS if form.enabled)


@dataclass(frozen=True, kw_only=True)
class TablaRules(GameRules):
    """Rules of Rummy pe tabla, `ours` by default.

    >>> TablaRules().enable("monocolor").plays("monocolor")
    True
    >>> print(TablaRules(rounds=1))
    TablaRules.preset('ours', rounds=1)

    Raises:
        ValueError: A field has a value that it does not take, no form is played, or
            ``row_draw_on_empty`` is set though the row is never drawn from.
    """

    forms: tuple[str, ...] = option(_ENABLED, some_of(*_NAMES))
    """Names of the forms that close; all of gox but the three that it has off."""

    points: Literal["ours", "hk", "ropet", "flat"] = option(
        "ours", one_of(*POINT_PRESETS)
    )
    """What a closing pays: our scale, those of hk and ropet, or 1 for every form.

    gox gives none. See `rummi_env.core.form_points.points_of`.
    """

    joker_ratio: Literal["free", "2_real_per_joker"] = option(
        "free", one_of("free", "2_real_per_joker")
    )
    """How many jokers a meld may have.

    ``free``: any, as gox sets no limit; ours. ``2_real_per_joker``: a meld with one
    joker has at least two other tiles, one with two at least four, and the jokers are
    not adjacent (ropet, rb, gd, of the open game). Shapes that are no melds are free.
    """

    natural_only_forms: tuple[str, ...] = option((), some_of(*_NAMES))
    """Names of the forms that allow no joker among the 14 tiles; none is ours.

    One reading of ropet has monocolor_royala and mozaic here.
    """

    joker_close_multiplier: int = option(2, whole(1, MAX_MULTIPLIER))
    """What throwing a joker to close multiplies the points by: 2 (doizece, ropet, hk).

    gox names such a closing without its worth.
    """

    atu_twin_bonus: int = option(0, whole(0, MAX_BONUS))
    """What the player who was dealt the atu's twin gets from each opponent.

    remi: 100. Nothing is ours, as gox gives the atu no use. With a bonus everybody
    knows who holds the twin.
    """

    atu_doubles: bool = option(False, flag())
    """Whether a 1 or a joker as atu doubles all scores of the deal.

    ropet and rb: yes. gox is silent; no is ours.
    """

    exchange_doubles: bool = option(True, flag())
    """Whether doubles are exchanged before the first turn: gox yes, remi no.

    One tile of each double changes hands, pairs are made in the order of the seats and
    then of the tiles, and the jokers are no double; all of that is ours.
    """

    refuse_with_three_doubles: bool = option(False, flag())
    """Whether three doubles in the deal allow to demand a new deal.

    remi, ropet and rb: yes. gox does not mention it; no is ours.
    """

    draw_discard: bool = option(True, flag())
    """Whether the tile that was discarded last may be drawn: yes in hk and ropet.

    gox is silent.
    """

    opening_discard_dead: bool = option(False, flag())
    """Whether the very first discard may not be drawn: yes in ropet and gd; no is ours.
    """

    discard_joker_takeable: bool = option(False, flag())
    """Whether a discarded joker may be drawn: no in hk; elsewhere unsaid."""

    row_draw_on_empty: bool = option(False, flag())
    """Whether the last discard may still be drawn when the pool is empty.

    Not by default, which is ours: a deal is void as soon as a player has to draw from
    an empty pool. With it that player may draw the discard or let the deal end.
    """

    turn_cap: int = option(400, whole(1, MAX_TURNS))
    """Turns after which a deal is void; ours, as draws from the row have no end."""

    rounds: int | None = option(None, none_or(whole(1, MAX_ROUNDS)))
    """Deals of a match; ours.

    None: one for each player, or with a ``target`` as many as it takes, at most 100.
    """

    target: int | None = option(None, none_or(whole(1, MAX_TARGET)))
    """Total that ends a match as soon as a player has it; ours. None: there is none."""

    GAME = "tabla"

    PRESETS: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "ours": {},
        "hk": {"points": "hk"},
        "ropet": {"points": "ropet"},
        "flat": {"points": "flat"},
    }
    """Presets of the points; all else is as in gox, filled in as the fields say."""

    def __post_init__(self) -> None:
        """Check every field, put the forms in order, and see that they go together."""
        super().__post_init__()
        for name in ("forms", "natural_only_forms"):
            chosen = getattr(self, name)
            object.__setattr__(self, name, tuple(n for n in _NAMES if n in chosen))
        if not self.forms:
            raise ValueError("forms must name at least one form, or nobody can close")
        if self.row_draw_on_empty and not self.draw_discard:
            raise ValueError(
                "row_draw_on_empty must be False when draw_discard is False, not True"
            )

    def enable(self, *names: str) -> Self:
        """Return the same rules with these forms played as well.

        Raises:
            ValueError: There is no form of one of these names.
        """
        more = tuple(form_named(name).name for name in names)
        return self.replace(forms=tuple(dict.fromkeys(self.forms + more)))

    def disable(self, *names: str) -> Self:
        """Return the same rules without these forms.

        Raises:
            ValueError: There is no form of one of these names, or none is left.
        """
        fewer = {form_named(name).name for name in names}
        return self.replace(forms=tuple(n for n in self.forms if n not in fewer))

    def plays(self, name: str) -> bool:
        """Tell whether a form closes under these rules."""
        return name in self.forms

    @property
    def enabled(self) -> tuple[Form, ...]:
        """The forms that close, in the order of their numbers."""
        return tuple(FORM_BY_NAME[name] for name in self.forms)

    @cached_property
    def deck(self) -> Counts:
        """All tiles of the deck, read-only int8[53]."""
        counts = np.full(NUM_COUNTS, 2, dtype=np.int8)
        counts.flags.writeable = False
        return counts

    @property
    def num_tiles(self) -> int:
        """How many tiles the deck has: 106."""
        return NUM_TILES

    def num_rounds(self, num_players: int) -> int:
        """Return how many deals a match has at most.

        Raises:
            ValueError: There are not 2 to 4 players.
        """
        self.check_players(num_players)
        if self.rounds is not None:
            return self.rounds
        return num_players if self.target is None else MAX_ROUNDS

    def check_players(self, num_players: int) -> None:
        """Refuse a number of players that the game does not allow.

        Raises:
            ValueError: There are not 2 to 4 players.
        """
        if not whole(MIN_PLAYERS, MAX_PLAYERS).accepts(num_players):
            raise ValueError(
                f"num_players must be an integer from {MIN_PLAYERS} to {MAX_PLAYERS}, "
                f"not {num_players!r}"
            )
