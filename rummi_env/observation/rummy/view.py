"""What one seat may know of a game of Rummy: its rack and all that lies in the open.

A `View` is all that encoders and renderers get, so nothing hidden can reach them. Seats
are counted from the observer on: 0 is the observer, 1 the next to play, and so on.
Cards are indices as in `rummi_env.core.cards`, ascending unless said otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from rummi_env.core.card_melds import CardMeld
from rummi_env.core.cards import cards_of
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.state import NO_CARD
from rummi_env.games.rummy.tables import melds_of

Phase: TypeAlias = Literal["draw", "play", "over"]
PHASES: tuple[Phase, ...] = ("draw", "play", "over")
"""What is asked of the seat to move, in the order of the codes in the game record."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody may know of one player."""

    seat: int
    """Seat in the game, not counted from the observer."""

    rack_size: int
    """Cards on the rack."""

    known: tuple[int, ...]
    """Those of them that everybody saw the player get."""

    laid: int
    """Cards that the player has laid on the table in this hand."""

    melded: bool
    """Whether the player has melded in this hand."""

    total: float
    """Score of the hands that are over."""

    rounds_won: float
    """Hands won; a tie counts in equal parts."""


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know of a game."""

    rack: tuple[int, ...]
    """The observer's rack."""

    melds: tuple[CardMeld, ...]
    """The melds on the table."""

    laid_now: tuple[int, ...]
    """Cards that the seat to move has laid on the table in this turn."""

    row: tuple[int, ...]
    """The discards in their order, the top card last."""

    taken: int | None
    """The card that the seat to move took from the row in this turn."""

    pool_size: int
    """Cards left in the pool."""

    recycled: tuple[int, ...]
    """Cards that the present pool was made of; none before the first new pool."""

    coming: tuple[int, ...]
    """Cards of a pool that was turned over, which all know, the next one first."""

    players: tuple[PlayerView, ...]
    """Everybody in the order of play, the observer first."""

    to_move: int
    """Whose turn it is, counted from the observer."""

    phase: Phase
    """Whether a card is to be drawn, a turn to be played, or the match is over."""

    melds_now: int
    """Melds of this turn."""

    recycles: int
    """New pools of this hand."""

    turn: int
    """Turns of this hand that are over."""

    round: int
    """Hands that are over."""

    @property
    def me(self) -> PlayerView:
        """The observer."""
        return self.players[0]

    @property
    def opponents(self) -> tuple[PlayerView, ...]:
        """Everybody else in the order of play."""
        return self.players[1:]


def view_of(game: np.void, rules: RummyRules, num_players: int, seat: int) -> View:
    """Returns what a seat may know of a game.

    Args:
        game: a record of `rummi_env.games.rummy.state.GAME`.
        rules: the rules of the game.
        num_players: how many play.
        seat: the observer.
    """
    order = [(seat + step) % num_players for step in range(num_players)]
    recycles = int(game["recycles"])
    turned_over = rules.recycle == "turn_over" and recycles > 0
    pool = game["pool"][: game["pool_size"]][::-1].tolist()
    taken = int(game["taken"])
    return View(
        rack=cards_of(game["racks"][seat]),
        melds=melds_of(game),
        laid_now=cards_of(game["laid_now"]),
        row=tuple(game["row"][: game["row_size"]].tolist()),
        taken=None if taken == NO_CARD else taken,
        pool_size=int(game["pool_size"]),
        recycled=cards_of(game["recycled"]) if recycles else (),
        coming=tuple(pool) if turned_over else (),
        players=tuple(
            PlayerView(
                seat=other,
                rack_size=len(cards_of(game["racks"][other])),
                known=cards_of(game["known"][other]),
                laid=int(game["laid"][other]),
                melded=bool(game["melded"][other]),
                total=float(game["totals"][other]),
                rounds_won=float(game["rounds_won"][other]),
            )
            for other in order
        ),
        to_move=(int(game["seat"]) - seat) % num_players,
        phase=PHASES[game["phase"]],
        melds_now=int(game["melds"]),
        recycles=recycles,
        turn=int(game["turn"]),
        round=int(game["round"]),
    )
