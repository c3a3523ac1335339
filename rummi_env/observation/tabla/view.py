"""What one seat may know of a game of Rummy pe tabla.

A `View` is all that renderers and the plain encoder get, so nothing hidden can reach
them. Seats are counted from the observer on: 0 is the observer, 1 the next to play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.core.forms import FORMS, Form
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import NUM_KINDS, Counts, counts_of
from rummi_env.games.tabla.state import NO_FORM, NO_TILE, NOBODY

LastDraw: TypeAlias = Literal["none", "pool", "row"]
LAST_DRAWS: tuple[LastDraw, ...] = ("none", "pool", "row")
"""Where a seat drew last in this deal, in the order of the codes in the game record."""

Phase: TypeAlias = Literal["doubles", "draw", "discard", "over"]
PHASES: tuple[Phase, ...] = ("doubles", "draw", "discard", "over")
"""What is asked of the seat to move, in the order of the codes in the game record."""


@dataclass(frozen=True, eq=False, slots=True)
class PlayerView:
    """What the observer may know of one player."""

    seat: int
    """Seat in the game, not counted from the observer."""

    rack_size: int
    """Tiles on the rack."""

    known: Counts
    """Tiles that the observer knows to be on it, int8[53]; of the own rack none."""

    discarded: Counts
    """Tiles discarded in this deal, whether somebody drew them or not, int8[53]."""

    doubles: tuple[int, int]
    """Low and high doubles declared in this deal, once all have declared."""

    exchanges: tuple[int, ...]
    """Tiles exchanged with each player, in the order of `View.players`."""

    last_draw: LastDraw
    """Where the last tile was drawn."""

    total: float
    """Score of the deals that are over."""

    rounds_won: float
    """Deals closed."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the deal before this one ended."""

    closer: int | None
    """Seat that closed, not counted from the observer; None where it was void."""

    form: Form | None
    """Its form."""

    thrown: int | None
    """The tile thrown to close."""


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """What one seat may know of a game."""

    rack: Counts
    """The observer's rack, int8[53]."""

    row: tuple[int, ...]
    """The discards that lie in the open, the last one at the end."""

    atu: int
    """The tile that was turned face up."""

    taken: int | None
    """The tile that the seat to move has drawn from the row in this turn."""

    declared: Counts
    """Kinds of the doubles that the observer has declared so far, int8[53]."""

    pool_size: int
    """Tiles left in the pool."""

    players: tuple[PlayerView, ...]
    """Everybody in the order of play, the observer first."""

    to_move: int
    """Who is to act, counted from the observer."""

    starter: int
    """Who had the first turn, counted from the observer."""

    phase: Phase
    """What is asked of the seat to move."""

    turn: int
    """Turns of this deal that are over."""

    round: int
    """Deals that are over."""

    rounds: int
    """Deals of the match; with a target the most there can be."""

    ending: Ending
    """How the last deal that is over ended; all None before."""

    @property
    def me(self) -> PlayerView:
        """The observer."""
        return self.players[0]

    @property
    def opponents(self) -> tuple[PlayerView, ...]:
        """Everybody else in the order of play."""
        return self.players[1:]


def view_of(game: np.void, rules: TablaRules, num_players: int, seat: int) -> View:
    """Returns what a seat may know of a game.

    Args:
        game: a record of `rummi_env.games.tabla.state.GAME`.
        rules: the rules of the game.
        num_players: how many play.
        seat: the observer.
    """
    order = [(seat + step) % num_players for step in range(num_players)]
    players = tuple(
        PlayerView(
            seat=other,
            rack_size=int(game["racks"][other].sum()),
            known=_frozen(game["known"][seat, other]),
            discarded=_frozen(game["discarded"][other]),
            doubles=(int(game["doubles"][other, 0]), int(game["doubles"][other, 1])),
            exchanges=tuple(int(game["exchanges"][other, with_]) for with_ in order),
            last_draw=LAST_DRAWS[game["last_draw"][other]],
            total=float(game["totals"][other]),
            rounds_won=float(game["rounds_won"][other]),
        )
        for other in order
    )
    declared = int(game["declared"][seat])
    form = int(game["form"])
    return View(
        rack=_frozen(game["racks"][seat]),
        row=tuple(game["row"][: game["row_size"]].tolist()),
        atu=int(game["atu"]),
        taken=_some(game["taken"], NO_TILE),
        declared=_frozen(
            counts_of(kind for kind in range(NUM_KINDS) if declared >> kind & 1)
        ),
        pool_size=int(game["pool_size"] - game["drawn"]),
        players=players,
        to_move=(int(game["seat"]) - seat) % num_players,
        starter=(int(game["starter"]) - seat) % num_players,
        phase=PHASES[game["phase"]],
        turn=int(game["turn"]),
        round=int(game["round"]),
        rounds=rules.num_rounds(num_players),
        ending=Ending(
            closer=_some(game["closer"], NOBODY),
            form=None if form == NO_FORM else FORMS[form],
            thrown=_some(game["thrown"], NO_TILE),
        ),
    )


def _some(value: np.int8, none: int) -> int | None:
    return None if value == none else int(value)


def _frozen(counts: npt.NDArray[np.int8]) -> Counts:
    counts = counts.copy()
    counts.flags.writeable = False
    return counts
